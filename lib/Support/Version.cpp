//===- Version.cpp - Which EW this is -------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Support/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

// Defines EW_VERSION, EW_REVISION and EW_BUILD_TYPE. Only this file includes
// it, so that a commit recompiles nothing else.
#include "ew/Support/BuildInfo.inc"

llvm::StringRef ew::getVersion() { return EW_VERSION; }

llvm::StringRef ew::getRevision() { return EW_REVISION; }

llvm::StringRef ew::getBuildType() { return EW_BUILD_TYPE; }

void ew::printVersion(llvm::raw_ostream &os) {
  os << "EW " << getVersion() << " (" << getRevision() << ", " << getBuildType()
     << ")\n"
     << "LLVM " << LLVM_VERSION_STRING << "\n";
}
