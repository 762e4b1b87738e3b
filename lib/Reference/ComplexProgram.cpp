//===- ComplexProgram.cpp - Complex numbers in programs -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComplexFunctions.h"
#include "ProgramBuilder.h"

#include "ew/Dialect/Ew/IR/ErrorBound.h"

using namespace mlir;
using namespace ew;
using namespace ew::reference;
using ew::runtime::ElementType;
using llvm::Error;
using llvm::Expected;

TensorView ew::reference::getPartView(const TensorView &view, unsigned part) {
  if (!isComplex(view.type))
    return view;
  TensorView result = view;
  result.type = getPartType(view.type);
  if (result.strides.empty())
    result.strides = getRowMajorStrides(view.shape);
  for (int64_t &stride : result.strides)
    stride *= 2;
  result.data =
      static_cast<const char *>(view.data) + part * getByteWidth(result.type);
  return result;
}

/// An op with complex numbers among its operands or as its result.
Error ProgramBuilder::addComplex(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (op->getNumResults() != 1 || !getComplexCompute(op, 0).compute)
    return makeError(op->getLoc(), "the reference cannot interpret '" + name +
                                       "' of complex numbers");
  if (Error error = checkShapes(op))
    return error;
  Expected<Nodes> added =
      add(op->getResult(0), Node::Kind::Compute, node(op->getOperand(0)).shape);
  if (!added)
    return added.takeError();
  for (Node *part : *added) {
    ComplexCompute how = getComplexCompute(op, part->part);
    for (OpOperand &operand : op->getOpOperands())
      for (unsigned i = 0, e = isComplex(operand.get().getType()) ? 2 : 1;
           i < e; ++i)
        if (how.takes(operand.getOperandNumber(), i, part->part))
          addOperand(*part, operand.get(), i);
    part->compute = how.compute;
    part->function = how.function;
    setArithmetic(*part, op);
    part->losesZeroSign =
        isa<MulOp, SquareOp>(op) && part->type == ElementType::F64;
    if (isBoundOfModulus(op))
      part->otherPart = getComplexFunction(name, 1 - part->part);
  }
  return Error::success();
}
