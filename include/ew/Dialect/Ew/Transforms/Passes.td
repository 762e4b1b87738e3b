//===- Passes.td - Passes from ew to ew --------------------*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_TRANSFORMS_PASSES_TD
#define EW_DIALECT_EW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def EwContract : Pass<"ew-contract"> {
  let summary = "Contract multiplication and addition to ew.fma";
  let description = [{
    Rewrites `x * y + z`, where the product has no other use, to `ew.fma`, which rounds once. It
    changes results, so the strict mode leaves it out; LLVM and ptxas never contract
    behind its back.
  }];
  let statistics = [Statistic<"numContracted", "num-contracted", "Additions and subtractions contracted">];
}

def EwWiden : Pass<"ew-widen"> {
  let summary = "Compute floating point narrower than f32 in f32";
  let description = [{
    After it, no arithmetic is done in a floating-point type narrower than f32: only conversions
    and ops that move or look at bits touch such a type. Values are rounded to their type where they leave the
    function's ew ops (a store), at explicit casts, and where an op looks at the value's
    format (`cmp`, `bitcast`, `floor` and the other roundings, `next_after`, tests, casts). It runs before fusion, so
    results do not depend on how ops are grouped into kernels.

    With `mode=strict`, every op's result is rounded at once.
  }];
  let options = [Option<"mode", "mode", "std::string", /*default=*/"\"default\"",
                        "default: round at stores and casts; strict: round after every op">];
  let statistics = [Statistic<"numWidened", "num-widened", "Ops computed in a wider type">];
}

def EwFuse : Pass<"ew-fuse"> {
  let summary = "Group ew ops into kernels, each a linalg.generic";
  let description = [{
    Groups the ew ops on tensors of a function and builds one `linalg.generic` for each group:
    several results, broadcasts and transposes as indexing maps, ew ops on scalars as its body. A
    value with several users is computed once. Every result has the full iteration shape. Where the cost model
    (`FusionCost.h`) says so, a group is split. A small value that is read through a view is computed again if
    that is cheap, else stored by a kernel of its own. Kernels that read one tensor with the same loops
    become one. A `linalg.generic` whose body is ew ops takes part like an op. Work is linear in the number of ops.

    Dynamic sizes that must agree and are not known to are compared by `ew.check_shapes`, each pair once. A
    dynamic size may be stretched where it turns out to be 1: in the map it keeps its loop, so passes that
    take operands of a `linalg.generic` to have exactly the sizes of the loops (as its own
    canonicalization does) must not run between this pass and `ew-to-gpu` or `ew-to-cpu`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [Option<"remarks", "remarks", "bool", /*default=*/"false",
                        "say with a remark why an op is not in the kernel of its operands">];
  let statistics = [Statistic<"numKernels", "num-kernels", "Kernels built">,
                    Statistic<"numFused", "num-fused", "Ops that went into kernels">,
                    Statistic<"numSplits", "num-splits", "Groups split by the cost model">];
}

#endif // EW_DIALECT_EW_TRANSFORMS_PASSES_TD
