//===- Database.cpp - Schedules that were found by measuring --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Database.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <sqlite3.h>

using namespace ew;
using namespace ew::tuning;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Says that a database is ours, and which tables it has.
static constexpr int64_t kApplication = 0x45575455; // "EWTU"
static constexpr int64_t kSchema = 1;
/// How long a process waits for another one that writes, which takes
/// milliseconds. One that has measured for minutes waits longer than one that
/// can do without tuned schedules.
static constexpr int kWriterWaitsMs = 10000, kReaderWaitsMs = 1000;

// The journal is SQLite's default, which is rolled back, and not a write-ahead
// log: that cannot be read where nobody may write, nor be shared over a
// network.
static constexpr const char *kTables = R"(
CREATE TABLE entry (
  kernel TEXT NOT NULL, device TEXT NOT NULL, sizes TEXT NOT NULL,
  model TEXT NOT NULL, space INTEGER NOT NULL,
  schedule TEXT NOT NULL, speedup REAL NOT NULL, spread REAL NOT NULL,
  seconds REAL NOT NULL, complete INTEGER NOT NULL,
  description TEXT NOT NULL, version TEXT NOT NULL, time INTEGER NOT NULL,
  PRIMARY KEY (kernel, device, sizes, model, space)) WITHOUT ROWID;
CREATE TABLE tried (
  kernel TEXT NOT NULL, device TEXT NOT NULL, sizes TEXT NOT NULL,
  model TEXT NOT NULL, space INTEGER NOT NULL,
  schedule TEXT NOT NULL, state TEXT NOT NULL, ratio REAL NOT NULL,
  note TEXT NOT NULL,
  PRIMARY KEY (kernel, device, sizes, model, space, schedule)) WITHOUT ROWID;
)";
static constexpr const char *kWhere = " WHERE kernel = ? AND device = ? AND "
                                      "sizes = ? AND model = ? AND space = ?";

StringRef tuning::getName(Tried::State state) {
  switch (state) {
  case Tried::State::Slower:
    return "slower";
  case Tried::State::Close:
    return "close";
  case Tried::State::Failed:
    return "failed";
  case Tried::State::Wrong:
    return "wrong";
  }
  return "";
}

