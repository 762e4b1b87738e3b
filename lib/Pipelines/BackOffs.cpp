//===- BackOffs.cpp - Kernels that take too many registers ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "ew/Analysis/Occupancy.h"
#include "ew/Codegen/Schedule/Policy.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "ew/Dialect/Ew/Transforms/SplitKernels.h"
#include "ew/Runtime/LocatedError.h"
#include "ew/Runtime/PlanRunner.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ew;

namespace rt = ew::runtime;

/// Of a multiprocessor that runtime::fullRegisters are counted for.
static constexpr unsigned fullThreads = 2048;
static_assert(fullThreads * rt::fullRegisters == rt::registersPerUnit);

//===----------------------------------------------------------------------===//
// Other kernels
//===----------------------------------------------------------------------===//

void Compilation::chooseSchedule(StringRef fingerprint, StringRef schedule) {
  for (auto [kernel, launch] : llvm::zip_equal(kernels, program.plan.launches))
    if (launch.fingerprint == fingerprint &&
        !kernel.op->hasAttr(scheduleSourceAttrName))
      kernel.op->setAttr(scheduleChoiceAttrName,
                         StringAttr::get(kernel.op.getContext(), schedule));
}

void Compilation::keepSchedule(const rt::BackOff &record) {
  // The first was decided without any choice, and is again: chosen by its
  // numbers it would have no versions for few elements.
  if (*record.kept)
    return chooseSchedule(record.fingerprint,
                          record.attempts[*record.kept].schedule);
  for (auto [kernel, launch] : llvm::zip_equal(kernels, program.plan.launches))
    if (launch.fingerprint == record.fingerprint &&
        !kernel.op->hasAttr(scheduleSourceAttrName))
      kernel.op->removeAttr(scheduleChoiceAttrName);
}

void Compilation::markSplit(StringRef fingerprint) {
  for (auto [kernel, launch] : llvm::zip_equal(kernels, program.plan.launches))
    if (launch.fingerprint == fingerprint)
      kernel.op->setAttr(splitAttrName, UnitAttr::get(kernel.op.getContext()));
}

LogicalResult Compilation::startAgain() {
  if (failed(runPasses(*scheduled,
                       [](OpPassManager &pm) {
                         pm.addNestedPass<func::FuncOp>(createEwSplitKernels());
                       })) ||
      failed(schedule()))
    return failure();
  return makePlan();
}

LogicalResult Compilation::applyBackOffs() {
  if (!options.backOff)
    return success();
  for (const rt::BackOff &known : options.backOffs)
    if (known.attempts.empty() ||
        (known.kept && *known.kept >= known.attempts.size()))
      return (*scheduled)->emitError("a back-off of kernel '")
             << known.name << "' keeps what it has not tried";
  llvm::copy_if(options.backOffs, std::back_inserter(program.plan.backOffs),
                [](const rt::BackOff &known) { return known.done; });
  if (program.plan.backOffs.empty())
    return success();
  // Parts of a kernel may have been split, too.
  for (bool split = true; split;) {
    split = false;
    for (const rt::Launch &launch : program.plan.launches) {
      const rt::BackOff *known = program.plan.findBackOff(launch.fingerprint);
      if (known && known->isSplit()) {
        markSplit(launch.fingerprint);
        split = true;
      } else if (known) {
        keepSchedule(*known);
      }
    }
    if (failed(startAgain()))
      return failure();
  }
  return success();
}

/// Whether there may be so many elements that room for more threads is of use
/// to the kernel's widest version. It was measured where space has one
/// dimension.
bool Compilation::mayFill(const ScheduledKernel &kernel) const {
  if (!options.schedule.empty() || chip->maxThreadsPerSM != fullThreads ||
      kernel.schedule.getCollapse().size() != 1 ||
      llvm::none_of(kernel.schedule.getVariants(), [](VariantAttr one) {
        return one.getAlignment() > 1 && !one.getBelow();
      }))
    return false;
  std::optional<int64_t> count = getStaticCount(*getLoopNest(kernel.op));
  return !count || *count >= getFewestForFull(kernel.schedule);
}

rt::BackOff &Compilation::getBackOff(const rt::Launch &launch) {
  for (rt::BackOff &known : program.plan.backOffs)
    if (known.fingerprint == launch.fingerprint)
      return known;
  rt::BackOff fresh;
  fresh.fingerprint = launch.fingerprint;
  fresh.name = launch.name;
  fresh.location = launch.location;
  fresh.source = launch.scheduleSource;
  return program.plan.backOffs.emplace_back(std::move(fresh));
}

