//===- SearchTest.cpp - What follows from what was measured ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Search.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace ew;
using namespace ew::tuning;

namespace {

/// Times that are made up: a function of the schedule, with noise and drift.
class MadeUp : public Bench {
public:
  using Time = std::function<double(const ScheduleChoice &)>;
  explicit MadeUp(Time time, double noise = 0.002)
      : time(std::move(time)), noise(noise) {}

  llvm::Expected<unsigned> add(const ScheduleChoice &choice) override {
    if (fails && fails(choice))
      return llvm::createStringError("spills 16 bytes");
    live[next] = choice;
    ++addedTimes[choice.str()];
    return next++;
  }
  void remove(unsigned candidate) override {
    EXPECT_EQ(live.erase(candidate), 1u);
  }
  llvm::Expected<double> sample(unsigned candidate) override {
    clock += 1e-3;
    ++samples;
    double drift = 1 + 0.2 * std::sin(clock * 3);
    double factor = 1 + noise * std::normal_distribution<>()(random);
    return time(live.at(candidate)) * drift * factor;
  }
  llvm::Expected<std::string> findMistake(unsigned candidate,
                                          unsigned reference) override {
    EXPECT_EQ(live.at(reference), ScheduleChoice({128, 4, 1}));
    return std::string(wrong && wrong(live.at(candidate)) ? "element 3 is off"
                                                          : "");
  }

  Time time;
  double noise;
  std::function<bool(const ScheduleChoice &)> fails, wrong;
  std::map<unsigned, ScheduleChoice> live;
  std::map<std::string, unsigned> addedTimes;
  std::mt19937 random{1};
  double clock = 0;
  unsigned next = 0, samples = 0;
};

struct SearchTest : testing::Test {
  Space space{true, 4, 1 << 24, {128, 4, 1}};
  std::vector<Tried> known;
  SearchOptions options;
  SearchListener listener;

  SearchResult run(MadeUp &bench, SearchListener *other = nullptr) {
    options.clock = [&] { return bench.clock; };
    auto result =
        search(space, bench, known, options, other ? *other : listener);
    EXPECT_TRUE(bench.live.empty()); // everything was let go
    if (result)
      return std::move(*result);
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
};

/// A valley with its ground at `best`.
MadeUp::Time valley(ScheduleChoice best, double depth) {
  return [=](const ScheduleChoice &choice) {
    return 1e-4 * (1 + depth * Space::distance(choice, best));
  };
}

TEST_F(SearchTest, TheSignTestCounts) {
  EXPECT_NEAR(signTest(7, 7), 1 / 128.0, 1e-12);
  EXPECT_NEAR(signTest(9, 10), 11 / 1024.0, 1e-12);
  EXPECT_NEAR(signTest(0, 5), 1, 1e-12);
}

TEST_F(SearchTest, FindsTheBestStepByStep) {
  MadeUp bench(valley({512, 8, 4}, 0.05));
  SearchResult result = run(bench);
  EXPECT_EQ(result.entry.schedule, ScheduleChoice({512, 8, 4}));
  EXPECT_NEAR(result.entry.speedup, 1.25, 0.01);
  EXPECT_TRUE(result.entry.complete);
  EXPECT_LT(result.entry.spread, 0.02);
  // Around the way there, not everywhere.
  EXPECT_LT(bench.addedTimes.size(), 80u);
  for (auto &[choice, times] : bench.addedTimes)
    EXPECT_EQ(times, choice == space.model.str() ? 2u : 1u) << choice;
}

TEST_F(SearchTest, NoiseIsNoGain) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    MadeUp bench([](const ScheduleChoice &) { return 1e-4; }, 0.03);
    bench.random.seed(seed);
    SearchResult result = run(bench);
    EXPECT_TRUE(result.entry.schedule.empty()) << result.entry.schedule.str();
    EXPECT_TRUE(result.entry.complete);
    EXPECT_EQ(result.entry.speedup, 1);
  }
}

TEST_F(SearchTest, AGainBelowTheSpreadIsNone) {
  // 3% with a noise of 10% from sample to sample.
  MadeUp bench(valley({256, 4, 1}, 0.03), 0.1);
  options.maxRounds = 60;
  options.confirmRounds = 100;
  EXPECT_TRUE(run(bench).entry.schedule.empty());
  MadeUp quiet(valley({256, 4, 1}, 0.03), 0.001);
  EXPECT_EQ(run(quiet).entry.schedule, ScheduleChoice({256, 4, 1}));
}

TEST_F(SearchTest, AWrongOneNeverWins) {
  MadeUp bench(valley({256, 4, 1}, 0.1));
  bench.wrong = [](const ScheduleChoice &choice) {
    return choice == ScheduleChoice({256, 4, 1});
  };
  SearchResult result = run(bench);
  EXPECT_NE(result.entry.schedule, ScheduleChoice({256, 4, 1}));
  auto tried = llvm::find_if(result.tried, [](const Tried &tried) {
    return tried.state == Tried::State::Wrong;
  });
  ASSERT_NE(tried, result.tried.end());
  EXPECT_EQ(tried->schedule, ScheduleChoice({256, 4, 1}));
  EXPECT_EQ(tried->note, "element 3 is off");
}

