//===- Narrow.cpp - Functions whose results are rounded to 16 bits --------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the forms are made of: on a GPU the hardware's approximations, elsewhere
// our own with the same range.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;

namespace ew::math {

/// 2^x, zero where that is subnormal.
static V ex2(V x) {
  if (x.e().target == Target::NVPTX)
    return x.e().scalarIntrinsic("llvm.nvvm.ex2.approx.ftz.f32", x.element(),
                                 x);
  // 2^-127 and 2^128 are written as the bits of zero and infinity.
  return exp2Flushed(clampKeepingNan(x, -127.0, 128.0));
}

static V rcp(V x) {
  if (x.e().target == Target::NVPTX)
    return x.e().scalarIntrinsic("llvm.nvvm.rcp.approx.ftz.f", x.element(), x);
  return 1.0 / x;
}

/// x, or -0 where that is negative.
static V positivePart(V x) {
  // One instruction on a GPU, which takes -0 for less than +0.
  if (x.e().target == Target::NVPTX)
    return maximum(x, x.splat(-0.0));
  return select(lt(x, 0.0), x.splat(-0.0), x);
}

} // namespace ew::math

// After the functions that it calls: those on V are found by their arguments.
#include "NarrowForms.h"

static V emitGelu(Emitter &, const Call &c) {
  if (cast<GeluOp>(c.op).getApproximate() == GeluApproximation::tanh)
    return narrow::geluTanh(c.args[0]);
  return narrow::gelu(c.args[0]);
}

void ew::math::addNarrow(Implementations &table) {
  auto add = [&](auto op, unsigned cost, Emit emit) {
    table.add<decltype(op)>(
        {F32, Everywhere, 1.0, cost, emit, /*rounded=*/true});
  };
  add(ExpOp(), 3, emit<narrow::exp<V>>);
  add(Exp2Op(), 3, emit<narrow::exp2<V>>);
  add(GeluOp(), 17, emitGelu);
  add(SigmoidOp(), 5, emit<narrow::sigmoid<V>>);
  add(SiluOp(), 7, emit<narrow::silu<V>>);
  add(TanhOp(), 12, emit<narrow::tanh<V>>);
}
