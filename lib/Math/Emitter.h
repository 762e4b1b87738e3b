//===- Emitter.h - Writing arithmetic as expressions ------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implementations of functions are written as C++ expressions over `V`, a value
// of the IR that is a scalar or a vector; constants take the shape of their
// neighbour. Integers are signless here: where sign matters, the name of the
// function says so.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_EMITTER_H
#define EW_LIB_MATH_EMITTER_H

#include "ew/Dialect/Ew/IR/Ew.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ew::math {

enum class Target { CPU, NVPTX };

class V;

class Emitter : public mlir::ImplicitLocOpBuilder {
public:
  Emitter(mlir::Location loc, mlir::Operation *op, Target target, unsigned sm,
          bool approximate)
      : ImplicitLocOpBuilder(loc, op), target(target), sm(sm),
        approximate(approximate) {}

  const Target target;
  /// Compute capability times ten; 0 on a CPU.
  const unsigned sm;
  /// Whether the target's approximations may be used.
  const bool approximate;

  mlir::Type intType(unsigned width) { return getIntegerType(width); }

  /// A constant of the shape of `like`.
  V constant(V like, mlir::Type element, const llvm::APFloat &value);
  V constant(V like, mlir::Type element, double value);
  V constant(V like, mlir::Type element, const llvm::APInt &value);
  V constant(V like, mlir::Type element, int64_t value);

  /// Calls a library's function once per element. `result` is its result type.
  /// Where its name is taken, that is reported, and `failed` is set.
  bool failed = false;
  V call(llvm::StringRef name, mlir::Type result, llvm::ArrayRef<V> args);

  /// An LLVM intrinsic on scalars or vectors as they are.
  V intrinsic(llvm::StringRef name, mlir::Type resultElement,
              llvm::ArrayRef<V> args);

  /// An LLVM intrinsic that exists on scalars alone, once per element.
  V scalarIntrinsic(llvm::StringRef name, mlir::Type resultElement,
                    llvm::ArrayRef<V> args);
};

class V {
public:
  V() = default;
  V(Emitter &e, mlir::Value value) : emitter(&e), value(value) {}

  Emitter &e() const { return *emitter; }
  mlir::Value get() const { return value; }
  mlir::Type type() const { return value.getType(); }
  mlir::Type element() const { return ew::getElementType(value.getType()); }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(element()); }
  unsigned width() const { return element().getIntOrFloatBitWidth(); }
  /// This value's type with another element type.
  mlir::Type typeWith(mlir::Type element) const {
    return ew::getTypeLike(type(), element);
  }
  /// A constant of this value's type.
  V splat(double c) const { return emitter->constant(*this, element(), c); }
  V splatInt(int64_t c) const { return emitter->constant(*this, element(), c); }
  V splatInt(const llvm::APInt &c) const {
    return emitter->constant(*this, element(), c);
  }

private:
  Emitter *emitter = nullptr;
  mlir::Value value;
};

/// A number written next to a V takes its type, floating point or integer.
V literal(V like, double c);
V literal(V like, int64_t c);
inline V literal(V like, int c) {
  return literal(like, static_cast<int64_t>(c));
}
inline V literal(V like, unsigned c) {
  return literal(like, static_cast<int64_t>(c));
}
inline V literal(V, V v) { return v; }

V add(V a, V b);
V sub(V a, V b);
V mul(V a, V b);
V divide(V a, V b); // floating point only
V andBits(V a, V b);
V orBits(V a, V b);
V xorBits(V a, V b);
V shlBits(V a, V b);

#define EW_V_OPERATOR(sign, function)                                          \
  inline V operator sign(V a, V b) { return function(a, b); }                  \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>  \
  V operator sign(V a, T b) {                                                  \
    return function(a, literal(a, b));                                         \
  }                                                                            \
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>  \
  V operator sign(T a, V b) {                                                  \
    return function(literal(b, a), b);                                         \
  }
