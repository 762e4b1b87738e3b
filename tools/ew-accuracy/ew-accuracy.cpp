//===- ew-accuracy.cpp - Errors of functions over all inputs --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ew-accuracy: the command line, and a row for each function.
//
//===----------------------------------------------------------------------===//

#include "Sweep.h"
#include "Timing.h"
#include "ew/InitAll.h"
#include "ew/Runtime/AtomicFile.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Runtime/Emulator.h"
#include "ew/Runtime/HostThreads.h"
#include "ew/Support/Suggest.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

#include <filesystem>
#include <memory>

using namespace ew;
using namespace ew::accuracy;

namespace cl = llvm::cl;

static constexpr const char *kOverview =
    R"(Measures the largest error of functions over all inputs: all bit patterns of one
argument, a thousand million pairs of two. See docs/Accuracy.md.

Examples:
  ew-accuracy --on=cpu:strict
  ew-accuracy --on=cpu:strict,cuda:strict,cuda:default --output=accuracy.tsv
  ew-accuracy --step=997 exp log
  ew-accuracy --hash-only --on=cuda:strict
  ew-accuracy --time --on=cuda:default,cuda:libdevice

Exit codes: 0 done   1 something does not compile or run   2 a faulty command line
  3 wrong results: a NaN, an infinity, a zero or a sign   4 no such device
)";

static constexpr const char *kColumns =
    "function\ttype\ton\tinputs\tmax_ulp\tat\tgot\ttruth\twrong\tfirst_"
    "wrong\tflushed\thash\t"
    "truth_error\tdevice";

static constexpr const char *kTimeColumns =
    "function\ttype\ton\tcalls\tps_per_call\tdevice";

static int complain(const llvm::Twine &text, int code) {
  llvm::WithColor::error(llvm::errs(), "ew-accuracy") << text << "\n";
  return code;
}

static std::optional<Element> parseType(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Element>>(name)
      .Case("f32", Element::F32)
      .Case("f16", Element::F16)
      .Case("bf16", Element::BF16)
      .Default(std::nullopt);
}

namespace {
struct Devices {
  /// The device of "cuda", "cpu" or "emulated"; opened once.
  llvm::Expected<runtime::Device *> get(llvm::StringRef name) {
    std::unique_ptr<runtime::Device> &device = opened[name];
    if (device)
      return device.get();
    if (name == "cpu")
      device = runtime::createCPUDevice();
    else if (name == "emulated")
      device = runtime::createEmulatedDevice();
    else if (name == "cuda") {
      auto gpu = runtime::createCudaDevice();
      if (!gpu)
        return gpu.takeError();
      device = std::move(*gpu);
    } else {
      return llvm::createStringError(
          std::errc::invalid_argument,
          "no device '%s': it is cpu, cuda or emulated", name.str().c_str());
    }
    return device.get();
  }

private:
  llvm::StringMap<std::unique_ptr<runtime::Device>> opened;
};

/// A table that grows as results come, and is gone on with where it ended.
class Table {
public:
  llvm::Error open(llvm::StringRef path, llvm::StringRef columns) {
    std::string begin = (columns + "\n").str();
    llvm::outs() << begin;
    if (path.empty())
      return llvm::Error::success();
    // Reading what never ends would take as long.
    if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path) &&
        !llvm::sys::fs::is_directory(path))
      return llvm::createStringError("cannot write %s: it is no file",
                                     path.str().c_str());
    // One that is empty has just been made, maybe by another process.
    if (auto old = llvm::MemoryBuffer::getFile(path);
        old && (*old)->getBufferSize()) {
      if (!(*old)->getBuffer().starts_with(begin))
        return llvm::createStringError("%s is another table: name a new file",
                                       path.str().c_str());
      // A run that was killed may have left part of a row.
      llvm::StringRef whole = (*old)->getBuffer();
      whole = whole.take_front(whole.rfind('\n') + 1);
      if (whole.size() < (*old)->getBufferSize()) {
        std::error_code code;
        std::filesystem::resize_file(path.str(), whole.size(), code);
        if (code)
          return llvm::createStringError(code, "cannot write %s: %s",
                                         path.str().c_str(),
                                         code.message().c_str());
      }
      llvm::SmallVector<llvm::StringRef> lines;
      whole.split(lines, '\n');
      for (llvm::StringRef line : lines)
        done.insert(getKey(line));
      begin.clear();
    }
    std::error_code code;
    file = std::make_unique<llvm::raw_fd_ostream>(path, code,
                                                  llvm::sys::fs::OF_Append);
    if (code)
      return llvm::createStringError(code, "cannot write %s: %s",
                                     path.str().c_str(),
                                     code.message().c_str());
    return write(begin);
  }

  bool has(llvm::StringRef key) const { return done.contains(key); }
  llvm::Error add(llvm::StringRef line) {
    llvm::outs() << line << "\n";
    if (file)
      if (llvm::Error error = write((line + "\n").str()))
        return error;
    return runtime::flushStandardOutput();
  }

