//===- Checks.cpp - What is well with a kernel, and what is not -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/Checklist.h"

#include "ew/Support/Plural.h"

#include "Schedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace ew;
using namespace ew::analysis;
using namespace ew::nvidia;
using llvm::formatv;
using runtime::LaunchInfo;

/// Below this part of the bytes that are moved being of use, accesses need a
/// look: a view that is off by an element still has 4 of 5 sectors.
static constexpr double minEfficiency = 0.75;
/// From this part of the memory's time on, arithmetic shows: the two overlap,
/// but not wholly.
static constexpr double nearLimit = 0.8;
/// Of the bytes that idle memory needs in flight: requests that queue wait
/// longer.
static constexpr double safeInFlight = 2;
static constexpr double minWaveEfficiency = 0.9;
static constexpr double maxBranchShare = 0.1;

static std::string formatBytes(double bytes) {
  if (bytes < 1024)
    return plural(int64_t(bytes), "byte");
  static constexpr const char *units[] = {"KiB", "MiB", "GiB", "TiB"};
  unsigned unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit < 3; ++unit)
    bytes /= 1024;
  return formatv("{0:f1} {1}", bytes, units[unit]);
}

static std::string formatTime(double seconds) {
  double ns = seconds * 1e9;
  if (ns > 0 && ns < 0.1)
    return "under 0.1 ns";
  return ns < 100 ? formatv("{0:f1} ns", ns).str()
                  : formatv("{0:f2} us", ns / 1000).str();
}

static std::string percent(double fraction) {
  return formatv("{0:f0}%", fraction * 100);
}

namespace {
class Checker {
public:
  Checker(const KernelFacts &facts, KernelReport &report)
      : facts(facts), info(*facts.info), machine(facts.machine),
        report(report) {}

  void checkAccesses();
  void checkHostAccesses();
  void checkLimit();
  void checkInstructions();
  void checkPipelines();
  void checkThreads();
  void checkBranches();
  void checkSharedMemory();
  void checkSpills();
  void checkWaves();

private:
  void add(llvm::StringRef name, Status status, std::string says) {
    report.checks.push_back({name, status, std::move(says)});
  }
  std::string describeMeasured() const;

  const KernelFacts &facts;
  const LaunchInfo &info;
  const Machine &machine;
  KernelReport &report;
};
} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void Checker::checkAccesses() {
  if (!facts.code)
    return add("accesses", Status::Unknown, facts.whyNoCode);
  const OperandReport *worst = nullptr;
  unsigned narrowest = 0;
  for (const OperandReport &operand : report.operands) {
    if (!operand.warp)
      continue;
    narrowest = narrowest ? std::min(narrowest, operand.accessBytes)
                          : operand.accessBytes;
    if (!worst || operand.warp->efficiency() < worst->warp->efficiency())
      worst = &operand;
  }
  if (!worst)
    return add("accesses", Status::Ok, "none");
  // A row or a single element that a whole warp shares asks for few bytes, and
  // all of its sectors are needed.
  double efficiency = worst->warp->efficiency();
  bool few = worst->warp->sectors <= worst->warp->fewest + 1;
  if (efficiency < minEfficiency && !few)
    return add(
        "accesses", Status::Look,
        formatv("{0}: a warp's access touches {1:f1} sectors of {2} bytes "
                "where {3:f1} would hold what it asks for",
                worst->name, worst->warp->sectors, sectorBytes,
                worst->warp->fewest));
  std::string says =
      "coalesced, " + plural(narrowest, "byte") + " a thread at the least";
  // One element a thread is the best for few, however they lie.
  if (info.getVariant().below)
    return add("accesses", Status::Ok, std::move(says));
  // Not every version before this one has them: tiles differ in their sides.
  llvm::SmallVector<uint32_t> passedOver = info.getPassedOver();
  if (std::optional<uint32_t> nearest = getNearest(info))
    passedOver.insert(passedOver.begin(), *nearest);
  auto wider = llvm::find_if(passedOver, [&](uint32_t before) {
    return isWider(*facts.plan, *info.launch, info.launch->variants[before],
                   info.getVariant());
  });
  if (wider == passedOver.end() || narrowest >= widestAccess)
    return add("accesses", Status::Ok, std::move(says));
  add("accesses", Status::Look,
      says + "; the version with wider ones cannot run: " +
          *info.whyNot(*wider, *facts.plan));
}

/// Whether a version of tiles turns an operand: what lies side by side along
/// the loop that the tile's rows walk, and is no complex number.
static bool isTurned(const KernelFacts &facts, unsigned operand) {
  const LaunchInfo &info = *facts.info;
  const runtime::Variant &variant = info.getVariant();
  if (!variant.contiguous || variant.tile.empty() ||
      runtime::isComplex(
          facts.plan->values[info.launch->operands[operand].value].type))
    return false;
  auto loops = llvm::ArrayRef(info.launch->collapse);
  int64_t end = std::accumulate(
      loops.begin(), loops.begin() + variant.tile[2] + 1, int64_t(0));
  return info.geometry.operands[operand].strides[end - 1] == 1;
}

