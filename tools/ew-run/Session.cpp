//===- Session.cpp - One run of ew-run -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Session.h"
#include "ew/Conversion/Passes.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/InitAll.h"
#include "ew/Pipelines/BuildPlan.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Pipelines/EmitCode.h"
#include "ew/Runtime/AtomicFile.h"
#include "ew/Runtime/Cache.h"
#include "ew/Runtime/CachedVersions.h"
#include "ew/Runtime/Transfer.h"
#include "ew/Support/Version.h"
#include "ew/Target/NVIDIA/Limits.h"
#include "ew/Tuning/Database.h"
#include "ew/Tuning/Lookup.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace ew;
using namespace ew::run;

namespace rt = ew::runtime;

int Session::fail(llvm::Error error) {
  int code = kFailure;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    std::error_code why = info.convertToErrorCode();
    if (why == std::errc::not_enough_memory || why == std::errc::no_such_device)
      code = kUnavailable;
    if (info.isA<rt::SpecError>())
      code = kUsage;
    if (info.message().empty())
      return; // a diagnostic said it
    report.try_emplace("error", llvm::json::fixUTF8(info.message()));
    llvm::WithColor::error(llvm::errs(), "ew-run") << info.message() << "\n";
  });
  return code;
}

int Session::run() {
  using Step = int (Session::*)();
  SmallVector<Step> steps = {&Session::readFile};
  if (options.emit != Emit::Nothing) {
    steps.append({&Session::parseInputs, &Session::emitStage});
  } else {
    steps.append({&Session::openDevice, &Session::parseInputs,
                  &Session::obtainProgram, &Session::makeInputs,
                  &Session::applyTuned, &Session::load, &Session::settle, &Session::execute});
    // Wrong results are still written, for a look at them.
    steps.push_back(&Session::writeOutputs);
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
    llvm::outs() << llvm::formatv("{0:2}", llvm::json::Value(std::move(report))) << "\n";
  }
  if (llvm::Error error = rt::flushStandardOutput())
    return fail(std::move(error));
  return code;
}

//===----------------------------------------------------------------------===//
// The file and the device
//===----------------------------------------------------------------------===//

int Session::readFile() {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.file);
  if (!buffer)
    return fail(llvm::createStringError(
        buffer.getError(), "cannot read " + options.file + ": " + buffer.getError().message()));
  source = std::move(*buffer);
  report["file"] = llvm::json::fixUTF8(options.file);
  return kSuccess;
}

static std::string describe(Diagnostic &diagnostic) {
  std::string where = describeLocation(diagnostic.getLocation());
  return where + ": " + diagnostic.str();
}

int Session::parseModule() {
  if (module)
    return kSuccess;
  DialectRegistry registry;
  registerAllDialects(registry);
  if (!isBytecode(source->getMemBufferRef()) && source->getBuffer().contains('\0'))
    return fail(llvm::createStringError(llvm::inconvertibleErrorCode(),
                                        options.file + " is neither MLIR text nor bytecode"));
  context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // The line of the file says enough.
  context->printOpOnDiagnostic(false);
  sourceMgr.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source->getMemBufferRef(), /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  diagnostics = std::make_unique<SourceMgrDiagnosticHandler>(sourceMgr, context.get());
  context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      report.try_emplace("error", llvm::json::fixUTF8(describe(diagnostic)));
    return failure(); // what is printed is not decided here
  });
  module = parseSourceFile<ModuleOp>(sourceMgr, context.get());
  if (!module)
    return kFailure;
  // A module that no line of the file names begins with the file.
  if (auto where = dyn_cast<FileLineColLoc>(module->getLoc()); where && where.getLine() == 0)
    (*module)->setLoc(FileLineColLoc::get(where.getFilename(), 1, 1));
  // Here, and not only on the way to code, because the oracle reads ew ops.
  PassManager raise(context.get());
  EwRaiseOptions raiseOptions;
  raiseOptions.flags = options.mode != Mode::Strict;
  raise.addPass(createEwRaise(raiseOptions));
  return succeeded(raise.run(*module)) ? kSuccess : kFailure;
}

