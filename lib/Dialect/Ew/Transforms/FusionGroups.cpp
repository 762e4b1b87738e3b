//===- FusionGroups.cpp - Which ops of a block share a kernel -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionGroups.h"

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/IR/Weight.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ew;

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

bool ew::isElementwise(Operation *op) {
  return isa_and_nonnull<EwDialect>(op->getDialect()) &&
         op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1 &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

bool ew::isKernelOp(Operation *op) {
  return isElementwise(op) || isa<PhiloxOp>(op);
}

/// Whether a kernel reads elements of the value, not its shape alone.
static bool readsElements(OpOperand &use) {
  if (auto philox = dyn_cast<PhiloxOp>(use.getOwner()))
    return &use == &philox.getSeedMutable() ||
           &use == &philox.getOffsetMutable();
  return isElementwise(use.getOwner());
}

bool ew::isSizeQuery(Operation *op) {
  auto dim = dyn_cast<tensor::DimOp>(op);
  if (!dim)
    return false;
  auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
  std::optional<int64_t> index = dim.getConstantIndex();
  return type && index && *index >= 0 && *index < type.getRank();
}

bool ew::isFolded(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
    return dense && dense.isSplat() &&
           isa<RankedTensorType>(constant.getType());
  }
  return isa<BroadcastOp, TransposeOp, IotaOp>(op);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

FusionNode *FusionGroups::getNode(Value value) {
  auto it = nodeOf.find(value);
  return it == nodeOf.end() ? nullptr : &nodes[it->second];
}

unsigned FusionGroups::findGroup(unsigned group) {
  while (groups[group].parent != group)
    group = groups[group].parent = groups[groups[group].parent].parent;
  return group;
}

FusionGroups::View FusionGroups::resolve(Value value) {
  auto it = views.find(value);
  if (it != views.end())
    return it->second;
  unsigned rank = 0;
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    rank = tensor.getRank();
  return {value,
          AffineMap::getMultiDimIdentityMap(rank, value.getContext()),
          /*usedOnce=*/true,
          {}};
}

bool FusionGroups::isReadByHost(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return user->getBlock() != &block ||
           !(isKernelOp(user) || isFolded(user) || isSizeQuery(user));
  });
}

