//===- NpyFuzzer.cpp - Reads any bytes as a .npy file ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Npy.h"

#include <cstdlib>

using namespace ew::runtime;

/// What was read must hold what the file holds.
static void check(const HostTensor &tensor, uint64_t size) {
  uint64_t bytes = tensor.getNumElements() * getByteWidth(tensor.getType());
  if (bytes > size)
    std::abort();
  auto dense = tensor.toRowMajor();
  if (!dense)
    return llvm::consumeError(dense.takeError());
  auto same = compare(tensor, *dense);
  if (!same || !*same)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  // The first byte says what is expected.
  constexpr unsigned kTypes = static_cast<unsigned>(ElementType::F64) + 1;
  std::optional<ElementType> expected;
  if (unsigned choice = data[0] % (kTypes + 1))
    expected = static_cast<ElementType>(choice - 1);
  llvm::StringRef bytes(reinterpret_cast<const char *>(data + 1), size - 1);
  auto tensor = parseNpy(bytes, "x.npy", expected);
  if (tensor)
    check(*tensor, bytes.size());
  else
    llvm::consumeError(tensor.takeError());
  return 0;
}
