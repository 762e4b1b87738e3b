//===- EwTernaryOps.td - Elementwise functions of three operands -*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWTERNARYOPS_TD
#define EW_DIALECT_EW_IR_EWTERNARYOPS_TD

include "ew/Dialect/Ew/IR/EwOpBase.td"

def Ew_SelectOp : Ew_ElementwiseOp<"select",
    "`true_value` where `condition` is true, else `false_value`, bit for bit.",
    "%r = ew.select %b, %x, %y : tensor<?xf32>",
    [AllTypesMatch<["true_value", "false_value", "result"]>, Ew_BoolShapedLike<"result", "condition">]> {
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let arguments = (ins Ew_BoolLike:$condition, Ew_ElementLike:$true_value, Ew_ElementLike:$false_value);
  let results = (outs Ew_ElementLike:$result);
  let assemblyFormat = "$condition `,` $true_value `,` $false_value attr-dict `:` type($result)";
}

def Ew_ClampOp : Ew_TernaryOp<"clamp", Ew_NumberLike,
    "Of x, low and high: min(max(x, low), high), with `ew.min` and `ew.max`: a NaN in any operand gives a NaN, and where low > high the result is high."> { let hasFolder = 1; }
def Ew_FmaOp : Ew_TernaryOp<"fma", Ew_FloatLike, "x * y + z, rounded once."> { let hasFolder = 1; }
def Ew_LerpOp : Ew_TernaryOp<"lerp", Ew_FloatLike,
    "Of start, end and weight: fma(weight, end - start, start), the difference rounded: start at weight 0.">;

#endif // EW_DIALECT_EW_IR_EWTERNARYOPS_TD
