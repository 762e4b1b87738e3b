//===- ScalarResults.cpp - Numbers as tensors of rank 0 -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace ew {
#define GEN_PASS_DEF_EWSCALARRESULTS
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

/// Whether ew ops take values of this type.
static bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    return width == 1 ? integer.isSignless()
                      : !integer.isSigned() && width >= 8 && width <= 64 &&
                            llvm::isPowerOf2_32(width);
  }
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type,
             Float8E4M3FNType, Float8E5M2Type>(type);
}

namespace {

/// The numbers of one function on tensors of rank 0.
class Tensors {
public:
  explicit Tensors(Block &block) : block(block) {}

  /// Computes a number again, on tensors, with everything that it comes from.
  Value get(Value number);

private:
  bool isComputed(Value number) {
    Operation *op = number.getDefiningOp();
    return op && op->getBlock() == &block && op->getNumResults() == 1 &&
           op->hasTrait<OpTrait::Elementwise>() &&
           isa<EwDialect>(op->getDialect());
  }

  Block &block;
  IRMapping tensors;
};

} // namespace

Value Tensors::get(Value number) {
  // Depth first, without recursion: a chain may be as long as the program.
  SmallVector<Value> stack = {number};
  while (!stack.empty()) {
    Value value = stack.back();
    if (tensors.contains(value)) {
      stack.pop_back();
      continue;
    }
    auto type = RankedTensorType::get({}, value.getType());
    if (!isComputed(value)) {
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfterValue(value);
      tensors.map(value, BroadcastOp::create(builder, value.getLoc(), type,
                                             value, /*like=*/Value())
                             .getResult());
      continue;
    }
    Operation *op = value.getDefiningOp();
    size_t before = stack.size();
    for (Value operand : op->getOperands())
      if (!tensors.contains(operand))
        stack.push_back(operand);
    if (stack.size() != before)
      continue;
    OpBuilder builder(op);
    Operation *clone = builder.clone(*op, tensors);
    clone->getResult(0).setType(type);
    tensors.map(value, clone->getResult(0));
  }
  return tensors.lookup(number);
}

namespace {
struct ScalarResults : ew::impl::EwScalarResultsBase<ScalarResults> {
  using EwScalarResultsBase::EwScalarResultsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && function.getBody().hasOneBlock() &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        run(function);
  }

private:
  void run(func::FuncOp function) {
    Block &block = function.front();
    auto ret = dyn_cast<func::ReturnOp>(block.getTerminator());
    if (!ret)
      return;
    Tensors tensors(block);
    for (OpOperand &operand : ret->getOpOperands())
      // An argument need not be computed.
      if (isElement(operand.get().getType()) &&
          !isa<BlockArgument>(operand.get())) {
        operand.set(tensors.get(operand.get()));
        ++numResults;
      }
    function.setType(FunctionType::get(
        &getContext(), function.getArgumentTypes(), ret.getOperandTypes()));
  }
};
} // namespace
