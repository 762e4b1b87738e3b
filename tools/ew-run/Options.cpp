//===- Options.cpp - Command line of ew-run -------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "ew/Runtime/InputSpec.h"
#include "ew/Runtime/Timing.h"
#include "ew/Support/EnumParser.h"
#include "ew/Target/NVIDIA/Chips.h"
#include "ew/Target/NVIDIA/Limits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace ew;
using namespace ew::run;

namespace cl = llvm::cl;

static constexpr const char *kOverview =
    R"(Compiles, runs, checks and times a function of ew ops.

Examples:
  ew-run examples/mul_sin_exp.mlir --input=4xf32=1,2,3,4 --input=4xf32=0.5
  ew-run f.mlir --input=67108864xf32=random:-3:3 --check --time
  ew-run f.mlir --function=g --device=cpu --input=2x3xf32=@x.npy --output=@y.npy
  ew-run f.mlir --emit=ptx --chip=sm_90 -o f.ptx
  ew-run --batch=commands.txt

Exit codes:
  0 done   1 a faulty program, input or output   2 a faulty command line
  3 wrong results   4 no such device, or not enough memory   130 interrupted
)";

ScheduleChoice ew::run::getGPUParts(ScheduleChoice choice) {
  choice.elements = choice.unroll = 0;
  return choice;
}

std::vector<std::string> ew::run::getGPUOptions(const Options &options) {
  std::vector<std::string> given;
  if (options.libraryFunctions)
    given.push_back("--library-functions");
  if (!options.dependentLaunch)
    given.push_back("--dependent-launch=false");
  if (!options.backOff)
    given.push_back("--back-off=false");
  return given;
}

static llvm::StringRef getName(Emit stage) {
  switch (stage) {
  case Emit::Nothing:
    return "nothing";
  case Emit::Linalg:
    return "linalg";
  case Emit::GPU:
    return "gpu";
  case Emit::LLVM:
    return "llvm";
  case Emit::PTX:
    return "ptx";
  case Emit::Cubin:
    return "cubin";
  }
  llvm_unreachable("unknown stage");
}

/// What stands for a chip where no product is given: "sm_90 H100, sm_80 A100".
static std::string listFirstProducts() {
  std::string text;
  for (const nvidia::Product &product : nvidia::getProducts())
    if (nvidia::findProductOfChip(product.chip) == &product)
      text += (text.empty() ? "" : ", ") + product.chip.str() + " " +
              product.name.str();
  return text;
}

static std::string listProducts() {
  return llvm::join(
      llvm::map_range(nvidia::getProducts(),
                      [](const auto &known) { return known.name.str(); }),
      ", ");
}

/// As many samples are kept, and sorted.
static constexpr unsigned maxRepetitions = 1000000;

