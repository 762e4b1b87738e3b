//===- AtomicFile.cpp - Files that are whole or not there -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/AtomicFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace ew::runtime {

AtomicFile::AtomicFile() = default;
AtomicFile::AtomicFile(AtomicFile &&) = default;

AtomicFile::~AtomicFile() {
  if (stream) {
    // The error was reported by commit(), or nobody wants the file.
    stream->flush();
    stream->clear_error();
    stream.reset();
  }
  if (temporary)
    consumeError(temporary->discard());
}

static Error cannotWrite(StringRef path, std::error_code code) {
  return createStringError(code,
                           "cannot write '" + path + "': " + code.message());
}

Expected<AtomicFile> AtomicFile::create(StringRef path) {
  AtomicFile file;
  file.path = path.str();
  SmallString<128> target(path);
  sys::fs::file_status status;
  bool exists = !sys::fs::status(path, status);
  if (exists && sys::fs::is_directory(status))
    return cannotWrite(path, std::make_error_code(std::errc::is_a_directory));
  // What has no name that could be given to another file (/dev/stdout of a
  // batch is memory) is written to, behind what is there.
  bool nameless = exists && status.getLinkCount() == 0;
  if (exists && (nameless || !sys::fs::is_regular_file(status))) {
    outs().flush(); // it may be the same
    std::error_code code;
    file.stream = std::make_unique<raw_fd_ostream>(
        path, code, nameless ? sys::fs::OF_Append : sys::fs::OF_None);
    if (code)
      return cannotWrite(path, code);
    return file;
  }
  if (exists) {
    // A rename would get around the file's own protection.
    if (::access(file.path.c_str(), W_OK))
      return cannotWrite(path, errnoAsErrorCode());
    if (std::error_code code = sys::fs::real_path(path, target))
      return cannotWrite(path, code);
  }
  file.target = target.str().str();
  unsigned mode = exists ? static_cast<unsigned>(status.permissions())
                         : sys::fs::all_read | sys::fs::all_write;
  // Known to the signal handlers before it exists: a signal between its
  // creation and TempFile's own registration would leave it behind.
  SmallString<128> name;
  sys::fs::createUniquePath(Twine(file.target) + ".tmp%%%%%%%%", name,
                            /*MakeAbsolute=*/false);
  sys::RemoveFileOnSignal(name);
  auto temporary = sys::fs::TempFile::create(name, mode);
  if (!temporary) {
    sys::DontRemoveFileOnSignal(name);
    return cannotWrite(path, errorToErrorCode(temporary.takeError()));
  }
  file.temporary = std::make_unique<sys::fs::TempFile>(std::move(*temporary));
  if (exists) // past the umask
    ::fchmod(file.temporary->FD, status.permissions());
  file.stream = std::make_unique<raw_fd_ostream>(file.temporary->FD,
                                                 /*shouldClose=*/false);
  return file;
}

raw_ostream &AtomicFile::os() { return *stream; }

Error AtomicFile::commit() {
  stream->flush();
  std::error_code code = stream->error();
  stream->clear_error();
  stream.reset();
  if (code)
    return cannotWrite(path, code);
  if (!temporary)
    return Error::success();
  Error error = temporary->keep(target);
  temporary.reset();
  if (!error)
    return Error::success();
  code = errorToErrorCode(std::move(error));
  // Where another thread handles a signal, it has removed the file and is about
  // to end the process: that is what the user is to see.
  if (code == std::errc::no_such_file_or_directory)
    std::this_thread::sleep_for(std::chrono::seconds(1));
  return cannotWrite(path, code);
}

Error writeFile(StringRef path, StringRef bytes) {
  auto file = AtomicFile::create(path);
  if (!file)
    return file.takeError();
  file->os() << bytes;
  return file->commit();
}

/// Ends the process as the closed pipe's signal does by default, so that a
/// shell sees 141 as from any other program.
static void endOnClosedPipe(int signal) {
  sys::RunInterruptHandlers(); // removes the files
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  ::raise(signal); // delivered when this handler returns
}

void removeUnfinishedFilesOnSignals() {
  struct sigaction action = {};
  SmallVector<int, 4> ignored = {SIGXFSZ}; // writing fails instead
  for (int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM})
    if (!::sigaction(signal, nullptr, &action) && action.sa_handler == SIG_IGN)
      ignored.push_back(signal);
  // Installs LLVM's handlers, which remove the files and raise the signal once
  // more. What the parent ignores, as `nohup` does, stays ignored.
  sys::RemoveFileOnSignal("");
  sys::DontRemoveFileOnSignal("");
  action = {};
  action.sa_handler = SIG_IGN;
  for (int signal : ignored)
    ::sigaction(signal, &action, nullptr);
  // LLVM's handler for SIGPIPE ends the process with a status of its own, or
  // isn't there at all. Where the parent ignores SIGPIPE, writing fails
  // instead.
  if (::sigaction(SIGPIPE, nullptr, &action) || action.sa_handler == SIG_IGN)
    return;
  action = {};
  action.sa_handler = endOnClosedPipe;
  ::sigaction(SIGPIPE, &action, nullptr);
}

Error flushStandardOutput() {
  outs().flush();
  std::error_code code = outs().error();
  // Otherwise the stream's destructor ends the process with an abort.
  outs().clear_error();
  if (code)
    return cannotWrite("standard output", code);
  return Error::success();
}

void checkStandardOutputAtExit(StringRef tool) {
  static std::string name;
  name = tool.str();
  outs(); // what is constructed first is destroyed last
  std::atexit([] {
    Error error = flushStandardOutput();
    if (!error)
      return;
    WithColor::error(errs(), name) << toString(std::move(error)) << "\n";
    std::_Exit(1);
  });
}

} // namespace ew::runtime
