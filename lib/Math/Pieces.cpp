//===- Pieces.cpp - What functions in f32 are made of ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quotients and roots: IEEE 754's where bits must not depend on the target; on
// a GPU in other modes the hardware's approximations with a correction, since a
// division there is a subroutine.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

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

V ew::math::hardwareRsqrt(V s) {
  return s.e().scalarIntrinsic("llvm.nvvm.rsqrt.approx.ftz.f", s.element(), s);
}

V ew::math::roughReciprocal(V d) {
  // Subtracting the bits divides roughly, within 1/8; the error is then cubed
  // and squared.
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

/// 1 / sqrt(s) from the hardware, but for 0 a number: 0 times an infinity would
/// be a NaN.
static V finiteRsqrt(V s) {
  V r = hardwareRsqrt(s);
  return minimum(r, r.splat(0x1p80));
}

V ew::math::root(V s) {
  if (!mayApproximate(s))
    return sqrt(s);
  V r = finiteRsqrt(s);
  V w = s * r;
  return fma(fma(-w, w, s), r * 0.5, w);
}

V ew::math::twiceRoot(V s) {
  if (!mayApproximate(s))
    return sqrt(s) * 2.0;
  V r = finiteRsqrt(s);
  V w = s * r;
  return fma(fma(-w, w, s), r, w + w);
}

V ew::math::powerOfRounded(V t) {
  return fromBits((bits(t) << 23) + 0x3f800000, t.element());
}

V ew::math::inversePowerOfRounded(V t) {
  return fromBits(0x3f800000 - (bits(t) << 23), t.element());
}

V ew::math::isOddRounded(V t) { return ne(bits(t) & 1, 0); }

V ew::math::isFarOut(V x) {
  return compare(CmpPredicate::uge, abs(x), x.splat(87.0));
}

Value ew::math::anyOf(V condition) {
  Emitter &e = condition.e();
  auto vector = dyn_cast<VectorType>(condition.type());
  if (!vector)
    return condition.get();
  if (e.target == Target::CPU)
    return vector::ReductionOp::create(e, vector::CombiningKind::OR,
                                       condition.get());
  // A reduction would pack the bits first.
  Value any;
  for (int64_t i = 0, n = vector.getNumElements(); i < n; ++i) {
    Value next = vector::ExtractOp::create(e, condition.get(), i);
    any = any ? arith::OrIOp::create(e, any, next).getResult() : next;
  }
  return any;
}

/// `common`, or `otherwise()` where any element says so.
static V unlessAny(V isRare, V common, llvm::function_ref<V()> otherwise) {
  Emitter &e = common.e();
  Value any = anyOf(isRare);
  auto branch =
      scf::IfOp::create(e, common.type(), any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(e);
  e.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(e, otherwise().get());
  e.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(e, common.get());
  return V(e, branch.getResult(0));
}

V ew::math::unlessRare(V isRare, V common, llvm::function_ref<V()> rare) {
  return unlessAny(isRare, common,
                   [&] { return select(isRare, rare(), common); });
}

/// Neither LLVM nor, told by a pragma, ptxas unrolls such a loop.
static LLVM::LoopAnnotationAttr getLoopThatStays(MLIRContext *context) {
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), /*count=*/{},
      /*runtimeDisable=*/{}, /*full=*/{}, /*followupUnrolled=*/{},
      /*followupRemainder=*/{}, /*followupAll=*/{});
  return LLVM::LoopAnnotationAttr::get(
      context, /*disableNonforced=*/{}, /*vectorize=*/{}, /*interleave=*/{},
      unroll, /*unrollAndJam=*/{}, /*licm=*/{}, /*distribute=*/{},
      /*pipeline=*/{}, /*peeled=*/{}, /*unswitch=*/{}, /*mustProgress=*/{},
      /*isVectorized=*/{}, /*startLoc=*/{}, /*endLoc=*/{},
      /*parallelAccesses=*/{});
}

