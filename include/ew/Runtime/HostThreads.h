//===- HostThreads.h - How many threads the host has ------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_HOSTTHREADS_H
#define EW_RUNTIME_HOSTTHREADS_H

#include "llvm/ADT/StringRef.h"

namespace ew::runtime {

/// Takes OMP_NUM_THREADS out of the environment, with a warning, where it is
/// not a list of numbers of threads: OpenMP's library ends the process over
/// some such values and waits forever over others. Before any thread starts.
void checkHostThreads(llvm::StringRef tool);

} // namespace ew::runtime

#endif // EW_RUNTIME_HOSTTHREADS_H