EW_V_OPERATOR(+, add)
EW_V_OPERATOR(-, sub)
EW_V_OPERATOR(*, mul)
EW_V_OPERATOR(/, divide)
EW_V_OPERATOR(&, andBits)
EW_V_OPERATOR(|, orBits)
EW_V_OPERATOR(^, xorBits)
EW_V_OPERATOR(<<, shlBits)
#undef EW_V_OPERATOR

V operator-(V a); // floating point: flips the sign; integers wrap
V operator~(V a);

V shrSigned(V a, V b);
V shrUnsigned(V a, V b);
template <typename T>
V sar(V a, T b) {
  return shrSigned(a, literal(a, b));
}
template <typename T>
V shr(V a, T b) {
  return shrUnsigned(a, literal(a, b));
}

/// Comparisons by predicate: floating point as written (o.. and u..), integers
/// with `isSigned`.
V compare(CmpPredicate predicate, V a, V b, bool isSigned = true);
#define EW_V_COMPARE(name, forFloat, forInt)                                   \
  template <typename T>                                                        \
  V name(V a, T b) {                                                           \
    return compare(a.isFloat() ? CmpPredicate::forFloat                        \
                               : CmpPredicate::forInt,                         \
                   a, literal(a, b));                                          \
  }
EW_V_COMPARE(lt, olt, lt)
EW_V_COMPARE(le, ole, le)
EW_V_COMPARE(gt, ogt, gt)
EW_V_COMPARE(ge, oge, ge)
EW_V_COMPARE(eq, oeq, eq)
EW_V_COMPARE(ne, une, ne)
#undef EW_V_COMPARE
template <typename T>
V ultInt(V a, T b) {
  return compare(CmpPredicate::lt, a, literal(a, b), /*isSigned=*/false);
}
template <typename T>
V ugtInt(V a, T b) {
  return compare(CmpPredicate::gt, a, literal(a, b), /*isSigned=*/false);
}
V isNan(V a); // f32 and f64, f16, bf16: by comparison

V selectRaw(V condition, V a, V b);
template <typename A, typename B>
V select(V condition, A a, B b) {
  if constexpr (std::is_same_v<A, V>)
    return selectRaw(condition, a, literal(a, b));
  else
    return selectRaw(condition, literal(b, a), b);
}

V fmaRaw(V a, V b, V c);
template <typename B, typename C>
V fma(V a, B b, C c) {
  return fmaRaw(a, literal(a, b), literal(a, c));
}
/// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule in fma.
V horner(V x, llvm::ArrayRef<double> coefficients);

V sqrt(V a);
V floor(V a);
V ceil(V a);
V trunc(V a);
V round(V a);
V roundEven(V a);
V abs(V a);                      // floating point
V copysign(V magnitude, V sign); // bits of f32 or f64 as they are
V maximum(V a, V b);
V minimum(V a, V b);
V smax(V a, V b);
V smin(V a, V b);
V umax(V a, V b);
V umin(V a, V b);

/// The bits as an integer of the width, and back.
V bits(V a);
V fromBits(V a, mlir::Type floatElement);
V bitcast(V a, mlir::Type element);

V extendSigned(V a, unsigned width);
V extendUnsigned(V a, unsigned width);
V truncate(V a, unsigned width);
/// To any width, by zeros or dropping bits.
V resizeUnsigned(V a, unsigned width);
V resizeSigned(V a, unsigned width);
V extendFloat(V a, mlir::Type element);
/// Nearest even, as the target's instruction rounds (f64 to f32 only elsewhere
/// than in Casts.cpp).
V truncateFloat(V a, mlir::Type element);
V fromSigned(V a, mlir::Type floatElement);
V fromUnsigned(V a, mlir::Type floatElement);
/// Toward zero; the value must fit.
V toSigned(V a, unsigned width);

V countLeadingZeros(V a);
V countTrailingZeros(V a);
V populationCount(V a);

} // namespace ew::math

#endif // EW_LIB_MATH_EMITTER_H
