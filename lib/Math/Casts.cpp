//===- Casts.cpp - Conversions between element types ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every conversion rounds once. Those to types narrower than f32 are done in
// integers where the target's instruction is missing, flushes subnormals (x86's
// to bf16) or would round a second time.
//
//===----------------------------------------------------------------------===//

#include "Implementations.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;

//===----------------------------------------------------------------------===//
// Floating point to floating point
//===----------------------------------------------------------------------===//

namespace {

struct Format {
  explicit Format(Type element) {
    const llvm::fltSemantics &s = cast<FloatType>(element).getFloatSemantics();
    width = element.getIntOrFloatBitWidth();
    mantissa = APFloat::semanticsPrecision(s) - 1;
    minExponent = APFloat::semanticsMinExponent(s);
    largest = APFloat::getLargest(s).bitcastToAPInt();
    hasInfinity = APFloat::semanticsHasInf(s);
    quietNan =
        APFloat::getNaN(s).bitcastToAPInt() & APInt::getSignedMaxValue(width);
    infinity = hasInfinity ? APFloat::getInf(s).bitcastToAPInt() : quietNan;
  }
  unsigned width, mantissa;
  int minExponent;
  APInt largest, infinity, quietNan;
  bool hasInfinity;
};

/// f32 or f64 to a narrower format, in integers: the significand is shifted to
/// the format's last place, further for subnormal results, and rounded; a carry
/// moves into the exponent by itself.
static V roundInIntegers(V x, Type element, RoundingMode mode, bool saturate) {
  Format from(x.element()), to(element);
  V raw = bits(x);
  auto wide = [&](const APInt &value) {
    return raw.splatInt(value.zext(from.width));
  };
  V sign = raw & raw.splatInt(APInt::getSignMask(from.width));
  V isNegative = lt(raw, 0);
  V magnitude = raw ^ sign;
  V exponent = shr(magnitude, from.mantissa);
  V fraction =
      magnitude & raw.splatInt(APInt::getLowBitsSet(from.width, from.mantissa));
  V implicit = raw.splatInt(APInt::getOneBitSet(from.width, from.mantissa));
  V significand = select(eq(exponent, 0), fraction, fraction | implicit);

  // The exponent counted from the format's smallest normal one; at or below
  // zero the result is subnormal.
  int bias = 1 - from.minExponent;
  V above = smax(exponent, exponent.splatInt(1)) - (bias + to.minExponent);
  V isNormal = ge(above, 0);
  V base = select(isNormal, above << from.mantissa, 0);
  V places =
      smin(select(isNormal, 0, 0 - above), raw.splatInt(from.mantissa + 2));
  unsigned drop = from.mantissa - to.mantissa;
  // Half a place of a significand shifted out entirely must stay visible.
  V shift = smin(places + drop, raw.splatInt(from.width - 2));
  V value = base + significand;
  V one = raw.splatInt(1);
  V unit = one << shift;

  V increment;
  auto lastPlace = [&] { return shrUnsigned(value, shift) & 1; };
  switch (mode) {
  case RoundingMode::nearest_even:
    increment = shr(unit, 1) - 1 + lastPlace();
    break;
  case RoundingMode::nearest_away:
    increment = shr(unit, 1);
    break;
  case RoundingMode::toward_zero:
    increment = raw.splatInt(0);
    break;
  case RoundingMode::upward:
    increment = select(isNegative, 0, unit - 1);
    break;
  case RoundingMode::downward:
    increment = select(isNegative, unit - 1, 0);
    break;
  }
  V result = shrUnsigned(value + increment, shift);

  // A value whose rounding stops below infinity overflows to the largest
  // number.
  V infinity = wide(to.infinity), largest = wide(to.largest);
  V overflow = infinity;
  if (mode == RoundingMode::toward_zero)
    overflow = largest;
  else if (mode == RoundingMode::upward)
    overflow = select(isNegative, largest, infinity);
  else if (mode == RoundingMode::downward)
    overflow = select(isNegative, infinity, largest);
  V fromInfinity = raw.splatInt(from.infinity);
  if (saturate) {
    overflow = largest;
    result = select(eq(magnitude, fromInfinity), largest, result);
  } else {
    overflow = select(eq(magnitude, fromInfinity), infinity, overflow);
  }
  V tooLarge = ugtInt(result, largest) | ugtInt(magnitude, fromInfinity - 1);
  result = select(tooLarge, overflow, result);
  V signBit = shr(sign, from.width - to.width);
  result = result | signBit;
  // A format whose infinity is a NaN gives the canonical one.
  V isNan = ugtInt(magnitude, fromInfinity);
  if (!to.hasInfinity)
    isNan = isNan | eq(result & wide(to.quietNan), wide(to.quietNan));
  result = select(isNan, wide(to.quietNan), result);
  V narrow = truncate(result, to.width);
  return to.width == 8 ? narrow : fromBits(narrow, element);
}

/// f32 to bf16, which is its upper half.
static V roundToBF16(V x) {
  V raw = bits(x);
  V rounded = shr(raw + (0x7fff + (shr(raw, 16) & 1)), 16);
  V result = truncate(select(isNan(x), 0x7fc0, rounded), 16);
  return fromBits(result, x.e().getBF16Type());
}

/// Infinities to the largest number of their sign.
static V saturateInfinity(V x, Type element) {
  Format format(element);
  V raw = bits(x);
  V sign = raw & raw.splatInt(APInt::getSignMask(format.width));
  V isInfinity = eq(raw ^ sign, raw.splatInt(format.infinity));
  return fromBits(select(isInfinity, sign | raw.splatInt(format.largest), raw),
                  element);
}

/// Calls `convert` on pairs of elements; a scalar, and a last element without a
/// partner, go with themselves. It returns a vector of two.
static V byPairs(V x, Type resultElement,
                 function_ref<Value(Value, Value)> convert) {
  Emitter &e = x.e();
  auto vector = dyn_cast<VectorType>(x.type());
  if (!vector)
    return V(e, vector::ExtractOp::create(e, convert(x.get(), x.get()), 0));
  SmallVector<Value> results;
  for (int64_t i = 0, n = vector.getNumElements(); i < n; i += 2) {
    Value first = vector::ExtractOp::create(e, x.get(), i);
    Value second =
        i + 1 < n ? vector::ExtractOp::create(e, x.get(), i + 1).getResult()
                  : first;
    Value pair = convert(first, second);
    results.push_back(vector::ExtractOp::create(e, pair, 0));
    if (i + 1 < n)
      results.push_back(vector::ExtractOp::create(e, pair, 1));
  }
  return V(e, vector::FromElementsOp::create(e, vector.clone(resultElement),
                                             results));
}

/// Chips from sm_89 on have conversions between f32 and 8-bit floats, to
/// nearest and with saturation.
static bool hasF8Conversions(Emitter &e) {
  return e.target == Target::NVPTX && e.sm >= 89;
}

static V roundToF8(V x, Type element, bool saturate, const Interval &range) {
  Emitter &e = x.e();
  auto pairType = VectorType::get({2}, e.intType(8));
  V result = byPairs(x, e.intType(8), [&](Value first, Value second) -> Value {
    return NVVM::ConvertF32x2ToF8x2Op::create(
        e, pairType, second, first, NVVM::FPRoundingMode::RN,
        NVVM::SaturationMode::SATFINITE, false, element);
  });
  bool isE4M3 = isa<Float8E4M3FNType>(element);
  // Numbers that round past the largest one, which a tie does where that is
  // odd.
  double limit = isE4M3 ? 464.0 : 61439.0;
  if (saturate || (range.isFinite() && range.isWithin(-limit, limit)))
    return result;
  if (isE4M3)
    return select(compare(CmpPredicate::ugt, abs(x), x.splat(464.0)), 0x7f,
                  result);
  V sign = truncate(shr(bits(x), 24), 8) & 0x80;
  return select(ge(abs(x), 61440.0), sign | 0x7c, result);
}

static V widenF8(V value, Type element) {
  Emitter &e = value.e();
  auto pairType = VectorType::get({2}, e.getF16Type());
  V half =
      byPairs(value, e.getF16Type(), [&](Value first, Value second) -> Value {
        Value pair = vector::FromElementsOp::create(
            e, VectorType::get({2}, e.intType(8)), ValueRange{first, second});
        return NVVM::ConvertF8x2ToF16x2Op::create(e, pairType, pair, false,
                                                  element);
      });
  return extendFloat(half, e.getF32Type());
}

/// bf16 is the upper half of f32. In pairs, as a GPU's registers hold them,
/// each half takes one instruction.
static V widenPairs(V value) {
  Emitter &e = value.e();
  auto vector = cast<VectorType>(value.type());
  int64_t pairs = vector.getNumElements() / 2;
  V both(e, vector::BitCastOp::create(
                e, VectorType::get({pairs}, e.intType(32)), value.get()));
  V halves[] = {both << 16, both & -0x10000};
  SmallVector<Value> elements;
  for (int64_t i = 0; i < pairs; ++i)
    for (V half : halves)
      elements.push_back(vector::ExtractOp::create(e, half.get(), i));
  V raw(e, vector::FromElementsOp::create(e, vector.clone(e.intType(32)),
                                          elements));
  return fromBits(raw, e.getF32Type());
}

} // namespace

