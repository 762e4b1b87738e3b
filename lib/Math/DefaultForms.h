//===- DefaultForms.h - Functions in f32 on GPUs in the default mode -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions in f32 within 2 ulps for usual operands, of as few steps as that takes. Written
// over any type of numbers, so that the tests evaluate the very forms that become code, with
// approximations that err as far as their documentation allows: `rcp` by one place, `ex2` by a
// relative 2^-22. All else is IEEE 754's.
//
// What an exponential is taken of, where its result is not damped, must be known to more digits than f32 has: each
// form splits off a product a b of which a is exact and b is a sum that lost little, so that
// one fma gives its distance to the nearest integer and a second one the rest.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_DEFAULTFORMS_H
#define EW_LIB_MATH_DEFAULTFORMS_H

#include "Coefficients.h"
#include "DefaultCoefficients.h"

#include <cstddef>

namespace ew::math::gpu {

/// Added to a number below 2^22, it leaves the nearest integer in the last bits.
inline constexpr double kRounder = 0x1.8p23;

/// log2 f(a) = n + r for an f that falls like exp(-a^2), less log2 f at a center near which
/// a - center is exact; n was rounded into t.
template <typename T> struct Logarithm {
  template <std::size_t N>
  Logarithm(T a, double center, double curvature, double slope, double wholeSlope,
            const double (&p)[N]) {
    T w = a - center;
    T g = fma(w, -curvature, slope);
    // What the sum's rounding lost, and the rest of the slope.
    T low = fma(w, -curvature, wholeSlope - g);
    t = fma(w, g, kRounder);
    r = fma(fma(horner(w, p), w, low), w, fma(w, g, kRounder - t));
  }
  T t, r;
};

/// max(x, 0) - a Phi(-a), a = |x| <= kGeluEnd: Phi(-a) is a power of two less 1.
template <typename T> T gelu(T x) {
  T a = abs(x);
  Logarithm<T> log(a, kGeluCenter, kGeluCurvature, kGeluSlope, kGeluWholeSlope, kGelu);
  T tail = fma(a, horner(log.r, kGeluPower), a);
  return fma(-tail, powerOfRounded(log.t, kGeluExponent), positivePart(x));
}

/// For x <= kErfcEnd.
template <typename T> T erfc(T x) {
  T a = minimum(abs(x), x.splat(kErfcEnd));
  Logarithm<T> log(a, kErfcCenter, kErfcCurvature, kErfcSlope, kErfcWholeSlope, kErfc);
  T y = scaleByRounded(horner(log.r, kErfcPower), log.t);
  return select(lt(x, 0.0), 2.0 - y, y);
}

/// Up to here 1 + 2^n is exact for the largest part 2^n of exp(-2 u).
inline constexpr double kGeluTanhEnd = 4.9;

/// x / (1 + exp(-2 u)), -2 u log2(e) = -x (x^2 + ratio) / period, for |x| < kGeluTanhEnd.
template <typename T> T geluTanh(T x) {
  T h = fma(x, x, kGeluTanhRatio);
  T low = fma(x, x, kGeluTanhRatio - h) + fma(h, -kGeluTanhPeriodLow, kGeluTanhRatioLow);
  T t = fma(x * h, kGeluTanhScale, kRounder);
  // x h + n period, of which n period is exact.
  T multiple = fma(t, kGeluTanhPeriod, -kRounder * kGeluTanhPeriod);
  T r = fma(x, low, fma(x, h, multiple));
  T power = powerOfRounded(t, 0);
  T sum = fma(r * power, horner(r, kGeluTanhPower), power + 1.0);
  T inverse = rcp(sum);
  T q = x * inverse;
  return fma(fma(q, sum, -x), -inverse, q);
}

/// Far out 1 - erfc(|x|), of which ex2's errors are a tenth and less.
template <typename T> T erf(T x) {
  T a = abs(x);
  // About a center inside, the sums that are multiplied by it lose less.
  T near = fma(horner(fma(x, x, -kErfShift), kErf), x, x);
  T far = fma(ex2(fma(horner(a, kErfTail), -a, 3.0)), -0.125, 1.0);
  return select(lt(a, kErfEnd), near, copysign(far, x));
}

/// y + y p(y^2), y = |x|, or above 1 pi / 2 less that of y = 1 / |x|.
template <typename T> T atan(T x) {
  // The product of an infinity and its reciprocal would be a NaN.
  T a = minimum(abs(x), x.splat(0x1p100));
  auto isFar = gt(a, 1.0);
  T y = select(isFar, -rcp(a), a);
  T factor = select(isFar, x.splat(kHalfPiFactors[0]), x.splat(0.0));
  // By how much the reciprocal is off counts as much as the derivative is large, which is about
  // the factor where a unit of the result is smallest.
  T error = fma(a, y, 1.0) * factor;
  T square = y * y;
  T p = fma(horner(square, coefficients::kAtan), square, error);
  return copysign(fma(p, y, fma(factor, kHalfPiFactors[1], y)), x);
}

} // namespace ew::math::gpu

#endif // EW_LIB_MATH_DEFAULTFORMS_H
