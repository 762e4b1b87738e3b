//===- TailsTest.cpp - Body and tail give the same bits -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op on f32 and i8 over special values, and NumPy's values where
// EW_GOLDEN_DIR says where they are: all in one run without a tail, and then in
// runs of 1 to 15 elements, so that each value stands in a tail of every
// length. Compiled once.
//
//===----------------------------------------------------------------------===//

#include "../TestContext.h"
#include "SpecialValues.h"
#include "ew/Pipelines/BuildPlan.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Runtime/Element.h"
#include "ew/Runtime/Emulator.h"
#include "ew/Runtime/PlanRunner.h"
#include "ew/Runtime/Transfer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace ew;
using namespace ew::test;
namespace rt = ew::runtime;

namespace {

/// More than any vector has elements, less one.
constexpr size_t kLongestTail = 15;

/// An op and bit patterns of its operands.
struct Case {
  OpSpec spec;
  std::vector<std::vector<uint64_t>> columns;

  size_t count() const { return columns.front().size(); }
};

class TailsTest : public ::testing::TestWithParam<rt::Target> {
protected:
  TailsTest() { context.loadAllAvailableDialects(); }

  void SetUp() override {
    options.target = GetParam();
    // Few elements would have no tails.
    if (GetParam() != rt::Target::CPU)
      options.schedule.many = 1;
    if (GetParam() == rt::Target::CPU) {
      device = rt::createCPUDevice();
    } else if (GetParam() == rt::Target::Emulated) {
      device = rt::createEmulatedDevice();
    } else {
      auto driver = rt::cuda::Driver::load();
      if (!driver)
        GTEST_SKIP() << llvm::toString(driver.takeError());
      auto cuda = rt::CudaDevice::create(*driver);
      if (!cuda)
        GTEST_SKIP() << llvm::toString(cuda.takeError());
      device = std::move(*cuda);
      options.chip = device->getChip();
    }
  }