TEST_F(SearchTest, WhatFailsIsSkipped) {
  MadeUp bench(valley({256, 4, 1}, 0.1));
  bench.fails = [](const ScheduleChoice &choice) { return choice.unroll > 1; };
  SearchResult result = run(bench);
  EXPECT_EQ(result.entry.schedule, ScheduleChoice({256, 4, 1}));
  unsigned failed = 0;
  for (const Tried &tried : result.tried)
    if (tried.state == Tried::State::Failed) {
      ++failed;
      EXPECT_EQ(tried.note, "spills 16 bytes");
    }
  EXPECT_GT(failed, 0u);
  // The policy's own must run.
  bench.fails = [](const ScheduleChoice &) { return true; };
  auto none = search(space, bench, {}, options, listener);
  ASSERT_FALSE(none);
  EXPECT_EQ(llvm::toString(none.takeError()), "spills 16 bytes");
}

TEST_F(SearchTest, FarSlowerOnesGoEarly) {
  auto time = [](const ScheduleChoice &choice) {
    return choice == ScheduleChoice({128, 4, 1}) ? 1e-4 : 2e-4;
  };
  MadeUp bench(time);
  SearchResult result = run(bench);
  for (const Tried &tried : result.tried)
    EXPECT_EQ(tried.state, Tried::State::Slower);
  // Three rounds of each, beside the policy's twice in each wave.
  EXPECT_LE(bench.samples, 3 * (result.tried.size() + 2 * 8));
}

/// Ends a search as a signal would.
struct Interrupt : SearchListener {
  unsigned left;
  std::vector<Tried> kept;
  explicit Interrupt(unsigned left) : left(left) {}
  llvm::Error onTried(const Tried &tried) override {
    if (!left--)
      return llvm::createStringError("interrupted");
    kept.push_back(tried);
    return llvm::Error::success();
  }
};

TEST_F(SearchTest, GoesOnWhereItStopped) {
  auto time = valley({512, 8, 1}, 0.05);
  MadeUp whole(time);
  size_t all = run(whole).tried.size();
  Interrupt interrupt(10);
  {
    MadeUp bench(time);
    auto result = search(space, bench, {}, options, interrupt);
    ASSERT_FALSE(result);
    llvm::consumeError(result.takeError());
  }
  known = interrupt.kept;
  ASSERT_EQ(known.size(), 10u);
  MadeUp bench(time);
  SearchResult result = run(bench);
  EXPECT_EQ(result.entry.schedule, ScheduleChoice({512, 8, 1}));
  EXPECT_EQ(result.skipped, 10u);
  EXPECT_LE(result.tried.size(), all);
  for (const Tried &tried : known)
    EXPECT_EQ(bench.addedTimes.count(tried.schedule.str()), 0u);
}

TEST_F(SearchTest, ABudgetIsKept) {
  // Making sure of the best is part of it, and waves are no larger than it
  // allows.
  for (double budget : {0.05, 0.1, 0.3, 1.0}) {
    MadeUp bench(valley({1024, 16, 2}, 0.05));
    options.budgetSeconds = budget;
    SearchResult result = run(bench);
    EXPECT_LT(bench.clock, budget + 0.05) << budget;
    EXPECT_GT(result.tried.size(), 0u) << budget;
    // A hundred samples are few for two schedules, seven rounds of each.
    if (budget > 0.1) {
      EXPECT_FALSE(result.entry.schedule.empty()) << budget;
    }
    EXPECT_EQ(result.entry.complete, result.left == 0) << budget;
  }
}

TEST_F(SearchTest, NoiseThatHidesAGainIsToldOf) {
  MadeUp bench(valley({256, 4, 1}, 0.05), 0.06);
  options.confirmRounds = 100;
  SearchResult result = run(bench);
  EXPECT_TRUE(result.entry.schedule.empty());
  EXPECT_FALSE(result.doubtful.empty());
  EXPECT_GT(result.doubtfulSpeedup, 1.005);
  EXPECT_GT(result.entry.spread, 0.02);
  MadeUp quiet(valley({256, 4, 1}, 0.05), 0.001);
  EXPECT_TRUE(run(quiet).doubtful.empty());
  // Where there is no gain, there is nothing to doubt.
  MadeUp flat([](const ScheduleChoice &) { return 1e-4; }, 0.0005);
  EXPECT_TRUE(run(flat).doubtful.empty());
}

TEST_F(SearchTest, ABudgetEndsIt) {
  auto time = valley({1024, 16, 2}, 0.05);
  MadeUp bench(time);
  options.budgetSeconds = 0.2; // two hundred samples
  SearchResult result = run(bench);
  EXPECT_FALSE(result.entry.complete);
  EXPECT_GT(result.tried.size(), 0u);
  size_t sampled = bench.samples;
  EXPECT_LT(sampled, 250u);
  // The next one begins with what was best.
  ScheduleChoice first = result.entry.schedule;
  ASSERT_FALSE(first.empty());
  known = result.tried;
  options.seeds = {first};
  options.budgetSeconds = 1000;
  MadeUp more(time);
  result = run(more);
  EXPECT_TRUE(result.entry.complete);
  EXPECT_EQ(result.entry.schedule, ScheduleChoice({1024, 16, 2}));
  options.budgetSeconds = 0;
  MadeUp none(time);
  result = run(none);
  EXPECT_FALSE(result.entry.complete);
  EXPECT_EQ(result.tried.size(), 0u);
}

} // namespace
