//===- HostTensorCompare.cpp - Comparing and printing tensors -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Element.h"
#include "ew/Runtime/HostTensor.h"
#include "ew/Support/Plural.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;

namespace ew::runtime {

/// `tensor` itself where it is dense, else a dense copy held in `copy`.
static Expected<const HostTensor *> asRowMajor(const HostTensor &tensor,
                                               HostTensor &copy) {
  if (tensor.isRowMajor())
    return &tensor;
  auto dense = tensor.toRowMajor();
  if (!dense)
    return dense.takeError();
  copy = std::move(*dense);
  return &copy;
}

Expected<Comparison> compare(const HostTensor &actual,
                             const HostTensor &expected, uint64_t maxUlp) {
  if (actual.getType() != expected.getType() ||
      actual.getShape() != expected.getShape())
    return createStringError("expected " + expected.getTypeName() + ", got " +
                             actual.getTypeName());
  HostTensor copyA, copyE;
  auto denseA = asRowMajor(actual, copyA);
  if (!denseA)
    return denseA.takeError();
  auto denseE = asRowMajor(expected, copyE);
  if (!denseE)
    return denseE.takeError();

  ElementType type = actual.getType();
  ElementType part = getPartType(type);
  unsigned width = getByteWidth(type), partWidth = getByteWidth(part);
  const char *a = (*denseA)->getData(), *e = (*denseE)->getData();
  Comparison result;
  result.count = actual.getNumElements();
  constexpr int64_t kChunk = 4096; // equal bytes are passed over in one step
  for (int64_t begin = 0; begin < result.count; begin += kChunk) {
    int64_t end = std::min(begin + kChunk, result.count);
    if (!std::memcmp(a + begin * width, e + begin * width,
                     (end - begin) * width))
      continue;
    for (int64_t i = begin; i < end; ++i) {
      uint64_t distance = 0;
      for (unsigned at = 0; at < width; at += partWidth) {
        uint64_t ulp = ulpDistance(loadElement(a + i * width + at, part),
                                   loadElement(e + i * width + at, part), part);
        distance = std::max(distance, ulp);
      }
      if (distance != UINT64_MAX)
        result.largestUlp = std::max(result.largestUlp, distance);
      if (distance <= maxUlp && distance != UINT64_MAX)
        continue;
      if (result.mismatches++ == 0)
        result.firstMismatch = i;
    }
  }
  return result;
}

static std::string formatIndex(int64_t linear, ArrayRef<int64_t> shape) {
  SmallVector<std::string, 4> parts(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    parts[i] = std::to_string(linear % shape[i]);
    linear /= shape[i];
  }
  return "[" + join(parts, ", ") + "]";
}

std::string describe(const Comparison &comparison, const HostTensor &actual,
                     const HostTensor &expected) {
  std::string text;
  raw_string_ostream os(text);
  if (comparison) {
    os << (comparison.count == 1 ? "" : "all ")
       << plural(comparison.count, "element")
       << (comparison.count == 1 ? " agrees" : " agree")
       << "; largest difference " << comparison.largestUlp << " ulp";
    return text;
  }
  ElementType type = actual.getType();
  const char *got = actual.getElement(comparison.firstMismatch);
  const char *want = expected.getElement(comparison.firstMismatch);
  os << comparison.mismatches << " of " << plural(comparison.count, "element")
     << (comparison.count == 1 ? " differs" : " differ") << "; first at "
     << formatIndex(comparison.firstMismatch, actual.getShape())
     << ": expected " << formatElementAt(want, type) << ", got "
     << formatElementAt(got, type);
  if (!isComplex(type)) {
    uint64_t ulp =
        ulpDistance(loadElement(got, type), loadElement(want, type), type);
    if (ulp != UINT64_MAX)
      os << " (" << ulp << " ulp)";
    else
      os << " (one is a NaN)";
  }
  // Where all that differs is NaNs, that of equal numbers would mislead.
  if (comparison.largestUlp)
    os << "; largest difference " << comparison.largestUlp << " ulp";
  return text;
}

namespace {
/// Prints a tensor's innermost rows in brackets, as far as the budget goes.
struct Printer {
  raw_ostream &os;
  const HostTensor &tensor;
  int64_t budget;
  int64_t next = 0;

  /// False once the budget is spent.
  bool printDim(unsigned dim) {
    if (dim == tensor.getRank()) {
      if (budget-- <= 0) {
        os << "...";
        return false;
      }
      os << formatElementAt(tensor.getElement(next++), tensor.getType());
      return true;
    }
    bool innermost = dim + 1 == tensor.getRank();
    for (int64_t i = 0; i < tensor.getShape()[dim]; ++i) {
      if (innermost && i)
        os << " ";
      if (!innermost)
        os << "[";
      bool more = printDim(dim + 1);
      if (!innermost)
        os << "]";
      if (!more)
        return false;
    }
    return true;
  }
};
} // namespace

int64_t print(raw_ostream &os, const HostTensor &tensor, int64_t maxElements) {
  os << tensor.getTypeName() << "=";
  if (tensor.getNumElements())
    Printer{os, tensor, maxElements}.printDim(0);
  return std::max<int64_t>(tensor.getNumElements() - maxElements, 0);
}

} // namespace ew::runtime
