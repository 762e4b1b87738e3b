//===- ByteFormsTest.cpp - Integers of one byte, four at once -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cstdint>

static uint32_t signMask(uint32_t words) {
  return (words >> 7 & 0x01010101) * 0xff;
}

#include "ByteForms.h"
#include "gtest/gtest.h"

#include <algorithm>

namespace bytes = ew::math::bytes;

/// Every pair of bytes in every place of a word, beside other ones.
template <typename Form, typename Expected>
static void check(Form form, Expected expected) {
  for (uint32_t a = 0; a < 256; ++a)
    for (uint32_t b = 0; b < 256; ++b) {
      uint32_t x = a | (a ^ 0xff) << 8 | (a ^ 0x80) << 16 | a << 24;
      uint32_t y = b | (b ^ 0x7f) << 8 | b << 16 | (b ^ 0xff) << 24;
      uint32_t result = form(x, y);
      for (unsigned shift = 0; shift < 32; shift += 8)
        ASSERT_EQ(uint8_t(result >> shift),
                  uint8_t(expected(uint8_t(x >> shift), uint8_t(y >> shift))))
            << a << " " << b << " at bit " << shift;
    }
}

TEST(ByteForms, SumsAndDifferencesWrap) {
  check([](auto x, auto y) { return bytes::add(x, y); },
        [](uint8_t a, uint8_t b) { return a + b; });
  check([](auto x, auto y) { return bytes::sub(x, y); },
        [](uint8_t a, uint8_t b) { return a - b; });
  check([](auto x, auto) { return bytes::neg(x); },
        [](uint8_t a, uint8_t) { return -a; });
}

TEST(ByteForms, LargerAndSmaller) {
  check([](auto x, auto y) { return bytes::max(x, y, true); },
        [](int8_t a, int8_t b) { return std::max(a, b); });
  check([](auto x, auto y) { return bytes::min(x, y, true); },
        [](int8_t a, int8_t b) { return std::min(a, b); });
  check([](auto x, auto y) { return bytes::max(x, y, false); },
        [](uint8_t a, uint8_t b) { return std::max(a, b); });
  check([](auto x, auto y) { return bytes::min(x, y, false); },
        [](uint8_t a, uint8_t b) { return std::min(a, b); });
}

TEST(ByteForms, Signs) {
  check([](auto x, auto) { return bytes::relu(x); },
        [](int8_t a, int8_t) { return std::max<int>(a, 0); });
  check([](auto x, auto) { return bytes::abs(x); },
        [](int8_t a, int8_t) { return a < 0 ? -a : a; });
}
