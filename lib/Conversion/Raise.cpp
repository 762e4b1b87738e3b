//===- Raise.cpp - Elementwise ops of other dialects to ew ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Conversion/Passes.h"
#include "ew/Conversion/Raising.h"
#include "ew/Dialect/Ew/IR/Mode.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

namespace ew {
#define GEN_PASS_DEF_EWRAISE
#include "ew/Conversion/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

namespace {

constexpr StringRef kScheduleAttr = "ew.schedule";
/// What is said of a kernel, and lost with it.
constexpr StringRef kOfKernels[] = {kScheduleAttr, "ew.schedule_choice",
                                    "ew.split"};

bool hasTensor(Operation *op) {
  return llvm::any_of(op->getResultTypes(),
                      [](Type type) { return isa<TensorType>(type); });
}

/// Whether an op is one that this pass should raise or explain.
bool isCandidate(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    // What fusion built is a kernel already: ew ops, and indices made numbers.
    // So is what has a schedule, if only a copy.
    Block &body = *linalgOp.getBlock();
    return (!op->hasAttr(kScheduleAttr) &&
            llvm::none_of(body,
                          [](Operation &bodyOp) {
                            return isa_and_present<EwDialect>(
                                bodyOp.getDialect());
                          })) ||
           llvm::any_of(body, [](Operation &bodyOp) {
             return isa_and_present<arith::ArithDialect,
                                    complex::ComplexDialect, math::MathDialect>(
                        bodyOp.getDialect()) &&
                    !bodyOp.hasTrait<OpTrait::ConstantLike>() &&
                    !isa<arith::IndexCastOp>(bodyOp);
           });
  }
  if (isa<tensor::SplatOp>(op))
    return true;
  return isa_and_present<arith::ArithDialect, linalg::LinalgDialect,
                         math::MathDialect, tosa::TosaDialect>(
             op->getDialect()) &&
         !op->hasTrait<OpTrait::ConstantLike>() && hasTensor(op);
}

LogicalResult raiseSplat(tensor::SplatOp op, Raiser &raiser,
                         SmallVectorImpl<Value> &results) {
  if (!isRaised(op.getType()))
    return raiser.refuse("the type " + toString(op.getType()) +
                         " has no equal in ew");
  auto type = cast<RankedTensorType>(op.getType());
  Value like;
  if (!type.hasStaticShape())
    like = tensor::EmptyOp::create(raiser.getBuilder(), op.getLoc(), type,
                                   op.getDynamicSizes());
  results.push_back(raiser.broadcast(op.getInput(), type, like));
  return success();
}

struct Raise : ew::impl::EwRaiseBase<Raise> {
  using EwRaiseBase::EwRaiseBase;

