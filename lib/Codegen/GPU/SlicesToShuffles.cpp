//===- SlicesToShuffles.cpp - Parts of vectors as LLVM takes them ---------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Passes.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ew {
#define GEN_PASS_DEF_EWSLICESTOSHUFFLES
#include "ew/Codegen/Passes.h.inc"
} // namespace ew

using namespace mlir;

namespace {
struct SlicesToShuffles : ew::impl::EwSlicesToShufflesBase<SlicesToShuffles> {
  using EwSlicesToShufflesBase::EwSlicesToShufflesBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet found(context);
    vector::populateVectorInsertExtractStridedSliceTransforms(found);
    patterns = std::move(found);
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), patterns);
  }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace
