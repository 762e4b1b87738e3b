//===- ComplexFunctions.cpp - Exponentials and their kin ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the parts in their own type, put together in f64.
//
//===----------------------------------------------------------------------===//

#include "ComplexParts.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace ew;
using namespace ew::complex;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr double kLn2 = 0x1.62e42fefa39efp-1;

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

namespace {
/// exp(x) as a product that may be larger than the type: what it is multiplied
/// by may bring it back.
struct LargeExp {
  Number value, first, second; // in f64
  Number times(const Number &number) const {
    return value * number * first * second;
  }
};
} // namespace

static LargeExp largeExp(const Number &x) {
  if (!x.isF64()) {
    // Subtracting a small integer from a number above it is exact.
    Number large = x.compare(CmpPredicate::ogt, 64.0);
    Number huge = x.compare(CmpPredicate::ogt, 144.0);
    Number less = huge.select(x.constant(128),
                              large.select(x.constant(64), x.constant(0)));
    Number value = (x - less).call<ExpOp>().toF64();
    Number one = value.constant(1);
    Number factor =
        huge.select(value.constant(0x1.95e54c5dd4217p+184),
                    large.select(value.constant(0x1.425982cf597cdp+92), one));
    return {value * factor, one, one};
  }
  Number large = x.compare(CmpPredicate::ogt, 640.0);
  Number huge = x.compare(CmpPredicate::ogt, 1152.0);
  Number less = huge.select(x.constant(1024),
                            large.select(x.constant(512), x.constant(0)));
  Number one = x.constant(1), factor = x.constant(0x1.9476504ba852ep+738);
  return {(x - less).call<ExpOp>(), large.select(factor, one),
          huge.select(factor, one)};
}

