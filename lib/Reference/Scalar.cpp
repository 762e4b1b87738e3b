//===- Scalar.cpp - What is known of one element --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"

using namespace ew;
using namespace ew::reference;

//===----------------------------------------------------------------------===//
// Range
//===----------------------------------------------------------------------===//

Range Range::point(const Real &number) {
  Range range;
  range.include(number);
  return range;
}

void Range::include(const Real &number) {
  if (number.isNaN()) {
    hasNaN = true;
    return;
  }
  if (!hasNumber || compareTotal(number, low) < 0)
    low = number;
  if (!hasNumber || compareTotal(number, high) > 0)
    high = number;
  hasNumber = true;
}

void Range::include(const Range &other) {
  hasNaN |= other.hasNaN;
  if (other.hasNumber) {
    include(other.low);
    include(other.high);
  }
}

bool Range::isPoint() const {
  return hasNumber ? !hasNaN && compareTotal(low, high) == 0 : hasNaN;
}

bool Range::isEverything() const {
  return hasNumber && low.isInfinite() && high.isInfinite() &&
         low.isNegative() && !high.isNegative();
}

bool Range::contains(const Real &number) const {
  if (number.isNaN())
    return hasNaN;
  return hasNumber && compareTotal(low, number) <= 0 &&
         compareTotal(number, high) <= 0;
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

Real ew::reference::convert(const Real &number, const Format &format,
                            RoundingMode mode, bool saturate) {
  Real result = roundTo(number, format, mode);
  if (!result.isInfinite())
    return result;
  if (saturate) {
    Real largest = getLargest(format);
    return result.isNegative() ? negate(largest) : largest;
  }
  return format.hasInfinity ? result : Real::nan();
}

Range ew::reference::roundTo(const Range &range, const Format &format,
                             RoundingMode mode, bool saturate) {
  Range result;
  result.hasNaN = range.hasNaN;
  if (!range.hasNumber)
    return result;
  Real low = roundTo(range.low, format, mode);
  Real high = roundTo(range.high, format, mode);
  if (saturate || !format.hasInfinity) {
    if (!saturate && (low.isInfinite() || high.isInfinite())) {
      result.hasNaN = true;
      if (compareTotal(low, high) == 0)
        return result;
    }
    for (Real *end : {&low, &high})
      if (end->isInfinite())
        *end = convert(*end, format, mode, /*saturate=*/true);
  }
  result.include(low);
  result.include(high);
  return result;
}

Range ew::reference::widen(const Range &truth, const ErrorLimit &bound,
                           bool exactHits, const Format &format) {
  Range result;
  result.hasNaN = truth.hasNaN;
  if (!truth.hasNumber)
    return result;
  auto isHit = [&](const Real &end) {
    return exactHits && end.isFinite() &&
           compareTotal(roundTo(end, format), end) == 0;
  };
  result.hasNumber = true;
  result.low =
      isHit(truth.low) ? truth.low : getLowest(truth.low, bound, format);
  result.high =
      isHit(truth.high) ? truth.high : getHighest(truth.high, bound, format);
  if (!format.hasInfinity)
    return roundTo(result, format);
  return result;
}

Scalar ew::reference::roundTo(const Scalar &value, const Format &format,
                              RoundingMode mode, bool saturate) {
  Scalar result;
  result.undecided = value.undecided;
  result.range = roundTo(value.range, format, mode, saturate);
  result.nominal = convert(value.nominal, format, mode, saturate);
  result.truth = value.trueRange ? value.truth : value.nominal;
  if (!value.trueRange)
    return result;
  if (mode == RoundingMode::nearest_even && !saturate) {
    result.nominal = convert(value.truth, format);
    // Rounding once, where the op's own rounding came in between.
    result.range.include(roundTo(*value.trueRange, format));
    if (value.bound > 0.5 && format.width == 16)
      result.range.include(widen(*value.trueRange, 1.0, false, format));
  }
  return result;
}
