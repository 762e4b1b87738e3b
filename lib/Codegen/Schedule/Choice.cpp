//===- Choice.cpp - What is chosen of a schedule by hand ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Schedule/Choice.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace ew;

/// ptxas 13.0, for sm_80 to sm_121: "adjusting per thread register count of 16
/// to lower bound of 24".
static constexpr unsigned minRegisters = 24;

Expected<ScheduleChoice> ScheduleChoice::parse(StringRef text) {
  ScheduleChoice choice;
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, ',');
  for (StringRef part : parts) {
    auto [name, number] = part.split('=');
    unsigned *field = StringSwitch<unsigned *>(name)
                          .Case("block", &choice.block)
                          .Case("elements", &choice.elements)
                          .Case("unroll", &choice.unroll)
                          .Case("registers", &choice.registers)
                          .Case("tile", &choice.tile)
                          .Case("many", &choice.many)
                          .Default(nullptr);
    if (!field)
      return createStringError("a schedule has block, elements, unroll, "
                               "registers, tile and many, not '" +
                               name + "'");
    if (*field)
      return createStringError("'" + name + "' is given twice");
    // What no field holds is as far beyond its limit as the largest that one
    // does.
    APInt value;
    if (number.getAsInteger(10, value) || value.isZero())
      return createStringError("'" + name + "' must be " +
                               (name == "many" ? "1" : "a number above 0") +
                               ", not '" + number +
                               "'; left out, the policy decides");
    *field = value.getLimitedValue(UINT_MAX);
  }
  if (Error error = choice.verify())
    return std::move(error);
  return choice;
}

std::string ScheduleChoice::str() const {
  SmallVector<std::string> parts;
  auto add = [&](StringRef name, unsigned number) {
    if (number)
      parts.push_back((name + "=" + Twine(number)).str());
  };
  add("block", block);
  add("elements", elements);
  add("unroll", unroll);
  add("registers", registers);
  add("tile", tile);
  add("many", many);
  return join(parts, ",");
}

Error ScheduleChoice::verify() const {
  if (block % 32 || block > 1024)
    return createStringError("block must be a multiple of 32 up to 1024");
  if (elements && (!isPowerOf2_32(elements) || elements > 64))
    return createStringError("elements must be a power of two up to 64");
  if (unroll > 65536)
    return createStringError("unroll must be at most 65536");
  if (registers && (registers < minRegisters || registers > 255))
    return createStringError("registers must be from " + Twine(minRegisters) +
                             " to 255; no thread gets fewer");
  if (tile && tile != 32 && tile != 64)
    return createStringError("tile must be 32 or 64");
  if (many > 1)
    return createStringError("many must be 1, or left out");
  // Lines of a tile's threads are as long as its side, and fill it.
  if (tile && block && (!isPowerOf2_32(block) || block < tile))
    return createStringError(
        "with a tile, block must be a power of two, and no less than tile");
  return Error::success();
}

Error ScheduleChoice::verifyForGPU() const {
  if (unroll > 16)
    return createStringError("unroll must be at most 16 on a GPU");
  return verify();
}