static std::optional<Tried::State> parseState(StringRef name) {
  using State = Tried::State;
  for (State state : {State::Slower, State::Close, State::Failed, State::Wrong})
    if (getName(state) == name)
      return state;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// A statement and its parameters, which are bound in order. What goes wrong
/// shows when it is run.
class Database::Statement {
public:
  Statement(Database &database, const std::string &sql) : database(database) {
    status = sqlite3_prepare_v2(database.handle, sql.c_str(), sql.size() + 1,
                                &statement, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement); }

  Statement &bind(StringRef text) {
    if (status == SQLITE_OK)
      // Without data it would be no text but NULL.
      status =
          sqlite3_bind_text(statement, ++bound, text.empty() ? "" : text.data(),
                            text.size(), SQLITE_TRANSIENT);
    return *this;
  }
  Statement &bind(int64_t number) {
    if (status == SQLITE_OK)
      status = sqlite3_bind_int64(statement, ++bound, number);
    return *this;
  }
  Statement &bind(double number) {
    if (status == SQLITE_OK)
      status = sqlite3_bind_double(statement, ++bound, number);
    return *this;
  }
  Statement &bind(const Key &key) {
    return bind(StringRef(key.kernel))
        .bind(StringRef(key.device))
        .bind(StringRef(key.sizes))
        .bind(StringRef(key.model))
        .bind(int64_t(kScheduleSpace));
  }

  /// Whether there is one more row.
  Expected<bool> step() {
    if (status == SQLITE_OK || status == SQLITE_ROW)
      status = sqlite3_step(statement);
    if (status == SQLITE_ROW)
      return true;
    if (status == SQLITE_DONE)
      return false;
    return database.fail("");
  }
  Error run() {
    Expected<bool> row = step();
    return row ? Error::success() : row.takeError();
  }
  /// Calls `take` at every row, until one is at fault.
  Error forEachRow(llvm::function_ref<Error()> take) {
    while (true) {
      Expected<bool> row = step();
      if (!row)
        return row.takeError();
      if (!*row)
        return Error::success();
      if (Error error = take())
        return error;
    }
  }

  std::string text(int column) {
    auto *bytes =
        reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
    return bytes ? std::string(bytes, sqlite3_column_bytes(statement, column))
                 : std::string();
  }
  /// What was written by another hand names its place.
  Expected<ScheduleChoice> schedule(int column) {
    std::string written = text(column);
    Expected<ScheduleChoice> parsed = ScheduleChoice::parse(written);
    if (!parsed)
      return llvm::createStringError(
          "database '" + database.path + "': schedule '" + written +
          "': " + llvm::toString(parsed.takeError()));
    return parsed;
  }
  double number(int column) { return sqlite3_column_double(statement, column); }
  int64_t integer(int column) {
    return sqlite3_column_int64(statement, column);
  }

private:
  Database &database;
  sqlite3_stmt *statement = nullptr;
  int status, bound = 0;
};

Error Database::fail(StringRef what) {
  std::string why = handle ? sqlite3_errmsg(handle) : "out of memory";
  return llvm::createStringError("database '" + path + "': " + what + why);
}

Error Database::run(const char *sql) {
  if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return fail("");
  return Error::success();
}

Expected<int64_t> Database::getNumber(const char *sql) {
  Statement statement(*this, sql);
  Expected<bool> row = statement.step();
  if (!row)
    return row.takeError();
  return *row ? statement.integer(0) : 0;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

std::string Database::getDefaultPath() {
  if (auto set = llvm::sys::Process::GetEnv("EW_TUNE_DB"))
    return *set;
  llvm::SmallString<128> folder;
  auto base = llvm::sys::Process::GetEnv("XDG_DATA_HOME");
  if (base && llvm::sys::path::is_absolute(*base)) {
    folder = *base;
  } else {
    if (!llvm::sys::path::home_directory(folder))
      return "";
    llvm::sys::path::append(folder, ".local", "share");
  }
  llvm::sys::path::append(folder, "ew", "tuned.sqlite");
  return std::string(folder);
}

Database::Database(Database &&other)
    : path(std::move(other.path)),
      handle(std::exchange(other.handle, nullptr)) {}

Database::~Database() { sqlite3_close(handle); }

Error Database::open(bool write) {
  if (llvm::sys::fs::is_directory(path))
    return llvm::createStringError("database '" + path + "' is a folder");
  // To read, too, it is opened to write: what a process that was killed left
  // half done can then be rolled back. SQLite takes a file that may only be
  // read as it is.
  int flags = SQLITE_OPEN_READWRITE | (write ? SQLITE_OPEN_CREATE : 0);
  if (sqlite3_open_v2(path.c_str(), &handle, flags, nullptr) != SQLITE_OK)
    return fail("");
  sqlite3_busy_timeout(handle, write ? kWriterWaitsMs : kReaderWaitsMs);
  return Error::success();
}

Error Database::checkSchema(bool &empty) {
  Expected<int64_t> schema = getNumber("PRAGMA user_version");
  if (!schema)
    return schema.takeError();
  Expected<int64_t> application = getNumber("PRAGMA application_id");
  if (!application)
    return application.takeError();
  Expected<int64_t> tables = getNumber("SELECT count(*) FROM sqlite_schema");
  if (!tables)
    return tables.takeError();
  empty = *tables == 0 && *application == 0 && *schema == 0;
  if (!empty && *application != kApplication)
    return llvm::createStringError("database '" + path +
                                   "' is none of tuned schedules");
  if (*schema > kSchema)
    return llvm::createStringError("database '" + path +
                                   "' was made by a newer version of EW");
  return Error::success();
}

Error Database::makeTables() {
  // Two processes may come at once: the second one waits here, and finds them
  // made.
  if (Error error = run("BEGIN IMMEDIATE"))
    return error;
  bool empty = false;
  Error error = checkSchema(empty);
  if (!error && empty) {
    std::string sql = kTables;
    sql += "PRAGMA application_id = " + std::to_string(kApplication) +
           "; PRAGMA user_version = " + std::to_string(kSchema) + ";";
    error = run(sql.c_str());
  }
  if (error) {
    llvm::consumeError(run("ROLLBACK"));
    return error;
  }
  return run("COMMIT");
}

Expected<Database> Database::openToRead(StringRef path) {
  Database database(path);
  if (path.empty() || !llvm::sys::fs::exists(path))
    return std::move(database);
  if (Error error = database.open(/*write=*/false))
    return std::move(error);
  bool empty = false;
  if (Error error = database.checkSchema(empty))
    return std::move(error);
  if (empty) {
    sqlite3_close(database.handle);
    database.handle = nullptr;
  }
  return std::move(database);
}

Expected<Database> Database::openToWrite(StringRef path) {
  Database database(path);
  StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(folder))
      return llvm::createStringError(code, "cannot make the folder '" + folder +
                                               "': " + code.message());
  if (Error error = database.open(/*write=*/true))
    return std::move(error);
  if (sqlite3_db_readonly(database.handle, "main") == 1)
    return llvm::createStringError("database '" + path +
                                   "' may not be written to");
  if (Error error = database.makeTables())
    return std::move(error);
  return std::move(database);
}

//===----------------------------------------------------------------------===//
// What is in it
//===----------------------------------------------------------------------===//

static constexpr const char *kEntryColumns =
    "schedule, speedup, spread, seconds, complete, description, version, time";

template <typename Row>
static Expected<Entry> readEntry(Row &row, int first) {
  Entry entry;
  Expected<ScheduleChoice> schedule = row.schedule(first);
  if (!schedule)
    return schedule.takeError();
  entry.schedule = *schedule;
  entry.speedup = row.number(first + 1);
  entry.spread = row.number(first + 2);
  entry.seconds = row.number(first + 3);
  entry.complete = row.integer(first + 4);
  entry.description = row.text(first + 5);
  entry.version = row.text(first + 6);
  entry.time = row.integer(first + 7);
  return entry;
}

Expected<std::optional<Entry>> Database::find(const Key &key) {
  if (!handle)
    return std::nullopt;
  Statement query(*this, std::string("SELECT ") + kEntryColumns +
                             " FROM entry" + kWhere);
  Expected<bool> row = query.bind(key).step();
  if (!row)
    return row.takeError();
  if (!*row)
    return std::nullopt;
  Expected<Entry> entry = readEntry(query, 0);
  if (!entry)
    return entry.takeError();
  return std::move(*entry);
}

Error Database::store(const Key &key, const Entry &entry) {
  return Statement(*this,
                   std::string("INSERT OR REPLACE INTO entry (kernel, device, "
                               "sizes, model, space, ") +
                       kEntryColumns +
                       ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(key)
      .bind(StringRef(entry.schedule.str()))
      .bind(entry.speedup)
      .bind(entry.spread)
      .bind(entry.seconds)
      .bind(int64_t(entry.complete))
      .bind(StringRef(entry.description))
      .bind(StringRef(entry.version))
      .bind(entry.time)
      .run();
}

Expected<std::vector<Tried>> Database::findTried(const Key &key) {
  std::vector<Tried> all;
  if (!handle)
    return all;
  Statement query(*this, std::string("SELECT schedule, state, ratio, note "
                                     "FROM tried") +
                             kWhere + " ORDER BY schedule");
  query.bind(key);
  Error error = query.forEachRow([&]() -> Error {
    Tried tried;
    Expected<ScheduleChoice> schedule = query.schedule(0);
    if (!schedule)
      return schedule.takeError();
    std::optional<Tried::State> state = parseState(query.text(1));
    if (!state)
      return llvm::createStringError("database '" + path + "': no state '" +
                                     query.text(1) + "'");
    tried.schedule = *schedule;
    tried.state = *state;
    tried.ratio = query.number(2);
    tried.note = query.text(3);
    all.push_back(std::move(tried));
    return Error::success();
  });
  if (error)
    return std::move(error);
  return all;
}

Error Database::store(const Key &key, const Tried &tried) {
  return Statement(*this,
                   "INSERT OR REPLACE INTO tried (kernel, device, sizes, "
                   "model, space, schedule, state, ratio, note) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(key)
      .bind(StringRef(tried.schedule.str()))
      .bind(getName(tried.state))
      .bind(tried.ratio)
      .bind(StringRef(tried.note))
      .run();
}

Expected<std::vector<std::pair<Key, Entry>>> Database::list() {
  std::vector<std::pair<Key, Entry>> all;
  if (!handle)
    return all;
  Statement query(*this,
                  std::string("SELECT kernel, device, sizes, model, ") +
                      kEntryColumns +
                      " FROM entry WHERE space = ? "
                      "ORDER BY device, description, kernel, sizes, time");
  query.bind(int64_t(kScheduleSpace));
  Error error = query.forEachRow([&]() -> Error {
    Expected<Entry> entry = readEntry(query, 4);
    if (!entry)
      return entry.takeError();
    all.emplace_back(
        Key{query.text(0), query.text(1), query.text(2), query.text(3)},
        std::move(*entry));
    return Error::success();
  });
  if (error)
    return std::move(error);
  return all;
}

Expected<unsigned> Database::forget(StringRef kernel, StringRef device) {
  if (Error error = Statement(*this, "DELETE FROM tried "
                                     "WHERE kernel = ? AND device = ?")
                        .bind(kernel)
                        .bind(device)
                        .run())
    return std::move(error);
  if (Error error = Statement(*this, "DELETE FROM entry "
                                     "WHERE kernel = ? AND device = ?")
                        .bind(kernel)
                        .bind(device)
                        .run())
    return std::move(error);
  return sqlite3_changes(handle);
}

Expected<unsigned> Database::forgetAll() {
  if (Error error = run("DELETE FROM tried"))
    return std::move(error);
  // With a condition, so that what is deleted is counted.
  if (Error error = run("DELETE FROM entry WHERE true"))
    return std::move(error);
  return sqlite3_changes(handle);
}
