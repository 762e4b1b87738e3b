//===- EwUnaryOps.td - Elementwise functions of one operand -*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWUNARYOPS_TD
#define EW_DIALECT_EW_IR_EWUNARYOPS_TD

include "ew/Dialect/Ew/IR/EwOpBase.td"

//===----------------------------------------------------------------------===//
// Sign and rounding
//===----------------------------------------------------------------------===//

def Ew_AbsOp : Ew_ElementwiseOp<"abs", "The absolute value. Exact; clears the sign of -0 and of a NaN. "
    "The most negative signed integer is its own absolute value; an unsigned integer is unchanged.\n\n"
    "Complex: the distance from 0, a number of the type of the parts: `ew.hypot` of them.",
    "%y = ew.abs %x : tensor<?xf32>\n%r = ew.abs %z : tensor<?xcomplex<f32>>", [Ew_PartsOf<"operand", "result">]> {
  let arguments = (ins Ew_NumberOrComplexLike:$operand);
  let results = (outs Ew_NumberLike:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  let hasFolder = 1;
}
def Ew_NegOp : Ew_UnaryNumberOrComplexOp<"neg", "The negation: flips the sign, that of zeros and NaNs too. "
    "Integers wrap: the most negative signed integer is its own negation.", "of both parts."> { let hasFolder = 1; }
def Ew_SignOp : Ew_UnaryNumberOp<"sign", "-1, 0 or 1, by the sign of the operand. "
    "A zero keeps its sign; a NaN gives a NaN; an unsigned integer gives 0 or 1."> { let hasFolder = 1; }
def Ew_CeilOp : Ew_UnaryFloatOp<"ceil", "The smallest integer not below the operand, exact. "
    "Zeros, infinities and the sign of a result of zero are kept: ceil(-0.5) = -0."> { let hasFolder = 1; }
def Ew_FloorOp : Ew_UnaryFloatOp<"floor", "The largest integer not above the operand, exact. "
    "Zeros and infinities are kept."> { let hasFolder = 1; }
def Ew_TruncOp : Ew_UnaryFloatOp<"trunc", "The operand without its fraction, exact. "
    "Keeps the sign: trunc(-0.5) = -0."> { let hasFolder = 1; }
def Ew_RoundOp : Ew_UnaryFloatOp<"round", "The nearest integer, halves away from zero, exact. "
    "Keeps the sign: round(-0.4) = -0."> { let hasFolder = 1; }
def Ew_RoundEvenOp : Ew_UnaryFloatOp<"round_even", "The nearest integer, halves to the even one, exact. "
    "Keeps the sign: round_even(-0.5) = -0."> { let hasFolder = 1; }

//===----------------------------------------------------------------------===//
// Powers and roots
//===----------------------------------------------------------------------===//

def Ew_SqrtOp : Ew_UnaryFloatOrComplexOp<"sqrt", "The square root, correctly rounded. sqrt(-0) = -0; "
    "a negative operand gives a NaN.", "the root whose real part is not negative; its imaginary part has the sign of the "
    "operand's, so the cut along the negative numbers has two sides. sqrt(x +- inf i) = inf +- inf i, even for a NaN x."> { let hasFolder = 1; }
def Ew_RsqrtOp : Ew_UnaryFloatOp<"rsqrt", "1 / sqrt(x). rsqrt(0) = inf, rsqrt(-0) = -inf, rsqrt(inf) = 0; "
    "a negative operand gives a NaN.">;
def Ew_CbrtOp : Ew_UnaryFloatOp<"cbrt", "The cube root, of negative operands too. Zeros and infinities are kept.">;
def Ew_ReciprocalOp : Ew_UnaryFloatOrComplexOp<"reciprocal", "1 / x, correctly rounded. "
    "A zero gives the infinity of its sign, an infinity the zero of its sign.", "`ew.div` of 1 + 0i by the operand."> { let hasFolder = 1; }
def Ew_SquareOp : Ew_UnaryNumberOrComplexOp<"square", "x * x, correctly rounded; integers wrap.", "`ew.mul` of the operand by itself."> { let hasFolder = 1; }

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

def Ew_ExpOp : Ew_UnaryFloatOrComplexOp<"exp", "e to the power of x. exp(-inf) = 0, exp(inf) = inf, exp(+-0) = 1.",
    "exp(x) cos(y) + exp(x) sin(y) i; an imaginary part of zero stays. Where y is no number or infinite, exp(-inf + yi) = 0 + 0i and "
    "exp(inf + yi) = inf + NaN i.">;
def Ew_Exp2Op : Ew_UnaryFloatOp<"exp2", "2 to the power of x, exact where x is an integer. "
    "exp2(-inf) = 0, exp2(inf) = inf.">;
def Ew_Expm1Op : Ew_UnaryFloatOp<"expm1", "exp(x) - 1 without cancellation near 0. "
    "expm1(-inf) = -1, expm1(inf) = inf; zeros are kept.">;
def Ew_LogOp : Ew_UnaryFloatOrComplexOp<"log", "The natural logarithm. log(+-0) = -inf, log(1) = 0, log(inf) = inf; "
    "a negative operand gives a NaN.", "log(|z|) + atan2(y, x) i: the imaginary part is in [-pi, pi]. Accurate near |z| = 1 "
    "too. The logarithm of zero has the real part -inf, that of any infinity inf.">;
def Ew_Log2Op : Ew_UnaryFloatOp<"log2", "The logarithm to base 2, exact where x is a power of two (but for fast mode). "
    "log2(+-0) = -inf, log2(inf) = inf; a negative operand gives a NaN.">;
def Ew_Log10Op : Ew_UnaryFloatOp<"log10", "The logarithm to base 10. log10(+-0) = -inf, log10(1) = 0, "
    "log10(inf) = inf; a negative operand gives a NaN.">;
def Ew_Log1pOp : Ew_UnaryFloatOp<"log1p", "log(1 + x) without cancellation near 0. log1p(-1) = -inf, "
    "log1p(inf) = inf; zeros are kept; an operand below -1 gives a NaN.">;

//===----------------------------------------------------------------------===//
// Trigonometry
//===----------------------------------------------------------------------===//

def Ew_SinOp : Ew_UnaryFloatOrComplexOp<"sin", "The sine of an angle in radians, of any size. "
    "Zeros are kept; an infinity gives a NaN.", "sin(x) cosh(y) + cos(x) sinh(y) i. A part x or y of zero gives its part of the result as a "
    "zero, whatever the other. Where x is no number or infinite and y an infinity, the result is NaN + y i.">;
def Ew_CosOp : Ew_UnaryFloatOrComplexOp<"cos", "The cosine of an angle in radians, of any size. "
    "cos(+-0) = 1; an infinity gives a NaN.", "cos(x) cosh(y) - sin(x) sinh(y) i. A part x or y of zero gives an imaginary part of "
    "zero, whatever the other: beside a NaN 0, else of the sign of -xy. Where x is no number or infinite and y an infinity, the result is "
    "inf + NaN i.">;
def Ew_TanOp : Ew_UnaryFloatOp<"tan", "The tangent of an angle in radians, of any size. "
    "Zeros are kept; an infinity gives a NaN.">;
def Ew_AsinOp : Ew_UnaryFloatOp<"asin", "The arc sine, in [-pi/2, pi/2]. Zeros are kept; "
    "an operand outside [-1, 1] gives a NaN.">;
def Ew_AcosOp : Ew_UnaryFloatOp<"acos", "The arc cosine, in [0, pi]. acos(1) = 0; "
    "an operand outside [-1, 1] gives a NaN.">;
def Ew_AtanOp : Ew_UnaryFloatOp<"atan", "The arc tangent, in [-pi/2, pi/2]. Zeros are kept; "
    "an infinity gives pi/2 of its sign.">;

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

def Ew_SinhOp : Ew_UnaryFloatOp<"sinh", "The hyperbolic sine. Zeros and infinities are kept.">;
def Ew_CoshOp : Ew_UnaryFloatOp<"cosh", "The hyperbolic cosine. cosh(+-0) = 1; an infinity gives inf.">;
def Ew_TanhOp : Ew_UnaryFloatOrComplexOp<"tanh", "The hyperbolic tangent. Zeros are kept; an infinity gives 1 of its sign.",
    "sinh(z) / cosh(z). A part of zero gives its part of the result as that zero, whatever the other. tanh(inf + yi) = 1 + 0i with the signs of x and of sin(2y); "
    "where y is no number or infinite, the zero is positive.">;
def Ew_AsinhOp : Ew_UnaryFloatOp<"asinh", "The inverse hyperbolic sine. Zeros and infinities are kept.">;
def Ew_AcoshOp : Ew_UnaryFloatOp<"acosh", "The inverse hyperbolic cosine. acosh(1) = 0, acosh(inf) = inf; "
    "an operand below 1 gives a NaN.">;
def Ew_AtanhOp : Ew_UnaryFloatOp<"atanh", "The inverse hyperbolic tangent. Zeros are kept, atanh(1) = inf, "
    "atanh(-1) = -inf; an operand outside [-1, 1] gives a NaN.">;

//===----------------------------------------------------------------------===//
// Error functions
//===----------------------------------------------------------------------===//

def Ew_ErfOp : Ew_UnaryFloatOp<"erf", "The error function. Zeros are kept; an infinity gives 1 of its sign.">;
def Ew_ErfcOp : Ew_UnaryFloatOp<"erfc", "1 - erf(x), without cancellation for large x. erfc(inf) = 0, erfc(-inf) = 2.">;

//===----------------------------------------------------------------------===//
// Activation functions
//===----------------------------------------------------------------------===//

def Ew_SigmoidOp : Ew_UnaryFloatOp<"sigmoid", "1 / (1 + exp(-x)). sigmoid(-inf) = 0, sigmoid(inf) = 1.">;
def Ew_LogSigmoidOp : Ew_UnaryFloatOp<"log_sigmoid", "log(sigmoid(x)) = -softplus(-x). "
    "log_sigmoid(inf) = -0, log_sigmoid(-inf) = -inf.">;
def Ew_SoftplusOp : Ew_UnaryFloatOp<"softplus", "log(1 + exp(x)). softplus(-inf) = 0, softplus(inf) = inf.">;
def Ew_SoftsignOp : Ew_UnaryFloatOp<"softsign", "x / (1 + |x|). Zeros are kept; an infinity gives 1 of its sign.">;
def Ew_ReluOp : Ew_UnaryNumberOp<"relu", "max(x, 0): a NaN stays, -0 becomes 0."> { let hasFolder = 1; }
def Ew_LeakyReluOp : Ew_ParametricOp<"leaky_relu", "alpha", "0.01", "x where x >= 0 or x is a NaN, else alpha * x, "
    "with alpha rounded to the type of x and the product rounded correctly. Zeros are kept.">;
def Ew_EluOp : Ew_ParametricOp<"elu", "alpha", "1.0", "x where x > 0, else alpha * expm1(x), "
    "with alpha rounded to f32 but for f64. elu(-inf) = -alpha; zeros are kept (for alpha above 0).">;
def Ew_SeluOp : Ew_UnaryFloatOp<"selu", "scale * (x where x > 0, else alpha * expm1(x)), with scale = "
    "1.0507009873554804934193349852946 and alpha = 1.6732632423543772848170429916717. Zeros are kept.">;
def Ew_CeluOp : Ew_ParametricOp<"celu", "alpha", "1.0", "x where x > 0, else alpha * expm1(x / alpha), "
    "with alpha rounded to f32 but for f64, and then a number other than 0. celu(-inf) = -alpha for alpha above 0; zeros are kept."> { let hasVerifier = 1; }
def Ew_GeluOp : Ew_UnaryBase<"gelu", Ew_FloatLike, "x times the normal distribution function of x: x / 2 * erfc(-x / sqrt(2)); with "
    "`approximate(tanh)`, x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))). Zeros are kept; gelu(inf) = inf, "
    "gelu(-inf) = -0.", "%y = ew.gelu %x approximate(tanh) : tensor<?xf32>"> {
  let arguments = (ins Ew_FloatLike:$operand,
                       DefaultValuedAttr<Ew_GeluApproximationAttr, "::ew::GeluApproximation::none">:$approximate);
  let assemblyFormat = "$operand (`approximate` `(` custom<Enum>($approximate)^ `)`)? attr-dict `:` type($result)";
}
def Ew_SiluOp : Ew_UnaryFloatOp<"silu", "x * sigmoid(x). Zeros are kept; silu(inf) = inf, silu(-inf) = -0.">;
def Ew_MishOp : Ew_UnaryFloatOp<"mish", "x * tanh(softplus(x)). Zeros are kept; mish(inf) = inf, mish(-inf) = -0.">;
def Ew_HardSigmoidOp : Ew_UnaryFloatOp<"hard_sigmoid", "min(max(x / 6 + 1 / 2, 0), 1). A NaN stays.">;
def Ew_HardSwishOp : Ew_UnaryFloatOp<"hard_swish", "x * min(max(x / 6 + 1 / 2, 0), 1). A NaN stays; hard_swish(-inf) = -0, "
    "hard_swish(inf) = inf.">;

//===----------------------------------------------------------------------===//
// Tests and bits
//===----------------------------------------------------------------------===//

def Ew_IsNanOp : Ew_TestOp<"is_nan", "Whether the operand is a NaN."> { let hasFolder = 1; }
def Ew_IsInfOp : Ew_TestOp<"is_inf", "Whether the operand is an infinity, of either sign."> { let hasFolder = 1; }
def Ew_IsFiniteOp : Ew_TestOp<"is_finite", "Whether the operand is neither an infinity nor a NaN."> { let hasFolder = 1; }
def Ew_SignbitOp : Ew_TestOp<"signbit", "Whether the sign is set: of -0 it is; a NaN counts as the canonical quiet NaN, whose sign is clear."> { let hasFolder = 1; }
def Ew_NotOp : Ew_UnaryOp<"not", Ew_IntOrBoolLike, "i1", "Every bit inverted; of a boolean, its negation."> { let hasCanonicalizer = 1; let hasFolder = 1; }
def Ew_PopcountOp : Ew_UnaryIntOp<"popcount", "The number of bits that are set."> { let hasFolder = 1; }
def Ew_ClzOp : Ew_UnaryIntOp<"clz", "The number of zero bits above the highest bit that is set; the width for 0."> { let hasFolder = 1; }
def Ew_CtzOp : Ew_UnaryIntOp<"ctz", "The number of zero bits below the lowest bit that is set; the width for 0."> { let hasFolder = 1; }

#endif // EW_DIALECT_EW_IR_EWUNARYOPS_TD
