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

V ew::math::geluF32(V x) {
  V a = abs(x);
  V s = x * x;
  V near = x * fma(horner(s, kPhi), x, 0.5);
  V c = select(gt(a, 15.0), 15.0, a);
  V square = c * c;
  V squareLow = fma(c, c, -square);
  V far = tail(Inverse(c), kGeluCenter, kGeluTail, kGeluSlope, square * 0.5, squareLow * 0.5);
  far = select(lt(x, 0), -far, x - far);
  return select(lt(a, 0.5), near, far);
}

static V erfcF32(V x) {
  V a = abs(x);
  V s = x * x;
  V near = fma(-x, horner(s, kErf), 1.0 - x);
  V c = select(gt(a, 10.1), 10.1, a);
  V square = c * c;
  V squareLow = fma(c, c, -square);
  V far = tail(Inverse(c), kErfcCenter, kErfcTail, kErfcSlope, square, squareLow);
  far = select(lt(x, 0), 2.0 - far, far);
  return select(lt(a, 0.92), near, far);
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

template <V (*function)(V)> static V emit(Emitter &, const Call &c) {
  return function(c.args[0]);
}

void ew::math::addErrorFunctions(Implementations &table) {
  table.add<ErfOp>({F32, Everywhere, 1.0, 32, emit<erfF32>});
  table.add<ErfcOp>({F32, Everywhere, 1.96, 50, emit<erfcF32>});
}
