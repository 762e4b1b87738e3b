//===- Compile.cpp - From a module to a program that runs -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Pipelines/Compile.h"
#include "Compilation.h"
#include "ew/Codegen/Schedule/Fingerprint.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "ew/Math/Arithmetic.h"
#include "ew/Pipelines/BuildPlan.h"
#include "ew/Pipelines/EmitCode.h"
#include "ew/Pipelines/Pipelines.h"
#include "ew/Runtime/LocatedError.h"
#include "ew/Target/NVIDIA/Chips.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ew;

namespace rt = ew::runtime;

FailureOr<func::FuncOp> ew::selectFunction(ModuleOp module, StringRef name,
                                           StringRef option) {
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>())
    if (name.empty() ? function.isPublic() && !function.isExternal()
                     : function.getName() == name)
      candidates.push_back(function);
  if (candidates.size() == 1) {
    if (candidates.front().isExternal())
      return candidates.front().emitError("function '")
             << name << "' has no body";
    return candidates.front();
  }
  InFlightDiagnostic error = module.emitError();
  if (candidates.empty() && !name.empty())
    error << "no function '" << name << "'";
  else if (candidates.empty())
    error << "no function to run";
  else
    error << "several functions: choose one by "
          << (option.empty() ? "name" : option);
  for (auto function : module.getOps<func::FuncOp>())
    error.attachNote(function.getLoc())
        << "there is '" << function.getName() << "'";
  return error;
}

void ew::setArgumentLayouts(
    func::FuncOp function,
    ArrayRef<std::optional<std::vector<int64_t>>> layouts) {
  for (auto [index, layout] : llvm::enumerate(layouts)) {
    // A kernel writes row by row: what it writes in place is a view like
    // others.
    if (!layout || index >= function.getNumArguments() ||
        function.getArgAttr(index, inPlaceAttrName))
      continue;
    // Another rank is reported where the input meets the plan.
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[index]);
    if (type && type.getRank() == static_cast<int64_t>(layout->size()))
      function.setArgAttr(
          index, layoutAttrName,
          DenseI64ArrayAttr::get(function.getContext(), *layout));
  }
}

void Compilation::showHeldStages() {
  if (!heldStages)
    return;
  std::vector<Stage> stages = std::move(*heldStages);
  heldStages.reset();
  for (const Stage &held : stages)
    options.onStage(held.stage, held.name, held.text);
}

LogicalResult Compilation::runPasses(ModuleOp module, Build build,
                                     bool verifies) {
  PassManager pm(module->getContext());
  // Once, at the end: after every pass it would take longer than most of them.
  pm.enableVerifier(false);
  build(pm);
  if (!options.reproducer.empty())
    pm.enableCrashReproducerGeneration(options.reproducer);
  return failure(failed(pm.run(module)) ||
                 (verifies && failed(verify(module))));
}

void Compilation::showStage(StringRef stage, Operation *op) {
  if (!options.onStage)
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().enableDebugInfo(false));
  stream << "\n";
  showText(stage, "", text);
}

