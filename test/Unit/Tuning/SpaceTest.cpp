//===- SpaceTest.cpp - Which schedules there are to try -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Space.h"

#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace ew;
using namespace ew::tuning;

namespace {

Space gpuSpace() { return {true, 4, 1 << 20, {128, 4, 1}}; }

TEST(Space, NeighboursComeInOrderOfDistance) {
  Space space = gpuSpace();
  llvm::SmallVector<ScheduleChoice> near = space.around(space.model, 1);
  EXPECT_EQ(near.size(), 5u); // no unroll below 1
  llvm::SmallVector<ScheduleChoice> all = space.around(space.model, 2);
  EXPECT_GT(all.size(), near.size());
  unsigned last = 0;
  for (const ScheduleChoice &choice : all) {
    EXPECT_NE(choice, space.model);
    EXPECT_GE(Space::distance(choice, space.model), last) << choice.str();
    last = Space::distance(choice, space.model);
    EXPECT_EQ(llvm::count(all, choice), 1) << choice.str();
    EXPECT_FALSE(bool(choice.verifyForGPU()));
  }
  EXPECT_EQ(last, 2u);
  EXPECT_TRUE(llvm::is_contained(all, ScheduleChoice({256, 8, 1})));
}

TEST(Space, EndsWhereItMakesNoSense) {
  Space space = gpuSpace();
  EXPECT_FALSE(space.contains({2048, 4, 1}));
  EXPECT_FALSE(space.contains({128, 16, 8})); // 512 bytes of each operand
  EXPECT_FALSE(space.contains({16, 4, 1}));
  space.elements = 2;
  EXPECT_FALSE(space.contains({128, 4, 1}));
  EXPECT_TRUE(space.contains({128, 2, 1}));
}

TEST(Space, OfACPUHasNoBlocks) {
  Space space{false, 4, 1 << 20, {0, 16, 256}};
  llvm::SmallVector<ScheduleChoice> all = space.around(space.model, 2);
  EXPECT_EQ(all.size(), 12u);
  for (const ScheduleChoice &choice : all) {
    EXPECT_EQ(choice.block, 0u);
    EXPECT_EQ(llvm::count(all, choice), 1) << choice.str();
    EXPECT_EQ(llvm::cantFail(ScheduleChoice::parse(choice.str())), choice);
  }
}

TEST(Space, TasksOfACPUThatAreTilesStayOnes) {
  Space space{false, 4, 1 << 20, {0, 16, 256}, /*tiled=*/true};
  EXPECT_TRUE(space.around(space.model, 1).empty());
  llvm::SmallVector<ScheduleChoice> near = space.around(space.model, 2);
  ASSERT_EQ(near.size(), 2u);
  EXPECT_TRUE(llvm::is_contained(near, ScheduleChoice({0, 8, 512})));
  EXPECT_TRUE(llvm::is_contained(near, ScheduleChoice({0, 32, 128})));
}

TEST(Space, TilesAreSharedByABlock) {
  Space space{true, 4, 1 << 26, {256, 4, 1, 0, 32}};
  llvm::SmallVector<ScheduleChoice> near = space.around(space.model, 1);
  ASSERT_EQ(near.size(), 3u);
  EXPECT_TRUE(llvm::is_contained(near, ScheduleChoice({128, 8, 1, 0, 32})));
  EXPECT_TRUE(llvm::is_contained(near, ScheduleChoice({512, 2, 1, 0, 32})));
  EXPECT_TRUE(llvm::is_contained(near, ScheduleChoice({256, 16, 1, 0, 64})));
  for (const ScheduleChoice &choice : space.around(space.model, 4)) {
    EXPECT_EQ(choice.block * choice.elements, choice.tile * choice.tile);
    EXPECT_FALSE(bool(choice.verifyForGPU())) << choice.str();
    EXPECT_LE(Space::distance(choice, space.model), 4u);
    EXPECT_EQ(llvm::cantFail(ScheduleChoice::parse(choice.str())), choice);
  }
  // No line of threads is shorter than a side; and no other kernel gets a tile.
  EXPECT_FALSE(space.contains({32, 128, 1, 0, 64}));
  EXPECT_FALSE(space.contains({256, 4, 1}));
  EXPECT_FALSE(gpuSpace().contains({256, 4, 1, 0, 32}));
}

TEST(Space, ThePolicysNumberNeedBeNoPowerOfTwo) {
  Space space{true, 4, 1 << 20, {96, 4, 3}};
  for (const ScheduleChoice &choice : space.around(space.model, 2))
    EXPECT_LE(Space::distance(choice, space.model), 2u) << choice.str();
}

} // namespace
