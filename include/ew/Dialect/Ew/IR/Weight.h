//===- Weight.h - How much an op computes -----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_WEIGHT_H
#define EW_DIALECT_EW_IR_WEIGHT_H

#include "mlir/IR/Operation.h"

namespace ew {

/// Of a function that takes some twenty instructions an element.
inline constexpr unsigned functionWeight = 8;

/// How much an op computes for one element, in plain instructions, roughly:
/// what fusion and schedules go by before it is known how the op is computed.
unsigned getWeight(mlir::Operation *op);

} // namespace ew

#endif // EW_DIALECT_EW_IR_WEIGHT_H
