//===- sweep.cpp - Largest error of an f32 function over its inputs -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sweep FUNCTION LIBRARY [STEP [FIRST [LAST]]]: runs `f` of the shared library, what
// ew-lower-math made of the op, on every STEP-th f32 bit pattern, and compares with
// f64. The error is the distance to the f64 value in units in the last place of
// it. utils/sweep/sweep.py makes the library.
//
// f64's functions are glibc's vector versions (4 units of f64); an error near the
// largest one is looked at again with the scalar ones, which are 8 times closer.
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <immintrin.h>
#include <map>
#include <string>

extern "C" {
#define VECTOR(name) __m256d _ZGVdN4v_##name(__m256d);
VECTOR(exp) VECTOR(exp2) VECTOR(expm1) VECTOR(log) VECTOR(log2) VECTOR(log10) VECTOR(log1p)
VECTOR(sin) VECTOR(cos) VECTOR(tan) VECTOR(asin) VECTOR(acos) VECTOR(atan) VECTOR(sinh)
VECTOR(cosh) VECTOR(tanh) VECTOR(asinh) VECTOR(acosh) VECTOR(atanh) VECTOR(erf) VECTOR(erfc)
VECTOR(cbrt)
#undef VECTOR
}

constexpr int kBlock = 4096;
using Scalar = double (*)(double);
struct Function {
  void (*many)(const double *, double *);
  Scalar one;
};

template <__m256d (*f)(__m256d)> static void vector(const double *x, double *y) {
  for (int i = 0; i < kBlock; i += 4)
    _mm256_storeu_pd(y + i, f(_mm256_loadu_pd(x + i)));
}
template <Scalar f> static void scalar(const double *x, double *y) {
  for (int i = 0; i < kBlock; ++i)
    y[i] = f(x[i]);
}

// Compositions, without cancellation; on an array by way of one vector function.
static double sigmoid(double x) {
  double e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}
static double softplus(double x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }
static double softplusNan(double x) { return x != x ? x : softplus(x); }
static double logSigmoid(double x) { return x != x ? x : -softplus(-x); }
static double silu(double x) { return x == -INFINITY ? -0.0 : x * sigmoid(x); }
static double mish(double x) {
  if (x > 40 || x == 0 || x != x)
    return x;
  if (x == -INFINITY)
    return -0.0;
  double e = std::exp(x);
  return x * ((e * e + 2 * e) / (e * e + 2 * e + 2));
}
static double gelu(double x) {
  if (std::isinf(x))
    return x > 0 ? x : -0.0;
  return x / 2 * std::erfc(-x * M_SQRT1_2);
}
static double geluTanh(double x) {
  if (std::isinf(x))
    return x > 0 ? x : -0.0;
  double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return x * sigmoid(2 * u);
}
static double softsign(double x) { return std::isinf(x) ? std::copysign(1, x) : x / (1 + std::fabs(x)); }
static double selu(double x) {
  return 1.0507009873554804934193349852946 *
         (x > 0 ? x : 1.6732632423543772848170429916717 * std::expm1(x));
}
static double elu(double x) { return x > 0 ? x : std::expm1(x); }
static double hardSigmoid(double x) {
  return x != x ? x : std::fmin(std::fmax((x + 3) / 6, 0), 1);
}
static double hardSwish(double x) {
  if (x == -INFINITY)
    return -0.0;
  return x * hardSigmoid(x);
}
static double rsqrt(double x) { return 1 / std::sqrt(x); }

#define BASIC(name) {#name, {vector<_ZGVdN4v_##name>, std::name}}
#define SLOW(name, function) {name, {scalar<function>, function}}
static const std::map<std::string, Function> functions = {
    BASIC(exp), BASIC(exp2), BASIC(expm1), BASIC(log), BASIC(log2), BASIC(log10), BASIC(log1p),
    BASIC(tan), BASIC(asin), BASIC(acos), BASIC(atan), BASIC(sinh), BASIC(cosh), BASIC(tanh),
    BASIC(asinh), BASIC(acosh), BASIC(atanh), BASIC(erf), BASIC(erfc), BASIC(cbrt),
    SLOW("sin", std::sin), SLOW("cos", std::cos),
    SLOW("sigmoid", sigmoid), SLOW("softplus", softplusNan), SLOW("log_sigmoid", logSigmoid),
    SLOW("silu", silu), SLOW("mish", mish), SLOW("gelu", gelu), SLOW("gelu_tanh", geluTanh),
    SLOW("softsign", softsign), SLOW("selu", selu), SLOW("elu", elu), SLOW("celu", elu),
    SLOW("hard_sigmoid", hardSigmoid), SLOW("hard_swish", hardSwish), SLOW("rsqrt", rsqrt),
};

