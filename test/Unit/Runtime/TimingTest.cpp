//===- TimingTest.cpp - Statistics, samples and copies --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Timing.h"
#include "FakeCuda.h"
#include "Kernels.h"
#include "ew/Runtime/CopyCeiling.h"
#include "ew/Runtime/CudaDevice.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

TEST(Timing, Statistics) {
  Statistics s = summarize({5, 1, 4, 2, 3, 11, 6, 8, 7, 10, 9});
  EXPECT_EQ(s.count, 11u);
  EXPECT_EQ(s.p20, 3);
  EXPECT_EQ(s.median, 6);
  EXPECT_EQ(s.p80, 9);
  EXPECT_EQ(summarize({}).count, 0u);
  EXPECT_EQ(summarize({7}).p80, 7);
}

TEST(Timing, RotationPushesItselfOutOfTheCache) {
  uint64_t plenty = 1 << 30;
  EXPECT_EQ(countSets(1000, 1000, 10000, plenty, 4096), 31u);
  EXPECT_EQ(countSets(1 << 20, 1 << 20, 10000, plenty, 4096), 2u);
  EXPECT_EQ(countSets(1000, 2000, 10000, 20000, 4096), 10u);
  EXPECT_EQ(countSets(1000, 2000, 10000, 1000, 4096), 1u); // none for two
  EXPECT_EQ(countSets(1, 1, 1 << 30, plenty, 4096), 4096u);
  EXPECT_EQ(countSets(0, 0, 0, 0, 4096), 1u);
}

TEST(CopyShape, OneAccessPerThreadOfTheNarrowestStream) {
  CopyShape same = getCopyShape({{4096, 4096}, {4096}});
  EXPECT_EQ(same.describe(), "R2W1");
  EXPECT_EQ(same.threads, 256u);
  EXPECT_EQ(same.bytes(), 3 * 4096u);
  // A row that is broadcast doesn't count, and the widths are kept.
  CopyShape cast = getCopyShape({{1 << 20, 16}, {1 << 18}});
  EXPECT_EQ(cast.describe(), "R4W1");
  EXPECT_EQ(cast.reads, std::vector<unsigned>({4}));
  EXPECT_EQ(cast.threads, uint64_t(1) << 14);
  CopyShape mixed = getCopyShape({{800, 100, 0}, {800}});
  EXPECT_EQ(mixed.reads, std::vector<unsigned>({8, 1}));
  EXPECT_EQ(getCopyShape({{}, {160}}).describe(), "R0W1");
  EXPECT_EQ(getCopyShape({{0}, {0}}).threads, 0u);
  // A thread's loads fit into its registers.
  CopyShape many = getCopyShape({std::vector<uint64_t>(8, 64000), {1000}});
  unsigned loads = 0;
  for (unsigned accesses : many.reads)
    loads += accesses;
  EXPECT_LE(loads, 40u);
}

TEST(CopyShape, BytesMatchTheMix) {
  for (const CopyMix &mix :
       {CopyMix{{1 << 26, 1 << 26}, {1 << 26}}, CopyMix{{1 << 26}, {1 << 24}},
        CopyMix{{3000000, 1000000, 2000000}, {1500000}},
        CopyMix{{123457}, {123457, 61729}}}) {
    double total = 0;
    for (uint64_t bytes : mix.reads)
      total += bytes;
    for (uint64_t bytes : mix.writes)
      total += bytes;
    EXPECT_NEAR(getCopyShape(mix).bytes() / total, 1, 0.01);
  }
}

/// Assembles for this chip; "" on success. Skips where there is no ptxas.
std::string assemble(const std::string &ptx, const char *chip) {
  auto ptxas = llvm::sys::findProgramByName(
      "ptxas", {"/usr/local/cuda/bin", "/usr/bin"});
  if (!ptxas)
    return "skip";
  TemporaryDirectory directory;
  std::string in = directory.file("k.ptx"), log = directory.file("log");
  std::error_code code;
  {
    llvm::raw_fd_ostream os(in, code);
    os << ptx;
  }
  std::string arch = std::string("-arch=") + chip;
  std::string out = directory.file("k.cubin");
  int rc =
      llvm::sys::ExecuteAndWait(*ptxas, {*ptxas, arch, "-v", in, "-o", out},
                                std::nullopt, {std::nullopt, log, log});
  auto text = llvm::MemoryBuffer::getFile(log);
  std::string message = text ? (*text)->getBuffer().str() : "";
  if (rc)
    return "failed: " + message;
  return message.find(" 0 bytes spill stores") == std::string::npos
             ? "spills: " + message
             : "";
}

