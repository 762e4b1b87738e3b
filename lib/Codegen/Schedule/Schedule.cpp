//===- Schedule.cpp - Decide how kernels walk their space -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Kernels.h"
#include "ew/Codegen/Passes.h"
#include "ew/Codegen/Schedule/Policy.h"
#include "ew/Codegen/Schedule/Verify.h"
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

  /// Once, and not for each function.
  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<ScheduleTarget> found = getTarget(context);
    if (succeeded(found))
      scheduleTarget = *found;
    return found;
  }

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](linalg::GenericOp op) {
      if (!isMarked(op) && failed(verifyKernel(op, /*diagnose=*/false)))
        return WalkResult::advance();
      FailureOr<ScheduleAttr> schedule = getSchedule(op, scheduleTarget);
      if (failed(schedule))
        return WalkResult::interrupt();
      op->setAttr(scheduleAttrName, *schedule);
      ++numScheduled;
      numWide += llvm::any_of(schedule->getVariants(), [](VariantAttr variant) {
        return variant.getName() == "wide";
      });
      numTiled +=
          !schedule->getTile().empty() ||
          llvm::any_of(schedule->getVariants(), [](VariantAttr variant) {
            return !variant.getTile().empty();
          });
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  ScheduleTarget scheduleTarget;

  /// Whether `op` is meant to become a kernel, so that it is an error where it
  /// cannot. Others, as a reduction, may be somebody else's.
  static bool isMarked(linalg::GenericOp op) {
    return op->hasAttr(opsAttrName) || op->hasAttr(scheduleAttrName) ||
           op->hasAttr(scheduleChoiceAttrName) ||
           llvm::any_of(*op.getBody(), [](Operation &inner) {
             return isa_and_present<EwDialect>(inner.getDialect());
           });
  }

  FailureOr<ScheduleAttr> getSchedule(linalg::GenericOp op,
                                      ScheduleTarget target) {
    FailureOr<LoopNest> nest = getLoopNest(op);
    if (failed(nest) || failed(readChoice(op, target)))
      return failure();
    BodyWeight weight = getBodyWeight(op);
    FailureOr<ScheduleAttr> byHand = readByHand(op, target);
    if (failed(byHand))
      return failure();
    if (*byHand && target.choice.empty())
      return checkByHand(op, *byHand, weight, target);
    ScheduleAttr schedule = decideSchedule(
        &getContext(), *nest, op->getOperandTypes(), weight, target);
    const ScheduleChoice &choice = target.choice;
    // Not that such a kernel would read column by column in silence.
    if (target.chip && choice.tile && schedule.getTile().empty())
      if (std::string why =
              whyNoTile(*nest, op->getOperandTypes(), weight, target);
          !why.empty())
        return report(op, choice) << why;
    if (target.chip && !choice.empty())
      if (std::string excess =
              findExcess(op->getOperandTypes(), weight, schedule);
          !excess.empty())
        return report(op, choice) << excess;
    if (*byHand && *byHand != schedule)
      emitRemark(op.getLoc(), "schedule ")
          << choice.str()
          << " was chosen: it takes the place of the ew.schedule that stands "
             "here";
    return schedule;
  }

  /// The schedule that stands on the kernel before it is asked for: somebody
  /// wrote it there. Null where the policy has to decide.
  static FailureOr<ScheduleAttr> readByHand(linalg::GenericOp op,
                                            const ScheduleTarget &target) {
    Attribute attr = op->getAttr(scheduleAttrName);
    if (!attr)
      return ScheduleAttr();
    auto schedule = dyn_cast<ScheduleAttr>(attr);
    if (!schedule)
      return op.emitOpError("has an ew.schedule that is none");
    bool gpu = target.chip;
    if (gpu == (schedule.getBlock() > 1))
      return schedule;
    if (target.choice.empty())
      emitWarning(op.getLoc(), "the ew.schedule that stands here is for a ")
          << (gpu ? "CPU (block = 1)" : "GPU (blocks of threads)")
          << ", and this compiles for a " << (gpu ? "GPU" : "CPU")
          << ": the policy's takes its place";
    return ScheduleAttr();
  }

  static FailureOr<ScheduleAttr> checkByHand(linalg::GenericOp op,
                                             ScheduleAttr schedule,
                                             BodyWeight weight,
                                             const ScheduleTarget &target) {
    if (failed(verifySchedule(op, schedule)))
      return failure();
    if (target.chip)
      if (std::string excess =
              findExcess(op->getOperandTypes(), weight, schedule);
          !excess.empty())
        return op.emitOpError("has a schedule that cannot be compiled: ")
               << excess;
    return schedule;
  }

  /// What the options say. An error has no place in the program.
  FailureOr<ScheduleTarget> getTarget(MLIRContext *context) {
    auto error = [&] {
      return emitError(UnknownLoc::get(context), "ew-schedule: ");
    };
    if (target == "cpu") {
      if (!llvm::isPowerOf2_32(vectorBytes) || vectorBytes < 4 ||
          vectorBytes > 256)
        return error() << "vector-bytes must be a power of two from 4 to 256";
    } else if (target != "gpu") {
      return error() << "target must be gpu or cpu, not '" << target << "'";
    }
    ScheduleTarget result{nullptr, vectorBytes};
    if (target == "gpu") {
      llvm::Expected<const nvidia::Chip *> found = nvidia::findChip(chip);
      if (!found)
        return error() << llvm::toString(found.takeError());
      result.chip = *found;
    }
    auto report = [&] { return error() << "choice: "; };
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
