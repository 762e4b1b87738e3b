//===- SourceText.cpp - What cannot be parsed -----------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/SourceText.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include <algorithm>

using llvm::StringRef;

/// MLIR 22's parser overflows a stack of 8 MiB at some 3,600 modules inside of
/// one another, 4,000 memory spaces, 4,100 brackets of regions.
static constexpr unsigned maxDepth = 1000;

/// The first place with so many brackets open, or npos. Comparisons in affine
/// sets, arrows and what stands in strings and comments are none.
static size_t findTooDeep(StringRef text) {
  int64_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    auto at = [&](size_t j) { return j < text.size() ? text[j] : '\0'; };
    switch (text[i]) {
    case '/':
      if (at(i + 1) == '/')
        i = std::min(text.find('\n', i), text.size());
      break;
    case '"':
      while (++i < text.size() && text[i] != '"' && text[i] != '\n')
        i += text[i] == '\\';
      break;
    case '<':
      if (at(i + 1) == '=')
        break;
      [[fallthrough]];
    case '(':
    case '[':
    case '{':
      if (++depth > maxDepth)
        return i;
      break;
    case '>':
      if (at(i + 1) == '=' || (i && (text[i - 1] == '-' || text[i - 1] == '=')))
        break;
      [[fallthrough]];
    case ')':
    case ']':
    case '}':
      depth = std::max<int64_t>(depth - 1, 0);
      break;
    default:
      break;
    }
  }
  return StringRef::npos;
}

std::string ew::tools::findUnparsable(llvm::MemoryBufferRef buffer) {
  if (mlir::isBytecode(buffer))
    return {};
  StringRef text = buffer.getBuffer();
  std::string name = buffer.getBufferIdentifier().str();
  // MLIR's lexer takes it for the end.
  if (text.contains('\0'))
    return name + " is neither MLIR text nor bytecode";
  size_t place = findTooDeep(text);
  if (place == StringRef::npos)
    return {};
  StringRef before = text.take_front(place);
  size_t line = before.count('\n') + 1;
  size_t column = place - (before.rfind('\n') + 1) + 1;
  return name + ":" + std::to_string(line) + ":" + std::to_string(column) +
         ": more than " + std::to_string(maxDepth) +
         " brackets inside of one another, which is more than can be parsed";
}
