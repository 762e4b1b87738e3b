//===- FormatTest.cpp - Formats, rounding, casts --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "ew/Runtime/Element.h"

#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <limits>
#include <random>

using namespace ew::reference;
using namespace ew::reference::test;
using llvm::APFloat;
using llvm::APInt;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::string castOp(const std::string &from, const std::string &to,
                   const std::string &how = "") {
  return oneOp("cast %a" + how, from, 1, to);
}

/// f64 numbers that are hard to round: near the ends and middles of the steps
/// of a narrow type, and anything else.
std::vector<double> hardNumbers(ElementType type) {
  std::vector<double> numbers = {0.0, -0.0,  INFINITY, -INFINITY,
                                 NAN, 1e300, -1e-300};
  std::mt19937_64 random(7);
  const llvm::fltSemantics &format = getSemantics(type);
  unsigned width = APFloat::getSizeInBits(format);
  for (int i = 0; i < 2000; ++i) {
    APInt bits(64, random());
    APFloat a(format, bits.trunc(width)), b = a;
    b.next(/*nextDown=*/i & 1);
    bool losesInfo;
    a.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    b.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    double middle = a.convertToDouble() / 2 + b.convertToDouble() / 2;
    for (double x :
         {a.convertToDouble(), middle, std::nextafter(middle, INFINITY),
          std::nextafter(middle, -INFINITY)})
      numbers.push_back(x);
  }
  return numbers;
}

TEST(Format, CastsRoundAsTheyShould) {
  struct Mode {
    const char *how;
    llvm::RoundingMode mode;
  };
  const Mode modes[] = {{"", APFloat::rmNearestTiesToEven},
                        {" round(toward_zero)", APFloat::rmTowardZero},
                        {" round(upward)", APFloat::rmTowardPositive},
                        {" round(downward)", APFloat::rmTowardNegative},
                        {" round(nearest_away)", APFloat::rmNearestTiesToAway}};
  for (ElementType type :
       {ElementType::F8E4M3FN, ElementType::F8E5M2, ElementType::F16,
        ElementType::BF16, ElementType::F32}) {
    std::vector<double> numbers = hardNumbers(type);
    unsigned bytes = getByteWidth(type);
    for (const Mode &mode : modes) {
      Programs programs(castOp("f64", getName(type).str(), mode.how));
      Tensor result = programs.evaluate({f64(numbers)})[0];
      for (size_t i = 0; i < numbers.size(); ++i) {
        APFloat expected(numbers[i]);
        bool losesInfo;
        expected.convert(getSemantics(type), mode.mode, &losesInfo);
        uint64_t bits = 0;
        memcpy(&bits, result.data.data() + i * bytes, bytes);
        APFloat actual(getSemantics(type), APInt(8 * bytes, bits));
        EXPECT_TRUE(expected.isNaN() ? actual.isNaN()
                                     : actual.bitwiseIsEqual(expected))
            << getName(type).str() << mode.how << " of " << numbers[i];
      }
    }
  }
}

TEST(Format, EveryNarrowNumberIsItself) {
  for (ElementType type : {ElementType::F8E4M3FN, ElementType::F8E5M2,
                           ElementType::F16, ElementType::BF16}) {
    unsigned bytes = getByteWidth(type);
    size_t count = size_t(1) << (8 * bytes);
    std::string data(count * bytes, '\0');
    for (size_t i = 0; i < count; ++i)
      memcpy(data.data() + i * bytes, &i, bytes);
    Tensor input{type, {int64_t(count)}, data};
    Programs programs(castOp(getName(type).str(), "f64"));
    auto wide = elementsOf<double>(programs.evaluate({input})[0]);
    Programs back(castOp("f64", getName(type).str()));
    std::string again = back.evaluate({f64(wide)})[0].data;
    for (size_t i = 0; i < count; ++i) {
      APFloat expected(getSemantics(type), APInt(8 * bytes, i));
      if (expected.isNaN()) {
        EXPECT_TRUE(std::isnan(wide[i]));
        continue;
      }
      bool losesInfo;
      expected.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                       &losesInfo);
      EXPECT_EQ(wide[i], expected.convertToDouble());
      EXPECT_EQ(
          memcmp(again.data() + i * bytes, data.data() + i * bytes, bytes), 0);
    }
  }
}

