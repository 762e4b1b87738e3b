//===- Data.cpp - Random elements -----------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generate.h"
#include "ew/Runtime/Element.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace ew;
using namespace ew::fuzz;

namespace rt = ew::runtime;

static uint64_t getMask(ElementType type) {
  return llvm::maskTrailingOnes<uint64_t>(8 * rt::getByteWidth(type));
}

/// Zeros, infinities, NaNs, the ends of the normal and subnormal numbers, one
/// and its neighbours.
static uint64_t pickSpecialFloat(ElementType type, Rng &rng) {
  const llvm::fltSemantics &semantics = rt::getSemantics(type);
  bool negative = rng.chance(50);
  llvm::APFloat value(semantics);
  switch (rng.below(8)) {
  case 0:
    value = llvm::APFloat::getZero(semantics, negative);
    break;
  case 1:
    value = llvm::APFloat::semanticsHasInf(semantics)
                ? llvm::APFloat::getInf(semantics, negative)
                : llvm::APFloat::getLargest(semantics, negative);
    break;
  case 2:
    value = llvm::APFloat::getQNaN(semantics, negative);
    break;
  case 3:
    value = llvm::APFloat::getLargest(semantics, negative);
    break;
  case 4:
    value = llvm::APFloat::getSmallest(semantics, negative);
    break;
  case 5:
    value = llvm::APFloat::getSmallestNormalized(semantics, negative);
    if (rng.chance(50))
      value.next(/*nextDown=*/!negative);
    break;
  default:
    value = llvm::APFloat(semantics, negative ? "-1.0" : "1.0");
    if (rng.chance(60))
      value.next(/*nextDown=*/rng.chance(50));
  }
  return value.bitcastToAPInt().getZExtValue();
}

static uint64_t pickFloat(ElementType type, bool wild, Rng &rng) {
  unsigned kind = rng.below(wild ? 100 : 60);
  if (kind < 35)
    return rt::roundToElement(rng.between(-4, 4), type);
  if (kind < 47)
    return rt::roundToElement(rng.between(0, 2), type);
  if (kind < 60)
    return rt::roundToElement((double(rng.below(33)) - 16) / 2, type);
  if (kind < 70)
    return rt::roundToElement(
        std::ldexp(rng.between(-2, 2), int(rng.below(40)) - 20), type);
  if (kind < 85)
    return pickSpecialFloat(type, rng);
  return rng.next() & getMask(type);
}

static uint64_t pickInteger(ElementType type, bool wild, Rng &rng) {
  unsigned width = 8 * rt::getByteWidth(type);
  unsigned kind = rng.below(wild ? 100 : 55);
  uint64_t bits;
  if (kind < 45)
    bits = rng.below(16) - (rt::isSigned(type) ? 6 : 0);
  else if (kind < 55)
    bits = rng.below(256);
  else if (kind < 65) // powers of two and their neighbours: the ends as well
    bits = (1ull << rng.below(width)) + rng.below(3) - 1;
  else if (kind < 80)
    bits = rng.next() >> rng.below(64);
  else
    bits = rng.next();
  return bits & getMask(type);
}

std::vector<uint64_t> ew::fuzz::generateData(ElementType type, int64_t count,
                                             bool wild, Rng &rng) {
  if (rt::isComplex(type))
    return generateData(rt::getPartType(type), 2 * count, wild, rng);
  std::vector<uint64_t> data;
  data.reserve(count);
  for (int64_t i = 0; i < count; ++i)
    data.push_back(type == ElementType::I1 ? rng.below(2)
                   : rt::isFloat(type)     ? pickFloat(type, wild, rng)
                                           : pickInteger(type, wild, rng));
  return data;
}
