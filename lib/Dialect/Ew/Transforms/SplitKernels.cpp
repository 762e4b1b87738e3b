//===- SplitKernels.cpp - Two kernels in place of one ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/Transforms/SplitKernels.h"

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace ew {
#define GEN_PASS_DEF_EWSPLITKERNELS
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

/// Cuts whose parts need up to this much more than those of the best one are as
/// good: then fewer bytes count.
static constexpr double nearlyAsFew = 1.25;

static unsigned getBits(Type type) {
  if (isComplex(type))
    return 2 * getBits(getPartType(type));
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}
static unsigned getBytes(Type type) {
  return llvm::divideCeil(getBits(type), 8);
}
static unsigned getRegisters(Type type) {
  return llvm::divideCeil(getBits(type), 32);
}

/// The value whose buffer this is.
static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value;
}

namespace {
/// What one of two kernels computes.
struct Part {
  SmallVector<Operation *> ops; // in order
  llvm::SmallSetVector<BlockArgument, 8> inputs;
  /// Of the first part; a value that the second one reads, too, is here once.
  SmallVector<Value> passed;
  SmallVector<unsigned> results; // of the whole, which it stores
};

/// The body of a kernel, whose ops are to be divided.
class Body {
public:
  explicit Body(linalg::GenericOp kernel);

  /// Cuts are numbers from 1 to this, both left out.
  size_t size() const { return ordinary.size(); }
  Operation *getOp(size_t number) const { return ordinary[number]; }

  /// The parts of a cut, or nothing where it must not be made.
  std::optional<std::pair<Part, Part>> cut(size_t at) const;
  /// What is live at once, at the most.
  unsigned getLive(const Part &part) const;
  unsigned getLive() const;
  uint64_t getPassedBytes(const Part &first, const Part &second) const;

private:
  Operation *yield() const { return yieldOp; }
  void collect(ArrayRef<Value> wanted, size_t begin, Part &part) const;
  bool isOrdinary(Operation *op) const { return op && numberOf.contains(op); }

  mutable linalg::GenericOp kernel; // MLIR's ops know no const
  Operation *yieldOp;
  /// Ops that are computed in one part only. To compute the others again costs
  /// less than to pass on what they give.
  SmallVector<Operation *> ordinary;
  llvm::DenseMap<Operation *, size_t> numberOf;
};
} // namespace

Body::Body(linalg::GenericOp kernel)
    : kernel(kernel), yieldOp(kernel.getBody()->getTerminator()) {
  for (Operation &op : kernel.getBody()->without_terminator()) {
    bool fromOrdinary = llvm::any_of(op.getOperands(), [&](Value operand) {
      return isOrdinary(operand.getDefiningOp());
    });
    // An index cannot be stored at all.
    if (op.hasTrait<OpTrait::ConstantLike>() ||
        (!fromOrdinary && isa<linalg::IndexOp, LinearIndexOp,
                              arith::IndexCastOp, CastOp, RealOp, ImagOp>(op)))
      continue;
    numberOf[&op] = ordinary.size();
    ordinary.push_back(&op);
  }
}

/// What `wanted` is computed from, but for ordinary ops before `begin`.
void Body::collect(ArrayRef<Value> wanted, size_t begin, Part &part) const {
  SmallVector<Value> stack(wanted);
  llvm::DenseSet<Operation *> seen;
  while (!stack.empty()) {
    Value value = stack.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      part.inputs.insert(argument);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op->getBlock() != yield()->getBlock())
      continue; // a constant of the function's
    if (isOrdinary(op) && numberOf.lookup(op) < begin)
      continue; // it is passed on
    if (!seen.insert(op).second)
      continue;
    part.ops.push_back(op);
    llvm::append_range(stack, op->getOperands());
  }
  llvm::sort(part.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  // In the order of the whole kernel's.
  SmallVector<BlockArgument> inputs = part.inputs.takeVector();
  llvm::sort(inputs, [](BlockArgument a, BlockArgument b) {
    return a.getArgNumber() < b.getArgNumber();
  });
  part.inputs.insert_range(inputs);
}

