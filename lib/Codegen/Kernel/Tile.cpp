//===- Tile.cpp - Kernels that go through shared memory -------------------===//
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

/// Elements from one column of the tile to the next: a warp that reads along a
/// row must meet every bank of 4 bytes once.
static int64_t getPitch(ScheduleAttr schedule, Type memoryType) {
  int64_t bytes = memoryType.getIntOrFloatBitWidth() / 8;
  return schedule.getTile()[0] + std::max<int64_t>(1, 4 / bytes);
}

int64_t ew::getTileElements(ScheduleAttr schedule, VariantAttr variant,
                            Type memoryType) {
  if (isWideTile(schedule, variant))
    return getWideTileElements(schedule.getTile()[0], schedule.getTile()[1],
                               getTileUnit(schedule, variant),
                               hasAllRows(schedule, variant),
                               memoryType.getIntOrFloatBitWidth() / 8);
  return schedule.getTile()[1] * getPitch(schedule, memoryType);
}

KernelEmitter::TilePlace KernelEmitter::locateTile(Value block) {
  int64_t rows = schedule.getTile()[0], columns = schedule.getTile()[1];
  int64_t rowDim = schedule.getTile()[2], columnDim = nest.rank() - 1;
  // The last dimension goes fastest, then the rows, then the others.
  TilePlace tile;
  tile.outer.resize(nest.rank());
  Value rest = block;
  int64_t left = nest.rank();
  auto take = [&](Value count) -> Value {
    if (--left == 0)
      return rest;
    Value quotient = ix.div(rest, count);
    Value at = ix.sub(rest, ix.mul(quotient, count));
    rest = quotient;
    return at;
  };
  tile.column0 =
      ix.mul(take(ix.ceilDiv(sizes[columnDim], columns)), ix.constant(columns));
  tile.row0 = ix.mul(take(ix.ceilDiv(sizes[rowDim], rows)), ix.constant(rows));
  for (int64_t dim = columnDim - 1; dim >= 0; --dim)
    if (dim != rowDim)
      tile.outer[dim] = take(sizes[dim]);
  tile.rowsLeft = ix.sub(sizes[rowDim], tile.row0);
  tile.columnsLeft = ix.sub(sizes[columnDim], tile.column0);
  return tile;
}

SmallVector<Value> KernelEmitter::getCoordinates(const TilePlace &tile,
                                                 Value row, Value column) {
  SmallVector<Value> coords(tile.outer);
  coords[schedule.getTile()[2]] = ix.add(tile.row0, row);
  coords[nest.rank() - 1] = ix.add(tile.column0, column);
  return coords;
}

