//===- EwRandomOps.cpp - Verifiers and folds of random numbers ------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EwConstants.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ew;

/// Whether a distribution has numbers of this type.
static LogicalResult
verifyDistribution(Operation *op, Distribution distribution, Type element) {
  bool isFloat = isa<FloatType>(element);
  if (isFloat == (distribution == Distribution::bits))
    return op->emitOpError("distribution '")
           << stringifyDistribution(distribution) << "' is for "
           << (isFloat ? "i32 and ui32; floating point takes uniform or normal"
                       : "floating point; i32 and ui32 take bits")
           << ", and the result is " << element;
  if (distribution == Distribution::normal && element.isF64())
    return op->emitOpError("distribution 'normal' is for f32, f16 and bf16, "
                           "not ")
           << element;
  return success();
}

LogicalResult PhiloxOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  if (failed(
          verifyDistribution(*this, getDistribution(), type.getElementType())))
    return failure();
  if (!getLike() && !type.hasStaticShape())
    return emitOpError("needs `like` to give the result ")
           << type << " its dynamic sizes";
  if (getLike() && failed(verifyCompatibleShape(type, getLike().getType())))
    return emitOpError("`like` must have the result's shape, but is ")
           << getLike().getType();
  return success();
}

LogicalResult DropoutOp::verify() {
  APFloat rate = getRate();
  if (rate >= APFloat(0.0) && rate <= APFloat(1.0))
    return success();
  SmallString<16> text;
  rate.toString(text);
  return emitOpError("rate must be from 0 to 1, not ") << text;
}

OpFoldResult DropoutOp::fold(FoldAdaptor) {
  // Every element is kept, and times 1.
  return getRate().isZero() ? getOperand() : Value();
}

LogicalResult LinearIndexOp::verify() {
  // The dialect does not know linalg.
  Operation *parent = (*this)->getParentOp();
  if (!parent || parent->getName().getStringRef() != "linalg.generic")
    return emitOpError("must stand in the body of a linalg.generic");
  return success();
}

LogicalResult PhiloxAtOp::verify() {
  if (failed(verifyDistribution(*this, getDistribution(),
                                getElementType(getType()))))
    return failure();
  int64_t runs = getRuns();
  if (runs == 1)
    return success();
  auto vector = dyn_cast<VectorType>(getType());
  if (runs < 1 || !llvm::isPowerOf2_64(runs) || !vector ||
      vector.isScalable() || vector.getRank() != 1 ||
      vector.getDimSize(0) % runs != 0)
    return emitOpError("`runs` must be a power of two that divides the size of "
                       "a vector of one dimension, but is ")
           << runs << " on " << getType();
  return success();
}
