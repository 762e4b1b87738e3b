//===- CachedVersions.cpp - Versions of kernels on disk -----*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/CachedVersions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ew::runtime;
using llvm::StringRef;

/// An entry is the kind of its code, a line break, the code.
static StringRef nameOf(CodeKind kind) {
  switch (kind) {
  case CodeKind::PTX:
    return "ptx";
  case CodeKind::Cubin:
    return "cubin";
  case CodeKind::Object:
    return "object";
  }
  return "";
}

static std::optional<CodeKind> parseKind(StringRef name) {
  return llvm::StringSwitch<std::optional<CodeKind>>(name)
      .Case("ptx", CodeKind::PTX)
      .Case("cubin", CodeKind::Cubin)
      .Case("object", CodeKind::Object)
      .Default(std::nullopt);
}

CacheKey CachedVersions::keyOf(StringRef kernel) const {
  CacheKey version = key;
  version.add("kernel", kernel);
  return version;
}

llvm::Expected<std::vector<CodeModule>>
CachedVersions::compile(const Program &program,
                        llvm::ArrayRef<VersionId> versions) {
  std::vector<CodeModule> code(versions.size());
  std::vector<VersionId> missing;
  std::vector<size_t> places;
  for (auto [place, id] : llvm::enumerate(versions)) {
    const std::string &kernel = program[id].kernel;
    if (std::optional<std::string> entry = cache.lookup(keyOf(kernel))) {
      auto [kind, bytes] = StringRef(*entry).split('\n');
      if (std::optional<CodeKind> known = parseKind(kind)) {
        code[place] = {*known, kernel, bytes.str()};
        continue;
      }
    }
    missing.push_back(id);
    places.push_back(place);
  }
  if (missing.empty())
    return code;

  if (!source) {
    llvm::Expected<std::shared_ptr<VersionSource>> made = make();
    if (!made)
      return made.takeError();
    source = std::move(*made);
  }
  llvm::Expected<std::vector<CodeModule>> fresh =
      source->compile(program, missing);
  if (!fresh)
    return fresh.takeError();
  for (auto [place, id, module] : llvm::zip_equal(places, missing, *fresh)) {
    cache.store(keyOf(program[id].kernel),
                nameOf(module.kind).str() + "\n" + module.code);
    code[place] = std::move(module);
  }
  return code;
}
