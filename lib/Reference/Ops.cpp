//===- Ops.cpp - How each op computes an element --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact integers, and the ops between integers and floating point. Functions of
// floating point alone stand in Functions.cpp.
//
//===----------------------------------------------------------------------===//

#include "ComplexFunctions.h"
#include "Philox.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ew;
using namespace ew::reference;
using ew::runtime::ElementType;

using Operands = ArrayRef<const Scalar *>;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

namespace {
/// An integer type: a boolean has one bit.
struct Int {
  explicit Int(ElementType type)
      : width(type == ElementType::I1 ? 1 : 8 * getByteWidth(type)),
        isSigned(runtime::isSigned(type)) {}

  uint64_t mask() const { return llvm::maskTrailingOnes<uint64_t>(width); }
  uint64_t sign() const { return uint64_t(1) << (width - 1); }
  bool isNegative(uint64_t x) const { return isSigned && (x & sign()); }
  int64_t extend(uint64_t x) const { return llvm::SignExtend64(x, width); }
  uint64_t magnitude(uint64_t x) const {
    return isNegative(x) ? (0 - x) & mask() : x;
  }
  bool isLess(uint64_t x, uint64_t y) const {
    return isSigned ? extend(x) < extend(y) : x < y;
  }
  uint64_t lowest() const { return isSigned ? sign() : 0; }
  uint64_t highest() const { return isSigned ? sign() - 1 : mask(); }
  Real toReal(uint64_t x) const {
    return isSigned ? Real::fromSigned(extend(x)) : Real::fromUnsigned(x);
  }

  unsigned width;
  bool isSigned;
};

using IntFunction = uint64_t (*)(ArrayRef<uint64_t>, Int);
} // namespace

/// By magnitudes, so that nothing overflows: the most negative number over -1
/// comes out as itself.
static uint64_t divide(ArrayRef<uint64_t> x, Int type) {
  if (x[1] == 0)
    return ~uint64_t(0);
  uint64_t quotient = type.magnitude(x[0]) / type.magnitude(x[1]);
  return type.isNegative(x[0]) != type.isNegative(x[1]) ? 0 - quotient
                                                        : quotient;
}

static uint64_t remainder(ArrayRef<uint64_t> x, Int type) {
  if (x[1] == 0)
    return x[0];
  uint64_t result = type.magnitude(x[0]) % type.magnitude(x[1]);
  return type.isNegative(x[0]) ? 0 - result : result;
}

static uint64_t floorDivide(ArrayRef<uint64_t> x, Int type) {
  uint64_t quotient = divide(x, type);
  bool inexact = x[1] != 0 && remainder(x, type) != 0;
  return quotient - (inexact && type.isNegative(x[0]) != type.isNegative(x[1]));
}

static uint64_t modulo(ArrayRef<uint64_t> x, Int type) {
  uint64_t result = remainder(x, type);
  bool corrects = x[1] != 0 && result != 0 &&
                  type.isNegative(x[0]) != type.isNegative(x[1]);
  return corrects ? result + x[1] : result;
}

static uint64_t power(ArrayRef<uint64_t> x, Int type) {
  uint64_t base = x[0], exponent = x[1];
  if (type.isNegative(exponent)) {
    if (base == 1)
      return 1;
    return type.extend(base) == -1 ? (exponent & 1 ? base : 1) : 0;
  }
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}

static uint64_t shiftRight(ArrayRef<uint64_t> x, Int type) {
  if (x[1] >= type.width)
    return type.isNegative(x[0]) ? ~uint64_t(0) : 0;
  return type.isSigned ? uint64_t(type.extend(x[0]) >> x[1]) : x[0] >> x[1];
}

static uint64_t maximum(uint64_t x, uint64_t y, Int type) {
  return type.isLess(x, y) ? y : x;
}
static uint64_t minimum(uint64_t x, uint64_t y, Int type) {
  return type.isLess(x, y) ? x : y;
}

