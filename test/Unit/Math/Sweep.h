//===- Sweep.h - How far sweeps over operands go ----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_MATH_SWEEP_H
#define EW_TEST_UNIT_MATH_SWEEP_H

namespace ew::test {

/// Sanitizers look at what code does, which is the same for neighbouring
/// operands, and make it many times as slow; what results are is for the other
/// builds. Under them a sweep takes one of so many operands: an odd number, so
/// that all of an operand's bits still change.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
inline constexpr int kThinning = 17;
#else
inline constexpr int kThinning = 1;
#endif

} // namespace ew::test

#endif // EW_TEST_UNIT_MATH_SWEEP_H
