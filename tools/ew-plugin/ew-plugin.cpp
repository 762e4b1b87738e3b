//===- ew-plugin.cpp - EW for anyone's mlir-opt ---------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   mlir-opt-22 --load-dialect-plugin=libEwPlugin.so
//     --load-pass-plugin=libEwPlugin.so
//     --pass-pipeline='builtin.module(func.func(ew-fuse))' file.mlir
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/InitAll.h"
#include "ew/Support/Version.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Ew", ew::getVersion().data(),
          [](mlir::DialectRegistry *registry) {
            registry->insert<ew::EwDialect>();
          }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "EwPasses", ew::getVersion().data(),
          [] { ew::registerAllPasses(); }};
}
