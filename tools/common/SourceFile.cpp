//===- SourceFile.cpp - A program's file, and what is said of it ----------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/SourceFile.h"
#include "common/SourceText.h"
#include "ew/Conversion/Passes.h"
#include "ew/InitAll.h"
#include "ew/Pipelines/BuildPlan.h"
#include "ew/Runtime/InputSpec.h"
#include "ew/Runtime/LocatedError.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ew;
using namespace ew::tools;

namespace rt = ew::runtime;

int SourceFile::read(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file)
    return fail(llvm::createStringError(file.getError(),
                                        "cannot read " + path + ": " +
                                            file.getError().message()));
  buffer = std::move(*file);
  report["file"] = llvm::json::fixUTF8(path);
  sourceMgr.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(buffer->getMemBufferRef(),
                                       /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  return kSuccess;
}

static std::string describe(Diagnostic &diagnostic) {
  std::string where = describeLocation(diagnostic.getLocation());
  return where + ": " + diagnostic.str();
}

static llvm::StringRef stringify(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("unknown severity");
}

/// What is beyond this is told of in part.
static constexpr size_t maxShown = 4096;

static std::string shorten(std::string text) {
  if (text.size() > maxShown)
    text = text.substr(0, maxShown) + "...";
  return text;
}

static bool isReadable(llvm::StringRef text) {
  return text.size() <= maxShown && makePrintable(text) == text;
}

/// Without the line that it is about.
static void show(Diagnostic &diagnostic) {
  llvm::errs() << describeLocation(diagnostic.getLocation()) << ": "
               << stringify(diagnostic.getSeverity()) << ": "
               << makePrintable(shorten(diagnostic.str())) << "\n";
}

bool SourceFile::isReadable(llvm::SMLoc place) const {
  llvm::StringRef text = getText();
  size_t at = place.getPointer() - text.data();
  size_t begin = text.rfind('\n', at) + 1, end = text.find('\n', at);
  return ::isReadable(text.slice(begin, end).rtrim('\r'));
}

bool SourceFile::isReadable(Diagnostic &diagnostic) {
  llvm::SMLoc place = find(describeLocation(diagnostic.getLocation()));
  return ::isReadable(diagnostic.str()) &&
         (!place.isValid() || isReadable(place)) &&
         llvm::all_of(diagnostic.getNotes(),
                      [this](Diagnostic &note) { return isReadable(note); });
}

int SourceFile::parse(Mode mode) {
  if (module)
    return kSuccess;
  if (std::string why = findUnparsable(buffer->getMemBufferRef()); !why.empty())
    return fail(llvm::createStringError(why));
  DialectRegistry registry;
  registerAllDialects(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // The line of the file says enough.
  context->printOpOnDiagnostic(false);
  diagnostics =
      std::make_unique<SourceMgrDiagnosticHandler>(sourceMgr, context.get());
  context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    numWarnings += diagnostic.getSeverity() == DiagnosticSeverity::Warning;
    // A program may be compiled for more than one target (--explain) and in
    // several versions, and is told of once.
    if (!told.insert(describe(diagnostic)).second)
      return success();
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      report.try_emplace("error",
                         llvm::json::fixUTF8(shorten(describe(diagnostic))));
    // Lines that nobody can read are not shown; nor what such a line says.
    if (isReadable(diagnostic))
      return failure(); // what is printed is not decided here
    show(diagnostic);
    for (Diagnostic &note : diagnostic.getNotes())
      show(note);
    return success();
  });
  module = parseSourceFile<ModuleOp>(sourceMgr, context.get());
  if (!module)
    return kFailure;
  // A module that no line of the file names begins with the file.
  if (auto where = dyn_cast<FileLineColLoc>(module->getLoc());
      where && where.getLine() == 0)
    (*module)->setLoc(FileLineColLoc::get(where.getFilename(), 1, 1));
  // Here, and not only on the way to code, because the oracle reads ew ops.
  PassManager raise(context.get());
  EwRaiseOptions raiseOptions;
  raiseOptions.flags = mode != Mode::Strict;
  raise.addPass(createEwRaise(raiseOptions));
  return succeeded(raise.run(*module)) ? kSuccess : kFailure;
}

llvm::SMLoc SourceFile::find(llvm::StringRef location) {
  // Locations of bytecode are of another file.
  if (!buffer || isBytecode(buffer->getMemBufferRef()) ||
      !location.consume_front(buffer->getBufferIdentifier()) ||
      !location.consume_front(":"))
    return {};
  unsigned line, column;
  auto [first, second] = location.split(':');
  if (first.getAsInteger(10, line) || second.getAsInteger(10, column) ||
      !line || !column)
    return {};
  return sourceMgr.FindLocForLineAndColumn(sourceMgr.getMainFileID(), line,
                                           column);
}

int SourceFile::fail(llvm::Error error) {
  int code = kFailure;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    std::error_code why = info.convertToErrorCode();
    if (why == std::errc::not_enough_memory || why == std::errc::no_such_device)
      code = kUnavailable;
    if (info.isA<rt::SpecError>())
      code = kUsage;
    // A diagnostic said it.
    if (info.message().empty() ||
        (info.isA<rt::ReportedError>() && report.get("error")))
      return;
    report.try_emplace("error", llvm::json::fixUTF8(info.message()));
    const auto *located = info.isA<rt::LocatedError>()
                              ? static_cast<const rt::LocatedError *>(&info)
                              : nullptr;
    if (located && !located->getLocation().empty()) {
      std::string what = makePrintable(located->getWhat());
      llvm::SMLoc where = find(located->getLocation());
      if (where.isValid() && isReadable(where)) {
        sourceMgr.PrintMessage(llvm::errs(), where, llvm::SourceMgr::DK_Error,
                               what);
        return;
      }
      // As MLIR prints where it has no line to show.
      llvm::errs() << located->getLocation() << ": ";
      llvm::WithColor::error(llvm::errs()) << what << "\n";
      return;
    }
    llvm::WithColor::error(llvm::errs(), tool)
        << makePrintable(shorten(info.message())) << "\n";
  });
  return code;
}
