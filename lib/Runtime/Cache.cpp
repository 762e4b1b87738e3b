//===- Cache.cpp - Compiled programs on disk ------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Cache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace ew::runtime {

/// An entry is this, a checksum of the key's digest and the bytes, the bytes.
/// It needs no length: what is cut off or longer has another checksum.
static constexpr StringLiteral kMagic("EWCACHE1");
static constexpr StringLiteral kSuffix(".ewc");
static constexpr StringLiteral kTemporary("tmp-");
static constexpr size_t kDigestBytes = 32;

CacheKey &CacheKey::add(StringRef label, StringRef bytes) {
  for (StringRef part : {label, bytes}) {
    char length[8];
    support::endian::write64le(length, part.size());
    hash.update(StringRef(length, sizeof(length)));
    hash.update(part);
  }
  return *this;
}

std::string CacheKey::digest() const {
  return toHex(hash.result(), /*LowerCase=*/true);
}

static std::array<uint8_t, 32> checksum(StringRef digest, StringRef bytes) {
  SHA256 hash;
  hash.update(digest);
  hash.update(bytes);
  return hash.final();
}

Cache::Cache(StringRef directory, uint64_t maxBytes, Warn warn)
    : maxBytes(maxBytes), warn(std::move(warn)) {
  if (directory.empty())
    return;
  SmallString<128> absolute(directory);
  (void)sys::fs::make_absolute(absolute);
  this->directory = absolute.str().str();
}

/// Bytes with an optional K, M or G.
static std::optional<uint64_t> parseSize(StringRef text) {
  unsigned shift = 0;
  for (auto [suffix, bits] : {std::pair("K", 10u), {"M", 20u}, {"G", 30u}})
    if (text.consume_back_insensitive(suffix)) {
      shift = bits;
      break;
    }
  uint64_t value;
  if (text.getAsInteger(10, value) || value << shift >> shift != value)
    return std::nullopt;
  return value << shift;
}

Cache Cache::fromEnvironment(Warn warn) {
  uint64_t maxBytes = kDefaultMaxBytes;
  if (auto text = sys::Process::GetEnv("EW_CACHE_SIZE")) {
    if (auto size = parseSize(*text))
      maxBytes = *size;
    else if (warn)
      warn("EW_CACHE_SIZE is '" + *text +
           "', which is no size like 500M; using 1G");
  }
  if (auto set = sys::Process::GetEnv("EW_CACHE_DIR"))
    return Cache(*set, maxBytes, std::move(warn));
  SmallString<128> path;
  auto base = sys::Process::GetEnv("XDG_CACHE_HOME");
  if (base && sys::path::is_absolute(*base)) {
    path = *base;
  } else {
    if (!sys::path::home_directory(path))
      return Cache();
    sys::path::append(path, ".cache");
  }
  sys::path::append(path, "ew");
  return Cache(path, maxBytes, std::move(warn));
}

void Cache::disable(const Twine &why) {
  if (warn)
    warn(("working without the cache: " + why).str());
  directory.clear();
}

std::string Cache::pathOf(const CacheKey &key) const {
  SmallString<128> path(directory);
  sys::path::append(path, key.digest() + kSuffix);
  return path.str().str();
}

/// Entries are run as code, so nobody else may have written them.
bool Cache::isPrivate() {
  sys::fs::file_status status;
  if (sys::fs::status(directory, status))
    return false; // gone again; the caller's next step says so
  if (status.getUser() != ::geteuid()) {
    disable("'" + directory + "' belongs to another user");
    return false;
  }
  if (status.permissions() & (sys::fs::group_write | sys::fs::others_write)) {
    disable("'" + directory + "' may be written to by other users");
    return false;
  }
  return true;
}

bool Cache::prepareDirectory() {
  if (directory.empty() || prepared)
    return !directory.empty();
  StringRef parent = sys::path::parent_path(directory);
  std::error_code code;
  if (!parent.empty())
    code = sys::fs::create_directories(parent);
  if (!code)
    code = sys::fs::create_directory(directory, /*IgnoreExisting=*/true,
                                     sys::fs::owner_all);
  if (!code && !sys::fs::is_directory(directory))
    code = std::make_error_code(std::errc::not_a_directory);
  if (code) {
    disable("cannot use '" + directory + "': " + code.message());
    return false;
  }
  prepared = isPrivate();
  return prepared;
}