std::optional<std::pair<Part, Part>> Body::cut(size_t at) const {
  auto isOfFirst = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return isOrdinary(op) && numberOf.lookup(op) < at;
  };
  Part first, second;
  SmallVector<Value> firstResults, secondResults;
  for (auto [index, value] : llvm::enumerate(yield()->getOperands())) {
    bool early = isOfFirst(value);
    (early ? first : second).results.push_back(index);
    (early ? firstResults : secondResults).push_back(value);
  }
  collect(secondResults, at, second);
  llvm::SmallSetVector<Value, 8> passed;
  for (Operation *op : second.ops)
    for (Value operand : op->getOperands())
      if (isOfFirst(operand))
        passed.insert(operand);
  first.passed.assign(passed.begin(), passed.end());
  llvm::append_range(firstResults, first.passed);
  collect(firstResults, 0, first);
  if (first.ops.empty() || second.ops.empty())
    return std::nullopt;
  // What an argument held is gone once a result is written in its place.
  for (unsigned result : first.results)
    for (BlockArgument input : second.inputs)
      if (skipCasts(kernel.getDpsInits()[result]) ==
          skipCasts(kernel->getOperand(input.getArgNumber())))
        return std::nullopt;
  return std::make_pair(std::move(first), std::move(second));
}

/// Loads are all on their way before the first op, stores follow the last one.
unsigned Body::getLive(const Part &part) const {
  llvm::DenseMap<Value, unsigned> usesLeft;
  unsigned live = 0;
  auto use = [&](Value value) { ++usesLeft[value]; };
  for (Operation *op : part.ops)
    llvm::for_each(op->getOperands(), use);
  for (unsigned result : part.results)
    use(yield()->getOperand(result));
  llvm::for_each(part.passed, use);
  auto isLoaded = [&](Value value) {
    return isa<BlockArgument>(value) ||
           !llvm::is_contained(part.ops, value.getDefiningOp());
  };
  for (auto [value, uses] : usesLeft)
    if (isLoaded(value))
      live += getRegisters(value.getType());
  unsigned most = live;
  for (Operation *op : part.ops) {
    for (Value operand : op->getOperands())
      if (--usesLeft[operand] == 0)
        live -= getRegisters(operand.getType());
    for (Value result : op->getResults())
      if (usesLeft.lookup(result))
        live += getRegisters(result.getType());
    most = std::max(most, live);
  }
  return most;
}

unsigned Body::getLive() const {
  Part whole;
  for (Operation &op : kernel.getBody()->without_terminator())
    whole.ops.push_back(&op);
  unsigned results = yield()->getNumOperands();
  for (unsigned index = 0; index < results; ++index)
    whole.results.push_back(index);
  return getLive(whole);
}

uint64_t Body::getPassedBytes(const Part &first, const Part &second) const {
  uint64_t bytes = 0, again = 0;
  for (Value value : first.passed)
    bytes += getBytes(value.getType());
  for (BlockArgument input : second.inputs)
    if (first.inputs.contains(input))
      again += getBytes(input.getType());
  return bytes + again / 2;
}

/// The number of the cut, and what is known of it.
static std::optional<std::pair<size_t, KernelCut>> find(const Body &body) {
  unsigned live = body.getLive();
  std::vector<std::pair<size_t, KernelCut>> cuts;
  unsigned fewest = live;
  for (size_t at = 1; at < body.size(); ++at) {
    auto parts = body.cut(at);
    if (!parts)
      continue;
    auto &[first, second] = *parts;
    KernelCut cut{body.getOp(at), body.getPassedBytes(first, second), live,
                  std::max(body.getLive(first), body.getLive(second))};
    if (cut.liveInParts >= live)
      continue;
    fewest = std::min(fewest, cut.liveInParts);
    cuts.push_back({at, cut});
  }
  std::optional<std::pair<size_t, KernelCut>> best;
  for (const auto &cut : cuts)
    if (cut.second.liveInParts <= fewest * nearlyAsFew &&
        (!best || cut.second.bytes < best->second.bytes ||
         (cut.second.bytes == best->second.bytes &&
          cut.second.liveInParts < best->second.liveInParts)))
      best = cut;
  return best;
}

std::optional<KernelCut> ew::findCut(linalg::GenericOp op) {
  auto found = find(Body(op));
  if (!found)
    return std::nullopt;
  return found->second;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
/// Builds one of the kernels. `known` has what others have stored.
class PartBuilder {
public:
  PartBuilder(OpBuilder &builder, linalg::GenericOp whole, const Part &part)
      : builder(builder), whole(whole), part(part) {}

  linalg::GenericOp build(const llvm::DenseMap<Value, Value> &known,
                          unsigned number);

private:
  Value makeInit(Value passed);

  OpBuilder &builder;
  linalg::GenericOp whole;
  const Part &part;
};
} // namespace

