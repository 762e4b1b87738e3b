//===- EmitPTX.cpp - PTX, in process --------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptimizeLLVM.h"
#include "Parallel.h"
#include "ew/Pipelines/EmitCode.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include <algorithm>
#include <mutex>

using namespace mlir;
using namespace ew;

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

static void initializeNVPTX() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

/// Folders of a CUDA toolkit, in the order in which they count.
static SmallVector<std::string> getToolkits() {
  SmallVector<std::string> folders;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (std::optional<std::string> value = llvm::sys::Process::GetEnv(variable))
      folders.push_back(*value);
  folders.push_back("/usr/local/cuda");
  folders.push_back("/usr/lib/cuda");
  return folders;
}

std::string ew::findLibdevice() {
  for (const std::string &folder : getToolkits()) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, "nvvm", "libdevice", "libdevice.10.bc");
    if (llvm::sys::fs::exists(path))
      return std::string(path);
  }
  return {};
}

/// Links what `module` needs of libdevice. Its functions become internal, so
/// that they are inlined or dropped. Returns what went wrong, or nothing.
static std::string linkLibdevice(llvm::Module &module, StringRef path) {
  bool needed = llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with("__nv_");
  });
  if (!needed)
    return {};
  std::string found = path.empty() ? findLibdevice() : path.str();
  if (found.empty())
    return "the kernel needs CUDA's math library, and "
           "nvvm/libdevice/libdevice.10.bc was not found: set CUDA_HOME to a "
           "CUDA toolkit";
  auto buffer = llvm::MemoryBuffer::getFile(found);
  if (!buffer)
    return "cannot read " + found + ": " + buffer.getError().message();
  auto library =
      llvm::getOwningLazyBitcodeModule(std::move(*buffer), module.getContext());
  if (!library)
    return found + ": " + llvm::toString(library.takeError());
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  bool failed = llvm::Linker::linkModules(
      module, std::move(*library), llvm::Linker::Flags::LinkOnlyNeeded,
      [](llvm::Module &linked, const llvm::StringSet<> &names) {
        llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
          return !value.hasName() || !names.count(value.getName());
        });
      });
  return failed ? "linking " + found + " failed" : std::string();
}

namespace {
/// One module on its way from LLVM IR to text; nothing of MLIR, so that any
/// thread may do it.
struct PTXJob {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::string text;
  std::string problem; // empty where all went well

  void run(const llvm::Target &target, const PTXOptions &options);
};
} // namespace

void PTXJob::run(const llvm::Target &target, const PTXOptions &options) {
  llvm::Triple triple(kTriple);
  llvm::TargetOptions targetOptions;
  // Contraction is a pass of ours; nothing below it may contract.
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // What is above the default are runs of GVN, which find nothing: the
  // workloads have the same machine code without.
  auto level = std::min(getCodeGenLevel(options.optLevel),
                        llvm::CodeGenOptLevel::Default);
  std::unique_ptr<llvm::TargetMachine> machine(target.createTargetMachine(
      triple, options.chip, options.features, targetOptions, std::nullopt,
      std::nullopt, level));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  // libdevice asks for these: subnormals are kept.
  module->addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 0u);

  problem = linkLibdevice(*module, options.libdevice);
  if (!problem.empty())
    return;
  optimizeForGPU(*module, *machine, options.optLevel);
  for (const llvm::Function &function : *module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty()) {
      problem = "unresolved function '" + function.getName().str() +
                "': no PTX can be made for this kernel";
      return;
    }

  SmallString<0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile)) {
    problem = "LLVM cannot emit PTX text";
    return;
  }
  passes.run(*module);
  text = std::string(buffer);
}

FailureOr<std::vector<std::string>>
ew::emitPTX(ArrayRef<gpu::GPUModuleOp> modules, const PTXOptions &options) {
  std::vector<std::string> texts;
  if (modules.empty())
    return texts;
  initializeNVPTX();
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(llvm::Triple(kTriple), message);
  if (!target)
    return mlir::emitError(ArrayRef(modules)[0]->getLoc(), message);
  std::vector<PTXJob> jobs(modules.size());
  for (auto [op, job] : llvm::zip_equal(modules, jobs)) {
    gpu::GPUModuleOp kernel = op;
    job.module = translateModuleToLLVMIR(kernel, job.context, kernel.getName());
    if (!job.module)
      return failure();
  }
  runInParallel(jobs.size(), options.threads,
                [&](size_t index) { jobs[index].run(*target, options); });
  for (auto [op, job] : llvm::zip_equal(modules, jobs)) {
    gpu::GPUModuleOp kernel = op;
    if (!job.problem.empty())
      return kernel.emitError(job.problem);
    texts.push_back(std::move(job.text));
  }
  return texts;
}

FailureOr<std::string> ew::emitPTX(gpu::GPUModuleOp module,
                                   const PTXOptions &options) {
  FailureOr<std::vector<std::string>> texts =
      emitPTX(ArrayRef<gpu::GPUModuleOp>(module), options);
  if (failed(texts))
    return failure();
  return std::move(texts->front());
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

static std::string findPtxas() {
  for (const std::string &folder : getToolkits()) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, "bin", "ptxas");
    if (llvm::sys::fs::can_execute(path))
      return std::string(path);
  }
  if (auto path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  return {};
}

llvm::Expected<std::string> ew::assemblePTX(StringRef ptx, StringRef chip,
                                            bool verbose, std::string *log) {
  auto error = [](const Twine &text) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
  };
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    return error("a cubin needs ptxas, which was not found: set CUDA_HOME to a "
                 "CUDA toolkit or put ptxas on PATH");
  SmallString<128> input, output, messages;
  for (auto [suffix, path] :
       {std::pair<StringRef, SmallString<128> *>{"ptx", &input},
        {"cubin", &output},
        {"log", &messages}}) {
    if (std::error_code code =
            llvm::sys::fs::createTemporaryFile("ew", suffix, *path))
      return error("cannot create a temporary file: " + code.message());
    llvm::sys::RemoveFileOnSignal(*path);
  }
  llvm::scope_exit cleanup([&] {
    for (const SmallString<128> *path : {&input, &output, &messages}) {
      llvm::sys::fs::remove(*path);
      llvm::sys::DontRemoveFileOnSignal(*path);
    }
  });
  {
    std::error_code code;
    llvm::raw_fd_ostream stream(input, code);
    stream << ptx;
    stream.close();
    if (code || stream.has_error()) {
      stream.clear_error();
      return error("cannot write " + input.str());
    }
  }
  std::string arch = ("-arch=" + chip).str();
  SmallVector<StringRef> args = {ptxas, arch, input, "-o", output};
  if (verbose)
    args.push_back("-v");
  std::optional<StringRef> redirects[] = {StringRef(""), messages.str(),
                                          messages.str()};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(ptxas, args, std::nullopt, redirects,
                                         0, 0, &message);
  std::string said;
  if (auto buffer = llvm::MemoryBuffer::getFile(messages))
    said = (*buffer)->getBuffer().str();
  if (log)
    *log = said;
  if (status != 0)
    return error("ptxas failed for " + chip + ": " +
                 (said.empty() ? message : said));
  auto buffer = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return error("cannot read " + output.str());
  return (*buffer)->getBuffer().str();
}
