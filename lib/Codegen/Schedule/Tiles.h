//===- Tiles.h - Tiles of shared memory -------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_CODEGEN_SCHEDULE_TILES_H
#define EW_LIB_CODEGEN_SCHEDULE_TILES_H

#include "ew/Codegen/Schedule/Policy.h"

namespace ew {

/// The tile of few elements, or of wide ones.
inline constexpr int64_t smallTileSide = 32;
inline constexpr unsigned smallTileThreads = 256;
inline constexpr unsigned smallTileElements =
    smallTileSide * smallTileSide / smallTileThreads;

struct Tile {
  llvm::SmallVector<int64_t> shape; // as in a schedule
  unsigned threads = 0;
  /// The part that lies inside of the space, as far as that is known.
  double fill = 0;
};

/// The tile of a kernel's schedule, of no shape if there is none: of those that
/// are as full as any, the first. The bytes are of the narrowest and of the
/// widest element.
Tile decideTile(const LoopNest &nest, mlir::TypeRange operands,
                unsigned narrowest, unsigned widest, bool few,
                const ScheduleChoice &choice);

/// The rows, columns and rows' dimension of a CPU kernel's tile; none where no
/// operand is transposed, or hardly any of it would lie in the space.
llvm::SmallVector<int64_t> fitHostTile(const LoopNest &nest,
                                       mlir::TypeRange operands);

/// Tiles for spaces with a short side, the less short ones first.
llvm::SmallVector<Tile> fitLongTiles(const LoopNest &nest,
                                     mlir::TypeRange operands);

} // namespace ew

#endif // EW_LIB_CODEGEN_SCHEDULE_TILES_H
