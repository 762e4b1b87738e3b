//===- Plural.h - Numbers of things in messages -----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_SUPPORT_PLURAL_H
#define EW_SUPPORT_PLURAL_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace ew {

/// "1 block", "2 blocks".
inline std::string plural(uint64_t count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

} // namespace ew

#endif // EW_SUPPORT_PLURAL_H
