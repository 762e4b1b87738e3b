//===- HostTile.cpp - Tiles of CPU kernels --------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row by row a transposed operand is read one element of a cache line at a
// time, and by the next row the lines are gone. A tile of it is turned into a
// buffer first, in squares whose rows and columns both are vectors, so that
// every line is read once and whole. The tile's rows are then computed as of
// any dense tensor.
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Emitter.h"

#include "ew/Codegen/Schedule/Policy.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ew;

/// A register of every x86-64: in wider ones elements cross between halves,
/// which takes more instructions an element.
static constexpr int64_t squareBytes = 16;

SmallVector<unsigned> ew::getBufferedOperands(const LoopNest &collapsed,
                                              ScheduleAttr schedule,
                                              TypeRange operands) {
  SmallVector<unsigned> buffered = getTiledOperands(collapsed, schedule);
  llvm::erase_if(
      buffered, [&](unsigned operand) { return isComplex(operands[operand]); });
  return buffered;
}

int64_t ew::getHostTileBytes(const LoopNest &collapsed, ScheduleAttr schedule,
                             TypeRange operands) {
  int64_t bytes = 0;
  for (unsigned operand : getBufferedOperands(collapsed, schedule, operands))
    bytes += schedule.getTile()[0] * schedule.getTile()[1] *
             getMemoryBytes(getElementType(operands[operand]));
  return bytes;
}

/// The rows of a square to its columns: perfect shuffles of the first half with
/// the second one, once for each bit of a number.
static SmallVector<Value> transpose(OpBuilder &b, Location loc,
                                    SmallVector<Value> rows) {
  int64_t side = rows.size();
  auto shuffle = [&](Value x, Value y, int64_t from) -> Value {
    SmallVector<int64_t> mask;
    for (int64_t i = from; i < from + side / 2; ++i)
      mask.append({i, side + i});
    return vector::ShuffleOp::create(b, loc, x, y, mask);
  };
  for (int64_t step = 1; step < side; step *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < side / 2; ++i)
      for (int64_t from : {int64_t(0), side / 2})
        next.push_back(shuffle(rows[i], rows[i + side / 2], from));
    rows = std::move(next);
  }
  return rows;
}

void KernelEmitter::fillBuffer(unsigned operand, Value buffer,
                               const TilePlace &tile, Value rows,
                               Value columns) {
  int64_t pitch = schedule.getTile()[1];
  auto source = [&](Value row, Value column) {
    return position(operand,
                    address(operand, getCoordinates(tile, row, column)));
  };
  auto slot = [&](Value row, Value column) {
    return position(operand, ix.add(ix.mul(row, ix.constant(pitch)), column));
  };
  auto loop = [&](Value from, Value to, int64_t step, auto body) {
    auto loop = scf::ForOp::create(b, loc, from, to, ix.constant(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  };
  auto moveEach = [&](Value row0, Value column0, Value columnEnd) {
    loop(column0, columnEnd, 1, [&](Value column) {
      loop(row0, rows, 1, [&](Value row) {
        storeScalar(loadScalar(operand, bases[operand], source(row, column)),
                    buffer, slot(row, column));
      });
    });
  };
  Type type = memoryType(operand);
  int64_t side = squareBytes * 8 / type.getIntOrFloatBitWidth();
  auto vector = VectorType::get({side}, type);
  auto whole = [&](Value count) {
    return ix.mul(ix.div(count, ix.constant(side)), ix.constant(side));
  };
  Value zero = ix.constant(0);
  Value wholeRows = whole(rows), wholeColumns = whole(columns);
  loop(zero, wholeColumns, side, [&](Value column) {
    loop(zero, wholeRows, side, [&](Value row) {
      SmallVector<Value> square;
      for (int64_t i = 0; i < side; ++i)
        square.push_back(vector::LoadOp::create(
            b, loc, vector, bases[operand],
            ValueRange{source(row, ix.add(column, ix.constant(i)))}));
      for (auto [i, line] : llvm::enumerate(transpose(b, loc, square)))
        vector::StoreOp::create(
            b, loc, line, buffer,
            ValueRange{slot(ix.add(row, ix.constant(i)), column)});
    });
  });
  moveEach(wholeRows, zero, wholeColumns);
  moveEach(zero, wholeColumns, columns);
}

LogicalResult KernelEmitter::emitHostTile(Value block, ValueRange buffers) {
  int64_t rowDim = schedule.getTile()[2], columnDim = nest.rank() - 1;
  int64_t pitch = schedule.getTile()[1];
  TilePlace tile = locateTile(block);
  auto atMost = [&](Value left, int64_t side) -> Value {
    return arith::MinSIOp::create(b, loc, left, ix.constant(side));
  };
  Value rows = atMost(tile.rowsLeft, schedule.getTile()[0]);
  Value columns = atMost(tile.columnsLeft, pitch);
  // From here on such an operand is its buffer, in which the tile's first
  // element comes first.
  for (auto [operand, buffer] : llvm::zip_equal(
           getBufferedOperands(nest, schedule, op->getOperandTypes()),
           buffers)) {
    fillBuffer(operand, buffer, tile, rows, columns);
    bases[operand] = buffer;
    nest.walks[operand] = {rowDim, columnDim};
    strides[operand].assign(nest.rank(), Value());
    strides[operand][rowDim] = ix.constant(pitch);
    strides[operand][columnDim] = ix.constant(1);
    origins[operand] =
        address(operand, getCoordinates(tile, ix.constant(0), ix.constant(0)));
  }
  OpBuilder::InsertionGuard guard(b);
  auto rowLoop =
      scf::ForOp::create(b, loc, ix.constant(0), rows, ix.constant(1));
  b.setInsertionPointToStart(rowLoop.getBody());
  SmallVector<Value> coords =
      getCoordinates(tile, rowLoop.getInductionVar(), ix.constant(0));
  Value first = address(op.getNumDpsInputs(), coords);
  Value end = ix.add(first, columns);
  auto vectors = scf::ForOp::create(b, loc, first, end, ix.constant(lanes()));
  b.setInsertionPointToStart(vectors.getBody());
  Value at = vectors.getInductionVar();
  coords[columnDim] = ix.add(coords[columnDim], ix.sub(at, first));
  return emitRow(at, end, coords, /*aligned=*/false);
}
