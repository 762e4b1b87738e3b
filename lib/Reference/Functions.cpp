//===- Functions.cpp - The ops that compute floating point ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry for each op: its true value at a point, and where it turns.
// Functions that are composed here work in wide numbers, in a form that does
// not cancel.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Ranges.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace ew;
using namespace ew::reference;
using llvm::ArrayRef;

using Args = ArrayRef<const Real *>;

//===----------------------------------------------------------------------===//
// Functions that MPFR has
//===----------------------------------------------------------------------===//

template <int (*compute)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
static Real unary(Args args, const Parameters &) {
  return toOdd([&](mpfr_ptr result, mpfr_rnd_t rounding) {
    return compute(result, args[0]->get(), rounding);
  });
}

template <int (*compute)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
static Real binary(Args args, const Parameters &) {
  return toOdd([&](mpfr_ptr result, mpfr_rnd_t rounding) {
    return compute(result, args[0]->get(), args[1]->get(), rounding);
  });
}

static Real fma(Args args, const Parameters &) {
  return toOdd([&](mpfr_ptr result, mpfr_rnd_t rounding) {
    return mpfr_fma(result, args[0]->get(), args[1]->get(), args[2]->get(),
                    rounding);
  });
}

//===----------------------------------------------------------------------===//
// Wide numbers
//===----------------------------------------------------------------------===//

namespace {
/// Just enough arithmetic to spell the functions below as formulas.
struct Wide : Real {
  Wide(double number = 0) : Real(number, kWide) {}
  Wide(const Real &number) : Real(0.0, kWide) {
    mpfr_set(get(), number.get(), MPFR_RNDN);
  }
};
} // namespace

static Wide decimal(const char *digits) {
  Wide result;
  mpfr_set_str(result.get(), digits, 10, MPFR_RNDN);
  return result;
}

template <typename Compute>
static Wide wide(Compute compute) {
  Wide result;
  compute(result.get());
  return result;
}
static Wide operator+(const Wide &a, const Wide &b) {
  return wide([&](mpfr_ptr r) { mpfr_add(r, a.get(), b.get(), MPFR_RNDN); });
}
static Wide operator*(const Wide &a, const Wide &b) {
  return wide([&](mpfr_ptr r) { mpfr_mul(r, a.get(), b.get(), MPFR_RNDN); });
}
static Wide operator/(const Wide &a, const Wide &b) {
  return wide([&](mpfr_ptr r) { mpfr_div(r, a.get(), b.get(), MPFR_RNDN); });
}
static Wide operator-(const Wide &a) {
  return wide([&](mpfr_ptr r) { mpfr_neg(r, a.get(), MPFR_RNDN); });
}
static Wide exp(const Wide &a) {
  return wide([&](mpfr_ptr r) { mpfr_exp(r, a.get(), MPFR_RNDN); });
}
static Wide expm1(const Wide &a) {
  return wide([&](mpfr_ptr r) { mpfr_expm1(r, a.get(), MPFR_RNDN); });
}
static Wide log1p(const Wide &a) {
  return wide([&](mpfr_ptr r) { mpfr_log1p(r, a.get(), MPFR_RNDN); });
}
static Wide erfc(const Wide &a) {
  return wide([&](mpfr_ptr r) { mpfr_erfc(r, a.get(), MPFR_RNDN); });
}
static Wide sqrt(const Wide &a) {
  return wide([&](mpfr_ptr r) { mpfr_sqrt(r, a.get(), MPFR_RNDN); });
}
static Wide pi() {
  return wide([](mpfr_ptr r) { mpfr_const_pi(r, MPFR_RNDN); });
}

static bool isAbove(const Real &a, double b) {
  return mpfr_cmp_d(a.get(), b) > 0;
}
static bool isBelow(const Real &a, double b) {
  return mpfr_cmp_d(a.get(), b) < 0;
}

/// A function of one operand that is written in wide numbers. A NaN stays.
template <Wide (*compute)(const Wide &, const Parameters &)>
static Real composed(Args args, const Parameters &parameters) {
  if (args[0]->isNaN())
    return *args[0];
  return narrow(compute(Wide(*args[0]), parameters));
}

//===----------------------------------------------------------------------===//
// Sign and rounding
//===----------------------------------------------------------------------===//

static Real absPoint(Args args, const Parameters &) {
  return absolute(*args[0]);
}
static Real negPoint(Args args, const Parameters &) { return negate(*args[0]); }

