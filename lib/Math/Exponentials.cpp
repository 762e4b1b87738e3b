//===- Exponentials.cpp - Exponentials and logarithms in f32 --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In IEEE operations and integers alone, so that every target gives the same
// bits. Bounds are the largest errors over all inputs, found by ew-accuracy.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Functions.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace ew;
using namespace ew::math;
using namespace ew::math::coefficients;

static constexpr double kInf = std::numeric_limits<double>::infinity();
/// Added to a number below 2^22 in f32, it leaves the nearest integer in the
/// last bits.
static constexpr double kRounder = 0x1.8p23;
static constexpr int64_t kRounderBits = 0x4b400000;

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

V ew::math::selectOrMinimum(V x, double high) {
  if (x.e().target == Target::NVPTX)
    return minimum(x, x.splat(high));
  return select(gt(x, high), high, x);
}

V ew::math::clampKeepingNan(V x, double low, double high) {
  // One instruction each on a GPU, a dozen on a CPU.
  if (x.e().target == Target::NVPTX)
    return minimum(maximum(x, x.splat(low)), x.splat(high));
  x = select(lt(x, low), low, x);
  return select(gt(x, high), high, x);
}

V Exponential::power(V k) {
  return fromBits((k << 23) + 0x3f800000, k.e().getF32Type());
}

V Exponential::scale(V significand, V exponent) {
  V half = sar(exponent, 1);
  return significand * Exponential::power(half) *
         Exponential::power(exponent - half);
}

Exponential::Exponential(V x, int shift) : Exponential(x, V(), shift) {}

Exponential::Exponential(V x, V low, int shift) {
  V t = fma(x, kLog2E[0], kRounder + shift);
  V n = t - (kRounder + shift);
  // The first step is exact. Small terms are added first, so that one sum
  // rounds.
  V high = fma(n, -kLn2[0], x);
  reduced = low.get() ? high + fma(n, -kLn2[1], low) : fma(n, -kLn2[1], high);
  slope = fma(horner(reduced, kExp), reduced, 1.0);
  exponent = bits(t) - kRounderBits;
}

V Exponential::significand() const { return fma(slope, reduced, 1.0); }
V Exponential::significandLow(V significand) const {
  return fma(slope, reduced, 1.0 - significand);
}
V Exponential::value() const { return scale(significand(), exponent); }
/// value * 2^n, both normal.
static V addToExponent(V value, V n) {
  return fromBits(bits(value) + (n << 23), value.element());
}
V Exponential::quickValue() const {
  return addToExponent(significand(), exponent);
}
V Exponential::normalValue() const {
  return significand() * Exponential::power(exponent);
}
V Exponential::times(V factor) const {
  return scale(fma(slope * reduced, factor, factor), exponent);
}

V Exponential::times(V factor, V low) const {
  V p = significand();
  V rest = fma(factor, significandLow(p), low * p);
  return scale(fma(factor, p, rest), exponent);
}

/// value * 2^n for the n that was rounded into `shifted`, where both are
/// normal.
static V scaleNormal(V value, V shifted) {
  // The rounder's own bits leave at the top.
  return addToExponent(value, bits(shifted));
}

V Exponential::quickTimes(V factor, V low) const {
  V m = slope * reduced;
  V mLow = fma(slope, reduced, -m);
  return addToExponent(fma(m, factor, fma(mLow, factor, low)) + factor,
                       exponent);
}

/// `common`, and for numbers beyond the normal range, infinities and NaNs, all
/// of exp.
static V withLimitsOfExp(V x, V common) {
  return unlessRare(x, isFarOut, common, [](V x) {
    return Exponential(clampKeepingNan(x, -104.0, 90.0)).value();
  });
}

V ew::math::expF32(V x) {
  return withLimitsOfExp(x, Exponential(x).quickValue());
}

static bool isNear(const Interval &range) {
  return range.isFinite() && !range.nan && range.isWithin(-86.0, 86.0);
}

static V exp(V x, const Interval &range) {
  V common = Exponential(x).quickValue();
  return isNear(range) ? common : withLimitsOfExp(x, common);
}

