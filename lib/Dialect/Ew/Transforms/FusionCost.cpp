//===- FusionCost.cpp - When ops share a kernel ---------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionCost.h"

#include "ew/Dialect/Ew/IR/Ew.h"

using namespace mlir;
using namespace ew;

// Each operand is an address and, where it is strided, a stride for every
// dimension: beyond this, addresses alone take half of the 255 registers that a
// thread has, and the loads in flight are too many for one pass anyway.
static constexpr uint64_t maxOperands = 24;

// Values in flight, each in as many registers as a thread has elements (4 of
// f32 in 16 bytes): 24 of them and the operands' addresses fit without a spill.
static constexpr uint64_t maxLive = 24;

// Compile time and instruction cache: 64 functions of the weight of exp, or
// 512 plain instructions, times the elements per thread.
static constexpr uint64_t maxWeight = 512;

// Reading a small value again costs about as much as this many instructions
// where memory is the limit, and a kernel more costs a launch.
static constexpr uint64_t maxRecomputedWeight = 12;
static constexpr uint64_t maxMovedOps = 64;

StringRef ew::refuse(const KernelSize &size) {
  if (size.operands > maxOperands)
    return "it would read and write too many tensors";
  if (size.live > maxLive)
    return "it would keep too many values in registers";
  if (size.weight > maxWeight)
    return "it would have too many ops";
  return "";
}

bool ew::shouldRecompute(const TreeSize &tree, bool permuted) {
  return permuted ? tree.ops <= maxMovedOps
                  : tree.weight <= maxRecomputedWeight;
}
