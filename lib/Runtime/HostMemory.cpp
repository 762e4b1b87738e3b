//===- HostMemory.cpp - How much memory the host has left -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/HostTensor.h"
#include "ew/Runtime/PlanRunner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;

namespace ew::runtime {

/// The number after `key` in a file of lines like "MemAvailable: 24 kB"; with
/// an empty key, the number that the file begins with.
static std::optional<uint64_t> readNumber(StringRef path, StringRef key) {
  auto file = MemoryBuffer::getFileAsStream(path);
  if (!file)
    return std::nullopt;
  SmallVector<StringRef, 64> lines;
  (*file)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    uint64_t value;
    if (line.consume_front(key) && !line.ltrim(": ").consumeInteger(10, value))
      return value;
  }
  return std::nullopt;
}

/// What a control group may take besides what it has. Cached files count as
/// taken but give way.
static std::optional<uint64_t>
availableInGroup(StringRef limitPath, StringRef usagePath, StringRef statPath) {
  auto limit = readNumber(limitPath, "");
  auto usage = readNumber(usagePath, "");
  if (!limit || !usage)
    return std::nullopt; // no such group, or its limit is "max"
  uint64_t cached = readNumber(statPath, "inactive_file").value_or(0);
  uint64_t taken = *usage > cached ? *usage - cached : 0;
  return *limit > taken ? *limit - taken : 0;
}

std::optional<uint64_t> availableHostMemory() {
  std::optional<uint64_t> available =
      readNumber("/proc/meminfo", "MemAvailable");
  if (available)
    *available *= 1024;
  for (auto inGroup :
       {availableInGroup("/sys/fs/cgroup/memory.max",
                         "/sys/fs/cgroup/memory.current",
                         "/sys/fs/cgroup/memory.stat"),
        availableInGroup("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                         "/sys/fs/cgroup/memory/memory.usage_in_bytes",
                         "/sys/fs/cgroup/memory/memory.stat")})
    if (inGroup && (!available || *inGroup < *available))
      available = inGroup;
  // What `ulimit -v` leaves.
  rlimit addresses;
  if (getrlimit(RLIMIT_AS, &addresses) == 0 &&
      addresses.rlim_cur != RLIM_INFINITY) {
    uint64_t taken =
        readNumber("/proc/self/statm", "").value_or(0) * sysconf(_SC_PAGESIZE);
    uint64_t left = addresses.rlim_cur > taken ? addresses.rlim_cur - taken : 0;
    if (!available || left < *available)
      available = left;
  }
  return available;
}

Error checkHostMemory(uint64_t bytes, const Twine &what) {
  // Asking the system costs more than small allocations are worth.
  if (bytes < (uint64_t(64) << 20))
    return Error::success();
  std::optional<uint64_t> available = availableHostMemory();
  if (!available)
    return Error::success();
  // Others need some while this is filled, and the system ends processes before
  // the last byte is taken.
  *available -= *available / 16;
  if (bytes <= *available)
    return Error::success();
  return createStringError(std::make_error_code(std::errc::not_enough_memory),
                           "not enough host memory for " + what +
                               ": it takes " + describeBytes(bytes) + ", and " +
                               describeBytes(*available) + " are free");
}

} // namespace ew::runtime
