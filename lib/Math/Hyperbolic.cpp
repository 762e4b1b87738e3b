//===- Hyperbolic.cpp - Hyperbolic functions and roots in f32 -------------===//
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

/// exp(|x|) / 2, which overflows later than exp(|x|).
static V halfExp(V x) {
  return Exponential(selectOrMinimum(abs(x), 92.0), -1).value();
}

/// e - 1 / (4 e), of which the quotient counts little: the hardware's is right
/// enough.
static V lessInverse(V e) {
  return mayApproximate(e) ? fma(hardwareReciprocal(e), -0.25, e)
                           : e + -0.25 / e;
}

static V sinhF32(V x) {
  V a = abs(x), s = x * x;
  V near = fma(
      (mayApproximate(x) ? horner(s, kSinhQuick) : horner(s, kSinh)) * s, a, a);
  V e = Exponential(a, -1).quickValue();
  V common = select(lt(a, 1.0), near, lessInverse(e));
  return copysign(unlessRare(x, isFarOut, common, halfExp), x);
}

static V coshF32(V x) {
  V e = Exponential(abs(x), -1).quickValue();
  return unlessRare(x, isFarOut, e + 0.25 / e, halfExp);
}
V ew::math::coshFarOut(V x) { return halfExp(x); }

/// From here on a^2 is not computed.
static constexpr double kLarge = 0x1p50;

/// log1p(a + a^2 / (1 + sqrt(a^2 + 1))).
static V asinhOrdinary(V a) {
  if (mayApproximate(a)) {
    // Of the sum's second term, the smaller one, errors of the hardware's count
    // little.
    V square = fma(a, a, 1.0);
    V w = fma(square, hardwareRsqrt(square), 1.0);
    V m = a * hardwareReciprocal(w);
    V u = fma(a, m, a);
    return log1pOrdinary(u, fma(a, m, a - u));
  }
  V s = a * a;
  V w = root(s + 1.0);
  V more = ratio(s, w + 1.0);
  V u = a + more;
  // What the sum lost, by the derivative.
  return log1pOrdinary(u) + (more - (u - a)) / (u + 1.0);
}

static V asinhF32(V x) {
  V common = asinhOrdinary(abs(x));
  auto isLarge = [](V x) {
    return compare(CmpPredicate::uge, abs(x), x.splat(kLarge));
  };
  V y = unlessRare(x, isLarge, common,
                   [](V x) { return logF32(abs(x)) + kLn2[0]; });
  return copysign(y, x);
}

static V acoshF32(V x) {
  // log1p(t + sqrt(t^2 + 2 t)) with t = x - 1.
  V t = x - 1.0;
  V w = root(fma(t, t, t + t));
  V u = t + w;
  V lost = t - (u - w), slope = u + 1.0;
  V common = log1pOrdinary(u);
  common = mayApproximate(x) ? fma(lost, hardwareReciprocal(slope), common)
                             : common + lost / slope;
  auto isRare = [](V x) {
    return compare(CmpPredicate::uge, x, x.splat(kLarge)) | lt(x, 1.0);
  };
  return unlessRare(x, isRare, common, [](V x) {
    V nan = x.splat(std::numeric_limits<double>::quiet_NaN());
    return select(lt(x, 1.0), nan, logF32(x) + kLn2[0]);
  });
}

static V atanhF32(V x) {
  // log1p(2 a / (1 - a)) / 2.
  V a = abs(x);
  V d = 1.0 - a;
  V lost = (1.0 - d) - a;
  V common = log1pOrdinary(quotient(a + a, V(), d, lost)) * 0.5;
  auto isRare = [](V x) {
    return compare(CmpPredicate::uge, abs(x), x.splat(1.0));
  };
  V y = unlessRare(x, isRare, common, [](V x) {
    V nan = x.splat(std::numeric_limits<double>::quiet_NaN());
    return select(eq(abs(x), 1.0), kInf, nan);
  });
  return copysign(y, x);
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
  V third = fma(fromSigned(bits(a), x.element()), -1.0 / 3,
                static_cast<double>(0x54a21d2a));
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

static V cbrtHardware(V x) {
  Emitter &e = x.e();
  V a = abs(x);
  V log = e.scalarIntrinsic("llvm.nvvm.lg2.approx.ftz.f", a.element(), a);
  V y = hardwareExp2(log * (1.0 / 3));
  V square = y * y;
  V rest = fma(-square, y, a) * (1.0 / 3);
  V common = copysign(fma(rest, hardwareReciprocal(square), y), x);
  auto isRare = [](V x) {
    return ~ultInt(bits(abs(x)) - 0x00800000, 0x7f000000);
  };
  return unlessRare(x, isRare, common, cbrtF32);
}

/// sqrt(a^2 + b^2) with both scaled by the power of two that brings the larger
/// one near 1.
static V scaledHypot(V a, V b) {
  V aLarger = gt(a, b);
  V larger = select(aLarger, a, b), smaller = select(aLarger, b, a);
  V exponent = bits(larger) & 0x7f800000;
  exponent = smin(smax(exponent, exponent.splatInt(0x00800000)),
                  exponent.splatInt(0x7e800000));
  V scale = fromBits(0x7f000000 - exponent, a.element());
  V p = larger * scale, q = smaller * scale;
  V result = sqrt(fma(p, p, q * q)) * fromBits(exponent, a.element());
  result = select(compare(CmpPredicate::uno, a, b),
                  a.splat(std::numeric_limits<double>::quiet_NaN()), result);
  return select(eq(a, kInf) | eq(b, kInf), kInf, result);
}

static V emitHypot(Emitter &, const Call &c) {
  auto squares = [](ArrayRef<V> x) { return fma(x[0], x[0], x[1] * x[1]); };
  auto isRare = [&](ArrayRef<V> x) {
    V sum = squares(x);
    return compare(CmpPredicate::ult, sum, sum.splat(0x1p-90)) |
           compare(CmpPredicate::uge, sum, sum.splat(0x1p127));
  };
  return unlessRare(c.args, isRare, root(squares(c.args)), [](ArrayRef<V> x) {
    return scaledHypot(abs(x[0]), abs(x[1]));
  });
}

void ew::math::addHyperbolic(Implementations &table) {
  table.add<SinhOp>({F32, Everywhere, 2.0, 35, emit<sinhF32>});
  table.add<CoshOp>({F32, Everywhere, 2.0, 30, emit<coshF32>});
  table.add<AsinhOp>({F32, Everywhere, 2.0, 80, emit<asinhF32>});
  table.add<AcoshOp>({F32, Everywhere, 2.0, 90, emit<acoshF32>});
  table.add<AtanhOp>({F32, Everywhere, 2.0, 50, emit<atanhF32>});
  table.add<CbrtOp>(onHardware(2.0, 12, emit<cbrtHardware>,
                               "lg2.approx, ex2.approx and a correction"));
  table.add<CbrtOp>({F32, Everywhere, 2.0, 30, emit<cbrtF32>});
  table.add<HypotOp>({F32, Everywhere, 2.0, 30, emitHypot});
}
