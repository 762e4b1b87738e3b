//===- Tune.cpp - Tunes the kernels of a function -------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Tune.h"

#include "ew/Support/Version.h"
#include "ew/Tuning/KernelBench.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

using namespace ew;
using namespace ew::tuning;

namespace rt = ew::runtime;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// Keeps the first error that is reported to the context, so that a schedule
/// that does not compile is no more than a line of the report.
class Quiet {
public:
  explicit Quiet(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
              first.empty())
            first = diagnostic.str();
          return mlir::success();
        }) {}
  Error fail(Error error) {
    std::string why = llvm::toString(std::move(error));
    return llvm::createStringError(first.empty() ? why : first);
  }

private:
  std::string first;
  mlir::ScopedDiagnosticHandler handler;
};

/// The compiler, without a word on standard error.
class QuietVersions : public rt::VersionSource {
public:
  QuietVersions(mlir::MLIRContext *context,
                std::shared_ptr<rt::VersionSource> source)
      : context(context), source(std::move(source)) {}

  Expected<std::vector<rt::CodeModule>>
  compile(const rt::Program &program,
          ArrayRef<rt::VersionId> versions) override {
    Quiet quiet(context);
    auto code = source->compile(program, versions);
    if (!code)
      return quiet.fail(code.takeError());
    return code;
  }

private:
  mlir::MLIRContext *context;
  std::shared_ptr<rt::VersionSource> source;
};

class FunctionTuner {
public:
  FunctionTuner(mlir::ModuleOp module, StringRef function,
                const TuneOptions &options, rt::Device &device,
                ArrayRef<rt::Argument> arguments, Database &database,
                TuneListener &listener)
      : module(module), function(function), options(options), device(device),
        arguments(arguments), database(database), listener(listener) {}

  Expected<std::vector<KernelReport>> run();

private:
  /// With the schedule of one launch, or of none, in place of the policy's.
  Expected<rt::Program> compileWith(uint32_t launch,
                                    const ScheduleChoice &choice);
  Error tune(uint32_t launch, const LaunchSize &size, double budget,
             KernelReport &report);
  Expected<std::string> judge(uint32_t launch, const ScheduleChoice &choice);
  std::string describe(const rt::Launch &launch) const;

  mlir::ModuleOp module;
  StringRef function;
  const TuneOptions &options;
  rt::Device &device;
  ArrayRef<rt::Argument> arguments;
  Database &database;
  TuneListener &listener;
  rt::Program program;
  std::vector<std::optional<int64_t>> sizes; // of the plan
};

/// Passes on what a search finds out, and keeps it.
class Keeper : public SearchListener {
public:
  Keeper(Database &database, const Key &key, TuneListener &listener)
      : database(database), key(key), listener(listener) {}
  Error onTried(const Tried &tried) override {
    if (Error error = database.store(key, tried))
      return error;
    return listener.onTried(tried);
  }
  void onProgress(unsigned done, unsigned known) override {
    listener.onProgress(done, known);
  }

private:
  Database &database;
  const Key &key;
  TuneListener &listener;
};
} // namespace

static double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

Expected<rt::Program> FunctionTuner::compileWith(uint32_t launch,
                                                 const ScheduleChoice &choice) {
  CompileOptions compileOptions = options.compile;
  compileOptions.versions = Versions::OnNeed;
  compileOptions.schedule = {};
  // What spills is no candidate; and the policy's is what it wants.
  compileOptions.backOff = false;
  compileOptions.findSchedules = [&](const rt::Plan &plan) {
    std::vector<KernelSchedule> schedules(plan.launches.size());
    if (launch < schedules.size() &&
        plan.launches[launch].schedule != choice.str())
      schedules[launch] = {choice, "ew-tune"};
    return schedules;
  };
  Quiet quiet(module.getContext());
  mlir::FailureOr<rt::Program> compiled =
      compile(module, function, compileOptions);
  if (mlir::failed(compiled))
    return quiet.fail(llvm::createStringError("it does not compile"));
  compiled->source = std::make_shared<QuietVersions>(
      module.getContext(), std::move(compiled->source));
  return std::move(*compiled);
}

/// Runs the whole function, on copies.
Expected<std::string> FunctionTuner::judge(uint32_t launch,
                                           const ScheduleChoice &choice) {
  if (!options.judge)
    return std::string();
  auto whole = compileWith(launch, choice);
  if (!whole)
    return whole.takeError();
  auto executable = rt::Executable::create(std::move(*whole), device);
  if (!executable)
    return executable.takeError();
  uint64_t bytes = 0;
  auto copies = rt::copyArguments(device, arguments, bytes);
  if (!copies)
    return copies.takeError();
  auto run = (*executable)->run(*copies);
  if (!run)
    return run.takeError();
  return options.judge((*run)->getResults());
}

std::string FunctionTuner::describe(const rt::Launch &launch) const {
  std::string text = llvm::join(launch.ops, ", ");
  std::vector<std::string> types;
  for (const rt::Operand &operand : launch.operands)
    types.push_back(getName(program.plan.values[operand.value].type).str());
  return text + " on " + llvm::join(types, ", ") + " (" +
         getName(options.compile.mode).str() + " mode)";
}

