//===- OccupancyTest.cpp - Blocks on a multiprocessor ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/Occupancy.h"

#include <gtest/gtest.h>

using namespace ew::analysis;
using ew::nvidia::findChip;

namespace {

TEST(Occupancy, IsWhatRunsOutFirst) {
  const auto &h100 = *llvm::cantFail(findChip("sm_90"));
  auto occupancy = [&](unsigned threads, std::optional<unsigned> registers,
                       unsigned shared) {
    Occupancy got = getOccupancy(h100, threads, registers, shared);
    return std::pair(got.blocks, got.limit.str());
  };
  using Pair = std::pair<unsigned, std::string>;
  // 2048 threads and 32 blocks a multiprocessor.
  EXPECT_EQ(occupancy(128, std::nullopt, 0), Pair(16, "threads"));
  EXPECT_EQ(occupancy(32, std::nullopt, 0), Pair(32, "blocks"));
  EXPECT_EQ(occupancy(128, 32, 0), Pair(16, "threads"));
  // 33 registers take 40 each: 1280 a warp, 51 warps fit, in fours 48: 12
  // blocks.
  EXPECT_EQ(occupancy(128, 33, 0), Pair(12, "registers"));
  EXPECT_EQ(occupancy(256, 128, 0), Pair(2, "registers"));
  // 228 KiB, of which a block takes 1 more.
  EXPECT_EQ(occupancy(128, 32, 37 * 1024), Pair(6, "shared memory"));
}

TEST(Occupancy, PtxasLogs) {
  const char *log =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'f_wide' for 'sm_90'\n"
      "ptxas info    : Function properties for f_wide\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 0 barriers\n"
      "ptxas info    : Compiling entry function 'f_tile' for 'sm_90'\n"
      "ptxas info    : Function properties for f_tile\n"
      "    40 bytes stack frame, 36 bytes spill stores, 36 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 1 barriers, 4224 bytes smem, "
      "40 "
      "bytes cumulative stack size\n";
  std::optional<Resources> wide = parsePtxasLog(log, "f_wide");
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->registers, 24u);
  EXPECT_EQ(wide->spillBytes, 0u);
  EXPECT_EQ(wide->sharedBytes, 0u);
  std::optional<Resources> tile = parsePtxasLog(log, "f_tile");
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->registers, 255u);
  EXPECT_EQ(tile->spillBytes, 40u);
  EXPECT_EQ(tile->sharedBytes, 4224u);
  EXPECT_FALSE(parsePtxasLog(log, "f"));
  EXPECT_FALSE(parsePtxasLog("", "f_wide"));
}

TEST(Occupancy, Waves) {
  // 132 multiprocessors with 16 blocks: 2112 a wave.
  EXPECT_DOUBLE_EQ(getWaves(2112, 16, 132).count, 1);
  EXPECT_DOUBLE_EQ(getWaves(2112, 16, 132).efficiency, 1);
  // One block more is a second wave.
  EXPECT_NEAR(getWaves(2113, 16, 132).efficiency, 0.5, 1e-3);
  EXPECT_DOUBLE_EQ(getWaves(1056, 16, 132).efficiency, 0.5);
}

} // namespace
