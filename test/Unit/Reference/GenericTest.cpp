//===- GenericTest.cpp - Kernels in the oracle ----------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace ew::reference;
using namespace ew::reference::test;

namespace {

std::vector<float> run(const std::string &text,
                       const std::vector<Tensor> &inputs, unsigned result = 0,
                       const Options &options = {}) {
  return elementsOf<float>(Programs(text).evaluate(inputs, options)[result]);
}

/// A kernel over 2x3 elements; `#row` and so on are maps.
std::string kernel(const std::string &arguments, const std::string &maps,
                   const std::string &ins, const std::string &body) {
  return R"(
#all = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i, 0)>
#one = affine_map<(i, j) -> ()>
#diagonal = affine_map<(i, j) -> (i + j)>
func.func @f()" +
         arguments +
         R"() -> tensor<2x3xf32> {
  %out = tensor.empty() : tensor<2x3xf32>
  %zero = arith.constant 0.0 : f32
  %two = ew.constant 2.0 : f32
  %r = linalg.generic {indexing_maps = [)" +
         maps + R"(, #all], iterator_types = ["parallel", "parallel"]}
      ins()" +
         ins + R"() outs(%out : tensor<2x3xf32>) {
)" + body +
         R"(
  } -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
})";
}

Tensor shaped(std::vector<int64_t> shape, const std::vector<float> &elements) {
  return makeTensor(ElementType::F32, elements, std::move(shape));
}

TEST(Generic, Maps) {
  std::string text = kernel(
      "%x: tensor<3x2xf32>, %w: tensor<3xf32>, %c: tensor<2x1xf32>, %s: f32",
      "#swap, #row, #column, #one",
      "%x, %w, %c, %s : tensor<3x2xf32>, tensor<3xf32>, tensor<2x1xf32>, f32",
      R"(
  ^bb0(%a: f32, %b: f32, %d: f32, %e: f32, %o: f32):
    %0 = ew.add %a, %b : f32
    %1 = ew.add %0, %d : f32
    %2 = ew.mul %1, %e : f32
    linalg.yield %2 : f32)");
  EXPECT_EQ(
      run(text, {shaped({3, 2}, {1, 2, 3, 4, 5, 6}), shaped({3}, {10, 20, 30}),
                 shaped({2, 1}, {100, 200}), shaped({}, {2})}),
      (std::vector<float>{222, 246, 270, 424, 448, 472}));
}

TEST(Generic, IndicesAndConstants) {
  std::string text =
      kernel("%x: tensor<2x3xf32>", "#all", "%x : tensor<2x3xf32>", R"(
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %three = ew.constant 3.0 : f32
    %k = ew.cast %j : i64 to f32
    %0 = ew.mul %k, %three : f32
    %1 = ew.fma %a, %two, %0 : f32
    %2 = ew.add %1, %zero : f32
    linalg.yield %2 : f32)");
  EXPECT_EQ(run(text, {shaped({2, 3}, {1, 2, 3, 4, 5, 6})}),
            (std::vector<float>{2, 7, 12, 8, 13, 18}));
}

/// Sizes of 1 are stretched at run time; a kernel has several results, and
/// another one reads them. Sizes come from arithmetic of the host.
TEST(Generic, SeveralKernels) {
  Programs programs(R"(
#all = affine_map<(i) -> (i)>
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %is1 = arith.cmpi eq, %m, %c1 : index
  %size = arith.select %is1, %n, %m : index
  %out = tensor.empty(%size) : tensor<?xf32>
  ew.check_shapes broadcast %x, %y : tensor<?xf32>, tensor<?xf32>
  %r:2 = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%out, %out : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %0 = ew.sub %a, %b : f32
    %1 = ew.mul %a, %b : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %s = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel"]}
      ins(%r#0, %r#1 : tensor<?xf32>, tensor<?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = ew.add %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<?xf32>
  return %s, %r#0 : tensor<?xf32>, tensor<?xf32>
})");
  auto results = programs.evaluate({f32({2}), f32({3, 4, 5})});
  EXPECT_EQ(elementsOf<float>(results[0]), (std::vector<float>{5, 6, 7}));
  EXPECT_EQ(elementsOf<float>(results[1]), (std::vector<float>{-1, -2, -3}));
  EXPECT_EQ(programs.fail({f32({2, 3}), f32({3, 4, 5})}),
            "test.mlir:11:3: shapes 2 and 3 do not agree");
}

/// 16-bit values are computed in f32 within a kernel, and rounded on the way to
/// another.
TEST(Generic, RoundsWhatIsStored) {
  auto text = [](bool split) {
    std::string head = R"(
#all = affine_map<(i) -> (i)>
func.func @f(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
)";
    auto kernel = [](const std::string &name, const std::string &in,
                     const std::string &body) {
      return "  " + name +
             R"( = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel"]}
      ins()" +
             in +
             R"(, %y : tensor<?xbf16>, tensor<?xbf16>) outs(%x : tensor<?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o: bf16):
)" + body + "  } -> tensor<?xbf16>\n";
    };
    std::string add = "    %s = ew.add %a, %b : bf16\n",
                sub = "    %r = ew.sub %s, %b : bf16\n"
                      "    linalg.yield %r : bf16\n";
    if (!split)
      return head + kernel("%r", "%x", add + sub) +
             "  return %r : tensor<?xbf16>\n}";
    sub.replace(sub.find("%s"), 2, "%a");
    return head + kernel("%t", "%x", add + "    linalg.yield %s : bf16\n") +
           kernel("%r", "%t", sub) + "  return %r : tensor<?xbf16>\n}";
  };
  std::vector<Tensor> inputs = {bits16(ElementType::BF16, {0x3f80}),  // 1
                                bits16(ElementType::BF16, {0x4380})}; // 256
  auto result = [&](bool split) {
    return elementsOf<uint16_t>(Programs(text(split)).evaluate(inputs)[0])[0];
  };
  EXPECT_EQ(result(false), 0x3f80);
  // 257 lies between two bf16, and rounds to 256.
  EXPECT_EQ(result(true), 0);
}

TEST(Generic, WhatItDoesNotKnow) {
  std::string x = "%x: tensor<2x3xf32>", ins = "%x : tensor<2x3xf32>";
  Tensor input = shaped({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Programs(kernel(x, "#all", ins, R"(
  ^bb0(%a: f32, %o: f32):
    %0 = ew.add %a, %o : f32
    linalg.yield %0 : f32)"))
                .fail({input}),
            "test.mlir:12:8: the reference cannot interpret a "
            "'linalg.generic' that reads an output");
  EXPECT_EQ(Programs(kernel("%x: tensor<4xf32>", "#diagonal",
                            "%x : tensor<4xf32>", R"(
  ^bb0(%a: f32, %o: f32):
    %0 = ew.neg %a : f32
    linalg.yield %0 : f32)"))
                .fail({f32({1, 2, 3, 4})}),
            "test.mlir:12:8: the reference knows maps to loops and 0 only, not "
            "that of operand 0");
  EXPECT_EQ(Programs(kernel(x, "#all", ins, R"(
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32)"))
                .fail({input}),
            "test.mlir:16:10: the reference cannot interpret 'arith.addf'");
  Programs sum(R"(
func.func @f(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4xf32>) outs(%y : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = ew.add %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %r : tensor<f32>
})");
  EXPECT_EQ(sum.fail({f32({1, 2, 3, 4}), shaped({}, {0})}),
            "test.mlir:3:8: the reference cannot interpret a "
            "'linalg.generic' that is not elementwise on tensors");
}

} // namespace
