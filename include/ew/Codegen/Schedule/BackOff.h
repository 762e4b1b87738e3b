//===- BackOff.h - When a kernel's code takes too much ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is decided before anybody knows how many registers its code takes.
// The assembler knows; what then follows from that is decided here, and nowhere
// else. Nothing here knows what a kernel is.
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_SCHEDULE_BACKOFF_H
#define EW_CODEGEN_SCHEDULE_BACKOFF_H

#include "ew/Codegen/Schedule/Choice.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace ew {

/// A schedule of a kernel, all numbers given, and what the assembler made of
/// it.
struct Attempt {
  ScheduleChoice choice;
  unsigned registers = 0;  // of a thread
  unsigned spillBytes = 0; // of a thread, that are not the program's own arrays
};

/// Whether registers leave a multiprocessor no more than one block of these at
/// a time.
bool isAlone(const Attempt &attempt);

/// What is known of the kernel.
struct BackOffLimits {
  /// The schedule has no numbers to lower: a tile.
  bool fixed = false;
  /// Bytes of the narrowest element that each iteration has: see BackOff.cpp.
  unsigned narrowest = 4;
  /// Bytes that two kernels in its place would pass from one to the other, for
  /// each element; nothing where it cannot be split.
  std::optional<uint64_t> splitBytes;
  /// Whether registers may be limited to runtime::fullRegisters, where that is
  /// a few less than they are and nothing is spilled for it.
  bool mayFill = false;
};

struct BackOffStep {
  enum class Kind {
    Keep,  // attempts[kept] it is
    Retry, // with `choice`
    Split, // two kernels in its place
  };
  Kind kind = Kind::Keep;
  size_t kept = 0;
  ScheduleChoice choice;
};

/// What to do after these attempts, of which the last one was made just now.
/// Every Retry asks for less than the one before, so that there is an end.
BackOffStep decideBackOff(llvm::ArrayRef<Attempt> attempts,
                          const BackOffLimits &limits);

} // namespace ew

#endif // EW_CODEGEN_SCHEDULE_BACKOFF_H
