//===- BackOffsTest.cpp - Kernels that take too many registers ------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TestContext.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/CachedVersions.h"
#include "ew/Runtime/PlanRunner.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace mlir;
using namespace ew;
namespace rt = ew::runtime;

namespace {

struct FakeKernel : rt::Kernel {
  FakeKernel(StringRef name, std::string ptx)
      : Kernel(name.str()), ptx(std::move(ptx)) {}
  std::string ptx;
};

struct FakeModule : rt::LoadedModule {
  explicit FakeModule(std::string ptx) : ptx(std::move(ptx)) {}
  llvm::Expected<rt::Kernel *> getKernel(StringRef name) override {
    if (!kernel)
      kernel = std::make_unique<FakeKernel>(name, ptx);
    return kernel.get();
  }
  std::string ptx;
  std::unique_ptr<FakeKernel> kernel;
};

/// A GPU that takes PTX, says of it what it is told to say, and computes
/// nothing.
class FakeGPU : public rt::Device {
public:
  std::function<rt::KernelResources(StringRef ptx)> judge;
  unsigned loaded = 0;

  rt::Target getTarget() const override { return rt::Target::CUDA; }
  std::string getName() const override { return "fake"; }
  std::string getDescription() const override { return "a fake"; }
  std::string getChip() const override { return "sm_90"; }
  llvm::Expected<rt::MemoryInfo> getMemoryInfo() override {
    return rt::MemoryInfo{1 << 30, 1 << 30};
  }
  uint64_t maxGrid() const override { return 1 << 30; }
  bool isHostAccessible() const override { return true; }
  llvm::Expected<uint64_t> allocate(uint64_t bytes) override {
    return uint64_t(std::aligned_alloc(64, llvm::alignTo(bytes, 64)));
  }
  void free(uint64_t address, uint64_t) override {
    std::free(reinterpret_cast<void *>(address));
  }
  llvm::Error copyToDevice(uint64_t to, const void *from,
                           uint64_t bytes) override {
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return llvm::Error::success();
  }
  llvm::Error copyToHost(void *, uint64_t, uint64_t) override {
    return llvm::Error::success();
  }
  llvm::Error copyOnDevice(uint64_t, uint64_t, uint64_t) override {
    return llvm::Error::success();
  }
  llvm::Error fill(uint64_t, uint8_t, uint64_t) override {
    return llvm::Error::success();
  }
  llvm::Expected<std::unique_ptr<rt::LoadedModule>>
  load(const rt::CodeModule &module) override {
    ++loaded;
    return std::make_unique<FakeModule>(module.code);
  }
  llvm::Error launch(rt::Kernel &, const rt::LaunchConfig &) override {
    return llvm::Error::success();
  }
  llvm::Error synchronize() override { return llvm::Error::success(); }
  std::optional<rt::KernelResources> getResources(rt::Kernel &kernel) override {
    return judge(static_cast<FakeKernel &>(kernel).ptx);
  }
};

/// How often a text has another one in it.
unsigned countOf(StringRef text, StringRef part) { return text.count(part); }

/// Spills `bytes` for each exponential beyond the first `fit`.
std::function<rt::KernelResources(StringRef)> spillsBeyond(unsigned fit,
                                                           unsigned bytes) {
  return [=](StringRef ptx) {
    rt::KernelResources resources;
    unsigned count = countOf(ptx, "ex2.approx");
    resources.registers = std::min(255u, 20 + 4 * count);
    resources.spillBytes = count > fit ? (count - fit) * bytes : 0;
    return resources;
  };
}

class BackOffsTest : public ::testing::Test {
protected:
  BackOffsTest() {
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { messages.push_back(diagnostic.str()); });
    options.target = rt::Target::CUDA;
    options.chip = "sm_90";
    options.versions = Versions::OnNeed;
  }

  rt::Program compileText(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    FailureOr<rt::Program> program = compile(*module, "", options);
    EXPECT_TRUE(succeeded(program));
    return succeeded(program) ? *program : rt::Program();
  }

