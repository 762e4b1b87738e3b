//===- ErrorBound.cpp - How far an op may be off -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Dialect/Ew/IR/Ew.h"

using namespace mlir;
using namespace ew;

static constexpr double kExact = 0.0;
static constexpr double kCorrectlyRounded = 0.5;
static constexpr double kDefaultBound = 2.0;
/// In f64 some functions come from libm or libdevice, which do not keep 2: NVIDIA
/// documents 3 for asinh and acosh, 5 for erfc, of which gelu is made.
static constexpr double kLibraryBound = 3.0;
static constexpr double kLibraryErfcBound = 6.0;
/// A logarithm, a root, a sine and a product.
static constexpr double kNormalBound = 5.0;

static double getRandomBound(Distribution distribution) {
  return distribution == Distribution::normal ? kNormalBound : kExact;
}

/// The ops whose meaning leaves no choice. An op that is not named here is a
/// function with the default bound.
static double getBoundByOp(Operation *op) {
  // Results without a fraction of their own: a choice, a sign, a view, an
  // integer, a remainder.
  if (isa<AbsOp, NegOp, SignOp, CeilOp, FloorOp, TruncOp, RoundOp, RoundEvenOp,
          ReluOp, MaxOp, MinOp, MaxnumOp, MinnumOp, ClampOp, CopysignOp,
          NextAfterOp, RemOp, SelectOp, ConstantOp, BitcastOp, BroadcastOp,
          TransposeOp>(op))
    return kExact;
  if (isa<AddOp, SubOp, MulOp, DivOp, FmaOp, LerpOp, SqrtOp, ReciprocalOp,
          SquareOp, FloorDivOp, ModOp, LeakyReluOp, CastOp, IotaOp, DropoutOp>(
          op))
    return kCorrectlyRounded;
  if (auto philox = dyn_cast<PhiloxOp>(op))
    return getRandomBound(philox.getDistribution());
  if (auto philox = dyn_cast<PhiloxAtOp>(op))
    return getRandomBound(philox.getDistribution());
  if (getElementType(op->getResult(0).getType()).isF64()) {
    if (isa<AsinhOp, AcoshOp>(op))
      return kLibraryBound;
    if (isa<ErfcOp, GeluOp>(op))
      return kLibraryErfcBound;
  }
  return kDefaultBound;
}

double ew::getErrorBound(Operation *op) {
  for (Type type : op->getResultTypes())
    if (!isa<FloatType>(getElementType(type)))
      return kExact;
  if (auto bound = op->getAttrOfType<FloatAttr>(kErrorBoundAttr))
    return bound.getValueAsDouble();
  return getBoundByOp(op);
}
