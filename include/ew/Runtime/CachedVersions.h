//===- CachedVersions.h - Versions of kernels on disk -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_CACHEDVERSIONS_H
#define EW_RUNTIME_CACHEDVERSIONS_H

#include "ew/Runtime/Cache.h"
#include "ew/Runtime/Plan.h"

namespace ew::runtime {

/// Versions of a program's kernels from the disk cache, each an entry of its
/// own under the program's key and its kernel's name. What is not there comes
/// from another source, which is made when it is first needed, and is then
/// kept.
class CachedVersions : public VersionSource {
public:
  using Make = std::function<llvm::Expected<std::shared_ptr<VersionSource>>()>;

  /// `cache` outlives this.
  CachedVersions(Cache &cache, const CacheKey &key, Make make)
      : cache(cache), key(key), make(std::move(make)) {}

  llvm::Expected<std::vector<CodeModule>>
  compile(const Program &program, llvm::ArrayRef<VersionId> versions) override;

private:
  CacheKey keyOf(llvm::StringRef kernel) const;

  Cache &cache;
  CacheKey key;
  Make make;
  std::shared_ptr<VersionSource> source;
};

} // namespace ew::runtime

#endif // EW_RUNTIME_CACHEDVERSIONS_H