namespace {
struct IntTable : llvm::StringMap<IntFunction> {
  template <typename Op>
  void add(IntFunction function) {
    (*this)[Op::getOperationName()] = function;
  }
  IntTable() {
    using X = ArrayRef<uint64_t>;
    add<AbsOp>([](X x, Int t) { return t.magnitude(x[0]); });
    add<NegOp>([](X x, Int) { return 0 - x[0]; });
    add<SignOp>([](X x, Int t) -> uint64_t {
      return t.isNegative(x[0]) ? ~uint64_t(0) : x[0] != 0;
    });
    add<SquareOp>([](X x, Int) { return x[0] * x[0]; });
    add<ReluOp>([](X x, Int t) { return t.isNegative(x[0]) ? 0 : x[0]; });
    add<NotOp>([](X x, Int) { return ~x[0]; });
    add<PopcountOp>([](X x, Int) { return uint64_t(llvm::popcount(x[0])); });
    add<ClzOp>([](X x, Int t) {
      return uint64_t(llvm::countl_zero(x[0]) - (64 - t.width));
    });
    add<CtzOp>([](X x, Int t) {
      return std::min<uint64_t>(llvm::countr_zero(x[0]), t.width);
    });
    add<AddOp>([](X x, Int) { return x[0] + x[1]; });
    add<SubOp>([](X x, Int) { return x[0] - x[1]; });
    add<MulOp>([](X x, Int) { return x[0] * x[1]; });
    add<DivOp>(divide);
    add<FloorDivOp>(floorDivide);
    add<RemOp>(remainder);
    add<ModOp>(modulo);
    add<PowOp>(power);
    add<MaxOp>([](X x, Int t) { return maximum(x[0], x[1], t); });
    add<MinOp>([](X x, Int t) { return minimum(x[0], x[1], t); });
    add<AndOp>([](X x, Int) { return x[0] & x[1]; });
    add<OrOp>([](X x, Int) { return x[0] | x[1]; });
    add<XorOp>([](X x, Int) { return x[0] ^ x[1]; });
    add<ShlOp>([](X x, Int t) { return x[1] >= t.width ? 0 : x[0] << x[1]; });
    add<ShrOp>(shiftRight);
    add<ClampOp>(
        [](X x, Int t) { return minimum(maximum(x[0], x[1], t), x[2], t); });
  }
};
} // namespace

static const IntTable &getIntTable() {
  static const IntTable table;
  return table;
}

static Scalar computeInteger(const Node &node, Operands operands) {
  Int type(node.type);
  SmallVector<uint64_t, 3> bits;
  bool undecided = false;
  for (const Scalar *operand : operands) {
    bits.push_back(operand->bits);
    undecided |= operand->undecided;
  }
  IntFunction function =
      getIntTable().lookup(node.op->getName().getStringRef());
  return Scalar::integer(function(bits, type) & type.mask(), undecided);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

static Scalar computeFunction(const Node &node, Operands operands) {
  return applyFunction(*node.function, operands, node);
}

/// What may be rounded at once with its rounding may be so with its negation,
/// too: that errs by nothing.
static Scalar computeNeg(const Node &node, Operands operands) {
  Scalar result = applyFunction(*node.function, operands, node);
  const Scalar &operand = *operands[0];
  if (node.strict || !operand.trueRange)
    return result;
  const Range &truth = *operand.trueRange;
  result.trueRange = {truth.hasNumber, truth.hasNaN, negate(truth.high),
                      negate(truth.low)};
  result.truth = negate(operand.truth);
  result.bound = operand.bound;
  return result;
}

static Scalar computeLerp(const Node &node, Operands operands) {
  const Scalar *ends[] = {operands[1], operands[0]};
  Scalar difference =
      applyFunction(*getFunction(SubOp::getOperationName()), ends, node);
  const Scalar *terms[] = {operands[2], &difference, operands[0]};
  return applyFunction(*getFunction(FmaOp::getOperationName()), terms, node);
}

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

namespace {
/// Outcomes of a comparison, as bits.
enum Outcome : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };
} // namespace

static unsigned getOutcomes(CmpPredicate predicate) {
  switch (predicate) {
  case CmpPredicate::eq:
  case CmpPredicate::oeq:
    return kEqual;
  case CmpPredicate::ne:
  case CmpPredicate::one:
    return kLess | kGreater;
  case CmpPredicate::lt:
  case CmpPredicate::olt:
    return kLess;
  case CmpPredicate::le:
  case CmpPredicate::ole:
    return kLess | kEqual;
  case CmpPredicate::gt:
  case CmpPredicate::ogt:
    return kGreater;
  case CmpPredicate::ge:
  case CmpPredicate::oge:
    return kGreater | kEqual;
  case CmpPredicate::ord:
    return kLess | kEqual | kGreater;
  case CmpPredicate::ueq:
    return kEqual | kUnordered;
  case CmpPredicate::une:
    return kLess | kGreater | kUnordered;
  case CmpPredicate::ult:
    return kLess | kUnordered;
  case CmpPredicate::ule:
    return kLess | kEqual | kUnordered;
  case CmpPredicate::ugt:
    return kGreater | kUnordered;
  case CmpPredicate::uge:
    return kGreater | kEqual | kUnordered;
  case CmpPredicate::uno:
    return kUnordered;
  }
  return 0;
}

