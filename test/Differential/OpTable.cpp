//===- OpTable.cpp - The ops that programs are made of --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "ew/Dialect/Ew/IR/ErrorBound.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace ew;
using namespace ew::fuzz;

/// Attributes that an op may have: those of the dialect's enumerations, numbers
/// for parameters, flags. The verifiers say which of them go where.
static std::vector<Attribute> getAttributeCandidates(MLIRContext *context) {
  Builder builder(context);
  std::vector<Attribute> all = {builder.getUnitAttr()};
  for (unsigned i = 0; i <= getMaxEnumValForCmpPredicate(); ++i)
    all.push_back(CmpPredicateAttr::get(context, *symbolizeCmpPredicate(i)));
  for (unsigned i = 0; i <= getMaxEnumValForRoundingMode(); ++i)
    all.push_back(RoundingModeAttr::get(context, *symbolizeRoundingMode(i)));
  for (unsigned i = 0; i <= getMaxEnumValForGeluApproximation(); ++i)
    all.push_back(
        GeluApproximationAttr::get(context, *symbolizeGeluApproximation(i)));
  for (double number : {0.1, 1.7, -0.75})
    all.push_back(builder.getF64FloatAttr(number));
  return all;
}

/// Functions of f64 are a library's, and those of complex numbers are put
/// together from functions of their parts. The power of complex<f32> is
/// computed in f64.
static bool isFromLibrary(Operation *op, ElementType type) {
  switch (type) {
  case ElementType::F64:
    return getErrorBound(op) > 0.5;
  case ElementType::ComplexF64:
    return getErrorBound(op) > 0.5 &&
           !isa<MulOp, SquareOp, DivOp, ReciprocalOp, SqrtOp>(op);
  case ElementType::ComplexF32:
    return isa<PowOp>(op);
  default:
    return false;
  }
}

OpTable::OpTable(MLIRContext *context) : context(context) {
  for (llvm::StringRef name :
       {"f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "i1", "i8", "i16",
        "i32", "i64", "ui8", "ui16", "ui32", "ui64", "complex<f32>",
        "complex<f64>"}) {
    ElementType type = *runtime::parseElementType(name);
    types.push_back(type);
    irTypes[type] = parseType(name, context);
  }
  candidates = getAttributeCandidates(context);
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (isa<EwDialect>(name.getDialect()))
      addOp(name);
}

void OpTable::addOp(RegisteredOperationName name) {
  OpEntry entry;
  entry.name = name.stripDialect().str();
  unsigned arity = name.hasTrait<OpTrait::OneOperand>()           ? 1
                   : name.hasTrait<OpTrait::NOperands<2>::Impl>() ? 2
                   : name.hasTrait<OpTrait::NOperands<3>::Impl>() ? 3
                                                                  : 0;
  if (arity == 0 || !name.hasTrait<OpTrait::Elementwise>()) {
    others.push_back(entry.name);
    return;
  }
  bool sameType = name.hasTrait<OpTrait::SameOperandsAndResultType>();
  std::vector<AttributeChoice> attributes = findAttributes(name, arity);
  for (ElementType type : types) {
    // Operands of one type, the first of them possibly a condition.
    std::vector<std::vector<ElementType>> patterns = {
        std::vector<ElementType>(arity, type)};
    if (arity > 1 && type != ElementType::I1 && !sameType) {
      patterns.push_back(patterns.front());
      patterns.back().front() = ElementType::I1;
    }
    for (const std::vector<ElementType> &operands : patterns)
      for (ElementType result : types)
        if (!sameType || result == type)
          addSignature(entry, {name, operands, result, {}, false}, attributes);
  }
  if (entry.byType.empty())
    others.push_back(entry.name);
  else
    ops.push_back(std::move(entry));
}

/// For each attribute of an op the candidates of its kind; one of another kind
/// is dropped without a word.
std::vector<OpTable::AttributeChoice>
OpTable::findAttributes(RegisteredOperationName name, unsigned arity) const {
  std::vector<AttributeChoice> choices;
  OpBuilder builder(context);
  Block block;
  Type type = getIRType(ElementType::F32);
  for (unsigned i = 0; i < arity; ++i)
    block.addArgument(type, builder.getUnknownLoc());
  builder.setInsertionPointToEnd(&block);
  for (StringAttr attribute : name.getAttributeNames()) {
    choices.push_back({attribute, {Attribute()}});
    for (Attribute value : candidates) {
      OperationState state(builder.getUnknownLoc(), name, block.getArguments(),
                           {type}, {{attribute, value}});
      Operation *op = builder.create(state);
      if (op->getInherentAttr(attribute) == value)
        choices.back().second.push_back(value);
      op->erase();
    }
  }
  return choices;
}

void OpTable::addSignature(OpEntry &entry, Signature signature,
                           ArrayRef<AttributeChoice> attributes) {
  // Each attribute in turn takes every value, or none.
  if (!attributes.empty()) {
    for (Attribute value : attributes.front().second) {
      Signature next = signature;
      if (value)
        next.attributes.append(attributes.front().first, value);
      addSignature(entry, std::move(next), attributes.drop_front());
    }
    return;
  }
  if (!isValid(signature))
    return;
  unsigned index = signatures.size();
  ElementType type = signature.operands.back();
  entry.byType[type].push_back(index);
  // The other way from complex numbers to their parts, and back.
  if (entry.name == CastOp::getOperationName().drop_front(3) ||
      (runtime::isComplex(type) != runtime::isComplex(signature.result) &&
       llvm::all_equal(signature.operands)))
    conversions[{type, signature.result}].push_back(index);
  signatures.push_back(std::move(signature));
  opOf.push_back(ops.size());
}

bool OpTable::isValid(Signature &signature) const {
  OpBuilder builder(context);
  Block block;
  for (ElementType type : signature.operands)
    block.addArgument(getIRType(type), builder.getUnknownLoc());
  builder.setInsertionPointToEnd(&block);
  OperationState state(builder.getUnknownLoc(), signature.name,
                       block.getArguments(), {getIRType(signature.result)},
                       signature.attributes.getAttrs());
  Operation *op = builder.create(state);
  if (failed(op->getName().verifyInvariants(op)))
    return false;
  signature.fromLibrary = isFromLibrary(op, signature.operands.back());
  return true;
}

const std::vector<unsigned> &OpTable::getConversions(ElementType from,
                                                     ElementType to) const {
  static const std::vector<unsigned> none;
  auto found = conversions.find({from, to});
  return found == conversions.end() ? none : found->second;
}

unsigned OpTable::getPlain(unsigned index) const {
  const Signature &signature = signatures[index];
  for (unsigned other : ops[opOf[index]].byType.at(signature.operands.back())) {
    const Signature &candidate = signatures[other];
    if (candidate.operands == signature.operands &&
        candidate.result == signature.result)
      return other; // absent values come first
  }
  return index;
}
