//===- TosaToEw.cpp - What TOSA ops become --------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Families.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ew;

namespace {

using Results = SmallVectorImpl<Value>;

template <typename Op>
bool ignoresNan(Op op) {
  return op.getNanMode() == tosa::NanPropagationMode::IGNORE;
}

bool isFloat(Value value) {
  return isa<FloatType>(getElementType(value.getType()));
}

//===----------------------------------------------------------------------===//
// Ops with attributes, or whose types differ
//===----------------------------------------------------------------------===//

/// `Op` propagates a NaN, `NumberOp` gives the other operand.
template <typename TosaOp, typename Op, typename NumberOp>
LogicalResult raiseExtremum(Raiser &raiser, Operation *op, ValueRange operands,
                            Results &results) {
  if (isFloat(operands[0]) && ignoresNan(cast<TosaOp>(op)))
    return raiseAs<NumberOp>(raiser, op, operands, results);
  return raiseAs<Op>(raiser, op, operands, results);
}

/// A NaN that is ignored becomes the minimum.
LogicalResult raiseClamp(Raiser &raiser, Operation *op, ValueRange operands,
                         Results &results) {
  auto clamp = cast<tosa::ClampOp>(op);
  Value x = operands[0];
  if (isBool(x))
    return refuseBool(raiser, op);
  Value low = raiser.constant(x, cast<TypedAttr>(clamp.getMinVal()));
  Value high = raiser.constant(x, cast<TypedAttr>(clamp.getMaxVal()));
  if (isFloat(x) && ignoresNan(clamp)) {
    Value raised = raiser.create<MaxnumOp>({x, low});
    results.push_back(raiser.create<MinnumOp>({raised, high}));
    return success();
  }
  results.push_back(raiser.create<ClampOp>({x, low, high}));
  return success();
}

/// Integers narrower than 32 bits are multiplied in 32.
LogicalResult raiseMul(Raiser &raiser, Operation *op, ValueRange operands,
                       Results &results) {
  if (!matchPattern(cast<tosa::MulOp>(op).getShift(), m_Zero()))
    return raiser.refuse("its shift is not known to be 0");
  if (isBool(operands[0]))
    return refuseBool(raiser, op);
  Type target = getTarget(op);
  results.push_back(raiser.create<MulOp>(
      {raiser.cast(operands[0], target), raiser.cast(operands[1], target)}));
  return success();
}

/// Narrow integers saturate, which `ew.neg` does not.
LogicalResult raiseNegate(Raiser &raiser, Operation *op, ValueRange operands,
                          Results &results) {
  auto negate = cast<tosa::NegateOp>(op);
  if (!isFloat(operands[0]) && !getTarget(op).isInteger(32))
    return raiser.refuse("its result saturates");
  if (!isFloat(operands[0]) && (!matchPattern(negate.getInput1Zp(), m_Zero()) ||
                                !matchPattern(negate.getOutputZp(), m_Zero())))
    return raiser.refuse("its zero points are not known to be 0");
  return raiseAs<NegOp>(raiser, op, operands, results);
}

LogicalResult raiseArithmeticRightShift(Raiser &raiser, Operation *op,
                                        ValueRange operands, Results &results) {
  if (cast<tosa::ArithmeticRightShiftOp>(op).getRound())
    return raiser.refuse("it rounds");
  return raiseAs<ShrOp>(raiser, op, operands, results);
}

template <CmpPredicate onIntegers, CmpPredicate onFloats>
LogicalResult raiseCmp(Raiser &raiser, Operation *op, ValueRange operands,
                       Results &results) {
  if (isBool(operands[0]) && onIntegers != CmpPredicate::eq)
    return refuseBool(raiser, op);
  results.push_back(raiser.cmp(isFloat(operands[0]) ? onFloats : onIntegers,
                               operands[0], operands[1]));
  return success();
}

LogicalResult raiseSelect(Raiser &raiser, Operation *, ValueRange operands,
                          Results &results) {
  results.push_back(raiser.select(operands[0], operands[1], operands[2]));
  return success();
}

/// To an integer, floating point is rounded to nearest and saturates.
LogicalResult raiseCast(Raiser &raiser, Operation *op, ValueRange operands,
                        Results &results) {
  Type target = getTarget(op);
  if (!isFloat(operands[0]) || isa<FloatType>(target) || target.isInteger(1)) {
    results.push_back(raiser.cast(operands[0], target));
    return success();
  }
  auto round =
      RoundingModeAttr::get(op->getContext(), RoundingMode::nearest_even);
  results.push_back(CastOp::create(raiser.getBuilder(), raiser.getLoc(),
                                   getTypeLike(operands[0].getType(), target),
                                   operands[0], round, UnitAttr(), UnitAttr()));
  return success();
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

/// The shape of the result, as static as it and the operands tell.
SmallVector<int64_t> getShape(RankedTensorType result, ValueRange operands) {
  SmallVector<int64_t> shape(result.getShape());
  for (auto [i, size] : llvm::enumerate(shape)) {
    bool allOne = true;
    for (Value operand : operands) {
      int64_t other = cast<RankedTensorType>(operand.getType()).getDimSize(i);
      allOne &= other == 1;
      if (ShapedType::isDynamic(size) && !ShapedType::isDynamic(other) &&
          other != 1)
        size = other;
    }
    if (ShapedType::isDynamic(size) && allOne)
      size = 1;
  }
  return shape;
}

/// The operands at one shape. TOSA stretches sizes of 1, a `?` that turns out
/// to be 1 included.
SmallVector<Value> broadcast(Raiser &raiser, ArrayRef<int64_t> shape,
                             ValueRange operands) {
  bool isStatic = !ShapedType::isDynamicShape(shape);
  auto stretch = [&](Value value, Value like) -> Value {
    auto type = cast<RankedTensorType>(value.getType());
    return BroadcastOp::create(raiser.getBuilder(), raiser.getLoc(),
                               type.clone(shape), value, like);
  };
  SmallVector<Value> results(operands);
  if (isStatic) {
    for (Value &value : results)
      if (cast<RankedTensorType>(value.getType()).getShape() != shape)
        value = stretch(value, Value());
    return results;
  }
  if (operands.size() == 1)
    return results;
  // The first operand takes the sizes of all, and the others those of it.
  for (Value other : operands.drop_front())
    if (other != operands[0])
      results[0] = stretch(results[0], other);
  for (auto [i, operand] : llvm::enumerate(operands))
    if (i > 0)
      results[i] =
          operand == operands[0] ? results[0] : stretch(operand, results[0]);
  return results;
}

} // namespace

LogicalResult ew::raiseTosaOp(Operation *op, const RaisingTable &table,
                              Raiser &raiser, Results &results) {
  RaiseFn function = table.lookup(op);
  auto transpose = dyn_cast<tosa::TransposeOp>(op);
  if (!function && !transpose && !isa<tosa::IdentityOp>(op))
    return raiser.refuse("the op has no equal in ew");

  // What follows the data of `mul` and `negate` are parameters.
  ValueRange operands = op->getOperands();
  if (isa<tosa::MulOp>(op))
    operands = operands.take_front(2);
  else if (isa<tosa::NegateOp>(op))
    operands = operands.take_front(1);

  auto resultType = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Type> types(ValueRange(operands).getTypes());
  types.push_back(op->getResult(0).getType());
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !isRaised(type))
      return raiser.refuse("the type " + toString(type) +
                           " has no equal in ew");
    if (tensor.getRank() != resultType.getRank())
      return raiser.refuse("the ranks of operands and result differ");
  }

  Value result;
  if (isa<tosa::IdentityOp>(op)) {
    result = operands[0];
  } else if (transpose) {
    SmallVector<int64_t> permutation(transpose.getPerms());
    SmallVector<int64_t> shape;
    auto type = cast<RankedTensorType>(operands[0].getType());
    for (int64_t dim : permutation)
      shape.push_back(type.getDimSize(dim));
    result = TransposeOp::create(raiser.getBuilder(), raiser.getLoc(),
                                 type.clone(shape), operands[0], permutation);
  } else {
    SmallVector<Value> raised;
    SmallVector<int64_t> shape = getShape(resultType, operands);
    if (failed(
            function(raiser, op, broadcast(raiser, shape, operands), raised)))
      return failure();
    result = raised[0];
  }
  if (result.getType() != resultType)
    result = tensor::CastOp::create(raiser.getBuilder(), raiser.getLoc(),
                                    resultType, result);
  results.push_back(result);
  return success();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void ew::populateTosaToEw(RaisingTable &table) {
  table.add<tosa::AbsOp>(raiseAs<AbsOp>);
  table.add<tosa::CeilOp>(raiseAs<CeilOp>);
  table.add<tosa::FloorOp>(raiseAs<FloorOp>);
  table.add<tosa::NegateOp>(raiseNegate);
  table.add<tosa::ReciprocalOp>(raiseAs<ReciprocalOp>);
  table.add<tosa::RsqrtOp>(raiseAs<RsqrtOp>);
  table.add<tosa::ExpOp>(raiseAs<ExpOp>);
  table.add<tosa::LogOp>(raiseAs<LogOp>);
  table.add<tosa::SinOp>(raiseAs<SinOp>);
  table.add<tosa::CosOp>(raiseAs<CosOp>);
  table.add<tosa::TanhOp>(raiseAs<TanhOp>);
  table.add<tosa::ErfOp>(raiseAs<ErfOp>);
  table.add<tosa::SigmoidOp>(raiseAs<SigmoidOp>);
  table.add<tosa::ClampOp>(raiseClamp);
  table.add<tosa::ClzOp>(raiseAs<ClzOp>);

  table.add<tosa::AddOp>(raiseAs<AddOp>);
  table.add<tosa::SubOp>(raiseAs<SubOp>);
  table.add<tosa::MulOp>(raiseMul);
  table.add<tosa::IntDivOp>(raiseAs<DivOp>);
  table.add<tosa::PowOp>(raiseAs<PowOp>);
  table.add<tosa::MaximumOp>(raiseExtremum<tosa::MaximumOp, MaxOp, MaxnumOp>);
  table.add<tosa::MinimumOp>(raiseExtremum<tosa::MinimumOp, MinOp, MinnumOp>);

  table.add<tosa::BitwiseAndOp>(raiseAs<AndOp, AndOp>);
  table.add<tosa::BitwiseOrOp>(raiseAs<OrOp, OrOp>);
  table.add<tosa::BitwiseXorOp>(raiseAs<XorOp, XorOp>);
  table.add<tosa::BitwiseNotOp>(raiseAs<NotOp, NotOp>);
  table.add<tosa::LogicalAndOp>(raiseAs<AndOp, AndOp>);
  table.add<tosa::LogicalOrOp>(raiseAs<OrOp, OrOp>);
  table.add<tosa::LogicalXorOp>(raiseAs<XorOp, XorOp>);
  table.add<tosa::LogicalNotOp>(raiseAs<NotOp, NotOp>);
  table.add<tosa::LogicalLeftShiftOp>(raiseAs<ShlOp>);
  table.add<tosa::LogicalRightShiftOp>(raiseUnsigned<ShrOp>);
  table.add<tosa::ArithmeticRightShiftOp>(raiseArithmeticRightShift);

  table.add<tosa::EqualOp>(raiseCmp<CmpPredicate::eq, CmpPredicate::oeq>);
  table.add<tosa::GreaterOp>(raiseCmp<CmpPredicate::gt, CmpPredicate::ogt>);
  table.add<tosa::GreaterEqualOp>(
      raiseCmp<CmpPredicate::ge, CmpPredicate::oge>);
  table.add<tosa::SelectOp>(raiseSelect);
  table.add<tosa::CastOp>(raiseCast);
}