  /// Prepares a call on tensors of f32 of a size.
  std::unique_ptr<rt::Invocation> prepare(rt::Executable &executable,
                                          int64_t size = 1 << 20) {
    std::vector<rt::Argument> arguments;
    for (unsigned i = 0; i < executable.getPlan().numArguments; ++i)
      arguments.push_back(rt::makeTensor(
          rt::ElementType::F32, {size},
          llvm::cantFail(rt::Buffer::allocate(gpu, uint64_t(size) * 4))));
    auto invocation = executable.prepare(arguments);
    if (!invocation) {
      ADD_FAILURE() << llvm::toString(invocation.takeError());
      return nullptr;
    }
    return std::move(*invocation);
  }
  std::unique_ptr<rt::Executable> makeExecutable(rt::Program program) {
    return llvm::cantFail(rt::Executable::create(std::move(program), gpu));
  }

  FakeGPU gpu;
  test::TestContext context;
  OwningOpRef<ModuleOp> module;
  CompileOptions options;
  std::vector<std::string> messages;
};

constexpr const char *kExp = R"(
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.exp %x : tensor<?xf32>
  return %0 : tensor<?xf32>
})";

/// Two chains that meet at the end: there are places to cut at.
constexpr const char *kChains = R"(
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = ew.exp %x : tensor<?xf32>
  %1 = ew.mul %0, %x : tensor<?xf32>
  %2 = ew.exp %y : tensor<?xf32>
  %3 = ew.mul %2, %y : tensor<?xf32>
  %4 = ew.add %1, %3 : tensor<?xf32>
  return %4, %3 : tensor<?xf32>, tensor<?xf32>
})";

/// One after another until it fits; then nobody asks again.
TEST_F(BackOffsTest, LessUnroll) {
  options.schedule = {128, 4, 8};
  auto executable = makeExecutable(compileText(kExp));
  unsigned perVector = 0;
  gpu.judge = [&](StringRef ptx) {
    // The code says how many elements a thread has, and once more how the last
    // ones are taken, one vector after the other.
    unsigned count = countOf(ptx, "ld.global.v4");
    count -= count > 1;
    perVector = std::max(perVector, count);
    rt::KernelResources resources;
    resources.registers = 100;
    resources.spillBytes = count > 2 ? count * 4 : 0;
    return resources;
  };
  auto first = prepare(*executable);
  ASSERT_TRUE(first);
  const rt::Plan &plan = executable->getPlan();
  EXPECT_EQ(perVector, 8u);
  EXPECT_EQ(plan.launches[0].schedule, "block=128,elements=4,unroll=2");
  EXPECT_EQ(plan.launches[0].scheduleSource, "--schedule, backed off");
  EXPECT_EQ(first->getLaunches()[0].getVariant().elementsPerBlock, 128 * 4 * 2);
  EXPECT_EQ(gpu.loaded, 3u);
  ASSERT_EQ(plan.backOffs.size(), 1u);
  EXPECT_TRUE(plan.backOffs[0].done);
  EXPECT_EQ(plan.backOffs[0].kept, 2u);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(
      messages[0],
      "kernel 'f_0_exp': block=128,elements=4,unroll=8 spills 32 bytes a "
      "thread (100 registers) (--schedule), block=128,elements=4,unroll=4 "
      "spills 16 bytes a thread (100 registers), "
      "block=128,elements=4,unroll=2 spills nothing (100 registers); "
      "block=128,elements=4,unroll=2 it is");
  auto second = prepare(*executable);
  EXPECT_EQ(gpu.loaded, 3u);
  // Who has prepared a call before knows the plan that it was prepared for.
  EXPECT_EQ(first->getLaunches()[0].launch->schedule,
            plan.launches[0].schedule);
}

/// A call that was prepared before goes on with what it has, when another one
/// finds that a version of its own spills.
TEST_F(BackOffsTest, EarlierCallsKeepTheirPlan) {
  options.schedule = {128, 4, 2};
  auto executable = makeExecutable(compileText(kExp));
  gpu.judge = [](StringRef ptx) {
    rt::KernelResources resources;
    resources.registers = 100;
    // But for the version of aligned buffers.
    resources.spillBytes = ptx.contains("f_0_exp_wide") ? 0 : 64;
    return resources;
  };
  auto first = prepare(*executable);
  ASSERT_TRUE(first);
  EXPECT_TRUE(executable->getPlan().backOffs.empty());
  rt::Tensor whole =
      rt::makeTensor(rt::ElementType::F32, {1025},
                     llvm::cantFail(rt::Buffer::allocate(gpu, 1025 * 4)));
  rt::Tensor view = whole;
  view.shape = {1024};
  view.offset += 1;
  auto second = executable->prepare({rt::Argument(view)});
  ASSERT_TRUE(bool(second)) << llvm::toString(second.takeError());
  EXPECT_FALSE(executable->getPlan().backOffs.empty());
  EXPECT_EQ(first->getLaunches()[0].launch->schedule,
            "block=128,elements=4,unroll=2");
  EXPECT_EQ(messages.size(), 1u);
}

