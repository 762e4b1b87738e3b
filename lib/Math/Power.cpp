//===- Power.cpp - pow in f32 -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 2^(y log2 x) in f64 operations: an error of y log2 x counts 150 times in the
// result, and f64 has digits to spare.
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
  return fma(s, horner(s * s, kPowLog2), fromSigned(truncate(k, 32), x.element()));
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

void ew::math::addPower(Implementations &table) {
  table.add<PowOp>({F32, Everywhere, 0.51, 70, emitPow});
}
