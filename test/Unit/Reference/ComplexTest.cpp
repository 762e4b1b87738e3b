//===- ComplexTest.cpp - Complex numbers beside the C library's -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <complex>
#include <functional>
#include <limits>
#include <random>

using namespace ew::reference;
using namespace ew::reference::test;

namespace {

using C32 = std::complex<float>;
using C64 = std::complex<double>;
using Wide = std::complex<long double>;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Every pair of the values that Annex G tells apart.
std::vector<C32> getSpecials() {
  constexpr float values[] = {0.0f, -0.0f, 1.0f, -1.0f,
                              kInf, -kInf, kNaN, 3e-45f};
  std::vector<C32> pairs;
  for (float re : values)
    for (float im : values)
      pairs.push_back({re, im});
  return pairs;
}

Tensor c32(const std::vector<C32> &elements) {
  return makeTensor(ElementType::ComplexF32, elements);
}

std::vector<C32> evaluate(const std::string &op,
                          const std::vector<std::vector<C32>> &operands) {
  std::vector<Tensor> inputs;
  for (const std::vector<C32> &operand : operands)
    inputs.push_back(c32(operand));
  Programs programs(plainOp(op, "complex<f32>", inputs.size()));
  return elementsOf<C32>(programs.evaluate(inputs)[0]);
}

/// Whether a product with this may underflow, which C does before it subtracts.
bool isTiny(C32 z) {
  auto tiny = [](float x) { return x != 0 && std::abs(x) < 1e-30f; };
  return tiny(z.real()) || tiny(z.imag());
}

/// Whether Annex G may leave the sign of a zero or an infinity open: where a
/// part is a NaN, or infinite beside a part that is 0 or infinite.
bool leavesSignOpen(C32 z) {
  auto isEdge = [](float x) { return x == 0 || !std::isfinite(x); };
  return std::isnan(z.real()) || std::isnan(z.imag()) ||
         ((std::isinf(z.real()) || std::isinf(z.imag())) && isEdge(z.real()) &&
          isEdge(z.imag()));
}

bool agree(float actual, float expected, bool openSign) {
  if (std::isnan(expected))
    return std::isnan(actual);
  if (openSign && (expected == 0 || std::isinf(expected)))
    return std::abs(actual) == std::abs(expected);
  if (expected == 0 || std::isinf(expected))
    return actual == expected && std::signbit(actual) == std::signbit(expected);
  return std::abs(actual - expected) <= 1e-6f * std::abs(expected) + 3e-45f;
}

struct Unary {
  const char *op;
  C32 (*function)(C32);
};

TEST(Complex, SpecialValuesAreThoseOfC) {
  const Unary functions[] = {
      {"sqrt", [](C32 z) { return std::sqrt(z); }},
      {"exp", [](C32 z) { return std::exp(z); }},
      {"log", [](C32 z) { return std::log(z); }},
      {"sin", [](C32 z) { return std::sin(z); }},
      {"cos", [](C32 z) { return std::cos(z); }},
      {"tanh", [](C32 z) { return std::tanh(z); }},
      {"neg", [](C32 z) { return -z; }},
      {"conj", [](C32 z) { return std::conj(z); }},
      {"square", [](C32 z) { return z * z; }},
      {"reciprocal", [](C32 z) { return C32(1, 0) / z; }}};
  std::vector<C32> operands = getSpecials();
  for (const Unary &row : functions) {
    std::vector<C32> results = evaluate(row.op, {operands});
    for (size_t i = 0; i < operands.size(); ++i) {
      C32 expected = row.function(operands[i]);
      bool open = leavesSignOpen(operands[i]) || isTiny(operands[i]);
      EXPECT_TRUE(agree(results[i].real(), expected.real(), open) &&
                  agree(results[i].imag(), expected.imag(), open))
          << row.op << operands[i] << " gave " << results[i] << ", C "
          << expected;
    }
  }
}

TEST(Complex, SpecialValuesOfProductsAndQuotients) {
  std::vector<C32> specials = getSpecials(), z, w;
  for (C32 a : specials)
    for (C32 b : specials) {
      z.push_back(a);
      w.push_back(b);
    }
  for (bool divides : {false, true}) {
    std::vector<C32> results = evaluate(divides ? "div" : "mul", {z, w});
    for (size_t i = 0; i < z.size(); ++i) {
      C32 expected = divides ? z[i] / w[i] : z[i] * w[i];
      // Of the rule for overflows beside NaNs there is nothing here.
      bool open = isTiny(z[i]) || isTiny(w[i]);
      EXPECT_TRUE(agree(results[i].real(), expected.real(), open) &&
                  agree(results[i].imag(), expected.imag(), open))
          << z[i] << (divides ? " / " : " * ") << w[i] << " gave " << results[i]
          << ", C " << expected;
    }
  }
}

/// What C's formulas make NaNs or other zeros of: in f64, products of finite
/// parts overflow, and a part that is scaled by the other underflows.
TEST(Complex, InfinitiesBesideLargeParts) {
  struct Row {
    const char *op;
    C64 z, w, result;
  };
  constexpr double big = 0x1p1023, small = 0x1p-700, inf = kInf, nan = kNaN;
  for (const Row &row : {
           Row{"mul", {-inf, big}, {-big, -2}, {inf, inf}},
           Row{"mul", {inf, big}, {big, -big}, {inf, -inf}},
           Row{"mul", {big, -inf}, {1, big}, {inf, -inf}},
           Row{"mul", {big, big}, {-inf, small}, {-inf, -inf}},
           // One part is undefined for good: the number is infinite as it is.
           Row{"mul", {inf, big}, {big, 0}, {inf, nan}},
           // Both are: Annex G's rule.
           Row{"mul", {inf, nan}, {big, small}, {inf, inf}},
           Row{"mul", {nan, big}, {big, big}, {nan, nan}},
           Row{"mul", {big, big}, {big, big}, {0, inf}},
           Row{"square", {inf, big}, {}, {inf, inf}},
           Row{"square", {-big, inf}, {}, {-inf, -inf}},
           Row{"div", {0, inf}, {big, small}, {inf, inf}},
           Row{"div", {inf, 1}, {big, small}, {inf, -inf}},
           Row{"div", {inf, nan}, {big, -small}, {inf, inf}},
           Row{"div", {-big, -small}, {inf, 0}, {-0.0, -0.0}},
           Row{"div", {-small, big}, {inf, -inf}, {-0.0, 0}},
           Row{"div", {inf, 1}, {inf, big}, {nan, nan}},
           Row{"reciprocal", {inf, nan}, {}, {0, 0}},
           // exp(inf - big pi + inf i)
           Row{"pow", {-inf, 1}, {1, big}, {inf, nan}},
       }) {
    std::vector<Tensor> inputs = {
        makeTensor(ElementType::ComplexF64, std::vector<C64>{row.z})};
    if (llvm::StringRef(row.op) == "mul" || llvm::StringRef(row.op) == "div" ||
        llvm::StringRef(row.op) == "pow")
      inputs.push_back(
          makeTensor(ElementType::ComplexF64, std::vector<C64>{row.w}));
    Programs programs(plainOp(row.op, "complex<f64>", inputs.size()));
    C64 actual = elementsOf<C64>(programs.evaluate(inputs)[0])[0];
    EXPECT_TRUE(agree(actual.real(), row.result.real(), false) &&
                agree(actual.imag(), row.result.imag(), false))
        << row.op << row.z << row.w << " gave " << actual << ", not "
        << row.result;
  }
}

TEST(Complex, PowersAtTheEdges) {
  struct Row {
    C32 z, w, power;
  };
  for (const Row &row :
       {Row{{kNaN, 1}, {0, 0}, {1, 0}}, Row{{0, 0}, {2, 5}, {0, 0}},
        Row{{0, 0}, {-1, 0}, {kInf, kNaN}},
        Row{{0, 1}, {1, kNaN}, {kNaN, kNaN}}}) {
    C32 actual = evaluate("pow", {{row.z}, {row.w}})[0];
    EXPECT_TRUE(agree(actual.real(), row.power.real(), false) &&
                agree(actual.imag(), row.power.imag(), false))
        << row.z << " to the power of " << row.w << " gave " << actual;
  }
}

/// At ordinary points, against the C library in long double, to the last digits
/// of f64, relative to the modulus.
TEST(Complex, ValuesAreThoseOfC) {
  struct Row {
    const char *op;
    std::function<Wide(Wide, Wide)> function;
  };
  const Row rows[] = {{"mul", [](Wide z, Wide w) { return z * w; }},
                      {"div", [](Wide z, Wide w) { return z / w; }},
                      {"pow", [](Wide z, Wide w) { return std::pow(z, w); }},
                      {"sqrt", [](Wide z, Wide) { return std::sqrt(z); }},
                      {"exp", [](Wide z, Wide) { return std::exp(z); }},
                      {"log", [](Wide z, Wide) { return std::log(z); }},
                      {"sin", [](Wide z, Wide) { return std::sin(z); }},
                      {"cos", [](Wide z, Wide) { return std::cos(z); }},
                      {"tanh", [](Wide z, Wide) { return std::tanh(z); }}};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-4, 4);
  for (const Row &row : rows) {
    std::vector<C64> z, w;
    for (int i = 0; i < 200; ++i) {
      z.push_back({any(random), any(random)});
      w.push_back({any(random), any(random)});
    }
    bool binary = row.op == std::string("mul") ||
                  row.op == std::string("div") || row.op == std::string("pow");
    std::vector<Tensor> inputs = {makeTensor(ElementType::ComplexF64, z)};
    if (binary)
      inputs.push_back(makeTensor(ElementType::ComplexF64, w));
    Programs programs(plainOp(row.op, "complex<f64>", inputs.size()));
    auto results = elementsOf<C64>(programs.evaluate(inputs)[0]);
    for (size_t i = 0; i < z.size(); ++i) {
      Wide expected = row.function(Wide(z[i]), Wide(w[i]));
      long double off = std::abs(Wide(results[i]) - expected);
      EXPECT_LT(off, 0x1p-51L * std::abs(expected))
          << row.op << z[i] << w[i] << " gave " << results[i];
    }
  }
}

