//===- Contract.cpp - Multiplication and addition to fma -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace ew {
#define GEN_PASS_DEF_EWCONTRACT
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

namespace {

/// Whether only the shape of the value is looked at.
static bool isShapeUse(OpOperand &use) {
  auto broadcast = dyn_cast<BroadcastOp>(use.getOwner());
  if (broadcast)
    return use.get() == broadcast.getLike() &&
           use.get() != broadcast.getOperand();
  if (auto philox = dyn_cast<PhiloxOp>(use.getOwner()))
    return use.get() == philox.getLike();
  return isa<IotaOp, CheckShapesOp, tensor::DimOp>(use.getOwner());
}

/// The product behind `value`, if it may be contracted into the one user that
/// looks at its elements.
static MulOp getContractible(Value value) {
  auto mul = value.getDefiningOp<MulOp>();
  if (!mul || !isa<FloatType>(getElementType(value.getType())))
    return nullptr;
  auto uses = llvm::make_filter_range(
      value.getUses(), [](OpOperand &use) { return !isShapeUse(use); });
  return llvm::hasSingleElement(uses) ? mul : nullptr;
}

struct Contract : ew::impl::EwContractBase<Contract> {
  void runOnOperation() override {
    // One walk in program order: an op is looked at once, and its operands have
    // been contracted before it.
    getOperation()->walk([&](Operation *op) {
      OpBuilder builder(op);
      auto replace = [&](MulOp mul, bool negateProduct, Value addend) {
        Value a = mul.getLhs();
        if (negateProduct)
          a = NegOp::create(builder, mul.getLoc(), a.getType(), a);
        Location loc = builder.getFusedLoc({mul.getLoc(), op->getLoc()});
        Value fma = FmaOp::create(builder, loc, addend.getType(), a,
                                  mul.getRhs(), addend);
        op->getResult(0).replaceAllUsesWith(fma);
        op->erase();
        // What is left asks for its shape, which is that of its operands.
        mul->replaceAllUsesWith(ValueRange{mul.getLhs()});
        mul->erase();
        ++numContracted;
      };
      if (auto add = dyn_cast<AddOp>(op)) {
        if (MulOp mul = getContractible(add.getLhs()))
          replace(mul, /*negateProduct=*/false, add.getRhs());
        else if (MulOp mul = getContractible(add.getRhs()))
          replace(mul, /*negateProduct=*/false, add.getLhs());
      } else if (auto sub = dyn_cast<SubOp>(op)) {
        if (MulOp mul = getContractible(sub.getLhs())) {
          Value negated =
              NegOp::create(builder, sub.getLoc(), sub.getType(), sub.getRhs());
          replace(mul, /*negateProduct=*/false, negated);
        } else if (MulOp mul = getContractible(sub.getRhs())) {
          replace(mul, /*negateProduct=*/true, sub.getLhs());
        }
      }
    });
  }
};

} // namespace
