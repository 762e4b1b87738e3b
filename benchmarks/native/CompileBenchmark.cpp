//===- CompileBenchmark.cpp - From text to code, and from the cache -------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each program in a context that has compiled another one before: the second
// program of a warm process. The time is that of everything up to PTX or an
// object file for the first version of each kernel; counters have its parts in
// milliseconds. What the driver needs to load PTX is not in it.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "ew/Runtime/CachedVersions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <benchmark/benchmark.h>
#include <chrono>

using namespace ew;
using namespace ew::benchmarks;
namespace rt = ew::runtime;

namespace {
using Clock = std::chrono::steady_clock;

/// Milliseconds, added up over iterations.
struct Stage {
  double total = 0;
  template <typename Work>
  auto operator()(Work work) {
    auto begin = Clock::now();
    auto result = work();
    std::chrono::duration<double, std::milli> spent = Clock::now() - begin;
    total += spent.count();
    return result;
  }
};

constexpr const char *kOther = R"(
func.func @other(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %0 = ew.sub %x, %y : tensor<?xbf16>
  %1 = ew.tanh %0 : tensor<?xbf16>
  return %1 : tensor<?xbf16>
})";
constexpr const char *kChip = "sm_90";

rt::Program compileText(const std::string &text, mlir::MLIRContext &context,
                        rt::Target target, Stage (&stages)[3]) {
  auto module = stages[0]([&] { return parse(text, context); });
  rt::Program program = stages[1]([&] { return plan(*module, target, kChip); });
  std::vector<rt::VersionId> versions = getFirstVersions(program);
  auto code =
      stages[2]([&] { return program.source->compile(program, versions); });
  for (auto [id, made] :
       llvm::zip_equal(versions, llvm::cantFail(std::move(code))))
    program.add(id, std::move(made));
  program.source.reset();
  return program;
}

void compileProgram(benchmark::State &state, const std::string &text,
                    rt::Target target) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  Stage warm[3], stages[3];
  compileText(kOther, *context, target, warm);
  size_t bytes = 0, kernels = 0;
  for (auto _ : state) {
    rt::Program program = compileText(text, *context, target, stages);
    bytes = 0;
    kernels = program.modules.size();
    for (const rt::CodeModule &module : program.modules)
      bytes += module.code.size();
  }
  const char *names[] = {"parse_ms", "plan_ms", "code_ms"};
  for (auto [stage, name] : llvm::zip_equal(stages, names))
    state.counters[name] =
        benchmark::Counter(stage.total, benchmark::Counter::kAvgIterations);
  state.counters["code_kB"] = bytes / 1000.0;
  state.counters["kernels"] = kernels;
}

/// From text to loaded kernels, on a GPU. The driver keeps nothing of a run
/// before.
void loadProgram(benchmark::State &state, const std::string &text) {
  ::setenv("CUDA_CACHE_DISABLE", "1", 1);
  llvm::Expected<std::unique_ptr<rt::CudaDevice>> opened = openDevice();
  if (!opened)
    return state.SkipWithError(llvm::toString(opened.takeError()).c_str());
  std::unique_ptr<rt::CudaDevice> device = std::move(*opened);
  state.SetLabel(device->getDescription());
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  auto load = [&](const std::string &text, Stage(&stages)[2]) {
    Stage compiling[3];
    rt::Program program = stages[0]([&] {
      return compileText(text, *context, rt::Target::CUDA, compiling);
    });
    return stages[1]([&] {
      std::vector<std::unique_ptr<rt::LoadedModule>> modules;
      for (rt::VersionId id : getFirstVersions(program)) {
        modules.push_back(
            llvm::cantFail(device->load(program.modules[*program[id].module])));
        llvm::cantFail(modules.back()->getKernel(program[id].kernel));
      }
      return modules;
    });
  };
  Stage warm[2], stages[2];
  load(kOther, warm);
  for (auto _ : state)
    load(text, stages);
  state.counters["compile_ms"] =
      benchmark::Counter(stages[0].total, benchmark::Counter::kAvgIterations);
  state.counters["driver_ms"] =
      benchmark::Counter(stages[1].total, benchmark::Counter::kAvgIterations);
}

/// A program and the version that a call needs, from the disk to memory.
void hitCache(benchmark::State &state, const std::string &text) {
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("ew-benchmark", folder))
    return state.SkipWithError("no temporary directory");
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  auto module = parse(text, *context);
  rt::CacheKey key;
  key.add("source", text);
  rt::Cache cache(folder, rt::Cache::kDefaultMaxBytes, nullptr);
  unsigned compiled = 0;
  auto load = [&] {
    std::optional<std::string> entry = cache.lookup(key);
    rt::Program program =
        llvm::cantFail(rt::fromJSON(llvm::cantFail(llvm::json::parse(*entry))));
    rt::CachedVersions versions(cache, key, [&](const rt::Program &) {
      ++compiled;
      return plan(*module, rt::Target::CUDA, kChip).source;
    });
    return llvm::cantFail(versions.compile(program, getFirstVersions(program)));
  };
  rt::Program program = plan(*module, rt::Target::CUDA, kChip);
  cache.store(key, llvm::formatv("{0}", rt::toJSON(program)).str());
  load();
  for (auto _ : state)
    benchmark::DoNotOptimize(load());
  if (compiled != 1)
    state.SkipWithError("the cache was missed");
  llvm::sys::fs::remove_directories(folder);
}

/// Registers what depends on files and lists before main runs.
struct Registration {
  Registration() {
    using namespace benchmark;
    for (auto [target, name] : {std::pair(rt::Target::CUDA, "ptx"),
                                std::pair(rt::Target::CPU, "cpu")}) {
      auto add = [target = target, name = name](std::string program,
                                                std::string text) {
        RegisterBenchmark(
            (std::string("compile/") + name + "/" + program).c_str(),
            [=](State &state) { compileProgram(state, text, target); })
            ->Unit(kMillisecond)
            ->MeasureProcessCPUTime()
            ->UseRealTime();
      };
      for (const Text &workload : getWorkloads())
        add(workload.name, workload.text);
      for (bool sines : {false, true})
        for (unsigned ops : {100, 1000, 10000})
          add((sines ? "sines_" : "chain_") + std::to_string(ops),
              makeChain(ops, sines));
    }
    for (const Text &workload : getWorkloads())
      RegisterBenchmark(
          ("load/" + workload.name).c_str(),
          [text = workload.text](State &state) { loadProgram(state, text); })
          ->Unit(kMillisecond)
          ->UseRealTime();
    for (const Text &workload : getWorkloads())
      if (workload.name == "mul_sin_exp_f32" ||
          workload.name == "black_scholes_f32")
        RegisterBenchmark(
            ("cache_hit/" + workload.name).c_str(),
            [text = workload.text](State &state) { hitCache(state, text); })
            ->Unit(kMicrosecond);
  }
} registration;
} // namespace
