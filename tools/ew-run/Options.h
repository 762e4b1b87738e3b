//===- Options.h - Command line of ew-run -----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_EW_RUN_OPTIONS_H
#define EW_TOOLS_EW_RUN_OPTIONS_H

#include "common/Devices.h"
#include "common/ExitCode.h"
#include "ew/Pipelines/Pipelines.h"
#include "ew/Runtime/Plan.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ew::run {

using tools::DeviceName;
using tools::kFailure;
using tools::kInterrupted;
using tools::kSuccess;
using tools::kUnavailable;
using tools::kUsage;
using tools::kWrong;

enum class Emit { Nothing, Linalg, GPU, LLVM, PTX, Cubin };

struct Options {
  std::string file;
  std::string function;
  std::vector<std::string> inputs, outputs, expected;
  std::string device = "auto";
  Mode mode = Mode::Default;
  /// f32 functions from libdevice.
  bool libraryFunctions = false;
  bool dependentLaunch = true;
  unsigned timeSets = 0; // 0: as many as defeat the caches
  std::string chip;
  ScheduleChoice schedule;
  /// Whether schedules that ew-tune found are used.
  bool tuned = true;
  /// Whether kernels that take too many registers are compiled again.
  bool backOff = true;
  Emit emit = Emit::Nothing;
  std::string emitTo = "-";
  std::string dumpDir;
  bool check = false;
  int64_t checkLimit = 1 << 16;
  uint64_t tolerance = 0; // representable values, for --expected_output
  uint64_t seed = 0;
  bool time = false;
  unsigned repetitions = 0; // 0: as many as the timing needs
  bool explain = false;
  std::string product; // for --explain; empty: the device's
  bool json = false;
  /// A file of command lines, or "-". Then all else is as it was.
  std::string batch;

  tools::DeviceName on; // what `device` says
};

/// The parts of a schedule that a CPU has no use for.
ScheduleChoice getGPUParts(ScheduleChoice choice);

/// Options that change something on GPUs alone, as they were given:
/// "--library-functions"; but for chips and schedules.
std::vector<std::string> getGPUOptions(const Options &options);

/// Parses a command line; nothing after a mistake, which has been reported.
/// Ends the process after --help and --version, as LLVM's tools do.
std::optional<Options> parseOptions(int argc, const char *const *argv);

} // namespace ew::run

#endif // EW_TOOLS_EW_RUN_OPTIONS_H
