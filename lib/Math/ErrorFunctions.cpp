//===- ErrorFunctions.cpp - erf, erfc and the exact GELU in f32 -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Functions.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;
using namespace ew::math::coefficients;

namespace {
/// s = 1 / (1 + a / 2), nearly, and its relative error.
struct Inverse {
  explicit Inverse(V a) {
    V half = a * 0.5;
    V sum = half + 1.0;
    // What the sum's rounding lost: the larger term is half above 1, 1 below.
    V part = sum - half;
    V lost = (half - (sum - part)) + (1.0 - part);
    s = roughReciprocal(sum);
    correction = fma(-sum, s, 1.0) - lost * s;
  }
  V s, correction;
};
} // namespace

/// 1 / d, off by a few units in the last place.
static V hardwareOrRoughReciprocal(V d) {
  if (mayApproximate(d))
    return hardwareReciprocal(d);
  V r = roughReciprocal(d);
  return fma(fma(-d, r, 1.0), r, r);
}

/// exp(-square - squareLow) * p(s): a function that falls like exp(-x^2).
static V tail(const Inverse &inverse, double center, ArrayRef<double> p,
              ArrayRef<double> slope, V square, V squareLow) {
  V t = inverse.s - center;
  V inner = horner(t, p.drop_front());
  V factor = fma(inner, t, p[0]);
  V low = fma(inner, t, p[0] - factor);
  V correction = fma(horner(inverse.s, slope), inverse.correction, -squareLow);
  return Exponential(-square, correction).times(factor, low);
}

namespace {
/// A function that falls like exp(-x^2): exp(-square) p(s) with s = 1 / (a +
/// offset).
struct Falling {
  double offset, center;
  ArrayRef<double> p, slope;
};
} // namespace

/// Its value, normal, or where `times` is not null the product with that.
static V evaluate(const Falling &f, V a, V square, V squareLow, V times) {
  V sum = a + f.offset;
  V lost = a - (sum - f.offset);
  V s = hardwareOrRoughReciprocal(sum);
  V correction = fma(lost, -s, fma(sum, -s, 1.0));
  // Far from the center the last three steps' roundings count: with two, erfc
  // was off by 2.006 ulps.
  V t = s - f.center;
  V rest = horner(t, f.p.drop_front(3));
  V inner = fma(rest, t, f.p[2]);
  V innerLow = fma(rest, t, f.p[2] - inner);
  V middle = fma(inner, t, f.p[1]);
  V middleLow = fma(innerLow, t, fma(inner, t, f.p[1] - middle));
  V factor = fma(middle, t, f.p[0]);
  V low = fma(middleLow, t, fma(middle, t, f.p[0] - factor));
  if (times.get()) {
    V product = times * factor;
    low = fma(times, low, fma(times, factor, -product));
    factor = product;
  }
  V small = fma(horner(s, f.slope), correction, -squareLow);
  return Exponential(-square, small).quickTimes(factor, low);
}

/// For |x| of 13 and more, where results become subnormal, and NaNs.
V ew::math::geluFarOut(V x) {
  V c = clampKeepingNan(abs(x), 13.0, 15.0);
  V square = c * c;
  V squareLow = fma(c, c, -square);
  V far = tail(Inverse(c), kGeluCenter, kGeluTail, kGeluSlope, square * 0.5,
               squareLow * 0.5);
  return select(lt(x, 0), -far, x - far);
}

/// max(x, 0) - a Phi(-a), a = |x|.
V ew::math::geluF32(V x) {
  V a = abs(x);
  V half = a * 0.5;
  V square = half * a;
  V squareLow = fma(half, a, -square);
  Falling phi{kGeluQuickOffset, kGeluQuickCenter, kGeluQuick, kGeluQuickSlope};
  // One instruction on a GPU, which takes -0 for less than +0.
  V positive = x.e().target == Target::NVPTX
                   ? maximum(x, x.splat(-0.0))
                   : select(lt(x, 0), x.splat(-0.0), x);
  V common = positive - evaluate(phi, a, square, squareLow, a);
  auto isRare = [](V x) {
    return compare(CmpPredicate::uge, abs(x), x.splat(13.0));
  };
  return unlessRare(x, isRare, common, geluFarOut);
}

/// For x of 9 and more, where results become subnormal, and NaNs.
static V erfcTail(V x) {
  V c = clampKeepingNan(x, 9.0, 10.1);
  V square = c * c;
  V squareLow = fma(c, c, -square);
  return tail(Inverse(c), kErfcCenter, kErfcTail, kErfcSlope, square,
              squareLow);
}
V ew::math::erfcFarOut(V x) { return select(lt(x, 0), 2.0, erfcTail(x)); }

static V erfcF32(V x) {
  // Below 0 it is 2 long before.
  V a = selectOrMinimum(abs(x), 9.1);
  V square = a * a;
  V squareLow = fma(a, a, -square);
  Falling erfc{kErfcQuickOffset, kErfcQuickCenter, kErfcQuick, kErfcQuickSlope};
  V y = evaluate(erfc, a, square, squareLow, V());
  auto isRare = [](V x) { return compare(CmpPredicate::uge, x, x.splat(9.0)); };
  return unlessRare(x, isRare, select(lt(x, 0), 2.0 - y, y), erfcTail);
}

static V erfF32(V x) {
  V a = abs(x);
  V s = x * x;
  V near = fma(horner(s, kErf), a, a);
  V c = select(gt(a, 4.0), 4.0, a);
  // An error in the exponent's last place counts as often as the tail is large.
  V inner = horner(c, ArrayRef(kErfTail).drop_front());
  V exponent = fma(inner, c, kErfTail[0]);
  V lost = fma(inner, c, -exponent) + kErfTail[0];
  V far = 1.0 - Exponential(exponent, lost).normalValue();
  return copysign(select(lt(a, 0.92), near, far), x);
}

void ew::math::addErrorFunctions(Implementations &table) {
  table.add<ErfOp>({F32, Everywhere, 1.0, 32, emit<erfF32>});
  table.add<ErfcOp>({F32, Everywhere, 2.0, 45, emit<erfcF32>});
}
