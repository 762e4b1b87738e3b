//===- Ew.h - The ew dialect ------------------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EW_H
#define EW_DIALECT_EW_IR_EW_H

#include "ew/Dialect/Ew/IR/AttributeNames.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace ew {

/// The name of the function argument's attribute that gives the number of the
/// result that is written to its buffer.
inline constexpr llvm::StringLiteral inPlaceAttrName = "ew.inplace";
/// The one that gives the order of its dimensions in memory, outermost first.
inline constexpr llvm::StringLiteral layoutAttrName = "ew.layout";

/// i1, or a vector or tensor of i1, of the shape of `type`.
mlir::Type getBoolTypeLike(mlir::Type type);

/// `element`, or a vector or tensor of it, of the shape of `type`.
mlir::Type getTypeLike(mlir::Type type, mlir::Type element);

/// The element type of a tensor or vector, or the type itself.
mlir::Type getElementType(mlir::Type type);

/// The type of the parts of a complex number, else the type itself.
mlir::Type getPartType(mlir::Type element);

/// The same for a type or a vector or tensor of it.
mlir::Type getPartTypeLike(mlir::Type type);

/// Whether a value is a complex number, or a tensor of them.
bool isComplex(mlir::Type type);

/// Whether an element type is an integer whose order and division are signed.
/// Signless integers are; a boolean is not.
bool isSignedInteger(mlir::Type element);

} // namespace ew

#include "ew/Dialect/Ew/IR/EwDialect.h.inc"
#include "ew/Dialect/Ew/IR/EwEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ew/Dialect/Ew/IR/EwAttrs.h.inc"

#define GET_OP_CLASSES
#include "ew/Dialect/Ew/IR/EwOps.h.inc"

#endif // EW_DIALECT_EW_IR_EW_H
