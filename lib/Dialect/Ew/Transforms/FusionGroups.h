//===- FusionGroups.h - Which ops of a block share a kernel -----*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_DIALECT_EW_TRANSFORMS_FUSIONGROUPS_H
#define EW_LIB_DIALECT_EW_TRANSFORMS_FUSIONGROUPS_H

#include "FusionCost.h"
#include "ShapeTable.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace ew {

/// How a kernel comes by a value that one of its ops reads.
enum class ReadKind : uint8_t {
  Free,       // a constant, an iota or a scalar: no tensor is read
  Loaded,     // from memory
  Fused,      // computed in the same kernel
  Recomputed, // from what its producer reads, under the map
};

struct Read {
  mlir::Value source;  // never the result of a view
  mlir::AffineMap map; // from the loops to the source's dimensions
  ReadKind kind = ReadKind::Loaded;
};

/// An op that a kernel computes.
struct FusionNode {
  mlir::Operation *op = nullptr;
  Shape shape;                           // of the iteration
  llvm::SmallVector<Read, 3> reads;      // one per operand; one for a copy
  llvm::SmallVector<unsigned, 1> checks; // that must have passed
  unsigned group = 0;
  TreeSize tree;            // to compute it from what is loaded
  bool treeUsedOnce = true; // nothing else uses any value of that tree
  bool treeHasIota = false;
  /// Depends on the place in its own iteration, so that it can be computed
  /// there alone.
  bool treeHasPhilox = false;
  unsigned readersLeft = 0; // ops that are still to be visited
  bool copy = false;        // of a view, an iota or a constant
  bool live = false;
};

/// Two shapes that must agree at run time.
struct ShapeCheck {
  mlir::Location loc;
  llvm::StringRef opName;
  bool broadcast;
  Shape lhs, rhs;                   // as known before they were made equal
  mlir::Value lhsTensor, rhsTensor; // of these shapes, or none
  bool done = false;

  /// The values that the check needs.
  void forEachValue(ShapeTable &shapes,
                    llvm::function_ref<void(mlir::Value)> fn) const;
};

/// Ops that become one kernel, while groups are formed: in union-find.
struct FusionGroup {
  unsigned parent = 0;
  /// Whatever reads a result of this group, has a higher level; whatever reads
  /// a result of another op, has no lower one. So no kernel waits for itself.
  unsigned level = 0;
  unsigned lowestConsumer = ~0u; // the lowest level that reads a result
  KernelSize size;
  llvm::SmallDenseSet<std::pair<mlir::Value, mlir::AffineMap>, 8> inputs;
  Shape shape;                       // of the iteration
  llvm::SmallVector<unsigned> nodes; // filled once, in program order
};

/// Groups the ew ops of one block in one pass in program order.
class FusionGroups {
public:
  FusionGroups(mlir::Block &block, bool remarks);

  bool empty() const { return nodes.empty(); }

  /// The node that computes a value, or none.
  FusionNode *getNode(mlir::Value value);
  FusionGroup &getGroup(const FusionNode &node) {
    return groups[findGroup(node.group)];
  }
  unsigned findGroup(unsigned group);
  /// Whether the op is no node and no view: it stays where the host runs it.
  bool isHostOp(mlir::Operation *op) { return hostOps.contains(op); }
  bool isStored(mlir::Value value) { return stored.contains(value); }
  /// What the tree of a recomputed read loads.
  void forEachLeaf(const Read &read, llvm::function_ref<void(const Read &)> fn);
  /// The nodes of that tree.
  void forEachRecomputed(const Read &read,
                         llvm::function_ref<void(FusionNode &)> fn);
  Shape getShape(mlir::Value value);
  /// What a tensor.dim of a value that a kernel computes, or of a view, is;
  /// none for other ops.
  std::optional<SizeId> getAskedSize(mlir::Operation *op);

