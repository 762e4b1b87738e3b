//===- Session.cpp - One run of ew-run -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Pipelines/EmitCode.h"
#include "Session.h"
#include "ew/Codegen/Schedule/Access.h"
#include "ew/Conversion/Passes.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/InitAll.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Pipelines/EmitCode.h"
#include "ew/Runtime/AtomicFile.h"
#include "ew/Runtime/Cache.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Runtime/Emulator.h"
#include "ew/Runtime/Npy.h"
#include "ew/Support/Version.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include <numeric>

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
                  &Session::execute});
    if (options.explain)
      steps.push_back(&Session::explain);
    // Wrong results are still written, for a look at them.
    steps.push_back(&Session::writeOutputs);
    if (options.time)
      steps.push_back(&Session::timeFunction);
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
  report["file"] = options.file;
  return kSuccess;
}

int Session::parseModule() {
  if (module)
    return kSuccess;
  DialectRegistry registry;
  registerAllDialects(registry);
  context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  sourceMgr.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(source->getMemBufferRef(), /*RequiresNullTerminator=*/false),
      llvm::SMLoc());
  diagnostics = std::make_unique<SourceMgrDiagnosticHandler>(sourceMgr, context.get());
  module = parseSourceFile<ModuleOp>(sourceMgr, context.get());
  if (!module)
    return kFailure;
  // Here, and not only on the way to code, because the oracle reads ew ops.
  PassManager raise(context.get());
  raise.addPass(createEwRaise());
  return succeeded(raise.run(*module)) ? kSuccess : kFailure;
}

int Session::openDevice() {
  StringRef name = options.device;
  auto take = [&](llvm::Expected<std::unique_ptr<rt::Device>> opened) {
    if (!opened)
      return fail(opened.takeError());
    device = std::move(*opened);
    return int(kSuccess);
  };
  int code = kSuccess;
  unsigned ordinal = 0;
  if (name == "auto") {
    if (auto gpu = rt::createCudaDevice(0)) {
      device = std::move(*gpu);
    } else {
      llvm::consumeError(gpu.takeError());
      device = rt::createCPUDevice();
    }
  } else if (name == "cpu") {
    device = rt::createCPUDevice();
  } else if (name == "emulated") {
    device = rt::createEmulatedDevice();
  } else if (name == "cuda" ||
             (name.consume_front("cuda:") && !name.getAsInteger(10, ordinal))) {
    code = take(rt::createCudaDevice(ordinal));
  } else {
    llvm::WithColor::error(llvm::errs(), "ew-run")
        << "no device '" << options.device
        << "': it is auto, cuda, cuda:<number>, cpu or emulated\n";
    return kUsage;
  }
  if (code)
    return code;
  bool forGPU = device->getTarget() != rt::Target::CPU;
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
  for (auto [index, text] : llvm::enumerate(options.inputs)) {
    auto spec = rt::parseInputSpec(text);
    if (!spec)
      return fail(spec.takeError());
    specs.push_back(std::move(*spec));
    auto layout = getLayout(index);
    if (!layout)
      return fail(layout.takeError());
    layouts.push_back(std::move(*layout));
  }
  return kSuccess;
}

/// The dimensions from the largest stride to the smallest, if that makes them a
/// dense tensor in another order than row-major.
static std::optional<std::vector<int64_t>>
getPermutedLayout(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  std::vector<int64_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](int64_t a, int64_t b) { return strides[a] > strides[b]; });
  int64_t expected = 1;
  for (int64_t dim : llvm::reverse(order)) {
    if (shape[dim] != 1 && strides[dim] != expected)
      return std::nullopt;
    expected *= shape[dim];
  }
  return llvm::is_sorted(order) ? std::nullopt : std::optional(order);
}

llvm::Expected<std::optional<std::vector<int64_t>>> Session::getLayout(unsigned index) {
  const rt::InputSpec &spec = specs[index];
  if (spec.strides && spec.type)
    return getPermutedLayout(spec.type->shape, *spec.strides);
  if (spec.data != rt::InputSpec::Data::Npy)
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFileSlice(spec.path, 1 << 16, 0);
  if (!file)
    return std::nullopt; // reported where the data is read
  auto header = rt::parseNpyHeader((*file)->getBuffer());
  if (!header) {
    llvm::consumeError(header.takeError());
    return std::nullopt;
  }
  if (!header->fortranOrder)
    return std::nullopt;
  return getPermutedLayout(header->shape, rt::columnMajorStrides(header->shape));
}

