//===- LocatedError.h - An error of a place in the program ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_LOCATEDERROR_H
#define EW_RUNTIME_LOCATEDERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace ew::runtime {

/// What is wrong with a call, and the op that minds, as the plan names its
/// place: "f.mlir:3:8". Whoever has the file may show the line.
class LocatedError : public llvm::ErrorInfo<LocatedError> {
public:
  static inline char ID = 0;

  LocatedError(std::string location, std::string what)
      : location(std::move(location)), what(std::move(what)) {}

  static llvm::Error make(llvm::StringRef location, const llvm::Twine &what) {
    return llvm::make_error<LocatedError>(location.str(), what.str());
  }

  /// Empty where it is not known.
  llvm::StringRef getLocation() const { return location; }
  llvm::StringRef getWhat() const { return what; }

  void log(llvm::raw_ostream &os) const override {
    os << location << (location.empty() ? "" : ": ") << what;
  }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string location, what;
};

/// What a diagnostic has told of already, with its place. Whoever shows
/// diagnostics need not say it; for others it is an error like any.
class ReportedError : public llvm::ErrorInfo<ReportedError> {
public:
  static inline char ID = 0;

  explicit ReportedError(std::string what) : what(std::move(what)) {}

  void log(llvm::raw_ostream &os) const override { os << what; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string what;
};

} // namespace ew::runtime

#endif // EW_RUNTIME_LOCATEDERROR_H
