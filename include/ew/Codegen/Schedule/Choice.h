//===- Choice.h - What is chosen of a schedule by hand -*- C++ -*-===//
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

/// Numbers of GPU schedules that are given in place of the policy's; 0 leaves one
/// to the policy. They hold for every kernel that has no shared-memory tile, and
/// change no result.
struct ScheduleChoice {
  unsigned block = 0;    // threads per block
  unsigned elements = 0; // elements of one access of a thread
  unsigned unroll = 0;   // accesses per operand


  /// "block=128,elements=8,unroll=2", in any order, each at most once.
  static llvm::Expected<ScheduleChoice> parse(llvm::StringRef text);
  /// As parse() reads it; empty where everything is left to the policy.
  std::string str() const;
  /// What is wrong with the numbers.
  llvm::Error verify() const;
};

} // namespace ew

#endif // EW_CODEGEN_SCHEDULE_CHOICE_H
