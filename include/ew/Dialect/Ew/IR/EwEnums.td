//===- EwEnums.td - Enumerations of the ew dialect ---------*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_DIALECT_EW_IR_EWENUMS_TD
#define EW_DIALECT_EW_IR_EWENUMS_TD

include "mlir/IR/EnumAttr.td"
include "ew/Dialect/Ew/IR/EwBase.td"

class Ew_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::ew";
  let genSpecializedAttr = 0;
}

def Ew_CmpPredicate : Ew_I32Enum<"CmpPredicate", "a comparison", [
    // Integers and booleans.
    I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>,
    I32EnumAttrCase<"lt", 2>, I32EnumAttrCase<"le", 3>,
    I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>,
    // Floating point, false where an operand is a NaN.
    I32EnumAttrCase<"oeq", 6>, I32EnumAttrCase<"one", 7>,
    I32EnumAttrCase<"olt", 8>, I32EnumAttrCase<"ole", 9>,
    I32EnumAttrCase<"ogt", 10>, I32EnumAttrCase<"oge", 11>,
    I32EnumAttrCase<"ord", 12>,
    // Floating point, true where an operand is a NaN.
    I32EnumAttrCase<"ueq", 13>, I32EnumAttrCase<"une", 14>,
    I32EnumAttrCase<"ult", 15>, I32EnumAttrCase<"ule", 16>,
    I32EnumAttrCase<"ugt", 17>, I32EnumAttrCase<"uge", 18>,
    I32EnumAttrCase<"uno", 19>]>;
def Ew_CmpPredicateAttr : EnumAttr<Ew_Dialect, Ew_CmpPredicate, "predicate">;

def Ew_RoundingMode : Ew_I32Enum<"RoundingMode", "how a conversion rounds", [
    I32EnumAttrCase<"nearest_even", 0>, I32EnumAttrCase<"toward_zero", 1>,
    I32EnumAttrCase<"upward", 2>, I32EnumAttrCase<"downward", 3>,
    I32EnumAttrCase<"nearest_away", 4>]>;
def Ew_RoundingModeAttr : EnumAttr<Ew_Dialect, Ew_RoundingMode, "rounding">;

def Ew_GeluApproximation : Ew_I32Enum<"GeluApproximation", "a definition of GELU", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"tanh", 1>]>;
def Ew_GeluApproximationAttr : EnumAttr<Ew_Dialect, Ew_GeluApproximation, "gelu">;

def Ew_Distribution : Ew_I32Enum<"Distribution", "a distribution of random numbers", [
    I32EnumAttrCase<"bits", 0>, I32EnumAttrCase<"uniform", 1>,
    I32EnumAttrCase<"normal", 2>]>;
def Ew_DistributionAttr : EnumAttr<Ew_Dialect, Ew_Distribution, "distribution">;

def Ew_AccessClass : Ew_I32Enum<"AccessClass", "how a kernel reads or writes an operand", [
    I32EnumAttrCase<"dense", 0>,      // in the order of the iteration
    I32EnumAttrCase<"row", 1>,        // depends on inner dimensions alone
    I32EnumAttrCase<"column", 2>,     // depends on outer dimensions alone
    I32EnumAttrCase<"scalar", 3>,     // one element for all
    I32EnumAttrCase<"transposed", 4>, // contiguous along another dimension
    I32EnumAttrCase<"strided", 5>,    // steps along the innermost dimension
    I32EnumAttrCase<"general", 6>]>;  // any other affine access
def Ew_AccessClassAttr : EnumAttr<Ew_Dialect, Ew_AccessClass, "access">;

#endif // EW_DIALECT_EW_IR_EWENUMS_TD
