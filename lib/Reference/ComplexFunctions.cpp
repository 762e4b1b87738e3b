//===- ComplexFunctions.cpp - The ops on complex numbers ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Special values as in C's Annex G; where it leaves a choice, as the ops'
// definitions have it.
//
//===----------------------------------------------------------------------===//

#include "ComplexFunctions.h"
#include "Ranges.h"

#include "llvm/ADT/StringMap.h"
#include <array>
#include <cmath>

using namespace ew;
using namespace ew::reference;
using llvm::ArrayRef;

using Args = ArrayRef<const Real *>;
using Ranges = ArrayRef<const Range *>;

//===----------------------------------------------------------------------===//
// Wide numbers
//===----------------------------------------------------------------------===//

namespace {
struct Wide : Real {
  Wide(double number = 0) : Real(number, kWide) {}
  Wide(const Real &number) : Real(0.0, kWide) {
    mpfr_set(get(), number.get(), MPFR_RNDN);
  }
};

struct Complex {
  Wide re, im;
};

/// One part of a number, or of the two operands of an op.
using Unary = Complex (*)(const Wide &x, const Wide &y);
using Binary = Complex (*)(const Complex &z, const Complex &w);
} // namespace

template <typename Compute>
static Wide wide(Compute compute) {
  Wide result;
  compute(result.get());
  return result;
}
template <int (*compute)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
static Wide apply(const Wide &a) {
  return wide([&](mpfr_ptr r) { compute(r, a.get(), MPFR_RNDN); });
}
template <int (*compute)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
static Wide apply(const Wide &a, const Wide &b) {
  return wide([&](mpfr_ptr r) { compute(r, a.get(), b.get(), MPFR_RNDN); });
}
static Wide operator*(const Wide &a, const Wide &b) {
  return apply<mpfr_mul>(a, b);
}
static Wide operator/(const Wide &a, const Wide &b) {
  return apply<mpfr_div>(a, b);
}
static Wide operator+(const Wide &a, const Wide &b) {
  return apply<mpfr_add>(a, b);
}
static Wide operator-(const Wide &a) { return apply<mpfr_neg>(a); }

/// a b + c d and a b - c d, rounded once.
static Wide sumOfProducts(const Wide &a, const Wide &b, const Wide &c,
                          const Wide &d) {
  return wide([&](mpfr_ptr r) {
    mpfr_fmma(r, a.get(), b.get(), c.get(), d.get(), MPFR_RNDN);
  });
}
static Wide differenceOfProducts(const Wide &a, const Wide &b, const Wide &c,
                                 const Wide &d) {
  return wide([&](mpfr_ptr r) {
    mpfr_fmms(r, a.get(), b.get(), c.get(), d.get(), MPFR_RNDN);
  });
}

static Wide nan() { return Wide(Real::nan()); }
static Wide infinity() { return Wide(Real::infinity()); }
static Wide withSign(const Wide &magnitude, const Real &sign) {
  return wide([&](mpfr_ptr r) {
    mpfr_setsign(r, magnitude.get(), sign.isNegative(), MPFR_RNDN);
  });
}
static bool hasInfinity(const Complex &z) {
  return z.re.isInfinite() || z.im.isInfinite();
}
static bool isFinite(const Complex &z) {
  return z.re.isFinite() && z.im.isFinite();
}
static bool isZero(const Complex &z) { return z.re.isZero() && z.im.isZero(); }

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// An infinite number as its direction: parts of 1 and 0.
static Complex toDirection(const Complex &z) {
  auto part = [](const Wide &x) {
    return withSign(Wide(x.isInfinite() ? 1 : 0), x);
  };
  return {part(z.re), part(z.im)};
}

static Complex withoutNaN(const Complex &z) {
  auto part = [](const Wide &x) {
    return x.isNaN() ? withSign(Wide(0), x) : x;
  };
  return {part(z.re), part(z.im)};
}

static Complex mul(const Complex &z, const Complex &w) {
  auto product = [](const Complex &z, const Complex &w) {
    return Complex{differenceOfProducts(z.re, w.re, z.im, w.im),
                   sumOfProducts(z.re, w.im, z.im, w.re)};
  };
  Complex result = product(z, w);
  if (!result.re.isNaN() || !result.im.isNaN() ||
      !(hasInfinity(z) || hasInfinity(w)))
    return result;
  Complex a = hasInfinity(z) ? toDirection(z) : withoutNaN(z);
  Complex b = hasInfinity(w) ? toDirection(w) : withoutNaN(w);
  result = product(a, b);
  return {infinity() * result.re, infinity() * result.im};
}

