//===- EmulatorTest.cpp - What the emulator runs and reports --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "../../../lib/Runtime/Fiber.h"
#include "ew/Runtime/Emulator.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

/// The arguments that every emulated kernel ends with.
const std::string kThread =
    ", i64 %block, i64 %grid, i64 %thread, i64 %threads, ptr %shared";

/// A kernel on a device of its own.
struct Emulation {
  explicit Emulation(const std::string &ir, uint64_t seed = 1)
      : Emulation(ir, createEmulatedDevice(withSeed(seed))) {}
  Emulation(const std::string &ir, std::shared_ptr<Device> on)
      : device(std::move(on)),
        module(llvm::cantFail(device->load(
            {CodeKind::Object, "kernels",
             compile("declare void @_ew_emulator_barrier()\n" + ir)}))) {}

  static EmulatorOptions withSeed(uint64_t seed) {
    EmulatorOptions options;
    options.seed = seed;
    return options;
  }

  /// Launches `name`(pointers to the tensors...).
  std::string launch(const std::string &name, uint64_t grid, unsigned block,
                     unsigned sharedBytes, llvm::ArrayRef<Tensor> tensors) {
    LaunchConfig config;
    config.grid = grid;
    config.block = block;
    config.sharedBytes = sharedBytes;
    std::vector<uint64_t> addresses;
    for (const Tensor &tensor : tensors)
      addresses.push_back(tensor.address());
    std::vector<void *> args;
    for (uint64_t &address : addresses)
      args.push_back(&address);
    config.args = args;
    config.operands = addresses;
    return messageOf(
        device->launch(*llvm::cantFail(module->getKernel(name)), config));
  }

  Tensor i32(int64_t count) {
    return makeTensor(ElementType::I32, {count},
                      llvm::cantFail(Buffer::allocate(*device, count * 4)));
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<LoadedModule> module;
};

/// out[i] = i over all threads.
std::string iotaKernel() {
  return kernel("iota", "ptr %out" + kThread, R"(
  %base = mul i64 %block, %threads
  %i = add i64 %base, %thread
  %p = getelementptr i32, ptr %out, i64 %i
  %v = trunc i64 %i to i32
  store i32 %v, ptr %p
  ret void
)");
}

/// Each block reverses its numbers through shared memory.
std::string reverseKernel(bool barrier) {
  return kernel("reverse", "ptr %out" + kThread,
                R"(
  %base = mul i64 %block, %threads
  %i = add i64 %base, %thread
  %v = trunc i64 %i to i32
  %mine = getelementptr i32, ptr %shared, i64 %thread
  store i32 %v, ptr %mine
)" + std::string(barrier ? "  call void @_ew_emulator_barrier()\n" : "") +
                    R"(
  %last = sub i64 %threads, 1
  %other = sub i64 %last, %thread
  %theirs = getelementptr i32, ptr %shared, i64 %other
  %w = load i32, ptr %theirs
  %p = getelementptr i32, ptr %out, i64 %i
  store i32 %w, ptr %p
  ret void
)");
}

std::vector<int32_t> reversed(int64_t blocks, int64_t threads) {
  std::vector<int32_t> expected;
  for (int64_t block = 0; block < blocks; ++block)
    for (int64_t thread = threads; thread-- > 0;)
      expected.push_back(block * threads + thread);
  return expected;
}

TEST(Emulator, EveryThreadRunsOnce) {
  Emulation e(iotaKernel());
  for (auto [grid, block] :
       {std::pair<int64_t, int64_t>{1, 1}, {1, 1024}, {7, 32}, {100, 33}}) {
    Tensor out = e.i32(grid * block);
    // Fresh memory is poisoned.
    EXPECT_EQ(download<int32_t>(out)[0], -1);
    EXPECT_EQ(e.launch("iota", grid, block, 0, {out}), "");
    std::vector<int32_t> data = download<int32_t>(out);
    for (int64_t i = 0; i < grid * block; ++i)
      ASSERT_EQ(data[i], i);
  }
}

TEST(Emulator, Barriers) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Emulation e(reverseKernel(/*barrier=*/true), seed);
    Tensor out = e.i32(5 * 256);
    ASSERT_EQ(e.launch("reverse", 5, 256, 1024, {out}), "");
    ASSERT_EQ(download<int32_t>(out), reversed(5, 256));
  }
}

