//===- Devices.cpp - The devices that tools run on ------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Runtime/Emulator.h"

using namespace ew;
using namespace ew::tools;

namespace rt = ew::runtime;

std::optional<DeviceName> ew::tools::parseDevice(llvm::StringRef name) {
  if (name == "auto")
    return DeviceName();
  if (name == "cpu")
    return DeviceName{rt::Target::CPU};
  if (name == "emulated")
    return DeviceName{rt::Target::Emulated};
  DeviceName gpu{rt::Target::CUDA};
  if (name == "cuda" ||
      (name.consume_front("cuda:") && !name.getAsInteger(10, gpu.ordinal)))
    return gpu;
  return std::nullopt;
}

static llvm::Expected<std::unique_ptr<rt::Device>>
openDevice(rt::Target target, unsigned ordinal) {
  if (target == rt::Target::CPU)
    return rt::createCPUDevice();
  if (target == rt::Target::Emulated)
    return rt::createEmulatedDevice();
  return rt::createCudaDevice(ordinal);
}

llvm::Expected<rt::Device *> Devices::get(const DeviceName &name) {
  auto [target, ordinal] = name;
  std::unique_ptr<rt::Device> &device = devices[{target, ordinal}];
  if (device)
    return device.get();
  auto opened = openDevice(target.value_or(rt::Target::CUDA), ordinal);
  if (!opened && !target) {
    llvm::consumeError(opened.takeError());
    opened = openDevice(rt::Target::CPU, 0);
  }
  if (!opened)
    return opened.takeError();
  device = std::move(*opened);
  return device.get();
}

llvm::Error Devices::synchronize(std::string &lost) {
  for (auto &[key, device] : devices) {
    if (!device)
      continue;
    if (llvm::Error error = device->synchronize()) {
      lost = device->getName();
      return error;
    }
  }
  return llvm::Error::success();
}
