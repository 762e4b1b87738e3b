//===- ObjectLoader.h - Object files in memory ------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_OBJECTLOADER_H
#define EW_RUNTIME_OBJECTLOADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace ew::runtime {

/// A name that object code may refer to, and what stands behind it.
struct RuntimeSymbol {
  llvm::StringRef name;
  void *address;
};

/// Everything that object code may refer to: the C library's mathematical
/// functions, the memory functions and the arithmetic helpers that LLVM makes
/// calls of, and EW's own. Nothing else is looked up in the process, so code
/// runs alike in static and in dynamic executables.
llvm::ArrayRef<RuntimeSymbol> getRuntimeSymbols();

/// An object file, linked into this process until the loader is destroyed.
class ObjectLoader {
public:
  /// `name` is for messages.
  static llvm::Expected<std::unique_ptr<ObjectLoader>>
  load(llvm::StringRef object, llvm::StringRef name);
  ~ObjectLoader();

  /// The address of a function that the object defines.
  llvm::Expected<void *> lookup(llvm::StringRef symbol);

private:
  struct Session;
  explicit ObjectLoader(std::unique_ptr<Session> session);
  std::unique_ptr<Session> session;
};

} // namespace ew::runtime

#endif // EW_RUNTIME_OBJECTLOADER_H
