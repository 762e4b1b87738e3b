//===- Kernels.h - Small kernels for tests ----------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_UNIT_RUNTIME_KERNELS_H
#define EW_TEST_UNIT_RUNTIME_KERNELS_H

#include "TestSupport.h"
#include "ew/Runtime/PlanRunner.h"

#include <cstring>
#include <string>
#include <vector>

namespace ew::runtime::test {

/// `define void @<name>(<params>) { <body> }` and the function that takes its
/// arguments packed. Parameters are separated by ", ", as in "ptr %x, i64 %n".
std::string kernel(const std::string &name, const std::string &params,
                   const std::string &body);

/// LLVM IR to an object file for this machine.
std::string compile(const std::string &ir);

/// out[i] = a[i] + b[i] in f32 for the CPU, over blocks of 4 elements:
/// add(a, b, out, count). With `strided`:
/// add_strided(a, b, out, n0, n1, strides of a, of b, of out).
std::string addKernel();
std::string addStridedKernel();

/// A program that adds two tensors of the given sizes (-1: any) by the kernels
/// above. The variants are "wide" (contiguous, 16 bytes aligned, 32 bits),
/// "dense" and "any".
Program addProgram(std::vector<int64_t> shape);

/// An argument of a size table that is a dimension of an argument.
SizeExpr dimOf(uint32_t argument, int64_t dim);
SizeExpr constant(int64_t value);

/// A dense tensor with that data.
template <typename T>
Tensor upload(Device &device, ElementType type, std::vector<int64_t> shape,
              const std::vector<T> &data) {
  BufferRef buffer =
      llvm::cantFail(Buffer::allocate(device, data.size() * sizeof(T)));
  if (!data.empty())
    llvm::cantFail(device.copyToDevice(buffer->address(), data.data(),
                                       data.size() * sizeof(T)));
  return makeTensor(type, shape, buffer);
}

/// The elements of a view of a host-accessible device, row-major.
template <typename T>
std::vector<T> download(const Tensor &tensor) {
  std::vector<T> data;
  int64_t count = tensor.numElements();
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, at = 0;
    for (unsigned dim = tensor.rank(); dim-- > 0;) {
      at += rest % tensor.shape[dim] * tensor.strides[dim];
      rest /= tensor.shape[dim];
    }
    T value;
    std::memcpy(&value,
                reinterpret_cast<const void *>(tensor.address() +
                                               at * int64_t(sizeof(T))),
                sizeof(T));
    data.push_back(value);
  }
  return data;
}

} // namespace ew::runtime::test

#endif // EW_TEST_UNIT_RUNTIME_KERNELS_H
