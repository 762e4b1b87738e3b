//===- Report.cpp - What ew-tune shows ------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "ew/Support/Plural.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include <chrono>

using namespace ew;
using namespace ew::tune;

using tuning::Entry;
using tuning::KernelReport;
using tuning::Tried;

/// Characters of the bar, and how often it moves.
static constexpr unsigned kBarWidth = 30;
static constexpr double kBarSeconds = 0.1;

static double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

Reporter::Reporter(const Options &options)
    : options(options), bar(llvm::sys::Process::StandardErrIsDisplayed()) {}

void Reporter::clearBar() {
  if (barShown)
    llvm::errs() << "\r\x1b[K";
  barShown = false;
}

void Reporter::onProgress(unsigned done, unsigned known) {
  // Not with lines of its own between: a terminal that is not one scrolls.
  if (!bar || now() - lastBar < kBarSeconds)
    return;
  lastBar = now();
  unsigned full = known ? done * kBarWidth / known : kBarWidth;
  llvm::errs() << "\r\x1b[K" << current << " [" << std::string(full, '#')
               << std::string(kBarWidth - full, '.') << "] " << done << " of "
               << plural(known, "schedule");
  barShown = true;
}

void Reporter::onKernel(const KernelReport &report) {
  current = report.name;
  if (!options.json && options.verbose)
    llvm::outs() << "kernel " << report.name << ": " << report.key.sizes
                 << ", the policy's schedule is " << report.key.model << "\n";
}

llvm::Error Reporter::onTried(const Tried &tried) {
  if (options.json || !options.verbose)
    return llvm::Error::success();
  clearBar();
  llvm::raw_ostream &os = llvm::outs();
  os << "  " << tried.schedule.str() << ": " << getName(tried.state);
  if (tried.ratio > 0)
    os << ", " << llvm::format("%.3f", tried.ratio) << " of the policy's time";
  if (!tried.note.empty())
    os << ": " << tried.note;
  os << "\n";
  os.flush(); // whoever watches a search is to see it
  return llvm::Error::success();
}

static std::string formatPercent(double fraction) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f%%", fraction * 100);
  return text;
}

static std::string formatTime(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.2f us", seconds * 1e6);
  return text;
}

/// "block=128,elements=4,unroll=1, 3.2% faster than the policy's".
static std::string describe(const Entry &entry, llvm::StringRef model) {
  std::string spread = formatPercent(entry.spread);
  if (entry.schedule.empty())
    return "the policy's schedule stays: " + model.str() + " (" +
           formatTime(entry.seconds) + "; spread " + spread + ")";
  return entry.schedule.str() + " is " + formatPercent(entry.speedup - 1) +
         " faster than the policy's " + model.str() + " (" +
         formatTime(entry.seconds) + "; spread " + spread + ")";
}

/// From here on a difference that matters may be lost in what the times differ
/// by themselves.
static constexpr double kNoisy = 0.05;

/// What measuring could not decide; empty where it did.
static std::string describeDoubt(const tuning::SearchResult &result) {
  std::string spread = formatPercent(result.entry.spread);
  std::string advice =
      "; let nothing else run on the device, or take larger inputs";
  if (!result.doubtful.empty())
    return result.doubtful.str() + " seemed " +
           formatPercent(result.doubtfulSpeedup - 1) +
           " faster, which the measurements do not bear out: one schedule "
           "differs from itself by " +
           spread + advice;
  if (result.entry.spread >= kNoisy)
    return "the measurements are noisy: one schedule differs from itself by " +
           spread + advice;
  return {};
}

static llvm::json::Object toJSON(const tuning::Key &key, const Entry &entry) {
  return llvm::json::Object{
      {"kernel", key.kernel},
      {"device", llvm::json::fixUTF8(key.device)},
      {"sizes", key.sizes},
      {"model", key.model},
      {"schedule", entry.schedule.empty() ? key.model : entry.schedule.str()},
      {"tuned", !entry.schedule.empty()},
      {"speedup", entry.speedup},
      {"spread", entry.spread},
      {"us", entry.seconds * 1e6},
      {"complete", entry.complete},
      {"description", llvm::json::fixUTF8(entry.description)},
      {"version", entry.version},
      {"time", entry.time}};
}

