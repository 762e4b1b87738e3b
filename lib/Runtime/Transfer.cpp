//===- Transfer.cpp - Tensors to a device and back ------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Transfer.h"
#include "ew/Runtime/PlanRunner.h"

using namespace ew::runtime;

llvm::Expected<Tensor> ew::runtime::copyToDevice(Device &device,
                                                 const HostTensor &tensor) {
  uint64_t bytes = tensor.getStorageBytes();
  llvm::Expected<MemoryInfo> info = device.getMemoryInfo();
  if (!info)
    return info.takeError();
  if (bytes > info->free)
    return llvm::createStringError(
        std::make_error_code(std::errc::not_enough_memory),
        "a tensor of type " + tensor.getTypeName() + " needs " +
            describeBytes(bytes) + ", but " + device.getName() + " has " +
            describeBytes(info->free) + " free");
  llvm::Expected<BufferRef> buffer = Buffer::allocate(device, bytes);
  if (!buffer)
    return buffer.takeError();
  if (bytes != 0)
    if (llvm::Error error = device.copyToDevice((*buffer)->address(),
                                                tensor.getStorage(), bytes))
      return std::move(error);
  Tensor result = makeTensor(tensor.getType(), tensor.getShape(), *buffer);
  result.strides.assign(tensor.getStrides().begin(), tensor.getStrides().end());
  result.offset = tensor.getOffset();
  return result;
}

llvm::Expected<HostTensor> ew::runtime::copyToHost(Device &device,
                                                   const Tensor &tensor) {
  // Without an offset, the storage begins with the lowest element and ends with
  // the highest: what byteRange spans.
  llvm::Expected<HostTensor> result =
      HostTensor::createView(tensor.type, tensor.shape, tensor.strides);
  if (!result)
    return result.takeError();
  ByteRange range = tensor.byteRange();
  if (!range.empty())
    if (llvm::Error error = device.copyToHost(result->getStorage(), range.begin,
                                              range.end - range.begin))
      return std::move(error);
  return result;
}
