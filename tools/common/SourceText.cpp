//===- SourceText.cpp - What cannot be parsed -----------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/SourceText.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using llvm::StringRef;

/// MLIR 22's parser overflows a stack of 8 MiB at some 3,600 modules inside of
/// one another, 4,000 memory spaces, 4,100 brackets of regions.
static constexpr unsigned maxDepth = 1000;

/// Bytes of the character that begins here; 0 where it is of no text: of no
/// UTF-8, or a control character.
static unsigned getLength(StringRef text) {
  unsigned char first = text.front();
  if (first < 0x80)
    return llvm::isPrint(first) || first == '\n' || first == '\t' ? 1 : 0;
  const auto *begin = text.bytes_begin();
  unsigned length = llvm::getNumBytesForUTF8(first);
  const auto *end = begin + std::min<size_t>(length, text.size());
  if (!llvm::isLegalUTF8Sequence(begin, end))
    return 0;
  return first == 0xC2 && begin[1] < 0xA0 ? 0 : length;
}

std::string ew::tools::makePrintable(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  while (!text.empty()) {
    if (unsigned length = getLength(text)) {
      os << text.take_front(length);
      text = text.drop_front(length);
    } else {
      os << '\\' << llvm::toHex(text.take_front());
      text = text.drop_front();
    }
  }
  return result;
}

namespace {
/// What keeps a text from being parsed.
struct Obstacle {
  size_t place = StringRef::npos;
  bool isDepth = false; // so many brackets are open; else a byte of no text
};
} // namespace

/// The first one. Comparisons in affine sets and arrows are no brackets; what
/// stands in strings and comments is none, and may be any bytes.
static Obstacle findObstacle(StringRef text) {
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
        return {i, true};
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
    case '\r':
      break;
    default:
      unsigned length = getLength(text.drop_front(i));
      if (length == 0)
        return {i, false};
      i += length - 1;
      break;
    }
  }
  return {};
}

std::string ew::tools::findUnparsable(llvm::MemoryBufferRef buffer) {
  if (mlir::isBytecode(buffer))
    return {};
  StringRef text = buffer.getBuffer();
  std::string name = buffer.getBufferIdentifier().str();
  // MLIR's lexer takes it for the end.
  if (text.contains('\0'))
    return name + " is neither MLIR text nor bytecode";
  auto [place, isDepth] = findObstacle(text);
  if (place == StringRef::npos)
    return {};
  StringRef before = text.take_front(place);
  size_t line = before.count('\n') + 1;
  size_t column = place - (before.rfind('\n') + 1) + 1;
  std::string where =
      name + ":" + std::to_string(line) + ":" + std::to_string(column);
  if (isDepth)
    return where + ": more than " + std::to_string(maxDepth) +
           " brackets inside of one another, which is more than can be parsed";
  return where + ": byte 0x" + llvm::toHex(text.substr(place, 1)) +
         " is of no text in UTF-8: this is neither MLIR text nor bytecode";
}