TEST(Complex, Judgement) {
  Programs programs(plainOp("mul", "complex<f32>", 2));
  std::vector<Tensor> inputs = {c32({{1, 2}, {3, 0}}), c32({{3, 4}, {0, 1}})};
  ResultReport report = programs.check(inputs, {c32({{-5, 10}, {0, 3}})})[0];
  EXPECT_EQ(report.total, 2);
  EXPECT_EQ(report.checked, 2);
  EXPECT_EQ(report.wrong, 0);
  EXPECT_EQ(report.maxUlp, 0);
  // One part alone is off; the sign of a zero counts.
  report = programs.check(inputs, {c32({{-5, 10.00001f}, {-0.0f, 3}})})[0];
  EXPECT_EQ(report.wrong, 2);
  EXPECT_EQ(report.firstWrong.index, std::vector<int64_t>{0});
  EXPECT_EQ(report.firstWrong.actual, "(-5,10.0000095)");
  EXPECT_EQ(report.firstWrong.expected, "(-5,10)");
}

/// Ranges hold what points inside them give.
TEST(Complex, Chains) {
  for (const char *op : {"sqrt", "exp", "log", "sin", "cos", "tanh", "square",
                         "reciprocal", "conj"}) {
    std::string text =
        "func.func @f(%z: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {\n"
        "  %0 = ew.exp %z : tensor<?xcomplex<f32>>\n"
        "  %1 = ew." +
        std::string(op) +
        " %0 : tensor<?xcomplex<f32>>\n"
        "  return %1 : tensor<?xcomplex<f32>>\n}";
    Programs programs(text);
    std::vector<C32> z;
    std::mt19937 random(2);
    std::uniform_real_distribution<float> any(-2, 2);
    for (int i = 0; i < 100; ++i)
      z.push_back({any(random), any(random)});
    std::vector<Tensor> inputs = {c32(z)};
    std::vector<Tensor> nominal = programs.evaluate(inputs);
    ResultReport report = programs.check(inputs, nominal)[0];
    EXPECT_EQ(report.wrong, 0) << op;
    // A result that is far off is still told.
    auto results = elementsOf<C32>(nominal[0]);
    for (C32 &result : results)
      result *= 1.001f;
    EXPECT_EQ(programs.check(inputs, {c32(results)})[0].wrong +
                  programs.check(inputs, {c32(results)})[0].undecided,
              100)
        << op;
  }
}

