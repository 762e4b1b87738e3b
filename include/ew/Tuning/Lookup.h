//===- Lookup.h - Tuned schedules for a program -----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TUNING_LOOKUP_H
#define EW_TUNING_LOOKUP_H

#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/Device.h"
#include "ew/Runtime/Tensor.h"
#include "ew/Tuning/Key.h" // makePlaceholder

namespace ew::tuning {

/// What runtime::Launch::scheduleSource says of a schedule from the database.
inline constexpr llvm::StringLiteral kTunedSource = "tuned (database)";

using Warn = std::function<void(llvm::StringRef)>;

/// The tuned schedules of a plan's launches, in order, for arguments of these
/// shapes and places; an empty choice where the policy's stays. `plan` must
/// have the policy's schedules. A database that cannot be read is told to
/// `warn`, once, and has none.
std::vector<KernelSchedule>
findSchedules(const runtime::Plan &plan,
              llvm::ArrayRef<runtime::Tensor> arguments,
              const runtime::Device &device, llvm::StringRef chip,
              llvm::StringRef database, const Warn &warn);

/// For CompileOptions::findSchedules: the schedules that ew-tune found for
/// calls on arguments like these on this device, from the user's database. One
/// program serves all sizes; so the arguments are those of a call as it will
/// mostly be (makePlaceholder makes them from shapes). The function has copies
/// of what it needs.
std::function<std::vector<KernelSchedule>(const runtime::Plan &)>
makeLookup(const runtime::Device &device, llvm::StringRef chip,
           std::vector<runtime::Tensor> arguments, Warn warn = {});

} // namespace ew::tuning

#endif // EW_TUNING_LOOKUP_H
