//===- Bf16ToBits.cpp - bf16 as 16 bits, on the CPU -----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"

namespace ew {
#define GEN_PASS_DEF_EWBF16TOBITS
#include "ew/Codegen/Passes.h.inc"
} // namespace ew

using namespace mlir;

static bool isBF16(Type type) { return getElementTypeOrSelf(type).isBF16(); }

/// Whether an op only moves values, whatever they are.
static bool isMove(Operation *op) {
  return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::InsertElementOp,
             LLVM::ExtractElementOp, LLVM::InsertValueOp, LLVM::ExtractValueOp,
             LLVM::ShuffleVectorOp, LLVM::SelectOp, LLVM::BitcastOp,
             LLVM::ConstantOp, LLVM::ZeroOp, LLVM::UndefOp, LLVM::PoisonOp,
             LLVM::BrOp, LLVM::CondBrOp, LLVM::ReturnOp, LLVM::CallOp>(op);
}

/// bf16 is the upper half of f32.
static void expandExtension(LLVM::FPExtOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto like = [&](unsigned width) -> Type {
    Type integer = b.getIntegerType(width);
    auto vector = dyn_cast<VectorType>(op.getType());
    return vector ? Type(vector.clone(integer)) : integer;
  };
  Value bits = LLVM::BitcastOp::create(b, loc, like(16), op.getArg());
  Value wide = LLVM::ZExtOp::create(b, loc, like(32), bits);
  Attribute sixteen = b.getI32IntegerAttr(16);
  if (auto vector = dyn_cast<VectorType>(like(32)))
    sixteen = DenseElementsAttr::get(vector, APInt(32, 16));
  Value amount = LLVM::ConstantOp::create(b, loc, like(32), sixteen);
  Value upper = LLVM::ShlOp::create(b, loc, wide, amount);
  Value result = LLVM::BitcastOp::create(b, loc, op.getType(), upper);
  op.replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct Bf16ToBits : ew::impl::EwBf16ToBitsBase<Bf16ToBits> {
  void runOnOperation() override;
};
} // namespace

void Bf16ToBits::runOnOperation() {
  WalkResult walked = getOperation()->walk([](Operation *op) {
    bool concerned = llvm::any_of(op->getOperandTypes(), isBF16) ||
                     llvm::any_of(op->getResultTypes(), isBF16);
    if (!concerned || isMove(op))
      return WalkResult::advance();
    auto extension = dyn_cast<LLVM::FPExtOp>(op);
    if (!extension || !getElementTypeOrSelf(op->getResult(0)).isF32()) {
      op->emitError("computes in bf16, which this target cannot");
      return WalkResult::interrupt();
    }
    expandExtension(extension);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return signalPassFailure();

  auto bits = IntegerType::get(&getContext(), 16);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](BFloat16Type) -> Type { return bits; });
  // The elements, too, not only their type.
  replacer.addReplacement(
      [&](FloatAttr attr) -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!attr.getType().isBF16())
          return std::nullopt;
        return std::pair<Attribute, WalkResult>(
            IntegerAttr::get(bits, attr.getValue().bitcastToAPInt()),
            WalkResult::skip());
      });
  replacer.addReplacement(
      [&](DenseElementsAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (!attr.getElementType().isBF16())
          return std::nullopt;
        return std::pair<Attribute, WalkResult>(attr.bitcast(bits),
                                                WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);

  getOperation()->walk([](LLVM::BitcastOp op) {
    if (op.getArg().getType() != op.getType())
      return;
    op.replaceAllUsesWith(op.getArg());
    op.erase();
  });
}
