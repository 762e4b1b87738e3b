//===- RaisingTest.h - Evaluates raised programs ----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_CONVERSION_RAISINGTEST_H
#define EW_TEST_UNIT_CONVERSION_RAISINGTEST_H

#include "ew/Conversion/Passes.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Reference/Reference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

namespace ew::test {

using Values = std::vector<std::string>;

class RaisingTest : public ::testing::Test {
protected:
  RaisingTest() {
    context.loadDialect<EwDialect, mlir::func::FuncDialect,
                        mlir::arith::ArithDialect, mlir::linalg::LinalgDialect,
                        mlir::math::MathDialect, mlir::scf::SCFDialect,
                        mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  }

  /// The program of a text after some passes.
  template <typename... Passes>
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text,
                                          Passes... passes) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    mlir::PassManager manager(&context);
    (manager.addNestedPass<mlir::func::FuncOp>(std::move(passes)), ...);
    EXPECT_TRUE(module && succeeded(manager.run(*module))) << text;
    return module;
  }

  static mlir::func::FuncOp getFunction(mlir::ModuleOp module) {
    return module.lookupSymbol<mlir::func::FuncOp>("f");
  }

  /// What the program computes when some passes, and then raising, have run.
  template <typename... Passes>
  std::vector<reference::Tensor>
  raise(const std::string &text,
        const std::vector<reference::Tensor> &inputs = {}, Passes... passes) {
    auto module = parse(text, std::move(passes)..., createEwRaise());
    std::vector<reference::TensorView> views;
    for (const reference::Tensor &input : inputs)
      views.push_back(input.view());
    auto results = reference::evaluate(getFunction(*module), views);
    if (!results) {
      ADD_FAILURE() << text << llvm::toString(results.takeError());
      return {};
    }
    return *results;
  }

  mlir::MLIRContext context;
};

/// A constant tensor's text.
inline std::string dense(const Values &values, const std::string &element) {
  return "dense<[" + llvm::join(values, ", ") + "]> : tensor<" +
         std::to_string(values.size()) + "x" + element + ">";
}

/// Integers at and around the ends of a type, and a few others.
Values integers(const std::string &element);

/// Zeros, subnormals, halves, large numbers, infinities and a NaN, as bits.
Values floats(const std::string &element);

/// Every pair of values for which `accept` holds.
std::pair<Values, Values> pairs(
    const Values &values,
    llvm::function_ref<bool(llvm::StringRef, llvm::StringRef)> accept =
        [](llvm::StringRef, llvm::StringRef) { return true; });

/// The elements of a constant as they are in memory; every NaN is the same.
std::string toBytes(mlir::DenseElementsAttr elements);

/// The oracle's result in the same form.
std::string toBytes(const reference::Tensor &tensor, mlir::Type element);

} // namespace ew::test

#endif // EW_TEST_UNIT_CONVERSION_RAISINGTEST_H
