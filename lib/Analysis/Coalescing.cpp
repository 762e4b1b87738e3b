//===- Coalescing.cpp - What a warp's accesses ask of memory --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/Coalescing.h"
#include "ew/Target/NVIDIA/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

using namespace ew;
using namespace ew::analysis;
using namespace ew::nvidia;
using ew::runtime::LaunchInfo;

/// Warps that are looked at: the first, the last, and some between.
static constexpr int64_t sampledWarps = 16;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

namespace {
/// Where a thread's first element of an access stands in an operand.
class Positions {
public:
  /// `piece`: elements of one access.
  Positions(const LaunchInfo &info, unsigned operand, int64_t piece)
      : info(info), variant(info.getVariant()), operand(operand), piece(piece) {
    count =
        std::accumulate(info.geometry.loops.begin(), info.geometry.loops.end(),
                        int64_t(1), std::multiplies<int64_t>());
  }

  bool isTiled() const { return variant.contiguous && !variant.tile.empty(); }

  /// The offset in elements from the operand's first one, or nothing where the
  /// space ends before it.
  std::optional<int64_t> getOffset(int64_t block, int64_t thread) const {
    if (isTiled())
      return getTileOffset(block, thread);
    int64_t position = block * (variant.elementsPerBlock / variant.rows) +
                       thread * variant.lanes;
    if (variant.rows > 1) {
      int64_t row = getRowSize();
      position += position / row * row * (variant.rows - 1);
    }
    if (position >= count)
      return std::nullopt;
    llvm::SmallVector<int64_t> coords(info.geometry.loops.size());
    for (size_t dim = coords.size(); dim-- > 0;) {
      coords[dim] = position % info.geometry.loops[dim];
      position /= info.geometry.loops[dim];
    }
    return addUp(coords, strides());
  }

private:
  llvm::ArrayRef<int64_t> strides() const {
    return info.geometry.operands[operand].strides;
  }
  /// The size of the innermost collapsed dimension.
  int64_t getRowSize() const {
    return std::accumulate(
        info.geometry.loops.end() - info.launch->collapse.back(),
        info.geometry.loops.end(), int64_t(1), std::multiplies<int64_t>());
  }
  static int64_t addUp(llvm::ArrayRef<int64_t> coords,
                       llvm::ArrayRef<int64_t> strides) {
    int64_t sum = 0;
    for (auto [at, stride] : llvm::zip_equal(coords, strides))
      sum += at * stride;
    return sum;
  }

  /// Strides of collapsed dimensions: each that of its innermost loop.
  llvm::SmallVector<int64_t> getCollapsedStrides() const {
    llvm::SmallVector<int64_t> result;
    size_t loop = 0;
    for (int64_t loops : info.launch->collapse) {
      // A loop of size 1 has no stride; the dimension's is that of another.
      int64_t stride = 0;
      for (int64_t i = 0; i < loops; ++i, ++loop)
        if (strides()[loop])
          stride = strides()[loop];
      result.push_back(stride);
    }
    return result;
  }

  std::optional<int64_t> getTileOffset(int64_t block, int64_t thread) const;

  const LaunchInfo &info;
  const runtime::Variant &variant;
  unsigned operand;
  int64_t piece, count;
};
} // namespace

