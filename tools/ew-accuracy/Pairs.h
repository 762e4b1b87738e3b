//===- Pairs.h - Operands of functions of two arguments ---------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_ACCURACY_PAIRS_H
#define EW_TOOLS_ACCURACY_PAIRS_H

#include "Truth.h"

#include <utility>

namespace ew::accuracy {

/// The pair of f32 with this number: the same for every order and machine.
std::pair<float, float> getPair(PairsOf kind, uint64_t index);

} // namespace ew::accuracy

#endif // EW_TOOLS_ACCURACY_PAIRS_H
