//===- ShapesTest.cpp - Compiled kernels over shapes and views ------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every way in which a kernel walks its operands, around every border of its
// vectors, blocks and tiles: GPU kernels on the emulator, which looks for
// writes outside of buffers and for missing barriers, CPU kernels, and a GPU
// where there is one. The arithmetic is integers, so that the right result is
// plain.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"
#include "ew/Runtime/Transfer.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ew;
namespace rt = ew::runtime;

namespace {

/// The name of an integer type, and how large it is.
struct Element {
  const char *name;
  rt::ElementType type;
};
constexpr Element kElements[] = {{"i8", rt::ElementType::I8},
                                 {"i16", rt::ElementType::I16},
                                 {"i32", rt::ElementType::I32},
                                 {"i64", rt::ElementType::I64}};

class ShapesTest : public test::DeviceTest {
protected:
  void load(const std::string &text) {
    std::optional<rt::Program> program = compile(text, Versions::OnNeed);
    ASSERT_TRUE(program) << text;
    executable =
        llvm::cantFail(rt::Executable::create(std::move(*program), *device));
    variants.clear();
  }

  /// A view whose elements are first, first + step, ... in row-major order,
  /// `offset` elements into its buffer.
  rt::Tensor make(rt::ElementType type, ArrayRef<int64_t> shape,
                  ArrayRef<int64_t> strides, int64_t offset, int64_t first,
                  int64_t step) {
    rt::HostTensor host = llvm::cantFail(
        rt::HostTensor::createView(type, shape, strides, std::nullopt));
    for (int64_t i = 0, count = host.getNumElements(); i < count; ++i)
      host.setBits(i, first + i * step);
    uint64_t width = rt::getByteWidth(type), bytes = host.getStorageBytes();
    rt::BufferRef buffer =
        llvm::cantFail(rt::Buffer::allocate(*device, bytes + offset * width));
    if (bytes)
      llvm::cantFail(device->copyToDevice(buffer->address() + offset * width,
                                          host.getStorage(), bytes));
    rt::Tensor tensor = rt::makeTensor(type, shape, buffer);
    tensor.strides.assign(strides.begin(), strides.end());
    tensor.offset = offset + host.getOffset();
    return tensor;
  }
  rt::Tensor make(rt::ElementType type, ArrayRef<int64_t> shape, int64_t offset,
                  int64_t first, int64_t step) {
    return make(type, shape, rt::rowMajorStrides(shape), offset, first, step);
  }

  /// Runs and compares with `expected(i)` for every row-major index, in the
  /// width of the result.
  void check(ArrayRef<rt::Argument> arguments,
             function_ref<int64_t(int64_t)> expected,
             std::optional<rt::Tensor> output = std::nullopt) {
    auto call = executable->run(arguments, output);
    ASSERT_TRUE(bool(call)) << llvm::toString(call.takeError());
    addLaunches(**call);
    rt::HostTensor result =
        llvm::cantFail(rt::copyToHost(*device, (*call)->getResults()[0]));
    unsigned width = rt::getByteWidth(result.getType());
    uint64_t mask = width == 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * width) - 1;
    for (int64_t i = 0, count = result.getNumElements(); i < count; ++i)
      ASSERT_EQ(result.getBits(i) & mask, uint64_t(expected(i)) & mask)
          << "element " << i << " of " << result.getTypeName() << ", kernel "
          << (*call)->getLaunches()[0].getVariant().kernel;
  }

  std::unique_ptr<rt::Executable> executable;
};

/// Around vectors of 1 to 32 elements and blocks of 256 threads.
constexpr int64_t kSizes[] = {
    0,  1,  2,  3,  4,  5,   7,   8,   9,    11,   15,   16,   17,   19,  31,
    32, 33, 35, 63, 67, 255, 256, 257, 1023, 1024, 1025, 4096, 4099, 8200};

TEST_P(ShapesTest, Dense) {
  for (const Element &element : kElements) {
    load(llvm::formatv(R"(
func.func @f(%x: tensor<?x{0}>, %y: tensor<?x{0}>) -> tensor<?x{0}> {{
  %0 = ew.mul %x, %y : tensor<?x{0}>
  %1 = ew.sub %0, %y : tensor<?x{0}>
  return %1 : tensor<?x{0}>
})",
                       element.name)
             .str());
    auto expected = [](int64_t i) { return (i - 1) * (3 - i); };
    for (int64_t n : kSizes)
      for (int64_t offset : {0, 1, 2, 3})
        check({make(element.type, {n}, offset, 0, 1),
               make(element.type, {n}, 0, 3, -1)},
              expected);
    // Views of one dimension: every second element, backwards, one for all; and
    // outputs that lie apart.
    for (int64_t n : {1, 5, 64, 1027})
      for (int64_t stride : {2, -1, -3})
        check({make(element.type, {n}, {stride}, 1, 0, 1),
               make(element.type, {n}, 0, 3, -1)},
              expected, make(element.type, {n}, {3}, 0, 77, 0));
    EXPECT_TRUE(ran("general"));
    EXPECT_GE(variants.size(), GetParam() == rt::Target::CPU ? 2u : 3u);
  }
}

