//===- Explain.cpp - What was chosen for each kernel, and what limits it --===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainReport.h"
#include "Session.h"
#include "ew/Pipelines/EmitCode.h"
#include "ew/Runtime/CachedVersions.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Target/NVIDIA/Chips.h"
#include "ew/Target/NVIDIA/Limits.h"

#include "llvm/Support/FormatVariadic.h"

using namespace ew;
using namespace ew::run;

namespace rt = ew::runtime;
namespace an = ew::analysis;

/// The product that was asked for; else the device's own; else the chip's
/// first.
static const nvidia::Product *getProduct(const Options &options,
                                         llvm::StringRef device,
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
      getProduct(options, gpu ? gpu->getModel() : "",
                 machine.chip ? machine.chip->name : "");
  if (product) {
    machine.name = product->name.str();
    machine.source = product->source.str();
    machine.multiprocessors = product->multiprocessors;
    machine.clockHz = product->clockHz();
    machine.bytesPerSecond = product->bytesPerSecond();
    machine.cacheBytes = uint64_t(product->l2MiB) << 20;
    machine.latencyClocks = product->latencyClocks;
    machine.standsForChip = options.product.empty() && !gpu;
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

llvm::Error Session::needChipProgram() {
  if (chipProgram)
    return llvm::Error::success();
  settled = executable->getPlan().backOffs;
  auto compiled = compileProgram(rt::Target::CUDA, Versions::OnNeed);
  if (!compiled)
    return compiled.takeError();
  chipProgram = std::move(*compiled);
  return llvm::Error::success();
}

/// Compiled and assembled when it is first asked for.
llvm::Expected<const ChipCode *> Session::getChipCode(rt::VersionId id) {
  if (llvm::Error error = needChipProgram())
    return std::move(error);
  const std::string &kernel = (*chipProgram)[id].kernel;
  const rt::Launch &launch = chipProgram->plan.launches[id.launch];
  std::string key = kernel + " " + launch.fingerprint + " " + launch.schedule;
  if (auto known = chipCode.find(key); known != chipCode.end())
    return &known->second;
  auto modules = chipProgram->source->compile(*chipProgram, id);
  if (!modules)
    return modules.takeError();
  ChipCode &code = chipCode[key];
  code.module = std::move(modules->front());
  std::string log;
  auto cubin = assemblePTX(code.module.code, chip, /*verbose=*/true, &log);
  if (cubin) {
    code.resources = an::parsePtxasLog(log, kernel);
    if (code.resources)
      code.resources->spillBytes -=
          std::min(code.resources->spillBytes,
                   rt::getDeclaredLocalBytes(code.module.code, kernel));
  } else {
    code.whyNoResources = llvm::toString(cubin.takeError());
  }
  return &code;
}

/// What would be done on a GPU for the versions of a call, as far as it comes
/// without asking again which versions those are. True: something was.
llvm::Expected<bool> Session::settleOnChip(const rt::Invocation &call) {
  const rt::Launch *first = executable->getPlan().launches.data();
  size_t launches = executable->getPlan().launches.size();
  bool changed = false;
  for (const rt::LaunchInfo &info : call.getLaunches()) {
    rt::VersionId id{uint32_t(info.launch - first), info.variant};
    while (info.kernel) {
      auto code = getChipCode(id);
      if (!code)
        return code.takeError();
      if (!(*code)->resources)
        return changed; // no ptxas
      const rt::Launch &launch = chipProgram->plan.launches[id.launch];
      rt::KernelResources resources;
      resources.registers = (*code)->resources->registers;
      resources.spillBytes = (*code)->resources->spillBytes;
      const rt::BackOff *known =
          chipProgram->plan.findBackOff(launch.fingerprint);
      const rt::Variant &variant = (*chipProgram)[id];
      if (known ? known->done
                : !rt::takesTooMuch(variant, resources, info.geometry.count))
        break;
      std::string kernel = variant.kernel;
      auto plan = chipProgram->source->reconsider(*chipProgram, id, resources);
      if (!plan)
        return plan.takeError();
      if (!*plan)
        break;
      changed = true;
      chipProgram->plan = std::move(**plan);
      if (chipProgram->plan.launches.size() != launches)
        return true; // another schedule might have another number of versions
      // The same version, though there may be others before it now, or the
      // first that is not for few elements.
      const auto &variants = chipProgram->plan.launches[id.launch].variants;
      auto same = llvm::find_if(variants, [&](const rt::Variant &one) {
        return one.kernel == kernel;
      });
      if (same == variants.end())
        same = llvm::find_if(variants,
                             [](const rt::Variant &one) { return !one.below; });
      id.variant = same - variants.begin();
    }
  }
  return changed;
}

/// The emulated device has no registers to spill. What --explain says is of the
/// chip, and so its kernels are those that the chip would run.
int Session::settle() {
  if (!options.explain || !options.backOff ||
      device->getTarget() != rt::Target::Emulated)
    return kSuccess;
  while (true) {
    auto call = executable->prepare(arguments);
    if (!call)
      return fail(call.takeError());
    auto changed = settleOnChip(**call);
    if (!changed)
      return fail(changed.takeError());
    if (!*changed)
      return kSuccess;
    settled = chipProgram->plan.backOffs;
    auto compiled = compileProgram();
    if (!compiled)
      return fail(compiled.takeError());
    program = std::move(*compiled);
    cache.store(rt::getSettledKey(programKey),
                llvm::formatv("{0}", rt::toJSON(program)).str());
    if (options.dumpDir.empty())
      useCachedVersions(std::move(program.source));
    if (int code = load())
      return code;
  }
}

/// PTX of the versions that ran. On the emulated device, what would run on the
/// chip.
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
        analyze(
            of,
            executable->getProgram().modules[*of.info->getVariant().module]);
    return llvm::Error::success();
  }
  for (an::KernelFacts &of : facts) {
    if (!of.info->kernel)
      continue;
    auto found = getChipCode(
        {uint32_t(of.info->launch - plan.launches.data()), of.info->variant});
    if (!found)
      return found.takeError();
    analyze(of, (*found)->module);
    of.resources = (*found)->resources;
    of.whyNoResources = (*found)->whyNoResources;
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
        of.resources =
            an::Resources{resources->registers, resources->spillBytes,
                          resources->sharedBytes};
        of.residentBlocks = resources->blocksPerUnit;
        const rt::CodeModule &module =
            executable->getProgram().modules[*info.getVariant().module];
        if (module.kind == rt::CodeKind::PTX)
          of.resources->spillBytes -= std::min(
              of.resources->spillBytes,
              rt::getDeclaredLocalBytes(module.code, info.getVariant().kernel));
      }
    facts.push_back(std::move(of));
  }
  if (machine.chip)
    if (llvm::Error error = addCode(facts))
      return fail(std::move(error));
  llvm::json::Array rows;
  if (!options.json)
    printMachine(machine, llvm::outs());
  for (const rt::BackOff &backOff : executable->getPlan().backOffs)
    if (!options.json && backOff.isNews())
      llvm::outs() << (backOff.hasChanged() ? "backed off: "
                                            : "not backed off: ")
                   << rt::describe(backOff) << "\n";
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
