//===- OpsTest.cpp - Values of single ops ---------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EwOps.h"
#include "Programs.h"

#include <cmath>
#include <limits>
#include <set>

using namespace ew::reference;
using namespace ew::reference::test;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kMax = std::numeric_limits<float>::max();

TEST(Ops, EveryOpCanBeInterpreted) {
  mlir::MLIRContext context;
  context.loadDialect<ew::EwDialect>();
  // A launch is what becomes of ops; a kernel's position is no value of its
  // own.
  const std::set<llvm::StringRef> internal = {"ew.launch", "ew.linear_index"};
  for (mlir::RegisteredOperationName name : ew::test::getEwOps(context))
    EXPECT_NE(hasEvaluator(name.getStringRef()),
              internal.count(name.getStringRef()) == 1)
        << name.getStringRef().str();
}

/// Bits that are equal, or NaN both.
void expectSame(float actual, float expected, const std::string &what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << what << " gave " << actual;
    return;
  }
  EXPECT_EQ(actual, expected) << what;
  EXPECT_EQ(std::signbit(actual), std::signbit(expected)) << what;
}

struct Case {
  const char *op;
  std::vector<float> operands;
  float expected;
};

void expectCases(const std::vector<Case> &cases) {
  for (const Case &c : cases) {
    std::vector<Tensor> inputs;
    std::string what = c.op;
    for (float operand : c.operands) {
      inputs.push_back(f32({operand}));
      what += " " + std::to_string(operand);
    }
    // With attributes, the op text is written in full.
    std::string op = c.op;
    Programs programs(op.find('%') != std::string::npos
                          ? oneOp(op, "f32", inputs.size())
                          : plainOp(op, "f32", inputs.size()));
    expectSame(elementsOf<float>(programs.evaluate(inputs)[0])[0], c.expected,
               what);
    EXPECT_EQ(programs.check(inputs, {f32({c.expected})})[0].wrong, 0) << what;
  }
}

TEST(Ops, SignAndRounding) {
  expectCases({{"abs", {-0.0f}, 0.0f},
               {"neg", {0.0f}, -0.0f},
               {"sign", {-0.0f}, -0.0f},
               {"sign", {-3.5f}, -1},
               {"sign", {kNaN}, kNaN},
               {"ceil", {-0.5f}, -0.0f},
               {"floor", {-0.5f}, -1},
               {"floor", {-kInf}, -kInf},
               {"trunc", {-0.5f}, -0.0f},
               {"round", {2.5f}, 3},
               {"round", {-0.4f}, -0.0f},
               {"round", {0.49999997f}, 0},
               {"round_even", {2.5f}, 2},
               {"round_even", {-0.5f}, -0.0f}});
}

TEST(Ops, PowersAndRoots) {
  expectCases({{"sqrt", {-0.0f}, -0.0f},
               {"rsqrt", {-0.0f}, -kInf},
               {"rsqrt", {0.0f}, kInf},
               {"rsqrt", {kInf}, 0},
               {"rsqrt", {-1}, kNaN},
               {"cbrt", {-27}, -3},
               {"cbrt", {-0.0f}, -0.0f},
               {"reciprocal", {-0.0f}, -kInf},
               {"reciprocal", {-kInf}, -0.0f},
               {"square", {-3}, 9},
               {"pow", {kNaN, 0}, 1},
               {"pow", {1, kNaN}, 1},
               {"pow", {-1, kInf}, 1},
               {"pow", {-2, 3}, -8},
               {"pow", {-2, 0.5f}, kNaN},
               {"pow", {-0.0f, -3}, -kInf},
               {"pow", {2, 16}, 65536},
               {"pow", {2, -149}, 1.4e-45f}});
}

