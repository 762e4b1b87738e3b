//===- Preparation.cpp - Decides everything about a call ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Geometry.h"
#include "ew/Runtime/HostTensor.h"
#include "ew/Runtime/LocatedError.h"
#include "ew/Runtime/PlanRunner.h"
#include "ew/Support/Plural.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ew::runtime;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Twine;

namespace ew::runtime {

/// One call on its way to an Invocation. The members run in the order in which
/// they are declared; nothing is allocated before all that could be refused is.
class Preparation {
public:
  Preparation(Executable &executable, ArrayRef<Argument> arguments,
              ArrayRef<std::optional<Tensor>> outputs)
      : executable(executable), plan(executable.getPlan()),
        device(executable.getDevice()), arguments(arguments), outputs(outputs),
        tensors(plan.values.size()), storage(plan.values.size()) {}

  llvm::Expected<std::unique_ptr<Invocation>> run();

private:
  Error checkArguments();
  Error computeSizes();
  Error checkOutputs();
  Error shapeValues();
  void planMemory();
  Error allocate();
  Error makeResults();
  Error chooseVersions();
  Error prepareLaunch(size_t number);

  Error fail(const Twine &what) const {
    return llvm::createStringError("'" + plan.function + "': " + what);
  }
  Error fail(const Twine &what, std::errc code) const {
    return llvm::createStringError(std::make_error_code(code),
                                   "'" + plan.function + "': " + what);
  }
  std::string describeExpected(const Value &value) const;
  llvm::Expected<int64_t> sizeOf(uint32_t index, const Twine &what) const;
  Error checkOverlap(size_t index, const Tensor &output) const;
  Error checkInPlace() const;
  Error checkFits() const;
  /// A memory of at least that many bytes, not in use now.
  size_t takeStorage(uint64_t bytes);

  Executable &executable;
  const Plan &plan;
  Device &device;
  ArrayRef<Argument> arguments;
  ArrayRef<std::optional<Tensor>> outputs;

  std::vector<std::optional<int64_t>> sizes;
  /// By value. Without a buffer until it is known.
  std::vector<Tensor> tensors;
  /// By value, which of `memories` it lives in.
  std::vector<std::optional<size_t>> storage;
  struct Memory {
    uint64_t bytes = 0;
    bool inUse = true;
  };
  std::vector<Memory> memories;
  /// By launch: how it meets its buffers, and the variant for that.
  std::vector<Geometry> geometries;
  std::vector<uint32_t> choices;
  bool planChanged = false; // under this, which has to begin again
  std::unique_ptr<Invocation> invocation = std::make_unique<Invocation>();
};

} // namespace ew::runtime

//===----------------------------------------------------------------------===//
// What the caller gives
//===----------------------------------------------------------------------===//

std::string Preparation::describeExpected(const Value &value) const {
  if (value.scalar)
    return "the number " + getName(value.type).str();
  std::string text = "tensor<";
  for (uint32_t index : value.shape) {
    const SizeExpr &size = plan.sizes[index];
    text += size.kind == SizeExpr::Kind::Constant ? std::to_string(size.value)
                                                  : "?";
    text += "x";
  }
  return text + getName(value.type).str() + ">";
}

static std::string describeActual(const Argument &argument) {
  if (argument.scalar)
    return "the number " + getName(argument.type).str();
  return "tensor<" + describe(argument.tensor) + ">";
}

Error Preparation::checkArguments() {
  if (arguments.size() != plan.numArguments)
    return fail("expected " + ew::plural(plan.numArguments, "argument") +
                ", got " + Twine(arguments.size()));
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    const Value &value = plan.values[index];
    bool fits = argument.type == value.type && argument.scalar == value.scalar;
    if (fits && !argument.scalar) {
      fits = argument.tensor.rank() == value.shape.size();
      for (size_t dim = 0; fits && dim < value.shape.size(); ++dim) {
        const SizeExpr &size = plan.sizes[value.shape[dim]];
        fits = size.kind != SizeExpr::Kind::Constant ||
               size.value == argument.tensor.shape[dim];
      }
    }
    if (!fits)
      return fail("argument " + Twine(index) + ": expected " +
                  describeExpected(value) + ", got " +
                  describeActual(argument));
    if (argument.scalar)
      continue;
    if (Error error = checkTensor(argument.tensor, "argument " + Twine(index)))
      return fail(llvm::toString(std::move(error)));
    tensors[index] = argument.tensor;
  }
  return Error::success();
}

