//===- Schedules.h - Schedules as a plan writes them ------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_ANALYSIS_SCHEDULES_H
#define EW_LIB_ANALYSIS_SCHEDULES_H

#include "ew/Runtime/Plan.h"
#include "ew/Runtime/PlanRunner.h"
#include <optional>
#include <string>

namespace ew::analysis {

/// A number of "block=128,elements=4,unroll=1"; 0 where there is none of that
/// name.
unsigned getNumber(llvm::StringRef schedule, llvm::StringRef name);

/// The same schedule with another number of that name.
std::string withNumber(llvm::StringRef schedule, llvm::StringRef name,
                       unsigned number);

/// Whether a kernel that backed off has been compiled with that schedule, or
/// with one that asks for no more and did not stay: then this one would not,
/// either.
bool wasTried(const runtime::BackOff &backOff, llvm::StringRef schedule);

/// Bytes that one access of a thread has at the most.
inline constexpr unsigned widestAccess = 16;

/// Whether a version of a launch has wider accesses than another one, in bytes,
/// to some operand that is accessed several elements at a time. Not whether it
/// has more lanes: those of a thread may be several accesses.
bool isWider(const runtime::Plan &plan, const runtime::Launch &launch,
             const runtime::Variant &variant, const runtime::Variant &than);

/// Whether a version for the host takes its elements one by one: those of dense
/// tensors and of rows are vectors along the innermost loop.
bool gathersOnHost(const runtime::Variant &variant);

/// Of the versions that a launch passed over, the one whose conditions its
/// buffers come nearest to: of views, the first that is for as many dimensions
/// of such, else the first of all.
std::optional<uint32_t> getNearest(const runtime::LaunchInfo &info);

} // namespace ew::analysis

#endif // EW_LIB_ANALYSIS_SCHEDULES_H