  /// A function of each case's op, with operands of its own.
  std::unique_ptr<rt::Executable> load(ArrayRef<Case> cases) {
    Location loc = UnknownLoc::get(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    SmallVector<Type> inputs, results;
    auto toTensor = [](Type type) {
      return RankedTensorType::get({ShapedType::kDynamic}, type);
    };
    for (const Case &c : cases) {
      for (Type operand : c.spec.operands)
        inputs.push_back(toTensor(operand));
      results.push_back(toTensor(c.spec.result));
    }
    auto function = func::FuncOp::create(
        builder, loc, "f", builder.getFunctionType(inputs, results));
    OpBuilder body = OpBuilder::atBlockBegin(function.addEntryBlock());
    ValueRange arguments = function.getArguments();
    SmallVector<Value> values;
    for (const Case &c : cases) {
      size_t count = c.spec.operands.size();
      values.push_back(c.spec.build(body, arguments.take_front(count)));
      arguments = arguments.drop_front(count);
    }
    func::ReturnOp::create(body, loc, values);
    FailureOr<rt::Program> program = compile(*module, "f", options);
    if (failed(program)) {
      ADD_FAILURE() << "not compiled";
      return nullptr;
    }
    return llvm::cantFail(rt::Executable::create(std::move(*program), *device));
  }

  /// Results of `length` values from `first` on, those past the last one
  /// beginning anew.
  std::vector<std::vector<uint64_t>> run(rt::Executable &executable,
                                         ArrayRef<Case> cases, size_t first,
                                         size_t length) {
    std::vector<rt::Argument> arguments;
    for (const Case &c : cases)
      for (auto [type, column] : llvm::zip(c.spec.operands, c.columns)) {
        rt::ElementType element = *getRuntimeType(type);
        unsigned width = rt::getByteWidth(element);
        std::string data(length * width, '\0');
        for (size_t i = 0; i < length; ++i)
          rt::storeElement(data.data() + i * width, element,
                           column[(first + i) % column.size()]);
        // Memory of its own, which is aligned: the first versions of kernels
        // run.
        rt::BufferRef buffer =
            llvm::cantFail(rt::Buffer::allocate(*device, data.size()));
        llvm::cantFail(
            device->copyToDevice(buffer->address(), data.data(), data.size()));
        arguments.push_back(
            rt::makeTensor(element, {static_cast<int64_t>(length)}, buffer));
      }
    auto call = llvm::cantFail(executable.run(arguments));
    std::vector<std::vector<uint64_t>> results;
    for (const rt::Tensor &tensor : call->getResults()) {
      rt::HostTensor host = llvm::cantFail(rt::copyToHost(*device, tensor));
      results.emplace_back();
      for (size_t i = 0; i < length; ++i)
        results.back().push_back(host.getBits(i));
    }
    return results;
  }

  void check(ArrayRef<Case> cases) {
    std::unique_ptr<rt::Executable> executable = load(cases);
    ASSERT_TRUE(executable);
    size_t most = 0;
    for (const Case &c : cases)
      most = std::max(most, c.count());
    // A whole number of vectors: no tail.
    std::vector<std::vector<uint64_t>> whole =
        run(*executable, cases, 0, llvm::alignTo(most, kLongestTail + 1));
    unsigned failures = 0;
    for (size_t length = 1; length <= kLongestTail; ++length)
      for (size_t first = 0; first < most && failures < 10; first += length) {
        auto tails = run(*executable, cases, first, length);
        for (auto [c, body, tail] : llvm::zip(cases, whole, tails))
          for (size_t i = 0; i < length; ++i) {
            uint64_t expected = body[(first + i) % c.count()];
            if (isSame(c.spec.result, tail[i], expected))
              continue;
            ++failures;
            ADD_FAILURE() << c.spec.label << " of 0x"
                          << llvm::utohexstr(
                                 c.columns[0][(first + i) % c.count()])
                          << ": 0x" << llvm::utohexstr(expected)
                          << " in the body, 0x" << llvm::utohexstr(tail[i])
                          << " as element " << i << " of " << length;
          }
      }
  }

  test::TestContext context;
  CompileOptions options;
  std::unique_ptr<rt::Device> device;
};

TEST_P(TailsTest, EveryOpOnSpecialValues) {
  Builder builder(&context);
  for (Type element : {Type(builder.getF32Type()), Type(builder.getI8Type())}) {
    std::vector<Case> cases;
    auto checkCases = [&] {
      if (!cases.empty())
        check(cases);
      cases.clear();
    };
    for (const OpSpec &spec : getOpSpecs(element)) {
      // Of the casts, those that round or not as they are.
      if (spec.op == CastOp::getOperationName() && !spec.attributes.empty())
        continue;
      cases.push_back({spec, makeColumns(spec.operands, 45)});
      if (cases.size() == 24)
        checkCases();
    }
    checkCases();
  }
}

TEST_P(TailsTest, NumPysValues) {
  const char *folder = std::getenv("EW_GOLDEN_DIR");
  if (!folder || !*folder)
    GTEST_SKIP() << "EW_GOLDEN_DIR does not say where NumPy's values are";
  auto buffer =
      llvm::MemoryBuffer::getFile(std::string(folder) + "/numpy_umath.tsv");
  ASSERT_TRUE(bool(buffer));
  std::map<std::pair<StringRef, StringRef>, std::vector<uint64_t>> values;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    SmallVector<StringRef> fields;
    line.split(fields, '\t');
    uint64_t bits;
    ASSERT_TRUE(fields.size() > 2 && !fields[2].getAsInteger(0, bits))
        << line.str();
    values[{fields[1], fields[0]}].push_back(bits);
  }
  EXPECT_EQ(values.size(), 40u);
  Builder builder(&context);
  std::map<StringRef, std::vector<Case>> cases;
  for (auto &[key, column] : values) {
    Type type =
        key.first == "f32" ? builder.getF32Type() : builder.getF64Type();
    std::string name = ("ew." + key.second).str();
    cases[key.first].push_back(
        {{name, name + " " + key.first.str(), {type}, type, {}}, {column}});
  }
  for (auto &[type, functions] : cases)
    check(functions);
}

INSTANTIATE_TEST_SUITE_P(
    Devices, TailsTest,
    ::testing::Values(rt::Target::CPU, rt::Target::Emulated, rt::Target::CUDA),
    [](const ::testing::TestParamInfo<rt::Target> &info) {
      return info.param == rt::Target::CPU        ? "CPU"
             : info.param == rt::Target::Emulated ? "Emulated"
                                                  : "CUDA";
    });

} // namespace
