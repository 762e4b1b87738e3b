//===- Functions.h - The ops that compute floating point --------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_FUNCTIONS_H
#define EW_LIB_REFERENCE_FUNCTIONS_H

#include "Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ew::reference {

/// What an op's attributes and type add to its operands.
struct Parameters {
  Real alpha;
  GeluApproximation approximation = GeluApproximation::none;
  /// The format of the op's type, which `next_after` walks.
  const Format *format = nullptr;
};

/// A function's true value for operands that are numbers, infinities or NaN,
/// zeros with their signs; rounded to odd or far more precise than any format.
using PointFunction = Real (*)(llvm::ArrayRef<const Real *>,
                               const Parameters &);
/// All values for operands anywhere in their ranges, where they are no point;
/// may set `undecided`.
using RangeFunction = Range (*)(llvm::ArrayRef<const Range *>,
                                const Parameters &, bool &undecided);

struct Function {
  PointFunction point = nullptr;
  /// Operands at which the function turns, jumps, has a pole or leaves its
  /// domain. Between them it rises or falls in each operand.
  llvm::SmallVector<double, 4> turns;
  /// Has jumps that are no poles: a range of results leaves undecided.
  bool jumps = false;
  /// Is exact where the true result is in the format.
  bool exactHits = false;
  /// Looks at the format of its operands, which are rounded to their type
  /// first.
  bool looksAtFormat = false;
  RangeFunction range = nullptr;
};

/// The function of an op, or null if it isn't one of floating point.
const Function *getFunction(llvm::StringRef opName);

/// All values that `function` has for operands in these ranges.
Range applyToRanges(const Function &function,
                    llvm::ArrayRef<const Range *> operands,
                    const Parameters &parameters, bool &undecided);

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_FUNCTIONS_H
