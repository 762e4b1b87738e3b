//===- PlanRunnerTest.cpp - Calls of compiled functions -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "ew/Runtime/Emulator.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

std::vector<float> iota(int64_t count, float first = 0) {
  std::vector<float> data(count);
  std::iota(data.begin(), data.end(), first);
  return data;
}

/// A device, and a program on it.
struct Fixture {
  explicit Fixture(Program program,
                   std::unique_ptr<Device> on = createCPUDevice())
      : device(std::move(on)) {
    program.target = device->getTarget();
    executable =
        llvm::cantFail(Executable::create(std::move(program), *device));
  }
  Tensor f32(std::vector<int64_t> shape, float first = 0) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    return upload(*device, ElementType::F32, shape, iota(count, first));
  }
  std::unique_ptr<Device> device;
  std::unique_ptr<Executable> executable;
};

/// A constant of so many f32, which no kernel reads.
void addConstant(Program &program, int64_t count) {
  Value value;
  value.kind = Value::Kind::Constant;
  value.shape = {uint32_t(program.plan.sizes.size())};
  value.data.resize(4 * count);
  program.plan.sizes.push_back(constant(count));
  program.plan.values.push_back(value);
}

TEST(PlanRunner, AddsOnTheCPU) {
  Fixture f(addProgram({-1}));
  for (int64_t n : {0, 1, 3, 4, 5, 1000, 4099}) {
    auto call = llvm::cantFail(f.executable->run({f.f32({n}), f.f32({n}, 1)}));
    ASSERT_EQ(call->getResults().size(), 1u);
    std::vector<float> sums = download<float>(call->getResults()[0]);
    ASSERT_EQ(int64_t(sums.size()), n);
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(sums[i], 2 * i + 1) << n;
    const LaunchInfo &info = call->getLaunches()[0];
    EXPECT_EQ(info.variant, 0u);
    EXPECT_EQ(info.grid, uint64_t(n + 3) / 4);
    EXPECT_EQ(info.bytesRead, uint64_t(8 * n));
    EXPECT_EQ(info.bytesWritten, uint64_t(4 * n));
    EXPECT_EQ(info.kernel == nullptr, n == 0);
  }
}

TEST(PlanRunner, RankZero) {
  Fixture f(addProgram({}));
  auto call = llvm::cantFail(f.executable->run({f.f32({}, 3), f.f32({}, 4)}));
  EXPECT_EQ(download<float>(call->getResults()[0]), std::vector<float>{7});
}

TEST(PlanRunner, MisalignedViewTakesTheNextVariant) {
  Fixture f(addProgram({-1}));
  Tensor whole = f.f32({9}), view = whole;
  view.shape = {8};
  view.offset = 1;
  auto call = llvm::cantFail(f.executable->run({view, f.f32({8})}));
  EXPECT_EQ(call->getLaunches()[0].variant, 1u);
  EXPECT_EQ(call->getLaunches()[0].whyNot(0, f.executable->getPlan()),
            "argument 0 is aligned to 4 bytes, not 16");
  EXPECT_EQ(download<float>(call->getResults()[0])[7], 15);
}

TEST(PlanRunner, StridedViewsTakeTheLastVariant) {
  Fixture f(addProgram({-1, -1}));
  Tensor transposed = f.f32({3, 2});
  transposed.shape = {2, 3};
  transposed.strides = {1, 2};
  Tensor reversed = f.f32({2, 3});
  reversed.strides = {-3, -1};
  reversed.offset = 5;
  auto call = llvm::cantFail(f.executable->run({transposed, reversed}));
  EXPECT_EQ(call->getLaunches()[0].variant, 2u);
  EXPECT_EQ(call->getLaunches()[0].whyNot(1, f.executable->getPlan()),
            "argument 0: its elements are not dense");
  EXPECT_EQ(download<float>(call->getResults()[0]),
            (std::vector<float>{5, 6, 7, 3, 4, 5}));
}

