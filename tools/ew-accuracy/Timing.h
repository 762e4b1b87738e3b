//===- Timing.h - What a function costs -------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_ACCURACY_TIMING_H
#define EW_TOOLS_ACCURACY_TIMING_H

#include "Runner.h"

namespace ew::accuracy {

/// Calls of one launch.
inline constexpr uint64_t kTimedCalls = uint64_t(1) << 26;

/// Picoseconds that a device spends on one call in f32, for each place: a
/// kernel sums the function at 16 shifted operands for each of 2^22 elements,
/// and what the same kernel takes without the function is subtracted. The
/// places take turns; medians.
llvm::Expected<std::vector<double>> timeCalls(mlir::MLIRContext &context,
                                              const Function &function,
                                              llvm::ArrayRef<Place> places);

} // namespace ew::accuracy

#endif // EW_TOOLS_ACCURACY_TIMING_H
