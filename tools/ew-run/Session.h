//===- Session.h - One run of ew-run ----------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_EW_RUN_SESSION_H
#define EW_TOOLS_EW_RUN_SESSION_H

#include "Options.h"
#include "common/Devices.h"
#include "common/Inputs.h"
#include "common/SourceFile.h"
#include "ew/Analysis/Checklist.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/Cache.h"
#include "ew/Runtime/Device.h"
#include "ew/Runtime/HostTensor.h"
#include "ew/Runtime/PlanRunner.h"
#include "ew/Runtime/Timing.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace ew::run {

using tools::Devices;

/// A version for a chip that is not here, and what ptxas says of it.
struct ChipCode {
  runtime::CodeModule module;
  std::optional<analysis::Resources> resources;
  std::string whyNoResources;
};

/// What is known of a run, step by step. Each step reports its own mistakes on
/// standard error and returns an exit code.
class Session {
public:
  Session(const Options &options, Devices &devices)
      : options(options), devices(devices), file("ew-run", report) {}
  int run();

private:
  // In the order of a run.
  int readFile();
  int openDevice();
  int printDevice();
  int parseInputs();
  int obtainProgram();
  int makeInputs();
  int applyTuned();
  int load();
  int settle();
  int execute();
  int compareWithExpected();
  int checkWithOracle();
  int timeFunction();
  int explain();
  analysis::Machine getMachine() const;
  llvm::Error addCode(llvm::MutableArrayRef<analysis::KernelFacts> facts);
  llvm::Error needChipProgram();
  llvm::Expected<const ChipCode *> getChipCode(runtime::VersionId version);
  llvm::Expected<bool> settleOnChip(const runtime::Invocation &call);
  int writeOutputs();

  int emitStage();
  /// Compiles the file's function.
  llvm::Expected<runtime::Program> compileProgram(runtime::Target target,
                                                  Versions versions);
  /// For the device, on need or for --dump-dir in all versions.
  llvm::Expected<runtime::Program> compileProgram();
  /// From the cache, or compiled and stored there.
  int loadProgram(runtime::CacheKey key);
  void useCachedVersions(std::shared_ptr<runtime::VersionSource> compiler);
  int loadTuned();
  void useSettled();
  runtime::CacheKey makeKey() const;
  /// Compiles; with --dump-dir, keeps the stages there.
  llvm::Expected<runtime::Program> compileWith(CompileOptions compileOptions);
  void dumpStage(llvm::StringRef stage, llvm::StringRef name,
                 llvm::StringRef text);
  llvm::Error checkOutputs();
  void warn(const llvm::Twine &what);
  void warnOfSchedule(const runtime::Plan &plan);
  int fail(llvm::Error error) { return file.fail(std::move(error)); }

  const Options &options;
  Devices &devices;
  llvm::json::Object report;
  /// Parsed without a cached program, or for --check.
  tools::SourceFile file;

  runtime::Device *device = nullptr;
  std::string chip;
  tools::InputSpecs given;
  std::vector<KernelSchedule>
      schedules; // of kernels, tuned ones; empty: the policy's
  runtime::Cache cache;
  runtime::CacheKey programKey;
  runtime::Program program; // without code; the executable gets it
  /// What came of kernels that took too many registers, so far.
  std::vector<runtime::BackOff> settled;
  /// The same program for the chip, where the device only stands for it, and
  /// what ptxas makes of its versions, by kernel and schedule.
  std::optional<runtime::Program> chipProgram;
  std::map<std::string, ChipCode> chipCode;
  bool cached = true; // until something is compiled
  std::vector<runtime::HostTensor> inputs, results;
  std::unique_ptr<runtime::Executable> executable;
  std::vector<runtime::Argument> arguments; // the inputs on the device
  std::unique_ptr<runtime::Invocation> invocation;
  std::optional<runtime::ProgramTiming> timed;
  std::string dumpProblem; // the first
};

} // namespace ew::run

#endif // EW_TOOLS_EW_RUN_SESSION_H
