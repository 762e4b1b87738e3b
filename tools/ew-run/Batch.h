//===- Batch.h - Many runs of ew-run in one process -------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_EW_RUN_BATCH_H
#define EW_TOOLS_EW_RUN_BATCH_H

#include "common/Devices.h"
#include <string>

namespace ew::run {
using tools::Devices;

/// Runs the command lines of a file, or of standard input if it is "-", each as
/// ew-run by itself would, and reports each on standard output as soon as it is
/// done (docs/Batch.md). Returns the exit code of the first that failed.
int runBatch(const std::string &path, Devices &devices);

} // namespace ew::run

#endif // EW_TOOLS_EW_RUN_BATCH_H
