//===- Trigonometry.cpp - Sine, cosine and tangent in f32 -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An angle is reduced by multiples of pi/2: small ones by subtracting it in three
// parts (Cody and Waite), others by the digits of 2/pi that matter (Payne and
// Hanek), which a branch skips where no element needs them.
//
//===----------------------------------------------------------------------===//

#include "Coefficients.h"
#include "Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace ew;
using namespace ew::math;
using namespace ew::math::coefficients;

/// Up to here multiples of pi/2 in three parts leave no error to speak of.
static constexpr double kLargestSmallAngle = 65536.0;

namespace {
/// |x| = quadrant * pi/2 + angle, with |angle| at most a little above pi/4. Of the
/// quadrant the last two bits count.
struct Reduced {
  V angle, quadrant;
  /// What the angle's rounding lost; of a small angle where it was asked for, else 0.
  V low;
};
} // namespace

/// 2/pi after the binary point, behind 32 zeros.
static constexpr uint32_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                          0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

/// For |x| of 2^16 and more. x is an integer of 24 bits times 2^e; of 2/pi, digits that
/// give multiples of 4 are left out, and 96 of those that follow taken.
static Reduced reduceLarge(V x) {
  Emitter &e = x.e();
  V raw = bits(x);
  V digits = extendUnsigned((raw & 0x7fffff) | 0x800000, 64);
  V position = shr(raw, 23) - (150 - 30);
  V word = shr(position, 5), shift = position & 31;
  // Words of the table from `word` on: 0 to 4 for finite numbers.
  auto wordAt = [&](int offset) {
    V result = raw.splatInt(kTwoOverPi[4 + offset > 7 ? 7 : 4 + offset]);
    for (int i = 3; i >= 0; --i)
      result = select(eq(word, i), static_cast<int64_t>(kTwoOverPi[i + offset]), result);
    return result;
  };
  V words[4] = {wordAt(0), wordAt(1), wordAt(2), wordAt(3)};
  auto digitsAt = [&](int i) {
    return extendUnsigned(e.intrinsic("llvm.fshl", raw.element(), {words[i], words[i + 1], shift}), 64);
  };
  V product = ((digits * digitsAt(0)) << 32) + digits * digitsAt(1) + shr(digits * digitsAt(2), 32);
  // In units of 2^-62 of pi/2, to the nearest quadrant.
  V quadrant = shr(product + (int64_t(1) << 61), 62);
  V rest = product - (quadrant << 62);
  V angle = fromSigned(rest, e.getF64Type()) * (M_PI_2 * 0x1p-62);
  V rounded = truncateFloat(angle, x.element());
  V low = truncateFloat(angle - extendFloat(rounded, e.getF64Type()), x.element());
  return {rounded, truncate(quadrant, 32), low};
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

/// The same in a loop over the lanes. Hardly ever does a thread come here, and the
/// code for every lane, all 64-bit integers, would be two thirds of a sine's: time
/// to compile, registers, and instruction cache.
static Reduced reduceLargeByLane(V x) {
  Emitter &e = x.e();
  auto type = dyn_cast<VectorType>(x.type());
  if (!type || type.getNumElements() == 1)
    return reduceLarge(x);
  // Registers have no index: the lanes move by one place in every round, what is
  // still to do in front and what is done behind.
  unsigned lanes = type.getNumElements(), parts = 3;
  Type elements[] = {x.element(), e.getI32Type(), x.element()};
  SmallVector<Value> state;
  for (unsigned i = 0; i < lanes; ++i)
    state.push_back(vector::ExtractOp::create(e, x.get(), i));
  for (unsigned part = 0; part < parts; ++part)
    state.append(lanes, arith::ConstantOp::create(
                            e, e.getZeroAttr(elements[part])));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(e, value);
  };
  auto loop = scf::ForOp::create(e, constant(0), constant(lanes), constant(1),
                                 state);
  loop->setAttr("loop_annotation", getLoopThatStays(e.getContext()));
  {
    OpBuilder::InsertionGuard guard(e);
    e.setInsertionPointToStart(loop.getBody());
    Reduced r = reduceLarge(V(e, loop.getRegionIterArg(0)));
    Value results[] = {loop.getRegionIterArg(0), r.angle.get(),
                       r.quadrant.get(), r.low.get()};
    SmallVector<Value> next;
    for (unsigned part = 0; part <= parts; ++part) {
      for (unsigned i = 1; i < lanes; ++i)
        next.push_back(loop.getRegionIterArg(part * lanes + i));
      next.push_back(results[part]);
    }
    scf::YieldOp::create(e, next);
  }
  auto gather = [&](unsigned part) {
    return V(e, vector::FromElementsOp::create(
                    e, type.clone(elements[part]),
                    loop.getResults().slice((part + 1) * lanes, lanes)));
  };
  return {gather(0), gather(1), gather(2)};
}

