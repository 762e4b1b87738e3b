//===- InPlace.cpp - Results in the buffers of arguments ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace ew {
#define GEN_PASS_DEF_EWINPLACE
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

namespace {

/// A result on its way into the buffer of an argument.
struct Write {
  BlockArgument argument;
  unsigned result;
  linalg::GenericOp kernel; // that writes it
};

struct InPlace : ew::impl::EwInPlaceBase<InPlace> {
  using EwInPlaceBase::EwInPlaceBase;

  void runOnOperation() override;

private:
  linalg::GenericOp copyResult(func::ReturnOp ret, unsigned result);
  LogicalResult writeTo(BlockArgument argument, unsigned result,
                        func::ReturnOp ret);
  void moveReaders(const Write &write);
  LogicalResult checkReaders(const Write &write);

  SmallVector<Write> writes;
};

} // namespace

/// The value whose buffer this is.
static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value;
}

/// The uses of the argument that look at its elements.
static SmallVector<OpOperand *> getReads(BlockArgument argument) {
  SmallVector<OpOperand *> reads;
  SmallVector<Value> names = {argument};
  while (!names.empty())
    for (OpOperand &use : names.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (auto cast = dyn_cast<tensor::CastOp>(user)) {
        names.push_back(cast);
        continue;
      }
      auto kernel = dyn_cast<linalg::GenericOp>(user);
      bool isShapeOnly = isa<tensor::DimOp, CheckShapesOp>(user) ||
                         (kernel && kernel.isDpsInit(&use) &&
                          !kernel.payloadUsesValueFromOperand(&use));
      if (!isShapeOnly)
        reads.push_back(&use);
    }
  return reads;
}

/// A kernel that does nothing but to store a result elsewhere.
linalg::GenericOp InPlace::copyResult(func::ReturnOp ret, unsigned result) {
  OpBuilder builder(ret);
  Value from = ret.getOperand(result);
  auto type = cast<RankedTensorType>(from.getType());
  Location loc = ret.getLoc();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(builder, loc, from, dim));
  Value init = tensor::EmptyOp::create(builder, loc, type, sizes);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  auto kernel = linalg::GenericOp::create(
      builder, loc, type, from, init, ArrayRef<AffineMap>{identity, identity},
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
      [](OpBuilder &body, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(body, loc, arguments.front());
      });
  kernel->setAttr("ew.ops", builder.getStringAttr("copy"));
  ret.setOperand(result, kernel.getResult(0));
  ++numCopies;
  return kernel;
}

LogicalResult InPlace::writeTo(BlockArgument argument, unsigned result,
                               func::ReturnOp ret) {
  Value value = skipCasts(ret.getOperand(result));
  if (value == argument)
    return success(); // it is there already
  auto kernel = value.getDefiningOp<linalg::GenericOp>();
  auto isTaken = [&](Value result) {
    Value init = kernel.getDpsInits()[cast<OpResult>(result).getResultNumber()];
    return llvm::any_of(writes, [&](const Write &write) {
      return write.argument == skipCasts(init);
    });
  };
  if (!kernel || isTaken(value)) {
    kernel = copyResult(ret, result);
    value = kernel.getResult(0);
  }

  OpOperand *init =
      kernel.getDpsInitOperand(cast<OpResult>(value).getResultNumber());
  writes.push_back({argument, result, kernel});
  ++numInPlace;
  Value old = init->get();
  if (skipCasts(old) == argument)
    return success(); // as a run of this pass has left it
  auto type = cast<RankedTensorType>(old.getType());
  if (failed(verifyCompatibleShape(type, argument.getType())))
    return kernel->emitError("result ")
           << result << " of type " << type
           << " cannot be written in place of argument "
           << argument.getArgNumber() << " of type " << argument.getType();
  OpBuilder builder(kernel);
  Value buffer = argument;
  if (buffer.getType() != type)
    buffer = tensor::CastOp::create(builder, kernel.getLoc(), type, buffer);
  if (!type.hasStaticShape()) {
    auto check = CheckShapesOp::create(builder, kernel.getLoc(), buffer, old,
                                       /*broadcast=*/false);
    check->setAttr(inPlaceAttrName,
                   builder.getI64IntegerAttr(argument.getArgNumber()));
  }
  init->set(buffer);
  if (Operation *empty = old.getDefiningOp(); empty && isOpTriviallyDead(empty))
    empty->erase();
  return success();
}

/// Kernels that read the argument and do not depend on the one that writes it
/// go before that one, with the checks that stood before them.
void InPlace::moveReaders(const Write &write) {
  IRRewriter rewriter(&getContext());
  Block *block = write.kernel->getBlock();
  SetVector<Operation *> readers;
  for (OpOperand *read : getReads(write.argument)) {
    Operation *reader = block->findAncestorOpInBlock(*read->getOwner());
    if (isa<linalg::GenericOp>(reader) && write.kernel->isBeforeInBlock(reader))
      readers.insert(reader);
  }
  for (Operation *reader : readers) {
    // One that another one depends on went with it.
    if (reader->isBeforeInBlock(write.kernel))
      continue;
    SmallVector<Operation *> checks;
    for (Operation *op = write.kernel->getNextNode(); op != reader;
         op = op->getNextNode())
      if (isa<CheckShapesOp>(op))
        checks.push_back(op);
    if (failed(moveOperationDependencies(rewriter, reader, write.kernel)))
      continue; // checkReaders says why not
    for (Operation *check : checks)
      if (succeeded(moveOperationDependencies(rewriter, check, write.kernel)))
        check->moveBefore(write.kernel);
    reader->moveBefore(write.kernel);
  }
}

LogicalResult InPlace::checkReaders(const Write &write) {
  linalg::GenericOp kernel = write.kernel;
  auto explain = [&](Operation *op) {
    return op->emitError("argument ")
           << write.argument.getArgNumber() << " is read ";
  };
  for (OpOperand *read : getReads(write.argument)) {
    if (read->getOwner() == kernel) {
      if (kernel.getMatchingIndexingMap(read).isIdentity())
        continue;
      return explain(kernel) << "in another order than the one in which result "
                             << write.result << " is written in its place";
    }
    Operation *reader =
        kernel->getBlock()->findAncestorOpInBlock(*read->getOwner());
    if (reader->isBeforeInBlock(kernel))
      continue;
    InFlightDiagnostic error = explain(reader)
                               << "here, after result " << write.result
                               << " was written in its place";
    error.attachNote(kernel.getLoc()) << "written here";
    return error;
  }
  return success();
}

void InPlace::runOnOperation() {
  writes.clear();
  func::FuncOp function = getOperation();
  if (function.isExternal())
    return;
  for (BlockArgument argument : function.getArguments()) {
    auto result = function.getArgAttrOfType<IntegerAttr>(
        argument.getArgNumber(), inPlaceAttrName);
    if (!result)
      continue;
    auto ret = dyn_cast<func::ReturnOp>(function.front().getTerminator());
    if (!ret || !function.getBody().hasOneBlock()) {
      function.emitError("argument ")
          << argument.getArgNumber()
          << " cannot be written in place in a function of several blocks";
      return signalPassFailure();
    }
    if (failed(writeTo(argument, result.getValue().getZExtValue(), ret)))
      return signalPassFailure();
  }
  for (const Write &write : writes)
    moveReaders(write);
  // After all moves, each of which may undo another.
  for (const Write &write : writes)
    if (failed(checkReaders(write)))
      return signalPassFailure();
}
