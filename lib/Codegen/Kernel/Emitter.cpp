//===- Emitter.cpp - From a position in the space to lanes ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Emitter.h"

#include "ew/Codegen/Kernel/Signature.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace ew;

KernelEmitter::KernelEmitter(OpBuilder &b, linalg::GenericOp op,
                             ScheduleAttr schedule, VariantAttr variant,
                             ValueRange args, unsigned lanes, unsigned chunks)
    : b(b), loc(op.getLoc()),
      ix{b, op.getLoc(), b.getIntegerType(variant.getIndexWidth())}, op(op),
      schedule(schedule), variant(variant), numLanes(lanes), numChunks(chunks),
      shifted(isShifted(schedule, variant, op->getOperandTypes())) {
  // ew-schedule has accepted the op, so it has a nest.
  LoopNest loops = *getLoopNest(op);
  bool contiguous = variant.getContiguous();
  nest = getWalkedNest(loops, schedule, variant);
  for (auto [dim, count] : llvm::enumerate(schedule.getCollapse()))
    for (int64_t i = 0; i < count; ++i)
      dimOfLoop.push_back(contiguous ? dim : dimOfLoop.size());

  SmallVector<runtime::KernelArg> kinds = getKernelArgs(
      schedule, variant, op.getIndexingMapsArray(), op->getOperandTypes());
  unsigned operands = op->getNumOperands();
  strides.assign(operands, SmallVector<Value>(nest.rank()));
  origins.resize(operands);
  sizes.resize(nest.rank());
  divisors.resize(nest.rank());
  SmallVector<Value> pointers;
  for (auto [kind, arg] : llvm::zip_equal(kinds, args)) {
    switch (kind.kind) {
    case runtime::KernelArg::Kind::Pointer:
    case runtime::KernelArg::Kind::Scalar:
      pointers.push_back(arg);
      break;
    case runtime::KernelArg::Kind::Count:
      if (nest.rank())
        sizes[0] = arg;
      break;
    case runtime::KernelArg::Kind::Size:
      sizes[kind.dim] = arg;
      break;
    case runtime::KernelArg::Kind::Divisor:
      divisors[kind.dim] = arg;
      break;
    case runtime::KernelArg::Kind::Stride:
      strides[kind.operand][kind.dim] = arg;
      break;
    }
  }

  // A constant size makes divisions cheap.
  total = ix.constant(1);
  for (int64_t dim = 0; dim < nest.rank(); ++dim) {
    if (!ShapedType::isDynamic(nest.sizes[dim]) &&
        (ix.type.getWidth() == 64 || llvm::isInt<32>(nest.sizes[dim]))) {
      sizes[dim] = ix.constant(nest.sizes[dim]);
      divisors[dim] = Value();
    }
    total = ix.mul(total, sizes[dim]);
  }

  if (isPitched(variant))
    for (unsigned i = 0; i < operands; ++i)
      if (nest.isInnermostUnit(i))
        strides[i].back() = ix.constant(1);
  if (contiguous)
    for (unsigned i = 0; i < operands; ++i) {
      Value stride = ix.constant(1);
      for (int64_t dim : llvm::reverse(nest.walks[i])) {
        strides[i][dim] = stride;
        stride = ix.mul(stride, sizes[dim]);
      }
    }

  Value extent = ix.toIndex(total);
  for (Value pointer : pointers) {
    auto type = dyn_cast<MemRefType>(pointer.getType());
    if (!type) {
      bases.push_back(pointer);
      continue;
    }
    // The extent is only a formality: no bounds are checked.
    auto open = MemRefType::get({ShapedType::kDynamic}, type.getElementType());
    bases.push_back(memref::ReinterpretCastOp::create(
        b, loc, open, pointer, OpFoldResult(b.getIndexAttr(0)),
        ArrayRef<OpFoldResult>{extent},
        ArrayRef<OpFoldResult>{b.getIndexAttr(1)}));
  }
}

Value KernelEmitter::address(unsigned operand, ArrayRef<Value> coords) {
  Value sum;
  for (auto [stride, coord] : llvm::zip_equal(strides[operand], coords)) {
    if (!stride)
      continue;
    Value term = ix.mul(coord, stride);
    sum = sum ? ix.add(sum, term) : term;
  }
  if (!sum)
    return ix.constant(0);
  return origins[operand] ? ix.sub(sum, origins[operand]) : sum;
}

bool KernelEmitter::isLinear(unsigned operand) const {
  return variant.getContiguous() && nest.isDense(operand) && !origins[operand];
}

