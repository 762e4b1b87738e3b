//===- Checklist.h - What limits a kernel, and what to try ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/Explain.md says what each figure means and how it is reckoned.
//
//===----------------------------------------------------------------------===//

#ifndef EW_ANALYSIS_CHECKLIST_H
#define EW_ANALYSIS_CHECKLIST_H

#include "ew/Analysis/Coalescing.h"
#include "ew/Analysis/Occupancy.h"
#include "ew/Analysis/PTX.h"
#include "ew/Runtime/PlanRunner.h"
#include "ew/Target/NVIDIA/Limits.h"

#include <optional>
#include <string>
#include <vector>

namespace ew::analysis {

/// The machine that a kernel is judged for.
struct Machine {
  const nvidia::Chip *chip = nullptr; // null: a CPU
  std::string name;                   // "H200"
  std::string source;                 // of the numbers
  bool standsForChip = false;         // nobody said which product it is
  unsigned multiprocessors = 0;       // of a CPU: threads
  double clockHz = 0;                 // 0: not known, as the others
  double bytesPerSecond = 0;          // of memory
  uint64_t cacheBytes = 0;            // before the memory
  unsigned latencyClocks = 0;         // of memory
};

/// What is known of a launch, from wherever it is known.
struct KernelFacts {
  const runtime::Plan *plan = nullptr;
  const runtime::LaunchInfo *info = nullptr;
  Machine machine;
  std::optional<KernelCode> code;
  std::optional<Resources> resources;
  /// Why one of them is missing.
  std::string whyNoCode, whyNoResources;
  /// As the driver says; else it is reckoned from the resources.
  std::optional<unsigned> residentBlocks;
  /// Measured, in seconds; where the function has one kernel only.
  std::optional<double> measured;
  /// Of a copy of the same traffic in the same run.
  std::optional<double> fractionOfCopy;
  std::string file, mode; // of the command line, for advice
};

struct OperandReport {
  std::string name; // "argument 0", "result 0", "constant", "temporary"
  bool write = false, inPlace = false, scalar = false;
  std::string type; // "bf16"
  /// As it lies in this call: "dense", "row", ..., and in a version that has
  /// strides, those of the loops, in elements.
  std::string access;
  llvm::ArrayRef<int64_t> strides;
  /// Of the accesses on the way that full threads take.
  unsigned accessBytes = 0, accessesPerThread = 0;
  std::optional<WarpAccess> warp;
  uint64_t footprint = 0; // bytes of its sectors; 0 where it is counted before
};

/// How long parts of the machine are busy at the least, in seconds.
struct TimeLimits {
  double memory = 0;
  struct Part {
    llvm::StringRef name; // "issue", "f32", "special", ...
    double seconds = 0;
  };
  std::vector<Part> parts; // longest first
  double arithmetic() const { return parts.empty() ? 0 : parts[0].seconds; }
  double longest() const { return std::max(memory, arithmetic()); }
};

enum class Status { Ok, Look, Unknown };
llvm::StringRef getName(Status status);

struct Check {
  llvm::StringRef name; // "accesses", "limit", ...
  Status status = Status::Unknown;
  std::string says;
};

struct KernelReport {
  std::vector<OperandReport> operands;
  int64_t elements = 0;
  /// Accesses of a thread to each operand, of the version that ran: one for
  /// fewer elements has fewer than the schedule says. On a CPU, vectors of a
  /// task.
  unsigned unroll = 1;
  /// For each element; nothing without code.
  std::optional<InstructionMix> instructions;
  std::optional<TimeLimits> limits;
  std::optional<Occupancy> occupancy;
  std::optional<uint64_t> bytesInFlight, bytesNeeded; // per multiprocessor
  std::optional<Waves> waves;
  std::vector<Check> checks;
  std::vector<std::string> advice;
};

/// Everything that --explain says of a launch; what is not known is missing.
KernelReport makeReport(const KernelFacts &facts);

/// The steps of makeReport.
std::vector<OperandReport> describeOperands(const KernelFacts &facts);
TimeLimits getTimeLimits(const Machine &machine,
                         const InstructionMix &perElement, int64_t elements,
                         uint64_t memoryBytes, double accessSlots);
void addChecks(const KernelFacts &facts, KernelReport &report);
void addAdvice(const KernelFacts &facts, KernelReport &report);

} // namespace ew::analysis

#endif // EW_ANALYSIS_CHECKLIST_H
