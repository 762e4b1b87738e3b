//===- Device.h - Where programs run ----------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_DEVICE_H
#define EW_RUNTIME_DEVICE_H

#include "ew/Runtime/Plan.h"
#include "ew/Runtime/Tensor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ew::runtime {

/// What is known of a kernel once it is loaded; for --explain.
struct KernelResources {
  unsigned registers = 0;     // per thread
  unsigned spillBytes = 0;    // local memory per thread
  unsigned sharedBytes = 0;   // per block
  unsigned maxThreads = 0;    // per block
  unsigned blocksPerUnit = 0; // that fit on a multiprocessor at once
};

/// Registers of a multiprocessor, of which a thread's are a multiple of eight
/// (the CUDA C++ Programming Guide's table of compute capabilities).
inline constexpr unsigned registersPerUnit = 64 * 1024;

/// Whether so many registers of a thread keep a second block off a
/// multiprocessor: then nothing hides a block's start and its end.
bool leavesOneBlock(unsigned registers, unsigned block);

/// With so many registers a multiprocessor of 2,048 threads is full of them;
/// whether it takes no more than eight less, where it has room for three
/// quarters.
inline constexpr unsigned fullRegisters = 32;
inline bool isNearlyFull(unsigned registers) {
  return registers > fullRegisters && registers <= fullRegisters + 8;
}
/// Fewer threads find room at once all the same: three quarters of what an
/// H200's 132 multiprocessors hold.
inline constexpr int64_t minFullThreads = 132 * 1536;

/// Bytes of local memory that PTX declares for a thread of a kernel and for
/// what it calls: arrays that are indexed at run time. Only what it has beyond
/// them has been spilled.
unsigned getDeclaredLocalBytes(llvm::StringRef ptx, llvm::StringRef kernel);

/// An entry point of loaded code. Devices derive from it.
class Kernel {
public:
  explicit Kernel(std::string name) : name(std::move(name)) {}
  virtual ~Kernel() = default;
  llvm::StringRef getName() const { return name; }

private:
  std::string name;
};

/// Code on a device. Keeps its kernels alive; destroying it unloads them.
class LoadedModule {
public:
  virtual ~LoadedModule() = default;
  /// The kernel of that name. Asking again gives the same one.
  virtual llvm::Expected<Kernel *> getKernel(llvm::StringRef name) = 0;
};

/// How to launch a kernel once. What it points at is read during the call only.
struct LaunchConfig {
  /// Blocks, along x; more than 0 and at most Device::maxGrid().
  uint64_t grid = 1;
  unsigned block = 1; // threads of a block, along x
  /// Static, as the code declares it: the launch asks for none.
  unsigned sharedBytes = 0;
  /// The code waits for earlier kernels by itself and may begin before they
  /// end.
  bool dependent = false;
  /// One pointer to each argument's value.
  llvm::ArrayRef<void *> args;
  /// The addresses of the operands' first elements, inputs first, 0 for numbers
  /// that are passed by value; so that a device can say which operand was
  /// written outside of.
  llvm::ArrayRef<uint64_t> operands;
};

struct MemoryInfo {
  uint64_t total = 0, free = 0; // bytes
};

/// A device with one queue of work (on CUDA, a stream): what is asked for
/// happens in order. Allocation, launches and copies within the device are put
/// into the queue; copies from and to the host return when they are done. An
/// error that work in the queue ran into is reported by the next call that can.
/// Several threads may use it at once, each with modules of its own; `time`
/// then counts the work of all.
class Device {
public:
  virtual ~Device() = default;

  virtual Target getTarget() const = 0;
  /// How a user names it: "cuda:0", "cpu", "emulated".
  virtual std::string getName() const = 0;
  /// What it is: "NVIDIA H200, 141 GB, driver 580.65".
  virtual std::string getDescription() const = 0;
  /// What code must be made for: "sm_90"; for the host, its CPU's name.
  virtual std::string getChip() const = 0;

  /// Of the device's memory; for the host's see getHostMemory().
  virtual llvm::Expected<MemoryInfo> getMemoryInfo() = 0;
  /// The largest number of blocks of a launch.
  virtual uint64_t maxGrid() const = 0;
  /// Whether the host may read and write buffers through their addresses, once
  /// synchronized.
  virtual bool isHostAccessible() const = 0;
  /// Whether temporaries that do not live at the same time may share memory. A
  /// device that watches over each buffer says no.
  virtual bool mayShareTemporaries() const { return true; }

  /// `bytes` is more than 0. The address is a multiple of 64 at least. What the
  /// memory holds is not specified.
  virtual llvm::Expected<uint64_t> allocate(uint64_t bytes) = 0;
  /// What allocate() gave, with the same number of bytes.
  virtual void free(uint64_t address, uint64_t bytes) = 0;

  /// `to` and `from` are addresses of the device, or of the host where they are
  /// pointers. What is copied to does not overlap what is copied from.
  virtual llvm::Error copyToDevice(uint64_t to, const void *from,
                                   uint64_t bytes) = 0;
  virtual llvm::Error copyToHost(void *to, uint64_t from, uint64_t bytes) = 0;
  virtual llvm::Error copyOnDevice(uint64_t to, uint64_t from,
                                   uint64_t bytes) = 0;
  /// Sets every byte to `byte`.
  virtual llvm::Error fill(uint64_t to, uint8_t byte, uint64_t bytes) = 0;

  /// Loads code of the kind that the device takes (another one is an error).
  /// The module may be asked for kernels as long as the device lives.
  virtual llvm::Expected<std::unique_ptr<LoadedModule>>
  load(const CodeModule &module) = 0;
  virtual llvm::Error launch(Kernel &kernel, const LaunchConfig &config) = 0;
  /// Waits for everything in the queue. An error names the last kernel
  /// launched.
  virtual llvm::Error synchronize() = 0;

  /// Seconds that the device spends on what `work` puts into its queue. By
  /// default the clock around it, with everything waited for.
  virtual llvm::Expected<double> time(llvm::function_ref<llvm::Error()> work);

  /// Nothing where the device does not say, as a CPU.
  virtual std::optional<KernelResources> getResources(Kernel &kernel) {
    return std::nullopt;
  }
};

/// Memory of this machine that a process can still have: what the system says
/// is available, within the limits of the process' control groups.
MemoryInfo getHostMemory();

/// Threads that the CPU's kernels run on: OpenMP's (OMP_NUM_THREADS).
unsigned getHostThreads();

/// The CPU that this process runs on.
std::unique_ptr<Device> createCPUDevice();

} // namespace ew::runtime

#endif // EW_RUNTIME_DEVICE_H
