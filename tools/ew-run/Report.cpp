//===- Report.cpp - How long a function takes -----------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "ew/Runtime/Timing.h"
#include "ew/Support/Plural.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

using namespace ew;
using namespace ew::run;

namespace rt = ew::runtime;

static llvm::json::Object toJSON(const rt::Statistics &times) {
  return llvm::json::Object{{"median_us", times.median * 1e6},
                            {"p20_us", times.p20 * 1e6},
                            {"p80_us", times.p80 * 1e6},
                            {"samples", int64_t(times.count)},
                            {"calls_per_sample", int64_t(times.calls)}};
}

int Session::timeFunction() {
  rt::TimingOptions timing;
  if (options.timeSets)
    timing.maxSets = options.timeSets;
  if (options.repetitions) {
    timing.samples = options.repetitions;
    timing.maxSeconds = std::numeric_limits<double>::infinity();
  }
  // On a CPU it takes seconds, in which nothing else is said.
  bool watched = llvm::sys::Process::StandardErrIsDisplayed();
  if (watched)
    llvm::errs() << "timing " << program.plan.function << " on "
                 << device->getName() << " ...";
  auto measured = rt::timeProgram(*executable, arguments, timing);
  if (watched)
    llvm::errs() << "\r\x1b[K";
  if (!measured)
    return fail(measured.takeError());
  timed = std::move(*measured);
  const rt::Statistics &times = timed->program;
  llvm::json::Object row = toJSON(times);
  row["bytes"] = int64_t(timed->bytes);
  row["tb_per_s"] = timed->bytesPerSecond() * 1e-12;
  row["buffer_sets"] = int64_t(timed->sets);
  row["defeats_cache"] = timed->defeatsCache;
  llvm::raw_ostream &os = llvm::outs();
  if (!options.json)
    os << "time: median " << llvm::format("%.2f", times.median * 1e6)
       << " us (p20 " << llvm::format("%.2f", times.p20 * 1e6) << ", p80 "
       << llvm::format("%.2f", times.p80 * 1e6) << "; "
       << plural(times.count, "sample") << " of " << plural(times.calls, "call")
       << "), " << plural(timed->bytes, "byte") << " moved, "
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
           << llvm::format("%.1f%%", timed->fractionOfCeiling() * 100)
           << " of it\n";
    }
  } else if (!options.json) {
    os << "  no copy to compare with: " << timed->ceilingNote << "\n";
  }
  report["time"] = std::move(row);
  return kSuccess;
}
