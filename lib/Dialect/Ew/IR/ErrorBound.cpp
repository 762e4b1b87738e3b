//===- ErrorBound.cpp - How far an op may be off --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Dialect/Ew/IR/Ew.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ew;

static constexpr double kExact = 0.0;
static constexpr double kCorrectlyRounded = 0.5;
static constexpr double kRoundedFromF64 = 0.51;
static constexpr double kDefaultBound = 2.0;
/// In f64 some functions come from libm or libdevice, which do not keep 2:
/// NVIDIA documents 3 for asinh and acosh, 5 for erfc, of which gelu is made;
/// glibc's tanh was off by 2.16, and celu, elu and selu are products of what
/// expm1 gives, which may be a place off near 1/2, where it counts twice.
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
          TransposeOp, RealOp, ImagOp>(op))
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
    // Those of silu and mish are at the end of the normal numbers: 2.04.
    if (isa<AsinhOp, AcoshOp, TanhOp, CeluOp, EluOp, SeluOp, SiluOp, MishOp>(
            op))
      return kLibraryBound;
    if (isa<ErfcOp, GeluOp>(op))
      return kLibraryErfcBound;
  }
  return kDefaultBound;
}

/// How far the parts of a complex result may be off. Of f32, what needs no
/// function is computed in f64 and rounded once. What functions of the parts
/// are put together in, adds up the bounds of those, by how much the result
/// depends on each, and the digits that a significand near 2 has more than one
/// near 1.
static double getComplexBound(Operation *op, bool isF64) {
  if (isa<NegOp, ConjOp, ComplexOp, SelectOp, ConstantOp, BroadcastOp,
          TransposeOp>(op))
    return kExact;
  if (isa<AddOp, SubOp, CastOp>(op))
    return kCorrectlyRounded;
  if (isa<MulOp, SquareOp>(op))
    return isF64 ? 2.0 : kRoundedFromF64;
  if (isa<SqrtOp>(op))
    return isF64 ? 3.0 : kRoundedFromF64;
  if (isa<DivOp, ReciprocalOp>(op))
    return isF64 ? 5.0 : kRoundedFromF64;
  if (isa<PowOp>(op))
    return isF64 ? 8.0 : 1.0;
  if (isa<TanhOp>(op))
    return isF64 ? 16.0 : 13.0;
  if (isa<LogOp>(op))
    return isF64 ? 6.0 : 5.0;
  return isF64 ? 8.0 : 7.0;
}

bool ew::isBoundOfModulus(Operation *op) {
  Type type = getElementType(op->getResult(0).getType());
  if (!isa<ComplexType>(type))
    return false;
  return isa<PowOp>(op) ||
         (isa<DivOp, ReciprocalOp>(op) && getPartType(type).isF64());
}

/// Whether the op is computed in f32.
static bool isInF32(Operation *op) {
  auto isNarrow = [](Type type) {
    auto element = dyn_cast<FloatType>(getElementType(type));
    return element && element.getWidth() <= 32;
  };
  return op->getNumResults() == 1 && isNarrow(op->getResult(0).getType()) &&
         llvm::none_of(op->getOperandTypes(), isComplex);
}

/// Of an op whose bound fast mode changes, else nothing.
static std::optional<double> getFastBound(Operation *op) {
  if (!isInF32(op) || isa<PhiloxOp, PhiloxAtOp>(op))
    return std::nullopt;
  if (isa<DivOp, ReciprocalOp, SqrtOp>(op))
    return kFastQuotientBound;
  if (getDefaultErrorBound(op) <= kCorrectlyRounded)
    return std::nullopt;
  return kFastBound;
}

/// The bound that the op's attribute states.
static std::optional<double> getStatedBound(Operation *op) {
  auto stated = op->getAttrOfType<FloatAttr>(kErrorBoundAttr);
  bool isFloat = llvm::all_of(op->getResultTypes(), [](Type type) {
    return isa<FloatType, ComplexType>(getElementType(type));
  });
  return stated && isFloat ? std::optional(stated.getValueAsDouble())
                           : std::nullopt;
}

bool ew::isBoundRelative(Operation *op, Mode mode) {
  return mode == Mode::Fast && !getStatedBound(op) && getFastBound(op);
}

double ew::getAbsoluteErrorBound(Operation *op, Mode mode) {
  bool isLogarithm = isa<LogOp, Log2Op, Log10Op>(op);
  return isLogarithm && isBoundRelative(op, mode) ? kFastLogarithmBound : 0;
}

double ew::getErrorBound(Operation *op, Mode mode) {
  if (std::optional<double> stated = getStatedBound(op))
    return *stated;
  if (mode == Mode::Fast)
    if (std::optional<double> fast = getFastBound(op))
      return *fast;
  return getDefaultErrorBound(op);
}

double ew::getDefaultErrorBound(Operation *op) {
  if (op->getNumResults() == 1 && isComplex(op->getResult(0).getType())) {
    Type part = getPartType(getElementType(op->getResult(0).getType()));
    return getComplexBound(op, part.isF64());
  }
  if (isa<AbsOp>(op) && op->getNumOperands() == 1 &&
      isComplex(op->getOperand(0).getType()))
    return kDefaultBound;
  for (Type type : op->getResultTypes())
    if (!isa<FloatType>(getElementType(type)))
      return kExact;
  return getBoundByOp(op);
}

std::string ew::describeUlps(double bound) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%g", bound) << (bound == 1 ? " unit" : " units")
      << " in the last place";
  return text;
}
