//===- Chips.cpp - What EW knows of NVIDIA's chips ------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Target/NVIDIA/Chips.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ew::nvidia;

static constexpr Chip chips[] = {
    // name, PTX, fp8, threads, blocks, shared KiB per multiprocessor
    {"sm_80", 80, false, 2048, 32, 164}, {"sm_86", 80, false, 1536, 16, 100},
    {"sm_87", 80, false, 1536, 16, 164}, {"sm_89", 81, true, 1536, 24, 100},
    {"sm_90", 81, true, 2048, 32, 228},  {"sm_100", 86, true, 2048, 32, 228},
    {"sm_101", 86, true, 1536, 24, 228}, {"sm_103", 88, true, 2048, 32, 228},
    {"sm_110", 90, true, 1536, 24, 228}, {"sm_120", 87, true, 1536, 24, 100},
    {"sm_121", 88, true, 1536, 24, 100},
};

llvm::ArrayRef<Chip> ew::nvidia::getChips() { return chips; }

llvm::Expected<const Chip *> ew::nvidia::findChip(llvm::StringRef name) {
  llvm::StringRef base = name;
  // The suffixes begin with sm_90a; an older chip with one does not exist.
  if (base.ends_with("a") || base.ends_with("f"))
    base = base.drop_back();
  for (const Chip &chip : chips)
    if (chip.name == name ||
        (chip.name == base && chip.ptxVersion >= 81 && chip.name != "sm_89" &&
         !(name.ends_with("f") && chip.name == "sm_90")))
      return &chip;
  std::string known = llvm::join(
      llvm::map_range(chips, [](const Chip &c) { return c.name.str(); }), ", ");
  return llvm::createStringError("unknown chip '" + name.str() +
                                 "'; EW knows " + known);
}

bool ew::nvidia::hasDependentLaunch(const Chip &chip) {
  // The names of older chips have one digit less or begin with an 8.
  return llvm::StringRef(chip.name).compare_numeric("sm_90") >= 0;
}

std::string ew::nvidia::getFeatures(const Chip &chip) {
  return "+ptx" + std::to_string(chip.ptxVersion);
}
