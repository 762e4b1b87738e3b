//===- HostTensor.cpp - Tensors in host memory ----------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/HostTensor.h"
#include "ew/Runtime/Element.h"
#include "ew/Support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;

namespace ew::runtime {

std::string formatType(ElementType type, ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += (size < 0 ? "?" : std::to_string(size)) + "x";
  return text + getName(type).str();
}

std::optional<int64_t> countElements(ArrayRef<int64_t> shape) {
  if (is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape)
    if (size < 0 || MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

Sizes rowMajorStrides(ArrayRef<int64_t> shape) {
  Sizes strides(shape.size());
  uint64_t stride = 1; // unsigned: the shape of an empty tensor may wrap
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

Sizes columnMajorStrides(ArrayRef<int64_t> shape) {
  Sizes strides(shape.size());
  uint64_t stride = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    strides[i] = stride;
    stride *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

std::optional<std::pair<int64_t, int64_t>>
touchedRange(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  std::pair<int64_t, int64_t> range(0, 0);
  if (is_contained(shape, 0))
    return std::make_pair<int64_t, int64_t>(0, -1);
  for (auto [size, stride] : zip_equal(shape, strides)) {
    int64_t reach;
    if (size < 0 || MulOverflow(size - 1, stride, reach))
      return std::nullopt;
    int64_t &end = reach < 0 ? range.first : range.second;
    if (AddOverflow(end, reach, end))
      return std::nullopt;
  }
  return range;
}

/// Storage for `count` elements, aligned for any access a kernel makes.
static Expected<char *> allocate(ElementType type, ArrayRef<int64_t> shape,
                                 int64_t count, int64_t &bytes) {
  if (MulOverflow<int64_t>(count, getByteWidth(type), bytes))
    return createStringError(std::make_error_code(std::errc::not_enough_memory),
                             formatType(type, shape) +
                                 " is larger than an address space");
  if (Error error = checkHostMemory(bytes, formatType(type, shape)))
    return error;
  constexpr size_t kAlignment = 256;
  char *storage = static_cast<char *>(std::aligned_alloc(
      kAlignment, alignTo(std::max<uint64_t>(bytes, 1), kAlignment)));
  if (!storage)
    return createStringError(std::make_error_code(std::errc::not_enough_memory),
                             "no host memory for " + formatType(type, shape) +
                                 ": " + plural(bytes, "byte") + " asked for");
  return storage;
}

static Error badShape(ElementType type, ArrayRef<int64_t> shape) {
  for (int64_t size : shape)
    if (size < 0)
      return createStringError("negative size " + Twine(size) + " in a shape");
  return createStringError(formatType(type, shape) +
                           " has more elements than 64 bits can count");
}

Expected<HostTensor> HostTensor::create(ElementType type,
                                        ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = countElements(shape);
  if (!count)
    return badShape(type, shape);
  HostTensor tensor;
  auto storage = allocate(type, shape, *count, tensor.storageBytes);
  if (!storage)
    return storage.takeError();
  tensor.storage.reset(*storage);
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.strides = rowMajorStrides(shape);
  return tensor;
}

Expected<HostTensor> HostTensor::createView(ElementType type,
                                            ArrayRef<int64_t> shape,
                                            ArrayRef<int64_t> strides,
                                            std::optional<int64_t> offset) {
  if (strides.size() != shape.size())
    return createStringError("expected " + Twine(shape.size()) +
                             " strides for " + formatType(type, shape) +
                             ", got " + Twine(strides.size()));
  if (!countElements(shape))
    return badShape(type, shape);
  auto range = touchedRange(shape, strides);
  int64_t end = 0;
  if (!range || (offset && *offset < 0) ||
      AddOverflow(range->second, offset.value_or(0), end) ||
      end > INT64_MAX / 16 || range->first < -(INT64_MAX / 16))
    return createStringError("the strides or the offset of this " +
                             formatType(type, shape) +
                             " lead outside of any storage");
  if (!offset)
    offset = -range->first;
  if (*offset + range->first < 0)
    return createStringError(
        "offset " + Twine(*offset) +
        " is too small for these strides, which reach back by " +
        plural(-range->first, "element"));
  HostTensor tensor;
  int64_t count = *offset + range->second + 1;
  auto storage = allocate(type, shape, count, tensor.storageBytes);
  if (!storage)
    return storage.takeError();
  tensor.storage.reset(*storage);
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.strides.assign(strides.begin(), strides.end());
  tensor.offset = *offset;
  std::memset(tensor.storage.get(), kGap, tensor.storageBytes);
  return tensor;
}

bool HostTensor::isRowMajor() const {
  if (getNumElements() == 0)
    return true;
  int64_t expected = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected)
      return false;
    expected *= shape[i];
  }
  return true;
}

int64_t HostTensor::positionOf(int64_t linear) const {
  int64_t position = 0;
  for (size_t i = shape.size(); i-- > 0;) {
    position += linear % shape[i] * strides[i];
    linear /= shape[i];
  }
  return position;
}

char *HostTensor::getElement(int64_t linear) {
  return getData() + positionOf(linear) * getByteWidth(type);
}

const char *HostTensor::getElement(int64_t linear) const {
  return getData() + positionOf(linear) * getByteWidth(type);
}

uint64_t HostTensor::getBits(int64_t linear) const {
  return loadElement(getElement(linear), type);
}

void HostTensor::setBits(int64_t linear, uint64_t bits) {
  storeElement(getElement(linear), type, bits);
}

void forEachRun(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                function_ref<void(int64_t, int64_t, int64_t)> run) {
  if (is_contained(shape, 0))
    return;
  // Merge what can be walked as one dimension, innermost first.
  Sizes sizes, steps;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1)
      continue;
    if (!sizes.empty() && strides[i] == steps.back() * sizes.back()) {
      sizes.back() *= shape[i];
      continue;
    }
    sizes.push_back(shape[i]);
    steps.push_back(strides[i]);
  }
  if (sizes.empty())
    return run(0, 1, 1);
  Sizes index(sizes.size());
  int64_t start = 0;
  while (true) {
    run(start, sizes[0], steps[0]);
    size_t i = 1;
    for (; i < sizes.size(); ++i) {
      start += steps[i];
      if (++index[i] < sizes[i])
        break;
      start -= steps[i] * sizes[i];
      index[i] = 0;
    }
    if (i == sizes.size())
      return;
  }
}

/// Calls `body(position, n)` per run, with strided ones element by element, in
/// a type of the element's width.
namespace {
/// An element of 16 bytes.
struct Wide {
  uint64_t parts[2];
};
} // namespace

template <typename T>
static void gather(const HostTensor &tensor, T *to) {
  auto *from = reinterpret_cast<const T *>(tensor.getData());
  forEachRun(tensor.getShape(), tensor.getStrides(),
             [&](int64_t start, int64_t count, int64_t stride) {
               if (stride == 1)
                 std::memcpy(to, from + start, count * sizeof(T));
               else
                 for (int64_t i = 0; i < count; ++i)
                   to[i] = from[start + i * stride];
               to += count;
             });
}

template <typename T>
static void scatter(HostTensor &tensor, const T *from) {
  auto *to = reinterpret_cast<T *>(tensor.getData());
  forEachRun(tensor.getShape(), tensor.getStrides(),
             [&](int64_t start, int64_t count, int64_t stride) {
               if (stride == 1)
                 std::memcpy(to + start, from, count * sizeof(T));
               else
                 for (int64_t i = 0; i < count; ++i)
                   std::memcpy(to + start + i * stride, from + i, sizeof(T));
               from += count;
             });
}

void HostTensor::copyTo(void *dense) const {
  switch (getByteWidth(type)) {
  case 1:
    return gather(*this, static_cast<uint8_t *>(dense));
  case 2:
    return gather(*this, static_cast<uint16_t *>(dense));
  case 4:
    return gather(*this, static_cast<uint32_t *>(dense));
  case 8:
    return gather(*this, static_cast<uint64_t *>(dense));
  default:
    return gather(*this, static_cast<Wide *>(dense));
  }
}

void HostTensor::copyFrom(const void *dense) {
  switch (getByteWidth(type)) {
  case 1:
    return scatter(*this, static_cast<const uint8_t *>(dense));
  case 2:
    return scatter(*this, static_cast<const uint16_t *>(dense));
  case 4:
    return scatter(*this, static_cast<const uint32_t *>(dense));
  case 8:
    return scatter(*this, static_cast<const uint64_t *>(dense));
  default:
    return scatter(*this, static_cast<const Wide *>(dense));
  }
}

Expected<HostTensor> HostTensor::toRowMajor() const {
  auto dense = create(type, shape);
  if (dense)
    copyTo(dense->getData());
  return dense;
}

} // namespace ew::runtime
