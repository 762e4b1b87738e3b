//===- consumer.cpp - A compiler that uses EW as installed -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "ew/InitAll.h"
#include "ew/Support/Version.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

static constexpr const char *source = R"mlir(
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.sin %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
)mlir";

int main() {
  mlir::DialectRegistry registry;
  ew::registerAllDialects(registry);
  ew::registerAllPasses();
  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module)
    return 1;
  int ops = 0;
  module->walk([&](mlir::Operation *op) {
    ops += mlir::isa_and_nonnull<ew::EwDialect>(op->getDialect());
  });

  mlir::PassManager manager(&context);
  manager.addPass(mlir::createCanonicalizerPass());
  if (mlir::failed(
          mlir::parsePassPipeline("func.func(ew-fuse)", manager)) ||
      mlir::failed(manager.run(*module)))
    return 1;
  ew::printVersion(llvm::outs());
  llvm::outs() << "parsed " << ops << " ew operations\n";
  module->print(llvm::outs());
  return 0;
}
