//===- ComplexFunctions.h - The ops on complex numbers ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A complex value is two values here, and an op on complex numbers two
// functions of the parts of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_COMPLEXFUNCTIONS_H
#define EW_LIB_REFERENCE_COMPLEXFUNCTIONS_H

#include "Functions.h"

namespace ew::reference {

/// The function of all parts of an op's operands, in order, that gives the real
/// (0) or the imaginary part of its result; null if the op has none, or if each
/// part of its result is a function of the same parts of its operands.
const Function *getComplexFunction(llvm::StringRef opName, unsigned part);

/// What an op whose bound is one of the modulus may give for a part whose true
/// results are in `truth`: they are off by `bound` units of the larger part,
/// the other one being anywhere in `other`. The error of `ew.pow` grows with
/// the logarithm of its result, which comes from its `operands`.
Range widenByModulus(const Range &truth, const Range &other, double bound,
                     bool isPow, llvm::ArrayRef<const Scalar *> operands,
                     const Format &format);

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_COMPLEXFUNCTIONS_H