void Checker::checkHostAccesses() {
  bool turned = false;
  for (auto [index, operand] : llvm::enumerate(report.operands)) {
    llvm::ArrayRef<int64_t> strides = info.geometry.operands[index].strides;
    if (operand.scalar || strides.empty())
      continue;
    int64_t stride = 0;
    for (auto [size, step] : llvm::zip_equal(info.geometry.loops, strides))
      if (size > 1)
        stride = step;
    if (stride == 0 || stride == 1)
      continue;
    if (isTurned(facts, index)) {
      turned = true;
      continue;
    }
    return add("accesses", Status::Look,
               formatv("{0}: neighbouring elements lie {1} apart, and are read "
                       "or written one by one",
                       operand.name, stride));
  }
  if (auto passedOver = info.getPassedOver();
      !passedOver.empty() && gathersOnHost(info.getVariant()))
    return add("accesses", Status::Look,
               "element by element; the version with vectors cannot run: " +
                   *info.whyNot(passedOver.front(), *facts.plan));
  std::string says = "vectors, one after the other";
  if (turned)
    says += formatv("; what is transposed is turned in tiles of {0} by {1}",
                    info.getVariant().tile[0], info.getVariant().tile[1]);
  add("accesses", Status::Ok, std::move(says));
}

std::string Checker::describeMeasured() const {
  std::string text;
  if (facts.measured) {
    text = "; measured " + formatTime(*facts.measured);
    if (report.limits && report.limits->longest() > 0)
      text += formatv(", in which the limit is {0}",
                      percent(report.limits->longest() / *facts.measured));
  }
  if (facts.fractionOfCopy)
    text += formatv("{0} {1} of what a copy of the same traffic reaches",
                    facts.measured ? "," : ";", percent(*facts.fractionOfCopy));
  return text;
}

