//===- Cache.h - Compiled programs on disk ----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_CACHE_H
#define EW_RUNTIME_CACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SHA256.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace ew::runtime {

/// A hash of everything that an entry depends on. Labels and lengths are hashed
/// too, so that parts cannot run into one another.
class CacheKey {
public:
  CacheKey &add(llvm::StringRef label, llvm::StringRef bytes);
  /// 64 hexadecimal digits.
  std::string digest() const;

private:
  mutable llvm::SHA256 hash;
};

/// A directory of entries, each under its key. Never an error: what cannot be
/// read is a miss, what cannot be written is not kept, and the first reason for
/// that is told to `warn`. Safe to share between threads' own objects and
/// between processes: entries appear whole, by a rename, and carry a checksum.
/// Private to the user, since entries hold code.
class Cache {
public:
  using Warn = std::function<void(llvm::StringRef)>;
  static constexpr uint64_t kDefaultMaxBytes = uint64_t(1) << 30;

  /// A cache that never has anything.
  Cache() = default;
  /// In `directory`, which is made when first written to; empty for none. When
  /// entries take more than `maxBytes`, those unused for longest are removed.
  Cache(llvm::StringRef directory, uint64_t maxBytes, Warn warn);

  /// As the environment says: EW_CACHE_DIR (empty: none), else ew in
  /// XDG_CACHE_HOME, else ~/.cache/ew; and EW_CACHE_SIZE, in bytes or with a
  /// suffix K, M or G.
  static Cache fromEnvironment(Warn warn);

  /// The entry under this key, or nothing. It counts as used now.
  std::optional<std::string> lookup(const CacheKey &key);
  /// In the place of an entry of the same key.
  void store(const CacheKey &key, llvm::StringRef bytes);

  /// Empty where there is no cache.
  llvm::StringRef getDirectory() const { return directory; }

private:
  bool prepareDirectory();
  bool isPrivate();
  void disable(const llvm::Twine &why);
  std::string pathOf(const CacheKey &key) const;
  void evict();

  std::string directory;
  uint64_t maxBytes = 0;
  Warn warn;
  bool prepared = false;
};

} // namespace ew::runtime

#endif // EW_RUNTIME_CACHE_H
