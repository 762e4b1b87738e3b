//===- Version.h - Which EW this is -----------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_SUPPORT_VERSION_H
#define EW_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace ew {

/// EW's version, as "0.1.0".
llvm::StringRef getVersion();

/// The commit this was built from as git describes it, or "unknown" for a
/// build outside of a repository.
llvm::StringRef getRevision();

/// CMake's build type, as "Release".
llvm::StringRef getBuildType();

/// What every tool prints for --version: EW, LLVM and the build.
void printVersion(llvm::raw_ostream &os);

} // namespace ew

#endif // EW_SUPPORT_VERSION_H
