//===- Composites.cpp - Activation functions in f64 -----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the library's functions of f64. The forms are those of Activations.cpp:
// no cancellation, and the argument of an exponential in two parts where it is
// itself computed.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace ew;
using namespace ew::math;

static V exp(V x) { return libraryF64("exp", x); }

/// Below here exp(x) is subnormal; exp(x + 64) exp(-64) is computed instead,
/// and a factor multiplied in between.
static constexpr double kSmallExponent = -600.0;

/// exp(x) * factor.
static V timesExp(V factor, V x) {
  V isSmall = lt(x, kSmallExponent);
  V e = exp(select(isSmall, x + 64.0, x));
  return factor * e * select(isSmall, x.splat(std::exp(-64.0)), 1.0);
}

/// n / (d + lost) * (1 + change), rounded about once.
static V divideBySum(V n, V d, V lost, V change = V()) {
  V q = n / d;
  V correction = fma(-q, lost, fma(-q, d, n)) / d;
  if (change.get())
    correction = fma(q, change, correction);
  // Zeros and infinities stay as they are.
  V isOrdinary =
      gt(abs(q), 0) & lt(abs(q), std::numeric_limits<double>::infinity());
  return select(isOrdinary, q + correction, q);
}

/// x * sigmoid(y + low), for y of the sign of x.
static V timesSigmoid(V x, V y, V low) {
  V isNegative = lt(y, 0);
  V minus = select(isNegative, y, -y);
  V e = exp(minus);
  V sum = e + 1.0;
  V lost = e - (sum - 1.0);
  V n = select(isNegative, timesExp(x, minus), x);
  if (!low.get())
    return divideBySum(n, sum, lost);
  // d log(sigmoid(y)) / dy = sigmoid(-y).
  return divideBySum(n, sum, lost, low * (select(isNegative, 1.0, e) / sum));
}

static V sigmoid(V x) {
  V isNegative = lt(x, 0);
  V e = exp(select(isNegative, x, -x));
  V sum = e + 1.0;
  V lost = e - (sum - 1.0);
  return divideBySum(select(isNegative, e, 1.0), sum, lost);
}

static V softplus(V x) {
  V isNegative = lt(x, 0);
  V e = exp(select(isNegative, x, -x));
  return select(isNegative, 0.0, x) + libraryF64("log1p", e);
}
static V logSigmoid(V x) { return -softplus(-x); }

static V silu(V x) {
  V c = clampKeepingNan(x, -800.0, 800.0);
  return timesSigmoid(select(lt(x, -800.0), -800.0, x), c, V());
}

/// x * n / (n + 2) with n = e (e + 2), e = exp(x); for x > 0 in terms of 1 / e.
static V mish(V x) {
  V isNegative = lt(x, 0);
  V c = clampKeepingNan(select(isNegative, x, -x), -800.0, 0.0);
  V e = exp(c);
  // n and n + 2 in two parts each.
  V sum = e + 2.0;
  V sumLow = e - (sum - 2.0);
  V n = e * sum;
  V nLow = fma(e, sum, -n) + e * sumLow;
  V d = n + 2.0;
  V dLow = (n - (d - 2.0)) + nLow;
  V factor = divideBySum(sum, d, fma(-sumLow, d / sum, dLow));
  V bounded = select(lt(x, -800.0), -800.0, x);
  V negative = timesExp(bounded * factor, c);
  V twice = e * e * 2.0;
  V small = twice / ((e + e) + twice + 1.0);
  V positive = select(gt(x, 800.0) | eq(x, 0), x, fma(-x, small, x));
  return select(isNegative, negative, positive);
}

static V geluTanh(V x) {
  double scale = std::sqrt(8 / M_PI);
  // sqrt(8 / pi) and 0.044715 of it, each as two numbers.
  double linearLow = -9.96930880911092e-17, cubic = scale * 0.044715;
  double cubicLow = -6.175149918155315e-19;
  V c = clampKeepingNan(x, -25.0, 25.0);
  V square = c * c;
  V squareLow = fma(c, c, -square);
  V product = square * cubic;
  V productLow = fma(squareLow, cubic,
                     fma(square, cubicLow, fma(square, cubic, -product)));
  V sum = product + scale;
  V part = sum - product;
  V sumLow =
      (product - (sum - part)) + (scale - part) + (productLow + linearLow);
  V y = c * sum;
  V low = fma(c, sumLow, fma(c, sum, -y));
  return timesSigmoid(select(lt(x, -25.0), -25.0, x), y, low);
}

/// gelu of x below -37 by the first terms of its asymptotic series, -exp(-x^2 /
/// 2) / sqrt(2 pi) * (1 - 1 / x^2 + 3 / x^4 - ...). There erfc may be
/// subnormal, and x / 2 times what it lost with that would be many units of the
/// result.
static V geluFarBelow(V x) {
  V square = x * x;
  V low = fma(x, x, -square);
  V r = 1.0 / square;
  V series = fma(horner(r, {-1.0, 3.0, -15.0, 105.0, -945.0, 10395.0}), r, 1.0);
  V rest = fma(low, -0.5, 1.0);           // exp(-low / 2)
  double scale = -0.39894228040143267794; // -1 / sqrt(2 pi)
  return exp(square * -0.5) * (series * rest * scale);
}

