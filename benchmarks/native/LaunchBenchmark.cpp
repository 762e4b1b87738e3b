//===- LaunchBenchmark.cpp - What the host does for a launch --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch through the C++ API beside a bare cuLaunchKernel with the same
// arguments, on a GPU where there is one, else on the tests' driver without a
// GPU.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Runtime/Geometry.h"
#include "ew/Runtime/PlanRunner.h"

#include <benchmark/benchmark.h>
#include <chrono>

using namespace ew;
using namespace ew::benchmarks;
namespace rt = ew::runtime;

namespace {

constexpr const char *kAdd = R"(
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
})";
constexpr const char *kRow = R"(
func.func @f(%x: tensor<?x?xf32>, %row: tensor<?xf32>) -> tensor<?x?xf32> {
  %r = ew.broadcast %row like(%x : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
  %0 = ew.add %x, %r : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
})";

constexpr const char *kFiveDims = R"(
func.func @f(%x: tensor<?x?x?x?x?xbf16>) -> tensor<?x?x?x?x?xbf16> {
  %0 = ew.neg %x : tensor<?x?x?x?x?xbf16>
  return %0 : tensor<?x?x?x?x?xbf16>
})";

constexpr const char *kTranspose = R"(
func.func @f(%x: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
  %0 = ew.transpose %x [0, 2, 1] : tensor<?x?x?xbf16> to tensor<?x?x?xbf16>
  %1 = ew.neg %0 : tensor<?x?x?xbf16>
  return %1 : tensor<?x?x?xbf16>
})";

/// Small, so that the device never has more to do than the host.
constexpr int64_t kElements = 1024;
/// Fewer than a stream's queue holds.
constexpr unsigned kBatch = 256;
/// The time that is shown is of one launch, and not of all that an iteration
/// does, so that the number of iterations is given.
constexpr unsigned kIterations = 200;

/// A program on a device, and a call of it with dense tensors.
struct Call {
  Call(benchmark::State &state, const char *text, rt::ElementType type,
       llvm::ArrayRef<std::vector<int64_t>> shapes) {
    llvm::Expected<std::unique_ptr<rt::CudaDevice>> opened = openDevice();
    if (!opened) {
      state.SkipWithError(llvm::toString(opened.takeError()).c_str());
      return;
    }
    device = std::move(*opened);
    state.SetLabel(device->getDescription());
    context = makeContext();
    auto module = parse(text, *context);
    executable = llvm::cantFail(rt::Executable::create(
        plan(*module, rt::Target::CUDA, device->getChip()), *device));
    for (llvm::ArrayRef<int64_t> shape : shapes)
      arguments.emplace_back(
          rt::makeTensor(type, shape,
                         llvm::cantFail(rt::Buffer::allocate(
                             *device, *rt::getDenseBytes(type, shape)))));
    invocation = llvm::cantFail(executable->prepare(arguments));
  }
  /// An addition.
  explicit Call(benchmark::State &state)
      : Call(state, kAdd, rt::ElementType::F32, {{kElements}, {kElements}}) {}
  explicit operator bool() const { return bool(invocation); }

  std::unique_ptr<rt::CudaDevice> device;
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<rt::Executable> executable;
  std::vector<rt::Argument> arguments;
  std::unique_ptr<rt::Invocation> invocation;
};

/// Times what puts a launch into the queue, without the queue's work.
template <typename Work>
void timeLaunches(benchmark::State &state, Call &call, Work work) {
  for (auto _ : state) {
    auto begin = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < kBatch; ++i)
      work();
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - begin;
    state.SetIterationTime(spent.count() / kBatch);
    llvm::cantFail(call.device->synchronize());
  }
}

void launch(benchmark::State &state) {
  Call call(state);
  if (call)
    timeLaunches(state, call,
                 [&] { llvm::cantFail(call.invocation->launch()); });
}
BENCHMARK(launch)->Name("launch/api")->UseManualTime()->Iterations(kIterations);

