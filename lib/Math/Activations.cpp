//===- Activations.cpp - Activation functions in f32 ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forms without cancellation: sigmoids as quotients of exponentials of -|x|,
// and where the exponential's argument is itself computed, in two parts, since
// an error in its last place grows with its size.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Functions.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;
using namespace ew::math::coefficients;

/// Where x * exp(x) has long become 0.
static constexpr double kLargestUseful = 112.0;

static V tanhF32(V x) {
  V a = abs(x), s = x * x;
  V near = fma(horner(s, kTanh) * s, a, a);
  V clamped = select(gt(a, 12.0), 12.0, a);
  V e = Exponential(clamped * -2.0).normalValue();
  V far = 1.0 - quotient(e + e, V(), e + 1.0, V());
  return copysign(select(lt(a, 0.65), near, far), x);
}

namespace {
/// sigmoid(y + low) = value * 2^exponent, for |y| <= 150.
struct Sigmoid {
  Sigmoid(V y, V low) {
    V isNegative = lt(y, 0);
    V minus = select(isNegative, y, -y);
    if (low.get())
      low = select(isNegative, low, -low);
    Exponential e(minus, low);
    V significand = e.significand();
    // Where this is below the smallest normal number the sum is 1.
    V power = Exponential::power(smax(e.exponent, e.exponent.splatInt(-126)));
    V small = significand * power;
    V sum = small + 1.0;
    V lost = small - (sum - 1.0);
    V n = select(isNegative, significand, 1.0);
    V nLow = select(isNegative, e.significandLow(significand), 0.0);
    value = quotient(n, nLow, sum, lost);
    exponent = select(isNegative, e.exponent, 0);
  }
  V value, exponent;
};
} // namespace

/// n / (1 + exp(-x)) for |x| < 87. The sum is 2^k + 2^k (exp(-x) / 2^k - 1 +
/// 2^-k): where exp(-x) passes 2^24, 1 is below its last place, but not below
/// that of the small factor.
static V overSum(V n, V x) {
  Exponential e(-x);
  V power = Exponential::power(e.exponent),
    inverse = Exponential::power(-e.exponent);
  V sum = fma(fma(e.slope, e.reduced, inverse), power, power);
  return quotient(n, V(), sum, V());
}

/// The same for |x| <= 112, times 2^40: it does not overflow, and what divides
/// it by 2^40 rounds results that are subnormal.
static V overSumScaled(V n, V x) {
  Exponential e(-x);
  V power =
      Exponential::power(smax(e.exponent - 40, e.exponent.splatInt(-126)));
  V base = power + 0x1p-40;
  V lost = 0x1p-40 - (base - power);
  return quotient(n, V(), fma(e.slope * e.reduced, power, base), lost);
}

static V sigmoidF32(V x) {
  return unlessRare(x, isFarOut, overSum(x.splat(1.0), x), [](V x) {
    return overSumScaled(x.splat(1.0), clampKeepingNan(x, -112.0, 112.0)) *
           0x1p-40;
  });
}

/// x * sigmoid(y + low) where y has the sign of x and is large where x is.
static V timesSigmoid(V x, V y, V low) {
  // Below this the product is 0.
  V bounded = select(lt(x, -kLargestUseful), -kLargestUseful, x);
  Sigmoid s(y, low);
  return Exponential::scale(bounded * s.value, s.exponent);
}

V ew::math::siluFarOut(V x) {
  V c = clampKeepingNan(x, -kLargestUseful, kLargestUseful);
  V y = overSumScaled(c, c) * 0x1p-40;
  return select(gt(x, kLargestUseful), x, y);
}

static V siluF32(V x) {
  return unlessRare(x, isFarOut, overSum(x, x), siluFarOut);
}

/// x * sigmoid(2 u), 2 u = x * (linear + cubic * x^2), for all x.
V ew::math::geluTanhFarOut(V x) {
  // |2 u| passes 112 before |x| reaches 11, and is 143 at 12.
  V c = clampKeepingNan(x, -12.0, 12.0);
  V square = c * c;
  V squareLow = fma(c, c, -square);
  V product = square * kGeluTanhCubic[0];
  V productLow = fma(square, kGeluTanhCubic[0], -product);
  productLow = fma(squareLow, kGeluTanhCubic[0],
                   fma(square, kGeluTanhCubic[1], productLow));
  // The sum of two numbers, and what its rounding lost.
  V sum = product + kGeluTanhLinear[0];
  V part = sum - product;
  V sumLow = (product - (sum - part)) + (kGeluTanhLinear[0] - part);
  sumLow = sumLow + (productLow + kGeluTanhLinear[1]);
  V y = c * sum;
  V low = fma(c, sumLow, fma(c, sum, -y));
  return timesSigmoid(x, y, low);
}