V ew::math::widen(V value, Type element) {
  Emitter &e = value.e();
  if (element.isF32() || element.isF64())
    return value;
  auto vector = dyn_cast<VectorType>(value.type());
  if (element.isBF16() && e.target == Target::NVPTX && vector &&
      vector.getNumElements() % 2 == 0)
    return widenPairs(value);
  if (element.isBF16())
    return fromBits(extendUnsigned(bits(value), 32) << 16, e.getF32Type());
  if (element.isF16())
    return extendFloat(value, e.getF32Type());
  if (hasF8Conversions(e))
    return widenF8(value, element);
  if (isa<Float8E5M2Type>(element))
    return extendFloat(fromBits(extendUnsigned(value, 16) << 8, e.getF16Type()),
                       e.getF32Type());
  // f8E4M3FN: exponent and fraction moved to f32's places are 2^120 too small,
  // subnormals as well; the product is exact.
  V raw = extendUnsigned(value, 32);
  V magnitude = raw & 0x7f;
  V number = fromBits(magnitude << 20, e.getF32Type()) * 0x1p120;
  V result = bits(number) | ((raw & 0x80) << 24);
  result = select(eq(magnitude, 0x7f), 0x7fc00000, result);
  return fromBits(result, e.getF32Type());
}

V ew::math::roundTo(V x, Type element, RoundingMode mode, bool saturate,
                    Interval range) {
  Emitter &e = x.e();
  if (element == x.element())
    return saturate ? saturateInfinity(x, element) : x;
  if (element.isF64()) {
    V result = extendFloat(x, element);
    if (!saturate)
      return result;
    return saturateInfinity(result, element);
  }
  bool nearest = mode == RoundingMode::nearest_even;
  bool fromF32 = x.element().isF32(), onGPU = e.target == Target::NVPTX;
  if (nearest && element.isF32()) {
    V result = truncateFloat(x, element);
    return saturate ? saturateInfinity(result, element) : result;
  }
  if (nearest && fromF32 && element.isBF16()) {
    V result = onGPU ? truncateFloat(x, element) : roundToBF16(x);
    return saturate ? saturateInfinity(result, element) : result;
  }
  if (nearest && element.isF16() && (fromF32 || onGPU)) {
    V result = truncateFloat(x, element);
    return saturate ? saturateInfinity(result, element) : result;
  }
  if (nearest && fromF32 && element.getIntOrFloatBitWidth() == 8 &&
      hasF8Conversions(e))
    return roundToF8(x, element, saturate, range);
  return roundInIntegers(x, element, mode, saturate);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

namespace {

/// To f64 or a narrower type. What f64 cannot hold exactly keeps its upper bits
/// and, in the last of f64's places, whether there were others: no rounding to
/// fewer digits can tell the difference.
static V throughF64(V x, const Call &c, RoundingMode mode, bool saturate) {
  Emitter &e = x.e();
  Type f64 = e.getF64Type();
  V wide = resizeSigned(x, 64);
  if (!c.isSigned())
    wide = resizeUnsigned(x, 64);
  if (x.width() == 64) {
    V magnitude = c.isSigned() ? select(lt(wide, 0), -wide, wide) : wide;
    V isLong = ugtInt(magnitude, (int64_t(1) << 53) - 1);
    V sticky = select(eq(wide & 0x7ff, 0), wide.splatInt(0), 0x800);
    wide = select(isLong, (wide & ~int64_t(0x7ff)) | sticky, wide);
  }
  V number = c.isSigned() ? fromSigned(wide, f64) : fromUnsigned(wide, f64);
  return roundTo(number, c.to, mode, saturate);
}

/// A 64-bit integer to f64 in a directed mode: the digits that do not fit are
/// dropped, and the next number taken where the mode moves away from zero.
static V longToF64(V x, const Call &c, RoundingMode mode) {
  Emitter &e = x.e();
  Type f64 = e.getF64Type();
  V isNegative = c.isSigned() ? lt(x, 0) : ne(x, x);
  V magnitude = select(isNegative, -x, x);
  V excess = smax(11 - countLeadingZeros(magnitude), x.splatInt(0));
  V unit = x.splatInt(1) << excess;
  V kept = magnitude & (x.splatInt(0) - unit);
  V rest = magnitude - kept;
  V isAway;
  switch (mode) {
  case RoundingMode::nearest_away:
    isAway = ugtInt(unit, 1) & ~ultInt(rest, shr(unit, 1));
    break;
  case RoundingMode::upward:
    isAway = ne(rest, 0) & ~isNegative;
    break;
  case RoundingMode::downward:
    isAway = ne(rest, 0) & isNegative;
    break;
  default:
    isAway = ne(x, x);
    break;
  }
  V raw = bits(fromUnsigned(kept, f64));
  raw = raw + select(isAway, raw.splatInt(1), 0);
  raw = raw | select(isNegative, raw.splatInt(APInt::getSignMask(64)), 0);
  return fromBits(raw, f64);
}

static V integerToFloat(V x, const Call &c, RoundingMode mode, bool saturate) {
  Emitter &e = x.e();
  bool nearest = mode == RoundingMode::nearest_even;
  auto direct = [&](Type type) {
    return c.isSigned() ? fromSigned(x, type) : fromUnsigned(x, type);
  };
  if (c.to.isF64()) {
    if (nearest || x.width() < 64)
      return direct(c.to);
    return longToF64(x, c, mode);
  }
  if (c.to.isF32() && (nearest || x.width() <= 16))
    return direct(c.to);
  // 16 bits fit f32 exactly.
  if (x.width() <= 16)
    return roundTo(direct(e.getF32Type()), c.to, mode, saturate);
  return throughF64(x, c, mode, saturate);
}

/// To i32 toward zero, saturating, a NaN becoming 0.
static V toSaturated32(V x, bool isSigned) {
  Emitter &e = x.e();
  // What the instruction does where the operand is f32.
  if (e.target == Target::NVPTX && x.element().isF32())
    return e.scalarIntrinsic(
        isSigned ? "llvm.nvvm.f2i.rz" : "llvm.nvvm.f2ui.rz", e.intType(32), x);
  return e.intrinsic(isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat",
                     e.intType(32), x);
}

/// The integer part modulo 2^width; 0 of what is not finite. The significand is
/// shifted to its place, in as many bits as the result or the operand has.
static V toWrapped(V x, unsigned width) {
  Format format(x.element());
  unsigned wide = std::max(format.width, width > 32 ? 64u : 32u);
  V raw = bits(x);
  V isNegative = lt(resizeSigned(raw, wide), 0);
  V magnitude = resizeUnsigned(
      raw & raw.splatInt(APInt::getSignedMaxValue(format.width)), wide);
  V exponent = shr(magnitude, format.mantissa);
  V significand =
      (magnitude &
       magnitude.splatInt(APInt::getLowBitsSet(wide, format.mantissa))) |
      magnitude.splatInt(APInt::getOneBitSet(wide, format.mantissa));
  // By how many places the significand's last bit stands above the ones'. What
  // is below 1 is shifted out, a subnormal number whatever its bits.
  V places =
      exponent - (1 - format.minExponent + static_cast<int>(format.mantissa));
  V last = places.splatInt(wide - 1);
  V none = places.splatInt(0);
  V left = significand << smin(smax(places, none), last);
  V right = shr(significand, smin(smax(none - places, none), last));
  V integer = select(gt(places, 0), left, right);
  // Shifted out to the left; infinities and NaNs are among them.
  integer = select(gt(places, last), 0, integer);
  return resizeUnsigned(select(isNegative, -integer, integer), width);
}

static V floatToInteger(V x, const Call &c, std::optional<RoundingMode> mode,
                        bool wrap) {
  Emitter &e = x.e();
  switch (mode.value_or(RoundingMode::toward_zero)) {
  case RoundingMode::toward_zero:
    break;
  case RoundingMode::nearest_even:
    x = roundEven(x);
    break;
  case RoundingMode::nearest_away:
    x = round(x);
    break;
  case RoundingMode::upward:
    x = ceil(x);
    break;
  case RoundingMode::downward:
    x = floor(x);
    break;
  }
  bool isSigned = isSignedInteger(c.to);
  unsigned width = c.to.getIntOrFloatBitWidth();
  if (wrap)
    return toWrapped(x, width);
  if (width == 64)
    return e.intrinsic(isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat",
                       e.intType(64), x);
  if (width == 32)
    return toSaturated32(x, isSigned);
  APInt low =
      isSigned ? APInt::getSignedMinValue(width).sext(32) : APInt(32, 0);
  APInt high = isSigned ? APInt::getSignedMaxValue(width).sext(32)
                        : APInt::getMaxValue(width).zext(32);
  V number = toSaturated32(x, /*isSigned=*/true);
  // No rounding to an integer leaves these bounds; a NaN becomes 0.
  const Interval &range = c.ranges[0];
  if (range.isFinite() &&
      range.isWithin(low.getSExtValue(), high.getSExtValue()))
    return truncate(number, width);
  return truncate(
      smin(smax(number, number.splatInt(low)), number.splatInt(high)), width);
}

static V integerToInteger(V x, const Call &c, bool saturate) {
  unsigned from = x.width(), to = c.to.getIntOrFloatBitWidth();
  bool fromSigned = c.isSigned(), toSigned = isSignedInteger(c.to);
  if (saturate) {
    // The bounds of the result that the operand's type can reach.
    if (fromSigned && !toSigned)
      x = smax(x, x.splatInt(0));
    if (to < from || (to == from && toSigned && !fromSigned)) {
      APInt high =
          toSigned ? APInt::getSignedMaxValue(to) : APInt::getMaxValue(to);
      V highest = x.splatInt(high.zext(from));
      x = fromSigned ? smin(x, highest) : umin(x, highest);
    }
    if (to < from && fromSigned && toSigned)
      x = smax(x, x.splatInt(APInt::getSignedMinValue(to).sext(from)));
  }
  return fromSigned ? resizeSigned(x, to) : resizeUnsigned(x, to);
}

static V emitCast(Emitter &e, const Call &c) {
  auto op = cast<CastOp>(c.op);
  V x = c.args[0];
  bool saturate = op.getSaturate();
  RoundingMode mode = op.getRound().value_or(RoundingMode::nearest_even);
  if (c.from == c.to && !(saturate && isa<FloatType>(c.to)))
    return x;
  if (isa<FloatType>(c.from)) {
    x = widen(x, c.from);
    if (c.to.isInteger(1))
      return ne(x, 0);
    if (!isa<FloatType>(c.to))
      return floatToInteger(x, c, op.getRound(), op.getWrap());
    return roundTo(x, c.to, mode, saturate, c.ranges[0]);
  }
  if (c.from.isInteger(1)) {
    V wide = extendUnsigned(
        x, isa<FloatType>(c.to) ? 32 : c.to.getIntOrFloatBitWidth());
    if (!isa<FloatType>(c.to))
      return wide;
    V number = fromUnsigned(wide, c.to.isF64() ? c.to : e.getF32Type());
    return roundTo(number, c.to);
  }
  if (c.to.isInteger(1))
    return ne(x, 0);
  if (isa<FloatType>(c.to))
    return integerToFloat(x, c, mode, saturate);
  return integerToInteger(x, c, saturate);
}

} // namespace

void ew::math::addCasts(Implementations &table) {
  table.add<CastOp>({Any, Everywhere, 0.5, 4, emitCast});
}
