//===- NarrowForms.h - Functions with results of 16 bits --------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions in f32 whose results, rounded to f16 or bf16, are within 1 unit in
// the last place of that type for every f32 operand. Written over any type of
// numbers, so that the tests evaluate the very forms that become code with
// hardware that errs as far as its documentation allows. `ex2` is off by up to
// two places and `rcp` by one; both take subnormal numbers for zeros and return
// zeros for them.
//
// bf16 has the exponents of f32. Results that are small are therefore products
// of a factor above 2^-126 and a power of two: the last product rounds as IEEE
// 754 says.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_NARROWFORMS_H
#define EW_LIB_MATH_NARROWFORMS_H

#include "Coefficients.h"

namespace ew::math::narrow {

/// Exponents are kept this far from the end of the format: 2^-142 vanishes in
/// bf16 even after a product with |x| <= 16.
inline constexpr double kShift = 16.0, kUp = 0x1p16, kDown = 0x1p-16;
/// log2(e), rounded.
inline constexpr double kLog2E = coefficients::kLog2E[0];

/// 1 / (1 + 2^(t + 16)).
template <typename T>
T inverseOfSum(T t) {
  return rcp(ex2(t) + kDown) * kDown;
}

template <typename T>
T sigmoid(T x) {
  return inverseOfSum(fma(x, -kLog2E, -kShift));
}

template <typename T>
T silu(T x) {
  // An infinity times zero would be a NaN.
  return maximum(x, x.splat(-0x1p60)) * sigmoid(x);
}

/// x / (1 + exp(-2 u)), 2 u = x * (linear + cubic * x^2).
template <typename T>
T geluTanh(T x) {
  T p = fma(x * x, -kLog2E * coefficients::kGeluTanhCubic[0],
            -kLog2E * coefficients::kGeluTanhLinear[0]);
  return maximum(x, x.splat(-0x1p60)) * inverseOfSum(fma(x, p, -kShift));
}

/// max(x, 0) - a Phi(-a) with a = |x|; Phi(-a) exp(a^2 / 2) is a polynomial in
/// 1 / (1 + 0.38 a).
template <typename T>
T gelu(T x) {
  T a = minimum(abs(x), x.splat(16.0));
  T t = rcp(fma(a, coefficients::kGeluNarrowScale, 1.0));
  // The polynomial's coefficients hold a factor of 2^-16.
  T power = ex2(fma(a * a, -0.5 * kLog2E, kShift));
  T tail = (a * t) * (power * horner(t, coefficients::kGeluNarrow));
  // A zero of x's sign remains of results that vanish.
  return positivePart(x) - tail;
}

template <typename T>
T exp2(T x) {
  T half = ex2(x * 0.5);
  return half * half;
}

template <typename T>
T exp(T x) {
  T half = ex2(x * (0.5 * kLog2E));
  return half * half;
}

template <typename T>
T tanh(T x) {
  T near = x * fma(x * x, horner(x * x, coefficients::kTanhNarrow), 1.0);
  T far = fma(rcp(ex2(x * (2.0 * kLog2E)) + 1.0), -2.0, 1.0);
  return select(lt(abs(x), 0.35), near, far);
}

} // namespace ew::math::narrow

#endif // EW_LIB_MATH_NARROWFORMS_H