int Session::makeInputs() {
  const rt::Plan &plan = program.plan;
  if (specs.size() != plan.numArguments)
    return fail(llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        llvm::formatv("'{0}' takes {1} inputs, but {2} were given with --input",
                      plan.function, plan.numArguments, specs.size())));
  for (auto [index, spec] : llvm::enumerate(specs)) {
    const rt::Value &value = plan.values[index];
    rt::TensorType expected;
    expected.element = value.type;
    for (uint32_t size : value.shape)
      expected.shape.push_back(plan.sizes[size].kind == rt::SizeExpr::Kind::Constant
                                   ? plan.sizes[size].value
                                   : -1);
    auto tensor = rt::makeInput(spec, &expected, index);
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
  compile.target = target;
  compile.chip = chip.str();
  if (!options.dumpDir.empty()) {
    SmallString<128> path(options.dumpDir);
    llvm::sys::path::append(path, "reproducer.mlir");
    compile.reproducer = std::string(path);
  }
  return compile;
}

/// A folder of stages: 01-input.mlir, 02-linalg.mlir, ..., 05-ptx-<kernel>.ptx.
static std::function<void(StringRef, StringRef, StringRef)>
makeDumper(const std::string &folder, std::string &problem) {
  static const llvm::StringMap<std::pair<int, StringRef>> kStages = {
      {"input", {1, "mlir"}},   {"linalg", {2, "mlir"}}, {"kernels", {3, "mlir"}},
      {"lowered", {4, "mlir"}}, {"llvm", {5, "ll"}},     {"ptx", {6, "ptx"}},
      {"cubin", {7, "cubin"}}};
  return [&folder, &problem](StringRef stage, StringRef name, StringRef text) {
    auto [number, suffix] = kStages.lookup(stage);
    SmallString<128> path(folder);
    llvm::sys::path::append(path, llvm::formatv("0{0}-{1}{2}{3}.{4}", number, stage,
                                                name.empty() ? "" : "-", name, suffix)
                                      .str());
    if (llvm::Error error = rt::writeFile(path, text))
      problem = llvm::toString(std::move(error));
  };
}

int Session::obtainProgram() {
  // Whatever decides about the code. On a GPU that includes the driver, which
  // may be asked to assemble it.
  rt::CacheKey key;
  key.add("build", (getVersion() + " " + getRevision() + " LLVM " + LLVM_VERSION_STRING).str());
  key.add("source", source->getBuffer());
  key.add("function", options.function);
  key.add("mode", getName(options.mode));
  key.add("target", std::to_string(int(device->getTarget())));
  key.add("chip", chip);
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
  rt::Cache cache;
  if (options.dumpDir.empty()) // stages are only made by compiling
    cache = rt::Cache::fromEnvironment([](llvm::StringRef why) {
      llvm::WithColor::warning(llvm::errs(), "ew-run") << why << "\n";
    });
  if (std::optional<std::string> entry = cache.lookup(key)) {
    // An entry that does not parse is compiled again.
    llvm::Expected<llvm::json::Value> json = llvm::json::parse(*entry);
    llvm::Expected<rt::Program> found =
        json ? rt::fromJSON(*json) : llvm::Expected<rt::Program>(json.takeError());
    if (found) {
      program = std::move(*found);
      cached = true;
    } else {
      llvm::consumeError(found.takeError());
    }
  }
  if (!cached) {
    if (int code = compileProgram())
      return code;
    cache.store(key, llvm::formatv("{0}", rt::toJSON(program)).str());
  }
  report["function"] = program.plan.function;
  report["cached"] = cached;
  auto created = rt::Executable::create(program, *device);
  if (!created)
    return fail(created.takeError());
  executable = std::move(*created);
  return kSuccess;
}

