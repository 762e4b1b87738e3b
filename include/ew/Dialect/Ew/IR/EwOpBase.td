//===- EwOpBase.td - Base classes of the families of ew ops -*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWOPBASE_TD
#define EW_DIALECT_EW_IR_EWOPBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "ew/Dialect/Ew/IR/EwAttrs.td"
include "ew/Dialect/Ew/IR/EwBase.td"
include "ew/Dialect/Ew/IR/EwEnums.td"

/// No attributes but the op's own and those that have a dialect's prefix.
def Ew_OwnAttributes : NativeOpTrait<"OwnAttributes"> {
  let cppNamespace = "::ew";
}

class Ew_Op<string mnemonic, list<Trait> traits = []> : Op<Ew_Dialect, mnemonic, [Ew_OwnAttributes] # traits>;

/// An attribute of f64; what is said of another one shows how it is written.
def Ew_F64Attr : FloatAttrBase<F64, "a number of f64, as 1.0">;

/// The description of an op: its meaning, then an example that a test runs.
class Ew_Doc<string meaning, string example> {
  string text = !subst("\n    ", "\n", meaning) # "\n\nExample:\n\n```mlir\n" # example # "\n```\n";
}

/// A function of every element. `meaning` is its definition, special values
/// included.
class Ew_ElementwiseOp<string mnemonic, string meaning, string example, list<Trait> traits>
    : Ew_Op<mnemonic, [Pure] # ElementwiseMappable.traits # traits> {
  let description = Ew_Doc<meaning, example>.text;
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

class Ew_UnaryBase<string mnemonic, Type type, string meaning, string example>
    : Ew_ElementwiseOp<mnemonic, meaning, example, [SameOperandsAndResultType]> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}
class Ew_UnaryOp<string mnemonic, Type type, string elementType, string meaning>
    : Ew_UnaryBase<mnemonic, type, meaning,
                   "%y = ew." # mnemonic # " %x : tensor<?x" # elementType # ">">;
class Ew_UnaryFloatOp<string mnemonic, string meaning>
    : Ew_UnaryOp<mnemonic, Ew_FloatLike, "f32", meaning>;
class Ew_UnaryIntOp<string mnemonic, string meaning>
    : Ew_UnaryOp<mnemonic, Ew_IntLike, "i32", meaning>;
class Ew_UnaryNumberOp<string mnemonic, string meaning>
    : Ew_UnaryOp<mnemonic, Ew_NumberLike, "f32", meaning>;

/// Functions that complex numbers have too; `complex` says what they mean there.
class Ew_UnaryFloatOrComplexOp<string mnemonic, string meaning, string complex>
    : Ew_UnaryOp<mnemonic, Ew_FloatOrComplexLike, "f32", meaning # "\n\nComplex: " # complex>;
class Ew_UnaryNumberOrComplexOp<string mnemonic, string meaning, string complex>
    : Ew_UnaryOp<mnemonic, Ew_NumberOrComplexLike, "f32", meaning # "\n\nComplex: " # complex>;

/// An activation function with one parameter.
class Ew_ParametricOp<string mnemonic, string parameter, string default, string meaning>
    : Ew_UnaryBase<mnemonic, Ew_FloatLike, meaning # " `" # parameter # "` is " # default # " unless it is given.",
                   "%y = ew." # mnemonic # " %x {" # parameter # " = 0.5 : f64} : tensor<?xf32>"> {
  let arguments = (ins Ew_FloatLike:$operand,
                       DefaultValuedAttr<Ew_F64Attr, default>:$alpha);
}

/// The type of the parts of `from`, or its own if it is not complex.
class Ew_PartsOf<string from, string to>
    : TypesMatchWith<to # " has the type of the parts of " # from, from, to,
                     "::ew::getPartTypeLike($_self)">;

/// A part of a complex number.
class Ew_PartOp<string mnemonic, string meaning>
    : Ew_ElementwiseOp<mnemonic, meaning, "%x = ew." # mnemonic # " %z : tensor<?xcomplex<f32>>",
                       [Ew_PartsOf<"operand", "result">]> {
  let arguments = (ins Ew_ComplexLike:$operand);
  let results = (outs Ew_PartLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

/// A boolean of the shape of `from`.
class Ew_BoolShapedLike<string from, string to>
    : TypesMatchWith<to # " is a boolean of the shape of " # from, from, to,
                     "::ew::getBoolTypeLike($_self)">;

class Ew_TestOp<string mnemonic, string meaning>
    : Ew_ElementwiseOp<mnemonic, meaning, "%b = ew." # mnemonic # " %x : tensor<?xf32>",
                       [Ew_BoolShapedLike<"operand", "result">]> {
  let arguments = (ins Ew_FloatLike:$operand);
  let results = (outs Ew_BoolLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

class Ew_BinaryOp<string mnemonic, Type type, string elementType, string meaning,
                  list<Trait> traits = []>
    : Ew_ElementwiseOp<mnemonic, meaning,
                       "%z = ew." # mnemonic # " %x, %y : tensor<?x" # elementType # ">",
                       [SameTypeOperands, SameOperandsAndResultType] # traits> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
class Ew_BinaryFloatOp<string mnemonic, string meaning, list<Trait> traits = []>
    : Ew_BinaryOp<mnemonic, Ew_FloatLike, "f32", meaning, traits>;
class Ew_BinaryIntOp<string mnemonic, string meaning, list<Trait> traits = []>
    : Ew_BinaryOp<mnemonic, Ew_IntLike, "i32", meaning, traits>;
class Ew_BinaryNumberOp<string mnemonic, string meaning, list<Trait> traits = []>
    : Ew_BinaryOp<mnemonic, Ew_NumberLike, "f32", meaning, traits>;
class Ew_BinaryNumberOrComplexOp<string mnemonic, string meaning, string complex, list<Trait> traits = []>
    : Ew_BinaryOp<mnemonic, Ew_NumberOrComplexLike, "f32", meaning # "\n\nComplex: " # complex, traits>;
class Ew_BinaryLogicOp<string mnemonic, string meaning>
    : Ew_BinaryOp<mnemonic, Ew_IntOrBoolLike, "i1", meaning, [Commutative]>;

//===----------------------------------------------------------------------===//
// Three operands of one type
//===----------------------------------------------------------------------===//

class Ew_TernaryOp<string mnemonic, Type type, string meaning>
    : Ew_ElementwiseOp<mnemonic, meaning,
                       "%r = ew." # mnemonic # " %x, %y, %z : tensor<?xf32>",
                       [SameTypeOperands, SameOperandsAndResultType]> {
  let arguments = (ins type:$first, type:$second, type:$third);
  let results = (outs type:$result);
  let assemblyFormat = "$first `,` $second `,` $third attr-dict `:` type($result)";
}

#endif // EW_DIALECT_EW_IR_EWOPBASE_TD
