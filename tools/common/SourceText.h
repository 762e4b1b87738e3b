//===- SourceText.h - What cannot be parsed ---------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_COMMON_SOURCETEXT_H
#define EW_TOOLS_COMMON_SOURCETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>

namespace ew::tools {

/// Why MLIR's parser, which takes a part of the stack for each bracket inside
/// of another, should not see a text; with its place. Empty: there is no
/// reason. Bytecode has none.
std::string findUnparsable(llvm::MemoryBufferRef buffer);

/// With what a terminal would take for more than text written as MLIR does:
/// control characters but for ends of lines and tabs, bytes of no UTF-8.
std::string makePrintable(llvm::StringRef text);

} // namespace ew::tools

#endif // EW_TOOLS_COMMON_SOURCETEXT_H
