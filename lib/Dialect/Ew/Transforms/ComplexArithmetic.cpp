//===- ComplexArithmetic.cpp - Products, quotients, roots -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of f32 are computed in f64, where their products are exact and
// nothing overflows, and rounded once. Numbers of f64 are scaled, and the
// errors of products that cancel are added back (Kahan's difference of
// products).
//
//===----------------------------------------------------------------------===//

#include "ComplexParts.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace ew;
using namespace ew::complex;

static constexpr double kInf = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Number Number::constant(double number) const {
  return with(ConstantOp::create(
      *builder, loc, type(),
      FloatAttr::get(mlir::cast<FloatType>(type()), number)));
}

Number Number::bits(int64_t number) const {
  return with(ConstantOp::create(*builder, loc, builder->getI64Type(),
                                 builder->getI64IntegerAttr(number)));
}

Number Number::cast(Type to) const {
  if (type() == to)
    return *this;
  return with(builder->createOrFold<CastOp>(loc, to, value, RoundingModeAttr(),
                                            /*saturate=*/false,
                                            /*wrap=*/false));
}

Number Number::compare(CmpPredicate predicate, const Number &other) const {
  return with(builder->createOrFold<CmpOp>(loc, builder->getI1Type(), predicate,
                                           value, other.get()));
}

//===----------------------------------------------------------------------===//
// Two products
//===----------------------------------------------------------------------===//

/// p q - s t in f64, where the products are exact (`exact`) or not.
static Number differenceOfProducts(const Number &p, const Number &q,
                                   const Number &s, const Number &t,
                                   bool exact) {
  if (exact)
    return p.fma(q, -(s * t));
  // Where a product overflows, the difference need not: it is taken of smaller
  // numbers. What they lose is nothing beside such a product.
  Number pq = p * q, st = s * t, plain = pq - st;
  Number fits = plain.isFinite();
  Number one = p.constant(1);
  Number down = fits.select(one, p.constant(0x1p-520));
  Number up = fits.select(one, p.constant(0x1p520));
  Number first = p * down, second = s * down;
  Number third = q * down, fourth = t * down;
  Number product = second * fourth;
  Number difference = first.fma(third, -product);
  Number error = (-second).fma(fourth, product);
  Number sum = difference + error;
  // A zero has the sign that the rounded products give it: of a factor of 0
  // they are exact, and products that cancel do so rounded too.
  sum = (sum.isZero() & plain.isZero()).select(plain, sum);
  // Beside a product that is infinite or no number, one of finite numbers is
  // nothing, however large: not the infinity that f64 makes of it.
  Number pqFinite = p.isFinite() & q.isFinite();
  Number stFinite = s.isFinite() & t.isFinite();
  Number zero = p.constant(0);
  Number special = pqFinite.select(zero, pq) - stFinite.select(zero, st);
  return (pqFinite & stFinite).select(sum * up * up, special);
}

/// p q + s t.
static Number sumOfProducts(const Number &p, const Number &q, const Number &s,
                            const Number &t, bool exact) {
  if (exact)
    return p.fma(q, s * t);
  return differenceOfProducts(p, q, -s, t, exact);
}

/// An infinite number as its direction, parts of 1 and 0; NaNs of a finite one
/// as 0.
static Pair toDirection(const Pair &z, const Number &isInfinite) {
  auto part = [&](const Number &x) {
    Number zero = x.constant(0).withSignOf(x);
    Number direction = x.isInf().select(x.constant(1).withSignOf(x), zero);
    return isInfinite.select(direction, x.isNaN().select(zero, x));
  };
  return {part(z.re), part(z.im)};
}

//===----------------------------------------------------------------------===//
// Multiplication
//===----------------------------------------------------------------------===//

static Pair product(const Pair &z, const Pair &w, bool exact) {
  return {differenceOfProducts(z.re, w.re, z.im, w.im, exact),
          sumOfProducts(z.re, w.im, z.im, w.re, exact)};
}

