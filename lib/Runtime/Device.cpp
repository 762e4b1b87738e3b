//===- Device.cpp - Where programs run ----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Device.h"

#include <chrono>

using namespace ew::runtime;

llvm::Expected<double>
Device::time(llvm::function_ref<llvm::Error()> work) {
  using Clock = std::chrono::steady_clock;
  if (llvm::Error error = synchronize())
    return std::move(error);
  Clock::time_point start = Clock::now();
  if (llvm::Error error = work())
    return std::move(error);
  if (llvm::Error error = synchronize())
    return std::move(error);
  return std::chrono::duration<double>(Clock::now() - start).count();
}
