//===- LimitsTest.cpp - Products and times, against data sheets -----------===//
// C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/Checklist.h"

#include <gtest/gtest.h>

using namespace ew::nvidia;
using namespace ew::analysis;

namespace {

/// Multiprocessors, clock and rate give the f32 TFLOPS of the data sheets,
/// which are no input of the table.
TEST(Limits, PeaksAreThoseOfDataSheets) {
  for (auto [name, teraflops] :
       {std::pair("A100", 19.5), std::pair("H100", 67.0),
        std::pair("H200", 67.0), std::pair("H100 PCIe", 51.0),
        std::pair("L40S", 91.6), std::pair("RTX 4090", 82.6),
        std::pair("RTX 5090", 104.8)}) {
    const Product *product = findProduct(name);
    ASSERT_TRUE(product) << name;
    const Chip *chip = llvm::cantFail(findChip(product->chip));
    double peak = 2.0 * product->multiprocessors * product->clockHz() *
                  getThroughput(*chip).f32;
    EXPECT_NEAR(peak * 1e-12, teraflops, 0.01 * teraflops) << name;
  }
}

TEST(Limits, EveryChipHasRates) {
  for (const Chip &chip : getChips())
    EXPECT_EQ(getThroughput(chip).chip, chip.name);
  for (const Product &product : getProducts())
    EXPECT_TRUE(static_cast<bool>(findChip(product.chip)))
        << product.name.str();
}

TEST(Limits, ProductsAreFound) {
  EXPECT_EQ(findProductOfDevice("NVIDIA H200")->name, "H200");
  EXPECT_EQ(findProductOfDevice("NVIDIA H100 PCIe")->name, "H100 PCIe");
  EXPECT_EQ(findProductOfDevice("NVIDIA GeForce RTX 4090")->name, "RTX 4090");
  // A Grace Hopper is another machine.
  EXPECT_EQ(findProductOfDevice("NVIDIA GH200 480GB"), nullptr);
  EXPECT_EQ(findProductOfDevice("Fake GPU"), nullptr);
  EXPECT_EQ(findProductOfChip("sm_90a")->chip, "sm_90");
  EXPECT_EQ(findProductOfChip("sm_87"), nullptr);
  EXPECT_EQ(findProduct("rtx 4090")->name, "RTX 4090");
  EXPECT_EQ(findProduct("H300"), nullptr);
}

TEST(Limits, TimesAreWorkOverRates) {
  Machine machine;
  machine.chip = llvm::cantFail(findChip("sm_90"));
  machine.multiprocessors = 100;
  machine.clockHz = 1e9;
  machine.bytesPerSecond = 1e12;
  InstructionMix mix;
  mix[Unit::F32] = 64;
  mix[Unit::Special] = 4;
  // 10^6 elements: 8 MB at 1 TB/s take 8 us; 64 f32 at 128 a clock on 10^11
  // clocks of multiprocessors take 5 us, 4 of special functions at 16 2.5 us,
  // 68 issued ones at 128 5.3 us.
  TimeLimits limits = getTimeLimits(machine, mix, 1000000, 8000000, 1);
  EXPECT_DOUBLE_EQ(limits.memory, 8e-6);
  EXPECT_EQ(limits.parts[0].name, "issue");
  EXPECT_NEAR(limits.parts[0].seconds, 5.3125e-6, 1e-12);
  EXPECT_EQ(limits.parts[1].name, "f32");
  EXPECT_NEAR(limits.parts[1].seconds, 5e-6, 1e-12);
  EXPECT_EQ(limits.parts[2].name, "special");
  EXPECT_NEAR(limits.parts[2].seconds, 2.5e-6, 1e-12);
  EXPECT_DOUBLE_EQ(limits.longest(), 8e-6);
}

} // namespace