Pair complex::mul(const Pair &narrowZ, const Pair &narrowW) {
  Type type = narrowZ.re.type();
  bool exact = !narrowZ.re.isF64();
  Pair z = narrowZ.toF64(), w = narrowW.toF64();
  Pair result = product(z, w, exact);
  Number zInf = z.hasInf(), wInf = w.hasInf();
  Number again = result.re.isNaN() & result.im.isNaN() & (zInf | wInf);
  // Parts of 0, 1 or the other number's own: nothing to scale.
  Pair directions =
      product(toDirection(z, zInf), toDirection(w, wInf), /*exact=*/true);
  Number infinity = z.re.constant(kInf);
  return select(again, {infinity * directions.re, infinity * directions.im},
                result)
      .cast(type);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// A power of two that brings the larger part of a number of f64 near 1.
static Number getScale(const Pair &z) {
  Number larger = z.re.abs().call<MaxnumOp>({z.im.abs()});
  Number exponent = larger.toBits().call<ShrOp>({z.re.bits(52)});
  Number field = z.re.bits(2046) - exponent;
  field = field.call<MaxOp>({z.re.bits(1)});
  return field.call<ShlOp>({z.re.bits(52)}).toNumber();
}

/// (ac + bd) + (bc - ad)i.
static Pair timesConjugate(const Pair &z, const Pair &w, bool exact) {
  return {sumOfProducts(z.re, w.re, z.im, w.im, exact),
          differenceOfProducts(z.im, w.re, z.re, w.im, exact)};
}

Pair complex::div(const Pair &narrowZ, const Pair &narrowW) {
  Type type = narrowZ.re.type();
  bool exact = !narrowZ.re.isF64();
  Pair z = narrowZ.toF64(), w = narrowW.toF64();
  Pair unscaledZ = z, unscaledW = w;
  Number one = z.re.constant(1);
  Number zScale = one, wScale = one;
  if (!exact) {
    zScale = getScale(z);
    wScale = getScale(w);
    z = {z.re * zScale, z.im * zScale};
    w = {w.re * wScale, w.im * wScale};
  }
  // Beside the larger part the smaller one may have been scaled to zero, which
  // is nothing to a finite z; an infinity would make a NaN of it.
  Pair factor = exact ? w : select(z.isFinite(), w, unscaledW);
  Pair above = timesConjugate(z, factor, exact);
  Number norm = w.re.fma(w.re, w.im * w.im);
  Pair result = {above.re / norm, above.im / norm};
  if (!exact) {
    // Powers of two that do not overflow on the way, nor leave digits behind.
    Number zBack = one / zScale;
    Number opposite = wScale.compare(CmpPredicate::olt, 1)
                          .call<XorOp>({zBack.compare(CmpPredicate::olt, 1)});
    Number first = opposite.select(wScale * zBack, wScale);
    Number second = opposite.select(one, zBack);
    result = {result.re * first * second, result.im * first * second};
  }

  Number none = result.re.isNaN() & result.im.isNaN();
  Number infinity = z.re.constant(kInf), zero = z.re.constant(0);
  Number zInf = z.hasInf(), wInf = w.hasInf();
  Number yes = zInf | !zInf;
  // Signs alone count, and those of the numbers as they were.
  Pair zDirection =
      timesConjugate(toDirection(z, yes), unscaledW, /*exact=*/true);
  Pair wDirection =
      timesConjugate(unscaledZ, toDirection(w, yes), /*exact=*/true);
  Number pole = infinity.withSignOf(w.re);
  result = select(
      none & wInf & z.isFinite(),
      {zero.withSignOf(wDirection.re), zero.withSignOf(wDirection.im)}, result);
  result = select(none & zInf & w.isFinite(),
                  {infinity * zDirection.re, infinity * zDirection.im}, result);
  result = select(none & w.isZero() & !(z.re.isNaN() & z.im.isNaN()),
                  {pole * unscaledZ.re, pole * unscaledZ.im}, result);
  return result.cast(type);
}

//===----------------------------------------------------------------------===//
// Square root
//===----------------------------------------------------------------------===//

Pair complex::sqrt(const Pair &narrowZ) {
  Type type = narrowZ.re.type();
  Pair z = narrowZ.toF64();
  Number x = z.re.abs(), y = z.im.abs();
  Number scaledX = x, scaledY = y, back = x.constant(1);
  if (narrowZ.re.isF64()) {
    // By a power of four, so that the root is scaled by a power of two.
    Number exponent = x.call<MaxnumOp>({y}).toBits().call<ShrOp>({x.bits(52)});
    exponent = exponent.call<ClampOp>({x.bits(1), x.bits(2046)}) - x.bits(1023);
    Number half = exponent.call<ShrOp>({x.bits(1)});
    auto power = [&](const Number &exponent) {
      return (x.bits(1023) + exponent).call<ShlOp>({x.bits(52)}).toNumber();
    };
    Number down = power(-(half + half));
    back = power(half);
    scaledX = x * down;
    scaledY = y * down;
  }
  Number modulus = scaledX.fma(scaledX, scaledY * scaledY).sqrt();
  Number larger = ((scaledX + modulus) * x.constant(0.5)).sqrt() * back;
  Number smaller = y / (larger + larger);
  Number isLeft = z.re.compare(CmpPredicate::olt, 0.0);
  Pair result = {isLeft.select(smaller, larger),
                 isLeft.select(larger, smaller).withSignOf(z.im)};
  Number zero = x.constant(0), infinity = x.constant(kInf);
  result = select(z.isZero(), {zero, z.im}, result);
  // An infinity beside a NaN.
  Number noY = z.im.isNaN();
  result.re = (noY & z.re.test(true, kInf)).select(infinity, result.re);
  result.im = (noY & z.re.test(true, -kInf)).select(infinity, result.im);
  return select(z.im.isInf(), {infinity, z.im}, result).cast(type);
}
