//===- Format.cpp - Floating-point formats --------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"

#include "llvm/Support/ErrorHandling.h"
#include <algorithm>

using namespace ew;
using namespace ew::reference;
using ew::runtime::ElementType;

static constexpr Format kFormats[] = {
    {ElementType::F8E4M3FN, 8, 4, -6, 8, false},
    {ElementType::F8E5M2, 8, 3, -14, 15, true},
    {ElementType::F16, 16, 11, -14, 15, true},
    {ElementType::BF16, 16, 8, -126, 127, true},
    {ElementType::F32, 32, 24, -126, 127, true},
    {ElementType::F64, 64, 53, -1022, 1023, true},
};

const Format &ew::reference::getFormat(ElementType type) {
  for (const Format &format : kFormats)
    if (format.type == type)
      return format;
  llvm_unreachable("not a floating-point type");
}

Real ew::reference::getLargest(const Format &format) {
  // All ones, but where the last pattern is NaN.
  long units = (1L << format.precision) - (format.hasInfinity ? 1 : 2);
  Real result(static_cast<double>(units));
  mpfr_mul_2si(result.get(), result.get(),
               format.maxExponent - format.precision + 1, MPFR_RNDN);
  return result;
}

/// The exponent of getUlp.
static long getUlpExponent(const Real &number, const Format &format) {
  long exponent = format.minExponent;
  if (number.isFinite() && !number.isZero())
    exponent = std::clamp<long>(number.exponent(), format.minExponent,
                                format.maxExponent);
  return exponent - format.precision + 1;
}

Real ew::reference::getUlp(const Real &number, const Format &format) {
  return Real::powerOfTwo(getUlpExponent(number, format));
}

Real ew::reference::roundTo(const Real &number, const Format &format,
                            RoundingMode mode) {
  if (!number.isFinite() || number.isZero())
    return number;
  // Far below the smallest subnormal, scaling to an integer says nothing more.
  long exponent = std::max<long>(number.exponent(), format.minExponent) -
                  format.precision + 1;
  Real result = number;
  mpfr_ptr value = result.get();
  mpfr_div_2si(value, value, exponent, MPFR_RNDN);
  switch (mode) {
  case RoundingMode::nearest_even:
    mpfr_roundeven(value, value);
    break;
  case RoundingMode::toward_zero:
    mpfr_trunc(value, value);
    break;
  case RoundingMode::upward:
    mpfr_ceil(value, value);
    break;
  case RoundingMode::downward:
    mpfr_floor(value, value);
    break;
  case RoundingMode::nearest_away:
    mpfr_round(value, value);
    break;
  }
  mpfr_mul_2si(value, value, exponent, MPFR_RNDN);
  Real largest = getLargest(format);
  if (mpfr_cmpabs(value, largest.get()) <= 0)
    return result;
  bool negative = result.isNegative();
  bool staysFinite =
      mode == RoundingMode::toward_zero ||
      mode == (negative ? RoundingMode::upward : RoundingMode::downward);
  if (!staysFinite)
    return Real::infinity(negative);
  return negative ? negate(largest) : largest;
}

Real ew::reference::getLowest(const Real &truth, const ErrorLimit &limit,
                              const Format &format) {
  if (!truth.isFinite() || truth.isZero())
    return truth;
  if (limit.bound <= 0.5 && limit.absolute == 0)
    return roundTo(truth, format);
  Real error = getUlp(truth, format);
  if (limit.isRelative) {
    // As many times the ulp as the true result is above its power of two.
    Real relative = absolute(truth);
    mpfr_mul_2si(relative.get(), relative.get(), 1 - format.precision,
                 MPFR_RNDU);
    if (compare(relative, error) > 0)
      error = relative;
  }
  mpfr_mul_d(error.get(), error.get(), limit.bound, MPFR_RNDU);
  bool isAbsolute = mpfr_cmp_d(error.get(), limit.absolute) < 0;
  if (isAbsolute)
    error = Real(limit.absolute);
  Real least;
  mpfr_sub(least.get(), truth.get(), error.get(), MPFR_RNDD);
  if (!truth.isNegative() && least.isNegative() && !isAbsolute)
    return Real::zero(false);
  // An infinity stands one step past the largest finite number: it is within
  // the bound of a negative result if that step is.
  Real largest = getLargest(format);
  if (mpfr_cmp(least.get(), negate(largest).get()) < 0) {
    Real past = getUlp(largest, format);
    mpfr_add(past.get(), past.get(), largest.get(), MPFR_RNDN);
    return mpfr_cmp(least.get(), negate(past).get()) <= 0 ? Real::infinity(true)
                                                          : negate(largest);
  }
  return roundTo(least, format, RoundingMode::upward);
}