Value KernelEmitter::divide(Value position, int64_t dim) {
  Value divisor = divisors[dim];
  if (!divisor)
    return ix.div(position, sizes[dim]);
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  Value multiplier = arith::ExtUIOp::create(
      b, loc, i64, arith::TruncIOp::create(b, loc, i32, divisor));
  Value shift = arith::ShRUIOp::create(
      b, loc, divisor, arith::ConstantIntOp::create(b, loc, i64, 32));
  Value product = arith::MulIOp::create(
      b, loc, b.createOrFold<arith::ExtUIOp>(loc, i64, position), multiplier);
  return arith::TruncIOp::create(
      b, loc, i32, arith::ShRUIOp::create(b, loc, product, shift));
}

SmallVector<Value> KernelEmitter::delinearize(Value linear, int64_t rank) {
  SmallVector<Value> coords(rank);
  for (int64_t dim = rank - 1; dim > 0; --dim) {
    Value quotient = divide(linear, dim);
    coords[dim] = divisors[dim] ? ix.sub(linear, ix.mul(quotient, sizes[dim]))
                                : ix.rem(linear, sizes[dim]);
    linear = quotient;
  }
  if (rank)
    coords[0] = linear;
  return coords;
}

/// The coordinates a step further, whose own are `step`: cheaper than to divide
/// again.
SmallVector<Value> KernelEmitter::advance(ArrayRef<Value> coords,
                                          ArrayRef<Value> step) {
  SmallVector<Value> next(coords);
  Value carry;
  for (int64_t dim = nest.rank() - 1; dim >= 0; --dim) {
    Value sum = ix.add(coords[dim], step[dim]);
    if (carry)
      sum = ix.add(sum, b.createOrFold<arith::ExtUIOp>(loc, ix.type, carry));
    next[dim] = sum;
    if (dim == 0)
      break;
    // Both are below the size, so it is contained at most once.
    carry = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, sum,
                                          sizes[dim]);
    next[dim] = b.createOrFold<arith::SelectOp>(loc, carry,
                                                ix.sub(sum, sizes[dim]), sum);
  }
  return next;
}

bool KernelEmitter::needsCoords() const {
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (isa<MemRefType>(bases[i].getType()) && !isLinear(i))
      return true;
  return llvm::is_contained(nest.indexed, true);
}

Value KernelEmitter::toNarrow(Value value) {
  Type i32 = b.getI32Type();
  return value.getType() == i32
             ? value
             : b.createOrFold<arith::TruncIOp>(loc, i32, value);
}

Value KernelEmitter::getRest(Value first, int64_t most) {
  return toNarrow(
      arith::MinSIOp::create(b, loc, ix.sub(total, first), ix.constant(most)));
}

LaneValue KernelEmitter::isWithin(Value first, int64_t most, int64_t offset) {
  IndexBuilder narrow{b, loc, b.getI32Type()};
  return [=](unsigned lane) {
    return narrow.less(narrow.constant(offset + lane), getRest(first, most));
  };
}

Lanes KernelEmitter::getLanes(Value thread, int64_t step, int64_t offset,
                              int64_t span) {
  Value first = ix.add(thread, ix.constant(offset));
  unsigned count = lanes();
  Lanes lanes;
  lanes.consecutive = step == 1;
  lanes.aligned = step == 1 && !shifted;
  bool wholeRows = hasWholeRows(variant, count);
  lanes.oneRow = lanes.consecutive &&
                 (wholeRows || (variant.getContiguous() && nest.rank() <= 1));
  lanes.linear = [=](unsigned lane) {
    return ix.add(first, ix.constant(lane * step));
  };
  if (shifted) {
    getShiftedLanes(first, lanes);
    return lanes;
  }
  if (needsCoords()) {
    lanes.coords.push_back(delinearize(first, nest.rank()));
    if (count > 1 && !lanes.oneRow) {
      SmallVector<Value> stepCoords =
          delinearize(ix.constant(step), nest.rank());
      while (lanes.coords.size() < count)
        lanes.coords.push_back(advance(lanes.coords.back(), stepCoords));
    }
  }
  // Of whole rows all lanes are inside, or none is.
  bool together = lanes.oneRow && wholeRows;
  auto isInside = [=](unsigned lane) {
    return ix.less(ix.add(first, ix.constant(lane * step)), total);
  };
  lanes.active = lanes.stored = isInside;
  // In numbers that loads and stores do not have in common: what they have,
  // LLVM computes ahead of all branches, and it is in registers while the body
  // is computed, though only tails ask for it.
  if (schedule.getBlock() > 1 && lanes.consecutive && count > 1 &&
      llvm::isInt<31>(span)) {
    lanes.active = isWithin(thread, span, offset);
    lanes.stored = isWithin(thread, span + 1, offset);
  }
  lanes.full = isInside(together ? 0 : count - 1);
  return lanes;
}

