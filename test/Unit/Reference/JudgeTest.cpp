//===- JudgeTest.cpp - What the oracle lets pass --------------------------===//
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

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Reports of f32 results, all for the same operand.
ResultReport judge(const std::string &text, float operand,
                   const std::vector<float> &results,
                   const Options &options = {}) {
  Programs programs(text);
  return programs.check({f32(std::vector<float>(results.size(), operand))},
                        {f32(results)}, options)[0];
}

TEST(Judge, CorrectRoundingLeavesNoChoice) {
  std::string text = plainOp("sqrt", "f32");
  float right = std::sqrt(3.0f);
  EXPECT_EQ(judge(text, 3, {right}).wrong, 0);
  EXPECT_EQ(judge(text, 3, {step(right, 1), right, step(right, -1)}).wrong, 2);
}

TEST(Judge, BoundIsMet) {
  // exp(1) = 2.71828182845904523536; its neighbours in f32 are 2^-22 apart.
  double truth = std::exp(1.0), ulp = std::ldexp(1.0, -22);
  float nearest = static_cast<float>(truth);
  std::string text = plainOp("exp", "f32");
  for (int steps = -4; steps <= 4; ++steps) {
    float result = step(nearest, steps);
    double error = std::abs(result - truth) / ulp;
    ResultReport report = judge(text, 1, {result});
    EXPECT_EQ(report.wrong, error > 2 ? 1 : 0) << steps;
    EXPECT_NEAR(report.maxUlp, error, 1e-6) << steps;
    EXPECT_EQ(report.undecided, 0);
  }
}

TEST(Judge, BoundCanBeChanged) {
  std::string text = plainOp("exp", "f32");
  std::string tight = text;
  tight.replace(tight.find("%a :"), 4, "%a {ew.error_bound = 1.0 : f64} :");
  float nearest = static_cast<float>(std::exp(1.0));
  EXPECT_EQ(
      judge(tight, 1, {nearest, step(nearest, 1), step(nearest, -1)}).wrong, 1);
}

TEST(Judge, ReportNamesTheElement) {
  Programs programs(plainOp("neg", "f32"));
  auto input = makeTensor<float>(ElementType::F32, {1, 2, 3, 4, 5, 6}, {6});
  ResultReport report =
      programs.check({input}, {f32({-1, -2, -3, -4, 5, 6})})[0];
  EXPECT_EQ(report.wrong, 2);
  EXPECT_EQ(report.total, 6);
  EXPECT_EQ(report.checked, 6);
  EXPECT_FALSE(report.sampled);
  EXPECT_EQ(report.firstWrong.index, std::vector<int64_t>{4});
  EXPECT_EQ(report.firstWrong.actual, "5");
  EXPECT_EQ(report.firstWrong.expected, "-5");
}

TEST(Judge, SignOfZeroCounts) {
  EXPECT_EQ(judge(plainOp("neg", "f32"), 0.0f, {0.0f, -0.0f}).wrong, 1);
  EXPECT_EQ(judge(plainOp("sin", "f32"), -0.0f, {0.0f, -0.0f}).wrong, 1);
  // An underflow keeps the sign of what is lost.
  EXPECT_EQ(judge(plainOp("exp", "f32"), -1000, {0.0f, -0.0f}).wrong, 1);
  EXPECT_EQ(judge(plainOp("gelu", "f32"), -1000, {0.0f, -0.0f}).wrong, 1);
}

