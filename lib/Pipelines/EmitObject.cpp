//===- EmitObject.cpp - Object files for the CPU --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeLLVM.h"
#include "Parallel.h"
#include "ew/Pipelines/EmitCode.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include <mutex>

using namespace mlir;
using namespace ew;

std::string ew::getHostCPU() { return llvm::sys::getHostCPUName().str(); }

std::string ew::getHostFeatures() {
  std::vector<std::string> features;
  for (auto &feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.getValue() ? "+" : "-") +
                       feature.getKey().str());
  llvm::sort(features); // a map's order is not stable between runs
  return llvm::join(features, ",");
}

/// void _ew_packed_<name>(void **args): loads every argument and calls.
static void addPackedWrapper(llvm::Module &module, llvm::Function *kernel) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  auto *type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()},
                              /*isVarArg=*/false);
  auto *wrapper =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                             "_ew_packed_" + kernel->getName(), module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", wrapper));
  SmallVector<llvm::Value *> args;
  for (auto [i, arg] : llvm::enumerate(kernel->args())) {
    llvm::Value *slot =
        builder.CreateConstGEP1_64(builder.getPtrTy(), wrapper->getArg(0), i);
    llvm::Value *pointer = builder.CreateLoad(builder.getPtrTy(), slot);
    args.push_back(builder.CreateLoad(arg.getType(), pointer));
  }
  builder.CreateCall(kernel, args);
  builder.CreateRetVoid();
}

namespace {
/// One module on its way from LLVM IR to an object file, on any thread.
struct ObjectJob {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::string object;
  std::string problem; // empty where all went well

  void run(const llvm::Target &target, const llvm::Triple &triple,
           ArrayRef<std::string> kernels, const ObjectOptions &options);
};
} // namespace

void ObjectJob::run(const llvm::Target &target, const llvm::Triple &triple,
                    ArrayRef<std::string> kernels,
                    const ObjectOptions &options) {
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(target.createTargetMachine(
      triple, options.cpu.empty() ? getHostCPU() : options.cpu,
      options.cpu.empty() ? getHostFeatures() : options.features, targetOptions,
      llvm::Reloc::PIC_, std::nullopt, getCodeGenLevel(options.optLevel)));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());

  // Everything but the wrappers is internal and can be inlined.
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (const std::string &name : kernels) {
    llvm::Function *kernel = module->getFunction(name);
    if (!kernel) {
      problem = "kernel '" + name + "' was not lowered";
      return;
    }
    addPackedWrapper(*module, kernel);
  }
  // The same for all: LLVM sets a target up for each set of attributes.
  for (llvm::Function &function : *module)
    if (!function.isDeclaration()) {
      // 512-bit registers where the schedule chose vectors of that size.
      function.addFnAttr("prefer-vector-width", "512");
      function.addFnAttr("target-cpu", machine->getTargetCPU());
      function.addFnAttr("target-features", machine->getTargetFeatureString());
    }

  optimizeForCPU(*module, *machine, options.optLevel);

  SmallString<0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile)) {
    problem = "LLVM cannot emit an object file for " + triple.str();
    return;
  }
  passes.run(*module);
  object = std::string(code);
}

FailureOr<std::vector<std::string>>
ew::emitObjects(ArrayRef<KernelModule> modules, const ObjectOptions &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  std::vector<std::string> objects;
  if (modules.empty())
    return objects;
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return emitError(modules[0].module->getLoc(), message);
  std::vector<ObjectJob> jobs(modules.size());
  for (auto [kernel, job] : llvm::zip_equal(modules, jobs))
    if (!(job.module = translateModuleToLLVMIR(kernel.module, job.context)))
      return failure();
  runInParallel(jobs.size(), options.threads, [&](size_t index) {
    jobs[index].run(*target, triple, modules[index].kernels, options);
  });
  for (auto [kernel, job] : llvm::zip_equal(modules, jobs)) {
    if (!job.problem.empty())
      return emitError(kernel.module->getLoc(), job.problem);
    objects.push_back(std::move(job.object));
  }
  return objects;
}

FailureOr<std::string> ew::emitObject(ModuleOp module,
                                      ArrayRef<std::string> kernels,
                                      const ObjectOptions &options) {
  KernelModule one{module, SmallVector<std::string>(kernels)};
  FailureOr<std::vector<std::string>> objects = emitObjects(one, options);
  if (failed(objects))
    return failure();
  return std::move(objects->front());
}

FailureOr<std::string> ew::emitLLVMIR(Operation *op) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(op, context);
  if (!module)
    return failure();
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}
