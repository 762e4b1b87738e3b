//===- LowerMath.cpp - From ew ops to a target's arithmetic ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Selection.h"
#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Math/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace ew {
#define GEN_PASS_DEF_EWLOWERMATH
#include "ew/Math/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;
using namespace ew::math;

namespace {

/// The type that stands for an element type in arithmetic.
static Type getArithmeticElement(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element);
      integer && integer.isUnsigned())
    return IntegerType::get(element.getContext(), integer.getWidth());
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
    return IntegerType::get(element.getContext(), 8);
  return element;
}

static Type getArithmeticType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(getArithmeticElement(vector.getElementType()));
  return getArithmeticElement(type);
}

static TypedAttr getArithmeticConstant(TypedAttr value) {
  Type type = getArithmeticType(value.getType());
  if (type == value.getType())
    return value;
  if (auto number = dyn_cast<FloatAttr>(value))
    return IntegerAttr::get(type, number.getValue().bitcastToAPInt());
  if (auto number = dyn_cast<IntegerAttr>(value))
    return IntegerAttr::get(type, number.getValue());
  if (auto elements = dyn_cast<DenseElementsAttr>(value))
    return elements.bitcast(cast<VectorType>(type).getElementType());
  return nullptr;
}

/// An op to lower, and what is known of it by its types before the function's
/// values were retyped.
struct Pending {
  Operation *op;
  Choice choice;
  SmallVector<Type, 4> operandTypes;
  Type resultType;
  SmallVector<Interval, 3> ranges; // of the operands
};

struct LowerMath : ew::impl::EwLowerMathBase<LowerMath> {
  using EwLowerMathBase::EwLowerMathBase;

  /// A library's functions are declared in it.
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }

  /// Once, and not for each module of kernels.
  LogicalResult initialize(MLIRContext *context) override {
    return readOptions(context);
  }

  void runOnOperation() override {
    SmallVector<FunctionOpInterface> functions;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && !computesOnTensors(function))
        functions.push_back(function);
    });
    lowered.clear();
    lowered.insert(functions.begin(), functions.end());
    for (FunctionOpInterface function : functions)
      if (failed(lowerFunction(function)))
        return signalPassFailure();
    retypeCallsFromOthers();
    retypeReferences();
  }

