//===- Fast.cpp - f32 functions in fast mode ------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of FastForms.h for ordinary operands. The others (results or parts
// of them that are subnormal or infinite, NaN, large angles) take a branch with
// the implementation of the default mode, so special values are the same in all
// modes.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "ew/Dialect/Ew/IR/ErrorBound.h"

#include <limits>

using namespace mlir;
using namespace ew;
using namespace ew::math;

namespace ew::math {

static V hardware(StringRef name, V x) {
  return x.e().scalarIntrinsic(name, x.element(), x);
}
static V ex2(V x) { return hardwareExp2(x); }
static V rcp(V x) { return hardwareReciprocal(x); }
static V lg2(V x) { return hardware("llvm.nvvm.lg2.approx.ftz.f", x); }
static V sqrtApprox(V x) { return hardware("llvm.nvvm.sqrt.approx.ftz.f", x); }

static V positivePart(V x) {
  // -0 is less than +0.
  return maximum(x, x.splat(-0.0));
}

/// a * factor + addend, rounded down.
static V fmaDown(V a, double factor, double addend) {
  return a.e().scalarIntrinsic("llvm.nvvm.fma.rm.f", a.element(),
                               {a, a.splat(factor), a.splat(addend)});
}

static V flipIfOdd(V x, V t) {
  return fromBits(bits(x) ^ (bits(t) << 31), x.element());
}

/// The significand of a normal number above 0, from sqrt(1/2) on, and its
/// exponent.
static V splitNearOne(V x, V &exponent) {
  V raw = bits(x);
  V k = (raw - 0x3f3504f3) & 0xff800000u;
  exponent = fromSigned(k, x.element()) * 0x1p-23;
  return fromBits(raw - k, x.element());
}

} // namespace ew::math

#include "FastForms.h"

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The default mode's implementation, in a branch.
static V ofDefaultMode(Emitter &e, const Call &c) {
  Implementations::Allowed allowed;
  allowed.approximate = true;
  const Implementation *row = Implementations::get().select(
      Implementations::getName(c.op), F32, e.target, getDefaultErrorBound(c.op),
      allowed);
  return row->emit(e, c);
}

/// `common`, but for the elements with operands that are rare.
static V unlessRare(Emitter &e, const Call &c, OfOperands isRare, V common) {
  return math::unlessRare(c.args, isRare, common, [&](ArrayRef<V> args) {
    Call ofThese = c;
    ofThese.args.assign(args.begin(), args.end());
    return ofDefaultMode(e, ofThese);
  });
}

/// Besides, it may be a NaN, from which every form makes one.
static bool isKnownWithin(const Call &c, double limit) {
  const Interval &range = c.ranges[0];
  return range.isFinite() && range.isWithin(-limit, limit);
}

/// True for a NaN.
static V isAtLeast(V x, double limit) {
  return compare(CmpPredicate::uge, math::abs(x), x.splat(limit));
}

/// A form for operands below a limit in magnitude, given in thousandths.
template <V (*form)(V), int64_t limit>
static V below(Emitter &e, const Call &c) {
  V x = c.args[0], common = form(x);
  constexpr double kLimit = limit / 1000.0;
  // Intervals are of what is computed, a little wider than what is true.
  if (isKnownWithin(c, kLimit))
    return common;
  return unlessRare(
      e, c, [&](ArrayRef<V> x) { return isAtLeast(x[0], kLimit); }, common);
}

/// A form for every operand.
template <V (*form)(V)>
static V always(Emitter &, const Call &c) {
  return form(c.args[0]);
}

/// Up to here multiples of pi in three parts leave no error to speak of.
static constexpr int64_t kSmallAngle = 65536000;
/// As isFarOut: exp(x) and exp(-x) are normal.
static constexpr int64_t kNormalExp = 87000;
/// The square of what is less is finite.
static constexpr int64_t kSquare = int64_t(1) << 60;

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// lg2 of any number: subnormal ones are scaled where there may be some.
static V lg2OfAny(const Call &c) {
  V x = c.args[0];
  return hardware(isNeverSubnormal(c.ranges[0]) ? "llvm.nvvm.lg2.approx.ftz.f"
                                                : "llvm.nvvm.lg2.approx.f",
                  x);
}
static V emitLog2(Emitter &, const Call &c) { return lg2OfAny(c); }
static V emitLog(Emitter &, const Call &c) { return lg2OfAny(c) * fast::kLn2; }
static V emitLog10(Emitter &, const Call &c) {
  return lg2OfAny(c) * fast::kLog10Of2;
}

//===----------------------------------------------------------------------===//
// Others that are not of a form alone
//===----------------------------------------------------------------------===//

static V emitExp2(Emitter &e, const Call &c) {
  V x = c.args[0], common = ex2(x);
  if (isKnownWithin(c, 125.0))
    return common;
  return unlessRare(
      e, c, [](ArrayRef<V> x) { return isAtLeast(x[0], 126.0); }, common);
}

/// expm1(x), with -1 and infinity where x is far out.
static V expm1Anywhere(V x) {
  return math::unlessRare(x, isFarOut, fast::expm1(x), expm1F32);
}

