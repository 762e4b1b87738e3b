//===- SourceFile.h - A program's file, and what is said of it --*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_COMMON_SOURCEFILE_H
#define EW_TOOLS_COMMON_SOURCEFILE_H

#include "common/ExitCode.h"
#include "ew/Dialect/Ew/IR/Mode.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

namespace ew::tools {

/// What chooses one of several functions, in tools that run one.
inline constexpr llvm::StringLiteral functionOption = "--function=<name>";

/// Every step reports its own mistakes on standard error, the first one in
/// `report`, too, and returns an exit code.
class SourceFile {
public:
  /// `tool` stands before messages that are of no place in the file.
  SourceFile(llvm::StringRef tool, llvm::json::Object &report)
      : tool(tool), report(report) {}

  /// "-": standard input.
  int read(const std::string &path);
  /// Parses what was read, and raises it to ew ops; once.
  int parse(Mode mode);

  mlir::ModuleOp getModule() { return *module; }
  mlir::MLIRContext *getContext() { return context.get(); }
  llvm::StringRef getText() const { return buffer->getBuffer(); }

  /// How many warnings compiling has had so far.
  unsigned getNumWarnings() const { return numWarnings; }

  /// Reports an error, as a diagnostic with its line where that is known and of
  /// this file, and returns what to end with.
  int fail(llvm::Error error);

private:
  /// Whether what it says and its line are text, and not longer than anybody
  /// reads.
  bool isReadable(mlir::Diagnostic &diagnostic);
  bool isReadable(llvm::SMLoc place) const; // its line
  /// The place in the buffer of a location such as "f.mlir:3:8", or none.
  llvm::SMLoc find(llvm::StringRef location);

  llvm::StringRef tool;
  llvm::json::Object &report;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  llvm::SourceMgr sourceMgr; // a view of it
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> diagnostics;
  unsigned numWarnings = 0;
  llvm::StringSet<> told; // diagnostics
};

} // namespace ew::tools

#endif // EW_TOOLS_COMMON_SOURCEFILE_H
