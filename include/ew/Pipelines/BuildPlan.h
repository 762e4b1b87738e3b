//===- BuildPlan.h - From a host function to a plan -------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_PIPELINES_BUILDPLAN_H
#define EW_PIPELINES_BUILDPLAN_H

#include "ew/Runtime/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/LLVM.h"

namespace ew {

/// The plan of a host function whose ew ops have become `ew.launch`. An op that
/// a plan cannot hold (a loop, a call, another dialect's op) is an error at
/// that op. Variants name their kernels; Variant::module is left to the caller.
llvm::FailureOr<runtime::Plan> buildPlan(mlir::func::FuncOp function);

/// The runtime's element type, or nothing for a type that no buffer can have.
std::optional<runtime::ElementType> getRuntimeType(mlir::Type element);

/// "f.mlir:3:8" for messages: the first file location inside `location`.
std::string describeLocation(mlir::Location location);

} // namespace ew

#endif // EW_PIPELINES_BUILDPLAN_H