static unsigned toOutcome(int order) {
  return order < 0 ? kLess : order > 0 ? kGreater : kEqual;
}

static Scalar computeCmp(const Node &node, Operands operands) {
  unsigned wanted = getOutcomes(cast<CmpOp>(node.op).getPredicate());
  const Scalar &a = *operands[0], &b = *operands[1];
  bool undecided = a.undecided || b.undecided;
  const Node &operand = *node.operandNodes[0];
  if (!operand.format) {
    Int type(operand.type);
    int order = a.bits == b.bits ? 0 : type.isLess(a.bits, b.bits) ? -1 : 1;
    return Scalar::integer((wanted & toOutcome(order)) != 0, undecided);
  }
  unsigned nominal = a.nominal.isNaN() || b.nominal.isNaN()
                         ? unsigned(kUnordered)
                         : toOutcome(compare(a.nominal, b.nominal));
  unsigned possible =
      a.range.hasNaN || b.range.hasNaN ? unsigned(kUnordered) : 0u;
  if (a.range.hasNumber && b.range.hasNumber) {
    if (compare(a.range.low, b.range.high) < 0)
      possible |= kLess;
    if (compare(a.range.high, b.range.low) > 0)
      possible |= kGreater;
    if (compare(a.range.low, b.range.high) <= 0 &&
        compare(b.range.low, a.range.high) <= 0)
      possible |= kEqual;
  }
  undecided = (possible & wanted) != 0 && (possible & ~wanted) != 0;
  return Scalar::integer((nominal & wanted) != 0, undecided);
}

/// Of two complex numbers, by their four parts.
static Scalar computeComplexCmp(const Node &node, Operands operands) {
  bool nominal = true, undecided = false, differ = false;
  for (unsigned part : {0, 1}) {
    const Scalar &a = *operands[part], &b = *operands[2 + part];
    bool isNaN = a.nominal.isNaN() || b.nominal.isNaN();
    nominal &= !isNaN && compare(a.nominal, b.nominal) == 0;
    bool mayBeEqual = a.range.hasNumber && b.range.hasNumber &&
                      compare(a.range.low, b.range.high) <= 0 &&
                      compare(b.range.low, a.range.high) <= 0;
    differ |= !mayBeEqual;
    undecided |= !a.range.isPoint() || !b.range.isPoint();
  }
  // One part that must differ decides.
  undecided &= !differ;
  bool wantsEqual = cast<CmpOp>(node.op).getPredicate() == CmpPredicate::oeq;
  return Scalar::integer(nominal == wantsEqual, undecided);
}

/// What is there already.
static Scalar computeSame(const Node &, Operands operands) {
  Scalar result = *operands[0];
  result.trueRange.reset();
  return result;
}

