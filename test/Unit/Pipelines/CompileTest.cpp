//===- CompileTest.cpp - From text to programs ----------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Pipelines/Compile.h"
#include "../TestContext.h"
#include "ew/Pipelines/EmitCode.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace ew;
namespace rt = ew::runtime;

namespace {

class CompileTest : public ::testing::Test {
protected:
  CompileTest() {
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { messages += diagnostic.str() + "\n"; });
  }

  FailureOr<rt::Program> run(StringRef text, CompileOptions options) {
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return failure();
    return compile(*module, "", options);
  }

  static CompileOptions forChip(StringRef chip) {
    CompileOptions options;
    options.target = rt::Target::CUDA;
    options.chip = chip.str();
    return options;
  }

  test::TestContext context;
  OwningOpRef<ModuleOp> module;
  std::string messages;
};

constexpr const char *kAddMul = R"(
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.add %0, %x : tensor<?xf32>
  return %1 : tensor<?xf32>
})";

TEST_F(CompileTest, PlanOfOneKernel) {
  FailureOr<rt::Program> program = run(kAddMul, {});
  ASSERT_TRUE(succeeded(program)) << messages;
  const rt::Plan &plan = program->plan;
  EXPECT_EQ(plan.function, "f");
  EXPECT_EQ(plan.numArguments, 2u);
  ASSERT_EQ(plan.launches.size(), 1u);
  EXPECT_EQ(plan.launches[0].numInputs, 2u);
  ASSERT_EQ(plan.launches[0].operands.size(), 3u);
  EXPECT_EQ(plan.launches[0].operands[0].access, "dense");
  EXPECT_EQ(plan.results,
            std::vector<uint32_t>{plan.launches[0].operands[2].value});
  // The sizes of the two operands are not known to agree.
  ASSERT_EQ(plan.checks.size(), 1u);
  EXPECT_NE(plan.checks[0].message.find("differ in dimension 0"),
            std::string::npos)
      << plan.checks[0].message;
  ASSERT_EQ(program->modules.size(), plan.launches[0].variants.size());
  EXPECT_EQ(program->modules[0].kind, rt::CodeKind::Object);
}

/// A plan names the arithmetic of its ops, which goes by target and mode.
TEST_F(CompileTest, ArithmeticOfAKernel) {
  constexpr const char *kText = R"(
func.func @f(%x: tensor<?xf32>) -> tensor<?xi32> {
  %0 = ew.exp %x : tensor<?xf32>
  %1 = ew.max %0, %x : tensor<?xf32>
  %2 = ew.cast %1 : tensor<?xf32> to tensor<?xi32>
  return %2 : tensor<?xi32>
})";
  auto arithmetic = [&](CompileOptions options) {
    options.versions = Versions::OnNeed;
    FailureOr<rt::Program> program = run(kText, options);
    EXPECT_TRUE(succeeded(program)) << messages;
    return succeeded(program) ? program->plan.launches[0].arithmetic
                              : std::vector<std::string>();
  };
  using Lines = std::vector<std::string>;
  CompileOptions gpu = forChip("sm_90");
  EXPECT_EQ(arithmetic(gpu), (Lines{"exp: ex2.approx of the fraction, 2 ulp",
                                    "max: IEEE 754 operations, exact"}));
  gpu.mode = Mode::Strict;
  Lines strict = {"exp: IEEE 754 operations, 0.89 ulp",
                  "max: IEEE 754 operations, exact"};
  EXPECT_EQ(arithmetic(gpu), strict);
  // Emulated kernels take the CPU's arithmetic.
  CompileOptions emulated = forChip("sm_90");
  emulated.target = rt::Target::Emulated;
  EXPECT_EQ(arithmetic(emulated), strict);
}

std::vector<std::optional<uint32_t>> modulesOf(const rt::Program &program) {
  std::vector<std::optional<uint32_t>> modules;
  for (const rt::Variant &variant : program.plan.launches[0].variants)
    modules.push_back(variant.module);
  return modules;
}

/// A version that is compiled on need has the code that it has among all.
TEST_F(CompileTest, VersionsOnNeed) {
  for (rt::Target target :
       {rt::Target::CPU, rt::Target::CUDA, rt::Target::Emulated}) {
    CompileOptions options = forChip("sm_90");
    options.target = target;
    FailureOr<rt::Program> all = run(kAddMul, options);
    ASSERT_TRUE(succeeded(all)) << messages;
    EXPECT_FALSE(all->source);
    options.versions = Versions::OnNeed;
    FailureOr<rt::Program> none = run(kAddMul, options);
    ASSERT_TRUE(succeeded(none)) << messages;
    module = nullptr; // what is needed of it was kept
    EXPECT_TRUE(none->modules.empty());
    size_t count = all->plan.launches[0].variants.size();
    EXPECT_EQ(modulesOf(*none),
              std::vector<std::optional<uint32_t>>(count, std::nullopt));
    ASSERT_TRUE(none->source);
    std::vector<rt::VersionId> backwards;
    for (uint32_t i = count; i-- > 0;)
      backwards.push_back({0, i});
    auto code = none->source->compile(*none, backwards);
    ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError());
    ASSERT_EQ(code->size(), count);
    for (uint32_t i = 0; i < count; ++i) {
      rt::VersionId id = backwards[i];
      EXPECT_EQ((*code)[i].name, (*all)[id].kernel);
      EXPECT_EQ((*code)[i].code, all->modules[*(*all)[id].module].code);
    }
    auto one = none->source->compile(*none, backwards.back());
    ASSERT_TRUE(bool(one)) << llvm::toString(one.takeError());
    EXPECT_EQ(one->front().code, code->back().code);
  }
}

