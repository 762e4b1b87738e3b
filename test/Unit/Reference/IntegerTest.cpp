//===- IntegerTest.cpp - Exact integers -----------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <limits>
#include <type_traits>

using namespace ew::reference;
using namespace ew::reference::test;

namespace {

template <typename T>
ElementType typeOf() {
  constexpr bool isSigned = std::is_signed_v<T>;
  switch (sizeof(T)) {
  case 1:
    return isSigned ? ElementType::I8 : ElementType::UI8;
  case 2:
    return isSigned ? ElementType::I16 : ElementType::UI16;
  case 4:
    return isSigned ? ElementType::I32 : ElementType::UI32;
  default:
    return isSigned ? ElementType::I64 : ElementType::UI64;
  }
}

template <typename T>
std::vector<T> run(const std::string &op,
                   const std::vector<std::vector<T>> &operands) {
  std::vector<Tensor> inputs;
  for (const auto &operand : operands)
    inputs.push_back(makeTensor(typeOf<T>(), operand));
  Programs programs(plainOp(op, getName(typeOf<T>()).str(), operands.size()));
  std::vector<Tensor> results = programs.evaluate(inputs);
  EXPECT_EQ(programs.check(inputs, results)[0].wrong, 0) << op;
  return elementsOf<T>(results[0]);
}

template <typename T>
T run1(const std::string &op, std::vector<T> operands) {
  std::vector<std::vector<T>> columns;
  for (T operand : operands)
    columns.push_back({operand});
  return run<T>(op, columns)[0];
}

TEST(Integer, SignedExtremes) {
  EXPECT_EQ(run1<int8_t>("abs", {-128}), -128);
  EXPECT_EQ(run1<int8_t>("neg", {-128}), -128);
  EXPECT_EQ(run1<int8_t>("mul", {12, 12}), -112);
  EXPECT_EQ(run1<int8_t>("square", {12}), -112);
  EXPECT_EQ(run1<int8_t>("sign", {-128}), -1);
  EXPECT_EQ(run1<int32_t>("relu", {-5}), 0);
  EXPECT_EQ(run1<uint8_t>("sign", {200}), 1);
  EXPECT_EQ(run1<uint8_t>("relu", {200}), 200);
  EXPECT_EQ(run1<uint8_t>("add", {200, 100}), 44);
  EXPECT_EQ(run1<uint8_t>("neg", {44}), 212);
}

TEST(Integer, Division) {
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(run<int32_t>("div", {{7, -7, 7, 1, kMin, 1, kMin},
                                 {2, 2, -2, 0, -1, kMin, 2097152}}),
            (std::vector<int32_t>{3, -3, -3, -1, kMin, 0, -1024}));
  EXPECT_EQ(run<int32_t>("floor_div", {{7, -7, 7, 1, kMin, -1, 2},
                                       {2, 2, -2, 0, -1, kMin, 0}}),
            (std::vector<int32_t>{3, -4, -4, -1, kMin, 0, -1}));
  EXPECT_EQ(
      run<int32_t>("rem", {{7, -7, 7, 5, kMin, -2}, {3, 3, -3, 0, -1, 0}}),
      (std::vector<int32_t>{1, -1, 1, 5, 0, -2}));
  EXPECT_EQ(run<int32_t>("mod", {{7, -7, 7, -7, 5, kMin, 1},
                                 {3, 3, -3, -3, 0, -1, kMin}}),
            (std::vector<int32_t>{1, 2, -2, -1, 5, 0, kMin + 1}));
  EXPECT_EQ(run<uint8_t>("div", {{200, 1, 255}, {7, 0, 255}}),
            (std::vector<uint8_t>{28, 255, 1}));
  EXPECT_EQ(run1<uint64_t>("floor_div", {1, 0}), ~uint64_t(0));
  EXPECT_EQ(
      run1<int64_t>("floor_div", {-std::numeric_limits<int64_t>::max(), -1}),
      std::numeric_limits<int64_t>::max());
}

TEST(Integer, FloorDivisionIsPythons) {
  std::vector<int64_t> x, two, three;
  for (int64_t i = -8; i < 8; ++i)
    x.push_back(i), two.push_back(-2), three.push_back(3);
  EXPECT_EQ(run<int64_t>("floor_div", {x, two}),
            (std::vector<int64_t>{4, 3, 3, 2, 2, 1, 1, 0, 0, -1, -1, -2, -2, -3,
                                  -3, -4}));
  EXPECT_EQ(run<int64_t>("floor_div", {x, three}),
            (std::vector<int64_t>{-3, -3, -2, -2, -2, -1, -1, -1, 0, 0, 0, 1, 1,
                                  1, 2, 2}));
}

TEST(Integer, Powers) {
  EXPECT_EQ(run1<int64_t>("pow", {-47, 66}), -3898719529840714591);
  EXPECT_EQ(run1<int8_t>("pow", {7, 7}), -9);
  EXPECT_EQ(run1<int8_t>("pow", {2, 64}), 0);
  EXPECT_EQ(
      run<int32_t>("pow", {{1, -1, -1, 2, 0, 0}, {-5, -5, -4, -1, -1, 0}}),
      (std::vector<int32_t>{1, -1, 1, 0, 0, 1}));
  EXPECT_EQ(run1<uint8_t>("pow", {3, 255}), 171);
}

TEST(Integer, Shifts) {
  EXPECT_EQ(
      run<int32_t>("shl", {{1, 1, 1, -1}, {31, 32, -1, 4}}),
      (std::vector<int32_t>{std::numeric_limits<int32_t>::min(), 0, 0, -16}));
  EXPECT_EQ(run<int64_t>("shr", {{-2, 1, -5, -5}, {1, 64, 64, -1}}),
            (std::vector<int64_t>{-1, 0, -1, -1}));
  EXPECT_EQ(run<uint8_t>("shr", {{200, 200, 200}, {1, 7, 8}}),
            (std::vector<uint8_t>{100, 1, 0}));
}

TEST(Integer, Bits) {
  EXPECT_EQ(run<uint8_t>("popcount", {{0, 255, 0x81}}),
            (std::vector<uint8_t>{0, 8, 2}));
  EXPECT_EQ(run<int16_t>("clz", {{0, 1, -1}}),
            (std::vector<int16_t>{16, 15, 0}));
  EXPECT_EQ(run<int16_t>("ctz", {{0, 1, INT16_MIN}}),
            (std::vector<int16_t>{16, 0, 15}));
  EXPECT_EQ(run1<int8_t>("not", {0}), -1);
  EXPECT_EQ(run1<uint8_t>("xor", {0xf0, 0x3c}), 0xcc);
  Programs negation(plainOp("not", "i1"));
  EXPECT_EQ(elementsOf<uint8_t>(
                negation.evaluate({bits8(ElementType::I1, {0, 1})})[0]),
            (std::vector<uint8_t>{1, 0}));
}

TEST(Integer, OrderFollowsTheType) {
  EXPECT_EQ(run1<int8_t>("max", {-1, 1}), 1);
  EXPECT_EQ(run1<uint8_t>("max", {255, 1}), 255);
  EXPECT_EQ(run1<int8_t>("clamp", {5, 3, 1}), 1);
  Programs less(
      "func.func @f(%a: tensor<?xui64>, %b: tensor<?xui64>) -> tensor<?xi1> {\n"
      "  %0 = ew.cmp lt, %a, %b : tensor<?xui64>\n"
      "  return %0 : tensor<?xi1>\n}");
  std::vector<Tensor> inputs = {
      makeTensor<uint64_t>(ElementType::UI64, {0, uint64_t(1) << 63}),
      makeTensor<uint64_t>(ElementType::UI64, {~uint64_t(0), 1})};
  EXPECT_EQ(elementsOf<uint8_t>(less.evaluate(inputs)[0]),
            (std::vector<uint8_t>{1, 0}));
}

TEST(Integer, Casts) {
  auto cast = [](const std::string &from, const std::string &to,
                 const Tensor &input, const std::string &how = "") {
    return Programs(oneOp("cast %a" + how, from, 1, to)).evaluate({input})[0];
  };
  Tensor wide = makeTensor<int32_t>(ElementType::I32, {200, -1, 70000});
  EXPECT_EQ(elementsOf<uint8_t>(cast("i32", "ui8", wide)),
            (std::vector<uint8_t>{200, 255, 112}));
  EXPECT_EQ(elementsOf<int8_t>(cast("i32", "i8", wide, " saturate")),
            (std::vector<int8_t>{127, -1, 127}));
  EXPECT_EQ(elementsOf<uint8_t>(cast("i32", "ui8", wide, " saturate")),
            (std::vector<uint8_t>{200, 0, 255}));
  EXPECT_EQ(elementsOf<uint64_t>(cast("i32", "ui64", wide))[1], ~uint64_t(0));
  EXPECT_EQ(elementsOf<uint8_t>(cast(
                "i32", "i1", makeTensor<int32_t>(ElementType::I32, {0, 256}))),
            (std::vector<uint8_t>{0, 1}));
  EXPECT_EQ(elementsOf<int64_t>(
                cast("ui8", "i64", bits8(ElementType::UI8, {128, 255}))),
            (std::vector<int64_t>{128, 255}));
}

TEST(Integer, WrongIsWrong) {
  Programs programs(plainOp("add", "i32", 2));
  Tensor one = makeTensor<int32_t>(ElementType::I32, {1, 2});
  auto report = programs.check(
      {one, one}, {makeTensor<int32_t>(ElementType::I32, {2, 5})})[0];
  EXPECT_EQ(report.wrong, 1);
  EXPECT_EQ(report.firstWrong.actual, "5");
  EXPECT_EQ(report.firstWrong.expected, "4");
}

TEST(Integer, ViewsAndIota) {
  Programs programs(
      R"(func.func @f(%a: tensor<2x3xi32>, %b: tensor<2xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>) {
    %0 = ew.transpose %a [1, 0] : tensor<2x3xi32> to tensor<3x2xi32>
    %1 = ew.broadcast %b : tensor<2xi32> to tensor<3x2xi32>
    %2 = ew.add %0, %1 : tensor<3x2xi32>
    %3 = ew.iota dimension(0) : tensor<3x2xi32>
    %4 = ew.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
    %5 = ew.mul %3, %4 : tensor<3x2xi32>
    return %2, %5 : tensor<3x2xi32>, tensor<3x2xi32>
  })");
  auto results = programs.evaluate(
      {makeTensor<int32_t>(ElementType::I32, {1, 2, 3, 4, 5, 6}, {2, 3}),
       makeTensor<int32_t>(ElementType::I32, {10, 20})});
  EXPECT_EQ(elementsOf<int32_t>(results[0]),
            (std::vector<int32_t>{11, 24, 12, 25, 13, 26}));
  EXPECT_EQ(elementsOf<int32_t>(results[1]),
            (std::vector<int32_t>{0, 0, 3, 4, 10, 12}));
}

TEST(Integer, DynamicSizesOfOneStretch) {
  Programs programs(
      R"(func.func @f(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> tensor<?x?xi32> {
    %0 = ew.broadcast %a like(%b : tensor<?x?xi32>) : tensor<?x?xi32> to tensor<?x?xi32>
    %1 = ew.broadcast %b like(%a : tensor<?x?xi32>) : tensor<?x?xi32> to tensor<?x?xi32>
    %2 = ew.add %0, %1 : tensor<?x?xi32>
    return %2 : tensor<?x?xi32>
  })");
  auto results = programs.evaluate(
      {makeTensor<int32_t>(ElementType::I32, {1, 2}, {1, 2}),
       makeTensor<int32_t>(ElementType::I32, {10, 20, 30}, {3, 1})});
  EXPECT_EQ(results[0].shape, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(elementsOf<int32_t>(results[0]),
            (std::vector<int32_t>{11, 12, 21, 22, 31, 32}));
}

} // namespace
