//===- Advice.cpp - What to try next --------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/Checklist.h"

#include "Schedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ew;
using namespace ew::analysis;
using llvm::formatv;

/// A kernel whose longest limit takes this part of its time needs no other
/// schedule: a copy reaches about as much of the memory's peak.
static constexpr double wellUsed = 0.85;
/// More accesses a thread of a GPU are refused (ScheduleChoice::verifyForGPU).
static constexpr unsigned maxUnroll = 16;

static Status statusOf(const KernelReport &report, llvm::StringRef name) {
  for (const Check &check : report.checks)
    if (check.name == name)
      return check.status;
  return Status::Ok;
}

/// Whether elements of an operand that follow each other along some loop do in
/// memory, too.
static bool isSideBySide(const runtime::Geometry &geometry, size_t operand) {
  for (auto [size, stride] :
       llvm::zip_equal(geometry.loops, geometry.operands[operand].strides))
    if (size != 1 && stride == 1)
      return true;
  return false;
}

/// For a version that is not the first.
static void adviseOnVersion(const KernelFacts &facts, KernelReport &report) {
  const runtime::LaunchInfo &info = *facts.info;
  std::optional<uint32_t> nearest = getNearest(info);
  // Few elements go one a thread, however they lie.
  if (!nearest || info.getVariant().below)
    return;
  const runtime::Variant &wanted = info.launch->variants[*nearest];
  runtime::Obstacle obstacle = info.findObstacle(*nearest);
  auto add = [&](std::string text) { report.advice.push_back(text); };
  auto name = [&] {
    return facts.plan->nameOf(info.launch->operands[obstacle.operand].value);
  };
  // Such views, and rows of such lengths, may be read in wide accesses, too.
  bool wider = facts.machine.chip ? isWider(*facts.plan, *info.launch, wanted,
                                            info.getVariant())
                                  : gathersOnHost(info.getVariant());
  switch (obstacle.kind) {
  case runtime::Obstacle::Alignment:
    if (wider)
      add(formatv("begin every buffer at a multiple of {0} bytes: views that "
                  "are off by some elements are read in narrower accesses",
                  wanted.alignment));
    break;
  case runtime::Obstacle::Multiple:
    if (wider)
      add(formatv(
          "make the innermost size a multiple of {0}, if need be by padding",
          wanted.multiple));
    break;
  case runtime::Obstacle::Pitch:
    if (wider)
      add(formatv("begin every row at a multiple of {0} bytes, if need be by "
                  "padding: these are read in narrower accesses",
                  wanted.alignment));
    break;
  case runtime::Obstacle::Row:
  case runtime::Obstacle::Density:
    if (!wider)
      break;
    if (info.geometry.operands[obstacle.operand].stretched)
      add("declare the size of 1 in the function's type: a row or a column "
          "that is known when it is compiled needs no strides");
    else if (obstacle.operand >= info.launch->numInputs)
      add("give " + name() + " a dense buffer");
    else
      add(formatv("give a dense copy of {0} if it is read more than once{1}",
                  name(),
                  isSideBySide(info.geometry, obstacle.operand)
                      ? ""
                      : ", or a view whose innermost stride is 1"));
    break;
  case runtime::Obstacle::Indices:
    add("split the largest dimension so that a call has fewer than 2^31 "
        "elements");
    break;
  case runtime::Obstacle::None:
  case runtime::Obstacle::Dimensions:
  case runtime::Obstacle::Blocks:
  case runtime::Obstacle::Rows:
  case runtime::Obstacle::AllRows:
  case runtime::Obstacle::Many:
  case runtime::Obstacle::Tile:
  case runtime::Obstacle::LargerTile:
    break;
  }
}

namespace {
/// Adds what to try, the same thing once, whatever the reason.
class Adviser {
public:
  Adviser(const KernelFacts &facts, KernelReport &report)
      : report(report), launch(*facts.info->launch),
        backOff(facts.plan->findBackOff(launch.fingerprint)) {}

  void add(std::string what, llvm::StringRef why) {
    if (llvm::is_contained(tried, what))
      return;
    report.advice.push_back(what + ": " + why.str());
    tried.push_back(std::move(what));
  }

  /// Another number of the schedule; nothing where it has been compiled and was
  /// too much. Where the policy would not decide the others as they are, all
  /// are named.
  void addSchedule(llvm::StringRef name, unsigned number, llvm::StringRef why) {
    std::string whole = withNumber(launch.schedule, name, number);
    if (whole == launch.schedule || (backOff && wasTried(*backOff, whole)))
      return;
    bool policys = launch.scheduleSource == "model" && !backOff;
    add("--schedule=" + (policys ? withNumber("", name, number) : whole), why);
  }

private:
  KernelReport &report;
  const runtime::Launch &launch;
  const runtime::BackOff *backOff;
  std::vector<std::string> tried;
};
} // namespace

