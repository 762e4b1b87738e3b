//===- EwOps.cpp - Verifiers of the ew ops --------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ew;

// An enumeration between parentheses; the attribute's own printer begins with a
// space.
template <typename EnumAttr>
static ParseResult parseEnum(OpAsmParser &parser, EnumAttr &attr) {
  auto value = FieldParser<decltype(attr.getValue())>::parse(parser);
  if (failed(value))
    return failure();
  attr = EnumAttr::get(parser.getContext(), *value);
  return success();
}

template <typename EnumAttr>
static void printEnum(OpAsmPrinter &printer, Operation *, EnumAttr attr) {
  printer.printKeywordOrString(stringifyEnum(attr.getValue()));
}

#define GET_OP_CLASSES
#include "ew/Dialect/Ew/IR/EwOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Comparison and activation
//===----------------------------------------------------------------------===//

LogicalResult CmpOp::verify() {
  Type element = getElementType(getLhs().getType());
  CmpPredicate predicate = getPredicate();
  if (isa<ComplexType>(element)) {
    if (predicate == CmpPredicate::oeq || predicate == CmpPredicate::une)
      return success();
    return emitOpError("complex numbers have no order: the predicate must be "
                       "oeq or une, not ")
           << stringifyCmpPredicate(predicate);
  }
  bool forIntegers = predicate <= CmpPredicate::ge;
  if (isa<FloatType>(element) == forIntegers)
    return emitOpError("predicate '")
           << stringifyCmpPredicate(predicate) << "' is for "
           << (forIntegers ? "integers and booleans; floating point takes "
                             "oeq, one, olt, ole, ogt, oge, ord, ueq, une, "
                             "ult, ule, ugt, uge or uno"
                           : "floating point; integers take eq, ne, lt, le, "
                             "gt or ge")
           << ", and the operands are " << element;
  if (element.isInteger(1) && predicate > CmpPredicate::ne)
    return emitOpError("booleans have no order: the predicate must be eq or "
                       "ne, not ")
           << stringifyCmpPredicate(predicate);
  return success();
}

