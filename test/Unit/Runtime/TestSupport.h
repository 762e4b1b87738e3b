//===- TestSupport.h - What several tests of the runtime need ---*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_RUNTIME_TESTSUPPORT_H
#define EW_TEST_UNIT_RUNTIME_TESTSUPPORT_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>
#include <random>

namespace ew::runtime::test {

/// The value, or a failed test and a default.
template <typename T>
T take(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError());
  return T();
}

inline std::string messageOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}
template <typename T>
std::string messageOf(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

/// A directory that goes away with the object.
struct TemporaryDirectory {
  llvm::SmallString<128> path;
  TemporaryDirectory() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("ew-test", path));
  }
  ~TemporaryDirectory() { llvm::sys::fs::remove_directories(path); }

  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> full(path);
    llvm::sys::path::append(full, name);
    return full.str().str();
  }
  /// Names of the files in it.
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(path, code), end;
         it != end && !code; it.increment(code))
      names.push_back(llvm::sys::path::filename(it->path()).str());
    return names;
  }
};

/// `text` with a few bytes changed, removed, inserted or cut off.
inline std::string mutate(std::string text, std::mt19937 &random) {
  auto below = [&](size_t n) { return n ? random() % n : 0; };
  static constexpr char kAlphabet[] =
      "0123456789x.,:=@[]()'{}-+eEpfiu <>|\n\xFF";
  for (int edits = 1 + below(4); edits > 0; --edits) {
    size_t at = below(text.size());
    char c = below(4) ? kAlphabet[below(sizeof(kAlphabet))] : random();
    switch (below(5)) {
    case 0:
      text.insert(text.begin() + at, c);
      break;
    case 1:
      if (!text.empty())
        text.erase(at, 1 + below(4));
      break;
    case 2:
      if (below(4) == 0)
        text.resize(at);
      break;
    default:
      if (!text.empty())
        text[at] = c;
    }
  }
  return text;
}

} // namespace ew::runtime::test

#endif // EW_TEST_UNIT_RUNTIME_TESTSUPPORT_H
