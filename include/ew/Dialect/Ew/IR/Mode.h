//===- Mode.h - What arithmetic may do --------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_MODE_H
#define EW_DIALECT_EW_IR_MODE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir {
class MLIRContext;
class Operation;
} // namespace mlir

namespace ew {

/// What arithmetic may do: see docs/Semantics.md.
enum class Mode { Default, Strict, Fast };

/// "default", "strict" or "fast"; nothing for any other name.
std::optional<Mode> parseMode(llvm::StringRef name);
llvm::StringRef getName(Mode mode);
/// Reads the option of a pass that names a mode; any other name is an error.
mlir::LogicalResult parseModeOption(mlir::MLIRContext *context,
                                    llvm::StringRef pass, llvm::StringRef name,
                                    Mode &mode);

/// A string attribute of this name on an op or a function is the mode there.
inline constexpr llvm::StringLiteral kModeAttr = "ew.mode";

/// The mode of an op: its own, or that of the function around it, or else the
/// program's.
Mode getMode(mlir::Operation *op, Mode ofProgram);

/// Warns of attributes that would be ew's if they had the prefix, as `mode`. On
/// an op of ew they are errors; others may have attributes of any name. Takes
/// them from arithmetic, which two passes look at, so that it is said once.
void warnOfUnprefixed(mlir::Operation *op);

} // namespace ew

#endif // EW_DIALECT_EW_IR_MODE_H
