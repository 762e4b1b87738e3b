//===- ComplexToEw.cpp - What complex ops become --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of the complex dialect work on numbers, so they come from the bodies of
// linalg ops. expm1, log1p, tan, rsqrt, sign, atan2, powi and bitcast have no
// equal: ew has no such function of complex numbers, and what could be put
// together from others is further off near 0 or overflows where they do not.
//
//===----------------------------------------------------------------------===//

#include "../Families.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace ew;

namespace {

using Results = SmallVectorImpl<Value>;

template <typename Op>
Value createPart(Raiser &raiser, Value number) {
  return Op::create(raiser.getBuilder(), raiser.getLoc(),
                    getPartTypeLike(number.getType()), number);
}

/// A real function of a complex number.
template <typename Op>
LogicalResult raisePart(Raiser &raiser, Operation *, ValueRange operands,
                        Results &results) {
  results.push_back(createPart<Op>(raiser, operands[0]));
  return success();
}

LogicalResult raiseCreate(Raiser &raiser, Operation *op, ValueRange operands,
                          Results &results) {
  Type type = getTypeLike(operands[0].getType(), getTarget(op));
  results.push_back(ComplexOp::create(raiser.getBuilder(), raiser.getLoc(),
                                      type, operands[0], operands[1]));
  return success();
}

template <CmpPredicate predicate>
LogicalResult raiseComparison(Raiser &raiser, Operation *, ValueRange operands,
                              Results &results) {
  results.push_back(raiser.cmp(predicate, operands[0], operands[1]));
  return success();
}

LogicalResult raiseAngle(Raiser &raiser, Operation *, ValueRange operands,
                         Results &results) {
  Value real = createPart<RealOp>(raiser, operands[0]);
  Value imaginary = createPart<ImagOp>(raiser, operands[0]);
  results.push_back(raiser.create<Atan2Op>({imaginary, real}));
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void ew::populateComplexToEw(RaisingTable &table) {
  table.add<complex::AddOp>(raiseAs<AddOp>);
  table.add<complex::SubOp>(raiseAs<SubOp>);
  table.add<complex::MulOp>(raiseAs<MulOp>);
  table.add<complex::DivOp>(raiseAs<DivOp>);
  table.add<complex::PowOp>(raiseAs<PowOp>);
  table.add<complex::NegOp>(raiseAs<NegOp>);
  table.add<complex::ConjOp>(raiseAs<ConjOp>);
  table.add<complex::SqrtOp>(raiseAs<SqrtOp>);
  table.add<complex::ExpOp>(raiseAs<ExpOp>);
  table.add<complex::LogOp>(raiseAs<LogOp>);
  table.add<complex::SinOp>(raiseAs<SinOp>);
  table.add<complex::CosOp>(raiseAs<CosOp>);
  table.add<complex::TanhOp>(raiseAs<TanhOp>);

  table.add<complex::CreateOp>(raiseCreate);
  table.add<complex::ReOp>(raisePart<RealOp>);
  table.add<complex::ImOp>(raisePart<ImagOp>);
  table.add<complex::AbsOp>(raisePart<AbsOp>);
  table.add<complex::AngleOp>(raiseAngle);
  table.add<complex::EqualOp>(raiseComparison<CmpPredicate::oeq>);
  table.add<complex::NotEqualOp>(raiseComparison<CmpPredicate::une>);
}
