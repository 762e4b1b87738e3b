//===- Geometry.cpp - How a launch meets its buffers ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Geometry.h"

#include "ew/Runtime/LocatedError.h"
#include "ew/Support/Plural.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace ew;
using namespace ew::runtime;
using llvm::ArrayRef;
using llvm::Twine;

/// Below this, everything that a kernel computes with fits in i32.
static constexpr int64_t kIndex32Limit = int64_t(1) << 31;

static llvm::Error fail(const Launch &launch, const Twine &what) {
  return LocatedError::make(launch.location,
                            "kernel '" + launch.name + "': " + what);
}

/// Whether the elements lie densely in the order of dimensions `layout`.
static bool isDenseIn(const Tensor &tensor, ArrayRef<int32_t> layout) {
  if (layout.empty())
    return tensor.isContiguous();
  Tensor permuted = tensor;
  for (unsigned i = 0; i < layout.size(); ++i) {
    permuted.shape[i] = tensor.shape[layout[i]];
    permuted.strides[i] = tensor.strides[layout[i]];
  }
  return permuted.isContiguous();
}

static llvm::Expected<OperandGeometry>
computeOperand(const Launch &launch, unsigned index, const Tensor &tensor,
               ArrayRef<int64_t> loopSizes) {
  const Operand &operand = launch.operands[index];
  bool isOutput = index >= launch.numInputs;
  OperandGeometry geometry;
  geometry.strides.assign(loopSizes.size(), 0);
  llvm::SmallVector<bool, 8> walked(tensor.rank());
  for (auto [loop, dim] : llvm::enumerate(operand.dimOfLoop)) {
    if (dim < 0)
      continue;
    walked[dim] = true;
    int64_t size = tensor.shape[dim], loopSize = loopSizes[loop];
    if (size == loopSize) {
      // An index that is always 0 needs no stride.
      geometry.strides[loop] = size == 1 ? 0 : tensor.strides[dim];
      continue;
    }
    if (size != 1 || isOutput)
      return fail(launch, (isOutput ? "output " : "operand ") + Twine(index) +
                              " has " + plural(size, "element") +
                              " in dimension " + Twine(dim) +
                              ", the kernel walks " + Twine(loopSize));
    geometry.stretched = true;
  }
  for (unsigned dim = 0; dim < tensor.rank(); ++dim)
    if (!walked[dim] && tensor.shape[dim] != 1)
      return fail(launch, "operand " + Twine(index) + " has " +
                              plural(tensor.shape[dim], "element") +
                              " in dimension " + Twine(dim) +
                              ", which the kernel does not walk");

  geometry.dense = !geometry.stretched && isDenseIn(tensor, operand.layout);
  uint64_t address = tensor.address();
  geometry.alignment =
      address == 0 ? 4096
                   : int64_t(std::min<uint64_t>(address & -address, 4096));
  geometry.bytes = uint64_t(tensor.numElements()) * getByteWidth(tensor.type);
  return geometry;
}

/// Takes loops as one wherever all operands step through them evenly.
static void mergeLoops(const Launch &launch, Geometry &geometry,
                       ArrayRef<const Tensor *> tensors) {
  size_t numLoops = geometry.loops.size();
  geometry.merged.assign(numLoops, geometry.count == 0 ? 0 : 1);
  for (OperandGeometry &operand : geometry.operands)
    operand.mergedStrides.assign(numLoops, 0);
  if (geometry.count == 0)
    return;
  size_t dim = numLoops; // of the loops so far; none yet
  for (size_t loop = numLoops; loop-- > 0;) {
    int64_t size = geometry.loops[loop];
    if (size == 1)
      continue;
    bool joins = dim < numLoops &&
                 llvm::all_of(
                     geometry.operands,
                     [&](const auto &operand) {
                       int64_t next;
                       return !llvm::MulOverflow(operand.mergedStrides[dim],
                                                 geometry.merged[dim], next) &&
                              operand.strides[loop] == next;
                     });
    if (joins) {
      geometry.merged[dim] *= size;
      continue;
    }
    --dim;
    geometry.merged[dim] = size;
    for (OperandGeometry &operand : geometry.operands)
      operand.mergedStrides[dim] = operand.strides[loop];
  }
  for (auto [operand, tensor] : llvm::zip_equal(geometry.operands, tensors))
    if (tensor && numLoops)
      for (int64_t stride : ArrayRef(operand.mergedStrides).drop_back()) {
        uint64_t bytes = uint64_t(stride) * getByteWidth(tensor->type);
        if (bytes)
          operand.pitchAlignment =
              std::min<uint64_t>(operand.pitchAlignment, bytes & -bytes);
      }
}

