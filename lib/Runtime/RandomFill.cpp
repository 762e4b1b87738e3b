//===- RandomFill.cpp - Reproducible random tensors -----------------------===//
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

/// Elements from which on it is worth while to wake other threads.
static constexpr int64_t kParallel = 1 << 20;

/// SplitMix64 as a function of the element's index, so that a value depends on
/// neither the platform nor the order.
static uint64_t randomBits(uint64_t seed, uint64_t index) {
  uint64_t z = seed * 0xD1342543DE82EF95 + (index + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// Rounds to odd: inexact values get an odd last bit, so that rounding once
/// more to a narrower type gives what rounding at once would. The value is in
/// range.
static float roundToOdd(double value) {
  float rounded = static_cast<float>(value);
  uint32_t bits = bit_cast<uint32_t>(rounded);
  bits -= std::abs(static_cast<double>(rounded)) > std::abs(value);
  bits |= static_cast<double>(rounded) != value;
  return bit_cast<float>(bits);
}

static uint16_t roundToBF16(double value) {
  uint32_t bits = bit_cast<uint32_t>(roundToOdd(value));
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

namespace {
/// Rounds doubles to f16 or a type of 8 bits, to nearest and ties to even, many
/// times faster than APFloat. The value must not round to more than the type's
/// largest.
struct SmallFloat {
  int mantissa;
  uint32_t minNormal; // its bits in f32
  int signShift;

  explicit SmallFloat(ElementType type)
      : mantissa(APFloat::semanticsPrecision(getSemantics(type)) - 1),
        minNormal(static_cast<uint32_t>(
                      127 + APFloat::semanticsMinExponent(getSemantics(type)))
                  << 23),
        signShift(8 * getByteWidth(type) - 1) {}

  uint16_t round(double value) const {
    uint32_t bits = bit_cast<uint32_t>(roundToOdd(value));
    uint32_t magnitude = bits & 0x7FFFFFFF;
    uint32_t exponent = std::max(magnitude & 0x7F800000, minNormal);
    // The sum's last bit has the weight of the narrow type's, and addition
    // rounds to nearest even. The leading bit adds one to the exponent's field.
    uint32_t power = exponent + ((23u - mantissa) << 23);
    float sum = bit_cast<float>(magnitude) + bit_cast<float>(power);
    uint32_t kept = bit_cast<uint32_t>(sum) - power;
    return bits >> 31 << signShift |
           (kept + ((exponent - minNormal) >> (23 - mantissa)));
  }
};
} // namespace

template <typename T, typename Round>
static void fillFloats(HostTensor &tensor, double low, double high,
                       uint64_t seed, Round round) {
  T *data = reinterpret_cast<T *>(tensor.getData());
  double span = high - low;
  bool wide = !std::isfinite(span);
  int64_t n = tensor.getNumElements() * getNumParts(tensor.getType());
#pragma omp parallel for schedule(static) if (n > kParallel)
  for (int64_t i = 0; i < n; ++i) {
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
  int64_t n = tensor.getNumElements();
#pragma omp parallel for schedule(static) if (n > kParallel)
  for (int64_t i = 0; i < n; ++i) {
    uint64_t bits = randomBits(seed, i);
    if (span) // else all of 2^64
      bits = static_cast<unsigned __int128>(bits) * span >> 64;
    data[i] = static_cast<T>(low + bits);
  }
}

static Error fillFloats(HostTensor &tensor, uint64_t low, uint64_t high,
                        uint64_t seed) {
  ElementType type = getPartType(tensor.getType());
  double from = toDouble(low, type), to = toDouble(high, type);
  if (!std::isfinite(from) || !std::isfinite(to))
    return createStringError("the bounds of random values must be finite");
  if (from > to)
    return createStringError(
        "the low bound of random values is above the high");
  switch (type) {
  case ElementType::F64:
    fillFloats<double>(tensor, from, to, seed, [](double v) { return v; });
    break;
  case ElementType::F32:
    fillFloats<float>(tensor, from, to, seed,
                      [](double v) { return static_cast<float>(v); });
    break;
  case ElementType::BF16:
    fillFloats<uint16_t>(tensor, from, to, seed, roundToBF16);
    break;
  case ElementType::F16:
    fillFloats<uint16_t>(
        tensor, from, to, seed,
        [small = SmallFloat(type)](double v) { return small.round(v); });
    break;
  default:
    fillFloats<uint8_t>(
        tensor, from, to, seed,
        [small = SmallFloat(type)](double v) { return small.round(v); });
    break;
  }
  return Error::success();
}

Error fillRandom(HostTensor &tensor, StringRef low, StringRef high,
                 uint64_t seed) {
  ElementType type = getPartType(tensor.getType());
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
