//===- Compile.h - From a module to a program that runs -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_PIPELINES_COMPILE_H
#define EW_PIPELINES_COMPILE_H

#include "ew/Pipelines/Pipelines.h"
#include "ew/Runtime/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace ew {

struct CompileOptions {
  Mode mode = Mode::Default;
  runtime::Target target = runtime::Target::CPU;
  /// For CUDA (and the kernels that are emulated): "sm_90".
  std::string chip = "sm_80";
  /// Assemble PTX with ptxas, so that nothing is left to the driver.
  bool assemble = false;
  /// Put all GPU kernels into one module, in place of one for each variant (which
  /// the launcher can load as they are needed).
  bool singleModule = false;
  /// Functions of f32 on a GPU from libdevice in place of our own: to compare with.
  bool libraryFunctions = false;
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

/// Compiles one function of a module, which stays as it is. What is wrong is
/// reported as diagnostics.
llvm::FailureOr<runtime::Program> compile(mlir::ModuleOp module,
                                          llvm::StringRef function,
                                          const CompileOptions &options);

/// The function of that name, or, without one, the module's only public function.
llvm::FailureOr<mlir::func::FuncOp> selectFunction(mlir::ModuleOp module,
                                                   llvm::StringRef name);

} // namespace ew

#endif // EW_PIPELINES_COMPILE_H