llvm::Expected<Geometry>
ew::runtime::computeGeometry(const Launch &launch, ArrayRef<int64_t> loopSizes,
                             ArrayRef<const Tensor *> tensors) {
  Geometry geometry;
  geometry.loops.assign(loopSizes.begin(), loopSizes.end());
  // An empty dimension makes the space empty, however large the others are.
  bool empty = llvm::is_contained(loopSizes, 0);
  for (int64_t size : loopSizes) {
    if (size < 0)
      return fail(launch, "a size of " + Twine(size));
    if (!empty && llvm::MulOverflow(geometry.count, size, geometry.count))
      return fail(launch, "more than 2^63 - 1 elements");
  }
  if (empty)
    geometry.count = 0;

  unsigned loop = 0;
  for (int64_t numLoops : launch.collapse) {
    int64_t size = 1;
    for (int64_t i = 0; i < numLoops; ++i, ++loop)
      size = empty ? 0 : size * loopSizes[loop];
    geometry.collapsed.push_back(size);
  }

  geometry.operands.reserve(tensors.size());
  for (auto [index, tensor] : llvm::enumerate(tensors)) {
    if (!tensor) {
      geometry.operands.emplace_back();
      geometry.operands.back().strides.assign(loopSizes.size(), 0);
      continue;
    }
    llvm::Expected<OperandGeometry> operand =
        computeOperand(launch, index, *tensor, loopSizes);
    if (!operand)
      return operand.takeError();
    if (!empty) {
      __int128 low = 0, high = 0;
      for (auto [stride, size] : llvm::zip_equal(operand->strides, loopSizes))
        (stride < 0 ? low : high) += __int128(stride) * (size - 1);
      __int128 reach = std::max(-low, high);
      geometry.reach = std::max(geometry.reach,
                                int64_t(std::min<__int128>(reach, INT64_MAX)));
    }
    geometry.operands.push_back(std::move(*operand));
  }
  if (llvm::any_of(launch.variants,
                   [](const Variant &variant) { return variant.dims > 0; }))
    mergeLoops(launch, geometry, tensors);
  return geometry;
}

/// How many sides cover a size above 0. A launch asks it of each of some twenty
/// tiles; the policy's need no division, here or below.
static int64_t cover(int64_t size, int64_t side) {
  if (llvm::isPowerOf2_64(side))
    return ((size - 1) >> llvm::countr_zero(uint64_t(side))) + 1;
  return (size - 1) / side + 1;
}

static bool isMultiple(int64_t size, int64_t of) {
  return (llvm::isPowerOf2_64(of) ? size & (of - 1) : size % of) == 0;
}

std::optional<int64_t> ew::runtime::countBlocks(const Variant &variant,
                                                const Geometry &geometry) {
  if (geometry.count == 0)
    return 0;
  if (variant.tile.empty())
    return cover(geometry.count, variant.elementsPerBlock);
  ArrayRef<int64_t> dims = geometry.dimsOf(variant);
  // Fewer blocks than elements, since a tile has at least one: no overflow.
  int64_t blocks = 1;
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    int64_t step = 1;
    if (int64_t(dim) == variant.tile[2])
      step = variant.tile[0];
    else if (dim == dims.size() - 1)
      step = variant.tile[1];
    blocks *= cover(dims[dim], step);
  }
  return blocks;
}

