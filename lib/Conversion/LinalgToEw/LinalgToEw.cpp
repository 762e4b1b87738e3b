//===- LinalgToEw.cpp - Elementwise linalg ops to ew ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Conversion/Raising.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ew;

namespace {

/// Raises one linalg op. Loops are numbered as the dimensions of the first
/// output are: every value of the body becomes a tensor of that shape.
class LinalgRaiser {
public:
  LinalgRaiser(linalg::LinalgOp op, const RaisingTable &table, Raiser &raiser)
      : op(op), table(table), raiser(raiser), builder(raiser.getBuilder()) {}

  LogicalResult raise(SmallVectorImpl<Value> &results);

private:
  /// The loop of each dimension of an operand; `stretched` where a size of 1
  /// is indexed by 0.
  using Dims = SmallVector<int64_t>;
  static constexpr int64_t stretched = -1;

  LogicalResult checkTypes();
  LogicalResult numberLoops();
  FailureOr<Dims> getDims(OpOperand &operand);
  LogicalResult findSizes();
  void findLike();
  void checkSizes();

  RankedTensorType getType(Type element) {
    return RankedTensorType::get(sizes, element);
  }
  FailureOr<Value> spread(OpOperand &operand);
  Value transpose(Value value, ArrayRef<int64_t> permutation);
  FailureOr<Value> lookup(Value value);
  LogicalResult raiseBodyOp(Operation &bodyOp);

  linalg::LinalgOp op;
  const RaisingTable &table;
  Raiser &raiser;
  OpBuilder &builder;

  SmallVector<int64_t> loopOf; // by the number the op gives a loop
  DenseMap<OpOperand *, Dims> dims;
  SmallVector<int64_t> sizes;
  Value like; // null where every size is static
  IRMapping values;
};

//===----------------------------------------------------------------------===//
// What can be raised
//===----------------------------------------------------------------------===//

LogicalResult LinalgRaiser::checkTypes() {
  if (!op.hasPureTensorSemantics())
    return raiser.refuse("it works on buffers");
  if (op.getNumDpsInits() == 0)
    return raiser.refuse("it has no output");
  for (Type type : op->getOperandTypes())
    if (!isRaised(type))
      return raiser.refuse("the type " + toString(type) +
                           " has no equal in ew");
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind != utils::IteratorType::parallel)
      return raiser.refuse("loop " + Twine(loop) + " is a " +
                           utils::stringifyIteratorType(kind));
  return success();
}

LogicalResult LinalgRaiser::numberLoops() {
  loopOf.assign(op.getNumLoops(), 0);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (!map.isPermutation())
      return raiser.refuse(
          "the map of output " +
          Twine(init.getOperandNumber() - op.getNumDpsInputs()) +
          " is no permutation of the loops");
  }
  AffineMap first = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (unsigned i = 0; i < first.getNumResults(); ++i)
    loopOf[first.getDimPosition(i)] = i;
  return success();
}

FailureOr<LinalgRaiser::Dims> LinalgRaiser::getDims(OpOperand &operand) {
  Dims result;
  llvm::SmallDenseSet<int64_t> seen;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      int64_t loop = loopOf[dim.getPosition()];
      if (seen.insert(loop).second) {
        result.push_back(loop);
        continue;
      }
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      if (constant.getValue() == 0 && type.getDimSize(i) == 1) {
        result.push_back(stretched);
        continue;
      }
    }
    return raiser.refuse("dimension " + Twine(i) + " of operand " +
                         Twine(operand.getOperandNumber()) +
                         " is indexed neither by a loop of its own nor, at "
                         "size 1, by 0");
  }
  if (static_cast<int64_t>(result.size()) > op.getNumLoops())
    return raiser.refuse("operand " + Twine(operand.getOperandNumber()) +
                         " has more dimensions than there are loops");
  return result;
}

/// The sizes of the loops, as static as any operand tells.
LogicalResult LinalgRaiser::findSizes() {
  sizes.assign(op.getNumLoops(), ShapedType::kDynamic);
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<Dims> found = getDims(operand);
    if (failed(found))
      return failure();
    for (auto [i, loop] : llvm::enumerate(*found)) {
      int64_t size =
          cast<RankedTensorType>(operand.get().getType()).getDimSize(i);
      if (loop != stretched && !ShapedType::isDynamic(size))
        sizes[loop] = size;
    }
    dims[&operand] = std::move(*found);
  }
  return success();
}