TEST(Emulator, SeveralThreads) {
  Emulation one(reverseKernel(/*barrier=*/true));
  Emulation other(reverseKernel(/*barrier=*/true), one.device);
  auto work = [](Emulation &e, int64_t blocks) {
    for (int i = 0; i < 100; ++i) {
      Tensor out = e.i32(blocks * 64);
      ASSERT_EQ(e.launch("reverse", blocks, 64, 256, {out}), "");
      ASSERT_EQ(download<int32_t>(out), reversed(blocks, 64));
    }
  };
  std::thread thread(work, std::ref(other), 3);
  work(one, 5);
  thread.join();
}

TEST(Emulator, MissingBarrierShows) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Emulation e(reverseKernel(/*barrier=*/false), seed);
    Tensor out = e.i32(256);
    ASSERT_EQ(e.launch("reverse", 1, 256, 1024, {out}), "");
    std::vector<int32_t> data = download<int32_t>(out);
    // Poison, where the other thread had not come yet.
    EXPECT_NE(std::count(data.begin(), data.end(), -1), 0);
  }
}

/// Two exchanges; the second overwrites what the first may still read. Without
/// a barrier between them some order of threads shows it.
TEST(Emulator, MissingBarrierBeforeOverwritingShows) {
  auto twice = [](bool barrier) {
    return kernel("twice", "ptr %out" + kThread,
                  R"(
  %v = trunc i64 %thread to i32
  %mine = getelementptr i32, ptr %shared, i64 %thread
  store i32 %v, ptr %mine
  call void @_ew_emulator_barrier()
  %last = sub i64 %threads, 1
  %other = sub i64 %last, %thread
  %theirs = getelementptr i32, ptr %shared, i64 %other
  %w = load i32, ptr %theirs
)" + std::string(barrier ? "  call void @_ew_emulator_barrier()\n" : "") +
                      R"(
  %x = add i32 %w, 1000
  store i32 %x, ptr %mine
  %p = getelementptr i32, ptr %out, i64 %thread
  store i32 %w, ptr %p
  ret void
)");
  };
  Emulation right(twice(true)), wrong(twice(false));
  Tensor a = right.i32(64), b = wrong.i32(64);
  ASSERT_EQ(right.launch("twice", 1, 64, 256, {a}), "");
  EXPECT_EQ(download<int32_t>(a), reversed(1, 64));
  ASSERT_EQ(wrong.launch("twice", 1, 64, 256, {b}), "");
  EXPECT_NE(download<int32_t>(b), reversed(1, 64));
}

TEST(Emulator, BarrierThatNotAllReach) {
  // Threads from 3 on leave early.
  Emulation e(kernel("early", "ptr %out" + kThread, R"(
  call void @_ew_emulator_barrier()
  %few = icmp slt i64 %thread, 3
  br i1 %few, label %wait, label %done
wait:
  call void @_ew_emulator_barrier()
  br label %done
done:
  ret void
)") + iotaKernel() +
              reverseKernel(true));
  Tensor out = e.i32(64);
  EXPECT_EQ(e.launch("early", 1, 8, 64, {out}),
            "kernel 'early': only 3 of 8 threads reach barrier 1 of block 0");
  // Threads that were given up do not come back.
  EXPECT_EQ(e.launch("reverse", 2, 32, 128, {out}), "");
  EXPECT_EQ(download<int32_t>(out), reversed(2, 32));
}

