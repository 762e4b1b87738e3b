//===- CallSites.cpp - Locations of calls outside of functions ------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace ew {
#define GEN_PASS_DEF_EWCALLSITES
#include "ew/Codegen/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

namespace {
struct CallSites : ew::impl::EwCallSitesBase<CallSites> {
  void runOnOperation() override {
    // Without metadata, a fused location of one is that one.
    auto metadata = StringAttr::get(&getContext(), "call");
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<LLVM::LLVMFuncOp>(op))
        return WalkResult::skip();
      if (isa<CallSiteLoc>(op->getLoc()))
        op->setLoc(FusedLoc::get({op->getLoc()}, metadata, &getContext()));
      return WalkResult::advance();
    });
  }
};
} // namespace
