//===- HostTensorTest.cpp - Tensors in host memory ------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/HostTensor.h"
#include "TestSupport.h"
#include "ew/Runtime/Element.h"
#include "ew/Runtime/InputSpec.h"
#include "llvm/Support/raw_ostream.h"

using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

HostTensor make(llvm::StringRef text) {
  return take(makeInput(take(parseInputSpec(text))));
}

std::string printed(const HostTensor &tensor, int64_t limit = 100) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, tensor, limit);
  return text;
}

TEST(HostTensor, Shapes) {
  EXPECT_EQ(countElements({}), 1);
  EXPECT_EQ(countElements({int64_t(1) << 40, int64_t(1) << 40}), std::nullopt);
  EXPECT_EQ(countElements({int64_t(1) << 40, int64_t(1) << 40, 0}), 0);
  EXPECT_EQ(countElements({2, -1}), std::nullopt);
  EXPECT_EQ(formatType(ElementType::BF16, {2, -1}), "2x?xbf16");
  EXPECT_EQ(rowMajorStrides({2, 3, 4}), Sizes({12, 4, 1}));
  EXPECT_EQ(columnMajorStrides({2, 3, 4}), Sizes({1, 2, 6}));
}

TEST(HostTensor, HugeShapesAreErrors) {
  int64_t huge = int64_t(1) << 45;
  EXPECT_NE(messageOf(HostTensor::create(ElementType::F64, {huge})), "");
  EXPECT_NE(messageOf(HostTensor::create(ElementType::F64, {huge << 17})), "");
  EXPECT_NE(messageOf(HostTensor::create(ElementType::F64, {huge, huge})), "");
  EXPECT_NE(messageOf(HostTensor::create(ElementType::F64, {-1})), "");
  EXPECT_NE(
      messageOf(HostTensor::createView(ElementType::I8, {2}, {INT64_MAX})), "");
  EXPECT_NE(
      messageOf(HostTensor::createView(ElementType::I8, {2}, {INT64_MIN})), "");
  EXPECT_NE(
      messageOf(HostTensor::createView(ElementType::I8, {3}, {1}, INT64_MAX)),
      "");
}

TEST(HostTensor, HostMemory) {
  auto available = availableHostMemory();
  ASSERT_TRUE(available);
  EXPECT_GT(*available, uint64_t(1) << 20);
  EXPECT_EQ(messageOf(checkHostMemory(1, "x")), "");
  std::string message = messageOf(checkHostMemory(uint64_t(1) << 50, "3xf32"));
  EXPECT_EQ(message.find("not enough host memory for 3xf32: it takes "
                         "1.0 PiB (1125899906842624 bytes), and "),
            0u)
      << message;
}

