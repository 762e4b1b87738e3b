//===- FuzzTest.cpp - Random programs against the C library ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of a few ops, computed by the C library in double and rounded to
// float after every op: an implementation that the oracle must let pass,
// whatever it computes, and must not once it is moved far away.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <cmath>
#include <functional>
#include <random>

using namespace ew::reference;
using namespace ew::reference::test;

namespace {

struct Op {
  const char *name;
  unsigned operands;
  std::function<double(double, double)> compute;
};

double larger(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return NAN;
  return x == y ? (std::signbit(x) ? y : x) : std::max(x, y);
}

const std::vector<Op> &ops() {
  static const std::vector<Op> ops = {
      {"add", 2, [](double x, double y) { return x + y; }},
      {"sub", 2, [](double x, double y) { return x - y; }},
      {"mul", 2, [](double x, double y) { return x * y; }},
      {"div", 2, [](double x, double y) { return x / y; }},
      {"max", 2, larger},
      {"hypot", 2, [](double x, double y) { return std::hypot(x, y); }},
      {"atan2", 2, [](double x, double y) { return std::atan2(x, y); }},
      {"pow", 2, [](double x, double y) { return std::pow(x, y); }},
      {"rem", 2, [](double x, double y) { return std::fmod(x, y); }},
      {"copysign", 2,
       [](double x, double y) {
         return std::isnan(y) ? std::fabs(x) : std::copysign(x, y);
       }},
      {"neg", 1, [](double x, double) { return -x; }},
      {"abs", 1, [](double x, double) { return std::fabs(x); }},
      {"floor", 1, [](double x, double) { return std::floor(x); }},
      {"round_even", 1, [](double x, double) { return std::nearbyint(x); }},
      {"sqrt", 1, [](double x, double) { return std::sqrt(x); }},
      {"cbrt", 1, [](double x, double) { return std::cbrt(x); }},
      {"exp", 1, [](double x, double) { return std::exp(x); }},
      {"expm1", 1, [](double x, double) { return std::expm1(x); }},
      {"log", 1, [](double x, double) { return std::log(x); }},
      {"log1p", 1, [](double x, double) { return std::log1p(x); }},
      {"sin", 1, [](double x, double) { return std::sin(x); }},
      {"cos", 1, [](double x, double) { return std::cos(x); }},
      {"tan", 1, [](double x, double) { return std::tan(x); }},
      {"atan", 1, [](double x, double) { return std::atan(x); }},
      {"tanh", 1, [](double x, double) { return std::tanh(x); }},
      {"asinh", 1, [](double x, double) { return std::asinh(x); }},
      {"erf", 1, [](double x, double) { return std::erf(x); }},
      {"erfc", 1, [](double x, double) { return std::erfc(x); }},
      {"relu", 1,
       [](double x, double) { return x > 0 || std::isnan(x) ? x : 0.0; }},
  };
  return ops;
}

struct RandomProgram {
  struct Step {
    const Op *op;
    unsigned operands[2];
  };
  std::vector<Step> steps;

  explicit RandomProgram(std::mt19937 &random, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const Op *op = &ops()[random() % ops().size()];
      // Values 0 and 1 are the inputs; the last one is always used.
      steps.push_back({op, {i + 1, static_cast<unsigned>(random() % (i + 2))}});
      if (random() % 2)
        std::swap(steps.back().operands[0], steps.back().operands[1]);
      if (op->operands == 1)
        steps.back().operands[0] = i + 1;
    }
  }

  std::string text() const {
    std::string text = "func.func @f(%v0: tensor<?xf32>, %v1: tensor<?xf32>) "
                       "-> tensor<?xf32> {\n";
    for (size_t i = 0; i < steps.size(); ++i) {
      text += "  %v" + std::to_string(i + 2) + " = ew." + steps[i].op->name;
      for (unsigned k = 0; k < steps[i].op->operands; ++k)
        text += (k ? ", %v" : " %v") + std::to_string(steps[i].operands[k]);
      text += " : tensor<?xf32>\n";
    }
    return text + "  return %v" + std::to_string(steps.size() + 1) +
           " : tensor<?xf32>\n}";
  }

  float compute(float x, float y) const {
    std::vector<float> values = {x, y};
    for (const Step &step : steps)
      values.push_back(static_cast<float>(step.op->compute(
          values[step.operands[0]], values[step.operands[1]])));
    return values.back();
  }
};

float randomFloat(std::mt19937 &random) {
  switch (random() % 4) {
  case 0:
    return std::uniform_real_distribution<float>(-3, 3)(random);
  case 1:
    return std::uniform_real_distribution<float>(-1000, 1000)(random);
  case 2:
    return static_cast<int>(random() % 9) - 4;
  default: {
    uint32_t bits = random();
    float x;
    memcpy(&x, &bits, 4);
    return x;
  }
  }
}

TEST(Fuzz, TheCLibraryPasses) {
  std::mt19937 random(2024);
  int64_t decided = 0, undecided = 0;
  for (int i = 0; i < 300; ++i) {
    RandomProgram program(random, 1 + random() % 5);
    std::vector<float> x, y, results;
    for (int k = 0; k < 40; ++k) {
      x.push_back(randomFloat(random));
      y.push_back(randomFloat(random));
      results.push_back(program.compute(x.back(), y.back()));
    }
    Programs programs(program.text());
    std::vector<Tensor> inputs = {f32(x), f32(y)};
    for (Mode mode : {Mode::Default, Mode::Strict}) {
      ResultReport report = programs.check(inputs, {f32(results)}, {mode})[0];
      EXPECT_EQ(report.wrong, 0)
          << program.text() << "\nactual " << report.firstWrong.actual
          << "\nexpected " << report.firstWrong.expected << "\nfor "
          << (report.wrong ? x[report.firstWrong.index[0]] : 0) << " "
          << (report.wrong ? y[report.firstWrong.index[0]] : 0);
      undecided += report.undecided;
      decided += report.checked - report.undecided;
    }
    // What is nominal is allowed, and comes out the same each time.
    Tensor nominal = programs.evaluate(inputs)[0];
    EXPECT_EQ(programs.check(inputs, {nominal})[0].wrong, 0) << program.text();
    EXPECT_EQ(programs.evaluate(inputs)[0].data, nominal.data);
  }
  // An oracle that cannot decide is none.
  EXPECT_LT(undecided, decided / 10);
}

TEST(Fuzz, WrongResultsAreFound) {
  std::mt19937 random(7);
  int64_t found = 0, total = 0;
  for (int i = 0; i < 200; ++i) {
    RandomProgram program(random, 1 + random() % 3);
    std::vector<float> x, y, results;
    for (int k = 0; k < 20; ++k) {
      x.push_back(std::uniform_real_distribution<float>(0.5, 2)(random));
      y.push_back(std::uniform_real_distribution<float>(0.5, 2)(random));
      float right = program.compute(x.back(), y.back());
      results.push_back(step(right, k % 2 ? 200 : -200) + (right == 0 ? 1 : 0));
    }
    Programs programs(program.text());
    ResultReport report = programs.check({f32(x), f32(y)}, {f32(results)})[0];
    found += report.wrong;
    total += report.checked;
  }
  // A cancellation can make an error of 200 steps out of one of 1.
  EXPECT_GT(found, total * 8 / 10);
}

} // namespace
