//===- Passes.td - Passes from ew to ew --------------------*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_TRANSFORMS_PASSES_TD
#define EW_DIALECT_EW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def EwSetModes : Pass<"ew-set-modes"> {
  let summary = "Write the mode of every op on it";
  let description = [{
    The attribute `ew.mode` is `"strict"`, `"default"` or `"fast"`. On an op it is the op's mode, and on a function that of
    its ops that have none; everything else has the program's mode. After this pass an op whose mode is not the
    program's has the attribute, and functions have none, so that a function keeps its mode where it is inlined. Ops of
    `arith`, `math`, `linalg` and TOSA hand it to what they are raised to. Ops on complex numbers have no fast mode: in it,
    their mode is the default one. A mode of another name is an error.
  }];
  let options = [Option<"mode", "mode", "std::string", /*default=*/"\"default\"",
                        "The program's mode: default, strict or fast">];
}

def EwContract : Pass<"ew-contract"> {
  let summary = "Contract multiplication and addition to ew.fma";
  let description = [{
    Rewrites `x * y + z`, where the product has no other use, to `ew.fma`, which rounds once. That
    changes results, so it is not done where the product or the sum is in strict mode. Nothing else contracts: LLVM and
    ptxas are not allowed to.
  }];
  let options = [Option<"mode", "mode", "std::string", /*default=*/"\"default\"",
                        "The mode of ops that have none of their own: default, strict or fast">];
  let statistics = [Statistic<"numContracted", "num-contracted", "Additions and subtractions contracted">];
}

def EwWiden : Pass<"ew-widen"> {
  let summary = "Compute floating point narrower than f32 in f32";
  let description = [{
    After this pass no arithmetic is done in a floating-point type narrower than f32: only conversions
    and ops that move or look at bits touch such a type. Values are rounded to their type where they leave the
    function's ew ops (a store), at explicit casts, and where an op looks at the value's
    format (`cmp`, `bitcast`, `floor` and the other roundings, `next_after`, tests, casts). It runs before fusion, so
    results do not depend on how ops are grouped into kernels.

    The result of an op in strict mode is rounded at once, and such an op sees rounded operands.
  }];
  let options = [Option<"mode", "mode", "std::string", /*default=*/"\"default\"",
                        "The mode of ops that have none of their own: default, strict or fast">];
  let statistics = [Statistic<"numWidened", "num-widened", "Ops computed in a wider type">];
}

def EwDecompose : Pass<"ew-decompose"> {
  let summary = "Replace ops that are made of others";
  let description = [{
    `ew.dropout` becomes `ew.philox`, a comparison, a product and a select. It runs after
    contraction and widening, which see the op as it was written.
  }];
  let statistics = [Statistic<"numDecomposed", "num-decomposed", "Ops replaced">];
}