int Session::openDevice() {
  auto opened = devices.get(options.target, options.ordinal);
  if (!opened)
    return fail(opened.takeError());
  device = *opened;
  bool forGPU = device->getTarget() != rt::Target::CPU;
  if (!forGPU && !options.chip.empty())
    llvm::WithColor::warning(llvm::errs(), "ew-run")
        << "there is no GPU, and the CPU has no use for --chip or --product; --device=emulated "
           "runs what a GPU would run\n";
  if (!options.product.empty() && device->getTarget() == rt::Target::CUDA)
    if (llvm::StringRef has = nvidia::findProduct(options.product)->chip;
        has != device->getChip())
      return fail(llvm::createStringError("--product=" + options.product + " has the chip " + has +
                                          ", and " + device->getName() + " has " +
                                          device->getChip()));
  chip = !options.chip.empty() ? options.chip
         : device->getTarget() == rt::Target::CUDA ? device->getChip()
         : forGPU ? "sm_80" : device->getChip();
  if (!options.json && (options.time || options.explain))
    llvm::outs() << "device: " << device->getName() << " (" << device->getDescription() << ")\n";
  report["device"] = device->getName();
  report["description"] = device->getDescription();
  report["chip"] = chip;
  report["mode"] = getName(options.mode);
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

int Session::parseInputs() {
  for (const std::string &text : options.inputs) {
    auto spec = rt::parseInputSpec(text);
    if (!spec)
      return fail(spec.takeError());
    specs.push_back(std::move(*spec));
    layouts.push_back(rt::getLayout(specs.back()));
  }
  return kSuccess;
}

int Session::makeInputs() {
  const rt::Plan &plan = program.plan;
  if (specs.size() != plan.numArguments)
    return fail(llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        llvm::formatv("'{0}' takes {1} input{2}, but {3} {4} given with --input", plan.function,
                      plan.numArguments, plan.numArguments == 1 ? "" : "s", specs.size(),
                      specs.size() == 1 ? "was" : "were")));
  if (llvm::Error error = checkOutputs())
    return fail(std::move(error));
  for (auto [index, spec] : llvm::enumerate(specs)) {
    const rt::Value &value = plan.values[index];
    rt::TensorType expected;
    expected.element = value.type;
    for (uint32_t size : value.shape)
      expected.shape.push_back(plan.sizes[size].kind == rt::SizeExpr::Kind::Constant
                                   ? plan.sizes[size].value
                                   : -1);
    auto tensor = rt::makeInput(spec, &expected, index + options.seed);
    if (!tensor)
      return fail(tensor.takeError());
    inputs.push_back(std::move(*tensor));
  }
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

static CompileOptions getCompileOptions(const Options &options, rt::Target target, StringRef chip) {
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
      {"input", {1, "mlir"}},   {"linalg", {2, "mlir"}}, {"kernels", {3, "mlir"}},
      {"lowered", {4, "mlir"}}, {"llvm", {5, "ll"}},     {"ptx", {6, "ptx"}},
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

llvm::Expected<rt::Program> Session::compileWith(CompileOptions compileOptions) {
  auto error = [](const llvm::Twine &text) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
  };
  if (!options.dumpDir.empty()) {
    std::error_code code = llvm::sys::fs::create_directories(options.dumpDir);
    if (!code && !llvm::sys::fs::is_directory(options.dumpDir))
      code = std::make_error_code(std::errc::not_a_directory);
    if (code)
      return error("cannot create '" + options.dumpDir + "': " + code.message());
    auto listen = compileOptions.onStage;
    compileOptions.onStage = [=](StringRef stage, StringRef name, StringRef text) {
      dumpStage(stage, name, text);
      if (listen)
        listen(stage, name, text);
    };
  }
  FailureOr<rt::Program> compiled = compile(*module, options.function, compileOptions);
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
         std::to_string(status.getLastModificationTime().time_since_epoch().count());
}

/// Whatever decides about the code. On a GPU that includes the driver, which may
/// be asked to assemble it.
rt::CacheKey Session::makeKey() const {
  rt::CacheKey key;
  key.add("build", (getVersion() + " " + getRevision() + " LLVM " + LLVM_VERSION_STRING).str());
  key.add("executable", describeExecutable());
  key.add("source", source->getBuffer());
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
  for (const auto &layout : layouts) {
    std::string text;
    for (int64_t dim : layout.value_or(std::vector<int64_t>()))
      text += std::to_string(dim) + ",";
    key.add("layout", text);
  }
  return key;
}

int Session::obtainProgram() {
  if (options.dumpDir.empty()) // stages are only made by compiling
    cache = rt::Cache::fromEnvironment([](llvm::StringRef why) {
      llvm::WithColor::warning(llvm::errs(), "ew-run") << why << "\n";
    });
  return loadProgram(makeKey());
}

/// The program of that key, if the cache has it.
static std::optional<rt::Program> findProgram(rt::Cache &cache, const rt::CacheKey &key) {
  std::optional<std::string> entry = cache.lookup(key);
  if (!entry)
    return std::nullopt;
  // An entry that does not parse is compiled again.
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(*entry);
  llvm::Expected<rt::Program> found =
      json ? rt::fromJSON(*json) : llvm::Expected<rt::Program>(json.takeError());
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
    // Versions are entries of their own, as they come.
    if ((compiler = std::move(program.source)))
      cache.store(key, llvm::formatv("{0}", rt::toJSON(program)).str());
  }
  if (options.dumpDir.empty())
    useCachedVersions(compiler);
  report["function"] = program.plan.function;
  return kSuccess;
}

