//===- Interval.cpp - What is known of a value's size ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interval.h"

#include "ew/Dialect/Ew/IR/Ew.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace ew;
using namespace ew::math;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kLeast = 0x1p-149,
                        kGreatest = std::numeric_limits<float>::max();

/// What arithmetic in f32 may make of true values between the two: far more
/// than any bound allows, and room for what the host's functions err by.
/// `flags` says what there may be besides.
static Interval around(double low, double high, Interval flags) {
  if (std::isnan(low) || std::isnan(high))
    return Interval();
  auto slack = [](double x) { return std::abs(x) * 0x1p-16 + 0x1p-140; };
  flags.low = low - slack(low);
  flags.high = high + slack(high);
  flags.minusInfinity |= flags.low < -kGreatest;
  flags.plusInfinity |= flags.high > kGreatest;
  flags.low = std::clamp(flags.low, -kGreatest, kGreatest);
  flags.high = std::clamp(flags.high, -kGreatest, kGreatest);
  return flags;
}

/// What either may be besides numbers.
static Interval join(const Interval &a, const Interval &b) {
  return {0, 0, a.plusInfinity || b.plusInfinity,
          a.minusInfinity || b.minusInfinity, a.nan || b.nan};
}
static Interval withBounds(Interval flags, double low, double high) {
  flags.low = low;
  flags.high = high;
  return flags;
}
static Interval hull(const Interval &a, const Interval &b) {
  return withBounds(join(a, b), std::min(a.low, b.low),
                    std::max(a.high, b.high));
}
static constexpr Interval kFinite{0, 0, false, false, false};
static Interval finiteOrNan(bool nan) { return {0, 0, false, false, nan}; }

static Interval ofConstant(Attribute value) {
  Interval range = withBounds(kFinite, kInf, -kInf);
  auto add = [&](const APFloat &number) {
    APFloat wide = number;
    bool losesInfo;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
    range.nan |= wide.isNaN();
    range.plusInfinity |= wide.isPosInfinity();
    range.minusInfinity |= wide.isNegInfinity();
    if (!wide.isFinite())
      return;
    range.low = std::min(range.low, wide.convertToDouble());
    range.high = std::max(range.high, wide.convertToDouble());
  };
  if (auto number = dyn_cast<FloatAttr>(value)) {
    add(number.getValue());
  } else if (auto splat = dyn_cast<SplatElementsAttr>(value)) {
    add(splat.getSplatValue<APFloat>());
  } else if (auto elements = dyn_cast<DenseElementsAttr>(value)) {
    for (const APFloat &element : elements.getValues<APFloat>())
      add(element);
  }
  // Without a number among them nothing is said.
  return range.low <= range.high ? range : Interval();
}

static Interval product(const Interval &a, const Interval &b) {
  double corners[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                      a.high * b.high};
  Interval flags = finiteOrNan(a.nan || b.nan);
  // Infinities of either sign, and zero times infinity.
  if (!a.isFinite() || !b.isFinite())
    flags = Interval();
  return around(*llvm::min_element(corners), *llvm::max_element(corners),
                flags);
}

static Interval sum(const Interval &a, const Interval &b) {
  Interval flags = join(a, b);
  flags.nan |= (a.plusInfinity && b.minusInfinity) ||
               (a.minusInfinity && b.plusInfinity);
  return around(a.low + b.low, a.high + b.high, flags);
}

static Interval negated(const Interval &a) {
  return {-a.high, -a.low, a.minusInfinity, a.plusInfinity, a.nan};
}

static Interval maximumOf(const Interval &a, const Interval &b) {
  Interval flags = join(a, b);
  flags.minusInfinity = a.minusInfinity && b.minusInfinity;
  // Where one is -infinity the other remains.
  double low = flags.minusInfinity ? std::min(a.low, b.low)
               : a.minusInfinity   ? b.low
               : b.minusInfinity   ? a.low
                                   : std::max(a.low, b.low);
  return withBounds(flags, low, std::max(a.high, b.high));
}

/// Of a cast to f32 that does not saturate.
static Interval ofPlainCast(CastOp op, const Interval &x) {
  Type from = ew::getElementType(op.getOperand().getType());
  if (auto integer = dyn_cast<IntegerType>(from)) {
    if (integer.getWidth() == 1)
      return withBounds(kFinite, 0.0, 1.0);
    double size = std::ldexp(1.0, integer.getWidth());
    return isSignedInteger(from) ? around(-size / 2, size / 2, kFinite)
                                 : around(0, size, kFinite);
  }
  if (isa<Float8E4M3FNType>(from))
    return withBounds(finiteOrNan(true), -448.0, 448.0);
  if (isa<Float8E5M2Type>(from))
    return withBounds(Interval(), -57344.0, 57344.0);
  if (from.isF16())
    return withBounds(Interval(), -65504.0, 65504.0);
  return from.isF32() ? x : Interval();
}