void Checker::checkLimit() {
  uint64_t moved = 0;
  for (const OperandReport &operand : report.operands)
    moved += operand.footprint;
  std::string bytes = formatBytes(moved);
  if (!report.limits || !machine.bytesPerSecond) {
    if (facts.fractionOfCopy)
      return add("limit",
                 *facts.fractionOfCopy >= nearLimit ? Status::Ok : Status::Look,
                 bytes + " to move" + describeMeasured());
    return add("limit", Status::Unknown,
               bytes + " to move; the bandwidth of this machine is not known: "
                       "--time measures it by a copy of the same traffic");
  }
  const TimeLimits &limits = *report.limits;
  std::string memory =
      formatv("{0} take {1} at {2:f0} GB/s", bytes, formatTime(limits.memory),
              machine.bytesPerSecond * 1e-9);
  if (moved && machine.cacheBytes >= moved)
    memory += formatv(" (they fit into the {0} cache, which is faster)",
                      formatBytes(machine.cacheBytes));
  if (!facts.code || limits.parts.empty())
    return add("limit", Status::Unknown, memory + "; " + facts.whyNoCode);
  std::string arithmetic = formatv("{0} ({1})", formatTime(limits.arithmetic()),
                                   limits.parts.front().name);
  if (limits.arithmetic() > limits.memory)
    return add("limit", Status::Look,
               "arithmetic: it takes " + arithmetic + "; " + memory +
                   describeMeasured());
  double share = limits.memory ? limits.arithmetic() / limits.memory : 0;
  add("limit", share > nearLimit ? Status::Look : Status::Ok,
      "memory: " + memory + "; arithmetic takes " + arithmetic + ", " +
          percent(share) + " of that" + describeMeasured());
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

void Checker::checkInstructions() {
  if (!report.instructions)
    return add("instructions", Status::Unknown, facts.whyNoCode);
  const InstructionMix &mix = *report.instructions;
  std::vector<std::string> parts;
  for (unsigned unit = 0; unit < numUnits; ++unit)
    if (double count = mix[Unit(unit)]; count >= 0.005)
      parts.push_back(formatv("{0:f2} {1}", count, getName(Unit(unit))));
  add("instructions", Status::Ok,
      formatv("{0:f1} an element, estimated from PTX: {1}", mix.total(),
              llvm::join(parts, ", ")));
}

void Checker::checkBranches() {
  if (!facts.code)
    return add("branches", Status::Unknown, facts.whyNoCode);
  const KernelCode &code = *facts.code;
  double share =
      code.mix.total() ? code.conditionalBranches / code.mix.total() : 0;
  add("branches", share > maxBranchShare ? Status::Look : Status::Ok,
      formatv(
          "{0} conditional on the way of full threads, {1} in all (tails and "
          "rare operands)",
          code.conditionalBranches, code.allConditionalBranches));
}

void Checker::checkSharedMemory() {
  unsigned bytes = facts.resources ? facts.resources->sharedBytes
                                   : info.getVariant().sharedBytes;
  if (!bytes)
    return add("shared memory", Status::Ok, "none");
  const runtime::Variant &variant = info.getVariant();
  bool wide =
      variant.contiguous && !variant.tile.empty() && variant.alignment > 1;
  const char *how =
      !wide ? "lines of the tile are padded, so that no two threads of a warp "
              "meet in a bank"
      : variant.rows > 1
          ? "in units, as they are read, whose columns are padded, so that no "
            "two threads of a warp that read them meet in a bank"
          : "all rows of some columns, one run of memory, as it is read";
  add("shared memory", Status::Ok, plural(bytes, "byte") + " a block; " + how);
}

void Checker::checkSpills() {
  if (!facts.resources)
    return add("spills", Status::Unknown, facts.whyNoResources);
  const Resources &resources = *facts.resources;
  if (resources.spillBytes)
    return add("spills", Status::Look,
               plural(resources.spillBytes, "byte") + " of stack a thread, " +
                   plural(resources.registers, "register"));
  add("spills", Status::Ok,
      "none; " + plural(resources.registers, "register") + " a thread");
}

//===----------------------------------------------------------------------===//
// Parallelism
//===----------------------------------------------------------------------===//

void Checker::checkPipelines() {
  if (!report.occupancy)
    return add("pipelines", Status::Unknown, "nothing is launched");
  const Occupancy &occupancy = *report.occupancy;
  unsigned threads = occupancy.blocks * info.block;
  std::string says = formatv(
      "{0}{1} of {2} a multiprocessor, {3} of its threads (limited by {4})",
      facts.resources ? "" : "at most ", plural(occupancy.blocks, "block"),
      plural(info.block, "thread"),
      percent(double(threads) / machine.chip->maxThreadsPerSM),
      occupancy.limit);
  if (!report.bytesInFlight)
    return add("pipelines", Status::Unknown, says);
  if (!facts.code->loadBytesInFlight)
    return add("pipelines", Status::Ok, says + "; it loads nothing");
  says += formatv("; each has {0} of loads in flight: {1}",
                  plural(facts.code->loadBytesInFlight, "byte"),
                  formatBytes(*report.bytesInFlight));
  if (!report.bytesNeeded)
    return add("pipelines", Status::Unknown,
               says + "; the memory's latency is not known");
  says += formatv(", where {0} cover {1} clocks of latency",
                  formatBytes(*report.bytesNeeded), machine.latencyClocks);
  add("pipelines",
      *report.bytesInFlight >= safeInFlight * *report.bytesNeeded
          ? Status::Ok
          : Status::Look,
      std::move(says));
}

void Checker::checkWaves() {
  if (!report.waves)
    return add("waves", Status::Unknown,
               "the number of multiprocessors is not known");
  const Waves &waves = *report.waves;
  uint64_t grid = info.grid;
  if (grid < machine.multiprocessors)
    return add("waves", Status::Look,
               plural(grid, "block") + " for " +
                   plural(machine.multiprocessors, "multiprocessor") +
                   ": the others have nothing to do");
  unsigned atOnce = report.occupancy->blocks * machine.multiprocessors;
  add("waves",
      waves.efficiency >= minWaveEfficiency ? Status::Ok : Status::Look,
      waves.count < 1
          ? formatv("{0} where {1} are at work at once: {2} of the machine is "
                    "used",
                    plural(grid, "block"), atOnce, percent(waves.count))
                .str()
          : formatv("{0:f2} of {1} blocks: {2} of the machine's time is used",
                    waves.count, atOnce, percent(waves.efficiency))
                .str());
}

void Checker::checkThreads() {
  uint64_t threads = std::max(machine.multiprocessors, 1u);
  if (info.grid < threads)
    return add("waves", Status::Look,
               plural(info.grid, "block") + " for " +
                   plural(threads, "thread") +
                   ": the others have nothing to do");
  uint64_t most = llvm::divideCeil(info.grid, threads);
  double efficiency = double(info.grid) / (most * threads);
  add("waves", efficiency >= minWaveEfficiency ? Status::Ok : Status::Look,
      formatv("{0} on {1}: {2} of their time is used",
              plural(info.grid, "block"), plural(threads, "thread"),
              percent(efficiency)));
}

void ew::analysis::addChecks(const KernelFacts &facts, KernelReport &report) {
  Checker checker(facts, report);
  if (!facts.info->grid) {
    report.checks.push_back(
        {"limit", Status::Ok, "no elements: nothing is launched"});
    return;
  }
  if (!facts.machine.chip) {
    checker.checkHostAccesses();
    checker.checkLimit();
    checker.checkThreads();
    return;
  }
  checker.checkAccesses();
  checker.checkLimit();
  checker.checkInstructions();
  checker.checkPipelines();
  checker.checkWaves();
  checker.checkSpills();
  checker.checkBranches();
  checker.checkSharedMemory();
}
