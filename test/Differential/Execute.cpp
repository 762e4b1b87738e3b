//===- Execute.cpp - Runs a program everywhere and compares ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute.h"
#include "ew/Reference/HostTensors.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Runtime/Element.h"
#include "ew/Runtime/Emulator.h"
#include "ew/Runtime/PlanRunner.h"
#include "ew/Runtime/Transfer.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include <chrono>

using namespace mlir;
using namespace ew;
using namespace ew::fuzz;

namespace rt = ew::runtime;

llvm::StringRef ew::fuzz::getName(Failure::Kind kind) {
  static constexpr llvm::StringLiteral names[] = {
      "none",           "invalid program",
      "compile error",  "run error",
      "oracle error",   "wrong result",
      "devices differ", "views differ",
      "crash",          "hang"};
  return names[static_cast<unsigned>(kind)];
}

struct Executor::Results {
  std::vector<rt::HostTensor> inputs;
  std::vector<std::vector<uint64_t>> bits; // of every result
  std::unique_ptr<rt::Executable> executable;
};

namespace {
/// Adds the time since it was made to a count.
class Stopwatch {
public:
  explicit Stopwatch(double &seconds)
      : seconds(seconds), begin(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
  }

private:
  double &seconds;
  std::chrono::steady_clock::time_point begin;
};
} // namespace

llvm::Expected<std::unique_ptr<rt::Device>>
ew::fuzz::openDevice(llvm::StringRef name) {
  if (name == "cpu")
    return rt::createCPUDevice();
  if (name == "emulated")
    return rt::createEmulatedDevice();
  auto device = rt::createCudaDevice();
  if (!device)
    return device.takeError();
  return std::unique_ptr<rt::Device>(std::move(*device));
}

Executor::Executor(const OpTable &table, MLIRContext *context,
                   const ExecuteOptions &options)
    : table(table), context(context), options(options) {}

llvm::Error Executor::open() {
  for (const std::string &name : options.devices) {
    if (isCodeOnly(name)) {
      devices.push_back(nullptr);
      continue;
    }
    auto device = openDevice(name);
    if (!device)
      return device.takeError();
    devices.push_back(std::move(*device));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// One device
//===----------------------------------------------------------------------===//

/// The stages of compiling that are MLIR.
static constexpr llvm::StringLiteral kMLIRStages[] = {"input", "linalg",
                                                      "kernels", "lowered"};

/// Exchanges the operands of every op of this name.
static void plantFault(ModuleOp module, llvm::StringRef name) {
  module.walk([&](Operation *op) {
    if (op->getName().stripDialect() == name && op->getNumOperands() > 1) {
      Value first = op->getOperand(0);
      op->setOperand(0, op->getOperand(1));
      op->setOperand(1, first);
    }
  });
}

Failure Executor::compileFor(unsigned index, const fuzz::Program &program,
                             ModuleOp module, CompileOptions compileOptions,
                             rt::Program &code) {
  auto fail = [&](std::string text) {
    return Failure{Failure::Kind::Compile, index, 0, std::move(text)};
  };
  std::string message, unparsed;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      message += diagnostic.str() + "\n";
    return success();
  });
  compileOptions.mode = program.mode;
  compileOptions.threads = 1;
  compileOptions.optLevel = program.optLevel;
  if (compileOptions.target != rt::Target::CPU)
    compileOptions.schedule.many = program.many;
  if (compileOptions.target == rt::Target::CUDA) // libdevice wants its inlining
    compileOptions.optLevel = std::max(program.optLevel, 1);
  if (program.thorough)
    compileOptions.onStage = [&](llvm::StringRef stage, llvm::StringRef,
                                 llvm::StringRef text) {
      if (llvm::is_contained(kMLIRStages, stage) &&
          !parseSourceString<ModuleOp>(text, context) && unparsed.empty())
        unparsed = stage.str();
    };
  auto compiled = compile(module, "f", compileOptions);
  if (!unparsed.empty())
    return fail("stage '" + unparsed +
                "' prints what cannot be parsed: " + message);
  if (failed(compiled))
    return fail(message);
  code = std::move(*compiled);
  return {};
}

