//===- OpSpecs.h - Every op on every type that it takes ---------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_MATH_OPSPECS_H
#define EW_TEST_UNIT_MATH_OPSPECS_H

#include "ew/Dialect/Ew/IR/Ew.h"
#include "mlir/IR/Builders.h"
#include <string>
#include <vector>

namespace ew::test {

/// An op with its attributes, on element types.
struct OpSpec {
  std::string op, label;
  std::vector<mlir::Type> operands;
  mlir::Type result;
  mlir::NamedAttrList attributes;

  /// The op on operands of any shape, with a result of the same.
  mlir::Value build(mlir::OpBuilder &builder, mlir::ValueRange operands) const;
};

/// The 15 element types.
std::vector<mlir::Type> getElementTypes(mlir::MLIRContext *context);

/// Every elementwise op that the dialect registers, on every element type that
/// its verifier takes; attributes in each of their values. The first operand (a
/// select's second) has the element type `element`.
std::vector<OpSpec> getOpSpecs(mlir::Type element);

/// A vector of `lanes` elements in memory, where booleans and 8-bit floats are
/// bytes and unsigned integers signless, as the kernels' code has it.
mlir::Value loadVector(mlir::OpBuilder &builder, mlir::Value pointer,
                       mlir::Type element, int64_t lanes);
void storeVector(mlir::OpBuilder &builder, mlir::Value value,
                 mlir::Value pointer, mlir::Type element);

} // namespace ew::test

#endif // EW_TEST_UNIT_MATH_OPSPECS_H
