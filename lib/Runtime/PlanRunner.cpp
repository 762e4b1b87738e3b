//===- PlanRunner.cpp - Runs compiled functions ---------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/PlanRunner.h"

#include "ew/Support/Plural.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace ew;
using namespace ew::runtime;
using llvm::Twine;

std::string ew::runtime::describeBytes(uint64_t bytes) {
  static constexpr const char *units[] = {"KiB", "MiB", "GiB",
                                          "TiB", "PiB", "EiB"};
  std::string exact = std::to_string(bytes) + " bytes";
  if (bytes < 1024)
    return exact;
  double value = double(bytes) / 1024;
  unsigned unit = 0;
  for (; value >= 1024; value /= 1024)
    ++unit;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.1f %s (", value, units[unit]) << exact << ")";
  return text;
}

//===----------------------------------------------------------------------===//
// LaunchInfo
//===----------------------------------------------------------------------===//

llvm::SmallVector<uint32_t> LaunchInfo::getPassedOver() const {
  llvm::SmallVector<uint32_t> before;
  for (uint32_t index = 0; index < variant; ++index)
    if (!launch->variants[index].below)
      before.push_back(index);
  return before;
}

std::optional<std::string> LaunchInfo::whyNot(uint32_t variant,
                                              const Plan &plan) const {
  return runtime::whyNot(*launch, launch->variants[variant], geometry, maxGrid,
                         [&](size_t operand) {
                           return plan.nameOf(launch->operands[operand].value);
                         });
}

Obstacle LaunchInfo::findObstacle(uint32_t variant) const {
  return runtime::findObstacle(*launch, launch->variants[variant], geometry,
                               maxGrid);
}

//===----------------------------------------------------------------------===//
// Invocation
//===----------------------------------------------------------------------===//

llvm::Error Invocation::launch() {
  for (const Step &step : steps) {
    LaunchConfig config;
    config.grid = step.grid;
    config.block = step.block;
    config.sharedBytes = step.sharedBytes;
    config.dependent = step.dependent;
    config.args = step.args;
    config.operands = step.operands;
    if (llvm::Error error = device->launch(*step.kernel, config))
      return error;
  }
  for (const Copy &copy : copies)
    if (llvm::Error error =
            device->copyOnDevice(copy.to, copy.from, copy.bytes))
      return error;
  return llvm::Error::success();
}

uint64_t Invocation::getBytesRead() const {
  uint64_t bytes = 0;
  for (const LaunchInfo &info : infos)
    bytes += info.bytesRead;
  return bytes;
}

uint64_t Invocation::getBytesWritten() const {
  uint64_t bytes = 0;
  for (const LaunchInfo &info : infos)
    bytes += info.bytesWritten;
  return bytes;
}

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

static llvm::StringRef nameOf(Target target) {
  switch (target) {
  case Target::CUDA:
    return "CUDA";
  case Target::CPU:
    return "the CPU";
  case Target::Emulated:
    return "the emulator";
  }
  return "";
}

Executable::Executable(Program program, Device &device)
    : program(std::move(program)), device(device),
      modules(this->program.modules.size()) {}

llvm::Expected<std::unique_ptr<Executable>> Executable::create(Program program,
                                                               Device &device) {
  if (llvm::Error error = verify(program))
    return std::move(error);
  if (program.target != device.getTarget())
    return llvm::createStringError(
        "'" + program.plan.function + "' was compiled for " +
        nameOf(program.target) + ", not for " + device.getName());
  return std::unique_ptr<Executable>(
      new Executable(std::move(program), device));
}

llvm::Error Executable::obtain(llvm::ArrayRef<VersionId> versions) {
  llvm::SmallVector<VersionId> missing;
  for (VersionId id : versions)
    if (!program[id].module)
      missing.push_back(id);
  if (missing.empty())
    return llvm::Error::success();
  if (!program.source)
    return llvm::createStringError("kernel '" + program[missing[0]].kernel +
                                   "' was not compiled");
  llvm::Expected<std::vector<CodeModule>> code =
      program.source->compile(program, missing);
  if (!code)
    return code.takeError();
  if (code->size() != missing.size())
    return llvm::createStringError("for " + plural(missing.size(), "version") +
                                   " of '" + program.plan.function +
                                   "' there came " +
                                   plural(code->size(), "module"));
  for (auto [id, module] : llvm::zip_equal(missing, *code))
    program.add(id, std::move(module));
  modules.resize(program.modules.size());
  return llvm::Error::success();
}

