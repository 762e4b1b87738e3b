//===- Timing.cpp - What a function costs ---------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ew;
using namespace ew::accuracy;

namespace rt = ew::runtime;

static constexpr int kCalls = 16;
static constexpr int64_t kCount = kTimedCalls / kCalls;
static constexpr int kRounds = 15;
static constexpr int kLaunches = 10;

/// f(x + c0) + f(x + c1) + ..., or without `call` the sum of the operands.
static std::string writeKernel(const Function &function, bool call) {
  std::string text =
      "func.func @f(%a: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {\n";
  llvm::raw_string_ostream os(text);
  double step = (function.high - function.low) * 0x1p-16;
  std::string sum = "%y";
  for (int i = 0; i < kCalls; ++i) {
    os << llvm::formatv("  %c{0} = ew.constant {1:e6} : f32\n"
                        "  %b{0} = ew.broadcast %c{0} like(%a : tensor<?xf32>) "
                        ": f32 to tensor<?xf32>\n"
                        "  %x{0} = ew.add %a, %b{0} : tensor<?xf32>\n",
                        i, (i + 1) * step);
    std::string term = llvm::formatv("%x{0}", i);
    if (call) {
      std::string op = function.text;
      size_t place = op.find("%x");
      op.replace(place, 2, term);
      os << llvm::formatv("  %f{0} = ew.{1} : tensor<?xf32>\n", i, op);
      term = llvm::formatv("%f{0}", i);
    }
    os << llvm::formatv("  %s{0} = ew.add {1}, {2} : tensor<?xf32>\n", i, sum,
                        term);
    sum = llvm::formatv("%s{0}", i);
  }
  os << "  return " << sum << " : tensor<?xf32>\n}\n";
  return text;
}

namespace {
struct Timed {
  rt::Device *device;
  std::unique_ptr<rt::Executable> executable;
  std::unique_ptr<rt::Invocation> call;
  std::vector<double> seconds;

  llvm::Error measure() {
    auto time = device->time([&]() -> llvm::Error {
      for (int i = 0; i < kLaunches; ++i)
        if (llvm::Error error = call->launch())
          return error;
      return llvm::Error::success();
    });
    if (!time)
      return time.takeError();
    seconds.push_back(*time / kLaunches);
    return llvm::Error::success();
  }
  double median() {
    llvm::sort(seconds);
    return seconds[seconds.size() / 2];
  }
};
} // namespace

static llvm::Error prepare(mlir::MLIRContext &context, const Function &function,
                           const Place &place, bool call, Timed &timed) {
  timed.device = place.device;
  auto executable = compileFor(context, writeKernel(function, call), place);
  if (!executable)
    return executable.takeError();
  timed.executable = std::move(*executable);
  std::vector<float> numbers(kCount);
  std::vector<rt::Argument> arguments;
  for (uint64_t seed : {1, 2}) {
    for (int64_t i = 0; i < kCount; ++i)
      numbers[i] = function.low +
                   (function.high - function.low) *
                       ((i + 1) * seed * 0x9e3779b97f4a7c15 >> 40) * 0x1p-24;
    auto operand = allocate(*place.device, Element::F32, kCount);
    if (!operand)
      return operand.takeError();
    if (llvm::Error error = place.device->copyToDevice(
            operand->address(), numbers.data(), kCount * sizeof(float)))
      return error;
    arguments.push_back(rt::Argument(*operand));
  }
  auto prepared = timed.executable->prepare(arguments);
  if (!prepared)
    return prepared.takeError();
  timed.call = std::move(*prepared);
  return timed.measure();
}

llvm::Expected<std::vector<double>>
ew::accuracy::timeCalls(mlir::MLIRContext &context, const Function &function,
                        llvm::ArrayRef<Place> places) {
  // For each place the kernel, then that without the function.
  std::vector<Timed> all(2 * places.size());
  for (size_t i = 0; i < all.size(); ++i)
    if (llvm::Error error =
            prepare(context, function, places[i / 2], i % 2 == 0, all[i]))
      return error;
  for (int round = 0; round < kRounds; ++round)
    for (Timed &timed : all)
      if (llvm::Error error = timed.measure())
        return error;
  std::vector<double> result;
  for (size_t i = 0; i < all.size(); i += 2)
    result.push_back((all[i].median() - all[i + 1].median()) / kTimedCalls *
                     1e12);
  return result;
}
