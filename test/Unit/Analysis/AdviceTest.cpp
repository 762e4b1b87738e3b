//===- AdviceTest.cpp - What is advised, and what is not ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"
#include "ew/Analysis/Checklist.h"

#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

using namespace ew;
using namespace ew::analysis;
using Advice = std::vector<std::string>;

namespace {

/// A kernel of one version with vectors that fills the machine, and checks that
/// need a look.
struct AdviceTest : testing::Test {
  runtime::Plan plan;
  runtime::LaunchInfo info;
  KernelReport report;

  AdviceTest() {
    runtime::Launch &launch = plan.launches.emplace_back();
    launch.fingerprint = "f";
    launch.schedule = "block=128,elements=4,unroll=4";
    launch.scheduleSource = "model";
    runtime::Variant &variant = launch.variants.emplace_back();
    variant.block = 128;
    variant.lanes = 4;
    report.unroll = 4;
    info.grid = 10000;
  }

  Advice advise(llvm::StringRef check) {
    info.launch = &plan.launches[0];
    KernelFacts facts;
    facts.plan = &plan;
    facts.info = &info;
    facts.machine.chip = llvm::cantFail(nvidia::findChip("sm_90"));
    facts.machine.multiprocessors = 132;
    facts.mode = "default";
    report.checks = {{check, Status::Look, ""}};
    report.advice.clear();
    addAdvice(facts, report);
    return report.advice;
  }

  /// A kernel that began with unroll=8 and spilled.
  void backOff(std::vector<std::string> schedules,
               std::optional<uint32_t> kept) {
    runtime::BackOff backOff;
    backOff.fingerprint = "f";
    for (std::string &schedule : schedules)
      backOff.attempts.push_back({std::move(schedule), 255, 64});
    backOff.done = true;
    backOff.kept = kept;
    plan.backOffs = {backOff};
  }
};

const std::string kFlight = ": more loads are on their way at once";
const std::string kTune =
    "ew-tune  with the same inputs: measures schedules and "
    "keeps the best";

TEST_F(AdviceTest, MoreInFlight) {
  EXPECT_EQ(advise("pipelines"),
            Advice({"--schedule=unroll=8" + kFlight, kTune}));
  // Another number of the user's would be the policy's again.
  plan.launches[0].scheduleSource = "--schedule";
  EXPECT_EQ(advise("pipelines"),
            Advice({"--schedule=block=128,elements=4,unroll=8" + kFlight}));
  // No more are compiled.
  plan.launches[0].schedule = "block=128,elements=4,unroll=16";
  report.unroll = 16;
  EXPECT_EQ(advise("pipelines"), Advice());
}

TEST_F(AdviceTest, NotWhatTheKernelHasBackedOffFrom) {
  backOff({"block=128,elements=4,unroll=8", "block=128,elements=4,unroll=4"},
          1);
  EXPECT_EQ(advise("pipelines"), Advice({kTune}));
  // Less has been tried, too, and was no better.
  backOff({"block=128,elements=4,unroll=4", "block=128,elements=4,unroll=2",
           "block=128,elements=4,unroll=1"},
          0);
  EXPECT_EQ(advise("spills"), Advice());
}

TEST_F(AdviceTest, OfAVersionForFewElements) {
  plan.launches[0].variants[0].below = 100000;
  report.unroll = 1;
  EXPECT_EQ(advise("pipelines"), Advice({kTune}));
}

TEST_F(AdviceTest, WhatDoesNotFillTheMachine) {
  const Advice more = {"give it more elements a call, or put many calls into "
                       "one CUDA graph: a launch takes about as long as the "
                       "work"};
  info.grid = 512;
  report.waves = getWaves(info.grid, 16, 132);
  EXPECT_EQ(advise("waves"), more);
  EXPECT_EQ(advise("pipelines"), Advice());
  // From one wave on, schedules matter.
  info.grid = 2200;
  report.waves = getWaves(info.grid, 16, 132);
  EXPECT_EQ(advise("pipelines")[0], "--schedule=unroll=8" + kFlight);
}

TEST_F(AdviceTest, SmallerBlocks) {
  auto run = [&](unsigned block, unsigned atOnce, int64_t threads) {
    runtime::Variant &variant = plan.launches[0].variants[0];
    variant.block = block;
    variant.elementsPerBlock = 8 * block;
    report.elements = 8 * threads;
    info.grid = (threads + block - 1) / block;
    report.waves = getWaves(info.grid, atOnce, 132);
    plan.launches[0].schedule =
        "block=" + std::to_string(block) + ",elements=4,unroll=4";
    return advise("waves");
  };
  // 2,048 threads of a multiprocessor take twice as many of half the size.
  EXPECT_EQ(run(128, 16, 2200 * 128), Advice({kTune}));
  // 12 blocks of 160 leave room. Blocks are whole warps.
  EXPECT_EQ(run(160, 12, 260000)[0],
            "--schedule=block=64: smaller blocks fill the last "
            "wave better");
}

/// A version for any buffer after one for buffers of an alignment, or for rows
/// of a length.
struct VersionAdviceTest : AdviceTest {
  VersionAdviceTest() {
    runtime::Launch &launch = plan.launches[0];
    plan.values.emplace_back();
    launch.operands.resize(1);
    launch.operands[0].wide = true;
    launch.numInputs = 1;
    launch.variants.resize(2);
    for (runtime::Variant &variant : launch.variants)
      variant.contiguous = true;
    info.variant = 1;
    info.maxGrid = 1 << 30;
    info.geometry.count = 10000 * 1024;
    info.geometry.loops = {info.geometry.count};
    info.geometry.collapsed = info.geometry.loops;
    info.geometry.operands.resize(1);
    info.geometry.operands[0].alignment = 4;
  }

