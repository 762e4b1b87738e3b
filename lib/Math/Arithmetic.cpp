//===- Arithmetic.cpp - Exact and correctly rounded ops, and bits ---------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Implementations.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;

//===----------------------------------------------------------------------===//
// Bits of a floating-point value
//===----------------------------------------------------------------------===//

namespace {

struct Layout {
  APInt sign, infinity, quietNan;
  bool hasInfinity;
};

static Layout getLayout(Type element) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(element).getFloatSemantics();
  Layout layout;
  layout.sign = APInt::getSignMask(element.getIntOrFloatBitWidth());
  // f8E4M3FN has no infinity, and its one NaN is what all ones would be.
  layout.hasInfinity = APFloat::semanticsHasInf(semantics);
  layout.quietNan = APFloat::getNaN(semantics).bitcastToAPInt() & ~layout.sign;
  layout.infinity = layout.hasInfinity
                        ? APFloat::getInf(semantics).bitcastToAPInt()
                        : layout.quietNan;
  return layout;
}

static V magnitudeBits(V x, Type element) {
  V raw = bits(x);
  return raw & raw.splatInt(~getLayout(element).sign);
}

/// Bits to the form in which values of `element` are passed around.
static V toForm(V raw, Type element) {
  return element.getIntOrFloatBitWidth() == 8 ? raw : fromBits(raw, element);
}

} // namespace

V ew::math::isNanBits(V raw, Type element) {
  Layout layout = getLayout(element);
  V magnitude = raw & raw.splatInt(~layout.sign);
  V infinity = raw.splatInt(layout.infinity);
  return layout.hasInfinity ? ugtInt(magnitude, infinity)
                            : eq(magnitude, infinity);
}

