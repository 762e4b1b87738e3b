//===- IndexBuilder.h - Index arithmetic of a stated width ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_KERNEL_INDEXBUILDER_H
#define EW_CODEGEN_KERNEL_INDEXBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace ew {

/// Builds index arithmetic in i32 or i64. The width of `index` is one for a
/// whole gpu.module, so values become `index` only where a memref is accessed.
struct IndexBuilder {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::IntegerType type;

  mlir::Value constant(int64_t value) const {
    return mlir::arith::ConstantIntOp::create(b, loc, type, value);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::AddIOp>(loc, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::SubIOp>(loc, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::MulIOp>(loc, x, y);
  }
  /// Coordinates and sizes are not negative, and unsigned division is cheaper.
  mlir::Value div(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::DivUIOp>(loc, x, y);
  }
  mlir::Value rem(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::RemUIOp>(loc, x, y);
  }
  mlir::Value ceilDiv(mlir::Value x, int64_t y) const {
    return div(add(x, constant(y - 1)), constant(y));
  }
  mlir::Value less(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::CmpIOp>(
        loc, mlir::arith::CmpIPredicate::slt, x, y);
  }
  mlir::Value logicalAnd(mlir::Value x, mlir::Value y) const {
    return b.createOrFold<mlir::arith::AndIOp>(loc, x, y);
  }
  mlir::Value fromIndex(mlir::Value x) const {
    return b.createOrFold<mlir::arith::IndexCastOp>(loc, type, x);
  }
  mlir::Value toIndex(mlir::Value x) const {
    return b.createOrFold<mlir::arith::IndexCastOp>(loc, b.getIndexType(), x);
  }
};

} // namespace ew

#endif // EW_CODEGEN_KERNEL_INDEXBUILDER_H