/// The fraction lies in [0, 1), where ex2 is off by less than 2 ulps of its
/// result; below 1 an ulp is half as large.
static V expHardware(V x, const Interval &range) {
  V t = x.e().scalarIntrinsic("llvm.nvvm.fma.rm.f", x.element(),
                              {x, x.splat(kLog2E[0]), x.splat(kRounder)});
  V n = t - kRounder;
  V r = fma(x, kLog2E[1], fma(x, kLog2E[0], -n));
  V common = addToExponent(hardwareExp2(r), bits(t));
  return isNear(range) ? common : withLimitsOfExp(x, common);
}

V ew::math::exp2F32(V x) {
  V t = x + kRounder;
  V r = x - (t - kRounder);
  V value = fma(horner(r, kExp2), r, 1.0);
  auto isRare = [](V x) {
    return compare(CmpPredicate::uge, abs(x), x.splat(126.0));
  };
  return unlessRare(x, isRare, scaleNormal(value, t), [](V x) {
    V c = clampKeepingNan(x, -151.0, 129.0);
    V t = c + kRounder;
    V r = c - (t - kRounder);
    return Exponential::scale(fma(horner(r, kExp2), r, 1.0),
                              bits(t) - kRounderBits);
  });
}

V ew::math::exp2Flushed(V x) {
  V t = x + kRounder;
  V r = x - (t - kRounder);
  return fma(horner(r, kExp2), r, 1.0) *
         Exponential::power(bits(t) - kRounderBits);
}

namespace {
/// expm1(x) = 2 (factor * scale + (scale - 1/2)), halved so that 2^128 does not
/// overflow.
struct HalfExpm1 {
  explicit HalfExpm1(V x) {
    V clamped = clampKeepingNan(x, -20.0, 88.9);
    V t = fma(clamped, kLog2E[0], kRounder);
    V n = t - kRounder;
    V r = fma(n, -kLn2[1], fma(n, -kLn2[0], clamped));
    factor = fma(horner(r, kExpm1), r * r, r);
    scale = Exponential::power(bits(t) - (kRounderBits + 1));
    summand = scale - 0.5;
    sum = fma(factor, scale, summand);
  }
  /// Twice the sum: of a tiny x that is x, and a zero keeps its sign.
  V value(V x) const { return select(lt(abs(x), 0x1p-25), x, sum * 2.0); }

  V factor, scale, summand, sum;
};
} // namespace

V ew::math::expm1F32(V x) { return HalfExpm1(x).value(x); }

Parts ew::math::expm1InParts(V x) {
  HalfExpm1 half(x);
  return {half.value(x),
          fma(half.factor, half.scale, half.summand - half.sum) * 2.0};
}

