//===- Session.cpp - One run of ew-run ------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Batch.h"
#include "ew/Pipelines/EmitCode.h"
#include "ew/Runtime/AtomicFile.h"
#include "ew/Runtime/Cache.h"
#include "ew/Runtime/CachedVersions.h"
#include "ew/Runtime/HostThreads.h"
#include "ew/Runtime/Transfer.h"
#include "ew/Support/Version.h"
#include "ew/Target/NVIDIA/Limits.h"
#include "ew/Tuning/Database.h"
#include "ew/Tuning/Lookup.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ew;
using namespace ew::run;

namespace rt = ew::runtime;

void Session::warn(const llvm::Twine &what) {
  llvm::WithColor::warning(llvm::errs(), "ew-run") << what << "\n";
}

int Session::run() {
  using Step = int (Session::*)();
  SmallVector<Step> steps = {&Session::readFile};
  if (options.emit != Emit::Nothing) {
    steps.append({&Session::parseInputs, &Session::emitStage});
  } else {
    steps.append({&Session::openDevice, &Session::parseInputs,
                  &Session::obtainProgram, &Session::makeInputs,
                  &Session::applyTuned, &Session::load, &Session::settle,
                  &Session::execute});
    // Wrong results are still written, for a look at them.
    steps.push_back(&Session::writeOutputs);
    // After whatever may be wrong with the program or its inputs.
    if (options.time || options.explain)
      steps.push_back(&Session::printDevice);
    if (options.time)
      steps.push_back(&Session::timeFunction);
    // Measured times stand beside limits.
    if (options.explain)
      steps.push_back(&Session::explain);
    if (!options.expected.empty())
      steps.push_back(&Session::compareWithExpected);
    if (options.check)
      steps.push_back(&Session::checkWithOracle);
  }
  int code = kSuccess;
  for (Step step : steps)
    if ((code = (this->*step)()))
      break;
  if (options.json && !report.empty()) {
    report["exit_code"] = code;
    llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(report)))
                 << "\n";
  }
  if (llvm::Error error = rt::flushStandardOutput())
    return fail(std::move(error));
  return code;
}

//===----------------------------------------------------------------------===//
// The file and the device
//===----------------------------------------------------------------------===//

int Session::readFile() { return file.read(options.file); }

int Session::openDevice() {
  auto opened = devices.get(options.on);
  if (!opened)
    return fail(opened.takeError());
  device = *opened;
  bool forGPU = device->getTarget() != rt::Target::CPU;
  if (!forGPU && !options.chip.empty())
    warn("there is no GPU, and the CPU has no use for --chip or --product; "
         "--device=emulated runs "
         "what a GPU would run");
  if (ScheduleChoice parts = getGPUParts(options.schedule);
      !forGPU && !parts.empty())
    warn("there is no GPU, and the CPU has no use for --schedule=" +
         parts.str() + "; --device=emulated runs what a GPU would run");
  if (auto given = getGPUOptions(options); !forGPU && !given.empty())
    warn("there is no GPU, and the CPU has no use for " +
         llvm::join(given, " or "));
  if (!options.product.empty() && device->getTarget() == rt::Target::CUDA)
    if (llvm::StringRef has = nvidia::findProduct(options.product)->chip;
        has != device->getChip())
      return fail(llvm::createStringError(
          "--product=" + options.product + " has the chip " + has + ", and " +
          device->getName() + " has " + device->getChip()));
  chip = !options.chip.empty()                     ? options.chip
         : device->getTarget() == rt::Target::CUDA ? device->getChip()
         : forGPU                                  ? "sm_80"
                                                   : device->getChip();
  report["device"] = device->getName();
  report["description"] = device->getDescription();
  report["chip"] = chip;
  report["mode"] = getName(options.mode);
  return kSuccess;
}

