//===- Suggest.h - What a misspelt name may have meant ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_SUPPORT_SUGGEST_H
#define EW_SUPPORT_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace ew {

/// The one of `known` that is nearest to `name`; empty where none is so near
/// that it may have been meant.
inline llvm::StringRef findClosest(llvm::StringRef name,
                                   llvm::ArrayRef<llvm::StringRef> known) {
  auto sorted = [](llvm::StringRef text) {
    std::string letters = text.lower();
    llvm::sort(letters);
    return letters;
  };
  unsigned most = (name.size() + 2) / 3;
  llvm::StringRef best;
  for (llvm::StringRef candidate : known) {
    unsigned distance = name.edit_distance_insensitive(
        candidate, /*AllowReplacements=*/true, /*MaxEditDistance=*/most + 1);
    // Two letters that changed places are one slip, not two.
    if (distance > 1 && sorted(name) == sorted(candidate))
      --distance;
    if (distance > most || (distance == most && !best.empty()))
      continue;
    best = candidate;
    most = distance;
  }
  return best;
}

/// "; did you mean 'alpha'?", or nothing.
inline std::string suggest(llvm::StringRef name,
                           llvm::ArrayRef<llvm::StringRef> known) {
  llvm::StringRef closest = findClosest(name, known);
  return closest.empty() ? "" : "; did you mean '" + closest.str() + "'?";
}

/// "default, strict or fast".
inline std::string listChoices(llvm::ArrayRef<llvm::StringRef> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0                  ? ""
             : i + 1 == names.size() ? " or "
                                     : ", ") +
            names[i].str();
  return text;
}

} // namespace ew

#endif // EW_SUPPORT_SUGGEST_H