TEST_F(CompileTest, VersionsTogether) {
  for (rt::Target target : {rt::Target::CPU, rt::Target::CUDA}) {
    CompileOptions options = forChip("sm_90");
    options.target = target;
    options.versions = Versions::Together;
    FailureOr<rt::Program> program = run(kAddMul, options);
    ASSERT_TRUE(succeeded(program)) << messages;
    ASSERT_EQ(program->modules.size(), 1u);
    for (const rt::Variant &variant : program->plan.launches[0].variants) {
      EXPECT_EQ(variant.module, 0u);
      EXPECT_NE(program->modules[0].code.find(variant.kernel),
                std::string::npos);
    }
  }
}

TEST_F(CompileTest, VersionsOfAnotherProgram) {
  CompileOptions options;
  options.versions = Versions::OnNeed;
  FailureOr<rt::Program> program = run(kAddMul, options);
  ASSERT_TRUE(succeeded(program)) << messages;
  rt::Program other = *program;
  other.plan.launches[0].variants[0].kernel = "g_0";
  auto code = program->source->compile(other, rt::VersionId{0, 0});
  ASSERT_FALSE(bool(code));
  EXPECT_EQ(llvm::toString(code.takeError()), "kernel 'g_0' is none of 'f'");
}

/// What cannot become code says so when its version is asked for.
TEST_F(CompileTest, VersionsThatFail) {
  CompileOptions options = forChip("sm_90");
  options.versions = Versions::OnNeed;
  options.libdevice = "/nowhere/libdevice.10.bc";
  FailureOr<rt::Program> program = run(R"(
    func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
      %0 = ew.sin %x : tensor<?xf64>
      return %0 : tensor<?xf64>
    })",
                                       options);
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(messages, "");
  auto code = program->source->compile(*program, rt::VersionId{0, 0});
  ASSERT_FALSE(bool(code));
  EXPECT_NE(llvm::toString(code.takeError()).find("could not be compiled"),
            std::string::npos);
  EXPECT_NE(messages.find("cannot read /nowhere/libdevice.10.bc"),
            std::string::npos)
      << messages;
}

TEST_F(CompileTest, PTXIsTheSameEveryTime) {
  CompileOptions options = forChip("sm_90");
  options.schedule.many = 1; // the first version has vectors
  FailureOr<rt::Program> first = run(kAddMul, options);
  ASSERT_TRUE(succeeded(first)) << messages;
  FailureOr<rt::Program> second = run(kAddMul, options);
  ASSERT_TRUE(succeeded(second)) << messages;
  ASSERT_EQ(first->modules.size(), second->modules.size());
  for (size_t i = 0; i < first->modules.size(); ++i)
    EXPECT_EQ(first->modules[i].code, second->modules[i].code);
  EXPECT_NE(first->modules[0].code.find("ld.global.v4"), std::string::npos)
      << first->modules[0].code;
}

TEST_F(CompileTest, DependentLaunch) {
  for (auto [chip, asked, dependent] : {std::tuple("sm_90", true, true),
                                        {"sm_120", true, true},
                                        {"sm_90", false, false},
                                        {"sm_89", true, false}}) {
    CompileOptions options = forChip(chip);
    options.dependentLaunch = asked;
    FailureOr<rt::Program> program = run(kAddMul, options);
    ASSERT_TRUE(succeeded(program)) << messages;
    for (const rt::Variant &variant : program->plan.launches[0].variants)
      EXPECT_EQ(variant.dependentLaunch, dependent) << chip;
    for (const rt::CodeModule &module : program->modules) {
      // Nothing is read or written before the wait, nor past the caches.
      size_t wait = module.code.find("griddepcontrol.wait;");
      EXPECT_EQ(wait != std::string::npos, dependent) << module.code;
      EXPECT_EQ(module.code.find("ld.global.nc") == std::string::npos,
                dependent)
          << module.code;
      if (dependent) {
        EXPECT_LT(wait, module.code.find("ld.global"));
        EXPECT_LT(wait, module.code.find("st.global"));
      }
    }
  }
}