std::optional<int64_t> Positions::getTileOffset(int64_t block,
                                                int64_t thread) const {
  // As KernelEmitter::emitTile walks: the last dimension fastest, then the
  // rows, then the others.
  llvm::ArrayRef<int64_t> dims = info.geometry.collapsed;
  int64_t rows = variant.tile[0], columns = variant.tile[1];
  int64_t rowDim = variant.tile[2], columnDim = dims.size() - 1;
  llvm::SmallVector<int64_t> coords(dims.size());
  auto take = [&](int64_t size) {
    int64_t at = block % size;
    block /= size;
    return at;
  };
  coords[columnDim] = take(ceilDiv(dims[columnDim], columns)) * columns;
  coords[rowDim] = take(ceilDiv(dims[rowDim], rows)) * rows;
  for (int64_t dim = columnDim - 1; dim >= 0; --dim)
    if (dim != rowDim)
      coords[dim] = take(dims[dim]);
  // What is contiguous along the rows is read with rows and columns exchanged.
  llvm::SmallVector<int64_t> of = getCollapsedStrides();
  bool exchange = std::abs(of[rowDim]) == 1 && std::abs(of[columnDim]) != 1;
  if (variant.alignment > 1) { // as KernelEmitter::emitWideTile walks
    int64_t unit = variant.lanes;
    if (exchange && variant.rows == 1) {
      int64_t height = dims[rowDim], at = thread * piece;
      int64_t left = std::min(columns, dims[columnDim] - coords[columnDim]);
      if (at >= left * height)
        return std::nullopt;
      return addUp(coords, of) + at;
    }
    int64_t across = columns / unit, high = rows / unit;
    coords[columnDim] += exchange ? thread / high : thread % across * unit;
    coords[rowDim] +=
        exchange ? thread % high * unit : thread / across * variant.rows;
  } else {
    coords[columnDim] += exchange ? thread / rows : thread % columns;
    coords[rowDim] += exchange ? thread % rows : thread / columns;
  }
  if (coords[rowDim] >= dims[rowDim] || coords[columnDim] >= dims[columnDim])
    return std::nullopt;
  return addUp(coords, of);
}

WarpAccess ew::analysis::simulateWarps(const LaunchInfo &info, unsigned operand,
                                       unsigned elementBytes,
                                       unsigned accessBytes) {
  WarpAccess result;
  Positions positions(info, operand, std::max(1u, accessBytes / elementBytes));
  int64_t perBlock = ceilDiv(info.block, warpThreads);
  int64_t warps = perBlock * int64_t(info.grid);
  int64_t looked = std::min(warps, sampledWarps), counted = 0;
  // Only what the address is known to be a multiple of. An access is aligned to
  // its width: where the buffer is not, threads begin before it.
  int64_t alignment = info.geometry.operands[operand].alignment;
  int64_t base =
      alignment >= lineBytes || accessBytes > alignment ? 0 : alignment;
  for (int64_t i = 0; i < looked; ++i) {
    int64_t warp = looked == 1 ? 0 : (warps - 1) / (looked - 1) * i;
    std::set<int64_t> sectors, bytes;
    for (int64_t lane = 0; lane < int64_t(warpThreads); ++lane) {
      int64_t thread = warp % perBlock * warpThreads + lane;
      if (thread >= info.block)
        break;
      std::optional<int64_t> offset =
          positions.getOffset(warp / perBlock, thread);
      if (!offset)
        continue;
      int64_t first = base + *offset * elementBytes;
      for (int64_t at = first; at < first + accessBytes; ++at) {
        bytes.insert(at);
        sectors.insert(at >> llvm::Log2_32(sectorBytes));
      }
    }
    if (bytes.empty())
      continue;
    ++counted;
    result.sectors += sectors.size();
    result.fewest += ceilDiv(bytes.size(), sectorBytes);
    result.bytes += bytes.size();
  }
  if (counted) {
    result.sectors /= counted;
    result.fewest /= counted;
    result.bytes /= counted;
  }
  return result;
}

uint64_t ew::analysis::getFootprint(const LaunchInfo &info, unsigned operand,
                                    unsigned elementBytes) {
  // From the smallest step to the largest: runs without gaps of a sector grow,
  // larger steps multiply their number.
  llvm::SmallVector<std::pair<int64_t, int64_t>> steps; // bytes, times
  for (auto [size, stride] : llvm::zip_equal(
           info.geometry.loops, info.geometry.operands[operand].strides)) {
    if (size == 0)
      return 0;
    if (stride && size > 1)
      steps.push_back({std::abs(stride) * elementBytes, size});
  }
  llvm::sort(steps);
  uint64_t extent = elementBytes, runs = 1;
  for (auto [step, times] : steps) {
    if (runs == 1 && uint64_t(step) <= extent + sectorBytes - 1)
      extent += uint64_t(step) * (times - 1);
    else
      runs *= times;
  }
  return runs * llvm::alignTo(extent, sectorBytes);
}
