//===- runtime.cpp - A program that takes EW's runtime alone --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/PlanRunner.h"
#include "llvm/Support/raw_ostream.h"

using namespace ew::runtime;

int main() {
  std::unique_ptr<Device> device = createCPUDevice();
  llvm::Expected<BufferRef> buffer = Buffer::allocate(*device, 64);
  if (!buffer) {
    llvm::errs() << llvm::toString(buffer.takeError()) << "\n";
    return 1;
  }
  llvm::outs() << device->getName() << ": "
               << describe(makeTensor(ElementType::F32, {4, 4}, *buffer))
               << "\n";
  return 0;
}
