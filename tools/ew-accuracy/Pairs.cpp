//===- Pairs.cpp - Operands of functions of two arguments -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For pow in turn: any bit patterns; numbers of exponents near each other; a
// base near 1 and the exponent that takes it anywhere in range; special values
// with each other; numbers between 2^-8 and 2^8; integers and halves.
//
// For hypot and atan2: any bit patterns; exponents near each other; neighbours,
// where one side begins to be the longer; special values; any ratio that
// matters, of any size; and the longer side where a square, the sum of squares
// or the result leaves what is normal, or a range that lib/Math treats alike
// ends.
//
//===----------------------------------------------------------------------===//

#include "Pairs.h"

#include "llvm/ADT/bit.h"

#include <array>
#include <cmath>

using namespace ew::accuracy;

/// SplitMix64 at a position.
static uint64_t random(uint64_t index) {
  constexpr uint64_t kSeed = 0x6577206163637572; // "ew accur"
  uint64_t z = kSeed + (index + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static float fromBits(uint32_t bits) { return llvm::bit_cast<float>(bits); }

/// A sign, an exponent, and a fraction of few ones or many.
static float special(uint32_t number) {
  constexpr std::array<uint32_t, 6> kFractions = {0,        1,        0x7fffff,
                                                  0x400000, 0x3504f3, 0x7ffffe};
  uint32_t exponent = number / kFractions.size() % 256;
  uint32_t sign = number / kFractions.size() / 256 % 2;
  return fromBits(sign << 31 | exponent << 23 |
                  kFractions[number % kFractions.size()]);
}

/// The second exponent is at most 15 away from the first one.
static std::pair<float, float> getNearExponents(uint32_t low, uint32_t high) {
  int exponent = int(low >> 23 & 255) + int(high >> 26 & 31) - 15;
  exponent = exponent < 0 ? 0 : exponent > 254 ? 254 : exponent;
  return {fromBits(low),
          fromBits((high & 0x807fffff) | uint32_t(exponent) << 23)};
}

static std::pair<float, float> getSpecials(uint64_t number) {
  constexpr uint64_t kCount = 6 * 256 * 2;
  number %= kCount * kCount;
  return {special(number / kCount), special(number % kCount)};
}

static std::pair<float, float> getOfPower(uint64_t index) {
  uint64_t bits = random(index);
  uint32_t low = static_cast<uint32_t>(bits), high = bits >> 32;
  switch (index % 6) {
  case 0:
    return {fromBits(low), fromBits(high)};
  case 1:
    return getNearExponents(low, high);
  case 2: {
    // 1 + d, |d| from 2^-24 to 1/2; log2 of the power from -152 to 130.
    double d = std::ldexp(1 + (low & 0x3fffff) * 0x1p-22,
                          -1 - int(low >> 22 & 31) % 24);
    float x = static_cast<float>(low >> 31 ? 1 - d / 2 : 1 + d);
    double log = x == 1 ? 1 : std::log2(static_cast<double>(x));
    return {x, static_cast<float>((high * 0x1p-32 * 282 - 152) / log)};
  }
  case 3:
    return getSpecials(index / 6);
  case 4: {
    auto moderate = [](uint32_t b) {
      return fromBits((b & 0x807fffff) | (119 + (b >> 23 & 15)) << 23);
    };
    return {moderate(low), moderate(high)};
  }
  default: {
    float y = (int(high >> 16 & 511) - 256) * 0.5f;
    return {index / 6 % 2 ? fromBits(low) : (int(low & 4095) - 2048) * 0.5f, y};
  }
  }
}

/// The number with another exponent field.
static uint32_t withExponent(uint32_t bits, int exponent) {
  exponent = exponent < 0 ? 0 : exponent > 254 ? 254 : exponent;
  return (bits & 0x807fffff) | uint32_t(exponent) << 23;
}

static std::pair<float, float> getSides(uint64_t index) {
  uint64_t bits = random(index), more = random(~index);
  uint32_t first = static_cast<uint32_t>(bits), second = bits >> 32;
  int exponent = first >> 23 & 255;
  switch (index % 6) {
  case 0:
    break;
  case 1:
    return getNearExponents(first, second);
  case 2: {
    int64_t magnitude = int64_t(first & 0x7fffffff) + int64_t(more % 65) - 32;
    magnitude = magnitude < 0 ? 0 : magnitude;
    second = (second & 0x80000000u) | static_cast<uint32_t>(magnitude);
    break;
  }
  case 3:
    return getSpecials(index / 6);
  case 4:
    second = withExponent(second, exponent + int(more % 127) - 63);
    break;
  default: {
    // Of the longer side: subnormal numbers; around 2^-75 and 2^-64 (squares
    // vanish, and are no longer normal), 2^-45, 2^60, 2^64 (squares overflow),
    // and the largest of all.
    constexpr std::array<int, 16> kEdges = {
        0, 1, 52, 63, 64, 81, 82, 83, 127, 186, 187, 189, 190, 191, 253, 254};
    exponent = kEdges[more % kEdges.size()];
    first = withExponent(first, exponent);
    second = withExponent(second, exponent - int(more >> 8 & 15));
    if (more >> 16 & 1)
      std::swap(first, second);
    break;
  }
  }
  return {fromBits(first), fromBits(second)};
}

std::pair<float, float> ew::accuracy::getPair(PairsOf kind, uint64_t index) {
  return kind == PairsOf::Sides ? getSides(index) : getOfPower(index);
}