/// Distance in units in the last place of f32 at `want`; an infinity counts as
/// the power of two that it stands for.
static double ulps(float got, double want) {
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(want))
    return got == want ? 0 : INFINITY;
  double near = got;
  if (std::isinf(got)) {
    // Right if the true value rounds there.
    if (std::fabs(want) >= 0x1.ffffffp127)
      return std::signbit(want) == std::signbit(got) ? 0.5 : INFINITY;
    near = std::copysign(0x1p128, got);
  }
  int exponent;
  std::frexp(want, &exponent);
  exponent = std::max(exponent - 1, -126);
  return std::fabs(near - want) * std::ldexp(1.0, 23 - exponent);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: sweep FUNCTION LIBRARY [STEP [FIRST [LAST]]]\n");
    return 2;
  }
  auto found = functions.find(argv[1]);
  void *library = dlopen(argv[2], RTLD_NOW);
  auto f = library ? reinterpret_cast<void (*)(const float *, float *)>(dlsym(library, "f")) : nullptr;
  if (found == functions.end() || !f) {
    std::fprintf(stderr, "sweep: no function %s, or no library: %s\n", argv[1], dlerror());
    return 2;
  }
  uint64_t step = argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 1;
  uint64_t first = argc > 4 ? std::strtoull(argv[4], nullptr, 0) : 0;
  uint64_t last = argc > 5 ? std::strtoull(argv[5], nullptr, 0) : 0xffffffff;

  alignas(32) static float x[kBlock], y[kBlock];
  alignas(32) static double wide[kBlock], want[kBlock];
  double largest = -1, largestNormal = -1;
  float worst = 0, worstGot = 0;
  double worstWant = 0;
  uint64_t wrongZeros = 0, wrongSpecial = 0, count = 0;
  float aWrongZero = 0, aWrongSpecial = 0;
  for (uint64_t base = first; base <= last; base += step * kBlock) {
    for (int i = 0; i < kBlock; ++i) {
      uint32_t raw = static_cast<uint32_t>(std::min(base + step * i, last));
      std::memcpy(&x[i], &raw, 4);
      wide[i] = x[i];
    }
    for (int i = 0; i < kBlock; i += 8)
      f(x + i, y + i);
    found->second.many(wide, want);
    for (int i = 0; i < kBlock; ++i, ++count) {
      double error = ulps(y[i], want[i]);
      if (error <= largest && !(want[i] == 0))
        continue;
      double exact = found->second.one(wide[i]);
      error = ulps(y[i], exact);
      if (error == INFINITY) {
        ++wrongSpecial;
        aWrongSpecial = x[i];
        continue;
      }
      if (exact == 0 && (y[i] != 0 || std::signbit(exact) != std::signbit(y[i]))) {
        ++wrongZeros;
        aWrongZero = x[i];
      }
      if (error > largest)
        largest = error, worst = x[i], worstGot = y[i], worstWant = exact;
    }
  }
  (void)largestNormal;
  std::printf("%-12s %.4f ulp at %a (%.9g): %.9g, true %.17g; %llu inputs", argv[1], largest, worst,
              worst, worstGot, worstWant, static_cast<unsigned long long>(count));
  if (wrongSpecial)
    std::printf("; WRONG NaN or infinity %llu times, at %a", (unsigned long long)wrongSpecial, aWrongSpecial);
  if (wrongZeros)
    std::printf("; WRONG zero %llu times, at %a", (unsigned long long)wrongZeros, aWrongZero);
  std::printf("\n");
  return wrongSpecial || wrongZeros || largest > 2;
}
