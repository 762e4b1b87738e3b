//===- EwConstants.h - Arithmetic on constants ------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_DIALECT_EW_IR_EWCONSTANTS_H
#define EW_LIB_DIALECT_EW_IR_EWCONSTANTS_H

#include "ew/Dialect/Ew/IR/Ew.h"

namespace ew {

/// Applies `fn` to every element of constants of one shape, given as numbers or
/// dense elements. None where an operand is unknown, where there are many
/// elements, or where `fn` gives none.
mlir::Attribute foldElements(
    llvm::ArrayRef<mlir::Attribute> operands, mlir::Type resultType,
    llvm::function_ref<mlir::Attribute(llvm::ArrayRef<mlir::Attribute>)> fn);

/// Folds an op whose operands and result have one type. Floating point narrower
/// than f32 is folded only where the result is exact: it may be computed in f32
/// (see ew-widen). `onFloat` gets the status of what it does, to fill in.
using FoldFloat = llvm::function_ref<llvm::APFloat(
    llvm::ArrayRef<llvm::APFloat>, llvm::APFloat::opStatus &)>;
using FoldInt =
    llvm::function_ref<llvm::APInt(llvm::ArrayRef<llvm::APInt>, bool isSigned)>;
mlir::Attribute foldNumbers(llvm::ArrayRef<mlir::Attribute> operands,
                            mlir::Type resultType, FoldFloat onFloat,
                            FoldInt onInt);

/// The one number that every element of a constant, or of a broadcast of one,
/// is; none where there is no such number.
mlir::Attribute getSplat(mlir::Value value);
std::optional<llvm::APFloat> getSplatFloat(mlir::Value value);
std::optional<llvm::APInt> getSplatInt(mlir::Value value);

/// A number as an attribute for all elements of a type of static shape; none
/// for a dynamic one.
mlir::Attribute getSplatAttr(mlir::Type type, mlir::Attribute number);
mlir::Attribute getIntAttr(mlir::Type type, const llvm::APInt &value);

// The integer ops, total as their documentation says.
namespace total {
llvm::APInt div(const llvm::APInt &x, const llvm::APInt &y, bool isSigned);
llvm::APInt floorDiv(const llvm::APInt &x, const llvm::APInt &y, bool isSigned);
llvm::APInt rem(const llvm::APInt &x, const llvm::APInt &y, bool isSigned);
llvm::APInt mod(const llvm::APInt &x, const llvm::APInt &y, bool isSigned);
llvm::APInt pow(const llvm::APInt &x, const llvm::APInt &y, bool isSigned);
llvm::APInt shl(const llvm::APInt &x, const llvm::APInt &y);
llvm::APInt shr(const llvm::APInt &x, const llvm::APInt &y, bool isSigned);
llvm::APInt max(const llvm::APInt &x, const llvm::APInt &y, bool isSigned);
llvm::APInt min(const llvm::APInt &x, const llvm::APInt &y, bool isSigned);
} // namespace total

} // namespace ew

#endif // EW_LIB_DIALECT_EW_IR_EWCONSTANTS_H
