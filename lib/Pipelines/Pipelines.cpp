//===- Pipelines.cpp - Named pipelines, and what builds them --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Pipelines/Pipelines.h"
#include "ew/Codegen/Passes.h"
#include "ew/Conversion/Passes.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "ew/Math/Passes.h"
#include "ew/Target/NVIDIA/Chips.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace ew;

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void ew::buildOraclePipeline(OpPassManager &pm, Mode mode) {
  EwSetModesOptions modes;
  modes.mode = getName(mode).str();
  pm.addPass(createEwSetModes(modes));
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
}

void ew::buildFusePipeline(OpPassManager &pm, Mode mode) {
  EwSetModesOptions modes;
  modes.mode = getName(mode).str();
  pm.addPass(createEwSetModes(modes));
  // Before anything else: MLIR's canonicalizer folds math ops with the host's
  // libm.
  EwRaiseOptions raise;
  raise.remarks = false;
  raise.flags = mode != Mode::Strict;
  pm.addPass(createEwRaise(raise));
  // A plan covers one function: what it calls comes into it, to be simplified
  // with it.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Contraction sees the program as it was written, before widening puts casts
  // between a product and its sum.
  EwContractOptions contract;
  contract.mode = getName(mode).str();
  pm.addNestedPass<func::FuncOp>(createEwContract(contract));
  // Before fusion, so that no result depends on how ops are grouped.
  EwWidenOptions widen;
  widen.mode = getName(mode).str();
  pm.addNestedPass<func::FuncOp>(createEwWiden(widen));
  // After both: a product that it makes is not one of the program's.
  pm.addNestedPass<func::FuncOp>(createEwDecompose());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createEwFuse());
  // After contraction, which would change what the parts are computed with.
  pm.addNestedPass<func::FuncOp>(createEwSplitComplex());
  // Sizes: tensor.dim of a kernel's result becomes that of an argument.
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createEwInPlace());
}

/// Bytes of the host's widest vector registers.
static unsigned getHostVectorBytes() {
  auto features = llvm::sys::getHostCPUFeatures();
  return features.lookup("avx512f") ? 64 : features.lookup("avx") ? 32 : 16;
}

void ew::buildSchedulePipeline(OpPassManager &pm, StringRef chip,
                               const ScheduleChoice &choice) {
  EwScheduleOptions schedule;
  if (chip.empty()) {
    schedule.target = "cpu";
    schedule.vectorBytes = getHostVectorBytes();
  } else {
    schedule.target = "gpu";
    schedule.chip = chip.str();
  }
  schedule.choice = choice.str();
  pm.addNestedPass<func::FuncOp>(createEwSchedule(schedule));
}

void ew::buildKernelCleanupPipeline(OpPassManager &pm) {
  // Loops and branches have one block each: there are none to drop or merge.
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(true);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addPass(createCanonicalizerPass(config));
  pm.addPass(createCSEPass());
}

void ew::buildGPUKernelPipeline(OpPassManager &pm, StringRef chip) {
  if (chip.empty()) {
    // Not the CPU, as it is below: ew-schedule says that there is no such chip.
    EwScheduleOptions schedule;
    schedule.target = "gpu";
    schedule.chip = "";
    pm.addNestedPass<func::FuncOp>(createEwSchedule(schedule));
  } else {
    buildSchedulePipeline(pm, chip);
  }
  pm.addPass(createEwToGpu());
  buildKernelCleanupPipeline(pm);
}

void ew::buildCPUKernelPipeline(OpPassManager &pm) {
  buildSchedulePipeline(pm, /*chip=*/"");
  pm.addPass(createEwToCpu());
  buildKernelCleanupPipeline(pm);
}

void ew::buildEmulationPipeline(OpPassManager &pm) {
  pm.addPass(createEwEmulate());
}