Real ew::reference::getHighest(const Real &truth, const ErrorLimit &limit,
                               const Format &format) {
  return negate(getLowest(negate(truth), limit, format));
}

double ew::reference::getDistance(const Real &actual, const Real &truth,
                                  const Format &format) {
  auto finite = [&](const Real &number) {
    if (!number.isInfinite())
      return number;
    Real past = getLargest(format);
    mpfr_add(past.get(), past.get(), getUlp(past, format).get(), MPFR_RNDN);
    return number.isNegative() ? negate(past) : past;
  };
  // Past the end of the format, all is infinite.
  auto saturate = [&](const Real &number) {
    Real past = finite(Real::infinity(number.isNegative()));
    return mpfr_cmpabs(number.get(), past.get()) > 0 ? past : number;
  };
  Real a = saturate(finite(actual)), b = saturate(finite(truth));
  Real difference;
  mpfr_sub(difference.get(), a.get(), b.get(), MPFR_RNDN);
  mpfr_abs(difference.get(), difference.get(), MPFR_RNDN);
  mpfr_div_2si(difference.get(), difference.get(), getUlpExponent(b, format),
               MPFR_RNDN);
  return difference.toDouble();
}

uint64_t ew::reference::encode(const Real &number, const Format &format) {
  unsigned fractionBits = format.precision - 1;
  uint64_t sign = uint64_t(number.isNegative()) << (format.width - 1);
  uint64_t topExponent = (uint64_t(1) << (format.width - format.precision)) - 1;
  if (number.isNaN()) {
    if (!format.hasInfinity)
      return (uint64_t(1) << (format.width - 1)) - 1;
    return topExponent << fractionBits | uint64_t(1) << (fractionBits - 1);
  }
  if (number.isInfinite())
    return sign | topExponent << fractionBits;
  if (number.isZero())
    return sign;
  long exponent = std::max<long>(number.exponent(), format.minExponent);
  Real scaled = absolute(number);
  mpfr_div_2si(scaled.get(), scaled.get(), exponent - fractionBits, MPFR_RNDN);
  uint64_t significand = mpfr_get_ui(scaled.get(), MPFR_RNDZ);
  // The hidden bit of a normal number adds one to the exponent of zero.
  return sign | ((uint64_t(exponent - format.minExponent) << fractionBits) +
                 significand);
}

Real ew::reference::decode(uint64_t bits, const Format &format) {
  unsigned fractionBits = format.precision - 1;
  bool negative = bits >> (format.width - 1) & 1;
  uint64_t magnitude = bits & ((uint64_t(1) << (format.width - 1)) - 1);
  uint64_t topExponent = (uint64_t(1) << (format.width - format.precision)) - 1;
  uint64_t exponent = magnitude >> fractionBits;
  uint64_t fraction = magnitude & ((uint64_t(1) << fractionBits) - 1);
  if (format.hasInfinity && exponent == topExponent)
    return fraction ? Real::nan() : Real::infinity(negative);
  if (!format.hasInfinity &&
      magnitude == (uint64_t(1) << (format.width - 1)) - 1)
    return Real::nan();
  if (exponent)
    fraction |= uint64_t(1) << fractionBits;
  long scale = static_cast<long>(std::max<uint64_t>(exponent, 1)) - 1 +
               format.minExponent - fractionBits;
  Real result = Real::fromUnsigned(fraction);
  mpfr_mul_2si(result.get(), result.get(), scale, MPFR_RNDN);
  return negative ? negate(result) : result;
}
