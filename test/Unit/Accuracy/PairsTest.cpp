//===- PairsTest.cpp - Pairs reach what functions treat apart -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pairs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace ew::accuracy;

namespace {

constexpr uint64_t kCount = 100000;
constexpr double kMax = std::numeric_limits<float>::max();
constexpr double kNormal = std::numeric_limits<float>::min();

/// How many of the first pairs are as `isSuch` says; it takes the magnitudes,
/// the longer side first.
template <typename IsSuch>
uint64_t countSides(IsSuch isSuch) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < kCount; ++i) {
    auto [x, y] = getPair(PairsOf::Sides, i);
    double a = std::fabs(x), b = std::fabs(y);
    if (std::isfinite(a) && std::isfinite(b))
      count += isSuch(std::max(a, b), std::min(a, b));
  }
  return count;
}

TEST(Pairs, SidesReachTheEndsOfHypot) {
  auto within = [](double low, double high) {
    return countSides([=](double a, double b) {
      double h = std::hypot(a, b);
      return h >= low && h < high && b > a * 0x1p-13;
    });
  };
  // Overflow, and close to it.
  EXPECT_GT(within(kMax * (1 + 0x1p-25), INFINITY), 100u);
  EXPECT_GT(within(0x1p127, kMax), 300u);
  // Results that are subnormal or barely not.
  EXPECT_GT(within(0x1p-149, kNormal), 500u);
  EXPECT_GT(within(kNormal, 4 * kNormal), 300u);
  // Squares that vanish, are subnormal, overflow; the sum below 2^-90 and not;
  // below 2^127 and not.
  EXPECT_GT(within(0x1p-76, 0x1p-74), 300u);
  EXPECT_GT(within(0x1p-65, 0x1p-63), 300u);
  EXPECT_GT(within(0x1p-46, 0x1p-45), 300u);
  EXPECT_GT(within(0x1p-45, 0x1p-44), 300u);
  EXPECT_GT(within(0x1p63, std::sqrt(0x1p127)), 100u);
  EXPECT_GT(within(std::sqrt(0x1p127), 0x1p64), 100u);
  EXPECT_GT(within(0x1p64, 0x1p65), 300u);
}

TEST(Pairs, SidesReachTheEndsOfAtan2) {
  auto ratioWithin = [](double low, double high) {
    return countSides([=](double a, double b) {
      return a > 0 && b > 0 && b / a >= low && b / a < high;
    });
  };
  // Next to a diagonal, on either side of it and on it.
  EXPECT_GT(ratioWithin(1 - 0x1p-19, 1), 5000u);
  EXPECT_GT(countSides([](double a, double b) { return a == b && a > 0; }),
            200u);
  // Quotients that are small, that branches are for, that vanish, of any size.
  EXPECT_GT(ratioWithin(0x1p-24, 0x1p-12), 1000u);
  EXPECT_GT(ratioWithin(0x1p-41, 0x1p-40), 100u);
  EXPECT_GT(ratioWithin(0x1p-40, 0x1p-39), 100u);
  EXPECT_GT(ratioWithin(0x1p-149, kNormal), 500u);
  EXPECT_GT(ratioWithin(0, 0x1p-149), 500u);
  EXPECT_GT(countSides([](double a, double) { return a >= 0x1p60; }), 5000u);
  EXPECT_GT(countSides([](double a, double) { return a < kNormal; }), 300u);
}

TEST(Pairs, SidesHaveAllSignsAndSpecialValues) {
  // By sign, and a zero, a number, an infinity or a NaN.
  auto kindOf = [](float x) {
    int kind = std::isnan(x) ? 3 : std::isinf(x) ? 2 : x != 0;
    return kind * 2 + std::signbit(x);
  };
  // Those with each other are every sixth pair, 3072 with each of 3072: six
  // fractions of every exponent and sign.
  std::vector<uint64_t> numbers;
  for (uint64_t number = 0; number < 3072; ++number)
    if (uint64_t exponent = number / 6 % 256;
        exponent == 0 || exponent == 127 || exponent == 255)
      numbers.push_back(number);
  uint64_t seen[8][8] = {};
  for (uint64_t first : numbers)
    for (uint64_t second : numbers) {
      auto [x, y] = getPair(PairsOf::Sides, 6 * (3072 * first + second) + 3);
      ++seen[kindOf(x)][kindOf(y)];
    }
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 8; ++y)
      EXPECT_GT(seen[x][y], 0u) << x << " and " << y;
}

// The rows of pow in docs/accuracy/measured.tsv are of these.
TEST(Pairs, ThoseOfPowStayAsTheyWere) {
  uint64_t hash = 0;
  for (uint64_t i = 0; i < kCount; ++i) {
    auto [x, y] = getPair(PairsOf::Power, i);
    for (float part : {x, y}) {
      uint32_t bits;
      static_assert(sizeof(bits) == sizeof(part));
      std::memcpy(&bits, &part, sizeof(bits));
      hash = hash * 0x9e3779b97f4a7c15 + bits;
    }
  }
  EXPECT_EQ(hash, 0xd80b76198b247965u);
}

} // namespace
