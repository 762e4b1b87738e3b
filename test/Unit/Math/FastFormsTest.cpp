//===- FastFormsTest.cpp - Fast mode with approximations that err ---------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of lib/Math/FastForms.h, computed with the hardware's
// approximations as far off as the PTX ISA allows, and subnormal operands and
// results flushed by them; against libm in f64.
//
//===----------------------------------------------------------------------===//

#include "FastForms.h"
#include "FormNumber.h"
#include "Sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

using namespace ew::test;

namespace {

/// In which direction approximations err: those of powers, logarithms and of
/// quotients, roots.
int powerError = 0, quotientError = 0;

struct Hardware {
  /// A result, off by a relative error.
  static float approximate(double exact, double error) {
    return flush(static_cast<float>(exact * (1 + error)));
  }
  static float ex2(float x) {
    return approximate(std::exp2(static_cast<double>(flush(x))),
                       powerError * 0x1p-22);
  }
  static float rcp(float x) {
    return moveByPlaces(1.0f / flush(x), quotientError);
  }
  static float lg2(float x) {
    double exact = std::log2(static_cast<double>(flush(x)));
    if (std::fabs(exact) > 1 || exact == 0)
      return approximate(exact, powerError * 0x1p-22);
    return static_cast<float>(exact + powerError * 0x1p-22);
  }
  static float sqrt(float x) {
    return approximate(std::sqrt(static_cast<double>(flush(x))),
                       quotientError * 0x1p-23);
  }
};
using Number = FormNumber<Hardware>;

namespace fast = ew::math::fast;

struct Function {
  const char *name;
  Number (*form)(Number);
  double (*reference)(double);
  /// Operands that the form is for: what is not of its domain, NaN included,
  /// takes a branch.
  float low, high;
  /// An error that is allowed in any case.
  double absolute = 0;
};

constexpr float kInf = std::numeric_limits<float>::infinity();

const Function kFunctions[] = {
    {"exp", fast::exp<Number>, [](double x) { return std::exp(x); }, -87, 87},
    {"expm1", fast::expm1<Number>, [](double x) { return std::expm1(x); }, -87,
     87},
    {"log", fast::log<Number>, [](double x) { return std::log(x); }, 0x1p-126f,
     kInf, 0x1p-22},
    {"log1p", fast::log1p<Number>, [](double x) { return std::log1p(x); }, -1,
     kInf},
    {"sin", fast::sin<Number>, [](double x) { return std::sin(x); }, -65536,
     65536},
    {"cos", fast::cos<Number>, [](double x) { return std::cos(x); }, -65536,
     65536},
    {"cos by nearest", fast::cosByNearest<Number>,
     [](double x) { return std::cos(x); }, -65536, 65536},
    {"tan", fast::tan<Number>, [](double x) { return std::tan(x); }, -65536,
     65536},
    {"asin", fast::asin<Number>, [](double x) { return std::asin(x); }, -1, 1},
    {"acos", fast::acos<Number>, [](double x) { return std::acos(x); }, -1, 1},
    {"atan", fast::atan<Number>, [](double x) { return std::atan(x); }, -kInf,
     kInf},
    {"sinh", fast::sinh<Number>, [](double x) { return std::sinh(x); }, -87,
     87},
    {"cosh", fast::cosh<Number>, [](double x) { return std::cosh(x); }, -87,
     87},
    {"tanh", fast::tanh<Number>, [](double x) { return std::tanh(x); }, -kInf,
     kInf},
    {"asinh", fast::asinh<Number>, [](double x) { return std::asinh(x); },
     -1e15f, 1e15f},
    {"acosh", fast::acosh<Number>, [](double x) { return std::acosh(x); }, 1,
     0x1p60f},
    {"atanh", fast::atanh<Number>, [](double x) { return std::atanh(x); }, -1,
     1},
    {"erf", fast::erf<Number>, [](double x) { return std::erf(x); }, -kInf,
     kInf},
    {"erfc", fast::erfc<Number>, [](double x) { return std::erfc(x); }, -9.3f,
     9.3f},
    {"sigmoid", fast::sigmoid<Number>,
     [](double x) { return 1 / (1 + std::exp(-x)); }, -87, 87},
    {"silu", fast::silu<Number>,
     [](double x) { return x / (1 + std::exp(-x)); }, -87, 87},
    {"softplus", fast::softplus<Number>,
     [](double x) {
       return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
     },
     -87, 87},
    {"log_sigmoid", fast::logSigmoid<Number>,
     [](double x) {
       return std::min(x, 0.0) - std::log1p(std::exp(-std::fabs(x)));
     },
     -87, 87},
    {"mish", fast::mish<Number>,
     [](double x) {
       return x *
              std::tanh(std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))));
     },
     -87, 87},
    {"gelu", fast::gelu<Number>,
     [](double x) { return x / 2 * std::erfc(-x * std::sqrt(0.5)); }, -13.1f,
     13.1f},
    {"gelu tanh", fast::geluTanh<Number>,
     [](double x) {
       return x /
              (1 + std::exp(-std::sqrt(8 / M_PI) * (x + 0.044715 * x * x * x)));
     },
     -9.9f, 9.9f},
    {"softsign", fast::softsign<Number>,
     [](double x) {
       return std::isinf(x) ? std::copysign(1, x) : x / (1 + std::fabs(x));
     },
     -kInf, kInf},
};

