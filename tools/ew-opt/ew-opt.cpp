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
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

int ewOptMain(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(ew::printVersion);
  ew::registerUpstreamTransforms();
  ew::registerUpstreamConversions();
  ew::registerAllPasses();
  mlir::DialectRegistry registry;
  ew::registerAllDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "EW optimizer driver\n", registry));
}
