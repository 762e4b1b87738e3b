//===- BackOff.cpp - When a kernel's code takes too much ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Schedule/BackOff.h"

#include "ew/Runtime/Device.h"
#include "ew/Target/NVIDIA/Limits.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace ew;

static_assert(runtime::registersPerUnit == nvidia::registersPerSM);

/// Of the narrowest operand, a thread's access keeps this much: 32 of them fill
/// a line of 128 bytes. Less would cost memory's time to save the cache's.
static constexpr unsigned minAccessBytes = 4;

bool ew::isAlone(const Attempt &attempt) {
  return runtime::leavesOneBlock(attempt.registers, attempt.choice.block);
}

/// Room for all threads that a multiprocessor has, where a few registers less
/// would make it.
static std::optional<ScheduleChoice> getFuller(const Attempt &last,
                                               const BackOffLimits &limits) {
  if (!limits.mayFill || last.choice.registers ||
      !runtime::isNearlyFull(last.registers))
    return std::nullopt;
  ScheduleChoice fuller = last.choice;
  fuller.registers = runtime::fullRegisters;
  return fuller;
}

/// Less in flight at once, if there is anything to take away.
static std::optional<ScheduleChoice> getLess(const Attempt &last,
                                             const BackOffLimits &limits) {
  // What was limited here fits without the limit.
  if (limits.fixed || (limits.mayFill && last.choice.registers))
    return std::nullopt;
  ScheduleChoice less = last.choice;
  if (less.unroll > 1) {
    less.unroll /= 2;
    return less;
  }
  // Narrower accesses only for what is worse: more blocks at once would be paid
  // with more instructions for the same bytes.
  if (last.spillBytes && less.elements > 1 &&
      less.elements * limits.narrowest > minAccessBytes) {
    less.elements /= 2;
    return less;
  }
  return std::nullopt;
}

BackOffStep ew::decideBackOff(llvm::ArrayRef<Attempt> attempts,
                              const BackOffLimits &limits) {
  using Kind = BackOffStep::Kind;
  const Attempt &last = attempts.back();
  if (!last.spillBytes && !isAlone(last)) {
    if (auto fuller = getFuller(last, limits))
      return {Kind::Retry, 0, *fuller};
    return {Kind::Keep, attempts.size() - 1, {}};
  }
  if (auto less = getLess(last, limits))
    return {Kind::Retry, 0, *less};
  // Of those that are as good, the first: it was what the policy wanted most.
  auto worse = [](const Attempt &a, const Attempt &b) {
    return std::make_tuple(a.spillBytes, isAlone(a)) <
           std::make_tuple(b.spillBytes, isAlone(b));
  };
  size_t kept = llvm::min_element(attempts, worse) - attempts.begin();
  const Attempt &best = attempts[kept];
  // A byte that is spilled is stored and loaded once or more, in a cache; one
  // that is passed on is stored and loaded once, in memory.
  uint64_t elements = uint64_t(best.choice.elements) * best.choice.unroll;
  if (limits.splitBytes && best.spillBytes > elements * *limits.splitBytes)
    return {Kind::Split, kept, {}};
  return {Kind::Keep, kept, {}};
}
