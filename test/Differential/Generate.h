//===- Generate.h - Makes random programs -----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_DIFFERENTIAL_GENERATE_H
#define EW_TEST_DIFFERENTIAL_GENERATE_H

#include "Program.h"
#include "Rng.h"

namespace ew::fuzz {

struct GenerateOptions {
  unsigned maxOps = 40;
  std::vector<Mode> modes = {Mode::Strict, Mode::Default, Mode::Fast};
  /// Few at the highest level: that takes as long as five at the lowest.
  std::vector<int> optLevels = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3};
  std::vector<std::string> chips = {"sm_80", "sm_90", "sm_100", "sm_120"};
};

/// The program with this number. It depends on nothing but the arguments.
Program generate(const OpTable &table, uint64_t seed, uint64_t number,
                 const GenerateOptions &options);

/// The bits of `count` elements, of complex ones those of both parts. `wild`
/// ones may be any, others are mostly of moderate size.
std::vector<uint64_t> generateData(ElementType type, int64_t count, bool wild,
                                   Rng &rng);

} // namespace ew::fuzz

#endif // EW_TEST_DIFFERENTIAL_GENERATE_H
