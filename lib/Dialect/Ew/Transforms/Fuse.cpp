#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ew {
#define GEN_PASS_DEF_EWFUSE
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

namespace {
struct Fuse : ew::impl::EwFuseBase<Fuse> {
  using EwFuseBase::EwFuseBase;
  void runOnOperation() override {}
};
} // namespace
