//===- Excess.cpp - Schedules that ask too much of a thread ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Signature.h"
#include "ew/Codegen/Schedule/Policy.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ew;

/// What a schedule that is given by hand may ask of a thread. It has 255
/// registers: four times as many values of its operands at once are no use to
/// anybody, and LLVM's time grows with their square. PTX of all versions, in
/// seconds: 1,024 values of two operands 4.6, 2,048 17, of 22 operands 3,000 in
/// 18; six functions on 256 elements (12,288 of weight) 8.7.
static constexpr uint64_t maxThreadValues = 1024;
static constexpr uint64_t maxThreadWeight = 16384;

/// Of a schedule by hand that may back off, this much is tried. ptxas 13.0 for
/// sm_90 on what a thread has of six functions, in seconds: 12,288 of weight
/// 22, 6,144 4, 3,072 1.5. Nothing that long keeps its values in registers:
/// what is skipped spilled 6,112 bytes and more.
static constexpr uint64_t maxTriedWeight = 8192;

bool ew::isTooLongToTry(BodyWeight body, const ScheduleChoice &choice) {
  uint64_t elements = uint64_t(choice.elements) * choice.unroll;
  return elements > 1 && body.total * elements > maxTriedWeight;
}

std::string ew::findExcess(TypeRange operands, BodyWeight body,
                           ScheduleAttr schedule) {
  // Tiles have one size, and go element by element.
  if (!schedule.getTile().empty())
    return {};
  uint64_t values = 0;
  for (Type type : operands)
    if (isa<RankedTensorType>(type))
      values += llvm::divideCeil(getMemoryBytes(getElementType(type)), 4);
  // Of the version that takes the most at once.
  uint64_t elements = uint64_t(schedule.getElements()) * schedule.getUnroll();
  for (VariantAttr variant : schedule.getVariants()) {
    ScheduleAttr own = getVersionSchedule(schedule, variant);
    elements =
        std::max(elements, uint64_t(own.getElements()) * own.getUnroll());
  }
  // Element by element there is nothing to take less of.
  if (elements <= 1)
    return {};
  std::string thread = "a thread would take " + std::to_string(elements) +
                       " elements at once (elements times unroll), ";
  auto advise = [](uint64_t most) {
    return "; here elements times unroll may be at most " +
           std::to_string(std::max<uint64_t>(most, 1));
  };
  if (values * elements > maxThreadValues)
    return thread + "for which its operands alone need " +
           std::to_string(values * elements) +
           " registers: a thread has 255, and code for more than " +
           std::to_string(maxThreadValues) + " is not compiled" +
           advise(maxThreadValues / values);
  if (body.total * elements > maxThreadWeight)
    return thread + "which makes some " +
           std::to_string(body.total * elements) + " instructions: more than " +
           std::to_string(maxThreadWeight) + " are not compiled" +
           advise(maxThreadWeight / body.total);
  return {};
}