/// x / 2 * erfc(-x / sqrt(2)); what rounding -x / sqrt(2) lost is put back by
/// the derivative.
static V gelu(V x) {
  double root = M_SQRT1_2, rootLow = -4.833646656726457e-17;
  V c = clampKeepingNan(x, -40.0, 40.0);
  V z = c * -root;
  V low = fma(c, -root, -z) - c * rootLow;
  V slope = exp(-(z * z)) * (-2.0 / std::sqrt(M_PI));
  V tail = fma(slope, low, libraryF64("erfc", z));
  V bounded = select(lt(x, -40.0), -40.0, x);
  return select(lt(x, -37.0), geluFarBelow(bounded), bounded * 0.5 * tail);
}

static Parts expm1F64(V x) { return {libraryF64("expm1", x), V()}; }

/// alpha * exp(y), without an overflow in between: (alpha * 2^n) *
/// exp(y - n log(2)).
static V timesExpF64(double alpha, Parts y) {
  int n = std::max(0, -std::ilogb(alpha));
  constexpr long double kLn2 = 0.693147180559945309417232121458176568L;
  double high = n * kLn2, low = n * kLn2 - high;
  V reduced = y.high - high;
  // Either may be the larger one.
  V part = reduced - y.high;
  V lost = (y.high - (reduced - part)) - (part + high) - low;
  if (y.low.get())
    lost = lost + y.low;
  V product = exp(reduced) * std::ldexp(alpha, n);
  return select(lt(abs(product), std::numeric_limits<double>::infinity()),
                fma(product, lost, product), product);
}

static V emitElu(Emitter &, const Call &c) {
  V x = c.args[0];
  double alpha = roundParameter(cast<EluOp>(c.op).getAlpha(), x);
  return select(gt(x, 0), x, timesParameter(alpha, expm1F64(x)));
}
static V emitCelu(Emitter &, const Call &c) {
  V x = c.args[0];
  double alpha = roundParameter(cast<CeluOp>(c.op).getAlpha(), x);
  return select(gt(x, 0), x, celuNegative(x, alpha, expm1F64, timesExpF64));
}
static V selu(V x) {
  double scale = 1.0507009873554804934193349852946;
  double alpha = 1.6732632423543772848170429916717;
  // What the product of the two, as a number of f64, lost.
  double product = scale * alpha, low = 2.361981243051158e-16;
  V e = libraryF64("expm1", x);
  return select(gt(x, 0), x * scale, fma(e, product, e * low));
}
static V rsqrt(V x) { return 1.0 / math::sqrt(x); }
static V softsign(V x) {
  V a = abs(x);
  V bounded = select(gt(a, 0x1p500), 0x1p500, a);
  return copysign(bounded / (bounded + 1.0), x);
}
static V hardSigmoid(V x) { return clampKeepingNan(x + 3.0, 0.0, 6.0) / 6.0; }
static V hardSwish(V x) {
  V bounded = select(lt(x, -3.0), -3.0, x);
  return bounded * (clampKeepingNan(x + 3.0, 0.0, 6.0) / 6.0);
}

template <V (*function)(V)>
static V emitThroughF64(Emitter &e, const Call &c) {
  return truncateFloat(function(extendFloat(c.args[0], e.getF64Type())),
                       e.getF32Type());
}
static V emitGelu(Emitter &, const Call &c) {
  if (cast<GeluOp>(c.op).getApproximate() == GeluApproximation::tanh)
    return geluTanh(c.args[0]);
  return gelu(c.args[0]);
}

void ew::math::addComposites(Implementations &table) {
  table.add<SigmoidOp>({F64, Everywhere, 2.0, 150, emit<sigmoid>});
  table.add<LogSigmoidOp>({F64, Everywhere, 2.0, 250, emit<logSigmoid>});
  table.add<SoftplusOp>({F64, Everywhere, 2.0, 250, emit<softplus>});
  table.add<SiluOp>({F64, Everywhere, 3.0, 250, emit<silu>});
  table.add<MishOp>({F64, Everywhere, 3.0, 300, emit<mish>});
  table.add<MishOp>({F32, Everywhere, 0.51, 300, emitThroughF64<mish>});
  table.add<GeluOp>({F64, Everywhere, 6.0, 300, emitGelu});
  table.add<EluOp>({F64, Everywhere, 3.0, 150, emitElu});
  table.add<CeluOp>({F64, Everywhere, 3.0, 160, emitCelu});
  table.add<SeluOp>({F64, Everywhere, 3.0, 150, emit<selu>});
  table.add<RsqrtOp>({F64, Everywhere, 2.0, 20, emit<rsqrt>});
  table.add<SoftsignOp>({F64, Everywhere, 2.0, 15, emit<softsign>});
  table.add<HardSigmoidOp>({F64, Everywhere, 2.0, 15, emit<hardSigmoid>});
  table.add<HardSwishOp>({F64, Everywhere, 2.0, 16, emit<hardSwish>});
}
