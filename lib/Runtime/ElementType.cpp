//===- ElementType.cpp - Element types of buffers -------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/ElementType.h"

#include <cassert>

using namespace ew::runtime;

namespace {
struct Row {
  llvm::StringRef name;
  unsigned bytes;
  bool isFloat, isSigned;
};
} // namespace

/// In the order of the enumeration.
static constexpr Row kRows[] = {
    {"i1", 1, false, false},
    {"i8", 1, false, true},
    {"i16", 2, false, true},
    {"i32", 4, false, true},
    {"i64", 8, false, true},
    {"ui8", 1, false, false},
    {"ui16", 2, false, false},
    {"ui32", 4, false, false},
    {"ui64", 8, false, false},
    {"f8E4M3FN", 1, true, true},
    {"f8E5M2", 1, true, true},
    {"f16", 2, true, true},
    {"bf16", 2, true, true},
    {"f32", 4, true, true},
    {"f64", 8, true, true},
    {"complex<f32>", 8, false, true},
    {"complex<f64>", 16, false, true},
};

static const Row &row(ElementType type) {
  return kRows[static_cast<unsigned>(type)];
}

unsigned ew::runtime::getByteWidth(ElementType type) { return row(type).bytes; }

llvm::StringRef ew::runtime::getName(ElementType type) {
  return row(type).name;
}

std::optional<ElementType> ew::runtime::parseElementType(llvm::StringRef name) {
  for (unsigned i = 0; i < std::size(kRows); ++i)
    if (kRows[i].name == name)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

bool ew::runtime::isFloat(ElementType type) { return row(type).isFloat; }

bool ew::runtime::isSigned(ElementType type) { return row(type).isSigned; }

bool ew::runtime::isComplex(ElementType type) {
  return type == ElementType::ComplexF32 || type == ElementType::ComplexF64;
}

ElementType ew::runtime::getPartType(ElementType type) {
  switch (type) {
  case ElementType::ComplexF32:
    return ElementType::F32;
  case ElementType::ComplexF64:
    return ElementType::F64;
  default:
    return type;
  }
}
