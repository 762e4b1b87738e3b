//===- ArithToEw.cpp - What arith ops become ------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ew;

namespace {

using Results = SmallVectorImpl<Value>;

//===----------------------------------------------------------------------===//
// Division rounded up, and results of two words
//===----------------------------------------------------------------------===//

/// The quotient, plus 1 where there is a remainder and, if signed, the true
/// quotient is positive. No step overflows where the quotient does not.
LogicalResult ceilDivide(Raiser &raiser, Value lhs, Value rhs, bool isSigned,
                         Results &results) {
  Value quotient = raiser.create<DivOp>({lhs, rhs});
  Value remainder = raiser.create<RemOp>({lhs, rhs});
  Value zero = raiser.constant(rhs, 0);
  Value up = raiser.cmp(CmpPredicate::ne, remainder, zero);
  if (isSigned) {
    Value signs = raiser.create<XorOp>({remainder, rhs});
    Value positive = raiser.cmp(CmpPredicate::ge, signs, zero);
    up = raiser.create<AndOp>({up, positive});
  }
  Value one = raiser.cast(up, getElementType(quotient.getType()));
  results.push_back(raiser.toSignless(raiser.create<AddOp>({quotient, one})));
  return success();
}

LogicalResult raiseCeilDivSI(Raiser &raiser, Operation *op, ValueRange operands,
                             Results &results) {
  if (isBool(operands[0]))
    return refuseBool(raiser, op);
  return ceilDivide(raiser, operands[0], operands[1], /*isSigned=*/true,
                    results);
}

LogicalResult raiseCeilDivUI(Raiser &raiser, Operation *op, ValueRange operands,
                             Results &results) {
  if (isBool(operands[0]))
    return refuseBool(raiser, op);
  return ceilDivide(raiser, raiser.toUnsigned(operands[0]),
                    raiser.toUnsigned(operands[1]), /*isSigned=*/false,
                    results);
}

LogicalResult raiseAddUIExtended(Raiser &raiser, Operation *op,
                                 ValueRange operands, Results &results) {
  if (isBool(operands[0])) {
    results.push_back(raiser.create<XorOp>(operands));
    results.push_back(raiser.create<AndOp>(operands));
    return success();
  }
  Value sum = raiser.create<AddOp>(operands);
  results.push_back(sum);
  results.push_back(raiser.cmp(CmpPredicate::lt, raiser.toUnsigned(sum),
                               raiser.toUnsigned(operands[0])));
  return success();
}

/// The product's two words, from one product of twice the width.
template <bool isSigned>
LogicalResult raiseMulExtended(Raiser &raiser, Operation *op,
                               ValueRange operands, Results &results) {
  // Of one bit the product is 0 or 1, that of the signed -1 and -1 too.
  if (isBool(operands[0])) {
    results.push_back(raiser.create<AndOp>(operands));
    results.push_back(raiser.constant(operands[0], 0));
    return success();
  }
  Type element = getElementType(operands[0].getType());
  unsigned width = element.getIntOrFloatBitWidth();
  if (width > 32)
    return raiser.refuse("ew has no integers of 128 bits for the product");
  Type wide = raiser.getBuilder().getIntegerType(2 * width);
  Value product =
      raiser.create<MulOp>({raiser.resize(operands[0], wide, isSigned),
                            raiser.resize(operands[1], wide, isSigned)});
  Value high = raiser.create<ShrOp>({product, raiser.constant(product, width)});
  results.push_back(raiser.cast(product, element));
  results.push_back(raiser.cast(high, element));
  return success();
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

/// The order of booleans as integers of one bit: a < b where one is false and
/// the other true, and of signed ones true, which is -1, is the smaller.
Value compareBools(Raiser &raiser, arith::CmpIPredicate predicate, Value lhs,
                   Value rhs) {
  auto less = [&](Value small, Value large, bool isSigned) {
    if (isSigned)
      std::swap(small, large);
    return raiser.create<AndOp>({raiser.create<NotOp>(small), large});
  };
  auto negate = [&](Value value) { return raiser.create<NotOp>(value); };
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return raiser.cmp(CmpPredicate::eq, lhs, rhs);
  case arith::CmpIPredicate::ne:
    return raiser.cmp(CmpPredicate::ne, lhs, rhs);
  case arith::CmpIPredicate::slt:
    return less(lhs, rhs, true);
  case arith::CmpIPredicate::sgt:
    return less(rhs, lhs, true);
  case arith::CmpIPredicate::sle:
    return negate(less(rhs, lhs, true));
  case arith::CmpIPredicate::sge:
    return negate(less(lhs, rhs, true));
  case arith::CmpIPredicate::ult:
    return less(lhs, rhs, false);
  case arith::CmpIPredicate::ugt:
    return less(rhs, lhs, false);
  case arith::CmpIPredicate::ule:
    return negate(less(rhs, lhs, false));
  case arith::CmpIPredicate::uge:
    return negate(less(lhs, rhs, false));
  }
  llvm_unreachable("unknown comparison of integers");
}

struct IntegerComparison {
  CmpPredicate predicate;
  bool isUnsigned;
};

IntegerComparison getComparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return {CmpPredicate::eq, false};
  case arith::CmpIPredicate::ne:
    return {CmpPredicate::ne, false};
  case arith::CmpIPredicate::slt:
    return {CmpPredicate::lt, false};
  case arith::CmpIPredicate::sle:
    return {CmpPredicate::le, false};
  case arith::CmpIPredicate::sgt:
    return {CmpPredicate::gt, false};
  case arith::CmpIPredicate::sge:
    return {CmpPredicate::ge, false};
  case arith::CmpIPredicate::ult:
    return {CmpPredicate::lt, true};
  case arith::CmpIPredicate::ule:
    return {CmpPredicate::le, true};
  case arith::CmpIPredicate::ugt:
    return {CmpPredicate::gt, true};
  case arith::CmpIPredicate::uge:
    return {CmpPredicate::ge, true};
  }
  llvm_unreachable("unknown comparison of integers");
}

