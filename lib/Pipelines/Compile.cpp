//===- Compile.cpp - From a module to a program that runs -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Pipelines/Compile.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "ew/Pipelines/BuildPlan.h"
#include "ew/Pipelines/EmitCode.h"
#include "ew/Target/NVIDIA/Chips.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ew;

namespace rt = ew::runtime;

FailureOr<func::FuncOp> ew::selectFunction(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>())
    if (name.empty() ? function.isPublic() && !function.isExternal()
                     : function.getName() == name)
      candidates.push_back(function);
  if (candidates.size() == 1) {
    if (candidates.front().isExternal())
      return candidates.front().emitError("function '")
             << name << "' has no body";
    return candidates.front();
  }
  InFlightDiagnostic error = module.emitError();
  if (candidates.empty() && !name.empty())
    error << "no function '" << name << "'";
  else if (candidates.empty())
    error << "no function to run";
  else
    error << "several functions: choose one by name";
  for (auto function : module.getOps<func::FuncOp>())
    error.attachNote(function.getLoc()) << "there is '" << function.getName() << "'";
  return error;
}

namespace {

class Compiler {
public:
  Compiler(const CompileOptions &options) : options(options) {}

  FailureOr<rt::Program> run(ModuleOp module, StringRef function);

private:
  using Build = llvm::function_ref<void(OpPassManager &)>;
  LogicalResult runPasses(Build build);
  void showStage(StringRef stage, Operation *op);
  void showText(StringRef stage, StringRef name, StringRef text) {
    if (options.onStage)
      options.onStage(stage, name, text);
  }
  LogicalResult emitGPUCode(rt::Program &program);
  LogicalResult emitCPUCode(rt::Program &program);

  const CompileOptions &options;
  const nvidia::Chip *chip = nullptr;
  OwningOpRef<ModuleOp> work;
};

} // namespace

LogicalResult Compiler::runPasses(Build build) {
  PassManager pm(work->getContext());
  build(pm);
  if (!options.reproducer.empty())
    pm.enableCrashReproducerGeneration(options.reproducer);
  return pm.run(*work);
}

void Compiler::showStage(StringRef stage, Operation *op) {
  if (!options.onStage)
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().enableDebugInfo(false));
  stream << "\n";
  options.onStage(stage, "", text);
}

/// Moves what the gpu.modules hold into the first one. Declarations of one name are
/// one function; anything else that clashes gets a new name.
static void mergeGPUModules(ModuleOp module) {
  gpu::GPUModuleOp first;
  for (auto next : llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    if (!first) {
      first = next;
      continue;
    }
    SymbolTable into(first), from(next);
    for (Operation &op : llvm::make_early_inc_range(*next.getBody())) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      if (!symbol)
        continue;
      if (into.lookup(symbol.getName())) {
        auto function = dyn_cast<FunctionOpInterface>(op);
        if (function && function.isExternal())
          continue;
        (void)from.renameToUnique(&op, {&into});
      }
      op.remove();
      into.insert(&op);
    }
    next.erase();
  }
}

LogicalResult Compiler::emitGPUCode(rt::Program &program) {
  if (failed(runPasses([&](OpPassManager &pm) {
        buildNVVMLoweringPipeline(pm, options.chip, options.mode, options.libraryFunctions);
      })))
    return failure();
  if (options.singleModule)
    mergeGPUModules(*work);
  showStage("lowered", *work);
  PTXOptions ptxOptions;
  ptxOptions.chip = options.chip;
  ptxOptions.features = nvidia::getFeatures(*chip);
  ptxOptions.libdevice = options.libdevice;
  llvm::StringMap<uint32_t> moduleOf;
  for (auto module : work->getOps<gpu::GPUModuleOp>()) {
    if (options.onStage) {
      FailureOr<std::string> ir = emitLLVMIR(module);
      if (failed(ir))
        return failure();
      showText("llvm", module.getName(), *ir);
    }
    FailureOr<std::string> code = emitPTX(module, ptxOptions);
    if (failed(code))
      return failure();
    showText("ptx", module.getName(), *code);
    rt::CodeKind kind = rt::CodeKind::PTX;
    if (options.assemble) {
      llvm::Expected<std::string> cubin = assemblePTX(*code, options.chip);
      if (!cubin)
        return module.emitError(llvm::toString(cubin.takeError()));
      showText("cubin", module.getName(), *cubin);
      code = std::move(*cubin);
      kind = rt::CodeKind::Cubin;
    }
    moduleOf[module.getName()] = program.modules.size();
    program.modules.push_back({kind, module.getName().str(), std::move(*code)});
  }
  // A kernel's module has its name, unless all are in one.
  for (rt::Launch &launch : program.plan.launches)
    for (rt::Variant &variant : launch.variants)
      variant.module = moduleOf.lookup(variant.kernel);
  return success();
}

