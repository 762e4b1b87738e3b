//===- Raiser.cpp - Builds ew ops for ops of other dialects ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Conversion/Raising.h"

#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ew;

Type ew::getRaisedElementType(Type element) {
  if (element.isIndex())
    return IntegerType::get(element.getContext(), 64);
  if (auto integer = dyn_cast<IntegerType>(element)) {
    unsigned width = integer.getWidth();
    if (width == 1)
      return integer.isSignless() ? element : Type();
    bool fits = width == 8 || width == 16 || width == 32 || width == 64;
    return fits && !integer.isSigned() ? element : Type();
  }
  if (isa<Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType,
          Float8E5M2Type>(element))
    return element;
  if (auto complex = dyn_cast<ComplexType>(element);
      complex && isa<Float64Type, Float32Type>(complex.getElementType()))
    return element;
  return Type();
}

bool ew::isRaised(Type type) {
  Type element = getElementType(type);
  if (getRaisedElementType(element) != element)
    return false;
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? !tensor.getEncoding() : type == element;
}

std::string ew::toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << '\'' << type << '\'';
  return text;
}

RaisingTable::RaisingTable() {
  populateArithToEw(*this);
  populateComplexToEw(*this);
  populateMathToEw(*this);
  populateTosaToEw(*this);
}

/// What docs/Semantics.md has fast-math flags say of the mode.
static bool areFlagsFast(Operation *op) {
  auto flagged = dyn_cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlagsAttr flags =
      flagged ? flagged.getFastMathFlagsAttr() : nullptr;
  if (!flags)
    return false;
  auto has = [&](arith::FastMathFlags flag) {
    return arith::bitEnumContainsAll(flags.getValue(), flag);
  };
  return has(arith::FastMathFlags::afn) ||
         (isa<arith::DivFOp>(op) && has(arith::FastMathFlags::arcp));
}

void Raiser::handOnMode(Operation *source, Operation *before,
                        Operation *end) const {
  Attribute mode = source->getAttr(kModeAttr);
  bool isByFlags = !mode && takesFlags && areFlagsFast(source);
  if (isByFlags)
    mode = builder.getStringAttr(getName(Mode::Fast));
  if (!mode)
    return;
  for (Operation *built = end->getPrevNode(); built != before;
       built = built->getPrevNode())
    if (isa_and_present<EwDialect>(built->getDialect()) &&
        built->getNumResults() == 1 && !built->hasAttr(kModeAttr) &&
        !built->hasTrait<OpTrait::ConstantLike>() &&
        !isa<BroadcastOp, TransposeOp, IotaOp>(built) &&
        (!isByFlags || isBoundRelative(built, Mode::Fast)))
      built->setAttr(kModeAttr, mode);
}

Value Raiser::cmp(CmpPredicate predicate, Value lhs, Value rhs) {
  return CmpOp::create(builder, loc, getBoolTypeLike(lhs.getType()), predicate,
                       lhs, rhs);
}

Value Raiser::select(Value condition, Value ifTrue, Value ifFalse) {
  return SelectOp::create(builder, loc, ifTrue.getType(), condition, ifTrue,
                          ifFalse);
}

Value Raiser::cast(Value value, Type element) {
  if (getElementType(value.getType()) == element)
    return value;
  return CastOp::create(builder, loc, getTypeLike(value.getType(), element),
                        value, RoundingModeAttr(), UnitAttr(), UnitAttr());
}

Value Raiser::bitcast(Value value, Type element) {
  if (getElementType(value.getType()) == element)
    return value;
  return BitcastOp::create(builder, loc, getTypeLike(value.getType(), element),
                           value);
}

Value Raiser::toUnsigned(Value value) {
  auto element = mlir::cast<IntegerType>(getElementType(value.getType()));
  if (element.getWidth() == 1)
    return value;
  return bitcast(value, builder.getIntegerType(element.getWidth(),
                                               /*isSigned=*/false));
}

Value Raiser::toSignless(Value value) {
  auto element = mlir::cast<IntegerType>(getElementType(value.getType()));
  return bitcast(value, builder.getIntegerType(element.getWidth()));
}

Value Raiser::resize(Value value, Type element, bool isSigned) {
  unsigned from = getElementType(value.getType()).getIntOrFloatBitWidth();
  unsigned to = element.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  // A cast to a boolean asks for any bit; to cut keeps the lowest.
  if (to == 1)
    return cast(create<AndOp>({value, constant(value, 1)}), element);
  if (from == 1) {
    Value number = cast(value, element);
    return isSigned ? create<NegOp>(number) : number;
  }
  if (to > from && !isSigned)
    value = toUnsigned(value);
  return cast(value, element);
}

Value Raiser::constant(Value like, TypedAttr number) {
  Value scalar = ConstantOp::create(builder, loc, number.getType(), number);
  if (auto type = dyn_cast<RankedTensorType>(like.getType()))
    return broadcast(scalar, type, like);
  return scalar;
}

Value Raiser::constant(Value like, int64_t number) {
  Type element = getElementType(like.getType());
  if (isa<FloatType>(element))
    return constant(like, builder.getFloatAttr(element, double(number)));
  return constant(like, builder.getIntegerAttr(element, number));
}

Value Raiser::constant(Value like, const APFloat &number) {
  return constant(like, TypedAttr(builder.getFloatAttr(
                            getElementType(like.getType()), number)));
}

Value Raiser::complexConstant(ComplexType type, ArrayAttr parts) {
  SmallVector<Value> values;
  for (Attribute part : parts)
    values.push_back(ConstantOp::create(builder, loc, type.getElementType(),
                                        mlir::cast<TypedAttr>(part)));
  return ComplexOp::create(builder, loc, type, values[0], values[1]);
}

Value Raiser::broadcast(Value scalar, RankedTensorType type, Value like) {
  if (type.hasStaticShape())
    like = Value();
  return BroadcastOp::create(builder, loc, type, scalar, like);
}
