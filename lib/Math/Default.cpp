//===- Default.cpp - f32 functions on GPUs in the default mode -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of DefaultForms.h for usual operands. What lies far out takes a branch with
// the implementation that all targets share.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;

namespace ew::math {

static V rcp(V x) { return hardwareReciprocal(x); }
static V ex2(V x) { return hardwareExp2(x); }

static V positivePart(V x) {
  // -0 is less than +0.
  return maximum(x, x.splat(-0.0));
}

// Of the integer n that a rounder has put into the last bits of t: 2^(n + shift), and a
// normal number times 2^n. The rounder's own bits leave at the top.
static V powerOfRounded(V t, int shift) {
  return fromBits((bits(t) << 23) + static_cast<int64_t>((127 + shift) << 23), t.element());
}
static V scaleByRounded(V value, V t) {
  return fromBits(bits(value) + (bits(t) << 23), t.element());
}

} // namespace ew::math

// After the functions that it calls: those on V are found by their arguments.
#include "DefaultForms.h"

/// True for a NaN.
static V isAtLeast(V x, double limit) {
  return compare(CmpPredicate::uge, x, x.splat(limit));
}

/// Besides, it may be a NaN.
static bool isWithin(const Call &c, double limit) {
  const Interval &range = c.ranges[0];
  return range.isFinite() && range.isWithin(-limit, limit);
}

static V emitGelu(Emitter &, const Call &c) {
  bool isTanh = cast<GeluOp>(c.op).getApproximate() == GeluApproximation::tanh;
  double end = isTanh ? gpu::kGeluTanhEnd : gpu::kGeluEnd;
  V x = c.args[0], common = isTanh ? gpu::geluTanh(x) : gpu::gelu(x);
  // Of a NaN both make one.
  if (isWithin(c, end))
    return common;
  return unlessRare(
      x, [&](V x) { return isAtLeast(math::abs(x), end); }, common,
      isTanh ? geluTanhF32 : geluF32);
}

static V emitErfc(Emitter &, const Call &c) {
  V x = c.args[0], common = gpu::erfc(x);
  // An integer addition, the form's last step, may make a number of a NaN.
  if (isWithin(c, gpu::kErfcEnd) && !c.ranges[0].nan)
    return common;
  return unlessRare(
      x, [](V x) { return isAtLeast(x, gpu::kErfcEnd); }, common, erfcF32);
}

template <V (*form)(V)> static V always(Emitter &, const Call &c) { return form(c.args[0]); }

void ew::math::addDefault(Implementations &table) {
  table.add<AtanOp>(onHardware(2.0, 19, always<gpu::atan<V>>, "rcp.approx and a polynomial"));
  table.add<ErfOp>(onHardware(2.0, 20, always<gpu::erf<V>>, "ex2.approx of a polynomial"));
  table.add<GeluOp>(onHardware(2.0, 28, emitGelu, "a power of two of a polynomial"));
  table.add<ErfcOp>(onHardware(2.0, 33, emitErfc, "a power of two of a polynomial"));
}