Pair complex::exp(const Pair &z) {
  Type type = z.re.type();
  LargeExp scale = largeExp(z.re);
  Pair result = Pair{scale.times(z.im.call<CosOp>().toF64()),
                     scale.times(z.im.call<SinOp>().toF64())}
                    .cast(type);
  result.im = z.im.isZero().select(z.im, result.im);
  Number zero = z.re.constant(0);
  Number lost = !z.im.isFinite();
  result = select(lost & z.re.test(true, -kInf), {zero, zero}, result);
  result.re = (lost & z.re.test(true, kInf)).select(z.re, result.re);
  return result;
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// a + b, and what it is off by (Knuth).
static std::pair<Number, Number> addExactly(const Number &a, const Number &b) {
  Number sum = a + b;
  Number bPart = sum - a;
  return {sum, (a - (sum - bPart)) + (b - bPart)};
}

/// x^2 + y^2 - 1 for numbers of f64 near the unit circle, whatever cancels.
static Number beyondCircle(const Number &larger, const Number &smaller) {
  Number square = larger * larger, other = smaller * smaller;
  SmallVector<Number> terms = {smaller.fma(smaller, -other),
                               larger.fma(larger, -square), other, square,
                               larger.constant(-1)};
  // Each pass brings the sum into the last term and leaves the errors; after
  // four nothing is left of what cancels.
  for (unsigned pass = 0; pass < 4; ++pass)
    for (size_t i = 1; i < terms.size(); ++i) {
      auto [sum, error] = addExactly(terms[i], terms[i - 1]);
      terms[i] = sum;
      terms[i - 1] = error;
    }
  Number sum = terms.front();
  for (const Number &term : ArrayRef(terms).drop_front())
    sum = sum + term;
  return sum;
}

/// log(|z|) of f32, for a |z| that is neither 0 nor infinite.
static Number logModulus32(const Pair &narrow) {
  Pair z = narrow.toF64();
  Number x = z.re.abs(), y = z.im.abs();
  Number larger = x.call<MaxOp>({y}), smaller = x.call<MinOp>({y});
  Number square = larger.fma(larger, smaller * smaller);
  // |z|^2 = 2^e m, with m in [sqrt(1/2), sqrt(2)).
  constexpr int64_t one = 0x3FF0000000000000, root = 0x3FE6A09E667F3BCD;
  Number bits = square.toBits();
  Number exponent =
      (bits + x.bits(one - root)).call<ShrOp>({x.bits(52)}) - x.bits(1023);
  Number fraction =
      (bits - exponent.call<ShlOp>({x.bits(52)})).toNumber() - x.constant(1);
  // Both steps are exact but for the last rounding.
  Number beyond = smaller.fma(smaller, larger.fma(larger, x.constant(-1)));
  Number isNear = exponent.compare(CmpPredicate::eq, x.bits(0));
  Number inner = isNear.select(beyond, fraction)
                     .cast(narrow.re.type())
                     .call<Log1pOp>()
                     .toF64();
  Number whole = exponent.toF64();
  return (whole.fma(x.constant(kLn2), inner) * x.constant(0.5))
      .cast(narrow.re.type());
}

static Number logModulus64(const Pair &z) {
  Number x = z.re.abs(), y = z.im.abs();
  Number larger = x.call<MaxOp>({y}), smaller = x.call<MinOp>({y});
  Number square = larger.fma(larger, smaller * smaller);
  Number isNear = square.compare(CmpPredicate::ogt, 0.5) &
                  square.compare(CmpPredicate::olt, 2.0);
  Number near = beyondCircle(larger, smaller).call<Log1pOp>();

  // The larger part is brought into [1, 2), by two powers of two where it is
  // subnormal.
  Number tiny = larger.compare(CmpPredicate::olt, 0x1p-1000);
  Number up = tiny.select(x.constant(0x1p60), x.constant(1));
  Number first = larger * up, second = smaller * up;
  Number exponent = first.toBits().call<ShrOp>({x.bits(52)}) - x.bits(1023);
  auto scale = [&](const Number &number) {
    // In two steps: the exponent may be that of the largest numbers.
    Number half = exponent.call<ShrOp>({x.bits(1)});
    auto power = [&](const Number &e) {
      return (x.bits(1023) - e).call<ShlOp>({x.bits(52)}).toNumber();
    };
    return number * power(half) * power(exponent - half);
  };
  Number m = scale(first), n = scale(second);
  Number far = m.fma(m, n * n).call<LogOp>() * x.constant(0.5);
  Number whole = exponent.toF64() - tiny.select(x.constant(60), x.constant(0));
  return isNear.select(near * x.constant(0.5),
                       whole.fma(x.constant(kLn2), far));
}

Pair complex::log(const Pair &z) {
  Number modulus = z.re.isF64() ? logModulus64(z) : logModulus32(z);
  modulus = z.isFinite().select(modulus, z.re.constant(kNaN));
  modulus = z.isZero().select(z.re.constant(-kInf), modulus);
  modulus = z.hasInf().select(z.re.constant(kInf), modulus);
  return {modulus, z.im.call<Atan2Op>({z.re})};
}

Pair complex::pow(const Pair &narrowZ, const Pair &narrowW) {
  Pair z = narrowZ.toF64(), w = narrowW.toF64();
  Pair result = exp(mul(w, log(z)));
  Number zero = z.re.constant(0), one = z.re.constant(1);
  result = select(z.isZero() & w.re.compare(CmpPredicate::ogt, 0.0),
                  {zero, zero}, result);
  result = select(w.isZero(), {one, zero}, result);
  return result.cast(narrowZ.re.type());
}

//===----------------------------------------------------------------------===//
// Trigonometry
//===----------------------------------------------------------------------===//

/// From here on sinh(x) and cosh(x) are exp(|x|) / 2 to the last digit of f64.
static constexpr double kOneSided = 20;

namespace {
/// sinh(y) and cosh(y), which may be larger than the type.
struct Hyperbolic {
  LargeExp sinh, cosh;
};
} // namespace

static Hyperbolic hyperbolic(const Number &y) {
  Number magnitude = y.abs();
  Number isLarge = magnitude.compare(CmpPredicate::ogt, kOneSided);
  LargeExp large = largeExp(magnitude);
  Number half = large.value * large.value.constant(0.5);
  Number sign = y.toF64();
  LargeExp sinh = {
      isLarge.select(half.withSignOf(sign), y.call<SinhOp>().toF64()),
      large.first, large.second};
  LargeExp cosh = {isLarge.select(half, y.call<CoshOp>().toF64()), large.first,
                   large.second};
  return {sinh, cosh};
}

Pair complex::sin(const Pair &z) {
  Type type = z.re.type();
  Hyperbolic of = hyperbolic(z.im);
  Pair result = Pair{of.cosh.times(z.re.call<SinOp>().toF64()),
                     of.sinh.times(z.re.call<CosOp>().toF64())}
                    .cast(type);
  result.re = z.re.isZero().select(z.re, result.re);
  Number keepsY = !z.re.isFinite() & (z.im.isZero() | z.im.isInf());
  result.im = keepsY.select(z.im, result.im);
  return result;
}

Pair complex::cos(const Pair &z) {
  Type type = z.re.type();
  Hyperbolic of = hyperbolic(z.im);
  Pair result = Pair{of.cosh.times(z.re.call<CosOp>().toF64()),
                     -of.sinh.times(z.re.call<SinOp>().toF64())}
                    .cast(type);
  result.re =
      (!z.re.isFinite() & z.im.isInf()).select(z.re.constant(kInf), result.re);
  // A zero beside an infinity or a NaN; that of a NaN is positive.
  Number one = z.re.constant(1), zero = z.re.constant(0);
  Number sign = -(one.withSignOf(z.re) * one.withSignOf(z.im));
  Number known = !(z.re.isNaN() | z.im.isNaN());
  Number none = known.select(zero.withSignOf(sign), zero);
  Number isZero = result.im.isNaN() & (z.re.isZero() | z.im.isZero());
  result.im = isZero.select(none, result.im);
  return result;
}

Pair complex::tanh(const Pair &z) {
  Type type = z.re.type();
  Number s = z.re.call<SinhOp>().toF64();
  Number sine = z.im.call<SinOp>().toF64(), cosine = z.im.call<CosOp>().toF64();
  // sinh(x)^2 + cos(y)^2 does not cancel.
  Number norm = s.fma(s, cosine * cosine), one = s.constant(1);
  Number cosh = s.fma(s, one).sqrt(), product = sine * cosine;
  Pair near = {s * cosh / norm, product / norm};
  Number decay = (-z.re.abs()).call<ExpOp>().toF64();
  Pair far = {one.withSignOf(z.re.toF64()),
              s.constant(4) * product * decay * decay};
  Number isFar = z.re.abs().compare(CmpPredicate::ogt, kOneSided);
  Pair result = select(isFar, far, near).cast(type);

  Number lost = !z.im.isFinite(), nan = z.re.constant(kNaN);
  result.re = (lost & z.re.isFinite())
                  .select(z.re.isZero().select(z.re, nan), result.re);
  result.im = (lost & z.re.isInf()).select(z.re.constant(0), result.im);
  result.im = (z.re.isNaN() & z.im.isZero()).select(z.im, result.im);
  return result;
}
