//===- EwConstants.cpp - Arithmetic on constants --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EwConstants.h"

using namespace mlir;
using namespace ew;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Attribute ew::getSplatAttr(Type type, Attribute number) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return number;
  if (!shaped.hasStaticShape() || shaped.getNumElements() == 0)
    return nullptr;
  return DenseElementsAttr::get(shaped, number);
}

Attribute ew::getIntAttr(Type type, const APInt &value) {
  return getSplatAttr(type, IntegerAttr::get(getElementType(type), value));
}

Attribute ew::foldElements(ArrayRef<Attribute> operands, Type resultType,
                           function_ref<Attribute(ArrayRef<Attribute>)> fn) {
  constexpr int64_t maxElements = 1024;
  // Complex numbers are folded by their parts, once they are split.
  if (isComplex(resultType) || llvm::any_of(operands, [](Attribute a) {
        auto dense = dyn_cast_or_null<DenseElementsAttr>(a);
        return dense && isa<ComplexType>(dense.getElementType());
      }))
    return nullptr;
  if (llvm::any_of(operands, [](Attribute a) {
        return !isa_and_nonnull<FloatAttr, IntegerAttr, DenseElementsAttr>(a);
      }))
    return nullptr;
  auto shaped = dyn_cast<ShapedType>(resultType);
  if (!shaped)
    return fn(operands);
  if (!shaped.hasStaticShape() || shaped.getNumElements() == 0)
    return nullptr;
  auto isSplat = [](Attribute a) {
    return cast<DenseElementsAttr>(a).isSplat();
  };
  SmallVector<Attribute, 3> scalars;
  if (llvm::all_of(operands, isSplat)) {
    for (Attribute operand : operands)
      scalars.push_back(
          cast<DenseElementsAttr>(operand).getSplatValue<Attribute>());
    Attribute number = fn(scalars);
    return number ? getSplatAttr(resultType, number) : nullptr;
  }
  if (shaped.getNumElements() > maxElements)
    return nullptr;
  SmallVector<Attribute> results;
  for (int64_t i = 0, e = shaped.getNumElements(); i < e; ++i) {
    scalars.clear();
    for (Attribute operand : operands)
      scalars.push_back(
          cast<DenseElementsAttr>(operand).getValues<Attribute>()[i]);
    results.push_back(fn(scalars));
    if (!results.back())
      return nullptr;
  }
  return DenseElementsAttr::get(shaped, results);
}

Attribute ew::foldNumbers(ArrayRef<Attribute> operands, Type resultType,
                          FoldFloat onFloat, FoldInt onInt) {
  Type element = getElementType(resultType);
  return foldElements(
      operands, resultType, [&](ArrayRef<Attribute> scalars) -> Attribute {
        if (auto type = dyn_cast<FloatType>(element)) {
          if (!onFloat)
            return nullptr;
          SmallVector<APFloat, 3> values;
          for (Attribute scalar : scalars)
            values.push_back(cast<FloatAttr>(scalar).getValue());
          APFloat::opStatus status = APFloat::opOK;
          APFloat result = onFloat(values, status);
          if (type.getWidth() < 32 && status != APFloat::opOK)
            return nullptr;
          return FloatAttr::get(type, result);
        }
        if (!onInt)
          return nullptr;
        SmallVector<APInt, 3> values;
        for (Attribute scalar : scalars)
          values.push_back(cast<IntegerAttr>(scalar).getValue());
        return IntegerAttr::get(element,
                                onInt(values, isSignedInteger(element)));
      });
}

Attribute ew::getSplat(Value value) {
  // Views of a splat are splats.
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<BroadcastOp, TransposeOp>(op))
      break;
    value = op->getOperand(0);
  }
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || isComplex(value.getType()))
    return nullptr;
  Attribute attr = constant.getValue();
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.isSplat() ? dense.getSplatValue<Attribute>() : nullptr;
  return isa<FloatAttr, IntegerAttr>(attr) ? attr : nullptr;
}

std::optional<APFloat> ew::getSplatFloat(Value value) {
  if (auto number = dyn_cast_or_null<FloatAttr>(getSplat(value)))
    return number.getValue();
  return std::nullopt;
}

std::optional<APInt> ew::getSplatInt(Value value) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(getSplat(value)))
    return number.getValue();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

APInt total::div(const APInt &x, const APInt &y, bool isSigned) {
  if (y.isZero())
    return APInt::getAllOnes(x.getBitWidth());
  return isSigned ? x.sdiv(y) : x.udiv(y);
}

APInt total::floorDiv(const APInt &x, const APInt &y, bool isSigned) {
  APInt quotient = div(x, y, isSigned);
  bool inexact = !y.isZero() && !rem(x, y, isSigned).isZero();
  if (isSigned && inexact && x.isNegative() != y.isNegative())
    --quotient;
  return quotient;
}

APInt total::rem(const APInt &x, const APInt &y, bool isSigned) {
  if (y.isZero())
    return x;
  return isSigned ? x.srem(y) : x.urem(y);
}

APInt total::mod(const APInt &x, const APInt &y, bool isSigned) {
  APInt remainder = rem(x, y, isSigned);
  if (!y.isZero() && isSigned && !remainder.isZero() &&
      remainder.isNegative() != y.isNegative())
    remainder += y;
  return remainder;
}

APInt total::pow(const APInt &x, const APInt &y, bool isSigned) {
  unsigned width = x.getBitWidth();
  APInt one(width, 1), result = one, base = x, exponent = y;
  if (isSigned && y.isNegative()) {
    if (x.isOne())
      return x;
    if (x.isAllOnes())
      return y[0] ? x : one;
    return APInt::getZero(width);
  }
  for (; !exponent.isZero(); exponent.lshrInPlace(1)) {
    if (exponent[0])
      result *= base;
    base *= base;
  }
  return result;
}

APInt total::shl(const APInt &x, const APInt &y) {
  return y.uge(x.getBitWidth()) ? APInt::getZero(x.getBitWidth()) : x.shl(y);
}

APInt total::shr(const APInt &x, const APInt &y, bool isSigned) {
  unsigned width = x.getBitWidth();
  if (isSigned)
    return x.ashr(y.uge(width) ? width - 1 : y.getZExtValue());
  return y.uge(width) ? APInt::getZero(width) : x.lshr(y);
}

APInt total::max(const APInt &x, const APInt &y, bool isSigned) {
  return (isSigned ? x.sgt(y) : x.ugt(y)) ? x : y;
}

APInt total::min(const APInt &x, const APInt &y, bool isSigned) {
  return (isSigned ? x.slt(y) : x.ult(y)) ? x : y;
}
