//===- Widen.cpp - Narrow floating point computed in f32 ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ew {
#define GEN_PASS_DEF_EWWIDEN
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

namespace {

bool isNarrow(Type type) {
  auto element = dyn_cast<FloatType>(getElementType(type));
  return element && element.getWidth() < 32;
}

/// What becomes of an op that has a narrow operand or result.
enum class Kind {
  Keep,    // it converts, or needs its own type: operands rounded
  Move,    // moves bits: stays narrow unless an operand was computed
  Inspect, // looks at the format: computed in f32 from rounded operands
  Compute, // arithmetic
};

Kind classify(Operation *op) {
  if (isa<CastOp, BitcastOp, NextAfterOp, ConstantOp, IotaOp, PhiloxOp,
          PhiloxAtOp>(op))
    return Kind::Keep;
  if (isa<BroadcastOp, TransposeOp, SelectOp, NegOp, AbsOp, CopysignOp>(op))
    return Kind::Move;
  if (isa<CmpOp, IsNanOp, IsInfOp, IsFiniteOp, SignbitOp, FloorOp, CeilOp,
          TruncOp, RoundOp, RoundEvenOp>(op))
    return Kind::Inspect;
  return Kind::Compute;
}

class Widener {
public:
  Widener(MLIRContext *context, Mode ofProgram)
      : f32(Float32Type::get(context)), f64(Float64Type::get(context)),
        ofProgram(ofProgram) {}

  /// Returns whether the op is now computed in a wider type.
  bool widen(Operation *op);

  /// Erases what turned out to have no user.
  void eraseUnused() {
    for (Operation *op : llvm::reverse(created))
      if (op->use_empty())
        op->erase();
  }

private:
  /// A constant that is narrow, or a broadcast of one, in f32.
  Value getWideConstant(Value value);
  /// The value as it was computed, in f32.
  Value getWide(Value value);
  /// The value, rounded to its type, in `type`.
  Value getExtended(Value value, FloatType type);
  Value cast(OpBuilder &builder, Location loc, Value value, FloatType type);
  /// `x * y + z` rounded to the narrow type once.
  Value buildStrictFma(OpBuilder &builder, Location loc, ValueRange operands);
  Value buildRoundedToOdd(OpBuilder &builder, Location loc, Value x, Value y,
                          Value z);
  /// What computes an op in the strict mode whose result in f32 would have been
  /// rounded once too often; none for other ops.
  Value buildRoundedOnce(OpBuilder &builder, Operation *op);
  /// The op on f32. `ofRounded`: its operands are rounded to their types first.
  Value cloneInF32(OpBuilder &builder, Operation *op, bool ofRounded);
  void replace(OpBuilder &builder, Operation *op, Value wide, bool keepWide);

  FloatType f32, f64;
  Mode ofProgram;
  /// For a rounded value, the one before rounding.
  llvm::DenseMap<Value, Value> computed;
  llvm::DenseMap<std::pair<Value, Type>, Value> extended;
  /// The last extension of an argument of a block.
  llvm::DenseMap<Block *, Operation *> lastExtended;
  SmallVector<Operation *> created;
};

Value Widener::cast(OpBuilder &builder, Location loc, Value value,
                    FloatType type) {
  auto op = CastOp::create(builder, loc, getTypeLike(value.getType(), type),
                           value, RoundingModeAttr(), /*saturate=*/false,
                           /*wrap=*/false);
  created.push_back(op);
  return op;
}

/// A number or dense elements, extended to `type`. Exact.
static TypedAttr extendConstant(Attribute value, FloatType type) {
  auto extend = [&](APFloat number) {
    bool losesInfo;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number;
  };
  if (auto number = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(type, extend(number.getValue()));
  if (auto dense = dyn_cast<DenseFPElementsAttr>(value))
    return dense.mapValues(
        type, [&](const APFloat &x) { return extend(x).bitcastToAPInt(); });
  return nullptr;
}

Value Widener::getWideConstant(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<ConstantOp, BroadcastOp>(op))
    return nullptr;
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    TypedAttr attr = extendConstant(constant.getValue(), f32);
    if (!attr)
      return nullptr;
    auto wide = ConstantOp::create(builder, op->getLoc(), attr.getType(), attr);
    created.push_back(wide);
    return wide;
  }
  auto broadcast = mlir::cast<BroadcastOp>(op);
  if (!broadcast.getOperand().getDefiningOp<ConstantOp>())
    return nullptr;
  Value operand = getExtended(broadcast.getOperand(), f32);
  auto wide = BroadcastOp::create(builder, op->getLoc(),
                                  getTypeLike(value.getType(), f32), operand,
                                  broadcast.getLike());
  created.push_back(wide);
  return wide;
}

