//===- GeometryTest.cpp - Which version a call takes, and why -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Geometry.h"

#include "Kernels.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

constexpr uint64_t kMaxGrid = 0x7fffffff;

/// A view of memory that is never touched.
Tensor view(std::vector<int64_t> shape, std::vector<int64_t> strides,
            uint64_t address = 0x10000, ElementType type = ElementType::F32) {
  Tensor tensor;
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.strides.assign(strides.begin(), strides.end());
  tensor.buffer = Buffer::wrap(address, UINT64_MAX - address);
  return tensor;
}

Tensor dense(std::vector<int64_t> shape, uint64_t address = 0x10000) {
  return makeTensor(ElementType::F32, shape,
                    Buffer::wrap(address, UINT64_MAX - address));
}

/// A kernel with one input and one output over `rank` loops, with the variants
/// of a GPU: wide, wide64, dense and general.
Launch makeLaunch(unsigned rank, std::vector<int64_t> collapse,
                  std::vector<int32_t> inputDims, int64_t multiple = 1) {
  Launch launch;
  launch.name = "k";
  launch.location = "f.mlir:1:2";
  launch.loops.resize(rank);
  launch.collapse = std::move(collapse);
  launch.numInputs = 1;
  launch.operands.resize(2);
  launch.operands[0].dimOfLoop = std::move(inputDims);
  for (unsigned i = 0; i < rank; ++i)
    launch.operands[1].dimOfLoop.push_back(i);
  for (Operand &operand : launch.operands)
    operand.wide = true;
  Variant wide;
  wide.contiguous = true;
  wide.alignment = 16;
  wide.multiple = multiple;
  wide.indexWidth = 32;
  wide.elementsPerBlock = 1024;
  Variant wide64 = wide;
  wide64.indexWidth = 64;
  Variant denseVariant = wide64;
  denseVariant.alignment = denseVariant.multiple = 1;
  Variant general = denseVariant;
  general.contiguous = false;
  launch.variants = {wide, wide64, denseVariant, general};
  return launch;
}

/// The number of the variant chosen, and why the one before it was not.
std::pair<unsigned, std::string> choose(const Launch &launch,
                                        std::vector<int64_t> loops,
                                        const Tensor &in, const Tensor &out) {
  Geometry geometry =
      llvm::cantFail(computeGeometry(launch, loops, {&in, &out}));
  uint32_t choice = llvm::cantFail(chooseVariant(launch, geometry, kMaxGrid));
  std::optional<std::string> why;
  if (choice > 0)
    why = whyNot(launch, launch.variants[choice - 1], geometry, kMaxGrid);
  return {choice, why.value_or("")};
}

using Choice = std::pair<unsigned, std::string>;

TEST(Geometry, Alignment) {
  Launch launch = makeLaunch(1, {1}, {0});
  for (uint64_t offset = 0; offset < 64; offset += 4) {
    Choice choice =
        choose(launch, {1000}, dense({1000}, 0x10000 + offset), dense({1000}));
    EXPECT_EQ(choice.first, offset % 16 ? 2u : 0u) << offset;
  }
  EXPECT_EQ(choose(launch, {1000}, dense({1000}), dense({1000}, 0x10008)),
            Choice(2, "operand 1 is aligned to 8 bytes, not 16"));
  // An operand that is not read in wide accesses may lie anywhere.
  launch.operands[0].wide = false;
  EXPECT_EQ(choose(launch, {1000}, dense({1000}, 0x10001), dense({1000})).first,
            0u);
}

TEST(Geometry, OddRows) {
  Launch launch = makeLaunch(2, {1, 1}, {-1, 0}, /*multiple=*/4);
  EXPECT_EQ(choose(launch, {8, 1184}, dense({1184}), dense({8, 1184})).first,
            0u);
  EXPECT_EQ(choose(launch, {8, 1185}, dense({1185}), dense({8, 1185})),
            Choice(2, "the innermost size 1185 is no multiple of 4"));
}

TEST(Geometry, FewElements) {
  Launch launch = makeLaunch(1, {1}, {0});
  launch.variants[0].below = 1000;
  EXPECT_EQ(choose(launch, {999}, dense({999}), dense({999})).first, 0u);
  EXPECT_EQ(choose(launch, {1000}, dense({1000}), dense({1000})),
            Choice(1, "1000 elements are enough for more of them a thread"));
  // What is to be done something about comes first.
  EXPECT_EQ(
      choose(launch, {1000}, dense({1000}, 0x10004), dense({1000})).second,
      "operand 0 is aligned to 4 bytes, not 16");
}

