//===- ExpandGeneric.h - linalg.generic back to ew ops ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_DIALECT_EW_TRANSFORMS_EXPANDGENERIC_H
#define EW_LIB_DIALECT_EW_TRANSFORMS_EXPANDGENERIC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ew {

/// Replaces a linalg.generic whose body is ew ops (as
/// convert-elementwise-to-linalg makes them) by those ops on tensors, so that
/// it takes part in fusion. Kernels that fusion has built, and what is not
/// elementwise, are left alone.
mlir::LogicalResult expandGeneric(mlir::linalg::GenericOp op);

} // namespace ew

#endif // EW_LIB_DIALECT_EW_TRANSFORMS_EXPANDGENERIC_H
