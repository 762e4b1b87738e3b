//===- Compilation.h - A function on its way to code ------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_PIPELINES_COMPILATION_H
#define EW_LIB_PIPELINES_COMPILATION_H

#include "ew/Codegen/Kernel/Kernels.h"
#include "ew/Codegen/Schedule/BackOff.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/Device.h"
#include "ew/Target/NVIDIA/Chips.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"

namespace ew {

/// On a kernel whose schedule was found: by whom.
inline constexpr llvm::StringLiteral scheduleSourceAttrName =
    "ew.schedule_source";

/// A function on its way to code. Its plan is made at once; versions of its
/// kernels are built, lowered and compiled when they are asked for.
class Compilation : public runtime::VersionSource {
public:
  explicit Compilation(const CompileOptions &options) : options(options) {}

  /// From the module to scheduled kernels and the plan.
  mlir::LogicalResult start(mlir::ModuleOp module, llvm::StringRef name);
  /// The program without code.
  const runtime::Program &getProgram() const { return program; }
  std::vector<runtime::VersionId> getVersions() const;

  /// A module for each version, or one for all with Versions::Together.
  mlir::FailureOr<std::vector<runtime::CodeModule>>
  compile(llvm::ArrayRef<runtime::VersionId> versions);

  llvm::Expected<std::vector<runtime::CodeModule>>
  compile(const runtime::Program &program,
          llvm::ArrayRef<runtime::VersionId> versions) override;

  llvm::Expected<std::optional<runtime::Plan>>
  reconsider(const runtime::Program &program, runtime::VersionId version,
             const runtime::KernelResources &resources) override;
  /// The same of what was assembled, by each kernel's first version; those are
  /// compiled again as often as it takes. True: the others have to be, too.
  mlir::FailureOr<bool> settleAssembled();

  /// Stages of a compilation that may have to be done again are kept back, and
  /// shown or forgotten.
  void holdStages() { heldStages.emplace(); }
  void showHeldStages();

private:
  using Build = llvm::function_ref<void(mlir::OpPassManager &)>;
  /// What is translated next needs no `verifies`: LLVM's verifier sees it.
  mlir::LogicalResult runPasses(mlir::ModuleOp module, Build build,
                                bool verifies = true);
  mlir::LogicalResult schedule();
  /// The same where kernels may have schedules that somebody wrote, which stay.
  mlir::LogicalResult scheduleFirst();
  mlir::LogicalResult makePlan();
  /// What the plan says of its launches beside what is launched.
  void describeLaunches();
  /// What the plan alone does not know of versions.
  void completeVersions();
  /// Makes the plan once more where options.findSchedules chooses otherwise.
  mlir::LogicalResult applyFoundSchedules();
  /// And where options.backOffs does.
  mlir::LogicalResult applyBackOffs();
  /// Schedules by hand whose code would take long to compile become such as
  /// might stay: what is not tried is the first thing that their back-off has.
  mlir::LogicalResult skipTooLong();
  runtime::BackOff &getBackOff(const runtime::Launch &launch);
  /// Every kernel of that fingerprint.
  void chooseSchedule(llvm::StringRef fingerprint, llvm::StringRef schedule);
  void keepSchedule(const runtime::BackOff &record);
  void markSplit(llvm::StringRef fingerprint);
  /// Splits what is marked, schedules, and makes the plan.
  mlir::LogicalResult startAgain();
  llvm::Error checkIsOurs(const runtime::Program &other,
                          runtime::VersionId id) const;
  bool mayFill(const ScheduledKernel &kernel) const;
  BackOffLimits getLimits(const ScheduledKernel &kernel,
                          const runtime::Launch &launch) const;
  /// Looks at what was assembled, in order, until a kernel has other code.
  /// True: one has.
  mlir::FailureOr<bool> reconsiderAssembled();
  mlir::LogicalResult compileJudged();
  /// Carries out what is decided of the launch's kernel. True: it has other
  /// code now.
  mlir::FailureOr<bool> backOff(uint32_t launch,
                                const runtime::KernelResources &resources);
  mlir::LogicalResult buildKernels(mlir::ModuleOp module,
                                   llvm::ArrayRef<runtime::VersionId> versions);
  mlir::FailureOr<std::vector<runtime::CodeModule>>
  emitGPUCode(mlir::ModuleOp module);
  void noteResources(mlir::gpu::GPUModuleOp module, llvm::StringRef ptx,
                     llvm::StringRef log);
  mlir::FailureOr<std::vector<runtime::CodeModule>>
  emitCPUCode(mlir::ModuleOp module,
              llvm::ArrayRef<runtime::VersionId> versions);

  void showStage(llvm::StringRef stage, mlir::Operation *op);
  void showText(llvm::StringRef stage, llvm::StringRef name,
                llvm::StringRef text) {
    if (options.onStage && heldStages)
      heldStages->push_back({stage.str(), name.str(), text.str()});
    else if (options.onStage)
      options.onStage(stage, name, text);
  }
  /// LLVM IR, which is only made to be shown.
  mlir::LogicalResult showLLVM(mlir::Operation *op, llvm::StringRef name);
  bool forGPU() const { return options.target != runtime::Target::CPU; }

  const CompileOptions options;
  const nvidia::Chip *chip = nullptr;
  /// The function with its scheduled kernels. The kernels of versions are built
  /// from it, each apart.
  mlir::OwningOpRef<mlir::ModuleOp> scheduled;
  llvm::SmallVector<ScheduledKernel> kernels; // one for each launch of the plan
  /// The function with launches in their place.
  mlir::OwningOpRef<mlir::ModuleOp> host;
  runtime::Program program;
  /// What ptxas said of kernels, by name.
  llvm::StringMap<runtime::KernelResources> assembled;
  struct Stage {
    std::string stage, name, text;
  };
  std::optional<std::vector<Stage>> heldStages;
};

} // namespace ew

#endif // EW_LIB_PIPELINES_COMPILATION_H
