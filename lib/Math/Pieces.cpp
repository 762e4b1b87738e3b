//===- Pieces.cpp - What functions in f32 are made of -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quotients and roots: IEEE 754's where bits must not depend on the target; on a GPU
// in other modes the hardware's approximations with a correction, since a division
// there is a subroutine.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;

bool ew::math::mayApproximate(V v) {
  return v.e().target == Target::NVPTX && v.e().approximate;
}

V ew::math::hardwareReciprocal(V d) {
  return d.e().scalarIntrinsic("llvm.nvvm.rcp.approx.ftz.f", d.element(), d);
}

V ew::math::hardwareExp2(V x) {
  return x.e().scalarIntrinsic("llvm.nvvm.ex2.approx.ftz.f32", x.element(), x);
}

V ew::math::roughReciprocal(V d) {
  // Subtracting the bits divides roughly, within 1/8; the error is then cubed and
  // squared.
  V r = fromBits(0x7ef311c3 - bits(d), d.element());
  V h = fma(-d, r, 1.0);
  r = fma(fma(h, h, h), r, r);
  return fma(fma(-d, r, 1.0), r, r);
}

V ew::math::quotient(V n, V nLow, V d, V dLow) {
  V r = mayApproximate(n) ? hardwareReciprocal(d) : roughReciprocal(d);
  V q = n * r;
  // Its negative, so that of a numerator of -0 a -0 remains.
  V rest = fma(q, d, -n);
  if (dLow.get())
    rest = fma(q, dLow, rest);
  if (nLow.get())
    rest = rest - nLow;
  return fma(rest, -r, q);
}

V ew::math::ratio(V n, V d) {
  return mayApproximate(n) ? quotient(n, V(), d, V()) : n / d;
}

V ew::math::root(V s) {
  if (!mayApproximate(s))
    return sqrt(s);
  V r = s.e().scalarIntrinsic("llvm.nvvm.rsqrt.approx.ftz.f", s.element(), s);
  // 0 times an infinity would be a NaN.
  r = minimum(r, r.splat(0x1p80));
  V w = s * r;
  return fma(fma(-w, w, s), r * 0.5, w);
}

V ew::math::isFarOut(V x) { return compare(CmpPredicate::uge, abs(x), x.splat(87.0)); }

Value ew::math::anyOf(V condition) {
  Emitter &e = condition.e();
  auto vector = dyn_cast<VectorType>(condition.type());
  if (!vector)
    return condition.get();
  if (e.target == Target::CPU)
    return vector::ReductionOp::create(e, vector::CombiningKind::OR, condition.get());
  // A reduction would pack the bits first.
  Value any;
  for (int64_t i = 0, n = vector.getNumElements(); i < n; ++i) {
    Value next = vector::ExtractOp::create(e, condition.get(), i);
    any = any ? arith::OrIOp::create(e, any, next).getResult() : next;
  }
  return any;
}

V ew::math::unlessRare(V isRare, V common, llvm::function_ref<V()> rare) {
  Emitter &e = common.e();
  Value any = anyOf(isRare);
  auto branch = scf::IfOp::create(e, common.type(), any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(e);
  e.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(e, select(isRare, rare(), common).get());
  e.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(e, common.get());
  return V(e, branch.getResult(0));
}
