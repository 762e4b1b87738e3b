//===- EmitCode.h - Machine code from lowered modules -----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_PIPELINES_EMITCODE_H
#define EW_PIPELINES_EMITCODE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include <string>
#include <vector>

namespace ew {

struct PTXOptions {
  std::string chip = "sm_90";
  /// "+ptx80": the version of the PTX text.
  std::string features = "+ptx80";
  /// libdevice.10.bc; empty: looked for beside CUDA_HOME, CUDA_PATH and in the
  /// usual folders.
  std::string libdevice;
  int optLevel = 3; // LLVM's, 0 to 3
  /// How many threads work on several modules; 0: one for each core.
  unsigned threads = 0;
};

/// PTX texts of gpu.modules that are all LLVM and NVVM dialect. The same module
/// gives the same bytes. What is wrong is a diagnostic at the kernel, libdevice
/// that is needed and not found among it. The chip and the version must have
/// been validated: LLVM ends the process on one that it cannot select for.
llvm::FailureOr<std::vector<std::string>>
emitPTX(llvm::ArrayRef<mlir::gpu::GPUModuleOp> modules,
        const PTXOptions &options);
llvm::FailureOr<std::string> emitPTX(mlir::gpu::GPUModuleOp module,
                                     const PTXOptions &options);

/// Where libdevice is, or an empty string.
std::string findLibdevice();

/// Assembles PTX with the toolkit's ptxas, to a cubin. `verbose`: ptxas says
/// what each kernel takes, and that is written to `log` (parsePtxasLog reads
/// it). An error where there is no ptxas, or with what it said.
llvm::Expected<std::string> assemblePTX(llvm::StringRef ptx,
                                        llvm::StringRef chip,
                                        bool verbose = false,
                                        std::string *log = nullptr);

struct ObjectOptions {
  /// An LLVM CPU name; empty: this machine's, with its features.
  std::string cpu;
  std::string features;
  int optLevel = 3;
  /// As above.
  unsigned threads = 0;
};

/// A module that is all LLVM dialect and the kernels in it.
struct KernelModule {
  mlir::ModuleOp module;
  llvm::SmallVector<std::string> kernels;
};

/// An object file of each module. Every kernel gets a wrapper
/// `void _ew_packed_<name>(void **args)`.
llvm::FailureOr<std::vector<std::string>>
emitObjects(llvm::ArrayRef<KernelModule> modules, const ObjectOptions &options);
llvm::FailureOr<std::string> emitObject(mlir::ModuleOp module,
                                        llvm::ArrayRef<std::string> kernels,
                                        const ObjectOptions &options);

/// LLVM IR as text, for --emit=llvm and --dump-dir.
llvm::FailureOr<std::string> emitLLVMIR(mlir::Operation *module);

/// The name and features of the CPU that this process runs on.
std::string getHostCPU();
std::string getHostFeatures();

} // namespace ew

#endif // EW_PIPELINES_EMITCODE_H