TEST_F(BackOffsTest, WhatIsNoSpill) {
  options.schedule = {128, 4, 8};
  auto executable = makeExecutable(compileText(kExp));
  gpu.judge = [](StringRef ptx) {
    rt::KernelResources resources;
    resources.registers = 40;
    return resources;
  };
  ASSERT_TRUE(prepare(*executable));
  EXPECT_TRUE(executable->getPlan().backOffs.empty());
  EXPECT_TRUE(messages.empty());
}

/// 39 registers, and `spilled` bytes where they are limited.
std::function<rt::KernelResources(StringRef)> takes39(unsigned spilled) {
  return [=](StringRef ptx) {
    rt::KernelResources resources;
    bool limited = ptx.contains(".maxnreg 32");
    resources.registers = limited ? 32 : 39;
    resources.spillBytes = limited ? spilled : 0;
    return resources;
  };
}

/// Many elements get the version of fewer registers, few the one without a
/// limit.
TEST_F(BackOffsTest, RoomForAllThreads) {
  constexpr int64_t many = int64_t(132) * 1536 * 4;
  auto executable = makeExecutable(compileText(kExp));
  gpu.judge = takes39(0);
  auto kernelOf = [&](int64_t size) {
    auto call = prepare(*executable, size);
    return call ? call->getLaunches()[0].getVariant().kernel : "";
  };
  const rt::Plan &plan = executable->getPlan();
  EXPECT_EQ(kernelOf(many - 1), "f_0_exp_wide");
  EXPECT_EQ(plan.launches[0].schedule, "block=256,elements=4,unroll=1");
  EXPECT_TRUE(plan.backOffs.empty());
  EXPECT_EQ(kernelOf(many), "f_0_exp_wide");
  EXPECT_EQ(plan.launches[0].schedule,
            "block=256,elements=4,unroll=1,registers=32");
  EXPECT_EQ(plan.launches[0].scheduleSource, "model, backed off");
  EXPECT_EQ(gpu.loaded, 2u);
  EXPECT_EQ(kernelOf(many - 1), "f_0_exp_wide1");
  EXPECT_EQ(kernelOf(many), "f_0_exp_wide");
  EXPECT_EQ(gpu.loaded, 3u);
  ASSERT_EQ(plan.backOffs.size(), 1u);
  EXPECT_TRUE(plan.backOffs[0].done);
  EXPECT_EQ(plan.backOffs[0].kept, 1u);
  EXPECT_TRUE(messages.empty());

  // Who compiles the program again begins where this ended.
  options.backOffs = plan.backOffs;
  rt::Program again = compileText(kExp);
  EXPECT_EQ(again.plan.launches[0].schedule, plan.launches[0].schedule);
  EXPECT_EQ(again.plan.launches[0].variants.size(),
            plan.launches[0].variants.size());
}

TEST_F(BackOffsTest, RoomIsNotPaidWithSpills) {
  auto executable = makeExecutable(compileText(kExp));
  gpu.judge = takes39(8);
  for (unsigned i = 0; i < 2; ++i) {
    auto call = prepare(*executable);
    ASSERT_TRUE(call);
    EXPECT_EQ(call->getLaunches()[0].getVariant().kernel, "f_0_exp_wide");
    EXPECT_EQ(executable->getPlan().launches[0].schedule,
              "block=256,elements=4,unroll=1");
  }
  EXPECT_EQ(gpu.loaded, 3u); // as it was at first, under its limit, as it was
  EXPECT_TRUE(messages.empty());
}

/// Where multiprocessors hold fewer threads, where a schedule is given, and
/// where there are known to be few elements.
TEST_F(BackOffsTest, RoomThatIsNoUse) {
  gpu.judge = takes39(0);
  auto stays = [&](StringRef text) {
    auto executable = makeExecutable(compileText(text));
    ASSERT_TRUE(prepare(*executable, 1 << 20));
    EXPECT_FALSE(StringRef(executable->getPlan().launches[0].schedule)
                     .contains("registers"));
  };
  options.chip = "sm_86";
  stays(kExp);
  options.chip = "sm_90";
  options.schedule = {128, 4, 1};
  stays(kExp);
  options.schedule = {};
  options.findSchedules = [](const rt::Plan &plan) {
    return std::vector<KernelSchedule>{{{128, 4, 1}, "tuned (database)"}};
  };
  stays(kExp);
}

