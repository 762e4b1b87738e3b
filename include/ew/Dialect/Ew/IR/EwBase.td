//===- EwBase.td - The ew dialect and its type constraints -*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWBASE_TD
#define EW_DIALECT_EW_IR_EWBASE_TD

include "mlir/IR/OpBase.td"

def Ew_Dialect : Dialect {
  let name = "ew";
  let hasCanonicalizer = 1;
  let cppNamespace = "::ew";
  let summary = "Elementwise functions on scalars, vectors and tensors";
  let description = [{
    One op per elementwise function. An op means the same on a scalar, on every
    element of a vector and on every element of a tensor, so that one pattern
    serves all three. The operands of an op have one shape; `ew.broadcast` and
    `ew.transpose` bring them there and stay views.

    ```mlir
    func.func @scale(%x: tensor<?x8xf32>, %row: tensor<8xf32>) -> tensor<?x8xf32> {
      %0 = ew.broadcast %row like(%x : tensor<?x8xf32>) : tensor<8xf32> to tensor<?x8xf32>
      %1 = ew.mul %x, %0 : tensor<?x8xf32>
      return %1 : tensor<?x8xf32>
    }
    ```

    **Types.** f64, f32, f16, bf16, f8E4M3FN and f8E5M2; signless integers are
    signed (i8 to i64), `uiN` are unsigned (ui8 to ui64), `i1` is a boolean. In
    memory a boolean is a byte. `complex<f32>` and `complex<f64>` are pairs, the real
    part first in memory.

    **Floating point.** Subnormal numbers are kept. Add, subtract, multiply,
    divide, sqrt, fma and conversions are rounded correctly, to nearest with ties
    to even unless an attribute says otherwise. Every other function has a stated
    bound on its error, in units in the last place of the true result. A NaN
    operand gives a NaN unless the op says otherwise; which NaN is not specified,
    and an op that looks at a NaN's bits sees the canonical quiet NaN.

    **Complex numbers.** An infinite part makes a number infinite, whatever the other
    part. Special values are those of C's Annex G; where it leaves a sign open, the
    op's definition says which one. docs/Accuracy.md has the bounds.

    **Integers.** Arithmetic wraps. Every op has one stated result for every
    operand, on every target: division by zero and shifts by the width or more
    included.

    **Modes.** `ew.mode = "strict"`, `"default"` or `"fast"` on an op, or on a
    function for its ops, says what arithmetic may do. See `ew-set-modes`.
    `ew.error_bound = 1.0 : f64` on an op replaces its bound.

    **In place.** An argument of a function may ask for the memory of a result:
    `%p: tensor<?xf32> {ew.inplace = 0}` says that result 0 is written to the
    buffer of `%p`, which holds its old elements no longer when the function is
    done. Shapes and element types must agree. See `ew-inplace`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Of ops that there are not: says so, and which one may have been meant.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;

  private:
    template <typename... Ops>
    void addStrictOperations();
  }];
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

def Ew_Bool : TypeAlias<I1, "boolean">;
def Ew_SignedInt : AnyTypeOf<[I8, I16, I32, I64], "signed integer">;
def Ew_Int : AnyTypeOf<[I8, I16, I32, I64, UI8, UI16, UI32, UI64], "integer of 8 to 64 bits">;
def Ew_IntOrBool : AnyTypeOf<[I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64], "integer or boolean">;
def Ew_Float : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2], "floating point of 8 to 64 bits">;
def Ew_Number : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I8, I16, I32, I64, UI8, UI16, UI32, UI64],
                          "floating point or integer of 8 to 64 bits">;
def Ew_Complex : AnyTypeOf<[Complex<F32>, Complex<F64>], "complex of f32 or f64">;
def Ew_Part : AnyTypeOf<[F32, F64], "f32 or f64">;
def Ew_FloatOrComplex : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, Complex<F32>, Complex<F64>],
                                  "floating point of 8 to 64 bits or complex">;
def Ew_NumberOrComplex : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I8, I16, I32, I64, UI8, UI16, UI32, UI64,
                                    Complex<F32>, Complex<F64>],
                                   "floating point or integer of 8 to 64 bits or complex">;
def Ew_RealElement : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64],
                               "floating point, integer or boolean">;
def Ew_Element : AnyTypeOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64,
                            Complex<F32>, Complex<F64>],
                           "floating point, integer, boolean or complex">;

/// An element type, or a vector or ranked tensor of it. (There are no vectors of
/// complex numbers: where kernels have vectors, parts stand for themselves.)
class Ew_Like<Type element>
    : AnyTypeOf<[element, VectorOfAnyRankOf<[element]>, RankedTensorOf<[element]>],
                element.summary # ", or a vector or ranked tensor of it">;

def Ew_FloatLike : Ew_Like<Ew_Float>;
def Ew_IntLike : Ew_Like<Ew_Int>;
def Ew_IntOrBoolLike : Ew_Like<Ew_IntOrBool>;
def Ew_NumberLike : Ew_Like<Ew_Number>;
def Ew_BoolLike : Ew_Like<Ew_Bool>;
def Ew_ComplexLike : Ew_Like<Ew_Complex>;
def Ew_PartLike : Ew_Like<Ew_Part>;
def Ew_FloatOrComplexLike : Ew_Like<Ew_FloatOrComplex>;
def Ew_NumberOrComplexLike : Ew_Like<Ew_NumberOrComplex>;
def Ew_RealElementLike : Ew_Like<Ew_RealElement>;
def Ew_ElementLike : Ew_Like<Ew_Element>;
def Ew_Tensor : RankedTensorOf<[Ew_Element]>;

#endif // EW_DIALECT_EW_IR_EWBASE_TD
