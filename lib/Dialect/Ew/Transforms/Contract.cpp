//===- Contract.cpp - Multiplication and addition to fma ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/IR/Mode.h"
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
static MulOp getContractible(Value value, Mode ofProgram) {
  auto mul = value.getDefiningOp<MulOp>();
  if (!mul || !isa<FloatType>(getElementType(value.getType())) ||
      getMode(mul, ofProgram) == Mode::Strict)
    return nullptr;
  auto uses = llvm::make_filter_range(
      value.getUses(), [](OpOperand &use) { return !isShapeUse(use); });
  return llvm::hasSingleElement(uses) ? mul : nullptr;
}

struct Contract : ew::impl::EwContractBase<Contract> {
  using EwContractBase::EwContractBase;

  LogicalResult initialize(MLIRContext *context) override {
    return parseModeOption(context, getArgument(), mode, ofProgram);
  }

  void runOnOperation() override {
    // In program order: an op is looked at once, and its operands have been
    // contracted before it. Collected first, since in a graph region a product
    // that is erased may come after its sum.
    SmallVector<Operation *> sums;
    getOperation()->walk([&](Operation *op) {
      if (isa<AddOp, SubOp>(op) && getMode(op, ofProgram) != Mode::Strict)
        sums.push_back(op);
    });
    for (Operation *op : sums) {
      OpBuilder builder(op);
      auto replace = [&](MulOp mul, bool negateProduct, Value addend) {
        Value a = mul.getLhs();
        if (negateProduct) {
          auto negated = NegOp::create(builder, mul.getLoc(), a.getType(), a);
          keepMode(op, negated);
          a = negated;
        }
        Location loc = builder.getFusedLoc({mul.getLoc(), op->getLoc()});
        auto fma = FmaOp::create(builder, loc, addend.getType(), a,
                                 mul.getRhs(), addend);
        keepMode(op, fma);
        op->getResult(0).replaceAllUsesWith(fma);
        op->erase();
        // What is left asks for its shape, which is that of its operands.
        mul->replaceAllUsesWith(ValueRange{mul.getLhs()});
        mul->erase();
        ++numContracted;
      };
      if (auto add = dyn_cast<AddOp>(op)) {
        if (MulOp mul = getContractible(add.getLhs(), ofProgram))
          replace(mul, /*negateProduct=*/false, add.getRhs());
        else if (MulOp mul = getContractible(add.getRhs(), ofProgram))
          replace(mul, /*negateProduct=*/false, add.getLhs());
      } else if (auto sub = dyn_cast<SubOp>(op)) {
        if (MulOp mul = getContractible(sub.getLhs(), ofProgram)) {
          auto negated =
              NegOp::create(builder, sub.getLoc(), sub.getType(), sub.getRhs());
          keepMode(op, negated);
          replace(mul, /*negateProduct=*/false, negated);
        } else if (MulOp mul = getContractible(sub.getRhs(), ofProgram)) {
          replace(mul, /*negateProduct=*/true, sub.getLhs());
        }
      }
    }
  }

private:
  static void keepMode(Operation *from, Operation *to) {
    if (Attribute mode = from->getAttr(kModeAttr))
      to->setAttr(kModeAttr, mode);
  }

  Mode ofProgram = Mode::Default;
};

} // namespace
