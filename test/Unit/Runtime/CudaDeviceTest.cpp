//===- CudaDeviceTest.cpp - GPUs, by a driver of the tests ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/CudaDevice.h"
#include "FakeCuda.h"
#include "TestSupport.h"

#include <dlfcn.h>
#include <thread>

using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

/// Every test has the fake driver to itself.
class CudaDeviceTest : public testing::Test {
protected:
  CudaDeviceTest() {
    handle = dlopen(EW_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    auto get = reinterpret_cast<FakeCudaState *(*)()>(
        dlsym(handle, "ewFakeCudaState"));
    state = get();
    *state = FakeCudaState();
  }
  ~CudaDeviceTest() override {
    EXPECT_EQ(state->contextDepth, 0);
    EXPECT_EQ(state->callsWithoutContext, 0);
    EXPECT_EQ(state->usedBytes, 0u);
    EXPECT_EQ(state->contexts + state->streams + state->events +
                  state->modules + state->graphs,
              0);
    dlclose(handle);
  }

  llvm::Expected<std::unique_ptr<CudaDevice>> open(unsigned ordinal = 0) {
    auto driver = cuda::Driver::load(EW_FAKE_CUDA);
    if (!driver)
      return driver.takeError();
    return CudaDevice::create(*driver, ordinal);
  }

  CodeModule module(std::string code, CodeKind kind = CodeKind::PTX) {
    CodeModule result;
    result.kind = kind;
    result.name = "m";
    result.code = std::move(code);
    return result;
  }

  void *handle;
  FakeCudaState *state;
};

TEST(CudaDriver, NoDriver) {
  std::string message = messageOf(cuda::Driver::load("libnothere.so.1"));
  EXPECT_EQ(message.find("no NVIDIA driver: libnothere.so.1 cannot be loaded"),
            0u)
      << message;
  // A library, but not the driver.
  message = messageOf(cuda::Driver::load("libm.so.6"));
  EXPECT_EQ(message, "the NVIDIA driver in libm.so.6 is too old: it has no "
                     "cuInit; EW needs one for CUDA 12.0 or later");
}

TEST_F(CudaDeviceTest, OldDriver) {
  state->version = 11080;
  EXPECT_EQ(messageOf(open()),
            "the NVIDIA driver is for CUDA 11.8; EW needs one for CUDA 12.0 or "
            "later");
}

TEST_F(CudaDeviceTest, NoDevice) {
  state->initResult = 100;
  EXPECT_EQ(messageOf(open()),
            "no CUDA device: the NVIDIA driver is installed, "
            "but it sees no GPU");
  state->initResult = 999;
  EXPECT_EQ(messageOf(open()), "the NVIDIA driver cannot be used: "
                               "CUDA_ERROR_UNKNOWN: unknown error");
  state->initResult = 803;
  EXPECT_EQ(messageOf(open()),
            "the NVIDIA driver cannot be used: CUDA error 803");
  state->initResult = 0;
  EXPECT_EQ(messageOf(open(2)),
            "no device cuda:2: there are 2, and the first is cuda:0");
  state->devices = 0;
  EXPECT_EQ(messageOf(open()),
            "no CUDA device: the NVIDIA driver is installed, "
            "but it sees no GPU");
}

TEST_F(CudaDeviceTest, Properties) {
  auto device = take(open(1));
  EXPECT_EQ(device->getName(), "cuda:1");
  EXPECT_EQ(device->getChip(), "sm_90");
  EXPECT_EQ(device->getDescription(),
            "Fake GPU (sm_90, 4 multiprocessors, 1024 MiB, CUDA 13.0)");
  EXPECT_EQ(device->maxGrid(), 2147483647u);
  EXPECT_EQ(take(device->getMemoryInfo()).free, state->totalBytes);
  EXPECT_EQ(device->getL2Bytes(), uint64_t(1) << 20);
  EXPECT_EQ(device->getModel(), "Fake GPU");
  EXPECT_EQ(device->getClockHz(), 1.5e9);
  // 512 bits at both edges of 1 GHz.
  EXPECT_EQ(device->getMemoryBytesPerSecond(), 128e9);
}

TEST_F(CudaDeviceTest, MemoryAndCopies) {
  auto device = take(open());
  uint64_t a = take(device->allocate(16)), b = take(device->allocate(16));
  int numbers[4] = {1, 2, 3, 4}, back[4] = {};
  EXPECT_EQ(messageOf(device->copyToDevice(a, numbers, 16)), "");
  EXPECT_EQ(messageOf(device->fill(b, 0xFF, 16)), "");
  EXPECT_EQ(messageOf(device->copyOnDevice(b, a, 8)), "");
  EXPECT_EQ(messageOf(device->copyToHost(back, b, 16)), "");
  EXPECT_EQ(back[1], 2);
  EXPECT_EQ(back[2], -1);
  EXPECT_EQ(
      messageOf(device->allocate(uint64_t(1) << 31)),
      "no memory on cuda:0: 2.0 GiB (2147483648 bytes) were asked for, and "
      "1024.0 MiB (1073741792 bytes) are free");
  device->free(a, 16);
  device->free(b, 16);
}

TEST_F(CudaDeviceTest, LaunchesWithArguments) {
  auto device = take(open());
  auto code = take(device->load(module(".entry add_one(\n.entry other(")));
  Kernel *kernel = take(code->getKernel("add_one"));
  EXPECT_EQ(take(code->getKernel("add_one")), kernel);
  uint64_t in = take(device->allocate(400)), out = take(device->allocate(400));
  std::vector<int> numbers(100, 41), back(100);
  EXPECT_EQ(messageOf(device->copyToDevice(in, numbers.data(), 400)), "");
  int count = 100;
  void *args[] = {&in, &out, &count};
  LaunchConfig config;
  config.grid = 1;
  config.block = 128;
  config.args = args;
  EXPECT_EQ(messageOf(device->launch(*kernel, config)), "");
  EXPECT_EQ(messageOf(device->copyToHost(back.data(), out, 400)), "");
  EXPECT_EQ(back[99], 42);

  state->localBytes = 24;
  auto resources = device->getResources(*kernel);
  ASSERT_TRUE(resources);
  EXPECT_EQ(resources->registers, 64u);
  EXPECT_EQ(resources->spillBytes, 24u);
  EXPECT_EQ(resources->blocksPerUnit, 16u);

  config.block = 2000;
  EXPECT_EQ(messageOf(device->launch(*kernel, config)),
            "cannot launch kernel 'add_one' with 1 block of 2000 threads on "
            "cuda:0: CUDA error 1");
  device->free(in, 400);
  device->free(out, 400);
}

/// Only where the code waits by itself, and a graph of the driver's can record
/// it.
TEST_F(CudaDeviceTest, DependentLaunches) {
  for (int version : {12000, 12020, 12030, 13000}) {
    state->version = version;
    state->dependentLaunches = state->launches = 0;
    auto device = take(open());
    auto loaded = take(device->load(module(".entry add_one")));
    Kernel *kernel = take(loaded->getKernel("add_one"));
    uint64_t in = take(device->allocate(4)), out = take(device->allocate(4));
    int one = 1, result = 0;
    ASSERT_FALSE(bool(device->copyToDevice(in, &one, 4)));
    void *args[] = {&in, &out, &one};
    LaunchConfig config;
    config.block = 32;
    config.args = args;
    ASSERT_FALSE(bool(device->launch(*kernel, config)));
    EXPECT_EQ(state->dependentLaunches, 0);
    config.dependent = true;
    ASSERT_FALSE(bool(device->launch(*kernel, config)));
    EXPECT_EQ(state->dependentLaunches, version >= 12030);
    EXPECT_EQ(device->canOverlapKernels(), version >= 12030);
    EXPECT_EQ(state->launches, 2);
    ASSERT_FALSE(bool(device->copyToHost(&result, out, 4)));
    EXPECT_EQ(result, 2);
    device->free(in, 4);
    device->free(out, 4);
  }
}

TEST_F(CudaDeviceTest, LoadErrors) {
  auto device = take(open());
  EXPECT_EQ(messageOf(device->load(module("syntax error"))),
            "cannot load module 'm' (PTX) for sm_90 on cuda:0: "
            "CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed\n"
            "ptxas fatal: line 2: Parsing error");
  EXPECT_EQ(
      messageOf(device->load(module("for another chip", CodeKind::Cubin))),
      "cannot load module 'm' (cubin) for sm_90: it was made for another "
      "chip on cuda:0: CUDA error 209");
  EXPECT_EQ(messageOf(device->load(module("", CodeKind::Object))),
            "module 'm' is for the CPU, not for cuda:0");
  auto code = take(device->load(module(".entry k(")));
  EXPECT_EQ(messageOf(code->getKernel("l")), "module 'm' has no kernel 'l'");
}

TEST_F(CudaDeviceTest, KernelErrorsNameTheKernel) {
  auto device = take(open());
  auto code = take(device->load(module(".entry fault(\n.entry add_one(")));
  LaunchConfig config;
  EXPECT_EQ(messageOf(device->launch(*take(code->getKernel("fault")), config)),
            "");
  std::string message = "kernel 'fault' failed on cuda:0: "
                        "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access "
                        "was encountered";
  EXPECT_EQ(messageOf(device->synchronize()), message);
  // The context is lost, and whatever is tried later says why.
  EXPECT_EQ(messageOf(device->allocate(16)), message);
  state->stickyError = 0;
}

TEST_F(CudaDeviceTest, KernelErrorsNameAllThatMayHaveFailed) {
  auto device = take(open());
  auto code = take(device->load(module(".entry fault(\n.entry k(")));
  LaunchConfig config;
  EXPECT_EQ(messageOf(device->launch(*take(code->getKernel("k")), config)), "");
  EXPECT_EQ(messageOf(device->synchronize()), "");
  Kernel *k = take(code->getKernel("k"));
  EXPECT_EQ(messageOf(device->launch(*k, config)), "");
  EXPECT_EQ(messageOf(device->launch(*take(code->getKernel("fault")), config)),
            "");
  EXPECT_EQ(
      messageOf(device->synchronize()),
      "kernel 'k' or 'fault' failed on cuda:0: CUDA_ERROR_ILLEGAL_ADDRESS: "
      "an illegal memory access was encountered (run with "
      "CUDA_LAUNCH_BLOCKING=1 to know which)");
  state->stickyError = 0;
}

TEST_F(CudaDeviceTest, Time) {
  auto device = take(open());
  auto code = take(device->load(module(".entry k(")));
  Kernel *kernel = take(code->getKernel("k"));
  auto threeLaunches = [&]() -> llvm::Error {
    for (int i = 0; i < 3; ++i)
      if (llvm::Error error = device->launch(*kernel, LaunchConfig()))
        return error;
    return llvm::Error::success();
  };
  EXPECT_NEAR(take(device->time(threeLaunches)), 6e-3, 1e-6);
  EXPECT_EQ(state->launches, 3);
  auto recording = take(device->record(threeLaunches));
  EXPECT_EQ(state->launches, 3);
  EXPECT_NEAR(take(device->time([&] { return recording->replay(); })), 6e-3,
              1e-6);
  EXPECT_EQ(state->launches, 6);
  EXPECT_EQ(messageOf(device->record([&]() -> llvm::Error {
              return llvm::createStringError("stop");
            })),
            "stop");
}

TEST_F(CudaDeviceTest, ReplayedKernelsAreNamed) {
  auto device = take(open());
  auto code = take(device->load(module(".entry fault(")));
  Kernel *kernel = take(code->getKernel("fault"));
  auto recording = take(
      device->record([&] { return device->launch(*kernel, LaunchConfig()); }));
  EXPECT_EQ(messageOf(device->synchronize()), "");
  EXPECT_EQ(messageOf(recording->replay()), "");
  EXPECT_EQ(messageOf(device->synchronize()).find("kernel 'fault' failed"), 0u);
  state->stickyError = 0;
}

/// What was launched before may be what failed.
TEST_F(CudaDeviceTest, KernelsBeforeAReplayAreNamed) {
  auto device = take(open());
  auto code = take(device->load(module(".entry fault(\n.entry k(")));
  Kernel *k = take(code->getKernel("k"));
  Kernel *fault = take(code->getKernel("fault"));
  auto recording =
      take(device->record([&] { return device->launch(*k, LaunchConfig()); }));
  EXPECT_EQ(messageOf(device->launch(*fault, LaunchConfig())), "");
  state->stickyError = 0; // which shows only later
  EXPECT_EQ(messageOf(recording->replay()), "");
  state->stickyError = 700;
  EXPECT_EQ(
      messageOf(device->synchronize()).find("kernel 'fault' or 'k' failed"),
      0u);
  state->stickyError = 0;
}

/// More kernels than have names in a message, in a graph, too.
TEST_F(CudaDeviceTest, NotAllKernelsAreNamed) {
  auto device = take(open());
  std::string text;
  for (char letter = 'a'; letter < 'k'; ++letter)
    text += std::string(".entry ") + letter + "(\n";
  auto code = take(device->load(module(text)));
  auto recording = take(device->record([&]() -> llvm::Error {
    for (char letter = 'a'; letter < 'k'; ++letter)
      if (llvm::Error error = device->launch(
              *take(code->getKernel(std::string(1, letter))), LaunchConfig()))
        return error;
    return llvm::Error::success();
  }));
  EXPECT_EQ(
      messageOf(device->launch(*take(code->getKernel("a")), LaunchConfig())),
      "");
  state->stickyError = 700;
  EXPECT_EQ(messageOf(device->synchronize()).find("kernel 'a' failed"), 0u);
  state->stickyError = 0;
  EXPECT_EQ(messageOf(device->synchronize()), "");
  EXPECT_EQ(messageOf(recording->replay()), "");
  state->stickyError = 700;
  std::string message = messageOf(device->synchronize());
  EXPECT_NE(message.find("or 'h' or one after it failed"), std::string::npos)
      << message;
  state->stickyError = 0;
}

TEST_F(CudaDeviceTest, SeveralThreads) {
  auto device = take(open());
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += ".entry kernel_with_a_long_name_" + std::to_string(i) + "(\n";
  auto one = take(device->load(module(text)));
  auto other = take(device->load(module(text)));
  constexpr int kRounds = 20000;
  auto work = [&](LoadedModule &loaded) {
    for (int i = 0; i < kRounds; ++i) {
      for (int k = 0; k < 8; ++k) {
        std::string name = "kernel_with_a_long_name_" + std::to_string(k);
        ASSERT_EQ(messageOf(device->launch(*take(loaded.getKernel(name)),
                                           LaunchConfig())),
                  "");
      }
      ASSERT_EQ(messageOf(device->synchronize()), "");
    }
  };
  std::thread thread(work, std::ref(*other));
  work(*one);
  thread.join();
  EXPECT_EQ(state->launches, 2 * 8 * kRounds);
}

/// The one that is current then is the caller's.
TEST_F(CudaDeviceTest, PopsNoContextOfOthers) {
  auto device = take(open());
  state->contextDepth = 1;
  state->pushResult = state->stickyError = 201;
  EXPECT_EQ(messageOf(device->synchronize()),
            "cannot synchronize on cuda:0: CUDA error 201");
  EXPECT_EQ(state->contextDepth, 1);
  state->contextDepth = state->pushResult = state->stickyError = 0;
}

} // namespace