TEST(Judge, SaysWhatUlpsDoNot) {
  EXPECT_EQ(
      describe(judge(plainOp("neg", "f32"), 0.0f, {-0.0f, 0.0f})),
      "1 wrong of 2 of 2 elements\n  first at [1]: got 0, expected -0: the "
      "wrong sign of zero");
  EXPECT_EQ(
      describe(judge(plainOp("sqrt", "f32"), -1, {0, kNaN})),
      "1 wrong of 2 of 2 elements\n  first at [0]: got 0, expected NaN: a "
      "number in place of a NaN");
  EXPECT_EQ(
      describe(judge(plainOp("sqrt", "f32"), 4, {kNaN, 2})),
      "1 wrong of 2 of 2 elements\n  first at [0]: got NaN, expected 2: a "
      "NaN in place of a number");
  // Beside what is measured.
  ResultReport both = judge(plainOp("sqrt", "f32"), 4, {kNaN, step(2, 1)});
  EXPECT_EQ(both.wrong, 2);
  EXPECT_EQ(both.unmeasured, 1);
  EXPECT_EQ(
      describe(both),
      "2 wrong of 2 of 2 elements, largest error 1.000 ulp, 1 wrong in what "
      "ulps do not measure\n  first at [0]: got NaN, expected 2: a NaN in "
      "place of a number");
  EXPECT_EQ(describe(judge(plainOp("sqrt", "f32"), 4, {2})),
            "1 of 1 element right, largest error 0.000 ulp");
}

TEST(Judge, InfinityStandsPastTheLargestNumber) {
  float largest = std::numeric_limits<float>::max();
  // exp(88.722839) is 2 ulps below 2^128, about; exp(89) is far above it.
  EXPECT_EQ(judge(plainOp("exp", "f32"), 89, {kInf, largest}).wrong, 1);
  EXPECT_EQ(judge(plainOp("exp", "f32"), 88.0f, {kInf}).wrong, 1);
  EXPECT_EQ(judge(plainOp("log", "f32"), 0.0f, {-kInf, -largest, kNaN}).wrong,
            2);
}

TEST(Judge, NaNOnlyWhereItMustBe) {
  EXPECT_EQ(judge(plainOp("sqrt", "f32"), -1, {kNaN, 0}).wrong, 1);
  EXPECT_EQ(judge(plainOp("sqrt", "f32"), 1, {kNaN, 1}).wrong, 1);
}

TEST(Judge, SubnormalUlps) {
  float least = std::numeric_limits<float>::denorm_min();
  // exp2(-149) is exact; exp(-103) is 1.4 of the least number.
  EXPECT_EQ(judge(plainOp("exp2", "f32"), -149, {least, 2 * least, 0}).wrong,
            2);
  EXPECT_EQ(judge(plainOp("exp", "f32"), -103, {least, 3 * least, 4 * least, 0})
                .wrong,
            1);
}

TEST(Judge, ChainIsAnInterval) {
  // The error of sin passes through exp.
  std::string text = R"(func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
    %0 = ew.sin %a : tensor<?xf32>
    %1 = ew.exp %0 : tensor<?xf32>
    return %1 : tensor<?xf32>
  })";
  float x = 1.25f, nearest = std::exp(std::sin((double)x));
  EXPECT_EQ(
      judge(text, x, {step(nearest, -2), nearest, step(nearest, 2)}).wrong, 0);
  EXPECT_EQ(judge(text, x, {step(nearest, -6), step(nearest, 6)}).wrong, 2);
}

TEST(Judge, StraddledJumpsAreUndecided) {
  // sin(pi in f32) is about -8.7e-8 with no zero within two ulps: decided.
  // exp(log(2)) may or may not reach 2.
  std::string text = R"(func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
    %0 = ew.log %a : tensor<?xf32>
    %1 = ew.exp %0 : tensor<?xf32>
    %2 = ew.floor %1 : tensor<?xf32>
    return %2 : tensor<?xf32>
  })";
  ResultReport report = judge(text, 2, {1, 2, 3, 0});
  EXPECT_EQ(report.undecided, 2);
  EXPECT_EQ(report.wrong, 2);
  report = judge(text, 2.5, {2, 3});
  EXPECT_EQ(report.undecided, 0);
  EXPECT_EQ(report.wrong, 1);
}