namespace {

static V emitIsNan(Emitter &e, const Call &c) {
  if (getKind(c.from) & Float)
    return isNan(c.args[0]);
  return isNanBits(bits(c.args[0]), c.from);
}

static V emitIsInf(Emitter &e, const Call &c) {
  Layout layout = getLayout(c.from);
  V magnitude = magnitudeBits(c.args[0], c.from);
  if (!layout.hasInfinity)
    return ne(magnitude, magnitude);
  return eq(magnitude, magnitude.splatInt(layout.infinity));
}

static V emitIsFinite(Emitter &e, const Call &c) {
  V magnitude = magnitudeBits(c.args[0], c.from);
  return ultInt(magnitude, magnitude.splatInt(getLayout(c.from).infinity));
}

static V emitSignbit(Emitter &e, const Call &c) {
  V raw = bits(c.args[0]);
  return lt(raw, 0) & ~isNanBits(raw, c.from);
}

static V emitAbs(Emitter &e, const Call &c) {
  return toForm(magnitudeBits(c.args[0], c.from), c.from);
}

static V emitNeg(Emitter &e, const Call &c) {
  V raw = bits(c.args[0]);
  return toForm(raw ^ raw.splatInt(getLayout(c.from).sign), c.from);
}

static V emitCopysign(Emitter &e, const Call &c) {
  V y = bits(c.args[1]);
  V sign =
      select(isNanBits(y, c.from), 0, y & y.splatInt(getLayout(c.from).sign));
  return toForm(magnitudeBits(c.args[0], c.from) | sign, c.from);
}

static V emitNextAfter(Emitter &e, const Call &c) {
  Layout layout = getLayout(c.from);
  V x = widen(c.args[0], c.from), y = widen(c.args[1], c.from);
  V xBits = bits(c.args[0]), yBits = bits(c.args[1]);
  // Away from zero the bits count up, whatever the sign.
  V away = eq(lt(x, y), gt(x, 0));
  V next = xBits + select(away, xBits.splatInt(1), -1);
  V fromZero = (yBits & yBits.splatInt(layout.sign)) | 1;
  next = select(eq(x, 0), fromZero, next);
  next = select(eq(x, y), yBits, next);
  next = select(compare(CmpPredicate::uno, x, y),
                xBits.splatInt(layout.quietNan), next);
  return toForm(next, c.from);
}

static V emitBitcast(Emitter &e, const Call &c) {
  V raw = bits(c.args[0]);
  if (isa<FloatType>(c.from))
    raw = select(isNanBits(raw, c.from),
                 raw.splatInt(getLayout(c.from).quietNan), raw);
  return isa<FloatType>(c.to) ? toForm(raw, c.to) : raw;
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

static V emitCmp(Emitter &e, const Call &c) {
  CmpPredicate predicate = cast<CmpOp>(c.op).getPredicate();
  if (isa<FloatType>(c.from))
    return compare(predicate, widen(c.args[0], c.from),
                   widen(c.args[1], c.from));
  return compare(predicate, c.args[0], c.args[1], c.isSigned());
}

static V emitSelect(Emitter &e, const Call &c) {
  return select(c.args[0], c.args[1], c.args[2]);
}

} // namespace

/// An extremum of a and b that a NaN wins. LLVM 22 gives the number on x86 with
/// AVX-512 for single elements where it knows that one operand is none and the
/// other one is a signaling NaN.
static V preferNaN(V extremum, V a, V b) {
  auto vector = dyn_cast<VectorType>(extremum.type());
  if (a.e().target == Target::NVPTX || (vector && vector.getNumElements() > 1))
    return extremum;
  return select(isNan(a), a, select(isNan(b), b, extremum));
}

V ew::math::floatMax(V a, V b) { return preferNaN(maximum(a, b), a, b); }
V ew::math::floatMin(V a, V b) { return preferNaN(minimum(a, b), a, b); }

namespace {

static V emitMax(Emitter &e, const Call &c) {
  return floatMax(c.args[0], c.args[1]);
}
static V emitMin(Emitter &e, const Call &c) {
  return floatMin(c.args[0], c.args[1]);
}
/// An extremum of a and b that a NaN does not win.
static V preferNumber(V extremum, V a, V b) {
  return select(isNan(a), b, select(isNan(b), a, extremum));
}
// LLVM 22 gives NaN on x86 with AVX-512 for the intrinsics of one element where
// it knows that one operand is a number and the other one is a NaN.
static V emitMaxnum(Emitter &e, const Call &c) {
  if (e.target == Target::NVPTX)
    return e.intrinsic("llvm.maximumnum", c.from, c.args);
  return preferNumber(floatMax(c.args[0], c.args[1]), c.args[0], c.args[1]);
}
static V emitMinnum(Emitter &e, const Call &c) {
  if (e.target == Target::NVPTX)
    return e.intrinsic("llvm.minimumnum", c.from, c.args);
  return preferNumber(floatMin(c.args[0], c.args[1]), c.args[0], c.args[1]);
}
static V emitClamp(Emitter &e, const Call &c) {
  return floatMin(floatMax(c.args[0], c.args[1]), c.args[2]);
}
/// A NaN stays, and -0 is not above 0.
static V emitRelu(Emitter &e, const Call &c) {
  V x = c.args[0];
  if (e.target == Target::NVPTX)
    return floatMax(x, x.splat(0.0));
  return select(le(x, 0), 0, x);
}
static V emitSign(Emitter &e, const Call &c) {
  V x = c.args[0];
  V one = copysign(x.splat(1.0), x);
  return select(compare(CmpPredicate::one, x, x.splat(0.0)), one, x);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static V emitSquare(Emitter &e, const Call &c) { return c.args[0] * c.args[0]; }
static V emitReciprocal(Emitter &e, const Call &c) { return 1.0 / c.args[0]; }
static V emitFma(Emitter &e, const Call &c) {
  return fma(c.args[0], c.args[1], c.args[2]);
}
/// Rounded once to a narrow type: the sum of the exact product is rounded to
/// f64, to the odd of two neighbours, which no later rounding to fewer digits
/// mistakes.
static V fmaOfNarrow(V a, V b, V c, Type type) {
  Emitter &e = a.e();
  auto wide = [&](V x) { return extendFloat(widen(x, type), e.getF64Type()); };
  V product = wide(a) * wide(b), addend = wide(c);
  V sum = product + addend;
  V part = sum - product;
  V lost = (product - (sum - part)) + (addend - part);
  V raw = bits(sum);
  V isEven = eq(raw & 1, 0);
  V step = select(lt(bits(lost) ^ raw, 0), raw.splatInt(-1), 1);
  V odd = fromBits(raw + step, e.getF64Type());
  V isInexact = compare(CmpPredicate::one, lost, lost.splat(0.0));
  return roundTo(select(isInexact & isEven, odd, sum), type);
}
static V emitNarrowFma(Emitter &, const Call &c) {
  return fmaOfNarrow(c.args[0], c.args[1], c.args[2], c.from);
}
static V emitNarrowLerp(Emitter &, const Call &c) {
  V difference = widen(c.args[1], c.from) - widen(c.args[0], c.from);
  return fmaOfNarrow(c.args[2], roundTo(difference, c.from), c.args[0], c.from);
}

static V emitLerp(Emitter &e, const Call &c) {
  V start = c.args[0], end = c.args[1], weight = c.args[2];
  return fma(weight, end - start, start);
}
static V emitLeakyRelu(Emitter &e, const Call &c) {
  V x = c.args[0];
  APFloat alpha = cast<LeakyReluOp>(c.op).getAlpha();
  bool losesInfo;
  alpha.convert(cast<FloatType>(c.from).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &losesInfo);
  if (getKind(c.from) & Float)
    return select(lt(x, 0), x * x.splat(alpha.convertToDouble()), x);
  V wide = widen(x, c.from);
  V product = roundTo(wide * alpha.convertToDouble(), c.from);
  return select(lt(wide, 0), product, x);
}

static V fmod(Emitter &e, V x, V y) {
  bool isF32 = x.element().isF32();
  if (e.target == Target::NVPTX)
    return e.call(isF32 ? "__nv_fmodf" : "__nv_fmod", x.element(), {x, y});
  return e.call(isF32 ? "fmodf" : "fmod", x.element(), {x, y});
}
static V emitRem(Emitter &e, const Call &c) {
  return fmod(e, c.args[0], c.args[1]);
}
static V emitMod(Emitter &e, const Call &c) {
  V x = c.args[0], y = c.args[1];
  V r = fmod(e, x, y);
  V moved = select(lt(bits(r) ^ bits(y), 0), r + y, r);
  return select(eq(r, 0), copysign(r, y), moved);
}

/// floor(x / y) of the exact quotient. The rounded quotient's floor is right
/// unless rounding reached an integer from below, or, above the range where
/// every integer is a number, unless the quotient lay less than 1 above the
/// middle of two numbers: its floor is then that middle, and goes to the even
/// one.
static V emitFloorDiv(Emitter &e, const Call &c) {
  V x = c.args[0], y = c.args[1];
  unsigned digits = cast<FloatType>(c.from).getFPMantissaWidth();
  V q = x / y;
  V down = floor(q);
  // The remainder's sign, exact: a multiple of both operands' last places.
  V r = fma(-down, y, x);
  V isBelow = ne(r, 0) & lt(bits(r) ^ bits(y), 0) & ~isNan(r);
  V small = select(isBelow, down - 1.0, down);
  V rawQ = bits(q);
  V half =
      (abs(q) -
       fromBits((rawQ & rawQ.splatInt(APInt::getSignedMaxValue(q.width()))) - 1,
                c.from)) *
      0.5;
  V aboveMiddle = fma(half - 1.0, y, r);
  V takesEven = ne(rawQ & 1, 0) & isBelow & ~isNan(aboveMiddle) &
                lt(bits(aboveMiddle) ^ bits(y), 0) & ne(aboveMiddle, 0);
  V large = select(takesEven, q - 2.0 * half, q);
  double everyInteger = std::ldexp(1.0, digits);
  V result = select(lt(abs(q), everyInteger), small, large);
  V infinity = x.splat(std::numeric_limits<double>::infinity());
  V isTiny = eq(abs(y), infinity) & lt(abs(x), infinity) & ne(x, 0) &
             lt(bits(x) ^ bits(y), 0);
  result = select(isTiny, x.splat(-1.0), result);
  // Infinities and NaNs of the quotient are the result.
  return select(lt(abs(q), infinity), result, q);
}

} // namespace

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void ew::math::addArithmetic(Implementations &table) {
  table.add<AddOp>({Float, Everywhere, 0.5, 1, emitBinary<add>});
  table.add<SubOp>({Float, Everywhere, 0.5, 1, emitBinary<sub>});
  table.add<MulOp>({Float, Everywhere, 0.5, 1, emitBinary<mul>});
  table.add<DivOp>({Float, Everywhere, 0.5, 10, emitBinary<divide>});
  table.add<FloorDivOp>({Float, Everywhere, 0.5, 40, emitFloorDiv});
  table.add<RemOp>({Float, Everywhere, 0, 60, emitRem});
  table.add<ModOp>({Float, Everywhere, 0.5, 64, emitMod});
  table.add<FmaOp>({Float, Everywhere, 0.5, 1, emitFma});
  table.add<LerpOp>({Float, Everywhere, 0.5, 2, emitLerp});
  table.add<SqrtOp>({Float, Everywhere, 0.5, 10, emit<math::sqrt>});
  table.add<ReciprocalOp>({Float, Everywhere, 0.5, 10, emitReciprocal});
  table.add<SquareOp>({Float, Everywhere, 0.5, 1, emitSquare});

  table.add<FloorOp>({Float, Everywhere, 0, 1, emit<math::floor>});
  table.add<CeilOp>({Float, Everywhere, 0, 1, emit<math::ceil>});
  table.add<TruncOp>({Float, Everywhere, 0, 1, emit<math::trunc>});
  table.add<RoundOp>({Float, Everywhere, 0, 4, emit<math::round>});
  table.add<RoundEvenOp>({Float, Everywhere, 0, 1, emit<math::roundEven>});

  table.add<MaxOp>({Float, Everywhere, 0, 1, emitMax});
  table.add<MinOp>({Float, Everywhere, 0, 1, emitMin});
  table.add<MaxnumOp>({Float, Everywhere, 0, 1, emitMaxnum});
  table.add<MinnumOp>({Float, Everywhere, 0, 1, emitMinnum});
  table.add<ClampOp>({Float, Everywhere, 0, 2, emitClamp});
  table.add<ReluOp>({Float, Everywhere, 0, 1, emitRelu});
  table.add<FmaOp>({Narrow, Everywhere, 0.5, 20, emitNarrowFma});
  table.add<LerpOp>({Narrow, Everywhere, 0.5, 30, emitNarrowLerp});
  table.add<LeakyReluOp>({AnyFloat, Everywhere, 0.5, 3, emitLeakyRelu});
  table.add<SignOp>({Float, Everywhere, 0, 3, emitSign});

  table.add<AbsOp>({AnyFloat, Everywhere, 0, 1, emitAbs});
  table.add<NegOp>({AnyFloat, Everywhere, 0, 1, emitNeg});
  table.add<CopysignOp>({AnyFloat, Everywhere, 0, 4, emitCopysign});
  table.add<SignbitOp>({AnyFloat, Everywhere, 0, 4, emitSignbit});
  table.add<IsNanOp>({AnyFloat, Everywhere, 0, 1, emitIsNan});
  table.add<IsInfOp>({AnyFloat, Everywhere, 0, 2, emitIsInf});
  table.add<IsFiniteOp>({AnyFloat, Everywhere, 0, 2, emitIsFinite});
  table.add<NextAfterOp>({AnyFloat, Everywhere, 0, 12, emitNextAfter});

  table.add<CmpOp>({Any, Everywhere, 0, 1, emitCmp});
  table.add<SelectOp>({Any, Everywhere, 0, 1, emitSelect});
  table.add<BitcastOp>({Any, Everywhere, 0, 3, emitBitcast});
}