static Complex div(const Complex &z, const Complex &w) {
  auto numerator = [](const Complex &z, const Complex &w) {
    return Complex{sumOfProducts(z.re, w.re, z.im, w.im),
                   differenceOfProducts(z.im, w.re, z.re, w.im)};
  };
  Wide norm = sumOfProducts(w.re, w.re, w.im, w.im);
  Complex above = numerator(z, w);
  Complex result = {above.re / norm, above.im / norm};
  if (!result.re.isNaN() || !result.im.isNaN())
    return result;
  if (isZero(w) && !(z.re.isNaN() && z.im.isNaN())) {
    Wide pole = withSign(infinity(), w.re);
    return {pole * z.re, pole * z.im};
  }
  if (hasInfinity(z) && isFinite(w)) {
    above = numerator(toDirection(z), w);
    return {infinity() * above.re, infinity() * above.im};
  }
  if (hasInfinity(w) && isFinite(z)) {
    above = numerator(z, toDirection(w));
    return {Wide(0) * above.re, Wide(0) * above.im};
  }
  return result;
}

static Complex square(const Wide &x, const Wide &y) {
  return mul({x, y}, {x, y});
}
static Complex reciprocal(const Wide &x, const Wide &y) {
  return div({Wide(1), Wide(0)}, {x, y});
}

static Complex sqrt(const Wide &x, const Wide &y) {
  if (y.isInfinite())
    return {infinity(), y};
  if (x.isInfinite()) {
    Wide none = y.isNaN() ? nan() : withSign(Wide(0), y);
    if (!x.isNegative())
      return {infinity(), none};
    if (y.isNaN())
      return {nan(), infinity()};
    return {Wide(0), withSign(infinity(), y)};
  }
  if (x.isNaN() || y.isNaN())
    return {nan(), nan()};
  if (x.isZero() && y.isZero())
    return {Wide(0), y};
  Wide magnitude = Wide(absolute(x)), half = Wide(0.5);
  Wide larger = apply<mpfr_sqrt>((magnitude + apply<mpfr_hypot>(x, y)) * half);
  Wide smaller = Wide(absolute(y)) * half / larger;
  return x.isNegative() ? Complex{smaller, withSign(larger, y)}
                        : Complex{larger, withSign(smaller, y)};
}

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

static Complex exp(const Wide &x, const Wide &y) {
  if (y.isZero())
    return {apply<mpfr_exp>(x), y};
  if (!y.isFinite() && x.isInfinite())
    return x.isNegative() ? Complex{Wide(0), Wide(0)}
                          : Complex{infinity(), nan()};
  Wide scale = apply<mpfr_exp>(x);
  return {scale * apply<mpfr_cos>(y), scale * apply<mpfr_sin>(y)};
}

static Complex log(const Wide &x, const Wide &y) {
  Wide angle = apply<mpfr_atan2>(y, x);
  if (x.isInfinite() || y.isInfinite())
    return {infinity(), angle};
  if (x.isNaN() || y.isNaN())
    return {nan(), angle};
  Wide modulus = apply<mpfr_hypot>(x, y);
  if (mpfr_cmp_d(modulus.get(), 0.5) < 0 || mpfr_cmp_d(modulus.get(), 2) > 0)
    return {apply<mpfr_log>(modulus), angle};
  // |z|^2 - 1 = (m - 1) (m + 1) + n^2, for m the larger part: both factors are
  // exact where the sum is small.
  Wide larger(absolute(x)), smaller(absolute(y));
  if (compare(larger, smaller) < 0)
    std::swap(larger, smaller);
  Wide beyond =
      sumOfProducts(larger + Wide(-1), larger + Wide(1), smaller, smaller);
  return {apply<mpfr_log1p>(beyond) * Wide(0.5), angle};
}

static Complex pow(const Complex &z, const Complex &w) {
  if (isZero(w))
    return {Wide(1), Wide(0)};
  if (isZero(z) && mpfr_sgn(w.re.get()) > 0 && !w.re.isNaN())
    return {Wide(0), Wide(0)};
  Complex logarithm = log(z.re, z.im);
  // An infinity times a part that is a zero in f64.
  if (!isFinite(w))
    logarithm = {Wide(logarithm.re.toDouble()), Wide(logarithm.im.toDouble())};
  Complex exponent = mul(w, logarithm);
  return exp(exponent.re, exponent.im);
}

