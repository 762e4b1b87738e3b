//===- Inputs.h - The arguments of a function from --input ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_COMMON_INPUTS_H
#define EW_TOOLS_COMMON_INPUTS_H

#include "ew/Runtime/Device.h"
#include "ew/Runtime/HostTensor.h"
#include "ew/Runtime/InputSpec.h"
#include "ew/Runtime/PlanRunner.h"

namespace ew::tools {

/// What was given with --input, and how each lies in memory where it says so.
struct InputSpecs {
  std::vector<runtime::InputSpec> specs;
  std::vector<std::optional<std::vector<int64_t>>> layouts;
};
llvm::Expected<InputSpecs> parseInputs(llvm::ArrayRef<std::string> texts);

/// Whether there is one for each argument; what is wrong says so in the words
/// of the command line.
llvm::Error checkCount(const runtime::Plan &plan, size_t count);

/// Tensors of the types that the function declares. Random ones without a seed
/// take `seed` and their number.
llvm::Expected<std::vector<runtime::HostTensor>>
makeInputs(const runtime::Plan &plan, llvm::ArrayRef<runtime::InputSpec> specs,
           uint64_t seed);

/// Adds what `arguments` lacks of the inputs, copied to the device.
llvm::Error copyInputs(runtime::Device &device, const runtime::Plan &plan,
                       llvm::ArrayRef<runtime::HostTensor> inputs,
                       std::vector<runtime::Argument> &arguments);

} // namespace ew::tools

#endif // EW_TOOLS_COMMON_INPUTS_H