/// The same: -2 u = scale * x * (x^2 + ratio) for an exponential of base 2. The
/// sum is h + low, its product with x is y + yLow, exactly but for 2^-47 of it,
/// as long as the sum is below 128.
static V geluTanhF32(V x) {
  constexpr double kRatio = 1 / 0.044715,
                   kRatioHigh = 0x1.65d26p4; // a multiple of 2^-17
  constexpr double kScale =
      -2 * 0.79788456080286535588 * 0.044715 * 1.44269504088896340736;
  constexpr double kScaleHigh = static_cast<float>(kScale);
  constexpr double kRounder = 0x1.8p23;
  V h = fma(x, x, x.splat(kRatioHigh));
  V low = fma(x, x, kRatioHigh - h) + (kRatio - kRatioHigh);
  V y = x * h;
  V yLow = fma(y, kScale / kScaleHigh - 1, fma(x, low, fma(x, h, -y)));
  V t = fma(y, kScaleHigh, kRounder);
  V r = fma(yLow, kScaleHigh, fma(y, kScaleHigh, kRounder - t));
  // 2^r - 1, of which the slope's rounding would count.
  V inner = horner(r, ArrayRef<double>(kExp2).drop_front());
  V slope = fma(inner, r, kExp2[0]);
  V m = fma(slope, r, fma(inner, r, kExp2[0] - slope) * r);
  // The rounder's own bits leave at the top.
  V power = fromBits((bits(t) << 23) + 0x3f800000, x.element());
  V base = power + 1.0;
  V lost = 1.0 - (base - power);
  V common = quotient(x, V(), fma(m, power, base), lost);
  auto isRare = [](V x) {
    return compare(CmpPredicate::uge, abs(x), x.splat(10.0));
  };
  return unlessRare(x, isRare, common, geluTanhFarOut);
}

/// x * n / (n + 2) with n = e (e + 2), e = exp(x), all of them in two parts.
static V mishF32(V x) {
  // From here on the quotient is 1.
  Exponential exponential(selectOrMinimum(x, 30.0));
  V significand = exponential.significand();
  V e = exponential.quickValue();
  V eLow = exponential.significandLow(significand) *
           Exponential::power(exponential.exponent);
  V sum = e + 2.0;
  V sumLow = (e - (sum - 2.0)) + eLow;
  V n = e * sum;
  V nLow = fma(e, sum, -n) + fma(e, sumLow, eLow * sum);
  V d = n + 2.0;
  V dLow = (n - (d - 2.0)) + nLow;
  V common = x * quotient(n, nLow, d, dLow);
  auto isRare = [](V x) {
    return compare(CmpPredicate::ule, x, x.splat(-70.0));
  };
  return unlessRare(x, isRare, common, [](V x) {
    // x * exp(x).
    V c = clampKeepingNan(x, -kLargestUseful, 0.0);
    return Exponential(c).times(c);
  });
}

/// log(1 + e) for an exponential of -|x|: its value, and its product with a
/// number in two parts.
template <typename Value, typename Times>
static V logOfSum(const Exponential &e, Value value, Times times) {
  // e p(e).
  V t = (e.*value)() - 0.5;
  V inner = horner(t, ArrayRef<double>(kLog1p).drop_front());
  V factor = fma(inner, t, kLog1p[0]);
  return (e.*times)(factor, fma(inner, t, kLog1p[0] - factor));
}

/// max(x, 0).
static V positivePart(V x) {
  return x.e().target == Target::NVPTX ? maximum(x, x.splat(0.0))
                                       : select(lt(x, 0), 0.0, x);
}

/// max(x, 0) + log(1 + exp(-|x|)) anywhere.
static V softplusAnywhere(V x) {
  using TwoParts = V (Exponential::*)(V, V) const;
  Exponential e(clampKeepingNan(-abs(x), -kLargestUseful, 0.0));
  V log = logOfSum(e, &Exponential::value,
                   static_cast<TwoParts>(&Exponential::times));
  return select(lt(x, 0), 0.0, x) + log;
}

static V softplusF32(V x) {
  V log = logOfSum(Exponential(-abs(x)), &Exponential::quickValue,
                   &Exponential::quickTimes);
  return unlessRare(x, isFarOut, positivePart(x) + log, softplusAnywhere);
}

/// -softplus(-x).
static V logSigmoidF32(V x) {
  V log = logOfSum(Exponential(-abs(x)), &Exponential::quickValue,
                   &Exponential::quickTimes);
  V negativePart = x.e().target == Target::NVPTX ? minimum(x, x.splat(0.0))
                                                 : select(gt(x, 0), 0.0, x);
  return unlessRare(x, isFarOut, negativePart - log,
                    [](V x) { return -softplusAnywhere(-x); });
}

