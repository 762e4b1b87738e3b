//===- ew-fuzz.cpp - Random programs on every device ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "ew/InitAll.h"
#include "ew/Runtime/HostThreads.h"
#include "ew/Support/Plural.h"
#include "ew/Support/Suggest.h"
#include "ew/Support/Version.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <csignal>
#include <unistd.h>

using namespace mlir;
using namespace ew;
using namespace ew::fuzz;

static int usageError(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "ew-fuzz") << message << "\n";
  return 2;
}

/// Programs of more are known to nobody, and take hours.
static constexpr unsigned maxOpsLimit = 10000;

/// Why a folder could not be made, or files in it; empty where they can. It is
/// made when there is something to keep.
static std::string findUnwritable(const std::string &folder) {
  namespace fs = llvm::sys::fs;
  llvm::SmallString<128> place(folder);
  if (folder.empty() || fs::make_absolute(place))
    return {};
  while (!fs::exists(place) && !llvm::sys::path::parent_path(place).empty())
    llvm::sys::path::remove_filename(place);
  // Permissions do not tell all.
  llvm::sys::path::append(place, "ew-fuzz-" + llvm::Twine(::getpid()));
  int file;
  if (std::error_code code =
          fs::openFileForWrite(place, file, fs::CD_CreateNew))
    return code.message();
  ::close(file);
  fs::remove(place);
  return {};
}

/// A row for every op, a column for every type: programs' ops in the modes
/// default, strict and fast.
static void printCoverage(const OpTable &table, const Report &report) {
  llvm::outs() << "op × type, in default/strict/fast mode:\n";
  for (auto [op, row] : llvm::zip(table.getOps(), report.coverage)) {
    llvm::outs() << "  " << op.name << ":";
    for (auto [type, cell] : llvm::zip(table.getTypes(), row))
      if (op.byType.count(type))
        llvm::outs() << " " << runtime::getName(type) << " " << cell[0] << "/"
                     << cell[1] << "/" << cell[2];
    llvm::outs() << "\n";
  }
}

static void printReport(const OpTable &table, const CampaignOptions &options,
                        const Report &report) {
  size_t cells = 0, covered = 0;
  for (auto [op, row] : llvm::zip(table.getOps(), report.coverage))
    for (auto [type, cell] : llvm::zip(table.getTypes(), row))
      for (auto [mode, place] :
           {std::pair(Mode::Default, 0), {Mode::Strict, 1}, {Mode::Fast, 2}})
        if (op.byType.count(type) &&
            llvm::is_contained(options.generate.modes, mode)) {
          ++cells;
          covered += cell[place] != 0;
        }
  const Counts &counts = report.counts;
  auto percent = [](uint64_t part, uint64_t whole) {
    return whole ? 100.0 * part / whole : 0.0;
  };
  llvm::raw_ostream &os = llvm::outs();
  os << "fuzz on " << llvm::join(options.execute.devices, ", ") << ": "
     << plural(report.programs, "program") << " of seed " << options.seed
     << ", " << report.failures << " failed; "
     << llvm::format("%.1f ops on average, %.0f s\n",
                     report.programs ? double(report.ops) / report.programs
                                     : 0.0,
                     report.seconds);
  os << "  elements judged by the oracle: " << counts.elements << ", "
     << counts.undecided
     << llvm::format(" undecided (%.1f%%)",
                     percent(counts.undecided, counts.elements))
     << "; compared bit for bit: " << counts.compared
     << "; NaN on the first device: " << counts.nans << "\n";
  auto made = [&](Node::Kind kind) { return report.kinds[unsigned(kind)]; };
  os << "  elementwise ops: " << made(Node::Kind::Op) << ", "
     << report.complexOps << " on complex numbers; constants "
     << made(Node::Kind::Constant) << ", iota " << made(Node::Kind::Iota)
     << ", philox " << made(Node::Kind::Random) << ", dropout "
     << made(Node::Kind::Dropout) << ", broadcasts "
     << made(Node::Kind::Broadcast) << ", transposes "
     << made(Node::Kind::Transpose) << "\n";
  os << "  results in place of an argument: "
     << plural(counts.inPlace - counts.refused, "program") << ", and "
     << counts.refused << " with an argument that is read "
     << "elsewhere\n";
  os << "  launches that go through tiles: " << counts.tiled << ", "
     << counts.units << " of them in units of several elements\n";
  os << "  op × type × mode: " << covered << " of " << cells << " covered\n";
  os << llvm::format("  seconds of all workers: for hosts %.0f, for GPUs %.0f, "
                     "the oracle %.0f\n",
                     counts.seconds[0], counts.seconds[1], counts.seconds[2]);
  os << "  ops of the dialect that are not elementwise: "
     << llvm::join(table.getOthers(), " ") << "\n";
}

