//===- Truth.h - The functions in f64 ---------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled for CPUs with AVX2: includes nothing whose inline functions other
// files may share.
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_ACCURACY_TRUTH_H
#define EW_TOOLS_ACCURACY_TRUTH_H

#include <cstdint>

namespace ew::accuracy {

/// `count` results, a multiple of 4 and at most kBlock.
using Truth = void (*)(const double *x, const double *y, double *result,
                       int64_t count);
inline constexpr int64_t kBlock = 512;

/// What two operands are: a base and an exponent, or sides of a triangle.
enum class PairsOf { Power, Sides };

struct Function {
  /// Of the row in reports.
  const char *name;
  /// How the op is written: "gelu %x approximate(tanh)".
  const char *text;
  unsigned arity;
  Truth truth;
  /// Ordinary operands, for timing.
  double low, high;
  PairsOf pairs = PairsOf::Power;
};

/// All functions, one with a null name behind the last.
extern const Function kFunctions[];

} // namespace ew::accuracy

#endif // EW_TOOLS_ACCURACY_TRUTH_H
