//===- Emulator.cpp - GPU kernels on the CPU ------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Emulator.h"
#include "Emulation.h"
#include "ew/Runtime/PlanRunner.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <omp.h>

using namespace ew::runtime;

/// A kernel with barriers takes a stack, and two of the system's memory
/// mappings, for every thread of a block on every thread of this process.
static constexpr int kMaxThreads = 8;

namespace {
class EmulatedDevice : public HostDevice {
public:
  explicit EmulatedDevice(const EmulatorOptions &options)
      : options(options), shuffler(options.seed) {}
  ~EmulatedDevice() override {
    for (auto [address, allocation] : allocations)
      std::free(allocation.memory);
  }

  Target getTarget() const override { return Target::Emulated; }
  std::string getName() const override { return "emulated"; }
  std::string getDescription() const override {
    return "GPU kernels on " + describeHost();
  }
  uint64_t maxGrid() const override { return options.maxGrid; }
  bool mayShareTemporaries() const override { return false; }
  llvm::Expected<MemoryInfo> getMemoryInfo() override;

  llvm::Expected<uint64_t> allocate(uint64_t bytes) override;
  void free(uint64_t address, uint64_t bytes) override;
  llvm::Error launch(Kernel &kernel, const LaunchConfig &config) override;

private:
  struct Allocation {
    uint8_t *memory; // begins with a guard
    uint64_t bytes;  // of the buffer between the guards
  };
  llvm::Error checkGuards(const Kernel &kernel, const LaunchConfig &config);

  const EmulatorOptions options;
  std::mutex mutex; // of all that follows; a launch holds it to its end
  Shuffler shuffler;
  std::map<uint64_t, Allocation> allocations; // by address of the buffer
  uint64_t allocatedBytes = 0;
  std::vector<BlockRunner> runners{kMaxThreads};
};
} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Expected<MemoryInfo> EmulatedDevice::getMemoryInfo() {
  MemoryInfo info = getHostMemory();
  std::lock_guard<std::mutex> lock(mutex);
  if (options.memory != 0) {
    info.total = std::min(info.total, options.memory);
    info.free = std::min(info.free, options.memory - allocatedBytes);
  }
  return info;
}

llvm::Expected<uint64_t> EmulatedDevice::allocate(uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (options.memory != 0 && bytes > options.memory - allocatedBytes)
    return llvm::createStringError(
        std::make_error_code(std::errc::not_enough_memory),
        "cannot allocate " + describeBytes(bytes) + " on " + getName() +
            ", which has " + describeBytes(options.memory - allocatedBytes) +
            " free");
  uint64_t whole = llvm::SaturatingAdd(bytes, 2 * kGuardBytes);
  llvm::Expected<void *> pointer = allocateHost(whole, kGuardBytes);
  if (!pointer)
    return pointer.takeError();
  uint8_t *memory = static_cast<uint8_t *>(*pointer);
  std::memset(memory, kGuard, kGuardBytes);
  std::memset(memory + kGuardBytes, kPoison, bytes);
  std::memset(memory + kGuardBytes + bytes, kGuard, kGuardBytes);
  uint64_t address = reinterpret_cast<uint64_t>(memory) + kGuardBytes;
  allocations[address] = {memory, bytes};
  allocatedBytes += bytes;
  return address;
}

void EmulatedDevice::free(uint64_t address, uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = allocations.find(address);
  if (found == allocations.end())
    return;
  std::free(found->second.memory);
  allocatedBytes -= found->second.bytes;
  allocations.erase(found);
}

/// "4 bytes before the beginning" of a buffer, or nothing if all is well.
/// Repairs the guards, so that only one launch is blamed.
static std::string takeDamage(uint8_t *memory, uint64_t bytes) {
  uint8_t *behind = memory + kGuardBytes + bytes;
  std::string text;
  if (std::optional<uint64_t> at = findDamage(behind, kGuardBytes))
    text = std::to_string(*at) + " bytes behind the end";
  else if (std::optional<uint64_t> at = findDamage(memory, kGuardBytes))
    text = std::to_string(kGuardBytes - *at) + " bytes before the beginning";
  else
    return text;
  std::memset(memory, kGuard, kGuardBytes);
  std::memset(behind, kGuard, kGuardBytes);
  return text + " of a buffer of " + describeBytes(bytes);
}

llvm::Error EmulatedDevice::checkGuards(const Kernel &kernel,
                                        const LaunchConfig &config) {
  std::string first;
  for (auto [address, allocation] : allocations) {
    std::string damage = takeDamage(allocation.memory, allocation.bytes);
    if (damage.empty() || !first.empty())
      continue;
    first = damage;
    for (size_t i = 0; i < config.operands.size(); ++i)
      if (config.operands[i] >= address &&
          config.operands[i] - address <= allocation.bytes)
        first = "operand " + std::to_string(i) + ": " + damage;
  }
  if (first.empty())
    return llvm::Error::success();
  return llvm::createStringError("kernel '" + kernel.getName() +
                                 "' wrote outside of " + first);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

llvm::Error EmulatedDevice::launch(Kernel &kernel, const LaunchConfig &config) {
  HostKernel::Function function = static_cast<HostKernel &>(kernel).function;
  int64_t numBlocks = config.grid;
  std::lock_guard<std::mutex> lock(mutex);
  Order order(numBlocks, shuffler);
  uint64_t seed = shuffler.next();
  std::string failure;
  int threads = std::min<int64_t>(
      {int64_t(getHostThreads()), int64_t(kMaxThreads), numBlocks});
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4)
  for (int64_t i = 0; i < numBlocks; ++i) {
    int64_t block = order[i];
    bool failed;
#pragma omp critical(ew_emulator)
    failed = !failure.empty();
    if (failed)
      continue;
    std::string what = runners[omp_get_thread_num()].run(
        function, config, block, Shuffler(seed + block));
    if (what.empty())
      continue;
#pragma omp critical(ew_emulator)
    failure = what;
  }
  if (!failure.empty())
    return llvm::createStringError("kernel '" + kernel.getName() +
                                   "': " + failure);
  return checkGuards(kernel, config);
}

std::unique_ptr<Device>
ew::runtime::createEmulatedDevice(const EmulatorOptions &options) {
  return std::make_unique<EmulatedDevice>(options);
}
