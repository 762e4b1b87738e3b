//===- Geometry.h - How a launch meets its buffers --------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the sizes of a launch and the tensors at hand: which variant may run,
// over how many blocks, with which numbers. Looks at no memory.
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_GEOMETRY_H
#define EW_RUNTIME_GEOMETRY_H

#include "ew/Runtime/Plan.h"
#include "ew/Runtime/Tensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>

namespace ew::runtime {

struct OperandGeometry {
  /// In elements, for every loop; 0 where the operand does not move.
  llvm::SmallVector<int64_t, 4> strides;
  /// Whether the elements lie densely in the order that the kernel expects, and
  /// no dimension is stretched.
  bool dense = true;
  bool stretched = false;
  /// In elements, for every dimension of Geometry::merged.
  llvm::SmallVector<int64_t, 4> mergedStrides;
  /// The largest power of two that divides the bytes between its rows, at most
  /// 4096: its strides along all of Geometry::merged but the last.
  int64_t pitchAlignment = 4096;
  /// The largest power of two that divides the address, at most 4096.
  int64_t alignment = 1;
  /// Bytes of the operand's own elements.
  uint64_t bytes = 0;
};

/// Tiles of which a smaller part lies inside of the space are not taken; nor
/// are those that some other version's fill so many times as well.
inline constexpr double kMinTileFill = 0.125, kMuchFuller = 2;

/// A tile that is read in units of several elements.
struct UnitTile {
  int64_t rows, columns, unit;

  /// Of two that are as full, whether this one is taken: more of what lies in
  /// a column is then read by one block. Larger units pay only for all of it:
  /// H200, f32, 128 by 64 in units of four and 64 by 64 in units of two, images
  /// of 100 channels 129.1 and 132.0 us, x plus the transpose of y 187.4
  /// and 186.8.
  bool isLargerThan(const UnitTile &other, int64_t spaceRows) const {
    int64_t side = std::min(rows, columns);
    int64_t otherSide = std::min(other.rows, other.columns);
    if (side != otherSide)
      return side > otherSide;
    return rows > other.rows && (unit <= other.unit || spaceRows <= rows);
  }
};

struct Geometry {
  llvm::SmallVector<int64_t, 4> loops;     // sizes
  llvm::SmallVector<int64_t, 4> collapsed; // sizes
  /// As many sizes as loops. Loops that every operand walks one after the other
  /// in memory, by its strides, are one dimension here. They stand last, behind
  /// sizes of 1. Empty where no variant of the launch asks for it.
  llvm::SmallVector<int64_t, 4> merged;
  int64_t count = 1; // product of the sizes
  /// The farthest element from the first one of its operand, in elements.
  int64_t reach = 0;
  std::vector<OperandGeometry> operands;

  /// The sizes that a variant walks.
  llvm::ArrayRef<int64_t> dimsOf(const Variant &variant) const {
    if (variant.dims)
      return llvm::ArrayRef(merged).take_back(variant.dims);
    return variant.contiguous ? collapsed : loops;
  }
};

/// `tensors` has one entry per operand, null for numbers passed by value. Fails
/// where sizes do not match.
llvm::Expected<Geometry>
computeGeometry(const Launch &launch, llvm::ArrayRef<int64_t> loopSizes,
                llvm::ArrayRef<const Tensor *> tensors);

/// Blocks that a variant takes; nothing where that is above 2^63 - 1.
std::optional<int64_t> countBlocks(const Variant &variant,
                                   const Geometry &geometry);

/// What stands in a variant's way.
struct Obstacle {
  enum Kind {
    None,
    Blocks,
    Indices,
    Density, // a dimension that is stretched, too
    Dimensions,
    Row,
    Pitch,
    Alignment,
    Multiple,
    Rows,
    AllRows,
    Many,
    Tile,
    LargerTile
  } kind = None;
  size_t operand = 0; // of Density, Row, Pitch and Alignment
};

/// The first one, in the order in which they are told: what something is to be
/// done about comes first.
Obstacle findObstacle(const Launch &launch, const Variant &variant,
                      const Geometry &geometry, uint64_t maxGrid);

/// Why a variant may not be launched, or nothing where it may. An operand is
/// told by its place in the launch ("operand 0"), or as `nameOf` has it.
std::optional<std::string>
whyNot(const Launch &launch, const Variant &variant, const Geometry &geometry,
       uint64_t maxGrid,
       llvm::function_ref<std::string(size_t)> nameOf = nullptr);

/// The first variant whose conditions hold. An error where none does: the last
/// one takes every buffer, but no more blocks than `maxGrid`.
llvm::Expected<uint32_t>
chooseVariant(const Launch &launch, const Geometry &geometry, uint64_t maxGrid);

/// The value of an argument that is a number made from sizes and strides.
int64_t evaluateArgument(const Launch &launch, const Variant &variant,
                         const KernelArg &arg, const Geometry &geometry);

/// What divides by `size`, which is more than 0 and at most 2^31: with m its
/// lower 32 bits and s its upper ones, n / size is (n * m) >> s for every n
/// from 0 to 2^31 - 1.
uint64_t getDivisor(int64_t size);

} // namespace ew::runtime

#endif // EW_RUNTIME_GEOMETRY_H
