//===- Session.h - One run of ew-tune ---------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_EW_TUNE_SESSION_H
#define EW_TOOLS_EW_TUNE_SESSION_H

#include "Options.h"
#include "common/Inputs.h"
#include "common/SourceFile.h"
#include "ew/Tuning/Tune.h"

#include "llvm/Support/JSON.h"

namespace ew::tune {

/// What is shown while it goes on, and at the end.
class Reporter : public tuning::TuneListener {
public:
  explicit Reporter(const Options &options);
  void onKernel(const tuning::KernelReport &report) override;
  void onKernelDone(const tuning::KernelReport &report) override;
  llvm::Error onTried(const tuning::Tried &tried) override;
  void onProgress(unsigned done, unsigned known) override;
  /// Takes the progress bar away.
  void clearBar();

  llvm::json::Array takeRows() { return std::move(rows); }

private:
  const Options &options;
  bool bar; // standard error is a terminal
  bool barShown = false;
  double lastBar = 0;
  std::string current; // the kernel
  llvm::json::Array rows;
};

/// Prints the entries of a database.
void printEntries(llvm::ArrayRef<std::pair<tuning::Key, tuning::Entry>> entries,
                  const Options &options);

/// Each step reports its own mistakes on standard error and returns an exit
/// code.
class Session {
public:
  explicit Session(const Options &options)
      : options(options), file("ew-tune", report) {}
  int run();

private:
  int findDatabase();
  int list();
  int openDatabase();
  int parseModule();
  int openDevice();
  int makeArguments();
  int checkPolicy();
  int tune();
  int forget();
  /// Judges the results of a call by the oracle.
  llvm::Expected<std::string> judge(llvm::ArrayRef<runtime::Tensor> results);
  int fail(llvm::Error error) { return file.fail(std::move(error)); }
  int printReport(int code);

  const Options &options;
  llvm::json::Object report;
  std::optional<tuning::Database> database;
  tools::SourceFile file;
  mlir::OwningOpRef<mlir::ModuleOp> inlined;
  tools::Devices devices;
  runtime::Device *device = nullptr;
  CompileOptions compileOptions;
  runtime::Program program; // with the policy's schedules, without code
  std::vector<runtime::HostTensor> inputs;
  std::vector<runtime::Argument> arguments; // the inputs on the device
};

} // namespace ew::tune

#endif // EW_TOOLS_EW_TUNE_SESSION_H