/// What a step of a range is off by is not all that is left of a later one: the
/// modulus of 1 + yi is 1 + y^2 / 2.
TEST(Complex, RangesOfWhatCancels) {
  Programs programs(R"(
func.func @f(%x: tensor<?xf64>, %t: tensor<?xf64>) -> tensor<?xcomplex<f64>> {
  %y = ew.exp %t : tensor<?xf64>
  %z = ew.complex %x, %y : tensor<?xcomplex<f64>>
  %0 = ew.log %z : tensor<?xcomplex<f64>>
  return %0 : tensor<?xcomplex<f64>>
})");
  std::vector<double> x, t;
  std::vector<C64> results, wrong;
  for (double exponent : {-20.0, -60.0, -200.0, -300.0}) {
    double y = std::exp(exponent);
    x.push_back(1);
    t.push_back(exponent);
    results.push_back({y * y / 2, y});
    wrong.push_back({y * y / 2 * 1.01, y});
  }
  std::vector<Tensor> inputs = {makeTensor(ElementType::F64, x),
                                makeTensor(ElementType::F64, t)};
  auto check = [&](const std::vector<C64> &numbers) {
    return programs.check(inputs,
                          {makeTensor(ElementType::ComplexF64, numbers)})[0];
  };
  ResultReport report = check(results);
  EXPECT_EQ(report.wrong, 0) << report.firstWrong.expected;
  EXPECT_EQ(report.undecided, 0);
  EXPECT_EQ(check(wrong).wrong, 4);
}