LogicalResult raiseCmpI(Raiser &raiser, Operation *op, ValueRange operands,
                        Results &results) {
  arith::CmpIPredicate source = cast<arith::CmpIOp>(op).getPredicate();
  Value lhs = operands[0], rhs = operands[1];
  if (isBool(lhs)) {
    results.push_back(compareBools(raiser, source, lhs, rhs));
    return success();
  }
  IntegerComparison comparison = getComparison(source);
  if (comparison.isUnsigned) {
    lhs = raiser.toUnsigned(lhs);
    rhs = raiser.toUnsigned(rhs);
  }
  results.push_back(raiser.cmp(comparison.predicate, lhs, rhs));
  return success();
}

LogicalResult raiseCmpF(Raiser &raiser, Operation *op, ValueRange operands,
                        Results &results) {
  arith::CmpFPredicate source = cast<arith::CmpFOp>(op).getPredicate();
  Value lhs = operands[0], rhs = operands[1];
  // The ordered and unordered predicates have the same names in both dialects.
  if (std::optional<CmpPredicate> predicate =
          symbolizeCmpPredicate(arith::stringifyCmpFPredicate(source))) {
    results.push_back(raiser.cmp(*predicate, lhs, rhs));
    return success();
  }
  // `false` and `true`: x and not x, or x or not x, of any comparison.
  Value ordered = raiser.cmp(CmpPredicate::ord, lhs, rhs);
  Value unordered = raiser.cmp(CmpPredicate::uno, lhs, rhs);
  bool always = source == arith::CmpFPredicate::AlwaysTrue;
  results.push_back(always ? raiser.create<OrOp>({ordered, unordered})
                           : raiser.create<AndOp>({ordered, unordered}));
  return success();
}

