//===- Functions.h - Functions in f32 from IEEE operations -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_FUNCTIONS_H
#define EW_LIB_MATH_FUNCTIONS_H

#include "Implementations.h"

namespace ew::math {

/// significand * 2^exponent, for an exponent in [-252, 254]: the product is taken
/// in two steps, of which only the last may round.
struct Scaled {
  V significand, exponent;

  V value() const;
  /// value() * factor, where value() alone may be subnormal or overflow.
  V times(V factor) const;
};

V clampKeepingNan(V x, double low, double high);

/// exp(x) for |x| <= 170 or a NaN.
Scaled expScaled(V x);
/// exp(x + low) for a low far below 1.
Scaled expScaled(V x, V low);

V expF32(V x);
V exp2F32(V x);
V expm1F32(V x);
V logF32(V x);
V log2F32(V x);
V log10F32(V x);
V log1pF32(V x);
V sinF32(V x);
V cosF32(V x);

} // namespace ew::math

#endif // EW_LIB_MATH_FUNCTIONS_H