/// The same kernel with as many arguments, by the driver alone.
void launchBare(benchmark::State &state) {
  Call call(state);
  if (!call)
    return;
  const rt::cuda::Driver &driver = call.device->getDriver();
  const rt::LaunchInfo &info = call.invocation->getLaunches()[0];
  const rt::Program &program = call.executable->getProgram();
  rt::cuda::DeviceId id;
  rt::cuda::Context context, popped;
  rt::cuda::Module module;
  rt::cuda::Function function;
  rt::cuda::Stream stream;
  bool failed = driver.deviceGet(&id, 0) ||
                driver.primaryCtxRetain(&context, id) ||
                driver.ctxPushCurrent(context) ||
                driver.streamCreate(&stream, rt::cuda::kStreamNonBlocking) ||
                driver.moduleLoadData(&module, program.modules[0].code.c_str(),
                                      0, nullptr, nullptr) ||
                driver.moduleGetFunction(&function, module,
                                         info.getVariant().kernel.c_str());
  if (failed)
    return state.SkipWithError("the driver refused");
  uint64_t slots[4] = {call.arguments[0].tensor.address(),
                       call.arguments[1].tensor.address(),
                       call.invocation->getResults()[0].address(), kElements};
  void *args[4] = {&slots[0], &slots[1], &slots[2], &slots[3]};
  timeLaunches(state, call, [&] {
    benchmark::DoNotOptimize(driver.launchKernel(
        function, info.grid, 1, 1, info.block, 1, 1, 0, stream, args, nullptr));
  });
  driver.streamSynchronize(stream);
  driver.streamDestroy(stream);
  driver.moduleUnload(module);
  driver.ctxPopCurrent(&popped);
  driver.primaryCtxRelease(id);
}
BENCHMARK(launchBare)
    ->Name("launch/bare")
    ->UseManualTime()
    ->Iterations(kIterations);

/// Everything about a call: sizes, memory, the choice of versions.
void timePrepare(benchmark::State &state, Call call) {
  if (!call)
    return;
  std::optional<rt::Tensor> output = call.invocation->getResults()[0];
  for (auto _ : state)
    benchmark::DoNotOptimize(
        llvm::cantFail(call.executable->prepare(call.arguments, output)));
}

void prepare(benchmark::State &state) { timePrepare(state, Call(state)); }
BENCHMARK(prepare)->Name("launch/prepare");

/// Of a kernel that has some twenty versions, most of which are passed over.
void prepareTile(benchmark::State &state, int64_t channels) {
  timePrepare(state, Call(state, kTranspose, rt::ElementType::BF16,
                          {{1, 50176, channels}}));
}
BENCHMARK_CAPTURE(prepareTile, of_3_channels, 3)
    ->Name("launch/prepare_tile_of_3_channels");
BENCHMARK_CAPTURE(prepareTile, of_100_channels, 100)
    ->Name("launch/prepare_tile_of_100_channels");

/// Adds in one graph, each of which reads what the last one wrote, on three
/// buffers in turn: the device's time for one.
void dependentAdds(benchmark::State &state) {
  constexpr unsigned kLaunches = 200;
  llvm::Expected<std::unique_ptr<rt::CudaDevice>> opened = openDevice();
  if (!opened)
    return state.SkipWithError(llvm::toString(opened.takeError()).c_str());
  std::unique_ptr<rt::CudaDevice> device = std::move(*opened);
  state.SetLabel(device->getDescription());
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  auto module = parse(kAdd, *context);
  CompileOptions options;
  options.target = rt::Target::CUDA;
  options.chip = device->getChip();
  options.dependentLaunch = state.range(1);
  auto program = compile(*module, "", options);
  if (failed(program))
    return state.SkipWithError("a program does not compile");
  auto executable =
      llvm::cantFail(rt::Executable::create(std::move(*program), *device));
  int64_t elements = state.range(0);
  std::vector<rt::Tensor> buffers;
  for (int i = 0; i < 3; ++i) {
    rt::BufferRef buffer =
        llvm::cantFail(rt::Buffer::allocate(*device, 4 * elements));
    llvm::cantFail(device->fill(buffer->address(), 0, 4 * elements));
    buffers.push_back(rt::makeTensor(rt::ElementType::F32, {elements}, buffer));
  }
  std::vector<std::unique_ptr<rt::Invocation>> calls;
  for (int i = 0; i < 3; ++i)
    calls.push_back(llvm::cantFail(
        executable->prepare({buffers[i], buffers[(i + 1) % 3]},
                            std::optional<rt::Tensor>(buffers[(i + 2) % 3]))));
  auto graph = llvm::cantFail(device->record([&]() -> llvm::Error {
    for (unsigned i = 0; i < kLaunches; ++i)
      if (llvm::Error error = calls[i % 3]->launch())
        return error;
    return llvm::Error::success();
  }));
  llvm::cantFail(graph->replay());
  for (auto _ : state)
    state.SetIterationTime(
        llvm::cantFail(device->time([&] { return graph->replay(); })) /
        kLaunches);
}
BENCHMARK(dependentAdds)
    ->Name("graph/adds")
    ->ArgNames({"elements", "dependent_launch"})
    ->ArgsProduct({{1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20}, {0, 1}})
    ->UseManualTime()
    ->Iterations(kIterations)
    ->Unit(benchmark::kMicrosecond);

