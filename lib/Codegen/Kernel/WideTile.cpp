//===- WideTile.cpp - Tiles in accesses of several elements -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements that go through a tile one by one keep the load and store units busy
// for longer than memory takes, if they are narrow. In a version with an
// alignment a thread reads several of a column of the tile at once, a unit, and
// writes as many of a row.
//
// Where rows are a multiple of units, too, units stand in shared memory as they
// were read. A thread takes as many of them from there, side by side, as each
// has elements, and has a square, whose rows it writes.
//
// Else all rows are in one tile, and what a block reads of an operand is one
// run of memory, whatever the number of rows is. It stands in shared memory as
// it was read, and is taken from there element by element.
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

static constexpr int64_t allBanksBytes = 128;
static constexpr int64_t widestAccess = 16;

static int64_t bytesOf(Type memory) {
  return memory.getIntOrFloatBitWidth() / 8;
}

bool ew::isWideTile(ScheduleAttr schedule, VariantAttr variant) {
  return variant.getContiguous() && !schedule.getTile().empty() &&
         variant.getAlignment() > 1;
}

bool ew::hasAllRows(ScheduleAttr schedule, VariantAttr variant) {
  return isWideTile(schedule, variant) && variant.getRows() == 1;
}

bool ew::takeRuns(const LoopNest &collapsed, ScheduleAttr schedule) {
  return llvm::all_of(
      getTiledOperands(collapsed, schedule), [&](unsigned operand) {
        ArrayRef<int64_t> walk = collapsed.walks[operand];
        return walk.size() > 1 && walk.end()[-2] == collapsed.rank() - 1;
      });
}

/// Units that stand in all banks of shared memory once. A warp is served as
/// many at a time.
static int64_t getUnitsAtOnce(int64_t unitBytes) {
  return std::max<int64_t>(1, allBanksBytes / unitBytes);
}

/// Units from one column of the tile to the next: odd, and one more after as
/// many columns as there are banks, so that threads whose squares follow each
/// other along a row meet in none.
static int64_t getUnitPitch(int64_t rows, int64_t unit) {
  return rows / unit | 1;
}

int64_t ew::getWideTileElements(int64_t rows, int64_t columns, int64_t unit,
                                bool allRows, int64_t bytes) {
  if (allRows)
    return rows * columns;
  return unit * (columns * getUnitPitch(rows, unit) +
                 columns / getUnitsAtOnce(unit * bytes));
}

int64_t ew::getTileUnit(ScheduleAttr schedule, VariantAttr variant) {
  int64_t multiple = variant.getMultiple();
  return hasAllRows(schedule, variant) ? std::max<int64_t>(4, multiple / 2)
                                       : multiple;
}

bool ew::fitsWideTile(int64_t rows, int64_t columns, int64_t unit,
                      int64_t threads, bool allRows) {
  for (int64_t number : {rows, columns, unit, threads})
    if (!llvm::isPowerOf2_64(number))
      return false;
  // All are powers of two, so that each divides what is not less.
  int64_t across = columns / unit, high = rows / unit;
  if (unit < 2 || across < 1 || across > threads)
    return false;
  int64_t down = threads / across;
  if (allRows)
    return down <= rows;
  return high >= 1 && down <= high && high <= threads &&
         threads / high <= columns;
}

/// Two vectors as one.
static Value join(OpBuilder &b, Location loc, Value x, Value y) {
  int64_t n = cast<VectorType>(x.getType()).getNumElements() +
              cast<VectorType>(y.getType()).getNumElements();
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, n));
  return vector::ShuffleOp::create(b, loc, x, y, all);
}

/// A power of two of vectors of one size as one.
static Value joinAll(OpBuilder &b, Location loc, SmallVector<Value> vectors) {
  while (vectors.size() > 1) {
    for (size_t i = 0; i < vectors.size() / 2; ++i)
      vectors[i] = join(b, loc, vectors[2 * i], vectors[2 * i + 1]);
    vectors.truncate(vectors.size() / 2);
  }
  return vectors.front();
}

