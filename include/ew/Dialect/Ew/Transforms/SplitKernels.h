//===- SplitKernels.h - Two kernels in place of one -------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_TRANSFORMS_SPLITKERNELS_H
#define EW_DIALECT_EW_TRANSFORMS_SPLITKERNELS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace ew {

/// On a linalg.generic: ew-split-kernels makes two of it.
inline constexpr llvm::StringLiteral splitAttrName = "ew.split";

/// Where a kernel is best cut in two.
struct KernelCut {
  mlir::Operation *first = nullptr; // of the second part
  /// What the parts pass on for each element: a value that one stores and the
  /// other loads counts whole, an input that both load counts half.
  uint64_t bytes = 0;
  /// Registers of 32 bits for one element's values, at the most, of the whole
  /// and of the larger part.
  unsigned live = 0, liveInParts = 0;
};

/// Nothing where no cut leaves both parts fewer values to hold at once.
std::optional<KernelCut> findCut(mlir::linalg::GenericOp op);

} // namespace ew

#endif // EW_DIALECT_EW_TRANSFORMS_SPLITKERNELS_H
