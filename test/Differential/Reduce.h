//===- Reduce.h - Makes a failing program small -----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_DIFFERENTIAL_REDUCE_H
#define EW_TEST_DIFFERENTIAL_REDUCE_H

#include "Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ew::fuzz {

/// Whether a candidate still fails in the way that is looked for.
using Fails = llvm::function_ref<bool(const Program &)>;

/// Deletes results and ops, replaces values by inputs that hold them, shrinks
/// sizes, simplifies layouts, attributes and elements, as long as the program
/// fails and `candidates` (of programs tried) lasts.
Program reduce(Program program, const OpTable &table,
               mlir::MLIRContext *context, unsigned candidates, Fails fails);

} // namespace ew::fuzz

#endif // EW_TEST_DIFFERENTIAL_REDUCE_H
