//===- Arithmetic.h - How ops of a kernel are computed ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_MATH_ARITHMETIC_H
#define EW_MATH_ARITHMETIC_H

#include "ew/Dialect/Ew/IR/Mode.h"
#include "mlir/IR/Block.h"
#include <string>
#include <vector>

namespace ew {

/// What ew-lower-math will be told.
struct ArithmeticTarget {
  bool isGPU = false;
  Mode mode = Mode::Default;
  bool library = false;
};

/// What ew-lower-math takes for each op of a kernel's body that has a
/// floating-point result, in their order: "exp: ex2.approx of the fraction, 2
/// ulp". The number is the bound that the implementation keeps, which may be
/// less than was asked for.
std::vector<std::string> describeArithmetic(mlir::Block &body,
                                            const ArithmeticTarget &target);

} // namespace ew

#endif // EW_MATH_ARITHMETIC_H