TEST(Complex, ViewsPartsAndConstants) {
  Programs programs(R"(
func.func @f(%z: tensor<2x2xcomplex<f32>>) -> (tensor<2x2xcomplex<f32>>, tensor<2x2xf32>, tensor<2x2xi1>) {
  %c = ew.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %b = ew.broadcast %c : tensor<2xcomplex<f32>> to tensor<2x2xcomplex<f32>>
  %t = ew.transpose %z [1, 0] : tensor<2x2xcomplex<f32>> to tensor<2x2xcomplex<f32>>
  %s = ew.sub %t, %b : tensor<2x2xcomplex<f32>>
  %i = ew.imag %t : tensor<2x2xcomplex<f32>>
  %e = ew.cmp oeq, %t, %b : tensor<2x2xcomplex<f32>>
  return %s, %i, %e : tensor<2x2xcomplex<f32>>, tensor<2x2xf32>, tensor<2x2xi1>
})");
  Tensor z = makeTensor<C32>(ElementType::ComplexF32,
                             {{1, 2}, {5, 6}, {7, 8}, {3, 4}}, {2, 2});
  std::vector<Tensor> results = programs.evaluate({z});
  EXPECT_EQ(elementsOf<C32>(results[0]),
            (std::vector<C32>{{0, 0}, {4, 4}, {4, 4}, {0, 0}}));
  EXPECT_EQ(elementsOf<float>(results[1]), (std::vector<float>{2, 8, 6, 4}));
  EXPECT_EQ(elementsOf<uint8_t>(results[2]),
            (std::vector<uint8_t>{1, 0, 0, 1}));
}

} // namespace