/// Which version a launch takes, where its buffers and sizes are known.
void timeChoice(benchmark::State &state, const rt::Launch &launch,
                const rt::Geometry &geometry) {
  uint32_t chosen = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        chosen = llvm::cantFail(rt::chooseVariant(launch, geometry, INT_MAX)));
  state.SetLabel(launch.variants[chosen].kernel);
}

void choose(benchmark::State &state, int64_t offset, int64_t gap) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  auto module = parse(kRow, *context);
  rt::Program program = plan(*module, rt::Target::CUDA, "sm_90");
  const rt::Launch &launch = program.plan.launches[0];
  auto tensor = [&](llvm::ArrayRef<int64_t> shape) {
    return rt::makeTensor(rt::ElementType::F32, shape,
                          rt::Buffer::wrap(1 << 20, 1 << 20));
  };
  rt::Tensor x = tensor({64, 64}), row = tensor({64}), out = tensor({64, 64});
  x.strides[0] += gap;
  x.offset = offset;
  rt::Geometry geometry =
      llvm::cantFail(rt::computeGeometry(launch, {64, 64}, {&x, &row, &out}));
  timeChoice(state, launch, geometry);
}

/// The same among tiles, of which the host takes one of the fullest.
void chooseTile(benchmark::State &state, int64_t channels) {
  constexpr int64_t kImages = 32, kPixels = 50176;
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  auto module = parse(kTranspose, *context);
  rt::Program program = plan(*module, rt::Target::CUDA, "sm_90");
  const rt::Launch &launch = program.plan.launches[0];
  auto tensor = [&](llvm::ArrayRef<int64_t> shape) {
    return rt::makeTensor(rt::ElementType::BF16, shape,
                          rt::Buffer::wrap(1 << 20, int64_t(1) << 40));
  };
  rt::Tensor x = tensor({kImages, kPixels, channels}),
             out = tensor({kImages, channels, kPixels});
  timeChoice(state, launch,
             llvm::cantFail(rt::computeGeometry(
                 launch, {kImages, channels, kPixels}, {&x, &out})));
}
BENCHMARK_CAPTURE(chooseTile, of_3_channels, 3)
    ->Name("choose_version/tile_of_3_channels");
BENCHMARK_CAPTURE(chooseTile, of_100_channels, 100)
    ->Name("choose_version/tile_of_100_channels");

/// The last but one, of views that no version for slices takes.
void chooseView(benchmark::State &state) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  auto module = parse(kFiveDims, *context);
  rt::Program program = plan(*module, rt::Target::CUDA, "sm_90");
  const rt::Launch &launch = program.plan.launches[0];
  rt::Tensor out = rt::makeTensor(rt::ElementType::BF16, {64, 8, 8, 8, 64},
                                  rt::Buffer::wrap(1 << 20, int64_t(1) << 40));
  rt::Tensor x = out;
  // No elements lie side by side, and gaps keep loops apart.
  for (int64_t &stride : x.strides)
    stride = 3 * stride + 1;
  timeChoice(state, launch,
             llvm::cantFail(
                 rt::computeGeometry(launch, {64, 8, 8, 8, 64}, {&x, &out})));
}
BENCHMARK(chooseView)->Name("choose_version/view_of_5_dimensions");

BENCHMARK_CAPTURE(choose, first, 0, 0)->Name("choose_version/first");
BENCHMARK_CAPTURE(choose, second, 1, 0)->Name("choose_version/second");
BENCHMARK_CAPTURE(choose, third, 0, 1)->Name("choose_version/third");

} // namespace
