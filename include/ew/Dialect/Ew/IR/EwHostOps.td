//===- EwHostOps.td - What the host does: launches and checks -*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWHOSTOPS_TD
#define EW_DIALECT_EW_IR_EWHOSTOPS_TD

include "ew/Dialect/Ew/IR/EwOpBase.td"

def Ew_CheckShapesOp : Ew_Op<"check_shapes"> {
  let summary = "Requires that dynamic sizes agree";
  let description = Ew_Doc<[{
    Put in by fusion for operands of one op whose dynamic sizes are not known to be equal. At run time the program
    ends with an error at this op's location where they are not. With `broadcast`, dimensions are
    matched from the last one and a size of 1 agrees with any.}],
    "ew.check_shapes %x, %y : tensor<?xf32>, tensor<?xf32>">.text;
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs, UnitAttr:$broadcast);
  let assemblyFormat = "(`broadcast` $broadcast^)? $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimensions that meet, from the first one on.
    ::llvm::SmallVector<std::pair<int64_t, int64_t>> getDims();
    /// What they are dimensions of, for messages: "operands of 'ew.add'".
    std::string describe();
  }];
}

def Ew_LaunchOp : Ew_Op<"launch", [AttrSizedOperandSegments]> {
  let summary = "Runs a kernel over an iteration space";
  let description = [{
    What becomes of a scheduled `linalg.generic` once its kernel stands in a `gpu.module` or, for the
    CPU, in a function. `kernels` has one symbol for each of the schedule's variants, in the same order; `indexing_maps` is that of the
    `linalg.generic`. The sizes of the loops are those of the outputs. Each result is the matching output, written.
  }];
  let arguments = (ins ArrayAttr:$kernels, Ew_ScheduleAttr:$schedule, AffineMapArrayAttr:$indexing_maps,
                       Variadic<AnyType>:$inputs, Variadic<AnyRankedTensor>:$outputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernels `ins` `(` ($inputs^ `:` type($inputs))? `)` `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
}

#endif // EW_DIALECT_EW_IR_EWHOSTOPS_TD
