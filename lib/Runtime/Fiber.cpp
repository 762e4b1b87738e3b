//===- Fiber.cpp - Threads that take turns --------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (void)(address)
#endif

using namespace ew::runtime;

#ifndef __x86_64__
#error "EW's emulator switches stacks by x86-64 instructions"
#endif

// swapcontext would do, but asks the system for the signal mask each time: a
// hundred times slower, and a block of threads switches at every barrier. All
// that a call must preserve is on the stack that is left: six registers.
extern "C" void _ew_switch_stack(void **from, void *to);
asm(R"(
  .text
  .p2align 4
  .hidden _ew_switch_stack
  .globl _ew_switch_stack
  .type _ew_switch_stack,@function
_ew_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size _ew_switch_stack,.-_ew_switch_stack
)");

/// Kernels keep vectors and a few values there, and call the C library.
static constexpr size_t kStackBytes = 64 << 10;

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

static size_t pageBytes() {
  static const size_t bytes = sysconf(_SC_PAGESIZE);
  return bytes;
}

FiberStacks::~FiberStacks() {
  if (base)
    munmap(base, count * (kStackBytes + pageBytes()));
}

bool FiberStacks::reserve(size_t wanted) {
  if (wanted <= count)
    return true;
  size_t each = kStackBytes + pageBytes();
  void *fresh = mmap(nullptr, wanted * each, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED)
    return false;
  for (size_t i = 0; i < wanted; ++i)
    if (mprotect(static_cast<char *>(fresh) + i * each, pageBytes(),
                 PROT_NONE) != 0) {
      munmap(fresh, wanted * each);
      return false;
    }
  if (base)
    munmap(base, count * each);
  base = fresh;
  count = wanted;
  return true;
}

void *FiberStacks::top(size_t index) const {
  return static_cast<char *>(base) + (index + 1) * (kStackBytes + pageBytes());
}

//===----------------------------------------------------------------------===//
// Fiber
//===----------------------------------------------------------------------===//

static thread_local Fiber *running = nullptr;

void Fiber::main() {
  Fiber *self = running;
  self->entry(self->argument);
  self->finished = true;
  _ew_switch_stack(&self->stack, self->caller);
  // Nobody resumes a fibre that has finished.
  std::abort();
}

void Fiber::start(void *stackTop, Entry entry, void *argument) {
  this->entry = entry;
  this->argument = argument;
  finished = false;
  // An earlier call that was given up left its frames marked.
  ASAN_UNPOISON_MEMORY_REGION(static_cast<char *>(stackTop) - kStackBytes,
                              kStackBytes);
  // As if somebody were about to call `main`: six registers, where to go, and
  // the address to return to, which is nowhere. A function begins 8 bytes below
  // a multiple of 16.
  void **top = static_cast<void **>(stackTop);
  *--top = nullptr;
  *--top = reinterpret_cast<void *>(&Fiber::main);
  for (unsigned i = 0; i < 6; ++i)
    *--top = nullptr;
  stack = top;
}

bool Fiber::resume() {
  Fiber *outer = running;
  running = this;
  _ew_switch_stack(&caller, stack);
  running = outer;
  return !finished;
}

bool Fiber::yield() {
  Fiber *self = running;
  if (!self)
    return false;
  _ew_switch_stack(&self->stack, self->caller);
  return true;
}
