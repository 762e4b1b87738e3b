//===- Search.cpp - Finds the fastest schedule of a kernel ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Search.h"

#include "ew/Runtime/Timing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <chrono>
#include <cmath>

using namespace ew;
using namespace ew::tuning;
using llvm::Error;
using llvm::Expected;

/// A difference is believed where chance gives it once in a hundred times.
static constexpr double kConfidence = 0.01;
/// What is this much slower in each of the first rounds need not be waited for.
static constexpr unsigned kFirstRounds = 3;
static constexpr double kFarSlower = 1.1;
/// How many go on from one wave to the next, and may be the winner in the end.
static constexpr size_t kKept = 3;
/// A wave that the budget cuts short has at least so many rounds.
static constexpr unsigned kMinRounds = 7;

double tuning::signTest(unsigned count, unsigned rounds) {
  double sum = 0, term = std::pow(0.5, rounds); // of 0 out of `rounds`
  for (unsigned k = 0; k <= rounds; ++k) {
    if (k >= count)
      sum += term;
    term *= double(rounds - k) / (k + 1);
  }
  return std::min(sum, 1.0);
}

static double median(std::vector<double> values) {
  return runtime::summarize(std::move(values)).median;
}

namespace {
/// A schedule that is being timed.
struct Runner {
  ScheduleChoice choice;
  unsigned candidate = 0; // the bench's number
  /// Of this wave, by round: seconds.
  std::vector<double> samples = {};
  double ratio = 1; // median of its time over the policy's

  /// How many rounds it was slower in than another one, by a factor.
  unsigned slowerThan(const Runner &other, double factor = 1) const {
    unsigned count = 0;
    for (auto [mine, its] : llvm::zip_equal(samples, other.samples))
      count += mine > its * factor;
    return count;
  }
  std::vector<double> ratiosTo(const Runner &other) const {
    std::vector<double> ratios;
    for (auto [mine, its] : llvm::zip_equal(samples, other.samples))
      ratios.push_back(mine / its);
    return ratios;
  }
};

class Searcher {
public:
  Searcher(const Space &space, Bench &bench, const SearchOptions &options,
           SearchListener &listener)
      : space(space), bench(bench), options(options), listener(listener) {}
  ~Searcher() {
    for (unsigned candidate : added)
      bench.remove(candidate);
  }

  Expected<SearchResult> run(llvm::ArrayRef<Tried> known);

private:
  double now() const {
    if (options.clock)
      return options.clock();
    auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
  }
  double getLeft() const { return begin + options.budgetSeconds - now(); }
  /// Whether what is left is what making sure of the best takes: three
  /// schedules in rounds of their own, and a run of two to compare. Half of the
  /// budget at the most, so that a short one is not spent on waiting for its
  /// end.
  double getReserve() const {
    double reserve = (3 * options.confirmRounds + 2) * getSampleSeconds();
    return std::min(reserve, options.budgetSeconds / 2);
  }
  bool isSpent() const { return getLeft() <= getReserve(); }
  double getSampleSeconds() const {
    return sampled ? samplingSeconds / sampled : 0;
  }
  /// How many can be timed beside the policy's two in what is left: one at the
  /// least.
  size_t getWaveSize() const {
    double each = kMinRounds * getSampleSeconds();
    double fits =
        each > 0 ? (getLeft() - getReserve()) / each - 2 : options.waveSize;
    return std::max(1.0, std::min<double>(fits, options.waveSize));
  }

  std::vector<ScheduleChoice> getFrontier() const;
  Expected<std::optional<Runner>> start(const ScheduleChoice &choice);
  Error finish(const Runner &runner, Tried::State state,
               const std::string &note = "");
  Error takeRound(llvm::ArrayRef<Runner *> order, unsigned round);
  Error race(std::vector<Runner> &runners);
  /// Waves of schedules until none is left or the budget is spent.
  Error tryWaves();
  /// Of the best ones the first that computes the right results and is
  /// confirmed.
  Error chooseWinner();
  Expected<bool> confirm(Runner &runner);
  double measureSpread() const;
  void remove(unsigned candidate) {
    bench.remove(candidate);
    llvm::erase(added, candidate);
  }

  const Space &space;
  Bench &bench;
  const SearchOptions &options;
  SearchListener &listener;
  double begin = 0;
  double samplingSeconds = 0; // of all samples so far
  unsigned sampled = 0;
  /// The policy's schedule, and the same once more: what the two differ by is
  /// the error of all measuring here.
  Runner model, control;
  std::vector<Runner> best; // so far, in order
  llvm::StringSet<> visited;
  std::vector<unsigned> added;
  SearchResult result;
};
} // namespace