  Advice adviseOn(runtime::ElementType type, unsigned wideLanes,
                  unsigned lanes) {
    plan.values[0].type = type;
    plan.launches[0].variants[0].lanes = wideLanes;
    plan.launches[0].variants[1].lanes = lanes;
    return advise("none");
  }
};

TEST_F(VersionAdviceTest, OfAnAlignment) {
  using runtime::ElementType;
  plan.launches[0].variants[0].alignment = 16;
  const Advice begin = {
      "begin every buffer at a multiple of 16 bytes: views that are off by "
      "some elements are read in narrower accesses"};
  EXPECT_EQ(adviseOn(ElementType::F32, 4, 1), begin);
  EXPECT_EQ(adviseOn(ElementType::BF16, 8, 4), begin);
  EXPECT_EQ(adviseOn(ElementType::F32, 4, 4), Advice());
  // Eight of f32 are two accesses, each as wide as one of four.
  EXPECT_EQ(adviseOn(ElementType::F32, 8, 4), Advice());
  // What is read element by element anyhow is of no matter.
  plan.launches[0].operands[0].wide = false;
  EXPECT_EQ(adviseOn(ElementType::F32, 4, 1), Advice());
}

TEST_F(VersionAdviceTest, OfALength) {
  using runtime::ElementType;
  plan.launches[0].variants[0].multiple = 3;
  const Advice pad = {
      "make the innermost size a multiple of 3, if need be by padding"};
  EXPECT_EQ(adviseOn(ElementType::BF16, 8, 4), pad);
  EXPECT_EQ(adviseOn(ElementType::F32, 8, 4), Advice());
}

TEST_F(VersionAdviceTest, OfElementsThatAreNotDense) {
  using runtime::ElementType;
  plan.numArguments = plan.launches[0].numInputs = 1;
  info.geometry.loops = {64, 1};
  info.geometry.operands[0].dense = false;
  info.geometry.operands[0].strides = {2, 0};
  EXPECT_EQ(adviseOn(ElementType::F32, 4, 1),
            Advice({"give a dense copy of argument 0 if it is read more than "
                    "once, or a view whose innermost stride is 1"}));
  // Slices of rows are read as wide.
  EXPECT_EQ(adviseOn(ElementType::F32, 4, 4), Advice());
  info.geometry.operands[0].strides = {1, 0};
  EXPECT_EQ(adviseOn(ElementType::F32, 4, 1),
            Advice({"give a dense copy of argument 0 if it is read more than "
                    "once"}));
  plan.launches[0].numInputs = 0;
  plan.numArguments = 0;
  plan.results = {0};
  EXPECT_EQ(adviseOn(ElementType::F32, 4, 1),
            Advice({"give result 0 a dense buffer"}));
  info.geometry.operands[0].stretched = true;
  EXPECT_EQ(adviseOn(ElementType::F32, 4, 1),
            Advice({"declare the size of 1 in the function's type: a row or a "
                    "column that is known when it is compiled needs no "
                    "strides"}));
}

TEST(Schedules, NumbersAreReadAndReplaced) {
  llvm::StringRef schedule = "block=128,elements=4,unroll=2";
  EXPECT_EQ(getNumber(schedule, "elements"), 4u);
  EXPECT_EQ(getNumber(schedule, "tile"), 0u);
  EXPECT_EQ(withNumber(schedule, "elements", 8),
            "block=128,elements=8,unroll=2");
  EXPECT_EQ(withNumber(schedule, "registers", 40),
            "block=128,elements=4,unroll=2,registers=40");
  EXPECT_EQ(withNumber("", "unroll", 2), "unroll=2");
}

} // namespace