V ew::math::timesExpF32(double alpha, Parts y) {
  int shift = std::max(0, -std::ilogb(alpha));
  V scaled = y.high.splat(std::ldexp(alpha, shift));
  double end = 90.0 - std::log(std::min(1.0, std::abs(alpha)));
  Exponential e(selectOrMinimum(y.high, end), -shift);
  return y.low.get() ? e.times(scaled, scaled * y.low) : e.times(scaled);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// x = 2^(exponent / 2^23) * (1 + fraction), for a normal x above 0, with the
/// fraction's lower end where `split` says: 1 + fraction begins at the number
/// of these bits.
namespace {
struct Split {
  Split(V x, int64_t split) {
    V raw = bits(x);
    V k = (raw - split) & 0xff800000u;
    fraction = fromBits(raw - k, x.element()) - 1.0;
    exponent = fromSigned(k, x.element());
  }
  V fraction, exponent;
};
} // namespace

static constexpr int64_t kTwoThirds = 0x3f2aaaab, kSqrtHalf = 0x3f3504f3,
                         kThreeQuarters = 0x3f400000;

/// Positive and normal, all of it.
static bool isNormal(const Interval &range) {
  return range.isFinite() && !range.nan && range.low >= 0x1p-126;
}

/// A logarithm from `ofNormal(x, exponent's summand)`, with its limits.
template <typename OfNormal>
static V logarithm(V x, OfNormal ofNormal) {
  auto isRare = [](V x) { return ~ultInt(bits(x) - 0x00800000, 0x7f000000); };
  return unlessRare(x, isRare, ofNormal(x, V()), [&](V x) {
    V isSubnormal = lt(x, 0x1p-126);
    V result = ofNormal(select(isSubnormal, x * 0x1p23, x),
                        select(isSubnormal, x.splat(-23.0 * 0x1p23), 0.0));
    V other = select(eq(x, kInf), x,
                     x.splat(std::numeric_limits<double>::quiet_NaN()));
    return select(gt(x, 0) & lt(x, kInf), result,
                  select(eq(x, 0), -kInf, other));
  });
}

/// log(1 + f + low) + n log(2), n times 2^23 given.
static V logOfParts(V f, V n, ArrayRef<double> p, V low = V()) {
  V q = horner(f, p) * f;
  return fma(n, kLn2[0] * 0x1p-23,
             low.get() ? f + fma(q, f, low) : fma(q, f, f));
}

static V logOfNormal(V x, V more) {
  Split s(x, kTwoThirds);
  return logOfParts(s.fraction, more.get() ? s.exponent + more : s.exponent,
                    kLog);
}

V ew::math::logF32(V x) { return logarithm(x, logOfNormal); }
static V log(V x, const Interval &range) {
  return isNormal(range) ? logOfNormal(x, V()) : logF32(x);
}

V ew::math::log2F32(V x) {
  return logarithm(x, [](V x, V more) {
    Split s(x, kSqrtHalf);
    V f = s.fraction;
    V n = (more.get() ? s.exponent + more : s.exponent) * 0x1p-23;
    V tail = horner(f, kLog2);
    return n + fma(f, kLog2E[0], fma(tail * f, f, f * kLog2E[1]));
  });
}

V ew::math::log10F32(V x) {
  return logarithm(x, [](V x, V more) {
    Split s(x, kSqrtHalf);
    V f = s.fraction;
    V n = (more.get() ? s.exponent + more : s.exponent) * 0x1p-23;
    V y = fma(f, kLog10E[0], fma(horner(f, kLog10) * f, f, f * kLog10E[1]));
    return fma(n, kLog10Of2[0], fma(n, kLog10Of2[1], y));
  });
}

/// Of 1 + x = 2^k (1 + f), k's bits in the exponent's place.
static V exponentOfSum(V x) {
  return (bits(x + 1.0) - kThreeQuarters) & 0xff800000u;
}

/// log(1 + x) from `scale` = 2^-k: 2^-k x and 2^-k - 1 are exact, or 2^-k
/// vanishes.
static V log1pOfParts(V x, V k, V scale, V low = V()) {
  V f = fromBits(bits(x) - k, x.element()) + (scale - 1.0);
  return logOfParts(f, fromSigned(k, x.element()), kLog1pNear,
                    low.get() ? low * scale : V());
}

V ew::math::log1pOrdinary(V x, V low) {
  V k = exponentOfSum(x);
  return log1pOfParts(x, k, fromBits(k.splatInt(0x3f800000) - k, x.element()),
                      low);
}

V ew::math::log1pF32(V x) {
  auto isRare = [](V x) { return ~(gt(x, -1.0) & lt(x, 0x1p100)); };
  return unlessRare(x, isRare, copysign(log1pOrdinary(x), x), [](V x) {
    V nan = x.splat(std::numeric_limits<double>::quiet_NaN());
    V limit = select(eq(x, -1.0), -kInf, select(eq(x, kInf), x, nan));
    V large = log1pOfParts(x, exponentOfSum(x), x.splat(0.0));
    return select(gt(x, 0) & lt(x, kInf), large, limit);
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void ew::math::addExponentials(Implementations &table) {
  table.add<ExpOp>(onHardware(2.0, 7, emitInRange<expHardware>,
                              "ex2.approx of the fraction"));
  table.add<ExpOp>({F32, Everywhere, 0.89, 13, emitInRange<exp>});
  table.add<Exp2Op>({F32, Everywhere, 0.88, 11, emit<exp2F32>});
  table.add<Expm1Op>({F32, Everywhere, 1.44, 18, emit<expm1F32>});
  table.add<LogOp>({F32, Everywhere, 0.87, 18, emitInRange<log>});
  table.add<Log2Op>({F32, Everywhere, 0.93, 22, emit<log2F32>});
  table.add<Log10Op>({F32, Everywhere, 0.97, 22, emit<log10F32>});
  table.add<Log1pOp>({F32, Everywhere, 0.89, 24, emit<log1pF32>});
}
