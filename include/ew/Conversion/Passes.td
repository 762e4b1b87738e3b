//===- Passes.td - Passes from other dialects to ew -*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CONVERSION_PASSES_TD
#define EW_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def EwRaise : Pass<"ew-raise"> {
  let summary = "Turn elementwise linalg, arith, math, complex, tensor and TOSA ops into ew ops";
  let description = [{
    Rewrites ops on tensors to ew ops where the meaning is the same:

    - `arith` and `math` ops on ranked tensors;
    - `linalg` ops, named or generic, whose loops are all parallel, whose outputs are
      permutations of the loops, and whose inputs are projected permutations (a
      size of 1 may be indexed by the constant 0). The ops of the body become ew ops on whole
      tensors, the indexing maps `ew.broadcast` and `ew.transpose`, `linalg.index` becomes
      `ew.iota`, and an output that the body reads one more operand. Dynamic sizes come from an operand
      of full shape, or else from the output, through `like`. A body may hold ew ops as well; one
      of nothing else is a kernel already and stays one;
    - `complex` ops in such a body, on parts of f32 and f64, but for those that ew has no function for: `expm1`, `log1p`, `tan`,
      `rsqrt`, `sign`, `atan2`, `powi`, `bitcast`;
    - `tosa` ops on tensors of known rank, where no zero point, shift or rounding is
      asked for; sizes of 1 are stretched by `ew.broadcast`, dynamic ones included;
    - `tensor.splat`, and constants where an ew op uses it.

    What has no equal is left as it is, with a remark that says why (`remarks=false`
    silences them).

    Where the source leaves a result open, the ew op gives one: division by zero, overflow
    of a division, shifts by the width or more, conversions out of range, `maxnumf` of zeros of different signs. Where the source
    is finer, these rules hold:

    - Of the fast-math flags `afn`, and on a division `arcp`, give the op the fast mode, unless a mode is stated
      (`ew.mode` on the op or its function) or `flags=false`, as in strict mode. The others are dropped: they allow and never
      demand.
    - `exact`, `nsw` and `nuw` flags are dropped.
    - A NaN is a NaN: a bit cast or `copysign` that looks at one sees the canonical quiet NaN.
    - Signless integers are signed in ew. An unsigned op goes through `ew.bitcast` to `uiN`
      and back. `i1` is a boolean: `addi` becomes `xor`, and signed conversions give -1 for true.
    - Inside a body, `index` is `i64`.
  }];
  let options = [Option<"flags", "flags", "bool", /*default=*/"true",
                        "Fast-math flags say which ops are in fast mode">,
                 Option<"remarks", "remarks", "bool", /*default=*/"true",
                        "Say of every op that is left alone why it is">];
  let statistics = [Statistic<"numRaised", "num-raised", "Ops turned into ew ops">,
                    Statistic<"numLeft", "num-left", "Ops left as they are">];
  let dependentDialects = ["::ew::EwDialect", "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif // EW_CONVERSION_PASSES_TD
