//===- Interval.h - What is known of a value's size -------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implementations leave out what cannot happen: a clamped value needs no
// saturation, the sine of a logarithm no reduction of large angles. Nothing
// else may follow from a range: what is left computes the same bits, so that no
// result depends on which ops share a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_INTERVAL_H
#define EW_LIB_MATH_INTERVAL_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <limits>

namespace ew::math {

/// Of a floating-point value: every element is a number from `low` to `high`,
/// or what the flags allow besides.
struct Interval {
  double low = std::numeric_limits<double>::lowest();
  double high = std::numeric_limits<double>::max();
  bool plusInfinity = true, minusInfinity = true, nan = true;

  /// Of the numbers; nothing is said of infinities.
  bool isWithin(double least, double greatest) const {
    return low >= least && high <= greatest;
  }
  bool isFinite() const { return !plusInfinity && !minusInfinity; }
};

/// Ranges of the results of ew ops, as far as their operands' are known.
class Intervals {
public:
  /// Ops are to be visited in their order.
  void visit(mlir::Operation *op);
  /// Everything, where nothing is known.
  Interval get(mlir::Value value) const { return ranges.lookup(value); }

private:
  Interval compute(mlir::Operation *op) const;

  llvm::DenseMap<mlir::Value, Interval> ranges;
};

} // namespace ew::math

#endif // EW_LIB_MATH_INTERVAL_H