LogicalResult KernelEmitter::emitTile(Value thread, Value block,
                                      ValueRange shared) {
  int64_t rows = schedule.getTile()[0], columns = schedule.getTile()[1];
  int64_t rowDim = schedule.getTile()[2], columnDim = nest.rank() - 1;
  // Threads stand in lines as long as the tile's side, and step down it.
  struct Place {
    int64_t lines;      // from one element of a thread to its next
    Value across, down; // of its first
  };
  auto placeAlong = [&](int64_t side) -> Place {
    return {schedule.getBlock() / side, ix.rem(thread, ix.constant(side)),
            ix.div(thread, ix.constant(side))};
  };
  Place straight = placeAlong(columns);
  Place exchanged = rows == columns ? straight : placeAlong(rows);

  TilePlace tile = locateTile(block);
  auto coordinates = [&](Value row, Value column) {
    return getCoordinates(tile, row, column);
  };
  // Lanes go down a column of the output's elements. The transposed operands
  // are read with the roles of rows and columns exchanged, so that neighbouring
  // threads read neighbouring elements of them too.
  SmallVector<Value> first = coordinates(straight.down, straight.across);
  SmallVector<Value> firstExchanged =
      coordinates(exchanged.across, exchanged.down);
  auto isActive = [&](Place place, Value acrossLeft, Value downLeft) {
    return [=](unsigned lane) {
      Value down = ix.less(ix.constant(lane * place.lines),
                           ix.sub(downLeft, place.down));
      return ix.logicalAnd(ix.less(place.across, acrossLeft), down);
    };
  };
  Lanes lanes;
  lanes.active = isActive(straight, tile.columnsLeft, tile.rowsLeft);
  lanes.full =
      ix.logicalAnd(ix.less(ix.constant(rows - 1), tile.rowsLeft),
                    ix.less(ix.constant(columns - 1), tile.columnsLeft));
  if (llvm::is_contained(nest.indexed, true))
    for (unsigned lane = 0; lane < this->lanes(); ++lane)
      lanes.coords.push_back(
          coordinates(ix.add(straight.down, ix.constant(lane * straight.lines)),
                      straight.across));

  // Lanes are the same step apart, so each address is one addition.
  auto getAddresses = [&](unsigned operand, ArrayRef<Value> from, Value stride,
                          int64_t lines) -> LaneValue {
    SmallVector<Value> addresses = {address(operand, from)};
    Value step = ix.mul(stride, ix.constant(lines));
    while (addresses.size() < this->lanes())
      addresses.push_back(ix.add(addresses.back(), step));
    return [addresses](unsigned lane) { return addresses[lane]; };
  };
  unsigned output = op.getNumDpsInputs();
  lanes.linear =
      getAddresses(output, first, strides[output][rowDim], straight.lines);

  SmallVector<unsigned> tiled = getTiledOperands(nest, schedule);
  SmallVector<SmallVector<Access>> chunks(1);
  SmallVector<Access> &accesses = chunks.front();
  for (unsigned operand = 0; operand < output; ++operand) {
    Access &access = accesses.emplace_back();
    bool exchange = llvm::is_contained(tiled, operand);
    access.active = exchange
                        ? isActive(exchanged, tile.rowsLeft, tile.columnsLeft)
                        : lanes.active;
    Value stride = strides[operand][exchange ? columnDim : rowDim];
    ArrayRef<Value> from = exchange ? firstExchanged : first;
    if (llvm::none_of(strides[operand], [](Value s) { return s; })) {
      access.kind = Access::Kind::Uniform;
    } else if (!stride) {
      access.kind = Access::Kind::Splat;
      Value at = address(operand, from);
      access.address = [at](unsigned) { return at; };
    } else {
      access.kind = Access::Kind::Lanes;
      access.address =
          nest.isDense(operand)
              ? lanes.linear
              : getAddresses(operand, from, stride,
                             exchange ? exchanged.lines : straight.lines);
    }
  }
  // All loads are on their way before anyone waits at the barrier.
  SmallVector<Value> inputs = load(chunks, lanes.full);

  auto slot = [&](unsigned operand, Value row, Value column) {
    int64_t pitch = getPitch(schedule, memoryType(operand));
    return position(operand, ix.add(ix.mul(column, ix.constant(pitch)), row));
  };
  for (auto [operand, buffer] : llvm::zip_equal(tiled, shared))
    for (unsigned lane = 0; lane < this->lanes(); ++lane) {
      Value line = ix.add(exchanged.down, ix.constant(lane * exchanged.lines));
      storeScalar(extractScalar(operand, inputs[operand], lane), buffer,
                  slot(operand, exchanged.across, line));
    }
  gpu::BarrierOp::create(b, loc);
  for (auto [operand, buffer] : llvm::zip_equal(tiled, shared)) {
    SmallVector<Value> scalars;
    for (unsigned lane = 0; lane < this->lanes(); ++lane) {
      Value line = ix.add(straight.down, ix.constant(lane * straight.lines));
      scalars.push_back(
          loadScalar(operand, buffer, slot(operand, line, straight.across)));
    }
    inputs[operand] = fromScalars(operand, scalars);
  }

  FailureOr<SmallVector<Value>> results = compute(inputs, lanes);
  if (failed(results))
    return failure();
  store(lanes, *results);
  return success();
}