LogicalResult raiseSelect(Raiser &raiser, Operation *, ValueRange operands,
                          Results &results) {
  results.push_back(raiser.select(operands[0], operands[1], operands[2]));
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

template <bool isSigned>
LogicalResult raiseResize(Raiser &raiser, Operation *op, ValueRange operands,
                          Results &results) {
  results.push_back(raiser.resize(operands[0], getTarget(op), isSigned));
  return success();
}

LogicalResult raiseExtF(Raiser &raiser, Operation *op, ValueRange operands,
                        Results &results) {
  results.push_back(raiser.cast(operands[0], getTarget(op)));
  return success();
}

RoundingMode getRounding(arith::RoundingMode mode) {
  switch (mode) {
  case arith::RoundingMode::to_nearest_even:
    return RoundingMode::nearest_even;
  case arith::RoundingMode::downward:
    return RoundingMode::downward;
  case arith::RoundingMode::upward:
    return RoundingMode::upward;
  case arith::RoundingMode::toward_zero:
    return RoundingMode::toward_zero;
  case arith::RoundingMode::to_nearest_away:
    return RoundingMode::nearest_away;
  }
  llvm_unreachable("unknown rounding mode");
}

LogicalResult raiseTruncF(Raiser &raiser, Operation *op, ValueRange operands,
                          Results &results) {
  RoundingModeAttr round;
  if (std::optional<arith::RoundingMode> mode =
          cast<arith::TruncFOp>(op).getRoundingmode();
      mode && *mode != arith::RoundingMode::to_nearest_even)
    round = RoundingModeAttr::get(op->getContext(), getRounding(*mode));
  results.push_back(
      CastOp::create(raiser.getBuilder(), raiser.getLoc(),
                     getTypeLike(operands[0].getType(), getTarget(op)),
                     operands[0], round, UnitAttr(), UnitAttr()));
  return success();
}

LogicalResult raiseSIToFP(Raiser &raiser, Operation *op, ValueRange operands,
                          Results &results) {
  Value value = operands[0];
  if (isBool(value))
    value = raiser.resize(value, raiser.getBuilder().getI8Type(), true);
  results.push_back(raiser.cast(value, getTarget(op)));
  return success();
}

LogicalResult raiseUIToFP(Raiser &raiser, Operation *op, ValueRange operands,
                          Results &results) {
  results.push_back(raiser.cast(raiser.toUnsigned(operands[0]), getTarget(op)));
  return success();
}

/// To i1, the only values in range are 0 and 1 (or -1) once their fraction is
/// dropped; a cast to a boolean would not drop it.
template <bool isSigned>
LogicalResult raiseFPToInt(Raiser &raiser, Operation *op, ValueRange operands,
                           Results &results) {
  Type target = getTarget(op);
  unsigned width = std::max(target.getIntOrFloatBitWidth(), 8u);
  OpBuilder &builder = raiser.getBuilder();
  Type integer = isSigned ? builder.getIntegerType(width)
                          : builder.getIntegerType(width, false);
  Value value = raiser.cast(operands[0], integer);
  results.push_back(target.isInteger(1) ? raiser.cast(value, target)
                                        : raiser.toSignless(value));
  return success();
}

LogicalResult raiseBitcast(Raiser &raiser, Operation *op, ValueRange operands,
                           Results &results) {
  results.push_back(raiser.bitcast(operands[0], getTarget(op)));
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void ew::populateArithToEw(RaisingTable &table) {
  // Floating point.
  table.add<arith::AddFOp>(raiseAs<AddOp>);
  table.add<arith::SubFOp>(raiseAs<SubOp>);
  table.add<arith::MulFOp>(raiseAs<MulOp>);
  table.add<arith::DivFOp>(raiseAs<DivOp>);
  table.add<arith::RemFOp>(raiseAs<RemOp>);
  table.add<arith::NegFOp>(raiseAs<NegOp>);
  table.add<arith::MaximumFOp>(raiseAs<MaxOp>);
  table.add<arith::MinimumFOp>(raiseAs<MinOp>);
  table.add<arith::MaxNumFOp>(raiseAs<MaxnumOp>);
  table.add<arith::MinNumFOp>(raiseAs<MinnumOp>);

  // Integers. On one bit, addition is exclusive or, and true is -1 where
  // signed.
  table.add<arith::AddIOp>(raiseAs<AddOp, XorOp>);
  table.add<arith::SubIOp>(raiseAs<SubOp, XorOp>);
  table.add<arith::MulIOp>(raiseAs<MulOp, AndOp>);
  table.add<arith::DivSIOp>(raiseAs<DivOp>);
  table.add<arith::DivUIOp>(raiseUnsigned<DivOp>);
  table.add<arith::RemSIOp>(raiseAs<RemOp>);
  table.add<arith::RemUIOp>(raiseUnsigned<RemOp>);
  table.add<arith::FloorDivSIOp>(raiseAs<FloorDivOp>);
  table.add<arith::CeilDivSIOp>(raiseCeilDivSI);
  table.add<arith::CeilDivUIOp>(raiseCeilDivUI);
  table.add<arith::AddUIExtendedOp>(raiseAddUIExtended);
  table.add<arith::MulSIExtendedOp>(raiseMulExtended<true>);
  table.add<arith::MulUIExtendedOp>(raiseMulExtended<false>);
  table.add<arith::MaxSIOp>(raiseAs<MaxOp, AndOp>);
  table.add<arith::MinSIOp>(raiseAs<MinOp, OrOp>);
  table.add<arith::MaxUIOp>(raiseUnsigned<MaxOp, OrOp>);
  table.add<arith::MinUIOp>(raiseUnsigned<MinOp, AndOp>);
  table.add<arith::AndIOp>(raiseAs<AndOp, AndOp>);
  table.add<arith::OrIOp>(raiseAs<OrOp, OrOp>);
  table.add<arith::XOrIOp>(raiseAs<XorOp, XorOp>);
  table.add<arith::ShLIOp>(raiseAs<ShlOp>);
  table.add<arith::ShRSIOp>(raiseAs<ShrOp>);
  table.add<arith::ShRUIOp>(raiseUnsigned<ShrOp>);

  // Comparison and selection.
  table.add<arith::CmpIOp>(raiseCmpI);
  table.add<arith::CmpFOp>(raiseCmpF);
  table.add<arith::SelectOp>(raiseSelect);

  // Conversions.
  table.add<arith::ExtSIOp>(raiseResize<true>);
  table.add<arith::ExtUIOp>(raiseResize<false>);
  table.add<arith::TruncIOp>(raiseResize<true>);
  table.add<arith::IndexCastOp>(raiseResize<true>);
  table.add<arith::IndexCastUIOp>(raiseResize<false>);
  table.add<arith::ExtFOp>(raiseExtF);
  table.add<arith::TruncFOp>(raiseTruncF);
  table.add<arith::SIToFPOp>(raiseSIToFP);
  table.add<arith::UIToFPOp>(raiseUIToFP);
  table.add<arith::FPToSIOp>(raiseFPToInt<true>);
  table.add<arith::FPToUIOp>(raiseFPToInt<false>);
  table.add<arith::BitcastOp>(raiseBitcast);
}