TEST(CopyPTX, Assembles) {
  for (const CopyMix &mix :
       {CopyMix{{4096}, {4096}}, CopyMix{{4096, 4096}, {4096}},
        CopyMix{{}, {4096}}, CopyMix{{8192, 4096, 65536}, {8192, 4096}},
        CopyMix{std::vector<uint64_t>(8, 65536), {4096}}}) {
    CopyShape shape = getCopyShape(mix);
    for (bool streaming : {false, true}) {
      std::string ptx = makeCopyPTX(shape, 256, streaming);
      std::string early =
          makeCopyPTX(shape, 256, streaming, /*dependent=*/true);
      // Nothing is read or written before the kernels before have ended.
      size_t wait = early.find("griddepcontrol.wait;");
      EXPECT_LT(wait, early.find(".global."));
      EXPECT_LT(early.find("griddepcontrol.launch_dependents;"),
                early.find("st.global"));
      EXPECT_EQ(early.find(".nc"), std::string::npos);
      EXPECT_EQ(ptx.find("griddepcontrol"), std::string::npos);
      for (const char *chip : {"sm_90", "sm_120"}) {
        std::string result = assemble(early, chip);
        EXPECT_TRUE(result.empty() || result == "skip") << result << early;
      }
      for (const char *chip : {"sm_80", "sm_90", "sm_120"}) {
        std::string result = assemble(ptx, chip);
        if (result == "skip")
          GTEST_SKIP() << "no ptxas";
        EXPECT_EQ(result, "") << ptx;
      }
    }
  }
}

TEST(CopyPTX, WideAccessesOnly) {
  std::string ptx = makeCopyPTX(getCopyShape({{64, 32}, {64}}), 128, false);
  auto count = [&](llvm::StringRef what) {
    return llvm::StringRef(ptx).count(what);
  };
  EXPECT_EQ(count("ld.global.nc.v4.u32"), 3u);
  EXPECT_EQ(count("st.global.v4.u32"), 2u);
  EXPECT_EQ(count("ld.global"), 3u);
  EXPECT_EQ(count("xor.b32"), 8u);
}

TEST(Timing, OnTheCPU) {
  std::unique_ptr<Device> device = createCPUDevice();
  Program program = addProgram({-1});
  program.target = Target::CPU;
  auto executable = take(Executable::create(std::move(program), *device));
  std::vector<float> data(10000, 1);
  Tensor x = upload(*device, ElementType::F32, {10000}, data);
  TimingOptions options;
  options.samples = 5;
  options.minSampleSeconds = 1e-4;
  options.warmUpSeconds = 1e-3;
  options.maxSets = 8;
  ProgramTiming timing = take(timeProgram(*executable, {x, x}, options));
  EXPECT_EQ(timing.bytes, 120000u);
  EXPECT_EQ(timing.program.count, 5u);
  EXPECT_EQ(timing.ceiling.count, 5u);
  EXPECT_EQ(timing.ceilingNote, "R2W1");
  EXPECT_NEAR(double(timing.ceilingBytes), 120000, 100);
  EXPECT_GT(timing.program.median, 0);
  EXPECT_GT(timing.fractionOfCeiling(), 0);
  options.ceiling = false;
  timing = take(timeProgram(*executable, {x, x}, options));
  EXPECT_EQ(timing.ceiling.count, 0u);
  // Out of time: as few samples as make a median.
  options.samples = 100;
  options.maxSeconds = 0;
  timing = take(timeProgram(*executable, {x, x}, options));
  EXPECT_EQ(timing.program.count, TimingOptions::kMinSamples);
}

/// On the fake driver every launch takes 2 ms of its clock.
TEST(Timing, OnCuda) {
  void *handle = dlopen(EW_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  FakeCudaState &state = *reinterpret_cast<FakeCudaState *(*)()>(
      dlsym(handle, "ewFakeCudaState"))();
  state = FakeCudaState();
  {
    auto device =
        take(CudaDevice::create(take(cuda::Driver::load(EW_FAKE_CUDA)), 0));
    Program program = addProgram({-1});
    program.target = Target::CUDA;
    for (CodeModule &module : program.modules) {
      module.kind = CodeKind::PTX;
      module.code = ".entry add(\n.entry add_strided(\n";
    }
    for (Launch &launch : program.plan.launches)
      for (Variant &variant : launch.variants)
        variant.kernel = "add";
    auto executable = take(Executable::create(std::move(program), *device));
    std::vector<float> data(10000, 1);
    Tensor x = upload(*device, ElementType::F32, {10000}, data);
    TimingOptions options;
    options.samples = 5;
    options.warmUpSeconds = 0.1;
    ProgramTiming timing = take(timeProgram(*executable, {x, x}, options));
    EXPECT_NEAR(timing.program.median, 2e-3, 1e-6);
    EXPECT_NEAR(timing.ceiling.median, 2e-3, 1e-6);
    EXPECT_TRUE(timing.defeatsCache);
    EXPECT_GT(timing.sets * 120000u, 3 * device->getL2Bytes());
    EXPECT_EQ(timing.ceilingNote, "R2W1: 128 threads");
    // Where there is no memory for a rotation, one set is timed and that said.
    state.totalBytes = state.usedBytes + 300000;
    timing = take(timeProgram(*executable, {x, x}, options));
    EXPECT_EQ(timing.sets, 1u);
    EXPECT_FALSE(timing.defeatsCache);
  }
  EXPECT_EQ(state.usedBytes, 0u);
  EXPECT_EQ(state.graphs + state.modules + state.contexts, 0);
  dlclose(handle);
}

} // namespace
