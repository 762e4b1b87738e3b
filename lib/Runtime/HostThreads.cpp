//===- HostThreads.cpp - How many threads the host has --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/HostThreads.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using llvm::StringRef;

static constexpr const char *kVariable = "OMP_NUM_THREADS";
/// LLVM's OpenMP library has no more.
static constexpr unsigned kMostThreads = 1 << 15;

/// A number for each level of nesting.
static bool isListOfNumbers(StringRef value) {
  return llvm::all_of(llvm::split(value, ','), [](StringRef part) {
    unsigned threads;
    return !part.trim().getAsInteger(10, threads) && threads >= 1 &&
           threads <= kMostThreads;
  });
}

void ew::runtime::checkHostThreads(StringRef tool) {
  std::optional<std::string> value = llvm::sys::Process::GetEnv(kVariable);
  if (!value || isListOfNumbers(*value))
    return;
  llvm::WithColor::warning(llvm::errs(), tool)
      << kVariable << " is '" << *value << "', no number of threads from 1 to "
      << kMostThreads << "; there is one for each processor\n";
  ::unsetenv(kVariable);
}
