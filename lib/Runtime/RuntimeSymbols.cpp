//===- RuntimeSymbols.cpp - What object code may refer to -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/ObjectLoader.h"

using namespace ew::runtime;

// Once for f64, once for f32.
#define MATH(X, name) X(name) X(name##f)

// clang-format off
#define ALL_SYMBOLS(X)                                                         \
  /* The C library's mathematical functions. */                                \
  MATH(X, acos) MATH(X, acosh) MATH(X, asin) MATH(X, asinh) MATH(X, atan)      \
  MATH(X, atan2) MATH(X, atanh) MATH(X, cbrt) MATH(X, ceil) MATH(X, copysign)  \
  MATH(X, cos) MATH(X, cosh) MATH(X, erf) MATH(X, erfc) MATH(X, exp)           \
  MATH(X, exp10) MATH(X, exp2) MATH(X, expm1) MATH(X, fabs) MATH(X, fdim)      \
  MATH(X, floor) MATH(X, fma) MATH(X, fmax) MATH(X, fmin) MATH(X, fmod)        \
  MATH(X, frexp) MATH(X, hypot) MATH(X, ldexp) MATH(X, lgamma) MATH(X, log)    \
  MATH(X, log10) MATH(X, log1p) MATH(X, log2) MATH(X, logb) MATH(X, modf)      \
  MATH(X, nearbyint) MATH(X, nextafter) MATH(X, pow) MATH(X, remainder)        \
  MATH(X, rint) MATH(X, round) MATH(X, roundeven) MATH(X, scalbn) MATH(X, sin) \
  MATH(X, sincos) MATH(X, sinh) MATH(X, sqrt) MATH(X, tan) MATH(X, tanh)       \
  MATH(X, tgamma) MATH(X, trunc)                                               \
  X(memcmp) X(memcpy) X(memmove) X(memset)                                     \
  /* The compiler's helpers: conversions of f16, integers of 128 bits. */      \
  X(__extendhfsf2) X(__truncsfhf2) X(__truncdfhf2) X(__powisf2) X(__powidf2)   \
  X(__divti3) X(__modti3) X(__udivti3) X(__umodti3) X(__multi3)                \
  X(__fixsfti) X(__fixdfti) X(__fixunssfti) X(__fixunsdfti) X(__floattisf)     \
  X(__floattidf) X(__floatuntisf) X(__floatuntidf)                             \
  /* EW's own. */                                                              \
  X(_ew_emulator_barrier)
// clang-format on

// Names of our own for them: only their addresses matter, not their types, and
// C++ overloads some of the names.
#define DECLARE(name) void ew_symbol_##name() asm(#name);
extern "C" {
ALL_SYMBOLS(DECLARE)
}

llvm::ArrayRef<RuntimeSymbol> ew::runtime::getRuntimeSymbols() {
#define ROW(name) {#name, reinterpret_cast<void *>(&ew_symbol_##name)},
  static const RuntimeSymbol symbols[] = {ALL_SYMBOLS(ROW)};
  return symbols;
}
