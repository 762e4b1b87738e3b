//===- CudaDevice.h - NVIDIA GPUs -------------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_CUDADEVICE_H
#define EW_RUNTIME_CUDADEVICE_H

#include "ew/Runtime/CudaDriver.h"
#include "ew/Runtime/Device.h"
#include <atomic>
#include <mutex>

namespace ew::runtime {

/// A GPU through its primary context, which it shares with other users of CUDA
/// in the process, and a stream of its own. The thread's current context is
/// left as it was by every call.
class CudaDevice : public Device {
public:
  /// The device with this ordinal, as in `cuda:1`.
  static llvm::Expected<std::unique_ptr<CudaDevice>>
  create(std::shared_ptr<const cuda::Driver> driver, unsigned ordinal = 0);
  ~CudaDevice() override;

  Target getTarget() const override { return Target::CUDA; }
  std::string getName() const override;
  std::string getDescription() const override;
  std::string getChip() const override;
  llvm::Expected<MemoryInfo> getMemoryInfo() override;
  uint64_t maxGrid() const override { return maxGridX; }
  bool isHostAccessible() const override { return false; }

  llvm::Expected<uint64_t> allocate(uint64_t bytes) override;
  void free(uint64_t address, uint64_t bytes) override;
  llvm::Error copyToDevice(uint64_t to, const void *from,
                           uint64_t bytes) override;
  llvm::Error copyToHost(void *to, uint64_t from, uint64_t bytes) override;
  llvm::Error copyOnDevice(uint64_t to, uint64_t from, uint64_t bytes) override;
  llvm::Error fill(uint64_t to, uint8_t byte, uint64_t bytes) override;

  llvm::Expected<std::unique_ptr<LoadedModule>>
  load(const CodeModule &module) override;
  llvm::Error launch(Kernel &kernel, const LaunchConfig &config) override;
  llvm::Error synchronize() override;
  llvm::Expected<double> time(llvm::function_ref<llvm::Error()> work) override;
  /// Registers, spills and shared memory; blocks per multiprocessor for the
  /// block size of the last launch, or 256.
  std::optional<KernelResources> getResources(Kernel &kernel) override;

  /// What was put into the queue once and can be put there again at once.
  class Recording {
  public:
    virtual ~Recording() = default;
    virtual llvm::Error replay() = 0;
  };
  /// Records what `work` puts into the queue, without doing it, as a CUDA
  /// graph. `work` may launch, fill, and copy on the device. No other thread
  /// uses the device meanwhile.
  llvm::Expected<std::unique_ptr<Recording>>
  record(llvm::function_ref<llvm::Error()> work);

  unsigned getMultiprocessors() const { return multiprocessors; }
  /// Whether a kernel may begin while the one before it ends.
  bool canOverlapKernels() const { return overlapsKernels; }
  uint64_t getL2Bytes() const { return l2Bytes; }
  /// What the driver calls the device: "NVIDIA H200".
  llvm::StringRef getModel() const { return model; }
  /// Of the multiprocessors, and what the memory moves at the most; 0 where the
  /// driver does not say.
  double getClockHz() const { return clockHz; }
  double getMemoryBytesPerSecond() const { return memoryBytesPerSecond; }
  const cuda::Driver &getDriver() const { return *driver; }

private:
  class Scope;
  friend class CudaModule;
  friend class CudaRecording;

  CudaDevice(std::shared_ptr<const cuda::Driver> driver, unsigned ordinal);
  llvm::Error open();
  llvm::Expected<int> getAttribute(cuda::DeviceAttribute attribute);
  llvm::Error check(cuda::Result result, const llvm::Twine &what);

  std::shared_ptr<const cuda::Driver> driver;
  unsigned ordinal;
  cuda::DeviceId id = 0;
  cuda::Context context = nullptr;
  cuda::Stream stream = nullptr;
  cuda::Event begin = nullptr, end = nullptr;
  std::string model, chip;
  uint64_t totalBytes = 0, l2Bytes = 0, maxGridX = 0;
  unsigned multiprocessors = 0;
  double clockHz = 0, memoryBytesPerSecond = 0;
  bool overlapsKernels = false; // LaunchConfig::dependent, in graphs, too

  /// Kernels launched since the queue was last known to be worked off, for
  /// messages: an error shows only later.
  struct Kernels {
    std::vector<std::string> names;
    bool tooMany = false; // to name them all
    void add(llvm::StringRef name);
  };
  std::mutex mutex; // of `recent`
  Kernels recent;
  /// Counts how often `recent` began anew, so that a launch sees at once that
  /// its kernel is in it.
  std::atomic<uint64_t> round = 1;
  Kernels takeRecent();
};

/// Opens the driver and the device with this ordinal. An error where there is
/// no driver, or no such device.
llvm::Expected<std::unique_ptr<CudaDevice>>
createCudaDevice(unsigned ordinal = 0);

} // namespace ew::runtime

#endif // EW_RUNTIME_CUDADEVICE_H
