//===- CacheTest.cpp - Compiled programs on disk --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Cache.h"
#include "TestSupport.h"
#include "ew/Runtime/AtomicFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ew::runtime;
using namespace ew::runtime::test;
using Found = std::optional<std::string>;

namespace {

CacheKey key(llvm::StringRef text) { return CacheKey().add("input", text); }

struct CacheTest : testing::Test {
  Cache make(uint64_t maxBytes = Cache::kDefaultMaxBytes) {
    return Cache(path, maxBytes, [this](llvm::StringRef text) {
      warnings.push_back(text.str());
    });
  }
  std::string entry(llvm::StringRef text) {
    return path + "/" + key(text).digest() + ".ewc";
  }

  TemporaryDirectory directory;
  std::string path = directory.file("cache/ew");
  std::vector<std::string> warnings;
};

TEST(CacheKey, PartsCannotRunIntoOneAnother) {
  EXPECT_EQ(CacheKey().add("a", "b").digest(),
            CacheKey().add("a", "b").digest());
  EXPECT_EQ(CacheKey().digest().size(), 64u);
  std::vector<std::string> digests = {
      CacheKey().digest(),
      CacheKey().add("", "").digest(),
      CacheKey().add("a", "bc").digest(),
      CacheKey().add("ab", "c").digest(),
      CacheKey().add("a", "").add("bc", "").digest(),
      CacheKey().add("", "a").add("", "bc").digest(),
  };
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::unique(digests.begin(), digests.end()), digests.end());
  CacheKey grown;
  std::string before = grown.add("a", "b").digest();
  EXPECT_EQ(grown.digest(), before); // asking changes nothing
  EXPECT_EQ(grown.add("c", "d").digest(),
            CacheKey().add("a", "b").add("c", "d").digest());
}

