//===- DeviceTest.h - Compiled programs on every device ---------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_PIPELINES_DEVICETEST_H
#define EW_TEST_UNIT_PIPELINES_DEVICETEST_H

#include "../TestContext.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Runtime/Emulator.h"
#include "ew/Runtime/PlanRunner.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

#include <set>

namespace ew::test {

/// Compiles programs for the CPU, the emulator or, where there is one, a GPU.
class DeviceTest : public ::testing::TestWithParam<runtime::Target> {
protected:
  DeviceTest() {
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      ADD_FAILURE() << diagnostic.str();
    });
  }

  void SetUp() override {
    auto created = createDevice();
    if (!created)
      GTEST_SKIP() << llvm::toString(created.takeError());
    device = std::move(*created);
    if (GetParam() == runtime::Target::CUDA)
      chip = device->getChip();
  }

  /// The module's only function.
  std::optional<runtime::Program> compile(const std::string &text,
                                          Versions versions = Versions::All) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return std::nullopt;
    CompileOptions options;
    options.target = GetParam();
    options.chip = chip;
    options.versions = versions;
    // Few elements go through vectors and their tails as well.
    options.schedule.many = GetParam() != runtime::Target::CPU;
    llvm::FailureOr<runtime::Program> program =
        ew::compile(*module, "", options);
    if (failed(program))
      return std::nullopt;
    return std::move(*program);
  }

  void addLaunches(const runtime::Invocation &call) {
    for (const runtime::LaunchInfo &info : call.getLaunches())
      variants.insert(info.getVariant().kernel);
  }
  /// Whether a variant of that name is among those that were added.
  bool ran(llvm::StringRef variant) const {
    return llvm::any_of(variants, [&](llvm::StringRef kernel) {
      return kernel.ends_with(("_" + variant).str());
    });
  }

  TestContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string chip = "sm_80";
  std::unique_ptr<runtime::Device> device;
  std::set<std::string> variants; // that ran

private:
  /// Or why this machine has none.
  static llvm::Expected<std::unique_ptr<runtime::Device>> createDevice() {
    if (GetParam() == runtime::Target::CPU)
      return runtime::createCPUDevice();
    if (GetParam() == runtime::Target::Emulated)
      return runtime::createEmulatedDevice();
    auto driver = runtime::cuda::Driver::load();
    if (!driver)
      return driver.takeError();
    return runtime::CudaDevice::create(*driver);
  }
};

inline auto allDevices() {
  return ::testing::Values(runtime::Target::CPU, runtime::Target::Emulated,
                           runtime::Target::CUDA);
}

inline std::string
getDeviceName(const ::testing::TestParamInfo<runtime::Target> &info) {
  return info.param == runtime::Target::CPU        ? "CPU"
         : info.param == runtime::Target::Emulated ? "Emulated"
                                                   : "CUDA";
}

} // namespace ew::test

#endif // EW_TEST_UNIT_PIPELINES_DEVICETEST_H