  void runOnOperation() override {
    SmallVector<Operation *> candidates;
    SmallVector<Operation *> constants;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<arith::ConstantOp, complex::ConstantOp, tosa::ConstOp>(op))
        constants.push_back(op);
      // Once: a program is raised as often as somebody makes sure that it is.
      if (!isa<linalg::LinalgOp>(op) && op->removeAttr(kScheduleAttr))
        emitWarning(op->getLoc(), "the ew.schedule that stands here is of no "
                                  "use: it goes with a linalg.generic, which "
                                  "is a kernel by itself");
      if (!isCandidate(op))
        return WalkResult::advance();
      candidates.push_back(op);
      // The body of a linalg op is raised with it.
      return WalkResult::skip();
    });
    for (Operation *op : candidates)
      raise(op);
    for (Operation *op : constants)
      raiseUsesOfConstant(op);
  }

  void raise(Operation *op) {
    OpBuilder builder(op);
    Raiser raiser(builder, op->getLoc(), flags);
    SmallVector<Value> results;
    Operation *before = op->getPrevNode();
    LogicalResult raised = failure();
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      raised = raiseLinalgOp(linalgOp, table, raiser, results);
    else if (auto splat = dyn_cast<tensor::SplatOp>(op))
      raised = raiseSplat(splat, raiser, results);
    else if (isa<tosa::TosaDialect>(op->getDialect()))
      raised = raiseTosaOp(op, table, raiser, results);
    else
      raised = raiseTensorOp(op, table, raiser, results);

    if (failed(raised)) {
      // What was built before the obstacle showed goes again.
      while (op->getPrevNode() != before)
        op->getPrevNode()->erase();
      ++numLeft;
      if (remarks)
        op->emitRemark("not raised to ew: ") << raiser.getReason();
      return;
    }
    ++numRaised;
    for (StringRef name : kOfKernels)
      if (op->hasAttr(name))
        emitWarning(op->getLoc(), "the ")
            << name
            << " that stands here is lost: what is not written in ew ops is "
               "raised, and becomes part of another kernel (ew-opt "
               "--ew-to-linalg shows them)";
    op->walk([](Operation *raised) { warnOfUnprefixed(raised); });
    raiser.handOnMode(op, before, op);
    SmallVector<Value> operands(op->getOperands());
    op->replaceAllUsesWith(results);
    op->erase();
    for (Value operand : operands)
      if (auto empty = operand.getDefiningOp<tensor::EmptyOp>();
          empty && empty->use_empty())
        empty->erase();
  }

  /// A constant that other ops use too stays for them.
  void raiseUsesOfConstant(Operation *op) {
    Value constant = op->getResult(0);
    if (constant.use_empty()) {
      op->erase();
      return;
    }
    auto isEw = [](OpOperand &use) {
      return isa_and_present<EwDialect>(use.getOwner()->getDialect());
    };
    Attribute attribute;
    if (!isRaised(constant.getType()) ||
        llvm::none_of(constant.getUses(), isEw) ||
        !matchPattern(constant, m_Constant(&attribute)))
      return;
    OpBuilder builder(op);
    Value raised;
    auto value = dyn_cast<TypedAttr>(attribute);
    auto splat = dyn_cast_or_null<SplatElementsAttr>(value);
    auto type = dyn_cast<RankedTensorType>(constant.getType());
    if (auto number = dyn_cast<ComplexType>(constant.getType())) {
      raised = Raiser(builder, op->getLoc())
                   .complexConstant(number, cast<ArrayAttr>(attribute));
    } else if (splat && type.getRank() > 0 && !isComplex(type)) {
      auto number = cast<TypedAttr>(splat.getSplatValue<Attribute>());
      Value scalar = ConstantOp::create(builder, op->getLoc(),
                                        type.getElementType(), number);
      raised = Raiser(builder, op->getLoc()).broadcast(scalar, type, Value());
    } else {
      raised =
          ConstantOp::create(builder, op->getLoc(), value.getType(), value);
    }
    constant.replaceUsesWithIf(raised, isEw);
    if (op->use_empty())
      op->erase();
  }

  RaisingTable table;
};

} // namespace

LogicalResult ew::raiseTensorOp(Operation *op, const RaisingTable &table,
                                Raiser &raiser,
                                SmallVectorImpl<Value> &results) {
  RaiseFn function = table.lookup(op);
  if (!function)
    return raiser.refuse("the op has no equal in ew");

  RankedTensorType shape;
  auto check = [&](Type type) -> LogicalResult {
    if (!isRaised(type))
      return raiser.refuse("the type " + toString(type) +
                           " has no equal in ew");
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    if (shape && shape.getShape() != tensor.getShape())
      return raiser.refuse("the types of operands and results say different "
                           "things about their sizes");
    shape = tensor;
    return success();
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();

  // The condition of a select may be a scalar.
  Value like;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      like = operand;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      operand = raiser.broadcast(
          operand, RankedTensorType::get(shape.getShape(), operand.getType()),
          like);
    operands.push_back(operand);
  }
  return function(raiser, op, operands, results);
}