/// As large as the whole's results are.
Value PartBuilder::makeInit(Value passed) {
  Location loc = passed.getLoc();
  Value like = whole.getDpsInits().front();
  SmallVector<OpFoldResult> sizes;
  if (auto empty = like.getDefiningOp<tensor::EmptyOp>())
    sizes = empty.getMixedSizes();
  else
    sizes = tensor::getMixedSizes(builder, loc, like);
  return tensor::EmptyOp::create(builder, loc, sizes, passed.getType());
}

linalg::GenericOp PartBuilder::build(const llvm::DenseMap<Value, Value> &known,
                                     unsigned number) {
  SmallVector<AffineMap> wholeMaps = whole.getIndexingMapsArray(), maps;
  AffineMap identity = builder.getMultiDimIdentityMap(whole.getNumLoops());
  SmallVector<Value> inputs, inits, yields;
  SmallVector<Value> inside; // what the body knows an input by
  for (BlockArgument argument : part.inputs) {
    inputs.push_back(whole->getOperand(argument.getArgNumber()));
    maps.push_back(wholeMaps[argument.getArgNumber()]);
    inside.push_back(argument);
  }
  llvm::SmallSetVector<Value, 8> loaded;
  for (Operation *op : part.ops)
    for (Value operand : op->getOperands())
      if (known.contains(operand))
        loaded.insert(operand);
  for (Value value : loaded) {
    inputs.push_back(known.lookup(value));
    maps.push_back(identity);
    inside.push_back(value);
  }
  Operation *yield = whole.getBody()->getTerminator();
  for (unsigned result : part.results) {
    inits.push_back(whole.getDpsInits()[result]);
    yields.push_back(yield->getOperand(result));
  }
  for (Value value : part.passed)
    if (!llvm::is_contained(yields, value)) {
      inits.push_back(makeInit(value));
      yields.push_back(value);
    }
  maps.append(inits.size(), identity);

  SmallVector<Location> locs;
  for (Value value : yields)
    locs.push_back(value.getLoc());
  auto kernel = linalg::GenericOp::create(
      builder, builder.getFusedLoc(locs), TypeRange(inits), inputs, inits, maps,
      whole.getIteratorTypesArray(),
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (auto [value, argument] : llvm::zip(inside, arguments))
          mapping.map(value, argument);
        for (Operation *op : part.ops)
          body.clone(*op, mapping);
        SmallVector<Value> results;
        for (Value value : yields)
          results.push_back(mapping.lookupOrDefault(value));
        linalg::YieldOp::create(body, loc, results);
      });
  if (auto ops = whole->getAttrOfType<StringAttr>("ew.ops"))
    kernel->setAttr("ew.ops", builder.getStringAttr(ops.getValue() + "_part_" +
                                                    Twine(number)));
  return kernel;
}

namespace {
struct SplitKernels : ew::impl::EwSplitKernelsBase<SplitKernels> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> marked;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op->hasAttr(splitAttrName))
        marked.push_back(op);
    });
    for (linalg::GenericOp op : marked)
      if (failed(split(op)))
        return signalPassFailure();
  }

private:
  LogicalResult split(linalg::GenericOp op);
};
} // namespace

LogicalResult SplitKernels::split(linalg::GenericOp op) {
  // A kernel, as ew-fuse makes them.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() == 0 ||
      llvm::any_of(ArrayRef(maps).take_back(op.getNumDpsInits()),
                   [](AffineMap map) { return !map.isIdentity(); }))
    return op.emitOpError("is no kernel that ew-split-kernels can split");
  Body body(op);
  auto found = find(body);
  if (!found)
    return op.emitOpError("cannot be split into two smaller kernels");
  auto [first, second] = *body.cut(found->first);
  OpBuilder builder(op);
  llvm::DenseMap<Value, Value> stored;
  linalg::GenericOp one = PartBuilder(builder, op, first).build(stored, 1);
  SmallVector<Value> yields;
  for (unsigned result : first.results)
    yields.push_back(op.getBody()->getTerminator()->getOperand(result));
  for (Value value : first.passed)
    if (!llvm::is_contained(yields, value))
      yields.push_back(value);
  for (auto [value, result] : llvm::zip_equal(yields, one.getResults()))
    stored.try_emplace(value, result);
  linalg::GenericOp two = PartBuilder(builder, op, second).build(stored, 2);
  for (auto [number, result] : llvm::enumerate(first.results))
    op.getResult(result).replaceAllUsesWith(one.getResult(number));
  for (auto [number, result] : llvm::enumerate(second.results))
    op.getResult(result).replaceAllUsesWith(two.getResult(number));
  op.erase();
  ++numSplit;
  return success();
}
