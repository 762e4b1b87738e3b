//===- Memory.cpp - Loads and stores of a kernel's lanes ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Emitter.h"

#include "ew/Codegen/Kernel/Signature.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ew;

Type KernelEmitter::memoryType(unsigned operand) const {
  return getMemoryType(getElementType(op->getOperand(operand).getType()));
}

VectorType KernelEmitter::vectorOf(Type element) const {
  return VectorType::get({static_cast<int64_t>(lanes())}, element);
}

VectorType KernelEmitter::bodyVectorOf(Type element) const {
  return VectorType::get({static_cast<int64_t>(lanes()) * numChunks}, element);
}

int64_t KernelEmitter::parts(unsigned operand) const {
  return isComplex(op->getOperand(operand).getType()) ? 2 : 1;
}

Type KernelEmitter::scalarOf(unsigned operand) const {
  Type type = memoryType(operand);
  return parts(operand) == 1 ? type : VectorType::get({parts(operand)}, type);
}

VectorType KernelEmitter::vectorOf(unsigned operand) const {
  return VectorType::get({lanes() * parts(operand)}, memoryType(operand));
}

Value KernelEmitter::position(unsigned operand, Value address) {
  Value index = ix.toIndex(address);
  if (parts(operand) == 1)
    return index;
  // Of the width of an address: twice an index of 32 bits may not be one.
  Value count = arith::ConstantIndexOp::create(b, loc, parts(operand));
  return b.createOrFold<arith::MulIOp>(loc, index, count);
}

Value KernelEmitter::loadScalar(unsigned operand, Value base, Value position) {
  if (auto pair = dyn_cast<VectorType>(scalarOf(operand)))
    return vector::LoadOp::create(b, loc, pair, base, ValueRange{position});
  return memref::LoadOp::create(b, loc, base, ValueRange{position});
}

void KernelEmitter::storeScalar(Value scalar, Value base, Value position) {
  if (isa<VectorType>(scalar.getType()))
    vector::StoreOp::create(b, loc, scalar, base, ValueRange{position});
  else
    memref::StoreOp::create(b, loc, scalar, base, ValueRange{position});
}

Value KernelEmitter::fromScalars(unsigned operand, ArrayRef<Value> scalars) {
  if (parts(operand) == 1)
    return vector::FromElementsOp::create(b, loc, vectorOf(operand), scalars);
  SmallVector<Value> values;
  for (Value scalar : scalars)
    for (int64_t part = 0; part < parts(operand); ++part)
      values.push_back(vector::ExtractOp::create(b, loc, scalar, part));
  return vector::FromElementsOp::create(b, loc, vectorOf(operand), values);
}

Value KernelEmitter::splatScalar(unsigned operand, Value scalar) {
  if (parts(operand) == 1)
    return vector::BroadcastOp::create(b, loc, vectorOf(operand), scalar);
  SmallVector<int64_t> mask;
  for (int64_t i = 0; i < lanes() * parts(operand); ++i)
    mask.push_back(i % parts(operand));
  return vector::ShuffleOp::create(b, loc, scalar, scalar, mask);
}

Value KernelEmitter::extractScalar(unsigned operand, Value vector,
                                   unsigned lane) {
  if (parts(operand) == 1)
    return vector::ExtractOp::create(b, loc, vector, lane);
  SmallVector<int64_t> mask;
  for (int64_t part = 0; part < parts(operand); ++part)
    mask.push_back(lane * parts(operand) + part);
  return vector::ShuffleOp::create(b, loc, vector, vector, mask);
}

bool KernelEmitter::isUniform(unsigned operand) const {
  bool dense = isLinear(operand);
  return !isa<MemRefType>(bases[operand].getType()) ||
         (!dense &&
          llvm::none_of(strides[operand], [](Value stride) { return stride; }));
}

