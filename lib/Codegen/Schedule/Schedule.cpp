//===- Schedule.cpp - Decide how kernels walk their space -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Passes.h"
#include "ew/Codegen/Schedule/Policy.h"
#include "ew/Dialect/Ew/IR/Ew.h"

namespace ew {
#define GEN_PASS_DEF_EWSCHEDULE
#include "ew/Codegen/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

namespace {
struct Schedule : ew::impl::EwScheduleBase<Schedule> {
  using EwScheduleBase::EwScheduleBase;

  void runOnOperation() override {
    FailureOr<ScheduleTarget> scheduleTarget = getTarget();
    if (failed(scheduleTarget))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([&](linalg::GenericOp op) {
      FailureOr<LoopNest> nest = getLoopNest(op);
      if (failed(nest))
        return WalkResult::interrupt();
      ScheduleTarget forKernel = *scheduleTarget;
      if (failed(readChoice(op, forKernel)))
        return WalkResult::interrupt();
      BodyWeight weight = getBodyWeight(op);
      ScheduleAttr schedule = decideSchedule(
          &getContext(), *nest, op->getOperandTypes(), weight, forKernel);
      // Not that such a kernel would read column by column in silence.
      if (forKernel.chip && forKernel.choice.tile &&
          schedule.getTile().empty()) {
        ScheduleTarget policys = *scheduleTarget;
        policys.choice = {};
        if (!decideSchedule(&getContext(), *nest, op->getOperandTypes(), weight,
                            policys)
                 .getTile()
                 .empty()) {
          report(op, forKernel.choice)
              << "tiles of this side do not fit into shared memory, or lie "
                 "outside of "
                 "the kernel's sizes for the most part";
          return WalkResult::interrupt();
        }
      }
      if (forKernel.chip && !forKernel.choice.empty())
        if (std::string excess =
                findExcess(op->getOperandTypes(), weight, schedule);
            !excess.empty()) {
          report(op, forKernel.choice) << excess;
          return WalkResult::interrupt();
        }
      op->setAttr("ew.schedule", schedule);
      ++numScheduled;
      numWide += llvm::any_of(schedule.getVariants(), [](VariantAttr variant) {
        return variant.getName() == "wide";
      });
      numTiled += !schedule.getTile().empty();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  FailureOr<ScheduleTarget> getTarget() {
    Location loc = getOperation()->getLoc();
    if (target == "cpu") {
      if (!llvm::isPowerOf2_32(vectorBytes) || vectorBytes < 4 ||
          vectorBytes > 256)
        return emitError(loc,
                         "vector-bytes must be a power of two from 4 to 256");
    } else if (target != "gpu") {
      return emitError(loc, "target must be gpu or cpu, not '")
             << target << "'";
    }
    ScheduleTarget result{nullptr, vectorBytes};
    if (target == "gpu") {
      llvm::Expected<const nvidia::Chip *> found = nvidia::findChip(chip);
      if (!found)
        return emitError(loc) << llvm::toString(found.takeError());
      result.chip = *found;
    }
    auto report = [&] { return emitError(loc, "choice: "); };
    if (failed(parseChoice(choice, result, report)))
      return failure();
    return result;
  }

  static LogicalResult
  parseChoice(StringRef text, ScheduleTarget &target,
              llvm::function_ref<InFlightDiagnostic()> report) {
    llvm::Expected<ScheduleChoice> numbers = ScheduleChoice::parse(text);
    if (!numbers)
      return report() << llvm::toString(numbers.takeError());
    if (target.chip)
      if (llvm::Error error = numbers->verifyForGPU())
        return report() << llvm::toString(std::move(error));
    target.choice = *numbers;
    return success();
  }

  /// An error about what was chosen, with where it comes from.
  static InFlightDiagnostic report(linalg::GenericOp op,
                                   const ScheduleChoice &choice) {
    InFlightDiagnostic error = emitError(op.getLoc(), "schedule ");
    error << choice.str();
    if (auto origin = op->getAttrOfType<StringAttr>(scheduleOriginAttrName))
      error << " of " << origin.getValue();
    error << ": ";
    return error;
  }

  /// What stands on the kernel itself.
  static LogicalResult readChoice(linalg::GenericOp op,
                                  ScheduleTarget &target) {
    Attribute attr = op->getAttr(scheduleChoiceAttrName);
    if (!attr)
      return success();
    auto text = dyn_cast<StringAttr>(attr);
    if (!text)
      return op.emitOpError("has an ")
             << scheduleChoiceAttrName << " that is no string";
    return parseChoice(text.getValue(), target, [&] {
      return op.emitOpError(scheduleChoiceAttrName) << ": ";
    });
  }
};
} // namespace
