//===- CPUDevice.cpp - Kernels on the CPU's cores -------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostDevice.h"

#include <cstdlib>
#include <omp.h>

using namespace ew::runtime;

namespace {
class CPUDevice : public HostDevice {
public:
  Target getTarget() const override { return Target::CPU; }
  std::string getName() const override { return "cpu"; }
  std::string getDescription() const override { return describeHost(); }
  uint64_t maxGrid() const override { return INT64_MAX; }

  llvm::Expected<uint64_t> allocate(uint64_t bytes) override {
    llvm::Expected<void *> pointer = allocateHost(bytes, 64);
    if (!pointer)
      return pointer.takeError();
    return reinterpret_cast<uint64_t>(*pointer);
  }
  void free(uint64_t address, uint64_t bytes) override {
    std::free(reinterpret_cast<void *>(address));
  }

  llvm::Error launch(Kernel &kernel, const LaunchConfig &config) override;
};
} // namespace

/// Blocks [begin, end) of a launch.
static void runBlocks(HostKernel::Function function, const LaunchConfig &config,
                      int64_t begin, int64_t end) {
  llvm::SmallVector<void *, 32> args(config.args.begin(), config.args.end());
  args.push_back(&begin);
  args.push_back(&end);
  function(args.data());
}

llvm::Error CPUDevice::launch(Kernel &kernel, const LaunchConfig &config) {
  HostKernel::Function function = static_cast<HostKernel &>(kernel).function;
  int64_t blocks = config.grid;
  int64_t threads = std::min<int64_t>(getHostThreads(), blocks);
  if (threads == 1) {
    runBlocks(function, config, 0, blocks);
    return llvm::Error::success();
  }
#pragma omp parallel num_threads(threads)
  {
    // The system may give fewer threads than asked for. Each one has a range of
    // its own, the same one at every launch, and so meets its own caches.
    int64_t thread = omp_get_thread_num(), count = omp_get_num_threads();
    int64_t each = blocks / count, more = blocks % count;
    int64_t begin = thread * each + std::min(thread, more);
    int64_t end = begin + each + (thread < more);
    if (begin < end)
      runBlocks(function, config, begin, end);
  }
  return llvm::Error::success();
}

std::unique_ptr<Device> ew::runtime::createCPUDevice() {
  return std::make_unique<CPUDevice>();
}
