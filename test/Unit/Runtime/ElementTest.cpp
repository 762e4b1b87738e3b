//===- ElementTest.cpp - Single elements as bits and as text --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Element.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ew::runtime;
using llvm::StringRef;

namespace {

uint64_t bits(StringRef text, ElementType type) {
  auto parsed = parseElement(text, type);
  if (!parsed) {
    ADD_FAILURE() << text.str() << ": " << llvm::toString(parsed.takeError());
    return ~uint64_t(0);
  }
  return *parsed;
}

std::string error(StringRef text, ElementType type) {
  auto parsed = parseElement(text, type);
  return parsed ? "" : llvm::toString(parsed.takeError());
}

TEST(Element, FloatsAreRoundedOnce) {
  EXPECT_EQ(bits("1.5", ElementType::F32), 0x3FC00000u);
  EXPECT_EQ(bits("-0", ElementType::F32), 0x80000000u);
  EXPECT_EQ(bits("0x1.8p3", ElementType::F32), 0x41400000u);
  EXPECT_EQ(bits("0.1", ElementType::F64), 0x3FB999999999999Au);
  EXPECT_EQ(bits("65504", ElementType::F16), 0x7BFFu);
  // Just above the middle of 1 and the next bf16; by way of f32 it would be the
  // middle exactly and go down to even.
  EXPECT_EQ(bits("1.0039062500000000001", ElementType::BF16), 0x3F81u);
  EXPECT_EQ(bits("1.00390625", ElementType::BF16), 0x3F80u);
  EXPECT_EQ(bits("448", ElementType::F8E4M3FN), 0x7Eu);
  EXPECT_EQ(bits("57344", ElementType::F8E5M2), 0x7Bu);
  EXPECT_EQ(bits("1e-60", ElementType::F32), 0u);
}

TEST(Element, SpecialValuesAndPatterns) {
  EXPECT_EQ(bits("nan", ElementType::F32), 0x7FC00000u);
  EXPECT_EQ(bits("NaN", ElementType::F8E4M3FN), 0x7Fu);
  EXPECT_EQ(bits("-inf", ElementType::BF16), 0xFF80u);
  EXPECT_EQ(bits("0x7fc00001", ElementType::F32), 0x7FC00001u);
  EXPECT_EQ(bits("0xff", ElementType::I8), 0xFFu);
  EXPECT_EQ(bits("0x000000000000000000001", ElementType::I8), 1u);
  EXPECT_EQ(bits("true", ElementType::I1), 1u);
}

TEST(Element, Integers) {
  EXPECT_EQ(bits("-128", ElementType::I8), 0x80u);
  EXPECT_EQ(bits("255", ElementType::UI8), 0xFFu);
  EXPECT_EQ(bits("18446744073709551615", ElementType::UI64), UINT64_MAX);
  EXPECT_EQ(bits("-9223372036854775808", ElementType::I64), uint64_t(1) << 63);
  EXPECT_EQ(bits("+007", ElementType::I16), 7u);
}

TEST(Element, Errors) {
  EXPECT_EQ(error("300", ElementType::I8),
            "'300' is out of range of i8, which goes from -128 to 127");
  EXPECT_EQ(error("-1", ElementType::UI16),
            "'-1' is out of range of ui16, which goes from 0 to 65535");
  EXPECT_EQ(error("500", ElementType::F8E4M3FN),
            "'500' is out of range of f8E4M3FN, whose largest value is 448");
  EXPECT_EQ(error("inf", ElementType::F8E4M3FN), "f8E4M3FN has no infinity");
  EXPECT_EQ(error("1.5", ElementType::I32), "not an integer: '1.5'");
  EXPECT_EQ(error("2", ElementType::I1),
            "'2' is out of range of i1, which takes 0, 1, true and false");
  EXPECT_EQ(error("0x12345", ElementType::BF16),
            "'0x12345' has more bits than bf16");
  for (StringRef text : {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x",
                         "0x1.p", "0x.p1", "--1", "1f", "nanx", "1_0"})
    EXPECT_NE(error(text, ElementType::F32), "") << text.str();
}

TEST(Element, FormattedTextParsesBack) {
  for (int t = 0; t <= static_cast<int>(ElementType::F64); ++t) {
    auto type = static_cast<ElementType>(t);
    unsigned width = 8 * getByteWidth(type);
    for (unsigned i = 0; i < 65536; ++i) {
      uint64_t pattern =
          width > 16 ? i * 0x9E3779B97F4A7C15 >> (64 - width) : i;
      if (width == 8)
        pattern &= 255;
      if (type == ElementType::I1)
        pattern &= 1;
      if (isNaN(pattern, type) || (width > 16 && i % 64))
        continue;
      std::string text = formatElement(pattern, type);
      ASSERT_EQ(bits(text, type), pattern) << text << getName(type).str();
    }
  }
  EXPECT_EQ(formatElement(0x3DCCCCCD, ElementType::F32), "0.1");
  EXPECT_EQ(formatElement(0x47, ElementType::F8E4M3FN), "3.75");
  EXPECT_EQ(formatElement(0x3FA9, ElementType::BF16), "1.32");
  EXPECT_EQ(formatElement(0x7F7FFFFF, ElementType::F32), "3.4028235e+38");
}

TEST(Element, Conversions) {
  EXPECT_EQ(roundToElement(1.00390625, ElementType::BF16), 0x3F80u);
  EXPECT_EQ(roundToElement(-2.9, ElementType::I8), 0xFEu);
  EXPECT_EQ(convertToElement(16777217, ElementType::F32), 0x4B800000u);
  EXPECT_EQ(convertToElement(257, ElementType::UI8), 1u);
  EXPECT_EQ(toDouble(0xFF, ElementType::I8), -1.0);
  EXPECT_EQ(toDouble(0xFF, ElementType::UI8), 255.0);
  EXPECT_EQ(toDouble(0x3F81, ElementType::BF16), 1.0078125);
}

TEST(Element, NaNsOfEveryType) {
  for (int t = static_cast<int>(ElementType::F8E4M3FN);
       t <= static_cast<int>(ElementType::F64); ++t) {
    auto type = static_cast<ElementType>(t);
    unsigned width = 8 * getByteWidth(type);
    // The upper 16 bits decide, but for the lowest bit of the significand.
    for (uint64_t high = 0; high < (uint64_t(1) << std::min(width, 16u));
         ++high)
      for (uint64_t low : {0, 1}) {
        uint64_t pattern = width > 16 ? high << (width - 16) | low : high;
        ASSERT_EQ(isNaN(pattern, type), std::isnan(toDouble(pattern, type)))
            << pattern << getName(type).str();
      }
  }
  EXPECT_FALSE(isNaN(UINT64_MAX, ElementType::I64));
}

TEST(Element, ConversionsOfIntegers) {
  for (auto type : {ElementType::F32, ElementType::F64, ElementType::F16})
    for (int64_t i : {int64_t(0), int64_t(-5), int64_t(16777217),
                      int64_t(16777219), int64_t(1) << 52, int64_t(-65520)})
      EXPECT_EQ(convertToElement(i, type),
                roundToElement(static_cast<double>(i), type))
          << i;
}

TEST(Element, UlpDistance) {
  auto f32 = ElementType::F32;
  EXPECT_EQ(ulpDistance(0x3F800000, 0x3F800001, f32), 1u);
  EXPECT_EQ(ulpDistance(0x80000000, 0, f32), 0u);
  EXPECT_EQ(ulpDistance(0x80000001, 1, f32), 2u);
  EXPECT_EQ(ulpDistance(0x7FC00000, 0xFFC00001, f32), 0u);
  EXPECT_EQ(ulpDistance(0x7FC00000, 0, f32), UINT64_MAX);
  EXPECT_EQ(ulpDistance(0x80, 0x7F, ElementType::I8), 255u);
  EXPECT_EQ(ulpDistance(0x80, 0x7F, ElementType::UI8), 1u);
}

} // namespace
