//===- EwCanonicalize.cpp - Rewrites that never change a result -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EwConstants.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace ew;

/// A splat of a number at the shape of `like`.
static Value createSplat(PatternRewriter &rewriter, Location loc, Value like,
                         Attribute number) {
  Type type = like.getType();
  if (Attribute attr = getSplatAttr(type, number))
    return ConstantOp::create(rewriter, loc, type, cast<TypedAttr>(attr));
  if (cast<ShapedType>(type).hasStaticShape())
    return nullptr; // no elements
  Value scalar = ConstantOp::create(rewriter, loc, getElementType(type),
                                    cast<TypedAttr>(number));
  return BroadcastOp::create(rewriter, loc, type, scalar, like);
}

/// As replaceOpWithNewOp, with the old op's mode and bound.
template <typename Op, typename... Args>
static void replaceAlike(PatternRewriter &rewriter, Operation *op,
                         Args &&...args) {
  DictionaryAttr attributes = op->getDiscardableAttrDictionary();
  Operation *created =
      rewriter.replaceOpWithNewOp<Op>(op, std::forward<Args>(args)...);
  created->setDiscardableAttrs(attributes);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void DivOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  // Dividing by a power of two is multiplying by its inverse, both rounded
  // once.
  patterns.add(+[](DivOp op, PatternRewriter &rewriter) -> LogicalResult {
    std::optional<APFloat> divisor = getSplatFloat(op.getRhs());
    if (!divisor)
      return rewriter.notifyMatchFailure(op, "not by a constant");
    APFloat inverse = *divisor;
    if (!divisor->getExactInverse(&inverse))
      return rewriter.notifyMatchFailure(op,
                                         "the divisor has no exact inverse");
    Value factor =
        createSplat(rewriter, op.getLoc(), op.getLhs(),
                    FloatAttr::get(getElementType(op.getType()), inverse));
    if (!factor)
      return rewriter.notifyMatchFailure(op, "no elements");
    replaceAlike<MulOp>(rewriter, op, op.getType(), op.getLhs(), factor);
    return success();
  });
}

void PowOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  // What these exponents mean, correctly rounded; their special values agree.
  patterns.add(+[](PowOp op, PatternRewriter &rewriter) -> LogicalResult {
    std::optional<APFloat> exponent = getSplatFloat(op.getRhs());
    std::optional<APInt> integer = getSplatInt(op.getRhs());
    bool isTwo =
        exponent ? exponent->isExactlyValue(2.0) : integer && *integer == 2;
    if (isTwo) {
      replaceAlike<SquareOp>(rewriter, op, op.getType(), op.getLhs());
      return success();
    }
    if (exponent && exponent->isExactlyValue(-1.0)) {
      replaceAlike<ReciprocalOp>(rewriter, op, op.getType(), op.getLhs());
      return success();
    }
    return rewriter.notifyMatchFailure(op, "not by 2 or -1");
  });
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

/// The predicate that holds exactly where this one does not.
static CmpPredicate invert(CmpPredicate predicate) {
  switch (predicate) {
  case CmpPredicate::eq:
    return CmpPredicate::ne;
  case CmpPredicate::ne:
    return CmpPredicate::eq;
  case CmpPredicate::lt:
    return CmpPredicate::ge;
  case CmpPredicate::le:
    return CmpPredicate::gt;
  case CmpPredicate::gt:
    return CmpPredicate::le;
  case CmpPredicate::ge:
    return CmpPredicate::lt;
  case CmpPredicate::oeq:
    return CmpPredicate::une;
  case CmpPredicate::one:
    return CmpPredicate::ueq;
  case CmpPredicate::olt:
    return CmpPredicate::uge;
  case CmpPredicate::ole:
    return CmpPredicate::ugt;
  case CmpPredicate::ogt:
    return CmpPredicate::ule;
  case CmpPredicate::oge:
    return CmpPredicate::ult;
  case CmpPredicate::ord:
    return CmpPredicate::uno;
  case CmpPredicate::ueq:
    return CmpPredicate::one;
  case CmpPredicate::une:
    return CmpPredicate::oeq;
  case CmpPredicate::ult:
    return CmpPredicate::oge;
  case CmpPredicate::ule:
    return CmpPredicate::ogt;
  case CmpPredicate::ugt:
    return CmpPredicate::ole;
  case CmpPredicate::uge:
    return CmpPredicate::olt;
  case CmpPredicate::uno:
    return CmpPredicate::ord;
  }
  return predicate;
}

void NotOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add(+[](NotOp op, PatternRewriter &rewriter) -> LogicalResult {
    auto cmp = op.getOperand().getDefiningOp<CmpOp>();
    if (!cmp || !cmp->hasOneUse())
      return rewriter.notifyMatchFailure(op,
                                         "not of a comparison for this alone");
    replaceAlike<CmpOp>(rewriter, op, op.getType(), invert(cmp.getPredicate()),
                        cmp.getLhs(), cmp.getRhs());
    return success();
  });
}

void SelectOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add(+[](SelectOp op, PatternRewriter &rewriter) -> LogicalResult {
    auto negation = op.getCondition().getDefiningOp<NotOp>();
    if (!negation)
      return rewriter.notifyMatchFailure(op, "the condition is no negation");
    replaceAlike<SelectOp>(rewriter, op, op.getType(), negation.getOperand(),
                           op.getFalseValue(), op.getTrueValue());
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Whether every value of one type is a value of the other.
static bool isExactCast(Type from, Type to) {
  if (from == to)
    return true;
  if (isa<ComplexType>(from))
    return isExactCast(getPartType(from), getPartType(to));
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat)
    return APFloat::isRepresentableBy(fromFloat.getFloatSemantics(),
                                      toFloat.getFloatSemantics());
  if (fromFloat || toFloat || to.isInteger(1))
    return false;
  unsigned fromWidth = from.getIntOrFloatBitWidth(),
           toWidth = to.getIntOrFloatBitWidth();
  if (!isSignedInteger(from))
    return fromWidth < toWidth;
  return isSignedInteger(to) && fromWidth < toWidth;
}

void CastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  // The second of two casts sees the value itself, if the first is exact. But a
  // narrow type's rounding is never taken away: what is cast may be computed in
  // f32 (see ew-widen).
  patterns.add(+[](CastOp op, PatternRewriter &rewriter) -> LogicalResult {
    auto inner = op.getOperand().getDefiningOp<CastOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "not of a cast");
    Type from = getElementType(inner.getOperand().getType()),
         middle = getElementType(inner.getType()),
         to = getElementType(op.getType());
    if (!isExactCast(from, middle) || inner.getSaturate() || from.isInteger(1))
      return rewriter.notifyMatchFailure(op,
                                         "the first cast may change the value");
    if (from == to) {
      bool narrow = isa<FloatType>(from) && from.getIntOrFloatBitWidth() < 32;
      // With `saturate`, an infinity does not come back.
      bool changes = op.getSaturate() && isa<FloatType, ComplexType>(from);
      if (narrow || changes || inner.getOperand().getType() != op.getType())
        return rewriter.notifyMatchFailure(op,
                                           "rounds a value of a narrow type");
      rewriter.replaceOp(op, inner.getOperand());
      return success();
    }
    // Rounding an integer means nothing.
    bool rounds = isa<FloatType, ComplexType>(to) ||
                  (isa<FloatType>(from) && !to.isInteger(1));
    if (op.getRound() && !rounds)
      return rewriter.notifyMatchFailure(
          op, "its rounding has no meaning from this type");
    rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), inner.getOperand(),
                                        op.getRoundAttr(), op.getSaturateAttr(),
                                        op.getWrapAttr());
    return success();
  });
}

void BitcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  // Through a floating-point type, NaNs would have become the canonical one.
  patterns.add(+[](BitcastOp op, PatternRewriter &rewriter) -> LogicalResult {
    auto inner = op.getOperand().getDefiningOp<BitcastOp>();
    if (!inner || isa<FloatType>(getElementType(inner.getType())))
      return rewriter.notifyMatchFailure(op, "not of a bitcast to integers");
    rewriter.replaceOpWithNewOp<BitcastOp>(op, op.getType(),
                                           inner.getOperand());
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add(+[](BroadcastOp op, PatternRewriter &rewriter) -> LogicalResult {
    auto inner = op.getOperand().getDefiningOp<BroadcastOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "not of a broadcast");
    bool isStatic = cast<RankedTensorType>(inner.getType()).hasStaticShape() &&
                    cast<RankedTensorType>(op.getType()).hasStaticShape() &&
                    !inner.getLike();
    if (!isStatic)
      return rewriter.notifyMatchFailure(
          op, "the shape between is part of the result's");
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(),
                                             inner.getOperand(), op.getLike());
    return success();
  });
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add(+[](TransposeOp op, PatternRewriter &rewriter) -> LogicalResult {
    auto inner = op.getOperand().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "not of a transpose");
    SmallVector<int64_t> permutation;
    for (int64_t dim : op.getPermutation())
      permutation.push_back(inner.getPermutation()[dim]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(),
                                             inner.getOperand(), permutation);
    return success();
  });
}
