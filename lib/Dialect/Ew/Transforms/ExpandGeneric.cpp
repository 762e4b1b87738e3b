//===- ExpandGeneric.cpp - linalg.generic back to ew ops ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandGeneric.h"

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/SplitKernels.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ew;

/// The loop that each dimension of an input walks. A dimension of size 1 that
/// is indexed by 0 takes a loop that the input does not depend on.
static FailureOr<SmallVector<unsigned>> getLoops(Value input, AffineMap map) {
  constexpr unsigned stretched = ~0u;
  SmallVector<unsigned> loops;
  llvm::SmallBitVector used(map.getNumDims());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    auto loop = dyn_cast<AffineDimExpr>(expr);
    bool isOne = cast<RankedTensorType>(input.getType()).getDimSize(dim) == 1;
    if (constant && constant.getValue() == 0 && isOne) {
      loops.push_back(stretched);
    } else if (loop && !used.test(loop.getPosition())) {
      used.set(loop.getPosition());
      loops.push_back(loop.getPosition());
    } else {
      return failure();
    }
  }
  for (unsigned &loop : loops) {
    if (loop != stretched)
      continue;
    int free = used.find_first_unset();
    if (free < 0)
      return failure();
    used.set(free);
    loop = free;
  }
  return loops;
}

static bool canExpand(linalg::GenericOp op) {
  // A kernel already; and what is said of one is of that on which it stands.
  if (op->hasAttr("ew.ops") || op->hasAttr("ew.schedule") ||
      op->hasAttr("ew.schedule_choice") || op->hasAttr(splitAttrName) ||
      !op.hasPureTensorSemantics() ||
      op.getNumParallelLoops() != op.getNumLoops() || op.getNumDpsInits() == 0)
    return false;
  auto shape =
      cast<RankedTensorType>(op.getDpsInits().front().getType()).getShape();
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&init).isIdentity() ||
        cast<RankedTensorType>(init.get().getType()).getShape() != shape ||
        !op.getMatchingBlockArgument(&init).use_empty())
      return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<RankedTensorType>(input->get().getType())
            ? failed(getLoops(input->get(), op.getMatchingIndexingMap(input)))
            : !input->get().getType().isIntOrFloat() &&
                  !isComplex(input->get().getType()))
      return false;
  Block &body = *op.getBlock();
  // Without any ew op, it is someone else's copy.
  if (llvm::hasSingleElement(body))
    return false;
  return llvm::all_of(body.without_terminator(), [&](Operation &inner) {
    return isa_and_nonnull<EwDialect>(inner.getDialect()) &&
           inner.getNumResults() == 1 &&
           (isa<ConstantOp>(inner) || inner.hasTrait<OpTrait::Elementwise>()) &&
           llvm::all_of(inner.getOperands(), [&](Value operand) {
             return operand.getParentBlock() == &body;
           });
  });
}

LogicalResult ew::expandGeneric(linalg::GenericOp op) {
  if (!canExpand(op))
    return failure();
  OpBuilder builder(op);
  Value out = op.getDpsInits().front();
  auto outType = cast<RankedTensorType>(out.getType());
  auto rank = static_cast<unsigned>(outType.getRank());
  bool dynamic = !outType.hasStaticShape();

  // NumPy's rules match dimensions from the last one: an input is broadcast
  // along its missing loops in front, then transposed to the order of the
  // loops.
  auto spread = [&](Value value, ArrayRef<unsigned> loops,
                    Location loc) -> Value {
    SmallVector<int64_t> order, shape, permutation(rank), inverse(rank);
    for (unsigned loop = 0; loop < rank; ++loop)
      if (!llvm::is_contained(loops, loop))
        order.push_back(loop);
    order.append(loops.begin(), loops.end());
    for (auto [dim, loop] : llvm::enumerate(order)) {
      permutation[loop] = dim;
      inverse[dim] = loop;
      shape.push_back(outType.getDimSize(loop));
    }
    Type element = getElementType(value.getType());
    Value like;
    if (dynamic)
      like = TransposeOp::create(
          builder, loc, RankedTensorType::get(shape, outType.getElementType()),
          out, inverse);
    value = BroadcastOp::create(
        builder, loc, RankedTensorType::get(shape, element), value, like);
    return TransposeOp::create(builder, loc, outType.clone(element), value,
                               permutation);
  };

  IRMapping values;
  for (OpOperand *input : op.getDpsInputOperands()) {
    SmallVector<unsigned> loops;
    if (isa<RankedTensorType>(input->get().getType()))
      loops = *getLoops(input->get(), op.getMatchingIndexingMap(input));
    values.map(op.getMatchingBlockArgument(input),
               spread(input->get(), loops, op.getLoc()));
  }
  Block &body = *op.getBlock();
  for (Operation &inner : body.without_terminator()) {
    Operation *tensor = builder.clone(inner, values);
    Value result = tensor->getResult(0);
    if (isa<ConstantOp>(inner))
      values.map(inner.getResult(0), spread(result, {}, inner.getLoc()));
    else
      result.setType(outType.clone(result.getType()));
  }
  SmallVector<Value> results;
  for (Value yielded : body.getTerminator()->getOperands())
    results.push_back(values.lookup(yielded));
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}
