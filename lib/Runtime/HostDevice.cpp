//===- HostDevice.cpp - Devices made of this machine ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostDevice.h"
#include "ew/Runtime/HostTensor.h"
#include "ew/Runtime/ObjectLoader.h"
#include "ew/Runtime/PlanRunner.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace ew::runtime;

namespace {
class HostModule : public LoadedModule {
public:
  explicit HostModule(std::unique_ptr<ObjectLoader> loader)
      : loader(std::move(loader)) {}

  llvm::Expected<Kernel *> getKernel(llvm::StringRef name) override {
    std::unique_ptr<HostKernel> &kernel = kernels[name];
    if (!kernel) {
      llvm::Expected<void *> address =
          loader->lookup(("_ew_packed_" + name).str());
      if (!address)
        return address.takeError();
      kernel = std::make_unique<HostKernel>(
          name.str(), reinterpret_cast<HostKernel::Function>(*address));
    }
    return kernel.get();
  }

private:
  std::unique_ptr<ObjectLoader> loader;
  llvm::StringMap<std::unique_ptr<HostKernel>> kernels;
};
} // namespace

std::string HostDevice::getChip() const {
  return llvm::sys::getHostCPUName().str();
}

/// Runs `part` over ranges of bytes on all threads. The ranges are those in
/// which kernels walk dense buffers, so that each page lies near who uses it.
static void
inParallel(uint64_t bytes,
           llvm::function_ref<void(uint64_t offset, uint64_t bytes)> part) {
  constexpr uint64_t worthwhile = 4 << 20;
  int threads = bytes < worthwhile ? 1 : int(getHostThreads());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int i = 0; i < threads; ++i) {
    // In pages, so that no two threads share one.
    auto boundary = [&](int at) {
      return at == threads ? bytes
                           : llvm::alignDown(bytes / threads * at, 4096);
    };
    part(boundary(i), boundary(i + 1) - boundary(i));
  }
}

llvm::Error HostDevice::copyToDevice(uint64_t to, const void *from,
                                     uint64_t bytes) {
  inParallel(bytes, [&](uint64_t offset, uint64_t count) {
    std::memcpy(reinterpret_cast<char *>(to) + offset,
                static_cast<const char *>(from) + offset, count);
  });
  return llvm::Error::success();
}

llvm::Error HostDevice::copyToHost(void *to, uint64_t from, uint64_t bytes) {
  return copyToDevice(reinterpret_cast<uint64_t>(to),
                      reinterpret_cast<const void *>(from), bytes);
}

llvm::Error HostDevice::copyOnDevice(uint64_t to, uint64_t from,
                                     uint64_t bytes) {
  return copyToDevice(to, reinterpret_cast<const void *>(from), bytes);
}

llvm::Error HostDevice::fill(uint64_t to, uint8_t byte, uint64_t bytes) {
  inParallel(bytes, [&](uint64_t offset, uint64_t count) {
    std::memset(reinterpret_cast<char *>(to) + offset, byte, count);
  });
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<LoadedModule>>
HostDevice::load(const CodeModule &module) {
  if (module.kind != CodeKind::Object)
    return llvm::createStringError("code '" + module.name +
                                   "' is not for this device");
  llvm::Expected<std::unique_ptr<ObjectLoader>> loader =
      ObjectLoader::load(module.code, module.name);
  if (!loader)
    return loader.takeError();
  return std::make_unique<HostModule>(std::move(*loader));
}

llvm::Expected<void *> HostDevice::allocateHost(uint64_t bytes,
                                                uint64_t alignment) const {
  // Pages of 2 MiB spare the larger buffers most of their TLB misses.
  constexpr uint64_t hugePage = 2 << 20;
  bool huge = bytes >= 2 * hugePage;
  if (huge)
    alignment = std::max(alignment, hugePage);
  void *pointer = nullptr;
  if (bytes <= UINT64_MAX - alignment)
    pointer = std::aligned_alloc(alignment, llvm::alignTo(bytes, alignment));
  if (!pointer)
    return llvm::createStringError(
        std::make_error_code(std::errc::not_enough_memory),
        "cannot allocate " + describeBytes(bytes) + " on " + getName());
  if (huge)
    madvise(pointer, bytes, MADV_HUGEPAGE);
  return pointer;
}

MemoryInfo ew::runtime::getHostMemory() {
  uint64_t page = sysconf(_SC_PAGESIZE);
  MemoryInfo info;
  info.total = sysconf(_SC_PHYS_PAGES) * page;
  info.free = availableHostMemory().value_or(info.total);
  return info;
}

unsigned ew::runtime::getHostThreads() {
  // None, where OMP_NUM_THREADS is no number; to ask for none ends the process.
  int threads = omp_get_max_threads();
  return threads > 0 ? threads : omp_get_num_procs();
}

std::string ew::runtime::describeHost() {
  std::string model = llvm::sys::getHostCPUName().str();
  // Read as a stream: files of /proc have no size.
  if (auto info = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo")) {
    llvm::StringRef rest = (*info)->getBuffer();
    size_t at = rest.find("model name");
    if (at != llvm::StringRef::npos)
      model = rest.substr(at).split('\n').first.split(':').second.trim().str();
  }
  unsigned threads = getHostThreads();
  return model + ", " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}
