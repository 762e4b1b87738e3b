//===- Tile.cpp - Kernels that go through a tile of shared memory -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Emitter.h"

#include "ew/Codegen/Kernel/Signature.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ew;

SmallVector<unsigned> ew::getTiledOperands(const LoopNest &collapsed,
                                           ScheduleAttr schedule) {
  SmallVector<unsigned> operands;
  if (schedule.getTile().empty())
    return operands;
  for (auto [index, walk] : llvm::enumerate(collapsed.walks))
    if (collapsed.classify(index) == AccessClass::transposed &&
        walk.back() == schedule.getTile()[2])
      operands.push_back(index);
  return operands;
}

/// Elements from one column of the tile to the next: a warp that reads along a row
/// must meet every bank of 4 bytes once.
static int64_t getPitch(ScheduleAttr schedule, Type memoryType) {
  int64_t bytes = memoryType.getIntOrFloatBitWidth() / 8;
  return schedule.getTile()[0] + std::max<int64_t>(1, 4 / bytes);
}

int64_t ew::getTileElements(ScheduleAttr schedule, Type memoryType) {
  return schedule.getTile()[1] * getPitch(schedule, memoryType);
}

LogicalResult KernelEmitter::emitTile(Value thread, Value block,
                                      ValueRange shared) {
  int64_t rows = schedule.getTile()[0], columns = schedule.getTile()[1];
  int64_t rowDim = schedule.getTile()[2], columnDim = nest.rank() - 1;
  // Threads stand in lines as long as the tile's side, and step down it.
  int64_t lines = schedule.getBlock() / columns;
  Value tx = ix.rem(thread, ix.constant(columns));
  Value ty = ix.div(thread, ix.constant(columns));

  // Which tile: the last dimension goes fastest, then the rows, then the others.
  SmallVector<Value> outer(nest.rank());
  Value rest = block;
  auto take = [&](Value count) {
    Value at = ix.rem(rest, count);
    rest = ix.div(rest, count);
    return at;
  };
  Value column0 = ix.mul(take(ix.ceilDiv(sizes[columnDim], columns)),
                         ix.constant(columns));
  Value row0 =
      ix.mul(take(ix.ceilDiv(sizes[rowDim], rows)), ix.constant(rows));
  for (int64_t dim = columnDim - 1; dim >= 0; --dim)
    if (dim != rowDim)
      outer[dim] = take(sizes[dim]);

  auto coordinates = [&](Value row, Value column) {
    SmallVector<Value> coords(outer);
    coords[rowDim] = ix.add(row0, row);
    coords[columnDim] = ix.add(column0, column);
    return coords;
  };
  auto inside = [&](ArrayRef<Value> coords) {
    return ix.logicalAnd(ix.less(coords[rowDim], sizes[rowDim]),
                         ix.less(coords[columnDim], sizes[columnDim]));
  };

  // Lanes: a column of the output's elements. The transposed operands are read
  // with the roles of rows and columns exchanged, so that neighbouring threads
  // read neighbouring elements of them too.
  Lanes lanes;
  SmallVector<SmallVector<Value>> exchanged;
  SmallVector<Value> linear;
  unsigned output = op.getNumDpsInputs();
  for (unsigned lane = 0; lane < this->lanes(); ++lane) {
    Value line = ix.add(ty, ix.constant(lane * lines));
    lanes.coords.push_back(coordinates(line, tx));
    linear.push_back(address(output, lanes.coords.back()));
    exchanged.push_back(coordinates(tx, line));
  }
  lanes.linear = [&](unsigned lane) { return linear[lane]; };
  lanes.active = [&](unsigned lane) { return inside(lanes.coords[lane]); };
  lanes.full = inside(coordinates(ix.constant(rows - 1), ix.constant(columns - 1)));

  SmallVector<unsigned> tiled = getTiledOperands(nest, schedule);
  SmallVector<Access> accesses;
  for (unsigned operand = 0; operand < output; ++operand) {
    accesses.push_back(getAccess(operand, lanes));
    if (!llvm::is_contained(tiled, operand))
      continue;
    Access &access = accesses.back();
    SmallVector<Value> addresses;
    for (ArrayRef<Value> coords : exchanged)
      addresses.push_back(address(operand, coords));
    access.address = [addresses](unsigned lane) { return addresses[lane]; };
    access.active = [&](unsigned lane) { return inside(exchanged[lane]); };
  }
  // All loads are on their way before anyone waits at the barrier.
  SmallVector<Value> inputs = load(accesses, lanes);

  auto slot = [&](unsigned operand, Value row, Value column) {
    int64_t pitch = getPitch(schedule, memoryType(operand));
    return ix.toIndex(ix.add(ix.mul(column, ix.constant(pitch)), row));
  };
  for (auto [operand, buffer] : llvm::zip_equal(tiled, shared))
    for (unsigned lane = 0; lane < this->lanes(); ++lane) {
      Value line = ix.add(ty, ix.constant(lane * lines));
      Value scalar = vector::ExtractOp::create(b, loc, inputs[operand], lane);
      memref::StoreOp::create(b, loc, scalar, buffer,
                              ValueRange{slot(operand, tx, line)});
    }
  gpu::BarrierOp::create(b, loc);
  for (auto [operand, buffer] : llvm::zip_equal(tiled, shared)) {
    SmallVector<Value> scalars;
    for (unsigned lane = 0; lane < this->lanes(); ++lane) {
      Value line = ix.add(ty, ix.constant(lane * lines));
      scalars.push_back(memref::LoadOp::create(
          b, loc, buffer, ValueRange{slot(operand, line, tx)}));
    }
    inputs[operand] = vector::FromElementsOp::create(
        b, loc, vectorOf(memoryType(operand)), scalars);
  }

  FailureOr<SmallVector<Value>> results = compute(inputs, lanes);
  if (failed(results))
    return failure();
  store(lanes, *results);
  return success();
}
