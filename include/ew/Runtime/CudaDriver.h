//===- CudaDriver.h - NVIDIA's driver, found at run time --------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the CUDA driver's binary interface that EW uses. Nothing of CUDA
// is needed to build it, and one binary runs on machines with and without a
// GPU.
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_CUDADRIVER_H
#define EW_RUNTIME_CUDADRIVER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <memory>

namespace ew::runtime::cuda {

using Result = int;   // 0 is success
using DeviceId = int; // a handle, not an ordinal
using DevicePtr = unsigned long long;
using Context = struct OpaqueContext *;
using Module = struct OpaqueModule *;
using Function = struct OpaqueFunction *;
using Stream = struct OpaqueStream *;
using Event = struct OpaqueEvent *;
using Graph = struct OpaqueGraph *;
using GraphExec = struct OpaqueGraphExec *;

enum : Result {
  kSuccess = 0,
  kOutOfMemory = 2,
  kNoDevice = 100,
  kNoBinaryForGpu = 209,
  kEccUncorrectable = 214,
  kUnsupportedPtxVersion = 222,
  kNotFound = 500,
  kIllegalAddress = 700,
  kLaunchTimeout = 702,
  kAssert = 710,
  kHardwareStackError = 714,
  kLaunchFailed = 719,
};

enum DeviceAttribute : int {
  kMaxGridX = 5,
  kClockKHz = 13,
  kMultiprocessors = 16,
  kMemoryClockKHz = 36,
  kMemoryBusBits = 37,
  kL2Bytes = 38,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
};

enum FunctionAttribute : int {
  kMaxThreads = 0,
  kSharedBytes = 1,
  kLocalBytes = 3,
  kRegisters = 4,
};

enum JitOption : int {
  kErrorLog = 5,
  kErrorLogBytes = 6,
};

enum LaunchAttributeId : int {
  kProgrammaticStreamSerialization = 6,
};

/// CUlaunchAttribute: an identifier, then a union of 64 bytes.
struct LaunchAttribute {
  LaunchAttributeId id;
  char padding[8 - sizeof(LaunchAttributeId)];
  union {
    int programmaticStreamSerializationAllowed;
    char bytes[64];
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72);

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  Stream stream;
  const LaunchAttribute *attributes;
  unsigned numAttributes;
};
static_assert(sizeof(LaunchConfig) == 56);

inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr int kCaptureThreadLocal = 1;

/// Member, exported symbol, parameters. Where an entry point has versions, the
/// symbol names the one with 64-bit sizes and pointers.
#define EW_CUDA_FUNCTIONS(X)                                                   \
  X(init, cuInit, (unsigned))                                                  \
  X(driverGetVersion, cuDriverGetVersion, (int *))                             \
  X(getErrorName, cuGetErrorName, (Result, const char **))                     \
  X(getErrorString, cuGetErrorString, (Result, const char **))                 \
  X(deviceGetCount, cuDeviceGetCount, (int *))                                 \
  X(deviceGet, cuDeviceGet, (DeviceId *, int))                                 \
  X(deviceGetName, cuDeviceGetName, (char *, int, DeviceId))                   \
  X(deviceGetAttribute, cuDeviceGetAttribute, (int *, int, DeviceId))          \
  X(deviceTotalMem, cuDeviceTotalMem_v2, (size_t *, DeviceId))                 \
  X(primaryCtxRetain, cuDevicePrimaryCtxRetain, (Context *, DeviceId))         \
  X(primaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (DeviceId))               \
  X(ctxPushCurrent, cuCtxPushCurrent_v2, (Context))                            \
  X(ctxPopCurrent, cuCtxPopCurrent_v2, (Context *))                            \
  X(streamCreate, cuStreamCreate, (Stream *, unsigned))                        \
  X(streamDestroy, cuStreamDestroy_v2, (Stream))                               \
  X(streamSynchronize, cuStreamSynchronize, (Stream))                          \
  X(streamBeginCapture, cuStreamBeginCapture_v2, (Stream, int))                \
  X(streamEndCapture, cuStreamEndCapture, (Stream, Graph *))                   \
  X(graphInstantiate, cuGraphInstantiateWithFlags,                             \
    (GraphExec *, Graph, unsigned long long))                                  \
  X(graphDestroy, cuGraphDestroy, (Graph))                                     \
  X(graphExecDestroy, cuGraphExecDestroy, (GraphExec))                         \
  X(graphLaunch, cuGraphLaunch, (GraphExec, Stream))                           \
  X(eventCreate, cuEventCreate, (Event *, unsigned))                           \
  X(eventDestroy, cuEventDestroy_v2, (Event))                                  \
  X(eventRecord, cuEventRecord, (Event, Stream))                               \
  X(eventSynchronize, cuEventSynchronize, (Event))                             \
  X(eventElapsedTime, cuEventElapsedTime, (float *, Event, Event))             \
  X(memGetInfo, cuMemGetInfo_v2, (size_t *, size_t *))                         \
  X(memAlloc, cuMemAlloc_v2, (DevicePtr *, size_t))                            \
  X(memFree, cuMemFree_v2, (DevicePtr))                                        \
  X(memcpyHtoD, cuMemcpyHtoDAsync_v2,                                          \
    (DevicePtr, const void *, size_t, Stream))                                 \
  X(memcpyDtoH, cuMemcpyDtoHAsync_v2, (void *, DevicePtr, size_t, Stream))     \
  X(memcpyDtoD, cuMemcpyDtoDAsync_v2, (DevicePtr, DevicePtr, size_t, Stream))  \
  X(memset8, cuMemsetD8Async, (DevicePtr, unsigned char, size_t, Stream))      \
  X(moduleLoadData, cuModuleLoadDataEx,                                        \
    (Module *, const void *, unsigned, int *, void **))                        \
  X(moduleUnload, cuModuleUnload, (Module))                                    \
  X(moduleGetFunction, cuModuleGetFunction,                                    \
    (Function *, Module, const char *))                                        \
  X(functionGetAttribute, cuFuncGetAttribute, (int *, int, Function))          \
  X(maxActiveBlocks, cuOccupancyMaxActiveBlocksPerMultiprocessor,              \
    (int *, Function, int, size_t))                                            \
  X(launchKernel, cuLaunchKernel,                                              \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,     \
     unsigned, Stream, void **, void **))                                      \
  X(launchKernelEx, cuLaunchKernelEx,                                          \
    (const LaunchConfig *, Function, void **, void **))

/// The driver's entry points.
class Driver {
public:
  /// Opens and initializes the driver. The library stays loaded for good: the
  /// driver does not survive being unloaded.
  static llvm::Expected<std::shared_ptr<const Driver>>
  load(llvm::StringRef library = "libcuda.so.1");

#define EW_CUDA_MEMBER(member, symbol, parameters) Result(*member) parameters;
  EW_CUDA_FUNCTIONS(EW_CUDA_MEMBER)
#undef EW_CUDA_MEMBER

  /// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
  std::string describe(Result result) const;

  /// Success, or "<what>: <the error described>".
  llvm::Error check(Result result, const llvm::Twine &what) const;

  /// How many devices there are; none is not an error.
  llvm::Expected<unsigned> countDevices() const;

  /// The CUDA version that the driver supports: "13.0".
  std::string getVersion() const;
};

} // namespace ew::runtime::cuda

#endif // EW_RUNTIME_CUDADRIVER_H
