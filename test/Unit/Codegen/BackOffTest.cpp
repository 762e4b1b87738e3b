//===- BackOffTest.cpp - When a kernel's code takes too much --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Schedule/BackOff.h"

#include <functional>
#include <gtest/gtest.h>

using namespace ew;

namespace {

using Kind = BackOffStep::Kind;

/// What an assembler would make of a schedule.
using Assembler = std::function<Attempt(const ScheduleChoice &)>;

struct Outcome {
  std::vector<std::string> tried;
  Kind kind;
  std::string kept; // empty: split
};

Outcome settle(ScheduleChoice choice, const BackOffLimits &limits,
               const Assembler &assemble) {
  std::vector<Attempt> attempts;
  Outcome outcome;
  while (true) {
    attempts.push_back(assemble(choice));
    outcome.tried.push_back(choice.str());
    BackOffStep step = decideBackOff(attempts, limits);
    outcome.kind = step.kind;
    if (step.kind == Kind::Keep)
      outcome.kept = attempts[step.kept].choice.str();
    if (step.kind != Kind::Retry)
      return outcome;
    choice = step.choice;
    if (outcome.tried.size() > 100) {
      ADD_FAILURE() << "there is no end";
      return outcome;
    }
  }
}

using Tried = std::vector<std::string>;

TEST(BackOff, WhatFitsStays) {
  Outcome outcome = settle({128, 4, 8}, {}, [](const ScheduleChoice &choice) {
    return Attempt{choice, 64, 0};
  });
  EXPECT_EQ(outcome.kept, "block=128,elements=4,unroll=8");
  EXPECT_EQ(outcome.tried.size(), 1u);
}

/// What takes so many registers, and spills so much where they are limited.
Assembler takes(unsigned registers, unsigned spilled) {
  return [=](const ScheduleChoice &choice) {
    bool limited = choice.registers && choice.registers < registers;
    return Attempt{choice, limited ? choice.registers : registers,
                   limited ? spilled : 0};
  };
}

TEST(BackOff, RoomForAllThreads) {
  BackOffLimits limits;
  limits.mayFill = true;
  for (unsigned registers : {33, 39, 40}) {
    Outcome outcome = settle({128, 8, 1}, limits, takes(registers, 0));
    EXPECT_EQ(outcome.tried,
              (Tried{"block=128,elements=8,unroll=1",
                     "block=128,elements=8,unroll=1,registers=32"}));
    EXPECT_EQ(outcome.kept, "block=128,elements=8,unroll=1,registers=32");
  }
  // There is room already, or too much is missing.
  for (unsigned registers : {32, 41, 64}) {
    Outcome outcome = settle({128, 8, 1}, limits, takes(registers, 0));
    EXPECT_EQ(outcome.tried.size(), 1u) << registers;
  }
  EXPECT_EQ(settle({128, 8, 1}, {}, takes(39, 0)).tried.size(), 1u);
}

TEST(BackOff, RoomIsNotPaidWithSpills) {
  BackOffLimits limits;
  limits.mayFill = true;
  limits.splitBytes = 0;
  Outcome outcome = settle({128, 8, 4}, limits, takes(39, 4));
  EXPECT_EQ(outcome.tried.size(), 2u);
  EXPECT_EQ(outcome.kind, Kind::Keep);
  EXPECT_EQ(outcome.kept, "block=128,elements=8,unroll=4");
}

TEST(BackOff, RoomForWhatHasBackedOff) {
  BackOffLimits limits;
  limits.mayFill = true;
  Outcome outcome =
      settle({128, 8, 4}, limits, [](const ScheduleChoice &choice) {
        if (choice.unroll > 1)
          return Attempt{choice, 255, 16};
        return takes(36, 0)(choice);
      });
  EXPECT_EQ(outcome.tried.size(), 4u);
  EXPECT_EQ(outcome.kept, "block=128,elements=8,unroll=1,registers=32");
}

TEST(BackOff, UnrollGoesFirst) {
  Outcome outcome = settle({128, 4, 8}, {}, [](const ScheduleChoice &choice) {
    return Attempt{choice, 255, choice.unroll > 2 ? choice.unroll * 10 : 0};
  });
  EXPECT_EQ(outcome.tried, (Tried{"block=128,elements=4,unroll=8",
                                  "block=128,elements=4,unroll=4",
                                  "block=128,elements=4,unroll=2"}));
  EXPECT_EQ(outcome.kept, "block=128,elements=4,unroll=2");
}

TEST(BackOff, ThenElementsAsFarAsWarpsFillLines) {
  auto spills = [](const ScheduleChoice &choice) {
    return Attempt{choice, 255, choice.elements * choice.unroll * 8};
  };
  BackOffLimits bytes;
  bytes.narrowest = 1;
  EXPECT_EQ(
      settle({128, 16, 2}, bytes, spills).tried,
      (Tried{"block=128,elements=16,unroll=2", "block=128,elements=16,unroll=1",
             "block=128,elements=8,unroll=1",
             "block=128,elements=4,unroll=1"}));
  BackOffLimits halves;
  halves.narrowest = 2;
  EXPECT_EQ(settle({128, 8, 1}, halves, spills).kept,
            "block=128,elements=2,unroll=1");
  BackOffLimits doubles;
  doubles.narrowest = 8;
  EXPECT_EQ(settle({128, 4, 1}, doubles, spills).kept,
            "block=128,elements=1,unroll=1");
}

TEST(BackOff, TheFewestSpillsWin) {
  // Less in flight need not take fewer registers.
  Outcome outcome = settle({128, 1, 4}, {}, [](const ScheduleChoice &choice) {
    return Attempt{choice, 255, choice.unroll == 2 ? 8u : 24u};
  });
  EXPECT_EQ(outcome.tried.size(), 3u);
  EXPECT_EQ(outcome.kept, "block=128,elements=1,unroll=2");
  // Of those that are as good, the one that was wanted most.
  outcome = settle({128, 1, 4}, {}, [](const ScheduleChoice &choice) {
    return Attempt{choice, 255, 24};
  });
  EXPECT_EQ(outcome.kept, "block=128,elements=1,unroll=4");
}

TEST(BackOff, SplitWhereFewerBytesPassThanAreSpilled) {
  for (auto [splitBytes, kind] :
       {std::pair(std::optional<uint64_t>(8), Kind::Split),
        {std::optional<uint64_t>(0), Kind::Split},
        {std::optional<uint64_t>(25), Kind::Keep},
        {std::nullopt, Kind::Keep}}) {
    BackOffLimits limits;
    limits.splitBytes = splitBytes;
    Outcome outcome =
        settle({256, 4, 1}, limits, [](const ScheduleChoice &choice) {
          return Attempt{choice, 255, choice.elements * 25};
        });
    // A thread has one element in the end, and spills 25 bytes for it.
    EXPECT_EQ(outcome.tried.back(), "block=256,elements=1,unroll=1");
    EXPECT_EQ(outcome.kind, kind) << splitBytes.value_or(-1);
  }
}

TEST(BackOff, ATileHasNothingToLower) {
  BackOffLimits limits;
  limits.fixed = true;
  limits.splitBytes = 4;
  Outcome outcome =
      settle({256, 4, 1}, limits, [](const ScheduleChoice &choice) {
        return Attempt{choice, 255, 64};
      });
  EXPECT_EQ(outcome.tried.size(), 1u);
  EXPECT_EQ(outcome.kind, Kind::Split);
}

TEST(BackOff, OneBlockOnAMultiprocessor) {
  // 64K registers: two blocks of 256 threads fit with 128, of 1024 with 32.
  EXPECT_FALSE(isAlone({{256, 4, 1}, 128, 0}));
  EXPECT_TRUE(isAlone({{256, 4, 1}, 129, 0}));
  EXPECT_TRUE(isAlone({{1024, 4, 1}, 33, 0}));
  EXPECT_FALSE(isAlone({{128, 4, 1}, 255, 0}));

  auto grows = [](const ScheduleChoice &choice) {
    return Attempt{choice, 40 + choice.unroll * 20, 0};
  };
  EXPECT_EQ(settle({256, 4, 8}, {}, grows).kept,
            "block=256,elements=4,unroll=4");
  // Accesses stay as wide as they are; and where it helps nothing, so does
  // unroll.
  Outcome outcome = settle({512, 4, 2}, {}, [](const ScheduleChoice &choice) {
    return Attempt{choice, 80, 0};
  });
  EXPECT_EQ(outcome.tried, (Tried{"block=512,elements=4,unroll=2",
                                  "block=512,elements=4,unroll=1"}));
  EXPECT_EQ(outcome.kept, "block=512,elements=4,unroll=2");
}

} // namespace