private:
  /// At once: a disk is full before the first row has taken hours, and not
  /// after.
  llvm::Error write(llvm::StringRef text) {
    *file << text;
    file->flush();
    std::error_code code = file->error();
    if (!code)
      return llvm::Error::success();
    file->clear_error();
    return llvm::createStringError(code, "cannot write the table: %s",
                                   code.message().c_str());
  }

  /// Function, type, place and inputs.
  static std::string getKey(llvm::StringRef line) {
    llvm::SmallVector<llvm::StringRef> fields;
    line.split(fields, '\t', 4);
    return llvm::join(llvm::ArrayRef(fields).take_front(4), "\t");
  }
  std::unique_ptr<llvm::raw_fd_ostream> file;
  llvm::StringSet<> done;
};
} // namespace

static llvm::StringRef nameOf(Element type) {
  return type == Element::F32 ? "f32" : type == Element::F16 ? "f16" : "bf16";
}

/// How a row begins: one such row is enough.
static std::string keyOf(const Function &function, Element type,
                         const Place &place, uint64_t count) {
  return llvm::formatv("{0}\t{1}\t{2}\t{3}", function.name, nameOf(type),
                       place.name, count);
}

static std::string describe(const Function &function, const Request &request,
                            const Place &place, const Outcome &outcome) {
  const Tally &t = outcome.tally;
  std::string row = keyOf(function, request.type, place, outcome.inputs) + "\t";
  std::string hash = llvm::formatv("{0:x16}", t.hash);
  if (request.hashOnly)
    row += "\t\t\t\t\t\t\t" + hash + "\t";
  else
    row += llvm::formatv(
        "{0:f5}\t{1}\t{2}\t{3}\t{4}\t{5}\t{6}\t{7}\t{8:e1}", t.maxUlp,
        outcome.worstAt, llvm::formatv("{0:e9}", t.worstGot),
        llvm::formatv("{0:e12}", t.worstTruth), t.wrong, outcome.firstWrongAt,
        t.flushed, hash, outcome.truthError);
  return row + "\t" + place.device->getDescription();
}

static constexpr uint64_t maxStep = uint64_t(1) << 32;
static constexpr uint64_t maxPairs = uint64_t(1) << 40;