TEST_F(CacheTest, StoresAndFinds) {
  Cache cache = make();
  EXPECT_EQ(cache.lookup(key("a")), std::nullopt);
  std::string bytes("program\0with a null", 19);
  cache.store(key("a"), bytes);
  EXPECT_EQ(make().lookup(key("a")), Found(bytes));
  EXPECT_EQ(make().lookup(key("b")), std::nullopt);
  EXPECT_EQ(make(0).lookup(key("a")), std::nullopt); // no cache at all
  cache.store(key("a"), "other");
  EXPECT_EQ(make().lookup(key("a")), Found("other"));
  cache.store(key("empty"), "");
  EXPECT_EQ(make().lookup(key("empty")), Found(""));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, IsPrivate) {
  umask(0);
  Cache cache = make();
  cache.store(key("a"), "x");
  umask(022);
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(entry("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  // What others may write to is not read.
  for (unsigned mode : {0777, 0720, 0702}) {
    chmod(path.c_str(), mode);
    EXPECT_EQ(make().lookup(key("a")), std::nullopt);
    EXPECT_EQ(warnings,
              std::vector<std::string>{"working without the cache: '" + path +
                                       "' may be written to by other users"});
    warnings.clear();
  }
  // Nor what is theirs.
  chmod(path.c_str(), 0700);
  EXPECT_EQ(make().lookup(key("a")), Found("x"));
  if (geteuid() == 0 && chown(path.c_str(), 1, 1) == 0) {
    EXPECT_EQ(make().lookup(key("a")), std::nullopt);
    EXPECT_EQ(warnings,
              std::vector<std::string>{"working without the cache: '" + path +
                                       "' belongs to another user"});
  }
}

/// A pipe would be waited for.
TEST_F(CacheTest, WhatIsNoFileIsNoEntry) {
  Cache cache = make();
  cache.store(key("a"), "x");
  ASSERT_EQ(mkfifo(entry("b").c_str(), 0600), 0);
  alarm(10);
  EXPECT_EQ(cache.lookup(key("b")), std::nullopt);
  alarm(0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, DamagedEntriesAreMisses) {
  Cache cache = make();
  cache.store(key("a"), "the program");
  auto file = llvm::MemoryBuffer::getFile(entry("a"), false, false, true);
  std::string good = (*file)->getBuffer().str();
  for (size_t i = 0; i <= good.size() + 1; ++i) {
    std::string bad = good;
    if (i < good.size())
      bad[i] ^= 0x40; // one bit anywhere
    else
      bad += 'x';
    for (const std::string &bytes : {bad, good.substr(0, i)}) {
      if (bytes == good)
        continue;
      ASSERT_EQ(messageOf(writeFile(entry("a"), bytes)), "");
      EXPECT_EQ(cache.lookup(key("a")), std::nullopt) << i;
      EXPECT_FALSE(llvm::sys::fs::exists(entry("a")));
    }
  }
  // An entry under another's name is none.
  ASSERT_EQ(messageOf(writeFile(entry("b"), good)), "");
  EXPECT_EQ(cache.lookup(key("b")), std::nullopt);
  EXPECT_TRUE(warnings.empty());
  cache.store(key("a"), "again");
  EXPECT_EQ(cache.lookup(key("a")), Found("again"));
}

void setAge(const std::string &path, int hours) {
  int fd;
  ASSERT_FALSE(llvm::sys::fs::openFileForRead(path, fd));
  auto then = std::chrono::system_clock::now() - std::chrono::hours(hours);
  llvm::sys::fs::setLastAccessAndModificationTime(fd, then, then);
  close(fd);
}

TEST_F(CacheTest, EvictsWhatIsUnusedForLongest) {
  Cache cache = make(10000);
  std::string bytes(2900, 'x');
  for (const char *name : {"a", "b", "c"})
    cache.store(key(name), bytes);
  setAge(entry("a"), 3);
  setAge(entry("b"), 4);
  setAge(entry("c"), 2);
  EXPECT_TRUE(cache.lookup(key("b"))); // used now
  ASSERT_EQ(messageOf(writeFile(path + "/README", "not ours")), "");
  ASSERT_EQ(messageOf(writeFile(path + "/tmp-old", "left over")), "");
  ASSERT_EQ(messageOf(writeFile(path + "/tmp-new", "being written")), "");
  setAge(path + "/tmp-old", 2);
  setAge(path + "/README", 1000);
  ASSERT_EQ(messageOf(writeFile(path + "/notes.ewc", "not ours")), "");
  setAge(path + "/notes.ewc", 1000);
  cache.store(key("d"), bytes);
  EXPECT_FALSE(cache.lookup(key("a")));
  EXPECT_FALSE(llvm::sys::fs::exists(path + "/tmp-old"));
  EXPECT_TRUE(llvm::sys::fs::exists(path + "/tmp-new"));
  EXPECT_TRUE(llvm::sys::fs::exists(path + "/README"));
  EXPECT_TRUE(llvm::sys::fs::exists(path + "/notes.ewc"));
  // More than fits goes, for the next ones to come.
  EXPECT_FALSE(cache.lookup(key("c")));
  EXPECT_TRUE(cache.lookup(key("b")));
  EXPECT_TRUE(cache.lookup(key("d")));
  // What is larger than the whole cache empties nothing.
  cache.store(key("e"), std::string(20000, 'x'));
  EXPECT_FALSE(cache.lookup(key("e")));
  EXPECT_TRUE(cache.lookup(key("d")));
}

TEST_F(CacheTest, DirectoriesThatCannotBeUsed) {
  ASSERT_EQ(messageOf(writeFile(directory.file("cache"), "a file")), "");
  Cache cache = make();
  cache.store(key("a"), "x");
  cache.store(key("b"), "x");
  EXPECT_EQ(cache.lookup(key("a")), std::nullopt);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].find("working without the cache: cannot use '" + path),
            0u)
      << warnings[0];
  warnings.clear();
  path = directory.file("cache");
  make().store(key("a"), "x");
  EXPECT_EQ(warnings,
            std::vector<std::string>{"working without the cache: cannot use '" +
                                     path + "': Not a directory"});
}

TEST_F(CacheTest, FullDisk) {
  pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    Cache cache = make();
    cache.store(key("a"), std::string(10000, 'x'));
    cache.store(key("b"), std::string(10000, 'x'));
    std::error_code code;
    bool left = llvm::sys::fs::directory_iterator(path, code) !=
                llvm::sys::fs::directory_iterator();
    _exit(warnings.size() == 1 && !left ? 7 : 8);
  }
  int status;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(CacheTest, Environment) {
  setenv("EW_CACHE_DIR", path.c_str(), 1);
  EXPECT_EQ(Cache::fromEnvironment({}).getDirectory(), path);
  setenv("EW_CACHE_DIR", "", 1);
  Cache none = Cache::fromEnvironment({});
  EXPECT_EQ(none.getDirectory(), "");
  none.store(key("a"), "x");
  EXPECT_EQ(none.lookup(key("a")), std::nullopt);
  unsetenv("EW_CACHE_DIR");
  setenv("XDG_CACHE_HOME", "/x/y", 1);
  EXPECT_EQ(Cache::fromEnvironment({}).getDirectory(), "/x/y/ew");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(Cache::fromEnvironment({}).getDirectory(),
            "/home/someone/.cache/ew");
  unsetenv("XDG_CACHE_HOME");

  setenv("EW_CACHE_DIR", path.c_str(), 1);
  auto keeps = [&](const char *size, size_t bytes) {
    setenv("EW_CACHE_SIZE", size, 1);
    Cache cache = Cache::fromEnvironment(
        [&](llvm::StringRef text) { warnings.push_back(text.str()); });
    CacheKey id = key(size + std::to_string(bytes));
    cache.store(id, std::string(bytes, 'x'));
    return cache.lookup(id).has_value();
  };
  EXPECT_TRUE(keeps("2k", 2000));
  EXPECT_FALSE(keeps("2k", 2048));
  EXPECT_FALSE(keeps("0", 1));
  EXPECT_TRUE(warnings.empty());
  for (std::string size : {"lots", "17179869184G"}) {
    EXPECT_TRUE(keeps(size.c_str(), 5000));
    EXPECT_EQ(warnings, std::vector<std::string>{
                            "EW_CACHE_SIZE is '" + size +
                            "', which is no size like 500M; using 1G"});
    warnings.clear();
  }
  unsetenv("EW_CACHE_SIZE");
  unsetenv("EW_CACHE_DIR");
}

TEST_F(CacheTest, ManyProcessesAtOnce) {
  // Two payloads for every key, and a limit that keeps evicting: whatever is
  // found must be one of the two, whole.
  auto payload = [](int name, int version) {
    return std::string(3000 + 100 * name, 'a' + version);
  };
  std::vector<pid_t> children;
  for (int process = 0; process < 8; ++process) {
    pid_t child = fork();
    if (child == 0) {
      std::mt19937 random(process);
      Cache cache = make(20000);
      int hits = 0;
      for (int i = 0; i < 400; ++i) {
        int name = random() % 8;
        CacheKey id = key(std::to_string(name));
        if (auto found = cache.lookup(id)) {
          ++hits;
          if (*found != payload(name, 0) && *found != payload(name, 1))
            _exit(1);
        } else {
          cache.store(id, payload(name, random() % 2));
        }
      }
      _exit(hits == 0 ? 2 : warnings.empty() ? 0 : 3);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
}

} // namespace
