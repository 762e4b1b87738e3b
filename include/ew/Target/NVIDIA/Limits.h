//===- Limits.h - How fast NVIDIA's chips and products are ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TARGET_NVIDIA_LIMITS_H
#define EW_TARGET_NVIDIA_LIMITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ew::nvidia {

struct Chip;

/// What a multiprocessor of a chip completes in a clock, in results of one
/// thread each (a packed pair counts as one).
struct Throughput {
  llvm::StringLiteral chip;
  unsigned f32;     // add, mul, fma
  unsigned f64;     // add, mul, fma
  unsigned f16x2;   // add, mul, fma of packed pairs, f16 and bf16
  unsigned integer; // add, shift, logic, compare, multiply, of 32 bits
  unsigned special; // ex2, lg2, rcp, rsqrt, sin, cos, tanh
  unsigned convert; // between integers and floating point; rounding to integers
  unsigned pack;    // between f32 and narrower floating point
};

/// Instructions of a thread that a multiprocessor issues in a clock: four
/// schedulers, a warp each (the guide's chapters on each compute capability).
inline constexpr unsigned issuedPerClock = 4 * 32;
inline constexpr unsigned warpThreads = 32;
/// What the memory system moves at the least, and a cache line (CUDA C++ Best
/// Practices Guide, "Coalesced Access to Global Memory").
inline constexpr unsigned sectorBytes = 32, lineBytes = 128;
/// Registers of a multiprocessor; they are given to warps in units of 256, to
/// four warps at a time (the guide's table of compute capabilities; CUDA's
/// occupancy calculator).
inline constexpr unsigned registersPerSM = 64 * 1024;
inline constexpr unsigned registerUnit = 256, warpUnit = 4;
/// What a block takes of shared memory beside its own (same table).
inline constexpr unsigned systemSharedBytes = 1024;
/// The most that a kernel can declare, on every chip: what is beyond has no
/// declaration, and is asked for at each launch (same table).
inline constexpr int64_t maxSharedBytes = 48 * 1024;

/// That of a chip in Chips.h.
const Throughput &getThroughput(const Chip &chip);

/// A product with a chip on it: numbers of its data sheet.
struct Product {
  llvm::StringLiteral name;
  llvm::StringLiteral chip;
  /// What CUDA calls it contains this.
  llvm::StringLiteral device;
  unsigned multiprocessors;
  unsigned clockMHz;  // boost
  unsigned memoryGBs; // 10^9 bytes a second
  unsigned l2MiB;
  /// From a load to its value out of idle memory, in clocks; 0: not known.
  unsigned latencyClocks;
  llvm::StringLiteral source;

  double bytesPerSecond() const { return memoryGBs * 1e9; }
  double clockHz() const { return clockMHz * 1e6; }
};

llvm::ArrayRef<Product> getProducts();

/// The product that CUDA's name for a device means, or null.
const Product *findProductOfDevice(llvm::StringRef device);
/// The first product with a chip ("sm_90"), or null.
const Product *findProductOfChip(llvm::StringRef chip);
/// By its own name, in any case; or null.
const Product *findProduct(llvm::StringRef name);

} // namespace ew::nvidia

#endif // EW_TARGET_NVIDIA_LIMITS_H
