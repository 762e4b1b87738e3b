//===- DatabaseTest.cpp - What is kept of searches ------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Database.h"

#include "TestSupport.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ew;
using namespace ew::tuning;
using namespace ew::runtime::test;

namespace {

const Key kKey = {"00ff", "sm_90 on NVIDIA H200", "2^26 wide",
                  "block=128,elements=4,unroll=1"};

Entry makeEntry(const char *schedule) {
  Entry entry;
  entry.schedule = llvm::cantFail(ScheduleChoice::parse(schedule));
  entry.speedup = 1.25;
  entry.spread = 0.01;
  entry.seconds = 1e-4;
  entry.complete = true;
  entry.description = "add on f32";
  entry.version = "0.1.0";
  entry.time = 1700000000;
  return entry;
}

Database openToWrite(llvm::StringRef path) {
  return llvm::cantFail(Database::openToWrite(path));
}
Database openToRead(llvm::StringRef path) {
  return llvm::cantFail(Database::openToRead(path));
}

/// Of a file that need not be ours.
void execute(const std::string &path, const char *sql) {
  sqlite3 *handle = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

std::string schedulesIn(llvm::StringRef path) {
  auto database = Database::openToRead(path);
  if (!database)
    return llvm::toString(database.takeError());
  auto entry = database->find(kKey);
  if (!entry)
    return llvm::toString(entry.takeError());
  return *entry ? (*entry)->schedule.str() : "none";
}

TEST(Database, KeepsWhatWasStored) {
  TemporaryDirectory directory;
  std::string path = directory.file("a/b/tuned.sqlite"); // folders are made
  {
    Database database = openToWrite(path);
    EXPECT_FALSE(take(database.find(kKey)));
    EXPECT_FALSE(bool(database.store(kKey, makeEntry("block=256"))));
    EXPECT_FALSE(bool(database.store(kKey, makeEntry("block=512,unroll=2"))));
    Tried tried{{64, 4, 1}, Tried::State::Failed, 0, "spills"};
    EXPECT_FALSE(bool(database.store(kKey, tried)));
  }
  Database database = openToRead(path);
  std::optional<Entry> entry = take(database.find(kKey));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->schedule.str(), "block=512,unroll=2");
  EXPECT_EQ(entry->speedup, 1.25);
  EXPECT_EQ(entry->spread, 0.01);
  EXPECT_EQ(entry->seconds, 1e-4);
  EXPECT_TRUE(entry->complete);
  EXPECT_EQ(entry->description, "add on f32");
  EXPECT_EQ(entry->version, "0.1.0");
  EXPECT_EQ(entry->time, 1700000000);
  std::vector<Tried> tried = take(database.findTried(kKey));
  ASSERT_EQ(tried.size(), 1u);
  EXPECT_EQ(tried[0].schedule, ScheduleChoice({64, 4, 1}));
  EXPECT_EQ(tried[0].state, Tried::State::Failed);
  EXPECT_EQ(tried[0].note, "spills");
  EXPECT_EQ(take(database.list()).size(), 1u);
}

TEST(Database, EveryPartOfTheKeyCounts) {
  TemporaryDirectory directory;
  Database database = openToWrite(directory.file("db"));
  EXPECT_FALSE(bool(database.store(kKey, makeEntry("block=256"))));
  for (std::string Key::*part :
       {&Key::kernel, &Key::device, &Key::sizes, &Key::model}) {
    Key other = kKey;
    other.*part += "x";
    EXPECT_FALSE(take(database.find(other)));
  }
  // Nor an entry of another space.
  execute(directory.file("db"), "UPDATE entry SET space = space + 1");
  EXPECT_FALSE(take(database.find(kKey)));
  EXPECT_TRUE(take(database.list()).empty());
}

TEST(Database, Forgets) {
  TemporaryDirectory directory;
  Database database = openToWrite(directory.file("db"));
  Key other = kKey;
  other.sizes = "2^12 wide";
  Key third = kKey;
  third.kernel = "11ee";
  for (const Key &key : {kKey, other, third})
    EXPECT_FALSE(bool(database.store(key, makeEntry("block=256"))));
  EXPECT_EQ(take(database.forget(kKey.kernel, "another device")), 0u);
  EXPECT_EQ(take(database.forget(kKey.kernel, kKey.device)), 2u);
  EXPECT_TRUE(take(database.find(third)));
  EXPECT_EQ(take(database.forgetAll()), 1u);
  EXPECT_TRUE(take(database.list()).empty());
}

TEST(Database, NoFileHasNoEntries) {
  TemporaryDirectory directory;
  EXPECT_EQ(schedulesIn(directory.file("none")), "none");
  EXPECT_TRUE(directory.list().empty());
  std::string empty = directory.file("empty");
  std::error_code code;
  llvm::raw_fd_ostream(empty, code).close();
  EXPECT_EQ(schedulesIn(empty), "none");
  EXPECT_FALSE(bool(openToWrite(empty).store(kKey, makeEntry("block=256"))));
  EXPECT_EQ(schedulesIn(empty), "block=256");
}

TEST(Database, SaysWhatIsWrongWithAFile) {
  TemporaryDirectory directory;
  std::string path = directory.file("db");
  std::error_code code;
  {
    llvm::raw_fd_ostream os(path, code);
    os << std::string(10000, 'x');
  }
  EXPECT_EQ(schedulesIn(path),
            "database '" + path + "': file is not a database");
  EXPECT_EQ(messageOf(Database::openToWrite(path)),
            "database '" + path + "': file is not a database");
  ::unlink(path.c_str());
  execute(path, "CREATE TABLE music (title TEXT)");
  EXPECT_EQ(schedulesIn(path),
            "database '" + path + "' is none of tuned schedules");
  EXPECT_EQ(messageOf(Database::openToWrite(path)),
            "database '" + path + "' is none of tuned schedules");
  ::unlink(path.c_str());
  llvm::consumeError(openToWrite(path).store(kKey, makeEntry("block=256")));
  execute(path, "PRAGMA user_version = 99");
  EXPECT_EQ(schedulesIn(path),
            "database '" + path + "' was made by a newer version of EW");
  execute(path, "PRAGMA user_version = 1");
  EXPECT_EQ(schedulesIn(path), "block=256");
  execute(path, "UPDATE entry SET schedule = 'block=7'");
  EXPECT_EQ(
      schedulesIn(path),
      "database '" + path +
          "': schedule 'block=7': block must be a multiple of 32 up to 1024");
  execute(path, "DROP TABLE entry");
  EXPECT_EQ(schedulesIn(path), "database '" + path + "': no such table: entry");
  EXPECT_EQ(messageOf(Database::openToWrite("/proc/none/db")),
            "cannot make the folder '/proc/none': No such file or directory");
  EXPECT_EQ(messageOf(Database::openToWrite(directory.path)),
            "database '" + directory.path.str().str() + "' is a folder");
}

/// As a user who may read the file and nothing else.
TEST(Database, MayBeReadOnly) {
  TemporaryDirectory directory;
  std::string path = directory.file("db");
  llvm::consumeError(openToWrite(path).store(kKey, makeEntry("block=256")));
  ::chmod(directory.path.c_str(), 0555);
  ::chmod(path.c_str(), 0444);
  pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534))
      ::_exit(3);
    bool reads = schedulesIn(path) == "block=256";
    bool writes = messageOf(Database::openToWrite(path)) !=
                  "database '" + path + "' may not be written to";
    ::_exit(reads ? writes : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ::chmod(directory.path.c_str(), 0755);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Database, ManyWriteAtOnce) {
  TemporaryDirectory directory;
  std::string path = directory.file("db");
  // Connections of their own, as in processes; the first ones make the tables.
  std::vector<std::thread> writers;
  for (unsigned writer = 0; writer < 4; ++writer)
    writers.emplace_back([&, writer] {
      Database database = openToWrite(path);
      for (unsigned i = 0; i < 10; ++i) {
        Key key = kKey;
        key.kernel = std::to_string(writer) + "," + std::to_string(i);
        EXPECT_EQ(messageOf(database.store(key, makeEntry("block=256"))), "");
      }
    });
  for (std::thread &writer : writers)
    writer.join();
  EXPECT_EQ(take(openToRead(path).list()).size(), 40u);
}

