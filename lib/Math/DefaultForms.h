//===- DefaultForms.h - Functions of the default mode on GPUs ---*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions in f32 within 2 ulps, of as few steps as that takes. Written over
// any type of numbers, so that the tests evaluate the very forms that become
// code, with approximations that err as far as their documentation allows:
// `rcp` by one place, `ex2` by a relative 2^-22. All else is IEEE 754's.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_DEFAULTFORMS_H
#define EW_LIB_MATH_DEFAULTFORMS_H

#include "Coefficients.h"
#include "DefaultCoefficients.h"

namespace ew::math::gpu {

/// Far out 1 - erfc(|x|), of which ex2's errors are a tenth and less.
template <typename T>
T erf(T x) {
  T a = abs(x);
  // About a center inside, the sums that are multiplied by it lose less.
  T near = fma(horner(fma(x, x, -kErfShift), kErf), x, x);
  T far = fma(ex2(fma(horner(a, kErfTail), -a, 3.0)), -0.125, 1.0);
  return select(lt(a, kErfEnd), near, copysign(far, x));
}

/// y + y p(y^2), y = |x|, or above 1 pi / 2 less that of y = 1 / |x|.
template <typename T>
T atan(T x) {
  // The product of an infinity and its reciprocal would be a NaN.
  T a = minimum(abs(x), x.splat(0x1p100));
  auto isFar = gt(a, 1.0);
  T y = select(isFar, -rcp(a), a);
  T factor = select(isFar, x.splat(kHalfPiFactors[0]), x.splat(0.0));
  // By how much the reciprocal is off counts as much as the derivative is
  // large, which is about the factor where a unit of the result is smallest.
  T error = fma(a, y, 1.0) * factor;
  T square = y * y;
  T p = fma(horner(square, coefficients::kAtan), square, error);
  return copysign(fma(p, y, fma(factor, kHalfPiFactors[1], y)), x);
}

} // namespace ew::math::gpu

#endif // EW_LIB_MATH_DEFAULTFORMS_H