TEST(HostTensor, Views) {
  HostTensor view = make("2x3xi32,strides=1:2,offset=4=1,2,3,4,5,6");
  EXPECT_FALSE(view.isRowMajor());
  EXPECT_EQ(view.getStorageBytes(), (4 + 6) * 4);
  auto *storage = reinterpret_cast<const int32_t *>(view.getStorage());
  EXPECT_EQ(std::vector<int32_t>(storage + 4, storage + 10),
            std::vector<int32_t>({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(static_cast<uint32_t>(storage[0]), 0xA5A5A5A5u);
  EXPECT_EQ(view.getBits(3), 4u);
  view.setBits(3, 9);
  EXPECT_EQ(storage[5], 9);
  EXPECT_EQ(printed(take(view.toRowMajor())), "2x3xi32=[1 2 3][9 5 6]");

  HostTensor flipped = make("4xi8,strides=-1=1,2,3,4");
  EXPECT_EQ(flipped.getOffset(), 3);
  EXPECT_EQ(std::string(flipped.getStorage(), 4), "\4\3\2\1");
  EXPECT_EQ(printed(flipped), "4xi8=1 2 3 4");

  HostTensor row = make("2x3xi8,strides=0:1=1,2,3,1,2,3");
  EXPECT_EQ(row.getStorageBytes(), 3);
  EXPECT_EQ(printed(row), "2x3xi8=[1 2 3][1 2 3]");
}

TEST(HostTensor, RunsAreMergedAndInOrder) {
  std::vector<std::array<int64_t, 3>> runs;
  auto record = [&](int64_t start, int64_t count, int64_t stride) {
    runs.push_back({start, count, stride});
  };
  using Runs = decltype(runs);
  forEachRun({2, 3, 4}, {12, 4, 1}, record);
  EXPECT_EQ(runs, Runs({{0, 24, 1}}));
  runs.clear();
  forEachRun({2, 3, 1, 4}, {20, 4, 99, 1}, record);
  EXPECT_EQ(runs, Runs({{0, 12, 1}, {20, 12, 1}}));
  runs.clear();
  forEachRun({2, 2}, {1, 2}, record);
  EXPECT_EQ(runs, Runs({{0, 2, 2}, {1, 2, 2}}));
  runs.clear();
  forEachRun({}, {}, record);
  EXPECT_EQ(runs, Runs({{0, 1, 1}}));
  runs.clear();
  forEachRun({3, 0}, {1, 1}, record);
  EXPECT_TRUE(runs.empty());
}

TEST(HostTensor, Printing) {
  EXPECT_EQ(printed(make("f32=1.5")), "f32=1.5");
  EXPECT_EQ(printed(make("2x2x2xi8=iota")),
            "2x2x2xi8=[[0 1][2 3]][[4 5][6 7]]");
  EXPECT_EQ(printed(make("0x3xi8=")), "0x3xi8=");
  EXPECT_EQ(printed(make("2x2xf32=nan,inf,-inf,-0")),
            "2x2xf32=[nan inf][-inf -0]");
  EXPECT_EQ(printed(make("4xi8=iota"), 2), "4xi8=0 1 ...");
  EXPECT_EQ(printed(make("2xcomplex<f64>=(1,-0.5),nan"), 1),
            "2xcomplex<f64>=(1,-0.5) ...");
}

TEST(HostTensor, PrintingSaysWhatIsLeftOut) {
  auto left = [](const char *text, int64_t limit) {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    return print(os, make(text), limit);
  };
  EXPECT_EQ(left("4xi8=iota", 4), 0);
  EXPECT_EQ(left("2x3xi8=iota", 1), 5);
  EXPECT_EQ(left("0x3xi8=", 1), 0);
}

TEST(Compare, NaNIsNamed) {
  HostTensor want = make("2xf32=1,2"), got = make("2xf32=1,nan");
  EXPECT_EQ(describe(take(compare(got, want)), got, want),
            "1 of 2 elements differ; first at [1]: expected 2, got nan (one is "
            "a NaN)");
}

TEST(Compare, ExactNaNAndZero) {
  auto same = [](const char *a, const char *b, uint64_t ulp = 0) {
    return take(compare(make(a), make(b), ulp));
  };
  EXPECT_TRUE(same("2xf32=nan,-0", "2xf32=0xffc00001,0"));
  EXPECT_FALSE(same("1xf32=nan", "1xf32=0", UINT64_MAX));
  EXPECT_FALSE(same("1xf32=1", "1xf32=0x3f800001"));
  EXPECT_TRUE(same("1xf32=1", "1xf32=0x3f800001", 1));
  EXPECT_TRUE(same("2x2xi8,strides=1:2=1,2,3,4", "2x2xi8=1,2,3,4"));
  EXPECT_TRUE(same("0xf32=", "0xf32="));
  EXPECT_TRUE(same("1xcomplex<f32>=(nan,-0)", "1xcomplex<f32>=(nan,0)"));
  EXPECT_FALSE(same("1xcomplex<f32>=(1,nan)", "1xcomplex<f32>=(1,1)"));
  EXPECT_FALSE(same("1xcomplex<f32>=(1,2)", "1xcomplex<f32>=(1,0x40000001)"));
  EXPECT_TRUE(same("1xcomplex<f32>=(1,2)", "1xcomplex<f32>=(1,0x40000001)", 1));
  EXPECT_EQ(messageOf(compare(make("2xf32"), make("2xf16"))),
            "expected 2xf16, got 2xf32");
}

TEST(Compare, FirstMismatchAndCounts) {
  HostTensor want = make("100x100xf32=iota"), got = make("100x100xf32=iota");
  got.setBits(5003, 0);
  got.setBits(9999, *parseElement("9998", ElementType::F32));
  Comparison comparison = take(compare(got, want));
  EXPECT_EQ(comparison.count, 10000);
  EXPECT_EQ(comparison.mismatches, 2);
  EXPECT_EQ(comparison.firstMismatch, 5003);
  EXPECT_EQ(
      describe(comparison, got, want),
      "2 of 10000 elements differ; first at [50, 3]: expected 5003, got 0 "
      "(1167874048 ulp); largest difference 1167874048 ulp");
  EXPECT_EQ(describe(take(compare(want, want)), want, want),
            "all 10000 elements agree; largest difference 0 ulp");
}

} // namespace