/// Reasons are found when they are asked for, which may be late.
TEST(PlanRunner, ReasonsAreOfTheCallAlone) {
  Program program = addProgram({-1});
  std::vector<Variant> &variants = program.plan.launches[0].variants;
  variants.insert(variants.begin(), variants[0]);
  variants[0].below = 8;
  Fixture f(program);
  std::vector<LaunchInfo> infos;
  {
    Tensor view = f.f32({9});
    view.shape = {8};
    view.offset = 1;
    infos = llvm::cantFail(f.executable->run({view, f.f32({8})}))
                ->getLaunches()
                .vec();
  }
  // Another call's reasons are its own.
  llvm::cantFail(f.executable->run({f.f32({100}), f.f32({100})}));
  const LaunchInfo &info = infos[0];
  EXPECT_EQ(info.variant, 2u);
  // The one for few elements is the next one over again.
  EXPECT_EQ(info.getPassedOver(), llvm::SmallVector<uint32_t>({1}));
  EXPECT_EQ(info.whyNot(1, f.executable->getPlan()),
            "argument 0 is aligned to 4 bytes, not 16");
  EXPECT_EQ(info.whyNot(2, f.executable->getPlan()), std::nullopt);
}

TEST(PlanRunner, SizeOneIsStretched) {
  Fixture f(addProgram({-1, -1}));
  auto call = llvm::cantFail(f.executable->run({f.f32({2, 3}), f.f32({1, 3})}));
  const LaunchInfo &info = call->getLaunches()[0];
  EXPECT_EQ(info.whyNot(0, f.executable->getPlan()),
            "argument 1: a dimension of size 1 is stretched");
  EXPECT_EQ(info.bytesRead, 4u * (6 + 3));
  auto none = llvm::cantFail(f.executable->run({f.f32({0, 3}), f.f32({1, 3})}));
  EXPECT_EQ(none->getLaunches()[0].bytesRead, 0u);
  EXPECT_EQ(download<float>(call->getResults()[0]),
            (std::vector<float>{0, 2, 4, 3, 5, 7}));
  // The loops have the first operand's size here, so this one does not fit.
  EXPECT_EQ(
      messageOf(f.executable->run({f.f32({1, 3}), f.f32({2, 3})})),
      "f.mlir:3:8: kernel 'f_0_add': operand 1 has 2 elements in dimension "
      "0, the kernel walks 1");
}

TEST(PlanRunner, WrongArguments) {
  Fixture f(addProgram({-1, 3}));
  auto run = [&](llvm::ArrayRef<Argument> arguments) {
    return messageOf(f.executable->run(arguments));
  };
  Tensor good = f.f32({2, 3});
  EXPECT_EQ(run({good}), "'f': expected 2 arguments, got 1");
  EXPECT_EQ(run({good, good, good}), "'f': expected 2 arguments, got 3");
  EXPECT_EQ(run({good, f.f32({6})}),
            "'f': argument 1: expected tensor<?x3xf32>, got tensor<6xf32>");
  EXPECT_EQ(run({f.f32({3, 2}), good}),
            "'f': argument 0: expected tensor<?x3xf32>, got tensor<3x2xf32>");
  EXPECT_EQ(run({good, Argument(ElementType::F32, 0)}),
            "'f': argument 1: expected tensor<?x3xf32>, got the number f32");
  Tensor ints = good;
  ints.type = ElementType::I32;
  EXPECT_EQ(run({ints, good}),
            "'f': argument 0: expected tensor<?x3xf32>, got tensor<2x3xi32>");
  Tensor beyond = good;
  beyond.offset = 1;
  EXPECT_EQ(run({beyond, good}),
            "'f': argument 0 of type 2x3xf32 reaches from element 1 to 6 of a "
            "buffer that holds 6");
  EXPECT_EQ(run({good, f.f32({5, 3})}),
            "f.mlir:3:8: operands of 'ew.add' differ in dimension 0: 2 and 5");
}

