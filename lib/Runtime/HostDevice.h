//===- HostDevice.h - Devices made of this machine --------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_RUNTIME_HOSTDEVICE_H
#define EW_LIB_RUNTIME_HOSTDEVICE_H

#include "ew/Runtime/Device.h"

namespace ew::runtime {

/// A kernel that is a function of this process.
class HostKernel : public Kernel {
public:
  using Function = void (*)(void **args);
  HostKernel(std::string name, Function function)
      : Kernel(std::move(name)), function(function) {}
  const Function function;
};

/// What the CPU and the emulator share: memory is the host's, code comes as
/// object files, and everything is done when a call returns.
class HostDevice : public Device {
public:
  std::string getChip() const override;
  llvm::Expected<MemoryInfo> getMemoryInfo() override {
    return getHostMemory();
  }
  bool isHostAccessible() const override { return true; }
  llvm::Error copyToDevice(uint64_t to, const void *from,
                           uint64_t bytes) override;
  llvm::Error copyToHost(void *to, uint64_t from, uint64_t bytes) override;
  llvm::Error copyOnDevice(uint64_t to, uint64_t from, uint64_t bytes) override;
  llvm::Error fill(uint64_t to, uint8_t byte, uint64_t bytes) override;
  llvm::Expected<std::unique_ptr<LoadedModule>>
  load(const CodeModule &module) override;
  llvm::Error synchronize() override { return llvm::Error::success(); }

protected:
  /// Memory whose address is a multiple of 64; an error where there is none.
  llvm::Expected<void *> allocateHost(uint64_t bytes, uint64_t alignment) const;
};

/// "AMD EPYC 9654, 16 threads".
std::string describeHost();

} // namespace ew::runtime

#endif // EW_LIB_RUNTIME_HOSTDEVICE_H