TEST_P(ShapesTest, OperandsOfSeveralWidths) {
  load(R"(
func.func @f(%x: tensor<?xi8>, %y: tensor<?xi64>) -> tensor<?xi64> {
  %0 = ew.cast %x : tensor<?xi8> to tensor<?xi64>
  %1 = ew.add %0, %y : tensor<?xi64>
  return %1 : tensor<?xi64>
})");
  for (int64_t n : kSizes)
    for (int64_t offset : {0, 1, 8})
      check({make(rt::ElementType::I8, {n}, offset, 0, 1),
             make(rt::ElementType::I64, {n}, 0, 1000, 1)},
            [](int64_t i) { return int8_t(i) + 1000 + i; });
}

/// Sizes of two dimensions around vectors and tiles.
constexpr std::pair<int64_t, int64_t> kPlanes[] = {
    {0, 5},   {5, 0},   {1, 1},    {1, 33},   {33, 1},  {3, 4},   {4, 8},
    {7, 16},  {5, 17},  {31, 32},  {32, 31},  {32, 64}, {33, 65}, {64, 64},
    {65, 33}, {100, 3}, {2, 1024}, {3, 1025}, {70, 130}};

TEST_P(ShapesTest, RowsAndColumns) {
  for (const Element &element : kElements) {
    load(llvm::formatv(R"(
func.func @f(%x: tensor<?x?x{0}>, %row: tensor<?x{0}>, %column: tensor<?x1x{0}>)
    -> tensor<?x?x{0}> {{
  %r = ew.broadcast %row like(%x : tensor<?x?x{0}>) : tensor<?x{0}> to tensor<?x?x{0}>
  %c = ew.broadcast %column like(%x : tensor<?x?x{0}>) : tensor<?x1x{0}> to tensor<?x?x{0}>
  %0 = ew.mul %x, %r : tensor<?x?x{0}>
  %1 = ew.add %0, %c : tensor<?x?x{0}>
  return %1 : tensor<?x?x{0}>
})",
                       element.name)
             .str());
    for (auto [m, n] : kPlanes)
      for (int64_t offset : {0, 1})
        check({make(element.type, {m, n}, 0, 0, 1),
               make(element.type, {n}, offset, 2, 1),
               make(element.type, {m, 1}, 0, 5, 7)},
              [n = n](int64_t i) { return i * (2 + i % n) + 5 + 7 * (i / n); });
  }
}

TEST_P(ShapesTest, Transposed) {
  for (const Element &element : kElements) {
    load(llvm::formatv(R"(
func.func @f(%x: tensor<?x?x{0}>, %y: tensor<?x?x{0}>) -> tensor<?x?x{0}> {{
  %t = ew.transpose %y [1, 0] : tensor<?x?x{0}> to tensor<?x?x{0}>
  %0 = ew.sub %x, %t : tensor<?x?x{0}>
  return %0 : tensor<?x?x{0}>
})",
                       element.name)
             .str());
    for (auto [m, n] : kPlanes) {
      auto expected = [m = m, n = n](int64_t i) {
        return 2 * i - (3 + i % n * m + i / n);
      };
      for (int64_t offset : {0, 1})
        check({make(element.type, {m, n}, 0, 0, 2),
               make(element.type, {n, m}, offset, 3, 1)},
              expected);
      // Rows with gaps between them, and a transposed view of a transposition.
      check({make(element.type, {m, n}, {n + 3, 1}, 0, 0, 2),
             make(element.type, {n, m}, {1, n}, 0, 3, 1)},
            expected);
    }
    EXPECT_TRUE(ran("tile") || GetParam() == rt::Target::CPU);
    EXPECT_TRUE(ran("general"));
  }
}

