//===- Sweep.h - A function over all its inputs -----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_ACCURACY_SWEEP_H
#define EW_TOOLS_ACCURACY_SWEEP_H

#include "Runner.h"

namespace ew::accuracy {

struct Request {
  Element type = Element::F32;
  /// Every step-th bit pattern, from 0.
  uint64_t step = 1;
  /// Of functions of two arguments.
  uint64_t pairs = 1000000000;
  /// Results are not judged.
  bool hashOnly = false;
};

struct Outcome {
  Tally tally;
  uint64_t inputs = 0;
  /// The operands of the worst result and of the first wrong one.
  std::string worstAt, firstWrongAt;
  /// The largest distance between f64's functions and the oracle, of 4096
  /// inputs, in units of the type.
  double truthError = 0;
};

uint64_t countInputs(const Function &function, const Request &request);

/// Runs a function at every place and judges all by the same true values. The
/// largest error is that by the oracle.
llvm::Expected<std::vector<Outcome>> sweep(mlir::MLIRContext &context,
                                           const Function &function,
                                           const Request &request,
                                           llvm::ArrayRef<Place> places);

} // namespace ew::accuracy

#endif // EW_TOOLS_ACCURACY_SWEEP_H