llvm::Expected<int64_t> Preparation::sizeOf(uint32_t index,
                                            const Twine &what) const {
  if (std::optional<int64_t> size = sizes[index])
    return *size;
  return fail("a size of " + what + " does not fit in 64 bits or divides by 0");
}

Error Preparation::computeSizes() {
  llvm::SmallVector<ArrayRef<int64_t>, 8> shapes;
  for (const Argument &argument : arguments)
    shapes.push_back(argument.tensor.shape);
  sizes = evaluateSizes(plan, shapes);

  for (size_t index = 0; index < plan.numArguments; ++index)
    for (auto [dim, entry] : llvm::enumerate(plan.values[index].shape)) {
      llvm::Expected<int64_t> size = sizeOf(entry, "argument " + Twine(index));
      if (!size)
        return size.takeError();
      if (*size != arguments[index].tensor.shape[dim])
        return fail("argument " + Twine(index) + ": expected a size of " +
                    Twine(*size) + " in dimension " + Twine(dim) + ", got " +
                    Twine(arguments[index].tensor.shape[dim]));
    }

  for (const Check &check : plan.checks) {
    std::optional<int64_t> lhs = sizes[check.lhs], rhs = sizes[check.rhs];
    if (!lhs || !rhs)
      return LocatedError::make(
          check.location,
          check.message + ": a size does not fit in 64 bits or divides by 0");
    if (*lhs != *rhs && !(check.allowOne && (*lhs == 1 || *rhs == 1)))
      return LocatedError::make(check.location, check.message + ": " +
                                                    Twine(*lhs) + " and " +
                                                    Twine(*rhs));
  }
  return Error::success();
}

Error Preparation::shapeValues() {
  for (size_t index = plan.numArguments; index < plan.values.size(); ++index) {
    const Value &value = plan.values[index];
    Tensor &tensor = tensors[index];
    tensor.type = value.type;
    for (uint32_t entry : value.shape) {
      llvm::Expected<int64_t> size = sizeOf(entry, "an intermediate result");
      if (!size)
        return size.takeError();
      tensor.shape.push_back(*size);
    }
    if (!getDenseBytes(tensor.type, tensor.shape))
      return fail("an intermediate result of type " + describe(tensor) +
                  " has a negative size or is larger than 2^63 - 1 bytes");
    tensor.strides = rowMajorStrides(tensor.shape);
  }
  // What a kernel writes lies as the kernel wants it.
  for (const Launch &launch : plan.launches)
    for (const Operand &output :
         ArrayRef(launch.operands).drop_front(launch.numInputs)) {
      if (output.layout.empty() || plan.values[output.value].inPlace)
        continue;
      Tensor &tensor = tensors[output.value];
      llvm::SmallVector<int64_t, 4> permuted;
      for (int32_t dim : output.layout)
        permuted.push_back(tensor.shape[dim]);
      llvm::SmallVector<int64_t, 4> strides = rowMajorStrides(permuted);
      for (auto [dim, stride] : llvm::zip_equal(output.layout, strides))
        tensor.strides[dim] = stride;
    }
  return Error::success();
}

/// Arguments may overlap as long as nobody writes to them.
Error Preparation::checkInPlace() const {
  for (size_t index = 0; index < plan.numArguments; ++index) {
    if (!plan.values[index].inPlace)
      continue;
    const Tensor &written = arguments[index].tensor;
    std::string name =
        ("argument " + Twine(index) + ", which is written in place,").str();
    if (written.mayOverlapItself())
      return fail(name + " has elements that share memory with each other");
    for (auto [i, argument] : llvm::enumerate(arguments))
      if (i != index && !argument.scalar &&
          mayOverlap(written, argument.tensor))
        return fail(name + " overlaps argument " + Twine(i));
  }
  return Error::success();
}

/// Whether two views are one and the same.
static bool isSameView(const Tensor &a, const Tensor &b) {
  return a.address() == b.address() && a.type == b.type && a.shape == b.shape &&
         a.strides == b.strides;
}

