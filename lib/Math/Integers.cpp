//===- Integers.cpp - Total integer arithmetic ----------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteForms.h"
#include "Implementations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <tuple>

using namespace mlir;
using namespace ew;
using namespace ew::math;

namespace ew::math {
/// Of each byte its sign: prmt's selectors 8 to 11.
static V signMask(V words) {
  return words.e().scalarIntrinsic(
      "llvm.nvvm.prmt", words.element(),
      {words, words.splatInt(0), words.splatInt(0xba98)});
}
} // namespace ew::math

namespace {

/// `whole` of the arguments; of vectors of bytes on a GPU `packed`, which takes
/// words of four.
template <typename Packed, typename Whole, typename... Args>
static V emitPacked(Packed packed, Whole whole, V first, Args... others) {
  Emitter &e = first.e();
  auto bytes = dyn_cast<VectorType>(first.type());
  if (e.target != Target::NVPTX || first.width() != 8 || !bytes ||
      bytes.getRank() != 1 || bytes.isScalable() ||
      bytes.getNumElements() % 4 != 0)
    return whole(first, others...);
  auto words = VectorType::get({bytes.getNumElements() / 4}, e.getI32Type());
  auto cast = [&](V value, VectorType type) {
    return V(e, vector::BitCastOp::create(e, type, value.get()));
  };
  // Braces: in their order.
  std::tuple args{cast(first, words), cast(others, words)...};
  return cast(std::apply(packed, args), bytes);
}

/// Quotient and remainder toward zero of x and a divisor that never traps: 1
/// where y is 0 or -1, which the callers treat. In 32 bits or more: PTX's
/// quotients of 16 bits came out wrong on an H200 (floor_div of 2 by -1 was
/// -3).
struct Division {
  explicit Division(const Call &c)
      : isSigned(c.isSigned()), width(c.args[0].width()) {
    auto extend = [&](V v) {
      unsigned wide = std::max(width, 32u);
      return isSigned ? resizeSigned(v, wide) : resizeUnsigned(v, wide);
    };
    x = extend(c.args[0]);
    y = extend(c.args[1]);
    byZero = eq(y, 0);
    byMinusOne = eq(y, -1);
    V trivial = isSigned ? byZero | byMinusOne : byZero;
    divisor = select(trivial, 1, y);
  }
  V quotient() const {
    Emitter &e = x.e();
    if (!isSigned)
      return select(byZero, -1,
                    V(e, arith::DivUIOp::create(e, x.get(), divisor.get())));
    V q = V(e, arith::DivSIOp::create(e, x.get(), divisor.get()));
    return select(byZero, -1, select(byMinusOne, -x, q));
  }
  /// 0 where y is 0.
  V remainder() const {
    Emitter &e = x.e();
    if (!isSigned)
      return V(e, arith::RemUIOp::create(e, x.get(), divisor.get()));
    return V(e, arith::RemSIOp::create(e, x.get(), divisor.get()));
  }
  /// Whether rounding down differs from rounding toward zero.
  V isBetween(V remainder) const {
    return ne(remainder, 0) & lt(remainder ^ y, 0);
  }
  V narrow(V result) const { return resizeUnsigned(result, width); }

