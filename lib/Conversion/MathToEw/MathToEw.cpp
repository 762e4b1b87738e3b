//===- MathToEw.cpp - What math ops become -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Conversion/Raising.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ew;

namespace {

using Results = SmallVectorImpl<Value>;

/// The same function.
template <typename Op>
LogicalResult same(Raiser &raiser, Operation *op, ValueRange operands,
                   Results &results) {
  if (getElementType(operands[0].getType()).isInteger(1))
    return raiser.refuse(Twine("i1 is a boolean in ew, on which ") +
                         op->getName().getStringRef() + " has no equal");
  results.push_back(raiser.create<Op>(operands));
  return success();
}

template <typename Op>
LogicalResult test(Raiser &raiser, Operation *, ValueRange operands,
                   Results &results) {
  results.push_back(raiser.createTest<Op>(operands[0]));
  return success();
}

LogicalResult raiseIsNormal(Raiser &raiser, Operation *, ValueRange operands,
                            Results &results) {
  Value x = operands[0];
  auto type = cast<FloatType>(getElementType(x.getType()));
  Value smallest = raiser.constant(
      x, APFloat::getSmallestNormalized(type.getFloatSemantics()));
  Value notTiny = raiser.cmp(CmpPredicate::oge,
                             raiser.create<AbsOp>(x), smallest);
  Value finite = raiser.createTest<IsFiniteOp>(x);
  results.push_back(raiser.create<AndOp>({notTiny, finite}));
  return success();
}

LogicalResult raiseSincos(Raiser &raiser, Operation *, ValueRange operands,
                          Results &results) {
  results.push_back(raiser.create<SinOp>(operands[0]));
  results.push_back(raiser.create<CosOp>(operands[0]));
  return success();
}

/// An integer power is `ew.pow` in a type that holds every exponent: rounding
/// a large one would change whether it is odd.
LogicalResult raiseFPowI(Raiser &raiser, Operation *op, ValueRange operands,
                         Results &results) {
  auto type = cast<FloatType>(getElementType(operands[0].getType()));
  unsigned width =
      getElementType(operands[1].getType()).getIntOrFloatBitWidth();
  if (width == 1)
    return raiser.refuse("i1 is a boolean in ew and no exponent");
  OpBuilder &builder = raiser.getBuilder();
  Type wide;
  for (FloatType candidate :
       {type, cast<FloatType>(builder.getF32Type()),
        cast<FloatType>(builder.getF64Type())}) {
    if (candidate.getWidth() >= type.getWidth() &&
        candidate.getFPMantissaWidth() >= width - 1) {
      wide = candidate;
      break;
    }
  }
  if (!wide)
    return raiser.refuse(Twine("no floating-point type holds every exponent "
                               "of ") +
                         Twine(width) + " bits");
  Value power = raiser.create<PowOp>(
      {raiser.cast(operands[0], wide), raiser.cast(operands[1], wide)});
  results.push_back(raiser.cast(power, type));
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void ew::populateMathToEw(RaisingTable &table) {
  table.add<math::AbsFOp>(same<AbsOp>);
  table.add<math::AbsIOp>(same<AbsOp>);
  table.add<math::CeilOp>(same<CeilOp>);
  table.add<math::FloorOp>(same<FloorOp>);
  table.add<math::TruncOp>(same<TruncOp>);
  table.add<math::RoundOp>(same<RoundOp>);
  table.add<math::RoundEvenOp>(same<RoundEvenOp>);
  table.add<math::SqrtOp>(same<SqrtOp>);
  table.add<math::RsqrtOp>(same<RsqrtOp>);
  table.add<math::CbrtOp>(same<CbrtOp>);
  table.add<math::ExpOp>(same<ExpOp>);
  table.add<math::Exp2Op>(same<Exp2Op>);
  table.add<math::ExpM1Op>(same<Expm1Op>);
  table.add<math::LogOp>(same<LogOp>);
  table.add<math::Log2Op>(same<Log2Op>);
  table.add<math::Log10Op>(same<Log10Op>);
  table.add<math::Log1pOp>(same<Log1pOp>);
  table.add<math::SinOp>(same<SinOp>);
  table.add<math::CosOp>(same<CosOp>);
  table.add<math::SincosOp>(raiseSincos);
  table.add<math::TanOp>(same<TanOp>);
  table.add<math::AsinOp>(same<AsinOp>);
  table.add<math::AcosOp>(same<AcosOp>);
  table.add<math::AtanOp>(same<AtanOp>);
  table.add<math::SinhOp>(same<SinhOp>);
  table.add<math::CoshOp>(same<CoshOp>);
  table.add<math::TanhOp>(same<TanhOp>);
  table.add<math::AsinhOp>(same<AsinhOp>);
  table.add<math::AcoshOp>(same<AcoshOp>);
  table.add<math::AtanhOp>(same<AtanhOp>);
  table.add<math::ErfOp>(same<ErfOp>);
  table.add<math::ErfcOp>(same<ErfcOp>);

  table.add<math::PowFOp>(same<PowOp>);
  table.add<math::IPowIOp>(same<PowOp>);
  table.add<math::FPowIOp>(raiseFPowI);
  table.add<math::Atan2Op>(same<Atan2Op>);
  table.add<math::CopySignOp>(same<CopysignOp>);
  table.add<math::FmaOp>(same<FmaOp>);
  table.add<math::ClampFOp>(same<ClampOp>);

  table.add<math::IsNaNOp>(test<IsNanOp>);
  table.add<math::IsInfOp>(test<IsInfOp>);
  table.add<math::IsFiniteOp>(test<IsFiniteOp>);
  table.add<math::IsNormalOp>(raiseIsNormal);
  table.add<math::CtPopOp>(same<PopcountOp>);
  table.add<math::CountLeadingZerosOp>(same<ClzOp>);
  table.add<math::CountTrailingZerosOp>(same<CtzOp>);
}
