//===- Pairs.cpp - Operands of functions of two arguments -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In turn: any bit patterns; numbers of exponents near each other, for hypot
// and atan2; a base near 1 and the exponent that takes it anywhere in range,
// for pow; special values with each other; numbers between 2^-8 and 2^8;
// integers and halves.
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

std::pair<float, float> ew::accuracy::getPair(uint64_t index) {
  uint64_t bits = random(index);
  uint32_t low = static_cast<uint32_t>(bits), high = bits >> 32;
  switch (index % 6) {
  case 0:
    return {fromBits(low), fromBits(high)};
  case 1: {
    // The second exponent is at most 15 away from the first one.
    int exponent = int(low >> 23 & 255) + int(high >> 26 & 31) - 15;
    exponent = exponent < 0 ? 0 : exponent > 254 ? 254 : exponent;
    return {fromBits(low),
            fromBits((high & 0x807fffff) | uint32_t(exponent) << 23)};
  }
  case 2: {
    // 1 + d, |d| from 2^-24 to 1/2; log2 of the power from -152 to 130.
    double d = std::ldexp(1 + (low & 0x3fffff) * 0x1p-22,
                          -1 - int(low >> 22 & 31) % 24);
    float x = static_cast<float>(low >> 31 ? 1 - d / 2 : 1 + d);
    double log = x == 1 ? 1 : std::log2(static_cast<double>(x));
    return {x, static_cast<float>((high * 0x1p-32 * 282 - 152) / log)};
  }
  case 3: {
    constexpr uint64_t kCount = 6 * 256 * 2;
    uint64_t number = index / 6 % (kCount * kCount);
    return {special(number / kCount), special(number % kCount)};
  }
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
