//===- ChipsTest.cpp - What EW knows of NVIDIA's chips --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Target/NVIDIA/Chips.h"

#include <gtest/gtest.h>

using namespace ew::nvidia;

namespace {

TEST(Chips, AreFoundByName) {
  for (const Chip &chip : getChips()) {
    llvm::Expected<const Chip *> found = findChip(chip.name);
    ASSERT_TRUE(static_cast<bool>(found)) << llvm::toString(found.takeError());
    EXPECT_EQ(*found, &chip);
  }
}

TEST(Chips, SuffixesAreThoseThatExist) {
  for (const char *name : {"sm_90a", "sm_100a", "sm_100f", "sm_120f"})
    EXPECT_TRUE(static_cast<bool>(findChip(name))) << name;
  for (const char *name : {"sm_80a", "sm_89a", "sm_90f", "sm_100aa", "sm_", "",
                           "a", "compute_90"}) {
    llvm::Expected<const Chip *> found = findChip(name);
    EXPECT_FALSE(static_cast<bool>(found)) << name;
    std::string message = llvm::toString(found.takeError());
    EXPECT_NE(message.find("sm_90"), std::string::npos) << message;
  }
}

TEST(Chips, Fp8NeedsPtx81) {
  for (const Chip &chip : getChips())
    if (chip.hasFp8)
      EXPECT_GE(chip.ptxVersion, 81u) << chip.name.str();
  EXPECT_EQ(getFeatures(**findChip("sm_100")), "+ptx86");
}

} // namespace
