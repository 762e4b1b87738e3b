//===- DefaultFormsTest.cpp - Default mode with approximations that err -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of lib/Math/DefaultForms.h, computed with rcp.approx.ftz.f32 off by one place
// and ex2.approx.ftz.f32 by a relative 2^-22 in either direction, as the PTX ISA allows; against
// libm in f64. All else that they are
// made of is exact to IEEE 754, so what holds here holds on a GPU.
//
//===----------------------------------------------------------------------===//

#include "DefaultForms.h"
#include "Sweep.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using ew::test::kThinning;

namespace {

/// An f32 number of the forms.
struct Number {
  float value;
  Number splat(double c) const { return {static_cast<float>(c)}; }
};

uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}
float fromBits(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  return x;
}

int rcpError = 0, ex2Error = 0;

Number toNumber(Number n) { return n; }
Number toNumber(double c) { return {static_cast<float>(c)}; }
Number operator+(Number a, Number b) { return {a.value + b.value}; }
Number operator*(Number a, Number b) { return {a.value * b.value}; }
Number operator+(Number a, double b) { return {a.value + toNumber(b).value}; }
Number operator-(Number a, double b) { return {a.value - toNumber(b).value}; }
Number operator-(double a, Number b) { return {toNumber(a).value - b.value}; }
Number operator-(Number a) { return {-a.value}; }
template <typename B, typename C> Number fma(Number a, B b, C c) {
  return {std::fma(a.value, toNumber(b).value, toNumber(c).value)};
}
template <size_t N> Number horner(Number x, const double (&c)[N]) {
  Number sum = toNumber(c[N - 1]);
  for (size_t i = N - 1; i-- > 0;)
    sum = fma(sum, x, c[i]);
  return sum;
}
Number abs(Number a) { return {std::fabs(a.value)}; }
bool lt(Number a, double b) { return a.value < toNumber(b).value; }
Number select(bool condition, Number a, Number b) { return condition ? a : b; }
Number minimum(Number a, Number b) { return a.value < b.value ? a : b; }
Number positivePart(Number a) { return a.value > 0 || bitsOf(a.value) == 0 ? a : Number{-0.0f}; }
Number powerOfRounded(Number t, int shift) {
  return {fromBits((bitsOf(t.value) << 23) + (static_cast<uint32_t>(127 + shift) << 23))};
}
Number scaleByRounded(Number value, Number t) {
  return {fromBits(bitsOf(value.value) + (bitsOf(t.value) << 23))};
}
bool gt(Number a, double b) { return a.value > toNumber(b).value; }
Number copysign(Number a, Number b) { return {std::copysign(a.value, b.value)}; }
Number ex2(Number x) {
  return {static_cast<float>(std::exp2(static_cast<double>(x.value)) * (1 + ex2Error * 0x1p-22))};
}
Number rcp(Number x) { return {fromBits(bitsOf(1.0f / x.value) + rcpError)}; }

namespace gpu = ew::math::gpu;

struct Function {
  const char *name;
  Number (*form)(Number);
  double (*reference)(double);
  /// What is not below the end takes a branch.
  float low, end;
};

constexpr float kInf = std::numeric_limits<float>::infinity();

const Function kFunctions[] = {
    {"gelu", gpu::gelu<Number>, [](double x) { return x / 2 * std::erfc(-x * std::sqrt(0.5)); },
     -gpu::kGeluEnd, gpu::kGeluEnd},
    {"gelu tanh", gpu::geluTanh<Number>,
     [](double x) { return x / (1 + std::exp(-std::sqrt(8 / M_PI) * (x + 0.044715 * x * x * x))); },
     -gpu::kGeluTanhEnd, gpu::kGeluTanhEnd},
    {"erfc", gpu::erfc<Number>, [](double x) { return std::erfc(x); },
     -kInf, gpu::kErfcEnd},
    {"erf", gpu::erf<Number>, [](double x) { return std::erf(x); }, -kInf, kInf},
    {"atan", gpu::atan<Number>, [](double x) { return std::atan(x); }, -kInf, kInf},
};

double getError(double result, double truth) {
  if (truth == 0)
    return result == 0 && std::signbit(result) == std::signbit(truth)
               ? 0
               : std::numeric_limits<double>::infinity();
  return std::fabs(result - truth) / std::ldexp(1.0, std::max(std::ilogb(truth), -126) - 23);
}

class DefaultForms : public ::testing::TestWithParam<int> {};

TEST_P(DefaultForms, WithinTheBoundHoweverTheReciprocalErrs) {
  const Function &function = kFunctions[GetParam()];
  double worst = 0;
  float at = 0;
  int64_t count = 0;
  auto judge = [&](float x) {
    if (!(x >= function.low && x <= function.end))
      return;
    ++count;
    double truth = function.reference(x);
    for (rcpError = -1; rcpError <= 1; ++rcpError) {
      ex2Error = rcpError;
      double error = getError(function.form({x}).value, truth);
      // A NaN, too.
      if (!(error <= worst))
        worst = error, at = x;
    }
  };
  // All bit patterns by a prime step, and more closely where functions are neither x nor x / 2.
  for (uint64_t pattern = 0; pattern < uint64_t(1) << 32; pattern += 4999 * kThinning)
    judge(fromBits(static_cast<uint32_t>(pattern)));
  for (uint32_t pattern = bitsOf(0x1p-7f); pattern < bitsOf(8.0f); pattern += 31 * kThinning)
    judge(fromBits(pattern)), judge(-fromBits(pattern));
  for (float edge : {0.0f, -0.0f, 0x1p-149f, -0x1p-149f, 0x1p-126f, std::nextafterf(function.end, 0),
                     -std::nextafterf(function.end, 0), function.low, function.end})
    judge(edge);
  EXPECT_GT(count, 1000000 / kThinning) << function.name;
  EXPECT_LE(worst, 2.0) << function.name << " at " << at;
  EXPECT_GE(worst, 0.49) << function.name;
  RecordProperty("worst", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(Functions, DefaultForms,
                         ::testing::Range(0, static_cast<int>(std::size(kFunctions))));

} // namespace
