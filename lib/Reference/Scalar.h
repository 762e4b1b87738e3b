//===- Scalar.h - What is known of one element ------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_SCALAR_H
#define EW_LIB_REFERENCE_SCALAR_H

#include "Format.h"

#include <optional>

namespace ew::reference {

/// Numbers between two ends, both included, with -0 below +0; and NaN or not.
struct Range {
  bool hasNumber = false;
  bool hasNaN = false;
  Real low, high;

  static Range point(const Real &number);
  void include(const Real &number); // or NaN
  void include(const Range &other);
  /// Whether it holds one value and no more.
  bool isPoint() const;
  /// Whether nothing is excluded.
  bool isEverything() const;
  bool contains(const Real &number) const;
};

struct Scalar {
  /// A jump was straddled on the way: `range` allows more than it should, and
  /// an integer may be any.
  bool undecided = false;

  //===--- Integers and booleans -----------------------------------------===//

  /// Without bits above the type's width. If undecided, the nominal ones.
  uint64_t bits = 0;

  //===--- Floating point ------------------------------------------------===//

  /// The value of correct rounding op by op, and what it was before its last
  /// rounding.
  Real nominal, truth;
  /// All values that are allowed.
  Range range;
  /// If the value was just computed by an op that rounds or approximates: the
  /// true results for all values that its operands may have, and the bound of
  /// the op.
  std::optional<Range> trueRange;
  double bound = 0;

  static Scalar integer(uint64_t bits, bool undecided = false) {
    Scalar value;
    value.bits = bits;
    value.undecided = undecided;
    return value;
  }
  /// A number that is known exactly.
  static Scalar number(const Real &number) {
    Scalar value;
    value.nominal = value.truth = number;
    value.range = Range::point(number);
    return value;
  }
};

/// Every number of `range`, rounded to a format; an overflow in a format
/// without infinity is NaN, or with `saturate` the largest finite number.
Range roundTo(const Range &range, const Format &format,
              RoundingMode mode = RoundingMode::nearest_even,
              bool saturate = false);
Real convert(const Real &number, const Format &format,
             RoundingMode mode = RoundingMode::nearest_even,
             bool saturate = false);

/// What an op with an error of at most `bound` may give for true results in
/// `truth`. With `exactHits`, a true result that the format holds is met.
Range widen(const Range &truth, const ErrorLimit &bound, bool exactHits,
            const Format &format);

/// `value`, rounded to a format. If the value was just computed, wider, by an
/// op, and the format has 16 bits, the op may have been computed less
/// precisely.
Scalar roundTo(const Scalar &value, const Format &format,
               RoundingMode mode = RoundingMode::nearest_even,
               bool saturate = false);

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_SCALAR_H
