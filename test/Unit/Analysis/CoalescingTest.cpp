//===- CoalescingTest.cpp - Sectors of a warp, counted by hand ------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/Coalescing.h"

#include <gtest/gtest.h>

using namespace ew::analysis;
using namespace ew::runtime;

namespace {

/// A launch over `loops` of a kernel with one operand.
struct Fixture {
  Fixture(std::vector<int64_t> loops, std::vector<int64_t> strides,
          unsigned lanes, int64_t alignment = 4096) {
    launch.variants.resize(1);
    Variant &variant = launch.variants[0];
    variant.block = 128;
    variant.lanes = lanes;
    variant.elementsPerBlock = 128 * lanes;
    launch.operands.resize(1);
    launch.collapse.assign(loops.size(), 1);
    info.launch = &launch;
    int64_t count = 1;
    for (int64_t size : loops)
      count *= size;
    info.geometry.loops.assign(loops.begin(), loops.end());
    info.geometry.collapsed = info.geometry.loops;
    info.block = 128;
    info.grid =
        (count + variant.elementsPerBlock - 1) / variant.elementsPerBlock;
    info.geometry.operands.resize(1);
    info.geometry.operands[0].strides.assign(strides.begin(), strides.end());
    info.geometry.operands[0].alignment = alignment;
  }
  WarpAccess simulate(unsigned elementBytes, unsigned accessBytes) {
    return simulateWarps(info, 0, elementBytes, accessBytes);
  }
  Launch launch;
  LaunchInfo info;
};

TEST(Coalescing, VectorsSideBySide) {
  // 32 threads x 16 bytes are 512 bytes: 16 sectors.
  WarpAccess access = Fixture({1 << 20}, {1}, 4).simulate(4, 16);
  EXPECT_EQ(access.sectors, 16);
  EXPECT_EQ(access.fewest, 16);
  EXPECT_EQ(access.efficiency(), 1);
}

TEST(Coalescing, OffByAnElement) {
  // 128 bytes that begin 4 bytes into a sector touch 5.
  WarpAccess access = Fixture({1 << 20}, {1}, 1, 4).simulate(4, 4);
  EXPECT_EQ(access.sectors, 5);
  EXPECT_EQ(access.fewest, 4);
  EXPECT_DOUBLE_EQ(access.efficiency(), 0.8);
}

TEST(Coalescing, EveryOtherElement) {
  // 32 elements 8 bytes apart span 256 bytes: 8 sectors for 128 bytes.
  WarpAccess access = Fixture({1 << 20}, {2}, 1).simulate(4, 4);
  EXPECT_EQ(access.sectors, 8);
  EXPECT_EQ(access.fewest, 4);
}

TEST(Coalescing, Transposed) {
  // Each thread its own sector.
  WarpAccess access = Fixture({64, 64}, {1, 64}, 1).simulate(4, 4);
  EXPECT_EQ(access.sectors, 32);
  EXPECT_EQ(access.fewest, 4);
  EXPECT_DOUBLE_EQ(access.efficiency(), 0.125);
}

TEST(Coalescing, ARowIsReadByEveryRow) {
  WarpAccess access = Fixture({64, 4096}, {0, 1}, 8).simulate(2, 16);
  EXPECT_EQ(access.sectors, 16);
  // A column: one element for a warp within a row of 4096.
  access = Fixture({64, 4096}, {1, 0}, 8).simulate(4, 4);
  EXPECT_EQ(access.sectors, 1);
  EXPECT_EQ(access.fewest, 1);
}

TEST(Coalescing, Tiles) {
  // Rows and columns exchanged: what is contiguous along rows is read along
  // them.
  Fixture tile({64, 64}, {1, 64}, 1);
  Variant &variant = tile.launch.variants[0];
  variant.contiguous = true;
  variant.tile = {32, 32, 0};
  tile.info.grid = 4;
  EXPECT_EQ(tile.simulate(4, 4).sectors, 4);
  // And the output along its own.
  tile.info.geometry.operands[0].strides = {64, 1};
  EXPECT_EQ(tile.simulate(4, 4).sectors, 4);
}

TEST(Coalescing, WideTiles) {
  // Bytes in units of four: two columns of 64, and four rows of 32 columns.
  Fixture tile({64, 256}, {1, 64}, 4);
  Variant &variant = tile.launch.variants[0];
  variant.contiguous = true;
  variant.alignment = variant.multiple = variant.rows = 4;
  variant.tile = {64, 32, 0};
  tile.info.grid = 8;
  EXPECT_EQ(tile.simulate(1, 4).sectors, 4);
  tile.info.geometry.operands[0].strides = {256, 1};
  EXPECT_EQ(tile.simulate(1, 4).sectors, 4);
  EXPECT_EQ(tile.simulate(1, 4).fewest, 4);
  // Three rows of 256 columns are one run of 768 bytes: 24 sectors, of which
  // the first warp reads 16, the second 8, and the others none.
  Fixture run({3, 256}, {1, 3}, 8);
  run.launch.variants[0].contiguous = true;
  run.launch.variants[0].alignment = run.launch.variants[0].multiple = 16;
  run.launch.variants[0].tile = {4, 256, 0};
  run.info.grid = 1;
  EXPECT_EQ(run.simulate(1, 16).sectors, 12);
  EXPECT_EQ(run.simulate(1, 16).fewest, 12);
}

TEST(Coalescing, Footprints) {
  // Dense, in whole sectors; a row counts once; with every other element the
  // gaps are moved, too; with every sixteenth a sector each.
  EXPECT_EQ(getFootprint(Fixture({1000}, {1}, 1).info, 0, 4), 4000u);
  EXPECT_EQ(getFootprint(Fixture({1001}, {1}, 1).info, 0, 4), 4032u);
  EXPECT_EQ(getFootprint(Fixture({64, 4096}, {0, 1}, 1).info, 0, 2), 8192u);
  EXPECT_EQ(getFootprint(Fixture({1000}, {2}, 1).info, 0, 4), 8000u);
  EXPECT_EQ(getFootprint(Fixture({1000}, {16}, 1).info, 0, 4), 32000u);
  EXPECT_EQ(getFootprint(Fixture({64, 64}, {1, 64}, 1).info, 0, 4), 16384u);
  EXPECT_EQ(getFootprint(Fixture({0}, {1}, 1).info, 0, 4), 0u);
}

} // namespace
