//===- Pipelines.h - Named pipelines, and what builds them ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_PIPELINES_PIPELINES_H
#define EW_PIPELINES_PIPELINES_H

#include "ew/Codegen/Schedule/Choice.h"
#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Support/EnumParser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include <string>

namespace ew {

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// What the oracle reads instead, which knows no calls: modes stand on the ops,
/// calls are inlined, nothing is folded. Private functions may be gone.
void buildOraclePipeline(mlir::OpPassManager &pm, Mode mode);

/// From ew ops on tensors to one linalg.generic per kernel: inlines calls,
/// folds, contracts and widens as the mode says, fuses.
void buildFusePipeline(mlir::OpPassManager &pm, Mode mode);

/// Decides how kernels walk their data: on a GPU, by its chip ("sm_90"), or,
/// where that is empty, on this CPU. A chip that EW does not know is an error
/// of the pass.
void buildSchedulePipeline(mlir::OpPassManager &pm, llvm::StringRef chip,
                           const ScheduleChoice &choice = {});

/// From linalg.generic to gpu.func on vectors of ew ops, and ew.launch;
/// schedules what has no schedule yet.
void buildGPUKernelPipeline(mlir::OpPassManager &pm, llvm::StringRef chip);

/// The same for this CPU: functions over a range of blocks.
void buildCPUKernelPipeline(mlir::OpPassManager &pm);

/// What follows once kernels stand apart from the host's function.
void buildKernelCleanupPipeline(mlir::OpPassManager &pm);

/// From GPU kernels to functions that run one thread of them on the CPU.
void buildEmulationPipeline(mlir::OpPassManager &pm);

/// From kernels on vectors to gpu.modules of NVVM and LLVM dialect.
/// `libraryFunctions`: those of f32 come from libdevice, to compare with.
/// `dependentLaunch`: kernels may begin while those before them end, where the
/// chip can (see ew-dependent-launch). `onlyOurs`: no kernels but EW's own,
/// whose vectors have one dimension, so that fewer passes do.
void buildNVVMLoweringPipeline(mlir::OpPassManager &pm, llvm::StringRef chip,
                               Mode mode = Mode::Default,
                               bool libraryFunctions = false,
                               bool dependentLaunch = true,
                               bool onlyOurs = false);

/// From kernels as functions on vectors to LLVM dialect. The module holds
/// nothing but kernels by then. `device`: what the CPU stands for, for
/// messages.
void buildCPULoweringPipeline(mlir::OpPassManager &pm,
                              Mode mode = Mode::Default,
                              llvm::StringRef device = "");

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

/// How options name the modes: "--mode=strict", "mode=strict".
llvm::cl::ValuesClass getModeValues();

/// How pipelines print that option.
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Mode mode) {
  return os << getName(mode);
}

struct FusePipelineOptions
    : public mlir::PassPipelineOptions<FusePipelineOptions> {
  Option<Mode, EnumParser<Mode>> mode{
      *this, "mode", llvm::cl::desc("What arithmetic may do"),
      llvm::cl::init(Mode::Default), getModeValues()};
};

struct ToNVVMPipelineOptions
    : public mlir::PassPipelineOptions<ToNVVMPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("The GPU, as sm_90"),
                           llvm::cl::init("sm_80")};
  Option<Mode, EnumParser<Mode>> mode{
      *this, "mode", llvm::cl::desc("What arithmetic may do"),
      llvm::cl::init(Mode::Default), getModeValues()};
  Option<bool> dependentLaunch{
      *this, "dependent-launch",
      llvm::cl::desc("Let kernels begin while the one before them ends, where "
                     "the chip can"),
      llvm::cl::init(true)};
};

/// Registers ew-to-linalg, ew-to-nvvm and ew-to-cpu-kernels.
void registerPipelines();

} // namespace ew

#endif // EW_PIPELINES_PIPELINES_H