LogicalResult Compilation::showLLVM(Operation *op, StringRef name) {
  if (!options.onStage)
    return success();
  FailureOr<std::string> ir = emitLLVMIR(op);
  if (failed(ir))
    return failure();
  showText("llvm", name, *ir);
  return success();
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Whether the kernel's schedule is the program's own.
static bool isByHand(linalg::GenericOp op) {
  auto source = op->getAttrOfType<StringAttr>(scheduleSourceAttrName);
  return source && source.getValue() == scheduleSourceProgram;
}

LogicalResult Compilation::start(ModuleOp module, StringRef name) {
  FailureOr<func::FuncOp> selected = selectFunction(module, name);
  if (failed(selected))
    return failure();
  if (forGPU()) {
    // LLVM ends the process on a chip that it does not know.
    llvm::Expected<const nvidia::Chip *> found = nvidia::findChip(options.chip);
    if (!found)
      return module.emitError(llvm::toString(found.takeError()));
    chip = *found;
  }

  loadKernelDialects(*module.getContext());
  // What the function does not call goes.
  scheduled = cast<ModuleOp>(module->clone());
  for (auto function : scheduled->getOps<func::FuncOp>())
    function.setVisibility(function.getName() == selected->getName()
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
  program.target = options.target;
  program.chip = forGPU() ? options.chip : getHostCPU();
  program.plan.function = selected->getName().str();
  showStage("input", *scheduled);

  if (failed(runPasses(*scheduled, [&](OpPassManager &pm) {
        pm.addPass(createSymbolDCEPass());
        EwSetModesOptions modes;
        modes.mode = getName(options.mode).str();
        pm.addPass(createEwSetModes(modes));
        // Numbers may come from calls. Nothing is folded before it is raised.
        pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
        pm.addPass(createEwScalarResults());
        buildFusePipeline(pm, options.mode);
      })))
    return failure();
  showStage("linalg", *scheduled);

  if (failed(scheduleFirst()) || failed(makePlan()) ||
      failed(applyFoundSchedules()))
    return failure();
  return failed(applyBackOffs()) ? failure() : skipTooLong();
}

LogicalResult Compilation::scheduleFirst() {
  SmallVector<std::pair<linalg::GenericOp, Attribute>> byHand;
  auto source = StringAttr::get(scheduled->getContext(), scheduleSourceProgram);
  scheduled->walk([&](linalg::GenericOp op) {
    op->removeAttr(scheduleSourceAttrName);
    Attribute attr = op->getAttr(scheduleAttrName);
    bool hasNumbers = op->hasAttr(scheduleChoiceAttrName);
    if (attr && !hasNumbers)
      byHand.push_back({op, attr});
    if (attr || hasNumbers)
      op->setAttr(scheduleSourceAttrName, source);
  });
  if (failed(schedule()))
    return failure();
  // Those that did not stay have been told of.
  for (auto [op, attr] : byHand)
    if (op->getAttr(scheduleAttrName) != attr || !options.schedule.empty())
      op->removeAttr(scheduleSourceAttrName);
  return success();
}

LogicalResult Compilation::schedule() {
  // What was decided before is decided again, unless somebody wrote it.
  scheduled->walk([&](linalg::GenericOp op) {
    if (!isByHand(op) || op->hasAttr(scheduleChoiceAttrName))
      op->removeAttr(scheduleAttrName);
  });
  return runPasses(*scheduled, [&](OpPassManager &pm) {
    buildSchedulePipeline(pm, forGPU() ? StringRef(options.chip) : "",
                          options.schedule);
  });
}

LogicalResult Compilation::applyFoundSchedules() {
  if (!options.findSchedules || !options.schedule.empty())
    return success();
  std::vector<KernelSchedule> found = options.findSchedules(program.plan);
  found.resize(std::min(found.size(), kernels.size()));
  auto isEmpty = [](const KernelSchedule &one) { return one.choice.empty(); };
  if (llvm::all_of(found, isEmpty))
    return success();
  for (auto [kernel, one] : llvm::zip(kernels, found)) {
    if (isEmpty(one) || isByHand(kernel.op))
      continue;
    MLIRContext *context = kernel.op.getContext();
    kernel.op->setAttr(scheduleChoiceAttrName,
                       StringAttr::get(context, one.choice.str()));
    kernel.op->setAttr(scheduleSourceAttrName,
                       StringAttr::get(context, one.source));
    if (!one.origin.empty())
      kernel.op->setAttr(scheduleOriginAttrName,
                         StringAttr::get(context, one.origin));
  }
  if (failed(schedule()))
    return failure();
  return makePlan();
}

LogicalResult Compilation::makePlan() {
  auto functionOf = [&](ModuleOp module) {
    return module.lookupSymbol<func::FuncOp>(program.plan.function);
  };
  FailureOr<SmallVector<ScheduledKernel>> found =
      collectKernels(functionOf(*scheduled));
  if (failed(found))
    return failure();
  kernels = std::move(*found);

  // On a copy, launches take the place of kernels, by the names that those will
  // have.
  host = cast<ModuleOp>((*scheduled)->clone());
  FailureOr<SmallVector<ScheduledKernel>> copies =
      collectKernels(functionOf(*host));
  if (failed(copies))
    return failure();
  for (ScheduledKernel &kernel : *copies) {
    SmallVector<Attribute> symbols;
    for (VariantAttr variant : kernel.schedule.getVariants()) {
      auto symbol =
          FlatSymbolRefAttr::get(host->getContext(), kernel.nameOf(variant));
      symbols.push_back(options.target == rt::Target::CUDA
                            ? SymbolRefAttr::get(symbol.getAttr(), {symbol})
                            : SymbolRefAttr(symbol));
    }
    kernel.replaceByLaunch(symbols);
  }
  if (failed(runPasses(*host, buildKernelCleanupPipeline)))
    return failure();
  FailureOr<rt::Plan> plan = buildPlan(functionOf(*host));
  if (failed(plan))
    return failure();
  plan->backOffs = std::move(program.plan.backOffs);
  program.plan = std::move(*plan);
  if (program.plan.launches.size() != kernels.size())
    return host->emitError("a kernel is not launched exactly once");
  describeLaunches();
  completeVersions();
  return success();
}

/// The numbers of a schedule that somebody could ask for.
static ScheduleChoice getChoice(ScheduleAttr schedule, bool forGPU) {
  ScheduleChoice choice;
  choice.block = forGPU ? schedule.getBlock() : 0; // the CPU's is no choice
  choice.elements = schedule.getElements();
  choice.unroll = schedule.getUnroll();
  choice.registers = schedule.getRegisters();
  // A tile that is not square cannot be asked for.
  ArrayRef<int64_t> tile = schedule.getTile();
  if (!tile.empty() && tile[0] == tile[1])
    choice.tile = tile[0];
  return choice;
}

void Compilation::describeLaunches() {
  // What the same body becomes depends on these, too.
  std::string context = getName(options.mode).str();
  if (forGPU() && options.libraryFunctions)
    context += ", library functions";
  ScheduleChoice numbers = options.schedule;
  numbers.many = 0;
  ArithmeticTarget target;
  target.isGPU = options.target == rt::Target::CUDA;
  target.mode = options.mode;
  target.library = target.isGPU && options.libraryFunctions;
  for (auto [launch, kernel] :
       llvm::zip_equal(program.plan.launches, kernels)) {
    launch.schedule = getChoice(kernel.schedule, forGPU()).str();
    launch.fingerprint = getFingerprint(kernel.op, context);
    auto source = kernel.op->getAttrOfType<StringAttr>(scheduleSourceAttrName);
    launch.scheduleSource = source            ? source.str()
                            : numbers.empty() ? "model"
                                              : "--schedule";
    const rt::BackOff *known = program.plan.findBackOff(launch.fingerprint);
    if (known && launch.schedule != known->attempts.front().schedule)
      launch.scheduleSource += ", backed off";
    launch.arithmetic = describeArithmetic(*kernel.op.getBody(), target);
  }
}

void Compilation::completeVersions() {
  for (rt::VersionId id : getVersions()) {
    rt::Variant &version = program[id];
    const ScheduledKernel &kernel = kernels[id.launch];
    if (forGPU())
      version.sharedBytes =
          getSharedBytes(kernel, kernel.schedule.getVariants()[id.variant]);
    if (options.target == rt::Target::CUDA && options.dependentLaunch)
      version.dependentLaunch = nvidia::hasDependentLaunch(*chip);
  }
}

std::vector<rt::VersionId> Compilation::getVersions() const {
  std::vector<rt::VersionId> versions;
  for (auto [index, launch] : llvm::enumerate(program.plan.launches))
    for (uint32_t variant = 0; variant < launch.variants.size(); ++variant)
      versions.push_back({uint32_t(index), variant});
  return versions;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

/// For CUDA a gpu.module for each kernel; for the CPU, where a module is what
/// is translated, a builtin.module for each, or one for all.
LogicalResult Compilation::buildKernels(ModuleOp module,
                                        ArrayRef<rt::VersionId> versions) {
  ModuleOp into = module;
  if (options.target == rt::Target::CUDA)
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    UnitAttr::get(module.getContext()));
  for (rt::VersionId id : versions) {
    const ScheduledKernel &kernel = kernels[id.launch];
    VariantAttr variant = kernel.schedule.getVariants()[id.variant];
    Operation *built;
    if (forGPU()) {
      FailureOr<gpu::GPUModuleOp> made = buildGPUKernel(kernel, variant);
      if (failed(made))
        return failure();
      built = *made;
    } else {
      FailureOr<func::FuncOp> made = buildCPUKernel(kernel, variant);
      if (failed(made))
        return failure();
      built = *made;
    }
    if (options.target != rt::Target::CUDA &&
        (into == module || options.versions != Versions::Together)) {
      into = ModuleOp::create(kernel.op->getLoc(),
                              options.versions == Versions::Together
                                  ? program.plan.function
                                  : kernel.nameOf(variant));
      module.push_back(into);
    }
    into.push_back(built);
  }
  return success();
}

FailureOr<std::vector<rt::CodeModule>>
Compilation::compile(ArrayRef<rt::VersionId> versions) {
  OwningOpRef<ModuleOp> module = ModuleOp::create((*scheduled)->getLoc());
  if (failed(buildKernels(*module, versions)) ||
      failed(runPasses(*module, buildKernelCleanupPipeline)))
    return failure();
  if (options.onStage) {
    OwningOpRef<ModuleOp> whole = (*module).clone();
    IRMapping mapping;
    OpBuilder b = OpBuilder::atBlockBegin(whole->getBody());
    for (Operation &op : *host->getBody())
      b.clone(op, mapping);
    showStage("kernels", *whole);
  }
  return options.target == rt::Target::CUDA ? emitGPUCode(*module)
                                            : emitCPUCode(*module, versions);
}

llvm::Expected<std::vector<rt::CodeModule>>
Compilation::compile(const rt::Program &other,
                     ArrayRef<rt::VersionId> versions) {
  for (rt::VersionId id : versions)
    if (llvm::Error error = checkIsOurs(other, id))
      return std::move(error);
  FailureOr<std::vector<rt::CodeModule>> code = compile(versions);
  if (failed(code))
    return llvm::make_error<rt::ReportedError>(
        "kernels of '" + program.plan.function +
        "' could not be compiled, for the reason that was reported");
  return std::move(*code);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Moves what the gpu.modules hold into the first one. Declarations of one name
/// are one function; anything else that clashes gets a new name.
static void mergeGPUModules(ModuleOp module) {
  gpu::GPUModuleOp first;
  for (auto next :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    if (!first) {
      first = next;
      continue;
    }
    SymbolTable into(first), from(next);
    for (Operation &op : llvm::make_early_inc_range(*next.getBody())) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      if (!symbol)
        continue;
      if (into.lookup(symbol.getName())) {
        auto function = dyn_cast<FunctionOpInterface>(op);
        if (function && function.isExternal())
          continue;
        (void)from.renameToUnique(&op, {&into});
      }
      op.remove();
      into.insert(&op);
    }
    next.erase();
  }
}

FailureOr<std::vector<rt::CodeModule>>
Compilation::emitGPUCode(ModuleOp module) {
  if (failed(runPasses(
          module,
          [&](OpPassManager &pm) {
            buildNVVMLoweringPipeline(pm, options.chip, options.mode,
                                      options.libraryFunctions,
                                      options.dependentLaunch,
                                      /*onlyOurs=*/true);
          },
          /*verifies=*/false)))
    return failure();
  if (options.versions == Versions::Together)
    mergeGPUModules(module);
  showStage("lowered", module);
  SmallVector<gpu::GPUModuleOp> modules(module.getOps<gpu::GPUModuleOp>());
  for (gpu::GPUModuleOp kernel : modules)
    if (failed(showLLVM(kernel, kernel.getName())))
      return failure();
  PTXOptions ptxOptions;
  ptxOptions.chip = options.chip;
  ptxOptions.features = nvidia::getFeatures(*chip);
  ptxOptions.libdevice = options.libdevice;
  ptxOptions.threads = options.threads;
  ptxOptions.optLevel = options.optLevel;
  FailureOr<std::vector<std::string>> texts = emitPTX(modules, ptxOptions);
  if (failed(texts))
    return failure();
  std::vector<rt::CodeModule> code;
  for (auto [kernel, text] : llvm::zip_equal(modules, *texts)) {
    showText("ptx", kernel.getName(), text);
    rt::CodeKind kind = rt::CodeKind::PTX;
    if (options.assemble) {
      std::string log;
      llvm::Expected<std::string> cubin =
          assemblePTX(text, options.chip, /*verbose=*/true, &log);
      if (!cubin)
        return kernel.emitError(llvm::toString(cubin.takeError()));
      noteResources(kernel, text, log);
      showText("cubin", kernel.getName(), *cubin);
      text = std::move(*cubin);
      kind = rt::CodeKind::Cubin;
    }
    code.push_back({kind, kernel.getName().str(), std::move(text)});
  }
  return code;
}

FailureOr<std::vector<rt::CodeModule>>
Compilation::emitCPUCode(ModuleOp module, ArrayRef<rt::VersionId> versions) {
  if (failed(runPasses(
          module,
          [&](OpPassManager &pm) {
            OpPassManager &each = pm.nest<ModuleOp>();
            bool emulated = options.target == rt::Target::Emulated;
            if (emulated)
              buildEmulationPipeline(each);
            buildCPULoweringPipeline(each, options.mode,
                                     emulated ? "the emulated GPU" : "");
          },
          /*verifies=*/false)))
    return failure();
  showStage("lowered", module);
  SmallVector<KernelModule> modules;
  for (ModuleOp each : module.getOps<ModuleOp>()) {
    if (failed(showLLVM(each, *each.getName())))
      return failure();
    modules.push_back({each, {}});
  }
  for (auto [index, id] : llvm::enumerate(versions))
    modules[options.versions == Versions::Together ? 0 : index]
        .kernels.push_back(program[id].kernel);
  ObjectOptions objectOptions;
  objectOptions.threads = options.threads;
  objectOptions.optLevel = options.optLevel;
  FailureOr<std::vector<std::string>> objects =
      emitObjects(modules, objectOptions);
  if (failed(objects))
    return failure();
  std::vector<rt::CodeModule> code;
  for (auto [kernel, object] : llvm::zip_equal(modules, *objects))
    code.push_back({rt::CodeKind::Object, kernel.module.getName()->str(),
                    std::move(object)});
  return code;
}

FailureOr<rt::Program> ew::compile(ModuleOp module, StringRef function,
                                   const CompileOptions &options) {
  auto compilation = std::make_shared<Compilation>(options);
  if (failed(compilation->start(module, function)))
    return failure();
  rt::Program program = compilation->getProgram();
  if (options.versions == Versions::OnNeed) {
    program.source = std::move(compilation);
    return program;
  }
  if (options.assemble)
    compilation->holdStages();
  // A schedule by hand may ask for too much: what decides that comes first.
  if (options.assemble && !options.schedule.empty()) {
    FailureOr<bool> changed = compilation->settleAssembled();
    compilation->holdStages();
    if (failed(changed))
      return failure();
    program = compilation->getProgram();
  }
  std::vector<rt::VersionId> versions = compilation->getVersions();
  FailureOr<std::vector<rt::CodeModule>> code = compilation->compile(versions);
  if (options.assemble && succeeded(code)) {
    FailureOr<bool> changed = compilation->settleAssembled();
    if (succeeded(changed) && *changed) {
      compilation->holdStages(); // those of before are forgotten
      versions = compilation->getVersions();
      code = compilation->compile(versions);
    } else if (failed(changed)) {
      code = failure();
    }
    program = compilation->getProgram();
  }
  compilation->showHeldStages();
  if (failed(code))
    return failure();
  for (auto [index, id] : llvm::enumerate(versions))
    program[id].module = options.versions == Versions::Together ? 0 : index;
  program.modules = std::move(*code);
  return program;
}
