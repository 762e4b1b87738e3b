//===- Space.h - Which schedules there are to try ---------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TUNING_SPACE_H
#define EW_TUNING_SPACE_H

#include "ew/Codegen/Schedule/Choice.h"
#include "llvm/ADT/SmallVector.h"

namespace ew::tuning {

/// The schedules of one kernel: powers of two in each number, as far as they
/// make sense for its types.
struct Space {
  bool gpu = true;
  unsigned widest = 4;  // bytes of the widest operand's elements
  int64_t elements = 0; // of the iteration space
  ScheduleChoice model; // all numbers given
  /// Of a CPU: tasks are tiles, and others of that size are the only ones that
  /// are, too.
  bool tiled = false;

  bool contains(const ScheduleChoice &choice) const;
  /// How far apart two are: halvings and doublings, over all numbers.
  static unsigned distance(const ScheduleChoice &a, const ScheduleChoice &b);
  /// All within `radius` of one, the near ones first, those among them that
  /// leave the most of it alone before others; itself is not among them.
  llvm::SmallVector<ScheduleChoice> around(const ScheduleChoice &center,
                                           unsigned radius) const;
};

} // namespace ew::tuning

#endif // EW_TUNING_SPACE_H
