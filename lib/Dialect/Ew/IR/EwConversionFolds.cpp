//===- EwConversionFolds.cpp - Folding of casts and views -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EwConstants.h"

using namespace mlir;
using namespace ew;

using Status = APFloat::opStatus;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static APFloat::roundingMode getMode(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::nearest_even:
    return APFloat::rmNearestTiesToEven;
  case RoundingMode::toward_zero:
    return APFloat::rmTowardZero;
  case RoundingMode::upward:
    return APFloat::rmTowardPositive;
  case RoundingMode::downward:
    return APFloat::rmTowardNegative;
  case RoundingMode::nearest_away:
    return APFloat::rmNearestTiesToAway;
  }
  return APFloat::rmNearestTiesToEven;
}

static APFloat castToFloat(Attribute x, Type from, FloatType to,
                           APFloat::roundingMode mode, bool saturate) {
  const llvm::fltSemantics &semantics = to.getFloatSemantics();
  APFloat result(semantics);
  bool isNan = false, isNegative = false, losesInfo;
  Status status;
  if (auto number = dyn_cast<FloatAttr>(x)) {
    result = number.getValue();
    isNan = result.isNaN();
    isNegative = result.isNegative();
    status = result.convert(semantics, mode, &losesInfo);
  } else {
    APInt value = cast<IntegerAttr>(x).getValue();
    isNegative = isSignedInteger(from) && value.isNegative();
    status = result.convertFromAPInt(value, isSignedInteger(from), mode);
  }
  // Too large is an infinity, or a NaN where the type has none.
  bool tooLarge =
      !isNan && (!result.isFinite() || (status & APFloat::opOverflow));
  if (saturate && tooLarge)
    return APFloat::getLargest(semantics, isNegative);
  return result;
}

static APInt castToInt(Attribute x, Type from, IntegerType to,
                       APFloat::roundingMode mode, bool saturate, bool wrap) {
  unsigned width = to.getWidth();
  bool toSigned = isSignedInteger(to);
  if (auto number = dyn_cast<FloatAttr>(x)) {
    bool exact;
    if (wrap) {
      if (!number.getValue().isFinite())
        return APInt::getZero(width);
      // Wide enough for every number of f64.
      llvm::APSInt whole(1100, /*isUnsigned=*/false);
      number.getValue().convertToInteger(whole, mode, &exact);
      return whole.trunc(width);
    }
    llvm::APSInt result(width, /*isUnsigned=*/!toSigned);
    number.getValue().convertToInteger(result, mode, &exact);
    return result;
  }
  APInt value = cast<IntegerAttr>(x).getValue();
  bool fromSigned = isSignedInteger(from);
  if (saturate) {
    // Wide enough for every integer of either type.
    APInt wide = fromSigned ? value.sext(128) : value.zext(128);
    APInt low = toSigned ? APInt::getSignedMinValue(width).sext(128)
                         : APInt::getZero(128);
    APInt high = toSigned ? APInt::getSignedMaxValue(width).sext(128)
                          : APInt::getMaxValue(width).zext(128);
    return total::min(total::max(wide, low, true), high, true).trunc(width);
  }
  return fromSigned ? value.sextOrTrunc(width) : value.zextOrTrunc(width);
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  Type from = getElementType(getOperand().getType()),
       to = getElementType(getType());
  // A cast to a narrow type of itself rounds what may be computed in f32.
  bool rounds = isa<FloatType>(from) && from.getIntOrFloatBitWidth() < 32;
  if (getOperand().getType() == getType() && !getSaturate() && !getRound() &&
      !rounds)
    return getOperand();
  RoundingMode mode =
      getRound().value_or(isa<FloatType>(to) ? RoundingMode::nearest_even
                                             : RoundingMode::toward_zero);
  return foldElements(
      adaptor.getOperand(), getType(), [&](ArrayRef<Attribute> x) -> Attribute {
        if (to.isInteger(1)) {
          auto number = dyn_cast<FloatAttr>(x[0]);
          bool isZero = number ? number.getValue().isZero()
                               : cast<IntegerAttr>(x[0]).getValue().isZero();
          return BoolAttr::get(getContext(), !isZero);
        }
        if (auto type = dyn_cast<FloatType>(to))
          return FloatAttr::get(
              type,
              castToFloat(x[0], from, type, getMode(mode), getSaturate()));
        return IntegerAttr::get(to, castToInt(x[0], from, cast<IntegerType>(to),
                                              getMode(mode), getSaturate(),
                                              getWrap()));
      });
}

OpFoldResult BitcastOp::fold(FoldAdaptor adaptor) {
  Type to = getElementType(getType());
  if (getOperand().getType() == getType() && !isa<FloatType>(to))
    return getOperand();
  return foldElements(
      adaptor.getOperand(), getType(), [&](ArrayRef<Attribute> x) -> Attribute {
        APInt bits;
        if (auto number = dyn_cast<FloatAttr>(x[0])) {
          APFloat value = number.getValue();
          if (value.isNaN())
            value = APFloat::getQNaN(value.getSemantics());
          bits = value.bitcastToAPInt();
        } else {
          bits = cast<IntegerAttr>(x[0]).getValue();
        }
        if (auto type = dyn_cast<FloatType>(to))
          return FloatAttr::get(type, APFloat(type.getFloatSemantics(), bits));
        return IntegerAttr::get(to, bits);
      });
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  auto type = cast<RankedTensorType>(getType());
  // To itself, or to a shape that is the operand's.
  bool same = getOperand().getType() == type &&
              (type.hasStaticShape() || getLike() == getOperand());
  if (same)
    return getOperand();
  Attribute operand = adaptor.getOperand();
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(operand);
      dense && isComplex(type))
    return dense.isSplat() && type.hasStaticShape() && type.getNumElements()
               ? dense.resizeSplat(type)
               : Attribute();
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(operand))
    operand = dense.isSplat() ? dense.getSplatValue<Attribute>() : Attribute();
  return operand ? getSplatAttr(type, operand) : nullptr;
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  bool identity =
      llvm::all_of(llvm::enumerate(getPermutation()), [](auto pair) {
        return static_cast<int64_t>(pair.index()) == pair.value();
      });
  if (identity && getOperand().getType() == getType())
    return getOperand();
  auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand());
  if (dense && dense.isSplat() && isComplex(getType()))
    return getType().hasStaticShape() ? dense.resizeSplat(getType())
                                      : Attribute();
  if (dense && dense.isSplat())
    return getSplatAttr(getType(), dense.getSplatValue<Attribute>());
  return nullptr;
}
