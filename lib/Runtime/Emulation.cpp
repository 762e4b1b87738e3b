//===- Emulation.cpp - Blocks of threads as fibres ------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulation.h"
#include "ew/Runtime/Emulator.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <numeric>

using namespace ew::runtime;

/// Set by a barrier outside of any fibre.
static thread_local bool strayBarrier = false;

void _ew_emulator_barrier() {
  if (!Fiber::yield())
    strayBarrier = true;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

uint64_t Shuffler::next() {
  // SplitMix64: any two seeds give unrelated numbers.
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Order::Order(uint64_t count, Shuffler &shuffler)
    : count(count), start(shuffler.below(count)), step(1) {
  do
    step = 1 + shuffler.below(count);
  while (std::gcd(step, count) != 1);
}

std::optional<uint64_t> ew::runtime::findDamage(const uint8_t *guard,
                                                uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i)
    if (guard[i] != kGuard)
      return i;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// A thread's arguments: the kernel's, then where it stands.
struct BlockRunner::Thread {
  Thread(HostKernel::Function function, const LaunchConfig &config,
         int64_t &block, int64_t &numBlocks, int64_t &numThreads, void *&shared,
         int64_t index)
      : function(function), index(index),
        args(config.args.begin(), config.args.end()) {
    args.append({&block, &numBlocks, nullptr, &numThreads, &shared});
  }
  void operator()() {
    // Only now, since the thread may have been moved.
    args[args.size() - 3] = &index;
    function(args.data());
  }
  static void entry(void *self) { (*static_cast<Thread *>(self))(); }

  HostKernel::Function function;
  int64_t index;
  llvm::SmallVector<void *, 16> args;
};

std::string BlockRunner::runWithoutBarriers(HostKernel::Function function,
                                            const LaunchConfig &config,
                                            int64_t block, Shuffler &shuffler) {
  int64_t numBlocks = config.grid, numThreads = config.block;
  void *shared = nullptr;
  Thread thread(function, config, block, numBlocks, numThreads, shared, 0);
  Order order(numThreads, shuffler);
  strayBarrier = false;
  for (int64_t i = 0; i < numThreads; ++i) {
    thread.index = order[i];
    thread();
  }
  return strayBarrier ? "has a barrier, but no shared memory" : "";
}

std::string BlockRunner::runWithBarriers(HostKernel::Function function,
                                         const LaunchConfig &config,
                                         int64_t block, Shuffler &shuffler) {
  int64_t numBlocks = config.grid, numThreads = config.block;
  if (!stacks.reserve(numThreads))
    return "not enough memory for the stacks of its threads";
  if (fibers.size() < size_t(numThreads))
    fibers.resize(numThreads);

  // Aligned to 64 bytes, between guards.
  memory.assign(config.sharedBytes + 2 * kGuardBytes + 64, kGuard);
  uint8_t *begin = reinterpret_cast<uint8_t *>(llvm::alignTo(
      reinterpret_cast<uint64_t>(memory.data()) + kGuardBytes, 64));
  uint8_t *end = begin + config.sharedBytes;
  std::memset(begin, kPoison, config.sharedBytes);
  void *shared = begin;

  std::vector<Thread> threads;
  threads.reserve(numThreads);
  std::vector<int64_t> alive(numThreads);
  for (int64_t i = 0; i < numThreads; ++i) {
    threads.emplace_back(function, config, block, numBlocks, numThreads, shared,
                         i);
    fibers[i].start(stacks.top(i), &Thread::entry, &threads[i]);
    alive[i] = i;
  }

  // From barrier to barrier, in a new order each time.
  for (int64_t barrier = 0; !alive.empty(); ++barrier) {
    for (size_t i = alive.size() - 1; i > 0; --i)
      std::swap(alive[i], alive[shuffler.below(i + 1)]);
    size_t before = alive.size();
    std::vector<int64_t> waiting;
    for (int64_t thread : alive)
      if (fibers[thread].resume())
        waiting.push_back(thread);
    if (!waiting.empty() && waiting.size() != before)
      return "only " + std::to_string(waiting.size()) + " of " +
             std::to_string(before) + " threads reach barrier " +
             std::to_string(barrier) + " of block " + std::to_string(block);
    alive = std::move(waiting);
  }

  if (findDamage(memory.data(), begin - memory.data()) ||
      findDamage(end, memory.data() + memory.size() - end))
    return "wrote outside of its shared memory of " +
           std::to_string(config.sharedBytes) + " bytes";
  return "";
}

std::string BlockRunner::run(HostKernel::Function function,
                             const LaunchConfig &config, int64_t block,
                             Shuffler shuffler) {
  if (config.sharedBytes == 0)
    return runWithoutBarriers(function, config, block, shuffler);
  return runWithBarriers(function, config, block, shuffler);
}
