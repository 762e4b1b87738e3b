//===- EwFolds.cpp - Folding that never changes a result ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Constants are folded only through correctly rounded ops. An identity stands
// here only if it holds for NaNs, infinities and zeros of both signs: x * 1 is
// x, but x * 0 is a NaN for an infinite x, x - x too, and x + 0 turns -0 to 0.
//
//===----------------------------------------------------------------------===//

#include "EwConstants.h"

#include <cmath>

using namespace mlir;
using namespace ew;

using Floats = ArrayRef<APFloat>;
using Ints = ArrayRef<APInt>;
using Status = APFloat::opStatus;

static constexpr auto nearest = APFloat::rmNearestTiesToEven;

/// Of floating point, complex numbers included: a NaN differs from itself.
static bool isFloat(Value value) {
  return isa<FloatType, ComplexType>(getElementType(value.getType()));
}

/// Whether a value is a splat of this number, zeros by their sign.
static bool isSplatOf(Value value, double number) {
  std::optional<APFloat> splat = getSplatFloat(value);
  return splat && splat->isExactlyValue(number);
}
static bool isIntSplatOf(Value value, int64_t number) {
  std::optional<APInt> splat = getSplatInt(value);
  return splat &&
         *splat == APInt(splat->getBitWidth(), number, /*isSigned=*/true,
                         /*implicitTrunc=*/true);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

OpFoldResult AbsOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getDefiningOp<AbsOp>())
    return getOperand();
  // Of an unsigned number this is the number itself, which has no sign to lose.
  auto neg = getOperand().getDefiningOp<NegOp>();
  if (neg && !getElementType(neg.getType()).isUnsignedInteger()) {
    setOperand(neg.getOperand());
    return getResult();
  }
  return foldNumbers(
      adaptor.getOperand(), getType(),
      [](Floats x, Status &) { return abs(x[0]); },
      [](Ints x, bool isSigned) { return isSigned ? x[0].abs() : x[0]; });
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto neg = getOperand().getDefiningOp<NegOp>())
    return neg.getOperand();
  return foldNumbers(
      adaptor.getOperand(), getType(), [](Floats x, Status &) { return -x[0]; },
      [](Ints x, bool) { return -x[0]; });
}

OpFoldResult SignOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getDefiningOp<SignOp>())
    return getOperand();
  return foldNumbers(
      adaptor.getOperand(), getType(),
      [](Floats x, Status &) {
        if (x[0].isZero() || x[0].isNaN())
          return x[0];
        return APFloat::getOne(x[0].getSemantics(), x[0].isNegative());
      },
      [](Ints x, bool isSigned) {
        unsigned width = x[0].getBitWidth();
        if (isSigned && x[0].isNegative())
          return APInt::getAllOnes(width);
        return APInt(width, !x[0].isZero());
      });
}

/// A rounding to an integer: exact, and nothing changes what it has done.
template <typename Op>
static OpFoldResult foldRounding(Op op, Attribute operand,
                                 APFloat::roundingMode mode) {
  if (Operation *inner = op.getOperand().getDefiningOp())
    if (isa<CeilOp, FloorOp, TruncOp, RoundOp, RoundEvenOp>(inner))
      return op.getOperand();
  return foldNumbers(
      operand, op.getType(),
      [&](Floats x, Status &) {
        APFloat result = x[0];
        if (result.isFinite())
          result.roundToIntegral(mode);
        return result;
      },
      nullptr);
}
OpFoldResult CeilOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getOperand(), APFloat::rmTowardPositive);
}
OpFoldResult FloorOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getOperand(), APFloat::rmTowardNegative);
}
OpFoldResult TruncOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getOperand(), APFloat::rmTowardZero);
}
OpFoldResult RoundOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getOperand(),
                      APFloat::rmNearestTiesToAway);
}
OpFoldResult RoundEvenOp::fold(FoldAdaptor adaptor) {
  return foldRounding(*this, adaptor.getOperand(), nearest);
}

OpFoldResult SqrtOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(
      adaptor.getOperand(), getType(),
      [](Floats x, Status &status) {
        // C's sqrt is correctly rounded, and rounding its result to a type of
        // less than half its precision is too. Not exact for the sake of narrow
        // types.
        bool losesInfo;
        APFloat result = x[0];
        result.convert(APFloat::IEEEdouble(), nearest, &losesInfo);
        result = APFloat(std::sqrt(result.convertToDouble()));
        result.convert(x[0].getSemantics(), nearest, &losesInfo);
        status = APFloat::opInexact;
        return result;
      },
      nullptr);
}

