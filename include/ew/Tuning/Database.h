//===- Database.h - Schedules that were found by measuring ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One SQLite file, which several processes may read and write at once: each
// change is a transaction, and who comes second waits. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef EW_TUNING_DATABASE_H
#define EW_TUNING_DATABASE_H

#include "ew/Codegen/Schedule/Choice.h"
#include "ew/Tuning/Key.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ew::tuning {

/// What a search came to.
struct Entry {
  /// Empty: nothing was found that beats the policy's.
  ScheduleChoice schedule;
  /// How many times as fast as the policy's, and what two measurements of one
  /// schedule differ by; 0.01 is a percent.
  double speedup = 1, spread = 0;
  double seconds = 0; // of a call
  /// Whether nothing is left to look at; otherwise a search goes on.
  bool complete = false;
  std::string description; // "ew.mul, ew.sin; default mode"
  std::string version;     // of EW
  int64_t time = 0;        // when, in seconds since 1970
};

/// A schedule that a search has dealt with.
struct Tried {
  enum class State : uint8_t {
    Slower, // than another one, with confidence
    Close,  // not told apart from the best
    Failed, // does not compile, or spills
    Wrong,  // gives other results
  };
  ScheduleChoice schedule;
  State state = State::Close;
  double ratio = 0; // its time over that of the policy's
  std::string note; // why it failed
};
llvm::StringRef getName(Tried::State state);

class Database {
public:
  /// Whose file need not be there: it has no entries then. One that is no
  /// database of this kind, or of a newer EW, is an error.
  static llvm::Expected<Database> openToRead(llvm::StringRef path);
  /// Makes the file, and the folder that it is in.
  static llvm::Expected<Database> openToWrite(llvm::StringRef path);
  /// EW_TUNE_DB, or ew/tuned.sqlite in XDG_DATA_HOME or ~/.local/share; empty
  /// where EW_TUNE_DB is, or where there is no home.
  static std::string getDefaultPath();

  Database(Database &&other);
  Database &operator=(Database &&) = delete;
  ~Database();

  llvm::Expected<std::optional<Entry>> find(const Key &key);
  /// In the place of what was there.
  llvm::Error store(const Key &key, const Entry &entry);
  llvm::Expected<std::vector<Tried>> findTried(const Key &key);
  llvm::Error store(const Key &key, const Tried &tried);
  /// Of this schedule space, by device, kernel and sizes.
  llvm::Expected<std::vector<std::pair<Key, Entry>>> list();
  /// Removes what is known of a kernel on a device at any size, or everything.
  /// Returns how many entries there were.
  llvm::Expected<unsigned> forget(llvm::StringRef kernel,
                                  llvm::StringRef device);
  llvm::Expected<unsigned> forgetAll();

private:
  class Statement;
  explicit Database(llvm::StringRef path) : path(path) {}
  llvm::Error open(bool write);
  llvm::Error makeTables();
  llvm::Error checkSchema(bool &empty);
  llvm::Error run(const char *sql);
  llvm::Expected<int64_t> getNumber(const char *sql);
  llvm::Error fail(llvm::StringRef what);

  std::string path;
  sqlite3 *handle = nullptr; // null: there is no file
};

} // namespace ew::tuning

#endif // EW_TUNING_DATABASE_H