KernelEmitter::Access KernelEmitter::getAccess(unsigned operand,
                                               const Lanes &lanes) {
  Access access;
  access.active = lanes.active;
  access.aligned = lanes.aligned;
  bool dense = isLinear(operand);
  if (isUniform(operand)) {
    access.kind = Access::Kind::Uniform;
    return access;
  }
  if (dense) {
    access.kind = !lanes.consecutive ? Access::Kind::Lanes
                  : shifted          ? Access::Kind::Shifted
                                     : Access::Kind::Wide;
    access.address = lanes.linear;
    return access;
  }
  if (!lanes.oneRow) {
    access.kind = Access::Kind::Lanes;
    SmallVector<Value> addresses;
    for (ArrayRef<Value> coords : lanes.coords)
      addresses.push_back(address(operand, coords));
    access.address = [addresses](unsigned lane) { return addresses[lane]; };
    return access;
  }
  Value first = address(operand, lanes.coords.front());
  Value step = strides[operand].back();
  if (!step) {
    access.kind = Access::Kind::Splat;
    access.address = [first](unsigned) { return first; };
    return access;
  }
  // Strides that come at run time may be any.
  access.kind = (variant.getContiguous() || isPitched(variant)) &&
                        nest.isInnermostUnit(operand)
                    ? Access::Kind::Wide
                    : Access::Kind::Lanes;
  access.address = [=](unsigned lane) {
    return ix.add(first, ix.mul(ix.constant(lane), step));
  };
  return access;
}

/// What is known of a wide access: the buffer's alignment, where the access is
/// not smaller. Null: the element's own.
IntegerAttr KernelEmitter::wideAlignment(unsigned operand,
                                         const Access &access) {
  if (!access.aligned)
    return IntegerAttr();
  int64_t bytes = memoryType(operand).getIntOrFloatBitWidth() / 8;
  int64_t alignment =
      std::min(variant.getAlignment(), bytes * lanes() * parts(operand));
  return alignment > bytes ? b.getI64IntegerAttr(alignment) : IntegerAttr();
}

Value KernelEmitter::loadFull(unsigned operand, const Access &access) {
  Value base = bases[operand];
  VectorType type = vectorOf(operand);
  auto at = [&](unsigned lane) {
    return position(operand, access.address(lane));
  };
  switch (access.kind) {
  case Access::Kind::Uniform: {
    Value scalar = base;
    if (isa<MemRefType>(base.getType()))
      scalar = loadScalar(operand, base, ix.toIndex(ix.constant(0)));
    return splatScalar(operand, scalar);
  }
  case Access::Kind::Splat:
    return splatScalar(operand, loadScalar(operand, base, at(0)));
  case Access::Kind::Wide: {
    auto load = vector::LoadOp::create(b, loc, type, base, ValueRange{at(0)});
    if (IntegerAttr alignment = wideAlignment(operand, access))
      load.setAlignmentAttr(alignment);
    return load;
  }
  case Access::Kind::Shifted:
    return loadShifted(operand, access.address(0), shifts[operand]);
  case Access::Kind::Lanes: {
    SmallVector<Value> scalars;
    for (unsigned lane = 0; lane < lanes(); ++lane)
      scalars.push_back(loadScalar(operand, base, at(lane)));
    return fromScalars(operand, scalars);
  }
  }
  llvm_unreachable("unknown access");
}

Value KernelEmitter::loadGuarded(unsigned operand, const Access &access) {
  Type element = scalarOf(operand);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  auto guarded = [&](unsigned lane) -> Value {
    auto guard =
        scf::IfOp::create(b, loc, TypeRange{element}, access.active(lane),
                          /*withElseRegion=*/true);
    OpBuilder::InsertionGuard inside(b);
    b.setInsertionPointToStart(guard.thenBlock());
    Value loaded = loadScalar(operand, bases[operand],
                              position(operand, access.address(lane)));
    scf::YieldOp::create(b, loc, loaded);
    b.setInsertionPointToStart(guard.elseBlock());
    scf::YieldOp::create(b, loc, zero);
    return guard.getResult(0);
  };
  if (access.kind == Access::Kind::Splat)
    return splatScalar(operand, guarded(0));
  SmallVector<Value> scalars;
  for (unsigned lane = 0; lane < lanes(); ++lane)
    scalars.push_back(guarded(lane));
  return fromScalars(operand, scalars);
}

Value KernelEmitter::concatenate(ValueRange chunks) {
  if (chunks.size() == 1)
    return chunks.front();
  auto type = cast<VectorType>(chunks.front().getType());
  int64_t size = type.getNumElements();
  Value result = arith::ConstantOp::create(
      b, loc,
      b.getZeroAttr(
          VectorType::get({size * numChunks}, type.getElementType())));
  for (auto [chunk, value] : llvm::enumerate(chunks))
    result = vector::InsertStridedSliceOp::create(
        b, loc, value, result, ArrayRef<int64_t>(chunk * size),
        ArrayRef<int64_t>(1));
  return result;
}