std::optional<std::string> Cache::lookup(const CacheKey &key) {
  if (directory.empty() || maxBytes == 0 || !sys::fs::is_directory(directory) ||
      !isPrivate())
    return std::nullopt;
  std::string path = pathOf(key);
  // A pipe of that name would be waited for.
  if (!sys::fs::is_regular_file(path))
    return std::nullopt;
  // Volatile: read, not mapped, so that a file that shrinks is no signal.
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false,
                                    /*IsVolatile=*/true);
  if (!file)
    return std::nullopt;
  StringRef bytes = (*file)->getBuffer();
  StringRef stored = bytes.substr(kMagic.size(), kDigestBytes);
  StringRef payload = bytes.substr(kMagic.size() + kDigestBytes);
  if (!bytes.starts_with(kMagic) ||
      stored != toStringRef(checksum(key.digest(), payload))) {
    (void)sys::fs::remove(path);
    return std::nullopt;
  }
  // Used now, for what is evicted first.
  int fd;
  if (!sys::fs::openFileForRead(path, fd)) {
    auto now = std::chrono::system_clock::now();
    (void)sys::fs::setLastAccessAndModificationTime(fd, now, now);
    ::close(fd);
  }
  return payload.str();
}

void Cache::store(const CacheKey &key, StringRef bytes) {
  uint64_t size = kMagic.size() + kDigestBytes + bytes.size();
  if (size > maxBytes || !prepareDirectory())
    return;
  SmallString<128> model(directory);
  sys::path::append(model, kTemporary + Twine("%%%%%%%%%%%%"));
  auto temporary = sys::fs::TempFile::create(model, sys::fs::owner_read |
                                                        sys::fs::owner_write);
  if (!temporary)
    return disable("cannot write to '" + directory +
                   "': " + toString(temporary.takeError()));
  std::error_code code;
  {
    raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
    os << kMagic << toStringRef(checksum(key.digest(), bytes)) << bytes;
    os.flush();
    code = os.error();
    os.clear_error();
  }
  // No fsync: after a crash the checksum finds what didn't reach the disk.
  Error error = code ? temporary->discard() : temporary->keep(pathOf(key));
  if (error)
    code = errorToErrorCode(std::move(error));
  if (code)
    return disable("cannot write to '" + directory + "': " + code.message());
  evict();
}

/// Removes entries, those unused for longest first, until the rest fit; and
/// temporary files that a killed process left an hour ago. Nothing else in the
/// directory is touched. Others may do the same at the same time.
void Cache::evict() {
  struct Entry {
    sys::TimePoint<> used;
    std::string path;
    uint64_t size;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  auto hourAgo = std::chrono::system_clock::now() - std::chrono::hours(1);
  std::error_code code;
  for (sys::fs::directory_iterator it(directory, code), end; it != end && !code;
       it.increment(code)) {
    StringRef name = sys::path::filename(it->path());
    sys::fs::file_status status;
    bool isEntry = name.ends_with(kSuffix) &&
                   name.size() == 2 * kDigestBytes + kSuffix.size();
    if ((!isEntry && !name.starts_with(kTemporary)) ||
        sys::fs::status(it->path(), status, /*follow=*/false) ||
        !sys::fs::is_regular_file(status))
      continue;
    if (isEntry) {
      entries.push_back(
          {status.getLastModificationTime(), it->path(), status.getSize()});
      total += status.getSize();
    } else if (status.getLastModificationTime() < hourAgo) {
      (void)sys::fs::remove(it->path());
    }
  }
  if (total <= maxBytes)
    return;
  llvm::sort(entries,
             [](const Entry &a, const Entry &b) { return a.used < b.used; });
  // Some room is made at once, so that not every store has to.
  for (const Entry &entry : entries) {
    if (total <= maxBytes - maxBytes / 8)
      return;
    (void)sys::fs::remove(entry.path);
    total -= entry.size;
  }
}

} // namespace ew::runtime
