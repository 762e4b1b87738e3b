//===- WideTile.cpp - Tiles in accesses of several elements ---------------===//
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
// run of memory, whatever the number of rows is. It is read in accesses of 16
// bytes, or of as many elements as a thread has, if those are less. It stands
// in shared memory as it was read, and is taken from there element by element.
//
// Threads store to shared memory what lies outside of the space, too, as zeros:
// all they read at once has a place in the tile, since they share its elements
// evenly and each accesses its own in equal parts.
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
                      int64_t multiple, int64_t threads, bool allRows) {
  for (int64_t number : {rows, columns, unit, multiple, threads})
    if (!llvm::isPowerOf2_64(number))
      return false;
  // All are powers of two, so that each divides what is not less.
  int64_t across = columns / unit, high = rows / unit;
  if (unit < 2 || across < 1 || across > threads || multiple < unit)
    return false;
  int64_t down = threads / across;
  // Runs begin and end with whole accesses: as the space's columns, so a
  // tile's.
  if (allRows)
    return down <= rows && columns >= multiple;
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

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

/// The code of one tile. Rows and columns are the output's; lanes are a
/// thread's units, one after the other, each of `unit` columns of a row.
class KernelEmitter::WideTile {
public:
  WideTile(KernelEmitter &emitter, Value thread, Value block);
  LogicalResult emit(ValueRange shared);

private:
  /// How the operand's elements that a thread takes to shared memory are
  /// accessed: by number, whether there are any, from where, and to where.
  struct Exchange {
    unsigned operand;
    VectorType type;
    int64_t count;
    std::function<Value(int64_t)> active, from, to;
  };

  Value constant(int64_t value) const { return ix.constant(value); }
  VectorType unitOf(unsigned operand) const {
    return VectorType::get({unit}, e.memoryType(operand));
  }
  /// The row of a unit, from that of the thread's first one on.
  int64_t rowOf(int64_t index) const {
    return index / unitRows * down * unitRows + index % unitRows;
  }
  SmallVector<Value> getCoordinates(unsigned lane) const {
    return e.getCoordinates(tile, ix.add(row, constant(rowOf(lane / unit))),
                            ix.add(column, constant(lane % unit)));
  }
  Value getAddress(unsigned operand, int64_t index, int64_t lane = 0) const;
  /// Of the rows of one group all lie inside, or none does.
  Value isGroupInside(int64_t group) const;

  Value load(VectorType type, Value base, Value position, int64_t alignment);
  void store(Value unit, Value base, Value position, int64_t alignment);
  /// What `load` gives where `active` holds, else zeros; null: it does.
  SmallVector<Value> ifActive(Value active, ArrayRef<Type> types,
                              llvm::function_ref<SmallVector<Value>()> load);

  Exchange getExchange(unsigned operand);
  Exchange getExchangeOfRun(unsigned operand);
  /// Where a unit of a column stands in shared memory, the column being `lane`
  /// further than the one given.
  Value getPlace(unsigned operand, Value column, Value unitAt,
                 int64_t lane = 0) const;
  Value loadStraight(unsigned operand, int64_t index);
  /// Everything that is read before the barrier: by exchange; then by group,
  /// operand and row.
  SmallVector<Value> loadAll(bool whole);
  SmallVector<Value> loadAll();
  void takeSquares(unsigned operand, Value buffer,
                   SmallVectorImpl<Value> &units);
  void takeFromRun(unsigned operand, Value buffer,
                   SmallVectorImpl<Value> &units);
  void storeAll(ValueRange results, bool whole);

  KernelEmitter &e;
  OpBuilder &b;
  Location loc;
  const IndexBuilder &ix;
  bool allRows;
  int64_t rows, columns, threads;
  int64_t rowDim, columnDim;
  int64_t unit;     // columns of a thread
  int64_t unitRows; // of a thread, one below the other
  int64_t across;   // threads side by side
  int64_t down;     // lines of them
  int64_t groups;   // of `unitRows` rows that a thread has
  int64_t alignment;
  Value thread;
  TilePlace tile;
  Value row, column; // of the thread's first element, in the tile
  Value full;        // whether all of the tile lies inside; null: unknown
  SmallVector<Value> firsts;      // by operand, the first element's address
  SmallVector<unsigned> straight; // operands that go their own way
  SmallVector<Exchange> exchanges;
};

KernelEmitter::WideTile::WideTile(KernelEmitter &emitter, Value thread,
                                  Value block)
    : e(emitter), b(e.b), loc(e.loc), ix(e.ix),
      allRows(hasAllRows(e.schedule, e.variant)), rows(e.schedule.getTile()[0]),
      columns(e.schedule.getTile()[1]), threads(e.schedule.getBlock()),
      rowDim(e.schedule.getTile()[2]), columnDim(e.nest.rank() - 1),
      unit(getTileUnit(e.schedule, e.variant)), unitRows(allRows ? 1 : unit),
      across(columns / unit), down(threads / across),
      groups(rows / unitRows / down), alignment(e.variant.getAlignment()),
      thread(thread), tile(e.locateTile(block)) {
  column = ix.mul(ix.rem(thread, constant(across)), constant(unit));
  row = ix.mul(ix.div(thread, constant(across)), constant(unitRows));
  SmallVector<Value> first = e.getCoordinates(tile, row, column);
  for (unsigned operand = 0; operand < e.op->getNumOperands(); ++operand)
    firsts.push_back(e.address(operand, first));
  // A tile of all rows is seldom as high as there are rows.
  if (!allRows)
    full = ix.logicalAnd(ix.less(constant(rows - 1), tile.rowsLeft),
                         ix.less(constant(columns - 1), tile.columnsLeft));
}

Value KernelEmitter::WideTile::getAddress(unsigned operand, int64_t index,
                                          int64_t lane) const {
  Value at = firsts[operand];
  if (Value stride = e.strides[operand][rowDim])
    at = ix.add(at, ix.mul(stride, constant(rowOf(index))));
  if (Value stride = e.strides[operand][columnDim])
    at = ix.add(at, ix.mul(stride, constant(lane)));
  return at;
}

Value KernelEmitter::WideTile::isGroupInside(int64_t group) const {
  Value below =
      ix.less(constant(group * down * unitRows), ix.sub(tile.rowsLeft, row));
  return ix.logicalAnd(ix.less(column, tile.columnsLeft), below);
}

Value KernelEmitter::WideTile::load(VectorType type, Value base, Value position,
                                    int64_t alignment) {
  auto load = vector::LoadOp::create(b, loc, type, base,
                                     ValueRange{ix.toIndex(position)});
  int64_t bytes = type.getNumElements() * bytesOf(type.getElementType());
  load.setAlignmentAttr(b.getI64IntegerAttr(std::min(bytes, alignment)));
  return load;
}

void KernelEmitter::WideTile::store(Value unit, Value base, Value position,
                                    int64_t alignment) {
  auto type = cast<VectorType>(unit.getType());
  auto store = vector::StoreOp::create(b, loc, unit, base,
                                       ValueRange{ix.toIndex(position)});
  int64_t bytes = type.getNumElements() * bytesOf(type.getElementType());
  store.setAlignmentAttr(b.getI64IntegerAttr(std::min(bytes, alignment)));
}

SmallVector<Value> KernelEmitter::WideTile::ifActive(
    Value active, ArrayRef<Type> types,
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

//===----------------------------------------------------------------------===//
// To shared memory
//===----------------------------------------------------------------------===//

Value KernelEmitter::WideTile::getPlace(unsigned operand, Value column,
                                        Value unitAt, int64_t lane) const {
  int64_t pitch = getUnitPitch(rows, unit);
  int64_t atOnce = getUnitsAtOnce(unit * bytesOf(e.memoryType(operand)));
  Value units =
      ix.add(ix.mul(column, constant(pitch)), ix.div(column, constant(atOnce)));
  units = ix.add(ix.add(units, unitAt), constant(lane * pitch + lane / atOnce));
  return ix.mul(units, constant(unit));
}

KernelEmitter::WideTile::Exchange
KernelEmitter::WideTile::getExchange(unsigned operand) {
  if (allRows)
    return getExchangeOfRun(operand);
  // Threads stand along a column, a unit each.
  int64_t high = rows / unit, lines = threads / high;
  Value unitAt = ix.rem(thread, constant(high));
  Value rowAt = ix.mul(unitAt, constant(unit));
  Value columnAt = ix.div(thread, constant(high));
  Value rowInside = ix.less(rowAt, tile.rowsLeft);
  Value begin = e.address(operand, e.getCoordinates(tile, rowAt, columnAt));
  Value stride = e.strides[operand][columnDim];
  auto columnOf = [=](int64_t i) {
    return ix.add(columnAt, constant(i * lines));
  };
  auto isInside = [=](int64_t i) {
    return ix.logicalAnd(rowInside, ix.less(columnOf(i), tile.columnsLeft));
  };
  auto from = [=](int64_t i) {
    return ix.add(begin, ix.mul(stride, constant(i * lines)));
  };
  auto to = [=](int64_t i) { return getPlace(operand, columnOf(i), unitAt); };
  return {operand, unitOf(operand), columns / lines, isInside, from, to};
}

KernelEmitter::WideTile::Exchange
KernelEmitter::WideTile::getExchangeOfRun(unsigned operand) {
  Type element = e.memoryType(operand);
  // No more than a thread has: all together would be more than the tile.
  int64_t mine = rows * columns / threads;
  int64_t piece = std::min(widestAccess / bytesOf(element), mine);
  Value width =
      arith::MinSIOp::create(b, loc, tile.columnsLeft, constant(columns));
  Value count = ix.mul(width, e.sizes[rowDim]);
  Value begin =
      e.address(operand, e.getCoordinates(tile, constant(0), constant(0)));
  auto at = [=](int64_t i) {
    return ix.mul(ix.add(thread, constant(i * threads)), constant(piece));
  };
  auto isInside = [=](int64_t i) { return ix.less(at(i), count); };
  auto from = [=](int64_t i) { return ix.add(begin, at(i)); };
  auto type = VectorType::get({piece}, element);
  return {operand, type, mine / piece, isInside, from, at};
}

Value KernelEmitter::WideTile::loadStraight(unsigned operand, int64_t index) {
  Value base = e.bases[operand];
  if (e.nest.isDense(operand) || e.nest.isInnermostUnit(operand))
    return load(unitOf(operand), base, getAddress(operand, index), alignment);
  auto loadLane = [&](int64_t lane) {
    return e.loadScalar(operand, base,
                        ix.toIndex(getAddress(operand, index, lane)));
  };
  if (!e.strides[operand][columnDim])
    return vector::BroadcastOp::create(b, loc, unitOf(operand), loadLane(0));
  SmallVector<Value> lanes;
  for (int64_t lane = 0; lane < unit; ++lane)
    lanes.push_back(loadLane(lane));
  return vector::FromElementsOp::create(b, loc, unitOf(operand), lanes);
}

SmallVector<Value> KernelEmitter::WideTile::loadAll(bool whole) {
  SmallVector<Value> values;
  for (const Exchange &exchange : exchanges)
    for (int64_t i = 0; i < exchange.count; ++i) {
      Value active = whole ? Value() : exchange.active(i);
      auto loadOne = [&]() -> SmallVector<Value> {
        return {load(exchange.type, e.bases[exchange.operand], exchange.from(i),
                     alignment)};
      };
      llvm::append_range(values,
                         ifActive(active, Type(exchange.type), loadOne));
    }
  SmallVector<Type> types;
  for (unsigned operand : straight)
    types.append(unitRows, unitOf(operand));
  for (int64_t group = 0; group < groups && !types.empty(); ++group) {
    Value active = whole ? Value() : isGroupInside(group);
    auto loadGroup = [&] {
      SmallVector<Value> units;
      for (unsigned operand : straight)
        for (int64_t i = 0; i < unitRows; ++i)
          units.push_back(loadStraight(operand, group * unitRows + i));
      return units;
    };
    llvm::append_range(values, ifActive(active, types, loadGroup));
  }
  return values;
}

SmallVector<Value> KernelEmitter::WideTile::loadAll() {
  if (!full)
    return loadAll(/*whole=*/false);
  SmallVector<Type> types;
  for (const Exchange &exchange : exchanges)
    types.append(exchange.count, exchange.type);
  for (int64_t group = 0; group < groups; ++group)
    for (unsigned operand : straight)
      types.append(unitRows, unitOf(operand));
  auto branch = scf::IfOp::create(b, loc, types, full, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard inside(b);
  for (bool whole : {true, false}) {
    b.setInsertionPointToStart(whole ? branch.thenBlock() : branch.elseBlock());
    scf::YieldOp::create(b, loc, loadAll(whole));
  }
  return SmallVector<Value>(branch.getResults());
}

//===----------------------------------------------------------------------===//
// From shared memory
//===----------------------------------------------------------------------===//

void KernelEmitter::WideTile::takeSquares(unsigned operand, Value buffer,
                                          SmallVectorImpl<Value> &units) {
  for (int64_t group = 0; group < groups; ++group) {
    Value line = ix.add(row, constant(rowOf(group * unitRows)));
    Value unitAt = ix.div(line, constant(unit));
    SmallVector<Value> square;
    for (int64_t lane = 0; lane < unit; ++lane)
      square.push_back(load(unitOf(operand), buffer,
                            getPlace(operand, column, unitAt, lane),
                            widestAccess));
    llvm::append_range(units, transpose(b, loc, std::move(square)));
  }
}

void KernelEmitter::WideTile::takeFromRun(unsigned operand, Value buffer,
                                          SmallVectorImpl<Value> &units) {
  for (int64_t group = 0; group < groups; ++group) {
    Value line = ix.add(row, constant(rowOf(group)));
    SmallVector<Value> lanes;
    for (int64_t lane = 0; lane < unit; ++lane) {
      Value at = ix.mul(ix.add(column, constant(lane)), e.sizes[rowDim]);
      lanes.push_back(
          e.loadScalar(operand, buffer, ix.toIndex(ix.add(at, line))));
    }
    units.push_back(
        vector::FromElementsOp::create(b, loc, unitOf(operand), lanes));
  }
}

void KernelEmitter::WideTile::storeAll(ValueRange results, bool whole) {
  unsigned output = e.op.getNumDpsInputs();
  for (int64_t group = 0; group < groups; ++group) {
    OpBuilder::InsertionGuard inside(b);
    if (!whole)
      b.setInsertionPointToStart(
          scf::IfOp::create(b, loc, isGroupInside(group)).thenBlock());
    for (auto [index, result] : llvm::enumerate(results))
      for (int64_t at = group * unitRows; at < (group + 1) * unitRows; ++at) {
        Value part = vector::ExtractStridedSliceOp::create(
            b, loc, result, ArrayRef<int64_t>(at * unit),
            ArrayRef<int64_t>(unit), ArrayRef<int64_t>(1));
        store(part, e.bases[output + index], getAddress(output + index, at),
              alignment);
      }
  }
}

LogicalResult KernelEmitter::WideTile::emit(ValueRange shared) {
  SmallVector<unsigned> tiled = getTiledOperands(e.nest, e.schedule);
  for (unsigned operand : tiled)
    exchanges.push_back(getExchange(operand));
  unsigned output = e.op.getNumDpsInputs();
  SmallVector<Value> inputs(output);
  for (unsigned operand = 0; operand < output; ++operand) {
    if (e.isUniform(operand))
      inputs[operand] = e.loadFull(operand, {Access::Kind::Uniform, {}, {}});
    else if (!llvm::is_contained(tiled, operand))
      straight.push_back(operand);
  }

  // All loads are on their way before anyone waits at the barrier.
  SmallVector<Value> loaded = loadAll();
  ArrayRef<Value> rest = loaded;
  for (auto [exchange, buffer] : llvm::zip_equal(exchanges, shared))
    for (int64_t i = 0; i < exchange.count; ++i) {
      store(rest.front(), buffer, exchange.to(i), widestAccess);
      rest = rest.drop_front();
    }
  gpu::BarrierOp::create(b, loc);

  SmallVector<SmallVector<Value>> units(output);
  while (!rest.empty())
    for (unsigned operand : straight) {
      llvm::append_range(units[operand], rest.take_front(unitRows));
      rest = rest.drop_front(unitRows);
    }
  for (auto [operand, buffer] : llvm::zip_equal(tiled, shared)) {
    if (allRows)
      takeFromRun(operand, buffer, units[operand]);
    else
      takeSquares(operand, buffer, units[operand]);
  }
  for (unsigned operand = 0; operand < output; ++operand)
    if (!inputs[operand])
      inputs[operand] = joinAll(b, loc, units[operand]);

  Lanes lanes;
  lanes.linear = [&](unsigned lane) {
    return e.address(output, getCoordinates(lane));
  };
  if (llvm::is_contained(e.nest.indexed, true))
    for (unsigned lane = 0; lane < e.lanes(); ++lane)
      lanes.coords.push_back(getCoordinates(lane));
  FailureOr<SmallVector<Value>> results = e.compute(inputs, lanes);
  if (failed(results))
    return failure();

  if (!full) {
    storeAll(*results, /*whole=*/false);
    return success();
  }
  auto branch = scf::IfOp::create(b, loc, full, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard inside(b);
  for (bool whole : {true, false}) {
    b.setInsertionPointToStart(whole ? branch.thenBlock() : branch.elseBlock());
    storeAll(*results, whole);
  }
  return success();
}

LogicalResult KernelEmitter::emitWideTile(Value thread, Value block,
                                          ValueRange shared) {
  return WideTile(*this, thread, block).emit(shared);
}
