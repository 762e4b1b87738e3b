//===- Emitter.cpp - Writing arithmetic as expressions --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;

//===----------------------------------------------------------------------===//
// Constants and calls
//===----------------------------------------------------------------------===//

static V splatOf(Emitter &e, V like, TypedAttr scalar) {
  Type type = like.typeWith(scalar.getType());
  if (auto vector = dyn_cast<VectorType>(type))
    return V(e, arith::ConstantOp::create(
                    e, DenseElementsAttr::get(vector, scalar)));
  return V(e, arith::ConstantOp::create(e, scalar));
}

V Emitter::constant(V like, Type element, const APFloat &value) {
  return splatOf(*this, like, FloatAttr::get(element, value));
}
V Emitter::constant(V like, Type element, double value) {
  APFloat converted(value);
  bool losesInfo;
  converted.convert(cast<FloatType>(element).getFloatSemantics(),
                    APFloat::rmNearestTiesToEven, &losesInfo);
  return constant(like, element, converted);
}
V Emitter::constant(V like, Type element, const APInt &value) {
  return splatOf(*this, like, IntegerAttr::get(element, value));
}
V Emitter::constant(V like, Type element, int64_t value) {
  return constant(like, element,
                  APInt(element.getIntOrFloatBitWidth(),
                        static_cast<uint64_t>(value),
                        /*isSigned=*/true, /*implicitTrunc=*/true));
}

V ew::math::literal(V like, double c) {
  assert(like.isFloat() && "an integer takes integers");
  return like.splat(c);
}
V ew::math::literal(V like, int64_t c) {
  return like.isFloat() ? like.splat(static_cast<double>(c)) : like.splatInt(c);
}

V Emitter::call(StringRef name, Type result, ArrayRef<V> args) {
  // The function is declared where its callers look symbols up: the gpu.module
  // or the module.
  Operation *table =
      SymbolTable::getNearestSymbolTable(getInsertionBlock()->getParentOp());
  SmallVector<Type> types;
  for (V arg : args)
    types.push_back(arg.element());
  auto type = LLVM::LLVMFunctionType::get(result, types);
  Operation *known = SymbolTable::lookupSymbolIn(table, name);
  auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(known);
  if (known && (!function || function.getFunctionType() != type)) {
    InFlightDiagnostic error = emitError("calls the library's function '")
                               << name << "', and something else has that name";
    error.attachNote(known->getLoc()) << "which is this";
    failed = true;
    return V(*this, LLVM::PoisonOp::create(*this, args[0].typeWith(result)));
  }
  if (!function) {
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(&table->getRegion(0).front());
    function = LLVM::LLVMFuncOp::create(*this, name, type);
    auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        getContext(), {none, none, none, none, none, none}));
    function.setNoUnwind(true);
    function.setWillReturn(true);
    // Not what LLVM knows by this name: for it fmod of a finite number and of
    // what is not zero is no NaN, also where that is one, and what depends on
    // it may then be anything (LLVM 22, SimplifyLibCalls).
    function.setPassthroughAttr(getStrArrayAttr({"nobuiltin"}));
  }
  auto vector = dyn_cast<VectorType>(args.front().type());
  auto callOn = [&](ValueRange operands) {
    return LLVM::CallOp::create(*this, function, operands).getResult();
  };
  if (!vector) {
    SmallVector<Value> operands;
    for (V arg : args)
      operands.push_back(arg.get());
    return V(*this, callOn(operands));
  }
  SmallVector<Value> results;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    SmallVector<Value> operands;
    for (V arg : args)
      operands.push_back(vector::ExtractOp::create(*this, arg.get(), i));
    results.push_back(callOn(operands));
  }
  return V(*this, vector::FromElementsOp::create(*this, vector.clone(result),
                                                 results));
}

V Emitter::intrinsic(StringRef name, Type resultElement, ArrayRef<V> args) {
  SmallVector<Value> operands;
  for (V arg : args)
    operands.push_back(arg.get());
  auto op =
      LLVM::CallIntrinsicOp::create(*this, args.front().typeWith(resultElement),
                                    getStringAttr(name), operands);
  return V(*this, op.getResult(0));
}

