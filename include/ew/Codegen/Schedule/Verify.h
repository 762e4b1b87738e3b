//===- Verify.h - Schedules that contradict their kernel -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_SCHEDULE_VERIFY_H
#define EW_CODEGEN_SCHEDULE_VERIFY_H

#include "mlir/IR/BuiltinOps.h"

namespace ew {

/// Whether the ew.schedule of every kernel in the module agrees with itself and
/// with the kernel; an error at the kernel where one does not. What is out of
/// range is left to who builds the kernel.
mlir::LogicalResult verifySchedules(mlir::ModuleOp module);

} // namespace ew

#endif // EW_CODEGEN_SCHEDULE_VERIFY_H