/// Of a cast to f32. With `saturate` infinities become the largest numbers.
static Interval ofCast(CastOp op, const Interval &x) {
  Interval range = ofPlainCast(op, x);
  if (!op.getSaturate())
    return range;
  return withBounds(finiteOrNan(range.nan),
                    range.minusInfinity ? -kGreatest : range.low,
                    range.plusInfinity ? kGreatest : range.high);
}

Interval Intervals::compute(Operation *op) const {
  auto in = [&](unsigned i) { return get(op->getOperand(i)); };
  // A function that rises to a limit on either side.
  auto sigmoidal = [&](auto function) {
    Interval x = in(0);
    return around(function(x.minusInfinity ? -kInf : x.low),
                  function(x.plusInfinity ? kInf : x.high), finiteOrNan(x.nan));
  };
  // A function that rises without end, from a zero or a pole at `start`.
  auto risingFrom = [&](double start, bool isPole, auto function) {
    Interval x = in(0), flags = x;
    double step = std::max(kLeast, std::abs(start) * 0x1p-24);
    double least = isPole ? start + step : start;
    flags.minusInfinity = isPole && x.low < least;
    flags.nan |= x.minusInfinity || x.low < start;
    return around(function(std::max(x.low, least)),
                  function(std::max(x.high, least)), flags);
  };
  return llvm::TypeSwitch<Operation *, Interval>(op)
      .Case([&](ConstantOp op) { return ofConstant(op.getValue()); })
      .Case([&](CastOp op) { return ofCast(op, get(op.getOperand())); })
      .Case([&](AbsOp) {
        Interval x = in(0);
        double low = std::max({x.low, -x.high, 0.0}),
               high = std::max(-x.low, x.high);
        return Interval{low, high, !x.isFinite(), false, x.nan};
      })
      .Case([&](NegOp) { return negated(in(0)); })
      .Case([&](ReluOp) { return maximumOf(in(0), withBounds(kFinite, 0, 0)); })
      .Case<FloorOp, CeilOp, TruncOp, RoundOp, RoundEvenOp>([&](auto) {
        Interval x = in(0);
        return withBounds(x, std::floor(x.low), std::ceil(x.high));
      })
      .Case([&](AddOp) { return sum(in(0), in(1)); })
      .Case([&](SubOp) { return sum(in(0), negated(in(1))); })
      .Case([&](MulOp) { return product(in(0), in(1)); })
      .Case([&](FmaOp) { return sum(product(in(0), in(1)), in(2)); })
      .Case([&](MaxOp) { return maximumOf(in(0), in(1)); })
      .Case([&](MinOp) {
        return negated(maximumOf(negated(in(0)), negated(in(1))));
      })
      .Case<MaxnumOp, MinnumOp>([&](auto) { return hull(in(0), in(1)); })
      .Case([&](ClampOp) {
        // Numbers from one limit to the other, whichever is the larger.
        Interval limits = hull(in(1), in(2));
        limits.nan |= in(0).nan;
        return limits;
      })
      .Case([&](SelectOp) { return hull(in(1), in(2)); })
      .Case<SinOp, CosOp>([&](auto) {
        Interval x = in(0);
        return around(-1, 1, finiteOrNan(x.nan || !x.isFinite()));
      })
      .Case([&](TanhOp) {
        return sigmoidal([](double x) { return std::tanh(x); });
      })
      .Case([&](ErfOp) {
        return sigmoidal([](double x) { return std::erf(x); });
      })
      .Case([&](SigmoidOp) {
        return sigmoidal([](double x) { return 1 / (1 + std::exp(-x)); });
      })
      .Case([&](ExpOp) {
        Interval x = in(0), flags = x;
        flags.minusInfinity = false;
        return around(x.minusInfinity ? 0.0 : std::exp(x.low), std::exp(x.high),
                      flags);
      })
      .Case([&](SqrtOp) {
        return risingFrom(0.0, false, [](double x) { return std::sqrt(x); });
      })
      .Case([&](LogOp) {
        return risingFrom(0.0, true, [](double x) { return std::log(x); });
      })
      .Case([&](Log1pOp) {
        return risingFrom(-1.0, true, [](double x) { return std::log1p(x); });
      })
      .Default([](Operation *) { return Interval(); });
}

void Intervals::visit(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<FloatType>(ew::getElementType(op->getResult(0).getType())))
    return;
  // Of f32 alone: f64 has larger numbers and narrower types coarser ones than
  // is reckoned with here.
  Type element = ew::getElementType(op->getResult(0).getType());
  if (element.isF32())
    ranges[op->getResult(0)] = compute(op);
}
