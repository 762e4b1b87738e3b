//===- Selection.h - Which implementation an op gets ------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_SELECTION_H
#define EW_LIB_MATH_SELECTION_H

#include "Implementations.h"
#include "ew/Dialect/Ew/IR/Mode.h"

namespace ew::math {

struct Choice {
  /// Null where the table has none within the bound.
  const Implementation *implementation = nullptr;
  /// What was asked for.
  double bound = 0;
  /// The target's approximations may be used.
  bool approximate = false;
  /// It is of f32, where operands and result are narrower.
  bool throughF32 = false;
};

/// What selection goes by besides the op.
struct Selector {
  Target target = Target::CPU;
  Mode mode = Mode::Default;
  /// Functions of f32 from libdevice.
  bool library = false;

  /// For an op with one result, on the types that it has before arithmetic
  /// takes their place.
  Choice choose(mlir::Operation *op) const;
};

/// What is to be said where there is no implementation: " within 1 unit in the
/// last place on <where>: the best is within 2; ...".
std::string describeMissing(mlir::Operation *op, const Selector &selector,
                            mlir::Type from, llvm::StringRef where);

/// The element type by which the table is asked: of the first operand, or of a
/// select's result.
mlir::Type getSelectionType(mlir::Operation *op);

/// "exp: ex2.approx of the fraction, 2 ulp".
std::string describe(mlir::Operation *op, const Choice &choice);

} // namespace ew::math

#endif // EW_LIB_MATH_SELECTION_H
