//===- Key.cpp - What a tuned schedule is found by ------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Key.h"

#include "ew/Runtime/Geometry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ew;
using namespace ew::tuning;
using namespace ew::runtime;
using llvm::StringRef;
using llvm::Twine;

std::string tuning::getDeviceKey(const Device &device, StringRef chip) {
  std::string description = device.getDescription();
  StringRef model = description;
  switch (device.getTarget()) {
  case Target::Emulated:
    return "";
  case Target::CUDA:
    // Without the driver's version and the like.
    model = model.split(" (").first;
    break;
  case Target::CPU:
    break; // the number of threads matters
  }
  return (chip + " on " + model).str();
}

/// As aligned as any condition of a version asks for.
static constexpr uint64_t kPlace = 4096;

Tensor tuning::makePlaceholder(ElementType type,
                               llvm::ArrayRef<int64_t> shape) {
  return makeTensor(type, shape, Buffer::wrap(kPlace, 0));
}

Tensor tuning::makePlaceholder(const HostTensor &tensor) {
  Tensor place = makePlaceholder(tensor.getType(), tensor.getShape());
  place.strides.assign(tensor.getStrides().begin(), tensor.getStrides().end());
  place.offset = tensor.getOffset();
  return place;
}

/// Rows as short as eight elements differ in what versions and vectors they
/// allow; beyond that it is only whether vectors fit into them.
static constexpr int64_t kMaxStep = 64;

static std::string describe(const Launch &launch, const Geometry &geometry,
                            uint32_t variant) {
  const Variant &chosen = launch.variants[variant];
  StringRef version = chosen.kernel;
  if (version.consume_front(launch.name))
    version.consume_front("_");
  std::string text =
      ("2^" + Twine(llvm::Log2_64(geometry.count)) + " " + version).str();
  // Rows of slices are what strides leave of the loops.
  llvm::ArrayRef<int64_t> dims =
      chosen.dims ? geometry.dimsOf(chosen) : geometry.collapsed;
  if (dims.size() > 1) {
    int64_t row = dims.back();
    int64_t step = std::min<int64_t>(row & -row, kMaxStep);
    text += (", rows of 2^" + Twine(llvm::Log2_64(row)) + ", of " +
             Twine(step) + "s")
                .str();
  }
  return text;
}

llvm::Expected<std::vector<LaunchSize>>
tuning::getLaunchSizes(const Plan &plan, llvm::ArrayRef<Tensor> arguments,
                       uint64_t maxGrid) {
  if (arguments.size() != plan.numArguments)
    return llvm::createStringError(
        "'" + plan.function + "' takes " + Twine(plan.numArguments) +
        " arguments, not " + Twine(arguments.size()));
  std::vector<llvm::ArrayRef<int64_t>> shapes;
  for (auto [argument, value] : llvm::zip(arguments, plan.values)) {
    if (argument.rank() != value.shape.size())
      return llvm::createStringError("an argument of '" + plan.function +
                                     "' has another rank");
    shapes.push_back(argument.shape);
  }
  std::vector<std::optional<int64_t>> sizes = evaluateSizes(plan, shapes);
  auto sizeOf = [&](uint32_t index) { return sizes[index].value_or(-1); };

  // What a kernel writes is dense in the order that the kernel wants.
  std::vector<Tensor> tensors(arguments.begin(), arguments.end());
  for (const Value &value :
       llvm::ArrayRef(plan.values).drop_front(plan.numArguments)) {
    llvm::SmallVector<int64_t, 4> shape;
    for (uint32_t size : value.shape)
      shape.push_back(sizeOf(size));
    if (!getDenseBytes(value.type, shape))
      return llvm::createStringError("a size does not fit in 64 bits");
    tensors.push_back(makePlaceholder(value.type, shape));
  }
  std::vector<LaunchSize> result;
  for (const Launch &launch : plan.launches) {
    llvm::SmallVector<int64_t, 4> loops;
    for (uint32_t size : launch.loops)
      loops.push_back(sizeOf(size));
    std::vector<const Tensor *> operands;
    for (auto [index, operand] : llvm::enumerate(launch.operands)) {
      Tensor &tensor = tensors[operand.value];
      if (index >= launch.numInputs && !operand.layout.empty() &&
          !plan.values[operand.value].inPlace) {
        int64_t stride = 1;
        for (int32_t dim : llvm::reverse(operand.layout)) {
          tensor.strides[dim] = stride;
          stride *= tensor.shape[dim];
        }
      }
      operands.push_back(plan.values[operand.value].scalar ? nullptr : &tensor);
    }
    llvm::Expected<Geometry> geometry =
        computeGeometry(launch, loops, operands);
    if (!geometry)
      return geometry.takeError();
    LaunchSize size;
    size.elements = geometry->count;
    if (geometry->count > 0) {
      llvm::Expected<uint32_t> variant =
          chooseVariant(launch, *geometry, maxGrid);
      if (!variant)
        return variant.takeError();
      size.variant = *variant;
      size.sizes = describe(launch, *geometry, *variant);
    }
    result.push_back(std::move(size));
  }
  return result;
}
