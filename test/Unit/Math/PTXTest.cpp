//===- PTXTest.cpp - Every op becomes PTX that assembles ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TestContext.h"
#include "OpSpecs.h"
#include "Sweep.h"
#include "ew/Pipelines/EmitCode.h"
#include "ew/Pipelines/Pipelines.h"
#include "ew/Target/NVIDIA/Chips.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Program.h"
#include <gtest/gtest.h>
#include <set>

using namespace mlir;
using namespace ew;
using namespace ew::test;

namespace {

constexpr int64_t kLanes = 2;

class PTX : public ::testing::TestWithParam<const char *> {
protected:
  PTX() { context.loadAllAvailableDialects(); }

  /// A kernel that reads and writes vectors of two through pointers.
  void addKernel(OpBuilder &builder, const OpSpec &spec, std::string name) {
    Location loc = builder.getUnknownLoc();
    auto pointer = LLVM::LLVMPointerType::get(&context, /*addressSpace=*/1);
    SmallVector<Type> arguments(spec.operands.size() + 1, pointer);
    auto function = gpu::GPUFuncOp::create(
        builder, loc, name, builder.getFunctionType(arguments, {}));
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                      builder.getUnitAttr());
    OpBuilder body = OpBuilder::atBlockBegin(&function.front());
    SmallVector<Value> operands;
    for (auto [i, type] : llvm::enumerate(spec.operands))
      operands.push_back(
          loadVector(body, function.getArgument(i), type, kLanes));
    storeVector(body, spec.build(body, operands),
                function.getArguments().back(), spec.result);
    gpu::ReturnOp::create(body, loc);
  }

  test::TestContext context;
};

TEST_P(PTX, EveryOpAssembles) {
  llvm::Expected<const nvidia::Chip *> chip = nvidia::findChip(GetParam());
  ASSERT_TRUE(bool(chip)) << llvm::toString(chip.takeError());
  if (findLibdevice().empty())
    GTEST_SKIP() << "unsupported: no libdevice";
  bool hasAssembler =
      bool(llvm::sys::findProgramByName("ptxas")) ||
      bool(llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"}));
  Location loc = UnknownLoc::get(&context);
  std::set<std::string> done;
  for (Type element : getElementTypes(&context)) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    auto kernels = gpu::GPUModuleOp::create(builder, loc, "kernels");
    OpBuilder inner = OpBuilder::atBlockBegin(kernels.getBody());
    std::vector<OpSpec> specs = getOpSpecs(element);
    // Conversions that round otherwise are the same code on every chip.
    llvm::erase_if(
        specs, [](const OpSpec &spec) { return spec.attributes.get("round"); });
    for (auto [i, spec] : llvm::enumerate(specs)) {
      addKernel(inner, spec, "k" + std::to_string(i));
      done.insert(spec.op);
    }
    PassManager pm(&context);
    buildNVVMLoweringPipeline(pm, GetParam());
    ASSERT_TRUE(succeeded(pm.run(*module)));
    PTXOptions options;
    options.chip = GetParam();
    options.features = nvidia::getFeatures(**chip);
    FailureOr<std::string> ptx = emitPTX(
        *module->getBody()->getOps<gpu::GPUModuleOp>().begin(), options);
    ASSERT_TRUE(succeeded(ptx));
    StringRef text(*ptx);
    EXPECT_EQ(text.count(".visible .entry"), specs.size());
    EXPECT_FALSE(text.contains(".extern"));
    // Sanitizers do not see what another program does.
    if (!hasAssembler || kThinning > 1)
      continue;
    llvm::Expected<std::string> cubin = assemblePTX(text, GetParam());
    EXPECT_TRUE(bool(cubin)) << llvm::toString(cubin.takeError());
  }
  // Specs are of ops on tensors, too, which this is not: see RandomTest.
  done.insert(PhiloxAtOp::getOperationName().str());
  // Nor are the parts of complex numbers, which ew-split-complex takes apart
  // before: see test/Codegen/complex.mlir.
  for (StringRef name :
       {ComplexOp::getOperationName(), ConjOp::getOperationName(),
        ImagOp::getOperationName(), RealOp::getOperationName()})
    done.insert(name.str());
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (isa<EwDialect>(name.getDialect()) &&
        name.hasTrait<OpTrait::Tensorizable>())
      EXPECT_TRUE(done.count(name.getStringRef().str()))
          << name.getStringRef().str();
  if (!hasAssembler)
    GTEST_SKIP() << "unsupported: no ptxas; the PTX was not assembled";
}

/// Under sanitizers the one that lacks most instructions and one that has them.
std::vector<const char *> getChips() {
  if (kThinning > 1)
    return {"sm_80", "sm_100"};
  return {"sm_80", "sm_90", "sm_100", "sm_120"};
}

INSTANTIATE_TEST_SUITE_P(Chips, PTX, ::testing::ValuesIn(getChips()),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

} // namespace
