//===- Philox.cpp - Random numbers ----------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy
// as 1, 2, 3; 2011). One evaluation gives the four words of a block. Lanes that
// follow each other share it; any others evaluate it for themselves and pick
// their word, with the same result.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <cmath>
#include <tuple>

using namespace mlir;
using namespace ew;
using namespace ew::math;

static constexpr int64_t kMultipliers[] = {0xD2511F53, 0xCD9E8D57};
static constexpr int64_t kKeySteps[] = {0x9E3779B9, 0xBB67AE85};
static constexpr unsigned kRounds = 10;
/// 2 pi in two parts.
static constexpr double kTurn[] = {0x1.921fb6p+2, -0x1.777a5cp-23};

using Words = std::array<V, 4>;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// Words of 32 bits. On a GPU in registers of that width; on a CPU in lanes of
/// 64 bits, of which vectors multiply the low halves. There the high halves are
/// cleared only where they would count.
class Arithmetic {
public:
  explicit Arithmetic(Emitter &e) : inLanes64(e.target == Target::CPU) {}

  /// The low and the high half of 64 bits.
  V low(V x) const { return inLanes64 ? x : truncate(x, 32); }
  V high(V x) const {
    V half = shr(x, 32);
    return inLanes64 ? half : truncate(half, 32);
  }
  /// The words of a product, the low one first.
  std::pair<V, V> multiply(V x, int64_t factor) const;
  V result(V x) const { return inLanes64 ? truncate(x, 32) : x; }

private:
  bool inLanes64;
};
} // namespace

std::pair<V, V> Arithmetic::multiply(V x, int64_t factor) const {
  if (inLanes64) {
    V product = (x & int64_t(0xffffffff)) * factor;
    return {product, high(product)};
  }
  // Of these ptxas makes one wide product; of a product of 64 bits LLVM keeps
  // more than that.
  Emitter &e = x.e();
  auto highOf = [&](Value word) {
    V operand(e, word);
    return e.intrinsic("llvm.nvvm.mulhi.ui", x.element(),
                       {operand, operand.splatInt(factor)});
  };
  auto vector = dyn_cast<VectorType>(x.type());
  if (!vector)
    return {x * factor, highOf(x.get())};
  SmallVector<Value> highs;
  for (int64_t i = 0; i < vector.getNumElements(); ++i)
    highs.push_back(highOf(vector::ExtractOp::create(e, x.get(), i)).get());
  return {x * factor, V(e, vector::FromElementsOp::create(e, vector, highs))};
}

