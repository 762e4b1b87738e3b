//===- ew-opt.cpp - Runs passes over MLIR files ---------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UpstreamPasses.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/InitAll.h"
#include "ew/Support/Version.h"

#include "common/SourceText.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

static constexpr const char *kOverview = R"(EW optimizer driver

EW's own passes and pipelines begin with --ew-; --list-ew-passes lists them alone, with
their options, and all others are MLIR's. Those that EW's pipelines go through:

  --ew-raise     linalg, arith, math, complex and TOSA to ew ops
  --ew-fuse      one linalg.generic for each kernel
  --ew-schedule  how each kernel walks its elements
  --ew-to-gpu    kernels of a GPU, on vectors (--ew-to-cpu: of a CPU)
  --ew-to-nvvm   all the way to NVVM, for a chip
)";

/// By their names, which is how a command line has them; MLIR lists them by
/// theirs, too.
static bool wantsList(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]).ltrim('-') == "list-ew-passes")
      return true;
  return false;
}

/// Has an error told once: each version of a kernel is a module of its own, and
/// what cannot be lowered in one cannot be in any. MLIR makes the contexts
/// itself, one for each part of a split file; ours comes where the dialect
/// does.
static void tellErrorsOnce(mlir::MLIRContext *context, ew::EwDialect *) {
  context->getDiagEngine().registerHandler(
      [told = llvm::StringSet<>()](mlir::Diagnostic &diagnostic) mutable {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return llvm::failure(); // to whoever prints
        std::string text;
        llvm::raw_string_ostream os(text);
        os << diagnostic.getLocation() << ": " << diagnostic.str();
        return llvm::success(!told.insert(text).second);
      });
}

/// As MLIR's own, but that what its parser cannot stand is an error.
static llvm::LogicalResult run(int argc, char **argv, const std::string &input,
                               const std::string &output,
                               mlir::DialectRegistry &registry) {
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::MlirOptMain(argc, argv, input, output, registry);
  auto fail = [](const llvm::Twine &why) {
    llvm::WithColor::error(llvm::errs(), "ew-opt") << why << "\n";
    return llvm::failure();
  };
  if (config.shouldEmitBytecode() && output == "-" &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return fail("--emit-bytecode writes a binary, which is nothing for a "
                "terminal: add -o <file>, or redirect standard output");
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(0))
    llvm::errs() << "(reading standard input: end it with ctrl-d, interrupt "
                    "with ctrl-c)\n";
  std::string why;
  std::unique_ptr<llvm::MemoryBuffer> buffer = mlir::openInputFile(input, &why);
  if (!buffer)
    return fail(why);
  why = ew::tools::findUnparsable(buffer->getMemBufferRef());
  if (!why.empty())
    return fail(why);
  std::unique_ptr<llvm::ToolOutputFile> file =
      mlir::openOutputFile(output, &why);
  if (!file)
    return fail(why);
  if (failed(
          mlir::MlirOptMain(file->os(), std::move(buffer), registry, config)))
    return llvm::failure();
  // As long as there is no error, LLVM writes the rest when it is too late to
  // say so.
  file->os().flush();
  if (std::error_code error = file->os().error()) {
    file->os().clear_error();
    return fail("cannot write '" +
                (output == "-" ? "standard output" : output) +
                "': " + error.message());
  }
  file->keep();
  return llvm::success();
}

int ewOptMain(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(ew::printVersion);
  // What is registered is listed: so, before MLIR's own are.
  static llvm::cl::opt<bool> list(
      "list-ew-passes",
      llvm::cl::desc("List EW's own passes and pipelines, and exit"));
  if (wantsList(argc, argv)) {
    ew::registerAllPasses();
    mlir::printRegisteredPasses();
    llvm::outs() << "Pass Pipelines:\n";
    for (llvm::StringRef name :
         {"ew-to-linalg", "ew-to-nvvm", "ew-to-cpu-kernels"})
      if (const auto *pipeline = mlir::PassPipelineInfo::lookup(name))
        pipeline->printHelpStr(/*indent=*/2, /*descIndent=*/28);
    return 0;
  }
  ew::registerUpstreamTransforms();
  ew::registerUpstreamConversions();
  ew::registerAllPasses();
  mlir::DialectRegistry registry;
  ew::registerAllDialects(registry);
  registry.addExtension(+tellErrorsOnce);
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, kOverview, registry);
  return mlir::asMainReturnCode(run(argc, argv, input, output, registry));
}
