//===- Choice.h - What is chosen of a schedule by hand ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_SCHEDULE_CHOICE_H
#define EW_CODEGEN_SCHEDULE_CHOICE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ew {

/// Numbers of schedules that are given in place of the policy's; 0 leaves one
/// to the policy. They change no result. Kernels that go through a tile in
/// shared memory take `tile` and, with it, `block`; their threads share the
/// tile's elements. All others take the rest.
struct ScheduleChoice {
  unsigned block = 0;    // threads per block of a GPU; nothing on a CPU
  unsigned elements = 0; // of one access of a thread, of a vector on a CPU
  unsigned unroll = 0;   // accesses per operand; on a CPU, vectors of a task
  /// The most registers a thread of a GPU may have in versions of wide
  /// accesses; where they do not do, it spills.
  unsigned registers = 0;
  unsigned tile = 0; // elements of a tile's side
  /// 1: no versions for few elements on a GPU; those of many take any number.
  unsigned many = 0;

  /// "block=128,elements=8,unroll=2,tile=32", in any order, each at most once.
  static llvm::Expected<ScheduleChoice> parse(llvm::StringRef text);
  /// As parse() reads it; empty where everything is left to the policy.
  std::string str() const;
  /// What is wrong with the numbers.
  llvm::Error verify() const;
  /// The same for a GPU, whose threads take fewer accesses than a CPU's tasks.
  llvm::Error verifyForGPU() const;

  bool empty() const {
    return !block && !elements && !unroll && !registers && !tile && !many;
  }
  bool operator==(const ScheduleChoice &other) const {
    return block == other.block && elements == other.elements &&
           unroll == other.unroll && registers == other.registers &&
           tile == other.tile && many == other.many;
  }
  bool operator!=(const ScheduleChoice &other) const {
    return !(*this == other);
  }
};

/// On a linalg.generic: the choice for this kernel, in place of ew-schedule's
/// own option. A string, as ScheduleChoice::parse reads it.
inline constexpr llvm::StringLiteral scheduleChoiceAttrName =
    "ew.schedule_choice";

/// Beside it: where it comes from, for messages ("database '/home/...'").
inline constexpr llvm::StringLiteral scheduleOriginAttrName =
    "ew.schedule_origin";

} // namespace ew

#endif // EW_CODEGEN_SCHEDULE_CHOICE_H
