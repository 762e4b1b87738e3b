//===- Runner.cpp - A function on a device in a mode ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Pipelines/Compile.h"
#include "ew/Reference/Reference.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace mlir;
using namespace ew::accuracy;

namespace rt = ew::runtime;

static rt::ElementType toElementType(ew::accuracy::Element type) {
  switch (type) {
  case Element::F32:
    return rt::ElementType::F32;
  case Element::F16:
    return rt::ElementType::F16;
  case Element::BF16:
    return rt::ElementType::BF16;
  }
  llvm_unreachable("unknown type");
}

std::string ew::accuracy::writeModule(const Function &function,
                                      StringRef element) {
  std::string tensor = ("tensor<?x" + element + ">").str();
  std::string second = function.arity > 1 ? ", %y: " + tensor : "";
  return llvm::formatv("func.func @f(%x: {0}{1}) -> {0} {{\n"
                       "  %r = ew.{2} : {0}\n  return %r : {0}\n}\n",
                       tensor, second, function.text);
}

llvm::Expected<std::unique_ptr<rt::Executable>>
ew::accuracy::compileFor(MLIRContext &context, StringRef source,
                         const Place &place) {
  auto module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return llvm::createStringError("a program does not parse");
  CompileOptions options;
  options.mode = place.mode;
  options.libraryFunctions = place.library;
  options.target = place.device->getTarget();
  options.chip =
      options.target == rt::Target::CUDA ? place.device->getChip() : "sm_80";
  FailureOr<rt::Program> program = compile(*module, "f", options);
  if (failed(program))
    return llvm::createStringError("a program does not compile for %s",
                                   place.name.c_str());
  return rt::Executable::create(std::move(*program), *place.device);
}

Measure ew::accuracy::getMeasure(MLIRContext &context, const Function &function,
                                 Element type, const Place &place) {
  Measure measure;
  // Rounded to 16 bits, results have the bound of every mode.
  if (type != Element::F32 || place.library)
    return measure;
  auto module =
      parseSourceString<ModuleOp>(writeModule(function, "f32"), &context);
  module->walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !isa<EwDialect>(op->getDialect()))
      return;
    measure.relative = isBoundRelative(op, place.mode);
    measure.absolute = getAbsoluteErrorBound(op, place.mode);
  });
  return measure;
}

llvm::Expected<rt::Tensor> ew::accuracy::allocate(rt::Device &device,
                                                  Element type, int64_t count) {
  auto buffer = rt::Buffer::allocate(device, count * bytesOf(type));
  if (!buffer)
    return buffer.takeError();
  return rt::makeTensor(toElementType(type), {count}, *buffer);
}

llvm::Expected<Operands> Operands::create(rt::Device &device, Element type,
                                          unsigned arity, int64_t capacity) {
  Operands operands;
  operands.device = &device;
  for (auto &slot : operands.slots)
    for (unsigned i = 0; i < arity; ++i) {
      auto tensor = allocate(device, type, capacity);
      if (!tensor)
        return tensor.takeError();
      slot.push_back(*tensor);
    }
  return operands;
}

llvm::Error Operands::copy(unsigned slot, ArrayRef<const void *> from) {
  for (auto [tensor, data] : llvm::zip_equal(slots[slot], from))
    if (llvm::Error error = device->copyToDevice(tensor.address(), data,
                                                 tensor.buffer->bytes()))
      return error;
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Runner>>
Runner::create(MLIRContext &context, const Function &function, Element type,
               const Operands &operands, const Place &place) {
  rt::Device &device = *operands.device;
  auto runner = std::make_unique<Runner>();
  runner->device = &device;
  auto executable = compileFor(
      context, writeModule(function, rt::getName(toElementType(type))), place);
  if (!executable)
    return executable.takeError();
  runner->executable = std::move(*executable);
  for (auto [slot, tensors] : llvm::zip_equal(runner->slots, operands.slots)) {
    auto result = allocate(device, type, tensors[0].shape[0]);
    if (!result)
      return result.takeError();
    slot.result = *result;
    std::vector<rt::Argument> arguments(tensors.begin(), tensors.end());
    auto call = runner->executable->prepare(arguments, {slot.result});
    if (!call)
      return call.takeError();
    slot.call = std::move(*call);
  }
  return runner;
}

llvm::Expected<const void *> Runner::wait(unsigned index) {
  if (llvm::Error error = device->synchronize())
    return error;
  Slot &slot = slots[index];
  if (device->isHostAccessible())
    return slot.result->buffer->pointer();
  slot.host.resize(slot.result->buffer->bytes());
  if (llvm::Error error = device->copyToHost(
          slot.host.data(), slot.result->address(), slot.host.size()))
    return error;
  return slot.host.data();
}

llvm::Expected<std::vector<double>>
ew::accuracy::evaluateExactly(MLIRContext &context, const Function &function,
                              ArrayRef<double> x, ArrayRef<double> y) {
  auto module =
      parseSourceString<ModuleOp>(writeModule(function, "f64"), &context);
  std::vector<reference::TensorView> inputs;
  auto add = [&](ArrayRef<double> operand) {
    inputs.push_back(
        {rt::ElementType::F64, {int64_t(operand.size())}, {}, operand.data()});
  };
  add(x);
  if (function.arity > 1)
    add(y);
  auto func = *module->getOps<func::FuncOp>().begin();
  auto results = reference::evaluate(func, inputs);
  if (!results)
    return results.takeError();
  std::vector<double> numbers(x.size());
  std::memcpy(numbers.data(), (*results)[0].data.data(),
              numbers.size() * sizeof(double));
  return numbers;
}
