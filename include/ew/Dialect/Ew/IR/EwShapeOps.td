//===- EwShapeOps.td - Constants, conversions and views -*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWSHAPEOPS_TD
#define EW_DIALECT_EW_IR_EWSHAPEOPS_TD

include "ew/Dialect/Ew/IR/EwOpBase.td"

//===----------------------------------------------------------------------===//
// Values from nothing
//===----------------------------------------------------------------------===//

def Ew_ConstantOp : Ew_Op<"constant", [ConstantLike, Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "A constant";
  let description = Ew_Doc<[{
    A scalar, or a vector or tensor of static shape. For a tensor of dynamic shape, broadcast a scalar. (A complex scalar
    is written with `ew.complex`.)
    The kernel that uses it holds a splat in its code; any other tensor becomes a buffer.}],
    "%half = ew.constant 5.000000e-01 : f32\n%t = ew.constant dense<[1, 2, 3]> : tensor<3xi32>">.text;
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Ew_ElementLike:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Ew_IotaOp : Ew_Op<"iota", [Pure]> {
  let summary = "The index of every element along one dimension";
  let description = Ew_Doc<[{
    Element (i0, i1, ...) is i`dimension`, converted to the element type: integers wrap, floating point
    is rounded to nearest. A dynamic size is that of the operand `like`, which has the result's shape.}],
    "%i = ew.iota dimension(1) : tensor<4x8xi32>\n%j = ew.iota dimension(0) like(%x : tensor<?xf32>) : tensor<?xf32>">.text;
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dimension, Optional<Ew_Tensor>:$like);
  let results = (outs RankedTensorOf<[Ew_Number]>:$result);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` (`like` `(` $like^ `:` type($like) `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

def Ew_CastOp : Ew_ElementwiseOp<"cast", [{
    Converts the value. To floating point: rounded once, to nearest with ties to even or as `round` says.
    A result too large for the type is an infinity, or, in f8E4M3FN, which has none, a NaN; with `saturate`
    it is the largest finite value of its sign, infinities included; a NaN stays a NaN. To an integer: the fraction is
    dropped (or rounded as `round` says), and the result saturates: a value outside the type's range gives its nearest end, a NaN gives 0.
    With `wrap`, which only this direction takes, the result is the integer modulo 2^width instead, and infinities and NaNs give 0. From
    integer to integer: the low bits are kept, extended by the source's sign where it is signed; with
    `saturate`, the nearest value of the type. To a boolean: false for zeros, true for all else, a NaN too. From a boolean: 0 or 1.
    From complex to complex: both parts.}],
    "%y = ew.cast %x : tensor<?xf32> to tensor<?xbf16>\n"
    "%z = ew.cast %x round(toward_zero) saturate : tensor<?xf32> to tensor<?xf8E4M3FN>\n"
    "%i = ew.cast %x wrap : tensor<?xf32> to tensor<?xui8>", []> {
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let arguments = (ins Ew_ElementLike:$operand, OptionalAttr<Ew_RoundingModeAttr>:$round, UnitAttr:$saturate,
                       UnitAttr:$wrap);
  let results = (outs Ew_ElementLike:$result);
  let assemblyFormat = [{
    $operand (`round` `(` custom<Enum>($round)^ `)`)? (`saturate` $saturate^)? (`wrap` $wrap^)?
    attr-dict `:` type($operand) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Ew_BitcastOp : Ew_ElementwiseOp<"bitcast", [{
    The same bits as another type of the same width. A NaN counts as the canonical quiet NaN of its type.}],
    "%y = ew.bitcast %x : tensor<?xf32> to tensor<?xui32>", []> {
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let arguments = (ins Ew_RealElementLike:$operand);
  let results = (outs Ew_RealElementLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def Ew_BroadcastOp : Ew_Op<"broadcast", [Pure]> {
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let summary = "Stretches sizes of 1, by NumPy's rules";
  let description = Ew_Doc<[{
    The operand, a scalar or a tensor, at the shape of the result: dimensions are matched from the last one,
    missing ones are added in front, and a size of 1 is stretched. With `like`, which a result of dynamic sizes needs, it has the shape
    that the operand's and that of `like` broadcast to; a dynamic size that turns out to be 1 is stretched, on
    either side. A view: nothing is copied.}],
    "%b = ew.broadcast %bias : tensor<4xf32> to tensor<8x4xf32>\n"
    "%s = ew.broadcast %half like(%x : tensor<?xf32>) : f32 to tensor<?xf32>">.text;
  let arguments = (ins AnyTypeOf<[Ew_Element, Ew_Tensor]>:$operand, Optional<Ew_Tensor>:$like);
  let results = (outs Ew_Tensor:$result);
  let assemblyFormat = [{
    $operand (`like` `(` $like^ `:` type($like) `)`)? attr-dict `:` type($operand) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Ew_TransposeOp : Ew_Op<"transpose", [Pure]> {
  let hasCanonicalizer = 1;
  let hasFolder = 1;
  let summary = "Permutes dimensions";
  let description = Ew_Doc<[{
    Dimension i of the result is dimension `permutation[i]` of the operand (NumPy's transpose). A view: nothing is copied.}],
    "%y = ew.transpose %x [1, 0] : tensor<4x?xf32> to tensor<?x4xf32>">.text;
  let arguments = (ins Ew_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Ew_Tensor:$result);
  let assemblyFormat = "$operand $permutation attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

#endif // EW_DIALECT_EW_IR_EWSHAPEOPS_TD