llvm::Expected<Kernel *> Executable::getKernel(const Variant &variant) {
  std::unique_ptr<LoadedModule> &module = modules[*variant.module];
  if (!module) {
    llvm::Expected<std::unique_ptr<LoadedModule>> loaded =
        device.load(program.modules[*variant.module]);
    if (!loaded)
      return loaded.takeError();
    module = std::move(*loaded);
  }
  return module->getKernel(variant.kernel);
}

/// Whether all threads that a multiprocessor has would find room with a few
/// registers less, and there are so many of them that it matters. Versions that
/// have no limit say nothing of what it would do to those that have.
static bool wantsRoom(const Variant &variant, unsigned registers,
                      int64_t elements) {
  if (variant.below)
    elements = std::min(elements, variant.below - 1);
  return isNearlyFull(registers) && variant.contiguous &&
         variant.alignment > 1 &&
         variant.elementsPerBlock / variant.block <= elements / minFullThreads;
}

bool ew::runtime::takesTooMuch(const Variant &variant,
                               const KernelResources &resources,
                               int64_t elements) {
  return resources.spillBytes ||
         leavesOneBlock(resources.registers, variant.block) ||
         wantsRoom(variant, resources.registers, elements);
}

llvm::Expected<bool> Executable::reconsider(llvm::ArrayRef<VersionId> versions,
                                            llvm::ArrayRef<int64_t> counts) {
  if (!program.source)
    return false;
  judged.resize(modules.size());
  for (auto [id, count] : llvm::zip_equal(versions, counts)) {
    const Launch &launch = program.plan.launches[id.launch];
    const Variant &variant = program[id];
    const CodeModule &code = program.modules[*variant.module];
    // Room is a matter of the call, all else of the code.
    uint8_t by = wantsRoom(variant, fullRegisters + 1, count) ? 2 : 1;
    if (judged[*variant.module] >= by)
      continue;
    judged[*variant.module] = by;
    // Of machine code it is not known which arrays it declares; who assembled
    // it has judged it.
    const BackOff *known = program.plan.findBackOff(launch.fingerprint);
    if (code.kind != CodeKind::PTX || (known && known->done))
      continue;
    llvm::Expected<Kernel *> kernel = getKernel(variant);
    if (!kernel)
      return kernel.takeError();
    std::optional<KernelResources> resources = device.getResources(**kernel);
    if (!resources)
      continue;
    resources->spillBytes -=
        std::min(resources->spillBytes,
                 getDeclaredLocalBytes(code.code, variant.kernel));
    if (!known && !takesTooMuch(variant, *resources, count))
      continue;
    llvm::Expected<std::optional<Plan>> plan =
        program.source->reconsider(program, id, *resources);
    if (!plan)
      return plan.takeError();
    if (*plan) {
      adopt(std::move(**plan));
      return true;
    }
  }
  return false;
}

/// Code stays where the kernel and its schedule do.
void Executable::adopt(Plan plan) {
  for (Launch &launch : plan.launches)
    for (const Launch &old : program.plan.launches)
      if (launch.name == old.name && launch.fingerprint == old.fingerprint &&
          launch.schedule == old.schedule &&
          launch.variants.size() == old.variants.size())
        for (auto [variant, before] :
             llvm::zip_equal(launch.variants, old.variants))
          if (variant.kernel == before.kernel)
            variant.module = before.module;
  // Moving it leaves its launches in their place.
  retired.push_back(std::move(program.plan));
  program.plan = std::move(plan);
  constants.clear();
}

llvm::Expected<BufferRef> Executable::getConstant(uint32_t value) {
  if (auto known = constants.find(value); known != constants.end())
    return known->second;
  const std::string &data = program.plan.values[value].data;
  llvm::Expected<BufferRef> fresh = Buffer::allocate(device, data.size());
  if (!fresh)
    return fresh.takeError();
  if (!data.empty())
    if (llvm::Error error =
            device.copyToDevice((*fresh)->address(), data.data(), data.size()))
      return std::move(error);
  // What is there takes no more memory (Preparation::checkFits), so that
  // nothing is before it is complete.
  return constants[value] = std::move(*fresh);
}

llvm::Expected<std::unique_ptr<Invocation>>
Executable::run(llvm::ArrayRef<Argument> arguments,
                llvm::ArrayRef<std::optional<Tensor>> outputs) {
  llvm::Expected<std::unique_ptr<Invocation>> invocation =
      prepare(arguments, outputs);
  if (!invocation)
    return invocation.takeError();
  if (llvm::Error error = (*invocation)->launch())
    return std::move(error);
  if (llvm::Error error = device.synchronize())
    return std::move(error);
  return invocation;
}
