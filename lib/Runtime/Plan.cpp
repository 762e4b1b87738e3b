//===- Plan.cpp - What makes a program valid, and its sizes ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Plan.h"
#include "ew/Runtime/Tensor.h"
#include "ew/Support/Plural.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace ew;
using namespace ew::runtime;
using llvm::ArrayRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Rounds towards negative infinity, or towards positive infinity.
static std::optional<int64_t> divide(int64_t a, int64_t b, bool up) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  int64_t quotient = a / b;
  if (a % b != 0 && ((a < 0) != (b < 0)) != up)
    quotient += up ? 1 : -1;
  return quotient;
}

static std::optional<int64_t> evaluate(const SizeExpr &size,
                                       ArrayRef<std::optional<int64_t>> sizes,
                                       ArrayRef<ArrayRef<int64_t>> shapes) {
  using Kind = SizeExpr::Kind;
  if (size.kind == Kind::Constant)
    return size.value;
  if (size.kind == Kind::Dim)
    return shapes[size.a][size.value];
  std::optional<int64_t> a = sizes[size.a], b = sizes[size.b];
  if (!a)
    return std::nullopt;
  if (size.kind == Kind::Select)
    return *a != 0 ? b : sizes[size.c];
  if (!b)
    return std::nullopt;
  int64_t result;
  switch (size.kind) {
  case Kind::Add:
    return llvm::AddOverflow(*a, *b, result) ? std::nullopt
                                             : std::optional(result);
  case Kind::Sub:
    return llvm::SubOverflow(*a, *b, result) ? std::nullopt
                                             : std::optional(result);
  case Kind::Mul:
    return llvm::MulOverflow(*a, *b, result) ? std::nullopt
                                             : std::optional(result);
  case Kind::FloorDiv:
    return divide(*a, *b, /*up=*/false);
  case Kind::CeilDiv:
    return divide(*a, *b, /*up=*/true);
  case Kind::Min:
    return std::min(*a, *b);
  case Kind::Max:
    return std::max(*a, *b);
  case Kind::Equal:
    return *a == *b;
  case Kind::Constant:
  case Kind::Dim:
  case Kind::Select:
    break;
  }
  return std::nullopt;
}

