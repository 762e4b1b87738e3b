//===- AtomicFileTest.cpp - Files that are whole or not there -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/AtomicFile.h"
#include "TestSupport.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

std::string contents(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "(none)";
}

/// Runs `body` in a process of its own and returns how it ended.
template <typename Body>
int inChild(Body body) {
  pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  TemporaryDirectory directory;
  std::string path = directory.file("y");
  {
    AtomicFile file = llvm::cantFail(AtomicFile::create(path));
    file.os() << "new";
    EXPECT_EQ(contents(path), "(none)");
    EXPECT_EQ(messageOf(file.commit()), "");
  }
  EXPECT_EQ(contents(path), "new");
  {
    AtomicFile file = llvm::cantFail(AtomicFile::create(path));
    file.os() << "abandoned";
  }
  EXPECT_EQ(contents(path), "new");
  EXPECT_EQ(directory.list(), std::vector<std::string>({"y"}));
}

TEST(AtomicFile, KeepsModeAndLink) {
  TemporaryDirectory directory;
  std::string real = directory.file("real"), link = directory.file("link");
  ASSERT_EQ(messageOf(writeFile(real, "old")), "");
  llvm::sys::fs::setPermissions(real, llvm::sys::fs::perms(0640));
  ASSERT_EQ(symlink(real.c_str(), link.c_str()), 0);
  EXPECT_EQ(messageOf(writeFile(link, "new")), "");
  EXPECT_EQ(contents(real), "new");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(link));
  EXPECT_EQ(llvm::cantFail(
                llvm::errorOrToExpected(llvm::sys::fs::getPermissions(real))),
            llvm::sys::fs::perms(0640));
}

TEST(AtomicFile, Errors) {
  TemporaryDirectory directory;
  std::string path = directory.path.str().str();
  EXPECT_EQ(messageOf(writeFile(path, "")),
            "cannot write '" + path + "': Is a directory");
  EXPECT_EQ(messageOf(writeFile("/nonexistent/y", "")),
            "cannot write '/nonexistent/y': No such file or directory");
  // A device that is always full; written directly, since it is no file.
  EXPECT_EQ(messageOf(writeFile("/dev/full", "x")),
            "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(messageOf(writeFile("/dev/null", "x")), "");
  if (geteuid() != 0) {
    std::string locked = directory.file("locked");
    ASSERT_EQ(messageOf(writeFile(locked, "")), "");
    llvm::sys::fs::setPermissions(locked, llvm::sys::fs::perms(0400));
    EXPECT_EQ(messageOf(writeFile(locked, "x")),
              "cannot write '" + locked + "': Permission denied");
  }
}

TEST(AtomicFile, LimitedFileSizeLeavesNothing) {
  TemporaryDirectory directory;
  std::string path = directory.file("y");
  int status = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN); // so that a write fails as on a full disk
    rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string message = messageOf(writeFile(path, std::string(10000, 'x')));
    _exit(message == "cannot write '" + path + "': File too large" ? 7 : 8);
  });
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(directory.list().empty());
}

/// Whatever started the tests may ignore signals. Before any handler is
/// installed, since LLVM's bring back what was there.
static const bool heedsSignals = [] {
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    std::signal(signal, SIG_DFL);
  return true;
}();

TEST(AtomicFile, SignalsLeaveNothing) {
  ASSERT_TRUE(heedsSignals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    TemporaryDirectory directory;
    std::string path = directory.file("y");
    int status = inChild([&] {
      removeUnfinishedFilesOnSignals();
      AtomicFile file = llvm::cantFail(AtomicFile::create(path));
      file.os() << std::string(1 << 20, 'x');
      if (directory.list().size() != 1)
        _exit(9);
      raise(signal);
    });
    EXPECT_TRUE(WIFSIGNALED(status)) << signal << " " << status;
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_TRUE(directory.list().empty()) << signal;
  }
}

TEST(AtomicFile, IgnoredSignalsStayIgnored) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    TemporaryDirectory directory;
    std::string path = directory.file("y");
    int status = inChild([&] {
      std::signal(signal, SIG_IGN);
      removeUnfinishedFilesOnSignals();
      AtomicFile file = llvm::cantFail(AtomicFile::create(path));
      raise(signal);
      file.os() << "x";
      llvm::cantFail(file.commit());
      _exit(7);
    });
    EXPECT_EQ(WEXITSTATUS(status), 7) << signal;
    EXPECT_EQ(directory.list().size(), 1u) << signal;
  }
}

TEST(AtomicFile, ClosedStandardOutput) {
  int status = inChild([] {
    dup2(open("/dev/full", O_WRONLY), 1);
    llvm::outs() << "x";
    std::string message = messageOf(flushStandardOutput());
    _exit(message == "cannot write 'standard output': No space left on device"
              ? 7
              : 8);
  });
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

} // namespace
