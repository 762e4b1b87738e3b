//===- AssertShapes.cpp - Checks of sizes as assertions -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/FormatVariadic.h"

namespace ew {
#define GEN_PASS_DEF_EWASSERTSHAPES
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

namespace {
struct AssertShapes : ew::impl::EwAssertShapesBase<AssertShapes> {
  void runOnOperation() override {
    getOperation()->walk([&](CheckShapesOp check) {
      for (auto [lhsDim, rhsDim] : check.getDims())
        assertEqual(check, lhsDim, rhsDim);
      check.erase();
    });
  }

private:
  void assertEqual(CheckShapesOp check, int64_t lhsDim, int64_t rhsDim);
};
} // namespace

void AssertShapes::assertEqual(CheckShapesOp check, int64_t lhsDim,
                               int64_t rhsDim) {
  OpBuilder b(check);
  Location loc = check.getLoc();
  OpFoldResult lhs = tensor::getMixedSize(b, loc, check.getLhs(), lhsDim),
               rhs = tensor::getMixedSize(b, loc, check.getRhs(), rhsDim);
  // One of a static 1 is not walked by a loop.
  if (lhs == rhs ||
      (check.getBroadcast() && (isOneInteger(lhs) || isOneInteger(rhs))))
    return;
  Value equal =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                            getValueOrCreateConstantIndexOp(b, loc, lhs),
                            getValueOrCreateConstantIndexOp(b, loc, rhs));
  cf::AssertOp::create(
      b, loc, equal,
      llvm::formatv(check.getBroadcast()
                        ? "{0} are stretched at run time: dimension {1} of one "
                          "meets dimension {2} of the other"
                        : "{0} differ in dimension {1}",
                    check.describe(), lhsDim, rhsDim)
          .str());
  ++numAsserted;
}
