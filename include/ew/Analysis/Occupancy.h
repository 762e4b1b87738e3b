//===- Occupancy.h - How many threads are at work at once -------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_ANALYSIS_OCCUPANCY_H
#define EW_ANALYSIS_OCCUPANCY_H

#include "ew/Target/NVIDIA/Chips.h"
#include <optional>
#include <string>

namespace ew::analysis {

/// What a kernel takes, as ptxas or the driver says.
struct Resources {
  unsigned registers = 0;   // per thread
  unsigned spillBytes = 0;  // stack and spilled registers, per thread
  unsigned sharedBytes = 0; // per block
};

struct Occupancy {
  unsigned blocks = 0; // on a multiprocessor at once
  /// "threads", "blocks", "registers" or "shared memory".
  llvm::StringRef limit;
};

/// How many blocks of `threads` fit on a multiprocessor, and what they run out
/// of. Without `registers`, an upper limit.
Occupancy getOccupancy(const nvidia::Chip &chip, unsigned threads,
                       std::optional<unsigned> registers, unsigned sharedBytes);

/// What `ptxas -v` said of the kernel of that name, or nothing.
std::optional<Resources> parsePtxasLog(llvm::StringRef log,
                                       llvm::StringRef kernel);

/// Waves of blocks over a whole GPU, and the part of the time in which all of
/// it is at work if every block takes the same time.
struct Waves {
  double count = 0;
  double efficiency = 1;
};
Waves getWaves(uint64_t grid, unsigned blocks, unsigned multiprocessors);

} // namespace ew::analysis

#endif // EW_ANALYSIS_OCCUPANCY_H
