//===- Fuse.cpp - Groups of ew ops to linalg.generic ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandGeneric.h"
#include "FusionGroups.h"

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace ew {
#define GEN_PASS_DEF_EWFUSE
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

namespace {

/// `mul_sin_exp`, for the name of a kernel.
std::string getKernelName(ArrayRef<Operation *> ops) {
  constexpr size_t maxLength = 40;
  std::string name;
  unsigned left = 0;
  for (Operation *op : ops) {
    // Conversions and views say little, where there is anything else.
    if (isa<CastOp, BroadcastOp, TransposeOp, ConstantOp, IotaOp>(op))
      continue;
    StringRef mnemonic = op->getName().stripDialect();
    if (left || name.size() + mnemonic.size() + 1 > maxLength)
      ++left;
    else
      name += (name.empty() ? "" : "_") + mnemonic.str();
  }
  if (name.empty())
    name = ops.front()->getName().stripDialect().str();
  if (left)
    name += "_" + std::to_string(left) + "_more";
  return name;
}

/// Builds the body of one kernel; block arguments are added as they are needed.
class KernelBody {
public:
  KernelBody(FusionGroups &groups, const llvm::DenseMap<Value, Value> &results,
             MLIRContext *context)
      : groups(groups), results(results), builder(context) {
    builder.setInsertionPointToStart(&block);
  }

  void emit(FusionNode &node) {
    AffineMap identity = AffineMap::getMultiDimIdentityMap(
        node.shape.size(), builder.getContext());
    values[{node.op->getResult(0), identity}] =
        emitNode(node, identity, /*recompute=*/false);
  }
  Value get(FusionNode &node) {
    return values.lookup(
        {node.op->getResult(0), AffineMap::getMultiDimIdentityMap(
                                    node.shape.size(), builder.getContext())});
  }

  Block block;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<Operation *> ops; // that it computes
  OpBuilder &getBuilder() { return builder; }

private:
  /// `recompute`: the node is not one of this kernel's.
  Value emitNode(FusionNode &node, AffineMap map, bool recompute);
  Value emitRead(const Read &read, Location loc);
  Value emitInput(Value source, AffineMap map, Location loc);
  Value emitScalar(Value source, AffineMap map, unsigned depth);
  Value emitIota(IotaOp op, AffineMap map);
  Value emitPhilox(PhiloxOp op, Value seed, Value offset);

  FusionGroups &groups;
  const llvm::DenseMap<Value, Value> &results;
  OpBuilder builder;
  llvm::DenseMap<std::pair<Value, AffineMap>, Value> values;
  Value position; // of the iteration, where something asks for it
};

Value KernelBody::emitNode(FusionNode &node, AffineMap map, bool recompute) {
  SmallVector<Value, 3> operands;
  for (Read read : node.reads) {
    read.map = read.map.compose(map);
    // The map may well be the identity, where sizes are stretched at run time.
    if (recompute && read.kind == ReadKind::Fused)
      read.kind = ReadKind::Recomputed;
    operands.push_back(emitRead(read, node.op->getLoc()));
  }
  ops.push_back(node.op);
  if (node.copy)
    return operands.front();
  if (auto philox = dyn_cast<PhiloxOp>(node.op))
    return emitPhilox(philox, operands[0], operands[1]);
  IRMapping mapping;
  mapping.map(node.op->getOperands(), operands);
  Operation *scalar = builder.clone(*node.op, mapping);
  // One value may be read in two ways: by position, not by value.
  scalar->setOperands(operands);
  Value result = scalar->getResult(0);
  result.setType(getElementType(result.getType()));
  return result;
}

/// There is no scalar constant of a complex type.
static Value emitComplexSplat(OpBuilder &builder, ConstantOp constant) {
  auto type = cast<ComplexType>(getElementType(constant.getType()));
  auto part = cast<FloatType>(type.getElementType());
  auto splat = cast<DenseElementsAttr>(constant.getValue())
                   .getSplatValue<std::complex<APFloat>>();
  auto emitPart = [&](const APFloat &number) -> Value {
    return ConstantOp::create(builder, constant.getLoc(), part,
                              FloatAttr::get(part, number));
  };
  Value real = emitPart(splat.real());
  return ComplexOp::create(builder, constant.getLoc(), type, real,
                           emitPart(splat.imag()));
}

Value KernelBody::emitRead(const Read &read, Location loc) {
  if (Value value = values.lookup({read.source, read.map}))
    return value;
  Value value;
  if (read.kind == ReadKind::Recomputed)
    value = emitNode(*groups.getNode(read.source), read.map,
                     /*recompute=*/true);
  else if (read.kind == ReadKind::Loaded)
    value = emitInput(read.source, read.map, loc);
  else if (auto iota = read.source.getDefiningOp<IotaOp>())
    value = emitIota(iota, read.map);
  else if (auto constant = read.source.getDefiningOp<ConstantOp>();
           constant && isComplex(constant.getType())) {
    value = emitComplexSplat(builder, constant);
  } else if (constant && isa<DenseElementsAttr>(constant.getValue())) {
    auto splat = cast<TypedAttr>(cast<DenseElementsAttr>(constant.getValue())
                                     .getSplatValue<Attribute>());
    value =
        ConstantOp::create(builder, constant.getLoc(), splat.getType(), splat);
  } else
    value = emitScalar(read.source, read.map, 0);
  return values[{read.source, read.map}] = value;
}

Value KernelBody::emitInput(Value source, AffineMap map, Location loc) {
  Value actual = results.lookup(source);
  inputs.push_back(actual ? actual : source);
  maps.push_back(map);
  return block.addArgument(getElementType(source.getType()), source.getLoc());
}

/// Host code that feeds a kernel alone would have to run before it; a few ops
/// on numbers are computed again by every thread instead.
Value KernelBody::emitScalar(Value source, AffineMap map, unsigned depth) {
  if (Value value = values.lookup({source, map}))
    return value;
  constexpr unsigned maxDepth = 16;
  Operation *op = source.getDefiningOp();
  Value value;
  if (op && op->getNumResults() == 1 && depth < maxDepth &&
      isa_and_nonnull<EwDialect>(op->getDialect()) &&
      (isa<ConstantOp>(op) || op->hasTrait<OpTrait::Elementwise>())) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, emitScalar(operand, map, depth + 1));
    value = builder.clone(*op, mapping)->getResult(0);
  } else {
    value = emitInput(source, map, source.getLoc());
  }
  return values[{source, map}] = value;
}

