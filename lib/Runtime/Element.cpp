//===- Element.cpp - Single elements as bits and as text ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Element.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace llvm;

namespace ew::runtime {

const fltSemantics &getSemantics(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3FN:
    return APFloat::Float8E4M3FN();
  case ElementType::F8E5M2:
    return APFloat::Float8E5M2();
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::BF16:
    return APFloat::BFloat();
  case ElementType::F32:
    return APFloat::IEEEsingle();
  case ElementType::F64:
    return APFloat::IEEEdouble();
  default:
    llvm_unreachable("not a floating-point type");
  }
}

uint64_t loadElement(const void *from, ElementType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, getByteWidth(type)); // little-endian
  return bits;
}

void storeElement(void *to, ElementType type, uint64_t bits) {
  std::memcpy(to, &bits, getByteWidth(type));
}

static unsigned bitWidth(ElementType type) { return 8 * getByteWidth(type); }

static uint64_t maskOf(ElementType type) {
  return maskTrailingOnes<uint64_t>(bitWidth(type));
}

static APFloat toAPFloat(uint64_t bits, ElementType type) {
  return APFloat(getSemantics(type), APInt(bitWidth(type), bits));
}

static uint64_t bitsOf(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

static std::string quoted(StringRef text) {
  std::string shown;
  for (char c : text.take_front(40))
    shown += isPrint(c) ? c : '?';
  return "'" + shown + (text.size() > 40 ? "...'" : "'");
}

/// Whether `text` is digits, at least one, with at most one point among them.
static bool isDigitsWithPoint(StringRef text, bool (*isDigitChar)(char)) {
  bool digits = false, point = false;
  for (char c : text) {
    if (c == '.' && !point)
      point = true;
    else if (isDigitChar(c))
      digits = true;
    else
      return false;
  }
  return digits;
}

static bool isExponent(StringRef text) {
  if (!text.consume_front("-"))
    text.consume_front("+");
  return !text.empty() && all_of(text, [](char c) { return isDigit(c); });
}

/// APFloat's own parser trusts its input in places, so the syntax is checked
/// first: [digits][.digits][e[+-]digits], or hexadecimal with a binary
/// exponent.
static bool isNumber(StringRef text) {
  bool hex = text.consume_front_insensitive("0x");
  size_t at = text.find_first_of(hex ? "pP" : "eE");
  if (hex && at == StringRef::npos)
    return false;
  if (at != StringRef::npos && !isExponent(text.drop_front(at + 1)))
    return false;
  return isDigitsWithPoint(
      text.take_front(at), hex ? [](char c) { return isHexDigit(c); }
                               : [](char c) { return isDigit(c); });
}

static Error outOfRange(StringRef text, ElementType type) {
  std::string range;
  if (isFloat(type)) {
    APFloat largest = APFloat::getLargest(getSemantics(type));
    range = "whose largest value is " + formatElement(bitsOf(largest), type);
  } else if (type == ElementType::I1) {
    range = "which takes 0, 1, true and false";
  } else {
    unsigned width = bitWidth(type);
    APInt low = isSigned(type) ? APInt::getSignedMinValue(width)
                               : APInt::getMinValue(width);
    APInt high = isSigned(type) ? APInt::getSignedMaxValue(width)
                                : APInt::getMaxValue(width);
    range = "which goes from " + toString(low, 10, isSigned(type)) + " to " +
            toString(high, 10, isSigned(type));
  }
  return createStringError(quoted(text) + " is out of range of " +
                           getName(type) + ", " + range);
}

static Expected<uint64_t> parseFloat(StringRef text, ElementType type) {
  const fltSemantics &semantics = getSemantics(type);
  StringRef magnitude = text;
  bool negative = magnitude.consume_front("-");
  if (!negative)
    magnitude.consume_front("+");
  if (magnitude.equals_insensitive("nan"))
    return bitsOf(APFloat::getQNaN(semantics, negative));
  if (magnitude.equals_insensitive("inf") ||
      magnitude.equals_insensitive("infinity")) {
    if (!APFloat::semanticsHasInf(semantics))
      return createStringError(Twine(getName(type)) + " has no infinity");
    return bitsOf(APFloat::getInf(semantics, negative));
  }
  if (!isNumber(magnitude))
    return createStringError("not a number: " + quoted(text));
  APFloat value(semantics);
  auto status =
      value.convertFromString(magnitude, APFloat::rmNearestTiesToEven);
  if (!status)
    return status.takeError();
  if (!value.isFinite())
    return outOfRange(text, type);
  if (negative)
    value.changeSign();
  return bitsOf(value);
}

Expected<uint64_t> parseElement(StringRef text, ElementType type) {
  StringRef hex = text;
  if (hex.consume_front_insensitive("0x") && !hex.empty() &&
      all_of(hex, [](char c) { return isHexDigit(c); })) {
    hex = hex.ltrim('0');
    uint64_t bits = 0;
    if (!hex.empty() && (hex.size() > 16 || hex.getAsInteger(16, bits)))
      return createStringError(quoted(text) + " has more bits than " +
                               getName(type));
    if (bits & ~maskOf(type))
      return createStringError(quoted(text) + " has more bits than " +
                               getName(type));
    if (type == ElementType::I1 && bits > 1)
      return outOfRange(text, type);
    return bits;
  }
  if (isFloat(type))
    return parseFloat(text, type);
  if (type == ElementType::I1) {
    if (text == "true" || text == "1")
      return 1;
    if (text == "false" || text == "0")
      return 0;
    return outOfRange(text, type);
  }
  StringRef digits = text;
  bool negative = digits.consume_front("-");
  if (!negative)
    digits.consume_front("+");
  if (digits.empty() || !all_of(digits, [](char c) { return isDigit(c); }))
    return createStringError("not an integer: " + quoted(text));
  digits = digits.ltrim('0');
  if (digits.size() > 20)
    return outOfRange(text, type);
  APInt value(80, digits.empty() ? "0" : digits, 10);
  if (negative)
    value.negate();
  unsigned width = bitWidth(type);
  if (isSigned(type) ? !value.isSignedIntN(width)
                     : value.isNegative() || !value.isIntN(width))
    return outOfRange(text, type);
  return value.trunc(width).getZExtValue();
}

Error parseElementTo(StringRef text, ElementType type, void *to) {
  ElementType partType = getPartType(type);
  SmallVector<StringRef, 2> parts = {text};
  if (isComplex(type) && parts[0].consume_front("(")) {
    bool closed = parts[0].consume_back(")");
    StringRef inside = parts[0];
    parts.clear();
    inside.split(parts, ',');
    if (!closed || parts.size() != 2)
      return createStringError("not a complex number: " + quoted(text) +
                               "; one is written (1,-2.5)");
  }
  for (unsigned i = 0; i < getNumParts(type); ++i) {
    uint64_t bits = 0;
    if (i < parts.size()) {
      auto parsed = parseElement(parts[i].trim(), partType);
      if (!parsed)
        return parsed.takeError();
      bits = *parsed;
    }
    storeElement(static_cast<char *>(to) + i * getByteWidth(partType), partType,
                 bits);
  }
  return Error::success();
}

uint64_t roundToElement(double value, ElementType type) {
  if (type == ElementType::F64)
    return bit_cast<uint64_t>(value);
  if (type == ElementType::F32)
    return bit_cast<uint32_t>(static_cast<float>(value));
  if (isFloat(type)) {
    APFloat result(value);
    bool losesInfo;
    result.convert(getSemantics(type), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return bitsOf(result);
  }
  bool exact;
  APSInt integer(128, /*isUnsigned=*/false);
  APFloat(value).convertToInteger(integer, APFloat::rmTowardZero, &exact);
  if (type == ElementType::I1)
    return value != 0;
  return integer.trunc(64).getZExtValue() & maskOf(type);
}

uint64_t convertToElement(int64_t value, ElementType type) {
  if (type == ElementType::I1)
    return value & 1;
  if (!isFloat(type))
    return static_cast<uint64_t>(value) & maskOf(type);
  if (type == ElementType::F64)
    return bit_cast<uint64_t>(static_cast<double>(value));
  if (type == ElementType::F32)
    return bit_cast<uint32_t>(static_cast<float>(value));
  APFloat result(getSemantics(type));
  result.convertFromAPInt(APInt(64, value, /*isSigned=*/true), true,
                          APFloat::rmNearestTiesToEven);
  return bitsOf(result);
}

double toDouble(uint64_t bits, ElementType type) {
  if (type == ElementType::F64)
    return bit_cast<double>(bits);
  if (type == ElementType::F32)
    return bit_cast<float>(static_cast<uint32_t>(bits));
  if (isFloat(type))
    return toAPFloat(bits, type).convertToDouble();
  if (isSigned(type))
    return static_cast<double>(SignExtend64(bits, bitWidth(type)));
  return static_cast<double>(bits);
}

/// The largest pattern, without the sign, that is no NaN: infinity, or the
/// largest number of a type that has none.
static uint64_t largestNumber(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3FN:
    return 0x7E;
  case ElementType::F8E5M2:
    return 0x7C;
  case ElementType::F16:
    return 0x7C00;
  case ElementType::BF16:
    return 0x7F80;
  case ElementType::F32:
    return 0x7F800000;
  case ElementType::F64:
    return 0x7FF0000000000000;
  default:
    llvm_unreachable("not a floating-point type");
  }
}

bool isNaN(uint64_t bits, ElementType type) {
  return isFloat(type) && (bits & maskOf(type) >> 1) > largestNumber(type);
}

uint64_t ulpDistance(uint64_t a, uint64_t b, ElementType type) {
  if (a == b)
    return 0;
  if (!isFloat(type)) {
    if (!isSigned(type))
      return a < b ? b - a : a - b;
    int64_t x = SignExtend64(a, bitWidth(type));
    int64_t y = SignExtend64(b, bitWidth(type));
    return x < y ? static_cast<uint64_t>(y) - static_cast<uint64_t>(x)
                 : static_cast<uint64_t>(x) - static_cast<uint64_t>(y);
  }
  bool nanA = isNaN(a, type), nanB = isNaN(b, type);
  if (nanA || nanB)
    return nanA && nanB ? 0 : UINT64_MAX;
  // Sign and magnitude, so the patterns of one sign are in the values' order.
  uint64_t sign = uint64_t(1) << (bitWidth(type) - 1);
  uint64_t x = a & ~sign, y = b & ~sign;
  if ((a & sign) == (b & sign))
    return x < y ? y - x : x - y;
  return x + y;
}

static std::string formatFloat(uint64_t bits, ElementType type) {
  APFloat value = toAPFloat(bits, type);
  if (value.isNaN())
    return "nan";
  if (value.isInfinity())
    return value.isNegative() ? "-inf" : "inf";
  double number = toDouble(bits, type);
  std::string text;
  if (std::abs(number) < 1e7 && number == std::trunc(number)) {
    raw_string_ostream(text) << format("%.0f", number);
    return text;
  }
  // Exactly, where that is short: 3.75 of an 8-bit type, not 3.8.
  for (int digits = 1; digits <= 6; ++digits) {
    text.clear();
    raw_string_ostream(text) << format("%.*g", digits, number);
    double back;
    if (!StringRef(text).getAsDouble(back) && back == number)
      return text;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    text.clear();
    raw_string_ostream(text) << format("%.*g", digits, number);
    APFloat back(getSemantics(type));
    cantFail(back.convertFromString(text, APFloat::rmNearestTiesToEven));
    if (bitsOf(back) == bits)
      break;
  }
  return text;
}

std::string formatElement(uint64_t bits, ElementType type) {
  if (type == ElementType::I1)
    return bits ? "true" : "false";
  if (isFloat(type))
    return formatFloat(bits, type);
  return toString(APInt(bitWidth(type), bits), 10, isSigned(type));
}

std::string formatElementAt(const void *from, ElementType type) {
  ElementType part = getPartType(type);
  std::string text = formatElement(loadElement(from, part), part);
  if (!isComplex(type))
    return text;
  const char *second = static_cast<const char *>(from) + getByteWidth(part);
  return "(" + text + "," + formatElement(loadElement(second, part), part) +
         ")";
}

} // namespace ew::runtime
