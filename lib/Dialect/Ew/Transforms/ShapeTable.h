//===- ShapeTable.h - Which dynamic sizes are equal -------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_DIALECT_EW_TRANSFORMS_SHAPETABLE_H
#define EW_LIB_DIALECT_EW_TRANSFORMS_SHAPETABLE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace ew {

/// A size, static or dynamic: an index into a ShapeTable. Two sizes are equal
/// if `find` gives one index for both.
using SizeId = unsigned;
using Shape = llvm::SmallVector<SizeId, 4>;

/// Sizes of the tensors of one block in union-find. A dynamic size is dimension
/// `dim` of a tensor that the block does not compute elementwise (its root), an
/// index, or what two such sizes broadcast to.
class ShapeTable {
public:
  SizeId getConstant(int64_t size);
  SizeId getDim(mlir::Value root, int64_t dim, unsigned level);
  /// A size that the host has computed as an index.
  SizeId getIndex(mlir::Value index, unsigned level) {
    return getDim(index, -1, level);
  }
  /// What sizes a and b are stretched to, where either may be 1.
  SizeId getJoint(SizeId a, SizeId b);
  /// The sizes of a tensor that the block does not compute.
  Shape getRootShape(mlir::Value root, unsigned level);

  SizeId find(SizeId id);
  /// Makes two sizes equal. Returns false if they were.
  bool unify(SizeId a, SizeId b);
  bool equal(SizeId a, SizeId b) { return find(a) == find(b); }
  bool equal(llvm::ArrayRef<SizeId> a, llvm::ArrayRef<SizeId> b);

  std::optional<int64_t> getConstantValue(SizeId id);
  /// The level (see FusionGroups.h) that a size's roots have.
  unsigned getLevel(SizeId id) { return entries[find(id)].level; }
  /// A tensor whose dimensions are exactly these, or none.
  mlir::Value getTensorOfShape(llvm::ArrayRef<SizeId> shape);

  // For the following, `find` first gives what is known now; without it, a size
  // that has since been made equal to another one stands for itself.

  std::optional<int64_t> getOwnConstant(SizeId id) const;
  void forEachRoot(SizeId id, llvm::function_ref<void(mlir::Value)> fn);
  /// The size as an index, computed at the builder's insertion point the first
  /// time. Insertion points must only move forward.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                          SizeId id);

private:
  struct Entry {
    SizeId parent;
    unsigned level = 0;
    int64_t constant = mlir::ShapedType::kDynamic;
    mlir::Value root; // or, where there is none, joint of a and b
    int64_t dim = 0;
    SizeId a = 0, b = 0;
    mlir::Value materialized;
  };
  SizeId add(Entry entry);

  llvm::SmallVector<Entry> entries;
  llvm::DenseMap<int64_t, SizeId> constants;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, SizeId> dims;
  llvm::DenseMap<std::pair<SizeId, SizeId>, SizeId> joints;
};

} // namespace ew

#endif // EW_LIB_DIALECT_EW_TRANSFORMS_SHAPETABLE_H