Value Widener::getExtended(Value value, FloatType type) {
  Value &wide = extended[{value, type}];
  if (wide)
    return wide;
  if (type == f32)
    if (Value constant = getWideConstant(value))
      return extended[{value, type}] = constant;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  // Arguments are extended in the order in which they are used, which becomes
  // that of a kernel's operands.
  Operation **last = nullptr;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    last = &lastExtended[argument.getOwner()];
    if (*last)
      builder.setInsertionPointAfter(*last);
  }
  Value result = cast(builder, value.getLoc(), value, type);
  if (last)
    *last = result.getDefiningOp();
  return extended[{value, type}] = result;
}

Value Widener::getWide(Value value) {
  if (Value wide = computed.lookup(value))
    return wide;
  return getExtended(value, f32);
}

Value Widener::buildRoundedToOdd(OpBuilder &builder, Location loc, Value x,
                                 Value y, Value z) {
  // The product of two bf16 is exact in f64, their sum with a third is not, and
  // rounding it to nearest and then to bf16 could round twice. So the sum is
  // rounded to odd: its error e is computed exactly (Knuth's two-sum), and
  // where it is not 0 and the last bit is even, the neighbour on the side of e
  // is taken.
  Type type = x.getType();
  Type bitsType = getTypeLike(type, builder.getI64Type());
  auto constant = [&](Type type, Type element, TypedAttr scalar) -> Value {
    if (auto shaped = dyn_cast<ShapedType>(type)) {
      if (shaped.hasStaticShape())
        return ConstantOp::create(builder, loc, type,
                                  DenseElementsAttr::get(shaped, scalar));
      Value number = ConstantOp::create(builder, loc, element, scalar);
      return BroadcastOp::create(builder, loc, type, number, x);
    }
    return ConstantOp::create(builder, loc, element, scalar);
  };
  auto integer = [&](int64_t number) {
    return constant(bitsType, builder.getI64Type(),
                    builder.getI64IntegerAttr(number));
  };
  Value zero = constant(type, f64, builder.getF64FloatAttr(0.0));
  Value zeroBits = integer(0), one = integer(1), minusOne = integer(-1);

  Value product = MulOp::create(builder, loc, type, x, y);
  Value sum = AddOp::create(builder, loc, type, product, z);
  Value zPart = SubOp::create(builder, loc, type, sum, product);
  Value productPart = SubOp::create(builder, loc, type, sum, zPart);
  Value zError = SubOp::create(builder, loc, type, z, zPart);
  Value productError = SubOp::create(builder, loc, type, product, productPart);
  Value error = AddOp::create(builder, loc, type, productError, zError);

  Type boolType = getBoolTypeLike(type);
  auto compare = [&](CmpPredicate predicate, Value a, Value b) -> Value {
    return CmpOp::create(builder, loc, boolType, predicate, a, b);
  };
  // Where the sum is an infinity or a NaN, the error is a NaN: not `one`.
  Value inexact = compare(CmpPredicate::one, error, zero);
  Value bits = BitcastOp::create(builder, loc, bitsType, sum);
  Value last = AndOp::create(builder, loc, bitsType, bits, one);
  Value even = compare(CmpPredicate::eq, last, zeroBits);
  Value adjust = AndOp::create(builder, loc, boolType, inexact, even);
  Value towardZero = XorOp::create(builder, loc, boolType,
                                   compare(CmpPredicate::olt, error, zero),
                                   compare(CmpPredicate::olt, sum, zero));
  Value step =
      SelectOp::create(builder, loc, bitsType, towardZero, minusOne, one);
  Value odd = AddOp::create(builder, loc, bitsType, bits, step);
  Value chosen = SelectOp::create(builder, loc, bitsType, adjust, odd, bits);
  return BitcastOp::create(builder, loc, type, chosen);
}

Value Widener::buildStrictFma(OpBuilder &builder, Location loc,
                              ValueRange operands) {
  Value x = getExtended(operands[0], f64), y = getExtended(operands[1], f64),
        z = getExtended(operands[2], f64);
  // Of f16 and f8, f64 rounds the sum only where it is far from the middle of
  // two neighbours.
  if (getElementType(operands[0].getType()).isBF16())
    return buildRoundedToOdd(builder, loc, x, y, z);
  return FmaOp::create(builder, loc, x.getType(), x, y, z);
}