/// Whether a size of the source that may be 1 at run time is stretched to
/// another one.
bool FusionGroups::isStretched(const Read &read, const FusionNode &node) {
  Shape shape = getShape(read.source);
  for (auto [dim, expr] : llvm::enumerate(read.map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (loop && !shapes.equal(shape[dim], node.shape[loop.getPosition()]))
      return true;
  }
  return false;
}

bool FusionGroups::isFree(const Read &read, const FusionNode &node) {
  if (!isa<RankedTensorType>(read.source.getType()))
    return true;
  Operation *op = read.source.getDefiningOp();
  if (!op || op->getBlock() != &block || !isFolded(op))
    return false;
  // The index along a stretched dimension is always 0.
  return !isa<IotaOp>(op) || !isStretched(read, node);
}

void FusionGroups::addRead(FusionNode &node, Value operand, AffineMap map) {
  View view = resolve(operand);
  Read read{view.source, view.map.compose(map)};
  llvm::append_range(node.checks, view.checks);
  if (isFree(read, node)) {
    read.kind = ReadKind::Free;
    node.treeHasIota |= isa_and_nonnull<IotaOp>(read.source.getDefiningOp());
  } else if (FusionNode *producer = getNode(read.source)) {
    bool usedOnce = operand.hasOneUse() && view.usedOnce;
    bool stretched = isStretched(read, node);
    bool permuted = read.map.isPermutation() && !stretched && usedOnce &&
                    producer->treeUsedOnce;
    if (read.map.isIdentity() && shapes.equal(producer->shape, node.shape))
      read.kind = ReadKind::Fused;
    else if (!(producer->treeHasIota && stretched) &&
             !producer->treeHasPhilox &&
             shouldRecompute(producer->tree, permuted))
      read.kind = ReadKind::Recomputed;
    if (read.kind != ReadKind::Loaded) {
      node.treeHasIota |= producer->treeHasIota;
      node.treeHasPhilox |= producer->treeHasPhilox;
      node.treeUsedOnce &= producer->treeUsedOnce && usedOnce;
      node.tree += producer->tree;
    }
    if (read.kind == ReadKind::Recomputed)
      forEachRecomputed(read, [&](FusionNode &inner) {
        llvm::append_range(node.checks, inner.checks);
      });
    if (!node.copy && operand == read.source && --producer->readersLeft == 0)
      --getGroup(*producer).size.live;
  } else if (auto iota = read.source.getDefiningOp<IotaOp>();
             iota && iota->getBlock() == &block) {
    // A stretched one, not yet stored.
    FusionNode copy;
    copy.op = iota;
    copy.shape = getShape(iota);
    copy.copy = true;
    addRead(copy, iota,
            AffineMap::getMultiDimIdentityMap(copy.shape.size(),
                                              iota.getContext()));
    nodeOf[iota] = addNode(std::move(copy));
  }
  node.reads.push_back(read);
}

void FusionGroups::forEachLeaf(const Read &read,
                               function_ref<void(const Read &)> fn) {
  if (read.kind != ReadKind::Recomputed)
    return fn(read);
  for (Read inner : getNode(read.source)->reads) {
    inner.map = inner.map.compose(read.map);
    if (inner.kind == ReadKind::Fused)
      inner.kind = ReadKind::Recomputed;
    forEachLeaf(inner, fn);
  }
}

void FusionGroups::forEachRecomputed(const Read &read,
                                     function_ref<void(FusionNode &)> fn) {
  FusionNode *node = getNode(read.source);
  fn(*node);
  for (const Read &inner : node->reads)
    if (inner.kind == ReadKind::Fused || inner.kind == ReadKind::Recomputed)
      forEachRecomputed(inner, fn);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

bool FusionGroups::canLift(unsigned group, unsigned level) {
  return groups[group].level == level ||
         (groups[group].level < level && groups[group].lowestConsumer > level);
}

unsigned FusionGroups::merge(unsigned a, unsigned b) {
  if (a == b)
    return a;
  if (groups[a].inputs.size() < groups[b].inputs.size())
    std::swap(a, b);
  FusionGroup &into = groups[a], &from = groups[b];
  from.parent = a;
  into.level = std::max(into.level, from.level);
  into.lowestConsumer = std::min(into.lowestConsumer, from.lowestConsumer);
  into.size = into.size + from.size;
  for (const auto &input : from.inputs)
    if (!into.inputs.insert(input).second)
      --into.size.operands;
  from.inputs.clear();
  return a;
}

void FusionGroups::store(Value value) {
  if (!stored.insert(value).second)
    return;
  if (FusionNode *node = getNode(value))
    ++getGroup(*node).size.operands;
}

FusionGroups::Placement FusionGroups::place(FusionNode &node) {
  Placement placed;
  unsigned &level = placed.level;
  for (SizeId id : node.shape)
    level = std::max(level, shapes.getLevel(id));
  for (unsigned check : node.checks)
    checks[check].forEachValue(
        shapes, [&](Value value) { level = std::max(level, getLevel(value)); });

  FusionGroup &self = placed.self;
  // Loads of other kernels' results hold those kernels below this one.
  auto load = [&](Value source, AffineMap map) {
    self.inputs.insert({source, map});
    FusionNode *producer = getNode(source);
    if (!producer) {
      level = std::max(level, getLevel(source));
      return;
    }
    unsigned group = findGroup(producer->group);
    level = std::max(level, groups[group].level + 1);
    placed.held.push_back({group, groups[group].lowestConsumer});
    groups[group].lowestConsumer =
        std::min(groups[group].lowestConsumer, groups[group].level + 1);
    placed.loadedResults.push_back(source);
  };
  for (Read &read : node.reads) {
    if (read.kind == ReadKind::Fused) {
      unsigned group = findGroup(getNode(read.source)->group);
      if (!llvm::is_contained(placed.candidates, group))
        placed.candidates.push_back(group);
      continue;
    }
    forEachLeaf(read, [&](const Read &leaf) {
      if (leaf.kind == ReadKind::Free)
        level = std::max(level, getLevel(leaf.source));
      else
        load(leaf.source, leaf.map);
    });
  }
  self.shape = node.shape;
  self.size.operands =
      self.inputs.size() + (isReadByHost(node.op->getResult(0)) ? 1 : 0);
  self.size.weight = node.copy ? 0 : getWeight(node.op);
  self.size.live = node.readersLeft ? 1 : 0;
  return placed;
}

/// What those compute that cannot take the op in, is read from memory; that may
/// raise the level, and then the others are asked again.
SmallVector<unsigned, 3> FusionGroups::accept(FusionNode &node,
                                              Placement &placed) {
  SmallVector<unsigned, 3> accepted;
  for (bool again = true; again;) {
    again = false;
    accepted.clear();
    unsigned target = placed.level;
    for (unsigned group : placed.candidates)
      target = std::max(target, groups[group].level);
    KernelSize size = placed.self.size;
    for (unsigned group : placed.candidates) {
      if (!canLift(group, target))
        continue;
      KernelSize joined = size + groups[group].size;
      for (const auto &input : placed.self.inputs)
        joined.operands -= groups[group].inputs.contains(input);
      if (StringRef why = refuse(joined); !why.empty()) {
        ++numSplits;
        if (remarks)
          node.op->emitRemark("not in the kernel of its operands: ") << why;
        placed.level = std::max(placed.level, groups[group].level + 1);
        llvm::erase(placed.candidates, group);
        again = true;
        break;
      }
      size = joined;
      accepted.push_back(group);
    }
    if (!again)
      placed.level = target;
  }
  return accepted;
}

void FusionGroups::assignGroup(FusionNode &node) {
  Placement placed = place(node);
  SmallVector<unsigned, 3> accepted = accept(node, placed);
  unsigned level = placed.level, group = groups.size();
  placed.self.level = level;
  placed.self.parent = group;
  groups.push_back(std::move(placed.self));
  for (unsigned other : accepted)
    group = merge(group, other);
  groups[group].level = level;
  node.group = group;
  for (auto [other, bound] : placed.held)
    groups[other].lowestConsumer = std::min(bound, level);
  for (Read &read : node.reads) {
    if (read.kind != ReadKind::Fused)
      continue;
    unsigned other = findGroup(getNode(read.source)->group);
    if (other == group)
      continue;
    read.kind = ReadKind::Loaded;
    if (groups[group].inputs.insert({read.source, read.map}).second)
      ++groups[group].size.operands;
    groups[other].lowestConsumer =
        std::min(groups[other].lowestConsumer, level);
    placed.loadedResults.push_back(read.source);
  }
  for (Value value : placed.loadedResults)
    store(value);
}

unsigned FusionGroups::addNode(FusionNode node) {
  Value result = node.op->getResult(0);
  if (!node.copy)
    for (OpOperand &use : result.getUses())
      node.readersLeft +=
          use.getOwner()->getBlock() == &block && readsElements(use);
  node.tree += {1, node.copy ? 0 : getWeight(node.op)};
  llvm::sort(node.checks);
  node.checks.erase(llvm::unique(node.checks), node.checks.end());
  assignGroup(node);
  if (isReadByHost(result))
    stored.insert(result);
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void FusionGroups::visitElementwise(Operation *op) {
  FusionNode node;
  node.op = op;
  Value result = op->getResult(0);
  for (Value operand : op->getOperands().drop_front())
    requireEqual(node, op->getOperand(0), operand);
  node.shape = getShape(op->getOperand(0));
  // A result may be known better than its operands.
  auto type = cast<RankedTensorType>(result.getType());
  Shape known = node.shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(size))
      known[dim] = shapes.getConstant(size);
  if (!shapes.equal(node.shape, known)) {
    node.checks.push_back(addCheck(op, /*broadcast=*/false, op->getOperand(0),
                                   node.shape, Value(), known));
    for (auto [x, y] : llvm::zip_equal(node.shape, known))
      shapes.unify(x, y);
  }
  shapeOf[result] = node.shape;

  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(type.getRank(), op->getContext());
  for (Value operand : op->getOperands())
    addRead(node, operand, identity);
  nodeOf[result] = addNode(std::move(node));
}

void FusionGroups::visitPhilox(Operation *op) {
  auto philox = cast<PhiloxOp>(op);
  FusionNode node;
  node.op = op;
  node.treeHasPhilox = true;
  node.shape = shapeOf[philox] = getSourceShape(philox, philox.getLike());
  AffineMap map = AffineMap::get(node.shape.size(), 0, op->getContext());
  addRead(node, philox.getSeed(), map);
  addRead(node, philox.getOffset(), map);
  nodeOf[philox] = addNode(std::move(node));
}

void FusionGroups::visitView(Operation *op) {
  folded.push_back(op);
  Value result = op->getResult(0);
  MLIRContext *context = op->getContext();
  auto type = cast<RankedTensorType>(result.getType());
  if (auto iota = dyn_cast<IotaOp>(op)) {
    shapeOf[result] = getSourceShape(result, iota.getLike());
  } else if (isa<ConstantOp>(op)) {
    getShape(result);
  } else {
    Value operand = op->getOperand(0);
    View source = resolve(operand);
    View view = source;
    view.usedOnce &= operand.hasOneUse();
    SmallVector<AffineExpr> exprs;
    Shape shape;
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      Shape from = getShape(operand);
      exprs.resize(from.size());
      for (auto [dim, fromDim] : llvm::enumerate(transpose.getPermutation())) {
        exprs[fromDim] = getAffineDimExpr(dim, context);
        shape.push_back(from[fromDim]);
      }
    } else {
      Shape from = getShape(operand);
      shape = visitBroadcast(op, view);
      for (size_t dim = 0; dim < from.size(); ++dim) {
        size_t to = shape.size() - from.size() + dim;
        bool fixed = shapes.getConstantValue(from[dim]) == 1 &&
                     shapes.getConstantValue(shape[to]) != 1;
        exprs.push_back(fixed ? getAffineConstantExpr(0, context)
                              : getAffineDimExpr(to, context));
      }
    }
    AffineMap map = AffineMap::get(type.getRank(), 0, exprs, context);
    view.map = source.map.compose(map);
    shapeOf[result] = shape;
    views[result] = std::move(view);
  }
  addCopyIfRead(op);
}

void FusionGroups::addCopyIfRead(Operation *op) {
  Value result = op->getResult(0);
  if (!isReadByHost(result))
    return;
  FusionNode node;
  node.op = op;
  node.copy = true;
  node.shape = getShape(result);
  addRead(
      node, result,
      AffineMap::getMultiDimIdentityMap(node.shape.size(), op->getContext()));
  nodeOf[result] = addNode(std::move(node));
}

void FusionGroups::visitHostOp(Operation *op) {
  hostOps.insert(op);
  unsigned level = 0;
  bool hasEffect = !isMemoryEffectFree(op);
  if (hasEffect)
    level = effectLevel;
  if (std::optional<SizeId> size = getAskedSize(op)) {
    level = shapes.getLevel(*size);
  } else {
    auto read = [&](Value value) {
      FusionNode *node = getNode(value);
      level =
          std::max(level, node ? getGroup(*node).level + 1 : getLevel(value));
    };
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::for_each(op->getOperands(), read);
    llvm::for_each(captured, read);
    auto hold = [&](Value value) {
      if (FusionNode *node = getNode(value)) {
        FusionGroup &group = getGroup(*node);
        group.lowestConsumer = std::min(group.lowestConsumer, level);
      }
    };
    llvm::for_each(op->getOperands(), hold);
    llvm::for_each(captured, hold);
  }
  if (hasEffect)
    effectLevel = level;
  for (Value result : op->getResults())
    levels[result] = level;
  learnShape(op);
}

void FusionGroups::markLive() {
  // What groups were formed with, counts values that turned out to be computed
  // only where they are read.
  stored.clear();
  for (FusionNode &node : llvm::reverse(nodes)) {
    Value result = node.op->getResult(0);
    if (isReadByHost(result)) {
      node.live = true;
      stored.insert(result);
    }
    if (!node.live)
      continue;
    for (const Read &read : node.reads)
      forEachLeaf(read, [&](const Read &leaf) {
        FusionNode *producer =
            leaf.kind == ReadKind::Free ? nullptr : getNode(leaf.source);
        if (!producer)
          return;
        producer->live = true;
        if (leaf.kind == ReadKind::Loaded)
          stored.insert(leaf.source);
      });
  }
}

void FusionGroups::mergeReaders() {
  // Only now, so that no op is taken from the kernel of its operands for it.
  llvm::DenseMap<Value, unsigned> lastReader;
  for (FusionNode &node : nodes) {
    if (!node.live)
      continue;
    for (const Read &read : node.reads) {
      if (read.kind != ReadKind::Loaded || !read.map.isIdentity())
        continue;
      unsigned group = findGroup(node.group);
      auto [it, inserted] = lastReader.try_emplace(read.source, group);
      unsigned reader = findGroup(std::exchange(it->second, group));
      unsigned level = std::max(groups[reader].level, groups[group].level);
      if (reader == group ||
          !shapes.equal(groups[reader].shape, groups[group].shape) ||
          !canLift(reader, level) || !canLift(group, level))
        continue;
      KernelSize joined = groups[reader].size + groups[group].size;
      for (const auto &input : groups[group].inputs)
        joined.operands -= groups[reader].inputs.contains(input);
      if (refuse(joined).empty())
        groups[merge(reader, group)].level = level;
    }
  }
}

FusionGroups::FusionGroups(Block &block, bool remarks)
    : block(block), remarks(remarks) {
  for (Operation &op : block) {
    if (isElementwise(&op))
      visitElementwise(&op);
    else if (isa<PhiloxOp>(op))
      visitPhilox(&op);
    else if (isFolded(&op))
      visitView(&op);
    else
      visitHostOp(&op);
  }
  markLive();
  mergeReaders();
  for (auto [index, node] : llvm::enumerate(nodes))
    if (node.live)
      getGroup(node).nodes.push_back(index);
}
