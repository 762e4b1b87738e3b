//===- Tune.h - Tunes the kernels of a function -----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TUNING_TUNE_H
#define EW_TUNING_TUNE_H

#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/PlanRunner.h"
#include "ew/Tuning/Search.h"

namespace ew::tuning {

/// One kernel of a function, and what its search came to.
struct KernelReport {
  Key key;
  std::string name, location; // as in runtime::Launch
  /// Why there was nothing to search; empty where there was.
  std::string skipped;
  /// The database had the answer.
  bool known = false;
  /// Nothing was timed, since the budget was spent before; the database is as
  /// it was.
  bool unmeasured = false;
  SearchResult result;
  unsigned sets = 0; // of buffers that rotate
  bool defeatsCache = false;
  double seconds = 0; // that the search took
};

struct TuneOptions {
  CompileOptions compile; // its target, mode, chip
  SearchOptions search;   // the budget is for all kernels together
  /// Judges the results of a call of the function: what is wrong with them, or
  /// nothing. Before a schedule is stored, it is asked about that schedule's.
  std::function<llvm::Expected<std::string>(llvm::ArrayRef<runtime::Tensor>)>
      judge;
  double minSampleSeconds = 1e-3;
};

struct TuneListener : SearchListener {
  virtual void onKernel(const KernelReport &report) {} // its search begins
  virtual void onKernelDone(const KernelReport &report) {}
};

/// Searches a schedule for each kernel of a function, for arguments like these,
/// which are not written to. What is found out is in the database as soon as it
/// is known, so that a process that ends in between loses only what it was
/// about.
llvm::Expected<std::vector<KernelReport>>
tuneFunction(mlir::ModuleOp module, llvm::StringRef function,
             const TuneOptions &options, runtime::Device &device,
             llvm::ArrayRef<runtime::Argument> arguments, Database &database,
             TuneListener &listener);

} // namespace ew::tuning

#endif // EW_TUNING_TUNE_H