TEST(Emulator, BarrierWithoutSharedMemory) {
  Emulation e(kernel("stray", "ptr %out" + kThread, R"(
  call void @_ew_emulator_barrier()
  ret void
)"));
  EXPECT_EQ(e.launch("stray", 1, 8, 0, {e.i32(1)}),
            "kernel 'stray': has a barrier, but no shared memory");
}

TEST(Emulator, GuardsOfBuffers) {
  // One thread too many, or a thread before the first.
  Emulation e(iotaKernel() + kernel("before", "ptr %in, ptr %out" + kThread, R"(
  %p = getelementptr i8, ptr %out, i64 -3
  store i8 0, ptr %p
  ret void
)"));
  Tensor in = e.i32(8), out = e.i32(7), more = e.i32(8);
  EXPECT_EQ(
      e.launch("iota", 1, 8, 0, {out}),
      "kernel 'iota' wrote outside of operand 0: 0 bytes behind the end of "
      "a buffer of 28 bytes");
  EXPECT_EQ(e.launch("before", 1, 1, 0, {in, out}),
            "kernel 'before' wrote outside of operand 1: 3 bytes before the "
            "beginning of a buffer of 28 bytes");
  // Only the launch that did it is blamed.
  EXPECT_EQ(e.launch("iota", 1, 8, 0, {more}), "");
}

TEST(Emulator, GuardsOfSharedMemory) {
  Emulation e(reverseKernel(true));
  EXPECT_EQ(
      e.launch("reverse", 1, 32, 124, {e.i32(32)}),
      "kernel 'reverse': wrote outside of its shared memory of 124 bytes");
}

TEST(Emulator, LimitsMemory) {
  EmulatorOptions options;
  options.memory = 1000;
  std::unique_ptr<Device> device = createEmulatedDevice(options);
  BufferRef first = llvm::cantFail(Buffer::allocate(*device, 600));
  EXPECT_EQ(llvm::cantFail(device->getMemoryInfo()).free, 400u);
  EXPECT_EQ(messageOf(Buffer::allocate(*device, 401)),
            "cannot allocate 401 bytes on emulated, which has 400 bytes free");
  first.reset();
  EXPECT_EQ(messageOf(Buffer::allocate(*device, 1000)), "");
}

/// The order differs from block to block and from seed to seed, and is the same
/// for the same seed.
TEST(Emulator, OrderIsShuffled) {
  // out[block * threads + turn] = thread, by a counter in shared memory.
  std::string turns = kernel("turns", "ptr %out" + kThread, R"(
  %first = icmp eq i64 %thread, 0
  br i1 %first, label %clear, label %go
clear:
  store i64 0, ptr %shared
  br label %go
go:
  call void @_ew_emulator_barrier()
  %turn = load i64, ptr %shared
  %next = add i64 %turn, 1
  store i64 %next, ptr %shared
  %base = mul i64 %block, %threads
  %i = add i64 %base, %turn
  %p = getelementptr i32, ptr %out, i64 %i
  %v = trunc i64 %thread to i32
  store i32 %v, ptr %p
  ret void
)");
  std::set<std::vector<int32_t>> orders;
  for (uint64_t seed : {1, 2, 3}) {
    Emulation e(turns, seed), again(turns, seed);
    Tensor out = e.i32(4 * 64), other = again.i32(4 * 64);
    ASSERT_EQ(e.launch("turns", 4, 64, 8, {out}), "");
    ASSERT_EQ(again.launch("turns", 4, 64, 8, {other}), "");
    std::vector<int32_t> data = download<int32_t>(out);
    EXPECT_EQ(data, download<int32_t>(other));
    for (int block = 0; block < 4; ++block)
      orders.insert(
          {data.begin() + block * 64, data.begin() + block * 64 + 64});
  }
  EXPECT_EQ(orders.size(), 12u);
}

/// Code keeps vectors on the stack, where it takes their alignment for granted.
TEST(Fiber, StackIsAligned) {
  FiberStacks stacks;
  ASSERT_TRUE(stacks.reserve(1));
  Fiber fiber;
  uint64_t frame = 1;
  fiber.start(
      stacks.top(0),
      [](void *argument) {
        *static_cast<uint64_t *>(argument) =
            reinterpret_cast<uint64_t>(__builtin_frame_address(0));
      },
      &frame);
  EXPECT_FALSE(fiber.resume());
  EXPECT_EQ(frame % 16, 0u);
}

TEST(Fiber, NestedAndGivenUp) {
  FiberStacks stacks;
  ASSERT_TRUE(stacks.reserve(2));
  EXPECT_FALSE(Fiber::yield());
  struct State {
    Fiber inner;
    void *stack;
    std::vector<int> trace;
  } state;
  state.stack = stacks.top(1);
  Fiber outer;
  outer.start(
      stacks.top(0),
      [](void *argument) {
        State &state = *static_cast<State *>(argument);
        state.inner.start(
            state.stack,
            [](void *argument) {
              State &state = *static_cast<State *>(argument);
              state.trace.push_back(1);
              Fiber::yield();
              state.trace.push_back(3);
            },
            argument);
        EXPECT_TRUE(state.inner.resume());
        state.trace.push_back(2);
        Fiber::yield();
        EXPECT_FALSE(state.inner.resume());
        state.trace.push_back(4);
      },
      &state);
  EXPECT_TRUE(outer.resume());
  EXPECT_EQ(state.trace, (std::vector<int>{1, 2}));
  EXPECT_FALSE(outer.resume());
  EXPECT_EQ(state.trace, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_FALSE(Fiber::yield());
}

} // namespace
