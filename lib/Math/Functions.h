//===- Functions.h - Functions in f32 from IEEE operations ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_FUNCTIONS_H
#define EW_LIB_MATH_FUNCTIONS_H

#include "Implementations.h"

#include <limits>

namespace ew::math {

/// NaN stays NaN.
V clampKeepingNan(V x, double low, double high);
V selectOrMinimum(V x, double high);

/// exp(x) for |x| <= 170 or a NaN, as (1 + slope * reduced) * 2^exponent: the
/// scale is applied in two steps, of which only the last may round.
struct Exponential {
  /// exp(x) * 2^shift.
  explicit Exponential(V x, int shift = 0);
  /// exp(x + low), for a low far below 1.
  Exponential(V x, V low, int shift = 0);

  V value() const;
  /// 1 + slope * reduced and what its rounding lost.
  V significand() const;
  V significandLow(V significand) const;
  /// For |x| <= 86, in one step.
  V normalValue() const;
  /// value() * factor with one rounding less, and none in between to a
  /// subnormal number or an infinity.
  V times(V factor) const;
  /// value() * (factor + low), and less is lost of either.
  V times(V factor, V low) const;
  /// The same where exp(x) and the result are normal.
  V quickTimes(V factor, V low) const;
  /// value() where it is normal: |x| <= 87.
  V quickValue() const;
  /// value * 2^exponent.
  static V scale(V value, V exponent);
  /// 2^k for k in [-126, 127].
  static V power(V k);

  V slope, reduced, exponent;
};

/// Whether the hardware's approximations may be used, on a GPU and not in
/// strict mode.
bool mayApproximate(V v);
/// rcp.approx, ex2.approx and rsqrt.approx, which take subnormal numbers for
/// zeros.
V hardwareReciprocal(V d);
V hardwareExp2(V x);
V hardwareRsqrt(V s);

/// Whether exp(x) or exp(-x) may be no normal number, NaN included.
V isFarOut(V x);
/// Whether a value of that range is 2^-126 or more, or a NaN.
inline bool isNeverSubnormal(const Interval &range) {
  return range.low >= 0x1p-126 && !range.minusInfinity;
}
/// Whether any element is true.
mlir::Value anyOf(V condition);
/// `common`, but in a branch that rare operands take, where `isRare` says,
/// `rare()`.
V unlessRare(V isRare, V common, llvm::function_ref<V()> rare);
/// The same with both functions of operands: on a GPU `rare` is computed in a
/// loop over the lanes, with the registers of one and a fraction of the code.
using OfOperands = llvm::function_ref<V(llvm::ArrayRef<V>)>;
V unlessRare(llvm::ArrayRef<V> operands, OfOperands isRare, V common,
             OfOperands rare);
template <typename IsRare, typename Rare>
V unlessRare(V operand, IsRare isRare, V common, Rare rare) {
  return unlessRare(
      llvm::ArrayRef<V>(operand),
      [&](llvm::ArrayRef<V> x) { return isRare(x[0]); }, common,
      [&](llvm::ArrayRef<V> x) { return rare(x[0]); });
}
/// Computes in a loop `function` of each lane of the vectors; it returns what
/// takes that lane's place in each of them.
llvm::SmallVector<V> forEachLane(
    llvm::ArrayRef<V> vectors,
    llvm::function_ref<llvm::SmallVector<V>(llvm::ArrayRef<V>)> function);

/// n / d and the square root, correctly rounded; where approximations are
/// allowed off by 2^-30 more, and d and the results then normal or the root 0.
V ratio(V n, V d);
V root(V s);
/// 2 root(s), in one step less.
V twiceRoot(V s);

/// 1 / d within 2^-18, for a normal d whose reciprocal is normal.
V roughReciprocal(V d);
/// (n + nLow) / (d + dLow), rounded but for an error of about 2^-30: d as
/// above, q not subnormal. Parts that are zero may be left out.
V quotient(V n, V nLow, V d, V dLow);

/// A function of one argument of libm or libdevice, by its name in C.
V libraryF64(llvm::StringRef name, V x);

/// high + low, of which `low` may be left out.
struct Parts {
  V high, low;
};

/// An op's parameter in the type that is computed in.
double roundParameter(const llvm::APFloat &alpha, V like);

/// alpha * (e.high + e.low), rounded about once. `e` is finite.
V timesParameter(double alpha, Parts e);

/// x / alpha, of a finite x with what its rounding lost.
Parts overParameter(V x, double alpha);

/// alpha * expm1(x / alpha) for x up to 0. `expm1` gives parts;
/// `timesExp(alpha, y)` is alpha * exp(y), for an alpha below 0, whose
/// exponential may be too large where the product is not.
template <typename Expm1, typename TimesExp>
V celuNegative(V x, double alpha, Expm1 expm1, TimesExp timesExp) {
  constexpr double kFarOut = 40.0; // exp, to the last place of f64
  Parts y = overParameter(x, alpha);
  Parts e = expm1(alpha < 0 ? selectOrMinimum(y.high, kFarOut) : y.high);
  if (y.low.get()) {
    V more = y.low * (e.high + 1.0);
    e.low = e.low.get() ? e.low + more : more;
  }
  V result = timesParameter(alpha, e);
  if (alpha < 0)
    result = select(gt(y.high, kFarOut), timesExp(alpha, y), result);
  // Near 0, where the quotient may be subnormal, the function is x.
  double near = x.element().isF32() ? 0x1p-26 : 0x1p-56;
  return select(lt(abs(y.high), near), x, result);
}

V expF32(V x);
V exp2F32(V x);
/// 2^x for x in [-127, 128] or a NaN: zero below 2^-126.5, an infinity from
/// 2^127.5.
V exp2Flushed(V x);
V expm1F32(V x);
/// The same for x up to 80.
Parts expm1InParts(V x);
/// alpha * exp(y), without an overflow in between.
V timesExpF32(double alpha, Parts y);
V logF32(V x);
V log2F32(V x);
V log10F32(V x);
/// A row of the table for a GPU's approximations.
inline Implementation
onHardware(double bound, unsigned cost, Emit emit,
           llvm::StringRef name = "approximations of the hardware") {
  Implementation result{F32, OnNVPTX, bound, cost, emit};
  result.approximate = true;
  result.name = name;
  return result;
}

V log1pF32(V x);
/// For x above -1 and below 2^100; zeros lose their sign. Of x + low for a low
/// of less than a place of x.
V log1pOrdinary(V x, V low = V());

/// What operands take that a form of lib/Math/DefaultForms.h is not for,
/// infinities and NaNs too: |x| above 2^12 ...
V tanFarOut(V x);
/// of 9 and more ...
V erfcFarOut(V x);
/// of 13 and more ...
V geluFarOut(V x);
/// of 10 and more ...
V geluTanhFarOut(V x);
/// of 87 and more.
V coshFarOut(V x);
V siluFarOut(V x);

V geluF32(V x);

/// Of the integer that a rounder has put into the last bits of t: 2^n, 2^-n,
/// and whether it is odd.
V powerOfRounded(V t);
V inversePowerOfRounded(V t);
V isOddRounded(V t);

/// Of an angle at most a little above pi/4.
struct SineAndCosine {
  V sine, cosine;
};
SineAndCosine sineAndCosineNearZero(V angle, V low = V());

} // namespace ew::math

#endif // EW_LIB_MATH_FUNCTIONS_H