LogicalResult Compiler::emitCPUCode(rt::Program &program) {
  if (failed(runPasses([&](OpPassManager &pm) {
        buildCPULoweringPipeline(pm, options.mode);
      })))
    return failure();
  showStage("lowered", *work);
  if (options.onStage) {
    FailureOr<std::string> ir = emitLLVMIR(*work);
    if (failed(ir))
      return failure();
    showText("llvm", program.plan.function, *ir);
  }
  std::vector<std::string> kernels;
  for (const rt::Launch &launch : program.plan.launches)
    for (const rt::Variant &variant : launch.variants)
      kernels.push_back(variant.kernel);
  FailureOr<std::string> code = emitObject(*work, kernels, {});
  if (failed(code))
    return failure();
  program.modules.push_back(
      {rt::CodeKind::Object, program.plan.function, std::move(*code)});
  return success();
}

FailureOr<rt::Program> Compiler::run(ModuleOp module, StringRef name) {
  FailureOr<func::FuncOp> selected = selectFunction(module, name);
  if (failed(selected))
    return failure();
  bool forGPU = options.target != rt::Target::CPU;
  if (forGPU) {
    // LLVM ends the process on a chip that it does not know.
    llvm::Expected<const nvidia::Chip *> found = nvidia::findChip(options.chip);
    if (!found)
      return module.emitError(llvm::toString(found.takeError()));
    chip = *found;
  }

  // What the function does not call goes.
  work = cast<ModuleOp>(module->clone());
  for (auto function : work->getOps<func::FuncOp>())
    function.setVisibility(function.getName() == selected->getName()
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
  std::string function = selected->getName().str();
  showStage("input", *work);

  if (failed(runPasses([&](OpPassManager &pm) {
        pm.addPass(createSymbolDCEPass());
        // Numbers may come from calls. Nothing is folded before it is raised.
        pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
        pm.addPass(createEwScalarResults());
        buildFusePipeline(pm, options.mode);
      })))
    return failure();
  showStage("linalg", *work);

  if (failed(runPasses([&](OpPassManager &pm) {
        forGPU ? buildGPUKernelPipeline(pm, options.chip)
               : buildCPUKernelPipeline(pm);
      })))
    return failure();
  showStage("kernels", *work);

  rt::Program program;
  program.target = options.target;
  program.chip = forGPU ? options.chip : getHostCPU();
  auto host = work->lookupSymbol<func::FuncOp>(function);
  FailureOr<rt::Plan> plan = buildPlan(host);
  if (failed(plan))
    return failure();
  program.plan = std::move(*plan);
  host.erase(); // what is left is kernels

  if (options.target == rt::Target::Emulated) {
    if (failed(runPasses(buildEmulationPipeline)))
      return failure();
    for (rt::Launch &launch : program.plan.launches)
      for (rt::Variant &variant : launch.variants)
        if (auto kernel = work->lookupSymbol<func::FuncOp>(variant.kernel))
          if (auto bytes = kernel->getAttrOfType<IntegerAttr>("ew.shared_bytes"))
            variant.sharedBytes = bytes.getInt();
  }
  if (failed(options.target == rt::Target::CUDA ? emitGPUCode(program)
                                                : emitCPUCode(program)))
    return failure();
  return std::move(program);
}

FailureOr<rt::Program> ew::compile(ModuleOp module, StringRef function,
                                   const CompileOptions &options) {
  return Compiler(options).run(module, function);
}