/// Of as many vectors as each has elements, a power of two, those of all first
/// elements, of all second ones, ...: in shuffles of two vectors, each of which
/// is one instruction where a vector is a register.
static SmallVector<Value> transpose(OpBuilder &b, Location loc,
                                    SmallVector<Value> columns) {
  int64_t count = columns.size();
  // With elements in pairs, in fours, ...: the lower halves of two vectors,
  // taken in turn, and the upper ones.
  for (int64_t run = 1; run < count; run *= 2) {
    SmallVector<Value> next(count);
    for (int64_t group = 0; group < count; group += 2 * run)
      for (int64_t i = 0; i < run; ++i) {
        SmallVector<int64_t> lower, upper;
        for (int64_t at = 0; at < count / 2; at += run)
          for (int64_t from : {int64_t(0), count})
            for (int64_t k = 0; k < run; ++k) {
              lower.push_back(from + at + k);
              upper.push_back(from + count / 2 + at + k);
            }
        // columns[group + i] and its partner, which stands `run` further.
        Value x = columns[group + i], y = columns[group + run + i];
        next[group + 2 * i] = vector::ShuffleOp::create(b, loc, x, y, lower);
        next[group + 2 * i + 1] =
            vector::ShuffleOp::create(b, loc, x, y, upper);
      }
    columns = std::move(next);
  }
  return columns;
}

Value KernelEmitter::loadUnit(Value base, Type type, Value position,
                              int64_t alignment) {
  auto vector = cast<VectorType>(type);
  auto load = vector::LoadOp::create(b, loc, vector, base,
                                     ValueRange{ix.toIndex(position)});
  int64_t bytes = vector.getNumElements() * bytesOf(vector.getElementType());
  load.setAlignmentAttr(b.getI64IntegerAttr(std::min(bytes, alignment)));
  return load;
}

void KernelEmitter::storeUnit(Value unit, Value base, Value position,
                              int64_t alignment) {
  auto vector = cast<VectorType>(unit.getType());
  auto store = vector::StoreOp::create(b, loc, unit, base,
                                       ValueRange{ix.toIndex(position)});
  int64_t bytes = vector.getNumElements() * bytesOf(vector.getElementType());
  store.setAlignmentAttr(b.getI64IntegerAttr(std::min(bytes, alignment)));
}

Value KernelEmitter::positionInTile(unsigned operand, Value column,
                                    Value unitAt, int64_t lane) {
  int64_t unit = getTileUnit(schedule, variant);
  int64_t pitch = getUnitPitch(schedule.getTile()[0], unit);
  int64_t atOnce = getUnitsAtOnce(unit * bytesOf(memoryType(operand)));
  Value units = ix.add(ix.mul(column, ix.constant(pitch)),
                       ix.div(column, ix.constant(atOnce)));
  units =
      ix.add(ix.add(units, unitAt), ix.constant(lane * pitch + lane / atOnce));
  return ix.mul(units, ix.constant(unit));
}