SmallVector<V> ew::math::forEachLane(
    ArrayRef<V> vectors,
    llvm::function_ref<SmallVector<V>(ArrayRef<V>)> function) {
  Emitter &e = vectors.front().e();
  int64_t lanes = cast<VectorType>(vectors.front().type()).getNumElements();
  // Registers have no index: the lanes move by one place in every round, what
  // is still to do in front and what is done behind.
  SmallVector<Value> state;
  for (V vector : vectors)
    for (int64_t i = 0; i < lanes; ++i)
      state.push_back(vector::ExtractOp::create(e, vector.get(), i));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(e, value);
  };
  auto loop =
      scf::ForOp::create(e, constant(0), constant(lanes), constant(1), state);
  loop->setAttr("loop_annotation", getLoopThatStays(e.getContext()));
  {
    OpBuilder::InsertionGuard guard(e);
    e.setInsertionPointToStart(loop.getBody());
    ArrayRef<BlockArgument> arguments = loop.getRegionIterArgs();
    SmallVector<V> first;
    for (size_t part = 0; part < vectors.size(); ++part)
      first.push_back(V(e, arguments[part * lanes]));
    SmallVector<V> results = function(first);
    SmallVector<Value> next;
    for (auto [part, result] : llvm::enumerate(results)) {
      llvm::append_range(next, arguments.slice(part * lanes + 1, lanes - 1));
      next.push_back(result.get());
    }
    scf::YieldOp::create(e, next);
  }
  SmallVector<V> gathered;
  for (auto [part, vector] : llvm::enumerate(vectors))
    gathered.push_back(V(e, vector::FromElementsOp::create(
                                e, vector.type(),
                                loop.getResults().slice(part * lanes, lanes))));
  return gathered;
}

V ew::math::unlessRare(ArrayRef<V> operands, OfOperands isRare, V common,
                       OfOperands rare) {
  auto type = dyn_cast<VectorType>(common.type());
  V condition = isRare(operands);
  if (common.e().target != Target::NVPTX || !type || type.getNumElements() == 1)
    return unlessRare(condition, common, [&] { return rare(operands); });
  return unlessAny(condition, common, [&] {
    SmallVector<V> vectors(operands);
    vectors.push_back(common);
    return forEachLane(vectors,
                       [&](ArrayRef<V> lane) {
                         SmallVector<V> next(lane);
                         ArrayRef<V> ofLane = lane.drop_back();
                         next.back() =
                             select(isRare(ofLane), rare(ofLane), lane.back());
                         return next;
                       })
        .back();
  });
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

double ew::math::roundParameter(const APFloat &alpha, V like) {
  double value = alpha.convertToDouble();
  return like.element().isF32() ? static_cast<float>(value) : value;
}

/// Products with it and quotients by it are exact but for subnormal ones.
static bool isPowerOfTwo(double alpha) {
  int exponent;
  return std::abs(std::frexp(alpha, &exponent)) == 0.5;
}

V ew::math::timesParameter(double alpha, Parts e) {
  V product = e.high * alpha;
  if (isPowerOfTwo(alpha) || alpha == 0 || !std::isfinite(alpha) ||
      !e.low.get())
    return product;
  // A zero keeps its sign, and near it there is nothing to put right.
  return select(lt(abs(e.high), 0x1p-25), product,
                fma(e.high, alpha, e.low * alpha));
}

Parts ew::math::overParameter(V x, double alpha) {
  V high = x / alpha;
  if (isPowerOfTwo(alpha))
    return {high, V()};
  // No remainder is subnormal that counts.
  double scale = std::abs(alpha) < 0x1p-60 ? 0x1p64 : 1.0;
  V low = fma(-high, alpha * scale, x * scale) / (alpha * scale);
  // Far out nothing depends on it, and an infinity has none.
  return {high, select(lt(abs(high), 2000.0), low, 0.0)};
}
