//===- AcrossRows.cpp - Vectors of rows of any length ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shifted kernel's dense operands are one run of memory, whatever the rows
// are: its vectors begin anywhere in a row. What is stretched over rows is then
// read from granules that each thread shifts by its own place, and what has one
// element for a row is read once for a vector. Both hold where the vector lies
// in one row. Of one that does not, every lane has an address of its own, or
// one of two rows'.
//
// Where the dense operands are aligned, too, a version of its own (crossesRows)
// leaves out all that shifts them.
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ew;

/// In rows of fewer vectors than a warp has threads every warp goes both ways,
/// one after the other. H200, a row added to rows of 129 and GELU, in time of
/// rows of 4096: bf16 (16 vectors and an element) 1.05 with both ways, 1.00
/// with one; f32 (32 and an element) 1.08 and 1.10.
static constexpr int64_t shortRowVectors = 32;

SmallVector<SmallVector<Value>> KernelEmitter::walkLanes(const Lanes &lanes,
                                                         bool begins) {
  SmallVector<SmallVector<Value>> all(lanes.coords);
  SmallVector<Value> step(nest.rank(), ix.constant(0));
  step.back() = ix.constant(1);
  while (all.size() < this->lanes()) {
    // Those before the space stay where its first element is.
    if (begins)
      step.back() = b.createOrFold<arith::ExtUIOp>(
          loc, ix.type, ix.less(ix.constant(0), lanes.linear(all.size())));
    all.push_back(advance(all.back(), step));
  }
  return all;
}

void KernelEmitter::loadDense(ArrayRef<Lanes> chunks,
                              ArrayRef<unsigned> operands,
                              SmallVectorImpl<Value> &values) {
  auto load = [&](auto loadOne) {
    for (unsigned operand : operands)
      for (const Lanes &lanes : chunks)
        values.push_back(loadOne(operand, lanes.linear(0)));
  };
  // One branch for all, so that no operand's loads wait for another's to be
  // shifted.
  Value anyOff;
  for (unsigned operand : operands)
    anyOff = anyOff ? b.createOrFold<arith::OrIOp>(loc, anyOff, shifts[operand])
                    : shifts[operand];
  if (!anyOff)
    return load([&](unsigned operand, Value first) {
      return loadGranules(operand, first);
    });
  Value isOff = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                              anyOff, ix.constant(0));
  SmallVector<Type> types;
  for (unsigned operand : operands)
    types.append(chunks.size(), vectorOf(operand));
  auto branch =
      scf::IfOp::create(b, loc, types, isOff, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard outside(b);
  b.setInsertionPointToStart(branch.thenBlock());
  load([&](unsigned operand, Value first) {
    return loadShifted(operand, first, shifts[operand]);
  });
  scf::YieldOp::create(b, loc, values);
  values.clear();
  b.setInsertionPointToStart(branch.elseBlock());
  load([&](unsigned operand, Value first) {
    return loadGranules(operand, first);
  });
  scf::YieldOp::create(b, loc, values);
  values.assign(branch.result_begin(), branch.result_end());
}

Value KernelEmitter::loadTwoRows(unsigned operand, const Lanes &lanes) {
  ArrayRef<Value> first = lanes.coords.front();
  SmallVector<Value> step(nest.rank(), ix.constant(0));
  step.back() = ix.constant(this->lanes() - 1);
  SmallVector<Value> last = advance(first, step);
  auto load = [&](ArrayRef<Value> coords) {
    return splatScalar(operand,
                       loadScalar(operand, bases[operand],
                                  ix.toIndex(address(operand, coords))));
  };
  Value ofFirst = load(first), ofLast = load(last);
  Value inFirst = toNarrow(ix.sub(sizes.back(), first.back()));
  auto type = VectorType::get({this->lanes()}, b.getI32Type());
  auto numbers = llvm::to_vector(llvm::seq<int32_t>(0, this->lanes()));
  Value mask = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::slt,
      arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers))),
      vector::BroadcastOp::create(b, loc, type, inFirst));
  return arith::SelectOp::create(b, loc, mask, ofFirst, ofLast);
}

Value KernelEmitter::loadFromTwoRows(unsigned operand, const Lanes &lanes) {
  ArrayRef<Value> first = lanes.coords.front();
  SmallVector<Value> step(nest.rank(), ix.constant(0));
  step.back() = ix.constant(this->lanes() - 1);
  SmallVector<Value> last = advance(first, step);
  Value ofFirst = address(operand, first);
  Value ofLast = ix.sub(address(operand, last), ix.constant(this->lanes() - 1));
  Value inFirst = ix.sub(sizes.back(), first.back());
  SmallVector<Value> scalars;
  for (unsigned lane = 0; lane < this->lanes(); ++lane) {
    Value begin = lane == 0 ? ofFirst
                            : b.createOrFold<arith::SelectOp>(
                                  loc, ix.less(ix.constant(lane), inFirst),
                                  ofFirst, ofLast);
    // In the width of addresses, so that the lane is a load's own offset.
    Value at = b.createOrFold<arith::AddIOp>(
        loc, ix.toIndex(begin), arith::ConstantIndexOp::create(b, loc, lane));
    scalars.push_back(loadScalar(operand, bases[operand], at));
  }
  return fromScalars(operand, scalars);
}