void Widener::replace(OpBuilder &builder, Operation *op, Value wide,
                      bool keepWide) {
  Value result = op->getResult(0);
  if (wide.getType() == result.getType()) {
    result.replaceAllUsesWith(wide);
    op->erase();
    return;
  }
  Value rounded = cast(builder, op->getLoc(), wide,
                       mlir::cast<FloatType>(getElementType(result.getType())));
  if (keepWide)
    computed[rounded] = wide;
  result.replaceAllUsesWith(rounded);
  op->erase();
}

bool Widener::widen(Operation *op) {
  if (op->getDialect() != op->getContext()->getLoadedDialect<EwDialect>() ||
      op->getNumResults() != 1)
    return false;
  // A shape is all that is asked of `like`: the value before rounding will do.
  llvm::TypeSwitch<Operation *>(op).Case<BroadcastOp, IotaOp, PhiloxOp>(
      [&](auto shaped) {
        if (Value wide =
                shaped.getLike() ? computed.lookup(shaped.getLike()) : Value())
          shaped.getLikeMutable().assign(wide);
      });

  Value result = op->getResult(0);
  if (!isNarrow(result.getType()) &&
      llvm::none_of(op->getOperandTypes(), isNarrow))
    return false;
  Kind kind = classify(op);
  if (kind == Kind::Keep)
    return false;
  // A view shows the value as it was computed.
  bool strict = getMode(op, ofProgram) == Mode::Strict &&
                !isa<BroadcastOp, TransposeOp>(op);
  if (kind == Kind::Move && strict)
    return false; // of rounded values
  if (kind == Kind::Move && (!isNarrow(result.getType()) ||
                             llvm::none_of(op->getOperands(), [&](Value v) {
                               return computed.count(v);
                             })))
    return false;

  OpBuilder builder(op);
  if (Value exact = strict ? buildRoundedOnce(builder, op) : Value())
    replace(builder, op, exact, /*keepWide=*/false);
  else
    replace(builder, op,
            cloneInF32(builder, op, kind == Kind::Inspect || strict),
            /*keepWide=*/!strict);
  return true;
}

Value Widener::buildRoundedOnce(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  if (isa<FmaOp>(op))
    return buildStrictFma(builder, loc, op->getOperands());
  auto lerp = dyn_cast<LerpOp>(op);
  if (!lerp)
    return nullptr;
  // Its difference is rounded too.
  Value start = lerp.getFirst(), end = lerp.getSecond();
  Value wide = SubOp::create(builder, loc, getTypeLike(start.getType(), f32),
                             getExtended(end, f32), getExtended(start, f32));
  Value difference =
      cast(builder, loc, wide,
           mlir::cast<FloatType>(getElementType(start.getType())));
  return buildStrictFma(builder, loc, {lerp.getThird(), difference, start});
}

Value Widener::cloneInF32(OpBuilder &builder, Operation *op, bool ofRounded) {
  Operation *wide = builder.clone(*op);
  if (op->hasAttr(kErrorBoundAttr))
    wide->setAttr(kWrittenTypeAttr,
                  TypeAttr::get(getElementType(op->getOperand(0).getType())));
  for (OpOperand &operand : wide->getOpOperands()) {
    // `like` is a shape, whatever its type.
    if (!isNarrow(operand.get().getType()) ||
        (isa<BroadcastOp>(op) && operand.getOperandNumber() == 1))
      continue;
    operand.set(ofRounded ? getExtended(operand.get(), f32)
                          : getWide(operand.get()));
  }
  Type type = op->getResult(0).getType();
  if (isNarrow(type))
    wide->getResult(0).setType(getTypeLike(type, f32));
  // A parameter that is rounded to the type of the operand, rounds as before.
  if (auto leaky = dyn_cast<LeakyReluOp>(wide)) {
    APFloat alpha = leaky.getAlpha();
    bool losesInfo;
    alpha.convert(
        mlir::cast<FloatType>(getElementType(type)).getFloatSemantics(),
        APFloat::rmNearestTiesToEven, &losesInfo);
    alpha.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    leaky.setAlpha(alpha);
  }
  created.push_back(wide);
  return wide->getResult(0);
}

struct Widen : ew::impl::EwWidenBase<Widen> {
  using EwWidenBase::EwWidenBase;

  LogicalResult initialize(MLIRContext *context) override {
    return parseModeOption(context, getArgument(), mode, ofProgram);
  }

  void runOnOperation() override {
    Widener widener(&getContext(), ofProgram);
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      numWidened += widener.widen(op);
    widener.eraseUnused();
  }

  Mode ofProgram = Mode::Default;
};

} // namespace
