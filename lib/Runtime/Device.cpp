//===- Device.cpp - Where programs run ------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Device.h"

#include "llvm/Support/MathExtras.h"
#include <chrono>

using namespace ew::runtime;
using llvm::StringRef;

bool ew::runtime::leavesOneBlock(unsigned registers, unsigned block) {
  uint64_t needed = llvm::alignTo(registers, 8) * uint64_t(block);
  return needed * 2 > registersPerUnit;
}

/// ".local .align 8 .b8 __local_depot0[64];"
static unsigned parseLocal(StringRef line) {
  if (!line.ltrim().starts_with(".local"))
    return 0;
  size_t type = line.find(" .b"), open = line.find('[');
  unsigned bits = 0, count = 0;
  if (type == StringRef::npos || open == StringRef::npos ||
      line.substr(type + 3).ltrim().consumeInteger(10, bits) ||
      line.substr(open + 1).consumeInteger(10, count))
    return 0;
  return bits / 8 * count;
}

unsigned ew::runtime::getDeclaredLocalBytes(StringRef ptx, StringRef kernel) {
  unsigned bytes = 0;
  bool counts = false; // whether the kernel may run these lines
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    ptx = rest;
    size_t entry = line.find(".entry ");
    if (entry != StringRef::npos) {
      StringRef name = line.substr(entry + 7).ltrim();
      counts = name.consume_front(kernel) &&
               (name.empty() || name.ltrim().starts_with("("));
    } else if (line.contains(".func ")) {
      counts = true;
    } else if (counts) {
      bytes += parseLocal(line);
    }
  }
  // As ptxas does with a frame.
  return llvm::alignTo(bytes, 8);
}

llvm::Expected<double> Device::time(llvm::function_ref<llvm::Error()> work) {
  using Clock = std::chrono::steady_clock;
  if (llvm::Error error = synchronize())
    return std::move(error);
  Clock::time_point start = Clock::now();
  if (llvm::Error error = work())
    return std::move(error);
  if (llvm::Error error = synchronize())
    return std::move(error);
  return std::chrono::duration<double>(Clock::now() - start).count();
}
