//===- Truth.cpp - The functions in f64 -----------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// glibc's vector functions, off by 4 units of f64 at most, which are 2^-27 of
// one of f32; and what is composed of them, in forms that do not cancel.
//
//===----------------------------------------------------------------------===//

#include "Truth.h"

#include <cmath>
#include <immintrin.h>

using namespace ew::accuracy;

extern "C" {
#define UNARY(name) __m256d _ZGVdN4v_##name(__m256d);
#define BINARY(name) __m256d _ZGVdN4vv_##name(__m256d, __m256d);
// clang-format off
UNARY(exp) UNARY(exp2) UNARY(expm1) UNARY(log) UNARY(log2) UNARY(log10) UNARY(log1p)
UNARY(sin) UNARY(cos) UNARY(tan) UNARY(asin) UNARY(acos) UNARY(atan)
UNARY(sinh) UNARY(cosh) UNARY(tanh) UNARY(asinh) UNARY(acosh) UNARY(atanh)
UNARY(erf) UNARY(erfc) UNARY(cbrt)
BINARY(pow) BINARY(atan2) BINARY(hypot)
// clang-format on
#undef UNARY
#undef BINARY
}

namespace {

using Vector1 = __m256d (*)(__m256d);
using Vector2 = __m256d (*)(__m256d, __m256d);

template <Vector1 f>
void unary(const double *x, const double *, double *result, int64_t n) {
  for (int64_t i = 0; i < n; i += 4)
    _mm256_storeu_pd(result + i, f(_mm256_loadu_pd(x + i)));
}

template <Vector2 f>
void binary(const double *x, const double *y, double *result, int64_t n) {
  for (int64_t i = 0; i < n; i += 4)
    _mm256_storeu_pd(result + i,
                     f(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i)));
}

/// after(x, f(before(x))).
template <Vector1 f, double (*before)(double), double (*after)(double, double)>
void composed(const double *x, const double *, double *result, int64_t n) {
  double inner[kBlock];
  for (int64_t i = 0; i < n; ++i)
    inner[i] = before(x[i]);
  unary<f>(inner, nullptr, inner, n);
  for (int64_t i = 0; i < n; ++i)
    result[i] = after(x[i], inner[i]);
}

template <double (*f)(double)>
void plain(const double *x, const double *, double *result, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    result[i] = f(x[i]);
}

double same(double x) { return x; }
double minusAbs(double x) { return -std::fabs(x); }
double positivePart(double x) { return x > 0 ? x : 0; }

/// e = exp(-|x|).
double sigmoid(double x, double e) { return (x < 0 ? e : 1) / (1 + e); }
double silu(double x, double e) {
  return x == -INFINITY ? -0.0 : x * sigmoid(x, e);
}

void softplus(const double *x, const double *, double *result, int64_t n) {
  double inner[kBlock];
  for (int64_t i = 0; i < n; ++i)
    inner[i] = -std::fabs(x[i]);
  unary<_ZGVdN4v_exp>(inner, nullptr, inner, n);
  unary<_ZGVdN4v_log1p>(inner, nullptr, inner, n);
  for (int64_t i = 0; i < n; ++i)
    result[i] = positivePart(x[i]) + inner[i];
}
void logSigmoid(const double *x, const double *, double *result, int64_t n) {
  double minus[kBlock];
  for (int64_t i = 0; i < n; ++i)
    minus[i] = -x[i];
  softplus(minus, nullptr, result, n);
  for (int64_t i = 0; i < n; ++i)
    result[i] = -result[i];
}

/// tanh(log(1 + e)) = n / (n + 2), n = e (e + 2); 1 from 40 on.
double atMost40(double x) { return x > 40 ? 40 : x; }
double mish(double x, double e) {
  double n = e * (e + 2);
  return x == -INFINITY ? -0.0 : x * (n / (n + 2));
}

double geluInner(double x) { return x * -M_SQRT1_2; }
double gelu(double x, double tail) {
  return x == -INFINITY ? -0.0 : x * 0.5 * tail;
}
double twiceU(double x) {
  return 2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
}
double geluTanhInner(double x) { return -std::fabs(twiceU(x)); }

