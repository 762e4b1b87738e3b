//===- Tensor.h - Views of buffers ------------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_TENSOR_H
#define EW_RUNTIME_TENSOR_H

#include "ew/Runtime/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ew::runtime {

class Device;

/// A piece of the memory of a device, which outlives it. One that was allocated
/// frees itself; one that wraps the memory of somebody else does not.
class Buffer {
public:
  /// Wraps memory that the caller keeps alive.
  static std::shared_ptr<Buffer> wrap(uint64_t address, uint64_t bytes) {
    return std::shared_ptr<Buffer>(new Buffer(nullptr, address, bytes));
  }
  /// Allocates; at least one byte, so that every buffer has an address.
  static llvm::Expected<std::shared_ptr<Buffer>> allocate(Device &device,
                                                          uint64_t bytes);
  ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  uint64_t address() const { return start; }
  uint64_t bytes() const { return size; }
  void *pointer() const { return reinterpret_cast<void *>(start); }

private:
  Buffer(Device *owner, uint64_t address, uint64_t bytes)
      : owner(owner), start(address), size(bytes) {}

  Device *owner;
  uint64_t start, size;
};

using BufferRef = std::shared_ptr<Buffer>;

/// A range of addresses, [begin, end).
struct ByteRange {
  uint64_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

/// A strided view of a buffer. Strides and the offset count elements; a stride
/// may be 0 (a broadcast view) or negative (a reversed one).
struct Tensor {
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<int64_t, 4> strides;
  int64_t offset = 0;
  BufferRef buffer;

  unsigned rank() const { return shape.size(); }
  /// The number of elements; at most 2^63 - 1, as `checkTensor` makes sure.
  int64_t numElements() const;
  /// The address of the element at index 0 everywhere.
  uint64_t address() const {
    return buffer->address() + uint64_t(offset) * getByteWidth(type);
  }
  /// Whether the elements lie densely in row-major order. Strides of dimensions
  /// of size 1 do not matter, and an empty tensor is contiguous.
  bool isContiguous() const;
  /// Whether two indices may name the same element: a stride of 0, or strides
  /// smaller than what they step over.
  bool mayOverlapItself() const;
  /// The addresses from the first byte of any element to behind the last.
  ByteRange byteRange() const;
};

/// A dense row-major tensor over the start of a buffer. Whether it fits there
/// is for checkTensor to say.
Tensor makeTensor(ElementType type, llvm::ArrayRef<int64_t> shape,
                  BufferRef buffer);

/// Bytes of a dense tensor, or nothing where that is above 2^63 - 1 or a size
/// is negative.
std::optional<int64_t> getDenseBytes(ElementType type,
                                     llvm::ArrayRef<int64_t> shape);

/// Makes sure that ranks match, that no size is negative, that every element
/// lies inside the buffer, and at a multiple of its width (of that of its
/// parts); else an error that says which is not so. `name` begins the message,
/// as in "argument 0"; it is a Twine since every call asks this, and no text is
/// needed where nothing is wrong.
llvm::Error checkTensor(const Tensor &tensor, const llvm::Twine &name);

/// Whether two tensors have bytes in common. Exact for ordinary views, the left
/// and the right half of a matrix' columns for example; where finding out would
/// take long the answer is yes.
bool mayOverlap(const Tensor &a, const Tensor &b);

/// "2x3xf32", "f32" for rank 0.
std::string describe(const Tensor &tensor);

} // namespace ew::runtime

#endif // EW_RUNTIME_TENSOR_H