TEST(Format, SaturationAndOverflow) {
  std::vector<float> numbers = {448, 464, 465, 1000, -1000, kInf, -kInf, kNaN};
  Programs plain(castOp("f32", "f8E4M3FN"));
  EXPECT_EQ(
      elementsOf<uint8_t>(plain.evaluate({f32(numbers)})[0]),
      (std::vector<uint8_t>{0x7e, 0x7e, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f}));
  Programs saturating(castOp("f32", "f8E4M3FN", " saturate"));
  EXPECT_EQ(
      elementsOf<uint8_t>(saturating.evaluate({f32(numbers)})[0]),
      (std::vector<uint8_t>{0x7e, 0x7e, 0x7e, 0x7e, 0xfe, 0x7e, 0xfe, 0x7f}));
  Programs e5m2(castOp("f32", "f8E5M2"));
  EXPECT_EQ(
      elementsOf<uint8_t>(e5m2.evaluate({f32({57344, 61439, 61440, kInf})})[0]),
      (std::vector<uint8_t>{0x7b, 0x7b, 0x7c, 0x7c}));
}

TEST(Format, IntegersRoundOnce) {
  Programs toBF16(castOp("i32", "bf16"));
  Tensor input =
      makeTensor<int32_t>(ElementType::I32, {16842753, -1, INT32_MIN});
  EXPECT_EQ(elementsOf<uint16_t>(toBF16.evaluate({input})[0]),
            (std::vector<uint16_t>{0x4b81, 0xbf80, 0xcf00}));
  Programs toF16(castOp("ui32", "f16"));
  input = makeTensor<uint32_t>(ElementType::UI32, {65519, 65520, 0xffffffff});
  EXPECT_EQ(elementsOf<uint16_t>(toF16.evaluate({input})[0]),
            (std::vector<uint16_t>{0x7bff, 0x7c00, 0x7c00}));
}

TEST(Format, FloatsToIntegersSaturate) {
  std::vector<float> numbers = {-1.5f, -1,   0.9f,  215.26f,
                                kNaN,  kInf, -kInf, 3e9f};
  Programs toI8(castOp("f32", "i8"));
  EXPECT_EQ(elementsOf<int8_t>(toI8.evaluate({f32(numbers)})[0]),
            (std::vector<int8_t>{-1, -1, 0, 127, 0, 127, -128, 127}));
  Programs toUI32(castOp("f32", "ui32"));
  EXPECT_EQ(
      elementsOf<uint32_t>(toUI32.evaluate({f32(numbers)})[0]),
      (std::vector<uint32_t>{0, 0, 0, 215, 0, 4294967295u, 0, 3000000000u}));
  Programs toI64(castOp("f32", "i64"));
  EXPECT_EQ(
      elementsOf<int64_t>(toI64.evaluate({f32({9.3e18f, -9.3e18f, 1e18f})})[0]),
      (std::vector<int64_t>{INT64_MAX, INT64_MIN, 999999984306749440}));
  Programs toI1(castOp("f32", "i1"));
  EXPECT_EQ(
      elementsOf<uint8_t>(toI1.evaluate({f32({0, -0.0f, kNaN, 0.1f})})[0]),
      (std::vector<uint8_t>{0, 0, 1, 1}));
  Programs rounded(castOp("f32", "i32", " round(nearest_even)"));
  EXPECT_EQ(elementsOf<int32_t>(
                rounded.evaluate({f32({0.5f, 1.5f, -2.5f, 2.6f})})[0]),
            (std::vector<int32_t>{0, 2, -2, 3}));
}