LogicalResult KernelEmitter::emitElements(Value first, int64_t step,
                                          int64_t chunkStep) {
  int64_t span = (numChunks - 1) * chunkStep + lanes();
  SmallVector<Lanes> chunks;
  for (unsigned chunk = 0; chunk < numChunks; ++chunk)
    chunks.push_back(getLanes(first, step, chunk * chunkStep, span));
  // The first chunk may begin before the space, the last one end after it.
  if (shifted && numChunks > 1)
    chunks.back().full = ix.logicalAnd(chunks.front().full, chunks.back().full);
  Lanes &lanes = chunks.front();
  bool allOrNone = lanes.oneRow && variant.getMultiple() > 1 && nest.rank() > 1;
  if (numChunks > 1)
    return emitChunks(chunks, first, step, chunkStep);
  if (!(numLanes == 1 || allOrNone))
    return emitLanes(chunks);
  auto guard = scf::IfOp::create(b, loc, lanes.full);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(guard.thenBlock());
  lanes.full = Value();
  return emitLanes(chunks);
}

LogicalResult KernelEmitter::emitChunks(MutableArrayRef<Lanes> chunks,
                                        Value first, int64_t step,
                                        int64_t chunkStep) {
  auto branch = scf::IfOp::create(b, loc, chunks.back().full,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(branch.thenBlock());
  for (Lanes &lanes : chunks)
    lanes.full = Value();
  if (failed(emitLanes(chunks)))
    return failure();

  // The last threads have one after the other. The body is there once more, of
  // one chunk; were it shared, what only tails need would be in registers
  // beside all chunks' values.
  b.setInsertionPointToStart(branch.elseBlock());
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto loop = scf::ForOp::create(b, loc, index(0), index(numChunks), index(1));
  b.setInsertionPointToStart(loop.getBody());
  llvm::SaveAndRestore<unsigned> one(numChunks, 1);
  Value begin = ix.add(first, ix.mul(ix.fromIndex(loop.getInductionVar()),
                                     ix.constant(chunkStep)));
  return emitElements(begin, step);
}

LogicalResult KernelEmitter::emitRows(Value first) {
  int64_t inner = nest.rank() - 1;
  Value group = divide(first, inner);
  Value column = ix.sub(first, ix.mul(group, sizes[inner]));
  // Groups do not cross the dimension before: its size is a multiple of theirs.
  Value row = ix.mul(group, ix.constant(numChunks));
  Value begin = ix.add(ix.mul(row, sizes[inner]), column);
  auto guard = scf::IfOp::create(b, loc, ix.less(begin, total));
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(guard.thenBlock());
  SmallVector<Value> coords = delinearize(row, inner);
  coords.push_back(column);
  SmallVector<Lanes> chunks(numChunks);
  for (auto [chunk, lanes] : llvm::enumerate(chunks)) {
    Value below = ix.constant(chunk);
    Value at = ix.add(begin, ix.mul(below, sizes[inner]));
    lanes.consecutive = lanes.oneRow = lanes.aligned = true;
    lanes.linear = [=](unsigned lane) { return ix.add(at, ix.constant(lane)); };
    lanes.coords.push_back(coords);
    Value &own = lanes.coords.front()[inner - 1];
    own = ix.add(own, below);
  }
  return emitLanes(chunks);
}

LogicalResult KernelEmitter::emitRow(Value first, Value end,
                                     ArrayRef<Value> coords, bool aligned) {
  Lanes lanes;
  lanes.consecutive = true;
  lanes.oneRow = true;
  lanes.aligned = aligned;
  lanes.coords.emplace_back(coords);
  lanes.linear = [=](unsigned lane) {
    return ix.add(first, ix.constant(lane));
  };
  if (this->lanes() > 1) {
    lanes.active = [=](unsigned lane) {
      return ix.less(ix.add(first, ix.constant(lane)), end);
    };
    lanes.full = lanes.active(this->lanes() - 1);
  }
  return emitLanes(lanes);
}

LogicalResult KernelEmitter::emitLanes(ArrayRef<Lanes> chunks) {
  SmallVector<Value> inputs;
  if (shifted) {
    inputs = loadShiftedLanes(chunks);
  } else {
    SmallVector<SmallVector<Access>> accesses;
    for (const Lanes &lanes : chunks) {
      SmallVector<Access> &of = accesses.emplace_back();
      for (unsigned i = 0; i < op.getNumDpsInputs(); ++i)
        of.push_back(getAccess(i, lanes));
    }
    // The last chunk is inside only if all are.
    inputs = load(accesses, chunks.back().full);
  }
  FailureOr<SmallVector<Value>> results = compute(inputs, chunks);
  if (failed(results))
    return failure();
  store(chunks, *results);
  return success();
}
