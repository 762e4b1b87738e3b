//===- TransferTest.cpp - Tensors to a device and back --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Transfer.h"

#include "Kernels.h"
#include "ew/Runtime/Emulator.h"
#include <gtest/gtest.h>

using namespace ew::runtime;
using namespace ew::runtime::test;

namespace {

TEST(Transfer, ViewsThereAndBack) {
  std::unique_ptr<Device> device = createEmulatedDevice();
  struct Case {
    Sizes shape, strides;
    std::optional<int64_t> offset;
  };
  for (const Case &c :
       {Case{{2, 3}, {3, 1}, std::nullopt}, Case{{2, 3}, {1, 2}, 5},
        Case{{2, 3}, {-4, 1}, std::nullopt}, Case{{2, 3}, {0, -2}, 9},
        Case{{}, {}, 3}, Case{{0, 3}, {3, 1}, std::nullopt}}) {
    HostTensor there = llvm::cantFail(
        HostTensor::createView(ElementType::I16, c.shape, c.strides, c.offset));
    int64_t count = there.getNumElements();
    for (int64_t i = 0; i < count; ++i)
      there.setBits(i, 100 + i);
    Tensor tensor = llvm::cantFail(copyToDevice(*device, there));
    EXPECT_EQ(messageOf(checkTensor(tensor, "it")), "");
    EXPECT_EQ(tensor.strides, c.strides);
    EXPECT_EQ(tensor.offset, there.getOffset());
    HostTensor back = llvm::cantFail(copyToHost(*device, tensor));
    EXPECT_EQ(back.getTypeName(), there.getTypeName());
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(back.getBits(i), there.getBits(i));
  }
}

/// Large enough for several threads, and of a size that no number of them
/// divides.
TEST(Transfer, LargeCopiesAndFills) {
  std::unique_ptr<Device> device = createCPUDevice();
  std::vector<uint32_t> data(2500003);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = i * 2654435761u;
  uint64_t bytes = data.size() * 4;
  BufferRef a = llvm::cantFail(Buffer::allocate(*device, bytes));
  BufferRef b = llvm::cantFail(Buffer::allocate(*device, bytes));
  llvm::cantFail(device->copyToDevice(a->address(), data.data(), bytes));
  llvm::cantFail(device->fill(b->address(), 0x5a, bytes));
  std::vector<uint32_t> back(data.size());
  llvm::cantFail(device->copyToHost(back.data(), b->address(), bytes));
  EXPECT_EQ(back, std::vector<uint32_t>(data.size(), 0x5a5a5a5a));
  llvm::cantFail(device->copyOnDevice(b->address(), a->address(), bytes));
  llvm::cantFail(device->copyToHost(back.data(), b->address(), bytes));
  EXPECT_EQ(back, data);
}

TEST(Transfer, RefusesWhatDoesNotFit) {
  EmulatorOptions options;
  options.memory = 100;
  std::unique_ptr<Device> device = createEmulatedDevice(options);
  HostTensor tensor =
      llvm::cantFail(HostTensor::create(ElementType::F64, {5, 3}));
  EXPECT_EQ(messageOf(copyToDevice(*device, tensor)),
            "a tensor of type 5x3xf64 needs 120 bytes, but emulated has 100 "
            "bytes free");
  options.memory = 120;
  device = createEmulatedDevice(options);
  EXPECT_EQ(messageOf(copyToDevice(*device, tensor)), "");
}

} // namespace