int ewFuzzMain(int argc, char **argv) {
  ew::runtime::checkHostThreads("ew-fuzz");
  using namespace llvm;
  cl::OptionCategory category("ew-fuzz options");
  auto about = [&](const char *text) { return cl::desc(text); };
  cl::opt<uint64_t> programs("programs", about("How many programs"),
                             cl::init(1000), cl::cat(category));
  cl::opt<uint64_t> seed("seed", about("Which programs"), cl::init(1),
                         cl::cat(category));
  cl::opt<uint64_t> first("first", about("The number of the first one"),
                          cl::init(0), cl::cat(category));
  cl::opt<unsigned> jobs("jobs", about("Processes"), cl::init(1),
                         cl::cat(category));
  cl::opt<unsigned> maxOps("max-ops",
                           about("Ops of a program, at most (7 or more)"),
                           cl::init(40), cl::cat(category));
  cl::list<std::string> devices(
      "device",
      about("cpu, emulated, cuda; the first is what others are compared with"),
      cl::CommaSeparated, cl::cat(category));
  cl::list<std::string> modes("mode", about("strict, default, fast"),
                              cl::CommaSeparated, cl::cat(category));
  cl::list<int> optLevels(
      "opt-level", about("LLVM's levels of optimization, to choose from"),
      cl::CommaSeparated, cl::cat(category));
  cl::opt<unsigned> timeLimit(
      "time-limit", about("Seconds; what is not done by then is left out"),
      cl::init(0), cl::cat(category));
  cl::opt<unsigned> programTimeout("program-timeout",
                                   about("Seconds after which a program hangs"),
                                   cl::init(120), cl::cat(category));
  cl::opt<unsigned> maxFailures("max-failures",
                                about("How many failures end the run"),
                                cl::init(10), cl::cat(category));
  cl::opt<unsigned> candidates(
      "reduce", about("Programs to try when reducing a failing one; 0: don't"),
      cl::init(400), cl::cat(category));
  cl::opt<int64_t> checkLimit(
      "check-limit", about("Elements of a result that the oracle looks at"),
      cl::init(256), cl::cat(category));
  cl::opt<std::string> keep("keep", about("Folder for failing programs"),
                            cl::init("ew-fuzz-failures"), cl::cat(category));
  cl::opt<std::string> plant("plant",
                             about("Exchange the operands of this op in what "
                                   "is compiled: a fault to be found"),
                             cl::cat(category));
  cl::opt<bool> coverage("coverage",
                         about("Print how often each op ran on each type"),
                         cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(printVersion);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Runs random programs of ew ops on several "
          "devices and compares them with the "
          "oracle and with each other\n\n"
          "Exit codes:\n"
          "  0 nothing found   1 a program failed   2 a "
          "faulty command line   4 no such device\n"
          "  130 interrupted, and nothing found\n",
          &llvm::errs()))
    return 2;

  CampaignOptions options;
  options.seed = seed;
  options.first = first;
  options.programs = programs;
  options.jobs = jobs;
  options.timeLimit = timeLimit;
  options.programTimeout = programTimeout;
  options.maxFailures = maxFailures;
  options.candidates = candidates;
  options.keep = keep;
  options.generate.maxOps = maxOps;
  if (!optLevels.empty())
    options.generate.optLevels.assign(optLevels.begin(), optLevels.end());
  options.execute.checkLimit = checkLimit;
  options.execute.plant = plant;
  if (jobs == 0 || programs == 0)
    return usageError("--jobs and --programs must be above 0");
  if (jobs > maxJobs)
    return usageError("--jobs is at most " + llvm::Twine(maxJobs));
  if (maxFailures == 0 || programTimeout == 0)
    return usageError("--max-failures and --program-timeout are at least 1");
  if (candidates == 0 && keep.getNumOccurrences())
    return usageError("--keep is for --reduce, which is 0");
  if (checkLimit < 1)
    return usageError("--check-limit is at least 1");
  for (int level : optLevels)
    if (level < 0 || level > 3)
      return usageError("no level " + llvm::Twine(level) +
                        "; there are 0, 1, 2 and 3");
  if (maxOps < 7 || maxOps > maxOpsLimit)
    return usageError("--max-ops must be from 7 to " +
                      llvm::Twine(maxOpsLimit));
  if (!devices.empty())
    options.execute.devices.assign(devices.begin(), devices.end());
  for (const std::string &device : options.execute.devices)
    if (device != "cpu" && device != "emulated" && device != "cuda" &&
        !isCodeOnly(device))
      return usageError("no device '" + device +
                        "'; there are cpu, emulated, cuda, ptx and cubin");
  if (isCodeOnly(options.execute.devices.front()))
    return usageError("the first device must be one that runs programs");
  if (!modes.empty())
    options.generate.modes.clear();
  for (const std::string &name : modes) {
    std::optional<Mode> mode = parseMode(name);
    if (!mode)
      return usageError("no mode '" + name +
                        "'; there are strict, default and fast");
    options.generate.modes.push_back(*mode);
  }

  DialectRegistry registry;
  registerAllDialects(registry);
  // Without threads, so that it can be forked.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OpTable table(&context);
  SmallVector<StringRef> known;
  for (const OpEntry &op : table.getOps())
    known.push_back(op.name);
  if (!plant.empty() && !llvm::is_contained(known, plant))
    return usageError("no op '" + plant + "' that programs have" +
                      suggest(plant, known));
  // Hours later what was found would be lost.
  if (std::string why = findUnwritable(keep); candidates && !why.empty())
    return usageError("cannot keep failing programs in '" + keep + "': " + why +
                      "; --keep=<folder> names another one, --keep= none");
  Report report = runCampaign(table, &context, options);
  if (report.noDevice)
    return 4;
  printReport(table, options, report);
  if (coverage)
    printCoverage(table, report);
  if (report.outOfTime || report.interrupted)
    llvm::outs() << (report.interrupted ? "  interrupted: " : "  out of time: ")
                 << plural(options.programs - report.programs, "program")
                 << " not run\n";
  if (report.failures)
    return 1;
  return report.interrupted ? 128 + SIGINT : 0;
}