static llvm::json::Object toJSON(const KernelReport &report) {
  const tuning::SearchResult &result = report.result;
  llvm::json::Object row;
  if (report.skipped.empty()) {
    row = toJSON(report.key, result.entry);
    llvm::json::Array tried;
    for (const Tried &one : result.tried)
      tried.push_back(
          llvm::json::Object{{"schedule", one.schedule.str()},
                             {"state", getName(one.state)},
                             {"ratio", one.ratio},
                             {"note", llvm::json::fixUTF8(one.note)}});
    row["tried"] = std::move(tried);
    row["known_before"] = int64_t(result.skipped);
    row["from_database"] = report.known;
    row["measured"] = !report.unmeasured;
    row["model_us"] = result.modelSeconds * 1e6;
    row["buffer_sets"] = int64_t(report.sets);
    row["defeats_cache"] = report.defeatsCache;
    row["seconds"] = report.seconds;
    row["left"] = int64_t(result.left);
    if (std::string doubt =
            report.known || report.unmeasured ? "" : describeDoubt(result);
        !doubt.empty())
      row["doubt"] = doubt;
  } else {
    row["skipped"] = report.skipped;
    row["model"] = report.key.model;
  }
  row["name"] = report.name;
  row["location"] = llvm::json::fixUTF8(report.location);
  return row;
}

/// `budget` is in seconds.
static void print(const KernelReport &report, double budget) {
  const tuning::SearchResult &result = report.result;
  llvm::raw_ostream &os = llvm::outs();
  os << "kernel " << report.name << " (" << report.location << ")";
  if (!report.skipped.empty()) {
    os << ": not tuned, " << report.skipped << "\n";
    return;
  }
  os << ", " << report.key.sizes << "\n  ";
  if (report.unmeasured)
    os << "nothing was timed: the budget was spent on what comes before\n";
  if (!report.unmeasured)
    os << describe(result.entry, report.key.model) << "\n";
  else if (result.entry.seconds > 0)
    os << "  as found before: " << describe(result.entry, report.key.model)
       << "\n";
  if (report.known) {
    os << "  known from the database; ew-tune --forget lets it be searched "
          "again\n";
    return;
  }
  os << "  " << plural(result.tried.size(), "schedule") << " tried";
  if (result.skipped)
    os << ", " << result.skipped << " known from before";
  os << ", in " << llvm::format("%.1f", report.seconds) << " s";
  if (!report.defeatsCache)
    os << "; the buffers fit into a cache";
  os << "\n";
  if (std::string doubt = report.unmeasured ? "" : describeDoubt(result);
      !doubt.empty())
    os << "  warning: " << doubt << "\n";
  if (!result.entry.complete)
    os << "  the budget of " << llvm::format("%g", budget)
       << " s was spent before the end: "
       << (report.unmeasured && result.tried.empty()
               ? "a larger --budget is needed"
               : "the same command again goes on from here, for as long as its "
                 "--budget allows")
       << "\n";
  os.flush();
}

void Reporter::onKernelDone(const KernelReport &report) {
  clearBar();
  rows.push_back(toJSON(report));
  if (!options.json)
    print(report, options.budget);
}

void ew::tune::printEntries(
    llvm::ArrayRef<std::pair<tuning::Key, Entry>> entries,
    const Options &options) {
  if (options.json) {
    llvm::json::Array rows;
    for (const auto &[key, entry] : entries)
      rows.push_back(toJSON(key, entry));
    llvm::json::Object report{
        {"database", llvm::json::fixUTF8(options.database)},
        {"entries", std::move(rows)}};
    llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(report)))
                 << "\n";
    return;
  }
  llvm::outs() << entries.size()
               << (entries.size() == 1 ? " entry" : " entries") << " in "
               << options.database << "\n";
  for (const auto &[key, entry] : entries)
    llvm::outs() << entry.description << "\n  " << key.device << ", "
                 << key.sizes << "\n  " << describe(entry, key.model)
                 << (entry.complete ? "" : "; the search is not at its end")
                 << "\n";
}