LogicalResult CeluOp::verify() {
  APFloat alpha = getAlpha();
  StringRef computed = "f64";
  if (!getElementType(getType()).isF64()) {
    bool losesInfo;
    alpha.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    computed = "f32";
  }
  if (!alpha.isFiniteNonZero())
    return emitOpError("alpha must be a number of ")
           << computed << " other than 0";
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::verify() {
  if (!isa<IntegerAttr, FloatAttr, ElementsAttr>(getValue()))
    return emitOpError("value must be a number, a boolean or dense elements");
  if (auto shaped = dyn_cast<ShapedType>(getType());
      shaped && !shaped.hasStaticShape())
    return emitOpError("result must have a static shape: broadcast a scalar "
                       "constant instead");
  return success();
}

/// `like` gives a result its dynamic sizes, and is asked for where there are
/// any.
template <typename Op>
static LogicalResult verifyLike(Op op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (!op.getLike() && !type.hasStaticShape())
    return op.emitOpError("needs `like` to give the result ")
           << type << " its dynamic sizes";
  return success();
}

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  if (static_cast<int64_t>(getDimension()) >= type.getRank())
    return emitOpError("dimension ")
           << getDimension() << " is out of range for a result of rank "
           << type.getRank();
  if (getLike() && failed(verifyCompatibleShape(type, getLike().getType())))
    return emitOpError("`like` must have the result's shape, but is ")
           << getLike().getType();
  return verifyLike(*this);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verify() {
  Type from = getElementType(getOperand().getType());
  Type to = getElementType(getType());
  if (isa<ComplexType>(from) || isa<ComplexType>(to)) {
    if (!isa<ComplexType>(from) || !isa<ComplexType>(to))
      return emitOpError("from ")
             << from << " to " << to
             << " is not one number: use ew.complex, or ew.real and ew.imag";
    from = getPartType(from);
    to = getPartType(to);
  }
  bool rounds = isa<FloatType>(from) && !to.isInteger(1);
  bool saturates =
      (isa<FloatType>(to) || !to.isInteger(1)) && !from.isInteger(1);
  // From an integer to floating point rounds too.
  rounds |= isa<FloatType>(to) && !from.isInteger(1);
  if (getRound() && !rounds)
    return emitOpError("`round` has no meaning from ") << from << " to " << to;
  if (getSaturate() && !saturates)
    return emitOpError("`saturate` has no meaning from ")
           << from << " to " << to;
  if (getWrap() &&
      (!isa<FloatType>(from) || isa<FloatType>(to) || to.isInteger(1)))
    return emitOpError("`wrap` has no meaning from ")
           << from << " to " << to
           << ": it is for floating point to integers of 8 to 64 bits";
  if (getWrap() && getSaturate())
    return emitOpError("`wrap` and `saturate` exclude each other");
  return success();
}

LogicalResult BitcastOp::verify() {
  Type from = getElementType(getOperand().getType());
  Type to = getElementType(getType());
  if (from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return emitOpError("types must have one width, but ")
           << from << " has " << from.getIntOrFloatBitWidth() << " bits and "
           << to << " has " << to.getIntOrFloatBitWidth();
  return success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Whether `from` can be stretched to `to` at compile time's best knowledge.
static bool canStretch(int64_t from, int64_t to) {
  return from == 1 || ShapedType::isDynamic(from) ||
         ShapedType::isDynamic(to) || from == to;
}

LogicalResult BroadcastOp::verify() {
  auto result = cast<RankedTensorType>(getType());
  if (getElementType(getOperand().getType()) != result.getElementType())
    return emitOpError("element type of the result must be ")
           << getElementType(getOperand().getType()) << ", not "
           << result.getElementType();
  auto verifyFits = [&](Type type, StringRef what) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    if (tensor.getRank() > result.getRank())
      return emitOpError() << what << " " << tensor
                           << " has a higher rank than the result " << result;
    int64_t lead = result.getRank() - tensor.getRank();
    for (int64_t i = 0; i < tensor.getRank(); ++i)
      if (!canStretch(tensor.getDimSize(i), result.getDimSize(lead + i)))
        return emitOpError()
               << what << " " << tensor << " does not broadcast to " << result
               << ": dimension " << i << " is " << tensor.getDimSize(i)
               << " and cannot become " << result.getDimSize(lead + i);
    return success();
  };
  if (failed(verifyFits(getOperand().getType(), "operand")))
    return failure();
  if (!getLike())
    return verifyLike(*this);
  if (failed(verifyFits(getLike().getType(), "`like`")))
    return failure();
  // With `like`, nothing else gives the result its shape.
  SmallVector<int64_t> from,
      like(cast<RankedTensorType>(getLike().getType()).getShape());
  if (auto tensor = dyn_cast<RankedTensorType>(getOperand().getType()))
    from.assign(tensor.getShape().begin(), tensor.getShape().end());
  int64_t rank = result.getRank();
  if (static_cast<int64_t>(std::max(from.size(), like.size())) != rank)
    return emitOpError("result ")
           << result << " must have rank " << std::max(from.size(), like.size())
           << ", the larger of the operand's and that of `like`";
  from.insert(from.begin(), rank - from.size(), 1);
  like.insert(like.begin(), rank - like.size(), 1);
  for (int64_t i = 0; i < rank; ++i)
    if (from[i] == 1 && like[i] == 1 && result.getDimSize(i) > 1)
      return emitOpError("dimension ")
             << i << " of the result is " << result.getDimSize(i)
             << ", but that of the operand and of `like` is 1";
  return success();
}

LogicalResult TransposeOp::verify() {
  auto from = cast<RankedTensorType>(getOperand().getType());
  auto to = cast<RankedTensorType>(getType());
  ArrayRef<int64_t> permutation = getPermutation();
  if (from.getElementType() != to.getElementType())
    return emitOpError("element type of the result must be ")
           << from.getElementType() << ", not " << to.getElementType();
  SmallVector<bool> seen(from.getRank(), false);
  bool valid = static_cast<int64_t>(permutation.size()) == from.getRank() &&
               to.getRank() == from.getRank();
  for (int64_t dim : permutation) {
    valid &= dim >= 0 && dim < from.getRank() && !seen[dim];
    if (!valid)
      break;
    seen[dim] = true;
  }
  if (!valid)
    return emitOpError("permutation must name every one of ")
           << from.getRank()
           << " dimensions once, for operand and result of one rank";
  for (auto [i, dim] : llvm::enumerate(permutation)) {
    int64_t a = from.getDimSize(dim), b = to.getDimSize(i);
    if (a != b && !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b))
      return emitOpError("dimension ")
             << i << " of the result is " << b << ", but dimension " << dim
             << " of the operand is " << a;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

LogicalResult CheckShapesOp::verify() {
  auto lhs = cast<RankedTensorType>(getLhs().getType());
  auto rhs = cast<RankedTensorType>(getRhs().getType());
  if (!getBroadcast() && lhs.getRank() != rhs.getRank())
    return emitOpError("operands have ranks ")
           << lhs.getRank() << " and " << rhs.getRank();
  return success();
}

SmallVector<std::pair<int64_t, int64_t>> CheckShapesOp::getDims() {
  int64_t lhsRank = cast<RankedTensorType>(getLhs().getType()).getRank();
  int64_t rhsRank = cast<RankedTensorType>(getRhs().getType()).getRank();
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (int64_t left = std::min(lhsRank, rhsRank); left > 0; --left)
    dims.push_back({lhsRank - left, rhsRank - left});
  return dims;
}

std::string CheckShapesOp::describe() {
  if (auto name = (*this)->getAttrOfType<StringAttr>("ew.op"))
    return "operands of '" + name.str() + "'";
  if (auto argument = (*this)->getAttrOfType<IntegerAttr>(inPlaceAttrName))
    return "argument " + std::to_string(argument.getInt()) +
           " and what is written in its place";
  return "operands";
}

LogicalResult LaunchOp::verify() {
  size_t operands = getInputs().size() + getOutputs().size();
  if (getIndexingMaps().size() != operands ||
      getSchedule().getAccess().size() != operands)
    return emitOpError(
               "needs one indexing map and one access class for each of ")
           << operands << " operands";
  if (getKernels().size() != getSchedule().getVariants().size())
    return emitOpError("needs one kernel for each of ")
           << getSchedule().getVariants().size() << " variants";
  for (Attribute kernel : getKernels())
    if (!isa<SymbolRefAttr>(kernel))
      return emitOpError("kernels must be symbols");
  if (getResultTypes() != TypeRange(getOutputs().getTypes()))
    return emitOpError("results must have the types of the outputs");
  return success();
}