/// Whether blocks of so many threads leave less of the machine idle in the last
/// wave.
static bool fillsWavesBetter(const KernelFacts &facts,
                             const KernelReport &report, unsigned threads) {
  if (!report.waves)
    return false;
  const runtime::Variant &variant = facts.info->getVariant();
  std::optional<unsigned> registers;
  if (facts.resources)
    registers = facts.resources->registers;
  Occupancy occupancy = getOccupancy(*facts.machine.chip, threads, registers,
                                     variant.sharedBytes);
  int64_t perBlock = variant.elementsPerBlock / variant.block * threads;
  Waves waves = getWaves(llvm::divideCeil(report.elements, perBlock),
                         occupancy.blocks, facts.machine.multiprocessors);
  return waves.efficiency > report.waves->efficiency;
}

void ew::analysis::addAdvice(const KernelFacts &facts, KernelReport &report) {
  const runtime::LaunchInfo &info = *facts.info;
  if (!info.grid)
    return;
  adviseOnVersion(facts, report);
  if (!facts.machine.chip)
    return;
  Adviser adviser(facts, report);
  const runtime::Variant &variant = info.getVariant();
  bool tiled = variant.contiguous && !variant.tile.empty();
  unsigned unroll = getNumber(info.launch->schedule, "unroll");
  unsigned elements = getNumber(info.launch->schedule, "elements");
  bool vectors = variant.lanes > 1;
  // Where all blocks are at work at once, and more would be, the machine waits
  // for nothing that another schedule has: it would only have fewer of them.
  bool fills = report.waves ? report.waves->count >= 1
                            : info.grid >= facts.machine.multiprocessors;
  // In whole warps.
  unsigned smallerBlock = std::max(variant.block / 64 * 32, 64u);
  // That a version for few elements has fewer accesses is measured to be the
  // best.
  bool mayUnroll = vectors && !variant.below && report.unroll == unroll;

  if (statusOf(report, "spills") == Status::Look && !tiled) {
    if (vectors && unroll > 1)
      adviser.addSchedule("unroll", unroll / 2,
                          "fewer values are alive at once");
    else if (elements > 1)
      adviser.addSchedule("elements", elements / 2,
                          "fewer values are alive at once");
  }
  if (report.limits && report.limits->arithmetic() > report.limits->memory &&
      statusOf(report, "limit") == Status::Look) {
    if (facts.mode == "strict")
      adviser.add("--mode=default", "functions are right to 2 ulps instead of "
                                    "correctly rounded operations only");
    else if (facts.mode == "default" && report.instructions &&
             (*report.instructions)[Unit::Special] > 0 &&
             report.limits->parts.front().name != "integer")
      adviser.add("--mode=fast",
                  "functions with a looser bound take fewer instructions");
    if (!tiled && mayUnroll && fills && unroll == 1)
      adviser.addSchedule(
          "unroll", 2, "constants and addresses are shared by more elements");
  }
  if (statusOf(report, "pipelines") == Status::Look && !tiled && fills) {
    if (report.occupancy && report.occupancy->limit == "registers")
      adviser.addSchedule("block", smallerBlock,
                          "smaller blocks fit where registers are short");
    else if (mayUnroll && unroll * 2 <= maxUnroll)
      adviser.addSchedule("unroll", unroll * 2,
                          "more loads are on their way at once");
  }
  if (statusOf(report, "waves") == Status::Look) {
    if (!fills)
      adviser.add(
          "give it more elements a call, or put many calls into one CUDA "
          "graph",
          info.grid < facts.machine.multiprocessors
              ? "a launch takes longer than the work"
              : "a launch takes about as long as the work");
    else if (!tiled && !variant.below && variant.block > 64 &&
             fillsWavesBetter(facts, report, smallerBlock))
      adviser.addSchedule("block", smallerBlock,
                          "smaller blocks fill the last wave better");
  }
  bool slow = facts.measured && report.limits &&
              report.limits->longest() < wellUsed * *facts.measured;
  if (llvm::StringRef(info.launch->scheduleSource).starts_with("model") &&
      fills &&
      (slow || statusOf(report, "pipelines") == Status::Look ||
       statusOf(report, "waves") == Status::Look))
    adviser.add("ew-tune " + facts.file + " with the same inputs",
                "measures schedules and keeps the best");
}
