//===- Options.cpp - Command line of ew-tune ------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "ew/Runtime/InputSpec.h"
#include "ew/Support/EnumParser.h"
#include "ew/Target/NVIDIA/Chips.h"
#include "ew/Tuning/Database.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

using namespace ew;
using namespace ew::tune;

namespace cl = llvm::cl;

static constexpr const char *kOverview =
    R"(Finds the fastest schedule for the kernels of a function, by measuring.

What it finds is kept in a database, and ew-run takes it from there for the same
kernels on the same device at sizes of the same class. Every schedule gives the same
results, and is made sure of to do so before it is kept. A search that was interrupted
goes on where it stopped.

Examples:
  ew-tune f.mlir --input=67108864xf32=random:-3:3
  ew-tune f.mlir --function=g --device=cuda:1 --budget=60 --input=2x3xf32=@x.npy
  ew-tune --list
  ew-tune --forget f.mlir --input=67108864xf32
  ew-tune --forget --all

Exit codes:
  0 done   1 a faulty program, input or database   2 a faulty command line
  3 wrong results   4 no such device, or not enough memory   130 interrupted
)";

/// What is wrong with options that by themselves are right.
static std::string findMistake(Options &options) {
  if (options.device == "emulated")
    return "ew-tune measures a device, and the emulated one is none: take cuda "
           "or cpu";
  std::optional<tools::DeviceName> on = tools::parseDevice(options.device);
  if (!on)
    return "no device '" + options.device +
           "': it is auto, cuda, cuda:<number> or cpu";
  options.on = *on;
  if (options.on.target == runtime::Target::CPU && !options.chip.empty())
    return "--chip is of a GPU, and --device=cpu is none";
  if (!options.chip.empty())
    if (auto chip = nvidia::findChip(options.chip); !chip)
      return llvm::toString(chip.takeError());
  if (!(options.budget >= 0))
    return "--budget is a number of seconds, 0 or more";
  if (options.checkLimit < 1)
    return "--check-limit is at least 1";
  for (const std::string &text : options.inputs)
    if (auto spec = runtime::parseInputSpec(text); !spec)
      return llvm::toString(spec.takeError());
  if (options.list && options.forget)
    return "--list and --forget exclude each other";
  if (options.list && !options.file.empty())
    return "--list shows everything that is in the database, and takes no file";
  if (options.all && (!options.forget || !options.file.empty()))
    return "--all goes with --forget, and takes no file";
  if (options.file.empty() && !options.list && !options.all)
    return options.forget
               ? "--forget needs a file, whose kernels it forgets, or --all"
               : "no file to tune: ew-tune <file.mlir>, or --help";
  if (options.database.empty())
    return "no place for the database: give --database=<file>, or set "
           "EW_TUNE_DB or HOME";
  return {};
}

Options ew::tune::parseOptions(int argc, char **argv) {
  cl::OptionCategory category("ew-tune options");
  cl::HideUnrelatedOptions(category);

  cl::opt<std::string> file(cl::Positional, cl::desc("<file.mlir>"),
                            cl::cat(category));
  cl::opt<std::string> function(
      "function", cl::desc("The function to tune (default: the only one)"),
      cl::value_desc("name"), cl::cat(category));
  cl::list<std::string> inputs("input",
                               cl::desc("An argument, in order, as for ew-run: "
                                        "1024xf32=random:-3:3, @x.npy, ..."),
                               cl::value_desc("spec"), cl::cat(category));
  cl::opt<std::string> device("device", cl::init("auto"),
                              cl::desc("auto (a GPU where there is one, else "
                                       "the CPU), cuda, cuda:1, or cpu"),
                              cl::value_desc("name"), cl::cat(category));
  cl::opt<Mode, false, EnumParser<Mode>> mode(
      "mode", cl::init(Mode::Default), cl::desc("What arithmetic may do"),
      getModeValues(), cl::cat(category));
  cl::opt<std::string> chip(
      "chip", cl::desc("The GPU to compile for (default: the device's)"),
      cl::value_desc("sm_90"), cl::cat(category));
  cl::opt<std::string> database("database",
                                cl::desc("Where schedules are kept (default: "
                                         "EW_TUNE_DB, else ew/tuned.sqlite in "
                                         "XDG_DATA_HOME or ~/.local/share)"),
                                cl::value_desc("file"), cl::cat(category));
  cl::opt<double> budget(
      "budget", cl::init(30),
      cl::desc("Seconds after which nothing new is tried (default 30)"),
      cl::value_desc("seconds"), cl::cat(category));
  cl::opt<int64_t> checkLimit(
      "check-limit", cl::init(4096),
      cl::desc("Elements that the oracle judges before a schedule is kept "
               "(default 4096)"),
      cl::cat(category));
  cl::opt<uint64_t> seed("seed", cl::init(0),
                         cl::desc("For random inputs without a seed"),
                         cl::cat(category));
  cl::opt<bool> json("json", cl::desc("Report as JSON on standard output"),
                     cl::cat(category));
  cl::opt<bool> verbose("verbose",
                        cl::desc("A line for every schedule that was tried"),
                        cl::cat(category));
  cl::opt<bool> list("list", cl::desc("Show what is in the database"),
                     cl::cat(category));
  cl::opt<bool> forget(
      "forget",
      cl::desc("Remove what is known of the function's kernels on this device"),
      cl::cat(category));
  cl::opt<bool> all("all", cl::desc("With --forget: everything"),
                    cl::cat(category));

  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    std::exit(kUsage);

  Options options;
  options.file = file;
  options.function = function;
  options.inputs = {inputs.begin(), inputs.end()};
  options.device = device;
  options.mode = mode;
  options.chip = chip;
  options.database = database.getNumOccurrences()
                         ? database
                         : tuning::Database::getDefaultPath();
  options.databaseNamed = database.getNumOccurrences() ||
                          llvm::sys::Process::GetEnv("EW_TUNE_DB").has_value();
  options.budget = budget;
  options.checkLimit = checkLimit;
  options.seed = seed;
  options.json = json;
  options.verbose = verbose;
  options.list = list;
  options.forget = forget;
  options.all = all;
  std::string mistake = findMistake(options);
  // What would change nothing was meant to change something.
  auto findGiven = [&](std::initializer_list<const cl::Option *> useless,
                       llvm::StringRef with) {
    for (const cl::Option *option : useless)
      if (mistake.empty() && option->getNumOccurrences())
        mistake =
            ("--" + option->ArgStr + " changes nothing with " + with).str();
  };
  // --forget with a file takes the command line that it was tuned by.
  if (list || all)
    findGiven({&function, std::addressof(inputs), &device, &mode, &chip,
               &budget, &checkLimit, &seed, &verbose},
              list ? "--list, which shows everything" : "--all");
  if (json && verbose.getNumOccurrences())
    findGiven({&verbose}, "--json, which has every schedule that was tried");
  if (!mistake.empty()) {
    llvm::WithColor::error(llvm::errs(), "ew-tune") << mistake << "\n";
    std::exit(kUsage);
  }
  return options;
}