/// What is wrong with options that by themselves are right.
static std::string findMistake(Options &options) {
  std::optional<DeviceName> on = tools::parseDevice(options.device);
  if (!on)
    return "no device '" + options.device +
           "': it is auto, cuda, cuda:<number>, cpu or emulated";
  options.on = *on;
  bool emits = options.emit != Emit::Nothing;
  if (options.on.target == runtime::Target::CPU) {
    if (options.emit == Emit::GPU || options.emit >= Emit::PTX)
      return "--emit=" + getName(options.emit).str() +
             " is of a GPU, and --device=cpu is none: leave --device out, or "
             "take --emit=linalg or llvm";
    if (!options.chip.empty() || !options.product.empty())
      return std::string(options.chip.empty() ? "--product" : "--chip") +
             " is of a GPU, and --device=cpu is none: take emulated to run "
             "what a GPU would run";
    if (std::string parts = getGPUParts(options.schedule).str(); !parts.empty())
      return "--schedule=" + parts +
             " is of a GPU, and --device=cpu is none: a CPU has elements and "
             "unroll";
    if (auto given = getGPUOptions(options); !given.empty())
      return given.front() + " is of a GPU, and --device=cpu is none";
  }
  if (options.on.target == runtime::Target::Emulated && !emits &&
      !options.explain)
    for (const std::string &given : getGPUOptions(options))
      // What a GPU has backed off from is not taken here either.
      if (given != "--back-off=false")
        return given + " is of a GPU's own code, which the emulated one does "
                       "not run: it is for --explain or --emit here";
  const nvidia::Chip *chip = nullptr;
  if (const nvidia::Product *meant = nvidia::findProduct(options.chip))
    return "--chip=" + options.chip + " is a product, whose chip is " +
           meant->chip.str() + ": --product=" + options.chip;
  if (!options.chip.empty()) {
    auto found = nvidia::findChip(options.chip);
    if (!found)
      return llvm::toString(found.takeError());
    chip = *found;
  }
  if (!options.product.empty()) {
    const nvidia::Product *product = nvidia::findProduct(options.product);
    if (!product)
      return "no product '" + options.product + "'; EW knows " + listProducts();
    if (chip && chip->name != product->chip)
      return "--product=" + options.product + " has the chip " +
             product->chip.str() + ", and --chip says " + options.chip;
    if (options.chip.empty() && options.on.target != runtime::Target::CUDA)
      options.chip = product->chip.str();
  }
  if (options.timeSets > runtime::TimingOptions().maxSets)
    return "--time-sets is at most " +
           std::to_string(runtime::TimingOptions().maxSets);
  if (options.repetitions > maxRepetitions)
    return "--repetitions is at most " + std::to_string(maxRepetitions);
  if (options.checkLimit < 1)
    return "--check-limit is at least 1";
  for (const auto *texts : {&options.inputs, &options.expected})
    for (const std::string &text : *texts)
      if (auto spec = runtime::parseInputSpec(text); !spec)
        return llvm::toString(spec.takeError());
  for (const std::string &text : options.outputs)
    if (auto spec = runtime::parseOutputSpec(text); !spec)
      return llvm::toString(spec.takeError());
  if (options.emitTo != "-" && !emits)
    return "-o says where --emit writes; results go to --output=@" +
           options.emitTo;
  if (options.emit == Emit::Cubin && options.emitTo == "-" &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return "--emit=cubin writes a binary, which is nothing for a terminal: add "
           "-o <file>, or redirect standard output";
  if (emits && (options.check || options.time || options.explain ||
                !options.outputs.empty() || !options.expected.empty()))
    return "--emit stops before the function runs, so there is nothing to "
           "check, time, explain "
           "or write to --output";
  if (options.time && options.on.target == runtime::Target::Emulated)
    return "--time measures a device, and the emulated one is none: take cuda "
           "or cpu";
  if (options.json && emits && options.emitTo == "-")
    return "--json and --emit both write to standard output: add -o <file>";
  if (options.json && llvm::is_contained(options.outputs, "-"))
    return "--json and --output=- both write to standard output";
  return {};
}

/// An option other than `only` that the command line has, or nothing.
static std::string findOther(const cl::Option &only) {
  for (auto &entry : cl::getRegisteredOptions())
    if (entry.second != &only && entry.second->getNumOccurrences())
      return ("--" + entry.first).str();
  return {};
}

std::optional<Options> ew::run::parseOptions(int argc,
                                             const char *const *argv) {
  // Static, and set back each time, since a batch comes here for each command:
  // LLVM forgets no option that it has once been told of.
  static cl::OptionCategory category("ew-run options");
  cl::HideUnrelatedOptions(category);

  static cl::opt<std::string> file(cl::Positional, cl::desc("<file.mlir>"),
                                   cl::cat(category));
  static cl::opt<std::string> function(
      "function", cl::desc("The function to run (default: the only one)"),
      cl::value_desc("name"), cl::cat(category));
  static cl::list<std::string> inputs(
      "input",
      cl::desc("An argument, in order: 2x3xf32=1,2,3,4,5,6, 4xf32=0.5, @x.npy, "
               "4xi8=@x.bin, "
               "1024xbf16=random:-3:3, 8x8xf32,strides=1:8=..."),
      cl::value_desc("spec"), cl::cat(category));
  static cl::list<std::string> outputs(
      "output",
      cl::desc(
          "Where a result goes, in order: @y.npy, @y.bin, or - to print it"),
      cl::value_desc("spec"), cl::cat(category));
  static cl::list<std::string> expected(
      "expected_output",
      cl::desc("What a result must be, in order; spelled as an input"),
      cl::value_desc("spec"), cl::cat(category));
  static cl::opt<uint64_t> tolerance(
      "tolerance", cl::init(0),
      cl::desc("Representable values by which a result may miss "
               "--expected_output (default 0)"),
      cl::cat(category));
  static cl::opt<std::string> device(
      "device", cl::init("auto"),
      cl::desc("auto (a GPU where there is one, else the CPU), cuda, cuda:1, "
               "cpu, or emulated (GPU "
               "kernels on the CPU)"),
      cl::value_desc("name"), cl::cat(category));
  static cl::opt<Mode, false, EnumParser<Mode>> mode(
      "mode", cl::init(Mode::Default), cl::desc("What arithmetic may do"),
      getModeValues(), cl::cat(category));
  static cl::opt<bool> libraryFunctions(
      "library-functions",
      cl::desc("On a GPU, functions of f32 from libdevice: to compare with"),
      cl::cat(category));
  static cl::opt<bool> dependentLaunch(
      "dependent-launch", cl::init(true),
      cl::desc("Let a kernel begin while the one before it ends, where the GPU "
               "can (default: true)"),
      cl::cat(category));
  static cl::opt<std::string> chip(
      "chip",
      cl::desc("The GPU to compile for (default: the device's, else sm_80)"),
      cl::value_desc("sm_90"), cl::cat(category));
  static cl::opt<std::string> schedule(
      "schedule",
      cl::desc("Numbers of schedules in place of the policy's: threads per "
               "block, elements of an "
               "access, accesses per thread, the most registers of a thread, "
               "many=1: no versions for few "
               "elements; on a CPU, elements of a vector and vectors of a "
               "task. With a tile, its side and the "
               "threads"),
      cl::value_desc("block=256,elements=4,unroll=2"), cl::cat(category));
  enum class Tuned { Off, On };
  static cl::opt<Tuned, false, EnumParser<Tuned>> tuned(
      "tuned", cl::init(Tuned::On),
      cl::desc("Schedules that ew-tune found for these kernels, this device "
               "and these sizes"),
      cl::values(clEnumValN(Tuned::On, "on", "use them (default)"),
                 clEnumValN(Tuned::Off, "off", "use the policy's")),
      cl::cat(category));
  static cl::opt<bool> backOff(
      "back-off", cl::init(true),
      cl::desc("Compile a kernel that spills registers again, with less in "
               "flight or as two "
               "kernels, and say so (default: true)"),
      cl::cat(category));
  static cl::opt<Emit, false, EnumParser<Emit>> emit(
      "emit", cl::init(Emit::Nothing),
      cl::desc("Print a stage of the compilation and stop"),
      cl::values(
          clEnumValN(Emit::Linalg, "linalg", "one linalg.generic per kernel"),
          clEnumValN(Emit::GPU, "gpu", "scheduled kernels on vectors"),
          clEnumValN(Emit::LLVM, "llvm", "LLVM IR of every kernel"),
          clEnumValN(Emit::PTX, "ptx", "PTX"),
          clEnumValN(Emit::Cubin, "cubin", "machine code, assembled by ptxas")),
      cl::cat(category));
  static cl::opt<std::string> emitTo(
      "o", cl::init("-"),
      cl::desc("Where --emit writes (default: standard output)"),
      cl::value_desc("file"), cl::cat(category));
  static cl::opt<std::string> dumpDir(
      "dump-dir",
      cl::desc("Keep every stage of the compilation in this folder"),
      cl::value_desc("folder"), cl::cat(category));
  static cl::opt<bool> check("check",
                             cl::desc("Compare every result with the oracle"),
                             cl::cat(category));
  static cl::opt<int64_t> checkLimit(
      "check-limit", cl::init(1 << 16),
      cl::desc("Elements up to which --check looks at all; above, at a sample "
               "(default 65536)"),
      cl::cat(category));
  static cl::opt<uint64_t> seed(
      "seed", cl::init(0),
      cl::desc("For --check's sample and random inputs without a seed"),
      cl::cat(category));
  static cl::opt<bool> time(
      "time", cl::desc("Time the function, beside a copy of the same traffic"),
      cl::cat(category));
  static cl::opt<unsigned> timeSets(
      "time-sets", cl::init(0),
      cl::desc("With --time, at most so many sets of buffers that calls take "
               "in turn (default: as "
               "many as defeat the caches; 3 leave small data in them)"),
      cl::value_desc("n"), cl::cat(category));
  static cl::opt<unsigned> repetitions(
      "repetitions", cl::init(0),
      cl::desc("Timed runs (default: as many as it takes)"), cl::cat(category));
  static cl::opt<bool> explain(
      "explain",
      cl::desc("Say for each kernel what was chosen, why, and what limits it"),
      cl::cat(category));
  static const std::string productText =
      "What --explain judges for: " + listProducts() +
      " (default: the device, else what stands for the chip: " +
      listFirstProducts() + ")";
  static cl::opt<std::string> product("product", cl::desc(productText),
                                      cl::value_desc("H200"),
                                      cl::cat(category));
  static cl::opt<bool> json(
      "json", cl::desc("Report as JSON on standard output"), cl::cat(category));

  static cl::opt<std::string> batch(
      "batch",
      cl::desc("Run the command lines of this file one after another (-: of "
               "standard input), and "
               "report each as a line of JSON"),
      cl::value_desc("file"), cl::cat(category));

  cl::ResetAllOptionOccurrences();
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return std::nullopt;
  auto mistaken = [](const llvm::Twine &mistake) {
    llvm::WithColor::error(llvm::errs(), "ew-run") << mistake << "\n";
    return std::nullopt;
  };

  Options options;
  options.file = file;
  options.function = function;
  options.inputs = {inputs.begin(), inputs.end()};
  options.outputs = {outputs.begin(), outputs.end()};
  options.expected = {expected.begin(), expected.end()};
  options.tolerance = tolerance;
  options.device = device;
  options.mode = mode;
  options.libraryFunctions = libraryFunctions;
  options.dependentLaunch = dependentLaunch;
  options.chip = chip;
  options.tuned = tuned == Tuned::On;
  options.backOff = backOff;
  options.emit = emit;
  options.emitTo = emitTo;
  options.dumpDir = dumpDir;
  options.check = check;
  options.checkLimit = checkLimit;
  options.seed = seed;
  options.time = time;
  options.repetitions = repetitions;
  options.timeSets = timeSets;
  options.explain = explain;
  options.product = product;
  options.json = json;
  llvm::Expected<ScheduleChoice> choice = ScheduleChoice::parse(schedule);
  if (choice && options.device != "cpu")
    if (llvm::Error error = choice->verifyForGPU())
      choice = std::move(error);
  if (!choice)
    return mistaken("--schedule: " + llvm::toString(choice.takeError()));
  options.schedule = *choice;
  if (batch.getNumOccurrences()) {
    std::string other =
        file.getNumOccurrences() ? file.getValue() : findOther(batch);
    if (batch.getNumOccurrences() > 1)
      return mistaken(
          "--batch is given twice; the commands of several files go into one");
    if (batch.empty())
      return mistaken("--batch needs a file, or - for standard input");
    if (!other.empty())
      return mistaken(
          "--batch takes commands from a file, and nothing else: '" + other +
          "'");
    options.batch = batch;
    return options;
  }
  if (!file.getNumOccurrences())
    return mistaken("no file to run: ew-run <file.mlir>, or --help");
  if (std::string mistake = findMistake(options); !mistake.empty())
    return mistaken(mistake);
  // What would change nothing was meant to change something.
  for (const cl::opt<unsigned> *number : {&timeSets, &repetitions})
    if (number->getNumOccurrences() && number->getValue() == 0)
      return mistaken("--" + number->ArgStr + " is at least 1");
  bool onGPU = options.on.target == runtime::Target::CUDA;
  if (product.getNumOccurrences() && onGPU && !options.explain &&
      options.emit == Emit::Nothing)
    return mistaken("--product is for --explain, which is not given");
  if (tuned.getNumOccurrences() && options.tuned &&
      schedule.getNumOccurrences())
    return mistaken("--tuned=on and --schedule exclude each other: with "
                    "numbers for all kernels none is looked up");
  for (auto [option, hasUse, use] :
       {std::tuple<const cl::Option *, bool, const char *>(
            &tolerance, !options.expected.empty(), "--expected_output"),
        {&checkLimit, options.check, "--check"},
        {&timeSets, options.time, "--time"},
        {&repetitions, options.time, "--time"}})
    if (option->getNumOccurrences() && !hasUse)
      return mistaken("--" + option->ArgStr + " is for " + use +
                      ", which is not given");
  return options;
}