TEST(Judge, StraddledComparisons) {
  Programs programs(
      R"(func.func @f(%a: tensor<?xf32>) -> (tensor<?xi1>, tensor<?xi32>, tensor<?xf32>) {
    %0 = ew.log %a : tensor<?xf32>
    %1 = ew.exp %0 : tensor<?xf32>
    %2 = ew.cmp olt, %1, %a : tensor<?xf32>
    %3 = ew.cast %1 : tensor<?xf32> to tensor<?xi32>
    %4 = ew.neg %a : tensor<?xf32>
    %5 = ew.select %2, %a, %4 : tensor<?xf32>
    return %2, %3, %5 : tensor<?xi1>, tensor<?xi32>, tensor<?xf32>
  })");
  auto reports = programs.check(
      {f32({2, 2, 2})},
      {bits8(ElementType::I1, {0, 1, 0}),
       makeTensor<int32_t>(ElementType::I32, {1, 2, 7}), f32({2, -2, 5})});
  EXPECT_EQ(reports[0].undecided, 3);
  EXPECT_EQ(reports[1].undecided, 3);
  EXPECT_EQ(reports[2].undecided, 2);
  EXPECT_EQ(reports[2].wrong, 1);
}

TEST(Judge, ContractionIsAllowedOnlyWhereItIs) {
  std::string text =
      R"(func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %0 = ew.mul %a, %b : tensor<?xf32>
    %1 = ew.mul %a, %b : tensor<?xf32>
    %2 = ew.sub %0, %1 : tensor<?xf32>
    return %2 : tensor<?xf32>
  })";
  Programs programs(text);
  float a = 2396747, b = 7;
  // The product is 16777229, between 16777228 and 16777230 in f32.
  std::vector<Tensor> inputs = {f32({a, a, a}), f32({b, b, b})};
  Tensor results = f32({0, 1, 2});
  Options options;
  EXPECT_EQ(programs.check(inputs, {results}, options)[0].wrong, 1);
  options.contracted = false;
  EXPECT_EQ(programs.check(inputs, {results}, options)[0].wrong, 2);
  options = {Mode::Strict};
  EXPECT_EQ(programs.check(inputs, {results}, options)[0].wrong, 2);
}

TEST(Judge, SixteenBitsAtOnce) {
  // gelu in bf16, rounded at the store: one ulp of bf16 is allowed.
  Programs programs(plainOp("gelu", "bf16"));
  auto bf16 = [](float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return static_cast<uint16_t>(bits >> 16);
  };
  double truth = 0.5 * (1 + std::erf(1 / std::sqrt(2.0))); // 0.841345
  uint16_t below = bf16(truth);
  std::vector<uint16_t> results, operands;
  for (int i = -2; i <= 3; ++i)
    results.push_back(below + i), operands.push_back(0x3f80);
  auto report = programs.check({bits16(ElementType::BF16, operands)},
                               {bits16(ElementType::BF16, results)})[0];
  // The two neighbours on either side are within one ulp, the others are not.
  EXPECT_EQ(report.wrong, 4);
}

TEST(Judge, WidenedValuesAreRoundedAtStores) {
  // In bf16 1 + 2^-9 is 1; widened, the difference survives.
  std::string text =
      R"(func.func @f(%a: tensor<?xbf16>, %b: tensor<?xbf16>) -> tensor<?xbf16> {
    %0 = ew.add %a, %b : tensor<?xbf16>
    %1 = ew.sub %0, %a : tensor<?xbf16>
    return %1 : tensor<?xbf16>
  })";
  Programs programs(text);
  std::vector<Tensor> inputs = {bits16(ElementType::BF16, {0x3f80}),
                                bits16(ElementType::BF16, {0x3b00})};
  EXPECT_EQ(elementsOf<uint16_t>(programs.evaluate(inputs)[0])[0], 0x3b00);
  EXPECT_EQ(
      elementsOf<uint16_t>(programs.evaluate(inputs, {Mode::Strict})[0])[0], 0);
}

