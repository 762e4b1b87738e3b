//===- Options.h - Command line of ew-tune -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_EW_TUNE_OPTIONS_H
#define EW_TOOLS_EW_TUNE_OPTIONS_H

#include "ew/Pipelines/Pipelines.h"
#include "ew/Runtime/Plan.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ew::tune {

/// As ew-run's.
enum ExitCode {
  kSuccess = 0,
  kFailure = 1,     // the program, an input or the database is at fault
  kUsage = 2,       // the command line is
  kWrong = 3,       // the policy's schedule gives wrong results
  kUnavailable = 4, // no such device, or not enough memory
};

struct Options {
  std::string file;
  std::string function;
  std::vector<std::string> inputs;
  std::string device = "auto";
  Mode mode = Mode::Default;
  std::string chip;
  std::string database; // of the default place, if nothing was given
  double budget = 30;   // seconds
  int64_t checkLimit = 4096;
  uint64_t seed = 0;
  bool json = false, verbose = false;
  bool list = false, forget = false, all = false;

  /// What `device` says, where it isn't "auto".
  std::optional<runtime::Target> target;
  unsigned ordinal = 0; // of a GPU
};

/// Parses the command line. Ends the process after --help and --version, and with
/// kUsage after a mistake, as LLVM's tools do.
Options parseOptions(int argc, char **argv);

} // namespace ew::tune

#endif // EW_TOOLS_EW_TUNE_OPTIONS_H
