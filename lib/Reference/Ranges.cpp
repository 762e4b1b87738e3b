//===- Ranges.cpp - Functions of ranges of operands -----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ranges.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace ew;
using namespace ew::reference;
using llvm::ArrayRef;
using llvm::SmallVector;

using Ranges = ArrayRef<const Range *>;

Range ew::reference::applyToRanges(const Function &function, Ranges operands,
                                   const Parameters &parameters,
                                   bool &undecided) {
  bool points =
      llvm::all_of(operands, [](auto *range) { return range->isPoint(); });
  if (points || !function.range) {
    Range result = applyToCorners(function, operands, parameters);
    undecided |= function.jumps && !result.isPoint();
    // A pole was straddled: all is allowed.
    undecided |= !points && result.isEverything();
    return result;
  }
  return function.range(operands, parameters, undecided);
}

/// The ends of a range, the turns between them, and NaN.
static SmallVector<Real, 4> getCandidates(const Range &range,
                                          ArrayRef<double> turns) {
  SmallVector<Real, 4> result;
  if (range.hasNaN)
    result.push_back(Real::nan());
  if (!range.hasNumber)
    return result;
  result.push_back(range.low);
  if (compareTotal(range.low, range.high) == 0)
    return result;
  result.push_back(range.high);
  for (double turn : turns)
    if (Real number(turn); range.contains(number))
      result.push_back(number);
  return result;
}

Range ew::reference::applyToCorners(const Function &function, Ranges operands,
                                    const Parameters &parameters) {
  SmallVector<SmallVector<Real, 4>, 3> candidates;
  for (const Range *operand : operands)
    candidates.push_back(getCandidates(*operand, function.turns));
  Range result;
  SmallVector<size_t, 3> at(operands.size(), 0);
  SmallVector<const Real *, 3> point(operands.size());
  // Counts through all combinations, the last operand fastest.
  while (true) {
    for (size_t i = 0; i < at.size(); ++i)
      point[i] = &candidates[i][at[i]];
    result.include(function.point(point, parameters));
    size_t i = at.size();
    while (i > 0 && ++at[i - 1] == candidates[i - 1].size())
      at[--i] = 0;
    if (i == 0)
      return result;
  }
}

static const Function &functionOf(llvm::StringRef opName) {
  return *getFunction(opName);
}

static bool hasBothSigns(const Range &range) {
  return range.hasNumber && range.low.isNegative() && !range.high.isNegative();
}

//===----------------------------------------------------------------------===//
// Trigonometry
//===----------------------------------------------------------------------===//

/// Which of the points (n + half / 2) * pi a range holds: none, some with even
/// or odd n, or both.
namespace {
struct Turns {
  bool even = false, odd = false;
};
} // namespace

static Turns getTurns(const Range &range, bool half) {
  // Neighbours this far out are more than a turn apart in every format.
  constexpr long kFarOut = 100;
  for (const Real *end : {&range.low, &range.high})
    if (end->isInfinite() || (!end->isZero() && end->exponent() > kFarOut))
      return {true, true};
  auto count = [&](const Real &x) {
    Real pi(0.0, Real::kWide), turns(0.0, Real::kWide);
    mpfr_const_pi(pi.get(), MPFR_RNDN);
    mpfr_div(turns.get(), x.get(), pi.get(), MPFR_RNDN);
    mpfr_sub_d(turns.get(), turns.get(), half ? 0.5 : 0.0, MPFR_RNDN);
    return turns;
  };
  Real first = count(range.low), last = count(range.high);
  mpfr_ceil(first.get(), first.get());
  mpfr_floor(last.get(), last.get());
  int order = compare(first, last);
  if (order > 0)
    return {};
  if (order < 0)
    return {true, true};
  bool odd = first.isOddInteger();
  return {!odd, odd};
}

/// sin and cos: the ends, and 1 and -1 where they are reached between.
static Range waveRange(const Function &function, Ranges operands,
                       const Parameters &parameters, bool half) {
  const Range &x = *operands[0];
  Range result = applyToCorners(function, operands, parameters);
  if (!x.hasNumber)
    return result;
  Turns turns = getTurns(x, half);
  if (turns.even)
    result.include(Real(1.0));
  if (turns.odd)
    result.include(Real(-1.0));
  return result;
}

Range ew::reference::sinRange(Ranges operands, const Parameters &parameters,
                              bool &) {
  return waveRange(functionOf(SinOp::getOperationName()), operands, parameters,
                   /*half=*/true);
}

Range ew::reference::cosRange(Ranges operands, const Parameters &parameters,
                              bool &) {
  return waveRange(functionOf(CosOp::getOperationName()), operands, parameters,
                   /*half=*/false);
}

