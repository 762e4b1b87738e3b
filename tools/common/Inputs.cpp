//===- Inputs.cpp - The arguments of a function from --input --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Inputs.h"
#include "ew/Runtime/Transfer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ew;
using namespace ew::tools;

namespace rt = ew::runtime;

llvm::Expected<InputSpecs>
ew::tools::parseInputs(llvm::ArrayRef<std::string> texts) {
  InputSpecs inputs;
  for (const std::string &text : texts) {
    auto spec = rt::parseInputSpec(text);
    if (!spec)
      return spec.takeError();
    inputs.layouts.push_back(rt::getLayout(*spec));
    inputs.specs.push_back(std::move(*spec));
  }
  return inputs;
}

llvm::Error ew::tools::checkCount(const rt::Plan &plan, size_t count) {
  if (count == plan.numArguments)
    return llvm::Error::success();
  return llvm::createStringError(llvm::formatv(
      "'{0}' takes {1} input{2}, but {3} {4} given with --input", plan.function,
      plan.numArguments, plan.numArguments == 1 ? "" : "s", count,
      count == 1 ? "was" : "were"));
}

llvm::Expected<std::vector<rt::HostTensor>>
ew::tools::makeInputs(const rt::Plan &plan, llvm::ArrayRef<rt::InputSpec> specs,
                      uint64_t seed) {
  std::vector<rt::HostTensor> inputs;
  for (auto [index, spec] : llvm::enumerate(specs)) {
    const rt::Value &value = plan.values[index];
    rt::TensorType expected;
    expected.element = value.type;
    for (uint32_t size : value.shape)
      expected.shape.push_back(plan.sizes[size].kind ==
                                       rt::SizeExpr::Kind::Constant
                                   ? plan.sizes[size].value
                                   : -1);
    auto tensor = rt::makeInput(spec, &expected, index + seed);
    if (!tensor)
      return tensor.takeError();
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

llvm::Error ew::tools::copyInputs(rt::Device &device, const rt::Plan &plan,
                                  llvm::ArrayRef<rt::HostTensor> inputs,
                                  std::vector<rt::Argument> &arguments) {
  for (const rt::HostTensor &input : inputs.drop_front(arguments.size())) {
    if (plan.values[arguments.size()].scalar) {
      arguments.emplace_back(input.getType(), input.getBits(0));
      continue;
    }
    auto tensor = rt::copyToDevice(device, input);
    if (!tensor)
      return tensor.takeError();
    arguments.emplace_back(std::move(*tensor));
  }
  return llvm::Error::success();
}
