//===- TensorTest.cpp - Views of buffers ----------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Tensor.h"

#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

#include <set>

using namespace ew::runtime;

namespace {

Tensor view(std::vector<int64_t> shape, std::vector<int64_t> strides,
            int64_t offset = 0, ElementType type = ElementType::F32,
            uint64_t address = 0x1000, uint64_t bytes = 4096) {
  Tensor tensor;
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.strides.assign(strides.begin(), strides.end());
  tensor.offset = offset;
  tensor.buffer = Buffer::wrap(address, bytes);
  return tensor;
}

std::string messageOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

TEST(Tensor, Contiguity) {
  EXPECT_TRUE(view({2, 3}, {3, 1}).isContiguous());
  EXPECT_TRUE(view({}, {}).isContiguous());
  EXPECT_TRUE(view({1, 3}, {77, 1}).isContiguous());
  EXPECT_TRUE(view({2, 1}, {1, 77}).isContiguous());
  EXPECT_TRUE(view({0, 3}, {5, 5}).isContiguous());
  EXPECT_FALSE(view({2, 3}, {4, 1}).isContiguous());
  EXPECT_FALSE(view({2, 3}, {1, 2}).isContiguous());
  EXPECT_FALSE(view({2, 3}, {0, 1}).isContiguous());
  EXPECT_FALSE(view({3}, {-1}, 2).isContiguous());
}

TEST(Tensor, ByteRange) {
  ByteRange range = view({2, 3}, {3, 1}, 1).byteRange();
  EXPECT_EQ(range.begin, 0x1004u);
  EXPECT_EQ(range.end, 0x1004u + 24);
  range = view({4}, {-2}, 6).byteRange();
  EXPECT_EQ(range.begin, 0x1000u);
  EXPECT_EQ(range.end, 0x1000u + 28);
  EXPECT_TRUE(view({4, 0}, {1, 1}).byteRange().empty());
}

TEST(Tensor, ChecksThatElementsLieInTheBuffer) {
  auto check = [](const Tensor &tensor) {
    return messageOf(checkTensor(tensor, "argument 0"));
  };
  EXPECT_EQ(check(view({1024}, {1})), "");
  EXPECT_EQ(check(view({512}, {-2}, 1022)), "");
  EXPECT_EQ(check(view({1025}, {1})),
            "argument 0 of type 1025xf32 reaches from element 0 to 1024 of a "
            "buffer that holds 1024");
  EXPECT_EQ(check(view({2}, {-1})),
            "argument 0 of type 2xf32 reaches from element -1 to 0 of a buffer "
            "that holds 1024");
  EXPECT_EQ(check(view({0, 1000000}, {1, 1}, 1 << 20)), "");
  EXPECT_EQ(check(view({-1}, {1})), "argument 0 has a size of -1");
  EXPECT_EQ(check(view({2, 2}, {1})), "argument 0 has 2 sizes, but 1 stride");
  EXPECT_NE(check(view({INT64_MAX, INT64_MAX}, {0, 0})), "");
  EXPECT_NE(check(view({INT64_MAX, 2}, {INT64_MAX, 1})), "");
  EXPECT_NE(check(view({3}, {INT64_MIN})), "");
}

TEST(Tensor, ChecksThatElementsAreAligned) {
  auto check = [](ElementType type, uint64_t address) {
    return messageOf(checkTensor(
        makeTensor(type, {2}, Buffer::wrap(address, 32)), "argument 0"));
  };
  EXPECT_EQ(check(ElementType::F32, 0x1002),
            "argument 0 of type 2xf32 begins at an address that is no multiple "
            "of 4 bytes");
  EXPECT_EQ(check(ElementType::F16, 0x1002), "");
  EXPECT_EQ(check(ElementType::I8, 0x1001), "");
  EXPECT_EQ(check(ElementType::ComplexF32, 0x1004), "");
  EXPECT_NE(check(ElementType::ComplexF64, 0x1004), "");
}

TEST(Tensor, DenseBytes) {
  EXPECT_EQ(getDenseBytes(ElementType::F16, {3, 5}), 30);
  EXPECT_EQ(getDenseBytes(ElementType::F16, {}), 2);
  EXPECT_EQ(getDenseBytes(ElementType::F64, {INT64_MAX, 0}), 0);
  EXPECT_EQ(getDenseBytes(ElementType::F64, {int64_t(1) << 60}), std::nullopt);
  EXPECT_EQ(getDenseBytes(ElementType::I8, {-1}), std::nullopt);
}

TEST(Tensor, OverlapsItself) {
  EXPECT_FALSE(view({2, 3}, {3, 1}).mayOverlapItself());
  EXPECT_FALSE(view({2, 3}, {-1, 2}, 1).mayOverlapItself());
  EXPECT_FALSE(view({1, 3}, {0, 1}).mayOverlapItself());
  EXPECT_TRUE(view({2, 3}, {0, 1}).mayOverlapItself());
  EXPECT_TRUE(view({2, 3}, {2, 1}).mayOverlapItself());
}

TEST(Tensor, OverlapOfInterleavedViews) {
  Tensor left = view({8, 4}, {8, 1}), right = view({8, 4}, {8, 1}, 4);
  EXPECT_FALSE(mayOverlap(left, right));
  EXPECT_TRUE(mayOverlap(left, view({8, 4}, {8, 1}, 3)));
  EXPECT_FALSE(mayOverlap(view({8}, {2}), view({8}, {2}, 1)));
  EXPECT_TRUE(mayOverlap(view({8}, {2}), view({8}, {3}, 1)));
  EXPECT_FALSE(mayOverlap(view({8}, {1}), view({8}, {-1}, 15)));
  EXPECT_TRUE(mayOverlap(view({8}, {1}), view({8}, {-1}, 14)));
  EXPECT_FALSE(mayOverlap(view({0}, {1}), view({8}, {1})));
}

// The test against the set of bytes of each view.
TEST(Tensor, OverlapAgreesWithTheBytes) {
  std::vector<Tensor> views;
  for (int64_t outer : {-7, 0, 3, 6, 8})
    for (int64_t inner : {-2, 1, 2, 3})
      for (int64_t offset : {40, 41, 45})
        for (ElementType type : {ElementType::F16, ElementType::F64})
          views.push_back(view({3, 4}, {outer, inner}, offset, type));
  auto bytesOf = [](const Tensor &tensor) {
    std::set<uint64_t> bytes;
    for (int64_t i = 0; i < tensor.shape[0]; ++i)
      for (int64_t j = 0; j < tensor.shape[1]; ++j)
        for (unsigned b = 0, width = getByteWidth(tensor.type); b < width; ++b)
          bytes.insert(tensor.address() +
                       (i * tensor.strides[0] + j * tensor.strides[1]) * width +
                       b);
    return bytes;
  };
  unsigned disjoint = 0;
  for (const Tensor &a : views) {
    std::set<uint64_t> bytesA = bytesOf(a);
    EXPECT_EQ(a.byteRange().begin, *bytesA.begin());
    EXPECT_EQ(a.byteRange().end, *bytesA.rbegin() + 1);
    for (const Tensor &b : views) {
      bool overlap = false;
      for (uint64_t byte : bytesOf(b))
        overlap |= bytesA.count(byte) != 0;
      EXPECT_EQ(mayOverlap(a, b), overlap);
      disjoint += !overlap;
    }
  }
  EXPECT_GT(disjoint, 1000u);
}

} // namespace