LogicalResult Compilation::skipTooLong() {
  // Nothing is assembled for the CPU.
  if (!options.backOff || !forGPU() || options.schedule.empty())
    return success();
  bool changes = false;
  for (auto [kernel, launch] :
       llvm::zip_equal(kernels, program.plan.launches)) {
    llvm::Expected<ScheduleChoice> choice =
        ScheduleChoice::parse(launch.schedule);
    BackOffLimits limits = getLimits(kernel, launch);
    if (!choice || limits.fixed ||
        program.plan.findBackOff(launch.fingerprint)) {
      if (!choice)
        llvm::consumeError(choice.takeError());
      continue;
    }
    BodyWeight weight = getBodyWeight(kernel.op);
    std::vector<rt::ScheduleAttempt> skipped;
    while (isTooLongToTry(weight, *choice)) {
      BackOffStep step = decideBackOff({{*choice, 0, UINT_MAX}}, limits);
      if (step.kind != BackOffStep::Kind::Retry)
        break;
      skipped.push_back(rt::ScheduleAttempt{choice->str()});
      *choice = step.choice;
    }
    if (skipped.empty())
      continue;
    getBackOff(launch).attempts = std::move(skipped);
    chooseSchedule(launch.fingerprint, choice->str());
    changes = true;
  }
  return changes ? startAgain() : success();
}

BackOffLimits Compilation::getLimits(const ScheduledKernel &kernel,
                                     const rt::Launch &launch) const {
  BackOffLimits limits;
  // What was measured to be the fastest, stays.
  bool found = kernel.op->hasAttr(scheduleSourceAttrName);
  limits.fixed = found || !kernel.schedule.getTile().empty();
  limits.narrowest = UINT_MAX;
  for (auto [operand, access] :
       llvm::zip_equal(kernel.op->getOperands(), kernel.schedule.getAccess()))
    if (access == AccessClass::dense)
      limits.narrowest = std::min(
          limits.narrowest, getMemoryBytes(getElementType(operand.getType())));
  limits.mayFill = !limits.fixed && mayFill(kernel);
  if (!found)
    if (std::optional<KernelCut> cut = findCut(kernel.op))
      limits.splitBytes = cut->bytes;
  return limits;
}

FailureOr<bool> Compilation::backOff(uint32_t index,
                                     const rt::KernelResources &resources) {
  const rt::Launch launch = program.plan.launches[index];
  ScheduledKernel kernel = kernels[index];
  Location loc = kernel.op.getLoc();
  rt::BackOff &record = getBackOff(launch);
  if (record.done)
    return false;
  // Another version, or another launch of the same kernel, may have been here.
  auto same =
      llvm::find_if(record.attempts, [&](const rt::ScheduleAttempt &one) {
        return one.schedule == launch.schedule;
      });
  if (same == record.attempts.end())
    same = record.attempts.insert(same, rt::ScheduleAttempt{launch.schedule});
  same->registers = std::max(same->registers, resources.registers);
  same->spillBytes = std::max(same->spillBytes, resources.spillBytes);
  same->oneBlock =
      rt::leavesOneBlock(same->registers, kernel.schedule.getBlock());

  BackOffLimits limits = getLimits(kernel, launch);
  SmallVector<Attempt> attempts;
  for (const rt::ScheduleAttempt &one : record.attempts) {
    llvm::Expected<ScheduleChoice> choice = ScheduleChoice::parse(one.schedule);
    if (!choice && limits.fixed) {
      // A program's own has numbers that cannot be asked for.
      llvm::consumeError(choice.takeError());
      choice = ScheduleChoice();
      choice->block = kernel.schedule.getBlock();
    } else if (!choice) {
      return kernel.op.emitError(llvm::toString(choice.takeError()));
    }
    // What was not compiled is no choice.
    bool skipped = one.registers == 0;
    attempts.push_back(
        {*choice, one.registers, skipped ? UINT_MAX : one.spillBytes});
  }
  BackOffStep step = decideBackOff(attempts, limits);
  std::string wanted = step.kind == BackOffStep::Kind::Retry
                           ? step.choice.str()
                           : record.attempts[step.kept].schedule;
  record.done = step.kind != BackOffStep::Kind::Retry;
  if (step.kind == BackOffStep::Kind::Keep)
    record.kept = step.kept;
  // That there is room for more threads now is nothing that anybody need know.
  const rt::ScheduleAttempt &first = record.attempts.front();
  bool isNews = first.spillBytes || first.oneBlock || !first.registers;
  std::string said =
      record.done && isNews && record.isNews() ? describe(record) : "";

  bool changes = true;
  if (step.kind == BackOffStep::Kind::Split)
    markSplit(launch.fingerprint);
  else if (launch.schedule == wanted)
    changes = false;
  else if (record.kept)
    keepSchedule(record);
  else
    chooseSchedule(launch.fingerprint, wanted);
  if (failed(changes ? startAgain() : success()))
    return failure();
  if (!said.empty())
    emitRemark(loc) << said;
  return changes;
}

