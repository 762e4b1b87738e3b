//===- Key.h - What a tuned schedule is found by ----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TUNING_KEY_H
#define EW_TUNING_KEY_H

#include "ew/Runtime/Device.h"
#include "ew/Runtime/HostTensor.h"
#include "ew/Runtime/Plan.h"
#include "ew/Runtime/Tensor.h"

namespace ew::tuning {

/// Of the numbers that are searched and what they mean. What was found for
/// another one is not looked at.
inline constexpr int kScheduleSpace = 2;

/// A kernel on a device at a size.
struct Key {
  std::string kernel; // runtime::Launch::fingerprint
  std::string device; // "sm_90 on NVIDIA H200"
  std::string sizes;  // "2^26 wide", "2^26 wide, rows of 2^13, of 64s"
  /// The policy's schedule. When the policy changes its mind, a comparison with
  /// what it said before is worth nothing.
  std::string model;
};

/// The chip that code is made for and the model that it runs on; empty for a
/// device that schedules mean nothing to (the emulated one).
std::string getDeviceKey(const runtime::Device &device, llvm::StringRef chip);

/// Stands for an argument in questions about sizes: a view without elements
/// behind it, at an address that is aligned as a device's buffers are.
runtime::Tensor makePlaceholder(runtime::ElementType type,
                                llvm::ArrayRef<int64_t> shape);
runtime::Tensor makePlaceholder(const runtime::HostTensor &tensor);

/// One launch of a call.
struct LaunchSize {
  std::string sizes;    // as in Key
  int64_t elements = 0; // 0: nothing is launched
  uint32_t variant = 0;
};

/// What the launches of a plan are for arguments of these shapes and places
/// (numbers: of rank 0).
llvm::Expected<std::vector<LaunchSize>>
getLaunchSizes(const runtime::Plan &plan,
               llvm::ArrayRef<runtime::Tensor> arguments, uint64_t maxGrid);

} // namespace ew::tuning

#endif // EW_TUNING_KEY_H
