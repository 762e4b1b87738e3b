//===- ShapeTable.cpp - Which dynamic sizes are equal ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ew;

SizeId ShapeTable::add(Entry entry) {
  entry.parent = entries.size();
  entries.push_back(entry);
  return entry.parent;
}

SizeId ShapeTable::getConstant(int64_t size) {
  auto [it, inserted] = constants.try_emplace(size);
  if (inserted) {
    Entry entry;
    entry.constant = size;
    it->second = add(entry);
  }
  return it->second;
}

SizeId ShapeTable::getDim(Value root, int64_t dim, unsigned level) {
  auto [it, inserted] = dims.try_emplace({root, dim});
  if (inserted) {
    Entry entry;
    entry.root = root;
    entry.dim = dim;
    entry.level = level;
    it->second = add(entry);
  }
  return it->second;
}

SizeId ShapeTable::getJoint(SizeId a, SizeId b) {
  a = find(a);
  b = find(b);
  if (a == b || getConstantValue(b) == 1)
    return a;
  if (getConstantValue(a) == 1)
    return b;
  // A constant other than 1 is what any partner has or is stretched to.
  if (getConstantValue(a))
    return a;
  if (getConstantValue(b))
    return b;
  auto [it, inserted] = joints.try_emplace(std::minmax(a, b));
  if (inserted) {
    Entry entry;
    entry.a = a;
    entry.b = b;
    entry.level = std::max(getLevel(a), getLevel(b));
    it->second = add(entry);
  }
  return it->second;
}

Shape ShapeTable::getRootShape(Value root, unsigned level) {
  auto type = cast<RankedTensorType>(root.getType());
  Shape shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    shape.push_back(ShapedType::isDynamic(size) ? getDim(root, dim, level)
                                                : getConstant(size));
  return shape;
}

SizeId ShapeTable::find(SizeId id) {
  while (entries[id].parent != id)
    id = entries[id].parent = entries[entries[id].parent].parent;
  return id;
}

bool ShapeTable::unify(SizeId a, SizeId b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return false;
  // The one that is known earlier stands for both.
  auto rank = [&](SizeId id) {
    bool dynamic = ShapedType::isDynamic(entries[id].constant);
    return std::make_tuple(dynamic, entries[id].level, id);
  };
  if (rank(b) < rank(a))
    std::swap(a, b);
  entries[b].parent = a;
  return true;
}

bool ShapeTable::equal(ArrayRef<SizeId> a, ArrayRef<SizeId> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [&](auto pair) {
           return equal(std::get<0>(pair), std::get<1>(pair));
         });
}

std::optional<int64_t> ShapeTable::getConstantValue(SizeId id) {
  return getOwnConstant(find(id));
}

std::optional<int64_t> ShapeTable::getOwnConstant(SizeId id) const {
  int64_t constant = entries[id].constant;
  if (ShapedType::isDynamic(constant))
    return std::nullopt;
  return constant;
}

Value ShapeTable::getTensorOfShape(ArrayRef<SizeId> shape) {
  Value root;
  for (SizeId id : shape)
    if (Value candidate = entries[find(id)].root)
      if (isa<RankedTensorType>(candidate.getType()))
        root = candidate;
  if (!root)
    return nullptr;
  auto type = cast<RankedTensorType>(root.getType());
  if (type.getRank() != static_cast<int64_t>(shape.size()))
    return nullptr;
  for (auto [dim, id] : llvm::enumerate(shape)) {
    const Entry &entry = entries[find(id)];
    bool same =
        ShapedType::isDynamic(entry.constant)
            ? entry.root == root && entry.dim == static_cast<int64_t>(dim)
            : type.getDimSize(dim) == entry.constant;
    if (!same)
      return nullptr;
  }
  return root;
}

void ShapeTable::forEachRoot(SizeId id, function_ref<void(Value)> fn) {
  const Entry &entry = entries[id];
  if (!ShapedType::isDynamic(entry.constant))
    return;
  if (entry.root)
    return fn(entry.root);
  forEachRoot(entry.a, fn);
  forEachRoot(entry.b, fn);
}

Value ShapeTable::materialize(OpBuilder &builder, Location loc, SizeId id) {
  if (entries[id].materialized)
    return entries[id].materialized;
  Value value;
  if (!ShapedType::isDynamic(entries[id].constant)) {
    value = arith::ConstantIndexOp::create(builder, loc, entries[id].constant);
  } else if (entries[id].root && entries[id].dim < 0) {
    value = entries[id].root;
  } else if (entries[id].root) {
    Value dim = materialize(builder, loc, getConstant(entries[id].dim));
    value = tensor::DimOp::create(builder, loc, entries[id].root, dim);
  } else {
    Value a = materialize(builder, loc, entries[id].a);
    Value b = materialize(builder, loc, entries[id].b);
    Value one = materialize(builder, loc, getConstant(1));
    Value stretched =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, one);
    value = arith::SelectOp::create(builder, loc, stretched, b, a);
  }
  return entries[id].materialized = value;
}