Value KernelBody::emitIota(IotaOp op, AffineMap map) {
  Location loc = op.getLoc();
  Type type = getElementType(op.getType());
  Type i64 = builder.getI64Type();
  Value index;
  if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(op.getDimension()))) {
    index = linalg::IndexOp::create(builder, loc, loop.getPosition());
    index = arith::IndexCastOp::create(builder, loc, i64, index);
  } else {
    index = ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(0));
  }
  if (type == i64)
    return index;
  return CastOp::create(builder, loc, type, index, RoundingModeAttr(),
                        /*saturate=*/false, /*wrap=*/false);
}

/// It is never computed under another map than its own.
Value KernelBody::emitPhilox(PhiloxOp op, Value seed, Value offset) {
  if (!position)
    position =
        LinearIndexOp::create(builder, op.getLoc(), builder.getI64Type());
  auto element = PhiloxAtOp::create(
      builder, op.getLoc(), getElementType(op.getType()), seed, offset,
      position, op.getDistribution(), op.getStream(), /*runs=*/1);
  element->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return element;
}

/// Replaces the ew ops of a block by kernels.
class BlockFusion {
public:
  BlockFusion(Block &block, bool remarks)
      : block(block), groups(block, remarks),
        builder(block.getParentOp()->getContext()) {}

  void run();

  unsigned numKernels = 0, numFused = 0;
  unsigned getNumSplits() const { return groups.numSplits; }

private:
  /// A kernel (by its group) or a host op.
  using Item = llvm::PointerUnion<Operation *, FusionGroup *>;

  SmallVector<Item> getDependencies(Item item);
  void schedule(Item root);
  void emit(Item item);
  void emitKernel(FusionGroup &group);
  void emitCheck(ShapeCheck &check);
  Value emitShape(ShapeCheck &check, ArrayRef<SizeId> shape);

