//===- ElementType.h - Element types of buffers -----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_ELEMENTTYPE_H
#define EW_RUNTIME_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace ew::runtime {

/// What a buffer's elements are. Signless integers of the IR are signed here;
/// a boolean (I1) is a byte, 0 or 1; a complex number is its real part, then
/// its imaginary part.
enum class ElementType : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  UI8,
  UI16,
  UI32,
  UI64,
  F8E4M3FN,
  F8E5M2,
  F16,
  BF16,
  F32,
  F64,
  ComplexF32,
  ComplexF64,
};

/// Bytes of one element in memory.
unsigned getByteWidth(ElementType type);

/// As the IR spells it: "f32", "ui8", "f8E4M3FN", "complex<f32>".
llvm::StringRef getName(ElementType type);
std::optional<ElementType> parseElementType(llvm::StringRef name);

/// Of floating point; complex numbers are not, their parts are.
bool isFloat(ElementType type);
bool isSigned(ElementType type);
bool isComplex(ElementType type);

/// The type of the parts of a complex number, else the type itself, and how
/// many of them an element is.
ElementType getPartType(ElementType type);
inline unsigned getNumParts(ElementType type) {
  return isComplex(type) ? 2 : 1;
}

} // namespace ew::runtime

#endif // EW_RUNTIME_ELEMENTTYPE_H
