//===- CompileTest.cpp - From text to programs -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Pipelines/EmitCode.h"
#include "ew/Pipelines/Compile.h"
#include "ew/InitAll.h"
#include "ew/Pipelines/EmitCode.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace ew;
namespace rt = ew::runtime;

namespace {

class CompileTest : public ::testing::Test {
protected:
  CompileTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { messages += diagnostic.str() + "\n"; });
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
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

  MLIRContext context;
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
  EXPECT_EQ(plan.results, std::vector<uint32_t>{plan.launches[0].operands[2].value});
  // The sizes of the two operands are not known to agree.
  ASSERT_EQ(plan.checks.size(), 1u);
  EXPECT_NE(plan.checks[0].message.find("differ in dimension 0"), std::string::npos)
      << plan.checks[0].message;
  ASSERT_EQ(program->modules.size(), 1u);
  EXPECT_EQ(program->modules[0].kind, rt::CodeKind::Object);
}

TEST_F(CompileTest, PTXIsTheSameEveryTime) {
  FailureOr<rt::Program> first = run(kAddMul, forChip("sm_90"));
  ASSERT_TRUE(succeeded(first)) << messages;
  FailureOr<rt::Program> second = run(kAddMul, forChip("sm_90"));
  ASSERT_TRUE(succeeded(second)) << messages;
  ASSERT_EQ(first->modules.size(), second->modules.size());
  for (size_t i = 0; i < first->modules.size(); ++i)
    EXPECT_EQ(first->modules[i].code, second->modules[i].code);
  EXPECT_NE(first->modules[0].code.find("ld.global.nc.v4"), std::string::npos)
      << first->modules[0].code;
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
    })", {})));
  EXPECT_NE(messages.find("tensor.extract"), std::string::npos) << messages;
}

TEST_F(CompileTest, SeveralFunctionsAskForAName) {
  EXPECT_TRUE(failed(run(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
    func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> })", {})));
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
    })", {});
  ASSERT_TRUE(succeeded(program)) << messages;
  EXPECT_EQ(program->plan.launches.size(), 1u);
}

} // namespace