int ewAccuracyMain(int argc, char **argv) {
  ew::runtime::checkHostThreads("ew-accuracy");
  cl::OptionCategory category("ew-accuracy options");
  cl::HideUnrelatedOptions(category);
  cl::list<std::string> names(cl::Positional,
                              cl::desc("<functions> (default: all)"),
                              cl::cat(category));
  cl::list<std::string> onNames(
      "on", cl::CommaSeparated, cl::value_desc("device:mode"),
      cl::desc("cpu, cuda or emulated; strict, default, fast or libdevice "
               "(default cpu:strict)"),
      cl::cat(category));
  cl::list<std::string> typeNames(
      "types", cl::CommaSeparated, cl::value_desc("names"),
      cl::desc("f32, f16, bf16 (default all)"), cl::cat(category));
  cl::opt<uint64_t> step(
      "step", cl::init(1),
      cl::desc("Take every n-th bit pattern of f32 (default 1)"),
      cl::cat(category));
  cl::opt<uint64_t> pairs(
      "pairs", cl::init(1000000000), cl::cat(category),
      cl::desc("Pairs for functions of two arguments (default 10^9)"));
  cl::opt<bool> hashOnly("hash-only", cl::desc("Only hash the results"),
                         cl::cat(category));
  cl::opt<bool> time("time", cl::desc("Time calls in f32 instead"),
                     cl::cat(category));
  cl::opt<std::string> output(
      "output",
      cl::desc("Add the rows to this table; those that it has are left out"),
      cl::value_desc("file.tsv"), cl::cat(category));
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return 2;

  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return complain("the true values take a CPU with AVX2 and FMA", 2);
  if (step == 0 || pairs == 0)
    return complain("--step and --pairs are at least 1", 2);
  if (step > maxStep || pairs > maxPairs)
    return complain("--step is at most 2^32, which leaves one pattern, and "
                    "--pairs 2^40, which take days",
                    2);
  llvm::SmallVector<llvm::StringRef> functions;
  for (const Function *function = kFunctions; function->name; ++function)
    functions.push_back(function->name);
  for (const std::string &name : names)
    if (!llvm::is_contained(functions, name)) {
      std::string meant = suggest(name, functions);
      return complain("no function '" + name + "'" +
                          (meant.empty()
                               ? "; there are " + llvm::join(functions, ", ")
                               : meant),
                      2);
    }
  // What would change nothing was meant to change something.
  auto findGiven = [](std::initializer_list<const cl::Option *> options)
      -> const cl::Option * {
    for (const cl::Option *option : options)
      if (option->getNumOccurrences())
        return option;
    return nullptr;
  };
  if (time)
    if (const auto *given =
            findGiven({std::addressof(typeNames), &step, &pairs, &hashOnly}))
      return complain(
          "--" + given->ArgStr + " is for errors, and --time measures none", 2);
  std::vector<std::string> types(typeNames.begin(), typeNames.end()),
      on(onNames.begin(), onNames.end());
  if (time)
    types = {"f32"};
  if (types.empty())
    types = {"f32", "f16", "bf16"};
  for (const std::string &name : types)
    if (!parseType(name))
      return complain("no type '" + name + "': it is f32, f16 or bf16", 2);
  bool ofF32 = llvm::is_contained(types, "f32");
  if (!ofF32)
    if (const auto *given = findGiven({&step, &pairs}))
      return complain(
          "--" + given->ArgStr + " is for f32, which is none of --types", 2);
  if (!ofF32)
    for (const Function *function = kFunctions; function->name; ++function)
      if (function->arity > 1 && llvm::is_contained(names, function->name))
        return complain(llvm::Twine(function->name) +
                            " has two arguments, and those are measured in f32",
                        2);
  if (on.empty())
    on = {"cpu:strict"};
  Devices devices;
  std::vector<Place> places;
  for (const std::string &name : on) {
    auto [deviceName, modeName] = llvm::StringRef(name).split(':');
    if (modeName.empty())
      return complain("'" + name +
                          "' is no place: that is a device and a mode, as "
                          "cpu:strict or cuda:default",
                      2);
    bool library = modeName == "libdevice";
    std::optional<Mode> mode = library ? Mode::Default : parseMode(modeName);
    if (!mode)
      return complain(
          "no mode '" + modeName +
              "': it is strict, default, fast or libdevice, and a place is "
              "written cpu:strict",
          2);
    auto device = devices.get(deviceName);
    if (!device) {
      std::string text;
      int code = 1;
      llvm::handleAllErrors(device.takeError(),
                            [&](const llvm::ErrorInfoBase &error) {
                              text = error.message();
                              std::error_code why = error.convertToErrorCode();
                              code = why == std::errc::no_such_device     ? 4
                                     : why == std::errc::invalid_argument ? 2
                                                                          : 1;
                            });
      return complain(text, code);
    }
    if (library && (*device)->getTarget() != runtime::Target::CUDA)
      return complain("libdevice is for CUDA", 2);
    places.push_back({name, *device, *mode, library});
  }
  Table table;
  if (llvm::Error error = table.open(output, time ? kTimeColumns : kColumns))
    return complain(llvm::toString(std::move(error)), 1);

  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  bool wrong = false;
  for (const std::string &typeName : types) {
    std::optional<Element> type = parseType(typeName);
    for (const Function *function = kFunctions; function->name; ++function) {
      if ((!names.empty() && !llvm::is_contained(names, function->name)) ||
          (function->arity > 1 && type != Element::F32))
        continue;
      Request request{*type, *type == Element::F32 ? step : uint64_t(1), pairs,
                      hashOnly};
      std::vector<Place> rest;
      for (const Place &place : places)
        if (!table.has(
                keyOf(*function, *type, place,
                      time ? kTimedCalls : countInputs(*function, request))))
          rest.push_back(place);
      if (rest.empty())
        continue;
      if (time) {
        auto times = timeCalls(context, *function, rest);
        if (!times)
          return complain(llvm::toString(times.takeError()), 1);
        for (auto [place, picoseconds] : llvm::zip_equal(rest, *times))
          if (llvm::Error error = table.add(
                  llvm::formatv("{0}\tf32\t{1}\t{2}\t{3:f2}\t{4}",
                                function->name, place.name, kTimedCalls,
                                picoseconds, place.device->getDescription())
                      .str()))
            return complain(llvm::toString(std::move(error)), 1);
        continue;
      }
      auto outcomes = sweep(context, *function, request, rest);
      if (!outcomes)
        return complain(llvm::toString(outcomes.takeError()), 1);
      for (auto [place, outcome] : llvm::zip_equal(rest, *outcomes)) {
        if (llvm::Error error =
                table.add(describe(*function, request, place, outcome)))
          return complain(llvm::toString(std::move(error)), 1);
        wrong |= outcome.tally.wrong != 0;
      }
    }
  }
  return wrong ? 3 : 0;
}