TEST(Judge, ExplicitCastsRound) {
  std::string text =
      R"(func.func @f(%a: tensor<?xbf16>, %b: tensor<?xbf16>) -> tensor<?xf32> {
    %0 = ew.add %a, %b : tensor<?xbf16>
    %1 = ew.cast %0 : tensor<?xbf16> to tensor<?xf32>
    return %1 : tensor<?xf32>
  })";
  Programs programs(text);
  std::vector<Tensor> inputs = {bits16(ElementType::BF16, {0x3f80}),
                                bits16(ElementType::BF16, {0x3b00})};
  EXPECT_EQ(elementsOf<float>(programs.evaluate(inputs)[0])[0], 1.0f);
  EXPECT_EQ(programs.check(inputs, {f32({1.001953125f})})[0].wrong, 1);
}

TEST(Judge, Samples) {
  Programs programs(R"(func.func @f(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %0 = ew.transpose %a [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
    %1 = ew.exp %0 : tensor<?x?xf32>
    return %1 : tensor<?x?xf32>
  })");
  constexpr int64_t kRows = 1 << 13, kColumns = 1 << 13; // 2^26 elements
  float one = 1, e = std::exp(1.0);
  TensorView input{ElementType::F32, {kRows, kColumns}, {0, 0}, &one};
  TensorView output{ElementType::F32, {kColumns, kRows}, {0, 0}, &e};
  Options options;
  options.limit = 1000;
  auto reports = check(programs.function(), {input}, {output}, options);
  ASSERT_TRUE(bool(reports));
  EXPECT_TRUE((*reports)[0].sampled);
  EXPECT_EQ((*reports)[0].checked, 1000);
  EXPECT_EQ((*reports)[0].total, kRows * kColumns);
  EXPECT_EQ((*reports)[0].wrong, 0);
}

TEST(Judge, ThreadsMakeNoDifference) {
  Programs programs(plainOp("tanh", "f32"));
  std::vector<float> operands, results;
  for (int i = 0; i < 5000; ++i) {
    operands.push_back(i * 0.001f);
    results.push_back(
        step(std::tanh(operands.back()), i % 1000 == 700 ? 9 : 0));
  }
  ResultReport reports[2];
  for (unsigned i : {0u, 1u}) {
    Options options;
    options.threads = i ? 7 : 1;
    reports[i] = programs.check({f32(operands)}, {f32(results)}, options)[0];
  }
  EXPECT_EQ(reports[0].wrong, 5);
  EXPECT_EQ(reports[0].firstWrong.index, std::vector<int64_t>{700});
  EXPECT_EQ(reports[1].wrong, reports[0].wrong);
  EXPECT_EQ(reports[1].checked, 5000);
  EXPECT_EQ(reports[1].maxUlp, reports[0].maxUlp);
  EXPECT_EQ(reports[1].worst.index, reports[0].worst.index);
  EXPECT_EQ(reports[1].firstWrong.index, reports[0].firstWrong.index);
}

TEST(Judge, Mistakes) {
  Programs programs(plainOp("add", "f32", 2));
  EXPECT_NE(programs.fail({f32({1})}).find("takes 2 inputs, and 1 were given"),
            std::string::npos);
  EXPECT_NE(programs.fail({f32({1, 2}), f32({1, 2, 3})}).find("shapes 2 and 3"),
            std::string::npos);
  EXPECT_NE(
      programs.fail({f64({1}), f32({1})}).find("elements of type f64, not f32"),
      std::string::npos);
  Programs foreign(R"(func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = arith.addf %a, %a : tensor<2xf32>
    return %0 : tensor<2xf32>
  })");
  EXPECT_EQ(foreign.fail({f32({1, 2})}),
            "test.mlir:2:10: the reference cannot interpret 'arith.addf'");
}

} // namespace
