//===- Hardware.cpp - f32 functions by a GPU's approximations -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ex2.approx` and `rcp.approx` are each off by about one unit in the last
// place where their results lie just above a power of two. A function that
// damps such an error, or adds little of its own to it, keeps a bound of 2.
// Bounds are the largest errors over all inputs on an H200 (ew-accuracy);
// strict mode takes none of these.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Functions.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;
using namespace ew::math::coefficients;

static constexpr double kRounder = 0x1.8p23;

/// All of them take subnormal numbers for zeros and return zeros for them.
static V ex2(V x) {
  return x.e().scalarIntrinsic("llvm.nvvm.ex2.approx.ftz.f32", x.element(), x);
}
static V rcp(V x) {
  return x.e().scalarIntrinsic("llvm.nvvm.rcp.approx.ftz.f", x.element(), x);
}

namespace {
/// 2^(x * factor) as fraction and power, where 2^fraction lies in [1, 2). The
/// power stays that of a normal number: beyond, the fraction takes the rest,
/// and the product of the two rounds once, or becomes a zero or an infinity.
struct PowerOfTwo {
  PowerOfTwo(V x, double factor) {
    // The whole range of powers in one saturating step.
    constexpr double kSpan = 252.0;
    V position =
        x.e().scalarIntrinsic("llvm.nvvm.fma.rn.sat.f", x.element(),
                              {x, x.splat(factor / kSpan), x.splat(0.5)});
    V t = x.e().scalarIntrinsic(
        "llvm.nvvm.fma.rm.f", x.element(),
        {position, x.splat(kSpan), x.splat(kRounder + 1.0)});
    whole = t - (kRounder + 127.0);
    power = fromBits(bits(t) << 23, x.element());
  }
  V whole, power;
};
} // namespace

/// ex2 of x as it is errs by 2.05 ulps on an H200 (docs/accuracy/peers.tsv:
/// PyTorch takes that).
static V exp2(V x) {
  V t = x.e().scalarIntrinsic("llvm.nvvm.add.rm.f", x.element(),
                              {x, x.splat(kRounder)});
  V power = ex2(x - (t - kRounder));
  // The rounder's own bits leave at the top.
  V common = fromBits(bits(power) + (bits(t) << 23), x.element());
  auto isRare = [](V x) {
    return compare(CmpPredicate::uge, math::abs(x), x.splat(126.0));
  };
  return unlessRare(x, isRare, common, [](V x) {
    PowerOfTwo p(x, 1.0);
    return ex2(x - p.whole) * p.power;
  });
}

/// 1 - 2 / (exp(2 |x|) + 1), where the second term is below 0.47.
static V tanh(V x) {
  V a = math::abs(x), s = x * x;
  V near = fma(horner(s, kTanhQuick) * s, a, a);
  V far = fma(rcp(ex2(a * (2.0 * kLog2E[0])) + 1.0), -2.0, 1.0);
  // A zero keeps its sign.
  return copysign(select(lt(a, 0.6), near, far), x);
}

/// As ptxas computes sqrt.rn, with one branch for all elements: rounded
/// correctly.
static V roundedSqrt(V x) {
  V r = hardwareRsqrt(x);
  V root = x * r;
  V common = fma(fma(-root, root, x), r * 0.5, root);
  // Below 2^-101 the remainder is subnormal.
  auto isRare = [](V x) { return ugtInt(bits(x) - 0x0d000000, 0x727fffff); };
  return unlessRare(x, isRare, common, [](V x) { return sqrt(x); });
}

void ew::math::addHardware(Implementations &table) {
  table.add<Exp2Op>(
      onHardware(2.0, 7, emit<exp2>, "ex2.approx of the fraction"));
  table.add<SqrtOp>(
      onHardware(0.5, 8, emit<roundedSqrt>, "rsqrt.approx and a correction"));
  table.add<TanhOp>(onHardware(2.0, 16, emit<tanh>,
                               "ex2.approx, rcp.approx and a polynomial"));
}
