//===- consumer.cpp - A compiler that uses EW as installed ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "ew/InitAll.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/PlanRunner.h"
#include "ew/Support/Version.h"
#include "ew/Tuning/Lookup.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

static constexpr const char *source = R"mlir(
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.sin %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
)mlir";

/// Compiles @f and runs it on the CPU, as README and docs/Tuning.md show.
static int compileAndRun(mlir::ModuleOp module) {
  auto device = ew::runtime::createCPUDevice();
  auto argument =
      ew::tuning::makePlaceholder(ew::runtime::ElementType::F32, {3});
  ew::CompileOptions options;
  options.findSchedules =
      ew::tuning::makeLookup(*device, device->getChip(), {argument, argument});
  auto program = ew::compile(module, "f", options);
  if (mlir::failed(program))
    return 1;
  auto executable = ew::runtime::Executable::create(*program, *device);
  if (!executable) {
    llvm::errs() << llvm::toString(executable.takeError()) << "\n";
    return 1;
  }
  alignas(64) float x[] = {1, 2, 3}, y[] = {0.5, 0.5, 0.5};
  auto view = [](float *data) {
    return ew::runtime::makeTensor(
        ew::runtime::ElementType::F32, {3},
        ew::runtime::Buffer::wrap(reinterpret_cast<uint64_t>(data), 12));
  };
  auto call = (*executable)->run({view(x), view(y)});
  if (!call) {
    llvm::errs() << llvm::toString(call.takeError()) << "\n";
    return 1;
  }
  ew::runtime::Tensor result = (*call)->getResults()[0];
  auto *z = reinterpret_cast<const float *>(result.address());
  for (int i = 0; i < 3; ++i)
    if (std::abs(z[i] - std::sin(x[i] * y[i])) > 1e-6f) {
      llvm::errs() << "element " << i << " is " << z[i] << "\n";
      return 1;
    }
  llvm::outs() << "computed 3 elements\n";
  return 0;
}

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

  if (compileAndRun(*module))
    return 1;

  mlir::PassManager manager(&context);
  manager.addPass(mlir::createCanonicalizerPass());
  if (mlir::failed(mlir::parsePassPipeline("func.func(ew-fuse)", manager)) ||
      mlir::failed(manager.run(*module)))
    return 1;
  ew::printVersion(llvm::outs());
  llvm::outs() << "parsed " << ops << " ew operations\n";
  module->print(llvm::outs());
  return 0;
}
