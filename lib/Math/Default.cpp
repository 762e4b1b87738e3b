//===- Default.cpp - f32 functions on GPUs in the default mode -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of DefaultForms.h, which take all operands.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;

namespace ew::math {

static V rcp(V x) { return hardwareReciprocal(x); }
static V ex2(V x) { return hardwareExp2(x); }

} // namespace ew::math

// After the functions that it calls: those on V are found by their arguments.
#include "DefaultForms.h"

template <V (*form)(V)>
static V always(Emitter &, const Call &c) {
  return form(c.args[0]);
}

void ew::math::addDefault(Implementations &table) {
  table.add<AtanOp>(
      onHardware(2.0, 19, always<gpu::atan<V>>, "rcp.approx and a polynomial"));
  table.add<ErfOp>(
      onHardware(2.0, 20, always<gpu::erf<V>>, "ex2.approx of a polynomial"));
}
