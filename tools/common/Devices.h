//===- Devices.h - The devices that tools run on ----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_COMMON_DEVICES_H
#define EW_TOOLS_COMMON_DEVICES_H

#include "ew/Runtime/Device.h"
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ew::tools {

/// What --device says.
struct DeviceName {
  std::optional<runtime::Target> target; // nothing: auto
  unsigned ordinal = 0;                  // of a GPU
};

/// "auto", "cpu", "emulated", "cuda" or "cuda:1"; nothing where it is no
/// device.
std::optional<DeviceName> parseDevice(llvm::StringRef name);

/// Devices, opened when they are first asked for and then kept.
class Devices {
public:
  /// Without a target the GPU with this number, or the CPU where there is none.
  llvm::Expected<runtime::Device *> get(const DeviceName &name);
  /// Waits for all of them. An error is that of a device which can be used no
  /// longer; `lost` gets its name.
  llvm::Error synchronize(std::string &lost);

private:
  using Key = std::pair<std::optional<runtime::Target>, unsigned>;
  std::map<Key, std::unique_ptr<runtime::Device>> devices;
};

} // namespace ew::tools

#endif // EW_TOOLS_COMMON_DEVICES_H
