#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ew {
#define GEN_PASS_DEF_EWWIDEN
#include "ew/Dialect/Ew/Transforms/Passes.h.inc"
} // namespace ew

namespace {
struct Widen : ew::impl::EwWidenBase<Widen> {
  using EwWidenBase::EwWidenBase;
  void runOnOperation() override {}
};
} // namespace
