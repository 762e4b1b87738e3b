//===- CachedVersionsTest.cpp - Versions of kernels on disk ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/CachedVersions.h"
#include "Kernels.h"
#include "TestSupport.h"

using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

/// Compiles to the kernel's name, and counts.
struct Source : VersionSource {
  llvm::Expected<std::vector<CodeModule>>
  compile(const Program &program, llvm::ArrayRef<VersionId> versions) override {
    std::vector<CodeModule> code;
    for (VersionId id : versions)
      code.push_back({CodeKind::Cubin, "", "code\nof " + program[id].kernel});
    compiled += versions.size();
    return code;
  }
  llvm::Expected<std::optional<Plan>>
  reconsider(const Program &, VersionId, const KernelResources &) override {
    return plan;
  }
  unsigned compiled = 0;
  std::optional<Plan> plan; // what it would rather have
};

struct CachedVersionsTest : testing::Test {
  /// What a process finds that asks for these versions.
  std::vector<std::string> ask(llvm::StringRef file,
                               std::vector<VersionId> versions) {
    Cache cache(directory.file("cache"), maxBytes, nullptr);
    CachedVersions cached(
        cache, CacheKey().add("file", file), [this](const Program &) {
          ++made;
          return llvm::Expected<std::shared_ptr<VersionSource>>(source);
        });
    std::vector<std::string> texts;
    for (CodeModule &module : take(cached.compile(program, versions))) {
      EXPECT_EQ(module.kind, CodeKind::Cubin);
      texts.push_back(module.code);
    }
    return texts;
  }

  TemporaryDirectory directory;
  uint64_t maxBytes = Cache::kDefaultMaxBytes;
  Program program = addProgram({-1, -1});
  std::shared_ptr<Source> source = std::make_shared<Source>();
  unsigned made = 0;
};

TEST_F(CachedVersionsTest, EachVersionIsCompiledOnce) {
  program.plan.launches[0].variants[0].kernel = "wide";
  std::vector<std::string> wide{"code\nof wide"};
  EXPECT_EQ(ask("f", {{0, 0}}), wide);
  EXPECT_EQ(source->compiled, 1u);
  EXPECT_EQ(ask("f", {{0, 0}}), wide);
  EXPECT_EQ(source->compiled, 1u);
  EXPECT_EQ(made, 1u); // what is all there needs no compiler

  // One is there, one is not; in the order asked for.
  std::vector<std::string> both{"code\nof add_strided", "code\nof wide"};
  EXPECT_EQ(ask("f", {{0, 2}, {0, 0}}), both);
  EXPECT_EQ(source->compiled, 2u);
  EXPECT_EQ(ask("f", {{0, 2}, {0, 0}}), both);
  EXPECT_EQ(source->compiled, 2u);

  // Another program has others.
  EXPECT_EQ(ask("g", {{0, 0}}), wide);
  EXPECT_EQ(source->compiled, 3u);
}

/// The same name stands for other code once the kernel has another schedule.
TEST_F(CachedVersionsTest, SchedulesTellVersionsApart) {
  std::vector<std::string> add{"code\nof add"};
  EXPECT_EQ(ask("f", {{0, 1}}), add);
  program.plan.launches[0].schedule = "block=128,elements=4,unroll=1";
  EXPECT_EQ(ask("f", {{0, 1}}), add);
  EXPECT_EQ(source->compiled, 2u);
  program.plan.launches[0].fingerprint = "another kernel";
  EXPECT_EQ(ask("f", {{0, 1}}), add);
  EXPECT_EQ(source->compiled, 3u);
  EXPECT_EQ(ask("f", {{0, 1}}), add);
  EXPECT_EQ(source->compiled, 3u);
}

TEST_F(CachedVersionsTest, WithoutACache) {
  maxBytes = 0;
  for (unsigned i = 1; i <= 2; ++i) {
    EXPECT_EQ(ask("f", {{0, 1}}), std::vector<std::string>{"code\nof add"});
    EXPECT_EQ(source->compiled, i);
  }
}

TEST_F(CachedVersionsTest, EntriesOfAnUnknownKind) {
  CacheKey key = CacheKey()
                     .add("file", "f")
                     .add("kernel", "add")
                     .add("fingerprint", "")
                     .add("schedule", "");
  Cache(directory.file("cache"), maxBytes, nullptr).store(key, "wasm\ncode");
  EXPECT_EQ(ask("f", {{0, 1}}), std::vector<std::string>{"code\nof add"});
  EXPECT_EQ(source->compiled, 1u);
}

/// Others begin with what a process has settled, and with nothing before.
TEST_F(CachedVersionsTest, SettledPlans) {
  Cache cache(directory.file("cache"), maxBytes, nullptr);
  CacheKey key = CacheKey().add("file", "f");
  CachedVersions cached(cache, key, [this](const Program &) {
    return llvm::Expected<std::shared_ptr<VersionSource>>(source);
  });
  auto getSettled = [&] {
    take(cached.reconsider(program, {0, 0}, {}));
    return cache.lookup(getSettledKey(key));
  };
  EXPECT_EQ(getSettled(), std::nullopt);
  program.chip = "sm_90";
  source->plan = program.plan;
  for (Variant &variant : source->plan->launches[0].variants)
    variant.module = std::nullopt;
  for (bool done : {true, false})
    source->plan->backOffs.push_back(
        {"abc", "add", "f.mlir:3:8", "model", {{"block=128"}}, done, 0});
  EXPECT_EQ(getSettled(), std::nullopt);
  source->plan->backOffs[1].done = true;
  std::optional<std::string> settled = getSettled();
  ASSERT_TRUE(settled);
  Program found = take(fromJSON(llvm::cantFail(llvm::json::parse(*settled))));
  EXPECT_EQ(found.chip, "sm_90");
  EXPECT_EQ(found.target, program.target);
  EXPECT_EQ(found.plan.backOffs.size(), 2u);
}

} // namespace