static Scalar computeSelect(const Node &node, Operands operands) {
  const Scalar &condition = *operands[0], &a = *operands[1], &b = *operands[2];
  Scalar result = condition.bits & 1 ? a : b;
  result.trueRange.reset();
  if (!condition.undecided)
    return result;
  result.undecided = true;
  result.range.include(condition.bits & 1 ? b.range : a.range);
  return result;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// A test of a number's kind: `test` at the nominal value, undecided unless all
/// values agree.
template <bool (*test)(const Real &)>
static Scalar computeTest(const Node &, Operands operands) {
  const Scalar &x = *operands[0];
  bool nominal = test(x.nominal), agree = true;
  if (x.range.hasNaN)
    agree &= test(Real::nan()) == nominal;
  if (x.range.hasNumber) {
    agree &= test(x.range.low) == nominal && test(x.range.high) == nominal;
    // Infinite ends may hold finite numbers between them.
    if (!x.range.isPoint() && compareTotal(x.range.low, x.range.high) != 0)
      for (double zero : {-0.0, 0.0})
        if (x.range.contains(Real(zero)))
          agree &= test(Real(zero)) == nominal;
  }
  return Scalar::integer(nominal, !agree);
}

static bool isNaN(const Real &x) { return x.isNaN(); }
static bool isInf(const Real &x) { return x.isInfinite(); }
static bool isFinite(const Real &x) { return x.isFinite(); }
static bool isSignSet(const Real &x) { return !x.isNaN() && x.isNegative(); }

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static Real roundToInteger(const Real &x, RoundingMode mode) {
  Real result = x;
  switch (mode) {
  case RoundingMode::nearest_even:
    mpfr_roundeven(result.get(), x.get());
    break;
  case RoundingMode::toward_zero:
    mpfr_trunc(result.get(), x.get());
    break;
  case RoundingMode::upward:
    mpfr_ceil(result.get(), x.get());
    break;
  case RoundingMode::downward:
    mpfr_floor(result.get(), x.get());
    break;
  case RoundingMode::nearest_away:
    mpfr_round(result.get(), x.get());
    break;
  }
  return result;
}

static uint64_t toInteger(const Real &x, Int type, RoundingMode mode) {
  if (type.width == 1)
    return x.isNaN() || !x.isZero();
  if (x.isNaN())
    return 0;
  Real rounded = roundToInteger(x, mode);
  if (compare(rounded, type.toReal(type.lowest())) < 0)
    return type.lowest();
  if (compare(rounded, type.toReal(type.highest())) > 0)
    return type.highest();
  uint64_t bits = type.isSigned
                      ? uint64_t(mpfr_get_si(rounded.get(), MPFR_RNDZ))
                      : mpfr_get_ui(rounded.get(), MPFR_RNDZ);
  return bits & type.mask();
}

/// The rounded number modulo 2^width.
static uint64_t toIntegerModulo(const Real &x, Int type, RoundingMode mode) {
  if (!x.isFinite())
    return 0;
  Real rest = absolute(roundToInteger(x, mode));
  mpfr_fmod(rest.get(), rest.get(), Real::powerOfTwo(64).get(), MPFR_RNDZ);
  uint64_t bits = mpfr_get_ui(rest.get(), MPFR_RNDZ);
  return (x.isNegative() ? 0 - bits : bits) & type.mask();
}

static Scalar castToIntegerModulo(const Scalar &x, Int type,
                                  RoundingMode mode) {
  // Two ends that agree say nothing of what lies between them, unless they are
  // one integer.
  bool agree = x.range.isPoint();
  if (!agree && !x.range.hasNaN && x.range.low.isFinite() &&
      x.range.high.isFinite())
    agree = compare(roundToInteger(x.range.low, mode),
                    roundToInteger(x.range.high, mode)) == 0;
  return Scalar::integer(toIntegerModulo(x.nominal, type, mode), !agree);
}

static Scalar castToInteger(const Scalar &x, Int type, RoundingMode mode) {
  uint64_t nominal = toInteger(x.nominal, type, mode);
  bool agree = !x.range.hasNaN || toInteger(Real::nan(), type, mode) == nominal;
  if (x.range.hasNumber) {
    agree &= toInteger(x.range.low, type, mode) == nominal &&
             toInteger(x.range.high, type, mode) == nominal;
    // A boolean is false at zero alone.
    agree &= type.width > 1 || !x.range.contains(Real(0.0)) ||
             x.range.isPoint() || !nominal;
  }
  return Scalar::integer(nominal, !agree);
}

static Scalar castBetweenIntegers(const Scalar &x, Int from, Int to,
                                  bool saturate) {
  uint64_t bits = x.bits;
  if (to.width == 1)
    bits = bits != 0;
  else if (saturate) {
    Real number = from.toReal(bits);
    bits = toInteger(number, to, RoundingMode::toward_zero);
  } else if (from.isSigned) {
    bits = from.extend(bits);
  }
  return Scalar::integer(bits & to.mask(), x.undecided);
}

static Scalar castFromInteger(const Scalar &x, Int from, const Format &to,
                              RoundingMode mode, bool saturate) {
  Scalar number = Scalar::number(from.toReal(x.bits));
  if (x.undecided) {
    number.undecided = true;
    number.range.include(from.toReal(from.lowest()));
    number.range.include(from.toReal(from.highest()));
  }
  return roundTo(number, to, mode, saturate);
}

static Scalar computeCast(const Node &node, Operands operands) {
  auto op = cast<CastOp>(node.op);
  const Node &from = *node.operandNodes[0];
  const Scalar &x = *operands[0];
  bool saturate = op.getSaturate();
  if (from.format && !node.format) {
    RoundingMode mode = op.getRound().value_or(RoundingMode::toward_zero);
    return op.getWrap() ? castToIntegerModulo(x, Int(node.type), mode)
                        : castToInteger(x, Int(node.type), mode);
  }
  RoundingMode mode = op.getRound().value_or(RoundingMode::nearest_even);
  if (!from.format && node.format)
    return castFromInteger(x, Int(from.type), *node.format, mode, saturate);
  if (!from.format)
    return castBetweenIntegers(x, Int(from.type), Int(node.type), saturate);
  if (from.format == node.format && !saturate)
    return x;
  return roundTo(x, *node.format, mode, saturate);
}

static Scalar computeBitcast(const Node &node, Operands operands) {
  const Node &from = *node.operandNodes[0];
  const Scalar &x = *operands[0];
  uint64_t bits = from.format ? encode(x.nominal, *from.format) : x.bits;
  bool undecided = from.format ? !x.range.isPoint() : x.undecided;
  if (!node.format)
    return Scalar::integer(bits, undecided);
  Scalar result = Scalar::number(decode(bits, *node.format));
  if (undecided) {
    result.undecided = result.range.hasNaN = true;
    result.range.include(Real::infinity(false));
    result.range.include(Real::infinity(true));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
struct ComputeTable : llvm::StringMap<Compute> {
  template <typename Op>
  void add(Compute compute) {
    (*this)[Op::getOperationName()] = compute;
  }
  ComputeTable() {
    add<CmpOp>(computeCmp);
    add<SelectOp>(computeSelect);
    add<LerpOp>(computeLerp);
    add<CastOp>(computeCast);
    add<BitcastOp>(computeBitcast);
    add<PhiloxAtOp>(computePhiloxAt);
    add<IsNanOp>(computeTest<isNaN>);
    add<IsInfOp>(computeTest<isInf>);
    add<IsFiniteOp>(computeTest<isFinite>);
    add<SignbitOp>(computeTest<isSignSet>);
  }
};
} // namespace

static Compute lookUp(StringRef name, bool isFloat) {
  static const ComputeTable table;
  if (Compute compute = table.lookup(name))
    return compute;
  if (isFloat && name == NegOp::getOperationName())
    return computeNeg;
  if (isFloat)
    return getFunction(name) ? computeFunction : nullptr;
  return getIntTable().count(name) ? computeInteger : nullptr;
}

Compute ew::reference::getCompute(Operation *op, Type element) {
  return lookUp(op->getName().getStringRef(), isa<FloatType>(element));
}

ComplexCompute ew::reference::getComplexCompute(Operation *op, unsigned part) {
  auto all = [](unsigned, unsigned, unsigned) { return true; };
  auto same = [](unsigned, unsigned operandPart, unsigned part) {
    return operandPart == part;
  };
  StringRef name = op->getName().getStringRef();
  if (const Function *function = getComplexFunction(name, part))
    return {computeFunction, function, all};
  if (isa<AbsOp>(op))
    return {computeFunction, getFunction(HypotOp::getOperationName()), all};
  if (isa<CmpOp>(op))
    return {computeComplexCmp, nullptr, all};
  if (isa<ComplexOp>(op))
    return {computeSame, nullptr,
            [](unsigned operand, unsigned, unsigned part) {
              return operand == part;
            }};
  if (isa<RealOp>(op))
    return {computeSame, nullptr, same};
  if (isa<ImagOp>(op))
    return {computeSame, nullptr, [](unsigned, unsigned operandPart, unsigned) {
              return operandPart == 1;
            }};
  if (isa<ConjOp>(op)) {
    if (part == 0)
      return {computeSame, nullptr, same};
    return {computeFunction, getFunction(NegOp::getOperationName()), same};
  }
  if (isa<SelectOp>(op))
    return {computeSelect, nullptr,
            [](unsigned operand, unsigned operandPart, unsigned part) {
              return operand == 0 || operandPart == part;
            }};
  if (isa<CastOp>(op))
    return {computeCast, nullptr, same};
  if (isa<AddOp, SubOp, NegOp>(op))
    return {computeFunction, getFunction(name), same};
  return {};
}

bool ew::reference::hasEvaluator(StringRef opName) {
  // What Program.cpp takes care of.
  for (StringRef name :
       {ConstantOp::getOperationName(), IotaOp::getOperationName(),
        BroadcastOp::getOperationName(), TransposeOp::getOperationName(),
        CheckShapesOp::getOperationName(), PhiloxOp::getOperationName(),
        DropoutOp::getOperationName(), ComplexOp::getOperationName(),
        RealOp::getOperationName(), ImagOp::getOperationName(),
        ConjOp::getOperationName()})
    if (opName == name)
      return true;
  return lookUp(opName, true) || lookUp(opName, false);
}
