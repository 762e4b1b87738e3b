//===- LargeIndexTest.cpp - Kernels beyond 2^31 elements ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A few blocks of kernels over rows of more than 2^31 elements, around the
// places where 32 bits would not do. The buffers are address space, of which
// only what these blocks touch becomes memory.
//
//===----------------------------------------------------------------------===//

#include "../TestContext.h"
#include "Philox.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Runtime/Geometry.h"
#include "ew/Runtime/ObjectLoader.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace mlir;
using namespace ew;
namespace rt = ew::runtime;

namespace {

constexpr int64_t kRow = (int64_t(1) << 31) + 5;

/// Bytes that are zero until they are written.
class Space {
public:
  explicit Space(int64_t bytes)
      : bytes(bytes),
        memory(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Space() {
    if (isThere())
      munmap(memory, bytes);
  }
  Space(const Space &) = delete;
  Space &operator=(const Space &) = delete;

  bool isThere() const { return memory != MAP_FAILED; }
  int8_t &operator[](int64_t at) { return static_cast<int8_t *>(memory)[at]; }
  rt::Tensor tensor(ArrayRef<int64_t> shape) const {
    return rt::makeTensor(
        rt::ElementType::I8, shape,
        rt::Buffer::wrap(reinterpret_cast<uint64_t>(memory), bytes));
  }

private:
  int64_t bytes;
  void *memory;
};

/// A GPU kernel as the emulator has it.
class LargeIndexTest : public ::testing::Test {
protected:
  void load(const char *text) {
    test::TestContext context;
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    CompileOptions options;
    options.target = rt::Target::Emulated;
    options.chip = "sm_80";
    FailureOr<rt::Program> compiled = compile(*module, "", options);
    ASSERT_TRUE(succeeded(compiled));
    program = std::move(*compiled);
    ASSERT_EQ(program.plan.launches.size(), 1u);
  }

  const rt::Launch &launch() const { return program.plan.launches[0]; }

  /// Chooses the variant as the launcher does.
  void prepare(ArrayRef<int64_t> loops, ArrayRef<const rt::Tensor *> operands) {
    geometry = llvm::cantFail(rt::computeGeometry(launch(), loops, operands));
    auto choice =
        llvm::cantFail(rt::chooseVariant(launch(), geometry, 0x7fffffff));
    variant = &launch().variants[choice];
    loader = llvm::cantFail(rt::ObjectLoader::load(
        program.modules[*variant->module].code, "kernels"));
    packed = reinterpret_cast<void (*)(void **)>(
        llvm::cantFail(loader->lookup("_ew_packed_" + variant->kernel)));
    slots.clear();
    for (const rt::KernelArg &arg : variant->args)
      slots.push_back(
          arg.kind == rt::KernelArg::Kind::Pointer
              ? operands[arg.operand]->address()
              : rt::evaluateArgument(launch(), *variant, arg, geometry));
  }

  /// Runs the threads of one block, one after the other: there are no barriers.
  void run(int64_t block) {
    int64_t grid = *rt::countBlocks(*variant, geometry),
            threads = variant->block;
    ASSERT_LT(block, grid);
    std::vector<void *> args;
    for (uint64_t &slot : slots)
      args.push_back(&slot);
    int64_t thread = 0;
    void *shared = nullptr;
    for (void *arg : std::initializer_list<void *>{&block, &grid, &thread,
                                                   &threads, &shared})
      args.push_back(arg);
    for (; thread < threads; ++thread)
      packed(args.data());
  }