int Session::printDevice() {
  if (!options.json)
    llvm::outs() << "device: " << device->getName() << " ("
                 << device->getDescription() << ")\n";
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

int Session::parseInputs() {
  auto parsed = tools::parseInputs(options.inputs);
  if (!parsed)
    return fail(parsed.takeError());
  given = std::move(*parsed);
  return kSuccess;
}

int Session::makeInputs() {
  if (llvm::Error error = tools::checkCount(program.plan, given.specs.size()))
    return fail(std::move(error));
  if (llvm::Error error = checkOutputs())
    return fail(std::move(error));
  auto made = tools::makeInputs(program.plan, given.specs, options.seed);
  if (!made)
    return fail(made.takeError());
  inputs = std::move(*made);
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static CompileOptions getCompileOptions(const Options &options,
                                        rt::Target target, StringRef chip) {
  CompileOptions compile;
  compile.mode = options.mode;
  compile.libraryFunctions = options.libraryFunctions;
  compile.dependentLaunch = options.dependentLaunch;
  compile.target = target;
  compile.chip = chip.str();
  compile.schedule = options.schedule;
  compile.backOff = options.backOff;
  if (!options.dumpDir.empty()) {
    SmallString<128> path(options.dumpDir);
    llvm::sys::path::append(path, "reproducer.mlir");
    compile.reproducer = std::string(path);
  }
  return compile;
}

/// A folder of stages: 01-input.mlir, 02-linalg.mlir, ..., 06-ptx-<kernel>.ptx.
void Session::dumpStage(StringRef stage, StringRef name, StringRef text) {
  static const llvm::StringMap<std::pair<int, StringRef>> kStages = {
      {"input", {1, "mlir"}},   {"linalg", {2, "mlir"}},
      {"kernels", {3, "mlir"}}, {"lowered", {4, "mlir"}},
      {"llvm", {5, "ll"}},      {"ptx", {6, "ptx"}},
      {"cubin", {7, "cubin"}}};
  if (!dumpProblem.empty())
    return;
  auto [number, suffix] = kStages.lookup(stage);
  // A function's name may hold anything, and be of any length.
  std::string file = llvm::formatv("0{0}-{1}", number, stage);
  if (!name.empty())
    file += "-" + name.take_front(128).str();
  for (char &c : file)
    if (!llvm::isAlnum(c) && c != '-' && c != '_' && c != '.')
      c = '_';
  SmallString<128> path(options.dumpDir);
  llvm::sys::path::append(path, file + "." + suffix);
  if (llvm::Error error = rt::writeFile(path, text))
    dumpProblem = llvm::toString(std::move(error));
}

llvm::Expected<rt::Program>
Session::compileWith(CompileOptions compileOptions) {
  auto error = [](const llvm::Twine &text) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
  };
  if (!options.dumpDir.empty()) {
    std::error_code code = llvm::sys::fs::create_directories(options.dumpDir);
    if (!code && !llvm::sys::fs::is_directory(options.dumpDir))
      code = std::make_error_code(std::errc::not_a_directory);
    if (code)
      return error("cannot create '" + options.dumpDir +
                   "': " + code.message());
    auto listen = compileOptions.onStage;
    compileOptions.onStage = [=](StringRef stage, StringRef name,
                                 StringRef text) {
      dumpStage(stage, name, text);
      if (listen)
        listen(stage, name, text);
    };
  }
  FailureOr<rt::Program> compiled =
      compile(file.getModule(), options.function, compileOptions);
  if (!dumpProblem.empty())
    return error(dumpProblem);
  if (failed(compiled))
    return error(""); // reported where it was found
  return std::move(*compiled);
}

/// Which build of this executable it is: of one revision there are many while
/// somebody works on it.
static std::string describeExecutable() {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status("/proc/self/exe", status))
    return {};
  return std::to_string(status.getSize()) + " bytes, " +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

/// Whatever decides about the code. On a GPU that includes the driver, which
/// may be asked to assemble it.
rt::CacheKey Session::makeKey() const {
  rt::CacheKey key;
  key.add("build",
          (getVersion() + " " + getRevision() + " LLVM " + LLVM_VERSION_STRING)
              .str());
  key.add("executable", describeExecutable());
  key.add("source", file.getText());
  // What is said of a problem at run time names the file.
  key.add("file", options.file);
  key.add("function", options.function);
  key.add("mode", getName(options.mode));
  key.add("library functions", std::to_string(options.libraryFunctions));
  key.add("dependent launch", std::to_string(options.dependentLaunch));
  key.add("target", std::to_string(int(device->getTarget())));
  key.add("chip", chip);
  key.add("schedule", options.schedule.str());
  key.add("back-off", std::to_string(options.backOff));
  if (device->getTarget() == rt::Target::CUDA) {
    key.add("device", device->getDescription());
    key.add("libdevice", findLibdevice());
  } else {
    key.add("features", getHostFeatures());
  }
  for (const auto &layout : given.layouts) {
    std::string text;
    for (int64_t dim : layout.value_or(std::vector<int64_t>()))
      text += std::to_string(dim) + ",";
    key.add("layout", text);
  }
  return key;
}

int Session::obtainProgram() {
  if (options.dumpDir.empty()) // stages are only made by compiling
    cache =
        rt::Cache::fromEnvironment([this](llvm::StringRef why) { warn(why); });
  return loadProgram(makeKey());
}

/// The program of that key, if the cache has it.
static std::optional<rt::Program> findProgram(rt::Cache &cache,
                                              const rt::CacheKey &key) {
  std::optional<std::string> entry = cache.lookup(key);
  if (!entry)
    return std::nullopt;
  // An entry that does not parse is compiled again.
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(*entry);
  llvm::Expected<rt::Program> found =
      json ? rt::fromJSON(*json)
           : llvm::Expected<rt::Program>(json.takeError());
  if (found)
    return std::move(*found);
  llvm::consumeError(found.takeError());
  return std::nullopt;
}

int Session::loadProgram(rt::CacheKey key) {
  programKey = key;
  std::shared_ptr<rt::VersionSource> compiler;
  if (std::optional<rt::Program> found = findProgram(cache, key)) {
    program = std::move(*found);
  } else {
    llvm::Expected<rt::Program> compiled = compileProgram();
    if (!compiled)
      return fail(compiled.takeError());
    program = std::move(*compiled);
    // Versions are entries of their own, as they come. What has been warned of
    // is compiled again, and so is warned of again.
    if ((compiler = std::move(program.source)) && !file.getNumWarnings())
      cache.store(key, llvm::formatv("{0}", rt::toJSON(program)).str());
  }
  if (options.dumpDir.empty())
    useCachedVersions(compiler);
  report["function"] = program.plan.function;
  return kSuccess;
}

/// Versions from the cache; else from whoever compiled the program as it is
/// now, or from who will.
void Session::useCachedVersions(std::shared_ptr<rt::VersionSource> compiler) {
  program.source = std::make_shared<rt::CachedVersions>(
      cache, programKey,
      [this, compiler,
       backOffs = program.plan.backOffs.size()](const rt::Program &wanted)
          -> llvm::Expected<std::shared_ptr<rt::VersionSource>> {
        if (compiler && wanted.plan.backOffs.size() == backOffs)
          return compiler;
        settled = wanted.plan.backOffs;
        llvm::Expected<rt::Program> compiled = compileProgram();
        if (!compiled)
          return compiled.takeError();
        return std::move(compiled->source);
      });
}

/// What the program became when its kernels took too many registers.
void Session::useSettled() {
  std::optional<rt::Program> found =
      findProgram(cache, rt::getSettledKey(programKey));
  if (!found)
    return;
  program.plan = std::move(found->plan);
  settled = program.plan.backOffs;
}

/// A program with tuned schedules is another entry of the cache. They are found
/// by what the policy wanted at first.
int Session::applyTuned() {
  int code = loadTuned();
  if (code == kSuccess && options.backOff)
    useSettled();
  return code;
}

int Session::loadTuned() {
  if (!options.tuned || !options.schedule.empty())
    return kSuccess;
  std::vector<rt::Tensor> places;
  for (const rt::HostTensor &input : inputs)
    places.push_back(tuning::makePlaceholder(input));
  schedules = tuning::findSchedules(program.plan, places, *device, chip,
                                    tuning::Database::getDefaultPath(),
                                    [this](StringRef why) { warn(why); });
  rt::CacheKey key = makeKey();
  bool any = false;
  for (const KernelSchedule &schedule : schedules) {
    key.add("tuned", schedule.choice.str());
    any |= !schedule.choice.empty();
  }
  return any ? loadProgram(key) : kSuccess;
}

llvm::Expected<rt::Program> Session::compileProgram() {
  cached = false;
  return compileProgram(device->getTarget(), options.dumpDir.empty()
                                                 ? Versions::OnNeed
                                                 : Versions::All);
}

llvm::Expected<rt::Program> Session::compileProgram(rt::Target target,
                                                    Versions versions) {
  auto reported = [] {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "");
  };
  if (file.parse(options.mode))
    return reported();
  FailureOr<func::FuncOp> function =
      selectFunction(file.getModule(), options.function, tools::functionOption);
  if (failed(function))
    return reported();
  setArgumentLayouts(*function, given.layouts);
  CompileOptions compileOptions = getCompileOptions(options, target, chip);
  compileOptions.versions = versions;
  compileOptions.backOffs = settled;
  if (!schedules.empty() && target == device->getTarget())
    compileOptions.findSchedules = [this](const rt::Plan &) {
      return schedules;
    };
  return compileWith(compileOptions);
}

