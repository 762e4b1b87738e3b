//===- Programs.cpp - What the benchmarks compile -------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "ew/InitAll.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <cstdio>
#include <cstdlib>

using namespace ew;
using namespace ew::benchmarks;

[[noreturn]] static void stop(const std::string &why) {
  std::fprintf(stderr, "ew-benchmark: %s\n", why.c_str());
  std::exit(1);
}

std::vector<Text> ew::benchmarks::getWorkloads() {
  std::string folder =
      llvm::sys::Process::GetEnv("EW_WORKLOADS").value_or(EW_WORKLOADS);
  std::vector<Text> workloads;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code)) {
    auto file = llvm::MemoryBuffer::getFile(it->path());
    if (!file)
      stop(it->path() + ": " + file.getError().message());
    workloads.push_back(
        {llvm::sys::path::stem(it->path()).str(), (*file)->getBuffer().str()});
  }
  if (code)
    stop(folder + ": " + code.message());
  llvm::sort(workloads,
             [](const Text &a, const Text &b) { return a.name < b.name; });
  return workloads;
}

llvm::Expected<std::unique_ptr<runtime::CudaDevice>>
ew::benchmarks::openDevice() {
  auto device = runtime::createCudaDevice();
#ifdef EW_FAKE_CUDA
  if (!device) {
    llvm::consumeError(device.takeError());
    auto driver = runtime::cuda::Driver::load(EW_FAKE_CUDA);
    if (!driver)
      return driver.takeError();
    return runtime::CudaDevice::create(std::move(*driver), 0);
  }
#endif
  return device;
}

std::string ew::benchmarks::makeChain(unsigned ops, bool sines) {
  std::string type = " : tensor<?xf32>\n",
              text = "func.func @chain(%x: tensor<?xf32>, %y: tensor<?xf32>) "
                     "-> tensor<?xf32> "
                     "{\n";
  std::string last = "%x";
  for (unsigned i = 0; i < ops; ++i) {
    std::string next = "%" + std::to_string(i);
    text += "  " + next + " = ew.";
    if (sines && i % 4 == 3)
      text += "sin " + last + type;
    else
      text += (i % 2 ? "add " : "mul ") + last + ", %y" + type;
    last = next;
  }
  return text + "  return " + last + type + "}\n";
}

std::unique_ptr<mlir::MLIRContext> ew::benchmarks::makeContext() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
}

mlir::OwningOpRef<mlir::ModuleOp>
ew::benchmarks::parse(const std::string &text, mlir::MLIRContext &context) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    stop("a program does not parse");
  return module;
}

runtime::Program ew::benchmarks::plan(mlir::ModuleOp module,
                                      runtime::Target target,
                                      llvm::StringRef chip) {
  CompileOptions options;
  options.target = target;
  options.chip = chip.str();
  options.versions = Versions::OnNeed;
  auto program = compile(module, "", options);
  if (failed(program))
    stop("a program does not compile");
  return std::move(*program);
}

std::vector<runtime::VersionId>
ew::benchmarks::getFirstVersions(const runtime::Program &program) {
  std::vector<runtime::VersionId> versions;
  for (auto [index, launch] : llvm::enumerate(program.plan.launches)) {
    // Those for few elements are short.
    auto first =
        llvm::find_if(launch.variants, [](const runtime::Variant &variant) {
          return !variant.below;
        });
    versions.push_back(
        {uint32_t(index), uint32_t(first - launch.variants.begin())});
  }
  return versions;
}
