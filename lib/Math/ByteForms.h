//===- ByteForms.h - Integers of one byte, four at once ---------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU has no instructions on bytes: each is taken out of its word, extended,
// and put back, some five instructions for what these forms do in one or two.
// Written over any type of 32-bit words, as the tests take them. `signMask` of
// a word has all bits of a byte set where its highest one is.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_BYTEFORMS_H
#define EW_LIB_MATH_BYTEFORMS_H

#include <cstdint>

namespace ew::math::bytes {

inline constexpr uint32_t kHigh = 0x80808080, kLow = ~kHigh, kOnes = 0x01010101;

/// The highest bits apart, so that nothing is carried from byte to byte.
template <typename T>
T add(T a, T b) {
  return ((a & kLow) + (b & kLow)) ^ ((a ^ b) & kHigh);
}
template <typename T>
T sub(T a, T b) {
  return ((a | kHigh) - (b & kLow)) ^ (~(a ^ b) & kHigh);
}
template <typename T>
T neg(T a) {
  return (kHigh - (a & kLow)) ^ (~a & kHigh);
}

/// The mask of the bytes where a < b.
template <typename T>
T less(T a, T b, bool isSigned) {
  // Has a's highest bit where the rest of a is at least that of b.
  T rest = (a | kHigh) - (b & kLow);
  T differ = a ^ b;
  return signMask((differ & (isSigned ? a : b)) | ~(differ | rest));
}
template <typename T>
T choose(T mask, T a, T b) {
  return (mask & a) | (~mask & b);
}
template <typename T>
T max(T a, T b, bool isSigned) {
  return choose(less(a, b, isSigned), b, a);
}
template <typename T>
T min(T a, T b, bool isSigned) {
  return choose(less(a, b, isSigned), a, b);
}

/// Signed.
template <typename T>
T relu(T a) {
  return a & ~signMask(a);
}
/// Signed: that of the least number wraps.
template <typename T>
T abs(T a) {
  T mask = signMask(a);
  return (a ^ mask) + (mask & kOnes);
}

} // namespace ew::math::bytes

#endif // EW_LIB_MATH_BYTEFORMS_H
