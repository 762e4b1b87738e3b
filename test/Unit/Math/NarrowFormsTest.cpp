//===- NarrowFormsTest.cpp - 16-bit functions, inexact parts --------------===//
// C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of lib/Math/NarrowForms.h, computed with ex2.approx.ftz.f32 and
// rcp.approx.ftz.f32 as far off as the PTX ISA allows, 2 and 1 units in the
// last place, with subnormal operands and results flushed; against libm in f64.
//
//===----------------------------------------------------------------------===//

#include "NarrowForms.h"
#include "FormNumber.h"
#include "Sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace ew::test;

namespace {

/// By how many places the approximations are off.
int ex2Error = 0, rcpError = 0;

struct Hardware {
  static float ex2(float x) {
    double power = std::exp2(static_cast<double>(flush(x)));
    return moveByPlaces(static_cast<float>(power), ex2Error);
  }
  static float rcp(float x) { return moveByPlaces(1.0f / flush(x), rcpError); }
};
using Number = FormNumber<Hardware>;

struct Function {
  const char *name;
  Number (*form)(Number);
  double (*reference)(double);
};

/// x * sigmoid(y), which is -0 at -infinity.
double timesSigmoid(double x, double y) {
  return x == -std::numeric_limits<double>::infinity() ? -0.0
                                                       : x / (1 + std::exp(-y));
}

const Function kFunctions[] = {
    {"exp", ew::math::narrow::exp<Number>,
     [](double x) { return std::exp(x); }},
    {"exp2", ew::math::narrow::exp2<Number>,
     [](double x) { return std::exp2(x); }},
    {"tanh", ew::math::narrow::tanh<Number>,
     [](double x) { return std::tanh(x); }},
    {"sigmoid", ew::math::narrow::sigmoid<Number>,
     [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"silu", ew::math::narrow::silu<Number>,
     [](double x) { return timesSigmoid(x, x); }},
    {"gelu tanh", ew::math::narrow::geluTanh<Number>,
     [](double x) {
       return timesSigmoid(x, std::sqrt(8 / M_PI) * (x + 0.044715 * x * x * x));
     }},
    {"gelu", ew::math::narrow::gelu<Number>,
     [](double x) {
       return std::isinf(x) ? (x < 0 ? -0.0 : x)
                            : x / 2 * std::erfc(-x * std::sqrt(0.5));
     }},
};

struct Format {
  const char *name;
  int mantissa, minExponent, maxExponent;
  float (*round)(float);
  float (*decode)(uint16_t);
};

float decodeBF16(uint16_t bits) {
  return fromBits(static_cast<uint32_t>(bits) << 16);
}
float roundToBF16(float x) {
  if (std::isnan(x))
    return x;
  uint32_t bits = bitsOf(x);
  return decodeBF16((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
float decodeF16(uint16_t bits) {
  _Float16 x;
  std::memcpy(&x, &bits, 2);
  return x;
}
float roundToF16(float x) { return static_cast<_Float16>(x); }

const Format kFormats[] = {{"bf16", 7, -126, 127, roundToBF16, decodeBF16},
                           {"f16", 10, -14, 15, roundToF16, decodeF16}};

/// Distance in units in the last place of the true value; a result that is
/// wrong in kind is infinitely far.
double getError(double result, double truth, const Format &format) {
  double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(result) || std::isnan(truth))
    return std::isnan(result) && std::isnan(truth) ? 0 : wrong;
  if (std::signbit(result) != std::signbit(truth))
    return wrong;
  if (truth == 0 || std::isinf(truth))
    return result == truth ? 0 : wrong;
  // An infinity is the number after the largest one.
  double end = std::ldexp(1.0, format.maxExponent + 1);
  result = std::clamp(result, -end, end);
  truth = std::clamp(truth, -end, end);
  int exponent =
      std::clamp(std::ilogb(truth), format.minExponent, format.maxExponent);
  return std::fabs(result - truth) /
         std::ldexp(1.0, exponent - format.mantissa);
}

class NarrowForms : public ::testing::TestWithParam<int> {
protected:
  /// The largest error over operands, however the approximations err.
  template <typename Operand>
  void check(const Function &function, const Format &format, Operand operand) {
    double worst = 0;
    float at = 0;
    for (uint32_t i = 0; i < 65536; i += kThinning) {
      float x = operand(i);
      double truth = function.reference(x);
      for (int first : {-2, 0, 2})
        for (int second : {-1, 0, 1}) {
          ex2Error = first;
          rcpError = second;
          double error =
              getError(format.round(function.form({x}).value), truth, format);
          if (error > worst) {
            worst = error;
            at = x;
          }
        }
    }
    EXPECT_LE(worst, 0.6) << function.name << " to " << format.name << " at "
                          << at;
    // What is not measured cannot be within a bound.
    EXPECT_GE(worst, 0.49) << function.name << " to " << format.name;
  }
};

TEST_P(NarrowForms, OverAllOperandsOf16Bits) {
  for (const Format &format : kFormats)
    check(kFunctions[GetParam()], format,
          [&](uint32_t i) { return format.decode(i); });
}

// What is rounded may have been computed from other values than 16-bit ones.
TEST_P(NarrowForms, OverOperandsOf32Bits) {
  for (const Format &format : kFormats)
    check(kFunctions[GetParam()], format, [](uint32_t i) {
      return fromBits(i << 16 | ((i * 40503u) & 0xffff));
    });
}

INSTANTIATE_TEST_SUITE_P(
    Functions, NarrowForms,
    ::testing::Range(0, static_cast<int>(std::size(kFunctions))));

} // namespace
