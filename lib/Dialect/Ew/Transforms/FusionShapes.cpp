//===- FusionShapes.cpp - Shapes of tensors, and checks -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionGroups.h"

#include "ew/Dialect/Ew/IR/Ew.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace ew;

Shape FusionGroups::getShape(Value value) {
  auto it = shapeOf.find(value);
  if (it != shapeOf.end())
    return it->second;
  if (!isa<RankedTensorType>(value.getType()))
    return {};
  return shapeOf[value] = shapes.getRootShape(value, getLevel(value));
}

std::optional<SizeId> FusionGroups::getAskedSize(Operation *op) {
  if (!isSizeQuery(op))
    return std::nullopt;
  auto dim = cast<tensor::DimOp>(op);
  Operation *source = dim.getSource().getDefiningOp();
  if (!source || source->getBlock() != &block || isHostOp(source))
    return std::nullopt;
  return getShape(dim.getSource())[*dim.getConstantIndex()];
}

Shape FusionGroups::getSourceShape(Value result, Value like) {
  auto type = cast<RankedTensorType>(result.getType());
  Shape shape = like ? getShape(like) : Shape();
  shape.resize(type.getRank());
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(size))
      shape[dim] = shapes.getConstant(size);
  return shape;
}

void FusionGroups::learnShape(Operation *op) {
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    Shape shape;
    for (OpFoldResult size : empty.getMixedSizes()) {
      if (std::optional<int64_t> constant = getConstantIntValue(size)) {
        shape.push_back(shapes.getConstant(*constant));
        continue;
      }
      auto index = cast<Value>(size);
      auto dim = index.getDefiningOp<tensor::DimOp>();
      bool known = dim && dim->getBlock() == &block && isSizeQuery(dim);
      shape.push_back(known ? getShape(dim.getSource())[*dim.getConstantIndex()]
                            : shapes.getIndex(index, getLevel(index)));
    }
    shapeOf[empty] = shape;
  } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    auto from = dyn_cast<RankedTensorType>(cast.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(cast.getType());
    if (!from || !to)
      return;
    Shape shape = getShape(cast.getSource());
    for (auto [dim, size] : llvm::enumerate(to.getShape()))
      if (!ShapedType::isDynamic(size))
        shape[dim] = shapes.getConstant(size);
    shapeOf[cast] = shape;
  }
}

void ShapeCheck::forEachValue(ShapeTable &shapes,
                              function_ref<void(Value)> fn) const {
  for (auto [shape, tensor] :
       {std::pair(&lhs, lhsTensor), std::pair(&rhs, rhsTensor)}) {
    if (tensor)
      fn(tensor);
    else
      for (SizeId id : *shape)
        shapes.forEachRoot(id, fn);
  }
}

unsigned FusionGroups::addCheck(Operation *op, bool broadcast, Value a,
                                Shape aShape, Value b, Shape bShape) {
  auto toTensor = [&](Value value, Shape &shape) -> Value {
    for (SizeId &id : shape)
      id = shapes.find(id);
    if (value && !getNode(value) && !views.contains(value) &&
        !(value.getDefiningOp() && isFolded(value.getDefiningOp())))
      return value;
    return shapes.getTensorOfShape(shape);
  };
  ShapeCheck check{op->getLoc(),
                   op->getName().getStringRef(),
                   broadcast,
                   std::move(aShape),
                   std::move(bShape),
                   {},
                   {},
                   false};
  check.lhsTensor = toTensor(a, check.lhs);
  check.rhsTensor = toTensor(b, check.rhs);
  checks.push_back(std::move(check));
  return checks.size() - 1;
}

void FusionGroups::requireEqual(FusionNode &node, Value a, Value b) {
  Shape lhs = getShape(a), rhs = getShape(b);
  if (shapes.equal(lhs, rhs))
    return;
  node.checks.push_back(addCheck(node.op, /*broadcast=*/false, a, lhs, b, rhs));
  for (auto [x, y] : llvm::zip_equal(lhs, rhs))
    shapes.unify(x, y);
}

Shape FusionGroups::visitBroadcast(Operation *op, View &view) {
  auto broadcast = cast<BroadcastOp>(op);
  auto type = cast<RankedTensorType>(broadcast.getType());
  Shape from = getShape(broadcast.getOperand()), like, result;
  if (broadcast.getLike())
    like = getShape(broadcast.getLike());
  Shape stretched; // where the type does not say more
  SizeId one = shapes.getConstant(1);
  SmallVector<std::pair<SizeId, SizeId>> unknown;
  int64_t rank = type.getRank();
  for (int64_t i = 0; i < rank; ++i) {
    auto at = [&](const Shape &shape) {
      int64_t dim = i - (rank - static_cast<int64_t>(shape.size()));
      return shapes.find(dim >= 0 ? shape[dim] : one);
    };
    // Without `like`, the static result says what to stretch to.
    SizeId x = at(from), y = broadcast.getLike()
                                 ? at(like)
                                 : shapes.getConstant(type.getDimSize(i));
    if (x != y && x != one && y != one)
      unknown.push_back(std::minmax(x, y));
    stretched.push_back(shapes.getJoint(x, y));
    result.push_back(type.isDynamicDim(i)
                         ? stretched.back()
                         : shapes.getConstant(type.getDimSize(i)));
  }
  // Two tensors that are broadcast to each other are checked once.
  for (auto pair : unknown) {
    auto it = broadcastChecks.find(pair);
    if (it != broadcastChecks.end()) {
      view.checks.push_back(it->second);
      continue;
    }
    unsigned check =
        addCheck(op, /*broadcast=*/true, broadcast.getOperand(), from,
                 broadcast.getLike(), broadcast.getLike() ? like : result);
    for (auto covered : unknown)
      broadcastChecks.try_emplace(covered, check);
    view.checks.push_back(check);
  }
  // Where the type says more, the size is that, or a 1 that is stretched to it.
  Shape exact = stretched, wider = stretched;
  for (auto [dim, size] : llvm::enumerate(result))
    (shapes.equal(size, one) ? exact : wider)[dim] = size;
  if (!shapes.equal(stretched, wider))
    view.checks.push_back(
        addCheck(op, /*broadcast=*/true, Value(), stretched, Value(), wider));
  if (!shapes.equal(stretched, exact)) {
    view.checks.push_back(
        addCheck(op, /*broadcast=*/false, Value(), stretched, Value(), exact));
    for (auto [x, y] : llvm::zip_equal(stretched, exact))
      shapes.unify(x, y);
  }
  return result;
}