  Block &block;
  FusionGroups groups;
  OpBuilder builder;
  Operation *terminator = nullptr;
  /// For an op with an effect, the one before it.
  llvm::DenseMap<Operation *, Operation *> previousEffect;
  llvm::DenseSet<Item> done;
  llvm::DenseMap<Value, Value> results;
};

SmallVector<BlockFusion::Item> BlockFusion::getDependencies(Item item) {
  SmallVector<Item> dependencies;
  auto needValue = [&](Value value) {
    if (FusionNode *node = groups.getNode(value)) {
      if (node->live)
        dependencies.push_back(&groups.getGroup(*node));
    } else if (Operation *op = value.getDefiningOp();
               op && groups.isHostOp(op)) {
      dependencies.push_back(op);
    }
  };
  auto needShape = [&](const Shape &shape) {
    for (SizeId id : shape)
      groups.shapes.forEachRoot(groups.shapes.find(id), needValue);
  };
  if (auto *op = dyn_cast<Operation *>(item)) {
    if (Operation *previous = previousEffect.lookup(op))
      dependencies.push_back(previous);
    if (std::optional<SizeId> size = groups.getAskedSize(op)) {
      needShape({*size});
      return dependencies;
    }
    llvm::for_each(op->getOperands(), needValue);
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::for_each(captured, needValue);
    return dependencies;
  }
  auto *group = cast<FusionGroup *>(item);
  for (unsigned index : group->nodes) {
    FusionNode &node = groups.nodes[index];
    needShape(node.shape);
    for (unsigned check : node.checks)
      groups.checks[check].forEachValue(groups.shapes, needValue);
    for (const Read &read : node.reads)
      groups.forEachLeaf(read, [&](const Read &leaf) {
        if (leaf.kind == ReadKind::Loaded ||
            !isa<TensorType>(leaf.source.getType()))
          needValue(leaf.source);
      });
  }
  return dependencies;
}

void BlockFusion::schedule(Item root) {
  // Depth first, without recursion: a chain may be as long as the program.
  struct Frame {
    Item item;
    SmallVector<Item> dependencies;
    size_t next = 0;
  };
  if (!done.insert(root).second)
    return;
  std::vector<Frame> stack;
  stack.push_back({root, getDependencies(root)});
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.next == frame.dependencies.size()) {
      emit(frame.item);
      stack.pop_back();
      continue;
    }
    Item dependency = frame.dependencies[frame.next++];
    if (done.insert(dependency).second)
      stack.push_back({dependency, getDependencies(dependency)});
  }
}

void BlockFusion::emit(Item item) {
  if (auto *group = dyn_cast<FusionGroup *>(item))
    return emitKernel(*group);
  auto *op = cast<Operation *>(item);
  if (op == terminator)
    return;
  op->moveBefore(terminator);
  // The sizes of what a kernel computes are those of what it reads.
  if (std::optional<SizeId> size = groups.getAskedSize(op)) {
    builder.setInsertionPoint(op);
    op->getResult(0).replaceAllUsesWith(groups.shapes.materialize(
        builder, op->getLoc(), groups.shapes.find(*size)));
  }
}

Value BlockFusion::emitShape(ShapeCheck &check, ArrayRef<SizeId> shape) {
  SmallVector<OpFoldResult> sizes;
  for (SizeId id : shape) {
    // As it was before the check made it another one.
    if (std::optional<int64_t> constant = groups.shapes.getOwnConstant(id))
      sizes.push_back(builder.getIndexAttr(*constant));
    else
      sizes.push_back(groups.shapes.materialize(builder, check.loc, id));
  }
  return tensor::EmptyOp::create(builder, check.loc, sizes,
                                 builder.getI8Type());
}

void BlockFusion::emitCheck(ShapeCheck &check) {
  if (std::exchange(check.done, true))
    return;
  Value lhs = check.lhsTensor ? check.lhsTensor : emitShape(check, check.lhs);
  Value rhs = check.rhsTensor ? check.rhsTensor : emitShape(check, check.rhs);
  auto op =
      CheckShapesOp::create(builder, check.loc, lhs, rhs, check.broadcast);
  op->setAttr("ew.op", builder.getStringAttr(check.opName));
}

