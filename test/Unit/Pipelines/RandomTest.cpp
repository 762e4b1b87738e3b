//===- RandomTest.cpp - Random numbers of compiled kernels ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element's number depends on seed, offset and place alone: every version of
// a kernel gives the same bits, whatever it is launched for, and the oracle's.
//
//===----------------------------------------------------------------------===//

#include "../PhiloxAnswers.h"
#include "DeviceTest.h"
#include "ew/Reference/Reference.h"
#include "ew/Runtime/Transfer.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace ew;
namespace rt = ew::runtime;
namespace ref = ew::reference;

namespace {

class RandomTest : public test::DeviceTest {
protected:
  void load(const std::string &text) {
    std::optional<rt::Program> compiled = compile(text);
    ASSERT_TRUE(compiled) << text;
    program = std::move(*compiled);
    variants.clear();
  }
  size_t countVersions() const {
    size_t count = 0;
    for (const rt::Launch &launch : program.plan.launches)
      count = std::max(count, launch.variants.size());
    return count;
  }

  /// A view whose elements are 1, 2, ... in row-major order.
  static rt::HostTensor make(rt::ElementType type, ArrayRef<int64_t> shape,
                             ArrayRef<int64_t> strides = {}) {
    rt::HostTensor host = llvm::cantFail(rt::HostTensor::createView(
        type, shape, strides.empty() ? rt::rowMajorStrides(shape) : strides));
    bool isFloat = type == rt::ElementType::F32;
    for (int64_t i = 0, count = host.getNumElements(); i < count; ++i)
      host.setBits(i, isFloat ? llvm::bit_cast<uint32_t>(float(i + 1)) : i + 1);
    return host;
  }

  /// The results of each kernel's version of this number, or of a later one
  /// where its conditions do not hold.
  std::vector<rt::HostTensor> run(size_t version,
                                  ArrayRef<rt::HostTensor> views, uint64_t seed,
                                  uint64_t offset) {
    rt::Program part = program;
    for (rt::Launch &launch : part.plan.launches) {
      auto &versions = launch.variants;
      versions.erase(versions.begin(),
                     versions.begin() + std::min(version, versions.size() - 1));
    }
    auto executable =
        llvm::cantFail(rt::Executable::create(std::move(part), *device));
    std::vector<rt::Argument> arguments;
    for (const rt::HostTensor &view : views)
      arguments.push_back(llvm::cantFail(rt::copyToDevice(*device, view)));
    // The seed by value, the offset in memory.
    arguments.push_back({rt::ElementType::I64, seed});
    rt::HostTensor scalar =
        llvm::cantFail(rt::HostTensor::create(rt::ElementType::UI64, {}));
    scalar.setBits(0, offset);
    arguments.push_back(llvm::cantFail(rt::copyToDevice(*device, scalar)));
    auto call = executable->run(arguments);
    if (!call) {
      ADD_FAILURE() << llvm::toString(call.takeError());
      return {};
    }
    addLaunches(**call);
    std::vector<rt::HostTensor> results;
    for (const rt::Tensor &result : (*call)->getResults())
      results.push_back(llvm::cantFail(rt::copyToHost(*device, result)));
    return results;
  }

  static ref::TensorView viewOf(const rt::HostTensor &tensor) {
    return {tensor.getType(),
            {tensor.getShape().begin(), tensor.getShape().end()},
            {tensor.getStrides().begin(), tensor.getStrides().end()},
            tensor.getData()};
  }

  /// All versions give the same bits, and those are right.
  void check(ArrayRef<rt::HostTensor> views, uint64_t seed, uint64_t offset) {
    std::vector<rt::HostTensor> first = run(0, views, seed, offset);
    for (size_t i = 1; i < countVersions(); ++i) {
      std::vector<rt::HostTensor> other = run(i, views, seed, offset);
      ASSERT_EQ(first.size(), other.size());
      for (auto [a, b] : llvm::zip(first, other))
        for (int64_t at = 0, count = a.getNumElements(); at < count; ++at)
          ASSERT_EQ(a.getBits(at), b.getBits(at))
              << "element " << at << " of " << a.getTypeName()
              << ", not with version " << i;
    }

    std::vector<ref::TensorView> inputs, outputs;
    for (const rt::HostTensor &view : views)
      inputs.push_back(viewOf(view));
    inputs.push_back({rt::ElementType::I64, {}, {}, &seed});
    inputs.push_back({rt::ElementType::UI64, {}, {}, &offset});
    for (const rt::HostTensor &result : first)
      outputs.push_back(viewOf(result));
    auto function = *module->getOps<func::FuncOp>().begin();
    auto reports = ref::check(function, inputs, outputs);
    ASSERT_TRUE(bool(reports)) << llvm::toString(reports.takeError());
    for (auto [i, report] : llvm::enumerate(*reports)) {
      EXPECT_EQ(report.wrong, 0)
          << "result " << i << ": " << report.firstWrong.actual << " and not "
          << report.firstWrong.expected;
      EXPECT_EQ(report.undecided, 0);
      EXPECT_EQ(report.checked, first[i].getNumElements());
    }
  }

