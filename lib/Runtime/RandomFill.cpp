//===- RandomFill.cpp - Reproducible random tensors -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Element.h"
#include "ew/Runtime/InputSpec.h"

#include <cmath>

using namespace llvm;

namespace ew::runtime {

/// SplitMix64 as a function of the element's index, so that a value depends on
/// neither the platform nor the order.
static uint64_t randomBits(uint64_t seed, uint64_t index) {
  uint64_t z = seed * 0xD1342543DE82EF95 + (index + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

namespace {
/// Rounds doubles to a type of 8 or 16 bits, to nearest and ties to even. The
/// value must not round to more than the type's largest. APFloat does the same
/// fifty times slower.
struct SmallFloat {
  int mantissa, minExponent, signShift;

  explicit SmallFloat(ElementType type)
      : mantissa(APFloat::semanticsPrecision(getSemantics(type)) - 1),
        minExponent(APFloat::semanticsMinExponent(getSemantics(type))),
        signShift(8 * getByteWidth(type) - 1) {}

  uint16_t round(double value) const {
    uint64_t bits = bit_cast<uint64_t>(value);
    uint64_t sign = bits >> 63 << signShift;
    int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
    uint64_t significand = bits << 12 >> 12 | uint64_t(1) << 52;
    int below = std::max(minExponent - exponent, 0); // subnormal by so much
    int shift = 52 - mantissa + below;
    if (shift > 54)
      return sign;
    uint64_t kept = significand >> shift;
    uint64_t lost = significand << (64 - shift);
    constexpr uint64_t kHalf = uint64_t(1) << 63;
    kept += lost > kHalf || (lost == kHalf && (kept & 1));
    // The significand's leading bit adds one to the exponent's field.
    uint64_t field = std::max(exponent - minExponent, 0);
    return sign | (kept + (field << mantissa));
  }
};
} // namespace

template <typename T, typename Round>
static void fillFloats(HostTensor &tensor, double low, double high,
                       uint64_t seed, Round round) {
  T *data = reinterpret_cast<T *>(tensor.getData());
  double span = high - low;
  bool wide = !std::isfinite(span);
  for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i) {
    double unit = static_cast<double>(randomBits(seed, i) >> 11) * 0x1p-53;
    double value = wide ? low * (1 - unit) + high * unit : low + unit * span;
    // Both bounds are elements, so rounding cannot leave the range again.
    data[i] = round(std::min(std::max(value, low), high));
  }
}

template <typename T>
static void fillIntegers(HostTensor &tensor, uint64_t low, uint64_t span,
                         uint64_t seed) {
  T *data = reinterpret_cast<T *>(tensor.getData());
  for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i) {
    uint64_t bits = randomBits(seed, i);
    if (span) // else all of 2^64
      bits = static_cast<unsigned __int128>(bits) * span >> 64;
    data[i] = static_cast<T>(low + bits);
  }
}

static Error fillFloats(HostTensor &tensor, uint64_t low, uint64_t high,
                        uint64_t seed) {
  ElementType type = tensor.getType();
  double from = toDouble(low, type), to = toDouble(high, type);
  if (!std::isfinite(from) || !std::isfinite(to))
    return createStringError("the bounds of random values must be finite");
  if (from > to)
    return createStringError(
        "the low bound of random values is above the high");
  SmallFloat small(type);
  switch (type) {
  case ElementType::F64:
    fillFloats<double>(tensor, from, to, seed, [](double v) { return v; });
    break;
  case ElementType::F32:
    fillFloats<float>(tensor, from, to, seed,
                      [](double v) { return static_cast<float>(v); });
    break;
  case ElementType::F16:
  case ElementType::BF16:
    fillFloats<uint16_t>(tensor, from, to, seed,
                         [=](double v) { return small.round(v); });
    break;
  default:
    fillFloats<uint8_t>(tensor, from, to, seed,
                        [=](double v) { return small.round(v); });
    break;
  }
  return Error::success();
}

Error fillRandom(HostTensor &tensor, StringRef low, StringRef high,
                 uint64_t seed) {
  ElementType type = tensor.getType();
  if (low.empty() && high.empty()) {
    low = "0";
    high = isFloat(type) || type == ElementType::I1 ? "1" : "100";
  }
  auto from = parseElement(low, type);
  if (!from)
    return from.takeError();
  auto to = parseElement(high, type);
  if (!to)
    return to.takeError();
  if (isFloat(type))
    return fillFloats(tensor, *from, *to, seed);

  unsigned width = 8 * getByteWidth(type);
  if (isSigned(type) ? SignExtend64(*from, width) > SignExtend64(*to, width)
                     : *from > *to)
    return createStringError(
        "the low bound of random values is above the high");
  uint64_t first = isSigned(type) ? SignExtend64(*from, width) : *from;
  uint64_t last = isSigned(type) ? SignExtend64(*to, width) : *to;
  uint64_t span = last - first + 1;
  switch (getByteWidth(type)) {
  case 1:
    fillIntegers<uint8_t>(tensor, first, span, seed);
    break;
  case 2:
    fillIntegers<uint16_t>(tensor, first, span, seed);
    break;
  case 4:
    fillIntegers<uint32_t>(tensor, first, span, seed);
    break;
  default:
    fillIntegers<uint64_t>(tensor, first, span, seed);
    break;
  }
  return Error::success();
}

} // namespace ew::runtime
