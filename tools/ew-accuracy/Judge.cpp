//===- Judge.cpp - Errors in units in the last place ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "Truth.h"

#include <cmath>
#include <cstring>

using namespace ew::accuracy;

namespace {
struct Format {
  int precision, minExponent, maxExponent;
};
} // namespace

static Format getFormat(Element type) {
  switch (type) {
  case Element::F32:
    return {24, -126, 127};
  case Element::F16:
    return {11, -14, 15};
  case Element::BF16:
    return {8, -126, 127};
  }
  __builtin_unreachable();
}

static uint64_t bitsOf(double x) {
  uint64_t result;
  std::memcpy(&result, &x, sizeof(x));
  return result;
}
static double numberOf(uint64_t bits) {
  double result;
  std::memcpy(&result, &bits, sizeof(bits));
  return result;
}

void Tally::add(const Tally &later) {
  if (later.maxUlp > maxUlp) {
    maxUlp = later.maxUlp;
    worst = later.worst;
    worstGot = later.worstGot;
    worstTruth = later.worstTruth;
  }
  if (!wrong && later.wrong)
    firstWrong = later.firstWrong;
  wrong += later.wrong;
  flushed += later.flushed;
  hash += later.hash;
}

static double halfToDouble(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                     : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                    : std::ldexp(fraction, -24);
  return bits >> 15 ? -magnitude : magnitude;
}

void ew::accuracy::toDouble(Element type, const void *bits, double *result,
                            int64_t count) {
  if (type == Element::F32) {
    const float *numbers = static_cast<const float *>(bits);
    for (int64_t i = 0; i < count; ++i)
      result[i] = numbers[i];
    return;
  }
  const uint16_t *narrow = static_cast<const uint16_t *>(bits);
  for (int64_t i = 0; i < count; ++i) {
    if (type == Element::F16) {
      result[i] = halfToDouble(narrow[i]);
      continue;
    }
    uint32_t wide = uint32_t(narrow[i]) << 16;
    float number;
    std::memcpy(&number, &wide, sizeof(number));
    result[i] = number;
  }
}

double ew::accuracy::distance(Element type, double got, double truth,
                              bool &wrong, const Measure &measure) {
  Format format = getFormat(type);
  wrong = false;
  if (std::isnan(got) || std::isnan(truth)) {
    wrong = std::isnan(got) != std::isnan(truth);
    return 0;
  }
  double a = std::fabs(got), b = std::fabs(truth);
  if (b != 0 && std::fabs(got - truth) <= measure.absolute)
    return 0;
  if (std::signbit(got) != std::signbit(truth) || (b == 0 && a != 0) ||
      (std::isinf(b) && !std::isinf(a))) {
    wrong = true;
    return 0;
  }
  // An infinity is the first number past the largest one.
  double end = std::ldexp(1.0, format.maxExponent + 1);
  if (std::isinf(a)) {
    if (b >= end)
      return 0;
    a = end;
  }
  if (measure.relative)
    return std::ldexp(std::fabs(a - b) /
                          std::fmax(b, std::ldexp(1.0, format.minExponent)),
                      format.precision - 1);
  int exponent = b == 0 ? format.minExponent : std::ilogb(b);
  exponent =
      std::fmin(std::fmax(exponent, format.minExponent), format.maxExponent);
  return std::ldexp(std::fabs(a - b), format.precision - 1 - exponent);
}

/// Whether one of up to kBlock results may be wrong, flushed, or further off
/// than `limit`.
static bool mayMatter(Element type, const double *got, const double *truth,
                      double limit, const Measure &measure, int64_t count) {
  Format format = getFormat(type);
  const uint64_t least = uint64_t(1023 + format.minExponent) << 52;
  const uint64_t scaleOf = uint64_t(2046 + format.precision - 1) << 52;
  const double smallest =
      std::ldexp(1.0, format.minExponent - format.precision + 1);
  uint64_t any = 0;
  for (int64_t i = 0; i < count; ++i) {
    double g = got[i], w = truth[i];
    uint64_t exponent = bitsOf(w) & 0x7ff0000000000000;
    exponent = exponent < least ? least : exponent;
    // Of a relative error the unit is as large or larger: what may matter is
    // looked at again.
    double error = std::fabs(g - w) * numberOf(scaleOf - exponent);
    bool isNan = w != w;
    bool fine = (error <= limit) | (g == w) | (isNan & (g != g));
    bool signsDiffer = (bitsOf(g) ^ bitsOf(w)) >> 63;
    bool isFlushed = (g == 0) & (std::fabs(w) >= smallest);
    bool isAllowed = std::fabs(g - w) <= measure.absolute && w != 0;
    any |= uint64_t((!fine | (signsDiffer & !isNan) | isFlushed) & !isAllowed);
  }
  return any;
}

void ew::accuracy::judge(Element type, const void *got, const double *truth,
                         uint64_t first, int64_t count, const Measure &measure,
                         Tally &tally) {
  double smallest = std::ldexp(1.0, getFormat(type).minExponent -
                                        getFormat(type).precision + 1);
  double wide[kBlock];
  toDouble(type, got, wide, count);
  // The first is the worst so far, however good it is.
  if (tally.maxUlp >= 0 &&
      !mayMatter(type, wide, truth, tally.maxUlp, measure, count))
    return;
  for (int64_t i = 0; i < count; ++i) {
    bool wrong;
    double error = distance(type, wide[i], truth[i], wrong, measure);
    if (wrong) {
      if (!tally.wrong++)
        tally.firstWrong = first + i;
      continue;
    }
    if (wide[i] == 0 &&
        std::fabs(truth[i]) >= std::fmax(smallest, measure.absolute))
      ++tally.flushed;
    if (error > tally.maxUlp) {
      tally.maxUlp = error;
      tally.worst = first + i;
      tally.worstGot = wide[i];
      tally.worstTruth = truth[i];
    }
  }
}

/// The finalizer of SplitMix64.
static uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

void ew::accuracy::addHash(Element type, const void *got, uint64_t first,
                           int64_t count, Tally &tally) {
  uint64_t sum = 0;
  if (type == Element::F32) {
    const uint32_t *bits = static_cast<const uint32_t *>(got);
    for (int64_t i = 0; i < count; ++i) {
      uint32_t b = (bits[i] & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits[i];
      sum += mix((first + i) << 32 | b);
    }
  } else {
    const uint16_t *bits = static_cast<const uint16_t *>(got);
    uint16_t infinity = type == Element::F16 ? 0x7c00 : 0x7f80;
    uint16_t nan = type == Element::F16 ? 0x7e00 : 0x7fc0;
    for (int64_t i = 0; i < count; ++i) {
      uint16_t b = (bits[i] & 0x7fff) > infinity ? nan : bits[i];
      sum += mix((first + i) << 32 | b);
    }
  }
  tally.hash += sum;
}
