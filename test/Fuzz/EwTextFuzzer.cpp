//===- EwTextFuzzer.cpp - Parses, verifies and prints any text ------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

using namespace mlir;

/// A context keeps every type and attribute it has seen: it is renewed before
/// they fill the memory.
static MLIRContext &getContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned uses = 0;
  if (uses++ % 2000 == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->loadDialect<func::FuncDialect, ew::EwDialect>();
    context->getDiagEngine().registerHandler([](Diagnostic &) {});
  }
  return *context;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  MLIRContext &context = getContext();
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
  if (!module)
    return 0;

  // What was accepted folds and simplifies, and prints as text that is
  // accepted.
  PassManager manager(&context);
  manager.addPass(createCanonicalizerPass());
  if (failed(manager.run(*module)))
    return 0;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  module->print(os);
  if (!parseSourceString<ModuleOp>(printed, config)) {
    llvm::errs() << "ew::roundtrip: printed text is not accepted:\n"
                 << printed << "\n";
    __builtin_trap();
  }
  return 0;
}