void KernelEmitter::loadStretched(ArrayRef<Lanes> chunks,
                                  ArrayRef<unsigned> operands,
                                  SmallVectorImpl<Value> &values) {
  if (operands.empty())
    return;
  // As far as the granules reach, or the lanes.
  int64_t furthest = 0;
  for (unsigned operand : operands)
    if (nest.isInnermostUnit(operand) && !isReadInWords(operand))
      furthest = std::max(furthest, granule(operand));
  SmallVector<Type> types;
  for (unsigned operand : operands)
    types.append(chunks.size(), vectorOf(operand));
  Value inRows;
  for (const Lanes &chunk : chunks) {
    Value last = ix.add(chunk.coords.front().back(),
                        ix.constant(lanes() + furthest - 1));
    Value inRow = ix.less(last, sizes.back());
    inRows = inRows ? ix.logicalAnd(inRows, inRow) : inRow;
  }
  inRows =
      ix.logicalAnd(inRows, ix.less(ix.constant(shortRowVectors * lanes() - 1),
                                    sizes.back()));
  OpBuilder::InsertionGuard outside(b);
  enum class Rows { One, Two, Any };
  auto fill = [&](Block *block, Rows rows) {
    b.setInsertionPointToEnd(block);
    SmallVector<Lanes> walked(chunks);
    for (Lanes &chunk : walked) {
      chunk.oneRow = rows == Rows::One;
      // In two rows what lies side by side needs no more than the first.
      if (rows == Rows::Any ||
          (rows == Rows::Two && llvm::any_of(operands, [&](unsigned operand) {
             return nest.walksInnermost(operand) &&
                    !nest.isInnermostUnit(operand);
           })))
        chunk.coords = walkLanes(chunk, /*begins=*/false);
    }
    SmallVector<Value> loaded;
    for (unsigned operand : operands)
      for (const Lanes &chunk : walked) {
        if (rows == Rows::Two && !nest.walksInnermost(operand)) {
          loaded.push_back(loadTwoRows(operand, chunk));
          continue;
        }
        if (rows == Rows::Two && nest.isInnermostUnit(operand)) {
          loaded.push_back(loadFromTwoRows(operand, chunk));
          continue;
        }
        Access access = getAccess(operand, chunk);
        if (access.kind != Access::Kind::Wide) {
          loaded.push_back(loadFull(operand, access));
          continue;
        }
        Value first = access.address(0);
        Value shift =
            withinGranule(operand, ix.add(elementsTo(operand), first));
        loaded.push_back(loadShifted(operand, first, shift));
      }
    scf::YieldOp::create(b, loc, loaded);
  };
  auto choose = [&](Value condition, auto ifTrue, auto ifFalse) {
    auto branch =
        scf::IfOp::create(b, loc, types, condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard inside(b);
    ifTrue(branch.thenBlock());
    ifFalse(branch.elseBlock());
    return branch;
  };
  auto whole = choose(
      inRows, [&](Block *block) { fill(block, Rows::One); },
      [&](Block *block) {
        b.setInsertionPointToEnd(block);
        // A vector sees two rows at the most.
        auto crossing = choose(
            ix.less(ix.constant(lanes() - 1), sizes.back()),
            [&](Block *block) { fill(block, Rows::Two); },
            [&](Block *block) { fill(block, Rows::Any); });
        b.setInsertionPointToEnd(block);
        scf::YieldOp::create(b, loc, crossing.getResults());
      });
  values.assign(whole.result_begin(), whole.result_end());
}

SmallVector<Value> KernelEmitter::loadShiftedLanes(ArrayRef<Lanes> chunks) {
  SmallVector<SmallVector<Value>> loaded(op.getNumDpsInputs());
  SmallVector<unsigned> dense, stretched;
  for (unsigned operand = 0; operand < loaded.size(); ++operand) {
    if (isUniform(operand))
      for (const Lanes &lanes : chunks)
        loaded[operand].push_back(loadFull(operand, getAccess(operand, lanes)));
    else
      (nest.isDense(operand) ? dense : stretched).push_back(operand);
  }
  SmallVector<unsigned> walked(dense);
  llvm::append_range(walked, stretched);
  // By operand, then chunk. What comes from far away is asked for first.
  SmallVector<Value> values;
  auto loadWhole = [&] {
    SmallVector<Value> rest;
    loadDense(chunks, dense, values);
    loadStretched(chunks, stretched, rest);
    llvm::append_range(values, rest);
  };
  if (Value full = chunks.back().full; !full) {
    loadWhole();
  } else if (!walked.empty()) {
    SmallVector<Type> types;
    for (unsigned operand : walked)
      types.append(chunks.size(), vectorOf(operand));
    auto branch = scf::IfOp::create(b, loc, types, full,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard outside(b);
    b.setInsertionPointToStart(branch.thenBlock());
    loadWhole();
    scf::YieldOp::create(b, loc, values);

    b.setInsertionPointToStart(branch.elseBlock());
    values.clear();
    SmallVector<Lanes> atEnds(chunks);
    if (!stretched.empty())
      for (Lanes &lanes : atEnds)
        lanes.coords = walkLanes(lanes, /*begins=*/true);
    for (unsigned operand : walked)
      for (const Lanes &lanes : atEnds)
        values.push_back(loadGuarded(operand, getAccess(operand, lanes)));
    scf::YieldOp::create(b, loc, values);
    values.assign(branch.result_begin(), branch.result_end());
  }
  ArrayRef<Value> rest(values);
  for (unsigned operand : walked) {
    llvm::append_range(loaded[operand], rest.take_front(chunks.size()));
    rest = rest.drop_front(chunks.size());
  }
  return llvm::map_to_vector(
      loaded, [&](ArrayRef<Value> parts) { return concatenate(parts); });
}
