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
  for (const Case &c : {Case{{2, 3}, {3, 1}, std::nullopt},
                        Case{{2, 3}, {1, 2}, 5},
                        Case{{2, 3}, {-4, 1}, std::nullopt},
                        Case{{2, 3}, {0, -2}, 9},
                        Case{{}, {}, 3},
                        Case{{0, 3}, {3, 1}, std::nullopt}}) {
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

TEST(Transfer, RefusesWhatDoesNotFit) {
  EmulatorOptions options;
  options.memory = 100;
  std::unique_ptr<Device> device = createEmulatedDevice(options);
  HostTensor tensor =
      llvm::cantFail(HostTensor::create(ElementType::F64, {5, 3}));
  EXPECT_EQ(messageOf(copyToDevice(*device, tensor)),
            "a tensor of type 5x3xf64 needs 120 bytes, but emulated has 100 "
            "bytes free");
}

} // namespace