TEST_P(ShapesTest, ThreeDimensionsPermuted) {
  load(R"(
func.func @f(%x: tensor<?x?x?xi32>, %y: tensor<?x?x?xi32>) -> tensor<?x?x?xi32> {
  %t = ew.transpose %y [1, 2, 0] : tensor<?x?x?xi32> to tensor<?x?x?xi32>
  %0 = ew.sub %x, %t : tensor<?x?x?xi32>
  return %0 : tensor<?x?x?xi32>
})");
  for (auto [a, b, c] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                         {2, 3, 4},
                         {5, 33, 31},
                         {33, 2, 65},
                         {3, 40, 0}})
    check({make(rt::ElementType::I32, {a, b, c}, 0, 0, 2),
           make(rt::ElementType::I32, {c, a, b}, 0, 3, 1)},
          [a = a, b = b, c = c](int64_t i) {
            int64_t x = i / (b * c), y = i / c % b, z = i % c;
            return 2 * i - (3 + (z * a + x) * b + y);
          });
}

TEST_P(ShapesTest, SizesOfOneAreStretched) {
  load(R"(
func.func @f(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %b = ew.broadcast %y like(%x : tensor<?x?xi32>) : tensor<?x?xi32> to tensor<?x?xi32>
  %0 = ew.sub %x, %b : tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
})");
  for (auto [m, n] : kPlanes)
    for (bool rows : {false, true})
      for (bool columns : {false, true}) {
        int64_t ym = rows ? 1 : m, yn = columns ? 1 : n;
        check({make(rt::ElementType::I32, {m, n}, 0, 0, 2),
               make(rt::ElementType::I32, {ym, yn}, 0, 3, 1)},
              [&, n = n](int64_t i) {
                int64_t y = rows ? 0 : i / n, x = columns ? 0 : i % n;
                return 2 * i - (3 + y * yn + x);
              });
      }
}

/// Every version reads an element before it writes it, and nobody else's.
TEST_P(ShapesTest, InPlace) {
  for (const Element &element : kElements) {
    load(llvm::formatv(R"(
func.func @f(%p: tensor<?x?x{0}> {{ew.inplace = 0}, %y: tensor<?x?x{0}>, %row: tensor<?x{0}>)
    -> tensor<?x?x{0}> {{
  %t = ew.transpose %y [1, 0] : tensor<?x?x{0}> to tensor<?x?x{0}>
  %r = ew.broadcast %row like(%p : tensor<?x?x{0}>) : tensor<?x{0}> to tensor<?x?x{0}>
  %0 = ew.sub %p, %t : tensor<?x?x{0}>
  %1 = ew.mul %0, %r : tensor<?x?x{0}>
  return %1 : tensor<?x?x{0}>
})",
                       element.name)
             .str());
    for (auto [m, n] : kPlanes) {
      auto expected = [m = m, n = n](int64_t i) {
        return (2 * i - (3 + i % n * m + i / n)) * (5 + i % n);
      };
      rt::Tensor row = make(element.type, {n}, 0, 5, 1);
      for (int64_t offset : {0, 1})
        check({make(element.type, {m, n}, offset, 0, 2),
               make(element.type, {n, m}, 0, 3, 1), row},
              expected);
      check({make(element.type, {m, n}, {1, m + 3}, 0, 0, 2),
             make(element.type, {n, m}, 0, 3, 1), row},
            expected);
    }
    EXPECT_TRUE(ran("tile") || GetParam() == rt::Target::CPU);
    EXPECT_TRUE(ran("general"));
  }
  load(R"(
func.func @f(%p: tensor<?xi32> {ew.inplace = 0}, %g: tensor<?xi32>, %m: tensor<?xi32> {ew.inplace = 1})
    -> (tensor<?xi32>, tensor<?xi32>) {
  %0 = ew.sub %g, %p : tensor<?xi32>
  %1 = ew.mul %0, %m : tensor<?xi32>
  %2 = ew.sub %p, %1 : tensor<?xi32>
  return %2, %1 : tensor<?xi32>, tensor<?xi32>
})");
  for (int64_t n : kSizes)
    for (int64_t offset : {0, 1})
      check({make(rt::ElementType::I32, {n}, offset, 0, 1),
             make(rt::ElementType::I32, {n}, 0, 3, 2),
             make(rt::ElementType::I32, {n}, 0, 7, 1)},
            [](int64_t i) { return i - (i + 3) * (i + 7); });
}

TEST_P(ShapesTest, NumbersAndRankZero) {
  load(R"(
func.func @f(%x: tensor<i16>, %y: tensor<i16>) -> tensor<i16> {
  %0 = ew.sub %x, %y : tensor<i16>
  return %0 : tensor<i16>
})");
  check({make(rt::ElementType::I16, {}, 1, 40, 0),
         make(rt::ElementType::I16, {}, 0, 50, 0)},
        [](int64_t) { return -10; });
}

INSTANTIATE_TEST_SUITE_P(Devices, ShapesTest, test::allDevices(),
                         test::getDeviceName);

} // namespace
