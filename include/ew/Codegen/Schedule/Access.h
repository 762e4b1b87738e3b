//===- Access.h - How a kernel's operands walk memory -----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_SCHEDULE_ACCESS_H
#define EW_CODEGEN_SCHEDULE_ACCESS_H

#include "ew/Dialect/Ew/IR/Ew.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallVector.h"

namespace ew {

/// The loops of a kernel, and how every operand walks memory as they run.
struct LoopNest {
  /// Loop sizes, outermost first; ShapedType::kDynamic where not known.
  llvm::SmallVector<int64_t> sizes;
  /// For every operand, inputs first: the loops that it walks, in its order in
  /// memory, outermost first. Loops of static size 1 are left out.
  llvm::SmallVector<llvm::SmallVector<int64_t>> walks;
  /// Loops whose index the body uses; they must not be merged with others.
  llvm::SmallVector<bool> indexed;

  int64_t rank() const { return sizes.size(); }
  /// Whether it walks the whole space in the order of iteration.
  bool isDense(unsigned operand) const;
  /// Whether the innermost loop steps through consecutive elements of it.
  bool isInnermostUnit(unsigned operand) const;
  /// Whether the innermost loop moves it at all.
  bool walksInnermost(unsigned operand) const;
  AccessClass classify(unsigned operand) const;
};

/// The order in memory of the dimensions of a kernel's operand, outermost
/// first.
llvm::SmallVector<int64_t> getLayout(mlir::Value tensor);

/// The nest of an elementwise linalg.generic on tensors, or an error that says
/// what about it is not supported.
mlir::FailureOr<LoopNest> getLoopNest(mlir::linalg::GenericOp op,
                                      bool diagnose = true);

/// Merges consecutive loops that every operand walks one after the other in
/// memory, or not at all: how many loops each collapsed dimension takes.
llvm::SmallVector<int64_t> collapseLoops(const LoopNest &nest);

/// Whether a kernel can walk so many dimensions of loops that the host merges
/// by the strides of its operands. With more than one, those that walk the last
/// one have to step through consecutive elements there.
bool canMergeAtLaunch(const LoopNest &nest, int64_t dims);

/// The nest over collapsed dimensions.
LoopNest applyCollapse(const LoopNest &nest, llvm::ArrayRef<int64_t> collapse);

} // namespace ew

#endif // EW_CODEGEN_SCHEDULE_ACCESS_H
