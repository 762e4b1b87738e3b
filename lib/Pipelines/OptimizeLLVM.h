//===- OptimizeLLVM.h - From LLVM IR to better LLVM IR ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_PIPELINES_OPTIMIZELLVM_H
#define EW_LIB_PIPELINES_OPTIMIZELLVM_H

#include "llvm/Support/CodeGen.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace ew {

/// The level of code generation that goes with a level of optimization, 0 to 3.
llvm::CodeGenOptLevel getCodeGenLevel(int level);

/// Runs what kernels for a GPU need; where they call functions, LLVM's default
/// pipeline of a level from 0 to 3.
void optimizeForGPU(llvm::Module &module, llvm::TargetMachine &machine,
                    int level);

/// Runs what kernels for a CPU need, or with level 0 next to nothing.
void optimizeForCPU(llvm::Module &module, llvm::TargetMachine &machine,
                    int level);

} // namespace ew

#endif // EW_LIB_PIPELINES_OPTIMIZELLVM_H
