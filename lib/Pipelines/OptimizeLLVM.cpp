//===- OptimizeLLVM.cpp - From LLVM IR to better LLVM IR ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeLLVM.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DivRemPairs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/SpeculativeExecution.h"
#include "llvm/Transforms/Vectorize/VectorCombine.h"
#include <algorithm>

llvm::CodeGenOptLevel ew::getCodeGenLevel(int level) {
  return static_cast<llvm::CodeGenOptLevel>(std::clamp(level, 0, 3));
}

/// A kernel for a CPU comes with its vectors and its loops as the schedule
/// chose them. What is left: the same subexpressions, branches, and what stays
/// the same in a loop. LLVM's own pipeline, which also looks for vectors and
/// interchanges, unrolls and versions loops, takes six to eight times as long
/// for kernels of the same speed (docs/Testing.md, "How long compiling takes").
static llvm::ModulePassManager buildCPUPipeline() {
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(llvm::SimplifyCFGPass());
  functions.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager loops;
  // Only what a loop surely does may go in front of it: its test comes last
  // first.
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  functions.addPass(llvm::createFunctionToLoopPassAdaptor(
      std::move(loops), /*UseMemorySSA=*/true));
  functions.addPass(llvm::GVNPass());
  functions.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                              .convertSwitchRangeToICmp(true)
                                              .hoistCommonInsts(true)
                                              .sinkCommonInsts(true)));
  llvm::ModulePassManager modules;
  modules.addPass(
      llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  return modules;
}

/// Those passes of LLVM's own pipeline that change a kernel for a GPU, in their
/// order. A kernel has no calls and no variables in memory, and its vectors are
/// the schedule's. ptxas makes no more instructions of what is left than of
/// what the whole pipeline leaves, for every version of the 24 workloads.
static llvm::ModulePassManager buildGPUPipeline(int level) {
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::EarlyCSEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  functions.addPass(llvm::InstCombinePass());
  functions.addPass(
      llvm::SpeculativeExecutionPass(/*OnlyIfDivergentTarget=*/true));
  functions.addPass(llvm::CorrelatedValuePropagationPass());
  functions.addPass(llvm::ReassociatePass());
  llvm::LoopPassManager invariants;
  invariants.addPass(llvm::LoopRotatePass());
  invariants.addPass(llvm::LICMPass(llvm::LICMOptions()));
  functions.addPass(llvm::createFunctionToLoopPassAdaptor(
      std::move(invariants), /*UseMemorySSA=*/true));
  functions.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager counts;
  counts.addPass(llvm::IndVarSimplifyPass());
  counts.addPass(llvm::LoopFullUnrollPass(level));
  functions.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(counts)));
  functions.addPass(llvm::VectorCombinePass());
  functions.addPass(llvm::SCCPPass());
  functions.addPass(llvm::CorrelatedValuePropagationPass());
  functions.addPass(llvm::SimplifyCFGPass(
      llvm::SimplifyCFGOptions().hoistCommonInsts(true).sinkCommonInsts(true)));
  functions.addPass(llvm::InferAlignmentPass());
  functions.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(level)));
  functions.addPass(llvm::InstCombinePass());
  functions.addPass(llvm::DivRemPairsPass());
  llvm::ModulePassManager modules;
  modules.addPass(
      llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  return modules;
}

/// Whether nothing of the module is called: libdevice's functions would be, and
/// have to be inlined and simplified.
static bool hasOnlyKernels(const llvm::Module &module) {
  return llvm::all_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() ||
           function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
  });
}

/// Runs the pipeline that `choose` makes.
static void
run(llvm::Module &module, llvm::TargetMachine &machine,
    llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> choose) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  choose(builder).run(module, modules);
}

void ew::optimizeForGPU(llvm::Module &module, llvm::TargetMachine &machine,
                        int level) {
  const llvm::OptimizationLevel kLevels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  int clamped = std::clamp(level, 0, 3);
  run(module, machine, [&](llvm::PassBuilder &builder) {
    return clamped == 0 ? builder.buildO0DefaultPipeline(kLevels[0])
           : hasOnlyKernels(module)
               ? buildGPUPipeline(clamped)
               : builder.buildPerModuleDefaultPipeline(kLevels[clamped]);
  });
}

void ew::optimizeForCPU(llvm::Module &module, llvm::TargetMachine &machine,
                        int level) {
  run(module, machine, [&](llvm::PassBuilder &builder) {
    return level <= 0
               ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
               : buildCPUPipeline();
  });
}
