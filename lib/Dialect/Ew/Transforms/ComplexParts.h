//===- ComplexParts.h - Complex functions of real numbers -------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_DIALECT_EW_TRANSFORMS_COMPLEXPARTS_H
#define EW_LIB_DIALECT_EW_TRANSFORMS_COMPLEXPARTS_H

#include "ew/Dialect/Ew/IR/Ew.h"

#include "mlir/IR/Builders.h"

namespace ew::complex {

/// A scalar that ew ops are built for: a number of f32 or f64, a boolean, or
/// the bits of an f64.
class Number {
public:
  Number(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value)
      : builder(&builder), loc(loc), value(value) {}

  mlir::Value get() const { return value; }
  mlir::Type type() const { return value.getType(); }
  bool isF64() const { return type().isF64(); }

  /// An op on numbers of one type, with a result of that type or of another.
  template <typename Op>
  Number call(llvm::ArrayRef<Number> others = {}) const {
    return callTo<Op>(type(), others);
  }
  template <typename Op>
  Number callTo(mlir::Type result, llvm::ArrayRef<Number> others = {}) const {
    llvm::SmallVector<mlir::Value, 3> operands = {value};
    for (const Number &other : others)
      operands.push_back(other.value);
    return with(builder->createOrFold<Op>(loc, mlir::TypeRange(result),
                                          mlir::ValueRange(operands)));
  }

  /// A number of the same type.
  Number constant(double number) const;
  Number bits(int64_t number) const;
  Number toBits() const { return callTo<BitcastOp>(builder->getI64Type()); }
  Number toNumber() const { return callTo<BitcastOp>(builder->getF64Type()); }
  Number cast(mlir::Type to) const;
  Number toF64() const { return cast(builder->getF64Type()); }

  Number compare(CmpPredicate predicate, const Number &other) const;
  Number compare(CmpPredicate predicate, double other) const {
    return compare(predicate, constant(other));
  }
  Number test(bool isEqual, double other) const {
    return compare(isEqual ? CmpPredicate::oeq : CmpPredicate::une, other);
  }
  template <typename Op>
  Number is() const {
    return callTo<Op>(builder->getI1Type());
  }
  Number isNaN() const { return is<IsNanOp>(); }
  Number isInf() const { return is<IsInfOp>(); }
  Number isFinite() const { return is<IsFiniteOp>(); }
  Number isZero() const { return test(true, 0.0); }

  /// Of a boolean: `a` where it is true, else `b`.
  Number select(const Number &a, const Number &b) const {
    return with(builder->createOrFold<SelectOp>(loc, a.type(), value, a.get(),
                                                b.get()));
  }

  Number abs() const { return call<AbsOp>(); }
  Number sqrt() const { return call<SqrtOp>(); }
  Number withSignOf(const Number &other) const {
    return call<CopysignOp>({other});
  }
  Number fma(const Number &factor, const Number &addend) const {
    return call<FmaOp>({factor, addend});
  }

private:
  Number with(mlir::Value other) const { return {*builder, loc, other}; }

  mlir::OpBuilder *builder;
  mlir::Location loc;
  mlir::Value value;
};

inline Number operator+(const Number &a, const Number &b) {
  return a.call<AddOp>({b});
}
inline Number operator-(const Number &a, const Number &b) {
  return a.call<SubOp>({b});
}
inline Number operator*(const Number &a, const Number &b) {
  return a.call<MulOp>({b});
}
inline Number operator/(const Number &a, const Number &b) {
  return a.call<DivOp>({b});
}
inline Number operator-(const Number &a) { return a.call<NegOp>(); }
inline Number operator&(const Number &a, const Number &b) {
  return a.call<AndOp>({b});
}
inline Number operator|(const Number &a, const Number &b) {
  return a.call<OrOp>({b});
}
inline Number operator!(const Number &a) { return a.call<NotOp>(); }

struct Pair {
  Number re, im;

  Number hasInf() const { return re.isInf() | im.isInf(); }
  Number isFinite() const { return re.isFinite() & im.isFinite(); }
  Number isZero() const { return re.isZero() & im.isZero(); }
  Pair toF64() const { return {re.toF64(), im.toF64()}; }
  Pair cast(mlir::Type to) const { return {re.cast(to), im.cast(to)}; }
};

inline Pair select(const Number &condition, const Pair &a, const Pair &b) {
  return {condition.select(a.re, b.re), condition.select(a.im, b.im)};
}

// Each function as the op of its name has it. Numbers of f32 are computed in
// f64 where that takes no function of f64 but sqrt.

Pair mul(const Pair &z, const Pair &w);
Pair div(const Pair &z, const Pair &w);
Pair sqrt(const Pair &z);
Pair exp(const Pair &z);
Pair log(const Pair &z);
Pair pow(const Pair &z, const Pair &w);
Pair sin(const Pair &z);
Pair cos(const Pair &z);
Pair tanh(const Pair &z);

} // namespace ew::complex

#endif // EW_LIB_DIALECT_EW_TRANSFORMS_COMPLEXPARTS_H