  bool isSigned;
  unsigned width;
  V x, y, divisor, byZero, byMinusOne;
};

static V emitDiv(Emitter &e, const Call &c) {
  Division d(c);
  return d.narrow(d.quotient());
}
static V emitFloorDiv(Emitter &e, const Call &c) {
  Division d(c);
  V q = d.quotient();
  if (d.isSigned)
    q = select(d.isBetween(d.remainder()), q - 1, q);
  return d.narrow(q);
}
static V emitRem(Emitter &e, const Call &c) {
  Division d(c);
  return d.narrow(select(d.byZero, d.x, d.remainder()));
}
static V emitMod(Emitter &e, const Call &c) {
  Division d(c);
  V r = d.remainder();
  if (d.isSigned)
    r = select(d.isBetween(r), r + d.y, r);
  return d.narrow(select(d.byZero, d.x, r));
}

/// By squaring, over every bit of the exponent: no branch, so that it serves
/// vectors.
static V emitPow(Emitter &e, const Call &c) {
  V x = c.args[0], y = c.args[1];
  V result = x.splatInt(1), power = x;
  for (unsigned bit = 0, width = x.width(); bit < width; ++bit) {
    V isSet = ne(y & y.splatInt(APInt::getOneBitSet(width, bit)), 0);
    result = select(isSet, result * power, result);
    if (bit + 1 < width)
      power = power * power;
  }
  if (!c.isSigned())
    return result;
  V parity = select(eq(y & 1, 0), x.splatInt(1), -1);
  V reciprocal = select(eq(x, 1), x, select(eq(x, -1), parity, 0));
  return select(lt(y, 0), reciprocal, result);
}

/// Shifts by up to the width, in two halves that are each below it. A select
/// beside one shift would do, but LLVM's NVPTX backend drops the select, since
/// PTX clamps the amount, and then takes the amount's low 32 bits alone.
template <V (*shift)(V, V)>
static V shiftClamped(V x, V y) {
  V amount = umin(y, y.splatInt(x.width()));
  V half = shr(amount, 1);
  return shift(shift(x, half), amount - half);
}

static V emitShl(Emitter &e, const Call &c) {
  return shiftClamped<shlBits>(c.args[0], c.args[1]);
}
static V emitShr(Emitter &e, const Call &c) {
  V x = c.args[0], y = c.args[1];
  if (c.isSigned())
    return shrSigned(x, umin(y, y.splatInt(x.width() - 1)));
  return shiftClamped<shrUnsigned>(x, y);
}

static V max(const Call &c, V a, V b) {
  bool isSigned = c.isSigned();
  return emitPacked([&](V a, V b) { return bytes::max(a, b, isSigned); },
                    isSigned ? smax : umax, a, b);
}
static V min(const Call &c, V a, V b) {
  bool isSigned = c.isSigned();
  return emitPacked([&](V a, V b) { return bytes::min(a, b, isSigned); },
                    isSigned ? smin : umin, a, b);
}
static V emitMax(Emitter &e, const Call &c) {
  return max(c, c.args[0], c.args[1]);
}
static V emitMin(Emitter &e, const Call &c) {
  return min(c, c.args[0], c.args[1]);
}
static V emitClamp(Emitter &e, const Call &c) {
  return min(c, max(c, c.args[0], c.args[1]), c.args[2]);
}
static V emitRelu(Emitter &e, const Call &c) {
  V x = c.args[0];
  if (!c.isSigned())
    return x;
  return emitPacked(
      bytes::relu<V>, [](V x) { return smax(x, x.splatInt(0)); }, x);
}
static V emitAbs(Emitter &e, const Call &c) {
  V x = c.args[0];
  if (!c.isSigned())
    return x;
  return emitPacked(bytes::abs<V>, [](V x) { return smax(x, -x); }, x);
}
static V emitSign(Emitter &e, const Call &c) {
  V x = c.args[0];
  if (c.isSigned())
    return min(c, max(c, x, x.splatInt(-1)), x.splatInt(1));
  return min(c, x, x.splatInt(1));
}
static V emitAdd(Emitter &e, const Call &c) {
  return emitPacked(bytes::add<V>, add, c.args[0], c.args[1]);
}
static V emitSub(Emitter &e, const Call &c) {
  return emitPacked(bytes::sub<V>, sub, c.args[0], c.args[1]);
}
static V emitNeg(Emitter &e, const Call &c) {
  return emitPacked(bytes::neg<V>, [](V x) { return -x; }, c.args[0]);
}

static V emitNot(Emitter &e, const Call &c) { return ~c.args[0]; }
static V emitSquare(Emitter &e, const Call &c) { return c.args[0] * c.args[0]; }

} // namespace

void ew::math::addIntegers(Implementations &table) {
  table.add<AddOp>({Int, Everywhere, 0, 1, emitAdd});
  table.add<SubOp>({Int, Everywhere, 0, 1, emitSub});
  table.add<MulOp>({Int, Everywhere, 0, 1, emitBinary<mul>});
  table.add<DivOp>({Int, Everywhere, 0, 20, emitDiv});
  table.add<FloorDivOp>({Int, Everywhere, 0, 25, emitFloorDiv});
  table.add<RemOp>({Int, Everywhere, 0, 20, emitRem});
  table.add<ModOp>({Int, Everywhere, 0, 25, emitMod});
  table.add<PowOp>({Int, Everywhere, 0, 150, emitPow});
  table.add<MaxOp>({Int, Everywhere, 0, 1, emitMax});
  table.add<MinOp>({Int, Everywhere, 0, 1, emitMin});
  table.add<ClampOp>({Int, Everywhere, 0, 2, emitClamp});
  table.add<ReluOp>({Int, Everywhere, 0, 1, emitRelu});
  table.add<AbsOp>({Int, Everywhere, 0, 2, emitAbs});
  table.add<NegOp>({Int, Everywhere, 0, 1, emitNeg});
  table.add<SignOp>({Int, Everywhere, 0, 2, emitSign});
  table.add<SquareOp>({Int, Everywhere, 0, 1, emitSquare});

  table.add<AndOp>({Int | Bool, Everywhere, 0, 1, emitBinary<andBits>});
  table.add<OrOp>({Int | Bool, Everywhere, 0, 1, emitBinary<orBits>});
  table.add<XorOp>({Int | Bool, Everywhere, 0, 1, emitBinary<xorBits>});
  table.add<NotOp>({Int | Bool, Everywhere, 0, 1, emitNot});
  table.add<ShlOp>({Int, Everywhere, 0, 3, emitShl});
  table.add<ShrOp>({Int, Everywhere, 0, 3, emitShr});
  table.add<PopcountOp>({Int, Everywhere, 0, 1, emit<populationCount>});
  table.add<ClzOp>({Int, Everywhere, 0, 1, emit<countLeadingZeros>});
  table.add<CtzOp>({Int, Everywhere, 0, 2, emit<countTrailingZeros>});
}