/// A schedule that would take minutes to compile is refused at once, by the
/// name of where it comes from.
TEST_F(CompileTest, ScheduleThatAsksForTooMuch) {
  CompileOptions options = forChip("sm_90");
  options.findSchedules = [](const rt::Plan &plan) {
    return std::vector<KernelSchedule>(
        plan.launches.size(),
        {{128, 64, 16}, "tuned (database)", "database '/home/db'"});
  };
  EXPECT_TRUE(failed(run(kAddMul, options)));
  EXPECT_EQ(
      messages,
      "schedule block=128,elements=64,unroll=16 of database '/home/db': a "
      "thread would take 1024 elements at once (elements times unroll), for "
      "which its operands alone need 3072 registers: a thread has 255, and "
      "code for more than 1024 is not compiled; here elements times unroll may "
      "be at most 341\n");
  messages.clear();
  options.findSchedules = {};
  options.schedule = {128, 16, 16};
  options.versions = Versions::OnNeed;
  EXPECT_TRUE(succeeded(run(kAddMul, options))) << messages;

  // Few operands, and much to compute for each element.
  std::string text = "func.func @f(%x0: tensor<?xf32>) -> tensor<?xf32> {\n";
  for (int i = 0; i < 60; ++i)
    text += llvm::formatv("  %x{0} = ew.exp %x{1} : tensor<?xf32>\n", i + 1, i);
  text += "  return %x60 : tensor<?xf32>\n}\n";
  options.schedule = {128, 8, 4};
  EXPECT_TRUE(succeeded(run(text, options))) << messages;
  options.schedule = {128, 8, 8};
  EXPECT_TRUE(failed(run(text, options)));
  EXPECT_EQ(messages,
            "schedule block=128,elements=8,unroll=8: a thread would take 64 "
            "elements at once (elements times unroll), which makes some 30720 "
            "instructions: more than 16384 are not compiled; here elements "
            "times unroll may be at most 34\n");
}

/// Back-offs come from a cache, or from anybody.
TEST_F(CompileTest, BackOffsThatMakeNoSense) {
  CompileOptions options = forChip("sm_90");
  FailureOr<rt::Program> program = run(kAddMul, options);
  ASSERT_TRUE(succeeded(program)) << messages;
  rt::BackOff backOff;
  backOff.fingerprint = program->plan.launches[0].fingerprint;
  backOff.name = "k";
  backOff.done = true;
  backOff.kept = 7;
  backOff.attempts = {{"block=128,elements=4,unroll=2"}};
  options.backOffs = {backOff};
  EXPECT_TRUE(failed(run(kAddMul, options)));
  EXPECT_EQ(messages, "a back-off of kernel 'k' keeps what it has not tried\n");
  messages.clear();
  options.backOffs[0].kept = 1;
  options.backOffs[0].attempts.push_back({"block=3"});
  EXPECT_TRUE(failed(run(kAddMul, options)));
  EXPECT_NE(messages.find("block must be a multiple of 32"), std::string::npos)
      << messages;
}

TEST_F(CompileTest, StrictModeDoesNotContract) {
  CompileOptions options = forChip("sm_90");
  FailureOr<rt::Program> contracted = run(kAddMul, options);
  ASSERT_TRUE(succeeded(contracted)) << messages;
  EXPECT_NE(contracted->modules[0].code.find("fma.rn.f32"), std::string::npos);
  options.mode = Mode::Strict;
  FailureOr<rt::Program> strict = run(kAddMul, options);
  ASSERT_TRUE(succeeded(strict)) << messages;
  EXPECT_EQ(strict->modules[0].code.find("fma.rn.f32"), std::string::npos);
  // Without a rounding, ptxas would be free to contract.
  EXPECT_NE(strict->modules[0].code.find("mul.rn.f32"), std::string::npos);
  EXPECT_NE(strict->modules[0].code.find("add.rn.f32"), std::string::npos);
}

TEST_F(CompileTest, UnknownChipIsADiagnostic) {
  EXPECT_TRUE(failed(run(kAddMul, forChip("sm_999"))));
  EXPECT_NE(messages.find("sm_999"), std::string::npos) << messages;
}

TEST_F(CompileTest, OpsOutsideAPlanAreNamed) {
  EXPECT_TRUE(failed(run(R"(
    func.func @f(%x: tensor<4xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %0 = tensor.extract %x[%c0] : tensor<4xf32>
      return %0 : f32
    })",
                         {})));
  EXPECT_NE(messages.find("tensor.extract"), std::string::npos) << messages;
}

TEST_F(CompileTest, SeveralFunctionsAskForAName) {
  EXPECT_TRUE(failed(run(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
    func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> })",
                         {})));
  EXPECT_NE(messages.find("several functions"), std::string::npos) << messages;
}

TEST_F(CompileTest, CallsAreInlined) {
  FailureOr<rt::Program> program = run(R"(
    func.func private @half(%x: tensor<?xf32>) -> tensor<?xf32> {
      %h = ew.constant 0.5 : f32
      %b = ew.broadcast %h like(%x : tensor<?xf32>) : f32 to tensor<?xf32>
      %0 = ew.mul %x, %b : tensor<?xf32>
      return %0 : tensor<?xf32>
    }
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = call @half(%x) : (tensor<?xf32>) -> tensor<?xf32>
      %1 = ew.exp %0 : tensor<?xf32>
      return %1 : tensor<?xf32>
    })",
                                       {});
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(program->plan.launches.size(), 1u);
}

} // namespace
