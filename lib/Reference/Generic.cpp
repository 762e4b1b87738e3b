//===- Generic.cpp - Kernels as the oracle interprets them ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linalg.generic whose body is ew ops, as ew-fuse builds it: every value of
// the body becomes a node with one element for each iteration. What goes
// through memory, operands and results, is rounded to its type.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace ew;
using namespace ew::reference;
using llvm::Error;
using llvm::Expected;

/// An input (a tensor or a number) under its indexing map.
Error ProgramBuilder::addElements(linalg::GenericOp op, OpOperand &input,
                                  ArrayRef<int64_t> loops) {
  AffineMap map = op.getMatchingIndexingMap(&input);
  std::vector<int64_t> shape = node(input.get()).shape;
  std::vector<int64_t> strides = getRowMajorStrides(shape);
  std::vector<int64_t> loopStrides(loops.size());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!loop && !(constant && constant.getValue() == 0))
      return makeError(op.getLoc(), "the reference knows maps to loops and 0 "
                                    "only, not that of operand " +
                                        Twine(input.getOperandNumber()));
    int64_t size = loop ? loops[loop.getPosition()] : 1;
    // A size of 1 is stretched.
    if (shape[dim] != size && shape[dim] != 1)
      return makeError(op.getLoc(),
                       "operand " + Twine(input.getOperandNumber()) + " has " +
                           Twine(shape[dim]) + " elements in dimension " +
                           Twine(dim) + ", and the loop " + Twine(size));
    if (loop && shape[dim] != 1)
      loopStrides[loop.getPosition()] += strides[dim];
  }
  Expected<Nodes> elements =
      add(op.getMatchingBlockArgument(&input), Node::Kind::Map, loops);
  if (!elements)
    return elements.takeError();
  for (Node *part : *elements) {
    addOperand(*part, input.get(), part->part);
    part->loopStrides = loopStrides;
  }
  return Error::success();
}

Error ProgramBuilder::addIndex(Value value, int64_t loop,
                               ArrayRef<int64_t> loops) {
  Expected<Nodes> index = add(value, Node::Kind::Iota, loops);
  if (!index)
    return index.takeError();
  index->front()->dimension = loop;
  return Error::success();
}

/// A number as the same for every iteration.
Error ProgramBuilder::spread(Value number, ArrayRef<int64_t> loops) {
  Ids from = ids.lookup(number);
  Expected<Nodes> same = add(number, Node::Kind::Broadcast, loops);
  if (!same)
    return same.takeError();
  for (auto [part, id] : llvm::zip_equal(*same, from)) {
    part->operands.push_back(id);
    part->operandNodes.push_back(program.nodes[id].get());
    part->kept = part->operandNodes[0]->kept;
  }
  return Error::success();
}

/// Spreads what a body reads from outside of it; `outside` keeps what it was.
Error ProgramBuilder::spreadCaptured(Operation *op, ArrayRef<int64_t> loops,
                                     DenseMap<Value, Ids> &outside) {
  for (Value operand : op->getOperands()) {
    if (operand.getParentBlock() == op->getBlock() || outside.count(operand))
      continue;
    if (!ids.count(operand) || isa<ShapedType>(operand.getType()) ||
        node(operand).kind == Node::Kind::Size)
      return makeError(op->getLoc(), "the reference cannot interpret what the "
                                     "body reads from outside here");
    outside[operand] = ids.lookup(operand);
    if (Error error = spread(operand, loops))
      return error;
  }
  return Error::success();
}

Error ProgramBuilder::addBodyOp(Operation *op, ArrayRef<int64_t> loops) {
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return addIndex(index, index.getDim(), loops);
  if (auto position = dyn_cast<LinearIndexOp>(op)) {
    Expected<Nodes> added = add(position, Node::Kind::Position, loops);
    return added ? Error::success() : added.takeError();
  }
  if (auto cast = dyn_cast<arith::IndexCastOp>(op))
    if (auto index = cast.getIn().getDefiningOp<linalg::IndexOp>())
      return addIndex(cast, index.getDim(), loops);
  if (Error error = addOp(op))
    return error;
  return op->hasTrait<OpTrait::ConstantLike>() ? spread(op->getResult(0), loops)
                                               : Error::success();
}

Error ProgramBuilder::addGeneric(linalg::GenericOp op) {
  auto refuse = [&](const Twine &what) {
    return makeError(op.getLoc(),
                     "the reference cannot interpret a 'linalg.generic' " +
                         what);
  };
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() == 0 ||
      op.getNumLoops() != op.getNumParallelLoops())
    return refuse("that is not elementwise on tensors");
  std::vector<int64_t> loops;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!op.getMatchingIndexingMap(&init).isIdentity())
      return refuse("with an output map other than the identity");
    if (op.payloadUsesValueFromOperand(&init))
      return refuse("that reads an output");
    const std::vector<int64_t> &shape = node(init.get()).shape;
    if (init.getOperandNumber() != op.getNumDpsInputs() && shape != loops)
      return makeError(op.getLoc(), "outputs have shapes " + toString(loops) +
                                        " and " + toString(shape));
    loops = shape;
  }
  for (OpOperand *input : op.getDpsInputOperands())
    if (Error error = addElements(op, *input, loops))
      return error;

  DenseMap<Value, Ids> outside;
  for (Operation &inner : *op.getBlock()) {
    if (Error error = spreadCaptured(&inner, loops, outside))
      return error;
    if (inner.hasTrait<OpTrait::IsTerminator>())
      break;
    if (Error error = addBodyOp(&inner, loops))
      return error;
  }
  auto yields = op.getBlock()->getTerminator()->getOperands();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), yields)) {
    Expected<Nodes> stored = add(result, Node::Kind::Map, loops);
    if (!stored)
      return stored.takeError();
    for (Node *part : *stored) {
      addOperand(*part, value, part->part);
      part->loopStrides = getRowMajorStrides(loops);
    }
  }
  for (auto &[value, id] : outside)
    ids[value] = id;
  return Error::success();
}