/// Parts of --schedule that no kernel could take as they are.
void Session::warnOfSchedule(const rt::Plan &plan) {
  const ScheduleChoice &wanted = options.schedule;
  // What a kernel began with, before it backed off.
  SmallVector<ScheduleChoice> begun;
  for (const rt::Launch &launch : plan.launches) {
    const rt::BackOff *backOff = plan.findBackOff(launch.fingerprint);
    auto choice = ScheduleChoice::parse(
        backOff ? backOff->attempts.front().schedule : launch.schedule);
    if (choice)
      begun.push_back(*choice);
    else
      llvm::consumeError(choice.takeError());
  }
  if (begun.empty())
    return;
  using Part = unsigned ScheduleChoice::*;
  auto isTaken = [&](Part part) {
    return llvm::any_of(begun, [&](const ScheduleChoice &has) {
      return has.*part == wanted.*part;
    });
  };
  for (auto [name, part] :
       {std::pair<StringRef, Part>("block", &ScheduleChoice::block),
        {"elements", &ScheduleChoice::elements},
        {"unroll", &ScheduleChoice::unroll},
        {"registers", &ScheduleChoice::registers},
        {"tile", &ScheduleChoice::tile}}) {
    if (!(wanted.*part) || isTaken(part))
      continue;
    // A CPU's have been told of.
    if (device && device->getTarget() == rt::Target::CPU &&
        getGPUParts(wanted).*part)
      continue;
    StringRef why = part == &ScheduleChoice::tile
                        ? "none goes through a tile in shared memory"
                    : begun.front().tile
                        ? "those that go through a tile share its elements"
                        : "there are fewer elements";
    warn("no kernel takes " + name + "=" + Twine(wanted.*part) +
         " of --schedule: " + why);
  }
}

