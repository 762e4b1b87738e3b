//===- Search.h - Finds the fastest schedule of a kernel --------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is tried in which order, and what follows from what was measured.
// Nothing here knows what a kernel is: see Bench.h. docs/Tuning.md says why it
// is as it is.
//
//===----------------------------------------------------------------------===//

#ifndef EW_TUNING_SEARCH_H
#define EW_TUNING_SEARCH_H

#include "ew/Tuning/Database.h"
#include "ew/Tuning/Space.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <vector>

namespace ew::tuning {

/// What a search measures with.
class Bench {
public:
  virtual ~Bench() = default;
  /// Makes a schedule ready to be timed; what it is called from now on. An
  /// error says why it cannot be. The same one may be added twice.
  virtual llvm::Expected<unsigned> add(const ScheduleChoice &choice) = 0;
  /// Lets it go.
  virtual void remove(unsigned candidate) = 0;
  /// Seconds of a call, over as many as it takes to tell.
  virtual llvm::Expected<double> sample(unsigned candidate) = 0;
  /// Whether its results are those of `reference`, and right. What is wrong
  /// with them, or nothing.
  virtual llvm::Expected<std::string> findMistake(unsigned candidate,
                                                  unsigned reference) = 0;
};

struct SearchOptions {
  /// What is left to do in the end, to make sure of the best, is part of it: as
  /// far as that is known from the samples before, no schedule is tried that
  /// would leave too little for it.
  double budgetSeconds = 30;
  /// Tried first: what was best so far.
  std::vector<ScheduleChoice> seeds;
  unsigned waveSize = 12;
  unsigned maxRounds = 25;     // of a wave
  unsigned confirmRounds = 21; // of the best beside the policy's
  /// Less than this is no gain.
  double minGain = 0.005;
  /// Seconds, from anywhere on; for tests.
  std::function<double()> clock;
};

/// Told as it happens.
struct SearchListener {
  virtual ~SearchListener() = default;
  /// Something came to an end; what it was will not be tried again.
  virtual llvm::Error onTried(const Tried &) { return llvm::Error::success(); }
  /// How many schedules were dealt with, of those known to be of interest.
  virtual void onProgress(unsigned done, unsigned known) {}
};

struct SearchResult {
  Entry entry; // schedule, speedup, spread, seconds, complete
  double modelSeconds = 0;
  std::vector<Tried> tried; // this time
  unsigned skipped = 0;     // known from before
  unsigned left = 0;        // known to be of interest, and not tried
  /// The fastest of those that seemed faster than the policy's, by how much,
  /// and were not believed: the times differ by as much by themselves. Empty:
  /// there was none.
  ScheduleChoice doubtful;
  double doubtfulSpeedup = 1;
};

/// Tries schedules around the policy's (space.model), then around the best.
/// `known` is what an earlier search found out.
llvm::Expected<SearchResult> search(const Space &space, Bench &bench,
                                    llvm::ArrayRef<Tried> known,
                                    const SearchOptions &options,
                                    SearchListener &listener);

/// How likely at least `count` of `rounds` come out one way if either way is as
/// likely: small where they did so for a reason.
double signTest(unsigned count, unsigned rounds);

} // namespace ew::tuning

#endif // EW_TUNING_SEARCH_H