TEST(Geometry, RowsAtATime) {
  Launch launch = makeLaunch(2, {1, 1}, {-1, 0}, /*multiple=*/4);
  launch.variants[0].rows = 2;
  EXPECT_EQ(choose(launch, {8, 1184}, dense({1184}), dense({8, 1184})).first,
            0u);
  EXPECT_EQ(choose(launch, {7, 1184}, dense({1184}), dense({7, 1184})),
            Choice(1, "7 rows cannot be taken 2 at a time"));
}

TEST(Geometry, WideTiles) {
  // The first input is walked column by column.
  Launch launch = makeLaunch(2, {1, 1}, {0, 1});
  launch.operands[0].layout = {1, 0};
  auto addTile = [&](int64_t rows, int64_t columns, int64_t multiple,
                     int64_t unitRows) {
    Variant variant = launch.variants[0];
    variant.alignment = multiple > 1 ? 4 : 1;
    variant.multiple = multiple;
    variant.rows = unitRows;
    variant.tile = {rows, columns, 0};
    return variant;
  };
  launch.variants = {addTile(64, 128, 4, 4), addTile(128, 128, 4, 4),
                     addTile(4, 1024, 16, 1), addTile(64, 64, 1, 1),
                     launch.variants[3]};
  auto chooseFor = [&](int64_t rows, int64_t columns, uint64_t at = 0x10000) {
    return choose(launch, {rows, columns}, view({rows, columns}, {1, rows}, at),
                  dense({rows, columns}));
  };
  EXPECT_EQ(chooseFor(64, 1280).first, 0u);
  // As full, and larger: that one; it's less full: the first.
  EXPECT_EQ(chooseFor(100, 1280), Choice(1, "a larger tile is as full"));
  EXPECT_EQ(chooseFor(256, 1280).first, 1u);
  EXPECT_EQ(chooseFor(60, 1280).first, 0u);
  // All rows in one tile, of any number.
  EXPECT_EQ(chooseFor(3, 1280),
            Choice(2, "3 rows cannot be taken 4 at a time"));
  EXPECT_EQ(chooseFor(65, 1280), Choice(3, "65 rows are more than a tile's 4"));
  EXPECT_EQ(chooseFor(65, 1281),
            Choice(3, "the innermost size 1281 is no multiple of 16"));
  EXPECT_EQ(chooseFor(64, 1280, 0x10002),
            Choice(3, "operand 0 is aligned to 2 bytes, not 4"));
}

/// Versions as the policy has them, in any order: tiles in units of four or two
/// rows, tiles of all rows, and tiles whose elements are taken one by one, some
/// of them for few elements.
struct TileRule {
  enum Kind { Units, AllRows, Single };
  Kind kind;
  int64_t rows, columns, unit = 1, below = 0;

  Variant makeVariant(const Variant &from) const {
    Variant variant = from;
    variant.alignment = kind == Single ? 1 : kind == Units ? unit : 16;
    variant.multiple = kind == AllRows ? 8 : unit;
    variant.rows = unit;
    variant.below = below;
    variant.tile = {rows, columns, 0};
    return variant;
  }
  /// Whether its tiles are to be thought of for a space.
  bool isFor(int64_t height, int64_t width) const {
    return (!below || height * width < below) &&
           (kind != AllRows || height <= rows);
  }
  int64_t getCovered(int64_t height, int64_t width) const {
    return (height + rows - 1) / rows * rows *
           ((width + columns - 1) / columns * columns);
  }
  /// Whether its accesses fit, of tiles that are thought of.
  bool holds(int64_t height, int64_t width, int64_t alignment) const {
    if (kind == Units)
      return alignment >= unit && height % unit == 0 && width % unit == 0;
    return kind != AllRows || (alignment >= 16 && width % 8 == 0);
  }
  bool isLargerThan(const TileRule &other, int64_t height) const {
    if (kind != Units || other.kind != Units)
      return false;
    int64_t side = std::min(rows, columns);
    int64_t otherSide = std::min(other.rows, other.columns);
    return side > otherSide || (side == otherSide && rows > other.rows &&
                                (unit <= other.unit || height <= rows));
  }
};