static V emitElu(Emitter &, const Call &c) {
  V x = c.args[0];
  return select(gt(x, 0), x,
                expm1Anywhere(x) *
                    cast<EluOp>(c.op).getAlpha().convertToDouble());
}
static V emitCelu(Emitter &, const Call &c) {
  V x = c.args[0];
  double alpha = roundParameter(cast<CeluOp>(c.op).getAlpha(), x);
  auto expm1 = [](V v) { return Parts{expm1Anywhere(v), V()}; };
  return select(gt(x, 0), x, celuNegative(x, alpha, expm1, timesExpF32));
}
static V selu(V x) {
  using namespace coefficients;
  return select(gt(x, 0), x * kSeluScale[0],
                expm1Anywhere(x) * kSeluNegative[0]);
}

static V emitGelu(Emitter &e, const Call &c) {
  if (cast<GeluOp>(c.op).getApproximate() == GeluApproximation::tanh)
    return below<fast::geluTanh<V>, 9900>(e, c);
  return below<fast::gelu<V>, 13100>(e, c);
}

static V emitAcosh(Emitter &e, const Call &c) {
  V x = c.args[0];
  auto isRare = [](ArrayRef<V> x) {
    return compare(CmpPredicate::uge, x[0], x[0].splat(0x1p60)) | lt(x[0], 1.0);
  };
  return unlessRare(e, c, isRare, fast::acosh(x));
}

static V emitAtan2(Emitter &e, const Call &c) {
  V y = c.args[0], x = c.args[1];
  auto isRare = [](ArrayRef<V> operands) {
    V a = math::abs(operands[0]), b = math::abs(operands[1]);
    V larger = maximum(a, b), smaller = minimum(a, b);
    return compare(CmpPredicate::uge, larger, a.splat(0x1p60)) |
           compare(CmpPredicate::ult, smaller, a.splat(0x1p-40));
  };
  return unlessRare(e, c, isRare, fast::atan2(y, x));
}

static V emitPow(Emitter &e, const Call &c) {
  V x = c.args[0], y = c.args[1];
  fast::Power<V> power(x, y);
  return math::unlessRare(
      {x, y, power.t},
      [](ArrayRef<V> v) {
        return ~ultInt(bits(v[0]) - 0x00800000, 0x7f000000) |
               isAtLeast(v[2], 126.0);
      },
      power.value(),
      [&](ArrayRef<V> v) {
        Call ofThese = c;
        ofThese.args.assign(v.begin(), v.begin() + 2);
        return ofDefaultMode(e, ofThese);
      });
}

static V emitHypot(Emitter &e, const Call &c) {
  V x = c.args[0], y = c.args[1];
  auto isRare = [](ArrayRef<V> v) {
    V sum = fma(v[0], v[0], v[1] * v[1]);
    return compare(CmpPredicate::ult, sum, sum.splat(0x1p-90)) |
           compare(CmpPredicate::uge, sum, sum.splat(0x1p127));
  };
  return unlessRare(e, c, isRare, fast::hypot(x, y));
}

/// Whether d, or 1 / d, is subnormal, zero or no number.
static V hasNoNormalInverse(V d) {
  return ugtInt((bits(d) & 0x7fffffff) - 0x00800000,
                int64_t(0x7e800000 - 0x00800000));
}
static V emitDiv(Emitter &, const Call &c) {
  V n = c.args[0], d = c.args[1];
  return math::unlessRare(
      {n, d}, [](ArrayRef<V> v) { return hasNoNormalInverse(v[1]); },
      fast::divide(n, d), [](ArrayRef<V> v) { return v[0] / v[1]; });
}
static V emitReciprocal(Emitter &, const Call &c) {
  V d = c.args[0];
  return math::unlessRare(d, hasNoNormalInverse, rcp(d),
                          [](V d) { return 1.0 / d; });
}

