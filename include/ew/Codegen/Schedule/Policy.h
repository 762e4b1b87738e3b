//===- Policy.h - Every number of a schedule and its source -----*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_SCHEDULE_POLICY_H
#define EW_CODEGEN_SCHEDULE_POLICY_H

#include "ew/Codegen/Schedule/Access.h"
#include "ew/Codegen/Schedule/Choice.h"
#include "ew/Target/NVIDIA/Chips.h"
#include <optional>
#include <string>

namespace ew {

/// 32-bit indices hold while the elements, rounded up to blocks, are below
/// 2^31.
inline constexpr int64_t maxIndex32 = (int64_t(1) << 31) - 1;

/// What a kernel is scheduled for.
struct ScheduleTarget {
  const nvidia::Chip *chip = nullptr; // null: the CPU
  unsigned vectorBytes = 64;          // of the CPU's vector registers
  ScheduleChoice choice = {};
};

/// Bytes of one element in memory: a boolean takes one.
unsigned getMemoryBytes(mlir::Type element);

/// What a kernel computes for each element.
struct BodyWeight {
  unsigned total = 0; // getWeight() of its ops
  bool hasFunctions = false;
};
BodyWeight getBodyWeight(mlir::linalg::GenericOp op);

/// The one place where block, elements, tile and variants are decided.
/// `operands` are the types of the kernel's operands, inputs first.
ScheduleAttr decideSchedule(mlir::MLIRContext *context, const LoopNest &nest,
                            mlir::TypeRange operands, BodyWeight body,
                            const ScheduleTarget &target);

/// The number of elements, where all sizes are known.
std::optional<int64_t> getStaticCount(const LoopNest &nest);

/// The fewest elements for which a limit of registers, and room for more
/// threads by it, is of use.
int64_t getFewestForFull(ScheduleAttr schedule);

/// Why a GPU's kernel cannot go through the square tile that was chosen for it;
/// empty where it would go through none anyway.
std::string whyNoTile(const LoopNest &nest, mlir::TypeRange operands,
                      BodyWeight body, ScheduleTarget target);

/// Whether a schedule's code takes so long to compile that it is not tried
/// where another one may take its place. The policy's never does.
bool isTooLongToTry(BodyWeight body, const ScheduleChoice &choice);

/// What is too much about a GPU's schedule that was given by hand, to compile
/// it at all; empty where it is not.
std::string findExcess(mlir::TypeRange operands, BodyWeight body,
                       ScheduleAttr schedule);

} // namespace ew

#endif // EW_CODEGEN_SCHEDULE_POLICY_H
