//===- ExitCode.h - What tools end with -------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_COMMON_EXITCODE_H
#define EW_TOOLS_COMMON_EXITCODE_H

namespace ew::tools {

/// The exit codes that README lists.
enum ExitCode {
  kSuccess = 0,
  kFailure = 1, // the program, an input, an output or a database is at fault
  kUsage = 2,   // the command line is
  kWrong = 3,   // results are wrong, or are not what was expected
  kUnavailable = 4, // no such device, or not enough memory
  kInterrupted = 130,
};

} // namespace ew::tools

#endif // EW_TOOLS_COMMON_EXITCODE_H
