//===- ErrorBound.h - How far an op may be from the true value --*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_ERRORBOUND_H
#define EW_DIALECT_EW_IR_ERRORBOUND_H

#include "ew/Dialect/Ew/IR/Mode.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace ew {

/// A floating-point attribute of this name on an op replaces the op's bound.
inline constexpr llvm::StringLiteral kErrorBoundAttr = "ew.error_bound";
/// On an op with such a bound that is computed in a wider type than the
/// program has: the program's, for what is said of the bound.
inline constexpr llvm::StringLiteral kWrittenTypeAttr = "ew.written_type";

/// "0.5 units in the last place".
std::string describeUlps(double bound);

/// The largest error of `op`, in units in the last place of the true result in
/// the type it is computed in: 0 for an exact op, 0.5 for a correctly rounded
/// one, more for the others. Of a complex result it is the error of each part.
double getErrorBound(mlir::Operation *op, Mode mode = Mode::Default);

/// Whether the bound is one of the relative error, in units of 2^-23 of the
/// true result: in fast mode, of f32. Of a subnormal result it is in units of
/// 2^-149.
bool isBoundRelative(mlir::Operation *op, Mode mode);

/// In fast mode: of a function, 2^-20 of the result; of quotients and roots,
/// 2^-22.
inline constexpr double kFastBound = 8.0, kFastQuotientBound = 2.0;

/// An error of this size is allowed in any case, or 0: of logarithms in fast
/// mode, near the zero at 1.
double getAbsoluteErrorBound(mlir::Operation *op, Mode mode);
inline constexpr double kFastLogarithmBound = 0x1p-22;

/// The op's bound in the default mode, whatever its attribute says.
double getDefaultErrorBound(mlir::Operation *op);

/// Whether the bound of a complex result is in units of the larger part, for
/// both parts.
bool isBoundOfModulus(mlir::Operation *op);

} // namespace ew

#endif // EW_DIALECT_EW_IR_ERRORBOUND_H