OpFoldResult ReciprocalOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(
      adaptor.getOperand(), getType(),
      [](Floats x, Status &status) {
        APFloat one = APFloat::getOne(x[0].getSemantics());
        status = one.divide(x[0], nearest);
        return one;
      },
      nullptr);
}

OpFoldResult SquareOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(
      adaptor.getOperand(), getType(),
      [](Floats x, Status &status) {
        APFloat result = x[0];
        status = result.multiply(x[0], nearest);
        return result;
      },
      [](Ints x, bool) { return x[0] * x[0]; });
}

OpFoldResult ReluOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getDefiningOp<ReluOp>())
    return getOperand();
  return foldNumbers(
      adaptor.getOperand(), getType(),
      [](Floats x, Status &) {
        return maximum(x[0], APFloat::getZero(x[0].getSemantics()));
      },
      [](Ints x, bool isSigned) {
        return total::max(x[0], APInt::getZero(x[0].getBitWidth()), isSigned);
      });
}

/// A test of one number's format.
static OpFoldResult foldTest(Attribute operand, Type type,
                             function_ref<bool(const APFloat &)> test) {
  return foldElements(operand, type, [&](ArrayRef<Attribute> x) -> Attribute {
    return BoolAttr::get(type.getContext(),
                         test(cast<FloatAttr>(x[0]).getValue()));
  });
}
OpFoldResult IsNanOp::fold(FoldAdaptor adaptor) {
  return foldTest(adaptor.getOperand(), getType(),
                  [](const APFloat &x) { return x.isNaN(); });
}
OpFoldResult IsInfOp::fold(FoldAdaptor adaptor) {
  return foldTest(adaptor.getOperand(), getType(),
                  [](const APFloat &x) { return x.isInfinity(); });
}
OpFoldResult IsFiniteOp::fold(FoldAdaptor adaptor) {
  return foldTest(adaptor.getOperand(), getType(),
                  [](const APFloat &x) { return x.isFinite(); });
}
OpFoldResult SignbitOp::fold(FoldAdaptor adaptor) {
  return foldTest(adaptor.getOperand(), getType(), [](const APFloat &x) {
    return x.isNegative() && !x.isNaN();
  });
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NotOp>())
    return inner.getOperand();
  return foldNumbers(adaptor.getOperand(), getType(), nullptr,
                     [](Ints x, bool) { return ~x[0]; });
}
OpFoldResult PopcountOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(
      adaptor.getOperand(), getType(), nullptr,
      [](Ints x, bool) { return APInt(x[0].getBitWidth(), x[0].popcount()); });
}
OpFoldResult ClzOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(adaptor.getOperand(), getType(), nullptr,
                     [](Ints x, bool) {
                       return APInt(x[0].getBitWidth(), x[0].countl_zero());
                     });
}
OpFoldResult CtzOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(adaptor.getOperand(), getType(), nullptr,
                     [](Ints x, bool) {
                       return APInt(x[0].getBitWidth(), x[0].countr_zero());
                     });
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  for (auto [x, zero] :
       {std::pair(getLhs(), getRhs()), std::pair(getRhs(), getLhs())})
    if (isSplatOf(zero, -0.0) || isIntSplatOf(zero, 0))
      return x;
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &status) {
        APFloat result = x[0];
        status = result.add(x[1], nearest);
        return result;
      },
      [](Ints x, bool) { return x[0] + x[1]; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(getRhs(), 0.0) || isIntSplatOf(getRhs(), 0))
    return getLhs();
  if (getLhs() == getRhs() && !isFloat(getLhs()))
    if (Attribute zero = getIntAttr(
            getType(),
            APInt::getZero(getElementType(getType()).getIntOrFloatBitWidth())))
      return zero;
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &status) {
        APFloat result = x[0];
        status = result.subtract(x[1], nearest);
        return result;
      },
      [](Ints x, bool) { return x[0] - x[1]; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  for (auto [x, constant] :
       {std::pair(getLhs(), getRhs()), std::pair(getRhs(), getLhs())}) {
    if (isSplatOf(constant, 1.0) || isIntSplatOf(constant, 1))
      return x;
    // Of the same type, shape included: the zero may stand for the product.
    if (isIntSplatOf(constant, 0))
      return constant;
  }
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &status) {
        APFloat result = x[0];
        status = result.multiply(x[1], nearest);
        return result;
      },
      [](Ints x, bool) { return x[0] * x[1]; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(getRhs(), 1.0) || isIntSplatOf(getRhs(), 1))
    return getLhs();
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &status) {
        APFloat result = x[0];
        status = result.divide(x[1], nearest);
        return result;
      },
      [](Ints x, bool isSigned) { return total::div(x[0], x[1], isSigned); });
}

