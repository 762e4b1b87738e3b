//===- Transfer.h - Tensors to a device and back ----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_TRANSFER_H
#define EW_RUNTIME_TRANSFER_H

#include "ew/Runtime/HostTensor.h"
#include "ew/Runtime/Tensor.h"

namespace ew::runtime {

class Device;

/// The same view on the device: strides, offset and what lies between the
/// elements included. An error, before anything is allocated, where it does not
/// fit.
llvm::Expected<Tensor> copyToDevice(Device &device, const HostTensor &tensor);

/// The same view on the host, its storage as small as the strides allow. Waits
/// for the device's queue.
llvm::Expected<HostTensor> copyToHost(Device &device, const Tensor &tensor);

} // namespace ew::runtime

#endif // EW_RUNTIME_TRANSFER_H
