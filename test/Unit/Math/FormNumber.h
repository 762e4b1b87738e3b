//===- FormNumber.h - What forms of functions are computed with -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers that the forms of lib/Math (DefaultForms.h, FastForms.h,
// NarrowForms.h) take in place of an emitter's values: f32, on the host, with
// the hardware's approximations as a test wants them to err.
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_MATH_FORMNUMBER_H
#define EW_TEST_UNIT_MATH_FORMNUMBER_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ew::test {

inline uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}
inline float fromBits(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  return x;
}

/// As .ftz has it.
inline float flush(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min()
             ? std::copysign(0.0f, x)
             : x;
}

/// The normal number that many places away, or zero; infinities and NaNs stay.
inline float moveByPlaces(float x, int places) {
  x = flush(x);
  return x == 0 || !std::isfinite(x) ? x : flush(fromBits(bitsOf(x) + places));
}

/// a b + c rounded up.
inline float fmaUp(float a, float b, float c) {
  float sum = std::fma(a, b, c);
  // The sign of what was lost is right: a difference of neighbours is exact.
  double lost = std::fma(static_cast<double>(a), static_cast<double>(b),
                         static_cast<double>(c) - sum);
  return lost > 0 ? std::nextafterf(sum, INFINITY) : sum;
}
/// As .sat has it.
inline float saturate(float x) { return x > 0 ? std::min(x, 1.0f) : 0.0f; }

/// An f32 number. `Hardware` has the approximations that the forms in question
/// need: static functions of float.
template <typename Hardware>
struct FormNumber {
  using Number = FormNumber;

  float value;
  Number splat(double c) const { return {static_cast<float>(c)}; }
  static Number of(Number n) { return n; }
  static Number of(double c) { return {static_cast<float>(c)}; }

#define EW_OPERATOR(sign)                                                      \
  friend Number operator sign(Number a, Number b) {                            \
    return {a.value sign b.value};                                             \
  }                                                                            \
  friend Number operator sign(Number a, double b) { return a sign of(b); }     \
  friend Number operator sign(double a, Number b) { return of(a) sign b; }
  EW_OPERATOR(+)
  EW_OPERATOR(-)
  EW_OPERATOR(*)
#undef EW_OPERATOR
  friend Number operator-(Number a) { return {-a.value}; }
  template <typename B, typename C>
  friend Number fma(Number a, B b, C c) {
    return {std::fma(a.value, of(b).value, of(c).value)};
  }
  template <size_t N>
  friend Number horner(Number x, const double (&c)[N]) {
    Number sum = of(c[N - 1]);
    for (size_t i = N - 1; i-- > 0;)
      sum = fma(sum, x, c[i]);
    return sum;
  }
  friend Number abs(Number a) { return {std::fabs(a.value)}; }
  friend bool lt(Number a, double b) { return a.value < of(b).value; }
  friend bool gt(Number a, double b) { return a.value > of(b).value; }
  friend bool gt(Number a, Number b) { return a.value > b.value; }
  friend Number select(bool condition, Number a, Number b) {
    return condition ? a : b;
  }
  friend Number maximum(Number a, Number b) {
    return std::isnan(a.value) || a.value > b.value ? a : b;
  }
  friend Number minimum(Number a, Number b) {
    return std::isnan(a.value) || a.value < b.value ? a : b;
  }
  friend Number positivePart(Number a) {
    return a.value < 0 ? Number{-0.0f} : a;
  }
  friend Number copysign(Number a, Number b) {
    return {std::copysign(a.value, b.value)};
  }
  friend Number fmaDown(Number a, double factor, double addend) {
    // Exact in f64: 48 bits, and the addend is near them.
    double sum = static_cast<double>(a.value) * of(factor).value + addend;
    float rounded = static_cast<float>(sum);
    return {rounded > sum ? std::nextafterf(rounded, -INFINITY) : rounded};
  }
  friend Number powerOfRounded(Number t) {
    return {fromBits((bitsOf(t.value) << 23) + 0x3f800000)};
  }
  friend Number inversePowerOfRounded(Number t) {
    return {fromBits(0x3f800000 - (bitsOf(t.value) << 23))};
  }
  friend Number scaleByRounded(Number x, Number t) {
    return {fromBits(bitsOf(x.value) + (bitsOf(t.value) << 23))};
  }
  friend Number scaleDownByRounded(Number x, Number t) {
    return {fromBits(bitsOf(x.value) - (bitsOf(t.value) << 23))};
  }
  friend Number saturatingFmaUp(Number a, double factor, double addend) {
    return {saturate(fmaUp(a.value, of(factor).value, of(addend).value))};
  }
  friend Number flipIfOdd(Number x, Number t) {
    return {fromBits(bitsOf(x.value) ^ bitsOf(t.value) << 31)};
  }
  friend bool isOddRounded(Number t) { return bitsOf(t.value) & 1; }
  friend Number splitNearOne(Number x, Number &exponent) {
    uint32_t raw = bitsOf(x.value), k = (raw - 0x3f3504f3) & 0xff800000u;
    exponent = {static_cast<float>(static_cast<int32_t>(k)) * 0x1p-23f};
    return {fromBits(raw - k)};
  }

  friend Number ex2(Number x) { return {Hardware::ex2(x.value)}; }
  friend Number rcp(Number x) { return {Hardware::rcp(x.value)}; }
  friend Number lg2(Number x) { return {Hardware::lg2(x.value)}; }
  friend Number sqrtApprox(Number x) { return {Hardware::sqrt(x.value)}; }
};

} // namespace ew::test

#endif // EW_TEST_UNIT_MATH_FORMNUMBER_H