/// Versions from the cache; else from whoever compiled the program as it is now, or
/// from who will.
void Session::useCachedVersions(std::shared_ptr<rt::VersionSource> compiler) {
  program.source = std::make_shared<rt::CachedVersions>(
      cache, programKey,
      [this, compiler, backOffs = program.plan.backOffs.size()](const rt::Program &wanted)
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
  std::optional<rt::Program> found = findProgram(cache, rt::getSettledKey(programKey));
  if (!found)
    return;
  program.plan = std::move(found->plan);
  settled = program.plan.backOffs;
}

/// A program with tuned schedules is another entry of the cache. They are found by what
/// the policy wanted at first.
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
  schedules = tuning::findSchedules(
      program.plan, places, *device, chip, tuning::Database::getDefaultPath(),
      [](StringRef why) { llvm::WithColor::warning(llvm::errs(), "ew-run") << why << "\n"; });
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
  return compileProgram(device->getTarget(),
                        options.dumpDir.empty() ? Versions::OnNeed : Versions::All);
}

llvm::Expected<rt::Program> Session::compileProgram(rt::Target target, Versions versions) {
  auto reported = [] {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "");
  };
  if (parseModule())
    return reported();
  FailureOr<func::FuncOp> function = selectFunction(*module, options.function);
  if (failed(function))
    return reported();
  setArgumentLayouts(*function, layouts);
  CompileOptions compileOptions = getCompileOptions(options, target, chip);
  compileOptions.versions = versions;
  compileOptions.backOffs = settled;
  if (!schedules.empty() && target == device->getTarget())
    compileOptions.findSchedules = [this](const rt::Plan &) { return schedules; };
  return compileWith(compileOptions);
}

int Session::emitStage() {
  static const llvm::DenseMap<int, StringRef> kNames = {
      {int(Emit::Linalg), "linalg"}, {int(Emit::GPU), "kernels"}, {int(Emit::LLVM), "llvm"},
      {int(Emit::PTX), "ptx"}, {int(Emit::Cubin), "cubin"}};
  if (int code = parseModule())
    return code;
  bool forGPU = options.emit >= Emit::PTX || options.emit == Emit::GPU ||
                options.target != rt::Target::CPU;
  CompileOptions compileOptions = getCompileOptions(
      options, forGPU ? rt::Target::CUDA : rt::Target::CPU,
      options.chip.empty() ? "sm_80" : options.chip);
  compileOptions.assemble = options.emit == Emit::Cubin;
  compileOptions.versions = Versions::Together;
  StringRef wanted = kNames.lookup(int(options.emit));
  std::vector<std::string> texts;
  compileOptions.onStage = [&](StringRef stage, StringRef, StringRef text) {
    if (stage == wanted)
      texts.push_back(text.str());
  };
  FailureOr<func::FuncOp> function = selectFunction(*module, options.function);
  if (failed(function))
    return kFailure;
  setArgumentLayouts(*function, layouts);
  auto compiled = compileWith(compileOptions);
  if (!compiled)
    return fail(compiled.takeError());
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
  auto created = rt::Executable::create(program, *device);
  if (!created)
    return fail(created.takeError());
  executable = std::move(*created);
  for (const rt::HostTensor &input : llvm::ArrayRef(inputs).drop_front(arguments.size())) {
    unsigned index = arguments.size();
    if (program.plan.values[index].scalar) {
      arguments.emplace_back(input.getType(), input.getBits(0));
      continue;
    }
    auto tensor = rt::copyToDevice(*device, input);
    if (!tensor)
      return fail(tensor.takeError());
    arguments.emplace_back(std::move(*tensor));
  }
  return kSuccess;
}

static llvm::json::Object toJSON(const rt::BackOff &backOff) {
  llvm::json::Array attempts;
  for (const rt::ScheduleAttempt &attempt : backOff.attempts)
    attempts.push_back(llvm::json::Object{{"schedule", attempt.schedule},
                                          {"registers", int64_t(attempt.registers)},
                                          {"spill_bytes", int64_t(attempt.spillBytes)},
                                          {"one_block", attempt.oneBlock}});
  return llvm::json::Object{
      {"kernel", backOff.name},
      {"location", backOff.location},
      {"schedule_source", backOff.source},
      {"attempts", std::move(attempts)},
      {"kept", backOff.kept ? llvm::json::Value(backOff.attempts[*backOff.kept].schedule)
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
