//===- DefaultForms.h - Functions of the default mode on GPUs ---*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions in f32 within 2 ulps, of as few steps as that takes. Written over
// any type of numbers, so that the tests evaluate the very forms that become
// code, with approximations that err as far as their documentation allows:
// `rcp` by one place, `ex2` by a relative 2^-22. All else is IEEE 754's.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_DEFAULTFORMS_H
#define EW_LIB_MATH_DEFAULTFORMS_H

#include "Coefficients.h"
#include "DefaultCoefficients.h"

#include <cstdint>

namespace ew::math::gpu {

/// Far out 1 - erfc(|x|), of which ex2's errors are a tenth and less.
template <typename T>
T erf(T x) {
  T a = abs(x);
  // About a center inside, the sums that are multiplied by it lose less.
  T near = fma(horner(fma(x, x, -kErfShift), kErf), x, x);
  T far = fma(ex2(fma(horner(a, kErfTail), -a, 3.0)), -0.125, 1.0);
  return select(lt(a, kErfEnd), near, copysign(far, x));
}

/// y + y p(y^2), y = |x|, or above 1 pi / 2 less that of y = 1 / |x|. To leave
/// the reciprocal as it is would save three instructions of 19, and take 1.56
/// ulp instead of 1.15: more than libdevice's 1.21.
template <typename T>
T atan(T x) {
  // The product of an infinity and its reciprocal would be a NaN.
  T a = minimum(abs(x), x.splat(0x1p100));
  auto isFar = gt(a, 1.0);
  T y = select(isFar, -rcp(a), a);
  T factor = select(isFar, x.splat(kHalfPiFactors[0]), x.splat(0.0));
  // By how much the reciprocal is off counts as much as the derivative is
  // large, which is about the factor where a unit of the result is smallest.
  T error = fma(a, y, 1.0) * factor;
  T square = y * y;
  T p = fma(horner(square, coefficients::kAtan), square, error);
  return copysign(fma(p, y, fma(factor, kHalfPiFactors[1], y)), x);
}

/// For |x| up to 2^12. Reduced with its sign: every part of pi / 2 is positive,
/// so that a zero keeps its own.
template <typename T>
T tan(T x) {
  constexpr double kRounder = 0x1.8p23;
  T t = fma(x, 0.63661977236758134, kRounder);
  T n = t - kRounder;
  T a = fma(n, -kHalfPiParts[1], fma(n, -kHalfPiParts[0], x));
  T low = n * -kHalfPiParts[2];
  T square = a * a;
  T rest = fma(a * square, horner(square, coefficients::kTan), low);
  // Of the parts that the sum is rounded from, the reciprocal is put right.
  T near = a + rest;
  T r = -rcp(near);
  T error = fma(rest, r, fma(a, r, 1.0));
  return select(isOddRounded(t), fma(r, error, r), near);
}

/// exp(x) = 2^n exp(r), r = x - n log(2), with `above` + n in the last bits of
/// `rounded`. An instruction holds one constant, and any other costs one to
/// load: x log2(e) is rounded on the scale where its factor is kExp's last
/// coefficient, too.
template <typename T>
struct Exponential {
  /// `scale`: the power of two that the caller multiplies kExp by.
  explicit Exponential(T x, double scale = 1.0, int above = 0)
      : unit(1024 / scale), rounder((0x1.8p23 + above) / unit),
        rounded(fma(x, kExp[4] * scale, rounder)), n(rounded - rounder) {}

  T reduce(T x) const {
    return fma(n, -coefficients::kLn2[1] * unit,
               fma(n, -coefficients::kLn2[0] * unit, x));
  }

