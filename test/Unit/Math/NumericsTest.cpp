//===- NumericsTest.cpp - What ew-lower-math makes, against the oracle ----===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every op on every type: lowered on vectors of 8 for this CPU, run on
// special values and random ones, and judged by the oracle in strict mode. What
// a GPU computes f32 functions with besides, its approximations, are functions
// of this test.
//
//===----------------------------------------------------------------------===//

#include "../TestContext.h"
#include "FormNumber.h"
#include "OpSpecs.h"
#include "SpecialValues.h"
#include "Sweep.h"
#include "ew/Math/Passes.h"
#include "ew/Pipelines/BuildPlan.h"
#include "ew/Pipelines/EmitCode.h"
#include "ew/Reference/Reference.h"
#include "ew/Runtime/Element.h"
#include "ew/Runtime/ObjectLoader.h"

#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace mlir;
using namespace ew;
using namespace ew::test;
namespace rt = ew::runtime;
namespace ref = ew::reference;

namespace {

constexpr int64_t kLanes = 8;

class Numerics : public ::testing::TestWithParam<int> {
protected:
  Numerics() {
    context.loadAllAvailableDialects();
    element = getElementTypes(&context)[GetParam()];
  }

  /// The op on vectors in memory: a pointer for each operand, then the
  /// result's.
  void addKernel(OpBuilder &builder, const OpSpec &spec, std::string name) {
    Location loc = builder.getUnknownLoc();
    auto pointer = LLVM::LLVMPointerType::get(&context);
    SmallVector<Type> arguments(spec.operands.size() + 1, pointer);
    auto function = func::FuncOp::create(
        builder, loc, name, builder.getFunctionType(arguments, {}));
    OpBuilder body = OpBuilder::atBlockBegin(function.addEntryBlock());
    SmallVector<Value> operands;
    for (auto [i, type] : llvm::enumerate(spec.operands))
      operands.push_back(
          loadVector(body, function.getArgument(i), type, kLanes));
    storeVector(body, spec.build(body, operands),
                function.getArguments().back(), spec.result);
    func::ReturnOp::create(body, loc);
  }

  /// `lower` replaces ew ops.
  std::unique_ptr<rt::ObjectLoader>
  compile(ModuleOp module, ArrayRef<std::string> names,
          llvm::function_ref<LogicalResult(ModuleOp)> lower) {
    if (failed(lower(module)))
      return nullptr;
    PassManager pm(&context);
    pm.addPass(createSCFToControlFlowPass());
    pm.addPass(createConvertVectorToLLVMPass());
    pm.addPass(createConvertToLLVMPass());
    pm.addPass(createReconcileUnrealizedCastsPass());
    if (failed(pm.run(module)))
      return nullptr;
    ObjectOptions options;
    FailureOr<std::string> object = emitObject(module, names, options);
    if (failed(object))
      return nullptr;
    llvm::Expected<std::unique_ptr<rt::ObjectLoader>> loader =
        rt::ObjectLoader::load(*object, "math");
    if (!loader) {
      ADD_FAILURE() << llvm::toString(loader.takeError());
      return nullptr;
    }
    return std::move(*loader);
  }

  /// Operands of a spec: all special values with all, then random ones.
  std::vector<ref::Tensor> makeInputs(const OpSpec &spec) {
    std::mt19937_64 rng(GetParam());
    std::vector<std::vector<uint64_t>> columns(spec.operands.size());
    std::vector<rt::ElementType> types;
    for (Type operand : spec.operands)
      types.push_back(*getRuntimeType(operand));
    if (columns.size() == 1) {
      columns[0] = getValues(types[0], 1500 / kThinning, rng);
    } else {
      std::vector<uint64_t> a = getValues(types[0], 20, rng);
      std::vector<uint64_t> b = getValues(types[1], 20, rng);
      size_t most = 4000 / kThinning;
      size_t count = std::min<size_t>(a.size() * b.size(), most);
      // A stride that is prime to both walks through all pairs.
      for (size_t i = 0; i < count; ++i) {
        size_t pair =
            a.size() * b.size() <= most ? i : i * 10007 % (a.size() * b.size());
        columns[0].push_back(a[pair % a.size()]);
        columns[1].push_back(b[pair / a.size()]);
      }
      if (columns.size() == 3)
        for (size_t i = 0; i < count; ++i) {
          std::vector<uint64_t> &c = i % 2 ? a : b;
          if (types[2] != types[0])
            columns[2].push_back(b[(i * 7) % b.size()]);
          else
            columns[2].push_back(c[rng() % c.size()]);
        }
    }
    std::vector<ref::Tensor> inputs;
    size_t size = llvm::alignTo(columns[0].size(), kLanes);
    for (auto [column, type] : llvm::zip(columns, types)) {
      column.resize(size, column.back());
      inputs.push_back(makeTensor(type, column));
    }
    return inputs;
  }