TEST_F(BackOffsTest, NotWhereNobodyWantsIt) {
  options.schedule = {128, 4, 8};
  options.backOff = false;
  auto executable = makeExecutable(compileText(kExp));
  gpu.judge = spillsBeyond(0, 8);
  ASSERT_TRUE(prepare(*executable));
  EXPECT_EQ(executable->getPlan().launches[0].schedule,
            "block=128,elements=4,unroll=8");
  EXPECT_TRUE(messages.empty());
}

/// What was measured to be the fastest stays, and what it spills is said.
TEST_F(BackOffsTest, FoundSchedulesStay) {
  options.findSchedules = [](const rt::Plan &plan) {
    return std::vector<KernelSchedule>{{{128, 4, 8}, "tuned (database)"}};
  };
  auto executable = makeExecutable(compileText(kChains));
  gpu.judge = spillsBeyond(0, 800);
  ASSERT_TRUE(prepare(*executable));
  const rt::Plan &plan = executable->getPlan();
  ASSERT_EQ(plan.launches.size(), 1u);
  EXPECT_EQ(plan.launches[0].schedule, "block=128,elements=4,unroll=8");
  EXPECT_EQ(plan.launches[0].scheduleSource, "tuned (database)");
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("(tuned (database)); it stays"), std::string::npos)
      << messages[0];
  ASSERT_TRUE(prepare(*executable));
  EXPECT_EQ(messages.size(), 1u);
}

/// The last resort. Parts are judged like any other kernel.
TEST_F(BackOffsTest, Split) {
  options.schedule = {128, 4, 4};
  auto executable = makeExecutable(compileText(kChains));
  // Of the chains together, every schedule spills; of one of them, only more
  // than two elements.
  gpu.judge = [](StringRef ptx) {
    rt::KernelResources resources;
    resources.registers = 255;
    bool part = ptx.contains("_part_");
    bool two = ptx.contains("ld.global.v4") || ptx.contains("ld.global.v2");
    resources.spillBytes = part && !two ? 0 : 4000;
    return resources;
  };
  auto call = prepare(*executable);
  ASSERT_TRUE(call);
  const rt::Plan &plan = executable->getPlan();
  ASSERT_EQ(plan.launches.size(), 2u);
  for (const rt::Launch &launch : plan.launches) {
    EXPECT_EQ(launch.schedule, "block=128,elements=1,unroll=1");
    EXPECT_EQ(launch.scheduleSource, "--schedule, backed off");
  }
  EXPECT_EQ(call->getLaunches().size(), 2u);
  ASSERT_EQ(plan.backOffs.size(), 3u);
  EXPECT_TRUE(plan.backOffs[0].isSplit());
  EXPECT_FALSE(plan.backOffs[1].isSplit());
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_TRUE(
      StringRef(messages[0]).ends_with("; it was split into two kernels"))
      << messages[0];
  EXPECT_EQ(plan.results.size(), 2u);

  // Who compiles the program again begins where this ended.
  options.backOffs = plan.backOffs;
  messages.clear();
  rt::Program again = compileText(kChains);
  ASSERT_EQ(again.plan.launches.size(), 2u);
  for (auto [launch, before] : llvm::zip(again.plan.launches, plan.launches)) {
    EXPECT_EQ(launch.schedule, before.schedule);
    EXPECT_EQ(launch.scheduleSource, before.scheduleSource);
    EXPECT_EQ(launch.fingerprint, before.fingerprint);
    EXPECT_EQ(launch.name, before.name);
  }
  unsigned loaded = gpu.loaded;
  auto other = makeExecutable(std::move(again));
  ASSERT_TRUE(prepare(*other));
  EXPECT_EQ(gpu.loaded, loaded + 2);
  EXPECT_TRUE(messages.empty());
}

