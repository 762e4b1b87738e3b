//===- FusionCost.h - When ops share a kernel -------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_DIALECT_EW_TRANSFORMS_FUSIONCOST_H
#define EW_LIB_DIALECT_EW_TRANSFORMS_FUSIONCOST_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>

namespace ew {

/// The size of a kernel, as far as it is known while groups grow.
struct KernelSize {
  uint64_t operands = 0; // tensors read and written
  uint64_t weight = 0;   // of its ops, see getWeight
  uint64_t live = 0;     // values computed and still to be read

  KernelSize operator+(const KernelSize &other) const {
    return {operands + other.operands, weight + other.weight,
            live + other.live};
  }
};

/// What is computed again where a smaller value is read by a larger kernel.
struct TreeSize {
  uint32_t ops = 0;
  uint32_t weight = 0;

  /// A value read twice counts twice, so that this doubles with every op of a
  /// chain: large is large enough.
  TreeSize &operator+=(const TreeSize &other) {
    constexpr uint32_t large = 1 << 20;
    ops = std::min(ops + other.ops, large);
    weight = std::min(weight + other.weight, large);
    return *this;
  }
};

/// Why a kernel of this size is not wanted; empty where it is.
llvm::StringRef refuse(const KernelSize &size);

/// Whether a value should be computed again in the kernel that reads it through
/// a view rather than stored. `permuted`: each element is read once, and by
/// nothing else, so that nothing is computed twice.
bool shouldRecompute(const TreeSize &tree, bool permuted);

} // namespace ew

#endif // EW_LIB_DIALECT_EW_TRANSFORMS_FUSIONCOST_H
