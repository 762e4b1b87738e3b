//===- WideTiles.cpp - Numbers of tiles in wide accesses ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the policy. How such a tile is read and written is told in
// Kernel/WideTile.cpp.
//
//===----------------------------------------------------------------------===//

#include "WideTiles.h"

#include "ew/Codegen/Kernel/Signature.h"
#include "ew/Runtime/Geometry.h"
#include "ew/Target/NVIDIA/Limits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ew;

/// Tiles in accesses of several elements. H200, CUDA twins, images of 224 by
/// 224 with channels last to first and square matrices, 128 MiB an operand, of
/// a copy's bandwidth for 64 channels, 100, and a matrix: bytes, units of 4, 64
/// by 128 and 256 threads 96%, 86%, 85%; 128 by 128 and 512 threads 68%, 93%,
/// 95%; twice the threads 8 to 13% less; units of 8, 96% and 94% for 64 and a
/// matrix. Halves, units of 4, 64 by 128 and 256 threads 98%, -, 95%; 128 by
/// 64 and 256 threads -, 95%, 96%; 128 by 128 and 512 threads -, 92%, 97%;
/// units of 2, 97% at the most. Words, units of 2, 64 by 64 and 256 threads
/// 98%, one by one 96%; of 4, 96%; x plus the transpose of y 187.6 us, 188.7,
/// 188.0. Of 100 channels of words in one tile 96%, of 512 threads 95%; in two,
/// of 64 by 64, 94%.
static constexpr WideTile byteTiles[] = {{64, 128, 256}, {128, 128, 512}};
static constexpr WideTile halfTiles[] = {{64, 128, 256}, {128, 64, 256}};
static constexpr WideTile wordTiles[] = {{64, 64, 256}};
static constexpr WideTile highWordTile = {128, 64, 256};
static constexpr int64_t narrowTileUnit = 4, wordTileUnit = 2;
static constexpr WideTile longWideTile = {16, 256, 128};
static constexpr WideTile longestWideTile = {4, 1024, 256};
/// And of all rows, where there are few, in runs. Of a copy's bandwidth for
/// three channels, bytes 98%, halves 99%, words 98%; in accesses of 4 bytes
/// 62%, 88%, 98%.
static constexpr int64_t runRows[] = {4, 8, 16}, runElements = 4096;
/// A body that is longer is computed on fewer elements at once, in blocks of
/// which registers leave room for several.
static constexpr unsigned maxTileWeight = 256, maxHeavyThreads = 256;
static constexpr int64_t minColumns = 32;

/// Whether a schedule that has a tile has such a version.
static bool fitsWide(const LoopNest &nest, TypeRange operands, int64_t rowDim,
                     const WideVersion &version) {
  int64_t rows = version.tile.rows, columns = version.tile.columns;
  if (!fitsWideTile(rows, columns, version.unit, version.multiple,
                    version.tile.threads, version.allRows))
    return false;
  auto mayBe = [](int64_t size, auto condition) {
    return ShapedType::isDynamic(size) || condition(size);
  };
  if (!mayBe(nest.sizes.back(),
             [&](int64_t n) { return n % version.multiple == 0; }) ||
      !mayBe(nest.sizes[rowDim], [&](int64_t n) {
        return version.allRows ? n <= rows : n % version.unit == 0;
      }))
    return false;
  int64_t bytes = 0;
  for (auto [index, walk] : llvm::enumerate(nest.walks)) {
    if (nest.classify(index) != AccessClass::transposed ||
        walk.back() != rowDim)
      continue;
    if (version.allRows &&
        (walk.size() < 2 || walk.end()[-2] != nest.rank() - 1))
      return false;
    int64_t width = getMemoryBytes(getElementType(operands[index]));
    bytes += width * getWideTileElements(rows, columns, version.unit,
                                         version.allRows, width);
  }
  return bytes <= nvidia::maxSharedBytes;
}

