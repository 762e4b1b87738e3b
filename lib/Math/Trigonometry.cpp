//===- Trigonometry.cpp - Sine, cosine and tangent in f32 -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An angle is reduced by multiples of pi/2: small ones by subtracting it in
// three parts (Cody and Waite), others by the digits of 2/pi that matter (Payne
// and Hanek), which a branch skips where no element needs them.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Functions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace ew;
using namespace ew::math;
using namespace ew::math::coefficients;

/// Up to here multiples of pi/2 in three parts leave no error to speak of; and
/// up to here the second rounding of the reduction leaves room for what a
/// tangent makes of it.
static constexpr double kLargestSmallAngle = 65536.0,
                        kLargestOfTangent = 4096.0;

namespace {
/// |x| = quadrant * pi/2 + angle, with |angle| at most a little above pi/4. Of
/// the quadrant the last two bits count.
struct Reduced {
  V angle, quadrant;
  /// What a large angle's rounding lost.
  V low;
};
} // namespace

/// 2/pi after the binary point, behind 32 zeros.
static constexpr uint32_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529,
                                          0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                          0x3c439041, 0xfe5163ab};

/// For |x| of 2^12 and more. x is an integer of 24 bits times 2^e; of 2/pi,
/// digits that give multiples of 4 are left out, and 96 of those that follow
/// taken.
static Reduced reduceLarge(V x) {
  Emitter &e = x.e();
  V raw = bits(x);
  V digits = extendUnsigned((raw & 0x7fffff) | 0x800000, 64);
  V position = shr(raw, 23) - (150 - 30);
  V word = shr(position, 5), shift = position & 31;
  // Words of the table from `word` on: 0 to 4 for finite numbers.
  auto wordAt = [&](int offset) {
    V result = raw.splatInt(kTwoOverPi[4 + offset > 7 ? 7 : 4 + offset]);
    for (int i = 3; i >= 0; --i)
      result = select(eq(word, i), static_cast<int64_t>(kTwoOverPi[i + offset]),
                      result);
    return result;
  };
  V words[4] = {wordAt(0), wordAt(1), wordAt(2), wordAt(3)};
  auto digitsAt = [&](int i) {
    return extendUnsigned(e.intrinsic("llvm.fshl", raw.element(),
                                      {words[i], words[i + 1], shift}),
                          64);
  };
  V product = ((digits * digitsAt(0)) << 32) + digits * digitsAt(1) +
              shr(digits * digitsAt(2), 32);
  // In units of 2^-62 of pi/2, to the nearest quadrant.
  V quadrant = shr(product + (int64_t(1) << 61), 62);
  V rest = product - (quadrant << 62);
  V angle = fromSigned(rest, e.getF64Type()) * (M_PI_2 * 0x1p-62);
  V rounded = truncateFloat(angle, x.element());
  V low =
      truncateFloat(angle - extendFloat(rounded, e.getF64Type()), x.element());
  return {rounded, truncate(quadrant, 32), low};
}

/// The same in a loop over the lanes. Hardly ever does a thread come here, and
/// the code for every lane, all 64-bit integers, would be two thirds of a
/// sine's: time to compile, registers, and instruction cache.
static Reduced reduceLargeByLane(V x) {
  auto type = dyn_cast<VectorType>(x.type());
  if (!type || type.getNumElements() == 1)
    return reduceLarge(x);
  V zero = x.splat(0.0);
  auto parts = forEachLane({x, zero, bits(zero), zero}, [](ArrayRef<V> lane) {
    Reduced r = reduceLarge(lane[0]);
    return SmallVector<V>{lane[0], r.angle, r.quadrant, r.low};
  });
  return {parts[1], parts[2], parts[3]};
}

/// Of a magnitude up to the largest small angle; a NaN or an infinity leaves a
/// NaN.
static Reduced reduceSmall(V x) {
  constexpr double kRounder = 0x1.8p23;
  V t = fma(x, 2.0 / M_PI, kRounder);
  V n = t - kRounder;
  V first = fma(n, -kHalfPi[0], x);
  return {fma(n, -kHalfPi[2], fma(n, -kHalfPi[1], first)), bits(t), V()};
}

