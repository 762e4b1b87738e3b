//===- Schedules.cpp - Schedules as a plan writes them --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace ew;
using namespace ew::analysis;
using llvm::StringRef;

unsigned ew::analysis::getNumber(StringRef schedule, StringRef name) {
  llvm::SmallVector<StringRef> parts;
  schedule.split(parts, ',');
  for (StringRef part : parts) {
    unsigned number = 0;
    if (part.consume_front(name) && part.consume_front("=") &&
        !part.getAsInteger(10, number))
      return number;
  }
  return 0;
}

std::string ew::analysis::withNumber(StringRef schedule, StringRef name,
                                     unsigned number) {
  std::string text;
  bool found = false;
  auto add = [&](StringRef part) {
    text += (text.empty() ? "" : ",") + part.str();
  };
  std::string wanted = (name + "=" + llvm::Twine(number)).str();
  llvm::SmallVector<StringRef> parts;
  schedule.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    bool is = part.split('=').first == name;
    found |= is;
    add(is ? StringRef(wanted) : part);
  }
  if (!found)
    add(wanted);
  return text;
}

bool ew::analysis::wasTried(const runtime::BackOff &backOff,
                            StringRef schedule) {
  for (size_t index = 0; index < backOff.attempts.size(); ++index) {
    const runtime::ScheduleAttempt &attempt = backOff.attempts[index];
    if (attempt.schedule == schedule)
      return true;
    bool stays = backOff.kept == std::optional<uint32_t>(index);
    bool noMore = llvm::all_of(
        llvm::ArrayRef<StringRef>{"block", "elements", "unroll"},
        [&](StringRef name) {
          return getNumber(attempt.schedule, name) <= getNumber(schedule, name);
        });
    if (!stays && noMore)
      return true;
  }
  return false;
}

bool ew::analysis::isWider(const runtime::Plan &plan,
                           const runtime::Launch &launch,
                           const runtime::Variant &variant,
                           const runtime::Variant &than) {
  return llvm::any_of(launch.operands, [&](const runtime::Operand &operand) {
    unsigned element = runtime::getByteWidth(plan.values[operand.value].type);
    auto accessBytes = [&](const runtime::Variant &of) {
      return std::min(of.lanes * element, widestAccess);
    };
    return operand.wide && accessBytes(variant) > accessBytes(than);
  });
}

bool ew::analysis::gathersOnHost(const runtime::Variant &variant) {
  return !variant.contiguous && variant.dims <= 1;
}

std::optional<uint32_t>
ew::analysis::getNearest(const runtime::LaunchInfo &info) {
  using runtime::Obstacle;
  llvm::SmallVector<uint32_t> passedOver = info.getPassedOver();
  if (passedOver.empty())
    return std::nullopt;
  if (info.findObstacle(passedOver.front()).kind == Obstacle::Density)
    for (uint32_t index : passedOver)
      if (info.launch->variants[index].dims > 1 &&
          info.findObstacle(index).kind != Obstacle::Dimensions)
        return index;
  return passedOver.front();
}
