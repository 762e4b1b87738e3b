//===- Real.cpp - Numbers of high precision -------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Real.h"

#include <cmath>
#include <limits>

using namespace ew::reference;

Real Real::nan() { return Real(std::numeric_limits<double>::quiet_NaN()); }

Real Real::infinity(bool negative) {
  double infinity = std::numeric_limits<double>::infinity();
  return Real(negative ? -infinity : infinity);
}

Real Real::zero(bool negative) { return Real(negative ? -0.0 : 0.0); }

Real Real::powerOfTwo(long exponent) {
  Real result(1.0);
  mpfr_mul_2si(result.value, result.value, exponent, MPFR_RNDN);
  return result;
}

Real Real::fromSigned(int64_t number) {
  Real result;
  mpfr_set_si(result.value, number, MPFR_RNDN);
  return result;
}

Real Real::fromUnsigned(uint64_t number) {
  Real result;
  mpfr_set_ui(result.value, number, MPFR_RNDN);
  return result;
}

bool Real::isOddInteger() const {
  if (!isFinite() || isZero() || !isInteger())
    return false;
  Real half = *this;
  mpfr_div_2ui(half.value, half.value, 1, MPFR_RNDN);
  return !half.isInteger();
}

int ew::reference::compareTotal(const Real &a, const Real &b) {
  if (int order = compare(a, b))
    return order < 0 ? -1 : 1;
  return int(b.isNegative()) - int(a.isNegative());
}

Real ew::reference::negate(const Real &a) {
  Real result = a;
  mpfr_neg(result.get(), a.get(), MPFR_RNDN);
  return result;
}

Real ew::reference::absolute(const Real &a) {
  Real result = a;
  mpfr_abs(result.get(), a.get(), MPFR_RNDN);
  return result;
}

void ew::reference::makeOdd(Real &result, int ternary) {
  mpfr_ptr value = result.get();
  if (mpfr_zero_p(value)) { // an underflow of MPFR itself
    mpfr_set_zero(value, ternary < 0 ? 1 : -1);
    ternary < 0 ? mpfr_nextabove(value) : mpfr_nextbelow(value);
    return;
  }
  if (!mpfr_regular_p(value))
    return;
  // The number is odd if it needs all its bits.
  if (mpfr_min_prec(value) == mpfr_get_prec(value))
    return;
  mpfr_signbit(value) ? mpfr_nextbelow(value) : mpfr_nextabove(value);
}

Real ew::reference::narrow(const Real &wide) {
  return toOdd([&](mpfr_ptr result, mpfr_rnd_t rounding) {
    return mpfr_set(result, wide.get(), rounding);
  });
}

std::string ew::reference::toString(const Real &a, int precision) {
  if (a.isNaN())
    return "NaN";
  if (a.isInfinite())
    return a.isNegative() ? "-inf" : "inf";
  int digits = 1 + static_cast<int>(std::ceil(precision * 0.30103));
  char *text = nullptr;
  mpfr_asprintf(&text, "%.*Rg", digits, a.get());
  std::string result = text;
  mpfr_free_str(text);
  return result;
}
