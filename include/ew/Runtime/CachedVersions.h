//===- CachedVersions.h - Versions of kernels on disk -----------*- C++ -*-===//
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

/// The key of the program that a program became when kernels of it took too
/// many registers.
CacheKey getSettledKey(const CacheKey &program);

/// Versions of a program's kernels from the disk cache, each an entry of its
/// own under the program's key, its kernel's name and its schedule. What is not
/// there comes from another source, which is made for the program as it is when
/// it is first needed, and is then kept. A plan that this source gives in the
/// program's place is an entry, too, so that it need not be looked for again.
class CachedVersions : public VersionSource {
public:
  using Make = std::function<llvm::Expected<std::shared_ptr<VersionSource>>(
      const Program &program)>;

  /// `cache` outlives this.
  CachedVersions(Cache &cache, const CacheKey &key, Make make)
      : cache(cache), key(key), make(std::move(make)) {}

  llvm::Expected<std::vector<CodeModule>>
  compile(const Program &program, llvm::ArrayRef<VersionId> versions) override;
  llvm::Expected<std::optional<Plan>>
  reconsider(const Program &program, VersionId version,
             const KernelResources &resources) override;

private:
  CacheKey keyOf(const Program &program, VersionId version) const;
  llvm::Error needSource(const Program &program);

  Cache &cache;
  CacheKey key;
  Make make;
  std::shared_ptr<VersionSource> source;
};

} // namespace ew::runtime

#endif // EW_RUNTIME_CACHEDVERSIONS_H
