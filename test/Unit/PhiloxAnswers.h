//===- PhiloxAnswers.h - Known answers of Philox4x32 ------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_PHILOXANSWERS_H
#define EW_TEST_UNIT_PHILOXANSWERS_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

namespace ew::test {

struct PhiloxAnswer {
  unsigned rounds;
  /// Counter (4), key (2) and block (4), low words first.
  std::array<uint32_t, 10> words;
};

/// Random123's, from the folder EW_GOLDEN_DIR; none where that is not set.
inline std::optional<std::vector<PhiloxAnswer>> readPhiloxAnswers() {
  const char *folder = std::getenv("EW_GOLDEN_DIR");
  if (!folder || !*folder)
    return std::nullopt;
  std::vector<PhiloxAnswer> answers;
  auto file =
      llvm::MemoryBuffer::getFile(std::string(folder) + "/philox4x32_kat.txt");
  if (!file)
    return answers;
  llvm::SmallVector<llvm::StringRef> lines;
  (*file)->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    // philox4x32 ROUNDS COUNTER.. KEY.. BLOCK..
    llvm::SmallVector<llvm::StringRef> fields;
    llvm::SplitString(line, fields);
    PhiloxAnswer answer;
    if (fields.size() != 12 || fields[0] != "philox4x32" ||
        fields[1].getAsInteger(10, answer.rounds))
      continue;
    bool valid = true;
    for (size_t i = 0; i < answer.words.size(); ++i)
      valid &= !fields[2 + i].getAsInteger(16, answer.words[i]);
    if (valid)
      answers.push_back(answer);
  }
  return answers;
}

} // namespace ew::test

#endif // EW_TEST_UNIT_PHILOXANSWERS_H
