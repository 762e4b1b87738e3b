//===- Tiles.cpp - Tiles of shared memory, and of the CPU's ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"

#include "ew/Codegen/Kernel/Emitter.h"
#include "ew/Runtime/Geometry.h"
#include "ew/Target/NVIDIA/Limits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ew;

/// Shared-memory tiles, square. A warp reads and writes runs of the tile's
/// side: 32 elements of 4 bytes fill a line of 128. Larger ones leave more of
/// each row of memory in one block, and more elements per thread to share the
/// index arithmetic: H200, 8192 x 8192, in us for 64 and 32: bf16 133, 149; i8
/// 65, 96. x plus the transpose of y in f32, in a CUDA twin: 192.0 for 32 and
/// 256 threads, 189.5 for 64 and 256, 189.0 for 64 and 512; tiles that are not
/// square, and accesses of 16 bytes, 189.7 to 262.
static constexpr int64_t tileSide = 64;
static constexpr unsigned tileThreads = 512, narrowTileThreads = 256;
/// Of an element; wider ones get the small tile.
static constexpr unsigned maxTileSideBytes = 4;
/// Where one side of the space is short, as channels are, long tiles: rows and
/// columns are these two. H200, images of three channels to the front, 2^25
/// elements of f32, in us: 969 with square tiles, 73 with these.
static constexpr int64_t shortSides[] = {16, 4};
static constexpr int64_t longSide = 256;
static constexpr unsigned longTileThreads = 256;
/// Of the CPU: as many elements as a task has. A thread of an AMD EPYC, x plus
/// the transpose of y, 4096 x 4096, in ms for 32, 64 by 64, 64 by 128 and 128
/// by 64: f32 18.0, 13.0, 12.8, 13.1; i8 5.7, 4.8, 6.6, 6.0.
static constexpr int64_t hostTileSide = 64;

namespace {
/// What a tile of so many rows and columns would be like.
struct TileFit {
  std::optional<int64_t> rows; // the dimension that they walk
  int64_t bytes = 0;           // of memory of its own
  double fill = 0;
};
} // namespace

/// For a kernel some of whose operands are contiguous along another dimension
/// than the outputs; no rows if there is none.
static TileFit measureTile(const LoopNest &nest, TypeRange operands,
                           int64_t numRows, int64_t numColumns) {
  TileFit fit;
  for (auto [index, walk] : llvm::enumerate(nest.walks)) {
    if (nest.classify(index) != AccessClass::transposed)
      continue;
    // Those that are contiguous along a third dimension are gathered.
    if (!fit.rows)
      fit.rows = walk.back();
    if (walk.back() != *fit.rows)
      continue;
    unsigned width = getMemoryBytes(getElementType(operands[index]));
    fit.bytes += numColumns * (numRows + std::max(1u, 4 / width)) * width;
  }
  if (!fit.rows)
    return fit;
  auto fill = [&](int64_t dim, int64_t side) {
    int64_t size = nest.sizes[dim];
    return ShapedType::isDynamic(size) || size == 0
               ? 1.0
               : double(size) / llvm::alignTo(size, side);
  };
  fit.fill = fill(*fit.rows, numRows) * fill(nest.rank() - 1, numColumns);
  return fit;
}

/// Nothing if there is no tile, it would not fit into shared memory, or hardly
/// lie in the space.
static std::optional<Tile> fitTile(const LoopNest &nest, TypeRange operands,
                                   int64_t numRows, int64_t numColumns,
                                   unsigned threads) {
  TileFit fit = measureTile(nest, operands, numRows, numColumns);
  if (!fit.rows || fit.bytes > nvidia::maxSharedBytes ||
      fit.fill < runtime::kMinTileFill)
    return std::nullopt;
  return Tile{{numRows, numColumns, *fit.rows}, threads, fit.fill};
}

SmallVector<Tile> ew::fitLongTiles(const LoopNest &nest, TypeRange operands) {
  SmallVector<Tile> tiles;
  for (int64_t side : shortSides)
    for (bool rows : {true, false})
      if (auto tile = fitTile(nest, operands, rows ? side : longSide,
                              rows ? longSide : side, longTileThreads))
        tiles.push_back(std::move(*tile));
  return tiles;
}

SmallVector<int64_t> ew::fitHostTile(const LoopNest &nest, TypeRange operands) {
  TileFit fit = measureTile(nest, operands, hostTileSide, hostTileSide);
  if (!fit.rows || fit.bytes > maxHostTileBytes ||
      fit.fill < runtime::kMinTileFill)
    return {};
  return {hostTileSide, hostTileSide, *fit.rows};
}

Tile ew::decideTile(const LoopNest &nest, TypeRange operands,
                    unsigned narrowest, unsigned widest, bool few,
                    const ScheduleChoice &choice) {
  unsigned largeThreads = narrowest < 4 ? narrowTileThreads : tileThreads;
  SmallVector<Tile> tiles;
  auto add = [&](int64_t side, unsigned threads) {
    if (auto tile = fitTile(nest, operands, side, side, threads))
      tiles.push_back(std::move(*tile));
  };
  if (choice.tile) {
    add(choice.tile, choice.block             ? choice.block
                     : choice.tile < tileSide ? smallTileThreads
                                              : largeThreads);
    return tiles.empty() ? Tile() : tiles.front();
  }
  if (widest <= maxTileSideBytes && !few)
    add(tileSide, largeThreads);
  if (tiles.empty())
    add(smallTileSide, smallTileThreads);
  llvm::append_range(tiles, fitLongTiles(nest, operands));
  double most = 0;
  for (const Tile &tile : tiles)
    most = std::max(most, tile.fill);
  for (Tile &tile : tiles)
    if (runtime::kMuchFuller * tile.fill >= most)
      return std::move(tile);
  return Tile();
}

std::string ew::whyNoTile(const LoopNest &nest, TypeRange operands,
                          BodyWeight body, ScheduleTarget target) {
  int64_t side = target.choice.tile;
  target.choice = {};
  MLIRContext *context =
      operands.empty() ? nullptr : operands.front().getContext();
  // Where the policy has none either, nothing would go through it.
  if (!context ||
      decideSchedule(context, nest, operands, body, target).getTile().empty())
    return {};
  LoopNest collapsed = applyCollapse(nest, collapseLoops(nest));
  TileFit fit = measureTile(collapsed, operands, side, side);
  std::string tile =
      "a tile of " + std::to_string(side) + " by " + std::to_string(side);
  if (fit.bytes > nvidia::maxSharedBytes)
    return tile + " takes " + std::to_string(fit.bytes) +
           " bytes of shared memory, and a block has at most " +
           std::to_string(nvidia::maxSharedBytes);
  auto size = [&](int64_t dim) {
    int64_t is = collapsed.sizes[dim];
    return ShapedType::isDynamic(is) ? "?" : std::to_string(is);
  };
  return tile + " would lie for the most part outside of the kernel's " +
         size(*fit.rows) + " by " + size(collapsed.rank() - 1) + " elements";
}
