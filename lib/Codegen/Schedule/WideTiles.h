//===- WideTiles.h - Versions of tiles in wide accesses ---------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_CODEGEN_SCHEDULE_WIDETILES_H
#define EW_LIB_CODEGEN_SCHEDULE_WIDETILES_H

#include "ew/Codegen/Schedule/Policy.h"

namespace ew {

/// Bytes of a thread's access, the widest that all chips have. H200: a one-shot
/// grid, one such access per thread and stream, gave the most for every mix of
/// reads and writes (R1W1 4.17 TB/s, R2W1 4.34, R3W1 4.41); more unrolling and
/// persistent grids lost.
inline constexpr unsigned accessBytes = 16;

/// Rows and columns, and the threads of a block.
struct WideTile {
  int64_t rows, columns;
  unsigned threads;
};

/// A version that goes through a tile in accesses of several elements.
struct WideVersion {
  WideTile tile;
  int64_t unit;      // columns of a thread
  int64_t multiple;  // of the innermost size
  int64_t alignment; // of what is read and written so
  bool allRows;      // has to have them

  std::string name() const {
    return (allRows ? "run" : "packed") + std::to_string(tile.rows) + "x" +
           std::to_string(tile.columns);
  }
  unsigned elements() const { return tile.rows * tile.columns / tile.threads; }
};

/// Those of a kernel with a tile whose rows walk `rowDim`, in the order in
/// which the host tries them. `given`: the only tile there is to be, or null.
llvm::SmallVector<WideVersion>
decideWideVersions(const LoopNest &nest, mlir::TypeRange operands,
                   int64_t rowDim, BodyWeight body, const WideTile *given);

} // namespace ew

#endif // EW_LIB_CODEGEN_SCHEDULE_WIDETILES_H