Failure Executor::runOn(unsigned index, const fuzz::Program &program,
                        ModuleOp module, bool views, Results &results,
                        Counts &counts) {
  rt::Device &device = *devices[index];
  auto fail = [&](Failure::Kind kind, std::string text) {
    return Failure{kind, index, 0, std::move(text)};
  };
  Stopwatch time(counts.seconds[device.getTarget() == rt::Target::CPU ? 0 : 1]);
  if (!results.executable) {
    CompileOptions compileOptions;
    compileOptions.target = device.getTarget();
    // Only what is run, which is a half of it or less.
    compileOptions.versions = Versions::OnNeed;
    compileOptions.chip = device.getTarget() == rt::Target::CUDA
                              ? device.getChip()
                              : program.chip;
    rt::Program code;
    if (Failure failure =
            compileFor(index, program, module, compileOptions, code))
      return failure;
    auto executable = rt::Executable::create(std::move(code), device);
    if (!executable)
      return fail(Failure::Kind::Compile,
                  llvm::toString(executable.takeError()));
    results.executable = std::move(*executable);
  }

  std::string message;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      message += diagnostic.str() + "\n";
    return success();
  });
  auto inputs = makeInputs(program, views);
  if (!inputs)
    return fail(Failure::Kind::Invalid, llvm::toString(inputs.takeError()));
  results.inputs = std::move(*inputs);
  std::vector<rt::Argument> arguments;
  for (auto [input, number] : llvm::zip(results.inputs, program.getInputs())) {
    if (program.nodes[number].scalar) {
      arguments.emplace_back(input.getType(), input.getBits(0));
      continue;
    }
    auto tensor = rt::copyToDevice(device, input);
    if (!tensor)
      return fail(Failure::Kind::Run, llvm::toString(tensor.takeError()));
    arguments.emplace_back(std::move(*tensor));
  }
  auto run = results.executable->run(arguments);
  if (!run)
    return fail(message.empty() ? Failure::Kind::Run : Failure::Kind::Compile,
                message + llvm::toString(run.takeError()));
  for (const rt::LaunchInfo &info : (*run)->getLaunches()) {
    const rt::Variant &variant = info.getVariant();
    counts.tiled += !variant.tile.empty();
    counts.units += !variant.tile.empty() && variant.alignment > 1;
  }
  results.bits.clear();
  for (const rt::Tensor &result : (*run)->getResults()) {
    auto host = rt::copyToHost(device, result);
    if (!host)
      return fail(Failure::Kind::Run, llvm::toString(host.takeError()));
    std::vector<uint64_t> &bits = results.bits.emplace_back();
    rt::ElementType part = rt::getPartType(host->getType());
    for (int64_t i = 0, end = host->getNumElements(); i < end; ++i)
      for (unsigned k = 0; k < rt::getNumParts(host->getType()); ++k)
        bits.push_back(rt::loadElement(
            host->getElement(i) + k * rt::getByteWidth(part), part));
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static std::string formatIndex(ArrayRef<int64_t> index) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(index, os);
  os << "]";
  return text;
}

Failure Executor::judge(unsigned device, const fuzz::Program &program,
                        ModuleOp module, const Results &results,
                        Counts &counts) {
  Stopwatch time(counts.seconds[2]);
  reference::Options oracle;
  oracle.mode = reference::getMode(program.mode);
  oracle.limit = options.checkLimit;
  oracle.threads = 1;
  std::vector<reference::TensorView> inputs =
      reference::makeViews(results.inputs);
  std::vector<reference::TensorView> outputs;
  // As they lie in memory.
  std::vector<std::string> storage;
  for (auto [number, bits] : llvm::zip(program.results, results.bits)) {
    const Node &node = program.nodes[number];
    rt::ElementType part = rt::getPartType(node.type);
    unsigned width = rt::getByteWidth(part);
    std::string &data = storage.emplace_back(bits.size() * width, '\0');
    for (auto [i, element] : llvm::enumerate(bits))
      rt::storeElement(data.data() + i * width, part, element);
  }
  for (auto [number, data] : llvm::zip(program.results, storage)) {
    const Node &node = program.nodes[number];
    outputs.push_back({node.type, program.getSizes(node), {}, data.data()});
  }
  auto function = *module.getOps<func::FuncOp>().begin();
  auto reports = reference::check(function, inputs, outputs, oracle);
  if (!reports)
    return {Failure::Kind::Oracle, device, 0,
            llvm::toString(reports.takeError())};
  Failure first;
  for (auto [i, report] : llvm::enumerate(*reports)) {
    counts.elements += report.checked;
    counts.undecided += report.undecided;
    if (report.wrong == 0 || first)
      continue;
    first = {Failure::Kind::Wrong, device, unsigned(i),
             "result " + std::to_string(i) + ": " +
                 std::to_string(report.wrong) + " of " +
                 std::to_string(report.checked) + " elements, first at " +
                 formatIndex(report.firstWrong.index) + ": got " +
                 report.firstWrong.actual + ", expected " +
                 report.firstWrong.expected};
  }
  return first;
}

bool Executor::involvesGPU(unsigned device) const {
  return devices[device]->getTarget() == rt::Target::CUDA ||
         devices[0]->getTarget() == rt::Target::CUDA;
}

