//===- CudaDriver.cpp - NVIDIA's driver, found at run time ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/CudaDriver.h"

#include <dlfcn.h>

using namespace llvm;

namespace ew::runtime::cuda {

Expected<std::shared_ptr<const Driver>> Driver::load(StringRef library) {
  void *handle = ::dlopen(library.str().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return createStringError(std::make_error_code(std::errc::no_such_device),
                             "no NVIDIA driver: " + library +
                                 " cannot be loaded (" + ::dlerror() + ")");
  auto driver = std::make_shared<Driver>();
  const char *missing = nullptr;
  auto resolve = [&](auto &member, const char *symbol) {
    void *address = ::dlsym(handle, symbol);
    if (!address && !missing)
      missing = symbol;
    member =
        reinterpret_cast<std::remove_reference_t<decltype(member)>>(address);
  };
#define EW_CUDA_RESOLVE(member, symbol, parameters)                            \
  resolve(driver->member, #symbol);
  EW_CUDA_FUNCTIONS(EW_CUDA_RESOLVE)
#undef EW_CUDA_RESOLVE
  if (missing)
    return createStringError(std::make_error_code(std::errc::no_such_device),
                             "the NVIDIA driver in " + library +
                                 " is too old: it has no " + missing +
                                 "; EW needs one for CUDA 12.0 or later");
  // The functions may be there, and the PTX of EW's kernels still too new.
  int version = 0;
  if (driver->driverGetVersion(&version) == kSuccess && version < 12000)
    return createStringError(std::make_error_code(std::errc::no_such_device),
                             "the NVIDIA driver is for CUDA " +
                                 driver->getVersion() +
                                 "; EW needs one for CUDA 12.0 or later");
  Result result = driver->init(0);
  if (result == kNoDevice)
    return createStringError(std::make_error_code(std::errc::no_such_device),
                             "no CUDA device: the NVIDIA driver is installed, "
                             "but it sees no GPU");
  if (result != kSuccess)
    return createStringError(std::make_error_code(std::errc::no_such_device),
                             "the NVIDIA driver cannot be used: " +
                                 driver->describe(result));
  return driver;
}

std::string Driver::describe(Result result) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) != kSuccess || !name)
    return "CUDA error " + std::to_string(result);
  if (getErrorString(result, &text) != kSuccess || !text)
    return name;
  return std::string(name) + ": " + text;
}

Error Driver::check(Result result, const Twine &what) const {
  if (result == kSuccess)
    return Error::success();
  return createStringError(what + ": " + describe(result));
}

Expected<unsigned> Driver::countDevices() const {
  int count = 0;
  if (Error error = check(deviceGetCount(&count), "cannot count CUDA devices"))
    return std::move(error);
  return count;
}

std::string Driver::getVersion() const {
  int version = 0;
  if (driverGetVersion(&version) != kSuccess)
    return "unknown";
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

} // namespace ew::runtime::cuda