static Real signPoint(Args args, const Parameters &) {
  const Real &x = *args[0];
  if (x.isNaN() || x.isZero())
    return x;
  return Real(x.isNegative() ? -1.0 : 1.0);
}

template <int (*compute)(mpfr_ptr, mpfr_srcptr)>
static Real toInteger(Args args, const Parameters &) {
  Real result;
  compute(result.get(), args[0]->get());
  return result;
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static Real reciprocal(Args args, const Parameters &) {
  return toOdd([&](mpfr_ptr result, mpfr_rnd_t rounding) {
    return mpfr_ui_div(result, 1, args[0]->get(), rounding);
  });
}

static Real rsqrt(Args args, const Parameters &parameters) {
  if (args[0]->isZero()) // MPFR gives inf for -0 too
    return Real::infinity(args[0]->isNegative());
  return unary<mpfr_rec_sqrt>(args, parameters);
}

static Real floorDiv(Args args, const Parameters &parameters) {
  const Real &x = *args[0], &y = *args[1];
  Real quotient = binary<mpfr_div>(args, parameters);
  if (!quotient.isFinite() || x.isZero() || y.isZero())
    return quotient;
  if (y.isInfinite())
    return x.isNegative() == y.isNegative() ? quotient : Real(-1.0);
  // Odd, so never an integer by rounding. From 2^128 on the quotient is its
  // own floor, as far as rounding to a format can see.
  mpfr_floor(quotient.get(), quotient.get());
  return quotient;
}

static Real rem(Args args, const Parameters &parameters) {
  return binary<mpfr_fmod>(args, parameters);
}

static Real mod(Args args, const Parameters &parameters) {
  const Real &y = *args[1];
  Real result = rem(args, parameters);
  if (result.isNaN())
    return result;
  if (result.isZero())
    return Real::zero(y.isNegative());
  if (result.isNegative() == y.isNegative())
    return result;
  const Real *sum[] = {&result, &y};
  return binary<mpfr_add>(sum, parameters);
}

static Real powPoint(Args args, const Parameters &parameters) {
  return binary<mpfr_pow>(args, parameters);
}

//===----------------------------------------------------------------------===//
// Activation functions
//===----------------------------------------------------------------------===//

static Wide sigmoid(const Wide &x, const Parameters &) {
  return Wide(1) / (Wide(1) + exp(-x));
}

static Wide softplus(const Wide &x, const Parameters &) {
  return isAbove(x, 0) ? x + log1p(exp(-x)) : log1p(exp(x));
}

static Wide logSigmoid(const Wide &x, const Parameters &parameters) {
  return -softplus(-x, parameters);
}

static Wide softsign(const Wide &x, const Parameters &) {
  if (x.isInfinite())
    return Wide(x.isNegative() ? -1 : 1);
  return x / (Wide(1) + Wide(absolute(x)));
}

static Wide relu(const Wide &x, const Parameters &) {
  return isAbove(x, 0) ? x : Wide(0);
}

static Wide leakyRelu(const Wide &x, const Parameters &parameters) {
  return isBelow(x, 0) ? Wide(parameters.alpha) * x : x;
}

static Wide elu(const Wide &x, const Parameters &parameters) {
  return isAbove(x, 0) ? x : Wide(parameters.alpha) * expm1(x);
}

static Wide selu(const Wide &x, const Parameters &) {
  Wide scale = decimal("1.0507009873554804934193349852946");
  Wide alpha = decimal("1.6732632423543772848170429916717");
  return scale * (isAbove(x, 0) ? x : alpha * expm1(x));
}

static Wide celu(const Wide &x, const Parameters &parameters) {
  Wide alpha(parameters.alpha);
  return isAbove(x, 0) ? x : alpha * expm1(x / alpha);
}

static Wide silu(const Wide &x, const Parameters &parameters) {
  if (x.isInfinite() && x.isNegative())
    return Wide(-0.0);
  return x / (Wide(1) + exp(-x));
}

/// Below it, x times a tail of the normal distribution is a zero in any format.
static constexpr double kNoTail = -1.0e4;

static Wide gelu(const Wide &x, const Parameters &parameters) {
  if (x.isZero())
    return x;
  if (isBelow(x, kNoTail))
    return Wide(-0.0);
  if (parameters.approximation == GeluApproximation::tanh) {
    // (1 + tanh u) / 2 = sigmoid(2 u).
    Wide u = sqrt(Wide(2) / pi()) * (x + decimal("0.044715") * x * x * x);
    return x * sigmoid(Wide(2) * u, parameters);
  }
  return x / Wide(2) * erfc(-x / sqrt(Wide(2)));
}

static Wide mish(const Wide &x, const Parameters &) {
  if (isAbove(x, -kNoTail))
    return x;
  if (isBelow(x, kNoTail))
    return Wide(-0.0);
  // tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2).
  Wide e = exp(x);
  Wide n = e * (e + Wide(2));
  return x * n / (n + Wide(2));
}

static Wide hardSigmoid(const Wide &x, const Parameters &) {
  if (!isAbove(x, -3))
    return Wide(0);
  return isBelow(x, 3) ? (x + Wide(3)) / Wide(6) : Wide(1);
}

static Wide hardSwish(const Wide &x, const Parameters &parameters) {
  if (x.isInfinite())
    return x.isNegative() ? Wide(-0.0) : x;
  return x * hardSigmoid(x, parameters);
}

//===----------------------------------------------------------------------===//
// Smaller, larger
//===----------------------------------------------------------------------===//

static Real larger(const Real &x, const Real &y) {
  return compareTotal(x, y) >= 0 ? x : y;
}
static Real smaller(const Real &x, const Real &y) {
  return compareTotal(x, y) <= 0 ? x : y;
}

/// NaN wins.
template <Real (*choose)(const Real &, const Real &)>
static Real extremum(Args args, const Parameters &) {
  if (args[0]->isNaN() || args[1]->isNaN())
    return Real::nan();
  return choose(*args[0], *args[1]);
}

/// The number wins.
template <Real (*choose)(const Real &, const Real &)>
static Real extremumNumber(Args args, const Parameters &) {
  if (args[0]->isNaN())
    return *args[1];
  return args[1]->isNaN() ? *args[0] : choose(*args[0], *args[1]);
}

static Real clamp(Args args, const Parameters &) {
  for (const Real *arg : args)
    if (arg->isNaN())
      return Real::nan();
  return smaller(larger(*args[0], *args[1]), *args[2]);
}

//===----------------------------------------------------------------------===//
// Representation
//===----------------------------------------------------------------------===//

static Real copysign(Args args, const Parameters &) {
  const Real &x = *args[0], &y = *args[1];
  bool negative = !y.isNaN() && y.isNegative();
  return !x.isNaN() && x.isNegative() != negative ? negate(x) : x;
}

static Real nextAfter(Args args, const Parameters &parameters) {
  const Real &x = *args[0], &y = *args[1];
  if (x.isNaN() || y.isNaN())
    return Real::nan();
  int order = compare(x, y);
  if (order == 0)
    return y;
  const Format &format = *parameters.format;
  uint64_t sign = uint64_t(1) << (format.width - 1);
  uint64_t bits = encode(x, format);
  bool upward = order < 0;
  if (x.isZero())
    bits = upward ? 1 : sign | 1;
  else
    bits += upward == !x.isNegative() ? 1 : -1;
  return decode(bits, format);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
struct Table : llvm::StringMap<Function> {
  template <typename Op>
  Function &add(PointFunction point, ArrayRef<double> turns = {}) {
    Function &function = (*this)[Op::getOperationName()];
    function.point = point;
    function.turns.assign(turns.begin(), turns.end());
    return function;
  }
  /// A function whose value jumps.
  template <typename Op>
  Function &addJumping(PointFunction point, ArrayRef<double> turns = {}) {
    Function &function = add<Op>(point, turns);
    function.jumps = true;
    return function;
  }
  template <typename Op>
  void addRounding(PointFunction point) {
    addJumping<Op>(point).looksAtFormat = true;
  }
  Table();
};
} // namespace

static const double kBothZeros[] = {-0.0, 0.0};

Table::Table() {
  add<AbsOp>(absPoint, kBothZeros);
  add<NegOp>(negPoint);
  addJumping<SignOp>(signPoint);
  addRounding<CeilOp>(toInteger<mpfr_ceil>);
  addRounding<FloorOp>(toInteger<mpfr_floor>);
  addRounding<TruncOp>(toInteger<mpfr_trunc>);
  addRounding<RoundOp>(toInteger<mpfr_round>);
  addRounding<RoundEvenOp>(toInteger<mpfr_roundeven>);

  add<SqrtOp>(unary<mpfr_sqrt>, kBothZeros);
  add<RsqrtOp>(rsqrt, kBothZeros);
  add<CbrtOp>(unary<mpfr_cbrt>);
  add<ReciprocalOp>(reciprocal, kBothZeros);
  add<SquareOp>(unary<mpfr_sqr>, kBothZeros);

  add<ExpOp>(unary<mpfr_exp>);
  add<Exp2Op>(unary<mpfr_exp2>).exactHits = true;
  add<Expm1Op>(unary<mpfr_expm1>);
  add<LogOp>(unary<mpfr_log>, kBothZeros);
  add<Log2Op>(unary<mpfr_log2>, kBothZeros).exactHits = true;
  add<Log10Op>(unary<mpfr_log10>, kBothZeros);
  add<Log1pOp>(unary<mpfr_log1p>, {-1.0});

  add<SinOp>(unary<mpfr_sin>).range = sinRange;
  add<CosOp>(unary<mpfr_cos>).range = cosRange;
  add<TanOp>(unary<mpfr_tan>).range = tanRange;
  add<AsinOp>(unary<mpfr_asin>, {-1.0, 1.0});
  add<AcosOp>(unary<mpfr_acos>, {-1.0, 1.0});
  add<AtanOp>(unary<mpfr_atan>);
  add<SinhOp>(unary<mpfr_sinh>);
  add<CoshOp>(unary<mpfr_cosh>, kBothZeros);
  add<TanhOp>(unary<mpfr_tanh>);
  add<AsinhOp>(unary<mpfr_asinh>);
  add<AcoshOp>(unary<mpfr_acosh>, {1.0});
  add<AtanhOp>(unary<mpfr_atanh>, {-1.0, 1.0});
  add<ErfOp>(unary<mpfr_erf>);
  add<ErfcOp>(unary<mpfr_erfc>);

  add<SigmoidOp>(composed<sigmoid>);
  add<LogSigmoidOp>(composed<logSigmoid>);
  add<SoftplusOp>(composed<softplus>);
  add<SoftsignOp>(composed<softsign>);
  add<ReluOp>(composed<relu>, kBothZeros);
  add<LeakyReluOp>(composed<leakyRelu>, kBothZeros);
  add<EluOp>(composed<elu>, kBothZeros);
  add<SeluOp>(composed<selu>);
  add<CeluOp>(composed<celu>);
  // Where the derivative is 0; an error in the last digit is squared in the
  // value.
  add<GeluOp>(composed<gelu>, {-0.7517915246935645, -0.7524614220710163});
  add<SiluOp>(composed<silu>, {-1.2784645427610738});
  add<MishOp>(composed<mish>, {-1.1924312145154952});
  add<HardSigmoidOp>(composed<hardSigmoid>);
  add<HardSwishOp>(composed<hardSwish>, {-3.0, -1.5});

  add<AddOp>(binary<mpfr_add>);
  add<SubOp>(binary<mpfr_sub>);
  add<MulOp>(binary<mpfr_mul>, kBothZeros);
  add<DivOp>(binary<mpfr_div>, kBothZeros);
  addJumping<FloorDivOp>(floorDiv, kBothZeros);
  add<RemOp>(rem).range = remRange;
  add<ModOp>(mod).range = modRange;
  add<PowOp>(powPoint, {-1.0, -0.0, 0.0, 1.0}).range = powRange;
  add<Atan2Op>(binary<mpfr_atan2>, kBothZeros).range = atan2Range;
  add<HypotOp>(binary<mpfr_hypot>, kBothZeros);

  add<MaxOp>(extremum<larger>);
  add<MinOp>(extremum<smaller>);
  add<MaxnumOp>(extremumNumber<larger>);
  add<MinnumOp>(extremumNumber<smaller>);
  add<CopysignOp>(copysign, kBothZeros).range = copysignRange;
  Function &next = addJumping<NextAfterOp>(nextAfter);
  next.looksAtFormat = true;
  next.range = nextAfterRange;

  add<ClampOp>(clamp);
  add<FmaOp>(fma, kBothZeros);
}

const Function *ew::reference::getFunction(llvm::StringRef opName) {
  static const Table table;
  auto it = table.find(opName);
  return it == table.end() ? nullptr : &it->second;
}