/// What is worth trying next, the most likely first.
std::vector<ScheduleChoice> Searcher::getFrontier() const {
  std::vector<ScheduleChoice> list;
  auto add = [&](llvm::ArrayRef<ScheduleChoice> choices) {
    for (const ScheduleChoice &choice : choices)
      if (!visited.contains(choice.str()) && !llvm::is_contained(list, choice))
        list.push_back(choice);
  };
  for (const ScheduleChoice &seed : options.seeds)
    if (space.contains(seed))
      add(seed);
  ScheduleChoice center = best.empty() ? space.model : best.front().choice;
  add(space.around(center, 1));
  add(space.around(space.model, 2));
  add(space.around(center, 2));
  return list;
}

Expected<std::optional<Runner>> Searcher::start(const ScheduleChoice &choice) {
  visited.insert(choice.str());
  Expected<unsigned> candidate = bench.add(choice);
  if (!candidate) {
    Tried tried{choice, Tried::State::Failed, 0,
                llvm::toString(candidate.takeError())};
    if (Error error = listener.onTried(tried))
      return std::move(error);
    result.tried.push_back(std::move(tried));
    return std::nullopt;
  }
  added.push_back(*candidate);
  return Runner{choice, *candidate};
}

Error Searcher::finish(const Runner &runner, Tried::State state,
                       const std::string &note) {
  remove(runner.candidate);
  Tried tried{runner.choice, state, runner.ratio, note};
  result.tried.push_back(tried);
  return listener.onTried(tried);
}

/// One sample of each. Who is first changes from round to round, so that what a
/// place in the order does to a time (clocks, heat, what is in a cache) evens
/// out.
Error Searcher::takeRound(llvm::ArrayRef<Runner *> order, unsigned round) {
  for (size_t i = 0; i < order.size(); ++i) {
    Runner &runner = *order[(i + round) % order.size()];
    double before = now();
    Expected<double> seconds = bench.sample(runner.candidate);
    samplingSeconds += now() - before;
    ++sampled;
    if (!seconds)
      return seconds.takeError();
    // A clock that does not move tells nothing, and must not be divided by.
    runner.samples.push_back(std::max(*seconds, 1e-12));
  }
  return Error::success();
}

/// Rounds in turn until the time of each is known well enough or it is known to
/// be slower than another one; what is left is in order after that.
Error Searcher::race(std::vector<Runner> &runners) {
  model.samples.clear();
  control.samples.clear();
  for (Runner &runner : runners)
    runner.samples.clear();
  for (unsigned round = 0; round < options.maxRounds && !runners.empty();
       ++round) {
    std::vector<Runner *> order = {&model, &control};
    for (Runner &runner : runners)
      order.push_back(&runner);
    if (Error error = takeRound(order, round))
      return error;
    unsigned rounds = round + 1;
    if (rounds < kFirstRounds)
      continue;
    const Runner *leader = &model;
    double least = 1;
    for (Runner &runner : runners) {
      runner.ratio = median(runner.ratiosTo(model));
      if (runner.ratio < least) {
        leader = &runner;
        least = runner.ratio;
      }
    }
    std::vector<Runner> left;
    Runner first = *leader; // `runners` is about to change
    for (Runner &runner : runners) {
      bool slower = runner.slowerThan(first, kFarSlower) == rounds ||
                    signTest(runner.slowerThan(first), rounds) <= kConfidence;
      if (!slower)
        left.push_back(std::move(runner));
      else if (Error error = finish(runner, Tried::State::Slower))
        return error;
    }
    runners = std::move(left);
    listener.onProgress(visited.size() - runners.size(),
                        visited.size() + getFrontier().size());
    if (rounds >= kMinRounds && isSpent())
      break;
  }
  llvm::sort(runners, [](const Runner &a, const Runner &b) {
    return a.ratio < b.ratio;
  });
  return Error::success();
}

/// What the same schedule differs by from itself: its median from 1, or what
/// lies between the rounds, whichever is more.
double Searcher::measureSpread() const {
  runtime::Statistics ratios = runtime::summarize(control.ratiosTo(model));
  if (ratios.count == 0)
    return 0;
  return std::max(std::abs(ratios.median - 1), (ratios.p80 - ratios.p20) / 2);
}

