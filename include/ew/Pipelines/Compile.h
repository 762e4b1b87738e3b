//===- Compile.h - From a module to a program that runs ---------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_PIPELINES_COMPILE_H
#define EW_PIPELINES_COMPILE_H

#include "ew/Codegen/Schedule/Choice.h"
#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Runtime/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace ew {

/// Which versions of its kernels a program has (a kernel has one for each kind
/// of buffers: see docs/Pipeline.md).
enum class Versions {
  All,      // every one, each a module that is loaded when it is first needed
  OnNeed,   // none: the program's source compiles them as calls need them
  Together, // every one, in one module
};

/// The schedule of one kernel, and what runtime::Launch::scheduleSource says of
/// it.
struct KernelSchedule {
  ScheduleChoice choice;
  std::string source;
  /// For what is wrong with it: "database '/home/...'".
  std::string origin = {};
};

/// What runtime::Launch::scheduleSource says of an ew.schedule that stands in
/// the program. Only CompileOptions::schedule takes its place.
inline constexpr llvm::StringLiteral scheduleSourceProgram = "program";

struct CompileOptions {
  Mode mode = Mode::Default;
  runtime::Target target = runtime::Target::CPU;
  /// For CUDA (and the kernels that are emulated): "sm_90".
  std::string chip = "sm_80";
  /// Of schedules, what is not left to the policy.
  ScheduleChoice schedule;
  /// Asked once the plan is known, where `schedule` is empty: other choices for
  /// its launches, in order; those that are missing or empty stay as the policy
  /// has them. See ew/Tuning/Lookup.h.
  std::function<std::vector<KernelSchedule>(const runtime::Plan &plan)>
      findSchedules;
  /// Assemble PTX with ptxas, so that nothing is left to the driver.
  bool assemble = false;
  /// Where a kernel's code turns out to spill registers, or to leave room for
  /// one block only, compile it again with less in flight, or as two kernels
  /// (BackOff.h), and say so in a remark. That is known once it is assembled:
  /// with OnNeed where the program's executable loads it, with `assemble` at
  /// once (by each kernel's first version). A schedule from findSchedules stays
  /// as it is.
  bool backOff = true;
  /// What came of kernels when the same program was compiled before
  /// (Plan::backOffs): they are compiled as they were then.
  std::vector<runtime::BackOff> backOffs;
  /// Functions of f32 on a GPU from libdevice in place of our own: to compare
  /// with.
  bool libraryFunctions = false;
  /// Kernels for CUDA begin while those before them in the stream end, where
  /// the chip can. No result depends on it.
  bool dependentLaunch = true;
  /// With OnNeed, the module's context must outlive the program, and the two
  /// belong to one thread at a time.
  Versions versions = Versions::All;
  /// How many threads make machine code of several versions; 0: one for each
  /// core.
  unsigned threads = 0;
  /// LLVM's optimization level for kernels, 0 to 3. No result depends on it.
  int optLevel = 3;
  /// libdevice.10.bc; empty: looked for in the CUDA toolkit.
  std::string libdevice;
  /// Where a pass that fails leaves a reproducer; empty: nowhere.
  std::string reproducer;
  /// Called with each stage's name ("input", "linalg", "kernels", "lowered",
  /// "llvm", "ptx", "cubin") and its text; a text is only made if this is set.
  std::function<void(llvm::StringRef stage, llvm::StringRef name,
                     llvm::StringRef text)>
      onStage;
};

/// Compiles one function of a module (`function`: as for selectFunction). The
/// module stays as it is and may be erased after, but for its context where
/// options.versions is OnNeed. The context must have the dialects of
/// registerAllDialects. What is wrong is reported as diagnostics: no such
/// function, an op that a plan cannot hold, an unknown chip, a schedule that
/// contradicts its kernel.
llvm::FailureOr<runtime::Program> compile(mlir::ModuleOp module,
                                          llvm::StringRef function,
                                          const CompileOptions &options);

/// Says of a function's tensor arguments in which order their dimensions lie in
/// memory, outermost first; nothing for row-major. Arguments of another rank,
/// and those that are written in place, stay as they are.
void setArgumentLayouts(
    mlir::func::FuncOp function,
    llvm::ArrayRef<std::optional<std::vector<int64_t>>> layouts);

/// The function of that name, or, without one, the module's only public
/// function. None, several, or one without a body: an error that names those
/// that there are. `option` is what chooses one where there is a command line.
llvm::FailureOr<mlir::func::FuncOp> selectFunction(mlir::ModuleOp module,
                                                   llvm::StringRef name,
                                                   llvm::StringRef option = {});

} // namespace ew

#endif // EW_PIPELINES_COMPILE_H
