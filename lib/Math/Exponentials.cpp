//===- Exponentials.cpp - Exponentials and logarithms in f32 -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In IEEE operations and integers alone, so that every target gives the same
// bits. Bounds are the largest errors over all inputs, found by utils/sweep.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Functions.h"

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

V ew::math::clampKeepingNan(V x, double low, double high) {
  x = select(lt(x, low), low, x);
  return select(gt(x, high), high, x);
}

/// 2^k for k in [-126, 127].
static V powerOfTwo(V k) {
  return fromBits((k << 23) + 0x3f800000, k.e().getF32Type());
}

V Scaled::value() const {
  V half = sar(exponent, 1);
  return significand * powerOfTwo(half) * powerOfTwo(exponent - half);
}
V Scaled::times(V factor) const {
  V half = sar(exponent, 1);
  return significand * powerOfTwo(half) * factor * powerOfTwo(exponent - half);
}

Scaled ew::math::expScaled(V x) {
  V t = fma(x, kLog2E[0], kRounder);
  V n = t - kRounder;
  V r = fma(n, -kLn2[1], fma(n, -kLn2[0], x));
  V p = fma(fma(horner(r, kExp), r, 1.0), r, 1.0);
  return {p, bits(t) - kRounderBits};
}

Scaled ew::math::expScaled(V x, V low) {
  Scaled result = expScaled(x);
  result.significand = fma(result.significand, low, result.significand);
  return result;
}

V ew::math::expF32(V x) { return expScaled(clampKeepingNan(x, -104.0, 90.0)).value(); }

V ew::math::exp2F32(V x) {
  x = clampKeepingNan(x, -151.0, 129.0);
  V t = x + kRounder;
  V r = x - (t - kRounder);
  return Scaled{fma(horner(r, kExp2), r, 1.0), bits(t) - kRounderBits}.value();
}

V ew::math::expm1F32(V x) {
  V clamped = clampKeepingNan(x, -20.0, 88.9);
  V t = fma(clamped, kLog2E[0], kRounder);
  V n = t - kRounder;
  V r = fma(n, -kLn2[1], fma(n, -kLn2[0], clamped));
  V q = fma(horner(r, kExpm1), r * r, r);
  // Half of it, so that 2^128 does not overflow.
  V scale = powerOfTwo(bits(t) - (kRounderBits + 1));
  V result = fma(q, scale, scale - 0.5) * 2.0;
  return select(lt(abs(x), 0x1p-25), x, result);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

namespace {
/// x = 2^exponent * (1 + fraction), with 1 + fraction in [sqrt(1/2), sqrt(2)).
struct Split {
  explicit Split(V x) {
    V isSubnormal = lt(x, 0x1p-126);
    V scaled = select(isSubnormal, x * 0x1p23, x);
    V raw = bits(scaled);
    V k = sar(raw - 0x3f3504f3, 23);
    fraction = fromBits(raw - (k << 23), x.element()) - 1.0;
    exponent = fromSigned(k, x.element()) + select(isSubnormal, x.splat(-23.0), 0.0);
  }
  V fraction, exponent;
};
} // namespace

/// The logarithm's limits: `result` on positive numbers.
static V withLimits(V x, V result) {
  V other = select(eq(x, kInf), x, x.splat(std::numeric_limits<double>::quiet_NaN()));
  V isOrdinary = ultInt(bits(x) - 1, 0x7f7fffff);
  return select(isOrdinary, result, select(eq(x, 0), -kInf, other));
}

V ew::math::logF32(V x) {
  Split s(x);
  V f = s.fraction;
  V y = fma(horner(f, kLog), f * f, f);
  V result = fma(s.exponent, kLn2[0], fma(s.exponent, kLn2[1], y));
  return withLimits(x, result);
}

/// log(1 + f) * (high + low), for another base.
static V scaledLog1p(V f, const double *factor) {
  V tail = horner(f, kLog) * (f * f);
  V rest = fma(tail, factor[0], fma(f, factor[1], 0.0));
  return fma(f, factor[0], rest);
}

V ew::math::log2F32(V x) {
  Split s(x);
  return withLimits(x, s.exponent + scaledLog1p(s.fraction, kLog2E));
}

V ew::math::log10F32(V x) {
  Split s(x);
  V y = scaledLog1p(s.fraction, kLog10E);
  V result = fma(s.exponent, kLog10Of2[0], fma(s.exponent, kLog10Of2[1], y));
  return withLimits(x, result);
}

V ew::math::log1pF32(V x) {
  V u = x + 1.0;
  V k = sar(bits(u) - 0x3f3504f3, 23);
  // 1 + x = 2^k (1 + f), and 2^-k x and 2^-k - 1 are exact, or 2^-k vanishes.
  V shift = k << 23;
  V scale = fromBits(smax(0x3f800000 - shift, k.splatInt(0)), x.element());
  V f = fromBits(bits(x) - shift, x.element()) + (scale - 1.0);
  V n = fromSigned(k, x.element());
  V y = fma(horner(f, kLog), f * f, f);
  V result = fma(n, kLn2[0], fma(n, kLn2[1], y));
  V nan = x.splat(std::numeric_limits<double>::quiet_NaN());
  V limit = select(eq(x, -1.0), -kInf, select(eq(x, kInf), x, nan));
  result = select(gt(x, -1.0) & lt(x, kInf), result, limit);
  return select(lt(abs(x), 0x1p-25), x, result);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

template <V (*function)(V)> static V emit(Emitter &, const Call &c) {
  return function(c.args[0]);
}

void ew::math::addExponentials(Implementations &table) {
  table.add<ExpOp>({F32, Everywhere, 1.0, 10, emit<expF32>});
  table.add<Exp2Op>({F32, Everywhere, 1.0, 9, emit<exp2F32>});
  table.add<Expm1Op>({F32, Everywhere, 1.5, 10, emit<expm1F32>});
  table.add<LogOp>({F32, Everywhere, 1.0, 10, emit<logF32>});
  table.add<Log2Op>({F32, Everywhere, 1.5, 10, emit<log2F32>});
  table.add<Log10Op>({F32, Everywhere, 1.5, 10, emit<log10F32>});
  table.add<Log1pOp>({F32, Everywhere, 1.5, 10, emit<log1pF32>});
}
