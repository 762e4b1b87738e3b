//===- Verify.h - Schedules that contradict their kernel --------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_SCHEDULE_VERIFY_H
#define EW_CODEGEN_SCHEDULE_VERIFY_H

#include "ew/Dialect/Ew/IR/Ew.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"

namespace ew {

/// Whether a schedule agrees with itself and with its kernel; an error at the
/// kernel where it does not. What is out of range is left to who builds it.
mlir::LogicalResult verifySchedule(mlir::linalg::GenericOp op,
                                   ScheduleAttr schedule);

/// Whether the ew.schedule of every kernel in the module does so.
mlir::LogicalResult verifySchedules(mlir::ModuleOp module);

} // namespace ew

#endif // EW_CODEGEN_SCHEDULE_VERIFY_H
