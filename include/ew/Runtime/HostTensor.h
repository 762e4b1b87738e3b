//===- HostTensor.h - Tensors in host memory --------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_HOSTTENSOR_H
#define EW_RUNTIME_HOSTTENSOR_H

#include "ew/Runtime/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace ew::runtime {

using Sizes = llvm::SmallVector<int64_t, 4>;

/// "2x3xf32"; "f32" of rank 0.
std::string formatType(ElementType type, llvm::ArrayRef<int64_t> shape);

/// The product of the sizes, none of them negative; nothing if it overflows.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// Strides, in elements, of a dense tensor with the last dimension innermost.
Sizes rowMajorStrides(llvm::ArrayRef<int64_t> shape);
/// As above with the first dimension innermost.
Sizes columnMajorStrides(llvm::ArrayRef<int64_t> shape);

/// Lowest and highest position, in elements from the first element, that a
/// tensor touches; nothing if they overflow. {0, -1} for an empty tensor.
std::optional<std::pair<int64_t, int64_t>>
touchedRange(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides);

/// Bytes of memory that this process can still take without swapping or being
/// stopped: what the system has left, or its control group if that is less.
/// Nothing where the system does not say.
std::optional<uint64_t> availableHostMemory();

/// An error if `bytes` are more than the host has left, saying how much was
/// asked for (`what`) and how much there is.
llvm::Error checkHostMemory(uint64_t bytes, const llvm::Twine &what);

/// A tensor and the host memory that holds it: storage of its own, and a view
/// of it by shape, strides and offset, all counted in elements.
class HostTensor {
public:
  HostTensor() = default;

  /// A dense row-major tensor, its contents undefined. An error where the host
  /// has no room for it, or the sizes are negative or too large to count.
  static llvm::Expected<HostTensor> create(ElementType type,
                                           llvm::ArrayRef<int64_t> shape);

  /// A view whose storage is just large enough. Without an offset, the smallest
  /// that keeps every element inside. What the view doesn't touch is filled
  /// with kGap.
  static llvm::Expected<HostTensor>
  createView(ElementType type, llvm::ArrayRef<int64_t> shape,
             llvm::ArrayRef<int64_t> strides,
             std::optional<int64_t> offset = std::nullopt);

  static constexpr uint8_t kGap = 0xA5;

  ElementType getType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getOffset() const { return offset; }
  unsigned getRank() const { return shape.size(); }
  int64_t getNumElements() const { return *countElements(shape); }
  std::string getTypeName() const { return formatType(type, shape); }

  /// The whole allocation, gaps of the view included.
  char *getStorage() { return storage.get(); }
  const char *getStorage() const { return storage.get(); }
  int64_t getStorageBytes() const { return storageBytes; }

  /// The element at index 0, 0, ...
  char *getData() { return storage.get() + offset * getByteWidth(type); }
  const char *getData() const {
    return storage.get() + offset * getByteWidth(type);
  }

  /// Whether the elements lie densely in row-major order.
  bool isRowMajor() const;

  /// The element with this row-major index.
  char *getElement(int64_t linear);
  const char *getElement(int64_t linear) const;

  /// Its bits, of a type that is not complex.
  uint64_t getBits(int64_t linear) const;
  void setBits(int64_t linear, uint64_t bits);

  /// Copies all elements, in row-major order, to or from a dense buffer.
  void copyTo(void *dense) const;
  void copyFrom(const void *dense);

  /// A dense row-major tensor with the same elements.
  llvm::Expected<HostTensor> toRowMajor() const;

private:
  struct Free {
    void operator()(char *p) const { std::free(p); }
  };

  int64_t positionOf(int64_t linear) const;

  ElementType type = ElementType::F32;
  Sizes shape, strides;
  int64_t offset = 0;
  int64_t storageBytes = 0;
  std::unique_ptr<char, Free> storage;
};

/// Calls `run(start, count, stride)` for runs of elements, in row-major order:
/// positions in elements, relative to the first element. Inner dimensions that
/// can be walked as one are.
void forEachRun(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides,
                llvm::function_ref<void(int64_t, int64_t, int64_t)> run);

/// Prints as "2x3xf32=[1 2 3][4 5 6]", with "..." for what goes beyond
/// `maxElements`; returns how many elements those are.
int64_t print(llvm::raw_ostream &os, const HostTensor &tensor,
              int64_t maxElements = 1024);

/// What comparing two tensors found.
struct Comparison {
  int64_t count = 0;          // elements compared
  int64_t mismatches = 0;     // of them
  int64_t firstMismatch = -1; // row-major index
  uint64_t largestUlp = 0;    // among numbers
  explicit operator bool() const { return mismatches == 0; }
};

/// Compares element by element: within `maxUlp` representable values (0: exact,
/// -0 equals +0), a NaN only with a NaN; complex numbers by their parts.
/// Different types or shapes are an error.
llvm::Expected<Comparison> compare(const HostTensor &actual,
                                   const HostTensor &expected,
                                   uint64_t maxUlp = 0);

/// "3 of 12 elements differ; first at [0, 2]: expected 1.5, got 2 (4194304
/// ulp); largest difference 4194304 ulp".
std::string describe(const Comparison &comparison, const HostTensor &actual,
                     const HostTensor &expected);

} // namespace ew::runtime

#endif // EW_RUNTIME_HOSTTENSOR_H