Error FunctionTuner::tune(uint32_t index, const LaunchSize &size, double budget,
                          KernelReport &report) {
  double begin = now();
  const rt::Launch &launch = program.plan.launches[index];
  report.name = launch.name;
  report.location = launch.location;
  report.key = {launch.fingerprint, getDeviceKey(device, options.compile.chip),
                size.sizes, launch.schedule};
  if (size.elements == 0)
    report.skipped = "it has no elements";
  else if (launch.scheduleSource == scheduleSourceProgram)
    report.skipped = "its ew.schedule stands in the program";
  if (!report.skipped.empty())
    return Error::success();
  auto entry = database.find(report.key);
  if (!entry)
    return entry.takeError();
  if (*entry && (*entry)->complete) {
    report.known = true;
    report.result.entry = **entry;
    return Error::success();
  }
  auto known = database.findTried(report.key);
  if (!known)
    return known.takeError();
  auto model = ScheduleChoice::parse(launch.schedule);
  if (!model)
    return model.takeError();
  listener.onKernel(report);

  Space space;
  space.gpu = device.getTarget() != rt::Target::CPU;
  space.elements = size.elements;
  space.model = *model;
  const rt::Variant &variant = launch.variants[size.variant];
  space.tiled = !space.gpu && variant.contiguous && !variant.tile.empty();
  space.widest = 1;
  for (const rt::Operand &operand : launch.operands)
    if (const rt::Value &value = program.plan.values[operand.value];
        !value.scalar)
      space.widest = std::max(space.widest, rt::getByteWidth(value.type));

  uint64_t bytes = 0;
  auto copies = rt::copyArguments(device, arguments, bytes);
  if (!copies)
    return copies.takeError();
  auto given = makeLaunchArguments(program, index, device, *copies);
  if (!given)
    return given.takeError();
  auto bench = KernelBench::create(
      device,
      [&](const ScheduleChoice &choice) -> Expected<rt::Program> {
        auto whole = compileWith(index, choice);
        if (!whole)
          return whole.takeError();
        return extractLaunch(*whole, index, sizes);
      },
      *given, *model,
      [&](const ScheduleChoice &choice) { return judge(index, choice); },
      options.minSampleSeconds);
  if (!bench)
    return bench.takeError();
  report.sets = (*bench)->getSets();
  report.defeatsCache = (*bench)->defeatsCache();

  SearchOptions searchOptions = options.search;
  // What it took to get this far is part of it: copies of the arguments, a run
  // of the kernels before this one, the policy's code.
  searchOptions.budgetSeconds = std::max(budget - (now() - begin), 0.0);
  if (*entry && !(*entry)->schedule.empty())
    searchOptions.seeds.push_back((*entry)->schedule);
  Keeper keeper(database, report.key, listener);
  auto result = search(space, **bench, *known, searchOptions, keeper);
  if (!result)
    return result.takeError();
  report.seconds = now() - begin;
  report.result = std::move(*result);
  Entry &found = report.result.entry;
  // A search that had no time for what was found before says nothing of it.
  report.unmeasured = found.seconds == 0;
  bool hasWinner = *entry && !(*entry)->schedule.empty();
  if (report.unmeasured ||
      (hasWinner && found.schedule.empty() && !found.complete)) {
    found = *entry ? **entry : Entry();
    found.complete = false;
    return Error::success();
  }
  found.description = describe(launch);
  found.version = getVersion().str();
  found.time = std::chrono::duration_cast<std::chrono::seconds>(
                   std::chrono::system_clock::now().time_since_epoch())
                   .count();
  return database.store(report.key, found);
}

Expected<std::vector<KernelReport>> FunctionTuner::run() {
  if (options.compile.target == rt::Target::Emulated)
    return llvm::createStringError("the emulated device is none to time");
  double begin = now();
  // What is wrong with the program is reported here.
  CompileOptions compileOptions = options.compile;
  compileOptions.versions = Versions::OnNeed;
  compileOptions.schedule = {};
  compileOptions.findSchedules = {};
  compileOptions.backOff = false;
  mlir::FailureOr<rt::Program> compiled =
      compile(module, function, compileOptions);
  if (mlir::failed(compiled))
    return llvm::createStringError("");
  program = std::move(*compiled);

  std::vector<ArrayRef<int64_t>> shapes;
  std::vector<rt::Tensor> places;
  {
    // Everything that can be wrong with the arguments comes out when they are
    // used.
    auto executable = rt::Executable::create(program, device);
    if (!executable)
      return executable.takeError();
    auto call = (*executable)->prepare(arguments);
    if (!call)
      return call.takeError();
  }
  for (const rt::Argument &argument : arguments) {
    shapes.push_back(argument.tensor.shape);
    places.push_back(argument.scalar ? makePlaceholder(argument.type, {})
                                     : argument.tensor);
  }
  sizes = evaluateSizes(program.plan, shapes);
  auto launches = getLaunchSizes(program.plan, places, device.maxGrid());
  if (!launches)
    return launches.takeError();

  std::vector<KernelReport> reports;
  for (uint32_t index = 0; index < program.plan.launches.size(); ++index) {
    double left = options.search.budgetSeconds - (now() - begin);
    double budget =
        std::max(left, 0.0) / (program.plan.launches.size() - index);
    KernelReport &report = reports.emplace_back();
    if (Error error = tune(index, (*launches)[index], budget, report))
      return std::move(error);
    listener.onKernelDone(report);
  }
  return reports;
}

Expected<std::vector<KernelReport>>
tuning::tuneFunction(mlir::ModuleOp module, StringRef function,
                     const TuneOptions &options, rt::Device &device,
                     ArrayRef<rt::Argument> arguments, Database &database,
                     TuneListener &listener) {
  return FunctionTuner(module, function, options, device, arguments, database,
                       listener)
      .run();
}
