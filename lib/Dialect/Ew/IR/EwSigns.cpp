//===- EwSigns.cpp - Negations move outward -------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// erf(-x) and erf(x) are one evaluation: where negations stand outside of
// functions and products, common subexpressions are seen. Rounding to nearest
// is the same on either side of zero, so every bit stays (but for the sign of
// NaNs, which has no meaning).
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ew;

/// The operand of a negation in floating point, or null.
static Value getNegated(Value value) {
  auto negation = value.getDefiningOp<NegOp>();
  if (!negation || !isa<FloatType>(getElementType(negation.getType())))
    return nullptr;
  return negation.getOperand();
}

namespace {

/// f(-x) is -f(x).
template <typename Op>
struct OddFunction : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value x = getNegated(op->getOperand(0));
    if (!x)
      return rewriter.notifyMatchFailure(op, "not of a negation");
    auto positive = cast<Op>(rewriter.clone(*op));
    positive->setOperand(0, x);
    rewriter.replaceOpWithNewOp<NegOp>(op, op.getType(), positive);
    return success();
  }
};

/// f(-x) is f(x).
template <typename Op>
struct EvenFunction : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value x = getNegated(op->getOperand(0));
    if (!x)
      return rewriter.notifyMatchFailure(op, "not of a negation");
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, x); });
    return success();
  }
};

/// (-x) y is -(x y), and (-x) (-y) is x y.
template <typename Op>
struct Product : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value x = getNegated(op.getLhs()), y = getNegated(op.getRhs());
    if (!x && !y)
      return rewriter.notifyMatchFailure(op, "not of a negation");
    auto positive = cast<Op>(rewriter.clone(*op));
    positive->setOperands({x ? x : op.getLhs(), y ? y : op.getRhs()});
    if (x && y)
      rewriter.replaceOp(op, positive);
    else
      rewriter.replaceOpWithNewOp<NegOp>(op, op.getType(), positive);
    return success();
  }
};

/// x + (-y) is x - y.
struct AddNegated : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op,
                                PatternRewriter &rewriter) const override {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    if (!getNegated(rhs))
      std::swap(lhs, rhs);
    Value negated = getNegated(rhs);
    if (!negated)
      return rewriter.notifyMatchFailure(op, "not of a negation");
    rewriter.replaceOpWithNewOp<SubOp>(op, op.getType(), lhs, negated);
    return success();
  }
};

/// x - (-y) is x + y.
struct SubNegated : OpRewritePattern<SubOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubOp op,
                                PatternRewriter &rewriter) const override {
    Value negated = getNegated(op.getRhs());
    if (!negated)
      return rewriter.notifyMatchFailure(op, "not of a negation");
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getType(), op.getLhs(), negated);
    return success();
  }
};

} // namespace

void EwDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<OddFunction<AsinOp>, OddFunction<AsinhOp>, OddFunction<AtanOp>,
               OddFunction<AtanhOp>, OddFunction<CbrtOp>, OddFunction<ErfOp>,
               OddFunction<ReciprocalOp>, OddFunction<RoundEvenOp>,
               OddFunction<RoundOp>, OddFunction<SinOp>, OddFunction<SinhOp>,
               OddFunction<SoftsignOp>, OddFunction<TanOp>, OddFunction<TanhOp>,
               OddFunction<TruncOp>>(getContext());
  patterns.add<EvenFunction<AbsOp>, EvenFunction<CosOp>, EvenFunction<CoshOp>,
               EvenFunction<SquareOp>>(getContext());
  patterns.add<Product<MulOp>, Product<DivOp>, AddNegated, SubNegated>(
      getContext());
}