  void judge(const OpSpec &spec, func::FuncOp program, void *kernel) {
    std::vector<ref::Tensor> inputs = makeInputs(spec);
    int64_t size = inputs[0].shape[0];
    rt::ElementType resultType = *getRuntimeType(spec.result);
    ref::Tensor output = makeTensor(resultType, std::vector<uint64_t>(size, 0));
    for (int64_t i = 0; i < size; i += kLanes) {
      SmallVector<char *> pointers;
      for (ref::Tensor &input : inputs)
        pointers.push_back(input.data.data() +
                           i * rt::getByteWidth(input.type));
      pointers.push_back(output.data.data() + i * rt::getByteWidth(resultType));
      SmallVector<void *> arguments;
      for (char *&pointer : pointers)
        arguments.push_back(&pointer);
      reinterpret_cast<void (*)(void **)>(kernel)(arguments.data());
    }
    std::vector<ref::TensorView> views;
    for (ref::Tensor &input : inputs)
      views.push_back(input.view());
    ref::Options options;
    options.mode = ref::Mode::Strict;
    auto reports = ref::check(program, views, {output.view()}, options);
    if (!reports) {
      ADD_FAILURE() << spec.label << ": "
                    << llvm::toString(reports.takeError());
      return;
    }
    const ref::ResultReport &report = reports->front();
    EXPECT_EQ(report.checked, size) << spec.label;
    if (!report.wrong)
      return;
    std::string where;
    int64_t at = report.firstWrong.index.front();
    for (ref::Tensor &input : inputs) {
      uint64_t bits = rt::loadElement(
          input.data.data() + at * rt::getByteWidth(input.type), input.type);
      where += " " + rt::formatElement(bits, input.type) + " (0x" +
               llvm::utohexstr(bits) + ")";
    }
    ADD_FAILURE() << spec.label << ": " << report.wrong << " of " << size
                  << " wrong, first on" << where << ": "
                  << report.firstWrong.actual << ", expected "
                  << report.firstWrong.expected << "; largest error "
                  << report.maxUlp << " ulp";
  }

  void check(ArrayRef<OpSpec> specs,
             llvm::function_ref<LogicalResult(ModuleOp)> lower,
             llvm::function_ref<void(llvm::function_ref<void()>)> inEachWay);