  rt::Program program;
};

/// Results of one type each, so that the widths of vectors differ.
std::string drawing(StringRef type, ArrayRef<StringRef> distributions) {
  std::string x = "tensor<?xi8>", t = ("tensor<?x" + type + ">").str();
  std::string body, names, types;
  for (auto [i, distribution] : llvm::enumerate(distributions)) {
    std::string name = "%" + std::to_string(i);
    body += "  " + name + " = ew.philox %s, %o distribution(" +
            distribution.str() + ") stream(" + std::to_string(i) +
            ") like(%x : " + x + ") : i64, tensor<ui64> to " + t + "\n";
    names += (i ? ", " : "") + name;
    types += (i ? ", " : "") + t;
  }
  return "func.func @f(%x: " + x + ", %s: i64, %o: tensor<ui64>) -> (" + types +
         ") {\n" + body + "  return " + names + " : " + types + "\n}\n";
}

TEST_P(RandomTest, EveryTypeAndVersion) {
  std::pair<StringRef, std::vector<StringRef>> types[] = {
      {"ui32", {"bits"}},
      {"f64", {"uniform"}},
      {"f32", {"uniform", "normal"}},
      {"f16", {"uniform", "normal"}},
      {"bf16", {"uniform", "normal"}}};
  for (const auto &[type, distributions] : types) {
    SCOPED_TRACE(type.str());
    load(drawing(type, distributions));
    for (int64_t n : {0, 1, 2, 3, 5, 8, 21, 1027, 2081})
      check({make(rt::ElementType::I8, {n})}, 0x123456789abcdef0, 7);
    // Counters carry, and come around.
    check({make(rt::ElementType::I8, {77})}, ~uint64_t(0), 0xfffffff8);
    check({make(rt::ElementType::I8, {77})}, 1, ~uint64_t(0) - 3);
    if (GetParam() == rt::Target::CPU)
      EXPECT_TRUE(ran("dense") && ran("general"));
    else
      EXPECT_TRUE(ran("wide") && ran("dense") && ran("general") &&
                  ran("general64"));
  }
}

TEST_P(RandomTest, RowsAndViews) {
  load(R"(
func.func @f(%x: tensor<?x?xf32>, %r: tensor<?xf32>, %s: i64, %o: tensor<ui64>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %u = ew.philox %s, %o distribution(uniform) like(%x : tensor<?x?xf32>) : i64, tensor<ui64> to tensor<?x?xf32>
  %b = ew.broadcast %r like(%x : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
  %0 = ew.dropout %x, %s, %o rate(0.3) stream(1) : tensor<?x?xf32>, i64, tensor<ui64>
  %1 = ew.max %b, %u : tensor<?x?xf32>
  return %1, %0 : tensor<?x?xf32>, tensor<?x?xf32>
})");
  rt::ElementType f32 = rt::ElementType::F32;
  std::pair<int64_t, int64_t> sizes[] = {{1, 1}, {3, 5}, {7, 64}, {5, 131}};
  for (auto [m, n] : sizes) {
    check({make(f32, {m, n}), make(f32, {n})}, 3, 4);
    check({make(f32, {m, n}, {1, m}), make(f32, {n}, {-2})}, 3, 4);
  }
}

TEST_P(RandomTest, RowsOfKnownSize) {
  load(R"(
func.func @f(%x: tensor<?x32xf32>, %r: tensor<32xf32>, %s: i64, %o: tensor<ui64>) -> tensor<?x32xf32> {
  %u = ew.philox %s, %o distribution(normal) like(%x : tensor<?x32xf32>) : i64, tensor<ui64> to tensor<?x32xf32>
  %b = ew.broadcast %r like(%x : tensor<?x32xf32>) : tensor<32xf32> to tensor<?x32xf32>
  %1 = ew.max %b, %u : tensor<?x32xf32>
  return %1 : tensor<?x32xf32>
})");
  for (int64_t m : {1, 9, 130})
    check(
        {make(rt::ElementType::F32, {m, 32}), make(rt::ElementType::F32, {32})},
        5, 6);
}

TEST_P(RandomTest, BesideTransposedOperands) {
  load(R"(
func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %s: i64, %o: tensor<ui64>) -> tensor<?x?xf32> {
  %t = ew.transpose %y [1, 0] : tensor<?x?xf32> to tensor<?x?xf32>
  %u = ew.philox %s, %o distribution(uniform) like(%x : tensor<?x?xf32>) : i64, tensor<ui64> to tensor<?x?xf32>
  %0 = ew.sub %x, %t : tensor<?x?xf32>
  %1 = ew.max %0, %u : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
})");
  std::pair<int64_t, int64_t> sizes[] = {{2, 3}, {33, 65}, {64, 70}};
  for (auto [m, n] : sizes)
    check({make(rt::ElementType::F32, {m, n}),
           make(rt::ElementType::F32, {n, m})},
          8, 9);
  EXPECT_TRUE(GetParam() == rt::Target::CPU || ran("tile"));
}

/// Values of Philox by others: the counter is the offset and, above it, the
/// stream.
TEST_P(RandomTest, KnownAnswers) {
  auto answers = test::readPhiloxAnswers();
  if (!answers)
    GTEST_SKIP() << "EW_GOLDEN_DIR does not say where known answers are";
  unsigned rows = 0;
  for (const auto &[rounds, words] : *answers) {
    if (rounds != 10)
      continue;
    auto number = [&words = words](size_t low) {
      return words[low] | uint64_t(words[low + 1]) << 32;
    };
    load("func.func @f(%s: i64, %o: tensor<ui64>) -> tensor<4xui32> {\n"
         "  %0 = ew.philox %s, %o distribution(bits) stream(" +
         std::to_string(int64_t(number(2))) +
         ") : i64, tensor<ui64> to tensor<4xui32>\n"
         "  return %0 : tensor<4xui32>\n}\n");
    std::vector<rt::HostTensor> results = run(0, {}, number(4), number(0));
    ASSERT_EQ(results.size(), 1u);
    for (int64_t i = 0; i < 4; ++i)
      EXPECT_EQ(results[0].getBits(i), words[6 + i]);
    ++rows;
  }
  EXPECT_EQ(rows, 3u);
}

/// Chi-square of counts that are expected to be equal, less what is expected of
/// it, in its standard deviations.
template <typename Counts>
double getExcess(const Counts &counts, double total) {
  double expected = total / counts.size(), sum = 0;
  for (double count : counts)
    sum += (count - expected) * (count - expected) / expected;
  double freedom = counts.size() - 1;
  return (sum - freedom) / std::sqrt(2 * freedom);
}

TEST_P(RandomTest, Distributions) {
  if (GetParam() == rt::Target::Emulated)
    GTEST_SKIP() << "the same bits, slower";
  load(drawing("f32", {"uniform", "normal"}));
  constexpr int64_t count = 1 << 20;
  std::vector<rt::HostTensor> results =
      run(0, {make(rt::ElementType::I8, {count})}, 2026, 0);
  ASSERT_EQ(results.size(), 2u);
  constexpr double limit = 4; // standard deviations; the seed is fixed
  for (bool normal : {false, true}) {
    const rt::HostTensor &numbers = results[normal];
    double sum = 0, squares = 0, products = 0, previous = 0;
    double mean = normal ? 0 : 0.5, variance = normal ? 1 : 1.0 / 12;
    std::array<int64_t, 256> counts = {};
    std::array<int64_t, 1024> pairs = {};
    unsigned last = 0;
    for (int64_t i = 0; i < count; ++i) {
      double x = llvm::bit_cast<float>(uint32_t(numbers.getBits(i)));
      // Through its distribution function a number becomes a uniform one.
      double u = normal ? std::erfc(-x / std::sqrt(2.0)) / 2 : x;
      ASSERT_TRUE(u >= 0 && u < 1) << x;
      ++counts[u * counts.size()];
      unsigned bin = u * 32;
      if (i % 2)
        ++pairs[last * 32 + bin];
      last = bin;
      double d = x - mean;
      sum += d;
      squares += d * d;
      products += d * previous;
      previous = d;
    }
    double root = std::sqrt(double(count));
    EXPECT_LT(std::abs(sum / count), limit * std::sqrt(variance) / root);
    // The variance of a square: kurtosis - 1 in units of variance^2.
    double spread = variance * std::sqrt(normal ? 2.0 : 0.8);
    EXPECT_LT(std::abs(squares / count - variance), limit * spread / root);
    EXPECT_LT(std::abs(products / count), limit * variance / root);
    EXPECT_LT(std::abs(getExcess(counts, count)), limit);
    EXPECT_LT(std::abs(getExcess(pairs, count / 2)), limit);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RandomTest, test::allDevices(),
                         test::getDeviceName);

} // namespace
