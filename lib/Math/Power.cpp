//===- Power.cpp - pow in f32 ---------------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 2^(y log2 x) in f64 operations: an error of y log2 x counts 150 times in the
// result, and f64 has digits to spare. On GPUs only as many of them as that
// takes.
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

/// Of a positive finite f64 that is normal.
static V log2F64(V x) {
  V raw = bits(x);
  V k = sar(raw - 0x3fe6a09e667f3bcd, 52);
  V f = fromBits(raw - (k << 52), x.element()) - 1.0;
  V s = f / (f + 2.0);
  return fma(s, horner(s * s, kPowLog2),
             fromSigned(truncate(k, 32), x.element()));
}

/// 2^t rounded to f32, for |t| <= 1000 or a NaN.
static V exp2ToF32(V t) {
  constexpr double kRounder = 0x1.8p52;
  V shifted = t + kRounder;
  V r = t - (shifted - kRounder);
  V scale = fromBits((bits(shifted) << 52) + 0x3ff0000000000000, t.element());
  return truncateFloat(horner(r, kPowExp2) * scale, t.e().getF32Type());
}

static V emitPow(Emitter &e, const Call &c) {
  V x = c.args[0], y = c.args[1];
  V a = abs(x);
  V log = log2F64(extendFloat(a, e.getF64Type()));
  log = select(eq(a, 0), -kInf, select(eq(a, kInf), kInf, log));
  V t = clampKeepingNan(extendFloat(y, e.getF64Type()) * log, -300.0, 300.0);
  // 1 to an infinite power.
  V result = exp2ToF32(select(eq(a, 1.0), 0.0, t));

  V isInteger = eq(trunc(y), y);
  V half = y * 0.5;
  V isOdd = isInteger & ne(trunc(half), half);
  V isNegative = lt(bits(x), 0);
  result = select(isNegative & isOdd, -result, result);
  V nan = x.splat(std::numeric_limits<double>::quiet_NaN());
  V hasNoPower = lt(x, 0) & gt(x, -kInf) & ~isInteger;
  V isUndefined = hasNoPower | compare(CmpPredicate::uno, x, y);
  result = select(isUndefined, nan, result);
  return select(eq(y, 0) | eq(x, 1.0), 1.0, result);
}

/// |x|^y on a GPU, where |x| and the result are normal: a logarithm of f64 by
/// an approximate reciprocal, and of its product with y the fraction in f32.
namespace {
struct QuickPower {
  QuickPower(V x, V y) {
    Emitter &e = x.e();
    Type f64 = e.getF64Type();
    V raw = bits(abs(x));
    V k = (raw - 0x3f3504f3) & 0xff800000u;
    V m = fromBits(raw - k, x.element());
    V f = extendFloat(m, f64) - 1.0, d = f + 2.0;
    // Right to 2^-22, and after a step to 2^-44.
    V r = extendFloat(hardwareReciprocal(m + 1.0), f64);
    r = fma(r, fma(-d, r, 1.0), r);
    V s = f * r;
    V log = fma(fromSigned(k, f64), 0x1p-23, s * horner(s * s, kPowLog2));
    exponent = extendFloat(y, f64) * log;
    t = truncateFloat(exponent, x.element());
  }
  V value() const {
    constexpr double kRounder = 0x1.8p23;
    V shifted = t + kRounder;
    V r = truncateFloat(exponent -
                            extendFloat(shifted - kRounder, exponent.element()),
                        t.element());
    V power = fma(horner(r, kExp2), r, 1.0);
    // The rounder's own bits leave at the top.
    return fromBits(bits(power) + (bits(shifted) << 23), t.element());
  }
  V exponent, t;
};
} // namespace

/// The power of a negative number from that of its magnitude.
static V ofNegative(V y, V power) {
  V whole = trunc(y), half = y * 0.5;
  power = select(ne(trunc(half), half), -power, power);
  return select(eq(whole, y), power,
                y.splat(std::numeric_limits<double>::quiet_NaN()));
}

static V emitPowHardware(Emitter &e, const Call &c) {
  V x = c.args[0], y = c.args[1];
  QuickPower power(x, y);
  V common = power.value();
  common =
      unlessRare(lt(bits(x), 0), common, [&] { return ofNegative(y, common); });
  auto isRare = [](ArrayRef<V> v) {
    V isNormal = ultInt((bits(v[0]) & 0x7fffffff) - 0x00800000, 0x7f000000);
    return ~isNormal | compare(CmpPredicate::uge, abs(v[2]), v[2].splat(126.0));
  };
  return unlessRare({x, y, power.t}, isRare, common, [&](ArrayRef<V> v) {
    Call ofThese = c;
    ofThese.args.assign(v.begin(), v.begin() + 2);
    return emitPow(e, ofThese);
  });
}

void ew::math::addPower(Implementations &table) {
  table.add<PowOp>({F32, Everywhere, 0.51, 70, emitPow});
  table.add<PowOp>(
      onHardware(1.0, 50, emitPowHardware, "a logarithm of f64 by rcp.approx"));
}
