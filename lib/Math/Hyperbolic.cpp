//===- Hyperbolic.cpp - Hyperbolic functions and roots in f32 -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Functions.h"

#include <limits>

using namespace mlir;
using namespace ew;
using namespace ew::math;
using namespace ew::math::coefficients;

static constexpr double kInf = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

/// exp(a) / 2, which overflows later than exp(a).
static V halfExp(V a) {
  Exponential e(select(gt(a, 92.0), 92.0, a));
  return Exponential::scale(e.significand(), e.exponent - 1);
}

static V sinhF32(V x) {
  V a = abs(x), s = x * x;
  V near = fma(horner(s, kSinh) * s, a, a);
  V e = halfExp(a);
  return copysign(select(lt(a, 1.0), near, e - 0.25 / e), x);
}

static V coshF32(V x) {
  V e = halfExp(abs(x));
  return e + 0.25 / e;
}

/// log(u + low) for low far below u.
static V logOfSum(V u, V low) { return logF32(u) + low / u; }

static V asinhF32(V x) {
  V a = abs(x), s = x * x;
  V near = fma(horner(s, kAsinh) * s, a, a);
  // log(a + sqrt(a^2 + 1)), every sum with what it lost; log(2 a) for large a.
  V isLarge = gt(a, 0x1p30);
  V c = select(isLarge, 1.0, a);
  V square = c * c;
  V sum = square + 1.0;
  V part = sum - square;
  V sumLow = (square - (sum - part)) + (1.0 - part) + fma(c, c, -square);
  V root = sqrt(sum);
  V rootLow = (fma(-root, root, sum) + sumLow) / (root + root);
  V u = c + root;
  V low = (c - (u - root)) + rootLow;
  V far = logOfSum(select(isLarge, a, u), select(isLarge, 0.0, low));
  far = far + select(isLarge, x.splat(kLn2[0]), 0.0);
  return copysign(select(lt(a, 0.5), near, far), x);
}

static V acoshF32(V x) {
  // log1p(t + sqrt(t (t + 2))) with t = x - 1; log(2 x) for large x.
  V isLarge = gt(x, 0x1p30);
  V t = select(isLarge, 1.0, x) - 1.0;
  V sum = t + 2.0;
  V product = t * sum;
  V productLow = fma(t, sum, -product) + t * (t - (sum - 2.0));
  V root = sqrt(product);
  V rootLow = (fma(-root, root, product) + productLow) / (root + root);
  V u = t + root;
  V low = (t - (u - root)) + rootLow;
  V near = log1pF32(u) + low / (u + 1.0);
  near = select(eq(t, 0), 0.0, near);
  near = select(lt(x, 1.0), x.splat(std::numeric_limits<double>::quiet_NaN()), near);
  return select(isLarge, logF32(x) + kLn2[0], near);
}

static V atanhF32(V x) {
  V a = abs(x), s = x * x;
  V near = fma(horner(s, kAtanh) * s, a, a);
  V far = log1pF32((a + a) / (1.0 - a)) * 0.5;
  return copysign(select(lt(a, 0.5), near, far), x);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

static V cbrtF32(V x) {
  V a = abs(x);
  V isSubnormal = lt(a, 0x1p-126);
  a = select(isSubnormal, a * 0x1p24, a);
  // a^(-1/3): a third of the bits subtracted is right within 1/25, and Newton's
  // method does the rest.
  V third = fma(fromSigned(bits(a), x.element()), -1.0 / 3, static_cast<double>(0x54a21d2a));
  V r = fromBits(toSigned(third, 32), x.element());
  for (int i = 0; i < 3; ++i) {
    V h = fma(-(a * r), r * r, 1.0);
    r = fma(r * (1.0 / 3), h, r);
  }
  V y = a * r * r;
  V rest = fma(-(y * y), y, a);
  y = fma(rest * (1.0 / 3), r * r, y);
  y = y * select(isSubnormal, x.splat(0x1p-8), 1.0);
  V isOrdinary = gt(abs(x), 0) & lt(abs(x), kInf);
  return select(isOrdinary, copysign(y, x), x);
}

/// sqrt(x^2 + y^2) with both scaled by the power of two that brings the larger one
/// near 1.
static V emitHypot(Emitter &, const Call &c) {
  V a = abs(c.args[0]), b = abs(c.args[1]);
  V aLarger = gt(a, b);
  V larger = select(aLarger, a, b), smaller = select(aLarger, b, a);
  V exponent = bits(larger) & 0x7f800000;
  exponent = smin(smax(exponent, exponent.splatInt(0x00800000)), exponent.splatInt(0x7e800000));
  V scale = fromBits(0x7f000000 - exponent, a.element());
  V p = larger * scale, q = smaller * scale;
  V result = sqrt(fma(p, p, q * q)) * fromBits(exponent, a.element());
  result = select(compare(CmpPredicate::uno, a, b), a.splat(std::numeric_limits<double>::quiet_NaN()),
                  result);
  return select(eq(a, kInf) | eq(b, kInf), kInf, result);
}

template <V (*function)(V)> static V emit(Emitter &, const Call &c) {
  return function(c.args[0]);
}

void ew::math::addHyperbolic(Implementations &table) {
  table.add<SinhOp>({F32, Everywhere, 2.0, 35, emit<sinhF32>});
  table.add<CoshOp>({F32, Everywhere, 2.0, 30, emit<coshF32>});
  table.add<AsinhOp>({F32, Everywhere, 2.0, 80, emit<asinhF32>});
  table.add<AcoshOp>({F32, Everywhere, 2.0, 90, emit<acoshF32>});
  table.add<AtanhOp>({F32, Everywhere, 2.0, 50, emit<atanhF32>});
  table.add<CbrtOp>({F32, Everywhere, 2.0, 30, emit<cbrtF32>});
  table.add<HypotOp>({F32, Everywhere, 2.0, 30, emitHypot});
}
