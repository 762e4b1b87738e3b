//===- Emulation.h - Blocks of threads as fibres ----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_RUNTIME_EMULATION_H
#define EW_LIB_RUNTIME_EMULATION_H

#include "Fiber.h"
#include "HostDevice.h"

#include <string>
#include <vector>

/// What a barrier of an emulated kernel calls.
extern "C" void _ew_emulator_barrier();

namespace ew::runtime {

/// Random numbers for the order of things: reproducible, and cheap to start
/// anew for every block.
class Shuffler {
public:
  explicit Shuffler(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// Below `limit`, which is not 0.
  uint64_t below(uint64_t limit) { return next() % limit; }

private:
  uint64_t state;
};

/// An order of 0 ... count - 1 that takes no memory: start + i * step.
class Order {
public:
  Order(uint64_t count, Shuffler &shuffler);
  uint64_t operator[](uint64_t i) const {
    return (start + static_cast<unsigned __int128>(i) * step) % count;
  }

private:
  uint64_t count, start, step;
};

/// Runs blocks of a launch, one at a time, on the calling thread. Keeps stacks
/// and shared memory from one block to the next.
class BlockRunner {
public:
  /// Runs all threads of block `block`. Returns what the kernel did wrong, or
  /// nothing.
  std::string run(HostKernel::Function function, const LaunchConfig &config,
                  int64_t block, Shuffler shuffler);

private:
  struct Thread;
  std::string runWithBarriers(HostKernel::Function function,
                              const LaunchConfig &config, int64_t block,
                              Shuffler &shuffler);
  std::string runWithoutBarriers(HostKernel::Function function,
                                 const LaunchConfig &config, int64_t block,
                                 Shuffler &shuffler);

  FiberStacks stacks;
  std::vector<Fiber> fibers;
  std::vector<uint8_t> memory; // shared memory between its guards
};

/// Bytes on both sides of every buffer that nothing may write to, and what is
/// in them.
constexpr uint64_t kGuardBytes = 256;
constexpr uint8_t kGuard = 0xdb;

/// The offset of the first byte that is not kGuard, or nothing.
std::optional<uint64_t> findDamage(const uint8_t *guard, uint64_t bytes);

} // namespace ew::runtime

#endif // EW_LIB_RUNTIME_EMULATION_H