Failure Executor::compare(Failure::Kind kind, unsigned device,
                          const fuzz::Program &program, const Results &expected,
                          const Results &actual, Counts &counts) {
  std::vector<bool> fromLibrary = program.findLibraryResults(table);
  for (auto [i, number] : llvm::enumerate(program.results)) {
    const Node &node = program.nodes[number];
    if (kind == Failure::Kind::Differ && fromLibrary[number] &&
        involvesGPU(device))
      continue;
    rt::ElementType part = rt::getPartType(node.type);
    for (auto [at, pair] :
         llvm::enumerate(llvm::zip(expected.bits[i], actual.bits[i]))) {
      auto [a, b] = pair;
      ++counts.compared;
      bool same = a == b || (rt::isFloat(part) && rt::isNaN(a, part) &&
                             rt::isNaN(b, part));
      if (same)
        continue;
      auto show = [&](uint64_t bits) {
        return rt::formatElement(bits, part) + " (0x" +
               llvm::utohexstr(bits, /*LowerCase=*/true) + ")";
      };
      return {kind, device, unsigned(i),
              "result " + std::to_string(i) + ", element " +
                  std::to_string(at / rt::getNumParts(node.type)) +
                  (rt::isComplex(node.type)
                       ? at % 2 ? ", imaginary part" : ", real part"
                       : "") +
                  ": " + show(b) + ", not " + show(a)};
    }
  }
  return {};
}

/// Whether this is what ew-inplace says of an argument that is read elsewhere
/// than where it is written, which only fusion decides.
static bool isRefusedInPlace(const Failure &failure) {
  llvm::StringRef text = failure.text;
  return failure.kind == Failure::Kind::Compile &&
         (text.contains("is written in its place") ||
          text.contains("was written in its place"));
}

Failure Executor::run(const fuzz::Program &program, Counts &counts) {
  Failure failure = runAsIs(program, counts);
  if (!program.hasInPlace())
    return failure;
  counts.inPlace += 1;
  if (!isRefusedInPlace(failure))
    return failure;
  counts.refused += 1;
  fuzz::Program usual = program;
  for (Node &node : usual.nodes)
    node.inPlace = -1;
  return runAsIs(usual, counts);
}

Failure Executor::runAsIs(const fuzz::Program &program, Counts &counts) {
  OwningOpRef<ModuleOp> module;
  {
    std::string message;
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      message += diagnostic.str() + "\n";
      return success();
    });
    module = build(program, table, context);
    if (failed(verify(*module)))
      return {Failure::Kind::Invalid, 0, 0, message};
  }
  OwningOpRef<ModuleOp> compiled = module->clone();
  if (!options.plant.empty())
    plantFault(*compiled, options.plant);

  Results first;
  for (unsigned device = 0; device < devices.size(); ++device) {
    if (!devices[device]) {
      Stopwatch time(counts.seconds[1]);
      CompileOptions compileOptions;
      compileOptions.target = rt::Target::CUDA;
      compileOptions.chip = program.chip;
      compileOptions.assemble = options.devices[device] == "cubin";
      rt::Program code;
      if (Failure failure =
              compileFor(device, program, *compiled, compileOptions, code))
        return failure;
      continue;
    }
    Results results;
    bool views = program.viewsOn >> device & 1;
    if (Failure failure =
            runOn(device, program, *compiled, views, results, counts))
      return failure;
    // On hosts the same arithmetic runs in every mode; a GPU may have cheaper
    // ways in all modes but strict.
    bool sameBits =
        device > 0 && (program.mode == Mode::Strict || !involvesGPU(device));
    if (sameBits) {
      if (Failure failure = compare(Failure::Kind::Differ, device, program,
                                    first, results, counts))
        return failure;
    }
    // What has the bits of a result that was judged needs no judge.
    bool judged = sameBits && first.bits == results.bits;
    if (!judged)
      if (Failure failure = judge(device, program, *module, results, counts))
        return failure;
    if (program.thorough) {
      Results again;
      again.executable = std::move(results.executable);
      if (Failure failure =
              runOn(device, program, *compiled, !views, again, counts))
        return failure;
      if (Failure failure = compare(Failure::Kind::Views, device, program,
                                    results, again, counts))
        return failure;
    }
    if (device == 0) {
      for (auto [number, bits] : llvm::zip(program.results, results.bits))
        if (ElementType type = rt::getPartType(program.nodes[number].type);
            rt::isFloat(type))
          counts.nans += llvm::count_if(
              bits, [&](uint64_t element) { return rt::isNaN(element, type); });
      first = std::move(results);
    }
  }
  return {};
}
