//===- Campaign.h - Many programs, in several processes ---------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_DIFFERENTIAL_CAMPAIGN_H
#define EW_TEST_DIFFERENTIAL_CAMPAIGN_H

#include "Execute.h"
#include "Generate.h"
#include <array>

namespace ew::fuzz {

/// Processes at once.
inline constexpr unsigned maxJobs = 256;

struct CampaignOptions {
  uint64_t seed = 1, first = 0, programs = 1000;
  unsigned jobs = 1;
  unsigned timeLimit = 0;        // seconds for all; 0: none
  unsigned programTimeout = 120; // seconds
  unsigned maxFailures = 10;     // then it ends
  unsigned candidates = 400;     // of a reduction; 0: none
  std::string keep;              // folder for what fails
  GenerateOptions generate;
  ExecuteOptions execute;
};

struct Report {
  uint64_t programs = 0, ops = 0, failures = 0;
  /// Why not all programs were run.
  bool outOfTime = false, interrupted = false;
  bool noDevice = false; // one could not be opened, and nothing was run there
  double seconds = 0;
  Counts counts;
  /// Ops by the kind of their node, and ops that compute on complex numbers.
  std::array<uint64_t, Node::kNumKinds> kinds = {};
  uint64_t complexOps = 0;
  /// How often an op was run on a type in a mode: by op, type, mode.
  std::vector<std::vector<std::array<uint32_t, 3>>> coverage;
};

/// Runs the programs in worker processes, which a crash ends without harm; what
/// fails is reduced and written to `keep`. Progress goes to standard error.
Report runCampaign(const OpTable &table, mlir::MLIRContext *context,
                   const CampaignOptions &options);

/// Writes a failing program and its inputs, and returns the command that shows
/// the failure. `name` is that of the files, without an ending.
llvm::Expected<std::string>
writeProgram(const Program &program, const OpTable &table,
             mlir::MLIRContext *context, const CampaignOptions &options,
             const Failure &failure, llvm::StringRef name);

} // namespace ew::fuzz

#endif // EW_TEST_DIFFERENTIAL_CAMPAIGN_H