TEST(Format, FloatsToIntegersWrap) {
  std::vector<float> numbers = {-1.5f, 0.9f,  215.26f, kNaN,
                                kInf,  -kInf, 3e9f,    -3e9f};
  Programs toI8(castOp("f32", "i8", " wrap"));
  EXPECT_EQ(elementsOf<int8_t>(toI8.evaluate({f32(numbers)})[0]),
            (std::vector<int8_t>{-1, 0, -41, 0, 0, 0, 0, 0}));
  Programs toUI32(castOp("f32", "ui32", " wrap"));
  EXPECT_EQ(elementsOf<uint32_t>(toUI32.evaluate({f32(numbers)})[0]),
            (std::vector<uint32_t>{4294967295u, 0, 215, 0, 0, 0, 3000000000u,
                                   1294967296u}));
  // Past 64 bits, too.
  Programs toI64(castOp("f64", "i64", " wrap"));
  EXPECT_EQ(elementsOf<int64_t>(toI64.evaluate(
                {f64({0x1.00000000004p70, -0x1p63, 0x1p64, 1e300})})[0]),
            (std::vector<int64_t>{int64_t(1) << 28, INT64_MIN, 0, 0}));
  Programs rounded(castOp("f32", "i8", " round(nearest_away) wrap"));
  EXPECT_EQ(
      elementsOf<int8_t>(rounded.evaluate({f32({255.5f, -128.5f, 0.4f})})[0]),
      (std::vector<int8_t>{0, 127, 0}));
}

TEST(Format, NaNsAreCanonical) {
  Programs bits(oneOp("bitcast %a", "f32", 1, "ui32"));
  Tensor input = makeTensor<uint32_t>(ElementType::F32,
                                      {0x7fab2ac8, 0xffc00001, 0x80000000});
  EXPECT_EQ(elementsOf<uint32_t>(bits.evaluate({input})[0]),
            (std::vector<uint32_t>{0x7fc00000, 0x7fc00000, 0x80000000}));
  Programs sign(plainOp("signbit", "f32", 1, "i1"));
  EXPECT_EQ(elementsOf<uint8_t>(sign.evaluate({input})[0]),
            (std::vector<uint8_t>{0, 0, 1}));
}

TEST(Format, NextAfterWalksTheType) {
  Programs programs(plainOp("next_after", "f8E4M3FN", 2));
  auto next = [&](uint8_t x, uint8_t y) {
    return elementsOf<uint8_t>(
        programs.evaluate({bits8(ElementType::F8E4M3FN, {x}),
                           bits8(ElementType::F8E4M3FN, {y})})[0])[0];
  };
  EXPECT_EQ(next(0x00, 0x7e), 0x01);
  EXPECT_EQ(next(0x00, 0xfe), 0x81);
  EXPECT_EQ(next(0x38, 0x7e), 0x39);
  EXPECT_EQ(next(0x7e, 0x7e), 0x7e);
  EXPECT_EQ(next(0x81, 0x7e), 0x80);
}

TEST(Format, StrictRoundsFmaOnce) {
  // (1 + 2^-10) 2^-5 * (1 - 2^-10) 2^-6 + 1 + 2^-10 is 2^-31 below the middle
  // of two neighbours, and f32 would round it to the middle.
  std::vector<Tensor> inputs = {bits16(ElementType::F16, {0x2801}),
                                bits16(ElementType::F16, {0x23fe}),
                                bits16(ElementType::F16, {0x3c01})};
  Programs programs(plainOp("fma", "f16", 3));
  EXPECT_EQ(
      elementsOf<uint16_t>(programs.evaluate(inputs, {Mode::Strict})[0])[0],
      0x3c01);
  Tensor results = bits16(ElementType::F16, {0x3c02});
  EXPECT_EQ(programs.check(inputs, {results}, {Mode::Strict})[0].wrong, 1);
  // Widened, f32 may come in between.
  EXPECT_EQ(programs.check(inputs, {results})[0].wrong, 0);
}

} // namespace
