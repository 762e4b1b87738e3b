//===- SetModes.cpp - The mode of every op, on it -------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace ew {
#define GEN_PASS_DEF_EWSETMODES
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

/// What a mode on `op` is about: arithmetic, here or once it is raised. A view
/// of a value has no mode of its own, so that it does not matter where it
/// stands.
static bool computes(Operation *op) {
  if (op->getNumResults() == 0 || op->hasTrait<OpTrait::ConstantLike>() ||
      !op->getDialect() || isa<BroadcastOp, TransposeOp, IotaOp>(op))
    return false;
  StringRef dialect = op->getDialect()->getNamespace();
  return llvm::is_contained({"ew", "arith", "math", "linalg", "tosa"}, dialect);
}

static bool isOfComplexNumbers(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isComplex) ||
         llvm::any_of(op->getResultTypes(), isComplex);
}

namespace {
struct SetModes : ew::impl::EwSetModesBase<SetModes> {
  using EwSetModesBase::EwSetModesBase;

  LogicalResult initialize(MLIRContext *context) override {
    return parseModeOption(context, getArgument(), mode, ofProgram);
  }

  void runOnOperation() override {
    bool anyFunction = false;
    WalkResult walked = getOperation()->walk([&](Operation *op) {
      if (isa<FunctionOpInterface>(op) || computes(op))
        warnOfUnprefixed(op);
      if (!op->hasAttr(kModeAttr))
        return WalkResult::advance();
      if (!isa<FunctionOpInterface>(op) && !computes(op)) {
        op->emitOpError("has an '")
            << kModeAttr << "', which is for functions and arithmetic";
        return WalkResult::interrupt();
      }
      anyFunction |= isa<FunctionOpInterface>(op);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();

    Builder builder(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (!computes(op))
        return;
      Mode here = getMode(op, ofProgram);
      bool isStated =
          op->hasAttr(kModeAttr) ||
          (op->getParentOfType<FunctionOpInterface>() &&
           op->getParentOfType<FunctionOpInterface>()->hasAttr(kModeAttr));
      // Arithmetic of complex numbers has one bound.
      if (here == Mode::Fast && isOfComplexNumbers(op))
        here = Mode::Default;
      // What is stated comes before the flags that ew-raise reads.
      if (here == ofProgram && (isa<EwDialect>(op->getDialect()) || !isStated))
        op->removeAttr(kModeAttr);
      else
        op->setAttr(kModeAttr, builder.getStringAttr(ew::getName(here)));
    });
    if (anyFunction)
      getOperation()->walk([](FunctionOpInterface function) {
        function->removeAttr(kModeAttr);
      });
  }

  Mode ofProgram = Mode::Default;
};
} // namespace