/// A size that overflows, wherever it is asked for.
TEST(PlanRunner, SizesThatDoNotFit) {
  auto run = [](llvm::function_ref<void(Plan &, uint32_t)> change) {
    Program program = addProgram({-1});
    Plan &plan = program.plan;
    SizeExpr product;
    product.kind = SizeExpr::Kind::Mul;
    product.a = 0, product.b = 2;
    plan.sizes.push_back(constant(int64_t(1) << 62));
    plan.sizes.push_back(product);
    change(plan, 3);
    Fixture f(program);
    EXPECT_EQ(messageOf(f.executable->run({f.f32({1}), f.f32({1})})), "");
    return messageOf(f.executable->run({f.f32({2}), f.f32({2})}));
  };
  for (bool left : {true, false})
    EXPECT_EQ(run([&](Plan &plan, uint32_t size) {
                plan.checks[0].lhs = left ? size : 0;
                plan.checks[0].rhs = left ? 0 : size;
              }),
              "f.mlir:3:8: operands of 'ew.add' differ in dimension 0: a size "
              "does not fit in 64 bits or divides by 0");
  EXPECT_EQ(run([](Plan &plan, uint32_t size) {
              plan.values.push_back(plan.values[2]);
              plan.values.back().shape = {1, size};
              // No more than nothing, where the size fits.
              plan.sizes[2].value = int64_t(1) << 62;
              plan.values.back().shape.push_back(plan.sizes.size());
              plan.sizes.push_back(constant(0));
            }),
            "'f': a size of an intermediate result does not fit in 64 bits or "
            "divides by 0");
}

TEST(PlanRunner, WrongTarget) {
  std::unique_ptr<Device> device = createCPUDevice();
  Program program = addProgram({4});
  program.target = Target::CUDA;
  EXPECT_EQ(messageOf(Executable::create(program, *device)),
            "'f' was compiled for CUDA, not for cpu");
}