Range ew::reference::tanRange(Ranges operands, const Parameters &parameters,
                              bool &undecided) {
  Range result = applyToCorners(functionOf(TanOp::getOperationName()), operands,
                                parameters);
  if (!operands[0]->hasNumber)
    return result;
  Turns poles = getTurns(*operands[0], /*half=*/true);
  if (poles.even || poles.odd) {
    result.include(Real::infinity(false));
    result.include(Real::infinity(true));
    undecided = true;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

/// Whether all quotients of two ranges have the same integer part. The
/// remainder is monotone then.
static bool haveOneQuotient(const Range &x, const Range &y,
                            int (*toInteger)(mpfr_ptr, mpfr_srcptr)) {
  if (!x.hasNumber || !y.hasNumber || hasBothSigns(y) || y.low.isZero() ||
      y.high.isZero())
    return false;
  Range quotients;
  for (const Real *a : {&x.low, &x.high})
    for (const Real *b : {&y.low, &y.high}) {
      if (!a->isFinite() || !b->isFinite())
        return false;
      Real quotient = toOdd([&](mpfr_ptr result, mpfr_rnd_t rounding) {
        return mpfr_div(result, a->get(), b->get(), rounding);
      });
      // Too large to tell integers apart.
      if (!quotient.isZero() && quotient.exponent() > Real::kPrecision - 10)
        return false;
      toInteger(quotient.get(), quotient.get());
      quotients.include(quotient);
    }
  return compare(quotients.low, quotients.high) == 0;
}

/// rem and mod where they jump: anything below the larger operand, with the
/// sign of one of them.
static Range remainderRange(const Function &function, Ranges operands,
                            const Parameters &parameters, const Range &signOf,
                            int (*toInteger)(mpfr_ptr, mpfr_srcptr),
                            bool &undecided) {
  const Range &x = *operands[0], &y = *operands[1];
  Range corners = applyToCorners(function, operands, parameters);
  if (!x.hasNumber || !y.hasNumber || haveOneQuotient(x, y, toInteger))
    return corners;
  undecided = true;
  Range result;
  result.hasNaN = corners.hasNaN || x.low.isInfinite() || x.high.isInfinite() ||
                  hasBothSigns(y) || y.low.isZero() || y.high.isZero();
  Real most;
  for (const Real *end : {&y.low, &y.high})
    if (mpfr_cmpabs(end->get(), most.get()) > 0)
      most = absolute(*end);
  result.include(Real::zero(signOf.low.isNegative()));
  result.include(Real::zero(signOf.high.isNegative()));
  if (signOf.low.isNegative())
    result.include(negate(most));
  if (!signOf.high.isNegative())
    result.include(most);
  return result;
}

Range ew::reference::remRange(Ranges operands, const Parameters &parameters,
                              bool &undecided) {
  return remainderRange(functionOf(RemOp::getOperationName()), operands,
                        parameters, *operands[0], mpfr_trunc, undecided);
}

Range ew::reference::modRange(Ranges operands, const Parameters &parameters,
                              bool &undecided) {
  return remainderRange(functionOf(ModOp::getOperationName()), operands,
                        parameters, *operands[1], mpfr_floor, undecided);
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

Range ew::reference::powRange(Ranges operands, const Parameters &parameters,
                              bool &undecided) {
  const Function &function = functionOf(PowOp::getOperationName());
  const Range &x = *operands[0], &y = *operands[1];
  Range result = applyToCorners(function, operands, parameters);
  if (!x.hasNumber || !x.low.isNegative() || y.isPoint() || !y.hasNumber)
    return result;
  // Powers of a negative number are there for integers alone, and of either
  // sign.
  Range magnitudes;
  magnitudes.include(absolute(x.low));
  magnitudes.include(absolute(x.high));
  if (hasBothSigns(x))
    magnitudes.include(Real(0.0));
  Range powers = applyToCorners(function, {&magnitudes, &y}, parameters);
  result.include(powers);
  if (powers.hasNumber)
    result.include(negate(powers.high));
  result.hasNaN = true;
  undecided = true;
  return result;
}

Range ew::reference::atan2Range(Ranges operands, const Parameters &parameters,
                                bool &undecided) {
  const Range &y = *operands[0], &x = *operands[1];
  undecided |= x.hasNumber && x.low.isNegative() && hasBothSigns(y);
  return applyToCorners(functionOf(Atan2Op::getOperationName()), operands,
                        parameters);
}

Range ew::reference::copysignRange(Ranges operands,
                                   const Parameters &parameters,
                                   bool &undecided) {
  const Range &sign = *operands[1];
  // NaN counts as positive.
  undecided |= hasBothSigns(sign) ||
               (sign.hasNaN && sign.hasNumber && sign.low.isNegative());
  return applyToCorners(functionOf(CopysignOp::getOperationName()), operands,
                        parameters);
}

Range ew::reference::nextAfterRange(Ranges operands,
                                    const Parameters &parameters,
                                    bool &undecided) {
  const Function &function = functionOf(NextAfterOp::getOperationName());
  const Range &x = *operands[0], &y = *operands[1];
  Range result = applyToCorners(function, operands, parameters);
  if (!x.hasNumber || !y.hasNumber || compare(x.high, y.low) < 0 ||
      compare(x.low, y.high) > 0)
    return result;
  undecided = true;
  Real up = Real::infinity(false), down = Real::infinity(true);
  result.include(function.point({&x.low, &down}, parameters));
  result.include(function.point({&x.high, &up}, parameters));
  return result;
}
