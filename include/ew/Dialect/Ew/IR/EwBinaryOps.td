//===- EwBinaryOps.td - Elementwise functions of two operands -*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWBINARYOPS_TD
#define EW_DIALECT_EW_IR_EWBINARYOPS_TD

include "ew/Dialect/Ew/IR/EwOpBase.td"

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def Ew_AddOp : Ew_BinaryNumberOrComplexOp<"add", "x + y, correctly rounded; integers wrap.",
    "each part is the sum of the parts.", [Commutative]> { let hasFolder = 1; }
def Ew_SubOp : Ew_BinaryNumberOrComplexOp<"sub", "x - y, correctly rounded; integers wrap.",
    "each part is the difference of the parts."> { let hasFolder = 1; }
def Ew_MulOp : Ew_BinaryNumberOrComplexOp<"mul", "x * y, correctly rounded; integers wrap.",
    "(a + bi) (c + di) = (ac - bd) + (ad + bc)i, without overflow on the way. Where an operand is infinite and both parts "
    "come out as NaN, they are computed again as C's Annex G has it: parts of an infinite operand become 1 or 0 and NaNs of the "
    "other 0, with their signs, and the parts of that product are multiplied by infinity. So an infinity times anything but "
    "zero and NaN is infinite.", [Commutative]> { let hasFolder = 1; }
def Ew_DivOp : Ew_BinaryNumberOrComplexOp<"div", "x / y, correctly rounded. Integers: the quotient rounded toward zero; "
    "x / 0 has every bit set (-1, or the largest unsigned integer), and the most negative integer divided by -1 is itself.",
    "((ac + bd) + (bc - ad)i) / (c^2 + d^2), scaled so that nothing overflows on the way. Where both parts come out as NaN, "
    "C's Annex G has the last word: a number over zero is an infinity of the signs of a and b times that of c, an infinity over a finite number an "
    "infinity, a finite number over an infinity a zero."> { let hasCanonicalizer = 1; let hasFolder = 1; }
def Ew_FloorDivOp : Ew_BinaryNumberOp<"floor_div", "The quotient rounded down. Floating point: floor(q) for the exact quotient q "
    "of x and y, correctly rounded (so 1 // 0.1 = 9, as 0.1 is a little more than a tenth); as x / y for a zero or infinite y "
    "or x, except that a finite x not 0 over an infinity of the other sign gives -1. "
    "Integers: x // 0 has every bit set, and the most negative integer over -1 is itself."> { let hasFolder = 1; }
def Ew_RemOp : Ew_BinaryNumberOp<"rem", "x - trunc(x / y) * y, exact, with the sign of x (C's fmod). A NaN where y is 0 or x an infinity; "
    "x where y is an infinity. Integers: x rem 0 = x."> { let hasFolder = 1; }
def Ew_ModOp : Ew_BinaryNumberOp<"mod", "x - floor(x / y) * y, with the sign of y (Python's %): the remainder of `ew.rem`, plus y, "
    "correctly rounded, where that is not zero and its sign is not that of y; a zero takes the sign of y. "
    "A NaN where y is 0 or x an infinity. Integers: x mod 0 = x."> { let hasFolder = 1; }
def Ew_PowOp : Ew_BinaryNumberOrComplexOp<"pow", "x to the power of y, as C's pow: pow(x, +-0) = 1 and pow(1, y) = 1 even for a NaN; "
    "a negative x with a y that is no integer gives a NaN. Integers wrap; a negative exponent gives the reciprocal rounded toward zero: "
    "1 for x = 1, 1 or -1 for x = -1, else 0.",
    "exp(y log(x)), as C's cpow; 1 where y is 0, whatever x, and 0 where x is 0 and the real part of y is above 0."> { let hasCanonicalizer = 1; let hasFolder = 1; }
def Ew_Atan2Op : Ew_BinaryFloatOp<"atan2", "The angle of the point (x, y) = (rhs, lhs) in [-pi, pi], as C's atan2(lhs, rhs): "
    "zeros count by their signs, infinities as limits along the diagonals.">;