/// An operand of the full shape gives dynamic sizes: an input if there is one,
/// so that an output that nothing reads vanishes.
void LinalgRaiser::findLike() {
  if (!ShapedType::isDynamicShape(sizes))
    return;
  auto identity = llvm::seq<int64_t>(0, op.getNumLoops());
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (type && type.getShape() == ArrayRef(sizes) &&
        llvm::equal(dims[input], identity)) {
      like = input->get();
      return;
    }
  }
  like = op.getDpsInitOperand(0)->get();
}

/// A value of the same shape that is there already: a check of what a kernel
/// computes on the way would make it a result.
static Value getShapeSource(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    bool keepsShape = isa<EwDialect>(def->getDialect()) &&
                      def->hasTrait<OpTrait::Elementwise>();
    if (!keepsShape || def->getNumOperands() == 0 ||
        !isa<RankedTensorType>(def->getOperand(0).getType()))
      break;
    value = def->getOperand(0);
  }
  return value;
}

/// Operands that every loop indexes in its turn have one size, outputs that are
/// never read included: an ew op says so of its operands only, and a broadcast
/// would stretch a size of 1.
void LinalgRaiser::checkSizes() {
  auto identity = llvm::seq<int64_t>(0, op.getNumLoops());
  Value whole = like;
  if (!whole && llvm::equal(dims[op.getDpsInitOperand(0)], identity))
    whole = op.getDpsInitOperand(0)->get();
  if (!whole)
    return;
  auto wholeType = cast<RankedTensorType>(whole.getType());
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    // An empty tensor of dynamic size is made for the loops.
    if (!type || value == whole || value.getDefiningOp<tensor::EmptyOp>() ||
        (type.hasStaticShape() && wholeType.hasStaticShape()) ||
        type.getRank() != wholeType.getRank() ||
        !llvm::equal(dims[&operand], identity))
      continue;
    // An input of the loops' type is an ew op's operand as it is, and compared
    // there.
    if (op.isDpsInput(&operand) && type.getShape() == ArrayRef(sizes))
      continue;
    Value lhs = getShapeSource(whole), rhs = getShapeSource(value);
    bool isKnown =
        lhs == rhs || llvm::any_of(lhs.getUsers(), [&](Operation *user) {
          auto check = dyn_cast<CheckShapesOp>(user);
          return check && check.getLhs() == lhs && check.getRhs() == rhs;
        });
    if (!isKnown)
      CheckShapesOp::create(builder, op.getLoc(), lhs, rhs,
                            /*broadcast=*/false);
  }
}

//===----------------------------------------------------------------------===//
// Operands at the shape of the loops
//===----------------------------------------------------------------------===//

/// Dimension i of the result is dimension permutation[i] of `value`.
Value LinalgRaiser::transpose(Value value, ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  return TransposeOp::create(
      builder, raiser.getLoc(),
      RankedTensorType::get(shape, type.getElementType()), value, permutation);
}

