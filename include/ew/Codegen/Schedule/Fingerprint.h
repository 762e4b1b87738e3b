//===- Fingerprint.h - What makes two kernels the same ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_SCHEDULE_FINGERPRINT_H
#define EW_CODEGEN_SCHEDULE_FINGERPRINT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <string>

namespace ew {

/// A hash, in hexadecimal digits, of what a kernel computes on what: its body,
/// the types and the layouts of its operands, how they are indexed, which of
/// them share memory, and `context` (the mode). Locations, names, and whatever
/// stands around the kernel have no part in it, and neither has its schedule.
std::string getFingerprint(mlir::linalg::GenericOp op, llvm::StringRef context);

} // namespace ew

#endif // EW_CODEGEN_SCHEDULE_FINGERPRINT_H