double linearOrExpm1(double x, double e) { return x > 0 ? x : e; }
double selu(double x, double e) {
  return 1.0507009873554804934193349852946 *
         (x > 0 ? x : 1.6732632423543772848170429916717 * e);
}

double rsqrt(double x) { return 1 / std::sqrt(x); }
double squareRoot(double x) { return std::sqrt(x); }
double softsign(double x) {
  return std::isinf(x) ? std::copysign(1, x) : x / (1 + std::fabs(x));
}
double hardSigmoid(double x) {
  double y = (x + 3) / 6;
  return y < 0 ? 0 : y > 1 ? 1 : y;
}
double hardSwish(double x) {
  return x == -INFINITY ? -0.0 : x * hardSigmoid(x);
}

} // namespace

#define UNARY(name, low, high)                                                 \
  {#name, #name " %x", 1, unary<_ZGVdN4v_##name>, low, high}
#define BINARY(name, low, high, pairs)                                         \
  {#name, #name " %x, %y", 2, binary<_ZGVdN4vv_##name>, low, high, pairs}
const Function ew::accuracy::kFunctions[] = {
    UNARY(exp, -10, 10),
    UNARY(exp2, -10, 10),
    UNARY(expm1, -10, 10),
    UNARY(log, 0.1, 10),
    UNARY(log2, 0.1, 10),
    UNARY(log10, 0.1, 10),
    UNARY(log1p, -0.9, 10),
    UNARY(sin, -10, 10),
    UNARY(cos, -10, 10),
    UNARY(tan, -10, 10),
    UNARY(asin, -0.99, 0.99),
    UNARY(acos, -0.99, 0.99),
    UNARY(atan, -10, 10),
    UNARY(sinh, -10, 10),
    UNARY(cosh, -10, 10),
    UNARY(tanh, -10, 10),
    UNARY(asinh, -10, 10),
    UNARY(acosh, 1.01, 10),
    UNARY(atanh, -0.99, 0.99),
    UNARY(erf, -3, 3),
    UNARY(erfc, -3, 3),
    UNARY(cbrt, -10, 10),
    {"sqrt", "sqrt %x", 1, plain<squareRoot>, 0.1, 10},
    {"rsqrt", "rsqrt %x", 1, plain<rsqrt>, 0.1, 10},
    {"sigmoid", "sigmoid %x", 1, composed<_ZGVdN4v_exp, minusAbs, sigmoid>, -10,
     10},
    {"log_sigmoid", "log_sigmoid %x", 1, logSigmoid, -10, 10},
    {"softplus", "softplus %x", 1, softplus, -10, 10},
    {"gelu", "gelu %x", 1, composed<_ZGVdN4v_erfc, geluInner, gelu>, -10, 10},
    {"gelu_tanh", "gelu %x approximate(tanh)", 1,
     composed<_ZGVdN4v_exp, geluTanhInner, silu>, -10, 10},
    {"silu", "silu %x", 1, composed<_ZGVdN4v_exp, minusAbs, silu>, -10, 10},
    {"mish", "mish %x", 1, composed<_ZGVdN4v_exp, atMost40, mish>, -10, 10},
    {"elu", "elu %x", 1, composed<_ZGVdN4v_expm1, same, linearOrExpm1>, -10,
     10},
    {"celu", "celu %x", 1, composed<_ZGVdN4v_expm1, same, linearOrExpm1>, -10,
     10},
    {"selu", "selu %x", 1, composed<_ZGVdN4v_expm1, same, selu>, -10, 10},
    {"softsign", "softsign %x", 1, plain<softsign>, -10, 10},
    {"hard_sigmoid", "hard_sigmoid %x", 1, plain<hardSigmoid>, -10, 10},
    {"hard_swish", "hard_swish %x", 1, plain<hardSwish>, -10, 10},
    BINARY(pow, 0.1, 10, PairsOf::Power),
    BINARY(atan2, -10, 10, PairsOf::Sides),
    BINARY(hypot, -10, 10, PairsOf::Sides),
    {nullptr, nullptr, 0, nullptr, 0, 0},
};