int Session::emitStage() {
  static const llvm::DenseMap<int, StringRef> kNames = {
      {int(Emit::Linalg), "linalg"},
      {int(Emit::GPU), "kernels"},
      {int(Emit::LLVM), "llvm"},
      {int(Emit::PTX), "ptx"},
      {int(Emit::Cubin), "cubin"}};
  if (int code = file.parse(options.mode))
    return code;
  bool forGPU = options.emit >= Emit::PTX || options.emit == Emit::GPU ||
                options.on.target != rt::Target::CPU;
  CompileOptions compileOptions =
      getCompileOptions(options, forGPU ? rt::Target::CUDA : rt::Target::CPU,
                        options.chip.empty() ? "sm_80" : options.chip);
  compileOptions.assemble = options.emit == Emit::Cubin;
  compileOptions.versions = Versions::Together;
  StringRef wanted = kNames.lookup(int(options.emit));
  std::vector<std::string> texts;
  compileOptions.onStage = [&](StringRef stage, StringRef, StringRef text) {
    if (stage == wanted)
      texts.push_back(text.str());
  };
  FailureOr<func::FuncOp> function =
      selectFunction(file.getModule(), options.function, tools::functionOption);
  if (failed(function))
    return kFailure;
  setArgumentLayouts(*function, given.layouts);
  auto compiled = compileWith(compileOptions);
  if (!compiled)
    return fail(compiled.takeError());
  warnOfSchedule(compiled->plan);
  std::string all = llvm::join(texts, "");
  if (options.emitTo == "-") {
    llvm::outs() << all;
    return kSuccess;
  }
  if (llvm::Error error = rt::writeFile(options.emitTo, all))
    return fail(std::move(error));
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

int Session::load() {
  invocation = nullptr;
  if (!executable)
    warnOfSchedule(program.plan);
  auto created = rt::Executable::create(program, *device);
  if (!created)
    return fail(created.takeError());
  executable = std::move(*created);
  if (llvm::Error error =
          tools::copyInputs(*device, program.plan, inputs, arguments))
    return fail(std::move(error));
  return kSuccess;
}

static llvm::json::Object toJSON(const rt::BackOff &backOff) {
  llvm::json::Array attempts;
  for (const rt::ScheduleAttempt &attempt : backOff.attempts)
    attempts.push_back(
        llvm::json::Object{{"schedule", attempt.schedule},
                           {"registers", int64_t(attempt.registers)},
                           {"spill_bytes", int64_t(attempt.spillBytes)},
                           {"one_block", attempt.oneBlock}});
  return llvm::json::Object{
      {"kernel", backOff.name},
      {"location", backOff.location},
      {"schedule_source", backOff.source},
      {"attempts", std::move(attempts)},
      {"kept", backOff.kept
                   ? llvm::json::Value(backOff.attempts[*backOff.kept].schedule)
                   : llvm::json::Value(nullptr)},
      {"split", backOff.isSplit()}};
}

int Session::execute() {
  auto run = executable->run(arguments);
  report["cached"] = cached;
  llvm::json::Array backOffs;
  for (const rt::BackOff &backOff : executable->getPlan().backOffs)
    if (backOff.isNews())
      backOffs.push_back(toJSON(backOff));
  if (!backOffs.empty())
    report["back_offs"] = std::move(backOffs);
  if (!run)
    return fail(run.takeError());
  invocation = std::move(*run);
  for (const rt::Tensor &result : invocation->getResults()) {
    auto host = rt::copyToHost(*device, result);
    if (!host)
      return fail(host.takeError());
    results.push_back(std::move(*host));
  }
  return kSuccess;
}

int ewRunMain(int argc, char **argv) {
  rt::checkHostThreads("ew-run");
  llvm::cl::SetVersionPrinter(printVersion);
  rt::removeUnfinishedFilesOnSignals();
  std::optional<Options> options = parseOptions(argc, argv);
  if (!options)
    return kUsage;
  Devices devices;
  if (!options->batch.empty())
    return runBatch(options->batch, devices);
  return Session(*options, devices).run();
}
