//===- InputSpecFuzzer.cpp - Any text as an --input -----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/InputSpec.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace ew::runtime;

/// Whether the tensor is small enough to be made often.
static bool isSmall(const InputSpec &spec) {
  if (!spec.type)
    return true;
  auto count = countElements(spec.type->shape);
  if (!count || *count > 65536)
    return false;
  if (spec.offset && (*spec.offset > 65536 || *spec.offset < -65536))
    return false;
  if (!spec.strides || spec.strides->size() != spec.type->shape.size())
    return true;
  auto range = touchedRange(spec.type->shape, *spec.strides);
  return !range || (range->first > -(1 << 20) && range->second < 1 << 20);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto spec = parseInputSpec(text);
  if (!spec) {
    // A message has its place: a line of text and a caret under it.
    std::string message = llvm::toString(spec.takeError());
    if (message.empty() || message.back() != '^')
      std::abort();
    return 0;
  }
  // No file of this machine is part of the test.
  if (spec->data == InputSpec::Data::Npy || spec->data == InputSpec::Data::Raw)
    return 0;
  const TensorType declared{ElementType::BF16, {-1, 2}};
  for (const TensorType *expected : {&declared, (const TensorType *)nullptr}) {
    if (!isSmall(*spec))
      continue;
    auto tensor = makeInput(*spec, expected);
    if (!tensor) {
      llvm::consumeError(tensor.takeError());
      continue;
    }
    print(llvm::nulls(), *tensor, 64);
  }
  return 0;
}
