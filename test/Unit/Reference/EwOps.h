//===- EwOps.h - The ops there are ------------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_REFERENCE_EWOPS_H
#define EW_TEST_UNIT_REFERENCE_EWOPS_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include <gtest/gtest.h>
#include <vector>

namespace ew::test {

/// Every op of the dialect, which has to be loaded. Never none: a test over
/// them would pass whatever it says.
inline std::vector<mlir::RegisteredOperationName>
getEwOps(mlir::MLIRContext &context) {
  std::vector<mlir::RegisteredOperationName> ops;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "ew")
      ops.push_back(name);
  EXPECT_GT(ops.size(), 80u);
  return ops;
}

} // namespace ew::test

#endif // EW_TEST_UNIT_REFERENCE_EWOPS_H
