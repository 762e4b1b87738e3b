//===- Real.h - Numbers of high precision -----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_REAL_H
#define EW_LIB_REFERENCE_REAL_H

#include <cstdint>
#include <cstdio> // before mpfr.h, which declares its printing only then
#include <cstring>
#include <mpfr.h>
#include <string>

namespace ew::reference {

/// A number, an infinity, a zero with a sign, or NaN. Precise enough for every
/// product of two f64 to be exact; wider for the insides of functions. Its
/// digits are held in place, as an element takes a hundred of them.
class Real {
public:
  static constexpr mpfr_prec_t kPrecision = 128;
  static constexpr mpfr_prec_t kWide = 192;

  Real() { initialize(kPrecision); }
  explicit Real(double number, mpfr_prec_t precision = kPrecision) {
    initialize(precision);
    mpfr_set_d(value, number, MPFR_RNDN);
  }
  Real(const Real &other) { copy(other); }
  Real &operator=(const Real &other) {
    if (this != &other)
      copy(other);
    return *this;
  }

  static Real nan();
  static Real infinity(bool negative = false);
  static Real zero(bool negative);
  static Real powerOfTwo(long exponent);
  static Real fromSigned(int64_t number);
  static Real fromUnsigned(uint64_t number);

  mpfr_ptr get() { return value; }
  mpfr_srcptr get() const { return value; }

  bool isNaN() const { return mpfr_nan_p(value); }
  bool isInfinite() const { return mpfr_inf_p(value); }
  bool isFinite() const { return mpfr_number_p(value); }
  bool isZero() const { return mpfr_zero_p(value); }
  bool isNegative() const { return mpfr_signbit(value); }
  bool isInteger() const { return mpfr_integer_p(value); }
  bool isOddInteger() const;

  /// The exponent e of a number in [2^e, 2^(e+1)).
  long exponent() const { return mpfr_get_exp(value) - 1; }
  double toDouble() const { return mpfr_get_d(value, MPFR_RNDN); }

private:
  void initialize(mpfr_prec_t precision) {
    mpfr_custom_init(digits, precision);
    mpfr_custom_init_set(value, MPFR_ZERO_KIND, 0, precision, digits);
  }
  void copy(const Real &other) {
    memcpy(digits, other.digits, sizeof(digits));
    value[0] = other.value[0];
    mpfr_custom_move(value, digits);
  }

  mpfr_t value;
  mp_limb_t digits[kWide / (8 * sizeof(mp_limb_t))];
};

/// -1, 0 or 1, with -0 below +0. Neither may be NaN.
int compareTotal(const Real &a, const Real &b);
/// -1, 0 or 1, with -0 equal to +0. Neither may be NaN.
inline int compare(const Real &a, const Real &b) {
  return mpfr_cmp(a.get(), b.get());
}

Real negate(const Real &a);
Real absolute(const Real &a);

/// Makes `result`, which was rounded toward zero and is not exact, odd.
void makeOdd(Real &result, int ternary);

/// Rounds the exact result of `compute(result, rounding)`, an MPFR function, to
/// odd: a later rounding to a narrower format is then a single rounding.
template <typename Compute>
Real toOdd(Compute compute) {
  Real result;
  int ternary = compute(result.get(), MPFR_RNDZ);
  if (ternary != 0)
    makeOdd(result, ternary);
  return result;
}

/// A wide number, narrowed.
Real narrow(const Real &wide);

/// As many digits as tell its value apart from its neighbours of `precision`
/// bits.
std::string toString(const Real &a, int precision);

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_REAL_H
