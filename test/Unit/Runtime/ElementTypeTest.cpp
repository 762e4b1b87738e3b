//===- ElementTypeTest.cpp - Names and widths of element types ------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/ElementType.h"

#include <gtest/gtest.h>

using namespace ew::runtime;

namespace {

TEST(ElementType, NamesParseBack) {
  for (int i = 0; i <= static_cast<int>(ElementType::ComplexF64); ++i) {
    auto type = static_cast<ElementType>(i);
    EXPECT_EQ(parseElementType(getName(type)), type) << getName(type).str();
  }
  EXPECT_EQ(parseElementType("f33"), std::nullopt);
}

TEST(ElementType, Widths) {
  EXPECT_EQ(getByteWidth(ElementType::I1), 1u);
  EXPECT_EQ(getByteWidth(ElementType::F8E5M2), 1u);
  EXPECT_EQ(getByteWidth(ElementType::BF16), 2u);
  EXPECT_EQ(getByteWidth(ElementType::UI32), 4u);
  EXPECT_EQ(getByteWidth(ElementType::F64), 8u);
  EXPECT_EQ(getByteWidth(ElementType::ComplexF32), 8u);
  EXPECT_EQ(getByteWidth(ElementType::ComplexF64), 16u);
}

TEST(ElementType, Parts) {
  EXPECT_EQ(getPartType(ElementType::ComplexF64), ElementType::F64);
  EXPECT_EQ(getNumParts(ElementType::ComplexF32), 2u);
  EXPECT_EQ(getPartType(ElementType::BF16), ElementType::BF16);
  EXPECT_EQ(getNumParts(ElementType::I1), 1u);
  EXPECT_FALSE(isFloat(ElementType::ComplexF32));
}

} // namespace
