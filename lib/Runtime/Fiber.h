//===- Fiber.h - Threads that take turns ------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_RUNTIME_FIBER_H
#define EW_LIB_RUNTIME_FIBER_H

#include <cstddef>
#include <cstdint>

namespace ew::runtime {

/// Stacks for fibres, each below a page that may not be touched.
class FiberStacks {
public:
  FiberStacks() = default;
  ~FiberStacks();
  FiberStacks(const FiberStacks &) = delete;
  FiberStacks &operator=(const FiberStacks &) = delete;

  /// Makes sure that there are `count` stacks; false where memory runs out. All
  /// earlier ones may move.
  bool reserve(size_t count);
  /// Where stack `index` begins; it grows towards lower addresses.
  void *top(size_t index) const;

private:
  void *base = nullptr;
  size_t count = 0;
};

/// A function call that can be left in the middle and taken up again, by the
/// thread that began it.
class Fiber {
public:
  using Entry = void (*)(void *argument);

  /// Gets ready to call `entry`; whatever the fibre did before is forgotten.
  void start(void *stackTop, Entry entry, void *argument);
  /// Runs until the fibre yields (true) or its function returns (false).
  bool resume();
  /// Leaves the fibre that this thread runs; false outside of any.
  static bool yield();

private:
  static void main();

  void *stack = nullptr;  // where the fibre stands while it does not run
  void *caller = nullptr; // where `resume` stands while it does
  Entry entry = nullptr;
  void *argument = nullptr;
  bool finished = true;
};

} // namespace ew::runtime

#endif // EW_LIB_RUNTIME_FIBER_H