/// Whether it beats the policy's schedule, by samples that did not choose it:
/// the best of many is also the luckiest.
Expected<bool> Searcher::confirm(Runner &runner) {
  model.samples.clear();
  control.samples.clear();
  runner.samples.clear();
  std::vector<Runner *> order = {&model, &runner, &control};
  unsigned rounds = 0;
  while (rounds < options.confirmRounds &&
         (rounds < kMinRounds || getLeft() > 0))
    if (Error error = takeRound(order, rounds++))
      return std::move(error);
  runner.ratio = median(runner.ratiosTo(model));
  double spread = measureSpread(), speedup = median(model.ratiosTo(runner));
  result.entry.spread = spread;
  result.modelSeconds = median(model.samples);
  bool faster = signTest(model.slowerThan(runner), rounds) <= kConfidence;
  if (!faster || speedup - 1 <= std::max(spread, options.minGain)) {
    if (speedup - 1 > options.minGain && speedup > result.doubtfulSpeedup) {
      result.doubtful = runner.choice;
      result.doubtfulSpeedup = speedup;
    }
    return false;
  }
  result.entry.schedule = runner.choice;
  result.entry.speedup = speedup;
  result.entry.seconds = median(runner.samples);
  return true;
}

Expected<SearchResult> Searcher::run(llvm::ArrayRef<Tried> known) {
  begin = now();
  visited.insert(space.model.str());
  for (const Tried &tried : known)
    if (visited.insert(tried.schedule.str()).second)
      ++result.skipped;
  // Without the policy's schedule there is nothing to compare with.
  for (Runner *runner : {&model, &control}) {
    Expected<unsigned> candidate = bench.add(space.model);
    if (!candidate)
      return candidate.takeError();
    added.push_back(*candidate);
    *runner = {space.model, *candidate};
  }
  if (Error error = tryWaves())
    return std::move(error);
  if (!model.samples.empty()) {
    result.modelSeconds = median(model.samples);
    result.entry.spread = measureSpread();
  }
  result.entry.seconds = result.modelSeconds;
  if (Error error = chooseWinner())
    return std::move(error);
  listener.onProgress(visited.size(), visited.size());
  return std::move(result);
}

Error Searcher::tryWaves() {
  while (true) {
    std::vector<ScheduleChoice> frontier = getFrontier();
    listener.onProgress(visited.size() - best.size(),
                        visited.size() + frontier.size());
    result.entry.complete = frontier.empty();
    result.left = frontier.size();
    if (frontier.empty() || isSpent())
      return Error::success();
    if (!sampled) // how long one takes
      if (Error error = takeRound({&model}, 0))
        return error;
    std::vector<Runner> runners = std::move(best);
    best.clear();
    frontier.resize(std::min(frontier.size(), getWaveSize()));
    for (const ScheduleChoice &choice : frontier) {
      Expected<std::optional<Runner>> runner = start(choice);
      if (!runner)
        return runner.takeError();
      if (*runner)
        runners.push_back(std::move(**runner));
      if (isSpent())
        break;
    }
    if (Error error = race(runners))
      return error;
    for (auto [index, runner] : llvm::enumerate(runners)) {
      if (index < kKept && runner.ratio < 1)
        best.push_back(std::move(runner));
      else if (Error error = finish(runner, Tried::State::Close))
        return error;
    }
  }
}

Error Searcher::chooseWinner() {
  bool won = false;
  for (Runner &runner : best) {
    if (won) {
      if (Error error = finish(runner, Tried::State::Close))
        return error;
      continue;
    }
    Expected<std::string> mistake =
        bench.findMistake(runner.candidate, model.candidate);
    if (!mistake)
      return mistake.takeError();
    if (!mistake->empty()) {
      if (Error error = finish(runner, Tried::State::Wrong, *mistake))
        return error;
      continue;
    }
    Expected<bool> confirmed = confirm(runner);
    if (!confirmed)
      return confirmed.takeError();
    won = *confirmed;
    if (!won) {
      if (Error error = finish(runner, Tried::State::Close))
        return error;
      result.entry.seconds = result.modelSeconds;
    }
  }
  if (won)
    result.doubtful = {};
  return Error::success();
}

Expected<SearchResult> tuning::search(const Space &space, Bench &bench,
                                      llvm::ArrayRef<Tried> known,
                                      const SearchOptions &options,
                                      SearchListener &listener) {
  return Searcher(space, bench, options, listener).run(known);
}