std::vector<std::optional<int64_t>>
ew::runtime::evaluateSizes(const Plan &plan,
                           ArrayRef<ArrayRef<int64_t>> shapes) {
  std::vector<std::optional<int64_t>> sizes;
  sizes.reserve(plan.sizes.size());
  for (const SizeExpr &size : plan.sizes)
    sizes.push_back(evaluate(size, sizes, shapes));
  return sizes;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {
/// Looks at one part of a program after the other; the first fault ends it.
class Verifier {
public:
  explicit Verifier(const Program &program)
      : program(program), plan(program.plan) {}
  llvm::Error run();

private:
  llvm::Error checkSize(size_t index);
  llvm::Error checkValue(size_t index);
  llvm::Error checkLaunch(size_t index);
  llvm::Error checkOperand(const Launch &launch, size_t index);
  llvm::Error checkVariant(const Launch &launch, const Variant &variant);
  llvm::Error checkArgument(const Launch &launch, const Variant &variant,
                            const KernelArg &arg);

  /// An error about the part that is being looked at.
  llvm::Error fail(const Twine &what) const {
    return llvm::createStringError("invalid program: " + where + ": " + what);
  }

  const Program &program;
  const Plan &plan;
  std::string where;
};
} // namespace

llvm::Error Verifier::checkSize(size_t index) {
  using Kind = SizeExpr::Kind;
  const SizeExpr &size = plan.sizes[index];
  if (size.kind == Kind::Constant)
    return llvm::Error::success();
  if (size.kind == Kind::Dim) {
    if (size.a >= plan.numArguments)
      return fail("a dimension of something that is no argument");
    if (uint64_t(size.value) >= plan.values[size.a].shape.size())
      return fail("the argument has no such dimension");
    return llvm::Error::success();
  }
  if (size.a >= index || size.b >= index ||
      (size.kind == Kind::Select && size.c >= index))
    return fail("refers to an entry that does not come before it");
  return llvm::Error::success();
}

llvm::Error Verifier::checkValue(size_t index) {
  const Value &value = plan.values[index];
  if ((value.kind == Value::Kind::Argument) != (index < plan.numArguments))
    return fail("arguments come first");
  for (uint32_t size : value.shape)
    if (size >= plan.sizes.size())
      return fail("no such size");
  if (value.scalar &&
      (!value.shape.empty() || value.kind != Value::Kind::Argument))
    return fail("only an argument without dimensions may be a number");
  if (value.inPlace && (value.scalar || value.kind != Value::Kind::Argument))
    return fail("only a tensor that is an argument may be written in place");
  if (value.kind != Value::Kind::Constant) {
    if (!value.data.empty())
      return fail("only constants have data");
    return llvm::Error::success();
  }
  llvm::SmallVector<int64_t> shape;
  for (uint32_t size : value.shape) {
    if (plan.sizes[size].kind != SizeExpr::Kind::Constant)
      return fail("a constant whose shape is not");
    shape.push_back(plan.sizes[size].value);
  }
  std::optional<int64_t> bytes = getDenseBytes(value.type, shape);
  if (!bytes || uint64_t(*bytes) != value.data.size())
    return fail("data of the wrong length");
  return llvm::Error::success();
}

llvm::Error Verifier::checkOperand(const Launch &launch, size_t index) {
  const Operand &operand = launch.operands[index];
  if (operand.value >= plan.values.size())
    return fail("no such value");
  const Value &value = plan.values[operand.value];
  if (operand.dimOfLoop.size() != launch.loops.size())
    return fail("another number of loops than the launch");
  std::vector<bool> walked(value.shape.size());
  for (int32_t dim : operand.dimOfLoop) {
    if (dim == -1)
      continue;
    if (dim < 0 || size_t(dim) >= walked.size() || walked[dim])
      return fail("a loop walks no dimension, or one that another loop walks");
    walked[dim] = true;
  }
  if (!operand.layout.empty()) {
    std::vector<bool> seen(value.shape.size());
    if (operand.layout.size() != seen.size())
      return fail("a layout of another rank");
    for (int32_t dim : operand.layout) {
      if (dim < 0 || size_t(dim) >= seen.size() || seen[dim])
        return fail("a layout that is no permutation");
      seen[dim] = true;
    }
  }
  if (index >= launch.numInputs) {
    if (value.kind != Value::Kind::Temporary && !value.inPlace)
      return fail("an output that cannot be written to");
    if (llvm::is_contained(walked, false) ||
        llvm::is_contained(operand.dimOfLoop, -1))
      return fail("an output whose dimensions are not the loops");
  }
  return llvm::Error::success();
}

llvm::Error Verifier::checkArgument(const Launch &launch,
                                    const Variant &variant,
                                    const KernelArg &arg) {
  using Kind = KernelArg::Kind;
  if (arg.kind == Kind::Pointer || arg.kind == Kind::Scalar ||
      arg.kind == Kind::Stride) {
    if (arg.operand >= launch.operands.size())
      return fail("no such operand");
    bool scalar = plan.values[launch.operands[arg.operand].value].scalar;
    if (scalar != (arg.kind == Kind::Scalar))
      return fail("numbers go by value, tensors by pointer");
  }
  size_t numDims = variant.dims         ? variant.dims
                   : variant.contiguous ? launch.collapse.size()
                                        : launch.loops.size();
  if ((arg.kind == Kind::Size || arg.kind == Kind::Stride ||
       arg.kind == Kind::Divisor) &&
      arg.dim >= numDims)
    return fail("no such dimension");
  if ((arg.kind == Kind::Size || arg.kind == Kind::Stride ||
       arg.kind == Kind::Count) &&
      (arg.width != 64 && (arg.width != 32 || variant.indexWidth != 32)))
    return fail("a width that does not hold the index");
  if (arg.kind == Kind::Divisor &&
      (arg.width != 64 || variant.indexWidth != 32))
    return fail("a divisor of 64 bits goes with an index of 32");
  return llvm::Error::success();
}

llvm::Error Verifier::checkVariant(const Launch &launch,
                                   const Variant &variant) {
  if (variant.module && *variant.module >= program.modules.size())
    return fail("no such module");
  if (variant.kernel.empty())
    return fail("no name");
  if (variant.alignment < 1 || !llvm::isPowerOf2_64(variant.alignment))
    return fail("an alignment that is no power of two");
  if (variant.multiple < 1 || variant.rows < 1 ||
      variant.elementsPerBlock < 1 || variant.lanes < 1)
    return fail("a number below 1");
  if (variant.dims < 0 || variant.dims > int64_t(launch.loops.size()) ||
      (variant.dims && variant.contiguous))
    return fail("dimensions that there are not");
  if (variant.multiple > 1 && launch.collapse.empty())
    return fail("a multiple of a dimension that there is not");
  if (variant.below < 0)
    return fail("a limit below 0");
  if (variant.rows > 1 && (launch.collapse.size() < 2 || !variant.contiguous))
    return fail("rows that there are not");
  if (variant.indexWidth != 32 && variant.indexWidth != 64)
    return fail("an index that has neither 32 nor 64 bits");
  if (variant.block < 1 || variant.block > 1024)
    return fail("a block of " + Twine(variant.block) + " threads");
  if (!variant.tile.empty()) {
    int64_t numDims =
        variant.contiguous ? launch.collapse.size() : launch.loops.size();
    if (variant.tile.size() != 3 || variant.tile[0] < 1 ||
        variant.tile[1] < 1 || variant.tile[2] < 0 ||
        variant.tile[2] >= numDims - 1)
      return fail("a tile that does not fit the dimensions");
  }
  for (const KernelArg &arg : variant.args)
    if (llvm::Error error = checkArgument(launch, variant, arg))
      return error;
  return llvm::Error::success();
}

llvm::Error Verifier::checkLaunch(size_t index) {
  const Launch &launch = plan.launches[index];
  std::string name = "launch " + std::to_string(index);
  where = name;
  for (uint32_t size : launch.loops)
    if (size >= plan.sizes.size())
      return fail("no such size");
  uint64_t collapsed = 0;
  for (int64_t loops : launch.collapse) {
    if (loops < 1 || uint64_t(loops) > launch.loops.size())
      return fail("a collapsed dimension of " + Twine(loops) + " loops");
    collapsed += loops;
  }
  if (collapsed != launch.loops.size())
    return fail("collapsed dimensions that do not cover the loops");
  if (launch.numInputs >= launch.operands.size())
    return fail("no output");
  for (size_t i = 0; i < launch.operands.size(); ++i) {
    where = name + ", operand " + std::to_string(i);
    if (llvm::Error error = checkOperand(launch, i))
      return error;
  }
  where = name;
  if (launch.variants.empty())
    return fail("no variant");
  for (size_t i = 0; i < launch.variants.size(); ++i) {
    where = name + ", variant " + std::to_string(i);
    if (llvm::Error error = checkVariant(launch, launch.variants[i]))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Verifier::run() {
  for (size_t i = 0; i < plan.backOffs.size(); ++i) {
    where = "back-off " + std::to_string(i);
    const BackOff &backOff = plan.backOffs[i];
    if (backOff.attempts.empty())
      return fail("no attempt");
    if (backOff.kept && *backOff.kept >= backOff.attempts.size())
      return fail("no such attempt");
  }
  where = "arguments";
  if (plan.numArguments > plan.values.size())
    return fail("fewer values than arguments");
  for (size_t i = 0; i < plan.sizes.size(); ++i) {
    where = "size " + std::to_string(i);
    if (llvm::Error error = checkSize(i))
      return error;
  }
  for (size_t i = 0; i < plan.values.size(); ++i) {
    where = "value " + std::to_string(i);
    if (llvm::Error error = checkValue(i))
      return error;
  }
  where = "results";
  for (uint32_t result : plan.results)
    if (result >= plan.values.size())
      return fail("no such value");
  where = "checks";
  for (const Check &check : plan.checks)
    if (check.lhs >= plan.sizes.size() || check.rhs >= plan.sizes.size())
      return fail("no such size");
  std::vector<bool> written(plan.values.size());
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    if (llvm::Error error = checkLaunch(i))
      return error;
    where = "launch " + std::to_string(i);
    const Launch &launch = plan.launches[i];
    for (const Operand &output :
         ArrayRef(launch.operands).drop_front(launch.numInputs)) {
      if (written[output.value])
        return fail("writes a value that was written before");
      written[output.value] = true;
    }
    for (const Operand &input :
         ArrayRef(launch.operands).take_front(launch.numInputs))
      for (const Operand &output :
           ArrayRef(launch.operands).drop_front(launch.numInputs)) {
        if (output.value != input.value)
          continue;
        if (!plan.values[input.value].inPlace)
          return fail("reads a value that it writes");
        // Each element must be read by whoever writes it.
        if (output.dimOfLoop != input.dimOfLoop)
          return fail("reads a value in another order than it writes it");
      }
  }
  return llvm::Error::success();
}

llvm::Error ew::runtime::verify(const Program &program) {
  return Verifier(program).run();
}

//===----------------------------------------------------------------------===//
// Back-offs
//===----------------------------------------------------------------------===//

std::string Plan::nameOf(uint32_t value) const {
  if (value < numArguments)
    return "argument " + std::to_string(value);
  if (values[value].kind == Value::Kind::Constant)
    return "constant";
  for (auto [number, result] : llvm::enumerate(results))
    if (result == value)
      return "result " + std::to_string(number);
  return "temporary";
}

const BackOff *Plan::findBackOff(llvm::StringRef fingerprint) const {
  auto found = llvm::find_if(backOffs, [&](const BackOff &backOff) {
    return backOff.fingerprint == fingerprint;
  });
  return found == backOffs.end() ? nullptr : &*found;
}

/// "block=128,elements=4,unroll=2 spills 64 bytes a thread (255 registers)".
static std::string describe(const ScheduleAttempt &attempt) {
  // No code takes none.
  if (!attempt.registers)
    return attempt.schedule + " was not tried, since its code is so long";
  return attempt.schedule + " spills " +
         (attempt.spillBytes ? plural(attempt.spillBytes, "byte") + " a thread"
                             : "nothing") +
         " (" + plural(attempt.registers, "register") +
         (attempt.oneBlock ? ", one block on a multiprocessor)" : ")");
}

std::string ew::runtime::describe(const BackOff &backOff) {
  std::string text = "kernel '" + backOff.name + "': ";
  for (const auto &[index, attempt] : llvm::enumerate(backOff.attempts)) {
    text += (index ? ", " : "") + ::describe(attempt);
    if (index == 0)
      text += " (" + backOff.source + ")";
  }
  if (backOff.isSplit())
    return text + "; it was split into two kernels";
  if (!backOff.kept)
    return text;
  if (backOff.attempts.size() == 1)
    return text + "; it stays";
  return text + "; " + backOff.attempts[*backOff.kept].schedule + " it is";
}

llvm::Expected<std::optional<Plan>>
VersionSource::reconsider(const Program &, VersionId, const KernelResources &) {
  return std::nullopt;
}