V Emitter::scalarIntrinsic(StringRef name, Type resultElement,
                           ArrayRef<V> args) {
  auto vector = dyn_cast<VectorType>(args.front().type());
  if (!vector)
    return intrinsic(name, resultElement, args);
  SmallVector<Value> results;
  for (int64_t i = 0, n = vector.getNumElements(); i < n; ++i) {
    auto elements = llvm::map_to_vector(args, [&](V arg) {
      return V(*this, vector::ExtractOp::create(*this, arg.get(), i));
    });
    results.push_back(intrinsic(name, resultElement, elements).get());
  }
  return V(*this, vector::FromElementsOp::create(
                      *this, vector.clone(resultElement), results));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <typename FloatOp, typename IntOp>
static V binary(V a, V b) {
  Emitter &e = a.e();
  if (a.isFloat())
    return V(e, FloatOp::create(e, a.get(), b.get()));
  return V(e, IntOp::create(e, a.get(), b.get()));
}
template <typename Op>
static V binaryOf(V a, V b) {
  return V(a.e(), Op::create(a.e(), a.get(), b.get()));
}

V ew::math::add(V a, V b) { return binary<arith::AddFOp, arith::AddIOp>(a, b); }
V ew::math::sub(V a, V b) { return binary<arith::SubFOp, arith::SubIOp>(a, b); }
V ew::math::mul(V a, V b) { return binary<arith::MulFOp, arith::MulIOp>(a, b); }
V ew::math::divide(V a, V b) { return binaryOf<arith::DivFOp>(a, b); }
V ew::math::andBits(V a, V b) { return binaryOf<arith::AndIOp>(a, b); }
V ew::math::orBits(V a, V b) { return binaryOf<arith::OrIOp>(a, b); }
V ew::math::xorBits(V a, V b) { return binaryOf<arith::XOrIOp>(a, b); }
V ew::math::shlBits(V a, V b) { return binaryOf<arith::ShLIOp>(a, b); }
V ew::math::shrSigned(V a, V b) { return binaryOf<arith::ShRSIOp>(a, b); }
V ew::math::shrUnsigned(V a, V b) { return binaryOf<arith::ShRUIOp>(a, b); }
V ew::math::smax(V a, V b) { return binaryOf<arith::MaxSIOp>(a, b); }
V ew::math::smin(V a, V b) { return binaryOf<arith::MinSIOp>(a, b); }
V ew::math::umax(V a, V b) { return binaryOf<arith::MaxUIOp>(a, b); }
V ew::math::umin(V a, V b) { return binaryOf<arith::MinUIOp>(a, b); }

V ew::math::operator-(V a) {
  if (a.isFloat())
    return V(a.e(), arith::NegFOp::create(a.e(), a.get()));
  return a.splatInt(0) - a;
}
V ew::math::operator~(V a) { return a ^ a.splatInt(-1); }

V ew::math::compare(CmpPredicate predicate, V a, V b, bool isSigned) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  auto ofFloats = [&](F p) {
    return V(a.e(), arith::CmpFOp::create(a.e(), p, a.get(), b.get()));
  };
  auto ofInts = [&](I s, I u) {
    return V(a.e(),
             arith::CmpIOp::create(a.e(), isSigned ? s : u, a.get(), b.get()));
  };
  switch (predicate) {
  case CmpPredicate::eq:
    return ofInts(I::eq, I::eq);
  case CmpPredicate::ne:
    return ofInts(I::ne, I::ne);
  case CmpPredicate::lt:
    return ofInts(I::slt, I::ult);
  case CmpPredicate::le:
    return ofInts(I::sle, I::ule);
  case CmpPredicate::gt:
    return ofInts(I::sgt, I::ugt);
  case CmpPredicate::ge:
    return ofInts(I::sge, I::uge);
  case CmpPredicate::oeq:
    return ofFloats(F::OEQ);
  case CmpPredicate::one:
    return ofFloats(F::ONE);
  case CmpPredicate::olt:
    return ofFloats(F::OLT);
  case CmpPredicate::ole:
    return ofFloats(F::OLE);
  case CmpPredicate::ogt:
    return ofFloats(F::OGT);
  case CmpPredicate::oge:
    return ofFloats(F::OGE);
  case CmpPredicate::ord:
    return ofFloats(F::ORD);
  case CmpPredicate::ueq:
    return ofFloats(F::UEQ);
  case CmpPredicate::une:
    return ofFloats(F::UNE);
  case CmpPredicate::ult:
    return ofFloats(F::ULT);
  case CmpPredicate::ule:
    return ofFloats(F::ULE);
  case CmpPredicate::ugt:
    return ofFloats(F::UGT);
  case CmpPredicate::uge:
    return ofFloats(F::UGE);
  case CmpPredicate::uno:
    return ofFloats(F::UNO);
  }
  llvm_unreachable("unknown predicate");
}

