//===- Occupancy.cpp - How many threads are at work at once ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/Occupancy.h"
#include "ew/Target/NVIDIA/Limits.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace ew;
using namespace ew::analysis;
using namespace ew::nvidia;
using llvm::StringRef;

Occupancy ew::analysis::getOccupancy(const Chip &chip, unsigned threads,
                                     std::optional<unsigned> registers,
                                     unsigned sharedBytes) {
  unsigned warps = llvm::divideCeil(threads, warpThreads);
  Occupancy result{chip.maxThreadsPerSM / (warps * warpThreads), "threads"};
  auto limit = [&](unsigned blocks, StringRef what) {
    if (blocks < result.blocks)
      result = {blocks, what};
  };
  limit(chip.maxBlocksPerSM, "blocks");
  if (registers && *registers) {
    unsigned perWarp = llvm::alignTo(*registers * warpThreads, registerUnit);
    unsigned fit = llvm::alignDown(registersPerSM / perWarp, warpUnit);
    limit(fit / warps, "registers");
  }
  if (sharedBytes)
    limit(chip.sharedKBPerSM * 1024 / (sharedBytes + systemSharedBytes),
          "shared memory");
  return result;
}

/// The number before `what`, as in "24 bytes stack frame".
static unsigned numberBefore(StringRef text, StringRef what) {
  size_t at = text.find(what);
  if (at == StringRef::npos)
    return 0;
  StringRef before = text.take_front(at).rtrim();
  size_t digits = before.find_last_not_of("0123456789") + 1;
  unsigned number = 0;
  before.substr(digits).getAsInteger(10, number);
  return number;
}

std::optional<Resources> ew::analysis::parsePtxasLog(StringRef log,
                                                     StringRef kernel) {
  // "Compiling entry function 'f' for 'sm_90'", then lines about it.
  size_t at = log.find(("'" + kernel + "'").str());
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef text = log.substr(at);
  text = text.take_front(text.find("Compiling entry function"));
  size_t used = text.find("Used ");
  if (used == StringRef::npos)
    return std::nullopt;
  Resources resources;
  resources.registers = numberBefore(text, " registers");
  resources.spillBytes = numberBefore(text, " bytes stack frame");
  resources.sharedBytes = numberBefore(text, " bytes smem");
  return resources;
}

Waves ew::analysis::getWaves(uint64_t grid, unsigned blocks,
                             unsigned multiprocessors) {
  uint64_t perWave = uint64_t(blocks) * multiprocessors;
  if (!perWave || !grid)
    return {};
  Waves waves;
  waves.count = double(grid) / perWave;
  waves.efficiency = waves.count / std::ceil(waves.count);
  return waves;
}
