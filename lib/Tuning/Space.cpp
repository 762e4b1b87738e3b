//===- Space.cpp - Which schedules there are to try -----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Space.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <tuple>

using namespace ew;
using namespace ew::tuning;

/// Bytes that a thread has in flight for its widest operand: beyond that,
/// registers (65,536 of 4 bytes for up to 2,048 threads) are what is short.
static constexpr unsigned kMaxThreadBytes = 256;
/// A vector of a CPU's kernel that is longer than this is only more code.
static constexpr unsigned kMaxVectorBytes = 512;
/// Elements of a task: fewer are not worth a call, more leave cores idle and
/// the L1 cache behind.
static constexpr int64_t kMinTask = 256, kMaxTask = int64_t(1) << 20;

bool Space::contains(const ScheduleChoice &choice) const {
  auto inRange = [](unsigned value, unsigned low, unsigned high) {
    return value >= low && value <= high;
  };
  if (!inRange(choice.elements, 1, 64))
    return false;
  // No more than there are; the policy would take fewer, which is tried anyhow.
  if (elements > 0 && choice.elements > 1 && choice.elements > elements)
    return false;
  if (choice.tile != 0 || model.tile != 0) {
    unsigned side = choice.tile;
    return gpu && model.tile != 0 && inRange(side, 32, 64) &&
           choice.block >= side && inRange(choice.block, 32, 1024) &&
           choice.unroll == 1 &&
           choice.elements * choice.block == side * side &&
           choice.elements * widest <= kMaxThreadBytes;
  }
  if (gpu)
    return inRange(choice.block, 32, 1024) && inRange(choice.unroll, 1, 16) &&
           choice.elements * choice.unroll * widest <= kMaxThreadBytes;
  int64_t task = int64_t(choice.elements) * choice.unroll;
  if (tiled && task != int64_t(model.elements) * model.unroll)
    return false;
  return choice.block == model.block &&
         choice.elements * widest <= kMaxVectorBytes &&
         inRange(choice.unroll, 1, 65536) && task >= kMinTask &&
         task <= kMaxTask;
}

/// Of one number; the policy's need not be a power of two.
static int steps(unsigned a, unsigned b) {
  return std::abs(int(llvm::Log2_32(a)) - int(llvm::Log2_32(b)));
}

unsigned Space::distance(const ScheduleChoice &a, const ScheduleChoice &b) {
  // A tile's threads share its elements: they follow from the other two.
  if (a.tile && b.tile)
    return steps(a.block, b.block) + steps(a.tile, b.tile);
  return steps(a.block, b.block) + steps(a.elements, b.elements) +
         steps(a.unroll, b.unroll);
}

llvm::SmallVector<ScheduleChoice> Space::around(const ScheduleChoice &center,
                                                unsigned radius) const {
  auto scale = [](unsigned value, int by) -> unsigned {
    if (by >= 0)
      return value << by;
    return value >> -by;
  };
  llvm::SmallVector<ScheduleChoice> all;
  int far = radius, farBlock = gpu ? far : 0;
  for (int block = -far; center.tile && block <= far; ++block)
    for (unsigned side : {32, 64}) {
      ScheduleChoice choice = center;
      choice.block = scale(center.block, block);
      choice.elements = 0;
      choice.tile = side;
      if (choice.block)
        choice.elements = side * side / choice.block;
      if (choice != center && contains(choice) &&
          distance(choice, center) <= radius)
        all.push_back(choice);
    }
  for (int block = -farBlock; !center.tile && block <= farBlock; ++block)
    for (int wide = -far; wide <= far; ++wide)
      for (int unroll = -far; unroll <= far; ++unroll) {
        ScheduleChoice choice{scale(center.block, block),
                              scale(center.elements, wide),
                              scale(center.unroll, unroll)};
        if (std::abs(block) + std::abs(wide) + std::abs(unroll) <= far &&
            choice != center && contains(choice))
          all.push_back(choice);
      }
  auto changed = [&](const ScheduleChoice &choice) {
    return (choice.block != center.block) +
           (!choice.tile && choice.elements != center.elements) +
           (choice.unroll != center.unroll) + (choice.tile != center.tile);
  };
  // To the last number, so that the order is the same everywhere.
  auto rank = [&](const ScheduleChoice &choice) {
    return std::make_tuple(distance(choice, center), changed(choice),
                           choice.block, choice.elements, choice.unroll,
                           choice.tile);
  };
  llvm::sort(all, [&](const ScheduleChoice &a, const ScheduleChoice &b) {
    return rank(a) < rank(b);
  });
  return all;
}