/// The first one that holds and an eighth of whose tiles lies inside, where no
/// other one's are more than twice as full, nor a larger one's in units as
/// full, of those that hold. Their number where there is none.
size_t chooseByRule(const std::vector<TileRule> &tiles, int64_t height,
                    int64_t width, int64_t alignment) {
  for (size_t index = 0; index < tiles.size(); ++index) {
    const TileRule &tile = tiles[index];
    if (!tile.isFor(height, width) || !tile.holds(height, width, alignment))
      continue;
    int64_t covered = tile.getCovered(height, width);
    bool suits = covered <= 8 * height * width;
    for (const TileRule &other : tiles) {
      int64_t others = other.getCovered(height, width);
      if (other.isFor(height, width) &&
          (2 * others < covered ||
           (others <= covered && other.isLargerThan(tile, height) &&
            other.holds(height, width, alignment))))
        suits = false;
    }
    if (suits)
      return index;
  }
  return tiles.size();
}

TEST(Geometry, ChoiceAmongTiles) {
  const std::vector<TileRule> policy = {
      {TileRule::Units, 64, 128, 4},     {TileRule::Units, 128, 64, 4},
      {TileRule::Units, 128, 128, 4},    {TileRule::Units, 64, 64, 2},
      {TileRule::Units, 16, 256, 4},     {TileRule::Units, 4, 1024, 4},
      {TileRule::Units, 256, 16, 2},     {TileRule::Units, 1024, 4, 4},
      {TileRule::AllRows, 4, 1024},      {TileRule::AllRows, 8, 512},
      {TileRule::AllRows, 16, 256},      {TileRule::Single, 32, 32, 1, 40000},
      {TileRule::Single, 64, 64},        {TileRule::Single, 16, 256},
      {TileRule::Single, 4, 1024},       {TileRule::Single, 256, 16},
      {TileRule::Single, 1024, 4},       {TileRule::Single, 96, 40},
      {TileRule::Units, 48, 96, 4, 9000}};
  Launch launch = makeLaunch(2, {1, 1}, {0, 1});
  launch.operands[0].layout = {1, 0};
  const Variant wide = launch.variants[0], general = launch.variants[3];
  std::mt19937_64 random(7);
  std::vector<unsigned> chosen(policy.size() + 1);
  for (unsigned round = 0; round < 400; ++round) {
    // The policy's own list, then parts of it.
    std::vector<TileRule> tiles = policy;
    if (round >= 200) {
      std::shuffle(tiles.begin(), tiles.end(), random);
      tiles.resize(1 + random() % tiles.size());
    }
    launch.variants.clear();
    for (const TileRule &tile : tiles)
      launch.variants.push_back(tile.makeVariant(wide));
    launch.variants.push_back(general);
    for (unsigned shape = 0; shape < 50; ++shape) {
      auto takeSize = [&](unsigned most) {
        int64_t size = 1 + random() % (uint64_t(1) << random() % most);
        int64_t step = int64_t(1) << random() % 4;
        return (size + step - 1) / step * step;
      };
      int64_t height = takeSize(12), width = takeSize(16);
      int64_t alignment = int64_t(1) << random() % 5;
      Tensor in = view({height, width}, {1, height}, 0x10000 + alignment);
      Tensor out = dense({height, width});
      size_t expected = chooseByRule(tiles, height, width, alignment);
      ASSERT_EQ(choose(launch, {height, width}, in, out).first, expected)
          << height << " by " << width << ", aligned to " << alignment
          << ", round " << round;
      ++(round < 200 ? chosen[expected] : chosen.back());
    }
  }
  // All sorts are among those that were chosen, and so is none of them.
  for (size_t index : {1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    EXPECT_GT(chosen[index], 0u) << index;
  EXPECT_EQ(std::accumulate(chosen.begin(), chosen.end(), 0u), 20000u);
}

TEST(Geometry, CollapsedSizes) {
  Launch launch = makeLaunch(3, {2, 1}, {0, 1, 2}, /*multiple=*/4);
  Tensor tensor = dense({3, 5, 8});
  Geometry geometry =
      llvm::cantFail(computeGeometry(launch, {3, 5, 8}, {&tensor, &tensor}));
  EXPECT_EQ(geometry.count, 120);
  EXPECT_EQ(llvm::ArrayRef<int64_t>(geometry.collapsed),
            llvm::ArrayRef<int64_t>({15, 8}));
  const Variant &wide = launch.variants[0], &general = launch.variants[3];
  using Kind = KernelArg::Kind;
  auto value = [&](const Variant &variant, KernelArg arg) {
    return evaluateArgument(launch, variant, arg, geometry);
  };
  EXPECT_EQ(value(wide, {Kind::Count, 0, 0, 32}), 120);
  EXPECT_EQ(value(wide, {Kind::Size, 0, 0, 32}), 15);
  EXPECT_EQ(value(wide, {Kind::Stride, 0, 0, 32}), 8);
  EXPECT_EQ(value(general, {Kind::Size, 0, 1, 64}), 5);
  EXPECT_EQ(value(general, {Kind::Stride, 0, 0, 64}), 40);
  EXPECT_EQ(value(general, {Kind::Divisor, 0, 1, 64}), int64_t(getDivisor(5)));
}

TEST(Geometry, StridesAndStretching) {
  Launch launch = makeLaunch(2, {2}, {0, 1});
  Tensor out = dense({4, 6});
  EXPECT_EQ(choose(launch, {4, 6}, dense({4, 6}), out).first, 0u);
  EXPECT_EQ(choose(launch, {4, 6}, view({4, 6}, {7, 1}), out),
            Choice(3, "operand 0: its elements are not dense"));
  EXPECT_EQ(choose(launch, {4, 6}, dense({1, 6}), out),
            Choice(3, "operand 0: a dimension of size 1 is stretched"));
  EXPECT_EQ(choose(launch, {4, 6}, dense({4, 6}), view({4, 6}, {12, 2})),
            Choice(3, "operand 1: its elements are not dense"));
  // A size of 1 that is not stretched has no stride worth a word.
  Tensor row = dense({1, 6});
  Tensor far = view({1, 6}, {99, 1});
  EXPECT_EQ(choose(launch, {1, 6}, far, row).first, 0u);
  EXPECT_EQ(llvm::cantFail(computeGeometry(launch, {1, 6}, {&far, &row}))
                .operands[0]
                .strides.front(),
            0);

  Tensor stretched = dense({1, 6}), reversed = view({4, 6}, {-6, -1}, 0x20000);
  Geometry geometry =
      llvm::cantFail(computeGeometry(launch, {4, 6}, {&stretched, &reversed}));
  EXPECT_EQ(llvm::ArrayRef<int64_t>(geometry.operands[0].strides),
            llvm::ArrayRef<int64_t>({0, 1}));
  EXPECT_EQ(llvm::ArrayRef<int64_t>(geometry.operands[1].strides),
            llvm::ArrayRef<int64_t>({-6, -1}));
  EXPECT_EQ(geometry.reach, 23);
  EXPECT_EQ(geometry.operands[0].bytes, 24u);
}

/// A kernel of makeLaunch whose variants walk merged loops: vectors of whole
/// rows, single elements of rows, one stride, and anything.
Launch makeMerging(unsigned rank, std::vector<int32_t> inputDims,
                   int64_t dims = 2) {
  std::vector<int64_t> collapse(rank, 1);
  Launch launch = makeLaunch(rank, collapse, std::move(inputDims));
  Variant general = launch.variants.back();
  Variant elements = general;
  elements.dims = dims;
  Variant vectors = elements;
  vectors.alignment = 16;
  vectors.multiple = 4;
  Variant strided = general;
  strided.dims = 1;
  launch.variants = {vectors, elements, strided, general};
  return launch;
}

TEST(Geometry, SlicesOfRows) {
  Launch launch = makeMerging(2, {0, 1});
  Tensor out = dense({6, 8});
  auto chooseFor = [&](const Tensor &in) {
    return choose(launch, {6, 8}, in, out);
  };
  EXPECT_EQ(chooseFor(view({6, 8}, {16, 1})).first, 0u);
  EXPECT_EQ(chooseFor(view({6, 8}, {-12, 1}, 0x20000)).first, 0u);
  EXPECT_EQ(chooseFor(dense({1, 8})).first, 0u); // stretched over rows
  EXPECT_EQ(chooseFor(view({6, 8}, {18, 1})),
            Choice(1, "operand 0: its rows are aligned to 8 bytes, not 16"));
  EXPECT_EQ(chooseFor(view({6, 8}, {16, 1}, 0x10004)),
            Choice(1, "operand 0 is aligned to 4 bytes, not 16"));
  EXPECT_EQ(chooseFor(view({6, 8}, {16, 2})),
            Choice(2, "operand 0: elements of a row are not side by side"));
  EXPECT_EQ(chooseFor(view({6, 8}, {0, 0})).first, 2u);
  EXPECT_EQ(chooseFor(view({6, 8}, {18, 2})),
            Choice(3, "strides make 2 dimensions of it, not 1"));
  EXPECT_EQ(
      choose(launch, {6, 7}, view({6, 7}, {16, 1}), view({6, 7}, {12, 1})),
      Choice(1, "the innermost size 7 is no multiple of 4"));
  // An output's rows count, too.
  EXPECT_EQ(choose(launch, {6, 8}, dense({6, 8}), view({6, 8}, {9, 1})).second,
            "operand 1: its rows are aligned to 4 bytes, not 16");
  // With one row there is no pitch, and with one element of each a stride.
  EXPECT_EQ(choose(launch, {1, 8}, view({1, 8}, {9, 1}), dense({1, 8})).first,
            0u);
  EXPECT_EQ(choose(launch, {6, 1}, view({6, 1}, {9, 1}), dense({6, 1})).first,
            2u);
  EXPECT_EQ(choose(launch, {0, 8}, view({0, 8}, {9, 3}), dense({0, 8})).first,
            0u);

  // What does not walk rows keeps to one element for each.
  Launch column = makeMerging(2, {0, -1});
  column.operands[0].dimOfLoop = {0, -1};
  column.operands[0].wide = false;
  EXPECT_EQ(choose(column, {6, 8}, view({6}, {3}), dense({6, 8})).first, 0u);
  EXPECT_EQ(choose(column, {6, 1}, view({6}, {1}), dense({6, 1})).first, 2u);
}

TEST(Geometry, MergedLoops) {
  Launch launch = makeMerging(4, {0, 1, 2, 3});
  Tensor out = dense({2, 3, 4, 8});
  auto merge = [&](const Tensor &in) {
    Geometry geometry =
        llvm::cantFail(computeGeometry(launch, {2, 3, 4, 8}, {&in, &out}));
    return std::vector<int64_t>(geometry.merged.begin(), geometry.merged.end());
  };
  using Sizes = std::vector<int64_t>;
  EXPECT_EQ(merge(dense({2, 3, 4, 8})), Sizes({1, 1, 1, 192}));
  EXPECT_EQ(merge(view({2, 3, 4, 8}, {128, 32, 8, 1})), Sizes({1, 1, 2, 96}));
  EXPECT_EQ(merge(view({2, 3, 4, 8}, {192, 64, 16, 1})), Sizes({1, 1, 24, 8}));
  EXPECT_EQ(merge(view({2, 3, 4, 8}, {192, 64, 8, 1})), Sizes({1, 1, 6, 32}));
  EXPECT_EQ(merge(view({2, 3, 4, 8}, {200, 64, 8, 1})), Sizes({1, 2, 3, 32}));
  EXPECT_EQ(merge(dense({1, 3, 4, 8})), Sizes({1, 1, 2, 96}));
  EXPECT_EQ(
      choose(launch, {2, 3, 4, 8}, view({2, 3, 4, 8}, {200, 64, 8, 1}), out),
      Choice(3, "strides make 3 dimensions of it, not 1"));
}

/// Whatever is merged, elements are those that the loops reach.
TEST(Geometry, MergedLoopsReachTheSame) {
  std::mt19937 random(1);
  auto pick = [&](std::vector<int64_t> of) { return of[random() % of.size()]; };
  for (unsigned round = 0; round < 2000; ++round) {
    Launch launch = makeMerging(3, {0, 1, 2}, /*dims=*/3);
    std::vector<int64_t> sizes, strides[2];
    for (unsigned dim = 0; dim < 3; ++dim)
      sizes.push_back(pick({1, 1, 2, 3, 4}));
    for (auto &of : strides)
      for (int64_t dim = 2, next = pick({1, 1, 2, -1}); dim >= 0; --dim) {
        of.insert(of.begin(), next);
        next = pick({next * sizes[dim], next * sizes[dim], 0, next + 5});
      }
    Tensor in = view(sizes, strides[0], 1u << 20);
    Tensor out = view(sizes, strides[1], 1u << 20);
    Geometry geometry =
        llvm::cantFail(computeGeometry(launch, sizes, {&in, &out}));
    auto reach = [](llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<int64_t> strides, int64_t linear) {
      int64_t offset = 0;
      for (size_t dim = sizes.size(); dim-- > 0; linear /= sizes[dim])
        offset += linear % sizes[dim] * strides[dim];
      return offset;
    };
    for (unsigned operand = 0; operand < 2; ++operand)
      for (int64_t i = 0; i < geometry.count; ++i)
        ASSERT_EQ(reach(sizes, strides[operand], i),
                  reach(geometry.merged,
                        geometry.operands[operand].mergedStrides, i));
  }
}

TEST(Geometry, Layout) {
  Launch launch = makeLaunch(2, {1, 1}, {0, 1});
  launch.operands[0].layout = {1, 0}; // columns
  Tensor out = dense({4, 6});
  EXPECT_EQ(choose(launch, {4, 6}, view({4, 6}, {1, 4}), out).first, 0u);
  EXPECT_EQ(choose(launch, {4, 6}, dense({4, 6}), out).first, 3u);
}

TEST(Geometry, IndexWidth) {
  Launch launch = makeLaunch(1, {1}, {0});
  // The last block would end at 2^31 exactly.
  int64_t limit = int64_t(1) << 31;
  for (auto [count, variant] : {std::pair<int64_t, unsigned>{limit - 1024, 0},
                                {limit - 1023, 1},
                                {limit - 1, 1},
                                {3288334336, 1}})
    EXPECT_EQ(choose(launch, {count}, dense({count}), dense({count})).first,
              variant)
        << count;

  // A block that may begin a vector before the space is as much longer than
  // what it computes for certain.
  Launch shifted = makeLaunch(1, {1}, {0});
  shifted.variants.erase(shifted.variants.begin(),
                         shifted.variants.begin() + 2);
  shifted.variants[0].indexWidth = 32;
  shifted.variants[0].lanes = 8;
  shifted.variants[0].elementsPerBlock = 1016;
  int64_t most = (limit - 1) / 1024 * 1016;
  EXPECT_EQ(choose(shifted, {most}, dense({most}), dense({most})).first, 0u);
  EXPECT_EQ(choose(shifted, {most + 1}, dense({most + 1}), dense({most + 1})),
            Choice(1, "indices do not fit in 32 bits"));

  // Few elements, far apart: the offsets are what does not fit.
  launch.variants[3].indexWidth = 32;
  launch.variants.push_back(launch.variants[3]);
  launch.variants[4].indexWidth = 64;
  EXPECT_EQ(choose(launch, {3}, view({3}, {1 << 29}), dense({3})).first, 3u);
  EXPECT_EQ(choose(launch, {3}, view({3}, {1 << 30}), dense({3})),
            Choice(4, "indices do not fit in 32 bits"));
  EXPECT_EQ(choose(launch, {3}, view({3}, {-(1 << 30)}), dense({3})).first, 4u);
}

TEST(Geometry, Grid) {
  Launch launch = makeLaunch(3, {1, 1, 1}, {0, 1, 2});
  Tensor tensor = dense({5, 33, 65});
  Geometry geometry =
      llvm::cantFail(computeGeometry(launch, {5, 33, 65}, {&tensor, &tensor}));
  Variant variant = launch.variants[0];
  EXPECT_EQ(countBlocks(variant, geometry), (5 * 33 * 65 + 1023) / 1024);
  variant.tile = {32, 64, 1};
  EXPECT_EQ(countBlocks(variant, geometry), 5 * 2 * 2);
  variant.tile = {2, 64, 0};
  EXPECT_EQ(countBlocks(variant, geometry), 3 * 33 * 2);

  // More blocks than the device has.
  EXPECT_EQ(whyNot(launch, launch.variants[0], geometry, 11), std::nullopt);
  EXPECT_EQ(whyNot(launch, launch.variants[0], geometry, 10),
            "it takes more blocks than the device has");
  EXPECT_EQ(messageOf(chooseVariant(launch, geometry, 10)),
            "f.mlir:1:2: kernel 'k': no variant can run: it takes more blocks "
            "than the device has");
}

TEST(Geometry, EmptySpaces) {
  Launch launch = makeLaunch(2, {2}, {0, 1}, 4);
  int64_t large = int64_t(1) << 40;
  Tensor empty = dense({large, 0});
  Geometry geometry =
      llvm::cantFail(computeGeometry(launch, {large, 0}, {&empty, &empty}));
  EXPECT_EQ(geometry.count, 0);
  EXPECT_EQ(countBlocks(launch.variants[0], geometry), 0);
  EXPECT_EQ(whyNot(launch, launch.variants[0], geometry, kMaxGrid),
            std::nullopt);
  // Wherever what is not there would lie.
  Launch slices = makeMerging(2, {0, 1});
  Tensor apart = view({large, 0}, {3, 5});
  geometry =
      llvm::cantFail(computeGeometry(slices, {large, 0}, {&apart, &empty}));
  EXPECT_EQ(whyNot(slices, slices.variants[0], geometry, kMaxGrid),
            std::nullopt);
  // The others alone have more elements than 64 bits count.
  Launch cube = makeLaunch(3, {2, 1}, {0, 1, 2});
  empty = dense({large, large, 0});
  geometry = llvm::cantFail(
      computeGeometry(cube, {large, large, 0}, {&empty, &empty}));
  EXPECT_EQ(geometry.count, 0);
}

TEST(Geometry, Mismatches) {
  Launch launch = makeLaunch(2, {2}, {0, 1});
  Tensor out = dense({4, 6});
  auto message = [&](std::vector<int64_t> loops, const Tensor &in,
                     const Tensor &out) {
    return messageOf(computeGeometry(launch, loops, {&in, &out}));
  };
  EXPECT_EQ(message({4, 6}, dense({4, 5}), out),
            "f.mlir:1:2: kernel 'k': operand 0 has 5 elements in dimension 1, "
            "the kernel walks 6");
  EXPECT_EQ(
      message({4, 6}, out, dense({1, 6})),
      "f.mlir:1:2: kernel 'k': output 1 has 1 element in dimension 0, the "
      "kernel walks 4");
  EXPECT_EQ(message({int64_t(1) << 40, int64_t(1) << 40}, out, out),
            "f.mlir:1:2: kernel 'k': more than 2^63 - 1 elements");
  EXPECT_EQ(message({-1, 6}, out, out), "f.mlir:1:2: kernel 'k': a size of -1");
  launch.operands[0].dimOfLoop = {-1, 1};
  EXPECT_EQ(message({4, 6}, out, out),
            "f.mlir:1:2: kernel 'k': operand 0 has 4 elements in dimension 0, "
            "which the kernel does not walk");
  EXPECT_EQ(message({4, 6}, dense({0, 6}), out),
            "f.mlir:1:2: kernel 'k': operand 0 has 0 elements in dimension 0, "
            "which the kernel does not walk");
}

/// Exact for every position, at the multiples of the size above all.
TEST(Divisor, Divides) {
  constexpr int64_t limit = int64_t(1) << 31;
  std::mt19937_64 random(1);
  std::vector<int64_t> sizes = {limit,         limit - 1, limit - 2,
                                limit / 2 + 1, limit / 2, limit / 2 - 1};
  for (int64_t size = 1; size <= 3000; ++size)
    sizes.push_back(size);
  for (int i = 0; i < 3000; ++i)
    sizes.push_back(1 + random() % (limit >> random() % 31));
  for (int64_t size : sizes) {
    uint64_t divisor = getDivisor(size);
    auto check = [&](int64_t n) {
      if (n < 0 || n >= limit)
        return;
      uint64_t quotient = (uint64_t(n) * uint32_t(divisor)) >> (divisor >> 32);
      ASSERT_EQ(quotient, uint64_t(n / size)) << n << " / " << size;
    };
    for (int i = 0; i < 200; ++i) {
      int64_t multiple = random() % limit / size * size;
      for (int64_t n : {multiple - 1, multiple, multiple + 1,
                        (limit - 1) / size * size, limit - 1})
        check(n);
      check(random() % limit);
    }
  }
}

} // namespace
