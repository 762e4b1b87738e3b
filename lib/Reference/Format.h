//===- Format.h - Floating-point formats ------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_FORMAT_H
#define EW_LIB_REFERENCE_FORMAT_H

#include "Real.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Runtime/ElementType.h"

namespace ew::reference {

struct Format {
  runtime::ElementType type;
  unsigned width;  // bits
  int precision;   // bits of the significand, the hidden one included
  int minExponent; // of normal numbers
  int maxExponent;
  bool hasInfinity; // if not, the largest bit pattern is NaN
};

const Format &getFormat(runtime::ElementType type);

/// The largest finite number.
Real getLargest(const Format &format);

/// The distance of neighbours in the binade of `number`: that of subnormal
/// numbers below it, that of the top binade above.
Real getUlp(const Real &number, const Format &format);

/// The nearest number of the format by `mode`; an overflow gives what IEEE 754
/// says, which may be an infinity even if the format has none.
Real roundTo(const Real &number, const Format &format,
             RoundingMode mode = RoundingMode::nearest_even);

/// How far a result may be from the true one.
struct ErrorLimit {
  ErrorLimit(double bound, bool isRelative = false, double absolute = 0)
      : bound(bound), isRelative(isRelative), absolute(absolute) {}

  /// In ulps; or, relative, in ulps of a power of two of the true result's
  /// size: of 2^-23 of it in f32.
  double bound;
  bool isRelative;
  /// An error that is allowed in any case.
  double absolute;
};

/// The smallest and the largest number of the format (infinities included)
/// within `limit` of a true result. A result of zero or infinity is exact, and
/// what is not zero keeps its sign, unless the absolute error takes it past
/// zero. A bound of 0.5 is rounding correctly.
Real getLowest(const Real &truth, const ErrorLimit &limit,
               const Format &format);
Real getHighest(const Real &truth, const ErrorLimit &limit,
                const Format &format);

/// |actual - truth| in ulps of the truth. The first number past the largest
/// finite one stands for infinity.
double getDistance(const Real &actual, const Real &truth, const Format &format);

/// `number` must be one of the format; NaN is the canonical quiet NaN.
uint64_t encode(const Real &number, const Format &format);
Real decode(uint64_t bits, const Format &format);

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_FORMAT_H
