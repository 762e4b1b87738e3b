//===- Mode.cpp - What arithmetic may do ----------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Dialect/Ew/IR/Ew.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ew;

std::optional<Mode> ew::parseMode(StringRef name) {
  return llvm::StringSwitch<std::optional<Mode>>(name)
      .Case("default", Mode::Default)
      .Case("strict", Mode::Strict)
      .Case("fast", Mode::Fast)
      .Default(std::nullopt);
}

StringRef ew::getName(Mode mode) {
  switch (mode) {
  case Mode::Default:
    return "default";
  case Mode::Strict:
    return "strict";
  case Mode::Fast:
    return "fast";
  }
  llvm_unreachable("no such mode");
}

LogicalResult ew::parseModeOption(MLIRContext *context, StringRef pass,
                                  StringRef name, Mode &mode) {
  if (std::optional<Mode> parsed = parseMode(name)) {
    mode = *parsed;
    return success();
  }
  return emitError(UnknownLoc::get(context))
         << pass << ": mode must be default, strict or fast, not '" << name
         << "'";
}

/// What the attribute says; a misspelt one does not pass the verifier.
static std::optional<Mode> getStatedMode(Operation *op) {
  auto stated = op->getAttrOfType<StringAttr>(kModeAttr);
  return stated ? parseMode(stated.getValue()) : std::nullopt;
}

Mode ew::getMode(Operation *op, Mode ofProgram) {
  if (std::optional<Mode> stated = getStatedMode(op))
    return *stated;
  if (auto function = op->getParentOfType<FunctionOpInterface>())
    if (std::optional<Mode> stated = getStatedMode(function))
      return *stated;
  return ofProgram;
}

void ew::warnOfUnprefixed(Operation *op) {
  size_t prefix = EwDialect::getDialectNamespace().size() + 1;
  for (StringRef name : {kModeAttr, kErrorBoundAttr}) {
    StringRef bare = name.drop_front(prefix);
    if (!op->getDiscardableAttr(bare))
      continue;
    op->emitWarning("nothing reads the attribute '")
        << bare << "'; did you mean '" << name << "'?";
    if (!isa<FunctionOpInterface>(op))
      op->removeDiscardableAttr(bare);
  }
}
