//===- tune.cpp - The last bits of coefficients ---------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tune FORM C0 C1 ...: changes the last bits of a polynomial's coefficients in
// f32 at random and keeps what lowers the largest error of the form that
// lib/Math evaluates, over a sample of operands to which the worst of all are
// added again and again. FORM is log, log1p, log2 or sin; begin with what
// utils/logarithms.sollya prints. To build: clang++ -O3 -march=native
// -ffp-contract=off utils/tune.cpp
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using Coefficients = std::vector<float>;

static float number(uint32_t bits) {
  float result;
  std::memcpy(&result, &bits, 4);
  return result;
}
static uint32_t bitsOf(float x) {
  uint32_t result;
  std::memcpy(&result, &x, 4);
  return result;
}

struct Point {
  float x;
  double truth, unit;
  /// What the operand's own rounding adds, in units.
  double slack;
};

static std::string form;

static float horner(const Coefficients &c, float x) {
  float sum = c.back();
  for (size_t i = c.size() - 1; i-- > 0;)
    sum = fmaf(sum, x, c[i]);
  return sum;
}

/// As lib/Math/Exponentials.cpp and Trigonometry.cpp.
static float evaluate(const Coefficients &c, float x) {
  constexpr float kLn2 = 0x1.62e43p-1f, kLog2E = 0x1.715476p0f,
                  kLog2ELow = 0x1.4ae0cp-26f;
  if (form == "sin") {
    float s = x * x;
    return x + (horner(c, s) * s) * x;
  }
  uint32_t split = form == "log"    ? 0x3f2aaaab
                   : form == "log2" ? 0x3f3504f3
                                    : 0x3f400000;
  float u = form == "log1p" ? x + 1 : x;
  int32_t e = (bitsOf(u) - split) & 0xff800000;
  float f = form == "log1p"
                ? number(bitsOf(x) - e) + (number(0x3f800000 - e) - 1)
                : number(bitsOf(x) - e) - 1;
  float n = static_cast<float>(e) * 0x1p-23f, p = horner(c, f);
  if (form == "log2")
    return n + fmaf(f, kLog2E, fmaf(p * f, f, f * kLog2ELow));
  return fmaf(n, kLn2, fmaf(p * f, f, f));
}

static Point pointAt(float x) {
  double wide = x;
  Point p{x, 0, 0, 0};
  p.truth = form == "log"     ? std::log(wide)
            : form == "log2"  ? std::log2(wide)
            : form == "log1p" ? std::log1p(wide)
                              : std::sin(wide);
  p.unit = std::ldexp(1.0, std::ilogb(p.truth) - 23);
  if (form == "sin") // an angle that was reduced
    p.slack = std::cos(wide) * std::ldexp(0.5, std::ilogb(wide) - 23) / p.unit;
  return p;
}

static double errorAt(const Coefficients &c, const Point &p) {
  return std::fabs(evaluate(c, p.x) - p.truth) / p.unit + p.slack;
}

/// Calls `visit` with every stride-th operand.
template <typename Visit>
static void forEach(uint32_t stride, Visit visit) {
  std::vector<std::pair<uint32_t, uint32_t>> ranges = {
      {0x3eb00000, 0x40200000}};
  if (form == "log1p")
    ranges = {{0x3c000000, 0x40800000}, {0xbc000000, 0xbf700000}};
  if (form == "log")
    ranges = {{0x3e2aaaab, 0x40800000}};
  if (form == "sin")
    ranges = {{0x3c000000, 0x3f491000}};
  for (auto [begin, end] : ranges)
    for (uint64_t bits = begin; bits < end; bits += stride)
      if (float x = number(bits); x != 1)
        visit(pointAt(x));
}

static double worst(const Coefficients &c, const std::vector<Point> &points,
                    double enough) {
  double result = 0;
  for (const Point &p : points) {
    result = std::fmax(result, errorAt(c, p));
    if (result > enough)
      break;
  }
  return result;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: tune log|log1p|log2|sin C0 C1 ...\n");
    return 2;
  }
  form = argv[1];
  Coefficients c;
  for (int i = 2; i < argc; ++i)
    c.push_back(std::strtof(argv[i], nullptr));
  std::mt19937 random(1);
  std::vector<Point> hard;
  Coefficients best = c;
  double least = INFINITY;
  for (int round = 0; round < 8; ++round) {
    std::vector<Point> points = hard;
    forEach(499, [&](const Point &p) { points.push_back(p); });
    double error = worst(c, points, INFINITY);
    for (int step = 0; step < 2000; ++step) {
      Coefficients next = c;
      for (unsigned n = 1 + random() % 3; n > 0; --n) {
        size_t i = random() % c.size();
        int range = 1 << random() % std::min<size_t>(14, 4 + 3 * i);
        next[i] = number(bitsOf(next[i]) +
                         static_cast<int>(random() % (2 * range + 1)) - range);
      }
      double changed = worst(next, points, error);
      if (changed <= error)
        error = changed, c = next;
    }
    double all = 0;
    forEach(1, [&](const Point &p) { all = std::fmax(all, errorAt(c, p)); });
    if (all < least)
      least = all, best = c;
    forEach(1, [&](const Point &p) {
      if (errorAt(c, p) > all - 0.04)
        hard.push_back(p);
    });
    std::printf("round %d: %.4f\n", round, all);
  }
  std::printf("%.4f:", least);
  for (float value : best)
    std::printf(" %.9g", value);
  std::printf("\n");
}
