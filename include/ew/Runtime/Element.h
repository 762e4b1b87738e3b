//===- Element.h - Single elements as bits and as text ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_ELEMENT_H
#define EW_RUNTIME_ELEMENT_H

#include "ew/Runtime/ElementType.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ew::runtime {

// What follows is of one number: of a complex element, of one of its parts,
// with the type of the part (getPartType).

/// How the elements of a floating-point type are stored.
const llvm::fltSemantics &getSemantics(ElementType type);

/// The element as the low bits of an integer.
uint64_t loadElement(const void *from, ElementType type);
/// Stores those bits.
void storeElement(void *to, ElementType type, uint64_t bits);

/// Parses one value, correctly rounded, and returns the element's bits:
///   -1.5, 2e-3, 0x1.8p3   decimal and hexadecimal numbers
///   inf, -inf, nan        where the type has them
///   true, false           of i1
///   0x7fc00000            the bits of the element themselves, of any type
/// A number out of the type's range is an error.
llvm::Expected<uint64_t> parseElement(llvm::StringRef text, ElementType type);

/// Parses an element of any type into `to`: a complex one as "(1,-2.5)", or as
/// a real number whose imaginary part is 0.
llvm::Error parseElementTo(llvm::StringRef text, ElementType type, void *to);

/// The shortest text that parses back to the element ("nan" for every NaN).
std::string formatElement(uint64_t bits, ElementType type);

/// The text of an element of any type in memory: "(1,-2.5)" of a complex one.
std::string formatElementAt(const void *from, ElementType type);

/// `value` rounded to the element type as an ew.cast would: to nearest, ties to
/// even; for integers the low bits of the truncated value.
uint64_t roundToElement(double value, ElementType type);
uint64_t convertToElement(int64_t value, ElementType type);

/// The element's value, exact but for 64-bit integers beyond 2^53.
double toDouble(uint64_t bits, ElementType type);

bool isNaN(uint64_t bits, ElementType type);

/// How many representable values lie between two elements; 0 for two NaNs,
/// UINT64_MAX for a NaN and a number. -0 and +0 are neighbours at distance 0.
uint64_t ulpDistance(uint64_t a, uint64_t b, ElementType type);

} // namespace ew::runtime

#endif // EW_RUNTIME_ELEMENT_H