def EwFuse : Pass<"ew-fuse"> {
  let summary = "Group ew ops into kernels, each a linalg.generic";
  let description = [{
    Groups the ew ops on tensors of a function and builds one `linalg.generic` for each group. It may have several
    results; broadcasts and transposes are its indexing maps, and ew ops on scalars its body.

    - A value with several users is computed once. Every result has the full iteration shape.
    - Where the cost model (`FusionCost.h`) says so, a group is split.
    - A small value that is read through a view is computed again if that is cheap, else stored by a kernel of its own.
    - Kernels that read one tensor with the same loops become one.
    - A `linalg.generic` whose body is ew ops takes part like an op.

    Work is linear in the number of ops.

    Dynamic sizes that must agree and are not known to are compared by `ew.check_shapes`, each pair once. A
    dynamic size that turns out to be 1 may be stretched. In the map it keeps its loop, so passes that
    take operands of a `linalg.generic` to have exactly the sizes of the loops (as its own
    canonicalization does) must not run between this pass and `ew-to-gpu` or `ew-to-cpu`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [Option<"remarks", "remarks", "bool", /*default=*/"false",
                        "Say with a remark why an op is not in the kernel of its operands">];
  let statistics = [Statistic<"numKernels", "num-kernels", "Kernels built">,
                    Statistic<"numFused", "num-fused", "Ops that went into kernels">,
                    Statistic<"numSplits", "num-splits", "Groups split by the cost model">];
}

def EwAssertShapes : Pass<"ew-assert-shapes"> {
  let summary = "Turn ew.check_shapes into cf.assert";
  let description = [{
    This is for kernels that `ew-fuse` has built and that other passes than `ew-to-gpu` and `ew-to-cpu` lower: MLIR's
    bufferization and linalg's loops, say. These passes take every operand to have the sizes of the loops. So a size of 1 that
    meets another one, which EW's kernels would stretch, fails here like any that differs.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"numAsserted", "num-asserted", "Sizes that are compared">];
}

def EwInPlace : Pass<"ew-inplace", "::mlir::func::FuncOp"> {
  let summary = "Write results to the buffers of the arguments that ask for them";
  let description = [{
    Where an argument has `ew.inplace = N`, the kernel that computes result N gets the argument as its `outs`, in place of a
    `tensor.empty`. That is legal where every read of the argument comes before the write. So kernels that read it are
    moved before the one that writes it, which may itself read it element by element only, under the map of the write. Anything else
    is an error at the place that reads.

    A result that no kernel computes for this argument alone (another argument, a
    constant, a result that is returned twice) is copied there by a kernel of its own. Sizes that are
    not known to agree are compared by `ew.check_shapes`.

    It comes after `ew-fuse`; no pass may reorder kernels after it.
  }];
  let dependentDialects = ["::ew::EwDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"numInPlace", "num-inplace", "Results written to the buffer of an argument">,
                    Statistic<"numCopies", "num-copies", "Results copied there">];
}

def EwScalarResults : Pass<"ew-scalar-results", "::mlir::ModuleOp"> {
  let summary = "Return computed numbers as tensors of rank 0";
  let description = [{
    A kernel writes to memory, so a function that returns a number which ew ops compute returns a tensor of rank 0
    instead; the ops that the number comes from are computed on such tensors. That changes the function's type: only
    functions that nothing refers to are changed. It is the first step of a plan, and no part of the named pipelines.
  }];
  let dependentDialects = ["::ew::EwDialect"];
  let statistics = [Statistic<"numResults", "num-results", "Results that became tensors">];
}

def EwSplitComplex : Pass<"ew-split-complex"> {
  let summary = "Compute complex numbers by their parts";
  let description = [{
    In the bodies of `linalg.generic`, rewrites every ew op on complex numbers to ops on real and imaginary parts. What is
    left are `ew.real` and `ew.imag` of the body's arguments and `ew.complex` of its results: there are no vectors of complex
    numbers. It runs after fusion, which sees a complex op as one, and after contraction, so that what the
    parts are computed with stays as it is written.

    Numbers of f32 are computed in f64 and rounded once, functions of real numbers in their own type.
  }];
  let statistics = [Statistic<"numSplit", "num-split", "Ops split into parts">];
}

def EwSplitKernels : Pass<"ew-split-kernels"> {
  let summary = "Make two kernels of each one that is marked";
  let description = [{
    Where a `linalg.generic` has the attribute `ew.split`, its body's ops are divided, in their order, among two kernels. What the second one needs
    of the first is stored at the width it was computed in, so that no result changes. Constants, indices and conversions of inputs are
    computed in both. The cut is where both parts have few values to hold at once, and of such places where the fewest
    bytes are passed on. A kernel that no cut makes smaller, or that writes the buffer of an argument which the rest
    still reads, is an error.

    The compiler does so where a kernel's code does not fit into a thread's registers (`BackOff.h`).
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [Statistic<"numSplit", "num-split", "Kernels split in two">];
}

#endif // EW_DIALECT_EW_TRANSFORMS_PASSES_TD