static V emitElu(Emitter &, const Call &c) {
  V x = c.args[0];
  double alpha = roundParameter(cast<EluOp>(c.op).getAlpha(), x);
  return select(gt(x, 0), x, timesParameter(alpha, expm1InParts(x)));
}

static V emitCelu(Emitter &, const Call &c) {
  V x = c.args[0];
  double alpha = roundParameter(cast<CeluOp>(c.op).getAlpha(), x);
  return select(gt(x, 0), x, celuNegative(x, alpha, expm1InParts, timesExpF32));
}

static V seluF32(V x) {
  V e = expm1F32(x);
  V negative = fma(e, kSeluNegative[0], e * kSeluNegative[1]);
  return select(gt(x, 0), x * kSeluScale[0], negative);
}

static V softsignF32(V x) {
  V a = abs(x);
  // An infinity over an infinity is 1 here.
  V bounded = selectOrMinimum(a, 0x1p60);
  // A numerator that is subnormal is divided by 1.
  return copysign(ratio(bounded, bounded + 1.0), x);
}

/// a b + c, no less than 0 and no more than 1; of a NaN 0 or a NaN.
static V saturatingFma(V a, double b, V c) {
  if (a.e().target == Target::NVPTX)
    return a.e().scalarIntrinsic("llvm.nvvm.fma.rn.sat.f", a.element(),
                                 {a, a.splat(b), c});
  return clampKeepingNan(fma(a, b, c), 0.0, 1.0);
}

static V hardSigmoidF32(V x) {
  V shifted = x + 3.0;
  if (x.e().target != Target::NVPTX)
    return clampKeepingNan(shifted, 0.0, 6.0) * (1.0 / 6);
  // The same bits; of a NaN the minimum makes one again.
  return minimum(saturatingFma(shifted, 1.0 / 6, x.splat(0.0)), abs(shifted));
}

static V hardSwishF32(V x) {
  V shifted = x + 3.0;
  V bounded = x.e().target == Target::NVPTX ? maximum(x, x.splat(-3.0))
                                            : select(lt(x, -3.0), -3.0, x);
  // 1/6 in two parts that are positive both: of an infinity, too, the sum is
  // one.
  constexpr float kSixth = 0x1.555554p-3f;
  return bounded * saturatingFma(shifted, kSixth, shifted * (1.0 / 6 - kSixth));
}

static V rsqrtF32(V x) { return 1.0 / sqrt(x); }
static V emitRsqrtHardware(Emitter &, const Call &c) {
  auto hardware = [](StringRef name, V x) {
    return x.e().scalarIntrinsic(name, x.element(), x);
  };
  V x = c.args[0], common = hardware("llvm.nvvm.rsqrt.approx.ftz.f", x);
  if (isNeverSubnormal(c.ranges[0]))
    return common;
  auto isRare = [](V x) { return lt(abs(x), 0x1p-126); };
  return unlessRare(x, isRare, common, [&](V x) {
    return hardware("llvm.nvvm.rsqrt.approx.f", x);
  });
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static V emitGelu(Emitter &, const Call &c) {
  if (cast<GeluOp>(c.op).getApproximate() == GeluApproximation::tanh)
    return geluTanhF32(c.args[0]);
  return geluF32(c.args[0]);
}

void ew::math::addActivations(Implementations &table) {
  table.add<RsqrtOp>(onHardware(1.6, 4, emitRsqrtHardware, "rsqrt.approx"));
  table.add<TanhOp>({F32, Everywhere, 1.41, 30, emit<tanhF32>});
  table.add<SigmoidOp>({F32, Everywhere, 2.0, 18, emit<sigmoidF32>});
  table.add<SoftplusOp>({F32, Everywhere, 2.0, 32, emit<softplusF32>});
  table.add<LogSigmoidOp>({F32, Everywhere, 2.0, 33, emit<logSigmoidF32>});
  table.add<MishOp>({F32, Everywhere, 2.0, 38, emit<mishF32>});
  table.add<EluOp>({F32, Everywhere, 2.0, 26, emitElu});
  table.add<CeluOp>({F32, Everywhere, 2.0, 35, emitCelu});
  table.add<SeluOp>({F32, Everywhere, 2.0, 30, emit<seluF32>});
  table.add<SoftsignOp>({F32, Everywhere, 2.0, 15, emit<softsignF32>});
  table.add<HardSigmoidOp>({F32, Everywhere, 2.0, 7, emit<hardSigmoidF32>});
  table.add<HardSwishOp>({F32, Everywhere, 2.0, 9, emit<hardSwishF32>});
  table.add<RsqrtOp>({F32, Everywhere, 2.0, 20, emit<rsqrtF32>});
  table.add<SiluOp>({F32, Everywhere, 2.0, 20, emit<siluF32>});
  table.add<GeluOp>({F32, Everywhere, 2.0, 50, emitGelu});
}