OpFoldResult FloorDivOp::fold(FoldAdaptor adaptor) {
  if (isIntSplatOf(getRhs(), 1))
    return getLhs();
  return foldNumbers(adaptor.getOperands(), getType(), nullptr,
                     [](Ints x, bool isSigned) {
                       return total::floorDiv(x[0], x[1], isSigned);
                     });
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &status) {
        APFloat result = x[0];
        status = result.mod(x[1]);
        return result;
      },
      [](Ints x, bool isSigned) { return total::rem(x[0], x[1], isSigned); });
}

OpFoldResult ModOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(
      adaptor.getOperands(), getType(), nullptr,
      [](Ints x, bool isSigned) { return total::mod(x[0], x[1], isSigned); });
}

OpFoldResult PowOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(getRhs(), 1.0) || isIntSplatOf(getRhs(), 1))
    return getLhs();
  return foldNumbers(
      adaptor.getOperands(), getType(), nullptr,
      [](Ints x, bool isSigned) { return total::pow(x[0], x[1], isSigned); });
}

OpFoldResult FmaOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &status) {
        APFloat result = x[0];
        status = result.fusedMultiplyAdd(x[1], x[2], nearest);
        return result;
      },
      nullptr);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &) { return maximum(x[0], x[1]); },
      [](Ints x, bool isSigned) { return total::max(x[0], x[1], isSigned); });
}
OpFoldResult MinOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &) { return minimum(x[0], x[1]); },
      [](Ints x, bool isSigned) { return total::min(x[0], x[1], isSigned); });
}
OpFoldResult MaxnumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &) { return maximumnum(x[0], x[1]); }, nullptr);
}
OpFoldResult MinnumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &) { return minimumnum(x[0], x[1]); }, nullptr);
}

OpFoldResult ClampOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &) { return minimum(maximum(x[0], x[1]), x[2]); },
      [](Ints x, bool isSigned) {
        return total::min(total::max(x[0], x[1], isSigned), x[2], isSigned);
      });
}

OpFoldResult CopysignOp::fold(FoldAdaptor adaptor) {
  return foldNumbers(
      adaptor.getOperands(), getType(),
      [](Floats x, Status &) {
        APFloat result = abs(x[0]);
        return x[1].isNegative() && !x[1].isNaN() ? -result : result;
      },
      nullptr);
}

/// Whether the result of comparing is what the predicate asks for.
static bool satisfies(CmpPredicate predicate, APFloat::cmpResult order) {
  bool less = order == APFloat::cmpLessThan, equal = order == APFloat::cmpEqual,
       greater = order == APFloat::cmpGreaterThan,
       none = order == APFloat::cmpUnordered;
  switch (predicate) {
  case CmpPredicate::eq:
  case CmpPredicate::oeq:
    return equal;
  case CmpPredicate::ne:
  case CmpPredicate::one:
    return less || greater;
  case CmpPredicate::lt:
  case CmpPredicate::olt:
    return less;
  case CmpPredicate::le:
  case CmpPredicate::ole:
    return less || equal;
  case CmpPredicate::gt:
  case CmpPredicate::ogt:
    return greater;
  case CmpPredicate::ge:
  case CmpPredicate::oge:
    return greater || equal;
  case CmpPredicate::ord:
    return !none;
  case CmpPredicate::ueq:
    return equal || none;
  case CmpPredicate::une:
    return !equal;
  case CmpPredicate::ult:
    return less || none;
  case CmpPredicate::ule:
    return !greater;
  case CmpPredicate::ugt:
    return greater || none;
  case CmpPredicate::uge:
    return !less;
  case CmpPredicate::uno:
    return none;
  }
  return false;
}

