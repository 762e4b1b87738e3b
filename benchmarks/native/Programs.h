//===- Programs.h - What the benchmarks compile -----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_BENCHMARKS_NATIVE_PROGRAMS_H
#define EW_BENCHMARKS_NATIVE_PROGRAMS_H

#include "ew/Pipelines/Compile.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "ew/Runtime/CudaDevice.h"
#include <memory>
#include <string>
#include <vector>

namespace ew::benchmarks {

struct Text {
  std::string name, text;
};

/// The workloads of the suite, from the folder EW_WORKLOADS, which the
/// environment may set.
std::vector<Text> getWorkloads();

/// A chain of products and sums of two tensors; with `sines`, every fourth op
/// is a sine.
std::string makeChain(unsigned ops, bool sines);

/// The first GPU, else the tests' driver where this was built with it.
llvm::Expected<std::unique_ptr<runtime::CudaDevice>> openDevice();

/// A context that has every dialect, as an embedder has it.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Parses, or ends the program.
mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text,
                                        mlir::MLIRContext &context);

/// For the CPU or a GPU, with its versions compiled on need. Ends the program
/// where that fails.
runtime::Program plan(mlir::ModuleOp module, runtime::Target target,
                      llvm::StringRef chip);

/// The first version of every kernel: those that most calls need.
std::vector<runtime::VersionId>
getFirstVersions(const runtime::Program &program);

} // namespace ew::benchmarks

#endif // EW_BENCHMARKS_NATIVE_PROGRAMS_H