void BlockFusion::emitKernel(FusionGroup &group) {
  builder.setInsertionPoint(terminator);
  SmallVector<FusionNode *> nodes, outputs;
  for (unsigned index : group.nodes) {
    nodes.push_back(&groups.nodes[index]);
    if (groups.isStored(nodes.back()->op->getResult(0)))
      outputs.push_back(nodes.back());
    for (unsigned check : nodes.back()->checks)
      emitCheck(groups.checks[check]);
  }

  KernelBody body(groups, results, builder.getContext());
  for (FusionNode *node : nodes)
    body.emit(*node);

  SmallVector<Location> locs;
  for (FusionNode *node : outputs)
    locs.push_back(node->op->getLoc());
  Location loc = builder.getFusedLoc(locs);
  const Shape &shape = outputs.front()->shape;
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(shape.size(), builder.getContext());
  SmallVector<Value> inits, yields;
  SmallVector<Type> types;
  SmallVector<AffineMap> maps = body.maps;
  for (FusionNode *node : outputs) {
    auto type = cast<RankedTensorType>(node->op->getResult(0).getType());
    SmallVector<Value> sizes;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (ShapedType::isDynamic(size))
        sizes.push_back(groups.shapes.materialize(
            builder, node->op->getLoc(), groups.shapes.find(shape[dim])));
    inits.push_back(tensor::EmptyOp::create(
        builder, node->op->getLoc(), type.getShape(), type.getElementType(),
        sizes, type.getEncoding()));
    yields.push_back(body.get(*node));
    types.push_back(type);
    maps.push_back(identity);
    body.block.addArgument(type.getElementType(), node->op->getLoc());
  }
  linalg::YieldOp::create(body.getBuilder(), loc, yields);

  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(builder, loc, types, body.inputs,
                                           inits, maps, iterators);
  Block *target = builder.createBlock(&generic.getRegion());
  for (BlockArgument argument : body.block.getArguments())
    argument.replaceAllUsesWith(
        target->addArgument(argument.getType(), argument.getLoc()));
  target->getOperations().splice(target->end(), body.block.getOperations());
  generic->setAttr("ew.ops", builder.getStringAttr(getKernelName(body.ops)));

  for (auto [node, result] : llvm::zip_equal(outputs, generic.getResults()))
    results[node->op->getResult(0)] = result;
  ++numKernels;
  numFused += nodes.size();
}

void BlockFusion::run() {
  if (groups.empty())
    return;
  terminator = &block.back();
  SmallVector<Operation *> hostOps;
  Operation *effect = nullptr;
  for (Operation &op : block) {
    if (!groups.isHostOp(&op))
      continue;
    hostOps.push_back(&op);
    if (!isMemoryEffectFree(&op))
      previousEffect[&op] = std::exchange(effect, &op);
  }
  for (Operation *op : hostOps)
    schedule(op);
  // What only another block reads.
  for (FusionNode &node : groups.nodes)
    if (node.live)
      schedule(&groups.getGroup(node));

  SmallVector<Operation *> dead;
  for (const FusionNode &node : groups.nodes)
    if (!node.copy)
      dead.push_back(node.op);
  llvm::append_range(dead, groups.folded);
  for (const FusionNode &node : groups.nodes)
    if (Value result = results.lookup(node.op->getResult(0)))
      node.op->getResult(0).replaceAllUsesWith(result);
  // All their users are in this list or were replaced.
  for (Operation *op : dead)
    op->dropAllUses();
  for (Operation *op : dead)
    op->erase();
  for (Operation *op : llvm::reverse(hostOps))
    if (op != terminator && isOpTriviallyDead(op))
      op->erase();
}

struct Fuse : ew::impl::EwFuseBase<Fuse> {
  using EwFuseBase::EwFuseBase;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> generics;
    getOperation()->walk([&](linalg::GenericOp op) { generics.push_back(op); });
    // What is not elementwise, stays where it is.
    for (linalg::GenericOp op : generics)
      (void)expandGeneric(op);

    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (!block->empty() && block->mightHaveTerminator())
        blocks.push_back(block);
    });
    for (Block *block : blocks) {
      BlockFusion fusion(*block, remarks);
      fusion.run();
      numKernels += fusion.numKernels;
      numFused += fusion.numFused;
      numSplits += fusion.getNumSplits();
    }
  }
};

} // namespace