void Session::setLayouts(func::FuncOp function) {
  for (auto [index, layout] : llvm::enumerate(layouts))
    if (layout && index < function.getNumArguments())
      function.setArgAttr(index, layoutAttrName,
                          DenseI64ArrayAttr::get(context.get(), *layout));
}

int Session::compileProgram() {
  if (int code = parseModule())
    return code;
  FailureOr<func::FuncOp> function = selectFunction(*module, options.function);
  if (failed(function))
    return kFailure;
  setLayouts(*function);
  CompileOptions compileOptions = getCompileOptions(options, device->getTarget(), chip);
  std::string problem;
  if (!options.dumpDir.empty()) {
    if (std::error_code code = llvm::sys::fs::create_directories(options.dumpDir))
      return fail(llvm::createStringError(code, "cannot create " + options.dumpDir + ": " + code.message()));
    compileOptions.onStage = makeDumper(options.dumpDir, problem);
  }
  FailureOr<rt::Program> compiled = compile(*module, options.function, compileOptions);
  if (!problem.empty())
    return fail(llvm::createStringError(llvm::inconvertibleErrorCode(), problem));
  if (failed(compiled))
    return kFailure;
  program = std::move(*compiled);
  return kSuccess;
}

int Session::emitStage() {
  static const llvm::DenseMap<int, StringRef> kNames = {
      {int(Emit::Linalg), "linalg"}, {int(Emit::GPU), "kernels"}, {int(Emit::LLVM), "llvm"},
      {int(Emit::PTX), "ptx"}, {int(Emit::Cubin), "cubin"}};
  if (int code = parseModule())
    return code;
  bool forGPU = options.emit >= Emit::PTX || options.emit == Emit::GPU || options.device != "cpu";
  CompileOptions compileOptions = getCompileOptions(
      options, forGPU ? rt::Target::CUDA : rt::Target::CPU,
      options.chip.empty() ? "sm_80" : options.chip);
  compileOptions.assemble = options.emit == Emit::Cubin;
  compileOptions.singleModule = true;
  StringRef wanted = kNames.lookup(int(options.emit));
  std::vector<std::string> texts;
  compileOptions.onStage = [&](StringRef stage, StringRef, StringRef text) {
    if (stage == wanted)
      texts.push_back(text.str());
  };
  FailureOr<func::FuncOp> function = selectFunction(*module, options.function);
  if (failed(function))
    return kFailure;
  setLayouts(*function);
  if (failed(compile(*module, options.function, compileOptions)))
    return kFailure;
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

int Session::execute() {
  for (const rt::HostTensor &input : inputs) {
    unsigned index = arguments.size();
    if (program.plan.values[index].scalar) {
      arguments.emplace_back(input.getType(), input.getBits(0));
      continue;
    }
    auto buffer = rt::Buffer::allocate(*device, std::max<int64_t>(input.getStorageBytes(), 1));
    if (!buffer)
      return fail(buffer.takeError());
    if (input.getStorageBytes())
      if (llvm::Error error = device->copyToDevice((*buffer)->address(), input.getStorage(),
                                                   input.getStorageBytes()))
        return fail(std::move(error));
    rt::Tensor tensor;
    tensor.type = input.getType();
    tensor.shape.assign(input.getShape().begin(), input.getShape().end());
    tensor.strides.assign(input.getStrides().begin(), input.getStrides().end());
    tensor.offset = input.getOffset();
    tensor.buffer = *buffer;
    arguments.emplace_back(std::move(tensor));
  }
  auto run = executable->run(arguments);
  if (!run)
    return fail(run.takeError());
  invocation = std::move(*run);
  for (const rt::Tensor &result : invocation->getResults()) {
    auto host = rt::HostTensor::createView(result.type, result.shape, result.strides, result.offset);
    if (!host)
      return fail(host.takeError());
    int64_t bytes = std::min<int64_t>(host->getStorageBytes(), result.buffer->bytes());
    if (result.numElements())
      if (llvm::Error error = device->copyToHost(host->getStorage(), result.buffer->address(), bytes))
        return fail(std::move(error));
    results.push_back(std::move(*host));
  }
  return kSuccess;
}

int ewRunMain(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(printVersion);
  rt::removeUnfinishedFilesOnSignals();
  Options options = parseOptions(argc, argv);
  return Session(options).run();
}
