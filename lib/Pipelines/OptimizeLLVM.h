//===- OptimizeLLVM.h - LLVM's own pipeline -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_PIPELINES_OPTIMIZELLVM_H
#define EW_LIB_PIPELINES_OPTIMIZELLVM_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace ew {

/// Runs LLVM's default pipeline of a level from 0 to 3.
void optimizeLLVM(llvm::Module &module, llvm::TargetMachine &machine, int level);

} // namespace ew

#endif // EW_LIB_PIPELINES_OPTIMIZELLVM_H
