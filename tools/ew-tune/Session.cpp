//===- Session.cpp - One run of ew-tune -----------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "ew/Pipelines/Pipelines.h"
#include "ew/Reference/HostTensors.h"
#include "ew/Runtime/AtomicFile.h"
#include "ew/Runtime/HostThreads.h"
#include "ew/Runtime/Timing.h"
#include "ew/Runtime/Transfer.h"
#include "ew/Support/Version.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

#include <csignal>
#include <unistd.h>

using namespace mlir;
using namespace ew;
using namespace ew::tune;

namespace rt = ew::runtime;

int Session::run() {
  using Step = int (Session::*)();
  SmallVector<Step> steps;
  if (options.list || options.forget)
    steps.push_back(&Session::findDatabase);
  steps.push_back(options.list ? &Session::list : &Session::openDatabase);
  if (options.all)
    steps.push_back(&Session::forget);
  else if (!options.list)
    steps.append({&Session::parseModule, &Session::openDevice,
                  &Session::makeArguments,
                  options.forget ? &Session::forget : &Session::tune});
  int code = kSuccess;
  for (Step step : steps)
    if ((code = (this->*step)()))
      break;
  return printReport(code);
}

int Session::printReport(int code) {
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
// The database
//===----------------------------------------------------------------------===//

/// One that was named is misspelt if it is not there; the one of the default
/// place comes with the first search.
int Session::findDatabase() {
  if (!options.databaseNamed || llvm::sys::fs::exists(options.database))
    return kSuccess;
  return fail(llvm::createStringError("there is no database '" +
                                      options.database + "'"));
}

int Session::list() {
  auto opened = tuning::Database::openToRead(options.database);
  if (!opened)
    return fail(opened.takeError());
  auto entries = opened->list();
  if (!entries)
    return fail(entries.takeError());
  printEntries(*entries, options);
  return kSuccess;
}

/// Before anything that takes time.
int Session::openDatabase() {
  auto opened = tuning::Database::openToWrite(options.database);
  if (!opened)
    return fail(opened.takeError());
  database.emplace(std::move(*opened));
  report["database"] = llvm::json::fixUTF8(options.database);
  return kSuccess;
}

int Session::forget() {
  unsigned count = 0;
  if (options.all) {
    auto removed = database->forgetAll();
    if (!removed)
      return fail(removed.takeError());
    count = *removed;
  } else {
    std::string key = tuning::getDeviceKey(*device, compileOptions.chip);
    for (const rt::Launch &launch : program.plan.launches) {
      auto removed = database->forget(launch.fingerprint, key);
      if (!removed)
        return fail(removed.takeError());
      count += *removed;
    }
  }
  report["forgotten"] = int64_t(count);
  if (!options.json)
    llvm::outs() << "forgot " << count << (count == 1 ? " entry" : " entries")
                 << "\n";
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

int Session::parseModule() {
  if (int code = file.read(options.file))
    return code;
  if (int code = file.parse(options.mode))
    return code;
  inlined = file.getModule().clone();
  // What is judged may be private; unless it is named, it is the first public
  // one.
  for (auto function : inlined->getOps<func::FuncOp>())
    if (!function.isExternal())
      function.setPublic();
  PassManager pm(file.getContext());
  buildOraclePipeline(pm, options.mode);
  return succeeded(pm.run(*inlined)) ? kSuccess : kFailure;
}

int Session::openDevice() {
  auto opened = devices.get(options.on);
  if (!opened)
    return fail(opened.takeError());
  device = *opened;
  if (device->getTarget() == rt::Target::CPU && !options.chip.empty())
    llvm::WithColor::warning(llvm::errs(), "ew-tune")
        << "there is no GPU, and the CPU has no use for --chip\n";
  compileOptions.mode = options.mode;
  compileOptions.target = device->getTarget();
  compileOptions.chip =
      options.chip.empty() || device->getTarget() == rt::Target::CPU
          ? device->getChip()
          : options.chip;
  compileOptions.versions = Versions::OnNeed;
  report["device"] = device->getName();
  report["description"] = device->getDescription();
  report["chip"] = compileOptions.chip;
  report["mode"] = getName(options.mode);
  return kSuccess;
}

int Session::makeArguments() {
  auto given = tools::parseInputs(options.inputs);
  if (!given)
    return fail(given.takeError());
  FailureOr<func::FuncOp> function =
      selectFunction(file.getModule(), options.function, tools::functionOption);
  if (failed(function))
    return kFailure;
  setArgumentLayouts(*function, given->layouts);
  FailureOr<rt::Program> compiled =
      compile(file.getModule(), function->getName(), compileOptions);
  if (failed(compiled))
    return kFailure;
  program = std::move(*compiled);
  const rt::Plan &plan = program.plan;
  report["function"] = plan.function;
  if (options.forget)
    return kSuccess; // the inputs only say how they lie
  if (llvm::Error error = tools::checkCount(plan, given->specs.size()))
    return fail(std::move(error));
  auto made = tools::makeInputs(plan, given->specs, options.seed);
  if (!made)
    return fail(made.takeError());
  inputs = std::move(*made);
  if (llvm::Error error = tools::copyInputs(*device, plan, inputs, arguments))
    return fail(std::move(error));
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Tuning
//===----------------------------------------------------------------------===//

llvm::Expected<std::string> Session::judge(ArrayRef<rt::Tensor> results) {
  auto function = inlined->lookupSymbol<func::FuncOp>(program.plan.function);
  reference::Options oracle;
  oracle.mode = reference::getMode(options.mode);
  oracle.limit = options.checkLimit;
  oracle.seed = options.seed;
  std::vector<rt::HostTensor> outputs;
  for (const rt::Tensor &result : results) {
    auto host = rt::copyToHost(*device, result);
    if (!host)
      return host.takeError();
    outputs.push_back(std::move(*host));
  }
  auto reports = reference::check(function, reference::makeViews(inputs),
                                  reference::makeViews(outputs), oracle);
  if (!reports)
    return reports.takeError();
  for (auto [index, row] : llvm::enumerate(*reports))
    if (row.wrong)
      return llvm::formatv("{0} wrong of {1} elements of result {2}, the first "
                           "is {3}, not {4}",
                           row.wrong, row.checked, index, row.firstWrong.actual,
                           row.firstWrong.expected)
          .str();
  return std::string();
}

/// There is nothing to tune in a function whose results are wrong anyhow.
int Session::checkPolicy() {
  auto executable = rt::Executable::create(program, *device);
  if (!executable)
    return fail(executable.takeError());
  // What is written in place begins with the inputs in each call.
  uint64_t bytes = 0;
  auto copies = rt::copyArguments(*device, arguments, bytes);
  if (!copies)
    return fail(copies.takeError());
  auto run = (*executable)->run(*copies);
  if (!run)
    return fail(run.takeError());
  auto mistake = judge((*run)->getResults());
  if (!mistake)
    return fail(mistake.takeError());
  if (mistake->empty())
    return kSuccess;
  fail(llvm::createStringError("the policy's schedule: " + *mistake));
  return kWrong;
}

int Session::tune() {
  tuning::TuneOptions tuneOptions;
  tuneOptions.compile = compileOptions;
  tuneOptions.search.budgetSeconds = options.budget;
  tuneOptions.judge = [this](ArrayRef<rt::Tensor> results) {
    return judge(results);
  };
  if (int code = checkPolicy())
    return code;
  if (!options.json) {
    llvm::outs() << "device: " << device->getName() << " ("
                 << device->getDescription() << ")\n";
    llvm::outs().flush(); // what comes takes seconds
  }
  Reporter reporter(options);
  auto reports =
      tuning::tuneFunction(file.getModule(), program.plan.function, tuneOptions,
                           *device, arguments, *database, reporter);
  reporter.clearBar();
  report["kernels"] = reporter.takeRows();
  if (!reports)
    return fail(reports.takeError());
  return kSuccess;
}

/// What was found out is in the database already. Ends the process as the
/// signal does by default, so that a shell sees 130.
static void onInterrupt(int signal) {
  static constexpr char kText[] =
      "\new-tune: interrupted; what was measured is kept, and the search goes "
      "on from there\n";
  (void)!::write(STDERR_FILENO, kText, sizeof(kText) - 1);
  ::signal(signal, SIG_DFL);
  ::raise(signal); // delivered when this handler returns
}

int ewTuneMain(int argc, char **argv) {
  rt::checkHostThreads("ew-tune");
  llvm::cl::SetVersionPrinter(printVersion);
  rt::removeUnfinishedFilesOnSignals();
  struct sigaction action = {};
  // What the parent ignores, as `nohup` does, stays ignored.
  if (!::sigaction(SIGINT, nullptr, &action) && action.sa_handler != SIG_IGN) {
    action = {};
    action.sa_handler = onInterrupt;
    ::sigaction(SIGINT, &action, nullptr);
  }
  Options options = parseOptions(argc, argv);
  return Session(options).run();
}
