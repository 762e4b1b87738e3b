//===- Coalescing.h - What a warp's accesses ask of memory ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_ANALYSIS_COALESCING_H
#define EW_ANALYSIS_COALESCING_H

#include "ew/Runtime/PlanRunner.h"

namespace ew::analysis {

/// The accesses of a warp to an operand, for the buffers of one launch.
struct WarpAccess {
  /// Sectors of 32 bytes that one access of a warp touches, and the fewest that
  /// hold as many distinct bytes as it asks for; means over warps at several
  /// places.
  double sectors = 0, fewest = 0;
  /// Distinct bytes that it asks for.
  double bytes = 0;

  /// Of the bytes that are moved, those that are asked for: 0 to 1.
  double efficiency() const { return sectors ? bytes / (sectors * 32) : 1; }
};

/// Plays the addresses of an operand's accesses of `accessBytes` each through,
/// by the same rules by which kernels are built (lib/Codegen/GPU). Not for an
/// operand that is a number, nor for an empty space.
WarpAccess simulateWarps(const runtime::LaunchInfo &info, unsigned operand,
                         unsigned elementBytes, unsigned accessBytes);

/// Bytes of the sectors that hold an operand's elements: more than the
/// elements' own where they lie apart. What memory has to move at the least.
uint64_t getFootprint(const runtime::LaunchInfo &info, unsigned operand,
                      unsigned elementBytes);

} // namespace ew::analysis

#endif // EW_ANALYSIS_COALESCING_H
