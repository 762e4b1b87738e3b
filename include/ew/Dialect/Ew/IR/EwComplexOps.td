//===- EwComplexOps.td - Complex numbers and their parts ---*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWCOMPLEXOPS_TD
#define EW_DIALECT_EW_IR_EWCOMPLEXOPS_TD

include "ew/Dialect/Ew/IR/EwOpBase.td"

def Ew_ComplexOp : Ew_ElementwiseOp<"complex", "The complex number of a real and an imaginary part, bit for bit.",
    "%z = ew.complex %x, %y : tensor<?xcomplex<f32>>",
    [Ew_PartsOf<"result", "real">, Ew_PartsOf<"result", "imaginary">]> {
  let arguments = (ins Ew_PartLike:$real, Ew_PartLike:$imaginary);
  let results = (outs Ew_ComplexLike:$result);
  let assemblyFormat = "$real `,` $imaginary attr-dict `:` type($result)";
  let hasFolder = 1;
}
def Ew_RealOp : Ew_PartOp<"real", "The real part, bit for bit."> { let hasFolder = 1; }
def Ew_ImagOp : Ew_PartOp<"imag", "The imaginary part, bit for bit."> { let hasFolder = 1; }
def Ew_ConjOp : Ew_UnaryOp<"conj", Ew_ComplexLike, "complex<f32>",
    "The conjugate: flips the sign of the imaginary part, that of zeros and NaNs too."> { let hasFolder = 1; }

#endif // EW_DIALECT_EW_IR_EWCOMPLEXOPS_TD
