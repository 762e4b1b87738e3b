//===- Checklist.cpp - The figures that a kernel is judged by -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/Checklist.h"

#include "Schedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ew;
using namespace ew::analysis;
using namespace ew::nvidia;
using runtime::LaunchInfo;

/// Threads of a multiprocessor whose accesses of 4 bytes are served in a clock:
/// 32 load/store units, 128 bytes of the first-level cache (the guide's
/// chapters on each compute capability, the architectures' tuning guides).
static constexpr unsigned accessSlotsPerClock = 32;
static constexpr unsigned slotBytes = 4;

llvm::StringRef ew::analysis::getName(Status status) {
  switch (status) {
  case Status::Ok:
    return "ok";
  case Status::Look:
    return "look";
  case Status::Unknown:
    break;
  }
  return "unknown";
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The kernel's argument that points at an operand.
static std::optional<unsigned> getPointer(const runtime::Variant &variant,
                                          unsigned operand) {
  for (auto [number, arg] : llvm::enumerate(variant.args))
    if (arg.kind == runtime::KernelArg::Kind::Pointer && arg.operand == operand)
      return number;
  return std::nullopt;
}

/// How an operand lies for the loops of a version with strides: what its type
/// promises is a matter of the versions before that one.
static llvm::StringRef classify(llvm::ArrayRef<int64_t> loops,
                                llvm::ArrayRef<int64_t> strides) {
  llvm::SmallVector<std::pair<int64_t, int64_t>> steps; // sizes, strides
  for (auto [size, stride] : llvm::zip_equal(loops, strides))
    if (size > 1)
      steps.push_back({size, stride});
  auto stays = [](const auto &step) { return step.second == 0; };
  if (llvm::all_of(steps, stays))
    return "scalar";
  int64_t inner = steps.back().second, least = INT64_MAX;
  for (auto [size, stride] : steps)
    if (stride)
      least = std::min(least, std::abs(stride));
  if (inner != 0 && std::abs(inner) > least)
    return "transposed";
  if (inner != 0 && inner != 1)
    return "strided";
  // Loops that move it, one after the other and without gaps, from inside.
  int64_t dense = 1;
  size_t moving = steps.size();
  while (inner && moving > 0 && steps[moving - 1].second == dense)
    dense *= steps[--moving].first;
  if (inner && moving == 0)
    return "dense";
  auto outer = llvm::ArrayRef(steps).take_front(moving);
  if (inner)
    return llvm::all_of(outer, stays)    ? "row"
           : llvm::none_of(outer, stays) ? "pitched"
                                         : "general";
  auto firstInner = llvm::find_if(
      llvm::reverse(steps), [&](const auto &step) { return !stays(step); });
  return std::any_of(firstInner, steps.rend(), stays) ? "general" : "column";
}

std::vector<OperandReport>
ew::analysis::describeOperands(const KernelFacts &facts) {
  const LaunchInfo &info = *facts.info;
  const runtime::Plan &plan = *facts.plan;
  std::vector<OperandReport> reports;
  for (auto [index, operand] : llvm::enumerate(info.launch->operands)) {
    const runtime::Value &value = plan.values[operand.value];
    unsigned width = runtime::getByteWidth(value.type);
    OperandReport report;
    report.name = plan.nameOf(operand.value);
    report.write = index >= info.launch->numInputs;
    report.inPlace = report.write && value.inPlace;
    report.scalar = value.scalar;
    report.type = runtime::getName(value.type).str();
    report.access = operand.access;
    if (!value.scalar && info.grid) {
      if (!info.getVariant().contiguous && !info.geometry.loops.empty()) {
        report.strides = info.geometry.operands[index].strides;
        report.access = classify(info.geometry.loops, report.strides).str();
      }
      if (info.operandBytes[index])
        report.footprint = getFootprint(info, index, width);
      if (auto pointer = getPointer(info.getVariant(), index);
          facts.code && pointer)
        for (const ParameterAccess &access : facts.code->accesses)
          if (access.parameter == *pointer && access.store == report.write) {
            // The widest stand first: those say how the operand is read.
            if (!report.accessBytes)
              report.accessBytes = access.bytes;
            report.accessesPerThread += access.count;
          }
      if (report.accessBytes)
        report.warp = simulateWarps(info, index, width, report.accessBytes);
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Elements that a thread computes on the way that was read.
static double getElementsOfWay(const KernelFacts &facts) {
  const LaunchInfo &info = *facts.info;
  double elements = 0;
  for (unsigned index = info.launch->numInputs;
       index < info.launch->operands.size(); ++index) {
    auto pointer = getPointer(info.getVariant(), index);
    uint64_t bytes = 0;
    for (const ParameterAccess &access : facts.code->accesses)
      if (access.store && pointer && access.parameter == *pointer)
        bytes += uint64_t(access.bytes) * access.count;
    const runtime::Value &value =
        facts.plan->values[info.launch->operands[index].value];
    elements =
        std::max(elements, double(bytes) / runtime::getByteWidth(value.type));
  }
  return elements;
}

TimeLimits ew::analysis::getTimeLimits(const Machine &machine,
                                       const InstructionMix &perElement,
                                       int64_t elements, uint64_t memoryBytes,
                                       double accessSlots) {
  TimeLimits limits;
  if (machine.bytesPerSecond)
    limits.memory = memoryBytes / machine.bytesPerSecond;
  double clocks = machine.clockHz * machine.multiprocessors;
  if (!clocks || !machine.chip)
    return limits;
  const Throughput &rates = getThroughput(*machine.chip);
  // The slowest first.
  auto add = [&](llvm::StringRef name, double instructions, unsigned rate) {
    double seconds = instructions * elements / rate / clocks;
    auto isFaster = [&](const auto &part) { return part.seconds < seconds; };
    limits.parts.insert(llvm::find_if(limits.parts, isFaster), {name, seconds});
  };
  add("issue", perElement.total(), issuedPerClock);
  add("f32", perElement[Unit::F32], rates.f32);
  add("f64", perElement[Unit::F64], rates.f64);
  add("f16x2", perElement[Unit::F16x2], rates.f16x2);
  add("integer", perElement[Unit::Integer] + perElement[Unit::Pack],
      rates.integer);
  add("special", perElement[Unit::Special] + perElement[Unit::Convert],
      rates.special);
  add("load/store", accessSlots, accessSlotsPerClock);
  return limits;
}

KernelReport ew::analysis::makeReport(const KernelFacts &facts) {
  const LaunchInfo &info = *facts.info;
  KernelReport report;
  report.operands = describeOperands(facts);
  report.elements = 1;
  for (int64_t size : info.geometry.loops)
    report.elements *= size;
  if (!info.grid)
    report.elements = 0;
  // Rounded up: a block may compute a vector less (see BuildPlan.cpp).
  const runtime::Variant &variant = info.getVariant();
  int64_t atOnce = int64_t(variant.block) *
                   std::max(getNumber(info.launch->schedule, "elements"), 1u);
  if (!variant.contiguous || variant.tile.empty())
    report.unroll = llvm::divideCeil(variant.elementsPerBlock, atOnce);

  const Machine &machine = facts.machine;
  uint64_t memoryBytes = 0;
  for (const OperandReport &operand : report.operands)
    memoryBytes += operand.footprint;
  if (double way = facts.code ? getElementsOfWay(facts) : 0) {
    InstructionMix &mix = report.instructions.emplace(facts.code->mix);
    for (double &count : mix)
      count /= way;
    double slots = mix[Unit::Shared];
    for (const ParameterAccess &access : facts.code->accesses)
      slots += std::max(1u, access.bytes / slotBytes) * access.count / way;
    report.limits =
        getTimeLimits(machine, mix, report.elements, memoryBytes, slots);
  } else if (machine.bytesPerSecond) {
    report.limits = getTimeLimits(machine, {}, 0, memoryBytes, 0);
  }

  if (machine.chip && info.grid) {
    unsigned shared = facts.resources ? facts.resources->sharedBytes
                                      : info.getVariant().sharedBytes;
    std::optional<unsigned> registers;
    if (facts.resources)
      registers = facts.resources->registers;
    report.occupancy =
        getOccupancy(*machine.chip, info.block, registers, shared);
    if (facts.residentBlocks)
      report.occupancy->blocks = *facts.residentBlocks;
    if (machine.multiprocessors)
      report.waves = getWaves(info.grid, report.occupancy->blocks,
                              machine.multiprocessors);
    if (facts.code)
      report.bytesInFlight = uint64_t(report.occupancy->blocks) * info.block *
                             facts.code->loadBytesInFlight;
    if (machine.latencyClocks && machine.multiprocessors && machine.clockHz)
      report.bytesNeeded = machine.bytesPerSecond * machine.latencyClocks /
                           machine.clockHz / machine.multiprocessors;
  }
  addChecks(facts, report);
  addAdvice(facts, report);
  return report;
}