//===----------------------------------------------------------------------===//
// Trigonometry
//===----------------------------------------------------------------------===//

/// The sine as -i sinh(iz): of u + vi = -y + xi.
static Complex sin(const Wide &x, const Wide &y) {
  Complex result = {apply<mpfr_sin>(x) * apply<mpfr_cosh>(y),
                    apply<mpfr_cos>(x) * apply<mpfr_sinh>(y)};
  if (x.isZero())
    result.re = x;
  if (!x.isFinite() && (y.isZero() || y.isInfinite()))
    result.im = y;
  return result;
}

static Complex cos(const Wide &x, const Wide &y) {
  Complex result = {apply<mpfr_cos>(x) * apply<mpfr_cosh>(y),
                    -(apply<mpfr_sin>(x) * apply<mpfr_sinh>(y))};
  if (!x.isFinite() && y.isInfinite())
    result.re = infinity();
  if (result.im.isNaN() && (x.isZero() || y.isZero())) {
    bool known = !x.isNaN() && !y.isNaN();
    result.im = Real::zero(known && x.isNegative() == y.isNegative());
  }
  return result;
}

static Complex tanh(const Wide &x, const Wide &y) {
  if (x.isNaN())
    return {x, y.isZero() ? y : nan()};
  if (x.isInfinite()) {
    Wide zero(0);
    if (y.isFinite())
      zero = zero * apply<mpfr_sin>(y) * apply<mpfr_cos>(y);
    return {withSign(Wide(1), x), zero};
  }
  if (!y.isFinite())
    return {x.isZero() ? x : nan(), nan()};
  Wide s = apply<mpfr_sinh>(x), c = apply<mpfr_cos>(y);
  Wide norm = sumOfProducts(s, s, c, c);
  if (norm.isInfinite()) // beyond all exponents
    return {withSign(Wide(1), x), withSign(Wide(0), apply<mpfr_sin>(y) * c)};
  return {s * apply<mpfr_cosh>(x) / norm, apply<mpfr_sin>(y) * c / norm};
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
/// All values of an expression of ranges; knows nothing of what depends on
/// what.
struct Interval {
  Range range;
};
} // namespace

/// An end that was rounded, to odd, lies between its neighbours: they are the
/// ends then, as what this step is off by may be all that a later one leaves.
static Range enclose(Range range) {
  auto isRounded = [](const Real &end) {
    return mpfr_regular_p(end.get()) &&
           mpfr_min_prec(end.get()) == mpfr_get_prec(end.get());
  };
  if (range.hasNumber && isRounded(range.low))
    mpfr_nextbelow(range.low.get());
  if (range.hasNumber && isRounded(range.high))
    mpfr_nextabove(range.high.get());
  return range;
}

template <typename Op, typename... Operand>
static Interval call(const Operand &...operands) {
  // What is undecided here has a range that says so.
  bool undecided = false;
  const Range *ranges[] = {&operands.range...};
  return {enclose(applyToRanges(*getFunction(Op::getOperationName()), ranges,
                                {}, undecided))};
}
static Interval constant(double number) { return {Range::point(Real(number))}; }
static Interval operator+(const Interval &a, const Interval &b) {
  return call<AddOp>(a, b);
}
static Interval operator-(const Interval &a, const Interval &b) {
  return call<SubOp>(a, b);
}
static Interval operator*(const Interval &a, const Interval &b) {
  return call<MulOp>(a, b);
}
static Interval operator/(const Interval &a, const Interval &b) {
  return call<DivOp>(a, b);
}

static Range everything() {
  Range result;
  result.hasNaN = true;
  result.include(Real::infinity(false));
  result.include(Real::infinity(true));
  return result;
}

namespace {
struct IntervalPair {
  Interval re, im;
};
using IntervalFunction = IntervalPair (*)(ArrayRef<Interval>);
} // namespace

/// A part of `function`, where all operands are finite numbers and the result
/// too: specials are for points.
template <IntervalFunction function, bool imaginary>
static Range rangeOf(Ranges operands, const Parameters &, bool &undecided) {
  llvm::SmallVector<Interval, 4> intervals;
  for (const Range *range : operands) {
    if (range->hasNaN || range->low.isInfinite() || range->high.isInfinite()) {
      undecided = true;
      return everything();
    }
    intervals.push_back({*range});
  }
  IntervalPair pair = function(intervals);
  Range result = imaginary ? pair.im.range : pair.re.range;
  if (result.hasNaN) {
    undecided = true;
    return everything();
  }
  // Of a zero's sign nothing is known.
  if (result.contains(Real::zero(false)))
    result.include(Real::zero(true));
  if (result.contains(Real::zero(true)))
    result.include(Real::zero(false));
  return result;
}