V ew::math::isNan(V a) { return compare(CmpPredicate::uno, a, a); }

V ew::math::selectRaw(V condition, V a, V b) {
  Emitter &e = a.e();
  return V(e, arith::SelectOp::create(e, condition.get(), a.get(), b.get()));
}

V ew::math::fmaRaw(V a, V b, V c) {
  Emitter &e = a.e();
  return V(e, LLVM::FMAOp::create(e, a.type(), a.get(), b.get(), c.get()));
}

V ew::math::horner(V x, ArrayRef<double> coefficients) {
  V sum = x.splat(coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, c);
  return sum;
}

// By name: convert-gpu-to-nvvm takes the LLVM dialect's own ops for calls of
// libdevice.
static V unaryIntrinsic(StringRef name, V a) {
  return a.e().intrinsic(name, a.element(), a);
}
V ew::math::sqrt(V a) { return unaryIntrinsic("llvm.sqrt", a); }
V ew::math::floor(V a) { return unaryIntrinsic("llvm.floor", a); }
V ew::math::ceil(V a) { return unaryIntrinsic("llvm.ceil", a); }
V ew::math::trunc(V a) { return unaryIntrinsic("llvm.trunc", a); }
V ew::math::round(V a) { return unaryIntrinsic("llvm.round", a); }
V ew::math::roundEven(V a) { return unaryIntrinsic("llvm.roundeven", a); }
V ew::math::abs(V a) { return unaryIntrinsic("llvm.fabs", a); }
V ew::math::populationCount(V a) { return unaryIntrinsic("llvm.ctpop", a); }
V ew::math::countLeadingZeros(V a) {
  return V(a.e(),
           LLVM::CountLeadingZerosOp::create(a.e(), a.type(), a.get(), false));
}
V ew::math::countTrailingZeros(V a) {
  return V(a.e(),
           LLVM::CountTrailingZerosOp::create(a.e(), a.type(), a.get(), false));
}

V ew::math::copysign(V magnitude, V sign) {
  return magnitude.e().intrinsic("llvm.copysign", magnitude.element(),
                                 {magnitude, sign});
}
V ew::math::maximum(V a, V b) {
  return V(a.e(), LLVM::MaximumOp::create(a.e(), a.type(), a.get(), b.get()));
}
V ew::math::minimum(V a, V b) {
  return V(a.e(), LLVM::MinimumOp::create(a.e(), a.type(), a.get(), b.get()));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

V ew::math::bitcast(V a, Type element) {
  if (a.element() == element)
    return a;
  return V(a.e(),
           arith::BitcastOp::create(a.e(), a.typeWith(element), a.get()));
}
V ew::math::bits(V a) { return bitcast(a, a.e().intType(a.width())); }
V ew::math::fromBits(V a, Type floatElement) {
  return bitcast(a, floatElement);
}

template <typename Op>
static V convertTo(V a, Type element) {
  return V(a.e(), Op::create(a.e(), a.typeWith(element), a.get()));
}
V ew::math::extendSigned(V a, unsigned width) {
  return convertTo<arith::ExtSIOp>(a, a.e().intType(width));
}
V ew::math::extendUnsigned(V a, unsigned width) {
  return convertTo<arith::ExtUIOp>(a, a.e().intType(width));
}
V ew::math::truncate(V a, unsigned width) {
  return convertTo<arith::TruncIOp>(a, a.e().intType(width));
}
V ew::math::resizeUnsigned(V a, unsigned width) {
  if (a.width() == width)
    return a;
  return a.width() < width ? extendUnsigned(a, width) : truncate(a, width);
}
V ew::math::resizeSigned(V a, unsigned width) {
  if (a.width() == width)
    return a;
  return a.width() < width ? extendSigned(a, width) : truncate(a, width);
}
V ew::math::extendFloat(V a, Type element) {
  return convertTo<arith::ExtFOp>(a, element);
}
V ew::math::truncateFloat(V a, Type element) {
  return convertTo<arith::TruncFOp>(a, element);
}
V ew::math::fromSigned(V a, Type element) {
  return convertTo<arith::SIToFPOp>(a, element);
}
V ew::math::fromUnsigned(V a, Type element) {
  return convertTo<arith::UIToFPOp>(a, element);
}
V ew::math::toSigned(V a, unsigned width) {
  return convertTo<arith::FPToSIOp>(a, a.e().intType(width));
}