TEST(Ops, ExponentialsAndLogarithms) {
  expectCases({{"exp", {-kInf}, 0},
               {"exp", {0}, 1},
               {"exp2", {-149}, 1.4e-45f},
               {"exp2", {-150}, 0},
               {"exp2", {-126}, 1.1754944e-38f},
               {"exp2", {-127}, 5.877472e-39f},
               {"expm1", {-0.0f}, -0.0f},
               {"expm1", {-kInf}, -1},
               {"expm1", {-1e-40f}, -1e-40f},
               {"log", {-0.0f}, -kInf},
               {"log", {1}, 0},
               {"log", {-1}, kNaN},
               {"log2", {1024}, 10},
               {"log10", {1}, 0},
               {"log1p", {-1}, -kInf},
               {"log1p", {-0.0f}, -0.0f},
               {"log1p", {-2}, kNaN}});
}

TEST(Ops, Trigonometry) {
  expectCases({{"sin", {-0.0f}, -0.0f},
               {"sin", {kInf}, kNaN},
               {"sin", {1e-7f}, 1e-7f},
               {"sin", {1e10f}, -0.48750603f},
               {"sin", {6.7e8f}, -0.72218103f},
               {"cos", {-0.0f}, 1},
               {"tan", {-0.0f}, -0.0f},
               {"acos", {1}, 0},
               {"asin", {2}, kNaN},
               {"atan", {-kInf}, -1.57079632679f},
               {"atan2", {0.0f, -1}, 3.14159265359f},
               {"atan2", {-0.0f, -1}, -3.14159265359f},
               {"atan2", {-0.0f, 0.0f}, -0.0f},
               {"atan2", {kInf, -kInf}, 2.35619449019f},
               {"sinh", {-kInf}, -kInf},
               {"cosh", {0}, 1},
               {"tanh", {-kInf}, -1},
               {"tanh", {-0.0f}, -0.0f},
               {"acosh", {1}, 0},
               {"acosh", {0.5f}, kNaN},
               {"atanh", {-1}, -kInf},
               {"erf", {kInf}, 1},
               {"erfc", {-kInf}, 2},
               {"hypot", {kInf, kNaN}, kInf},
               {"hypot", {3, 4}, 5}});
}

TEST(Ops, Activations) {
  expectCases({{"sigmoid", {-kInf}, 0},
               {"sigmoid", {0}, 0.5f},
               {"log_sigmoid", {kInf}, -0.0f},
               {"log_sigmoid", {-kInf}, -kInf},
               {"softplus", {-kInf}, 0},
               {"softplus", {200}, 200},
               {"softsign", {-kInf}, -1},
               {"softsign", {-0.0f}, -0.0f},
               {"relu", {-0.0f}, 0.0f},
               {"relu", {kNaN}, kNaN},
               {"leaky_relu %a {alpha = 0.5 : f64}", {-3}, -1.5f},
               {"leaky_relu", {-0.0f}, -0.0f},
               {"leaky_relu", {kNaN}, kNaN},
               {"elu", {-kInf}, -1},
               {"elu %a {alpha = 0.5 : f64}", {-0.0f}, -0.0f},
               {"elu", {-1e-40f}, -1e-40f},
               {"selu", {-kInf}, -1.7580993408f},
               {"celu %a {alpha = 2.0 : f64}", {-kInf}, -2},
               {"celu", {-1e-40f}, -1e-40f},
               {"gelu", {-kInf}, -0.0f},
               {"gelu", {kInf}, kInf},
               {"gelu", {-0.0f}, -0.0f},
               {"gelu %a approximate(tanh)", {-6}, -8.43964670e-11f},
               {"gelu %a approximate(tanh)", {-kInf}, -0.0f},
               {"gelu %a approximate(tanh)", {kInf}, kInf},
               {"silu", {-kInf}, -0.0f},
               {"silu", {kInf}, kInf},
               {"mish", {-kInf}, -0.0f},
               {"mish", {kInf}, kInf},
               {"mish", {-0.0f}, -0.0f},
               {"hard_sigmoid", {-kInf}, 0},
               {"hard_sigmoid", {kNaN}, kNaN},
               {"hard_swish", {-kInf}, -0.0f},
               {"hard_swish", {kInf}, kInf},
               {"hard_swish", {-1.5f}, -0.375f}});
}