OpFoldResult CmpOp::fold(FoldAdaptor adaptor) {
  MLIRContext *context = getContext();
  // Of floating point, x may be a NaN.
  if (getLhs() == getRhs() && !isFloat(getLhs()))
    if (Attribute known = getSplatAttr(
            getType(), BoolAttr::get(context, satisfies(getPredicate(),
                                                        APFloat::cmpEqual))))
      return known;
  bool isSigned = isSignedInteger(getElementType(getLhs().getType()));
  return foldElements(
      adaptor.getOperands(), getType(),
      [&](ArrayRef<Attribute> x) -> Attribute {
        APFloat::cmpResult order;
        if (auto lhs = dyn_cast<FloatAttr>(x[0])) {
          order = lhs.getValue().compare(cast<FloatAttr>(x[1]).getValue());
        } else {
          APInt a = cast<IntegerAttr>(x[0]).getValue(),
                b = cast<IntegerAttr>(x[1]).getValue();
          bool less = isSigned ? a.slt(b) : a.ult(b);
          order = a == b
                      ? APFloat::cmpEqual
                      : (less ? APFloat::cmpLessThan : APFloat::cmpGreaterThan);
        }
        return BoolAttr::get(context, satisfies(getPredicate(), order));
      });
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

OpFoldResult ComplexOp::fold(FoldAdaptor) {
  auto real = getReal().getDefiningOp<RealOp>();
  auto imaginary = getImaginary().getDefiningOp<ImagOp>();
  if (real && imaginary && real.getOperand() == imaginary.getOperand() &&
      real.getOperand().getType() == getType())
    return real.getOperand();
  return {};
}

OpFoldResult RealOp::fold(FoldAdaptor) {
  if (auto complex = getOperand().getDefiningOp<ComplexOp>())
    return complex.getReal();
  if (auto conj = getOperand().getDefiningOp<ConjOp>()) {
    setOperand(conj.getOperand());
    return getResult();
  }
  return {};
}

OpFoldResult ImagOp::fold(FoldAdaptor) {
  if (auto complex = getOperand().getDefiningOp<ComplexOp>())
    return complex.getImaginary();
  return {};
}

OpFoldResult ConjOp::fold(FoldAdaptor) {
  if (auto conj = getOperand().getDefiningOp<ConjOp>())
    return conj.getOperand();
  return {};
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getTrueValue() == getFalseValue())
    return getTrueValue();
  if (std::optional<APInt> condition = getSplatInt(getCondition()))
    return condition->isOne() ? getTrueValue() : getFalseValue();
  return foldElements(
      adaptor.getOperands(), getType(), [](ArrayRef<Attribute> x) {
        return cast<IntegerAttr>(x[0]).getValue().isOne() ? x[1] : x[2];
      });
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  for (auto [x, constant] :
       {std::pair(getLhs(), getRhs()), std::pair(getRhs(), getLhs())}) {
    if (isIntSplatOf(constant, -1))
      return x;
    if (isIntSplatOf(constant, 0))
      return constant;
  }
  return foldNumbers(adaptor.getOperands(), getType(), nullptr,
                     [](Ints x, bool) { return x[0] & x[1]; });
}
OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  for (auto [x, constant] :
       {std::pair(getLhs(), getRhs()), std::pair(getRhs(), getLhs())}) {
    if (isIntSplatOf(constant, 0))
      return x;
    if (isIntSplatOf(constant, -1))
      return constant;
  }
  return foldNumbers(adaptor.getOperands(), getType(), nullptr,
                     [](Ints x, bool) { return x[0] | x[1]; });
}
OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  for (auto [x, constant] :
       {std::pair(getLhs(), getRhs()), std::pair(getRhs(), getLhs())})
    if (isIntSplatOf(constant, 0))
      return x;
  if (getLhs() == getRhs())
    if (Attribute zero = getIntAttr(
            getType(),
            APInt::getZero(getElementType(getType()).getIntOrFloatBitWidth())))
      return zero;
  return foldNumbers(adaptor.getOperands(), getType(), nullptr,
                     [](Ints x, bool) { return x[0] ^ x[1]; });
}
OpFoldResult ShlOp::fold(FoldAdaptor adaptor) {
  if (isIntSplatOf(getRhs(), 0))
    return getLhs();
  return foldNumbers(adaptor.getOperands(), getType(), nullptr,
                     [](Ints x, bool) { return total::shl(x[0], x[1]); });
}
OpFoldResult ShrOp::fold(FoldAdaptor adaptor) {
  if (isIntSplatOf(getRhs(), 0))
    return getLhs();
  return foldNumbers(
      adaptor.getOperands(), getType(), nullptr,
      [](Ints x, bool isSigned) { return total::shr(x[0], x[1], isSigned); });
}