  double unit, rounder;
  T rounded, n; // n / unit
};

/// For |x| < 87: x / (1 + exp(-x)). The sum is 2^n + 2^n (exp(-x) / 2^n - 1 +
/// 2^-n): where exp(-x) passes 2^24, 1 is below its last place, but not below
/// that of the small factor.
template <typename T>
T silu(T x) {
  Exponential<T> e(-x);
  T r = e.reduce(-x);
  T slope = fma(horner(r, kExp), r, 1.0);
  T power = powerOfRounded(e.rounded);
  T inverse = inversePowerOfRounded(e.rounded);
  T sum = fma(fma(slope, r, inverse), power, power);
  T s = rcp(sum), y = x * s;
  return fma(fma(y, sum, -x), -s, y);
}

/// For |x| < 10: x / (1 + exp(-2 u)), -2 u = scale x (x^2 + ratio) for an
/// exponential of base 2. The sum is h + low, its product with x is y + yLow,
/// exactly but for 2^-47 of it, as long as the sum is below 128.
template <typename T>
T geluTanh(T x) {
  constexpr double kRounder = 0x1.8p23;
  constexpr double kRatio = 1 / 0.044715,
                   kRatioHigh = 0x1.65d26p4; // a multiple of 2^-17
  constexpr double kScale =
      -2 * 0.79788456080286535588 * 0.044715 * 1.44269504088896340736;
  constexpr double kScaleHigh = static_cast<float>(kScale);
  T h = fma(x, x, kRatioHigh);
  T low = fma(x, x, kRatioHigh - h) + (kRatio - kRatioHigh);
  T y = x * h;
  T yLow = fma(y, kScale / kScaleHigh - 1, fma(x, low, fma(x, h, -y)));
  T t = fma(y, kScaleHigh, kRounder);
  T r = fma(yLow, kScaleHigh, fma(y, kScaleHigh, kRounder - t));
  T slope = horner(r, coefficients::kExp2);
  T power = powerOfRounded(t), factor = fma(slope, r, inversePowerOfRounded(t));
  // As in silu; and its rounding put right.
  T sum = fma(factor, power, power);
  T lost = fma(factor, power, power - sum);
  T s = rcp(sum), q = x * s;
  return fma(fma(q, lost, fma(q, sum, -x)), -s, q);
}

/// What `cosh` rounds the exponent of exp(|x|) with: as long as that is at most
/// 127, of all bits at most those of kCoshBits are set.
inline constexpr double kCoshScale = 0.5;
inline constexpr uint32_t kCoshBits = 0x45c0007f;
template <typename T>
T coshRounded(T x) {
  return Exponential<T>(abs(x), kCoshScale).rounded;
}

/// e + 1 / (4 e), e = exp(|x|) / 2, where coshRounded has no other bits. The
/// second term is the smaller one, and errors of rcp count little.
template <typename T>
T cosh(T x) {
  T a = abs(x);
  Exponential<T> e(a, kCoshScale);
  T r = e.reduce(a);
  constexpr double kHalf[] = {kExp[0] / 2, kExp[1] / 2, kExp[2] / 2,
                              kExp[3] / 2, kExp[4] / 2};
  T slope = fma(horner(r, kHalf), r, 0.5);
  T half = scaleByRounded(fma(slope, r, 0.5), e.rounded);
  return fma(rcp(half), 0.25, half);
}

/// The same of `erfc`, for exponents of exp(-x^2) down to -118.
inline constexpr int kErfcAbove = 9;
inline constexpr uint32_t kErfcBits = 0x4640007f;
template <typename T>
T erfcRounded(T x) {
  return Exponential<T>(x * x, 1.0, kErfcAbove).rounded;
}

/// A function that falls like an exponential: exp(-square) p(s - center), s = 1
/// / (a + offset). p makes up for log(2) having one part only: it has a factor
/// of exp of the square times what is lost of log(2) / log(2).
struct Falling {
  double offset, center;
  const double (&outer)[2], (&inner)[9], (&slope)[2];
};

/// p + low, and what the exponent lacks: by what s is off, and -squareLow.
template <typename T>
struct FallingFactor {
  T p, low, exponentLow;

  FallingFactor(const Falling &f, T a, T squareLow)
      : p(a), low(a), exponentLow(a) {
    T sum = a + f.offset;
    T lost = a - (sum - f.offset);
    T s = rcp(sum);
    T correction = fma(lost, -s, fma(sum, -s, 1.0));
    // The last two steps' roundings count.
    T t = s - f.center;
    T inner = horner(t, f.inner);
    T middle = fma(inner, t, f.outer[1]);
    T middleLow = fma(inner, t, f.outer[1] - middle);
    p = fma(middle, t, f.outer[0]);
    low = fma(middleLow, t, fma(middle, t, f.outer[0] - p));
    exponentLow = fma(fma(s, f.slope[1], f.slope[0]), correction, -squareLow);
  }

  void multiply(T a) {
    T product = a * p;
    low = fma(a, low, fma(a, p, -product));
    p = product;
  }

  /// exp(-square) times all that.
  T timesExp(T square, int above) const {
    Exponential<T> e(square, 1.0, above);
    T r = fma(e.n, coefficients::kLn2[0] * e.unit, -square) + exponentLow;
    T rest = (r * r) * horner(r, kExp);
    // p (1 + r + r^2 q), the large term last.
    T y = fma(r, p, fma(rest, p, low)) + p;
    return scaleDownByRounded(y, e.rounded);
  }
};

/// Of |x|, where erfcRounded has no other bits. p has a factor of 2^9.
template <typename T>
T erfc(T x) {
  T a = abs(x);
  T square = a * a, squareLow = fma(a, a, -square);
  FallingFactor<T> factor(
      {kErfcOffset, kErfcCenter, kErfcOuter, kErfcInner, kErfcSlope}, a,
      squareLow);
  T y = factor.timesExp(square, kErfcAbove);
  return select(lt(x, 0.0), 2.0 - y, y);
}

/// max(x, 0) - a Phi(-a), a = |x| < 13.
template <typename T>
T gelu(T x) {
  T a = abs(x), half = a * 0.5;
  T square = half * a, squareLow = fma(half, a, -square);
  FallingFactor<T> factor(
      {kGeluOffset, kGeluCenter, kGeluOuter, kGeluInner, kGeluSlope}, a,
      squareLow);
  factor.multiply(a);
  return positivePart(x) - factor.timesExp(square, 0);
}

/// x (x + 3) / 6 between -3 and 3. 1 / 6 is an f32 number a little below, three
/// times which is one, too: so the sum is right next to -3, and rounded up it
/// lies on either side of the true one.
template <typename T>
T hardSwish(T x) {
  constexpr double kSixth = 0x1.555554p-3;
  T factor = saturatingFmaUp(x, kSixth, 3 * kSixth);
  // An infinity times zero would be a NaN.
  return maximum(x, x.splat(-3.0)) * factor;
}

} // namespace ew::math::gpu

#endif // EW_LIB_MATH_DEFAULTFORMS_H
