//===- Advice.cpp - What to try next -----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/Checklist.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ew;
using namespace ew::analysis;
using llvm::formatv;

/// A kernel whose longest limit takes this part of its time needs no other schedule: a
/// copy reaches about as much of the memory's peak.
static constexpr double wellUsed = 0.85;

static Status statusOf(const KernelReport &report, llvm::StringRef name) {
  for (const Check &check : report.checks)
    if (check.name == name)
      return check.status;
  return Status::Ok;
}

/// For a version that is not the first.
static void adviseOnVersion(const KernelFacts &facts, KernelReport &report) {
  const runtime::LaunchInfo &info = *facts.info;
  if (info.passedOver.empty())
    return;
  const auto &[index, reason] = info.passedOver.front();
  const runtime::Variant &wanted = info.launch->variants[index];
  llvm::StringRef why = reason;
  auto add = [&](std::string text) { report.advice.push_back(text); };
  // Such views, and rows of such lengths, are read in wide accesses, too.
  bool asWide = info.getVariant().lanes == wanted.lanes;
  if (why.contains("is aligned to") && !asWide)
    add(formatv("begin every buffer at a multiple of {0} bytes: views that are "
                "off by some elements read element by element",
                wanted.alignment));
  else if (why.contains("no multiple of") && !asWide)
    add(formatv("make the innermost size a multiple of {0}, if need be by padding",
                wanted.multiple));
  else if (why.contains("stretched"))
    add("declare the size of 1 in the function's type: a row or a column that is "
        "known when it is compiled needs no strides");
  else if (why.contains("not dense"))
    add("give a dense copy if it is read more than once, or a view whose "
        "innermost stride is 1");
  else if (why.contains("32 bits"))
    add("split the largest dimension so that a call has fewer than 2^31 elements");
}

/// The same thing to try, whatever the reason, is one piece of advice.
static void addOnce(KernelReport &report, std::string text) {
  llvm::StringRef what = llvm::StringRef(text).split(": ").first;
  if (llvm::none_of(report.advice, [&](llvm::StringRef known) {
        return known.split(": ").first == what;
      }))
    report.advice.push_back(std::move(text));
}

void ew::analysis::addAdvice(const KernelFacts &facts, KernelReport &report) {
  const runtime::LaunchInfo &info = *facts.info;
  if (!info.grid)
    return;
  adviseOnVersion(facts, report);
  if (!facts.machine.chip)
    return;
  auto add = [&](std::string text) { addOnce(report, std::move(text)); };
  const runtime::Variant &variant = info.getVariant();
  bool tiled = variant.contiguous && !variant.tile.empty();
  // Rounded up: a block may compute a vector less (see BuildPlan.cpp).
  unsigned unroll = llvm::divideCeil(variant.elementsPerBlock,
                                     int64_t(variant.block) * variant.lanes);
  bool vectors = variant.lanes > 1;

  if (statusOf(report, "spills") == Status::Look && !tiled) {
    if (vectors && unroll > 1)
      add(formatv("--schedule=unroll={0}: fewer values are alive at once",
                  unroll / 2));
    else
      add(formatv("--schedule=elements={0}: fewer values are alive at once",
                  std::max(variant.lanes / 2, 1u)));
  }
  if (report.limits && report.limits->arithmetic() > report.limits->memory &&
      statusOf(report, "limit") == Status::Look) {
    if (facts.mode == "strict")
      add("--mode=default: functions are right to 2 ulps instead of "
          "correctly rounded operations only");
    else if (facts.mode == "default" && report.instructions &&
             (*report.instructions)[Unit::Special] > 0 &&
             report.limits->parts.front().name != "integer")
      add("--mode=fast: functions with a looser bound take fewer instructions");
    if (!tiled && vectors && unroll == 1)
      add("--schedule=unroll=2: constants and addresses are shared by more "
          "elements");
  }
  if (statusOf(report, "pipelines") == Status::Look && !tiled) {
    if (report.occupancy && report.occupancy->limit == "registers")
      add(formatv("--schedule=block={0}: smaller blocks fit where registers are "
                  "short",
                  std::max(variant.block / 2, 64u)));
    else if (vectors)
      add(formatv("--schedule=unroll={0}: more loads are on their way at once",
                  unroll * 2));
  }
  if (statusOf(report, "waves") == Status::Look) {
    if (info.grid < facts.machine.multiprocessors)
      add("give it more elements a call, or put many calls into one CUDA graph: "
          "a launch takes longer than the work");
    else if (!tiled && variant.block > 64)
      add(formatv("--schedule=block={0}: smaller blocks fill the last wave better",
                  variant.block / 2));
  }
  bool slow = facts.measured && report.limits &&
              report.limits->longest() < wellUsed * *facts.measured;
  bool fills = info.grid >= facts.machine.multiprocessors;
  if (llvm::StringRef(info.launch->scheduleSource).starts_with("model") &&
      fills &&
      (slow || statusOf(report, "pipelines") == Status::Look ||
       statusOf(report, "waves") == Status::Look))
    add("ew-tune " + facts.file +
        " with the same inputs: measures schedules and keeps the best");
}