Error Preparation::checkOverlap(size_t index, const Tensor &output) const {
  if (output.mayOverlapItself())
    return fail("output " + Twine(index) +
                " has elements that share memory with each other");
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (!argument.scalar && mayOverlap(output, argument.tensor) &&
        !(plan.values[i].inPlace && plan.results[index] == i &&
          isSameView(output, argument.tensor)))
      return fail("output " + Twine(index) + " overlaps argument " + Twine(i) +
                  "; give it memory of its own");
  for (size_t i = 0; i < index; ++i)
    if (outputs[i] && mayOverlap(output, *outputs[i]))
      return fail("output " + Twine(index) + " overlaps output " + Twine(i));
  return Error::success();
}

Error Preparation::checkOutputs() {
  if (outputs.size() > plan.results.size())
    return fail("it has " + ew::plural(plan.results.size(), "result") +
                ", got " + ew::plural(outputs.size(), "output"));
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (!output)
      continue;
    uint32_t value = plan.results[index];
    const Tensor &expected = tensors[value];
    if (plan.values[value].scalar)
      return fail("result " + Twine(index) + " is a number, not a tensor");
    if (output->type != expected.type || output->shape != expected.shape)
      return fail("output " + Twine(index) + ": expected tensor<" +
                  describe(expected) + ">, got tensor<" + describe(*output) +
                  ">");
    if (Error error = checkTensor(*output, "output " + Twine(index)))
      return fail(llvm::toString(std::move(error)));
    if (Error error = checkOverlap(index, *output))
      return error;
    // The first output of a temporary is where it is computed; all others are
    // copied to once everything is done.
    Tensor &tensor = tensors[value];
    if (plan.values[value].kind == Value::Kind::Temporary && !tensor.buffer) {
      tensor = *output;
      continue;
    }
    if (plan.values[value].inPlace && isSameView(*output, tensor))
      continue;
    if (!output->isContiguous() || !tensor.isContiguous())
      return fail("output " + Twine(index) +
                  " is a copy of another tensor, and one of them is not dense");
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

size_t Preparation::takeStorage(uint64_t bytes) {
  // The smallest one that is large enough, else the largest one, made larger.
  std::optional<size_t> best;
  for (size_t i = 0; i < memories.size(); ++i) {
    const Memory &memory = memories[i];
    if (memory.inUse)
      continue;
    bool fits = memory.bytes >= bytes;
    if (!best || (fits ? memories[*best].bytes < bytes ||
                             memory.bytes < memories[*best].bytes
                       : memory.bytes > memories[*best].bytes &&
                             memories[*best].bytes < bytes))
      best = i;
  }
  if (!best) {
    best = memories.size();
    memories.emplace_back();
  }
  memories[*best].bytes = std::max(memories[*best].bytes, bytes);
  memories[*best].inUse = true;
  return *best;
}

void Preparation::planMemory() {
  auto bytesOf = [&](uint32_t value) {
    return uint64_t(*getDenseBytes(tensors[value].type, tensors[value].shape));
  };
  auto needsStorage = [&](uint32_t value) {
    return plan.values[value].kind == Value::Kind::Temporary &&
           !tensors[value].buffer && !storage[value];
  };
  // Results belong to the caller: memory of their own.
  std::vector<bool> isResult(plan.values.size());
  for (uint32_t value : plan.results) {
    isResult[value] = true;
    if (needsStorage(value)) {
      storage[value] = memories.size();
      memories.push_back({bytesOf(value)});
    }
  }
  std::vector<size_t> lastUse(plan.values.size());
  for (auto [index, launch] : llvm::enumerate(plan.launches))
    for (const Operand &operand : launch.operands)
      lastUse[operand.value] = index;
  for (auto [index, launch] : llvm::enumerate(plan.launches)) {
    for (const Operand &operand : launch.operands)
      if (needsStorage(operand.value))
        storage[operand.value] = takeStorage(bytesOf(operand.value));
    if (!device.mayShareTemporaries())
      continue;
    for (const Operand &operand : launch.operands)
      if (storage[operand.value] && !isResult[operand.value] &&
          lastUse[operand.value] == index)
        memories[*storage[operand.value]].inUse = false;
  }
}

Error Preparation::checkFits() const {
  uint64_t needed = 0;
  for (const Memory &memory : memories)
    needed = llvm::SaturatingAdd(needed, memory.bytes);
  for (const auto &[index, value] : llvm::enumerate(plan.values))
    if (value.kind == Value::Kind::Constant &&
        !executable.constants.count(index))
      needed = llvm::SaturatingAdd(needed, uint64_t(value.data.size()));
  if (needed == 0)
    return Error::success();
  llvm::Expected<MemoryInfo> info = device.getMemoryInfo();
  if (!info)
    return info.takeError();
  if (needed <= info->free)
    return Error::success();
  return fail("needs " + describeBytes(needed) +
                  " for results, intermediate results and constants, but " +
                  device.getName() + " has " + describeBytes(info->free) +
                  " free",
              std::errc::not_enough_memory);
}

Error Preparation::allocate() {
  if (Error error = checkFits())
    return error;
  llvm::SmallVector<BufferRef, 4> buffers;
  for (const Memory &memory : memories) {
    llvm::Expected<BufferRef> buffer = Buffer::allocate(device, memory.bytes);
    if (!buffer)
      return buffer.takeError();
    invocation->allocatedBytes += memory.bytes;
    buffers.push_back(*buffer);
  }
  invocation->buffers.reserve(tensors.size());
  for (size_t value = 0; value < tensors.size(); ++value) {
    if (storage[value]) {
      tensors[value].buffer = buffers[*storage[value]];
    } else if (plan.values[value].kind == Value::Kind::Constant) {
      llvm::Expected<BufferRef> buffer = executable.getConstant(value);
      if (!buffer)
        return buffer.takeError();
      tensors[value].buffer = *buffer;
    }
    if (tensors[value].buffer)
      invocation->buffers.push_back(tensors[value].buffer);
  }
  return Error::success();
}

Error Preparation::makeResults() {
  invocation->results.reserve(plan.results.size());
  for (auto [index, value] : llvm::enumerate(plan.results)) {
    Tensor result = tensors[value];
    Value::Kind kind = plan.values[value].kind;
    if (index < outputs.size() && outputs[index]) {
      result = *outputs[index];
      if (result.address() != tensors[value].address() &&
          result.numElements() != 0)
        invocation->copies.push_back(
            {result.address(), tensors[value].address(),
             uint64_t(*getDenseBytes(result.type, result.shape))});
    } else if (plan.values[value].scalar || kind == Value::Kind::Constant) {
      // The caller may write to its results: a copy.
      const void *data = kind == Value::Kind::Constant
                             ? (const void *)plan.values[value].data.data()
                             : &arguments[value].bits;
      result.type = plan.values[value].type;
      uint64_t bytes = *getDenseBytes(result.type, result.shape);
      llvm::Expected<BufferRef> buffer = Buffer::allocate(device, bytes);
      if (!buffer)
        return buffer.takeError();
      result.buffer = *buffer;
      if (bytes)
        if (Error error = device.copyToDevice(result.address(), data, bytes))
          return error;
    }
    invocation->results.push_back(std::move(result));
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// For every launch, and gets the code of those chosen in one go: what is
/// missing may be compiled side by side.
Error Preparation::chooseVersions() {
  llvm::SmallVector<VersionId, 4> needed;
  llvm::SmallVector<int64_t, 4> counts;
  geometries.reserve(plan.launches.size());
  choices.reserve(plan.launches.size());
  for (auto [index, launch] : llvm::enumerate(plan.launches)) {
    llvm::SmallVector<int64_t, 4> loopSizes;
    for (uint32_t entry : launch.loops) {
      llvm::Expected<int64_t> size =
          sizeOf(entry, "kernel " + Twine(launch.name));
      if (!size)
        return size.takeError();
      loopSizes.push_back(*size);
    }
    llvm::SmallVector<const Tensor *, 8> operands;
    for (const Operand &operand : launch.operands)
      operands.push_back(plan.values[operand.value].scalar
                             ? nullptr
                             : &tensors[operand.value]);
    llvm::Expected<Geometry> geometry =
        computeGeometry(launch, loopSizes, operands);
    if (!geometry)
      return geometry.takeError();
    llvm::Expected<uint32_t> choice =
        chooseVariant(launch, *geometry, device.maxGrid());
    if (!choice)
      return choice.takeError();
    if (geometry->count != 0) {
      needed.push_back({uint32_t(index), *choice});
      counts.push_back(geometry->count);
    }
    geometries.push_back(std::move(*geometry));
    choices.push_back(*choice);
  }
  if (Error error = executable.obtain(needed))
    return error;
  llvm::Expected<bool> changed = executable.reconsider(needed, counts);
  if (!changed)
    return changed.takeError();
  planChanged = *changed;
  return Error::success();
}

Error Preparation::prepareLaunch(size_t number) {
  const Launch &launch = plan.launches[number];
  Geometry &geometry = geometries[number];
  const Variant &variant = launch.variants[choices[number]];

  LaunchInfo info;
  info.launch = &launch;
  info.variant = choices[number];
  info.maxGrid = device.maxGrid();
  info.grid = *countBlocks(variant, geometry);
  info.block = variant.block;
  info.operandBytes.reserve(launch.operands.size());
  for (size_t index = 0; index < launch.operands.size(); ++index) {
    uint32_t value = launch.operands[index].value;
    // What is written in place is read once and written once.
    size_t first = index < launch.numInputs ? 0 : launch.numInputs;
    bool again = llvm::any_of(
        ArrayRef(launch.operands).slice(first, index - first),
        [&](const Operand &other) { return other.value == value; });
    uint64_t bytes =
        again || info.grid == 0 ? 0 : geometry.operands[index].bytes;
    (index < launch.numInputs ? info.bytesRead : info.bytesWritten) += bytes;
    info.operandBytes.push_back(bytes);
  }
  if (info.grid != 0) {
    llvm::Expected<Kernel *> kernel = executable.getKernel(variant);
    if (!kernel)
      return kernel.takeError();
    info.kernel = *kernel;
    Invocation::Step step;
    step.kernel = *kernel;
    step.grid = info.grid;
    step.block = variant.block;
    step.sharedBytes = variant.sharedBytes;
    step.dependent = variant.dependentLaunch;
    step.operands.reserve(launch.operands.size());
    for (const Operand &operand : launch.operands)
      step.operands.push_back(plan.values[operand.value].scalar
                                  ? 0
                                  : tensors[operand.value].address());
    step.slots.reserve(variant.args.size());
    for (const KernelArg &arg : variant.args) {
      if (arg.kind == KernelArg::Kind::Pointer)
        step.slots.push_back(step.operands[arg.operand]);
      else if (arg.kind == KernelArg::Kind::Scalar)
        step.slots.push_back(
            arguments[launch.operands[arg.operand].value].bits);
      else
        step.slots.push_back(evaluateArgument(launch, variant, arg, geometry));
    }
    step.args.reserve(step.slots.size());
    for (uint64_t &slot : step.slots)
      step.args.push_back(&slot);
    // Moving the vectors keeps the slots where they are.
    invocation->steps.push_back(std::move(step));
  }
  info.geometry = std::move(geometry);
  invocation->infos.push_back(std::move(info));
  return Error::success();
}

llvm::Expected<std::unique_ptr<Invocation>> Preparation::run() {
  invocation->device = &device;
  if (Error error = checkArguments())
    return std::move(error);
  if (Error error = computeSizes())
    return std::move(error);
  if (Error error = shapeValues())
    return std::move(error);
  if (Error error = checkInPlace())
    return std::move(error);
  if (Error error = checkOutputs())
    return std::move(error);
  planMemory();
  if (Error error = allocate())
    return std::move(error);
  if (Error error = makeResults())
    return std::move(error);
  if (Error error = chooseVersions())
    return std::move(error);
  if (planChanged)
    return nullptr;
  invocation->steps.reserve(plan.launches.size());
  invocation->infos.reserve(plan.launches.size());
  for (size_t index = 0; index < plan.launches.size(); ++index)
    if (Error error = prepareLaunch(index))
      return std::move(error);
  return std::move(invocation);
}

llvm::Expected<std::unique_ptr<Invocation>>
Executable::prepare(ArrayRef<Argument> arguments,
                    ArrayRef<std::optional<Tensor>> outputs) {
  // Another plan has other kernels, and may have other buffers. Whoever changes
  // it comes to an end (see VersionSource::reconsider).
  while (true) {
    auto invocation = Preparation(*this, arguments, outputs).run();
    if (!invocation || *invocation)
      return invocation;
  }
}