/// It takes subnormal numbers, too.
static V emitSqrt(Emitter &, const Call &c) {
  return hardware("llvm.nvvm.sqrt.approx.f", c.args[0]);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Implementation inFastMode(double bound, unsigned cost, Emit emit,
                                 StringRef name) {
  Implementation result = onHardware(bound, cost, emit, name);
  result.relative = true;
  return result;
}

void ew::math::addFast(Implementations &table) {
  constexpr double kBound = kFastBound;
  auto logarithm = [](unsigned cost, Emit emit) {
    Implementation result = inFastMode(kBound, cost, emit, "lg2.approx");
    result.absolute = kFastLogarithmBound;
    return result;
  };
  constexpr const char *kExp =
      "ex2.approx with the product's rounding put right";
  constexpr const char *kSigmoid =
      "ex2.approx with the product's rounding put right, and rcp.approx";
  table.add<ExpOp>(
      inFastMode(kBound, 5, below<fast::exp<V>, kNormalExp>, kExp));
  table.add<Exp2Op>(inFastMode(kBound, 2, emitExp2, "ex2.approx"));
  table.add<Expm1Op>(inFastMode(kBound, 14, below<fast::expm1<V>, kNormalExp>,
                                "a polynomial"));
  table.add<LogOp>(logarithm(5, emitLog));
  table.add<Log2Op>(logarithm(4, emitLog2));
  table.add<Log10Op>(logarithm(5, emitLog10));
  table.add<Log1pOp>(inFastMode(kBound, 14, always<fast::log1p<V>>,
                                "lg2.approx; near 0 a polynomial"));
  table.add<SinOp>(
      inFastMode(kBound, 14, below<fast::sin<V>, kSmallAngle>, "a polynomial"));
  table.add<CosOp>(
      inFastMode(kBound, 14, below<fast::cos<V>, kSmallAngle>, "a polynomial"));
  table.add<TanOp>(inFastMode(kBound, 18, below<fast::tan<V>, kSmallAngle>,
                              "a polynomial and rcp.approx"));
  table.add<AsinOp>(inFastMode(kBound, 14, always<fast::asin<V>>,
                               "a polynomial and sqrt.approx"));
  table.add<AcosOp>(inFastMode(kBound, 14, always<fast::acos<V>>,
                               "a polynomial and sqrt.approx"));
  table.add<AtanOp>(inFastMode(kBound, 14, always<fast::atan<V>>,
                               "a polynomial and rcp.approx"));
  table.add<Atan2Op>(
      inFastMode(kBound, 22, emitAtan2, "a polynomial and rcp.approx"));
  table.add<SinhOp>(
      inFastMode(kBound, 16, below<fast::sinh<V>, kNormalExp>, kSigmoid));
  table.add<CoshOp>(
      inFastMode(kBound, 8, below<fast::cosh<V>, kNormalExp>, kSigmoid));
  table.add<TanhOp>(
      inFastMode(kBound, 13, always<fast::tanh<V>>,
                 "ex2.approx and rcp.approx; near 0 a polynomial"));
  table.add<AsinhOp>(inFastMode(kBound, 18, below<fast::asinh<V>, kSquare>,
                                "lg2.approx; near 0 a polynomial"));
  table.add<AcoshOp>(
      inFastMode(kBound, 21, emitAcosh, "lg2.approx; near 1 a polynomial"));
  table.add<AtanhOp>(inFastMode(kBound, 19, always<fast::atanh<V>>,
                                "lg2.approx; near 0 a polynomial"));
  table.add<ErfOp>(inFastMode(kBound, 16, always<fast::erf<V>>,
                              "ex2.approx of a polynomial"));
  table.add<ErfcOp>(inFastMode(kBound, 22, below<fast::erfc<V>, 9300>,
                               "ex2.approx and a polynomial"));
  table.add<PowOp>(inFastMode(kBound, 42, emitPow,
                              "a logarithm in two parts and ex2.approx"));
  table.add<HypotOp>(inFastMode(kBound, 5, emitHypot, "sqrt.approx"));

  table.add<SigmoidOp>(
      inFastMode(kBound, 7, below<fast::sigmoid<V>, kNormalExp>, kSigmoid));
  table.add<SiluOp>(
      inFastMode(kBound, 8, below<fast::silu<V>, kNormalExp>, kSigmoid));
  table.add<SoftplusOp>(inFastMode(kBound, 14,
                                   below<fast::softplus<V>, kNormalExp>,
                                   "ex2.approx and a polynomial"));
  table.add<LogSigmoidOp>(inFastMode(kBound, 14,
                                     below<fast::logSigmoid<V>, kNormalExp>,
                                     "ex2.approx and a polynomial"));
  table.add<MishOp>(
      inFastMode(kBound, 12, below<fast::mish<V>, kNormalExp>, kSigmoid));
  table.add<GeluOp>(
      inFastMode(kBound, 24, emitGelu, "ex2.approx and a polynomial"));
  table.add<EluOp>(inFastMode(kBound, 17, emitElu, "a polynomial"));
  table.add<CeluOp>(inFastMode(kBound, 24, emitCelu, "a polynomial"));
  table.add<SeluOp>(inFastMode(kBound, 17, always<selu>, "a polynomial"));
  table.add<SoftsignOp>(
      inFastMode(kBound, 5, always<fast::softsign<V>>, "rcp.approx"));

  // What costs a CPU less than the default does.
  auto onCPU = [](Emit emit) {
    Implementation result = inFastMode(kBound, 14, emit, "a polynomial");
    result.targets = OnCPU;
    return result;
  };
  table.add<SinOp>(onCPU(below<fast::sin<V>, kSmallAngle>));
  table.add<CosOp>(onCPU(below<fast::cosByNearest<V>, kSmallAngle>));

  table.add<DivOp>(inFastMode(kFastQuotientBound, 5, emitDiv, "rcp.approx"));
  table.add<ReciprocalOp>(
      inFastMode(kFastQuotientBound, 4, emitReciprocal, "rcp.approx"));
  table.add<SqrtOp>(inFastMode(kFastQuotientBound, 4, emitSqrt, "sqrt.approx"));
}
