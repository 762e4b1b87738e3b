//===- ToCpu.cpp - Scheduled kernels to functions over blocks -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Emitter.h"
#include "ew/Codegen/Kernel/Kernels.h"
#include "ew/Codegen/Kernel/Signature.h"
#include "ew/Codegen/Passes.h"
#include "ew/Codegen/Schedule/Verify.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ew {
#define GEN_PASS_DEF_EWTOCPU
#include "ew/Codegen/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

static constexpr int64_t cacheLineBytes = 64;

/// Loops over the rows of a range of blocks, and over the vectors of each row.
/// All vectors but the last of a row are whole; of that the emitter guards the
/// tail. A space of one dimension is one row.
static LogicalResult emitBody(OpBuilder &b, Location loc,
                              KernelEmitter &emitter, ScheduleAttr schedule,
                              VariantAttr variant, Value firstBlock,
                              Value endBlock) {
  const IndexBuilder &ix = emitter.index();
  Value perBlock =
      ix.constant(int64_t(schedule.getElements()) * schedule.getUnroll());
  Value begin = ix.mul(firstBlock, perBlock);
  Value end = arith::MinSIOp::create(b, loc, ix.mul(endBlock, perBlock),
                                     emitter.count());
  OpBuilder::InsertionGuard guard(b);
  int64_t rank = emitter.getNest().rank();
  Value row, rowBegin;
  if (rank > 1) {
    Value inner = emitter.size(rank - 1);
    // An empty space has rows of size 0, and no blocks.
    Value divisor = arith::MaxSIOp::create(b, loc, inner, ix.constant(1));
    Value lastRow =
        ix.div(ix.add(end, ix.sub(divisor, ix.constant(1))), divisor);
    auto rows = scf::ForOp::create(b, loc, ix.div(begin, divisor), lastRow,
                                   ix.constant(1));
    b.setInsertionPointToStart(rows.getBody());
    row = rows.getInductionVar();
    rowBegin = ix.mul(row, inner);
    begin = arith::MaxSIOp::create(b, loc, begin, rowBegin);
    end = arith::MinSIOp::create(b, loc, end, ix.add(rowBegin, inner));
  }
  SmallVector<Value> coords;
  if (rank > 1)
    coords = emitter.delinearize(row, rank - 1);
  auto vectors = scf::ForOp::create(b, loc, begin, end,
                                    ix.constant(schedule.getElements()));
  b.setInsertionPointToStart(vectors.getBody());
  Value first = vectors.getInductionVar();
  if (rank > 0)
    coords.push_back(rank > 1 ? ix.sub(first, rowBegin) : first);
  // Blocks begin at vectors, and so do rows of whole ones.
  const LoopNest &nest = emitter.getNest();
  bool aligned = rank <= 1 || hasWholeRows(variant, schedule.getElements()) ||
                 (!ShapedType::isDynamic(nest.sizes.back()) &&
                  nest.sizes.back() % schedule.getElements() == 0);
  return emitter.emitRow(first, end, coords, aligned);
}

/// A loop over the tiles that blocks are.
static LogicalResult emitTiles(OpBuilder &b, linalg::GenericOp op,
                               KernelEmitter &emitter, ScheduleAttr schedule,
                               Value firstBlock, Value endBlock) {
  Location loc = op.getLoc();
  // Outside of the loop, so that all tiles have the same ones.
  SmallVector<Value> buffers;
  int64_t elements = schedule.getTile()[0] * schedule.getTile()[1];
  for (unsigned operand : getBufferedOperands(emitter.getNest(), schedule,
                                              op->getOperandTypes())) {
    Type type = op->getOperand(operand).getType();
    buffers.push_back(memref::AllocaOp::create(
        b, loc,
        MemRefType::get({elements}, getMemoryType(getElementType(type))),
        b.getI64IntegerAttr(cacheLineBytes)));
  }
  OpBuilder::InsertionGuard guard(b);
  const IndexBuilder &ix = emitter.index();
  auto blocks =
      scf::ForOp::create(b, loc, firstBlock, endBlock, ix.constant(1));
  b.setInsertionPointToStart(blocks.getBody());
  return emitter.emitHostTile(blocks.getInductionVar(), buffers);
}

FailureOr<func::FuncOp> ew::buildCPUKernel(const ScheduledKernel &scheduled,
                                           VariantAttr variant) {
  linalg::GenericOp op = scheduled.op;
  ScheduleAttr schedule = getVersionSchedule(scheduled.schedule, variant);
  // Only versions have tiles.
  if (schedule.getBlock() != 1 || !scheduled.schedule.getTile().empty() ||
      variant.getIndexWidth() != 64)
    return op.emitOpError("is not scheduled for the CPU");
  OpBuilder b(op.getContext());
  Location loc = op.getLoc();
  SmallVector<Type> types = getKernelArgTypes(op, schedule, variant);
  unsigned described = types.size();
  types.append(2, b.getI64Type()); // the blocks
  OwningOpRef<func::FuncOp> kernel = func::FuncOp::create(
      b, loc, scheduled.nameOf(variant), b.getFunctionType(types, {}));
  (*kernel)->setAttr(kernelAttrName, b.getUnitAttr());
  for (unsigned i = 0; i < described; ++i)
    if (DictionaryAttr attrs = getKernelArgAttrs(op, schedule, variant, i);
        !attrs.empty())
      kernel->setArgAttrs(i, attrs);
  b.setInsertionPointToStart(kernel->addEntryBlock());
  ValueRange args = (*kernel).getArguments();
  KernelEmitter emitter(b, op, schedule, variant, args.drop_back(2),
                        schedule.getElements());
  Value firstBlock = args.drop_back(1).back(), endBlock = args.back();
  bool tiled = variant.getContiguous() && !schedule.getTile().empty();
  if (failed(tiled ? emitTiles(b, op, emitter, schedule, firstBlock, endBlock)
                   : emitBody(b, loc, emitter, schedule, variant, firstBlock,
                              endBlock)))
    return failure();
  func::ReturnOp::create(b, loc);
  return kernel.release();
}

namespace {
struct ToCpu : ew::impl::EwToCpuBase<ToCpu> {
  using EwToCpuBase::EwToCpuBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    unsigned built = 0;
    auto build = [&](const ScheduledKernel &scheduled,
                     VariantAttr variant) -> FailureOr<SymbolRefAttr> {
      FailureOr<func::FuncOp> kernel = buildCPUKernel(scheduled, variant);
      if (failed(kernel))
        return failure();
      ++built;
      symbols.insert(*kernel, module.getBody()->end());
      return SymbolRefAttr(FlatSymbolRefAttr::get(kernel->getNameAttr()));
    };
    if (failed(verifySchedules(module)) ||
        failed(outlineKernels(module, build)))
      return signalPassFailure();
    numKernels += built;
  }
};
} // namespace