private:
  LogicalResult readOptions(MLIRContext *context) {
    auto error = [&] {
      return emitError(UnknownLoc::get(context), "ew-lower-math: ");
    };
    if (target != "cpu" && target != "nvptx")
      return error() << "target must be cpu or nvptx, not '" << target << "'";
    isGPU = target == "nvptx";
    Mode ofProgram = Mode::Default;
    if (failed(parseModeOption(context, getArgument(), mode, ofProgram)))
      return failure();
    selector = {isGPU ? Target::NVPTX : Target::CPU, ofProgram, library};
    sm = 0;
    if (!isGPU)
      return success();
    StringRef number = StringRef(chip).rtrim("af");
    if (!number.consume_front("sm_") || number.getAsInteger(10, sm) || sm < 80)
      return error() << "chip must be sm_80 or later, not '" << chip << "'";
    return success();
  }

  static bool computesOnTensors(FunctionOpInterface function) {
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    if (llvm::any_of(function.getArgumentTypes(), isTensor) ||
        llvm::any_of(function.getResultTypes(), isTensor))
      return true;
    return function
        ->walk([&](Operation *op) {
          return llvm::any_of(op->getResultTypes(), isTensor)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  LogicalResult lowerFunction(FunctionOpInterface function) {
    SmallVector<Pending> pending;
    Intervals ranges;
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa_and_nonnull<EwDialect>(op->getDialect()) ||
          op->getNumResults() != 1)
        return;
      ranges.visit(op);
      pending.push_back(
          {op, isa<ConstantOp>(op) ? Choice() : selector.choose(op),
           SmallVector<Type, 4>(op->getOperandTypes()),
           op->getResult(0).getType(),
           llvm::map_to_vector<3>(op->getOperands(), [&](Value operand) {
             return ranges.get(operand);
           })});
    });
    if (failed(retype(function)))
      return failure();
    for (Pending &next : pending)
      if (failed(lower(next)))
        return failure();
    function->walk([&](UnrealizedConversionCastOp cast) {
      if (cast.getOperandTypes() != cast.getResultTypes())
        return;
      cast.replaceAllUsesWith(cast.getOperands());
      cast.erase();
    });
    return success();
  }

  /// Whether an op has types of the program's that are no values': those of
  /// memory, or of a function that is not lowered. Its operands, results and
  /// blocks keep theirs.
  bool isForeign(Operation *op) {
    if (auto call = dyn_cast<CallOpInterface>(op))
      return !lowered.contains(call.resolveCallable());
    auto changes = [](Type type) {
      return getArithmeticElement(type) == type ? WalkResult::advance()
                                                : WalkResult::interrupt();
    };
    auto holds = [&](Type type) {
      return !isa<VectorType>(type) && !type.isIntOrIndexOrFloat() &&
             type.walk(changes).wasInterrupted();
    };
    return llvm::any_of(op->getOperandTypes(), holds) ||
           llvm::any_of(op->getResultTypes(), holds) ||
           (op->hasTrait<OpTrait::IsTerminator>() &&
            isForeign(op->getParentOp()));
  }

  static Value convert(OpBuilder &builder, Value value, Type type) {
    return UnrealizedConversionCastOp::create(builder, value.getLoc(), type,
                                              value)
        .getResult(0);
  }
  static void convertOperands(Operation *op, TypeRange types) {
    OpBuilder builder(op);
    for (auto [operand, type] : llvm::zip_equal(op->getOpOperands(), types))
      if (operand.get().getType() != type)
        operand.set(convert(builder, operand.get(), type));
  }
  static void convertUses(Value value, Type type) {
    if (value.getType() == type)
      return;
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    Value converted = convert(builder, value, type);
    value.replaceAllUsesExcept(converted, converted.getDefiningOp());
  }

  /// The calls of lowered functions in those that are left alone.
  void retypeCallsFromOthers() {
    SmallVector<CallOpInterface> calls;
    getOperation()->walk([&](CallOpInterface call) {
      if (lowered.contains(call.resolveCallable()) &&
          !lowered.contains(call->getParentOfType<FunctionOpInterface>()))
        calls.push_back(call);
    });
    for (CallOpInterface call : calls) {
      auto callee = cast<FunctionOpInterface>(call.resolveCallable());
      convertOperands(call, callee.getArgumentTypes());
      for (auto [result, type] :
           llvm::zip_equal(call->getResults(), callee.getResultTypes())) {
        Type before = result.getType();
        result.setType(type);
        convertUses(result, before);
      }
    }
  }

  /// Values that are lowered functions. Who calls one of them may not know
  /// which it is, and goes by the type as it was.
  void retypeReferences() {
    getOperation()->walk([&](func::ConstantOp reference) {
      auto function = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
          reference, reference.getValueAttr());
      if (!lowered.contains(function))
        return;
      Type before = reference.getType();
      reference.getResult().setType(function.getFunctionType());
      convertUses(reference, before);
    });
  }

  /// Gives every value the type that arithmetic takes. Memory holds such types
  /// already, so nothing is converted: only names of types change.
  LogicalResult retype(FunctionOpInterface function) {
    llvm::MapVector<Operation *, SmallVector<Type>> foreign; // operands' types
    function->walk([&](Operation *op) {
      if (isForeign(op))
        foreign.insert({op, SmallVector<Type>(op->getOperandTypes())});
    });
    SmallVector<Type> arguments, results;
    for (Type type : function.getArgumentTypes())
      arguments.push_back(getArithmeticType(type));
    for (Type type : function.getResultTypes())
      results.push_back(getArithmeticType(type));
    if (TypeRange(arguments) != TypeRange(function.getArgumentTypes()) ||
        TypeRange(results) != TypeRange(function.getResultTypes()))
      function.setType(function.cloneTypeWith(arguments, results));
    WalkResult walked = function->walk([&](Operation *op) {
      if (foreign.contains(op))
        return WalkResult::advance();
      for (Value result : op->getResults())
        result.setType(getArithmeticType(result.getType()));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            argument.setType(getArithmeticType(argument.getType()));
      if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
        TypedAttr value = getArithmeticConstant(constant.getValue());
        if (!value) {
          op->emitOpError("cannot be written in the types of arithmetic");
          return WalkResult::interrupt();
        }
        constant.setValueAttr(value);
      }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    for (const auto &[op, types] : foreign) {
      convertOperands(op, types);
      for (Value result : op->getResults())
        convertUses(result, getArithmeticType(result.getType()));
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          convertUses(argument, getArithmeticType(argument.getType()));
    }
    return success();
  }

  LogicalResult lower(Pending &pending) {
    Operation *op = pending.op;
    Emitter emitter(op->getLoc(), op, isGPU ? Target::NVPTX : Target::CPU, sm,
                    pending.choice.approximate);
    Value replacement;
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      TypedAttr value =
          getArithmeticConstant(cast<TypedAttr>(constant.getValue()));
      if (!value)
        return op->emitOpError("cannot be written in the types of arithmetic");
      replacement = arith::ConstantOp::create(emitter, value);
    } else {
      Type resultType = pending.resultType;
      if (isComplex(resultType) ||
          llvm::any_of(pending.operandTypes, isComplex))
        return op->emitOpError("on complex numbers has no lowering: "
                               "ew-split-complex makes their parts of them, in "
                               "the body of a linalg.generic");
      auto vector = dyn_cast<VectorType>(resultType);
      if (vector && vector.isScalable())
        return op->emitOpError("on vectors of scalable length has no lowering");
      // LLVM's vectors have one dimension.
      bool flatten = vector && vector.getRank() != 1;
      Call call;
      call.op = op;
      call.ranges = pending.ranges;
      for (Value operand : op->getOperands()) {
        if (flatten) {
          auto type = cast<VectorType>(operand.getType());
          operand = vector::ShapeCastOp::create(
              emitter,
              VectorType::get({type.getNumElements()}, type.getElementType()),
              operand);
        }
        call.args.push_back(V(emitter, operand));
      }
      call.to = ew::getElementType(resultType);
      call.from = isa<SelectOp>(op)
                      ? call.to
                      : ew::getElementType(pending.operandTypes[0]);
      V result;
      if (failed(emit(emitter, call, pending, result)))
        return failure();
      replacement = result.get();
      if (flatten)
        replacement = vector::ShapeCastOp::create(
            emitter, getArithmeticType(vector), replacement);
    }
    op->getResult(0).replaceAllUsesWith(replacement);
    op->erase();
    ++numLowered;
    return success();
  }

  LogicalResult reportMissing(const Call &call) {
    auto written = call.op->getAttrOfType<TypeAttr>(kWrittenTypeAttr);
    InFlightDiagnostic error = call.op->emitOpError("on ")
                               << (written ? written.getValue() : call.from);
    if (written)
      error << ", computed in " << call.from << ",";
    std::string where = !device.empty() ? "on " + device
                        : isGPU         ? "on " + chip
                                        : "on a CPU";
    return error << " has no implementation"
                 << describeMissing(call.op, selector, call.from, where);
  }

  LogicalResult emit(Emitter &emitter, Call &call, const Pending &pending,
                     V &result) {
    const Choice &choice = pending.choice;
    const Implementation *found = choice.implementation;
    if (!found)
      return reportMissing(call);
    if (!choice.throughF32) {
      result = found->emit(emitter, call);
      return failure(emitter.failed);
    }
    Type narrow = call.to, source = call.from;
    call.from = emitter.getF32Type();
    for (V &arg : call.args)
      arg = widen(arg, source);
    if (!isa<FloatType>(narrow)) {
      result = found->emit(emitter, call);
      return failure(emitter.failed);
    }
    call.to = call.from;
    result = roundTo(found->emit(emitter, call), narrow);
    return failure(emitter.failed);
  }

  bool isGPU = false;
  unsigned sm = 0;
  Selector selector;
  llvm::DenseSet<Operation *> lowered;
};

} // namespace
