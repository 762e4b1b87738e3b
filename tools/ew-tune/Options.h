//===- Options.h - Command line of ew-tune ----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_EW_TUNE_OPTIONS_H
#define EW_TOOLS_EW_TUNE_OPTIONS_H

#include "common/Devices.h"
#include "common/ExitCode.h"
#include "ew/Pipelines/Pipelines.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ew::tune {

using tools::kFailure;
using tools::kSuccess;
using tools::kUnavailable;
using tools::kUsage;
using tools::kWrong;

struct Options {
  std::string file;
  std::string function;
  std::vector<std::string> inputs;
  std::string device = "auto";
  Mode mode = Mode::Default;
  std::string chip;
  std::string database;       // of the default place, if nothing was given
  bool databaseNamed = false; // by --database or EW_TUNE_DB
  double budget = 30;         // seconds
  int64_t checkLimit = 4096;
  uint64_t seed = 0;
  bool json = false, verbose = false;
  bool list = false, forget = false, all = false;

  tools::DeviceName on; // what `device` says
};

/// Parses the command line. Ends the process after --help and --version, and
/// with kUsage after a mistake, as LLVM's tools do.
Options parseOptions(int argc, char **argv);

} // namespace ew::tune

#endif // EW_TOOLS_EW_TUNE_OPTIONS_H
