//===- KernelBenchTest.cpp - Schedules timed on a device ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/KernelBench.h"

#include "FakeCuda.h"
#include "TestSupport.h"
#include "ew/Runtime/CudaDevice.h"

#include <dlfcn.h>

using namespace ew;
using namespace ew::tuning;
using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

/// On the fake driver, whose clock goes by the kernel's name alone.
struct KernelBenchTest : testing::Test {
  void SetUp() override {
    handle = dlopen(EW_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    state = reinterpret_cast<FakeCudaState *(*)()>(
        dlsym(handle, "ewFakeCudaState"))();
    *state = FakeCudaState();
    device =
        take(CudaDevice::create(take(cuda::Driver::load(EW_FAKE_CUDA)), 0));
  }
  void TearDown() override {
    tensor.reset();
    device.reset();
    EXPECT_EQ(state->usedBytes, 0u);
    EXPECT_EQ(state->graphs + state->modules + state->contexts, 0);
    dlclose(handle);
  }

  /// One launch of a kernel on 1000 elements; in place, it adds to its
  /// argument.
  Program makeProgram(const std::string &kernel, bool inPlace = false) {
    Program program;
    program.target = Target::CUDA;
    program.modules = {{CodeKind::PTX, "m", ".entry " + kernel + "(\n"}};
    Plan &plan = program.plan;
    plan.function = "f";
    plan.numArguments = 1;
    plan.sizes.push_back({SizeExpr::Kind::Constant, 1000});
    Value in;
    in.type = ElementType::I32;
    in.shape = {0};
    in.inPlace = inPlace;
    Value out = in;
    out.kind = Value::Kind::Temporary;
    plan.values = {in};
    if (!inPlace)
      plan.values.push_back(out);
    plan.results = {inPlace ? 0u : 1u};
    Launch launch;
    launch.name = "f_0";
    launch.loops = {0};
    launch.collapse = {1};
    launch.numInputs = 1;
    Operand operand;
    operand.dimOfLoop = {0};
    launch.operands = {operand, operand};
    launch.operands[1].value = plan.results[0];
    Variant variant;
    variant.kernel = kernel;
    variant.module = 0;
    variant.contiguous = true;
    // One a thread, as the fake's kernels have it: all of them are written.
    variant.elementsPerBlock = variant.block;
    using Kind = KernelArg::Kind;
    variant.args = {{Kind::Pointer, 0, 0, 64},
                    {Kind::Pointer, 1, 0, 64},
                    {Kind::Count, 0, 0, 64}};
    launch.variants = {variant};
    plan.launches = {launch};
    return program;
  }

  std::vector<Argument> makeArguments() {
    std::vector<int> data(1000);
    for (int i = 0; i < 1000; ++i)
      data[i] = i;
    tensor = llvm::cantFail(Buffer::allocate(*device, 4000));
    llvm::cantFail(device->copyToDevice(tensor->address(), data.data(), 4000));
    return {makeTensor(ElementType::I32, {1000}, tensor)};
  }

  /// Twice as fast by the wrong kernel for 64 threads, by the right one for
  /// 256.
  KernelBench::Compile compiler(bool inPlace = false) {
    return [=](const ScheduleChoice &choice) -> llvm::Expected<Program> {
      if (choice.unroll > 1)
        return llvm::createStringError("does not compile");
      return makeProgram(choice.block == 64    ? "add_two_quick"
                         : choice.block == 256 ? "add_one_quick"
                                               : "add_one",
                         inPlace);
    };
  }

  void *handle = nullptr;
  FakeCudaState *state = nullptr;
  std::unique_ptr<CudaDevice> device;
  BufferRef tensor;
  const ScheduleChoice model{128, 4, 1};
};

TEST_F(KernelBenchTest, AFastButWrongScheduleDoesNotWin) {
  for (bool inPlace : {false, true}) {
    std::vector<Argument> arguments = makeArguments();
    std::vector<ScheduleChoice> judged;
    auto judge =
        [&](const ScheduleChoice &choice) -> llvm::Expected<std::string> {
      judged.push_back(choice);
      return std::string();
    };
    auto bench = take(KernelBench::create(*device, compiler(inPlace), arguments,
                                          model, judge));
    EXPECT_TRUE(bench->defeatsCache());
    Space space{true, 4, 1000, model};
    SearchListener listener;
    SearchResult result = take(search(space, *bench, {}, {}, listener));
    EXPECT_EQ(result.entry.schedule.block, 256u);
    EXPECT_NEAR(result.entry.speedup, 2, 1e-3);
    EXPECT_NEAR(result.modelSeconds, 2e-3, 1e-6);
    ASSERT_EQ(judged.size(), 1u);
    EXPECT_EQ(judged[0], result.entry.schedule);
    unsigned wrong = 0, failed = 0;
    for (const Tried &tried : result.tried) {
      EXPECT_EQ(tried.state == Tried::State::Failed, tried.schedule.unroll > 1);
      failed += tried.state == Tried::State::Failed;
      if (tried.state != Tried::State::Wrong)
        continue;
      ++wrong;
      EXPECT_EQ(tried.schedule.block, 64u);
      EXPECT_EQ(tried.note, "element 0 of output 0 is 2, not 1");
    }
    EXPECT_GT(wrong, 0u);
    EXPECT_GT(failed, 0u);
    bench.reset();
    // Whatever ran, the caller's data is what it was.
    std::vector<int> back(1000);
    EXPECT_EQ(
        messageOf(device->copyToHost(back.data(), tensor->address(), 4000)),
        "");
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(back[i], i);
  }
}

TEST_F(KernelBenchTest, TheJudgeHasTheLastWord) {
  std::vector<Argument> arguments = makeArguments();
  auto judge = [&](const ScheduleChoice &) -> llvm::Expected<std::string> {
    return "the oracle says no";
  };
  auto bench =
      take(KernelBench::create(*device, compiler(), arguments, model, judge));
  Space space{true, 4, 1000, model};
  SearchListener listener;
  SearchResult result = take(search(space, *bench, {}, {}, listener));
  EXPECT_TRUE(result.entry.schedule.empty());
  bench.reset();
}

TEST_F(KernelBenchTest, OneLaunchIsAProgram) {
  // The second of two launches: what lies between them is its argument.
  Program two = makeProgram("add_one");
  Plan &plan = two.plan;
  plan.values.push_back(plan.values[1]);
  plan.launches.push_back(plan.launches[0]);
  plan.launches[1].operands[0].value = 1;
  plan.launches[1].operands[1].value = 2;
  plan.results = {2};
  std::vector<Argument> arguments = makeArguments();
  std::vector<Argument> given =
      take(makeLaunchArguments(two, 1, *device, arguments));
  ASSERT_EQ(given.size(), 1u);
  Program second = extractLaunch(two, 1, {1000});
  EXPECT_EQ(messageOf(verify(second)), "");
  EXPECT_EQ(second.plan.launches.size(), 1u);
  auto executable = take(Executable::create(std::move(second), *device));
  auto call = take(executable->run(given));
  std::vector<int> back(1000);
  EXPECT_EQ(messageOf(device->copyToHost(
                back.data(), call->getResults()[0].address(), 4000)),
            "");
  EXPECT_EQ(back[10], 12);
}

} // namespace
