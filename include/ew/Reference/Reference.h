//===- Reference.h - What a program's results must be -----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets the ew ops of a function as it was written, before any pass: exact
// integers, and for floating point every value that the ops' bounds and the
// mode's rounding allow. See docs/Accuracy.md.
//
//===----------------------------------------------------------------------===//

#ifndef EW_REFERENCE_REFERENCE_H
#define EW_REFERENCE_REFERENCE_H

#include "ew/Runtime/ElementType.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ew::reference {

/// Where values are rounded, and how far functions may be off.
enum class Mode : uint8_t { Default, Strict, Fast };

/// Elements in memory. A scalar argument is a tensor of rank 0.
struct TensorView {
  runtime::ElementType type = runtime::ElementType::F32;
  std::vector<int64_t> shape;
  /// In elements; empty for row-major.
  std::vector<int64_t> strides;
  const void *data = nullptr;
};

struct Options {
  Mode mode = Mode::Default;
  /// Whether x * y + z may have been rounded once. Both outcomes are allowed
  /// then. Without effect in strict mode.
  bool contracted = true;
  /// Results with more elements than this are judged on a sample of as many:
  /// the edges (first and last `limit / 8` elements) and random ones.
  int64_t limit = 1 << 20;
  uint64_t seed = 0;
  /// 0 for as many as the machine has cores. Reports do not depend on it.
  unsigned threads = 0;
};

/// One element of a result beside what was expected of it.
struct Element {
  std::vector<int64_t> index;
  std::string actual;
  /// "[lo, hi]", "NaN", or a number where only one is right.
  std::string expected;
  double ulp = 0;
  /// What is wrong, where units in the last place do not say it: "the wrong
  /// sign of zero"; else empty.
  std::string fault;
};

struct ResultReport {
  int64_t total = 0;   // elements of the result
  int64_t checked = 0; // of which this many were looked at
  int64_t wrong = 0;   // outside what is allowed
  /// Of the wrong ones those whose distance says nothing: NaN, signs of zero,
  /// integers.
  int64_t unmeasured = 0;
  int64_t undecided = 0; // allowed, but only because a jump was straddled
  bool sampled = false;
  /// The largest distance to the nominal value (each op's true result for
  /// operands that were rounded correctly), in units in the last place of it.
  double maxUlp = 0;
  Element worst;      // where maxUlp was found; no index if nowhere
  Element firstWrong; // no index if nothing is wrong
};

/// "2 wrong of 4 of 4 elements, largest error 3.000 ulp", and the first one.
std::string describe(const ResultReport &report);

/// Judges `outputs`, the results of `func` for `inputs`, element by element:
/// one report for each result. An error where they do not fit the function, or
/// where it holds an op that cannot be interpreted.
llvm::Expected<std::vector<ResultReport>>
check(mlir::func::FuncOp func, llvm::ArrayRef<TensorView> inputs,
      llvm::ArrayRef<TensorView> outputs, const Options &options = {});

/// Elements, row-major and owned.
struct Tensor {
  runtime::ElementType type = runtime::ElementType::F32;
  std::vector<int64_t> shape;
  std::string data;

  TensorView view() const { return {type, shape, {}, data.data()}; }
};

/// The nominal results: every op rounded correctly. Errors as for check().
llvm::Expected<std::vector<Tensor>> evaluate(mlir::func::FuncOp func,
                                             llvm::ArrayRef<TensorView> inputs,
                                             const Options &options = {});

/// Element types and shapes of the results for inputs of these types and
/// shapes (their data is not looked at). The data of the result is empty.
llvm::Expected<std::vector<Tensor>>
inferResults(mlir::func::FuncOp func, llvm::ArrayRef<TensorView> inputs);

/// Whether an op of this name can be interpreted.
bool hasEvaluator(llvm::StringRef opName);

} // namespace ew::reference

#endif // EW_REFERENCE_REFERENCE_H
