//===- Programs.h - Runs ew text in the oracle ------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_REFERENCE_PROGRAMS_H
#define EW_TEST_UNIT_REFERENCE_PROGRAMS_H

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Reference/Reference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include <cstring>
#include <gtest/gtest.h>

namespace ew::reference::test {

using runtime::ElementType;

template <typename T>
Tensor makeTensor(ElementType type, const std::vector<T> &elements,
                  std::vector<int64_t> shape = {-1}) {
  if (shape.size() == 1 && shape[0] == -1)
    shape = {static_cast<int64_t>(elements.size())};
  std::string data(elements.size() * sizeof(T), '\0');
  memcpy(data.data(), elements.data(), data.size());
  return {type, shape, data};
}

inline Tensor f32(const std::vector<float> &elements) {
  return makeTensor(ElementType::F32, elements);
}
inline Tensor f64(const std::vector<double> &elements) {
  return makeTensor(ElementType::F64, elements);
}
/// 16-bit elements by their bits.
inline Tensor bits16(ElementType type, const std::vector<uint16_t> &elements) {
  return makeTensor(type, elements);
}
inline Tensor bits8(ElementType type, const std::vector<uint8_t> &elements) {
  return makeTensor(type, elements);
}

template <typename T>
std::vector<T> elementsOf(const Tensor &tensor) {
  std::vector<T> result(tensor.data.size() / sizeof(T));
  memcpy(result.data(), tensor.data.data(), tensor.data.size());
  return result;
}

/// A module, parsed from text.
class Programs {
public:
  explicit Programs(const std::string &text) {
    context.loadDialect<EwDialect, mlir::func::FuncDialect,
                        mlir::arith::ArithDialect, mlir::linalg::LinalgDialect,
                        mlir::tensor::TensorDialect>();
    module =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context, "test.mlir");
    EXPECT_TRUE(module) << text;
  }

  mlir::func::FuncOp function(llvm::StringRef name = "f") {
    return module->lookupSymbol<mlir::func::FuncOp>(name);
  }

  std::vector<Tensor> evaluate(const std::vector<Tensor> &inputs,
                               const Options &options = {}) {
    auto results = reference::evaluate(function(), views(inputs), options);
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return std::vector<Tensor>(function().getNumResults());
    }
    return *results;
  }

  std::vector<ResultReport> check(const std::vector<Tensor> &inputs,
                                  const std::vector<Tensor> &outputs,
                                  const Options &options = {}) {
    auto reports =
        reference::check(function(), views(inputs), views(outputs), options);
    if (!reports) {
      ADD_FAILURE() << llvm::toString(reports.takeError());
      return std::vector<ResultReport>(outputs.size());
    }
    return *reports;
  }

  /// The message of an error that must come.
  std::string fail(const std::vector<Tensor> &inputs) {
    auto results = reference::inferResults(function(), views(inputs));
    return results ? "no error" : llvm::toString(results.takeError());
  }

  static std::vector<TensorView> views(const std::vector<Tensor> &tensors) {
    std::vector<TensorView> result;
    for (const Tensor &tensor : tensors)
      result.push_back(tensor.view());
    return result;
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// A function @f of `inputs` operands, all `tensor<?xtype>`, and of one op:
/// `op` is what stands after "ew.", with %0, %1 ... as the operands.
inline std::string oneOp(const std::string &op, const std::string &type,
                         unsigned inputs = 1, const std::string &result = "") {
  std::string tensor = "tensor<?x" + type + ">", args;
  for (unsigned i = 0; i < inputs; ++i)
    args += (i ? ", %" : "%") + std::string(1, 'a' + i) + ": " + tensor;
  std::string to = result.empty() ? tensor : "tensor<?x" + result + ">";
  return "func.func @f(" + args + ") -> " + to + " {\n  %r = ew." + op + " : " +
         tensor +
         (op.find("cast") == 0 || op.find("bitcast") == 0 ? " to " + to : "") +
         "\n  return %r : " + to + "\n}";
}

/// The op `mnemonic %a, %b, ...`.
inline std::string plainOp(const std::string &mnemonic, const std::string &type,
                           unsigned inputs = 1,
                           const std::string &result = "") {
  std::string op = mnemonic;
  for (unsigned i = 0; i < inputs; ++i)
    op += (i ? ", %" : " %") + std::string(1, 'a' + i);
  return oneOp(op, type, inputs, result);
}

/// The next number of its type up (steps > 0) or down, by its bits.
inline float step(float x, int steps) {
  for (; steps > 0; --steps)
    x = std::nextafter(x, INFINITY);
  for (; steps < 0; ++steps)
    x = std::nextafter(x, -INFINITY);
  return x;
}

} // namespace ew::reference::test

#endif // EW_TEST_UNIT_REFERENCE_PROGRAMS_H
