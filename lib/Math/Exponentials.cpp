//===- Exponentials.cpp - Exponentials and logarithms in f32 -*- C++ -*-===//
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
  // One instruction each on a GPU, a dozen on a CPU.
  if (x.e().target == Target::NVPTX)
    return minimum(maximum(x, x.splat(low)), x.splat(high));
  x = select(lt(x, low), low, x);
  return select(gt(x, high), high, x);
}

V ew::math::roughReciprocal(V d) {
  // Subtracting the bits divides roughly, within 1/8; the error is then cubed and
  // squared.
  V r = fromBits(0x7ef311c3 - bits(d), d.element());
  V h = fma(-d, r, 1.0);
  r = fma(fma(h, h, h), r, r);
  return fma(fma(-d, r, 1.0), r, r);
}

V ew::math::quotient(V n, V nLow, V d, V dLow) {
  Emitter &e = n.e();
  V r;
  if (e.target == Target::NVPTX && e.approximate)
    r = e.scalarIntrinsic("llvm.nvvm.rcp.approx.ftz.f", d.element(), d);
  else
    r = roughReciprocal(d);
  V q = n * r;
  V rest = fma(-q, d, n);
  if (dLow.get())
    rest = fma(-q, dLow, rest);
  if (nLow.get())
    rest = rest + nLow;
  return fma(rest, r, q);
}

V Exponential::power(V k) {
  return fromBits((k << 23) + 0x3f800000, k.e().getF32Type());
}

V Exponential::scale(V significand, V exponent) {
  V half = sar(exponent, 1);
  return significand * Exponential::power(half) * Exponential::power(exponent - half);
}

Exponential::Exponential(V x) : Exponential(x, V()) {}

Exponential::Exponential(V x, V low) {
  V t = fma(x, kLog2E[0], kRounder);
  V n = t - kRounder;
  reduced = fma(n, -kLn2[1], fma(n, -kLn2[0], x));
  if (low.get())
    reduced = reduced + low;
  slope = fma(horner(reduced, kExp), reduced, 1.0);
  exponent = bits(t) - kRounderBits;
}

V Exponential::significand() const { return fma(slope, reduced, 1.0); }
V Exponential::significandLow(V significand) const {
  return fma(slope, reduced, 1.0 - significand);
}
V Exponential::value() const { return scale(significand(), exponent); }
V Exponential::normalValue() const { return significand() * Exponential::power(exponent); }
V Exponential::times(V factor) const {
  return scale(fma(slope * reduced, factor, factor), exponent);
}

V Exponential::times(V factor, V low) const {
  V p = significand();
  V rest = fma(factor, significandLow(p), low * p);
  return scale(fma(factor, p, rest), exponent);
}

V ew::math::expF32(V x) { return Exponential(clampKeepingNan(x, -104.0, 90.0)).value(); }

V ew::math::exp2F32(V x) {
  x = clampKeepingNan(x, -151.0, 129.0);
  V t = x + kRounder;
  V r = x - (t - kRounder);
  return Exponential::scale(fma(horner(r, kExp2), r, 1.0), bits(t) - kRounderBits);
}

V ew::math::exp2Flushed(V x) {
  V t = x + kRounder;
  V r = x - (t - kRounder);
  return fma(horner(r, kExp2), r, 1.0) * Exponential::power(bits(t) - kRounderBits);
}

V ew::math::expm1F32(V x) {
  V clamped = clampKeepingNan(x, -20.0, 88.9);
  V t = fma(clamped, kLog2E[0], kRounder);
  V n = t - kRounder;
  V r = fma(n, -kLn2[1], fma(n, -kLn2[0], clamped));
  V q = fma(horner(r, kExpm1), r * r, r);
  // Half of it, so that 2^128 does not overflow.
  V scale = Exponential::power(bits(t) - (kRounderBits + 1));
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
  table.add<ExpOp>({F32, Everywhere, 0.91, 19, emit<expF32>});
  table.add<Exp2Op>({F32, Everywhere, 0.88, 17, emit<exp2F32>});
  table.add<Expm1Op>({F32, Everywhere, 1.44, 18, emit<expm1F32>});
  table.add<LogOp>({F32, Everywhere, 0.92, 28, emit<logF32>});
  table.add<Log2Op>({F32, Everywhere, 1.09, 31, emit<log2F32>});
  table.add<Log10Op>({F32, Everywhere, 0.97, 32, emit<log10F32>});
  table.add<Log1pOp>({F32, Everywhere, 1.46, 31, emit<log1pF32>});
}