/// Of a magnitude; `range` is the signed value's.
static Reduced reduce(V x, const Interval &range, bool withLow = false) {
  Emitter &e = x.e();
  constexpr double kRounder = 0x1.8p23;
  V t = fma(x, 2.0 / M_PI, kRounder);
  V n = t - kRounder;
  V first = fma(n, -kHalfPi[0], x);
  Reduced small{V(), bits(t), x.splat(0.0)};
  if (withLow) {
    V product = n * kHalfPi[1];
    small.angle = first - product;
    V lost = (first - small.angle) - product;
    small.low = lost - fma(n, kHalfPi[2], fma(n, kHalfPi[1], -product));
  } else {
    small.angle = fma(n, -kHalfPi[2], fma(n, -kHalfPi[1], first));
  }

  // An infinity leaves a NaN here, too.
  if (range.isWithin(-kLargestSmallAngle, kLargestSmallAngle))
    return small;
  V isLarge = gt(x, kLargestSmallAngle);
  auto values = [](const Reduced &r) {
    return SmallVector<Value>{r.angle.get(), r.quadrant.get(), r.low.get()};
  };
  auto branch = scf::IfOp::create(e, ValueRange(values(small)).getTypes(), anyOf(isLarge),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(e);
  e.setInsertionPointToStart(branch.thenBlock());
  Reduced large = reduceLargeByLane(x);
  // An infinity has no angle; x - x makes it a NaN.
  large.angle = select(isLarge, large.angle + (x - x), small.angle);
  large.quadrant = select(isLarge, large.quadrant, small.quadrant);
  large.low = select(isLarge, large.low, small.low);
  scf::YieldOp::create(e, values(large));
  e.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(e, values(small));
  return {V(e, branch.getResult(0)), V(e, branch.getResult(1)), V(e, branch.getResult(2))};
}

SineAndCosine ew::math::sineAndCosineNearZero(V x, V low) {
  V s = x * x;
  V p = horner(s, kSin) * s;
  V sine = low.get() ? x + fma(p, x, low) : fma(p, x, x);
  V cosine = fma(horner(s, kCos), s, 1.0);
  return {sine, cosine};
}

/// sin(angle + quadrant * pi/2) with the sign bit of `sign` flipped in.
static V sinOfReduced(Reduced r, V sign) {
  auto [sine, cosine] = sineAndCosineNearZero(r.angle, r.low);
  V isOdd = ne(r.quadrant & 1, 0);
  V flip = ((r.quadrant << 30) ^ sign) & r.quadrant.splatInt(APInt::getSignMask(32));
  return fromBits(bits(select(isOdd, cosine, sine)) ^ flip, sine.element());
}

static V sinF32(V x, const Interval &range) {
  return sinOfReduced(reduce(abs(x), range), bits(x));
}

static V cosF32(V x, const Interval &range) {
  Reduced r = reduce(abs(x), range);
  r.quadrant = r.quadrant + 1;
  return sinOfReduced(r, r.quadrant.splatInt(0));
}

static V tanF32(V x, const Interval &range) {
  Reduced r = reduce(abs(x), range, /*withLow=*/true);
  V s = r.angle * r.angle;
  V p = horner(s, kTan) * s;
  // The derivative, 1 + tan^2, is nearly 1 where the lost part is not far below.
  V rest = fma(p, r.angle, r.low);
  V t = r.angle + rest;
  V tLow = (r.angle - t) + rest;
  // A step of Newton's method follows in any case.
  V inverse = mayApproximate(x) ? -hardwareReciprocal(t) : -1.0 / t;
  inverse = fma(inverse, fma(inverse, tLow, fma(inverse, t, 1.0)), inverse);
  V isOdd = ne(r.quadrant & 1, 0);
  V result = select(isOdd, inverse, t);
  V sign = bits(x) & bits(x).splatInt(APInt::getSignMask(32));
  return fromBits(bits(result) ^ sign, x.element());
}

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

static V asinF32(V x) {
  V a = abs(x);
  V isNear = lt(a, 0.5);
  // asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)).
  V square = select(isNear, a * a, fma(a, -0.5, 0.5));
  V p = horner(square, kAsin) * square;
  V twice = root(square) * 2.0;
  V far = kHalfPi[0] - twice;
  V lost = (kHalfPi[0] - far) - twice;
  far = far + (fma(-twice, p, kHalfPi[1]) + lost);
  return copysign(select(isNear, fma(p, a, a), far), x);
}

static V acosF32(V x) {
  V a = abs(x);
  V isNear = lt(a, 0.5);
  V square = select(isNear, a * a, fma(a, -0.5, 0.5));
  V w = select(isNear, x, root(square));
  V y = fma(horner(square, kAsin) * square, w, w);
  V middle = kHalfPi[0] - (y - kHalfPi[1]);
  V twice = y + y;
  V far = select(lt(x, 0), kPi[0] - (twice - kPi[1]), twice);
  return select(isNear, middle, far);
}

/// base + atan(x) for |x| <= 1, where base is 0 or larger than |x|, with the part that its
/// f32 number lacks.
static V atanNear(V x, V base, V baseLow) {
  V square = x * x;
  V p = horner(square, kAtan) * square;
  V sum = base + x;
  V lost = (base - sum) + x;
  return sum + fma(p, x, lost + baseLow);
}

static V atanF32(V x) {
  V a = abs(x);
  V isFar = gt(a, 1.0);
  V ratio = select(isFar, -1.0, a) / select(isFar, a, 1.0);
  V y = atanNear(ratio, select(isFar, x.splat(kHalfPi[0]), 0.0),
                 select(isFar, x.splat(kHalfPi[1]), 0.0));
  return copysign(y, x);
}

static V atanHardware(V x) {
  V a = abs(x);
  V isFar = gt(a, 1.0);
  V y = select(isFar, hardwareReciprocal(a), a);
  V square = y * y;
  y = fma(horner(square, kAtan) * square, y, y);
  // The product of the two is pi/2 to 45 bits.
  V far = fma(x.splat(kHalfPiFactors[0]), kHalfPiFactors[1], -y);
  return copysign(select(isFar, far, y), x);
}

static V emitAtan2(Emitter &, const Call &c) {
  V y = c.args[0], x = c.args[1];
  V ax = abs(x), ay = abs(y);
  V isSteep = gt(ay, ax);
  V larger = select(isSteep, ay, ax), smaller = select(isSteep, ax, ay);
  auto angle = [&](V quotient) {
    V isLeft = lt(bits(x), 0);
    V base = select(isSteep, x.splat(kHalfPi[0]), select(isLeft, x.splat(kPi[0]), 0.0));
    V baseLow = select(isSteep, x.splat(kHalfPi[1]), select(isLeft, x.splat(kPi[1]), 0.0));
    return copysign(atanNear(select(isSteep ^ isLeft, -quotient, quotient), base, baseLow), y);
  };
  // Neither the quotient may be subnormal nor its remainder.
  V isRare = compare(CmpPredicate::uge, larger, x.splat(0x1p60)) |
             compare(CmpPredicate::ult, smaller, x.splat(0x1p-40));
  return unlessRare(isRare, angle(ratio(smaller, larger)), [&] {
    // Two zeros have the ratio 0 here, two infinities 1.
    V exact = smaller / select(eq(larger, 0), 1.0, larger);
    exact = select(eq(smaller, std::numeric_limits<double>::infinity()), 1.0, exact);
    V isUnordered = compare(CmpPredicate::uno, x, y);
    return select(isUnordered, x.splat(std::numeric_limits<double>::quiet_NaN()), angle(exact));
  });
}

template <V (*function)(V)> static V emit(Emitter &, const Call &c) {
  return function(c.args[0]);
}

template <V (*function)(V, const Interval &)>
static V emitInRange(Emitter &, const Call &c) {
  return function(c.args[0], c.ranges[0]);
}

void ew::math::addTrigonometry(Implementations &table) {
  table.add<SinOp>({F32, Everywhere, 1.54, 25, emitInRange<sinF32>});
  table.add<CosOp>({F32, Everywhere, 1.54, 25, emitInRange<cosF32>});
  table.add<TanOp>({F32, Everywhere, 1.27, 40, emitInRange<tanF32>});
  table.add<AsinOp>({F32, Everywhere, 2.0, 25, emit<asinF32>});
  table.add<AcosOp>({F32, Everywhere, 2.0, 25, emit<acosF32>});
  table.add<AtanOp>(onHardware(2.0, 17, emit<atanHardware>));
  table.add<AtanOp>({F32, Everywhere, 2.0, 25, emit<atanF32>});
  table.add<Atan2Op>({F32, Everywhere, 2.0, 40, emitAtan2});
}
