//===- Interpreter.h - Evaluates elements of a program ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_INTERPRETER_H
#define EW_LIB_REFERENCE_INTERPRETER_H

#include "Program.h"

namespace ew::reference {

/// Evaluates single elements of the values of a program, and of what they
/// depend on no more than they need.
class Interpreter {
public:
  /// `targets` are the values that are going to be asked for.
  Interpreter(const Program &program, llvm::ArrayRef<unsigned> targets);

  /// Evaluates element `index` (row-major) of every target.
  void evaluate(int64_t index);

  /// Element of a target after `evaluate`, rounded to its type.
  Scalar getResult(unsigned target) const;

private:
  struct Element {
    int64_t index;
    Scalar value;
  };
  /// Elements of one node that the current ones need. They are few: a value is
  /// seen through different views at the same time only by a program that says
  /// so.
  struct Needed {
    llvm::SmallVector<Element, 2> elements;
    bool isKept = false; // over all of the run: there is one element
  };

  const Scalar &lookUp(unsigned node, int64_t index) const;
  void need(unsigned node, int64_t index);
  Scalar compute(const Node &node, int64_t index) const;

  const Program &program;
  llvm::SmallVector<unsigned> targets;
  std::vector<unsigned> order; // of evaluation, without what isn't needed
  std::vector<Needed> needed;  // by node
  int64_t current = 0;
};

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_INTERPRETER_H
