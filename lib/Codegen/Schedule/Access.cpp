//===- Access.cpp - How a kernel's operands walk memory -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Schedule/Access.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ew;

bool LoopNest::isDense(unsigned operand) const {
  SmallVector<int64_t> all;
  for (int64_t loop = 0; loop < rank(); ++loop)
    if (sizes[loop] != 1)
      all.push_back(loop);
  return walks[operand] == all;
}

bool LoopNest::isInnermostUnit(unsigned operand) const {
  return !walks[operand].empty() && walks[operand].back() == rank() - 1;
}

bool LoopNest::walksInnermost(unsigned operand) const {
  return llvm::is_contained(walks[operand], rank() - 1);
}

AccessClass LoopNest::classify(unsigned operand) const {
  ArrayRef<int64_t> walk = walks[operand];
  if (isDense(operand))
    return AccessClass::dense;
  if (walk.empty())
    return AccessClass::scalar;
  if (walksInnermost(operand) && !isInnermostUnit(operand))
    return AccessClass::transposed;
  if (!llvm::is_sorted(walk))
    return AccessClass::general;
  // In order, with loops left out: which ones?
  int64_t first = 0;
  while (first < rank() && sizes[first] == 1)
    ++first;
  bool consecutive = true;
  for (int64_t loop = walk.front(); loop <= walk.back(); ++loop)
    consecutive &= sizes[loop] == 1 || llvm::is_contained(walk, loop);
  if (consecutive && isInnermostUnit(operand))
    return AccessClass::row;
  if (consecutive && walk.front() == first)
    return AccessClass::column;
  return AccessClass::general;
}

SmallVector<int64_t> ew::getLayout(Value tensor) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    if (auto function =
            dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      if (auto layout = function.getArgAttrOfType<DenseI64ArrayAttr>(
              argument.getArgNumber(), layoutAttrName))
        return SmallVector<int64_t>(layout.asArrayRef());
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

/// Whether kernels read and write elements of a type, or take one by value.
static bool isStorable(Type element) {
  Type part = getPartType(element);
  if (auto integer = dyn_cast<IntegerType>(part))
    return part == element && !integer.isSigned() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  if (part != element)
    return part.isF32() || part.isF64();
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type,
             Float8E4M3FNType, Float8E5M2Type>(part);
}

FailureOr<LoopNest> ew::getLoopNest(linalg::GenericOp op, bool diagnose) {
  auto error = [&](const Twine &what) -> LogicalResult {
    return diagnose ? op.emitOpError(what) : failure();
  };
  if (!op.hasPureTensorSemantics())
    return error("must be on tensors to become a kernel");
  if (op.getNumLoops() != op.getNumParallelLoops())
    return error("must have parallel loops only to become a kernel");

  LoopNest nest;
  nest.sizes.assign(op.getNumLoops(), ShapedType::kDynamic);
  for (OpOperand &output : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&output);
    if (!map.isIdentity())
      return error("has an output map other than the identity");
    if (op.payloadUsesValueFromOperand(&output))
      return error("reads an output");
    for (auto [size, dim] :
         llvm::zip(nest.sizes,
                   cast<RankedTensorType>(output.get().getType()).getShape()))
      if (!ShapedType::isDynamic(dim))
        size = dim;
  }

  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (!isStorable(getElementType(type)))
      return error("takes '" + debugString(getElementType(type)) +
                   "' as operand " + Twine(index) +
                   ", which no kernel can read or write");
  for (OpOperand &operand : op->getOpOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        type && type.getEncoding())
      return error("takes a tensor of encoding " +
                   debugString(type.getEncoding()) + " as operand " +
                   Twine(operand.getOperandNumber()) +
                   ", and kernels know dense tensors only");
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<int64_t> &walk = nest.walks.emplace_back();
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type && isComplex(operand.get().getType()))
      return error("reads a complex number that is no tensor: a "
                   "kernel takes one as a tensor of rank 0");
    if (!type)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (int64_t dim : getLayout(operand.get())) {
      AffineExpr expr = map.getResult(dim);
      if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
        if (llvm::is_contained(walk, loop.getPosition()))
          return error("reads an operand along a diagonal");
        if (nest.sizes[loop.getPosition()] != 1)
          walk.push_back(loop.getPosition());
        continue;
      }
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      if (!constant || constant.getValue() != 0 || type.getDimSize(dim) != 1)
        return error("has an indexing map that is neither a loop nor 0 "
                     "along a dimension of size 1");
    }
  }

  nest.indexed.assign(op.getNumLoops(), false);
  op->walk([&](linalg::IndexOp index) { nest.indexed[index.getDim()] = true; });
  return nest;
}

/// Whether two loops, next to each other but for loops of size 1, can be one.
static bool canMerge(const LoopNest &nest, int64_t outer, int64_t inner) {
  if (nest.indexed[outer] || nest.indexed[inner])
    return false;
  return llvm::all_of(nest.walks, [&](ArrayRef<int64_t> walk) {
    const int64_t *at = llvm::find(walk, outer);
    if (at == walk.end())
      return !llvm::is_contained(walk, inner);
    return at + 1 != walk.end() && at[1] == inner;
  });
}

SmallVector<int64_t> ew::collapseLoops(const LoopNest &nest) {
  SmallVector<int64_t> collapse;
  // A loop of size 1 goes with whatever stands beside it.
  std::optional<int64_t> outer;
  for (int64_t loop = 0; loop < nest.rank(); ++loop) {
    bool one = nest.sizes[loop] == 1;
    if (loop > 0 && (one || !outer || canMerge(nest, *outer, loop)))
      ++collapse.back();
    else
      collapse.push_back(1);
    if (!one)
      outer = loop;
  }
  return collapse;
}

bool ew::canMergeAtLaunch(const LoopNest &nest, int64_t dims) {
  if (dims < 1 || dims > nest.rank() || llvm::is_contained(nest.indexed, true))
    return false;
  return dims == 1 || (nest.sizes.back() != 1 &&
                       llvm::all_of(llvm::seq<unsigned>(0, nest.walks.size()),
                                    [&](unsigned operand) {
                                      return !nest.walksInnermost(operand) ||
                                             nest.isInnermostUnit(operand);
                                    }));
}

LoopNest ew::applyCollapse(const LoopNest &nest, ArrayRef<int64_t> collapse) {
  LoopNest result;
  SmallVector<int64_t> groupOf;
  for (auto [group, count] : llvm::enumerate(collapse)) {
    int64_t size = 1;
    bool indexed = false;
    for (int64_t i = 0; i < count; ++i) {
      int64_t loop = groupOf.size();
      int64_t loopSize = nest.sizes[loop];
      int64_t product;
      if (ShapedType::isDynamic(size) || ShapedType::isDynamic(loopSize) ||
          llvm::MulOverflow(size, loopSize, product))
        product = ShapedType::kDynamic;
      size = product;
      indexed |= nest.indexed[loop] && loopSize != 1;
      groupOf.push_back(group);
    }
    result.sizes.push_back(size);
    result.indexed.push_back(indexed);
  }
  for (ArrayRef<int64_t> walk : nest.walks) {
    SmallVector<int64_t> &groups = result.walks.emplace_back();
    for (int64_t loop : walk)
      if (groups.empty() || groups.back() != groupOf[loop])
        groups.push_back(groupOf[loop]);
  }
  return result;
}
