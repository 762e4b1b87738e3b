//===- SplitComplex.cpp - Complex numbers as their parts ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComplexParts.h"

#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ew {
#define GEN_PASS_DEF_EWSPLITCOMPLEX
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;
using complex::Number;
using complex::Pair;

namespace {

/// Rewrites the ops of one kernel's body, in their order.
class Splitter {
public:
  explicit Splitter(MLIRContext *context) : builder(context) {}

  /// Whether the op took or gave complex numbers, and is to go.
  FailureOr<bool> split(Operation *op);

  /// Puts together what `op` takes, which is no op that is split: the body's
  /// terminator, one of another dialect, or one in a region of such an op.
  void join(Operation *op);

private:
  static void keepMode(Operation *op, Operation *before);
  Pair parts(Value value, Location loc);
  Number number(Value value, Location loc) { return {builder, loc, value}; }
  std::optional<Pair> compute(Operation *op);
  std::optional<Number> computeReal(Operation *op);

  OpBuilder builder;
  llvm::DenseMap<Value, std::pair<Value, Value>> known;
};

Pair Splitter::parts(Value value, Location loc) {
  auto &[real, imaginary] = known[value];
  if (!real) {
    // An argument of the body.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(value);
    Type part = getPartType(value.getType());
    real = RealOp::create(builder, loc, part, value);
    imaginary = ImagOp::create(builder, loc, part, value);
  }
  return {number(real, loc), number(imaginary, loc)};
}

/// What is a complex number.
std::optional<Pair> Splitter::compute(Operation *op) {
  Location loc = op->getLoc();
  auto z = [&] { return parts(op->getOperand(0), loc); };
  auto w = [&] { return parts(op->getOperand(1), loc); };
  using Result = std::optional<Pair>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](ComplexOp op) -> Result {
        return Pair{number(op.getReal(), loc), number(op.getImaginary(), loc)};
      })
      .Case([&](SelectOp op) -> Result {
        return select(number(op.getCondition(), loc),
                      parts(op.getTrueValue(), loc),
                      parts(op.getFalseValue(), loc));
      })
      .Case([&](CastOp op) -> Result {
        auto cast = [&](const Number &x) {
          return number(CastOp::create(builder, loc, getPartType(op.getType()),
                                       x.get(), op.getRoundAttr(),
                                       op.getSaturateAttr(), UnitAttr()),
                        loc);
        };
        return Pair{cast(z().re), cast(z().im)};
      })
      .Case([&](ConjOp) -> Result { return Pair{z().re, -z().im}; })
      .Case([&](NegOp) -> Result { return Pair{-z().re, -z().im}; })
      .Case([&](AddOp) -> Result {
        return Pair{z().re + w().re, z().im + w().im};
      })
      .Case([&](SubOp) -> Result {
        return Pair{z().re - w().re, z().im - w().im};
      })
      .Case([&](MulOp) -> Result { return mul(z(), w()); })
      .Case([&](SquareOp) -> Result { return mul(z(), z()); })
      .Case([&](DivOp) -> Result { return div(z(), w()); })
      .Case([&](ReciprocalOp) -> Result {
        Number x = z().re;
        return div({x.constant(1), x.constant(0)}, z());
      })
      .Case([&](PowOp) -> Result { return pow(z(), w()); })
      .Case([&](SqrtOp) -> Result { return sqrt(z()); })
      .Case([&](ExpOp) -> Result { return exp(z()); })
      .Case([&](LogOp) -> Result { return log(z()); })
      .Case([&](SinOp) -> Result { return sin(z()); })
      .Case([&](CosOp) -> Result { return cos(z()); })
      .Case([&](TanhOp) -> Result { return tanh(z()); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

/// What is made of complex numbers and is none.
std::optional<Number> Splitter::computeReal(Operation *op) {
  Location loc = op->getLoc();
  Pair z = parts(op->getOperand(0), loc);
  if (isa<RealOp>(op))
    return z.re;
  if (isa<ImagOp>(op))
    return z.im;
  if (isa<AbsOp>(op)) {
    auto hypot =
        HypotOp::create(builder, loc, z.re.type(), z.re.get(), z.im.get());
    if (Attribute bound = op->getAttr(kErrorBoundAttr))
      hypot->setAttr(kErrorBoundAttr, bound);
    return number(hypot, loc);
  }
  if (auto cmp = dyn_cast<CmpOp>(op)) {
    Pair w = parts(cmp.getRhs(), loc);
    Number re = z.re.compare(cmp.getPredicate(), w.re),
           im = z.im.compare(cmp.getPredicate(), w.im);
    return cmp.getPredicate() == CmpPredicate::oeq ? re & im : re | im;
  }
  return std::nullopt;
}

FailureOr<bool> Splitter::split(Operation *op) {
  if (!isa_and_nonnull<EwDialect>(op->getDialect()) ||
      op->getNumResults() != 1 ||
      (llvm::none_of(op->getOperandTypes(), isComplex) &&
       !isComplex(op->getResult(0).getType())))
    return false;
  if (getErrorBound(op) < getDefaultErrorBound(op) && !isa<AbsOp>(op))
    return op->emitOpError("on ")
           << getElementType(op->getResult(0).getType())
           << " has no implementation within "
           << describeUlps(getErrorBound(op)) << ": in every mode it is within "
           << describeUlps(getDefaultErrorBound(op));
  builder.setInsertionPoint(op);
  Operation *before = op->getPrevNode();
  llvm::scope_exit restore([&] { keepMode(op, before); });
  Value result = op->getResult(0);
  if (isComplex(result.getType())) {
    if (std::optional<Pair> pair = compute(op)) {
      known[result] = {pair->re.get(), pair->im.get()};
      return true;
    }
  } else if (std::optional<Number> number = computeReal(op)) {
    result.replaceAllUsesWith(number->get());
    return true;
  }
  return op->emitOpError("of complex numbers cannot be split into parts");
}

/// The ops between `before` and `op` have been built for it.
void Splitter::keepMode(Operation *op, Operation *before) {
  Attribute mode = op->getAttr(kModeAttr);
  for (Operation *built = op->getPrevNode(); mode && built != before;
       built = built->getPrevNode())
    if (!built->hasTrait<OpTrait::ConstantLike>())
      built->setAttr(kModeAttr, mode);
}

void Splitter::join(Operation *op) {
  builder.setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = known.find(operand.get());
    if (it == known.end() || isa<BlockArgument>(operand.get()))
      continue;
    auto [real, imaginary] = it->second;
    operand.set(ComplexOp::create(builder, op->getLoc(),
                                  operand.get().getType(), real, imaginary));
  }
}

struct SplitComplex : ew::impl::EwSplitComplexBase<SplitComplex> {
  void runOnOperation() override {
    WalkResult walked = getOperation()->walk([&](linalg::GenericOp generic) {
      return failed(split(*generic.getBody())) ? WalkResult::interrupt()
                                               : WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult split(Block &body);
};

LogicalResult SplitComplex::split(Block &body) {
  Splitter splitter(&getContext());
  SmallVector<Operation *> gone;
  for (Operation &op : llvm::make_early_inc_range(body)) {
    FailureOr<bool> done = splitter.split(&op);
    if (failed(done))
      return failure();
    if (*done)
      gone.push_back(&op);
    else
      op.walk([&](Operation *user) { splitter.join(user); });
  }
  numSplit += gone.size();
  for (Operation *op : llvm::reverse(gone))
    op->erase();
  return success();
}

} // namespace