TEST(PlanRunner, OutputsOfTheCaller) {
  Fixture f(addProgram({-1, -1}));
  Tensor x = f.f32({2, 3}), y = f.f32({2, 3});
  Tensor out = f.f32({2, 8});
  out.shape = {2, 3};
  auto call = llvm::cantFail(f.executable->run({x, y}, {out}));
  EXPECT_EQ(call->getAllocatedBytes(), 0u);
  EXPECT_EQ(call->getLaunches()[0].whyNot(0, f.executable->getPlan()),
            "result 0: its elements are not dense");
  EXPECT_EQ(download<float>(out), (std::vector<float>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(call->getResults()[0].address(), out.address());

  auto run = [&](Tensor output) {
    return messageOf(f.executable->run({x, y}, {output}));
  };
  EXPECT_EQ(run(y),
            "'f': output 0 overlaps argument 1; give it memory of its own");
  EXPECT_EQ(run(f.f32({3, 2})),
            "'f': output 0: expected tensor<2x3xf32>, got tensor<3x2xf32>");
  out.strides = {0, 1};
  EXPECT_EQ(run(out),
            "'f': output 0 has elements that share memory with each other");
  EXPECT_EQ(messageOf(f.executable->run({x, y}, {out, out})),
            "'f': it has 1 result, got 2 outputs");
  // Interleaved with an argument, but apart from it.
  Tensor both = f.f32({2, 6}), left = both, right = both;
  left.shape = right.shape = {2, 3};
  right.offset = 3;
  EXPECT_EQ(messageOf(f.executable->run({left, y}, {right})), "");
  EXPECT_EQ(download<float>(right), (std::vector<float>{0, 2, 4, 9, 11, 13}));
}

TEST(PlanRunner, WritesInPlace) {
  Program program = addProgram({-1, -1});
  program.plan.values[0].inPlace = true;
  program.plan.launches[0].operands[2].value = 0;
  program.plan.results = {0};
  Fixture f(program);
  Tensor x = f.f32({2, 3}), y = f.f32({2, 3}, 1);
  auto call = llvm::cantFail(f.executable->run({x, y}));
  EXPECT_EQ(call->getAllocatedBytes(), 0u);
  EXPECT_EQ(call->getResults()[0].address(), x.address());
  EXPECT_EQ(download<float>(x), (std::vector<float>{1, 3, 5, 7, 9, 11}));
  // Both sides of the traffic count.
  EXPECT_EQ(call->getBytesRead(), 48u);
  EXPECT_EQ(call->getBytesWritten(), 24u);
  llvm::cantFail(call->launch());
  EXPECT_EQ(download<float>(x), (std::vector<float>{2, 5, 8, 11, 14, 17}));

  // The caller may name the memory that it is, or ask for a copy.
  llvm::cantFail(f.executable->run({x, y}, {x}));
  EXPECT_EQ(download<float>(x)[5], 23);
  Tensor out = f.f32({2, 3});
  llvm::cantFail(f.executable->run({x, y}, {out}));
  EXPECT_EQ(download<float>(out), download<float>(x));

  auto run = [&](llvm::ArrayRef<Argument> arguments,
                 std::optional<Tensor> output = std::nullopt) {
    return messageOf(f.executable->run(arguments, {output}));
  };
  EXPECT_EQ(run({x, x}), "'f': argument 0, which is written in place, overlaps "
                         "argument 1");
  Tensor row = x;
  row.strides = {0, 1};
  EXPECT_EQ(run({row, y}), "'f': argument 0, which is written in place, has "
                           "elements that share memory with each other");
  Tensor reversed = x;
  reversed.strides = {-3, 1};
  reversed.offset = 3;
  EXPECT_EQ(run({x, y}, reversed),
            "'f': output 0 overlaps argument 0; give it memory of its own");
  EXPECT_EQ(run({x, y}, y),
            "'f': output 0 overlaps argument 1; give it memory of its own");
  Tensor columns = x;
  columns.strides = {1, 2};
  EXPECT_EQ(run({x, y}, columns),
            "'f': output 0 overlaps argument 0; give it memory of its own");
  // A view with gaps, whose neighbours stay as they are.
  Tensor wide = f.f32({2, 4}), view = wide;
  view.shape = {2, 3};
  EXPECT_EQ(run({view, y}), "");
  EXPECT_EQ(download<float>(wide),
            (std::vector<float>{1, 3, 5, 3, 8, 10, 12, 7}));
  Tensor next = view;
  next.offset = 1;
  EXPECT_EQ(run({view, y}, next),
            "'f': output 0 overlaps argument 0; give it memory of its own");

  // What lies as the caller has it has no layout of the kernel's.
  for (size_t operand : {0, 2})
    program.plan.launches[0].operands[operand].layout = {1, 0};
  Fixture laidOut(program);
  Tensor whole = laidOut.f32({2, 4}), part = whole;
  part.shape = {2, 3};
  llvm::cantFail(laidOut.executable->run({part, laidOut.f32({2, 3}, 1)}));
  EXPECT_EQ(download<float>(whole),
            (std::vector<float>{1, 3, 5, 3, 8, 10, 12, 7}));
}

/// Only the result that is written to an argument may be named by it.
TEST(PlanRunner, ResultsBesideWhatIsInPlace) {
  Program program = addProgram({4});
  program.plan.values[0].inPlace = true;
  program.plan.launches[0].operands[2].value = 0;
  program.plan.results = {0, 1};
  Fixture f(program);
  Tensor x = f.f32({4}), y = f.f32({4});
  EXPECT_EQ(messageOf(f.executable->run({x, y}, {std::nullopt, x})),
            "'f': output 1 overlaps argument 0; give it memory of its own");
  EXPECT_EQ(messageOf(f.executable->run({x, y}, {x})), "");
}

TEST(PlanRunner, RefusesWhatDoesNotFit) {
  EmulatorOptions options;
  options.memory = 4096;
  Fixture f(addProgram({-1}), createEmulatedDevice(options));
  Tensor row = f.f32({300});
  EXPECT_EQ(messageOf(f.executable->prepare({row, row})), "");
  Tensor more = f.f32({500});
  EXPECT_EQ(messageOf(f.executable->prepare({more, more})),
            "'f': needs 2.0 KiB (2000 bytes) for results, intermediate results "
            "and constants, but emulated has 896 bytes free");
  // More than any machine has; a view makes the argument large.
  Fixture cpu(addProgram({-1}));
  Tensor huge = cpu.f32({1});
  huge.shape = {int64_t(1) << 60};
  huge.strides = {0};
  std::string message = messageOf(cpu.executable->prepare({huge, huge}));
  EXPECT_EQ(message.substr(0, message.find(" for")),
            "'f': needs 4.0 EiB (4611686018427387904 bytes)");
  // Four of those are as many bytes as 64 bits cannot count.
  Program four = addProgram({-1});
  for (unsigned i = 0; i < 3; ++i) {
    four.plan.results.push_back(four.plan.values.size());
    four.plan.values.push_back(four.plan.values[2]);
  }
  Fixture many(four);
  message = messageOf(many.executable->prepare({huge, huge}));
  EXPECT_EQ(message.substr(0, message.find(" for")),
            "'f': needs 16.0 EiB (18446744073709551615 bytes)");
  huge.shape = {int64_t(1) << 61};
  EXPECT_NE(messageOf(cpu.executable->prepare({huge, huge}))
                .find("is larger than 2^63 - 1 bytes"),
            std::string::npos);
}

TEST(PlanRunner, ConstantsCountOnce) {
  Program program = addProgram({4});
  addConstant(program, 100);
  EmulatorOptions options;
  options.memory = 16 + 415;
  Fixture f(program, createEmulatedDevice(options));
  Tensor x = f.f32({4});
  EXPECT_EQ(messageOf(f.executable->prepare({x, x})),
            "'f': needs 416 bytes for results, intermediate results and "
            "constants, but emulated has 415 bytes free");
  options.memory = 16 + 416 + 15;
  Fixture larger(program, createEmulatedDevice(options));
  Tensor y = larger.f32({4});
  // The second call finds the constant there, and only its own result is new.
  auto first = llvm::cantFail(larger.executable->prepare({y, y}));
  EXPECT_EQ(messageOf(larger.executable->prepare({y, y})),
            "'f': needs 16 bytes for results, intermediate results and "
            "constants, but emulated has 15 bytes free");
}

TEST(PlanRunner, ConstantsThatWereNotAllocatedCountAgain) {
  Program program = addProgram({-1});
  addConstant(program, 100);
  EmulatorOptions options;
  options.memory = 405;
  Fixture f(program, createEmulatedDevice(options));
  // An empty result takes the byte that every buffer has, for its address.
  Tensor x = f.f32({1}), empty = f.f32({0});
  EXPECT_EQ(messageOf(f.executable->prepare({empty, empty})),
            "cannot allocate 400 bytes on emulated, which has 399 bytes free");
  EXPECT_EQ(messageOf(f.executable->prepare({x, x})),
            "'f': needs 404 bytes for results, intermediate results and "
            "constants, but emulated has 400 bytes free");
}

TEST(PlanRunner, RelaunchComputesAgain) {
  Fixture f(addProgram({-1}));
  Tensor x = f.f32({4}), y = f.f32({4});
  auto call = llvm::cantFail(f.executable->prepare({x, y}));
  llvm::cantFail(call->launch());
  float changed = 100;
  llvm::cantFail(f.device->copyToDevice(x.address(), &changed, 4));
  llvm::cantFail(call->launch());
  EXPECT_EQ(download<float>(call->getResults()[0]),
            (std::vector<float>{100, 2, 4, 6}));
}

/// Results that are an argument, repeated, and constants.
TEST(PlanRunner, ResultsOfEveryKind) {
  Program program = addProgram({4});
  Plan &plan = program.plan;
  Value row;
  row.kind = Value::Kind::Constant;
  row.shape = {0};
  std::vector<float> data = {9, 8, 7, 6};
  row.data.assign(reinterpret_cast<const char *>(data.data()), 16);
  plan.values.push_back(row);
  plan.results = {2, 0, 2, 3};
  Fixture f(program);
  Tensor x = f.f32({4}), y = f.f32({4});
  auto call = llvm::cantFail(f.executable->run({x, y}));
  llvm::ArrayRef<Tensor> results = call->getResults();
  EXPECT_EQ(download<float>(results[0]), (std::vector<float>{0, 2, 4, 6}));
  EXPECT_EQ(results[1].address(), x.address());
  EXPECT_EQ(download<float>(results[2]), download<float>(results[0]));
  EXPECT_EQ(download<float>(results[3]), data);
  Tensor kept = results[0];
  // The caller may write to a constant's copy.
  float changed = 100;
  llvm::cantFail(f.device->copyToDevice(results[3].address(), &changed, 4));

  // Into the caller's memory.
  Tensor a = f.f32({4}), b = f.f32({4}), c = f.f32({4}), d = f.f32({4});
  call = llvm::cantFail(f.executable->run({x, y}, {a, b, c, d}));
  EXPECT_EQ(download<float>(a), (std::vector<float>{0, 2, 4, 6}));
  EXPECT_EQ(download<float>(b), download<float>(x));
  EXPECT_EQ(download<float>(c), download<float>(a));
  EXPECT_EQ(download<float>(d), data);
  EXPECT_EQ(messageOf(f.executable->run({x, y}, {a, a})),
            "'f': output 1 overlaps output 0");
  // Copies are of whole rows of memory.
  Tensor stepped = f.f32({8});
  stepped.shape = {4};
  stepped.strides = {2};
  for (size_t sparse : {0, 2}) {
    std::vector<std::optional<Tensor>> outputs = {a, b, c};
    outputs[sparse] = stepped;
    EXPECT_EQ(messageOf(f.executable->run({x, y}, outputs)),
              "'f': output 2 is a copy of another tensor, and one of them is "
              "not dense");
  }

  // A result lives on when everything else is gone but the device.
  call.reset();
  f.executable.reset();
  EXPECT_EQ(download<float>(kept)[3], 6);
}

/// t0 = x + y; t1 = t0 + t0; t2 = t1 + t1; t3 = t2 + t2 (the result).
TEST(PlanRunner, TemporariesShareMemory) {
  Program program = addProgram({-1});
  Plan &plan = program.plan;
  for (uint32_t i = 0; i < 3; ++i) {
    plan.values.push_back(plan.values[2]);
    Launch launch = plan.launches[0];
    launch.operands[0].value = launch.operands[1].value = 2 + i;
    launch.operands[2].value = 3 + i;
    plan.launches.push_back(launch);
  }
  plan.results = {5};
  Fixture f(program);
  auto call = llvm::cantFail(f.executable->run({f.f32({1000}), f.f32({1000})}));
  EXPECT_EQ(download<float>(call->getResults()[0])[999], 999 * 16);
  // The result, and two temporaries by turns.
  EXPECT_EQ(call->getAllocatedBytes(), 3u * 4000);
  // An operand that is there twice is read once.
  EXPECT_EQ(call->getLaunches()[1].bytesRead, 4000u);
  EXPECT_EQ(call->getBytesWritten(), 4u * 4000);

  // A result lives on.
  program.plan.results = {2, 5};
  Fixture both(program);
  auto of = llvm::cantFail(
      both.executable->run({both.f32({1000}), both.f32({1000})}));
  EXPECT_EQ(download<float>(of->getResults()[0])[999], 999 * 2);
  EXPECT_EQ(download<float>(of->getResults()[1])[999], 999 * 16);
  EXPECT_EQ(of->getAllocatedBytes(), 4u * 4000);

  // A device that watches over each buffer gets one for each.
  program.plan.results = {5};
  Fixture watched(program, createEmulatedDevice({}));
  Tensor x = watched.f32({1000});
  EXPECT_EQ(
      llvm::cantFail(watched.executable->prepare({x, x}))->getAllocatedBytes(),
      4u * 4000);
}

/// t0 = x + x; t1 = t0 + t0; t2 = y + y, smaller, where t0 was; r = t1 + t1;
/// s = t2 + t2.
TEST(PlanRunner, TemporariesOfSeveralSizesShareMemory) {
  Program program = addProgram({-1});
  Plan &plan = program.plan;
  plan.checks.clear();
  const Launch add = plan.launches[0];
  plan.launches.clear();
  auto addLaunch = [&](uint32_t from, uint32_t size) {
    uint32_t to = plan.values.size();
    plan.values.push_back(plan.values[2]);
    plan.values.back().shape = {size};
    Launch launch = add;
    launch.loops = {size};
    launch.operands[0].value = launch.operands[1].value = from;
    launch.operands[2].value = to;
    plan.launches.push_back(launch);
    return to;
  };
  uint32_t t0 = addLaunch(0, 0), t1 = addLaunch(t0, 0), t2 = addLaunch(1, 1);
  plan.results = {addLaunch(t1, 0), addLaunch(t2, 1)};
  Fixture f(program);
  auto call = llvm::cantFail(f.executable->run({f.f32({1000}), f.f32({10})}));
  EXPECT_EQ(download<float>(call->getResults()[0])[999], 999 * 8);
  EXPECT_EQ(download<float>(call->getResults()[1])[9], 9 * 4);
  EXPECT_EQ(call->getAllocatedBytes(), 3u * 4000 + 40);
}

TEST(PlanRunner, NumbersGoByValue) {
  Program program;
  program.modules = {
      {CodeKind::Object, "scale",
       compile(kernel("scale",
                      "float %s, ptr %x, ptr %out, i64 %begin, i64 %end", R"(
  %v = load float, ptr %x
  %p = fmul float %v, %s
  store float %p, ptr %out
  ret void
)"))}};
  Plan &plan = program.plan;
  plan.function = "g";
  plan.numArguments = 2;
  Value number, x, out;
  number.scalar = true;
  out.kind = Value::Kind::Temporary;
  plan.values = {number, x, out};
  plan.results = {2, 0};
  Launch launch;
  launch.name = "g_0_mul";
  launch.numInputs = 2;
  for (uint32_t i = 0; i < 3; ++i) {
    launch.operands.emplace_back();
    launch.operands.back().value = i;
  }
  Variant variant;
  variant.kernel = "scale";
  variant.module = 0;
  variant.args = {{KernelArg::Kind::Scalar, 0, 0, 64},
                  {KernelArg::Kind::Pointer, 1, 0, 64},
                  {KernelArg::Kind::Pointer, 2, 0, 64}};
  launch.variants = {variant};
  plan.launches = {launch};
  Fixture f(program);
  float half = 0.5;
  uint32_t bits;
  std::memcpy(&bits, &half, 4);
  auto call = llvm::cantFail(
      f.executable->run({Argument(ElementType::F32, bits), f.f32({}, 7)}));
  EXPECT_EQ(download<float>(call->getResults()[0]), std::vector<float>{3.5});
  EXPECT_EQ(download<float>(call->getResults()[1]), std::vector<float>{0.5});
  EXPECT_EQ(messageOf(f.executable->run(
                {Argument(ElementType::F32, bits), f.f32({}, 7)},
                {std::nullopt, f.f32({})})),
            "'g': result 1 is a number, not a tensor");
  EXPECT_EQ(messageOf(f.executable->run({f.f32({}), f.f32({})})),
            "'g': argument 0: expected the number f32, got tensor<f32>");
}

TEST(PlanRunner, CodeThatDoesNotLoad) {
  Program program = addProgram({4});
  program.plan.launches[0].variants[0].kernel = "missing";
  Fixture f(program);
  EXPECT_NE(messageOf(f.executable->run({f.f32({4}), f.f32({4})}))
                .find("_ew_packed_missing"),
            std::string::npos);

  program = addProgram({4});
  program.modules[0].code.resize(100);
  Fixture cut(program);
  EXPECT_NE(messageOf(cut.executable->run({cut.f32({4}), cut.f32({4})}))
                .find("cannot load code 'add'"),
            std::string::npos);

  program = addProgram({4});
  program.modules[0].code = compile(
      "declare void @nowhere()\n" +
      kernel("add", "ptr %a, ptr %b, ptr %out, i64 %n, i64 %begin, i64 %end",
             "  call void @nowhere()\n  ret void\n"));
  Fixture stray(program);
  EXPECT_NE(messageOf(stray.executable->run({stray.f32({4}), stray.f32({4})}))
                .find("nowhere"),
            std::string::npos);
}

/// Gives out the modules of a program, one for each version, and keeps account.
struct Source : VersionSource {
  explicit Source(Program &program) : code(program.modules[0]) {
    for (Variant &variant : program.plan.launches[0].variants)
      variant.module = std::nullopt;
    program.modules.clear();
  }
  llvm::Expected<std::vector<CodeModule>>
  compile(const Program &program, llvm::ArrayRef<VersionId> versions) override {
    if (fails)
      return llvm::createStringError("out of order");
    for (VersionId id : versions)
      asked.push_back(id.variant);
    return std::vector<CodeModule>(versions.size() + more, code);
  }
  CodeModule code;
  std::vector<uint32_t> asked;
  bool fails = false;
  unsigned more = 0; // modules than versions
};

TEST(PlanRunner, VersionsComeOnNeed) {
  Program program = addProgram({-1, -1});
  auto source = std::make_shared<Source>(program);
  Fixture without(program);
  EXPECT_EQ(messageOf(without.executable->run(
                {without.f32({2, 3}), without.f32({2, 3})})),
            "kernel 'add' was not compiled");

  program.source = source;
  Fixture f(program);
  // Nothing to do, so nothing to compile.
  llvm::cantFail(f.executable->run({f.f32({0, 3}), f.f32({0, 3})}));
  EXPECT_EQ(source->asked, std::vector<uint32_t>{});
  auto sum = [&](Tensor x, Tensor y) {
    auto call = llvm::cantFail(f.executable->run({x, y}));
    return download<float>(call->getResults()[0]);
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(sum(f.f32({2, 2}), f.f32({2, 2})),
              (std::vector<float>{0, 2, 4, 6}));
    EXPECT_EQ(source->asked, std::vector<uint32_t>{0});
  }
  Tensor transposed = f.f32({2, 2});
  transposed.strides = {1, 2};
  source->fails = true;
  EXPECT_EQ(messageOf(f.executable->run({transposed, f.f32({2, 2})})),
            "out of order");
  source->fails = false;
  source->more = 1;
  EXPECT_EQ(messageOf(f.executable->run({transposed, f.f32({2, 2})})),
            "for 1 version of 'f' there came 2 modules");
  source->asked.pop_back();
  source->more = 0;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(sum(transposed, f.f32({2, 2})), (std::vector<float>{0, 3, 3, 6}));
    EXPECT_EQ(source->asked, (std::vector<uint32_t>{0, 2}));
  }
}

TEST(PlanRunner, WhatTakesTooMuch) {
  Variant wide;
  wide.contiguous = true;
  wide.alignment = 16;
  wide.block = 128;
  wide.elementsPerBlock = 128 * 8;
  KernelResources resources;
  resources.registers = 40;
  int64_t many = minFullThreads * 8;
  EXPECT_TRUE(takesTooMuch(wide, resources, many));
  EXPECT_FALSE(takesTooMuch(wide, resources, many - 1));
  resources.registers = 41;
  EXPECT_FALSE(takesTooMuch(wide, resources, many));
  resources.registers = 32;
  EXPECT_FALSE(takesTooMuch(wide, resources, many));
  resources.spillBytes = 4;
  EXPECT_TRUE(takesTooMuch(wide, resources, 1));
  // No limit is for slices of rows, nor for what lies anywhere.
  Variant pitched = wide;
  pitched.contiguous = false;
  pitched.dims = 2;
  resources.registers = 40;
  EXPECT_TRUE(takesTooMuch(pitched, resources, many)); // it spills
  resources.spillBytes = 0;
  EXPECT_FALSE(takesTooMuch(pitched, resources, many));
  wide.alignment = 1;
  EXPECT_FALSE(takesTooMuch(wide, resources, many));
}

TEST(PlanRunner, CodeMayCallTheMathLibrary) {
  Program program = addProgram({1});
  program.modules[0].code = compile(
      "declare float @sinf(float)\n" +
      kernel("add", "ptr %a, ptr %b, ptr %out, i64 %n, i64 %begin, i64 %end",
             R"(
  %x = load float, ptr %a
  %y = call float @sinf(float %x)
  store float %y, ptr %out
  ret void
)"));
  Fixture f(program);
  auto call = llvm::cantFail(f.executable->run({f.f32({1}, 2), f.f32({1})}));
  EXPECT_EQ(download<float>(call->getResults()[0])[0], sinf(2));
}

TEST(HostMemory, IsPlausible) {
  MemoryInfo info = getHostMemory();
  EXPECT_GT(info.free, 1u << 20);
  EXPECT_GE(info.total, info.free);
}

} // namespace
