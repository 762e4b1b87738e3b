//===- CachedVersions.cpp - Versions of kernels on disk -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/CachedVersions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

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

CacheKey ew::runtime::getSettledKey(const CacheKey &program) {
  CacheKey settled = program;
  settled.add("settled", "");
  return settled;
}

/// What a name stands for is another kernel once one before it was split.
CacheKey CachedVersions::keyOf(const Program &program, VersionId id) const {
  const Launch &launch = program.plan.launches[id.launch];
  CacheKey version = key;
  version.add("kernel", program[id].kernel);
  version.add("fingerprint", launch.fingerprint);
  version.add("schedule", launch.schedule);
  return version;
}

llvm::Error CachedVersions::needSource(const Program &program) {
  if (source)
    return llvm::Error::success();
  llvm::Expected<std::shared_ptr<VersionSource>> made = make(program);
  if (!made)
    return made.takeError();
  source = std::move(*made);
  return llvm::Error::success();
}

llvm::Expected<std::optional<Plan>>
CachedVersions::reconsider(const Program &program, VersionId version,
                           const KernelResources &resources) {
  if (llvm::Error error = needSource(program))
    return std::move(error);
  llvm::Expected<std::optional<Plan>> plan =
      source->reconsider(program, version, resources);
  // In the middle of it nobody could go on who has not been there.
  if (plan && *plan &&
      llvm::all_of((*plan)->backOffs,
                   [](const BackOff &backOff) { return backOff.done; })) {
    Program settled;
    settled.target = program.target;
    settled.chip = program.chip;
    settled.plan = **plan;
    cache.store(getSettledKey(key),
                llvm::formatv("{0}", toJSON(settled)).str());
  }
  return plan;
}

llvm::Expected<std::vector<CodeModule>>
CachedVersions::compile(const Program &program,
                        llvm::ArrayRef<VersionId> versions) {
  std::vector<CodeModule> code(versions.size());
  std::vector<VersionId> missing;
  std::vector<size_t> places;
  for (auto [place, id] : llvm::enumerate(versions)) {
    const std::string &kernel = program[id].kernel;
    if (std::optional<std::string> entry = cache.lookup(keyOf(program, id))) {
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

  if (llvm::Error error = needSource(program))
    return std::move(error);
  llvm::Expected<std::vector<CodeModule>> fresh =
      source->compile(program, missing);
  if (!fresh)
    return fresh.takeError();
  for (auto [place, id, module] : llvm::zip_equal(places, missing, *fresh)) {
    cache.store(keyOf(program, id),
                nameOf(module.kind).str() + "\n" + module.code);
    code[place] = std::move(module);
  }
  return code;
}
