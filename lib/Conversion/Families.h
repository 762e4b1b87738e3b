//===- Families.h - Families of ops that are raised alike -------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_CONVERSION_FAMILIES_H
#define EW_LIB_CONVERSION_FAMILIES_H

#include "ew/Conversion/Raising.h"

namespace ew {

inline bool isBool(mlir::Value value) {
  return getElementType(value.getType()).isInteger(1);
}

/// The element type of an op's result, raised.
inline mlir::Type getTarget(mlir::Operation *op) {
  return getRaisedElementType(getElementType(op->getResult(0).getType()));
}

inline mlir::LogicalResult refuseBool(Raiser &raiser, mlir::Operation *op) {
  return raiser.refuse(llvm::Twine("i1 is a boolean in ew, on which ") +
                       op->getName().getStringRef() + " has no equal");
}

/// The same function of floating point or signed integers, and what it is on
/// booleans (void: there it has no equal).
template <typename Op, typename BoolOp = void>
mlir::LogicalResult raiseAs(Raiser &raiser, mlir::Operation *op,
                            mlir::ValueRange operands,
                            llvm::SmallVectorImpl<mlir::Value> &results) {
  if (!isBool(operands[0])) {
    results.push_back(raiser.create<Op>(operands));
    return mlir::success();
  }
  if constexpr (std::is_void_v<BoolOp>)
    return refuseBool(raiser, op);
  else
    results.push_back(raiser.create<BoolOp>(operands));
  return mlir::success();
}

/// The same for integers that are unsigned.
template <typename Op, typename BoolOp = void>
mlir::LogicalResult raiseUnsigned(Raiser &raiser, mlir::Operation *op,
                                  mlir::ValueRange operands,
                                  llvm::SmallVectorImpl<mlir::Value> &results) {
  llvm::SmallVector<mlir::Value> converted;
  for (mlir::Value operand : operands)
    converted.push_back(raiser.toUnsigned(operand));
  if (mlir::failed(raiseAs<Op, BoolOp>(raiser, op, converted, results)))
    return mlir::failure();
  results.back() = raiser.toSignless(results.back());
  return mlir::success();
}

/// A test of floating-point values.
template <typename Op>
mlir::LogicalResult raiseTest(Raiser &raiser, mlir::Operation *,
                              mlir::ValueRange operands,
                              llvm::SmallVectorImpl<mlir::Value> &results) {
  results.push_back(raiser.createTest<Op>(operands[0]));
  return mlir::success();
}

} // namespace ew

#endif // EW_LIB_CONVERSION_FAMILIES_H