/// Tuned schedules are a help, not worth a wait that a user would notice.
TEST(Database, AReaderWaitsASecond) {
  TemporaryDirectory directory;
  std::string path = directory.file("db");
  llvm::consumeError(openToWrite(path).store(kKey, makeEntry("block=256")));
  sqlite3 *writer = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr),
            SQLITE_OK);
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(messageOf(Database::openToRead(path)),
            "database '" + path + "': database is locked");
  std::chrono::duration<double> waited =
      std::chrono::steady_clock::now() - begin;
  EXPECT_GE(waited.count(), 0.5);
  EXPECT_LE(waited.count(), 5);
  sqlite3_close(writer);
  EXPECT_EQ(schedulesIn(path), "block=256");
}

TEST(Database, DefaultPlace) {
  ::setenv("EW_TUNE_DB", "/somewhere/db", 1);
  EXPECT_EQ(Database::getDefaultPath(), "/somewhere/db");
  ::setenv("EW_TUNE_DB", "", 1);
  EXPECT_EQ(Database::getDefaultPath(), "");
  ::unsetenv("EW_TUNE_DB");
  ::setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(Database::getDefaultPath(), "/data/ew/tuned.sqlite");
  ::setenv("XDG_DATA_HOME", "relative", 1);
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(Database::getDefaultPath(),
            "/home/me/.local/share/ew/tuned.sqlite");
  ::setenv("EW_TUNE_DB", "", 1);
  ::unsetenv("XDG_DATA_HOME");
}

} // namespace