def Ew_HypotOp : Ew_BinaryFloatOp<"hypot", "sqrt(x^2 + y^2) without overflow or underflow on the way. "
    "An infinity gives inf even beside a NaN.", [Commutative]>;

//===----------------------------------------------------------------------===//
// Smaller, larger
//===----------------------------------------------------------------------===//

def Ew_MaxOp : Ew_BinaryNumberOp<"max", "The larger operand; a NaN if either is one (IEEE 754's maximum). max(-0, 0) = 0.", [Commutative]> { let hasFolder = 1; }
def Ew_MinOp : Ew_BinaryNumberOp<"min", "The smaller operand; a NaN if either is one (IEEE 754's minimum). min(-0, 0) = -0.", [Commutative]> { let hasFolder = 1; }
def Ew_MaxnumOp : Ew_BinaryFloatOp<"maxnum", "The larger operand; the other one if one is a NaN (IEEE 754's maximumNumber). "
    "maxnum(-0, 0) = 0.", [Commutative]> { let hasFolder = 1; }
def Ew_MinnumOp : Ew_BinaryFloatOp<"minnum", "The smaller operand; the other one if one is a NaN (IEEE 754's minimumNumber). "
    "minnum(-0, 0) = -0.", [Commutative]> { let hasFolder = 1; }

//===----------------------------------------------------------------------===//
// Representation
//===----------------------------------------------------------------------===//

def Ew_CopysignOp : Ew_BinaryFloatOp<"copysign", "The magnitude of x with the sign of y. Exact. A NaN as y has a clear sign."> { let hasFolder = 1; }
def Ew_NextAfterOp : Ew_BinaryFloatOp<"next_after", "The next value of the type after x toward y; y where they are equal; "
    "a NaN if either is one. Past the largest finite value comes the infinity (in f8E4M3FN, which has none, a NaN).">;

//===----------------------------------------------------------------------===//
// Logic and shifts
//===----------------------------------------------------------------------===//

def Ew_AndOp : Ew_BinaryLogicOp<"and", "The bitwise and; of booleans, whether both are true."> { let hasFolder = 1; }
def Ew_OrOp : Ew_BinaryLogicOp<"or", "The bitwise or; of booleans, whether one or both are true."> { let hasFolder = 1; }
def Ew_XorOp : Ew_BinaryLogicOp<"xor", "The bitwise exclusive or; of booleans, whether they differ."> { let hasFolder = 1; }
def Ew_ShlOp : Ew_BinaryIntOp<"shl", "x shifted left by y bits; 0 where y, taken as unsigned, is the width or more."> { let hasFolder = 1; }
def Ew_ShrOp : Ew_BinaryIntOp<"shr", "x shifted right by y bits, filled with the sign (signed) or zeros (unsigned); "
    "where y, taken as unsigned, is the width or more, every bit is the fill."> { let hasFolder = 1; }

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

def Ew_CmpOp : Ew_ElementwiseOp<"cmp", [{
    Compares. Integers and booleans take `eq ne lt le gt ge` (booleans only the first two), signed or
    unsigned by their type. Floating point takes the ordered `oeq one olt ole ogt oge ord`, false where
    an operand is a NaN, and the unordered `ueq une ult ule ugt uge uno`, true there; `ord` and `uno`
    only ask for that. -0 equals 0. Complex numbers have no order: `oeq` is whether both parts are equal, `une` the
    opposite.}],
    "%b = ew.cmp olt, %x, %y : tensor<?xf32>",
    [SameTypeOperands, Ew_BoolShapedLike<"lhs", "result">]> {
  let hasFolder = 1;
  let arguments = (ins Ew_CmpPredicateAttr:$predicate, Ew_ElementLike:$lhs, Ew_ElementLike:$rhs);
  let results = (outs Ew_BoolLike:$result);
  let assemblyFormat = "custom<Enum>($predicate) `,` $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasVerifier = 1;
}

#endif // EW_DIALECT_EW_IR_EWBINARYOPS_TD
