//===- Report.cpp - What was chosen, and how long it takes -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "ew/Runtime/Timing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace ew;
using namespace ew::run;

namespace rt = ew::runtime;

int Session::explain() {
  llvm::json::Array rows;
  llvm::raw_ostream &os = llvm::outs();
  for (const rt::LaunchInfo &info : invocation->getLaunches()) {
    const rt::Launch &launch = *info.launch;
    const rt::Variant &variant = info.getVariant();
    llvm::json::Object row{{"kernel", variant.kernel},
                           {"location", launch.location},
                           {"grid", int64_t(info.grid)},
                           {"block", int64_t(info.block)},
                           {"bytes_read", int64_t(info.bytesRead)},
                           {"bytes_written", int64_t(info.bytesWritten)}};
    if (!options.json) {
      os << "kernel " << variant.kernel << "\n  computes " << llvm::join(launch.ops, ", ")
         << " (" << launch.location << ")\n  loops ";
      llvm::interleave(info.loops, os, "x");
      os << ", collapsed to ";
      llvm::interleave(info.collapsed, os, "x");
      os << "; " << info.grid << " blocks of " << info.block << " threads, "
         << variant.elementsPerBlock << " elements each\n";
      for (const auto &[index, why] : llvm::enumerate(info.passedOver)) {
        llvm::StringRef version = launch.variants[index].kernel;
        version.consume_front(launch.name + "_");
        os << "  not '" << version << "': " << why << "\n";
      }
      for (const auto &[index, operand] : llvm::enumerate(launch.operands)) {
        const rt::Value &value = program.plan.values[operand.value];
        os << "  " << (index < launch.numInputs ? "reads " : "writes ") << getName(value.type)
           << ", " << operand.access << (operand.wide ? ", wide" : "");
        if (index >= launch.numInputs && value.inPlace)
          os << ", in place of argument " << operand.value;
        os << "\n";
      }
      os << "  moves " << rt::describeBytes(info.bytesRead) << " in, "
         << rt::describeBytes(info.bytesWritten) << " out\n";
    }
    if (info.kernel)
      if (std::optional<rt::KernelResources> resources = device->getResources(*info.kernel)) {
        if (!options.json)
          os << "  " << resources->registers << " registers, " << resources->spillBytes
             << " bytes spilled, " << resources->sharedBytes << " bytes shared, "
             << resources->blocksPerUnit << " blocks per multiprocessor\n";
        row["registers"] = int64_t(resources->registers);
        row["spill_bytes"] = int64_t(resources->spillBytes);
        row["shared_bytes"] = int64_t(resources->sharedBytes);
        row["blocks_per_multiprocessor"] = int64_t(resources->blocksPerUnit);
      }
    rows.push_back(std::move(row));
  }
  report["kernels"] = std::move(rows);
  return kSuccess;
}

static llvm::json::Object toJSON(const rt::Statistics &times) {
  return llvm::json::Object{{"median_us", times.median * 1e6},
                            {"p20_us", times.p20 * 1e6},
                            {"p80_us", times.p80 * 1e6},
                            {"samples", int64_t(times.count)},
                            {"calls_per_sample", int64_t(times.calls)}};
}

int Session::timeFunction() {
  rt::TimingOptions timing;
  if (options.repetitions) {
    timing.samples = options.repetitions;
    timing.maxSeconds = std::numeric_limits<double>::infinity();
  }
  auto timed = rt::timeProgram(*executable, arguments, timing);
  if (!timed)
    return fail(timed.takeError());
  const rt::Statistics &times = timed->program;
  llvm::json::Object row = toJSON(times);
  row["bytes"] = int64_t(timed->bytes);
  row["tb_per_s"] = timed->bytesPerSecond() * 1e-12;
  row["buffer_sets"] = int64_t(timed->sets);
  row["defeats_cache"] = timed->defeatsCache;
  llvm::raw_ostream &os = llvm::outs();
  if (!options.json)
    os << "time: median " << llvm::format("%.2f", times.median * 1e6) << " us (p20 "
       << llvm::format("%.2f", times.p20 * 1e6) << ", p80 "
       << llvm::format("%.2f", times.p80 * 1e6) << "; " << times.count << " samples of "
       << times.calls << (times.calls == 1 ? " call" : " calls") << "), "
       << timed->bytes << " bytes moved, "
       << llvm::format("%.3f", timed->bytesPerSecond() * 1e-12) << " TB/s"
       << (timed->defeatsCache ? "" : "; the buffers fit into a cache") << "\n";
  if (timed->ceiling.count) {
    llvm::json::Object ceiling = toJSON(timed->ceiling);
    ceiling["tb_per_s"] = timed->ceilingBytesPerSecond() * 1e-12;
    ceiling["kernel"] = timed->ceilingNote;
    row["ceiling"] = std::move(ceiling);
    row["fraction_of_ceiling"] = timed->fractionOfCeiling();
    if (!options.json)
      os << "  a copy of the same mix (" << timed->ceilingNote << "): median "
         << llvm::format("%.2f", timed->ceiling.median * 1e6) << " us, "
         << llvm::format("%.3f", timed->ceilingBytesPerSecond() * 1e-12)
         << " TB/s; ";
    // A copy that is slower than the function is no ceiling for it.
    if (!options.json) {
      if (timed->fractionOfCeiling() > 1.02)
        os << "the function is faster\n";
      else
        os << "the function reaches "
           << llvm::format("%.1f%%", timed->fractionOfCeiling() * 100) << " of it\n";
    }
  } else if (!options.json) {
    os << "  no copy to compare with: " << timed->ceilingNote << "\n";
  }
  report["time"] = std::move(row);
  return kSuccess;
}
