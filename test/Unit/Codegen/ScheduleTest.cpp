//===- ScheduleTest.cpp - Access classes, collapsing, policy --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Signature.h"
#include "ew/Codegen/Schedule/Policy.h"

#include "mlir/IR/Builders.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace ew;

namespace {

constexpr int64_t dyn = ShapedType::kDynamic;

LoopNest makeNest(ArrayRef<int64_t> sizes,
                  ArrayRef<SmallVector<int64_t>> walks) {
  LoopNest nest;
  nest.sizes.assign(sizes.begin(), sizes.end());
  nest.walks.assign(walks.begin(), walks.end());
  nest.indexed.assign(sizes.size(), false);
  return nest;
}

TEST(Access, Classes) {
  LoopNest nest = makeNest({dyn, dyn, dyn}, {{0, 1, 2},
                                             {1, 2},
                                             {2},
                                             {0, 1},
                                             {0},
                                             {},
                                             {0, 2, 1},
                                             {2, 0},
                                             {1, 0, 2},
                                             {0, 2},
                                             {1},
                                             {1, 0}});
  AccessClass expected[] = {
      AccessClass::dense,      AccessClass::row,        AccessClass::row,
      AccessClass::column,     AccessClass::column,     AccessClass::scalar,
      AccessClass::transposed, AccessClass::transposed, AccessClass::general,
      AccessClass::general,    AccessClass::general,    AccessClass::general};
  for (auto [index, access] : llvm::enumerate(expected))
    EXPECT_EQ(nest.classify(index), access) << index;
}

TEST(Access, LoopsOfSizeOneDoNotCount) {
  LoopNest nest = makeNest({1, dyn, 1, dyn}, {{1, 3}, {3}, {1}});
  EXPECT_EQ(nest.classify(0), AccessClass::dense);
  EXPECT_EQ(nest.classify(1), AccessClass::row);
  EXPECT_EQ(nest.classify(2), AccessClass::column);
  EXPECT_EQ(collapseLoops(nest), (SmallVector<int64_t>{3, 1}));
  EXPECT_EQ(collapseLoops(makeNest({1, dyn, 1, dyn}, {{1, 3}})),
            (SmallVector<int64_t>{4}));
}

TEST(Access, CollapseKeepsWalks) {
  LoopNest nest = makeNest({2, dyn, 3, 5}, {{0, 1, 2, 3}, {2, 3, 0, 1}});
  SmallVector<int64_t> collapse = collapseLoops(nest);
  EXPECT_EQ(collapse, (SmallVector<int64_t>{2, 2}));
  LoopNest collapsed = applyCollapse(nest, collapse);
  EXPECT_EQ(collapsed.sizes, (SmallVector<int64_t>{dyn, 15}));
  EXPECT_EQ(collapsed.walks[1], (SmallVector<int64_t>{1, 0}));
}

TEST(Access, SizesThatOverflowAreNotStatic) {
  LoopNest nest = makeNest({int64_t(1) << 40, int64_t(1) << 40}, {{0, 1}});
  EXPECT_EQ(applyCollapse(nest, {2}).sizes, (SmallVector<int64_t>{dyn}));
}

struct PolicyTest : testing::Test {
  PolicyTest() : b(&context) { context.loadDialect<EwDialect>(); }