  rt::Program program;
  rt::Geometry geometry;
  const rt::Variant *variant = nullptr;
  std::unique_ptr<rt::ObjectLoader> loader;
  void (*packed)(void **) = nullptr;
  std::vector<uint64_t> slots;
};

int8_t valueAt(uint64_t position) { return (position * 2654435761) >> 7; }

TEST_F(LargeIndexTest, Rows) {
  load(R"(
func.func @f(%x: tensor<?x?xi8>, %row: tensor<?xi8>) -> tensor<?x?xi8> {
  %r = ew.broadcast %row like(%x : tensor<?x?xi8>) : tensor<?xi8> to tensor<?x?xi8>
  %0 = ew.sub %x, %r : tensor<?x?xi8>
  return %0 : tensor<?x?xi8>
})");
  constexpr int64_t count = 3 * kRow;
  Space x(count), row(kRow), out(count + 64);
  if (!x.isThere() || !row.isThere() || !out.isThere())
    GTEST_SKIP() << "no address space";
  rt::Tensor tx = x.tensor({3, kRow}), trow = row.tensor({kRow}),
             tout = out.tensor({3, kRow});
  prepare({3, kRow}, {&tx, &trow, &tout});
  EXPECT_TRUE(StringRef(variant->kernel).ends_with("_general64"));
  EXPECT_EQ(variant->indexWidth, 64u);
  int64_t perBlock = variant->elementsPerBlock;
  for (int64_t at : {int64_t(0), int64_t(1) << 31, kRow, int64_t(1) << 32,
                     2 * kRow, count - 1}) {
    int64_t block = at / perBlock, begin = block * perBlock,
            end = std::min(begin + perBlock, count);
    for (int64_t i = begin; i < end; ++i) {
      x[i] = valueAt(i);
      row[i % kRow] = valueAt(~(i % kRow));
    }
    run(block);
    for (int64_t i = begin; i < end; ++i)
      ASSERT_EQ(out[i], int8_t(valueAt(i) - valueAt(~(i % kRow)))) << i;
  }
  for (int64_t i = count; i < count + 64; ++i)
    EXPECT_EQ(out[i], 0) << "behind the end";
}

TEST_F(LargeIndexTest, OneDimension) {
  load(R"(
func.func @f(%x: tensor<?xi8>) -> tensor<?xi8> {
  %0 = ew.not %x : tensor<?xi8>
  return %0 : tensor<?xi8>
})");
  constexpr int64_t count = 2 * kRow + 1;
  Space x(count), out(count + 64);
  if (!x.isThere() || !out.isThere())
    GTEST_SKIP() << "no address space";
  rt::Tensor tx = x.tensor({count}), tout = out.tensor({count});
  prepare({count}, {&tx, &tout});
  EXPECT_TRUE(StringRef(variant->kernel).ends_with("_wide"));
  int64_t perBlock = variant->elementsPerBlock;
  for (int64_t at : {int64_t(1) << 31, int64_t(1) << 32, count - 1}) {
    int64_t block = at / perBlock, begin = block * perBlock,
            end = std::min(begin + perBlock, count);
    for (int64_t i = begin; i < end; ++i)
      x[i] = valueAt(i);
    run(block);
    for (int64_t i = begin; i < end; ++i)
      ASSERT_EQ(out[i], int8_t(~valueAt(i))) << i;
  }
  for (int64_t i = count; i < count + 64; ++i)
    EXPECT_EQ(out[i], 0) << "behind the end";
}

TEST_F(LargeIndexTest, RandomNumbers) {
  load(R"(
func.func @f(%x: tensor<?xi8>) -> tensor<?xi8> {
  %s = ew.constant 77 : i64
  %o = ew.constant 88 : i64
  %0 = ew.philox %s, %o distribution(bits) like(%x : tensor<?xi8>) : i64, i64 to tensor<?xui32>
  %1 = ew.cast %0 : tensor<?xui32> to tensor<?xi8>
  return %1 : tensor<?xi8>
})");
  // Blocks of four words pass 2^32 only there.
  constexpr int64_t count = (int64_t(1) << 34) + 4099;
  Space out(count + 64);
  if (!out.isThere())
    GTEST_SKIP() << "no address space";
  rt::Tensor tout = out.tensor({count});
  for (StringRef version : {"_wide", "_general64"}) {
    // The others are for fewer elements.
    while (!StringRef(launch().variants[0].kernel).ends_with(version))
      program.plan.launches[0].variants.erase(
          program.plan.launches[0].variants.begin());
    prepare({count}, {&tout});
    EXPECT_TRUE(StringRef(variant->kernel).ends_with(version));
    int64_t perBlock = variant->elementsPerBlock;
    for (int64_t at :
         {int64_t(1) << 31, int64_t(1) << 32, int64_t(1) << 34, count - 1}) {
      int64_t block = at / perBlock, begin = block * perBlock,
              end = std::min(begin + perBlock, count);
      for (int64_t i = begin; i < end; ++i)
        out[i] = 0;
      run(block);
      for (int64_t i = begin; i < end; ++i) {
        uint64_t counter = i / 4 + 88;
        auto words = reference::philox4x32(
            {uint32_t(counter), uint32_t(counter >> 32), 0, 0}, {77, 0});
        ASSERT_EQ(out[i], int8_t(words[i % 4])) << i;
      }
    }
  }
  for (int64_t i = count; i < count + 64; ++i)
    EXPECT_EQ(out[i], 0) << "behind the end";
}

/// Few elements that lie far apart.
TEST_F(LargeIndexTest, Strides) {
  load(R"(
func.func @f(%x: tensor<?x?xi8>) -> tensor<?x?xi8> {
  %0 = ew.not %x : tensor<?x?xi8>
  return %0 : tensor<?x?xi8>
})");
  constexpr int64_t stride = int64_t(1) << 30;
  Space x(3 * stride + 8), out(32);
  if (!x.isThere() || !out.isThere())
    GTEST_SKIP() << "no address space";
  rt::Tensor tx = x.tensor({4, 8}), tout = out.tensor({4, 8});
  tx.strides = {stride, 1};
  prepare({4, 8}, {&tx, &tout});
  EXPECT_TRUE(StringRef(variant->kernel).ends_with("_general64"));
  for (int64_t i = 0; i < 32; ++i)
    x[i / 8 * stride + i % 8] = valueAt(i);
  run(0);
  for (int64_t i = 0; i < 32; ++i)
    ASSERT_EQ(out[i], int8_t(~valueAt(i))) << i;
}

} // namespace
