//===- Verify.cpp - Schedules that contradict their kernel ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ew-schedule makes none of these. Written by hand, they would read memory that
// the host has not looked at, or leave a version without a call.
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Schedule/Verify.h"

#include "ew/Codegen/Schedule/Access.h"
#include "ew/Codegen/Schedule/Choice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ew;

/// Whether `later` may be launched only where `earlier` may, too. Whether tiles
/// may is a matter of the space's sides.
static bool coversAll(VariantAttr earlier, VariantAttr later, bool tiled) {
  tiled |= !earlier.getTile().empty();
  bool merges = earlier.getDims() > 0;
  return !(tiled && earlier.getContiguous()) &&
         (later.getContiguous() || !earlier.getContiguous()) &&
         (!merges ||
          (later.getDims() > 0 && later.getDims() <= earlier.getDims() &&
           (later.getDims() > 1) == (earlier.getDims() > 1))) &&
         later.getAlignment() % earlier.getAlignment() == 0 &&
         later.getMultiple() % earlier.getMultiple() == 0 &&
         later.getRows() % earlier.getRows() == 0 &&
         (earlier.getBelow() == 0 ||
          (later.getBelow() && later.getBelow() <= earlier.getBelow())) &&
         earlier.getIndexWidth() >= later.getIndexWidth();
}

static LogicalResult verifyVersions(linalg::GenericOp op,
                                    ArrayRef<VariantAttr> versions,
                                    bool tiled) {
  llvm::StringSet<> names;
  for (auto [index, version] : llvm::enumerate(versions)) {
    StringRef name = version.getName();
    if (version.getAlignment() < 1 || version.getMultiple() < 1 ||
        version.getRows() < 1)
      return success(); // reported where it is built
    if (!names.insert(name).second)
      return op.emitOpError("has a schedule with two versions '")
             << name << "'";
    if (version.getDims() < 0 || (version.getContiguous() && version.getDims()))
      return op.emitOpError("has a schedule whose version '")
             << name << "' takes dense buffers (contiguous = true), and asks "
             << "for a number of dimensions, which is of others";
    if (!version.getContiguous() && version.getDims() < 2 &&
        (version.getAlignment() > 1 || version.getMultiple() > 1 ||
         version.getRows() > 1))
      return op.emitOpError("has a schedule whose version '")
             << name
             << "' takes buffers of any strides (contiguous = false), and "
             << "asks for an alignment, a multiple or rows of dense ones";
    if (version.getAlignment() == 1 && version.getMultiple() > 1)
      return op.emitOpError("has a schedule whose version '")
             << name
             << "' takes buffers of any alignment, and asks for rows of "
             << "a multiple: without an alignment nothing is read in whole "
                "accesses";
    for (VariantAttr earlier : versions.take_front(index))
      // Of the same conditions, one is merely of no use.
      if (coversAll(earlier, version, tiled) &&
          !coversAll(version, earlier, tiled))
        return op.emitOpError("has a schedule whose version '")
               << name << "' is never launched: '" << earlier.getName()
               << "' stands before it, and may be launched wherever it may";
  }
  return success();
}

static LogicalResult verifyAccess(linalg::GenericOp op, ScheduleAttr schedule) {
  FailureOr<LoopNest> nest = getLoopNest(op);
  if (failed(nest))
    return failure();
  ArrayRef<int64_t> collapse = schedule.getCollapse();
  SmallVector<int64_t> begins;
  int64_t loops = 0;
  for (int64_t count : collapse) {
    if (count < 1 || count > nest->rank() - loops)
      return success(); // reported where it is built
    begins.push_back(loops);
    loops += count;
  }
  int64_t begin = 0;
  for (int64_t count : collapseLoops(*nest)) {
    if (!llvm::is_contained(begins, begin))
      return success();
    begin += count;
  }
  if (loops != nest->rank() ||
      schedule.getAccess().size() != op->getNumOperands())
    return success();
  LoopNest collapsed = applyCollapse(*nest, collapse);
  SmallVector<ArrayRef<int64_t>> tiles = {schedule.getTile()};
  for (VariantAttr variant : schedule.getVariants())
    tiles.push_back(variant.getTile());
  for (ArrayRef<int64_t> tile : tiles) {
    auto liesAlong = [&](unsigned operand) {
      return collapsed.classify(operand) == AccessClass::transposed &&
             collapsed.walks[operand].back() == tile[2];
    };
    if (tile.size() == 3 &&
        llvm::none_of(llvm::seq<unsigned>(0, op->getNumOperands()), liesAlong))
      return op.emitOpError(
                 "has a schedule with a tile of rows along dimension ")
             << tile[2] << ", and no transposed operand is contiguous along it";
  }
  for (auto [index, access] : llvm::enumerate(schedule.getAccess()))
    if (AccessClass is = collapsed.classify(index); is != access)
      return op.emitOpError("has a schedule that takes operand ")
             << index << " as '" << stringifyAccessClass(access)
             << "', and by its indexing map and layout it is '"
             << stringifyAccessClass(is) << "'";
  return success();
}

LogicalResult ew::verifySchedule(linalg::GenericOp op, ScheduleAttr schedule) {
  if (schedule.getRegisters()) {
    ScheduleChoice choice;
    choice.registers = schedule.getRegisters();
    if (llvm::Error error = choice.verify())
      return op.emitOpError("has a schedule whose ")
             << llvm::toString(std::move(error));
  }
  if (failed(verifyVersions(op, schedule.getVariants(),
                            !schedule.getTile().empty())))
    return failure();
  return verifyAccess(op, schedule);
}

LogicalResult ew::verifySchedules(ModuleOp module) {
  WalkResult result = module.walk([&](linalg::GenericOp op) {
    auto schedule = op->getAttrOfType<ScheduleAttr>("ew.schedule");
    return schedule && failed(verifySchedule(op, schedule))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