template <typename Function>
static V ofLargeAngle(V x, Function function) {
  Reduced r = reduceLargeByLane(abs(x));
  // An infinity has no angle; x - x makes it a NaN.
  r.angle = r.angle + (x - x);
  return function(x, r);
}

/// `function` of the signed angle and its magnitude reduced. What large angles
/// take is all in their branch, so that nothing of it is kept in registers
/// elsewhere.
template <typename Function>
static V ofAngle(V x, const Interval &range, double largestSmall,
                 Function function) {
  V common = function(x, reduceSmall(abs(x)));
  if (range.isWithin(-largestSmall, largestSmall))
    return common;
  auto isLarge = [&](V x) { return gt(abs(x), largestSmall); };
  return unlessRare(x, isLarge, common,
                    [&](V x) { return ofLargeAngle(x, function); });
}

SineAndCosine ew::math::sineAndCosineNearZero(V x, V low) {
  V s = x * x;
  V p = horner(s, kSin) * s;
  V sine = low.get() ? x + fma(p, x, low) : fma(p, x, x);
  V cosine = fma(horner(s, kCos), s, 1.0);
  return {sine, cosine};
}

/// sin(angle + quadrant * pi/2) with the sign bit of `sign` flipped in.
static V sinOfReduced(Reduced r, V sign) {
  auto [sine, cosine] = sineAndCosineNearZero(r.angle, r.low);
  V isOdd = ne(r.quadrant & 1, 0);
  V flip =
      ((r.quadrant << 30) ^ sign) & r.quadrant.splatInt(APInt::getSignMask(32));
  return fromBits(bits(select(isOdd, cosine, sine)) ^ flip, sine.element());
}

static V sinF32(V x, const Interval &range) {
  return ofAngle(x, range, kLargestSmallAngle, [](V x, const Reduced &r) {
    return sinOfReduced(r, bits(x));
  });
}

static V cosF32(V x, const Interval &range) {
  return ofAngle(x, range, kLargestSmallAngle, [](V, Reduced r) {
    r.quadrant = r.quadrant + 1;
    return sinOfReduced(r, r.quadrant.splatInt(0));
  });
}

static V tanOfReduced(V x, const Reduced &r) {
  V s = r.angle * r.angle;
  V p = horner(s, kTan) * s;
  // The derivative, 1 + tan^2, is nearly 1 where the lost part is not far
  // below.
  V rest = r.low.get() ? fma(p, r.angle, r.low) : V();
  V t = rest.get() ? r.angle + rest : fma(p, r.angle, r.angle);
  V tLow = rest.get() ? (r.angle - t) + rest : fma(p, r.angle, r.angle - t);
  // A step of Newton's method follows in any case.
  V inverse = mayApproximate(x) ? -hardwareReciprocal(t) : -1.0 / t;
  inverse = fma(inverse, fma(inverse, tLow, fma(inverse, t, 1.0)), inverse);
  V isOdd = ne(r.quadrant & 1, 0);
  V result = select(isOdd, inverse, t);
  V sign = bits(x) & bits(x).splatInt(APInt::getSignMask(32));
  return fromBits(bits(result) ^ sign, x.element());
}

static V tanF32(V x, const Interval &range) {
  return ofAngle(x, range, kLargestOfTangent, tanOfReduced);
}
V ew::math::tanFarOut(V x) { return ofLargeAngle(x, tanOfReduced); }

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

static V asinF32(V x) {
  V a = abs(x);
  V isNear = lt(a, 0.5);
  // asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)).
  V square = select(isNear, a * a, fma(a, -0.5, 0.5));
  V p = horner(square, kAsin) * square;
  V twice = twiceRoot(square);
  V far = kHalfPi[0] - twice;
  V lost = (kHalfPi[0] - far) - twice;
  far = far + (fma(-twice, p, kHalfPi[1]) + lost);
  return copysign(select(isNear, fma(p, x, x), far), x);
}

