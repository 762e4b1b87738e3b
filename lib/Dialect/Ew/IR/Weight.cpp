//===- Weight.cpp - How much an op computes -------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Weight.h"
#include "ew/Dialect/Ew/IR/Ew.h"

using namespace mlir;
using namespace ew;

/// What complex ops become (see SplitComplex.cpp).
static unsigned getComplexWeight(Operation *op) {
  if (isa<PowOp>(op))
    return 96;
  if (isa<ExpOp, LogOp, SinOp, CosOp, TanhOp>(op))
    return 48;
  if (isa<MulOp, SquareOp, DivOp, ReciprocalOp, SqrtOp>(op))
    return 24;
  return isa<AbsOp>(op) ? 8 : 2;
}

unsigned ew::getWeight(Operation *op) {
  if (isa<RealOp, ImagOp, ComplexOp>(op))
    return 0;
  if (op->getNumOperands() && isComplex(op->getOperands().back().getType()))
    return getComplexWeight(op);
  if (isa<DivOp, FloorDivOp, RemOp, ModOp, SqrtOp, RsqrtOp, ReciprocalOp,
          NextAfterOp>(op))
    return 4;
  if (isa<ExpOp, Exp2Op, Expm1Op, LogOp, Log2Op, Log10Op, Log1pOp, SinOp, CosOp,
          TanOp, AsinOp, AcosOp, AtanOp, SinhOp, CoshOp, TanhOp, AsinhOp,
          AcoshOp, AtanhOp, ErfOp, ErfcOp, CbrtOp, PowOp, Atan2Op, HypotOp,
          SigmoidOp, LogSigmoidOp, SoftplusOp, EluOp, SeluOp, CeluOp, GeluOp,
          SiluOp, MishOp>(op))
    return functionWeight;
  // Ten rounds for four elements, and what makes normal numbers of them.
  auto ofDistribution = [](Distribution distribution) {
    return distribution == Distribution::normal ? 5 * functionWeight
                                                : 3 * functionWeight;
  };
  if (auto philox = dyn_cast<PhiloxOp>(op))
    return ofDistribution(philox.getDistribution());
  if (auto philox = dyn_cast<PhiloxAtOp>(op))
    return ofDistribution(philox.getDistribution());
  return 1;
}