SmallVector<WideVersion> ew::decideWideVersions(const LoopNest &nest,
                                                TypeRange operands,
                                                int64_t rowDim, BodyWeight body,
                                                const WideTile *given) {
  int64_t narrowest = accessBytes, widest = 0;
  for (auto [index, type] : llvm::enumerate(operands)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    if (isa<ComplexType>(tensor.getElementType()))
      return {};
    int64_t bytes = getMemoryBytes(tensor.getElementType());
    narrowest = std::min(narrowest, bytes);
    if (isWideOperand(nest, index) ||
        nest.classify(index) == AccessClass::transposed)
      widest = std::max(widest, bytes);
  }
  SmallVector<WideVersion> versions;
  auto add = [&](WideTile tile, int64_t unit, int64_t multiple, bool allRows) {
    auto isTooMuch = [&] {
      return body.total * tile.rows * tile.columns / tile.threads >
             maxTileWeight;
    };
    if (isTooMuch() && tile.threads > maxHeavyThreads)
      return;
    while (isTooMuch() && tile.columns > minColumns &&
           fitsWideTile(tile.rows, tile.columns / 2, unit, multiple,
                        tile.threads, allRows))
      tile.columns /= 2;
    int64_t alignment =
        allRows ? accessBytes : std::min<int64_t>(accessBytes, unit * widest);
    WideVersion version{tile, unit, multiple, alignment, allRows};
    if (fitsWide(nest, operands, rowDim, version))
      versions.push_back(version);
  };
  if (narrowest > 4)
    return versions;
  int64_t unit = narrowest < 4 ? narrowTileUnit : wordTileUnit;
  if (given) {
    add(*given, unit, unit, false);
    return versions;
  }
  for (const WideTile &tile : narrowest == 1   ? ArrayRef(byteTiles)
                              : narrowest == 2 ? ArrayRef(halfTiles)
                                               : ArrayRef(wordTiles))
    add(tile, unit, unit, false);
  if (narrowest == 4)
    add(highWordTile, narrowTileUnit, narrowTileUnit, false);
  for (bool rows : {true, false}) {
    WideTile sixteen = longWideTile, four = longestWideTile;
    if (narrowest == 4)
      sixteen.threads *= 2;
    for (WideTile *tile : {&sixteen, &four})
      if (!rows)
        std::swap(tile->rows, tile->columns);
    add(sixteen, unit, unit, false);
    add(four, narrowTileUnit, narrowTileUnit, false);
  }
  int64_t multiple = accessBytes / narrowest;
  int64_t columns = std::max<int64_t>(4, multiple / 2);
  for (int64_t rows : runRows)
    add({rows, runElements / rows,
         unsigned(runElements / runRows[0] / columns)},
        columns, multiple, true);
  int64_t height = nest.sizes[rowDim], width = nest.sizes.back();
  if (ShapedType::isDynamic(height) || ShapedType::isDynamic(width) ||
      versions.empty())
    return versions;
  // Of those for any size, what the host would take.
  auto getFill = [&](const WideVersion &version) {
    auto fill = [](int64_t size, int64_t side) {
      return double(size) / llvm::alignTo(std::max<int64_t>(size, 1), side);
    };
    return fill(height, version.tile.rows) * fill(width, version.tile.columns);
  };
  double most = 0;
  for (const WideVersion &version : versions)
    most = std::max(most, getFill(version));
  llvm::erase_if(versions, [&](const WideVersion &version) {
    return runtime::kMuchFuller * getFill(version) < most;
  });
  auto getUnitTile = [](const WideVersion &version) {
    return runtime::UnitTile{version.tile.rows, version.tile.columns,
                             version.unit};
  };
  const WideVersion *best = &versions.front();
  for (const WideVersion &version : versions)
    if (!version.allRows && !best->allRows &&
        getFill(version) >= getFill(*best) &&
        getUnitTile(version).isLargerThan(getUnitTile(*best), height))
      best = &version;
  return {*best};
}