/// Whether indices up to the end of the last block fit in i32.
static bool fitsIndex32(const Variant &variant, const Geometry &geometry,
                        int64_t blocks) {
  int64_t perBlock = variant.elementsPerBlock, rounded;
  // Where lanes begin before the space, blocks are by as much longer than what
  // they are counted by.
  if (variant.contiguous && variant.alignment == 1 && variant.lanes > 1)
    perBlock += variant.lanes;
  if (!variant.tile.empty() &&
      llvm::MulOverflow(variant.tile[0], variant.tile[1], perBlock))
    return false;
  return !llvm::MulOverflow(blocks, perBlock, rounded) &&
         rounded < kIndex32Limit && geometry.reach < kIndex32Limit;
}

/// Whether a tile has to have all rows: its threads read what that makes one
/// run of memory.
static bool lacksRows(const Variant &variant, const Geometry &geometry) {
  return !variant.tile.empty() && variant.alignment > 1 && variant.rows == 1 &&
         geometry.dimsOf(variant)[variant.tile[2]] > variant.tile[0];
}

/// The dimension that a condition on rows is of.
static int64_t getRowsSize(const Variant &variant, const Geometry &geometry) {
  ArrayRef<int64_t> dims = geometry.dimsOf(variant);
  return variant.tile.empty() ? dims.end()[-2] : dims[variant.tile[2]];
}

/// What stands in the way of elements by their numbers alone.
static Obstacle::Kind findInSizes(const Variant &variant,
                                  const Geometry &geometry) {
  if (variant.dims && int64_t(geometry.merged.size()) > variant.dims &&
      geometry.merged.end()[-variant.dims - 1] != 1)
    return Obstacle::Dimensions;
  if (variant.multiple > 1 &&
      !isMultiple(geometry.dimsOf(variant).back(), variant.multiple))
    return Obstacle::Multiple;
  if (variant.rows > 1 &&
      !isMultiple(getRowsSize(variant, geometry), variant.rows))
    return Obstacle::Rows;
  if (lacksRows(variant, geometry))
    return Obstacle::AllRows;
  if (variant.below && geometry.count >= variant.below)
    return Obstacle::Many;
  return Obstacle::None;
}

/// What stands in the way of a space with elements by where buffers lie.
static Obstacle findInBuffers(const Launch &launch, const Variant &variant,
                              const Geometry &geometry) {
  for (size_t index = 0; index < geometry.operands.size(); ++index) {
    const OperandGeometry &operand = geometry.operands[index];
    if (variant.contiguous && !operand.dense)
      return {Obstacle::Density, index};
    if (variant.dims > 1) {
      ArrayRef<int32_t> walk = launch.operands[index].dimOfLoop;
      bool walksRows = !walk.empty() && walk.back() >= 0;
      if (operand.mergedStrides.back() != (walksRows ? 1 : 0))
        return {Obstacle::Row, index};
      if (walksRows && operand.pitchAlignment < variant.alignment)
        return {Obstacle::Pitch, index};
    }
    if (operand.alignment < variant.alignment && launch.operands[index].wide)
      return {Obstacle::Alignment, index};
  }
  return {};
}

static bool isInUnits(const Variant &variant) {
  return variant.rows > 1 && variant.alignment > 1 && !variant.tile.empty();
}

namespace {
/// The tiles that a launch decides among, which all lie along the same sides.
class Tiles {
public:
  Tiles(const Launch &launch, const Geometry &geometry)
      : launch(launch), geometry(geometry) {}

  /// What stands in the way of a variant: so little of its tiles lies inside
  /// that another one's would be more than twice as full, or that elements are
  /// better gathered one by one; or a larger one is as full.
  Obstacle::Kind findIn(const Variant &variant) {
    ArrayRef<int64_t> dims = geometry.dimsOf(variant);
    rows = dims[variant.tile[2]];
    columns = dims.back();
    double inside = double(rows) * double(columns);
    double covered = getCovered(variant);
    if (inside < kMinTileFill * covered)
      return Obstacle::Tile;
    // Nothing is more than twice as full as what is half full.
    if (kMuchFuller * inside < covered &&
        kMuchFuller * getLeastCovered() < covered)
      return Obstacle::Tile;
    if (!isInUnits(variant))
      return Obstacle::None;
    UnitTile tile = getUnitTile(variant);
    for (const Variant &other : launch.variants)
      if (isInUnits(other) && getUnitTile(other).isLargerThan(tile, rows) &&
          getCovered(other) <= covered && !findInSizes(other, geometry) &&
          !findInBuffers(launch, other, geometry).kind)
        return Obstacle::LargerTile;
    return Obstacle::None;
  }

private:
  static UnitTile getUnitTile(const Variant &variant) {
    return {variant.tile[0], variant.tile[1], variant.rows};
  }
  bool isFor(const Variant &variant) const {
    return (!variant.below || geometry.count < variant.below) &&
           !lacksRows(variant, geometry);
  }