SmallVector<Value> KernelEmitter::load(ArrayRef<SmallVector<Access>> accesses,
                                       Value full) {
  // By operand, then chunk.
  unsigned operands = accesses.front().size();
  SmallVector<SmallVector<Value>> loaded(operands);
  SmallVector<unsigned> guarded;
  SmallVector<Type> types;
  for (unsigned operand = 0; operand < operands; ++operand) {
    if (full && accesses.front()[operand].kind != Access::Kind::Uniform) {
      guarded.push_back(operand);
      types.append(numChunks, vectorOf(operand));
      continue;
    }
    for (const SmallVector<Access> &chunk : accesses)
      loaded[operand].push_back(loadFull(operand, chunk[operand]));
  }
  if (!guarded.empty()) {
    auto branch =
        scf::IfOp::create(b, loc, types, full, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard inside(b);
    auto fill = [&](Block *block, auto loadOne) {
      SmallVector<Value> values;
      b.setInsertionPointToStart(block);
      for (unsigned operand : guarded)
        for (const SmallVector<Access> &chunk : accesses)
          values.push_back(loadOne(operand, chunk[operand]));
      scf::YieldOp::create(b, loc, values);
    };
    fill(branch.thenBlock(), [&](unsigned operand, const Access &access) {
      return loadFull(operand, access);
    });
    fill(branch.elseBlock(), [&](unsigned operand, const Access &access) {
      return loadGuarded(operand, access);
    });
    ResultRange results = branch.getResults();
    for (unsigned operand : guarded) {
      llvm::append_range(loaded[operand], results.take_front(numChunks));
      results = results.drop_front(numChunks);
    }
  }
  return llvm::map_to_vector(
      loaded, [&](ArrayRef<Value> chunks) { return concatenate(chunks); });
}

void KernelEmitter::storeFull(unsigned operand, const Access &access,
                              Value vector) {
  Value base = bases[operand];
  if (access.kind == Access::Kind::Shifted)
    return storeShifted(operand, access, vector);
  if (access.kind == Access::Kind::Wide) {
    Value at = position(operand, access.address(0));
    auto store = vector::StoreOp::create(b, loc, vector, base, ValueRange{at});
    if (IntegerAttr alignment = wideAlignment(operand, access))
      store.setAlignmentAttr(alignment);
    return;
  }
  // An output of one element, in a space of one element, has no stride.
  for (unsigned lane = 0; lane < lanes(); ++lane) {
    Value at = access.kind == Access::Kind::Lanes ? access.address(lane)
                                                  : ix.constant(0);
    storeScalar(extractScalar(operand, vector, lane), base,
                position(operand, at));
    if (access.kind != Access::Kind::Lanes)
      return;
  }
}

void KernelEmitter::storeGuarded(unsigned operand, const Access &access,
                                 Value vector) {
  for (unsigned lane = 0; lane < lanes(); ++lane) {
    auto guard = scf::IfOp::create(b, loc, access.active(lane));
    OpBuilder::InsertionGuard inside(b);
    b.setInsertionPointToStart(guard.thenBlock());
    storeScalar(extractScalar(operand, vector, lane), bases[operand],
                position(operand, access.address(lane)));
  }
}

void KernelEmitter::store(ArrayRef<Lanes> chunks, ValueRange vectors) {
  unsigned first = op.getNumDpsInputs(), outputs = op.getNumDpsInits();
  auto forEach = [&](auto storeOne) {
    for (unsigned i = 0; i < outputs; ++i)
      for (auto [chunk, lanes] : llvm::enumerate(chunks)) {
        Value part = vectors[i];
        int64_t size = vectorOf(first + i).getNumElements();
        if (chunks.size() > 1)
          part = vector::ExtractStridedSliceOp::create(
              b, loc, part, ArrayRef<int64_t>(chunk * size),
              ArrayRef<int64_t>(size), ArrayRef<int64_t>(1));
        Access access = getAccess(first + i, lanes);
        if (lanes.stored)
          access.active = lanes.stored;
        storeOne(first + i, access, part);
      }
  };
  auto storeWhole = [&](unsigned operand, const Access &access, Value part) {
    storeFull(operand, access, part);
  };
  Value full = chunks.back().full;
  if (!full)
    return forEach(storeWhole);
  auto branch = scf::IfOp::create(b, loc, full, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(branch.thenBlock());
  forEach(storeWhole);
  b.setInsertionPointToStart(branch.elseBlock());
  forEach([&](unsigned operand, const Access &access, Value part) {
    storeGuarded(operand, access, part);
  });
}