/// The four words of the block with this counter, 64 bits, and `stream` above
/// it.
static Words evaluate(V counter, V seed, int64_t stream) {
  Arithmetic a(counter.e());
  V c0 = a.low(counter), c1 = a.high(counter);
  V k0 = a.low(seed), k1 = a.high(seed);
  // The stream is known, and so is its product.
  uint64_t product = uint64_t(kMultipliers[1]) * (stream & 0xffffffff);
  V low1 = c0.splatInt(product & 0xffffffff),
    high1 = c0.splatInt(product >> 32);
  V c2, c3 = c0.splatInt((stream >> 32) & 0xffffffff);
  for (unsigned round = 0; round < kRounds; ++round) {
    auto [low0, high0] = a.multiply(c0, kMultipliers[0]);
    if (round > 0)
      std::tie(low1, high1) = a.multiply(c2, kMultipliers[1]);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = k0 + kKeySteps[0];
    k1 = k1 + kKeySteps[1];
  }
  return {a.result(c0), a.result(c1), a.result(c2), a.result(c3)};
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

/// The upper `digits` bits of a word, as a fraction in f32. Exact.
static V toFraction(V word, unsigned digits) {
  V integer = shr(word, 32 - digits);
  return fromSigned(integer, word.e().getF32Type()) *
         std::ldexp(1.0, -int(digits));
}

static V toUniform(V word, Type type) {
  if (type.isF32())
    return toFraction(word, 24);
  if (type.isF16())
    return truncateFloat(toFraction(word, 11), type);
  // Of a bf16 the upper half of the f32 is all there is.
  V half = truncate(shr(bits(toFraction(word, 8)), 16), 16);
  return fromBits(half, type);
}

static V toUniformF64(V low, V high) {
  V digits =
      (extendUnsigned(high, 64) << 21) | extendUnsigned(shr(low, 11), 64);
  return fromSigned(digits, low.e().getF64Type()) * 0x1p-53;
}

/// Two normal numbers of two words, in f32.
static std::pair<V, V> toNormals(V a, V b) {
  Type f32 = a.e().getF32Type();
  V uniform = fma(fromUnsigned(a, f32), 0x1p-32, 0x1p-33);
  V radius = sqrt(abs(logF32(uniform) * 2.0));
  // The angle is a multiple of a turn / 2^24, so its nearest quadrant is exact.
  V turn = shr(b, 8);
  V quadrant = shr(turn + (1 << 21), 22);
  V rest = fromSigned(turn - (quadrant << 22), f32);
  SineAndCosine of = sineAndCosineNearZero(
      fma(rest, kTurn[0] * 0x1p-24, rest * (kTurn[1] * 0x1p-24)));
  V isOdd = ne(quadrant & 1, 0);
  V sign = turn.splatInt(APInt::getSignMask(32));
  auto withSign = [&](V x, V quadrant) {
    return fromBits(bits(x) ^ ((quadrant << 30) & sign), f32);
  };
  V cosine = withSign(select(isOdd, of.sine, of.cosine), quadrant + 1);
  V sine = withSign(select(isOdd, of.cosine, of.sine), quadrant);
  return {radius * cosine, radius * sine};
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// x[0], y[0], x[1], y[1], ...
static V interleave(V x, V y) {
  return V(x.e(), vector::InterleaveOp::create(x.e(), x.get(), y.get()));
}

/// Every `step`-th lane of `count`.
static V takeLanes(V x, int64_t count, int64_t step) {
  SmallVector<int64_t> lanes;
  for (int64_t lane = 0; lane < count; lane += step)
    lanes.push_back(lane);
  return V(x.e(), vector::ShuffleOp::create(x.e(), x.get(), x.get(), lanes));
}

namespace {
struct Draw {
  Distribution distribution;
  Type type;

  int64_t elementsPerBlock() const { return type.isF64() ? 2 : 4; }
  /// All elements of blocks, one after the other.
  V all(const Words &w) const;
  /// Of each block the element that `index` has in it.
  V one(const Words &w, V index) const;
  V convert(V word) const {
    return distribution == Distribution::bits ? word : toUniform(word, type);
  }
  V round(V normal) const {
    return type.isF32() ? normal : roundTo(normal, type);
  }
};
} // namespace

V Draw::all(const Words &w) const {
  if (type.isF64())
    return interleave(toUniformF64(w[0], w[1]), toUniformF64(w[2], w[3]));
  V even = interleave(w[0], w[2]), odd = interleave(w[1], w[3]);
  if (distribution != Distribution::normal)
    return convert(interleave(even, odd));
  auto [first, second] = toNormals(even, odd);
  return round(interleave(first, second));
}

V Draw::one(const Words &w, V index) const {
  V place = truncate(index, 32);
  auto isSet = [&](int64_t bit) { return ne(place & bit, 0); };
  if (type.isF64())
    return toUniformF64(select(isSet(1), w[2], w[0]),
                        select(isSet(1), w[3], w[1]));
  V even = select(isSet(2), w[2], w[0]), odd = select(isSet(2), w[3], w[1]);
  if (distribution != Distribution::normal)
    return convert(select(isSet(1), odd, even));
  auto [first, second] = toNormals(even, odd);
  return round(select(isSet(1), second, first));
}

static V emitPhilox(Emitter &e, const Call &c) {
  auto op = cast<PhiloxAtOp>(c.op);
  Draw draw{op.getDistribution(), c.to};
  int64_t perBlock = draw.elementsPerBlock();
  V seed = c.args[0], offset = c.args[1], index = c.args[2];
  auto blocks = [&] { return shr(index, llvm::Log2_64(perBlock)) + offset; };
  int64_t stream = op.getStream();

  auto vector = dyn_cast<VectorType>(index.type());
  int64_t lanes = vector ? vector.getNumElements() : 1;
  if (static_cast<int64_t>(op.getRuns()) < perBlock)
    return draw.one(evaluate(blocks(), seed, stream), index);
  for (V *operand : {&seed, &offset, &index})
    *operand = takeLanes(*operand, lanes, perBlock);
  return draw.all(evaluate(blocks(), seed, stream));
}

void ew::math::addPhilox(Implementations &table) {
  // Bits and uniform numbers are exact.
  table.add<PhiloxAtOp>({Int, Everywhere, 0, 30, emitPhilox});
  // In units of 2^-24 of the result: the radius is off by 2 (half of the
  // logarithm's 1.84, and rounding), the sine by 2.2 (the angle by 1), their
  // product by 0.5 ulp.
  table.add(kNormalPhilox, {Int, Everywhere, 5, 60, emitPhilox});
}