  /// Elements of all tiles: threads outside idle. A launch asks it of many
  /// tiles; the policy's need no division.
  double getCovered(const Variant &variant) const {
    auto roundUp = [](int64_t size, int64_t side) {
      if (llvm::isPowerOf2_64(side))
        return double((uint64_t(size) + (side - 1)) & -uint64_t(side));
      return double(cover(size, side)) * double(side);
    };
    return roundUp(rows, variant.tile[0]) * roundUp(columns, variant.tile[1]);
  }

  /// Of the fullest tiles. Not every launch has to know.
  double getLeastCovered() {
    if (leastCovered == 0) {
      leastCovered = INFINITY;
      for (const Variant &variant : launch.variants)
        if (!variant.tile.empty() && isFor(variant))
          leastCovered = std::min(leastCovered, getCovered(variant));
    }
    return leastCovered;
  }

  const Launch &launch;
  const Geometry &geometry;
  int64_t rows = 0, columns = 0; // of the space
  double leastCovered = 0;       // 0: not known yet
};
} // namespace

static Obstacle::Kind findInBlocks(const Variant &variant,
                                   const Geometry &geometry, uint64_t maxGrid) {
  std::optional<int64_t> blocks = countBlocks(variant, geometry);
  if (!blocks || uint64_t(*blocks) > maxGrid)
    return Obstacle::Blocks;
  if (variant.indexWidth == 32 && !fitsIndex32(variant, geometry, *blocks))
    return Obstacle::Indices;
  return Obstacle::None;
}

Obstacle ew::runtime::findObstacle(const Launch &launch, const Variant &variant,
                                   const Geometry &geometry, uint64_t maxGrid) {
  if (Obstacle::Kind kind = findInBlocks(variant, geometry, maxGrid))
    return {kind};
  // A kernel that is not launched meets every other condition.
  if (geometry.count == 0)
    return {};
  Obstacle inBuffers = findInBuffers(launch, variant, geometry);
  Obstacle::Kind inSizes = findInSizes(variant, geometry);
  // Rows of such a length begin anywhere in what is dense.
  if (inBuffers.kind == Obstacle::Pitch && inSizes == Obstacle::Multiple)
    return {inSizes};
  if (inBuffers.kind)
    return inBuffers;
  if (inSizes)
    return {inSizes};
  if (!variant.tile.empty())
    return {Tiles(launch, geometry).findIn(variant)};
  return {};
}

using NameOf = llvm::function_ref<std::string(size_t)>;