  llvm::SmallVector<FusionNode> nodes;
  std::vector<FusionGroup> groups;
  llvm::SmallVector<ShapeCheck> checks;
  ShapeTable shapes;
  llvm::SmallVector<mlir::Operation *> folded; // views, iotas and constants
  unsigned numSplits = 0;

private:
  struct View {
    mlir::Value source;
    mlir::AffineMap map;
    bool usedOnce;
    llvm::SmallVector<unsigned, 1> checks;
  };

  void visitElementwise(mlir::Operation *op);
  void visitView(mlir::Operation *op);
  void visitPhilox(mlir::Operation *op);
  void visitHostOp(mlir::Operation *op);
  /// The shape of what `like` or the type itself gives a shape.
  Shape getSourceShape(mlir::Value result, mlir::Value like);
  /// The shape of what the host makes, where it says what sizes it has.
  void learnShape(mlir::Operation *op);
  Shape visitBroadcast(mlir::Operation *op, View &view);
  void addCopyIfRead(mlir::Operation *op);
  unsigned addNode(FusionNode node);

  View resolve(mlir::Value value);
  void addRead(FusionNode &node, mlir::Value operand, mlir::AffineMap map);
  bool isFree(const Read &read, const FusionNode &node);
  bool isStretched(const Read &read, const FusionNode &node);
  /// Makes shapes equal, with a check where that is not known.
  void requireEqual(FusionNode &node, mlir::Value a, mlir::Value b);
  unsigned addCheck(mlir::Operation *op, bool broadcast, mlir::Value a,
                    Shape aShape, mlir::Value b, Shape bShape);

  /// What decides to which groups a node may belong.
  struct Placement {
    /// The node alone, but for its level.
    FusionGroup self;
    /// The lowest one that it may have.
    unsigned level = 0;
    /// The groups of its fused operands.
    llvm::SmallVector<unsigned, 3> candidates;
    /// Groups that loads hold below the node until that has a level, and the
    /// bounds that they had.
    llvm::SmallVector<std::pair<unsigned, unsigned>> held;
    /// Results of other groups that are read from memory.
    llvm::SmallVector<mlir::Value> loadedResults;
  };

  void assignGroup(FusionNode &node);
  Placement place(FusionNode &node);
  /// Those candidates that take the node in, at the level that it gets.
  llvm::SmallVector<unsigned, 3> accept(FusionNode &node, Placement &placed);
  bool canLift(unsigned group, unsigned level);
  unsigned merge(unsigned a, unsigned b);
  void store(mlir::Value value);
  bool isReadByHost(mlir::Value value);
  unsigned getLevel(mlir::Value value) { return levels.lookup(value); }
  void markLive();
  /// Puts groups together that read one tensor with the same loops.
  void mergeReaders();

  mlir::Block &block;
  bool remarks;
  llvm::DenseMap<mlir::Value, unsigned> nodeOf;
  llvm::DenseMap<mlir::Value, View> views;
  llvm::DenseMap<mlir::Value, Shape> shapeOf;
  llvm::DenseMap<mlir::Value, unsigned> levels; // of values from host ops
  llvm::DenseSet<mlir::Operation *> hostOps;
  llvm::DenseSet<mlir::Value> stored;
  llvm::DenseMap<std::pair<SizeId, SizeId>, unsigned> broadcastChecks;
  unsigned effectLevel = 0; // of the last op with an effect
};

/// Whether an op computes every element of its results from those of its
/// operands, so that it can be part of a kernel.
bool isElementwise(mlir::Operation *op);

/// Whether a kernel computes this op: an elementwise one, or ew.philox.
bool isKernelOp(mlir::Operation *op);

/// Whether this is a view, or a value that the body of a kernel can make by
/// itself.
bool isFolded(mlir::Operation *op);

/// Whether this is a tensor.dim that the sizes of other tensors may answer.
bool isSizeQuery(mlir::Operation *op);

} // namespace ew

#endif // EW_LIB_DIALECT_EW_TRANSFORMS_FUSIONGROUPS_H
