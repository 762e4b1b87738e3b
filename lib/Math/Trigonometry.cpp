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

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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
  return {truncateFloat(angle, x.element()), truncate(quadrant, 32)};
}

/// Of a magnitude.
static Reduced reduce(V x) {
  Emitter &e = x.e();
  constexpr double kRounder = 0x1.8p23;
  V t = fma(x, 2.0 / M_PI, kRounder);
  V n = t - kRounder;
  V angle = fma(n, -kHalfPi[2], fma(n, -kHalfPi[1], fma(n, -kHalfPi[0], x)));
  Reduced small{angle, bits(t)};

  V isLarge = gt(x, kLargestSmallAngle);
  Value any = isLarge.get();
  if (isa<VectorType>(any.getType()))
    any = vector::ReductionOp::create(e, vector::CombiningKind::OR, any);
  auto branch = scf::IfOp::create(e, TypeRange{angle.type(), small.quadrant.type()}, any,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(e);
  e.setInsertionPointToStart(branch.thenBlock());
  Reduced large = reduceLarge(x);
  // An infinity has no angle; x - x makes it a NaN.
  V merged = select(isLarge, large.angle + (x - x), small.angle);
  V quadrant = select(isLarge, large.quadrant, small.quadrant);
  scf::YieldOp::create(e, ValueRange{merged.get(), quadrant.get()});
  e.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(e, ValueRange{small.angle.get(), small.quadrant.get()});
  return {V(e, branch.getResult(0)), V(e, branch.getResult(1))};
}

/// sin(angle + quadrant * pi/2) with the sign bit of `sign` flipped in.
static V sinOfReduced(Reduced r, V sign) {
  V x = r.angle, s = x * x;
  V sine = fma(horner(s, kSin) * s, x, x);
  V cosine = fma(horner(s, kCos), s, 1.0);
  V isOdd = ne(r.quadrant & 1, 0);
  V flip = ((r.quadrant << 30) ^ sign) & r.quadrant.splatInt(APInt::getSignMask(32));
  return fromBits(bits(select(isOdd, cosine, sine)) ^ flip, x.element());
}

V ew::math::sinF32(V x) {
  return sinOfReduced(reduce(abs(x)), bits(x));
}

V ew::math::cosF32(V x) {
  Reduced r = reduce(abs(x));
  r.quadrant = r.quadrant + 1;
  return sinOfReduced(r, r.quadrant.splatInt(0));
}

template <V (*function)(V)> static V emit(Emitter &, const Call &c) {
  return function(c.args[0]);
}

void ew::math::addTrigonometry(Implementations &table) {
  table.add<SinOp>({F32, Everywhere, 1.5, 25, emit<sinF32>});
  table.add<CosOp>({F32, Everywhere, 1.5, 25, emit<cosF32>});
}
