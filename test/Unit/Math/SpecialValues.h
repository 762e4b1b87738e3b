//===- SpecialValues.h - Values that tell implementations apart -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_MATH_SPECIALVALUES_H
#define EW_TEST_UNIT_MATH_SPECIALVALUES_H

#include "OpSpecs.h"
#include "ew/Reference/Reference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <random>

namespace ew::test {

/// Bits of the type's special values, then `random` random ones. All values of
/// a type of 8 bits.
std::vector<uint64_t> getValues(runtime::ElementType type, size_t random,
                                std::mt19937_64 &rng);

/// One result, any NaN for any other.
bool isSame(mlir::Type type, uint64_t a, uint64_t b);

using Columns = std::vector<std::vector<uint64_t>>;

/// Values of each operand: all with all, or `most` of these pairs.
Columns makeColumns(llvm::ArrayRef<mlir::Type> types, size_t most);

reference::Tensor makeTensor(runtime::ElementType type,
                             llvm::ArrayRef<uint64_t> bits);

/// A function of the op on tensors of a dynamic size, for the oracle.
mlir::func::FuncOp buildProgram(mlir::OpBuilder &builder, const OpSpec &spec,
                                std::string name);

} // namespace ew::test

#endif // EW_TEST_UNIT_MATH_SPECIALVALUES_H