std::optional<std::string>
ew::runtime::whyNot(const Launch &launch, const Variant &variant,
                    const Geometry &geometry, uint64_t maxGrid, NameOf nameOf) {
  Obstacle obstacle = findObstacle(launch, variant, geometry, maxGrid);
  size_t index = obstacle.operand;
  std::string name =
      nameOf ? nameOf(index) : "operand " + std::to_string(index);
  switch (obstacle.kind) {
  case Obstacle::None:
    break;
  case Obstacle::Blocks:
    return "it takes more blocks than the device has";
  case Obstacle::Indices:
    return "indices do not fit in 32 bits";
  case Obstacle::Density:
    return name + (geometry.operands[index].stretched
                       ? ": a dimension of size 1 is stretched"
                       : ": its elements are not dense");
  case Obstacle::Alignment:
    return name + " is aligned to " +
           plural(geometry.operands[index].alignment, "byte") + ", not " +
           std::to_string(variant.alignment);
  case Obstacle::Dimensions: {
    ArrayRef<int64_t> merged =
        ArrayRef(geometry.merged).drop_while([](int64_t size) {
          return size == 1;
        });
    return "strides make " + plural(merged.size(), "dimension") +
           " of it, not " + std::to_string(variant.dims);
  }
  case Obstacle::Row:
    return name + ": elements of a row are not side by side";
  case Obstacle::Pitch:
    return name + ": its rows are aligned to " +
           plural(std::min(geometry.operands[index].pitchAlignment,
                           geometry.operands[index].alignment),
                  "byte") +
           ", not " + std::to_string(variant.alignment);
  case Obstacle::Multiple:
    return "the innermost size " +
           std::to_string(geometry.dimsOf(variant).back()) +
           " is no multiple of " + std::to_string(variant.multiple);
  case Obstacle::Many:
    return plural(geometry.count, "element") +
           " are enough for more of them a thread";
  case Obstacle::Tile:
    return "too much of tiles of " + std::to_string(variant.tile[0]) + " by " +
           std::to_string(variant.tile[1]) + " would lie outside of " +
           std::to_string(geometry.dimsOf(variant)[variant.tile[2]]) + " by " +
           std::to_string(geometry.dimsOf(variant).back());
  case Obstacle::LargerTile:
    return "a larger tile is as full";
  case Obstacle::Rows:
    return plural(getRowsSize(variant, geometry), "row") + " cannot be taken " +
           std::to_string(variant.rows) + " at a time";
  case Obstacle::AllRows:
    return plural(getRowsSize(variant, geometry), "row") +
           " are more than a tile's " + std::to_string(variant.tile[0]);
  }
  return std::nullopt;
}

llvm::Expected<uint32_t> ew::runtime::chooseVariant(const Launch &launch,
                                                    const Geometry &geometry,
                                                    uint64_t maxGrid) {
  // Made for every launch of a new shape: what is cheap and leaves out most of
  // some twenty versions comes first.
  Tiles tiles(launch, geometry);
  auto holds = [&](const Variant &variant) {
    if (geometry.count != 0 &&
        (findInSizes(variant, geometry) ||
         findInBuffers(launch, variant, geometry).kind ||
         (!variant.tile.empty() && tiles.findIn(variant))))
      return false;
    return !findInBlocks(variant, geometry, maxGrid);
  };
  for (auto [index, variant] : llvm::enumerate(launch.variants))
    if (holds(variant))
      return index;
  return fail(launch,
              "no variant can run: " +
                  *whyNot(launch, launch.variants.back(), geometry, maxGrid));
}

uint64_t ew::runtime::getDivisor(int64_t size) {
  // Granlund and Montgomery, Division by Invariant Integers using
  // Multiplication, theorem 4.2, for dividends of 31 bits: m * size exceeds 2^s
  // by less than 2^(s - 31).
  unsigned shift = 31 + llvm::Log2_64_Ceil(size);
  uint64_t multiplier = llvm::divideCeil(uint64_t(1) << shift, uint64_t(size));
  return uint64_t(shift) << 32 | multiplier;
}

int64_t ew::runtime::evaluateArgument(const Launch &launch,
                                      const Variant &variant,
                                      const KernelArg &arg,
                                      const Geometry &geometry) {
  switch (arg.kind) {
  case KernelArg::Kind::Count:
    return geometry.count;
  case KernelArg::Kind::Size:
    return geometry.dimsOf(variant)[arg.dim];
  case KernelArg::Kind::Divisor: {
    // Only variants that count in 32 bits have divisors.
    int64_t size = geometry.dimsOf(variant)[arg.dim];
    return size < 1 || size > kIndex32Limit ? 0 : getDivisor(size);
  }
  case KernelArg::Kind::Stride: {
    // The stride of a collapsed dimension is that of its innermost loop.
    size_t loop = arg.dim;
    if (variant.dims)
      return ArrayRef(geometry.operands[arg.operand].mergedStrides)
          .take_back(variant.dims)[arg.dim];
    if (variant.contiguous)
      loop =
          std::accumulate(launch.collapse.begin(),
                          launch.collapse.begin() + arg.dim + 1, int64_t(0)) -
          1;
    return geometry.operands[arg.operand].strides[loop];
  }
  case KernelArg::Kind::Pointer:
  case KernelArg::Kind::Scalar:
    break;
  }
  return 0;
}
