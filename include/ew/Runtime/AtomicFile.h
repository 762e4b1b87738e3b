//===- AtomicFile.h - Files that are whole or not there ---------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_ATOMICFILE_H
#define EW_RUNTIME_ATOMICFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class raw_fd_ostream;
class raw_ostream;
namespace sys::fs {
class TempFile;
} // namespace sys::fs
} // namespace llvm

namespace ew::runtime {

/// An output that appears under its name only when it is complete: it is
/// written beside the target and renamed by commit(). Without commit(), or when
/// a signal ends the process, nothing is left. Devices and pipes (/dev/null,
/// /dev/stdout) are written directly, and a symbolic link is followed.
class AtomicFile {
public:
  /// An error where nothing can be written there.
  static llvm::Expected<AtomicFile> create(llvm::StringRef path);
  AtomicFile(AtomicFile &&);
  ~AtomicFile();

  llvm::raw_ostream &os();

  /// Writes out what is buffered and gives the file its name.
  llvm::Error commit();

private:
  AtomicFile();

  std::string path;   // as the user wrote it, for messages
  std::string target; // with links followed
  std::unique_ptr<llvm::sys::fs::TempFile> temporary; // none: written directly
  std::unique_ptr<llvm::raw_fd_ostream> stream;
};

/// Writes `bytes` to `path` by way of an AtomicFile.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// For a tool's main: removes unfinished files on SIGINT, SIGTERM, SIGHUP and
/// on a closed pipe, after which the process ends as that signal would end it.
void removeUnfinishedFilesOnSignals();

/// Flushes standard output; an error where it could not all be written.
llvm::Error flushStandardOutput();

/// For a tool's main: where standard output could not all be written when the
/// process ends, --help's text included, it says so and ends with 1.
void checkStandardOutputAtExit(llvm::StringRef tool);

} // namespace ew::runtime

#endif // EW_RUNTIME_ATOMICFILE_H
