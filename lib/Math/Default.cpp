//===- Default.cpp - f32 functions on GPUs in the default mode ------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of DefaultForms.h. What they are not for takes a branch.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;

namespace ew::math {

static V rcp(V x) { return hardwareReciprocal(x); }
static V ex2(V x) { return hardwareExp2(x); }

/// Of the integer that a rounder has put into the last bits of t: value * 2^n
/// and value * 2^-n, both normal. The rounder's own bits leave at the top.
static V scaleByRounded(V value, V t) {
  return fromBits(bits(value) + (bits(t) << 23), value.element());
}
static V scaleDownByRounded(V value, V t) {
  return fromBits(bits(value) - (bits(t) << 23), value.element());
}

/// x, or -0 where that is negative: -0 is less than +0.
static V positivePart(V x) { return maximum(x, x.splat(-0.0)); }

/// a * factor + addend, rounded up, no less than 0 and no more than 1; of a NaN
/// 0.
static V saturatingFmaUp(V a, double factor, double addend) {
  return a.e().scalarIntrinsic("llvm.nvvm.fma.rp.sat.f", a.element(),
                               {a, a.splat(factor), a.splat(addend)});
}

} // namespace ew::math

// After the functions that it calls: those on V are found by their arguments.
#include "DefaultForms.h"

template <V (*form)(V)>
static V always(Emitter &, const Call &c) {
  return form(c.args[0]);
}

/// Where x rounds an exponent out of range. The bits of all elements are one
/// test, and a comparison for each would be one instruction for each.
template <V (*form)(V), V (*rounded)(V), uint32_t mayBeSet, V (*farOut)(V)>
static V withinExponents(Emitter &, const Call &c) {
  auto isRare = [](V x) { return ne(bits(rounded(x)) & ~mayBeSet, 0); };
  return unlessRare(c.args[0], isRare, form(c.args[0]), farOut);
}

static V emitSilu(Emitter &, const Call &c) {
  return unlessRare(c.args[0], isFarOut, gpu::silu(c.args[0]), siluFarOut);
}

static V emitGelu(Emitter &, const Call &c) {
  auto unlessFrom = [&](double end, V common, V (*farOut)(V)) {
    auto isRare = [&](V x) {
      return compare(CmpPredicate::uge, abs(x), x.splat(end));
    };
    return unlessRare(c.args[0], isRare, common, farOut);
  };
  if (cast<GeluOp>(c.op).getApproximate() == GeluApproximation::tanh)
    return unlessFrom(10.0, gpu::geluTanh(c.args[0]), geluTanhFarOut);
  return unlessFrom(13.0, gpu::gelu(c.args[0]), geluFarOut);
}

static V emitTan(Emitter &, const Call &c) {
  constexpr double kLargest = 4096.0;
  V x = c.args[0], common = gpu::tan(x);
  if (c.ranges[0].isWithin(-kLargest, kLargest))
    return common;
  auto isLarge = [](V x) { return gt(abs(x), kLargest); };
  return unlessRare(x, isLarge, common, tanFarOut);
}

void ew::math::addDefault(Implementations &table) {
  table.add<AtanOp>(
      onHardware(2.0, 19, always<gpu::atan<V>>, "rcp.approx and a polynomial"));
  table.add<ErfOp>(
      onHardware(2.0, 20, always<gpu::erf<V>>, "ex2.approx of a polynomial"));
  table.add<ErfcOp>(
      onHardware(2.0, 42,
                 withinExponents<gpu::erfc<V>, gpu::erfcRounded<V>,
                                 gpu::kErfcBits, erfcFarOut>,
                 "polynomials and rcp.approx"));
  table.add<TanOp>(onHardware(2.0, 22, emitTan, "a polynomial and rcp.approx"));
  table.add<CoshOp>(
      onHardware(2.0, 14,
                 withinExponents<gpu::cosh<V>, gpu::coshRounded<V>,
                                 gpu::kCoshBits, coshFarOut>,
                 "a polynomial and rcp.approx"));
  table.add<SiluOp>(
      onHardware(2.0, 18, emitSilu, "a polynomial and rcp.approx"));
  table.add<GeluOp>(
      onHardware(2.0, 46, emitGelu, "polynomials and rcp.approx"));
  table.add<HardSwishOp>(onHardware(1.5, 3, always<gpu::hardSwish<V>>,
                                    "IEEE 754 operations that saturate"));
}
