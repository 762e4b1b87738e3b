//===- Explain.cpp - What was chosen for each kernel, and what limits it -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainReport.h"
#include "Session.h"
#include "ew/Pipelines/EmitCode.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Target/NVIDIA/Chips.h"
#include "ew/Target/NVIDIA/Limits.h"

using namespace ew;
using namespace ew::run;

namespace rt = ew::runtime;
namespace an = ew::analysis;

/// The product that was asked for; else the device's own; else the chip's first.
static const nvidia::Product *getProduct(const Options &options, llvm::StringRef device,
                                         llvm::StringRef chip) {
  if (!options.product.empty())
    return nvidia::findProduct(options.product);
  if (const nvidia::Product *product = nvidia::findProductOfDevice(device))
    return product;
  return nvidia::findProductOfChip(chip);
}

an::Machine Session::getMachine() const {
  an::Machine machine;
  rt::Target target = device->getTarget();
  if (target == rt::Target::CPU) {
    machine.name = machine.source = device->getDescription();
    machine.multiprocessors = rt::getHostThreads();
    machine.cacheBytes = rt::getCacheBytes(*device);
    return machine;
  }
  if (auto found = nvidia::findChip(chip))
    machine.chip = *found;
  else
    llvm::consumeError(found.takeError());
  const auto *gpu = target == rt::Target::CUDA && options.product.empty()
                        ? static_cast<const rt::CudaDevice *>(device)
                        : nullptr;
  const nvidia::Product *product =
      getProduct(options, gpu ? gpu->getModel() : "", machine.chip ? machine.chip->name : "");
  if (product) {
    machine.name = product->name.str();
    machine.source = product->source.str();
    machine.multiprocessors = product->multiprocessors;
    machine.clockHz = product->clockHz();
    machine.bytesPerSecond = product->bytesPerSecond();
    machine.cacheBytes = uint64_t(product->l2MiB) << 20;
    machine.latencyClocks = product->latencyClocks;
  }
  if (!gpu)
    return machine;
  // What the driver knows is of this very device.
  machine.name = gpu->getModel().str();
  machine.multiprocessors = gpu->getMultiprocessors();
  machine.cacheBytes = gpu->getL2Bytes();
  if (gpu->getClockHz() && gpu->getMemoryBytesPerSecond()) {
    machine.clockHz = gpu->getClockHz();
    machine.bytesPerSecond = gpu->getMemoryBytesPerSecond();
    machine.source = "the driver";
  }
  return machine;
}

/// PTX of the versions that ran. On the emulated device, what would run on the chip.
llvm::Error Session::addCode(llvm::MutableArrayRef<an::KernelFacts> facts) {
  const rt::Plan &plan = executable->getPlan();
  auto analyze = [](an::KernelFacts &of, const rt::CodeModule &module) {
    if (module.kind != rt::CodeKind::PTX) {
      of.whyNoCode = "there is no PTX of it";
      return;
    }
    auto code = an::analyzePTX(module.code, of.info->getVariant().kernel);
    if (code)
      of.code = std::move(*code);
    else
      of.whyNoCode = llvm::toString(code.takeError());
  };
  if (device->getTarget() == rt::Target::CUDA) {
    for (an::KernelFacts &of : facts)
      if (of.info->kernel)
        analyze(of, executable->getProgram().modules[*of.info->getVariant().module]);
    return llvm::Error::success();
  }
  std::vector<rt::VersionId> versions;
  std::vector<an::KernelFacts *> launched;
  for (an::KernelFacts &of : facts)
    if (of.info->kernel) {
      versions.push_back({uint32_t(of.info->launch - plan.launches.data()), of.info->variant});
      launched.push_back(&of);
    }
  if (versions.empty())
    return llvm::Error::success();
  auto compiled = compileProgram(rt::Target::CUDA, Versions::OnNeed);
  if (!compiled)
    return compiled.takeError();
  auto modules = compiled->source->compile(*compiled, versions);
  if (!modules)
    return modules.takeError();
  for (auto [of, module] : llvm::zip_equal(launched, *modules)) {
    analyze(*of, module);
    std::string log;
    auto cubin = assemblePTX(module.code, chip, /*verbose=*/true, &log);
    if (cubin)
      of->resources = an::parsePtxasLog(log, of->info->getVariant().kernel);
    else
      of->whyNoResources = llvm::toString(cubin.takeError());
  }
  return llvm::Error::success();
}

int Session::explain() {
  std::vector<an::KernelFacts> facts;
  an::Machine machine = getMachine();
  for (const rt::LaunchInfo &info : invocation->getLaunches()) {
    an::KernelFacts of;
    of.plan = &executable->getPlan();
    of.info = &info;
    of.machine = machine;
    of.whyNoCode = "there is no PTX of it";
    of.whyNoResources = "neither the driver nor ptxas said";
    of.file = options.file;
    of.mode = getName(options.mode).str();
    if (timed && invocation->getLaunches().size() == 1) {
      of.measured = timed->program.median;
      if (timed->ceiling.count)
        of.fractionOfCopy = timed->fractionOfCeiling();
    }
    if (info.kernel)
      if (auto resources = device->getResources(*info.kernel)) {
        of.resources = an::Resources{resources->registers, resources->spillBytes,
                                     resources->sharedBytes};
        of.residentBlocks = resources->blocksPerUnit;
      }
    facts.push_back(std::move(of));
  }
  if (machine.chip)
    if (llvm::Error error = addCode(facts))
      return fail(std::move(error));
  llvm::json::Array rows;
  if (!options.json)
    printMachine(machine, llvm::outs());
  for (const an::KernelFacts &of : facts) {
    an::KernelReport kernel = an::makeReport(of);
    if (!options.json)
      printReport(of, kernel, llvm::outs());
    rows.push_back(toJSON(of, kernel));
  }
  report["machine"] = toJSON(machine);
  report["kernels"] = std::move(rows);
  return kSuccess;
}