static V acosF32(V x) {
  V a = abs(x);
  V isNear = lt(a, 0.5);
  V square = select(isNear, a * a, fma(a, -0.5, 0.5));
  V w = select(isNear, x, root(square));
  V y = fma(horner(square, kAsin) * square, w, w);
  V middle = kHalfPi[0] - (y - kHalfPi[1]);
  V twice = y + y;
  V far = select(lt(x, 0), kPi[0] - (twice - kPi[1]), twice);
  return select(isNear, middle, far);
}

/// base + atan(x) for |x| <= 1, where base is 0 or larger than |x|, with the
/// part that its f32 number lacks.
static V atanNear(V x, V base, V baseLow) {
  V square = x * x;
  V p = horner(square, kAtan) * square;
  V sum = base + x;
  V lost = (base - sum) + x;
  return sum + fma(p, x, lost + baseLow);
}

static V atanF32(V x) {
  V a = abs(x);
  V isFar = gt(a, 1.0);
  V ratio = select(isFar, -1.0, a) / select(isFar, a, 1.0);
  V y = atanNear(ratio, select(isFar, x.splat(kHalfPi[0]), 0.0),
                 select(isFar, x.splat(kHalfPi[1]), 0.0));
  return copysign(y, x);
}

/// The angle of y and x from the quotient of the smaller magnitude by the
/// larger.
static V angleOf(V y, V x, V quotient) {
  V isSteep = gt(abs(y), abs(x)), isLeft = lt(bits(x), 0);
  V base = select(isSteep, x.splat(kHalfPi[0]),
                  select(isLeft, x.splat(kPi[0]), 0.0));
  V baseLow = select(isSteep, x.splat(kHalfPi[1]),
                     select(isLeft, x.splat(kPi[1]), 0.0));
  return copysign(
      atanNear(select(isSteep ^ isLeft, -quotient, quotient), base, baseLow),
      y);
}

static V emitAtan2(Emitter &, const Call &c) {
  auto sorted = [](ArrayRef<V> yx) {
    V ay = abs(yx[0]), ax = abs(yx[1]), isSteep = gt(ay, ax);
    return std::pair(select(isSteep, ax, ay), select(isSteep, ay, ax));
  };
  // Neither the quotient may be subnormal nor its remainder.
  auto isRare = [&](ArrayRef<V> yx) {
    auto [smaller, larger] = sorted(yx);
    return compare(CmpPredicate::uge, larger, larger.splat(0x1p60)) |
           compare(CmpPredicate::ult, smaller, larger.splat(0x1p-40));
  };
  auto [smaller, larger] = sorted(c.args);
  V common = angleOf(c.args[0], c.args[1], ratio(smaller, larger));
  return unlessRare(c.args, isRare, common, [&](ArrayRef<V> yx) {
    V y = yx[0], x = yx[1];
    auto [smaller, larger] = sorted(yx);
    // Two zeros have the ratio 0 here, two infinities 1.
    V exact = smaller / select(eq(larger, 0), 1.0, larger);
    exact = select(eq(smaller, std::numeric_limits<double>::infinity()), 1.0,
                   exact);
    V isUnordered = compare(CmpPredicate::uno, x, y);
    return select(isUnordered,
                  x.splat(std::numeric_limits<double>::quiet_NaN()),
                  angleOf(y, x, exact));
  });
}

void ew::math::addTrigonometry(Implementations &table) {
  table.add<SinOp>({F32, Everywhere, 1.54, 25, emitInRange<sinF32>});
  table.add<CosOp>({F32, Everywhere, 1.54, 25, emitInRange<cosF32>});
  table.add<TanOp>({F32, Everywhere, 2.0, 30, emitInRange<tanF32>});
  table.add<AsinOp>({F32, Everywhere, 2.0, 25, emit<asinF32>});
  table.add<AcosOp>({F32, Everywhere, 2.0, 25, emit<acosF32>});
  table.add<AtanOp>({F32, Everywhere, 2.0, 25, emit<atanF32>});
  table.add<Atan2Op>({F32, Everywhere, 2.0, 40, emitAtan2});
}
