//===- Judge.h - Errors in units in the last place --------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The measure of docs/Accuracy.md. Compiled for CPUs with AVX2, as Truth.h.
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_ACCURACY_JUDGE_H
#define EW_TOOLS_ACCURACY_JUDGE_H

#include <cstdint>

namespace ew::accuracy {

enum class Element { F32, F16, BF16 };

inline unsigned bytesOf(Element type) { return type == Element::F32 ? 4 : 2; }

/// How errors are measured.
struct Measure {
  /// In units of 2^(1 - precision) of the true value, where that is normal: as
  /// the bounds of fast mode are. Else in units in its last place.
  bool relative = false;
  /// An error up to this does not count, nor does the sign of such a result.
  double absolute = 0;
};

/// What judging found. Indices count inputs.
struct Tally {
  double maxUlp = -1;
  uint64_t worst = 0;
  double worstGot = 0, worstTruth = 0;
  /// A NaN or an infinity, a zero or a sign where it should not be, or none
  /// where it should.
  uint64_t wrong = 0, firstWrong = ~0ull;
  /// Zeros in place of numbers.
  uint64_t flushed = 0;
  uint64_t hash = 0;

  /// What follows in order.
  void add(const Tally &later);
};

/// The bits of the type as numbers.
void toDouble(Element type, const void *bits, double *result, int64_t count);

/// The distance of `got` to `truth`. Sets `wrong` where no number says it.
double distance(Element type, double got, double truth, bool &wrong,
                const Measure &measure = {});

/// Judges results whose first is that of input `first`. An error is only looked
/// for above `tally.maxUlp`.
void judge(Element type, const void *got, const double *truth, uint64_t first,
           int64_t count, const Measure &measure, Tally &tally);

/// Adds a number for each input and its result, so that no order matters: the
/// sum modulo 2^64 of mix(2^32 index + bits), with one NaN for all.
void addHash(Element type, const void *got, uint64_t first, int64_t count,
             Tally &tally);

} // namespace ew::accuracy

#endif // EW_TOOLS_ACCURACY_JUDGE_H
