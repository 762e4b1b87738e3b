//===- DependentLaunch.cpp - Kernels that begin early ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"

namespace ew {
#define GEN_PASS_DEF_EWDEPENDENTLAUNCH
#include "ew/Codegen/Passes.h.inc"
} // namespace ew

using namespace mlir;

/// A block that tells costs the GPU 1.2 ns: H200, copy of 2^26 f32 in us with
/// and without, 128 threads 158.9, 127.6, 256 threads 127.7, 127.1. Smaller
/// blocks let the next kernel begin where they end, as all kernels do.
static constexpr int64_t minTellingThreads = 256;

/// Whether a store may be to memory that other kernels see.
static bool isGlobalStore(Operation *op) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  if (!store)
    return false;
  unsigned space =
      cast<LLVM::LLVMPointerType>(store.getAddr().getType()).getAddressSpace();
  return space != static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
}

/// Whether this pass has been here.
static bool waits(LLVM::LLVMFuncOp kernel) {
  auto first = dyn_cast<NVVM::GriddepcontrolOp>(kernel.front().front());
  return first && first.getKind() == NVVM::GridDepActionKind::wait;
}

static void wait(LLVM::LLVMFuncOp kernel) {
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  NVVM::GriddepcontrolOp::create(b, kernel.getLoc(),
                                 NVVM::GridDepActionKind::wait);
  // What is read through a pointer that nothing else is written through counts
  // as unchanged since the launch: LLVM loads it past the caches' coherence
  // (ld.global.nc), and LLVM and ptxas may do so before the wait.
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    kernel.removeArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName());
}

/// Where all paths to a store still are one, before the first store if it is on
/// that path, too. The loads are behind a thread by then, so that what the next
/// kernel's blocks take of a multiprocessor costs nothing.
static void trigger(LLVM::LLVMFuncOp kernel) {
  DominanceInfo dominance(kernel);
  Block *common = nullptr;
  Operation *store = nullptr;
  kernel.walk([&](Operation *op) {
    if (!isGlobalStore(op))
      return;
    Block *block = op->getBlock();
    Block *above =
        common ? dominance.findNearestCommonDominator(common, block) : block;
    // Ops are visited in order: the first one of a block comes first.
    if (above == block && above != common)
      store = op;
    else if (above != common)
      store = nullptr;
    common = above;
  });
  if (!common)
    return; // without results
  OpBuilder b(store ? store : common->getTerminator());
  NVVM::GriddepcontrolOp::create(b, kernel.getLoc(),
                                 NVVM::GridDepActionKind::launch_dependents);
}

namespace {
struct DependentLaunch : ew::impl::EwDependentLaunchBase<DependentLaunch> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal() ||
          !function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
          waits(function))
        continue;
      auto block = function->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getMaxntidAttrName());
      if (block && !block.empty() && block[0] >= minTellingThreads)
        trigger(function);
      wait(function);
      ++numKernels;
    }
  }
};
} // namespace
