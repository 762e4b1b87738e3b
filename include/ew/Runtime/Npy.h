//===- Npy.h - NumPy's .npy files -------------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_NPY_H
#define EW_RUNTIME_NPY_H

#include "ew/Runtime/HostTensor.h"

namespace ew::runtime {

/// What the header of a .npy file says.
struct NpyHeader {
  std::string descr; // NumPy's name of the type: "<f4"
  bool fortranOrder = false;
  Sizes shape;
  uint64_t dataOffset = 0; // of the first element in the file
};

/// Parses the header of a file of version 1, 2 or 3. Only the header's own
/// bytes are looked at.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes);

/// Reads a file's contents. `name` is for messages. `expected` decides what the
/// nameless types mean: NumPy has no bfloat16 and no float8, and saves
/// ml_dtypes' bfloat16 as V2, float8_e4m3fn as V1, float8_e5m2 as f1. Any other
/// difference between it and the file is an error, never a conversion. An array
/// in Fortran order becomes a tensor with column-major strides.
llvm::Expected<HostTensor>
parseNpy(llvm::StringRef bytes, llvm::StringRef name,
         std::optional<ElementType> expected = std::nullopt);

/// The same from a file.
llvm::Expected<HostTensor>
readNpy(llvm::StringRef path,
        std::optional<ElementType> expected = std::nullopt);

/// Writes a file of version 1 in C order; bfloat16 as V2, and both float8 types
/// as V1, since NumPy cannot read the f1 that it writes.
llvm::Error writeNpy(llvm::StringRef path, const HostTensor &tensor);

/// The header as writeNpy writes it.
std::string formatNpyHeader(ElementType type, llvm::ArrayRef<int64_t> shape);

/// Reads a file of little-endian elements in row-major order, which must be
/// exactly as large as the tensor, into all elements of `tensor`.
llvm::Error readRaw(llvm::StringRef path, HostTensor &tensor);
/// Writes all elements in that order.
llvm::Error writeRaw(llvm::StringRef path, const HostTensor &tensor);

} // namespace ew::runtime

#endif // EW_RUNTIME_NPY_H