/// Where more bytes would be passed on than are spilled.
TEST_F(BackOffsTest, NotEverySpillIsWorthASplit) {
  options.schedule = {128, 4, 1};
  auto executable = makeExecutable(compileText(kChains));
  gpu.judge = [](StringRef) {
    rt::KernelResources resources;
    resources.registers = 255;
    resources.spillBytes = 4;
    return resources;
  };
  ASSERT_TRUE(prepare(*executable));
  const rt::Plan &plan = executable->getPlan();
  EXPECT_EQ(plan.launches.size(), 1u);
  // All the same, so it is what was wanted.
  EXPECT_EQ(plan.launches[0].schedule, "block=128,elements=4,unroll=1");
  EXPECT_EQ(plan.launches[0].scheduleSource, "--schedule");
}

/// The other kernels of a function stay as they are.
TEST_F(BackOffsTest, OfSeveralKernels) {
  auto executable = makeExecutable(compileText(R"(
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
  %0 = ew.exp %x : tensor<?xf32>
  %c = ew.constant dense<1.0> : tensor<4xf32>
  %1 = ew.exp %c : tensor<4xf32>
  return %0, %1 : tensor<?xf32>, tensor<4xf32>
})"));
  gpu.judge = [](StringRef ptx) {
    rt::KernelResources resources;
    resources.registers = 100;
    resources.spillBytes = ptx.contains("f_0_exp_wide") ? 64 : 0;
    return resources;
  };
  ASSERT_TRUE(prepare(*executable));
  EXPECT_EQ(executable->getPlan().backOffs.size(), 1u);
  EXPECT_EQ(executable->getPlan().launches.back().scheduleSource, "model");
}

/// From the cache comes what was settled, and nothing is tried again.
TEST_F(BackOffsTest, CachedOutcome) {
  options.schedule = {128, 4, 8};
  SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ew-back-offs", folder));
  rt::Cache cache(folder, rt::Cache::kDefaultMaxBytes, nullptr);
  rt::CacheKey key = rt::CacheKey().add("test", "f");
  unsigned made = 0;
  auto runOnce = [&](rt::Program program) {
    program.source = std::make_shared<rt::CachedVersions>(
        cache, key,
        [&](const rt::Program &wanted)
            -> llvm::Expected<std::shared_ptr<rt::VersionSource>> {
          ++made;
          options.backOffs = wanted.plan.backOffs;
          return compileText(kExp).source;
        });
    auto executable = makeExecutable(std::move(program));
    ASSERT_TRUE(prepare(*executable));
    EXPECT_EQ(executable->getPlan().launches[0].schedule,
              "block=128,elements=4,unroll=1");
  };
  bool early = false;
  gpu.judge = [&](StringRef ptx) {
    rt::KernelResources resources;
    resources.registers = 100;
    resources.spillBytes = countOf(ptx, "ld.global.v4") > 1 ? 32 : 0;
    early |= resources.spillBytes && cache.lookup(rt::getSettledKey(key));
    return resources;
  };
  rt::Program program = compileText(kExp);
  EXPECT_EQ(cache.lookup(rt::getSettledKey(key)), std::nullopt);
  runOnce(program);
  EXPECT_EQ(made, 1u);
  EXPECT_EQ(gpu.loaded, 4u);
  EXPECT_FALSE(early); // nobody could go on from there
  std::optional<std::string> entry = cache.lookup(rt::getSettledKey(key));
  ASSERT_TRUE(entry);
  auto settled = rt::fromJSON(llvm::cantFail(llvm::json::parse(*entry)));
  ASSERT_TRUE(bool(settled)) << llvm::toString(settled.takeError());
  runOnce(*settled);
  EXPECT_EQ(made, 1u);
  EXPECT_EQ(gpu.loaded, 5u);
  EXPECT_EQ(messages.size(), 1u);
  llvm::sys::fs::remove_directories(folder);
}

/// Arrays that a program declares are no spills.
TEST(LocalBytes, Declared) {
  StringRef ptx = ".visible .entry f_0(\n)\n{\n"
                  "\t.local .align 8 .b8 \t__local_depot0[28];\n}\n"
                  ".visible .entry f_0_wide(\n)\n{\n"
                  "\t.local .align 8 .b64 \t__local_depot1[8];\n}\n"
                  ".func (.param .b32 r) g(\n)\n{\n"
                  "\t.local .align 4 .b8 \t__local_depot2[4];\n}\n";
  EXPECT_EQ(rt::getDeclaredLocalBytes(ptx, "f_0"), 32u);
  EXPECT_EQ(rt::getDeclaredLocalBytes(ptx, "f_0_wide"), 72u);
  EXPECT_EQ(rt::getDeclaredLocalBytes(ptx, "f"), 8u);
}

} // namespace
