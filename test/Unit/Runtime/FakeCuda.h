//===- FakeCuda.h - A driver of the tests' own ------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What tests and the fake driver of FakeCuda.cpp share.
#ifndef EW_TEST_UNIT_RUNTIME_FAKECUDA_H
#define EW_TEST_UNIT_RUNTIME_FAKECUDA_H

#include <cstddef>

/// Found by dlsym under the name "ewFakeCudaState".
struct FakeCudaState {
  // Set by tests.
  int initResult = 0;
  int version = 13000;
  int devices = 2;
  size_t totalBytes = size_t(1) << 30;
  int localBytes = 0; // of every kernel
  int pushResult = 0; // of making a context current
  // Counted by the driver.
  size_t usedBytes = 0;
  int contextDepth = 0; // of the stack of current contexts
  int contexts = 0, streams = 0, events = 0, modules = 0, graphs = 0;
  int moduleLoads = 0;
  int launches = 0;          // carried out
  int dependentLaunches = 0; // of those that were asked for
  int callsWithoutContext = 0;
  int stickyError = 0;
};

#endif // EW_TEST_UNIT_RUNTIME_FAKECUDA_H
