//===- MathToEw.cpp - What math ops become --------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Families.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ew;

namespace {

using Results = SmallVectorImpl<Value>;

LogicalResult raiseIsNormal(Raiser &raiser, Operation *, ValueRange operands,
                            Results &results) {
  Value x = operands[0];
  auto type = cast<FloatType>(getElementType(x.getType()));
  Value smallest = raiser.constant(
      x, APFloat::getSmallestNormalized(type.getFloatSemantics()));
  Value notTiny =
      raiser.cmp(CmpPredicate::oge, raiser.create<AbsOp>(x), smallest);
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
  for (FloatType candidate : {type, cast<FloatType>(builder.getF32Type()),
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
  table.add<math::AbsFOp>(raiseAs<AbsOp>);
  table.add<math::AbsIOp>(raiseAs<AbsOp>);
  table.add<math::CeilOp>(raiseAs<CeilOp>);
  table.add<math::FloorOp>(raiseAs<FloorOp>);
  table.add<math::TruncOp>(raiseAs<TruncOp>);
  table.add<math::RoundOp>(raiseAs<RoundOp>);
  table.add<math::RoundEvenOp>(raiseAs<RoundEvenOp>);
  table.add<math::SqrtOp>(raiseAs<SqrtOp>);
  table.add<math::RsqrtOp>(raiseAs<RsqrtOp>);
  table.add<math::CbrtOp>(raiseAs<CbrtOp>);
  table.add<math::ExpOp>(raiseAs<ExpOp>);
  table.add<math::Exp2Op>(raiseAs<Exp2Op>);
  table.add<math::ExpM1Op>(raiseAs<Expm1Op>);
  table.add<math::LogOp>(raiseAs<LogOp>);
  table.add<math::Log2Op>(raiseAs<Log2Op>);
  table.add<math::Log10Op>(raiseAs<Log10Op>);
  table.add<math::Log1pOp>(raiseAs<Log1pOp>);
  table.add<math::SinOp>(raiseAs<SinOp>);
  table.add<math::CosOp>(raiseAs<CosOp>);
  table.add<math::SincosOp>(raiseSincos);
  table.add<math::TanOp>(raiseAs<TanOp>);
  table.add<math::AsinOp>(raiseAs<AsinOp>);
  table.add<math::AcosOp>(raiseAs<AcosOp>);
  table.add<math::AtanOp>(raiseAs<AtanOp>);
  table.add<math::SinhOp>(raiseAs<SinhOp>);
  table.add<math::CoshOp>(raiseAs<CoshOp>);
  table.add<math::TanhOp>(raiseAs<TanhOp>);
  table.add<math::AsinhOp>(raiseAs<AsinhOp>);
  table.add<math::AcoshOp>(raiseAs<AcoshOp>);
  table.add<math::AtanhOp>(raiseAs<AtanhOp>);
  table.add<math::ErfOp>(raiseAs<ErfOp>);
  table.add<math::ErfcOp>(raiseAs<ErfcOp>);

  table.add<math::PowFOp>(raiseAs<PowOp>);
  table.add<math::IPowIOp>(raiseAs<PowOp>);
  table.add<math::FPowIOp>(raiseFPowI);
  table.add<math::Atan2Op>(raiseAs<Atan2Op>);
  table.add<math::CopySignOp>(raiseAs<CopysignOp>);
  table.add<math::FmaOp>(raiseAs<FmaOp>);
  table.add<math::ClampFOp>(raiseAs<ClampOp>);

  table.add<math::IsNaNOp>(raiseTest<IsNanOp>);
  table.add<math::IsInfOp>(raiseTest<IsInfOp>);
  table.add<math::IsFiniteOp>(raiseTest<IsFiniteOp>);
  table.add<math::IsNormalOp>(raiseIsNormal);
  table.add<math::CtPopOp>(raiseAs<PopcountOp>);
  table.add<math::CountLeadingZerosOp>(raiseAs<ClzOp>);
  table.add<math::CountTrailingZerosOp>(raiseAs<CtzOp>);
}