/// Distance in units of 2^-23 of the true value, or of 2^-149 where that is
/// subnormal; a result that is wrong in kind is infinitely far.
double getError(double result, double truth) {
  double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(result) || std::isnan(truth))
    return std::isnan(result) && std::isnan(truth) ? 0 : wrong;
  if (truth == 0 || std::isinf(truth))
    return result == truth && std::signbit(result) == std::signbit(truth)
               ? 0
               : wrong;
  if (std::signbit(result) != std::signbit(truth))
    return wrong;
  return std::fabs(result - truth) /
         (std::max(std::fabs(truth), 0x1p-126) * 0x1p-23);
}

class FastForms : public ::testing::TestWithParam<int> {};

TEST_P(FastForms, WithinTheBoundHoweverTheHardwareErrs) {
  const Function &function = kFunctions[GetParam()];
  double worst = 0;
  float at = 0;
  int64_t count = 0;
  auto judge = [&](float x) {
    if (!(x >= function.low && x <= function.high))
      return;
    ++count;
    double truth = function.reference(x);
    for (powerError = -1; powerError <= 1; ++powerError)
      for (quotientError = -1; quotientError <= 1; ++quotientError) {
        double result = function.form({x}).value;
        if (truth != 0 && std::fabs(result - truth) <= function.absolute)
          continue;
        double error = getError(result, truth);
        if (error > worst) {
          worst = error;
          at = x;
        }
      }
  };
  // A prime step through all bit patterns, and numbers where functions are
  // steep.
  for (uint64_t pattern = 0; pattern < uint64_t(1) << 32;
       pattern += 20011 * kThinning)
    judge(fromBits(static_cast<uint32_t>(pattern)));
  for (int i = -100000; i <= 100000; i += kThinning)
    judge(static_cast<float>(i * 3.1e-4));
  for (float edge : {function.low, function.high, 0.0f, -0.0f, 1.0f, -1.0f,
                     0.42f, 0.5f, 0.55f, 0.3f, -0.25f})
    judge(edge);
  EXPECT_GT(count, 100000 / kThinning) << function.name;
  EXPECT_LE(worst, 8.0) << function.name << " at " << at;
  EXPECT_GE(worst, 0.49) << function.name;
  RecordProperty("worst", std::to_string(worst));
}

/// Those of two operands, on numbers of all signs and ratios.
TEST(FastForms, OfTwoOperands) {
  uint64_t state = 1;
  auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint32_t raw = static_cast<uint32_t>(state >> 32);
    // From 2^-20 to 2^20.
    return fromBits((raw & 0x807fffff) | (107 + (raw >> 23) % 40) << 23);
  };
  double worst[3] = {};
  for (int i = 0; i < 200000; i += kThinning) {
    float x = next(), y = next();
    for (powerError = -1; powerError <= 1; ++powerError)
      for (quotientError = -1; quotientError <= 1; ++quotientError) {
        Number a{x}, b{y};
        double errors[] = {
            getError(fast::atan2(b, a).value, std::atan2(double(y), double(x))),
            getError(fast::hypot(a, b).value, std::hypot(double(x), double(y))),
            getError(fast::divide(a, b).value, double(x) / double(y))};
        for (int f = 0; f < 3; ++f)
          worst[f] = std::max(worst[f], errors[f]);
      }
  }
  EXPECT_LE(worst[0], 8.0);
  EXPECT_LE(worst[1], 8.0);
  EXPECT_LE(worst[2], 2.0);
}

/// Powers of numbers near 1 and of others, by exponents that stay in range.
TEST(FastForms, Powers) {
  uint64_t state = 1;
  auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 32);
  };
  double worst = 0;
  float at = 0, by = 0;
  for (int i = 0; i < 400000; i += kThinning) {
    float x = i % 2 ? 1 + std::ldexp(static_cast<int32_t>(next()) * 0x1p-31f,
                                     -static_cast<int>(next() % 24))
                    : fromBits(0x00800000 + next() % 0x7f000000);
    double log = std::log2(static_cast<double>(x));
    if (!(x >= 0x1p-126f) || log == 0)
      continue;
    float y = static_cast<float>((next() * 0x1p-32 * 250 - 125) / log);
    double truth = std::pow(static_cast<double>(x), static_cast<double>(y));
    for (powerError = -1; powerError <= 1; ++powerError)
      for (quotientError = -1; quotientError <= 1; ++quotientError) {
        fast::Power<Number> power({x}, {y});
        ASSERT_LT(std::fabs(power.t.value), 126) << x << " " << y;
        double error = getError(power.value().value, truth);
        if (error > worst)
          worst = error, at = x, by = y;
      }
  }
  EXPECT_LE(worst, 8.0) << at << " to the " << by;
  EXPECT_GE(worst, 0.49);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, FastForms,
    ::testing::Range(0, static_cast<int>(std::size(kFunctions))));

/// Where reciprocals and what they are made of leave the normal range, too.
TEST(FastFormsOutside, OfTheDomainIsNoNumber) {
  for (float x : {1.0000001f, 1.5f, 3e5f, 0x1p125f, 0x1p126f, 8.6e37f,
                  0x1.8p127f, std::numeric_limits<float>::max(),
                  std::numeric_limits<float>::infinity(),
                  std::numeric_limits<float>::quiet_NaN()})
    for (float sign : {1.0f, -1.0f}) {
      EXPECT_TRUE(std::isnan(fast::atanh(Number{sign * x}).value)) << sign * x;
      EXPECT_TRUE(std::isnan(fast::asin(Number{sign * x}).value)) << sign * x;
      EXPECT_TRUE(std::isnan(fast::acos(Number{sign * x}).value)) << sign * x;
    }
}

} // namespace
