//===- ModesTest.cpp - The oracle in fast mode and in mixed modes ---------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <cmath>
#include <limits>

using namespace ew::reference;
using namespace ew::reference::test;

namespace {

Options inMode(Mode mode) {
  Options options;
  options.mode = mode;
  return options;
}

/// Whether a result is let pass.
bool passes(const std::string &text, float operand, float result, Mode mode) {
  Programs programs(text);
  return programs.check({f32({operand})}, {f32({result})}, inMode(mode))[0]
             .wrong == 0;
}

/// What is within `units` times 2^-23 of the true result passes, and nothing
/// else.
void expectRelativeBound(const std::string &op, float operand, double truth,
                         double units) {
  std::string text = plainOp(op, "f32");
  float nearest = static_cast<float>(truth);
  int passed = 0;
  for (int steps = -20; steps <= 20; ++steps) {
    float result = step(nearest, steps);
    bool isWithin =
        std::fabs(result - truth) <= units * 0x1p-23 * std::fabs(truth);
    passed += isWithin;
    EXPECT_EQ(passes(text, operand, result, Mode::Fast), isWithin)
        << op << " " << steps;
  }
  EXPECT_GT(passed, units);
  EXPECT_LT(passed, 41);
}

TEST(FastMode, FunctionsHaveARelativeBound) {
  expectRelativeBound("exp", 1, std::exp(1.0), 8);
  expectRelativeBound("tanh", 0.3f, std::tanh(double(0.3f)), 8);
  // Just below and above a power of two.
  expectRelativeBound("cosh", 1.3169f, std::cosh(double(1.3169f)), 8);
  expectRelativeBound("cosh", 1.317f, std::cosh(double(1.317f)), 8);
  EXPECT_FALSE(
      passes(plainOp("exp", "f32"), 1, step(std::exp(1.0f), 8), Mode::Default));
}

TEST(FastMode, QuotientsAndRootsToo) {
  expectRelativeBound("sqrt", 3, std::sqrt(3.0), 2);
  expectRelativeBound("reciprocal", 3, 1 / 3.0, 2);
}

TEST(FastMode, SumsAreRoundedCorrectly) {
  std::string text = plainOp("square", "f32");
  float right = 1.1f * 1.1f;
  EXPECT_TRUE(passes(text, 1.1f, right, Mode::Fast));
  EXPECT_FALSE(passes(text, 1.1f, step(right, 1), Mode::Fast));
}

TEST(FastMode, LogarithmsNextToOneHaveAnAbsoluteBound) {
  std::string text = plainOp("log", "f32");
  float x = 1 + 0x1p-23f; // 2^-23, about
  for (float result : {0.0f, -0.0f, -0x1p-24f, 0x1p-23f, 0x1.7fp-22f})
    EXPECT_TRUE(passes(text, x, result, Mode::Fast)) << result;
  for (float result : {0x1.81p-22f, -0x1p-22f})
    EXPECT_FALSE(passes(text, x, result, Mode::Fast)) << result;
  EXPECT_FALSE(passes(text, x, 0.0f, Mode::Default));
  // Where they are larger, the bound is the relative one.
  expectRelativeBound("log", 3, std::log(3.0), 8);
  // What is exact is met.
  EXPECT_TRUE(passes(text, 1, 0.0f, Mode::Fast));
  EXPECT_FALSE(passes(text, 1, 0x1p-30f, Mode::Fast));
  // A power of two is met in the other modes only.
  EXPECT_FALSE(passes(plainOp("log2", "f32"), 8, step(3, 1), Mode::Default));
  EXPECT_TRUE(passes(plainOp("log2", "f32"), 8, step(3, 1), Mode::Fast));
  EXPECT_FALSE(passes(plainOp("log2", "f32"), 8, step(3, 20), Mode::Fast));
  EXPECT_FALSE(passes(plainOp("log1p", "f32"), 0x1p-23f, 0.0f, Mode::Fast));
}

TEST(FastMode, SubnormalResults) {
  float least = std::numeric_limits<float>::denorm_min();
  // exp(-100) is 26.5 of the least number.
  std::string text = plainOp("exp", "f32");
  EXPECT_TRUE(passes(text, -100, 34 * least, Mode::Fast));
  EXPECT_FALSE(passes(text, -100, 35 * least, Mode::Fast));
  EXPECT_FALSE(passes(text, -100, 0, Mode::Fast));
}

TEST(FastMode, StatedBoundsAndF64StayAsTheyAre) {
  std::string text = plainOp("exp", "f32");
  text.replace(text.find("%a :"), 4, "%a {ew.error_bound = 1.0 : f64} :");
  EXPECT_FALSE(passes(text, 1, step(std::exp(1.0f), 3), Mode::Fast));
  Programs programs(plainOp("exp", "f64"));
  double off = std::exp(1.0) + 5 * 0x1p-51;
  EXPECT_EQ(
      programs.check({f64({1})}, {f64({off})}, inMode(Mode::Fast))[0].wrong, 1);
}

TEST(Modes, TheOpsOwnBeforeItsFunctionsBeforeThePrograms) {
  std::string plain = plainOp("exp", "f32"), own = plain, function = plain,
              both;
  own.replace(own.find("%a :"), 4, "%a {ew.mode = \"fast\"} :");
  function.replace(function.find(") -> tensor<?xf32>") + 18, 0,
                   " attributes {ew.mode = \"fast\"}");
  both = function;
  both.replace(both.find("%a :", both.find("ew.exp")), 4,
               "%a {ew.mode = \"strict\"} :");
  float off = step(std::exp(1.0f), 8);
  EXPECT_FALSE(passes(plain, 1, off, Mode::Default));
  EXPECT_TRUE(passes(own, 1, off, Mode::Strict));
  EXPECT_TRUE(passes(function, 1, off, Mode::Strict));
  EXPECT_FALSE(passes(both, 1, off, Mode::Fast));
}

/// x * x - y of bf16, which are 1 + 2^-7 and their rounded product.
float subtract(const std::string &product, const std::string &difference) {
  std::string text = "func.func @f(%a: tensor<1xbf16>, %b: tensor<1xbf16>) -> "
                     "tensor<1xf32> {\n"
                     "  %0 = ew.mul %a, %a " +
                     product +
                     " : tensor<1xbf16>\n"
                     "  %1 = ew.sub %0, %b " +
                     difference +
                     " : tensor<1xbf16>\n"
                     "  %2 = ew.cast %1 : tensor<1xbf16> to tensor<1xf32>\n"
                     "  return %2 : tensor<1xf32>\n}";
  Programs programs(text);
  Tensor x = bits16(ElementType::BF16, {0x3f81}),
         y = bits16(ElementType::BF16, {0x3f82});
  return elementsOf<float>(programs.evaluate({x, y})[0])[0];
}

TEST(Modes, AStrictOpSeesRoundedOperands) {
  const std::string strict = "{ew.mode = \"strict\"}";
  EXPECT_EQ(subtract("", ""), 0x1p-14f);
  EXPECT_EQ(subtract("", strict), 0);
  EXPECT_EQ(subtract(strict, ""), 0);
}

} // namespace
