//===- Passes.td - From ew ops to arithmetic ---------------*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_MATH_PASSES_TD
#define EW_MATH_PASSES_TD

include "mlir/Pass/PassBase.td"

def EwLowerMath : Pass<"ew-lower-math"> {
  let summary = "Lower ew ops on scalars and vectors to a target's arithmetic";
  let description = [{
    Replaces every ew op on scalars and vectors by arith ops, LLVM intrinsics, NVVM ops and calls: for each
    op the cheapest implementation on the target that keeps its bound (`lib/Math`, whose tables say bound and
    cost). `uiN` becomes `iN` and an 8-bit float `i8`, in vectors and block arguments too, and the
    unrealized casts between them go away. Functions that compute on tensors are the host's and are left alone, as are those that
    are only declared: where one is called, and where memory or a value that is a function is of such a type,
    unrealized casts convert.

    A result whose every use is a cast to f16 or bf16 may be off by 1 in the last place of that type once
    it is rounded. There, except in strict mode, cheaper implementations are taken, on a GPU those
    that use its approximations.

    No `math` op comes out: its folders call the libm of the machine that compiles. With
    target=nvptx, functions that come from libdevice are declared in the module and linked when it is
    serialized; with target=cpu, functions of libm are called.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"", "cpu or nvptx">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"", "The GPU with target=nvptx: sm_80 or later">,
    Option<"mode", "mode", "std::string", /*default=*/"\"default\"",
           "default, strict or fast: the mode of ops that have none of their own">,
    Option<"library", "library", "bool", /*default=*/"false",
           "Functions in f32 from libdevice, with target=nvptx: to compare with">,
    Option<"device", "device", "std::string", /*default=*/"",
           "What errors call the target, where it stands for another one">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [Statistic<"numLowered", "num-lowered", "Ops lowered">];
}

#endif // EW_MATH_PASSES_TD
