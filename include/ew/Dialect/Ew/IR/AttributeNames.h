//===- AttributeNames.h - Which attributes ew ops have ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_ATTRIBUTENAMES_H
#define EW_DIALECT_EW_IR_ATTRIBUTENAMES_H

#include "mlir/IR/OpDefinition.h"

namespace ew {

namespace detail {
mlir::LogicalResult verifyAttributeNames(mlir::Operation *op);
} // namespace detail

/// An op with no attributes but its own and those that have a dialect's prefix.
///
/// To MLIR any other name is a discardable attribute, which nothing reads:
/// `ew.elu %x {alhpa = 0.5}` would compute with the default. That is an error,
/// not a warning, since results would be wrong, and since a discardable
/// attribute belongs to the dialect that its prefix names (MLIR's language
/// reference): whoever annotates ops has one. What passes of MLIR note on ops
/// of other dialects without one begins with an underscore, as
/// one-shot-bufferize's `__inplace_operands_attr__`, and may stay.
template <typename ConcreteType>
class OwnAttributes
    : public mlir::OpTrait::TraitBase<ConcreteType, OwnAttributes> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return detail::verifyAttributeNames(op);
  }
};

} // namespace ew

#endif // EW_DIALECT_EW_IR_ATTRIBUTENAMES_H
