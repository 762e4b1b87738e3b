//===- RangesTest.cpp - Ranges hold what they must ------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EwOps.h"
#include "Functions.h"

#include "mlir/IR/MLIRContext.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ew::reference;
using ew::runtime::ElementType;

namespace {

const Format &f32() { return getFormat(ElementType::F32); }

/// Numbers of f32, many of them where functions turn, jump or end.
class Numbers {
public:
  float next() {
    static const float kSpecial[] = {
        0.0f,        -0.0f,     1,           -1,         0.5f,
        -0.5f,       3,         -3,          -1.5f,      2,
        INFINITY,    -INFINITY, 1e-45f,      3.4e38f,    1.5707964f,
        -3.1415927f, -0.75f,    -1.2784645f, -1.1924312f};
    switch (random() % 4) {
    case 0:
      return kSpecial[random() % std::size(kSpecial)];
    case 1:
      return std::uniform_real_distribution<float>(-4, 4)(random);
    case 2:
      return std::uniform_real_distribution<float>(-100, 100)(random);
    default: {
      uint32_t bits = random();
      float x;
      memcpy(&x, &bits, 4);
      return std::isnan(x) ? 0 : x;
    }
    }
  }

  /// From a few steps wide to anything.
  Range range() {
    float x = next(), y = x;
    if (random() % 3 == 0)
      y = next();
    else
      for (int i = random() % 6; i > 0; --i)
        y = std::nextafter(y, INFINITY);
    Range result;
    result.include(Real(x));
    result.include(Real(y));
    result.hasNaN = random() % 20 == 0;
    return result;
  }

  /// A number of the format inside a range.
  Real inside(const Range &range) {
    if (range.hasNaN && random() % 4 == 0)
      return Real::nan();
    switch (random() % 4) {
    case 0:
      return range.low;
    case 1:
      return range.high;
    default: {
      Real x = Real(next());
      if (range.contains(x))
        return x;
      // A step or so off an end.
      uint64_t bits = encode(random() % 2 ? range.low : range.high, f32());
      Real near = decode((bits + random() % 7 - 3) & 0xffffffff, f32());
      if (!near.isNaN() && range.contains(near))
        return near;
      if (!range.low.isFinite() || !range.high.isFinite())
        return range.high;
      Real middle;
      mpfr_add(middle.get(), range.low.get(), range.high.get(), MPFR_RNDN);
      mpfr_mul_d(middle.get(), middle.get(), 0.5, MPFR_RNDN);
      middle = roundTo(middle, f32());
      return range.contains(middle) ? middle : range.low;
    }
    }
  }

private:
  std::mt19937 random{42};
};

class RangesTest : public testing::Test {
protected:
  RangesTest() { context.loadDialect<ew::EwDialect>(); }
  mlir::MLIRContext context;
};

unsigned arity(mlir::RegisteredOperationName name) {
  if (name.hasTrait<mlir::OpTrait::OneOperand>())
    return 1;
  return name.hasTrait<mlir::OpTrait::NOperands<2>::Impl>() ? 2 : 3;
}

/// What a function gives at any point of its operands' ranges lies in its
/// range.
TEST_F(RangesTest, HoldEveryPoint) {
  Numbers numbers;
  for (mlir::RegisteredOperationName name : ew::test::getEwOps(context)) {
    const Function *function = getFunction(name.getStringRef());
    if (!function)
      continue;
    unsigned operands = arity(name);
    for (int i = 0; i < 400; ++i) {
      Parameters parameters;
      parameters.format = &f32();
      parameters.alpha = Real(i % 3 == 0 ? 1.0 : i % 3 == 1 ? 0.01 : -0.5);
      parameters.approximation = ew::GeluApproximation(i % 2);
      llvm::SmallVector<Range, 3> ranges;
      for (unsigned k = 0; k < operands; ++k)
        ranges.push_back(numbers.range());
      llvm::SmallVector<const Range *, 3> pointers;
      for (const Range &range : ranges)
        pointers.push_back(&range);
      bool undecided = false;
      Range result = applyToRanges(*function, pointers, parameters, undecided);
      for (int j = 0; j < 10; ++j) {
        llvm::SmallVector<Real, 3> point;
        for (const Range &range : ranges)
          point.push_back(numbers.inside(range));
        llvm::SmallVector<const Real *, 3> arguments;
        std::string what = name.getStringRef().str();
        for (unsigned k = 0; k < operands; ++k) {
          arguments.push_back(&point[k]);
          what += " " + toString(point[k], 24) + " in [" +
                  toString(ranges[k].low, 24) + ", " +
                  toString(ranges[k].high, 24) + "]";
        }
        Real value = function->point(arguments, parameters);
        // Turns are known to the last bit of f64 alone.
        bool holds = result.contains(value);
        if (!holds && !value.isNaN() && result.hasNumber)
          holds = getDistance(value,
                              compare(value, result.low) < 0 ? result.low
                                                             : result.high,
                              f32()) < 1e-9 &&
                  !value.isZero();
        EXPECT_TRUE(holds) << what << ": " << toString(value, 24) << " not in ["
                           << toString(result.low, 24) << ", "
                           << toString(result.high, 24) << "], NaN "
                           << result.hasNaN;
        if (!holds)
          break;
      }
    }
  }
}

/// An exact function of points is a point, and decided.
TEST_F(RangesTest, PointsStayPoints) {
  Numbers numbers;
  for (mlir::RegisteredOperationName name : ew::test::getEwOps(context)) {
    const Function *function = getFunction(name.getStringRef());
    if (!function)
      continue;
    Parameters parameters;
    parameters.format = &f32();
    parameters.alpha = Real(1.0);
    for (int i = 0; i < 50; ++i) {
      Range x = Range::point(Real(numbers.next()));
      llvm::SmallVector<const Range *, 3> pointers(arity(name), &x);
      bool undecided = false;
      Range result = applyToRanges(*function, pointers, parameters, undecided);
      EXPECT_TRUE(result.isPoint()) << name.getStringRef().str();
      EXPECT_FALSE(undecided) << name.getStringRef().str();
    }
  }
}

/// What is within the bound is what getDistance says it is.
TEST_F(RangesTest, BoundsAgreeWithDistances) {
  std::mt19937_64 random(3);
  for (ElementType type : {ElementType::F16, ElementType::BF16,
                           ElementType::F32, ElementType::F64}) {
    const Format &format = getFormat(type);
    for (int i = 0; i < 2000; ++i) {
      uint64_t bits = random() & llvm::maskTrailingOnes<uint64_t>(format.width);
      Real number = decode(bits, format);
      if (!number.isFinite() || number.isZero())
        continue;
      // A true result near a number of the format.
      Real truth = getUlp(number, format);
      mpfr_mul_d(truth.get(), truth.get(),
                 std::ldexp(double(random() >> 11), -53) - 0.5, MPFR_RNDN);
      mpfr_add(truth.get(), truth.get(), number.get(), MPFR_RNDN);
      if (truth.isZero() || truth.isNegative() != number.isNegative())
        continue;
      double bound = 1 + (random() % 4);
      Real low = getLowest(truth, bound, format),
           high = getHighest(truth, bound, format);
      for (const Real &end : {low, high})
        EXPECT_LE(getDistance(end, truth, format), bound);
      // One further is too far, but where a zero or an infinity ends it.
      uint64_t up = encode(high, format) + (high.isNegative() ? -1 : 1);
      Real above = decode(up, format);
      if (!high.isZero() && !high.isInfinite() && !above.isZero())
        EXPECT_GT(getDistance(above, truth, format), bound);
    }
  }
}

} // namespace