void ew::buildNVVMLoweringPipeline(OpPassManager &pm, StringRef chip, Mode mode,
                                   bool libraryFunctions, bool dependentLaunch,
                                   bool onlyOurs) {
  EwLowerMathOptions math;
  math.target = "nvptx";
  math.chip = chip.str();
  math.mode = getName(mode).str();
  math.library = libraryFunctions;
  // Named chips are validated where options come in.
  std::string features;
  if (llvm::Expected<const nvidia::Chip *> row = nvidia::findChip(chip)) {
    features = nvidia::getFeatures(**row);
    dependentLaunch &= nvidia::hasDependentLaunch(**row);
  } else {
    llvm::consumeError(row.takeError());
  }
  GpuNVVMAttachTargetOptions target;
  target.chip = chip.str();
  target.features = features;
  target.optLevel = 3;
  pm.addPass(createGpuNVVMAttachTarget(target));

  auto &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createEwLowerMath(math));
  // Functions repeat their constants: less to convert. Everything else LLVM
  // simplifies, in a fraction of the time.
  kernels.addPass(createCSEPass());
  kernels.addPass(createSCFToControlFlowPass());
  // Before convert-gpu-to-nvvm, which knows everything else of our vectors.
  kernels.addPass(onlyOurs ? createEwSlicesToShuffles()
                           : createConvertVectorToLLVMPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  // One parameter per pointer, with its attributes.
  nvvm.useBarePtrCallConv = true;
  nvvm.allowPatternRollback = !onlyOurs;
  kernels.addPass(createConvertGpuOpsToNVVMOps(nvvm));
  kernels.addPass(createReconcileUnrealizedCastsPass());
  if (dependentLaunch)
    kernels.addPass(createEwDependentLaunch());
  pm.addPass(createEwCallSites());
  // On the whole module: it makes compile units, and .loc lines of them.
  LLVM::DIScopeForLLVMFuncOpPassOptions scope;
  scope.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scope));
}

void ew::buildCPULoweringPipeline(OpPassManager &pm, Mode mode,
                                  StringRef device) {
  EwLowerMathOptions math;
  math.target = "cpu";
  math.device = device.str();
  math.mode = getName(mode).str();
  pm.addPass(createEwLowerMath(math));
  buildKernelCleanupPipeline(pm);
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions function;
  function.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(function));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  // Once all types are LLVM's. It leaves no cast behind that folds.
  pm.addPass(createEwBf16ToBits());
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

llvm::cl::ValuesClass ew::getModeValues() {
  return llvm::cl::values(
      clEnumValN(Mode::Default, getName(Mode::Default),
                 "16-bit values computed in f32, products and sums contracted"),
      clEnumValN(Mode::Strict, getName(Mode::Strict),
                 "rounded after every op, nothing contracted"),
      clEnumValN(Mode::Fast, getName(Mode::Fast), "looser bounds"));
}

/// As PassPipelineRegistration, but that elsewhere than on a module it is an
/// error, not the end of the process.
template <typename Options>
static void registerModulePipeline(StringRef name, StringRef description,
                                   void (*build)(OpPassManager &,
                                                 const Options &)) {
  registerPassPipeline(
      name, description,
      [=](OpPassManager &pm, StringRef text,
          function_ref<LogicalResult(const Twine &)> fail) -> LogicalResult {
        if (pm.getOpAnchorName() != ModuleOp::getOperationName())
          return fail("'" + name + "' runs on 'builtin.module', not on '" +
                      pm.getOpAnchorName() + "'");
        Options options;
        if (failed(options.parseFromString(text)))
          return failure();
        // Once, and not by a pass on each function.
        if constexpr (std::is_same_v<Options, ToNVVMPipelineOptions>)
          if (auto chip = nvidia::findChip(options.chip); !chip)
            return fail(name + ": " + llvm::toString(chip.takeError()) +
                        (options.chip.find(',') == std::string::npos
                             ? ""
                             : "; options are separated by blanks"));
        build(pm, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(Options());
      });
}

void ew::registerPipelines() {
  registerModulePipeline<FusePipelineOptions>(
      "ew-to-linalg",
      "From ew ops on tensors to one linalg.generic per kernel: folds, "
      "contracts, widens, fuses",
      [](OpPassManager &pm, const FusePipelineOptions &options) {
        buildFusePipeline(pm, options.mode);
      });
  registerModulePipeline<ToNVVMPipelineOptions>(
      "ew-to-nvvm",
      "From ew ops on tensors to GPU kernels in the NVVM dialect and ew.launch",
      [](OpPassManager &pm, const ToNVVMPipelineOptions &options) {
        buildFusePipeline(pm, options.mode);
        buildGPUKernelPipeline(pm, options.chip);
        buildNVVMLoweringPipeline(pm, options.chip, options.mode,
                                  /*libraryFunctions=*/false,
                                  options.dependentLaunch);
      });
  registerModulePipeline<FusePipelineOptions>(
      "ew-to-cpu-kernels",
      "From ew ops on tensors to functions over block ranges and ew.launch",
      [](OpPassManager &pm, const FusePipelineOptions &options) {
        buildFusePipeline(pm, options.mode);
        buildCPUKernelPipeline(pm);
      });
}