  RankedTensorType tensor(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  ScheduleAttr decide(const LoopNest &nest, ArrayRef<Type> types,
                      BodyWeight body = {1, false}) {
    ScheduleTarget target{*nvidia::findChip("sm_90")};
    target.choice.many = many;
    return decideSchedule(&context, nest, types, body, target);
  }

  MLIRContext context;
  Builder b;
  bool many = true; // no versions for few elements
};

TEST_F(PolicyTest, LastVariantAlwaysHolds) {
  for (bool forMany : {true, false})
    for (int64_t size :
         {dyn, int64_t(0), int64_t(1), int64_t(3), int64_t(1185)})
      for (auto walk : {SmallVector<int64_t>{0, 1}, SmallVector<int64_t>{1, 0},
                        SmallVector<int64_t>{1}}) {
        many = forMany;
        ScheduleAttr schedule = decide(
            makeNest({size, 7}, {walk, {0, 1}}),
            {tensor({7, 7}, b.getF32Type()), tensor({7, 7}, b.getF32Type())});
        ArrayRef<VariantAttr> variants = schedule.getVariants();
        ASSERT_FALSE(variants.empty());
        EXPECT_EQ(variants.back().getBelow(), 0);
        EXPECT_FALSE(variants.back().getContiguous());
        EXPECT_EQ(variants.back().getAlignment(), 1);
        EXPECT_EQ(variants.back().getMultiple(), 1);
        if (size == dyn)
          EXPECT_EQ(variants.back().getIndexWidth(), 64u);
      }
}

TEST_F(PolicyTest, SixtyFourBitsUnlessBlocksFit) {
  auto last = [&](int64_t size) {
    Type type = tensor({size}, b.getI8Type());
    return decide(makeNest({size}, {{0}, {0}}), {type, type})
        .getVariants()
        .back();
  };
  EXPECT_EQ(last(1 << 20).getIndexWidth(), 32u);
  EXPECT_EQ(last((int64_t(1) << 31) - 1).getIndexWidth(), 64u);
  EXPECT_EQ(last(dyn).getIndexWidth(), 64u);
}

TEST_F(PolicyTest, TooLargeATileIsNone) {
  // Seven transposed operands of 8 bytes would take 59 KiB.
  SmallVector<SmallVector<int64_t>> walks(7, SmallVector<int64_t>{1, 0});
  walks.push_back({0, 1});
  SmallVector<Type> types(8, tensor({dyn, dyn}, b.getF64Type()));
  EXPECT_TRUE(decide(makeNest({dyn, dyn}, walks), types).getTile().empty());
  walks.erase(walks.begin());
  types.pop_back();
  walks.erase(walks.begin());
  types.pop_back();
  EXPECT_FALSE(decide(makeNest({dyn, dyn}, walks), types).getTile().empty());
}

TEST_F(PolicyTest, ArgumentsOfAKernel) {
  Type type = tensor({dyn, dyn}, b.getF32Type());
  SmallVector<Type> types = {type, tensor({dyn}, b.getF32Type()),
                             b.getF32Type(), type};
  AffineMap id = b.getMultiDimIdentityMap(2);
  AffineMap row = id.getMinorSubMap(1);
  AffineMap none = AffineMap::get(2, 0, &context);
  SmallVector<AffineMap> maps = {id, row, none, id};
  ScheduleAttr schedule =
      decide(makeNest({dyn, dyn}, {{0, 1}, {1}, {}, {0, 1}}), types);
  using Kind = runtime::KernelArg::Kind;
  auto argsOf = [&](StringRef name) {
    return getKernelArgs(
        schedule,
        *llvm::find_if(schedule.getVariants(),
                       [&](VariantAttr of) { return of.getName() == name; }),
        maps, types);
  };
  auto kinds = [&](StringRef name) {
    return llvm::map_to_vector(argsOf(name),
                               [](const auto &arg) { return arg.kind; });
  };
  EXPECT_EQ(kinds("wide"),
            (SmallVector<Kind>{Kind::Pointer, Kind::Pointer, Kind::Scalar,
                               Kind::Pointer, Kind::Size, Kind::Size}));
  // Five strides: the row has one, the scalar none.
  EXPECT_EQ(kinds("general"),
            (SmallVector<Kind>{Kind::Pointer, Kind::Pointer, Kind::Scalar,
                               Kind::Pointer, Kind::Size, Kind::Size,
                               Kind::Divisor, Kind::Stride, Kind::Stride,
                               Kind::Stride, Kind::Stride, Kind::Stride}));
  // Of merged loops, a pitch for each, and one stride where all are one.
  EXPECT_EQ(
      kinds("pitched"),
      (SmallVector<Kind>{Kind::Pointer, Kind::Pointer, Kind::Scalar,
                         Kind::Pointer, Kind::Size, Kind::Size, Kind::Divisor,
                         Kind::Stride, Kind::Stride, Kind::Stride}));
  EXPECT_EQ(kinds("strided"),
            (SmallVector<Kind>{Kind::Pointer, Kind::Pointer, Kind::Scalar,
                               Kind::Pointer, Kind::Count, Kind::Stride,
                               Kind::Stride, Kind::Stride}));
  for (StringRef name : {"general", "general64"})
    for (auto &arg : argsOf(name))
      if (arg.kind == Kind::Size || arg.kind == Kind::Stride)
        EXPECT_EQ(arg.width, name == "general" ? 32 : 64);
}

} // namespace