llvm::Error Compilation::checkIsOurs(const rt::Program &other,
                                     rt::VersionId id) const {
  const rt::Plan &plan = program.plan;
  if (id.launch >= plan.launches.size() ||
      id.variant >= plan.launches[id.launch].variants.size() ||
      program[id].kernel != other[id].kernel)
    return llvm::createStringError("kernel '" + other[id].kernel +
                                   "' is none of '" + plan.function + "'");
  // Where a block's elements are is a matter of both the plan and the code.
  if (plan.launches[id.launch].schedule !=
      other.plan.launches[id.launch].schedule)
    return llvm::createStringError("kernel '" + other[id].kernel +
                                   "' has another schedule by now");
  return llvm::Error::success();
}

llvm::Expected<std::optional<rt::Plan>>
Compilation::reconsider(const rt::Program &other, rt::VersionId id,
                        const rt::KernelResources &resources) {
  if (!options.backOff)
    return std::nullopt;
  if (llvm::Error error = checkIsOurs(other, id))
    return std::move(error);
  if (failed(backOff(id.launch, resources)))
    return llvm::make_error<rt::ReportedError>(
        "'" + program.plan.function +
        "' could not be compiled with fewer registers, for the reason that was "
        "reported");
  return program.plan;
}

/// What a kernel is judged by, where that is not what a call needs: versions of
/// fewer elements have less in flight.
static uint32_t getJudged(const rt::Launch &launch) {
  return llvm::find_if(launch.variants,
                       [](const rt::Variant &one) { return !one.below; }) -
         launch.variants.begin();
}

FailureOr<bool> Compilation::reconsiderAssembled() {
  if (!options.backOff)
    return false;
  for (uint32_t index = 0; index < program.plan.launches.size(); ++index) {
    const rt::Launch &launch = program.plan.launches[index];
    const rt::Variant &variant = launch.variants[getJudged(launch)];
    auto found = assembled.find(variant.kernel);
    if (found == assembled.end())
      continue;
    const rt::KernelResources &resources = found->second;
    const rt::BackOff *known = program.plan.findBackOff(launch.fingerprint);
    if (known ? known->done : !rt::takesTooMuch(variant, resources, INT64_MAX))
      continue;
    FailureOr<bool> changed = backOff(index, resources);
    if (failed(changed) || *changed)
      return changed;
  }
  return false;
}

FailureOr<bool> Compilation::settleAssembled() {
  // What nobody has compiled yet is, by what its kernels are judged by.
  bool any = llvm::any_of(program.plan.launches, [&](const rt::Launch &launch) {
    return assembled.count(launch.variants[getJudged(launch)].kernel);
  });
  if (!any && failed(compileJudged()))
    return failure();
  for (bool changed = false;; changed = true) {
    FailureOr<bool> again = reconsiderAssembled();
    if (failed(again) || !*again)
      return failed(again) ? again : FailureOr<bool>(changed);
    if (failed(compileJudged()))
      return failure();
  }
}

LogicalResult Compilation::compileJudged() {
  std::vector<rt::VersionId> versions;
  for (auto [index, launch] : llvm::enumerate(program.plan.launches))
    versions.push_back({uint32_t(index), getJudged(launch)});
  return failed(compile(versions)) ? failure() : success();
}

void Compilation::noteResources(gpu::GPUModuleOp module, StringRef ptx,
                                StringRef log) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringRef kernel = function.getName();
    std::optional<analysis::Resources> said =
        analysis::parsePtxasLog(log, kernel);
    if (!said)
      continue; // no kernel
    rt::KernelResources &resources = assembled[kernel];
    resources.registers = said->registers;
    resources.sharedBytes = said->sharedBytes;
    resources.spillBytes =
        said->spillBytes -
        std::min(said->spillBytes, rt::getDeclaredLocalBytes(ptx, kernel));
  }
}