SmallVector<Value>
KernelEmitter::ifActive(Value active, ArrayRef<Type> types,
                        llvm::function_ref<SmallVector<Value>()> load) {
  if (!active)
    return load();
  auto guard =
      scf::IfOp::create(b, loc, types, active, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(guard.elseBlock());
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
  scf::YieldOp::create(b, loc, zeros);
  b.setInsertionPointToStart(guard.thenBlock());
  scf::YieldOp::create(b, loc, load());
  return SmallVector<Value>(guard.getResults());
}

namespace {
/// How the elements of a wide tile are shared among the threads of a block.
struct WideShape {
  bool allRows;
  int64_t rows, columns; // of the tile
  int64_t unit;          // columns of a thread
  int64_t unitRows;      // of a thread, one below the other
  int64_t across;        // threads side by side
  int64_t down;          // lines of them
  int64_t groups;        // of `unitRows` rows that a thread has

  WideShape(ScheduleAttr schedule, VariantAttr variant)
      : allRows(hasAllRows(schedule, variant)), rows(schedule.getTile()[0]),
        columns(schedule.getTile()[1]), unit(getTileUnit(schedule, variant)),
        unitRows(allRows ? 1 : unit), across(columns / unit),
        down(schedule.getBlock() / across), groups(rows / unitRows / down) {}

  int64_t numUnits() const { return groups * unitRows; }
  /// The row of a unit, from that of a thread's first one on.
  int64_t rowOf(int64_t index) const {
    return index / unitRows * down * unitRows + index % unitRows;
  }
};
} // namespace

LogicalResult KernelEmitter::emitWideTile(Value thread, Value block,
                                          ValueRange shared) {
  WideShape shape(schedule, variant);
  int64_t rowDim = schedule.getTile()[2], columnDim = nest.rank() - 1;
  int64_t unit = shape.unit, threads = schedule.getBlock();
  auto constant = [&](int64_t value) { return ix.constant(value); };
  TilePlace tile = locateTile(block);
  Value column = ix.mul(ix.rem(thread, constant(shape.across)), constant(unit));
  Value row =
      ix.mul(ix.div(thread, constant(shape.across)), constant(shape.unitRows));

  // Of the rows of one group all lie inside, or none does.
  Value columnInside = ix.less(column, tile.columnsLeft);
  auto isGroupInside = [&](int64_t group) {
    Value down = ix.less(constant(group * shape.down * shape.unitRows),
                         ix.sub(tile.rowsLeft, row));
    return ix.logicalAnd(columnInside, down);
  };
  SmallVector<Value> first = getCoordinates(tile, row, column), firsts;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    firsts.push_back(address(operand, first));
  auto getAddress = [&](unsigned operand, int64_t index, int64_t lane) {
    Value at = firsts[operand];
    if (Value stride = strides[operand][rowDim])
      at = ix.add(at, ix.mul(stride, constant(shape.rowOf(index))));
    if (Value stride = strides[operand][columnDim])
      at = ix.add(at, ix.mul(stride, constant(lane)));
    return at;
  };

  // What does not go through shared memory: all columns of a unit at once.
  SmallVector<unsigned> tiled = getTiledOperands(nest, schedule);
  auto unitOf = [&](unsigned operand) {
    return VectorType::get({unit}, memoryType(operand));
  };
  auto loadStraight = [&](unsigned operand, int64_t index) -> Value {
    if (nest.isDense(operand) || nest.isInnermostUnit(operand))
      return loadUnit(bases[operand], unitOf(operand),
                      getAddress(operand, index, 0), variant.getAlignment());
    auto load = [&](int64_t lane) {
      return loadScalar(operand, bases[operand],
                        ix.toIndex(getAddress(operand, index, lane)));
    };
    if (!strides[operand][columnDim])
      return vector::BroadcastOp::create(b, loc, unitOf(operand), load(0));
    SmallVector<Value> scalars;
    for (int64_t lane = 0; lane < unit; ++lane)
      scalars.push_back(load(lane));
    return vector::FromElementsOp::create(b, loc, unitOf(operand), scalars);
  };

  // What does: the units of a thread, each of one column, or a part of the run
  // that is the whole tile.
  struct Exchange {
    VectorType type;
    int64_t count;
    std::function<Value(int64_t)> active, from, to;
  };
  auto getExchange = [&](unsigned operand) -> Exchange {
    int64_t bytes = bytesOf(memoryType(operand));
    if (shape.allRows) {
      int64_t piece = std::max<int64_t>(1, widestAccess / bytes);
      Value height = sizes[rowDim];
      Value count = ix.mul(arith::MinSIOp::create(b, loc, tile.columnsLeft,
                                                  constant(shape.columns)),
                           height);
      Value begin =
          address(operand, getCoordinates(tile, constant(0), constant(0)));
      auto at = [=](int64_t i) {
        return ix.mul(ix.add(thread, constant(i * threads)), constant(piece));
      };
      return {VectorType::get({piece}, memoryType(operand)),
              int64_t(llvm::divideCeil(shape.rows * shape.columns,
                                       piece * threads)),
              [=](int64_t i) { return ix.less(at(i), count); },
              [=](int64_t i) { return ix.add(begin, at(i)); }, at};
    }
    int64_t high = shape.rows / unit, lines = threads / high;
    Value unitAt = ix.rem(thread, constant(high));
    Value rowAt = ix.mul(unitAt, constant(unit));
    Value columnAt = ix.div(thread, constant(high));
    auto columnOf = [=](int64_t i) {
      return ix.add(columnAt, constant(i * lines));
    };
    Value rowInside = ix.less(rowAt, tile.rowsLeft);
    Value columnsLeft = tile.columnsLeft;
    Value begin = address(operand, getCoordinates(tile, rowAt, columnAt));
    Value stride = strides[operand][columnDim];
    return {unitOf(operand), shape.columns / lines,
            [=](int64_t i) {
              return ix.logicalAnd(rowInside,
                                   ix.less(columnOf(i), columnsLeft));
            },
            [=](int64_t i) {
              return ix.add(begin, ix.mul(stride, constant(i * lines)));
            },
            [=](int64_t i) {
              return positionInTile(operand, columnOf(i), unitAt);
            }};
  };
  SmallVector<Exchange> exchanges;
  for (unsigned operand : tiled)
    exchanges.push_back(getExchange(operand));

  // All loads are on their way before anyone waits at the barrier.
  unsigned output = op.getNumDpsInputs();
  SmallVector<Value> inputs(output);
  SmallVector<unsigned> straight;
  for (unsigned operand = 0; operand < output; ++operand) {
    if (isUniform(operand))
      inputs[operand] = loadFull(operand, {Access::Kind::Uniform, {}, {}});
    else if (!llvm::is_contained(tiled, operand))
      straight.push_back(operand);
  }
  auto loadAll = [&](bool whole) {
    SmallVector<Value> values;
    for (const Exchange &exchange : exchanges)
      for (int64_t i = 0; i < exchange.count; ++i)
        llvm::append_range(
            values, ifActive(whole ? Value() : exchange.active(i),
                             exchange.type, [&]() -> SmallVector<Value> {
                               unsigned operand =
                                   tiled[&exchange - exchanges.begin()];
                               return {loadUnit(bases[operand], exchange.type,
                                                exchange.from(i),
                                                variant.getAlignment())};
                             }));
    SmallVector<Type> types;
    for (unsigned operand : straight)
      types.append(shape.unitRows, unitOf(operand));
    if (!types.empty())
      for (int64_t group = 0; group < shape.groups; ++group)
        llvm::append_range(
            values,
            ifActive(whole ? Value() : isGroupInside(group), types, [&] {
              SmallVector<Value> units;
              for (unsigned operand : straight)
                for (int64_t i = 0; i < shape.unitRows; ++i)
                  units.push_back(
                      loadStraight(operand, group * shape.unitRows + i));
              return units;
            }));
    return values;
  };
  // A tile of all rows is seldom as high as there are rows.
  Value full;
  SmallVector<Value> loaded;
  if (shape.allRows) {
    loaded = loadAll(/*whole=*/false);
  } else {
    full =
        ix.logicalAnd(ix.less(constant(shape.rows - 1), tile.rowsLeft),
                      ix.less(constant(shape.columns - 1), tile.columnsLeft));
    SmallVector<Type> types;
    for (const Exchange &exchange : exchanges)
      types.append(exchange.count, exchange.type);
    for (int64_t group = 0; group < shape.groups; ++group)
      for (unsigned operand : straight)
        types.append(shape.unitRows, unitOf(operand));
    auto branch =
        scf::IfOp::create(b, loc, types, full, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard inside(b);
    for (bool whole : {true, false}) {
      b.setInsertionPointToStart(whole ? branch.thenBlock()
                                       : branch.elseBlock());
      scf::YieldOp::create(b, loc, loadAll(whole));
    }
    llvm::append_range(loaded, branch.getResults());
  }

  // Into shared memory, and from there what a thread writes.
  ArrayRef<Value> rest = loaded;
  for (auto [exchange, buffer] : llvm::zip_equal(exchanges, shared))
    for (int64_t i = 0; i < exchange.count; ++i) {
      storeUnit(rest.front(), buffer, exchange.to(i), widestAccess);
      rest = rest.drop_front();
    }
  gpu::BarrierOp::create(b, loc);
  SmallVector<SmallVector<Value>> units(output);
  for (int64_t group = 0; group < shape.groups && !straight.empty(); ++group)
    for (unsigned operand : straight) {
      llvm::append_range(units[operand], rest.take_front(shape.unitRows));
      rest = rest.drop_front(shape.unitRows);
    }
  for (auto [operand, buffer] : llvm::zip_equal(tiled, shared))
    for (int64_t group = 0; group < shape.groups; ++group) {
      SmallVector<Value> square;
      Value line = ix.add(row, constant(shape.rowOf(group * shape.unitRows)));
      if (!shape.allRows) {
        Value unitAt = ix.div(line, constant(unit));
        for (int64_t lane = 0; lane < unit; ++lane)
          square.push_back(loadUnit(
              buffer, unitOf(operand),
              positionInTile(operand, column, unitAt, lane), widestAccess));
        llvm::append_range(units[operand],
                           transpose(b, loc, std::move(square)));
        continue;
      }
      Value height = sizes[rowDim];
      for (int64_t lane = 0; lane < unit; ++lane) {
        Value at = ix.add(ix.mul(ix.add(column, constant(lane)), height), line);
        square.push_back(loadScalar(operand, buffer, ix.toIndex(at)));
      }
      units[operand].push_back(
          vector::FromElementsOp::create(b, loc, unitOf(operand), square));
    }

  for (unsigned operand = 0; operand < output; ++operand)
    if (!inputs[operand])
      inputs[operand] = joinAll(b, loc, units[operand]);
  Lanes lanes;
  auto coordinatesOf = [=](unsigned lane) {
    return getCoordinates(tile,
                          ix.add(row, ix.constant(shape.rowOf(lane / unit))),
                          ix.add(column, ix.constant(lane % unit)));
  };
  lanes.linear = [=](unsigned lane) {
    return address(output, coordinatesOf(lane));
  };
  if (llvm::is_contained(nest.indexed, true))
    for (unsigned lane = 0; lane < this->lanes(); ++lane)
      lanes.coords.push_back(coordinatesOf(lane));
  FailureOr<SmallVector<Value>> results = compute(inputs, lanes);
  if (failed(results))
    return failure();

  auto storeGroup = [&](int64_t group) {
    for (auto [index, result] : llvm::enumerate(*results))
      for (int64_t i = 0; i < shape.unitRows; ++i) {
        int64_t at = group * shape.unitRows + i;
        Value part = vector::ExtractStridedSliceOp::create(
            b, loc, result, ArrayRef<int64_t>(at * unit),
            ArrayRef<int64_t>(unit), ArrayRef<int64_t>(1));
        storeUnit(part, bases[output + index],
                  getAddress(output + index, at, 0), variant.getAlignment());
      }
  };
  auto storeAll = [&](bool whole) {
    for (int64_t group = 0; group < shape.groups; ++group) {
      OpBuilder::InsertionGuard inside(b);
      if (!whole)
        b.setInsertionPointToStart(
            scf::IfOp::create(b, loc, isGroupInside(group)).thenBlock());
      storeGroup(group);
    }
  };
  if (!full) {
    storeAll(/*whole=*/false);
    return success();
  }
  auto branch = scf::IfOp::create(b, loc, full, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard inside(b);
  for (bool whole : {true, false}) {
    b.setInsertionPointToStart(whole ? branch.thenBlock() : branch.elseBlock());
    storeAll(whole);
  }
  return success();
}
