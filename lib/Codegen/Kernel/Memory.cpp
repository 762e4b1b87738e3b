//===- Memory.cpp - Loads and stores of a kernel's lanes -*- C++ -*-===//
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

KernelEmitter::Access KernelEmitter::getAccess(unsigned operand,
                                               const Lanes &lanes) {
  Access access;
  access.active = lanes.active;
  bool dense = variant.getContiguous() && nest.isDense(operand);
  if (!isa<MemRefType>(bases[operand].getType()) ||
      (!dense && llvm::none_of(strides[operand], [](Value s) { return s; }))) {
    access.kind = Access::Kind::Uniform;
    return access;
  }
  if (dense) {
    access.kind = lanes.consecutive ? Access::Kind::Wide : Access::Kind::Lanes;
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
  access.kind = variant.getContiguous() && nest.isInnermostUnit(operand)
                    ? Access::Kind::Wide
                    : Access::Kind::Lanes;
  access.address = [=](unsigned lane) {
    return ix.add(first, ix.mul(ix.constant(lane), step));
  };
  return access;
}

/// What is known of a wide access: the buffer's alignment, where the access is
/// not smaller. Null: the element's own.
IntegerAttr KernelEmitter::wideAlignment(unsigned operand) {
  int64_t bytes = memoryType(operand).getIntOrFloatBitWidth() / 8;
  int64_t alignment = std::min(variant.getAlignment(), bytes * lanes());
  return alignment > bytes ? b.getI64IntegerAttr(alignment) : IntegerAttr();
}

Value KernelEmitter::loadFull(unsigned operand, const Access &access) {
  Value base = bases[operand];
  VectorType type = vectorOf(memoryType(operand));
  switch (access.kind) {
  case Access::Kind::Uniform: {
    Value scalar = base;
    if (isa<MemRefType>(base.getType()))
      scalar = memref::LoadOp::create(b, loc, base,
                                      ValueRange{ix.toIndex(ix.constant(0))});
    return vector::BroadcastOp::create(b, loc, type, scalar);
  }
  case Access::Kind::Splat: {
    Value scalar = memref::LoadOp::create(
        b, loc, base, ValueRange{ix.toIndex(access.address(0))});
    return vector::BroadcastOp::create(b, loc, type, scalar);
  }
  case Access::Kind::Wide: {
    auto load = vector::LoadOp::create(
        b, loc, type, base, ValueRange{ix.toIndex(access.address(0))});
    if (IntegerAttr alignment = wideAlignment(operand))
      load.setAlignmentAttr(alignment);
    return load;
  }
  case Access::Kind::Lanes: {
    SmallVector<Value> scalars;
    for (unsigned lane = 0; lane < lanes(); ++lane)
      scalars.push_back(memref::LoadOp::create(
          b, loc, base, ValueRange{ix.toIndex(access.address(lane))}));
    return vector::FromElementsOp::create(b, loc, type, scalars);
  }
  }
  llvm_unreachable("unknown access");
}

Value KernelEmitter::loadGuarded(unsigned operand, const Access &access) {
  Type element = memoryType(operand);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  auto guarded = [&](unsigned lane) -> Value {
    auto guard =
        scf::IfOp::create(b, loc, TypeRange{element}, access.active(lane),
                          /*withElseRegion=*/true);
    OpBuilder::InsertionGuard inside(b);
    b.setInsertionPointToStart(guard.thenBlock());
    Value loaded = memref::LoadOp::create(
        b, loc, bases[operand], ValueRange{ix.toIndex(access.address(lane))});
    scf::YieldOp::create(b, loc, loaded);
    b.setInsertionPointToStart(guard.elseBlock());
    scf::YieldOp::create(b, loc, zero);
    return guard.getResult(0);
  };
  VectorType type = vectorOf(element);
  if (access.kind == Access::Kind::Splat)
    return vector::BroadcastOp::create(b, loc, type, guarded(0));
  SmallVector<Value> scalars;
  for (unsigned lane = 0; lane < lanes(); ++lane)
    scalars.push_back(guarded(lane));
  return vector::FromElementsOp::create(b, loc, type, scalars);
}

SmallVector<Value> KernelEmitter::load(ArrayRef<Access> accesses,
                                       const Lanes &lanes) {
  SmallVector<Value> vectors(accesses.size());
  SmallVector<unsigned> guarded;
  SmallVector<Type> types;
  for (auto [operand, access] : llvm::enumerate(accesses)) {
    if (!lanes.full || access.kind == Access::Kind::Uniform) {
      vectors[operand] = loadFull(operand, access);
      continue;
    }
    guarded.push_back(operand);
    types.push_back(vectorOf(memoryType(operand)));
  }
  if (guarded.empty())
    return vectors;

  auto branch = scf::IfOp::create(b, loc, types, lanes.full,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard inside(b);
  SmallVector<Value> loaded;
  b.setInsertionPointToStart(branch.thenBlock());
  for (unsigned operand : guarded)
    loaded.push_back(loadFull(operand, accesses[operand]));
  scf::YieldOp::create(b, loc, loaded);
  loaded.clear();
  b.setInsertionPointToStart(branch.elseBlock());
  for (unsigned operand : guarded)
    loaded.push_back(loadGuarded(operand, accesses[operand]));
  scf::YieldOp::create(b, loc, loaded);
  for (auto [operand, result] : llvm::zip_equal(guarded, branch.getResults()))
    vectors[operand] = result;
  return vectors;
}

void KernelEmitter::storeFull(unsigned operand, const Access &access,
                              Value vector) {
  Value base = bases[operand];
  if (access.kind == Access::Kind::Wide) {
    auto store = vector::StoreOp::create(
        b, loc, vector, base, ValueRange{ix.toIndex(access.address(0))});
    if (IntegerAttr alignment = wideAlignment(operand))
      store.setAlignmentAttr(alignment);
    return;
  }
  // An output of one element, in a space of one element, has no stride.
  for (unsigned lane = 0; lane < lanes(); ++lane) {
    Value at = access.kind == Access::Kind::Lanes ? access.address(lane)
                                                  : ix.constant(0);
    Value scalar = vector::ExtractOp::create(b, loc, vector, lane);
    memref::StoreOp::create(b, loc, scalar, base, ValueRange{ix.toIndex(at)});
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
    Value scalar = vector::ExtractOp::create(b, loc, vector, lane);
    memref::StoreOp::create(b, loc, scalar, bases[operand],
                            ValueRange{ix.toIndex(access.address(lane))});
  }
}

void KernelEmitter::store(const Lanes &lanes, ValueRange vectors) {
  SmallVector<Access> accesses;
  unsigned first = op.getNumDpsInputs();
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
    accesses.push_back(getAccess(first + i, lanes));
  auto storeAll = [&]() {
    for (auto [i, access] : llvm::enumerate(accesses))
      storeFull(first + i, access, vectors[i]);
  };
  if (!lanes.full)
    return storeAll();
  auto branch = scf::IfOp::create(b, loc, lanes.full, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(branch.thenBlock());
  storeAll();
  b.setInsertionPointToStart(branch.elseBlock());
  for (auto [i, access] : llvm::enumerate(accesses))
    storeGuarded(first + i, access, vectors[i]);
}
