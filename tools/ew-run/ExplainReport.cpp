//===- ExplainReport.cpp - A kernel's checklist as text and JSON ----------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainReport.h"
#include "ew/Support/Plural.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ew;
using namespace ew::analysis;

namespace rt = ew::runtime;
namespace json = llvm::json;
using llvm::formatv;

/// "wide" of "f_0_mul_wide".
static llvm::StringRef getVersion(const rt::LaunchInfo &info,
                                  const rt::Variant &variant) {
  llvm::StringRef version = variant.kernel;
  if (version.consume_front(info.launch->name))
    version.consume_front("_");
  return version;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void ew::run::printMachine(const Machine &machine, llvm::raw_ostream &os) {
  if (!machine.chip)
    return;
  os << "judged for: ";
  if (machine.name.empty()) {
    os << machine.chip->name
       << ", of which EW knows no product: no bandwidth, no clock\n";
    return;
  }
  os << formatv("{0} ({1} multiprocessors, {2:f0} MHz, {3:f0} GB/s, {4} MiB L2 "
                "cache, by {5})\n",
                machine.name, machine.multiprocessors, machine.clockHz * 1e-6,
                machine.bytesPerSecond * 1e-9, machine.cacheBytes >> 20,
                machine.source);
  if (machine.standsForChip)
    os << formatv("  which stands for {0}: --product= names another one\n",
                  machine.chip->name);
}

static void printOperand(const OperandReport &operand, llvm::raw_ostream &os) {
  os << "  " << (operand.write ? "writes " : "reads ") << operand.name << ": "
     << operand.type;
  if (operand.scalar) {
    os << ", by value\n";
    return;
  }
  os << ", " << operand.access;
  if (!operand.strides.empty() && operand.access != "dense") {
    os << " (strides ";
    llvm::interleave(operand.strides, os, ":");
    os << ")";
  }
  if (operand.inPlace)
    os << ", in place";
  if (operand.accessBytes)
    os << formatv("; {0} x {1} a thread", operand.accessesPerThread,
                  plural(operand.accessBytes, "byte"));
  if (operand.warp)
    os << formatv(", {0:f1} sectors a warp's access ({1:f1} at the least)",
                  operand.warp->sectors, operand.warp->fewest);
  os << "\n";
}

/// Each way of computing an op once, with how many ops it is for: but for exact
/// operations and those that are rounded correctly, which leave no choice.
static void printArithmetic(llvm::ArrayRef<std::string> lines,
                            llvm::raw_ostream &os) {
  llvm::MapVector<llvm::StringRef, unsigned> counts;
  for (llvm::StringRef line : lines)
    if (!line.ends_with(", exact") && !line.ends_with(", correctly rounded"))
      ++counts[line];
  for (const auto &[line, count] : counts) {
    os << "  arithmetic of " << line;
    if (count > 1)
      os << " (" << count << " ops)";
    os << "\n";
  }
}

/// Where the version that ran has numbers of its own: one for few elements, of
/// a tile that is long one way, of one that is read in wide accesses, or for
/// slices of rows.
static std::string describeOwn(const rt::Launch &launch,
                               const rt::Variant &variant) {
  bool hasTile = variant.contiguous && !variant.tile.empty();
  // A CPU's schedule has no tile, and its numbers are no thread's.
  if (hasTile && variant.block == 1)
    return formatv("; in this version, tiles of {0} by {1}", variant.tile[0],
                   variant.tile[1]);
  hasTile =
      hasTile && (variant.tile[0] != variant.tile[1] || variant.alignment > 1);
  bool ofSlices = variant.dims > 1 && variant.block > 1;
  if (!variant.below && !hasTile && !ofSlices)
    return {};
  std::string text = "; in this version, ";
  if (variant.below)
    text += "for fewer than " + plural(variant.below, "element") + ", ";
  if (hasTile)
    text += formatv("tiles of {0} by {1}, ", variant.tile[0], variant.tile[1]);
  int64_t elements = variant.elementsPerBlock / variant.block;
  text += "block=" + std::to_string(variant.block) + " and " +
          plural(elements, "element") + " a thread";
  if (ofSlices && llvm::StringRef(launch.schedule).contains("registers="))
    text += ", without a limit of registers";
  return text;
}

void ew::run::printReport(const KernelFacts &facts, const KernelReport &report,
                          llvm::raw_ostream &os) {
  const rt::LaunchInfo &info = *facts.info;
  const rt::Launch &launch = *info.launch;
  const rt::Variant &variant = info.getVariant();
  os << "kernel " << variant.kernel << " (" << launch.location
     << ")\n  computes " << llvm::join(launch.ops, ", ")
     << (launch.ops.empty() ? "on " : " on ")
     << plural(report.elements, "element");
  if (info.geometry.loops.size() > 1) {
    os << ": ";
    llvm::interleave(info.geometry.loops, os, "x");
    if (auto dims = info.geometry.dimsOf(variant);
        dims != llvm::ArrayRef(info.geometry.loops)) {
      os << ", as ";
      llvm::interleave(dims, os, "x");
    }
  }
  os << "\n  version '" << getVersion(info, variant)
     << "': " << plural(info.grid, "block") << " of "
     << plural(info.block, "thread") << ", "
     << plural(variant.elementsPerBlock, "element") << " each\n";
  if (!launch.schedule.empty())
    os << "  schedule " << launch.schedule << ": " << launch.scheduleSource
       << describeOwn(launch, variant) << "\n";
  for (uint32_t index : info.getPassedOver())
    os << "  not '" << getVersion(info, launch.variants[index])
       << "': " << *info.whyNot(index, *facts.plan) << "\n";
  printArithmetic(launch.arithmetic, os);
  for (const OperandReport &operand : report.operands)
    printOperand(operand, os);
  os << "  moves " << rt::describeBytes(info.bytesRead) << " in, "
     << rt::describeBytes(info.bytesWritten) << " out\n";
  for (const Check &check : report.checks)
    os << "  " << llvm::left_justify(getName(check.status), 8)
       << llvm::left_justify(check.name, 14) << check.says << "\n";
  for (const std::string &advice : report.advice)
    os << "  try     " << advice << "\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value orNull(double number) {
  return number ? json::Value(number) : json::Value(nullptr);
}

json::Object ew::run::toJSON(const Machine &machine) {
  return json::Object{{"name", machine.name},
                      {"source", machine.source},
                      {"multiprocessors", int64_t(machine.multiprocessors)},
                      {"clock_mhz", orNull(machine.clockHz * 1e-6)},
                      {"gb_per_s", orNull(machine.bytesPerSecond * 1e-9)},
                      {"cache_bytes", int64_t(machine.cacheBytes)},
                      {"latency_clocks", orNull(machine.latencyClocks)}};
}

static json::Object operandToJSON(const OperandReport &operand) {
  json::Object row{{"name", operand.name},
                   {"direction", operand.write ? "write" : "read"},
                   {"type", operand.type},
                   {"access", operand.access},
                   {"in_place", operand.inPlace},
                   {"by_value", operand.scalar}};
  if (!operand.strides.empty())
    row["strides"] = json::Array(operand.strides);
  if (operand.footprint)
    row["footprint_bytes"] = int64_t(operand.footprint);
  if (operand.accessBytes) {
    row["bytes_per_access"] = int64_t(operand.accessBytes);
    row["accesses_per_thread"] = int64_t(operand.accessesPerThread);
  }
  if (operand.warp) {
    row["sectors_per_warp"] = operand.warp->sectors;
    row["fewest_sectors"] = operand.warp->fewest;
    row["efficiency"] = operand.warp->efficiency();
  }
  return row;
}

/// What the checks are made of.
static void addFigures(const KernelFacts &facts, const KernelReport &report,
                       json::Object &row) {
  if (report.instructions) {
    json::Object mix{{"total", report.instructions->total()}};
    for (unsigned unit = 0; unit < numUnits; ++unit)
      mix[getName(Unit(unit))] = (*report.instructions)[Unit(unit)];
    row["instructions_per_element"] = std::move(mix);
  }
  if (report.limits && facts.machine.bytesPerSecond) {
    json::Object limits{{"memory_us", report.limits->memory * 1e6}};
    for (const TimeLimits::Part &part : report.limits->parts)
      limits[(part.name + "_us").str()] = part.seconds * 1e6;
    if (facts.code)
      limits["bound"] = report.limits->arithmetic() > report.limits->memory
                            ? report.limits->parts.front().name
                            : llvm::StringRef("memory");
    if (facts.measured) {
      limits["measured_us"] = *facts.measured * 1e6;
      limits["of_measured"] = report.limits->longest() / *facts.measured;
    }
    row["limits"] = std::move(limits);
  }
  if (report.occupancy) {
    row["occupancy"] = json::Object{
        {"blocks", int64_t(report.occupancy->blocks)},
        {"threads", int64_t(report.occupancy->blocks) * facts.info->block},
        {"limited_by", report.occupancy->limit}};
    if (report.bytesInFlight)
      row["bytes_in_flight"] = int64_t(*report.bytesInFlight);
    if (report.bytesNeeded)
      row["bytes_needed"] = int64_t(*report.bytesNeeded);
  }
  if (report.waves)
    row["waves"] = json::Object{{"count", report.waves->count},
                                {"efficiency", report.waves->efficiency}};
  if (facts.code)
    row["conditional_branches"] =
        json::Object{{"on_the_way", int64_t(facts.code->conditionalBranches)},
                     {"all", int64_t(facts.code->allConditionalBranches)}};
}

json::Object ew::run::toJSON(const KernelFacts &facts,
                             const KernelReport &report) {
  const rt::LaunchInfo &info = *facts.info;
  json::Object row{
      {"kernel", info.getVariant().kernel},
      {"version", getVersion(info, info.getVariant())},
      {"schedule", info.launch->schedule},
      {"schedule_source", info.launch->scheduleSource},
      {"unroll", int64_t(report.unroll)},
      {"location", info.launch->location},
      {"ops", json::Array(info.launch->ops)},
      {"arithmetic", json::Array(info.launch->arithmetic)},
      {"elements", report.elements},
      {"loops", json::Array(info.geometry.loops)},
      {"collapsed", json::Array(info.geometry.collapsed)},
      {"walked", json::Array(info.geometry.dimsOf(info.getVariant()))},
      {"grid", int64_t(info.grid)},
      {"block", int64_t(info.block)},
      {"elements_per_block", info.getVariant().elementsPerBlock},
      {"bytes_read", int64_t(info.bytesRead)},
      {"bytes_written", int64_t(info.bytesWritten)}};
  json::Array passedOver, operands, checks;
  for (uint32_t index : info.getPassedOver())
    passedOver.push_back(json::Object{
        {"version", getVersion(info, info.launch->variants[index])},
        {"why", *info.whyNot(index, *facts.plan)}});
  for (const OperandReport &operand : report.operands)
    operands.push_back(operandToJSON(operand));
  for (const Check &check : report.checks)
    checks.push_back(json::Object{{"check", check.name},
                                  {"status", getName(check.status)},
                                  {"says", check.says}});
  row["passed_over"] = std::move(passedOver);
  row["operands"] = std::move(operands);
  row["checks"] = std::move(checks);
  row["advice"] = json::Array(report.advice);
  if (facts.resources) {
    row["registers"] = int64_t(facts.resources->registers);
    row["spill_bytes"] = int64_t(facts.resources->spillBytes);
    row["shared_bytes"] = int64_t(facts.resources->sharedBytes);
  }
  if (facts.residentBlocks)
    row["blocks_per_multiprocessor"] = int64_t(*facts.residentBlocks);
  addFigures(facts, report, row);
  return row;
}
