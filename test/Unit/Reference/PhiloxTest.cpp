//===- PhiloxTest.cpp - The oracle's random numbers -----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Philox.h"
#include "../PhiloxAnswers.h"
#include "Programs.h"

#include <cmath>

using namespace ew::reference;
using namespace ew::reference::test;

namespace {

using Block = std::array<uint32_t, 4>;

TEST(Philox, KnownAnswers) {
  auto answers = ew::test::readPhiloxAnswers();
  if (!answers)
    GTEST_SKIP() << "EW_GOLDEN_DIR does not say where known answers are";
  EXPECT_EQ(answers->size(), 6u);
  for (const auto &[rounds, n] : *answers)
    EXPECT_EQ(philox4x32({n[0], n[1], n[2], n[3]}, {n[4], n[5]}, rounds),
              (Block{n[6], n[7], n[8], n[9]}));
}

Tensor number(uint64_t value) {
  return makeTensor<uint64_t>(ElementType::I64, {value}, {});
}

Tensor draw(const std::string &distribution, const std::string &type,
            uint64_t seed, uint64_t offset, const std::string &stream = "0") {
  Programs programs("func.func @f(%s: tensor<i64>, %o: i64) -> tensor<3x4x" +
                    type + "> {\n  %0 = ew.philox %s, %o distribution(" +
                    distribution + ") stream(" + stream +
                    ") : tensor<i64>, i64 to tensor<3x4x" + type +
                    ">\n  return %0 : tensor<3x4x" + type + ">\n}");
  return programs.evaluate({number(seed), number(offset)})[0];
}

/// The words of three blocks whose counters begin at `offset`.
std::vector<uint32_t> wordsOf(uint64_t seed, uint64_t offset,
                              uint64_t stream = 0) {
  std::vector<uint32_t> words;
  for (uint64_t counter : {offset, offset + 1, offset + 2})
    for (uint32_t word : philox4x32({uint32_t(counter), uint32_t(counter >> 32),
                                     uint32_t(stream), uint32_t(stream >> 32)},
                                    {uint32_t(seed), uint32_t(seed >> 32)}))
      words.push_back(word);
  return words;
}

TEST(Philox, ElementsAreWordsInOrder) {
  EXPECT_EQ(elementsOf<uint32_t>(draw("bits", "ui32", 5, 6)), wordsOf(5, 6));
  // The counter carries into its upper word and comes around.
  EXPECT_EQ(elementsOf<uint32_t>(draw("bits", "i32", 0x500000006, 0xffffffff)),
            wordsOf(0x500000006, 0xffffffff));
  EXPECT_EQ(elementsOf<uint32_t>(draw("bits", "i32", 5, ~uint64_t(0))),
            wordsOf(5, ~uint64_t(0)));
  EXPECT_EQ(elementsOf<uint32_t>(draw("bits", "i32", 5, 6, "-2")),
            wordsOf(5, 6, -2));
}

TEST(Philox, UniformNumbersAreUpperBits) {
  std::vector<uint32_t> words = wordsOf(7, 8);
  auto singles = elementsOf<float>(draw("uniform", "f32", 7, 8));
  auto halves = elementsOf<uint16_t>(draw("uniform", "bf16", 7, 8));
  auto doubles = elementsOf<double>(draw("uniform", "f64", 7, 8));
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(singles[i], float(words[i] >> 8) * 0x1p-24f);
    float half = float(words[i] >> 24) * 0x1p-8f;
    uint32_t bits;
    memcpy(&bits, &half, 4);
    EXPECT_EQ(halves[i], bits >> 16);
  }
  for (int i = 0; i < 6; ++i) {
    uint64_t both = words[2 * i] | uint64_t(words[2 * i + 1]) << 32;
    EXPECT_EQ(doubles[i], double(both >> 11) * 0x1p-53);
  }
}

TEST(Philox, NormalNumbersArePairs) {
  std::vector<uint32_t> words = wordsOf(9, 10);
  auto normals = elementsOf<float>(draw("normal", "f32", 9, 10));
  for (int i = 0; i < 12; i += 2) {
    double u = std::fma(float(words[i]), 0x1p-32f, 0x1p-33f);
    double radius = std::sqrt(-2 * std::log(u));
    double angle = 2 * M_PI * double(words[i + 1] >> 8) * 0x1p-24;
    EXPECT_NEAR(normals[i], radius * std::cos(angle), 1e-6);
    EXPECT_NEAR(normals[i + 1], radius * std::sin(angle), 1e-6);
  }
}

TEST(Philox, KernelsSayTheSame) {
  Programs kernel(R"(
#all = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> ()>
func.func @f(%s: tensor<i64>, %o: i64) -> tensor<3x4xf32> {
  %out = tensor.empty() : tensor<3x4xf32>
  %r = linalg.generic {indexing_maps = [#one, #one, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s, %o : tensor<i64>, i64) outs(%out : tensor<3x4xf32>) {
  ^bb0(%a: i64, %b: i64, %c: f32):
    %i = ew.linear_index : i64
    %0 = ew.philox_at %a, %b, %i distribution(normal) : i64, i64, i64 to f32
    linalg.yield %0 : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
})");
  EXPECT_EQ(kernel.evaluate({number(9), number(10)})[0].data,
            draw("normal", "f32", 9, 10).data);
}

TEST(Philox, DropoutDropsWordsBelowTheRate) {
  Programs programs(R"(
func.func @f(%x: tensor<12xf32>, %s: i64, %o: i64) -> tensor<12xf32> {
  %0 = ew.dropout %x, %s, %o rate(0.4) : tensor<12xf32>, i64, i64
  return %0 : tensor<12xf32>
})");
  std::vector<float> x = {INFINITY, -0.0f};
  x.resize(12, 3.0f);
  auto results =
      elementsOf<float>(programs.evaluate({f32(x), number(11), number(12)})[0]);
  std::vector<uint32_t> words = wordsOf(11, 12);
  unsigned dropped = 0;
  for (int i = 0; i < 12; ++i) {
    bool drops = words[i] < 0.4 * 0x1p32;
    EXPECT_EQ(results[i], drops ? 0.0f : x[i] * float(1 / 0.6));
    EXPECT_EQ(std::signbit(results[i]), !drops && std::signbit(x[i]));
    dropped += drops;
  }
  EXPECT_GT(dropped, 1u);
  EXPECT_LT(dropped, 9u);
}

} // namespace
