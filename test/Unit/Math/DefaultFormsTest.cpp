//===- DefaultFormsTest.cpp - Default mode with approximations that err ---===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of lib/Math/DefaultForms.h, computed with rcp.approx.ftz.f32 off by
// one place and ex2.approx.ftz.f32 by a relative 2^-22 in either direction, as
// the PTX ISA allows; against libm in f64. All else that they are made of is
// exact to IEEE 754, so what holds here holds on a GPU.
//
//===----------------------------------------------------------------------===//

#include "DefaultForms.h"
#include "FormNumber.h"
#include "Sweep.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

using namespace ew::test;

namespace {

int rcpError = 0, ex2Error = 0;

struct Hardware {
  static float ex2(float x) {
    return static_cast<float>(std::exp2(static_cast<double>(x)) *
                              (1 + ex2Error * 0x1p-22));
  }
  static float rcp(float x) { return moveByPlaces(1.0f / flush(x), rcpError); }
};
using Number = FormNumber<Hardware>;

namespace gpu = ew::math::gpu;

/// `takes` says for which operands the form is; others take a branch.
struct Function {
  const char *name;
  Number (*form)(Number);
  double (*reference)(double);
  bool (*takes)(float);
};

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();

bool takesAll(float) { return true; }
template <Number (*rounded)(Number), uint32_t mayBeSet>
bool takesExponent(float x) {
  return !(bitsOf(rounded({x}).value) & ~mayBeSet);
}

double hardSwish(double x) {
  return x <= -3 ? -0.0 : x * std::min((x + 3) / 6, 1.0);
}

double geluTanh(double x) {
  double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u));
}

const Function kFunctions[] = {
    {"erf", gpu::erf<Number>, std::erf, takesAll},
    {"atan", gpu::atan<Number>, std::atan, takesAll},
    {"tan", gpu::tan<Number>, std::tan,
     [](float x) { return std::fabs(x) <= 4096; }},
    {"erfc", gpu::erfc<Number>, std::erfc,
     takesExponent<gpu::erfcRounded<Number>, gpu::kErfcBits>},
    {"cosh", gpu::cosh<Number>, std::cosh,
     takesExponent<gpu::coshRounded<Number>, gpu::kCoshBits>},
    {"silu", gpu::silu<Number>, [](double x) { return x / (1 + std::exp(-x)); },
     [](float x) { return std::fabs(x) < 87; }},
    {"gelu", gpu::gelu<Number>,
     [](double x) { return x / 2 * std::erfc(-x * std::sqrt(0.5)); },
     [](float x) { return std::fabs(x) < 13; }},
    {"gelu_tanh", gpu::geluTanh<Number>, geluTanh,
     [](float x) { return std::fabs(x) < 10; }},
    {"hard_swish", gpu::hardSwish<Number>, hardSwish, takesAll},
};

double getError(double result, double truth) {
  if (truth == 0)
    return result == 0 && std::signbit(result) == std::signbit(truth)
               ? 0
               : std::numeric_limits<double>::infinity();
  if (std::isinf(truth))
    return result == truth ? 0 : std::numeric_limits<double>::infinity();
  return std::fabs(result - truth) /
         std::ldexp(1.0, std::max(std::ilogb(truth), -126) - 23);
}

class DefaultForms : public ::testing::TestWithParam<int> {};

TEST_P(DefaultForms, WithinTheBoundHoweverTheHardwareErrs) {
  const Function &function = kFunctions[GetParam()];
  double worst = 0;
  float at = 0;
  int64_t count = 0;
  auto judge = [&](float x) {
    if (std::isnan(x) || !function.takes(x))
      return;
    ++count;
    double truth = function.reference(x);
    for (rcpError = -1; rcpError <= 1; ++rcpError) {
      ex2Error = rcpError;
      double error = getError(function.form({x}).value, truth);
      // A NaN, too, and that stays.
      if (!(error <= worst) && !std::isnan(worst))
        worst = error, at = x;
    }
  };
  // All bit patterns by a prime step, and more closely where functions are
  // neither x nor x / 2 nor constant.
  for (uint64_t pattern = 0; pattern < uint64_t(1) << 32;
       pattern += 4999 * kThinning)
    judge(fromBits(static_cast<uint32_t>(pattern)));
  for (uint32_t pattern = bitsOf(0x1p-7f); pattern < bitsOf(16.0f);
       pattern += 31 * kThinning)
    judge(fromBits(pattern)), judge(-fromBits(pattern));
  for (float edge : {0.0f, -0.0f, 0x1p-149f, -0x1p-149f, 0x1p-126f, kMax, -kMax,
                     kInf, -kInf})
    judge(edge);
  EXPECT_GT(count, 1000000 / kThinning) << function.name;
  EXPECT_LE(worst, 2.0) << function.name << " at " << at;
  EXPECT_GE(worst, 0.49) << function.name;
  RecordProperty("worst", std::to_string(worst));
}

// Bits that no exponent in range sets are all that is looked at.
TEST(DefaultFormsOperands, ThoseOutOfRangeAreFound) {
  struct Range {
    float first, last; // in range
    bool (*takes)(float);
  };
  const Range ranges[] = {
      {0, 87, takesExponent<gpu::coshRounded<Number>, gpu::kCoshBits>},
      {0, 9, takesExponent<gpu::erfcRounded<Number>, gpu::kErfcBits>},
  };
  for (const Range &range : ranges) {
    float end = range.last * 1.02f;
    for (uint64_t pattern = 0; pattern < uint64_t(1) << 31;
         pattern += 997 * kThinning) {
      float x = fromBits(static_cast<uint32_t>(pattern));
      // Between the two either may be.
      bool takes = range.takes(x);
      if (takes ? !(x < end) : x <= range.last)
        FAIL() << x << (takes ? " is" : " is not") << " taken";
    }
    for (float x : {kInf, kMax, std::nanf("")})
      EXPECT_FALSE(range.takes(x)) << x;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Functions, DefaultForms,
    ::testing::Range(0, static_cast<int>(std::size(kFunctions))));

} // namespace
