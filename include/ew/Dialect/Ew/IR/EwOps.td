//===- EwOps.td - All ops of the ew dialect -*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWOPS_TD
#define EW_DIALECT_EW_IR_EWOPS_TD

include "ew/Dialect/Ew/IR/EwUnaryOps.td"
include "ew/Dialect/Ew/IR/EwBinaryOps.td"
include "ew/Dialect/Ew/IR/EwTernaryOps.td"
include "ew/Dialect/Ew/IR/EwComplexOps.td"
include "ew/Dialect/Ew/IR/EwShapeOps.td"
include "ew/Dialect/Ew/IR/EwRandomOps.td"
include "ew/Dialect/Ew/IR/EwHostOps.td"

#endif // EW_DIALECT_EW_IR_EWOPS_TD
