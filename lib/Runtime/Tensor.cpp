//===- Tensor.cpp - Views of buffers --------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Tensor.h"
#include "ew/Runtime/Device.h"
#include "ew/Runtime/HostTensor.h"
#include "ew/Support/Plural.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace ew::runtime;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Buffer
//===----------------------------------------------------------------------===//

llvm::Expected<BufferRef> Buffer::allocate(Device &device, uint64_t bytes) {
  bytes = std::max<uint64_t>(bytes, 1);
  llvm::Expected<uint64_t> address = device.allocate(bytes);
  if (!address)
    return address.takeError();
  return BufferRef(new Buffer(&device, *address, bytes));
}

Buffer::~Buffer() {
  if (owner)
    owner->free(start, size);
}

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

int64_t Tensor::numElements() const {
  // The other sizes of what is empty may be more than 64 bits count.
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

bool Tensor::isContiguous() const {
  if (llvm::is_contained(shape, 0))
    return true;
  int64_t expected = 1;
  for (unsigned i = rank(); i-- > 0;) {
    if (shape[i] == 1)
      continue;
    if (strides[i] != expected)
      return false;
    expected *= shape[i];
  }
  return true;
}

bool Tensor::mayOverlapItself() const {
  if (llvm::is_contained(shape, 0))
    return false;
  SmallVector<std::pair<uint64_t, int64_t>, 4> steps; // |stride|, size
  for (auto [stride, size] : llvm::zip_equal(strides, shape))
    if (size != 1)
      steps.push_back({stride < 0 ? -uint64_t(stride) : stride, size});
  llvm::sort(steps);
  // From the first to the last element of the inner dimensions.
  uint64_t span = 0;
  for (auto [stride, size] : steps) {
    if (stride <= span)
      return true;
    span += stride * uint64_t(size - 1);
  }
  return false;
}

ByteRange Tensor::byteRange() const {
  uint64_t first = address();
  if (llvm::is_contained(shape, 0))
    return {first, first};
  uint64_t width = getByteWidth(type);
  ByteRange range = {first, first + width};
  for (auto [stride, size] : llvm::zip_equal(strides, shape)) {
    uint64_t step = uint64_t(stride) * uint64_t(size - 1) * width;
    (stride < 0 ? range.begin : range.end) += step;
  }
  return range;
}

Tensor ew::runtime::makeTensor(ElementType type, ArrayRef<int64_t> shape,
                               BufferRef buffer) {
  Tensor tensor;
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.strides = rowMajorStrides(shape);
  tensor.buffer = std::move(buffer);
  return tensor;
}

std::optional<int64_t> ew::runtime::getDenseBytes(ElementType type,
                                                  ArrayRef<int64_t> shape) {
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t bytes = getByteWidth(type);
  for (int64_t size : shape)
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

llvm::Error ew::runtime::checkTensor(const Tensor &tensor,
                                     const llvm::Twine &name) {
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError(name + " " + what);
  };
  if (!tensor.buffer)
    return fail("has no buffer");
  if (tensor.strides.size() != tensor.shape.size())
    return fail("has " + ew::plural(tensor.shape.size(), "size") + ", but " +
                ew::plural(tensor.strides.size(), "stride"));
  for (int64_t size : tensor.shape)
    if (size < 0)
      return fail("has a size of " + llvm::Twine(size));
  if (llvm::is_contained(tensor.shape, 0))
    return llvm::Error::success();

  // The lowest and the highest element, and their number, in 64 bits.
  int64_t low = tensor.offset, high = tensor.offset, count = 1;
  for (auto [size, stride] : llvm::zip_equal(tensor.shape, tensor.strides)) {
    int64_t step;
    int64_t &end = stride < 0 ? low : high;
    if (llvm::MulOverflow(size - 1, stride, step) ||
        llvm::AddOverflow(end, step, end) ||
        llvm::MulOverflow(count, size, count))
      return fail("of shape " + describe(tensor) + " is too large");
  }
  int64_t inBuffer = tensor.buffer->bytes() / getByteWidth(tensor.type);
  if (low < 0 || high >= inBuffer)
    return fail("of type " + describe(tensor) + " reaches from element " +
                llvm::Twine(low) + " to " + llvm::Twine(high) +
                " of a buffer that holds " + llvm::Twine(inBuffer));
  // To a GPU that is a fault after which nothing on it works.
  unsigned alignment = getByteWidth(getPartType(tensor.type));
  if (tensor.address() % alignment)
    return fail("of type " + describe(tensor) +
                " begins at an address that is no multiple of " +
                ew::plural(alignment, "byte"));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

namespace {
/// step * x, for x in [low, high]; step > 0.
struct Term {
  __int128 step, low, high;
};
} // namespace

/// Whether `sum` is a sum of one value of every term; true as well once
/// `budget` runs out. The terms stand in descending order of their steps.
static bool mayReach(__int128 sum, ArrayRef<Term> terms, unsigned &budget) {
  if (terms.empty())
    return sum == 0;
  if (budget == 0)
    return true;
  --budget;
  const Term &term = terms.front();
  ArrayRef<Term> rest = terms.drop_front();
  __int128 restLow = 0, restHigh = 0;
  for (const Term &other : rest) {
    restLow += other.step * other.low;
    restHigh += other.step * other.high;
  }
  auto floorDiv = [](__int128 a, __int128 b) {
    return a / b - (a % b < 0 ? 1 : 0);
  };
  __int128 first = std::max(term.low, -floorDiv(restHigh - sum, term.step));
  __int128 last = std::min(term.high, floorDiv(sum - restLow, term.step));
  for (__int128 x = first; x <= last; ++x)
    if (mayReach(sum - term.step * x, rest, budget))
      return true;
  return false;
}

bool ew::runtime::mayOverlap(const Tensor &a, const Tensor &b) {
  ByteRange rangeA = a.byteRange(), rangeB = b.byteRange();
  if (rangeA.empty() || rangeB.empty() || rangeA.end <= rangeB.begin ||
      rangeB.end <= rangeA.begin)
    return false;

  // A byte of `a` is one of `b` where
  //   first(b) - first(a) = sum of strides(a) * i - sum of strides(b) * j,
  // each tensor seen from its lowest byte, and bytes within an element being
  // one more dimension. Dimensions of one stride are one term.
  std::map<uint64_t, Term, std::greater<>> byStep;
  auto add = [&](uint64_t step, int64_t count, bool negated) {
    if (step == 0 || count == 1)
      return;
    Term &term = byStep.try_emplace(step, Term{step, 0, 0}).first->second;
    (negated ? term.low : term.high) += negated ? 1 - count : count - 1;
  };
  auto addAll = [&](const Tensor &tensor, bool negated) {
    uint64_t width = getByteWidth(tensor.type);
    for (auto [stride, size] : llvm::zip_equal(tensor.strides, tensor.shape))
      add((stride < 0 ? -uint64_t(stride) : uint64_t(stride)) * width, size,
          negated);
    add(1, width, negated);
  };
  addAll(a, /*negated=*/false);
  addAll(b, /*negated=*/true);
  SmallVector<Term> terms;
  for (auto &[step, term] : byStep)
    terms.push_back(term);
  unsigned budget = 10000;
  return mayReach(__int128(rangeB.begin) - __int128(rangeA.begin), terms,
                  budget);
}

std::string ew::runtime::describe(const Tensor &tensor) {
  return formatType(tensor.type, tensor.shape);
}
