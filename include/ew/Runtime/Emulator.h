//===- Emulator.h - GPU kernels on the CPU ----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for Target::Emulated is a GPU kernel compiled for the host. Every kernel
// symbol stands behind
//
//   void _ew_packed_<kernel>(void **args)
//
// where args[i] points at the i-th argument of the kernel, followed by
//
//   int64_t blockIdx, int64_t gridDim, int64_t threadIdx, int64_t blockDim,
//   void *shared
//
// (a pointer to each), all along x; `shared` has the block's shared memory,
// aligned to 64 bytes. A barrier is a call of `void
// _ew_emulator_barrier(void)`.
//
// The threads of a block are fibres. A barrier gives the turn to another
// thread; the order of threads is shuffled for every block and between every
// two barriers, and shared memory starts out poisoned, so that a barrier that
// is missing shows in the result. A kernel without shared memory has no
// barriers, and its threads are plain calls. A barrier that some threads of a
// block do not reach is an error. Buffers carry guards on both sides, looked at
// after every launch, and start out poisoned.
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_EMULATOR_H
#define EW_RUNTIME_EMULATOR_H

#include "ew/Runtime/Device.h"
#include <cstdint>
#include <memory>

namespace ew::runtime {

struct EmulatorOptions {
  /// Where the order of threads and blocks comes from.
  uint64_t seed = 1;
  /// Bytes of the device's memory; 0: as much as the host has.
  uint64_t memory = 0;
  /// As a GPU has them.
  uint64_t maxGrid = 0x7fffffff;
};

/// What fresh buffers and shared memory are filled with: a NaN of every
/// floating-point type.
constexpr uint8_t kPoison = 0xff;

std::unique_ptr<Device>
createEmulatedDevice(const EmulatorOptions &options = {});

} // namespace ew::runtime

#endif // EW_RUNTIME_EMULATOR_H
