//===- passes.cpp - A compiler that takes some of EW's passes -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops made by builders, and passes that load the dialects they need. No more of
// EW than that is linked.
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "ew/Dialect/Ew/IR/Ew.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

int main() {
  MLIRContext context;
  context.loadDialect<ew::EwDialect, func::FuncDialect>();
  OpBuilder b(&context);
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, loc);
  b.setInsertionPointToStart(module->getBody());
  auto type = RankedTensorType::get({ShapedType::kDynamic}, b.getF32Type());
  auto function = func::FuncOp::create(b, loc, "f",
                                       b.getFunctionType({type, type}, {type}));
  b.setInsertionPointToStart(function.addEntryBlock());
  Value x = function.getArgument(0), y = function.getArgument(1);
  Value two = ew::ConstantOp::create(b, loc, b.getF32FloatAttr(2));
  Value twos = ew::BroadcastOp::create(b, loc, type, two, x);
  Value sum = ew::AddOp::create(b, loc, x, y);
  Value isLess = ew::CmpOp::create(b, loc, ew::CmpPredicate::olt, sum, twos);
  Value gelu = ew::GeluOp::create(b, loc, sum);
  func::ReturnOp::create(
      b, loc, ValueRange{ew::SelectOp::create(b, loc, isLess, gelu, twos)});

  PassManager manager(&context);
  manager.addNestedPass<func::FuncOp>(ew::createEwFuse());
  manager.addNestedPass<func::FuncOp>(ew::createEwAssertShapes());
  if (failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