FailureOr<Value> LinalgRaiser::spread(OpOperand &operand) {
  Value value = operand.get();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return raiser.broadcast(value, getType(value.getType()), like);

  // A stretched size of 1 takes a loop that indexes no other dimension, one
  // that keeps the dimensions in order where there is such a loop.
  Dims order = dims[&operand];
  SmallVector<int64_t> missing;
  for (int64_t loop = 0; loop < op.getNumLoops(); ++loop)
    if (!llvm::is_contained(order, loop))
      missing.push_back(loop);
  for (int64_t i = order.size() - 1; i >= 0; --i) {
    if (order[i] != stretched)
      continue;
    bool last = i + 1 == static_cast<int64_t>(order.size());
    int64_t bound = last ? op.getNumLoops() : order[i + 1];
    auto fits = [&](int64_t loop) { return loop < bound; };
    auto *chosen = &missing.back();
    if (auto found = llvm::find_if(llvm::reverse(missing), fits);
        found != missing.rend())
      chosen = &*found;
    order[i] = *chosen;
    missing.erase(chosen);
  }
  // Broadcasting adds the loops that the operand does not depend on in front.
  order.insert(order.begin(), missing.begin(), missing.end());

  // Dimension i of the stretched operand is loop order[i].
  SmallVector<int64_t> shape, toLoops(order.size());
  for (auto [i, loop] : llvm::enumerate(order)) {
    shape.push_back(sizes[loop]);
    toLoops[loop] = i;
  }
  if (ArrayRef(shape) != type.getShape()) {
    auto full = RankedTensorType::get(shape, type.getElementType());
    Value shapeOf = full.hasStaticShape() ? Value() : transpose(like, order);
    value = BroadcastOp::create(builder, raiser.getLoc(), full, value, shapeOf);
  }
  return transpose(value, toLoops);
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// The tensor that stands for a scalar of the body, constants and scalars from
/// outside included.
FailureOr<Value> LinalgRaiser::lookup(Value value) {
  if (Value known = values.lookupOrNull(value))
    return known;
  Type element = getRaisedElementType(value.getType());
  if (!element)
    return raiser.refuse("the type " + toString(value.getType()) +
                         " has no equal in ew");
  Attribute constant;
  Value scalar = value;
  auto complex = dyn_cast<ComplexType>(element);
  if (complex && matchPattern(value, m_Constant(&constant))) {
    scalar = raiser.complexConstant(complex, cast<ArrayAttr>(constant));
  } else if (matchPattern(value, m_Constant(&constant))) {
    TypedAttr typed = cast<TypedAttr>(constant);
    if (value.getType().isIndex())
      typed = builder.getI64IntegerAttr(cast<IntegerAttr>(constant).getInt());
    scalar = ConstantOp::create(builder, raiser.getLoc(), element, typed);
  } else if (value.getType().isIndex()) {
    scalar =
        arith::IndexCastOp::create(builder, raiser.getLoc(), element, value);
  }
  Value result = raiser.broadcast(scalar, getType(element), like);
  values.map(value, result);
  return result;
}

LogicalResult LinalgRaiser::raiseBodyOp(Operation &bodyOp) {
  // The bodies of named ops have no locations of their own.
  raiser.setLoc(isa<UnknownLoc>(bodyOp.getLoc()) ? op.getLoc()
                                                 : bodyOp.getLoc());
  if (auto index = dyn_cast<linalg::IndexOp>(bodyOp)) {
    values.map(index.getResult(),
               IotaOp::create(
                   builder, raiser.getLoc(), getType(builder.getI64Type()),
                   builder.getI64IntegerAttr(loopOf[index.getDim()]), like));
    return success();
  }
  for (Type type : bodyOp.getResultTypes())
    if (!getRaisedElementType(type))
      return raiser.refuse("the type " + toString(type) + " of its " +
                           bodyOp.getName().getStringRef() +
                           " has no equal in ew");
  if (bodyOp.hasTrait<OpTrait::ConstantLike>())
    return success();
  bool isEw = isa_and_present<EwDialect>(bodyOp.getDialect()) &&
              bodyOp.hasTrait<OpTrait::Elementwise>();
  RaiseFn function = table.lookup(&bodyOp);
  if (!function && !isEw)
    return raiser.refuse("its " + bodyOp.getName().getStringRef() +
                         " has no equal in ew");
  SmallVector<Value> operands, results;
  for (Value operand : bodyOp.getOperands()) {
    FailureOr<Value> raised = lookup(operand);
    if (failed(raised))
      return failure();
    operands.push_back(*raised);
  }
  if (isEw) {
    // On tensors as on numbers.
    Operation *tensors = builder.clone(bodyOp);
    tensors->setOperands(operands);
    for (auto [result, raised] :
         llvm::zip_equal(bodyOp.getResults(), tensors->getResults())) {
      raised.setType(getType(result.getType()));
      values.map(result, raised);
    }
    return success();
  }
  Operation *before = op->getPrevNode();
  if (failed(function(raiser, &bodyOp, operands, results)))
    return failure();
  raiser.handOnMode(&bodyOp, before, op);
  values.map(bodyOp.getResults(), results);
  return success();
}

LogicalResult LinalgRaiser::raise(SmallVectorImpl<Value> &results) {
  if (failed(checkTypes()) || failed(numberLoops()) || failed(findSizes()))
    return failure();
  findLike();
  checkSizes();
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    FailureOr<Value> value = spread(operand);
    if (failed(value))
      return failure();
    values.map(argument, *value);
  }
  for (Operation &bodyOp : op.getBlock()->without_terminator())
    if (failed(raiseBodyOp(bodyOp)))
      return failure();

  Operation *yield = op.getBlock()->getTerminator();
  raiser.setLoc(op.getLoc());
  for (auto [i, value] : llvm::enumerate(yield->getOperands())) {
    FailureOr<Value> raised = lookup(value);
    if (failed(raised))
      return failure();
    Value result = transpose(*raised, dims[op.getDpsInitOperand(i)]);
    Type type = op->getResult(i).getType();
    if (result.getType() != type)
      result = tensor::CastOp::create(builder, op.getLoc(), type, result);
    results.push_back(result);
  }
  return success();
}

} // namespace

LogicalResult ew::raiseLinalgOp(linalg::LinalgOp op, const RaisingTable &table,
                                Raiser &raiser,
                                SmallVectorImpl<Value> &results) {
  return LinalgRaiser(op, table, raiser).raise(results);
}
