//===- FastForms.h - Functions in f32 in fast mode --------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions in f32 within a relative error of 2^-20, of as few steps as that
// takes, by a GPU's approximations. Written over any type of numbers, so that
// the tests evaluate the very forms that become code with hardware that errs as
// far as its documentation allows: `ex2` by a relative 2^-22, `rcp` by one
// place, `rsqrt` and `sqrtApprox` by a relative 2^-22 and 2^-23, `lg2` by
// 2^-22, of the result where that is above 1, else absolute. All of them take
// subnormal numbers for zeros.
//
// Where an exponential's operand x log2(e) is large, its rounding alone is an
// error of many places; one fma gives what is missing, x - log(2) times the
// rounded product, by which the result is off in relative terms, and a second
// one puts it on.
//
// Odd functions are x p(x^2), which keeps the sign of a zero.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_FASTFORMS_H
#define EW_LIB_MATH_FASTFORMS_H

#include "Coefficients.h"
#include "FastCoefficients.h"

namespace ew::math::fast {

inline constexpr double kLog2E = coefficients::kLog2E[0],
                        kLn2 = coefficients::kLn2[0];
inline constexpr double kLog10Of2 = coefficients::kLog10Of2[0];
/// Added to a number below 2^22, it leaves the nearest integer in the last
/// bits.
inline constexpr double kRounder = 0x1.8p23;

/// 2^(y log2(e)) (1 + low), for y log2(e) within the normal exponents.
template <typename T>
T expOfParts(T y, T low) {
  T t = y * kLog2E;
  T e = ex2(t);
  T rest = fma(t, -kLn2, y) + fma(t, -coefficients::kLn2[1], low);
  return fma(e, rest, e);
}

/// For |x| < 87, as all that are made of it.
template <typename T>
T exp(T x) {
  T t = x * kLog2E;
  T e = ex2(t);
  return fma(e, fma(t, -kLn2, x), e);
}

template <typename T>
T sigmoid(T x) {
  return rcp(exp(-x) + 1.0);
}
template <typename T>
T silu(T x) {
  return x * sigmoid(x);
}

/// max(x, 0) + log(1 + exp(-|x|)).
template <typename T>
T softplus(T x) {
  T u = exp(-abs(x));
  return fma(u, horner(u, kSoftplus), maximum(x, x.splat(0.0)));
}
template <typename T>
T logSigmoid(T x) {
  return -softplus(-x);
}

/// x n / (n + 2) with n = e (e + 2), e = exp(x); from 20 on the quotient is 1.
template <typename T>
T mish(T x) {
  T e = exp(minimum(x, x.splat(20.0)));
  T n = e * (e + 2.0);
  return x * (n * rcp(n + 2.0));
}

template <typename T>
T tanh(T x) {
  T a = abs(x), s = x * x;
  T far = fma(rcp(ex2(a * (2.0 * kLog2E)) + 1.0), -2.0, 1.0);
  return copysign(select(lt(a, 0.42), a * horner(s, kTanh), far), x);
}

template <typename T>
T sinh(T x) {
  T a = abs(x), s = x * x;
  T e = exp(a);
  T far = fma(rcp(e), -0.5, e * 0.5);
  return copysign(select(lt(a, 1.0), a * horner(s, kSinh), far), x);
}

template <typename T>
T cosh(T x) {
  T e = exp(abs(x));
  return fma(rcp(e), 0.5, e * 0.5);
}

/// 2^n (1 + expm1(r)) - 1.
template <typename T>
T expm1(T x) {
  T t = fma(x, kLog2E, kRounder);
  T r = fma(t - kRounder, -kLn2, x);
  T q = fma(horner(r, kExpm1) * r, r, r);
  T scale = powerOfRounded(t);
  return copysign(fma(q, scale, scale - 1.0), x);
}

/// The result is wrong by an absolute error near 1, that of `lg2`.
template <typename T>
T log(T x) {
  return lg2(x) * kLn2;
}

template <typename T>
T log1p(T x) {
  T near = x * horner(x, kLog1p);
  return select(lt(abs(x - 0.065), 0.315), near, log(x + 1.0));
}

/// For a below 2^60.
template <typename T>
T asinh(T x) {
  T a = abs(x), s = x * x;
  T far = log(a + sqrtApprox(s + 1.0));
  return copysign(select(lt(a, 0.55), a * horner(s, kAsinh), far), x);
}

/// For x from 1 to 2^60.
template <typename T>
T acosh(T x) {
  T t = x - 1.0;
  return log1p(t + sqrtApprox(fma(t, t, t + t)));
}

template <typename T>
T atanh(T x) {
  // rcp takes numbers from 2^126 on for infinities, and any above 1 does for a
  // NaN.
  T a = minimum(abs(x), x.splat(2.0));
  return copysign(log1p((a + a) * rcp(1.0 - a)) * 0.5, x);
}

/// 1 - erfc(|x|) from 1/2 on.
template <typename T>
T erf(T x) {
  T a = abs(x), s = x * x;
  T far = 1.0 - ex2(horner(a, kErfTail));
  return copysign(select(lt(a, 0.5), a * horner(s, kErf), far), x);
}

/// exp(-a^2) p(1 / (1 + k a)), for |x| < 9.3.
template <typename T>
T erfc(T x) {
  T a = abs(x);
  T square = a * a;
  T e = expOfParts(-square, -fma(a, a, -square));
  T tail = e * horner(rcp(fma(a, kErfcScale, 1.0)), kErfc);
  return select(lt(x, 0.0), 2.0 - tail, tail);
}

/// max(x, 0) - a Phi(-a), Phi(-a) = exp(-a^2 / 2) p(1 / (1 + k a)), for |x|
/// < 13.1.
template <typename T>
T gelu(T x) {
  T a = abs(x), half = a * -0.5;
  T square = half * a;
  T e = expOfParts(square, fma(half, a, -square));
  T tail = a * (e * horner(rcp(fma(a, kPhiScale, 1.0)), kPhi));
  return positivePart(x) - tail;
}

/// x / (1 + exp(-2 u)), 2 u = x (linear + cubic x^2) in two parts, for |x|
/// < 9.9. The factor less `linear`, which has 21 bits, is exact.
template <typename T>
T geluTanh(T x) {
  using coefficients::kGeluTanhCubic;
  T square = x * x, squareLow = fma(x, x, -square);
  T factor = fma(square, kGeluTanhCubic[0], kGeluLinear[0]);
  T lost = fma(square, kGeluTanhCubic[0], -(factor - kGeluLinear[0]));
  T low = fma(square, kGeluTanhCubic[1],
              fma(squareLow, kGeluTanhCubic[0], lost + kGeluLinear[1]));
  T y = x * factor;
  T e = expOfParts(-y, fma(-x, low, -fma(x, factor, -y)));
  return x * rcp(e + 1.0);
}

/// The angle less n pi, where n was rounded into t.
template <typename T>
T sineOfRest(T rest, T t) {
  return flipIfOdd(rest * horner(rest * rest, kSin), t);
}

/// For |x| up to 2^16.
template <typename T>
T sin(T x) {
  T t = fma(x, 0.31830988618379067, kRounder);
  T n = t - kRounder;
  T rest = fma(n, -kPi[2], fma(n, -kPi[1], fma(n, -kPi[0], x)));
  return sineOfRest(rest, t);
}

/// |x| = (k + 1/2) pi - rest, and the cosine is that of sin(rest) with the sign
/// of (-1)^k.
template <typename T>
T cos(T x) {
  T a = abs(x);
  T t = fmaDown(a, 0.31830988618379067, 0x1p23);
  T n = t - (0x1p23 - 0.5);
  T rest = fma(n, kPi[2], fma(n, kPi[1], fma(n, kPi[0], -a)));
  return sineOfRest(rest, t);
}

/// The same without rounding down.
template <typename T>
T cosByNearest(T x) {
  T a = abs(x);
  T t = fma(a, 0.31830988618379067, -0.5) + kRounder;
  T n = (t - kRounder) + 0.5;
  T rest = fma(n, kPi[2], fma(n, kPi[1], fma(n, kPi[0], -a)));
  return sineOfRest(rest, t);
}

template <typename T>
T tan(T x) {
  T t = fma(x, 0.63661977236758134, kRounder);
  T n = t - kRounder;
  T rest = fma(n, -kHalfPi[2], fma(n, -kHalfPi[1], fma(n, -kHalfPi[0], x)));
  T near = rest * horner(rest * rest, kTan);
  return select(isOddRounded(t), -rcp(near), near);
}

/// |x| up to 1/2 as it is; above, pi/2 - 2 asin(sqrt((1 - a) / 2)).
template <typename T>
T asin(T x) {
  T a = abs(x);
  auto isNear = lt(a, 0.5);
  T square = select(isNear, a * a, fma(a, -0.5, 0.5));
  T y = select(isNear, a, sqrtApprox(square)) * horner(square, kAsin);
  T far = fma(y, -2.0, coefficients::kHalfPi[0]);
  return copysign(select(isNear, y, far), x);
}

template <typename T>
T acos(T x) {
  T a = abs(x);
  auto isNear = lt(a, 0.5);
  T square = select(isNear, a * a, fma(a, -0.5, 0.5));
  T y = select(isNear, x, sqrtApprox(square)) * horner(square, kAsin);
  T twice = y + y;
  T far = select(lt(x, 0.0), coefficients::kPi[0] - twice, twice);
  return select(isNear, coefficients::kHalfPi[0] - y, far);
}

template <typename T>
T atan(T x) {
  T a = abs(x);
  auto isFar = gt(a, 1.0);
  T y = select(isFar, rcp(a), a);
  T near = y * horner(y * y, kAtan);
  return copysign(select(isFar, coefficients::kHalfPi[0] - near, near), x);
}

/// The larger below 2^60, the smaller from 2^-40 on.
template <typename T>
T atan2(T y, T x) {
  T ax = abs(x), ay = abs(y);
  auto isSteep = gt(ay, ax);
  T ratio = select(isSteep, ax, ay) * rcp(select(isSteep, ay, ax));
  T angle = ratio * horner(ratio * ratio, kAtan);
  angle = select(isSteep, coefficients::kHalfPi[0] - angle, angle);
  angle = select(lt(x, 0.0), coefficients::kPi[0] - angle, angle);
  return copysign(angle, y);
}

/// 2^t (1 + low) = x^y for a normal x above 0, in two parts each of log2(x) and
/// of its product with y: an error of t counts as it is large. With s = (m - 1)
/// / (m + 1) the logarithm of the significand m is s c (1 + s^2 / 3 + ...), of
/// which only the first factors need all digits.
template <typename T>
struct Power {
  Power(T x, T y) {
    T n = x, m = splitNearOne(x, n);
    T d = m + 1.0, f = m - 1.0;
    T lost = m - (d - 1.0);
    T r = rcp(d);
    T s = f * r;
    T sLow = fma(-s, lost, fma(-s, d, f)) * r;
    T z = s * s;
    T head = s * kPowLead[0];
    T tail = fma(s, kPowLead[0], -head);
    tail = fma(s, kPowLead[1], fma(sLow, kPowLead[0], tail));
    tail = fma(s * z, horner(z, kPow), tail);
    T whole = head + tail;
    T log = n + whole;
    T logLow = ((n - log) + whole) + ((head - whole) + tail);
    t = y * log;
    low = fma(y, logLow, fma(y, log, -t)) * kLn2;
  }
  /// For |t| < 126.
  T value() const {
    T e = ex2(t);
    return fma(e, low, e);
  }
  T t, low;
};

/// The sum of squares from 2^-90 to 2^127.
template <typename T>
T hypot(T x, T y) {
  return sqrtApprox(fma(x, x, y * y));
}

template <typename T>
T softsign(T x) {
  T a = minimum(abs(x), x.splat(0x1p60));
  return copysign(a * rcp(a + 1.0), x);
}

/// For d and 1 / d that are normal.
template <typename T>
T divide(T n, T d) {
  return n * rcp(d);
}

} // namespace ew::math::fast

#endif // EW_LIB_MATH_FASTFORMS_H
