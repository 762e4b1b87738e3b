//===- Decompose.cpp - Ops that are made of others ------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include <cmath>

namespace ew {
#define GEN_PASS_DEF_EWDECOMPOSE
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

/// A number at the shape of `like`.
static Value splat(OpBuilder &builder, Location loc, Value like,
                   TypedAttr number) {
  auto type = cast<RankedTensorType>(like.getType());
  Value scalar = ConstantOp::create(builder, loc, number.getType(), number);
  return BroadcastOp::create(builder, loc, type.clone(number.getType()), scalar,
                             type.hasStaticShape() ? Value() : like);
}

static Value decompose(DropoutOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value x = op.getOperand();
  auto type = cast<RankedTensorType>(op.getType());
  double rate = op.getRate().convertToDouble();
  // Words below it are dropped.
  double threshold = std::ceil(std::ldexp(rate, 32));
  if (threshold == 0)
    return x;
  auto cast = [&](Value value, Type element) -> Value {
    return CastOp::create(builder, loc, type.clone(element), value,
                          RoundingModeAttr(), /*saturate=*/false);
  };
  auto zero = [&](Value like) {
    Type element = getElementType(like.getType());
    return splat(builder, loc, like, builder.getFloatAttr(element, 0.0));
  };
  if (threshold == 0x1p32)
    return zero(x);

  // ew-widen has done this, if it ran.
  bool narrow = type.getElementType().getIntOrFloatBitWidth() < 32;
  if (narrow)
    x = cast(x, builder.getF32Type());
  Type computed = getElementType(x.getType());
  Type word = builder.getIntegerType(32, /*isSigned=*/false);
  Value words = PhiloxOp::create(
      builder, loc, type.clone(word), op.getSeed(), op.getOffset(),
      Distribution::bits, op.getStream(), type.hasStaticShape() ? Value() : x);
  Value least = splat(builder, loc, x,
                      builder.getIntegerAttr(
                          word, APInt(32, static_cast<uint64_t>(threshold))));
  Value kept = CmpOp::create(builder, loc, getBoolTypeLike(type),
                             CmpPredicate::ge, words, least);
  Value scale =
      splat(builder, loc, x, builder.getFloatAttr(computed, 1 / (1 - rate)));
  Value scaled = MulOp::create(builder, loc, x.getType(), x, scale);
  Value result =
      SelectOp::create(builder, loc, x.getType(), kept, scaled, zero(x));
  return narrow ? cast(result, type.getElementType()) : result;
}

namespace {
struct Decompose : ew::impl::EwDecomposeBase<Decompose> {
  void runOnOperation() override {
    getOperation()->walk([&](DropoutOp op) {
      op.replaceAllUsesWith(decompose(op));
      op.erase();
      ++numDecomposed;
    });
  }
};
} // namespace