  test::TestContext context;
  Type element;
};

void Numerics::check(
    ArrayRef<OpSpec> specs, llvm::function_ref<LogicalResult(ModuleOp)> lower,
    llvm::function_ref<void(llvm::function_ref<void()>)> inEachWay) {
  ASSERT_GT(specs.size(), 10u);
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> programs = ModuleOp::create(loc),
                        kernels = ModuleOp::create(loc);
  OpBuilder programBuilder = OpBuilder::atBlockEnd(programs->getBody());
  OpBuilder kernelBuilder = OpBuilder::atBlockEnd(kernels->getBody());
  std::vector<func::FuncOp> functions;
  std::vector<std::string> names;
  for (auto [i, spec] : llvm::enumerate(specs)) {
    functions.push_back(
        buildProgram(programBuilder, spec, "f" + std::to_string(i)));
    names.push_back("k" + std::to_string(i));
    addKernel(kernelBuilder, spec, names.back());
  }
  std::unique_ptr<rt::ObjectLoader> loader = compile(*kernels, names, lower);
  ASSERT_TRUE(loader);
  for (auto [i, spec] : llvm::enumerate(specs)) {
    llvm::Expected<void *> kernel = loader->lookup("_ew_packed_" + names[i]);
    if (!kernel) {
      ADD_FAILURE() << spec.label << ": " << llvm::toString(kernel.takeError());
      continue;
    }
    inEachWay([&, i = i] { judge(specs[i], functions[i], *kernel); });
  }
}

TEST_P(Numerics, EveryOpMatchesTheOracle) {
  auto lower = [&](ModuleOp module) {
    PassManager pm(&context);
    pm.addPass(createEwLowerMath());
    return pm.run(module);
  };
  check(getOpSpecs(element), lower, [](auto judge) { judge(); });
}

//===----------------------------------------------------------------------===//
// A GPU's functions of f32
//===----------------------------------------------------------------------===//

/// By how many places quotients, roots and logarithms are off.
int hardwareError = 0;

float move(float x) {
  if (x == 0 || !std::isfinite(x) || hardwareError == 0)
    return x;
  return std::nextafterf(x,
                         hardwareError > 0 ? std::copysign(INFINITY, x) : 0.0f);
}
float roundDown(double exact) {
  float x = exact;
  return x > exact ? std::nextafterf(x, -INFINITY) : x;
}

float rcp(float x) { return flush(move(1.0f / flush(x))); }
float rsqrt(float x) { return move(1.0 / std::sqrt(static_cast<double>(x))); }
float rsqrtFlushing(float x) { return rsqrt(flush(x)); }
float lg2(float x) { return move(std::log2(static_cast<double>(flush(x)))); }
/// Cut off behind its last place, as far as errors of an H200's show it.
float ex2(float x) {
  double exact = std::exp2(static_cast<double>(flush(x)));
  float result = exact;
  return flush(result > exact ? std::nextafterf(result, 0.0f) : result);
}
float fmaSaturating(float a, float b, float c) {
  return saturate(std::fma(a, b, c));
}
float fmaUpSaturating(float a, float b, float c) {
  return saturate(fmaUp(a, b, c));
}
float addDown(float a, float b) {
  return roundDown(static_cast<double>(a) + b);
}
float fmaDown(float a, float b, float c) {
  return roundDown(std::fma(static_cast<double>(a), static_cast<double>(b),
                            static_cast<double>(c)));
}

/// This process's function in the place of an intrinsic of NVPTX, or 0.
uintptr_t getSubstitute(StringRef intrinsic) {
  auto address = [](auto *function) {
    return reinterpret_cast<uintptr_t>(function);
  };
  return llvm::StringSwitch<uintptr_t>(intrinsic)
      .Case("llvm.nvvm.rcp.approx.ftz.f", address(rcp))
      .Case("llvm.nvvm.rsqrt.approx.f", address(rsqrt))
      .Case("llvm.nvvm.rsqrt.approx.ftz.f", address(rsqrtFlushing))
      .Case("llvm.nvvm.lg2.approx.ftz.f", address(lg2))
      .Case("llvm.nvvm.ex2.approx.ftz.f32", address(ex2))
      .Case("llvm.nvvm.fma.rn.sat.f", address(fmaSaturating))
      .Case("llvm.nvvm.fma.rp.sat.f", address(fmaUpSaturating))
      .Case("llvm.nvvm.add.rm.f", address(addDown))
      .Case("llvm.nvvm.fma.rm.f", address(fmaDown))
      .Default(0);
}

class Hardware : public Numerics {};

TEST_P(Hardware, EveryFunctionMatchesTheOracle) {
  std::vector<OpSpec> specs = getOpSpecs(element);
  llvm::erase_if(specs, [&](const OpSpec &spec) {
    // Remainders are libdevice's.
    if (spec.op == "ew.rem" || spec.op == "ew.mod")
      return true;
    return spec.result != element || !llvm::all_equal(spec.operands) ||
           spec.operands[0] != element;
  });
  int count = 0;
  auto lower = [&](ModuleOp module) {
    PassManager pm(&context);
    EwLowerMathOptions options;
    options.target = "nvptx";
    options.chip = "sm_90";
    pm.addPass(createEwLowerMath(options));
    if (failed(pm.run(module)))
      return failure();
    module.walk([&](LLVM::CallIntrinsicOp op) {
      if (!op.getIntrin().starts_with("llvm.nvvm."))
        return;
      uintptr_t address = getSubstitute(op.getIntrin());
      EXPECT_TRUE(address) << op.getIntrin().str();
      OpBuilder builder(op);
      Location loc = op.getLoc();
      Value number = LLVM::ConstantOp::create(
          builder, loc, builder.getI64IntegerAttr(address));
      SmallVector<Value> operands = {LLVM::IntToPtrOp::create(
          builder, loc, LLVM::LLVMPointerType::get(&context), number)};
      llvm::append_range(operands, op.getArgs());
      auto type = LLVM::LLVMFunctionType::get(
          op.getResult(0).getType(), llvm::to_vector(op.getArgs().getTypes()));
      op->replaceAllUsesWith(
          LLVM::CallOp::create(builder, loc, type, operands));
      op->erase();
      ++count;
    });
    return success();
  };
  check(specs, lower, [](auto judge) {
    for (hardwareError = -1; hardwareError <= 1; ++hardwareError)
      judge();
  });
  EXPECT_GT(count, 100);
}

INSTANTIATE_TEST_SUITE_P(F32, Hardware, ::testing::Values(1));

INSTANTIATE_TEST_SUITE_P(Types, Numerics, ::testing::Range(0, 15),
                         [](const auto &info) {
                           MLIRContext context;
                           std::string text;
                           llvm::raw_string_ostream(text)
                               << getElementTypes(&context)[info.param];
                           return text;
                         });

} // namespace