static IntervalPair mulRange(const IntervalPair &z, const IntervalPair &w) {
  return {z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re};
}
static IntervalPair expRange(ArrayRef<Interval> z) {
  Interval scale = call<ExpOp>(z[0]);
  return {scale * call<CosOp>(z[1]), scale * call<SinOp>(z[1])};
}
/// log(|z|), to the last digits near |z| = 1 too: as `log` has it.
static Interval logModulusRange(const Interval &x, const Interval &y) {
  Interval modulus = call<HypotOp>(x, y), result = call<LogOp>(modulus);
  if (mpfr_cmp_d(modulus.range.low.get(), 0.5) < 0 ||
      mpfr_cmp_d(modulus.range.high.get(), 2) > 0)
    return result;
  Interval larger = call<AbsOp>(x), smaller = call<AbsOp>(y);
  if (compare(larger.range.high, smaller.range.high) < 0)
    std::swap(larger, smaller);
  Interval beyond =
      (larger - constant(1)) * (larger + constant(1)) + call<SquareOp>(smaller);
  Range near = (call<Log1pOp>(beyond) * constant(0.5)).range;
  if (near.hasNaN) // wide ranges
    return result;
  // Each holds all there is.
  if (compare(near.low, result.range.low) > 0)
    result.range.low = near.low;
  if (compare(near.high, result.range.high) < 0)
    result.range.high = near.high;
  return result;
}
static IntervalPair logRange(ArrayRef<Interval> z) {
  return {logModulusRange(z[0], z[1]), call<Atan2Op>(z[1], z[0])};
}
static IntervalPair divRange(ArrayRef<Interval> o) {
  Interval norm = call<SquareOp>(o[2]) + call<SquareOp>(o[3]);
  return {(o[0] * o[2] + o[1] * o[3]) / norm,
          (o[1] * o[2] - o[0] * o[3]) / norm};
}
static IntervalPair reciprocalRange(ArrayRef<Interval> z) {
  Interval norm = call<SquareOp>(z[0]) + call<SquareOp>(z[1]);
  return {z[0] / norm, call<NegOp>(z[1] / norm)};
}
static IntervalPair sinRange(ArrayRef<Interval> z) {
  return {call<SinOp>(z[0]) * call<CoshOp>(z[1]),
          call<CosOp>(z[0]) * call<SinhOp>(z[1])};
}
static IntervalPair cosRange(ArrayRef<Interval> z) {
  return {call<CosOp>(z[0]) * call<CoshOp>(z[1]),
          call<NegOp>(call<SinOp>(z[0]) * call<SinhOp>(z[1]))};
}
static IntervalPair tanhRange(ArrayRef<Interval> z) {
  Interval norm =
      call<SquareOp>(call<SinhOp>(z[0])) + call<SquareOp>(call<CosOp>(z[1]));
  return {call<SinhOp>(z[0]) * call<CoshOp>(z[0]) / norm,
          call<SinOp>(z[1]) * call<CosOp>(z[1]) / norm};
}
static IntervalPair powRange(ArrayRef<Interval> o) {
  IntervalPair log = logRange(o.take_front(2));
  IntervalPair exponent = mulRange({o[2], o[3]}, log);
  return expRange({exponent.re, exponent.im});
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

template <Unary function, bool imaginary>
static Real unaryPart(Args args, const Parameters &) {
  Complex result = function(Wide(*args[0]), Wide(*args[1]));
  return narrow(imaginary ? result.im : result.re);
}
template <Binary function, bool imaginary>
static Real binaryPart(Args args, const Parameters &) {
  Complex result = function({Wide(*args[0]), Wide(*args[1])},
                            {Wide(*args[2]), Wide(*args[3])});
  return narrow(imaginary ? result.im : result.re);
}

namespace {
struct ComplexTable : llvm::StringMap<std::array<Function, 2>> {
  template <typename Op>
  void add(PointFunction re, PointFunction im, RangeFunction reRange,
           RangeFunction imRange) {
    std::array<Function, 2> &parts = (*this)[Op::getOperationName()];
    parts[0].point = re;
    parts[0].range = reRange;
    parts[1].point = im;
    parts[1].range = imRange;
    // Without a range function: the extremes are at the ends, and at zeros.
    for (Function &part : parts)
      part.turns = {-0.0, 0.0};
  }
  template <typename Op, Unary function>
  void add() {
    add<Op>(unaryPart<function, false>, unaryPart<function, true>, nullptr,
            nullptr);
  }
  template <typename Op, Unary function, IntervalFunction ranges>
  void add() {
    add<Op>(unaryPart<function, false>, unaryPart<function, true>,
            rangeOf<ranges, false>, rangeOf<ranges, true>);
  }
  template <typename Op, Binary function>
  void add() {
    add<Op>(binaryPart<function, false>, binaryPart<function, true>, nullptr,
            nullptr);
  }
  template <typename Op, Binary function, IntervalFunction ranges>
  void add() {
    add<Op>(binaryPart<function, false>, binaryPart<function, true>,
            rangeOf<ranges, false>, rangeOf<ranges, true>);
  }
  ComplexTable() {
    add<MulOp, mul>();
    add<DivOp, div, divRange>();
    add<PowOp, pow, powRange>();
    add<SquareOp, square>();
    add<ReciprocalOp, reciprocal, reciprocalRange>();
    add<SqrtOp, sqrt>();
    add<ExpOp, exp, expRange>();
    add<LogOp, log, logRange>();
    add<SinOp, sin, sinRange>();
    add<CosOp, cos, cosRange>();
    add<TanhOp, tanh, tanhRange>();
  }
};
} // namespace

const Function *ew::reference::getComplexFunction(llvm::StringRef opName,
                                                  unsigned part) {
  static const ComplexTable table;
  auto it = table.find(opName);
  return it == table.end() ? nullptr : &it->second[part];
}

//===----------------------------------------------------------------------===//
// Bounds of the modulus
//===----------------------------------------------------------------------===//

/// |w log z|, which multiplies the error of the logarithm.
static double getExponent(ArrayRef<const Scalar *> operands) {
  double parts[4];
  for (auto [part, operand] : llvm::zip(parts, operands))
    part = operand->nominal.toDouble();
  double modulus = std::hypot(parts[0], parts[1]);
  double angle = std::atan2(parts[1], parts[0]);
  return std::hypot(parts[2], parts[3]) * std::hypot(std::log(modulus), angle);
}

Range ew::reference::widenByModulus(const Range &truth, const Range &other,
                                    double bound, bool isPow,
                                    ArrayRef<const Scalar *> operands,
                                    const Format &format) {
  Range result = truth;
  if (!result.hasNumber)
    return result;
  Real largest;
  for (const Range *part : {&truth, &other})
    if (part->hasNumber)
      for (const Real *end : {&part->low, &part->high})
        if (end->isFinite() && mpfr_cmpabs(end->get(), largest.get()) > 0)
          largest = absolute(*end);
  if (isPow) {
    // The exponent's error in f64; f32 is computed there.
    double perUnit = format.precision > 24 ? 8 : 0x1p-25;
    double exponent = getExponent(operands);
    bound += perUnit * exponent;
    // Of a product with an infinity, the sign is all there is.
    bool overflows = truth.low.isInfinite() || truth.high.isInfinite();
    if (overflows && std::isfinite(exponent) && bound > 2)
      return everything();
  }
  // What overflows has units of its own size.
  Real error = getUlp(largest, format);
  if (!largest.isZero() && largest.exponent() > format.maxExponent)
    error = Real::powerOfTwo(largest.exponent() - format.precision + 1);
  if (!(bound <
        std::ldexp(0.1, format.precision))) // of the angle nothing is left
    return everything();
  mpfr_mul_d(error.get(), error.get(), bound, MPFR_RNDU);
  if (result.low.isFinite() && !error.isNaN())
    mpfr_sub(result.low.get(), truth.low.get(), error.get(), MPFR_RNDD);
  if (result.high.isFinite() && !error.isNaN())
    mpfr_add(result.high.get(), truth.high.get(), error.get(), MPFR_RNDU);
  result = roundTo(result, format);
  if (result.low.isZero() && !truth.low.isZero())
    result.low = Real::zero(true);
  if (result.high.isZero() && !truth.high.isZero())
    result.high = Real::zero(false);
  return result;
}
