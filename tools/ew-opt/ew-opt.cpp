//===- ew-opt.cpp - Runs passes over MLIR files -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UpstreamPasses.h"
#include "ew/InitAll.h"
#include "ew/Support/Version.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

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
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, kOverview, registry));
}