TEST(Ops, Division) {
  expectCases({{"div", {1, -0.0f}, -kInf},
               {"div", {0, 0}, kNaN},
               {"floor_div", {1, 0.1f}, 9},
               {"floor_div", {-4.4f, 0.1f}, -45},
               {"floor_div", {5.665f, 0.1f}, 56},
               {"floor_div", {105.880005f, 0.1f}, 1058},
               {"floor_div", {1, kInf}, 0},
               {"floor_div", {1, -kInf}, -1},
               {"floor_div", {-1, kInf}, -1},
               {"floor_div", {-0.0f, kInf}, -0.0f},
               {"floor_div", {kInf, -2}, -kInf},
               {"floor_div", {1, 0}, kInf},
               {"floor_div", {kMax, 1e-30f}, kInf},
               {"rem", {-5, 3}, -2},
               {"rem", {5, kInf}, 5},
               {"rem", {5, 0}, kNaN},
               {"rem", {-6, 3}, -0.0f},
               {"rem", {kMax, 3}, 0},
               {"mod", {-5, 3}, 1},
               {"mod", {5, -3}, -1},
               {"mod", {-6, 3}, 0},
               {"mod", {6, -3}, -0.0f},
               {"mod", {-1, kInf}, kInf},
               {"mod", {kInf, 1}, kNaN}});
}

TEST(Ops, MinimaAndMaxima) {
  expectCases({{"max", {kNaN, 1}, kNaN},
               {"max", {1, kNaN}, kNaN},
               {"max", {-0.0f, 0.0f}, 0.0f},
               {"max", {0.0f, -0.0f}, 0.0f},
               {"min", {-0.0f, 0.0f}, -0.0f},
               {"min", {0.0f, -0.0f}, -0.0f},
               {"maxnum", {kNaN, 1}, 1},
               {"minnum", {1, kNaN}, 1},
               {"maxnum", {kNaN, kNaN}, kNaN},
               {"minnum", {0.0f, -0.0f}, -0.0f},
               {"clamp", {kNaN, -10, 10}, kNaN},
               {"clamp", {0, kNaN, 10}, kNaN},
               {"clamp", {0, 2, 1}, 1},
               {"clamp", {5, -1, 3}, 3}});
}

TEST(Ops, Representation) {
  expectCases({{"copysign", {3, -0.0f}, -3},
               {"copysign", {-3, -kNaN}, 3},
               {"next_after", {-0.0f, 0.0f}, 0.0f},
               {"next_after", {0, -1}, -1.4e-45f},
               {"next_after", {1, 2}, 1.00000012f},
               {"next_after", {1, 0}, 0.99999994f},
               {"next_after", {kMax, kInf}, kInf},
               {"next_after", {kInf, 0}, kMax},
               {"next_after", {kNaN, 0}, kNaN}});
}

TEST(Ops, Ternary) {
  float a = 1 + std::ldexp(1.0f, -12);
  expectCases(
      {{"fma", {a, a, -1 - std::ldexp(1.0f, -11)}, std::ldexp(1.0f, -24)},
       {"lerp", {2, 6, 0.25f}, 3},
       {"lerp", {2, 6, 0}, 2}});
}

TEST(Ops, StrictKeepsItsWord) {
  // sqrt((-0.25 / s) * s + 0.25) is 0, and never a NaN.
  Programs programs(R"(func.func @f(%s: tensor<?xf32>) -> tensor<?xf32> {
    %q = ew.constant -0.25 : f32
    %a = ew.broadcast %q like(%s : tensor<?xf32>) : f32 to tensor<?xf32>
    %b = ew.neg %a : tensor<?xf32>
    %0 = ew.div %a, %s : tensor<?xf32>
    %1 = ew.mul %0, %s : tensor<?xf32>
    %2 = ew.add %1, %b : tensor<?xf32>
    %3 = ew.sqrt %2 : tensor<?xf32>
    return %3 : tensor<?xf32>
  })");
  EXPECT_EQ(elementsOf<float>(
                programs.evaluate({f32({0.75f})}, {Mode::Strict})[0])[0],
            0);
}

} // namespace
