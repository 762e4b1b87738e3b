//===- OpSpecs.cpp - Every op on every type that it takes -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpSpecs.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace ew;
using namespace ew::test;

Value OpSpec::build(OpBuilder &builder, ValueRange values) const {
  Type type = getTypeLike(values.front().getType(), result);
  OperationState state(builder.getUnknownLoc(), op, values, {type},
                       attributes.getAttrs());
  return builder.create(state)->getResult(0);
}

std::vector<Type> ew::test::getElementTypes(MLIRContext *context) {
  Builder b(context);
  std::vector<Type> types = {b.getF64Type(),
                             b.getF32Type(),
                             b.getF16Type(),
                             b.getBF16Type(),
                             Float8E4M3FNType::get(context),
                             Float8E5M2Type::get(context),
                             b.getI1Type()};
  for (unsigned width : {8, 16, 32, 64}) {
    types.push_back(b.getIntegerType(width));
    types.push_back(IntegerType::get(context, width, IntegerType::Unsigned));
  }
  return types;
}

static bool isValid(const OpSpec &spec) {
  MLIRContext *context = spec.result.getContext();
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  OpBuilder builder(context);
  Block block;
  for (Type operand : spec.operands)
    block.addArgument(operand, builder.getUnknownLoc());
  builder.setInsertionPointToEnd(&block);
  Operation *op = spec.build(builder, block.getArguments()).getDefiningOp();
  return succeeded(op->getName().verifyInvariants(op));
}

namespace {
struct Collector {
  void add(OpSpec spec, std::string suffix = "") {
    if (!isValid(spec))
      return;
    spec.label = spec.op;
    for (Type operand : spec.operands)
      spec.label += " " + show(operand);
    spec.label += " -> " + show(spec.result) + suffix;
    specs.push_back(std::move(spec));
  }

  static std::string show(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }

  std::vector<OpSpec> specs;
};
} // namespace

static void addCasts(Collector &out, Type from) {
  MLIRContext *context = from.getContext();
  Builder builder(context);
  std::string cast = CastOp::getOperationName().str();
  for (Type to : getElementTypes(context))
    for (StringRef overflow : {"", "saturate", "wrap"})
      for (unsigned mode = 0; mode <= getMaxEnumValForRoundingMode() + 1;
           ++mode) {
        NamedAttrList attributes;
        std::string suffix;
        if (mode) {
          auto rounding = *symbolizeRoundingMode(mode - 1);
          attributes.append("round", RoundingModeAttr::get(context, rounding));
          suffix += " " + stringifyRoundingMode(rounding).str();
        }
        if (!overflow.empty()) {
          attributes.append(overflow, builder.getUnitAttr());
          suffix += " " + overflow.str();
        }
        out.add({cast, "", {from}, to, attributes}, suffix);
      }
}

std::vector<OpSpec> ew::test::getOpSpecs(Type element) {
  MLIRContext *context = element.getContext();
  Builder builder(context);
  Type boolean = builder.getI1Type();
  Collector out;
  for (RegisteredOperationName name : context->getRegisteredOperations()) {
    if (!isa<EwDialect>(name.getDialect()) ||
        !name.hasTrait<OpTrait::Tensorizable>())
      continue;
    std::string op = name.getStringRef().str();
    if (op == CastOp::getOperationName()) {
      addCasts(out, element);
      continue;
    }
    if (op == BitcastOp::getOperationName()) {
      for (Type to : getElementTypes(context))
        out.add({op, "", {element}, to, {}});
      continue;
    }
    if (op == CmpOp::getOperationName()) {
      for (unsigned p = 0; p <= getMaxEnumValForCmpPredicate(); ++p) {
        auto predicate = *symbolizeCmpPredicate(p);
        NamedAttrList attributes;
        attributes.append("predicate",
                          CmpPredicateAttr::get(context, predicate));
        out.add({op, "", {element, element}, boolean, attributes},
                " " + stringifyCmpPredicate(predicate).str());
      }
      continue;
    }
    if (op == SelectOp::getOperationName()) {
      out.add({op, "", {boolean, element, element}, element, {}});
      continue;
    }
    for (Type result : {element, boolean}) {
      for (unsigned operands = 1; operands <= 3; ++operands)
        out.add({op, "", std::vector<Type>(operands, element), result, {}});
      if (element == boolean)
        break;
    }
    // Attributes that are not at their default.
    if (op == GeluOp::getOperationName()) {
      NamedAttrList attributes;
      attributes.append("approximate", GeluApproximationAttr::get(
                                           context, GeluApproximation::tanh));
      out.add({op, "", {element}, element, attributes}, " tanh");
    }
    if (name.getAttributeNames().size() &&
        name.getAttributeNames().front() == "alpha")
      for (double alpha : {0.1, 2.5, -0.75}) {
        NamedAttrList attributes;
        attributes.append("alpha", builder.getF64FloatAttr(alpha));
        out.add({op, "", {element}, element, attributes},
                " alpha " + std::to_string(alpha));
      }
  }
  return out.specs;
}

static Type getMemoryElement(Type element) {
  unsigned width = element.isInteger(1) ? 8 : element.getIntOrFloatBitWidth();
  if (isa<IntegerType>(element) || width == 8)
    return IntegerType::get(element.getContext(), width);
  return element;
}

/// In bytes, of one element.
static unsigned getAlignment(Type element) {
  return getMemoryElement(element).getIntOrFloatBitWidth() / 8;
}

Value ew::test::loadVector(OpBuilder &builder, Value pointer, Type element,
                           int64_t lanes) {
  Location loc = builder.getUnknownLoc();
  auto memory = VectorType::get({lanes}, getMemoryElement(element));
  auto type = VectorType::get({lanes}, element);
  Value value = LLVM::LoadOp::create(builder, loc, memory, pointer,
                                     getAlignment(element));
  if (element.isInteger(1)) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(memory));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 zero);
  }
  if (memory == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}

void ew::test::storeVector(OpBuilder &builder, Value value, Value pointer,
                           Type element) {
  Location loc = builder.getUnknownLoc();
  auto memory =
      cast<VectorType>(value.getType()).clone(getMemoryElement(element));
  if (element.isInteger(1))
    value = arith::ExtUIOp::create(builder, loc, memory, value);
  else if (value.getType() != memory)
    value = UnrealizedConversionCastOp::create(builder, loc, memory, value)
                .getResult(0);
  LLVM::StoreOp::create(builder, loc, value, pointer, getAlignment(element));
}
