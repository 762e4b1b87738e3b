//===- TestContext.h - A context that knows every dialect -------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_TESTCONTEXT_H
#define EW_TEST_UNIT_TESTCONTEXT_H

#include "ew/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace ew::test {

/// Has the dialects of registerAllDialects, and no threads.
class TestContext : public mlir::MLIRContext {
public:
  TestContext() : MLIRContext(Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    appendDialectRegistry(registry);
  }
};

} // namespace ew::test

#endif // EW_TEST_UNIT_TESTCONTEXT_H
