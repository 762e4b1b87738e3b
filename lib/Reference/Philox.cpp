//===- Philox.cpp - Random numbers of the oracle --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Philox.h"

#include <cmath>

using namespace ew;
using namespace ew::reference;
using ew::runtime::ElementType;

std::array<uint32_t, 4>
ew::reference::philox4x32(std::array<uint32_t, 4> counter,
                          std::array<uint32_t, 2> key, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) {
    uint64_t left = uint64_t(0xD2511F53) * counter[0];
    uint64_t right = uint64_t(0xCD9E8D57) * counter[2];
    counter = {uint32_t(right >> 32) ^ counter[1] ^ key[0], uint32_t(right),
               uint32_t(left >> 32) ^ counter[3] ^ key[1], uint32_t(left)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

/// Word `index` of the sequence of blocks from `offset` on.
static uint32_t getWord(uint64_t seed, uint64_t offset, uint64_t stream,
                        uint64_t index) {
  uint64_t counter = index / 4 + offset;
  return philox4x32({uint32_t(counter), uint32_t(counter >> 32),
                     uint32_t(stream), uint32_t(stream >> 32)},
                    {uint32_t(seed), uint32_t(seed >> 32)})[index % 4];
}

/// digits / 2^count, which every format here holds.
static Scalar makeFraction(uint64_t digits, int count) {
  Real number = Real::fromUnsigned(digits);
  mpfr_div_2ui(number.get(), number.get(), count, MPFR_RNDN);
  return Scalar::number(number);
}

/// sin of turns / 2^24 of a full turn: exact zeros and ones at the quarters.
static Real computeSine(uint32_t turns) {
  constexpr uint32_t quarter = 1 << 22;
  uint32_t quadrant = (turns + quarter / 2) / quarter;
  long rest = long(turns) - long(quadrant) * long(quarter);
  Real angle(0.0, Real::kWide), result(0.0, Real::kWide);
  mpfr_const_pi(angle.get(), MPFR_RNDN);
  mpfr_mul_si(angle.get(), angle.get(), rest, MPFR_RNDN);
  mpfr_div_2ui(angle.get(), angle.get(), 23, MPFR_RNDN);
  if (quadrant % 2)
    mpfr_cos(result.get(), angle.get(), MPFR_RNDN);
  else
    mpfr_sin(result.get(), angle.get(), MPFR_RNDN);
  if (quadrant % 4 >= 2)
    mpfr_neg(result.get(), result.get(), MPFR_RNDN);
  return result;
}

/// By Box and Muller, of the words of a pair. `first`: of the even element.
static Real computeNormal(uint32_t a, uint32_t b, bool first) {
  const Format &f32 = getFormat(ElementType::F32);
  Real u = convert(Real::fromUnsigned(a), f32);
  mpfr_div_2ui(u.get(), u.get(), 32, MPFR_RNDN);
  mpfr_add(u.get(), u.get(), Real::powerOfTwo(-33).get(), MPFR_RNDN);
  u = convert(u, f32);

  Real radius(0.0, Real::kWide);
  mpfr_log(radius.get(), u.get(), MPFR_RNDN);
  mpfr_mul_2ui(radius.get(), radius.get(), 1, MPFR_RNDN);
  mpfr_abs(radius.get(), radius.get(), MPFR_RNDN);
  mpfr_sqrt(radius.get(), radius.get(), MPFR_RNDN);
  // A cosine is a sine a quarter of a turn on.
  Real wave = computeSine((b >> 8) + (first ? 1u << 22 : 0u));
  mpfr_mul(wave.get(), wave.get(), radius.get(), MPFR_RNDN);
  return narrow(wave);
}

static Scalar makeAnything(const Node &node) {
  if (!node.format)
    return Scalar::integer(0, /*undecided=*/true);
  Scalar result = Scalar::number(Real(0.0));
  result.undecided = true;
  result.range.include(Real::infinity(false));
  result.range.include(Real::infinity(true));
  return result;
}

/// `wordAt` gives the words of the sequence.
static Scalar draw(const Node &node, Distribution distribution, uint64_t index,
                   llvm::function_ref<uint32_t(uint64_t)> wordAt) {
  switch (distribution) {
  case Distribution::bits:
    return Scalar::integer(wordAt(index));
  case Distribution::uniform: {
    int digits = node.format->precision;
    if (node.type != ElementType::F64)
      return makeFraction(wordAt(index) >> (32 - digits), digits);
    uint64_t both = wordAt(2 * index) | uint64_t(wordAt(2 * index + 1)) << 32;
    return makeFraction(both >> (64 - digits), digits);
  }
  case Distribution::normal:
    break;
  }
  bool first = index % 2 == 0;
  uint64_t even = first ? index : index - 1;
  Scalar result;
  result.truth = computeNormal(wordAt(even), wordAt(even + 1), first);
  result.nominal = convert(result.truth, *node.computed);
  result.bound = node.bound;
  result.trueRange = Range::point(result.truth);
  result.range =
      widen(*result.trueRange, node.bound, /*exactHits=*/false, *node.computed);
  return node.computed == node.format ? result : roundTo(result, *node.format);
}

Scalar ew::reference::computePhilox(const Node &node, const Scalar &seed,
                                    const Scalar &offset, int64_t index) {
  if (seed.undecided || offset.undecided)
    return makeAnything(node);
  auto op = llvm::cast<PhiloxOp>(node.op);
  return draw(node, op.getDistribution(), index, [&](uint64_t at) {
    return getWord(seed.bits, offset.bits, op.getStream(), at);
  });
}

Scalar ew::reference::computePhiloxAt(const Node &node,
                                      llvm::ArrayRef<const Scalar *> operands) {
  for (const Scalar *operand : operands)
    if (operand->undecided)
      return makeAnything(node);
  auto op = llvm::cast<PhiloxAtOp>(node.op);
  return draw(node, op.getDistribution(), operands[2]->bits, [&](uint64_t at) {
    return getWord(operands[0]->bits, operands[1]->bits, op.getStream(), at);
  });
}

Scalar ew::reference::computeDropout(const Node &node, const Scalar &x,
                                     const Scalar &seed, const Scalar &offset,
                                     int64_t index) {
  if (seed.undecided || offset.undecided)
    return makeAnything(node);
  auto op = llvm::cast<DropoutOp>(node.op);
  double rate = op.getRate().convertToDouble();
  uint32_t word = getWord(seed.bits, offset.bits, op.getStream(), index);
  if (word < std::ldexp(rate, 32))
    return Scalar::number(Real(0.0));
  Scalar scale = Scalar::number(convert(Real(1 / (1 - rate)), *node.computed));
  const Scalar *factors[] = {&x, &scale};
  Scalar product = applyFunction(*node.function, factors, node);
  // In strict mode the product is rounded to f32 and then to the type.
  return node.kept == node.computed ? product : roundTo(product, *node.format);
}
