//===- KernelBench.cpp - Schedules of one kernel on a device --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/KernelBench.h"

#include "ew/Runtime/Element.h"
#include "ew/Runtime/Transfer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace ew;
using namespace ew::tuning;
using namespace ew::runtime;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

/// Of what the device has free, the sets may take this much.
static constexpr double kMemoryShare = 0.7;
static constexpr unsigned kMaxSets = 4096;

//===----------------------------------------------------------------------===//
// One launch as a program
//===----------------------------------------------------------------------===//

namespace {
/// Versions of one launch of a program, for the program that has only that.
class LaunchVersions : public VersionSource {
public:
  LaunchVersions(const Program &whole, uint32_t launch)
      : whole(whole), launch(launch) {}

  Expected<std::vector<CodeModule>>
  compile(const Program &, ArrayRef<VersionId> versions) override {
    std::vector<VersionId> there;
    for (VersionId id : versions)
      there.push_back({launch, id.variant});
    return whole.source->compile(whole, there);
  }

private:
  const Program whole;
  uint32_t launch;
};
} // namespace

/// The values of a launch that are arguments of its program, in order.
static std::vector<uint32_t> getInputs(const Plan &plan, const Launch &launch) {
  std::vector<uint32_t> inputs;
  for (auto [index, operand] : llvm::enumerate(launch.operands)) {
    const Value &value = plan.values[operand.value];
    bool given = index < launch.numInputs ? value.kind != Value::Kind::Constant
                                          : value.kind == Value::Kind::Argument;
    if (given && !llvm::is_contained(inputs, operand.value))
      inputs.push_back(operand.value);
  }
  return inputs;
}

Program tuning::extractLaunch(const Program &program, uint32_t index,
                              ArrayRef<std::optional<int64_t>> sizes) {
  const Plan &from = program.plan;
  Program result;
  result.target = program.target;
  result.chip = program.chip;
  result.modules = program.modules;
  Plan &plan = result.plan;
  Launch launch = from.launches[index];
  plan.function = from.function;
  for (const std::optional<int64_t> &size : sizes)
    plan.sizes.push_back({SizeExpr::Kind::Constant, size.value_or(0)});

  llvm::DenseMap<uint32_t, uint32_t> numbers;
  auto add = [&](uint32_t number, Value::Kind kind) {
    Value value = from.values[number];
    value.kind = kind;
    value.inPlace = false;
    numbers[number] = plan.values.size();
    plan.values.push_back(std::move(value));
  };
  for (uint32_t input : getInputs(from, launch))
    add(input, Value::Kind::Argument);
  plan.numArguments = plan.values.size();
  for (auto [place, operand] : llvm::enumerate(launch.operands)) {
    bool output = place >= launch.numInputs;
    if (!numbers.count(operand.value))
      add(operand.value,
          output ? Value::Kind::Temporary : Value::Kind::Constant);
    operand.value = numbers[operand.value];
    if (!output)
      continue;
    plan.results.push_back(operand.value);
    Value &value = plan.values[operand.value];
    value.inPlace = value.kind == Value::Kind::Argument;
  }
  plan.launches.push_back(std::move(launch));
  if (program.source)
    result.source = std::make_shared<LaunchVersions>(program, index);
  return result;
}

Expected<std::vector<Argument>>
tuning::makeLaunchArguments(const Program &program, uint32_t index,
                            Device &device, ArrayRef<Argument> arguments) {
  // What lies between kernels becomes a result.
  Program whole = program;
  Plan &plan = whole.plan;
  std::vector<uint32_t> inputs = getInputs(plan, plan.launches[index]);
  size_t first = plan.results.size();
  for (uint32_t input : inputs)
    if (plan.values[input].kind == Value::Kind::Temporary)
      plan.results.push_back(input);
  bool between = plan.results.size() != first;
  std::vector<Argument> given;
  std::unique_ptr<Invocation> invocation;
  if (between) {
    auto executable = Executable::create(std::move(whole), device);
    if (!executable)
      return executable.takeError();
    auto run = (*executable)->run(arguments);
    if (!run)
      return run.takeError();
    invocation = std::move(*run);
  }
  size_t next = first;
  for (uint32_t input : inputs)
    if (program.plan.values[input].kind == Value::Kind::Temporary)
      given.push_back(invocation->getResults()[next++]);
    else
      given.push_back(arguments[input]);
  return given;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

struct KernelBench::Candidate {
  ScheduleChoice choice;
  std::unique_ptr<Executable> executable;
  std::vector<std::unique_ptr<Invocation>> invocations; // one for each set
  std::unique_ptr<Sampler> sampler;
};

KernelBench::KernelBench(Device &device, Compile compile,
                         ArrayRef<Argument> arguments)
    : device(device), compile(std::move(compile)),
      arguments(arguments.begin(), arguments.end()) {}

KernelBench::~KernelBench() = default;

Expected<std::unique_ptr<KernelBench>>
KernelBench::create(Device &device, Compile compile,
                    ArrayRef<Argument> arguments, const ScheduleChoice &model,
                    Judge judge, double minSampleSeconds) {
  std::unique_ptr<KernelBench> bench(
      new KernelBench(device, std::move(compile), arguments));
  bench->judge = std::move(judge);
  bench->minSampleSeconds = minSampleSeconds;
  if (Error error = bench->makeSets(model))
    return std::move(error);
  return std::move(bench);
}

Expected<uint64_t> KernelBench::addSet(Executable &executable) {
  uint64_t bytes = 0;
  Set set;
  auto copies = copyArguments(device, arguments, bytes);
  if (!copies)
    return copies.takeError();
  set.arguments = std::move(*copies);
  auto invocation = executable.prepare(set.arguments);
  if (!invocation)
    return invocation.takeError();
  bytes += (*invocation)->getAllocatedBytes();
  const Plan &plan = executable.getPlan();
  for (auto [value, result] :
       llvm::zip_equal(plan.results, (*invocation)->getResults())) {
    if (plan.values[value].kind == Value::Kind::Argument)
      set.outputs.push_back(std::nullopt);
    else
      set.outputs.push_back(result);
  }
  sets.push_back(std::move(set));
  return bytes;
}

Error KernelBench::makeSets(const ScheduleChoice &model) {
  auto program = compile(model);
  if (!program)
    return program.takeError();
  auto executable = Executable::create(std::move(*program), device);
  if (!executable)
    return executable.takeError();
  auto memory = device.getMemoryInfo();
  if (!memory)
    return memory.takeError();
  auto held = addSet(**executable);
  if (!held)
    return held.takeError();
  auto invocation = (*executable)->prepare(sets[0].arguments, sets[0].outputs);
  if (!invocation)
    return invocation.takeError();
  uint64_t touched =
      (*invocation)->getBytesRead() + (*invocation)->getBytesWritten();
  uint64_t cache = getCacheBytes(device);
  unsigned count =
      countSets(touched, *held, cache,
                static_cast<uint64_t>(memory->free * kMemoryShare), kMaxSets);
  defeats = count > 1 && count * touched > 3 * cache;
  while (sets.size() < count)
    if (auto bytes = addSet(**executable); !bytes)
      return bytes.takeError();
  for (const LaunchInfo &info : (*invocation)->getLaunches())
    if (info.kernel)
      if (auto resources = device.getResources(*info.kernel))
        modelSpills = resources->spillBytes;
  return Error::success();
}

Expected<std::unique_ptr<KernelBench::Candidate>>
KernelBench::load(const ScheduleChoice &choice) {
  auto program = compile(choice);
  if (!program)
    return program.takeError();
  auto executable = Executable::create(std::move(*program), device);
  if (!executable)
    return executable.takeError();
  auto candidate = std::make_unique<Candidate>();
  candidate->choice = choice;
  candidate->executable = std::move(*executable);
  for (Set &set : sets) {
    auto invocation =
        candidate->executable->prepare(set.arguments, set.outputs);
    if (!invocation)
      return invocation.takeError();
    candidate->invocations.push_back(std::move(*invocation));
  }
  for (const LaunchInfo &info : candidate->invocations[0]->getLaunches())
    if (info.kernel)
      if (auto resources = device.getResources(*info.kernel))
        if (resources->spillBytes > modelSpills)
          return llvm::createStringError("spills " +
                                         llvm::Twine(resources->spillBytes) +
                                         " bytes of registers per thread");
  return std::move(candidate);
}

Expected<unsigned> KernelBench::add(const ScheduleChoice &choice) {
  auto candidate = load(choice);
  if (!candidate)
    return candidate.takeError();
  // Moving the pointer leaves what it points at in its place.
  Candidate *timed = candidate->get();
  auto sampler = createSampler(
      device,
      {[timed](unsigned set) { return timed->invocations[set]->launch(); },
       unsigned(sets.size())},
      minSampleSeconds);
  if (!sampler)
    return sampler.takeError();
  timed->sampler = std::move(*sampler);
  candidates[next] = std::move(*candidate);
  return next++;
}

void KernelBench::remove(unsigned candidate) { candidates.erase(candidate); }

Expected<double> KernelBench::sample(unsigned candidate) {
  return candidates[candidate]->sampler->sample();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Expected<std::vector<HostTensor>> KernelBench::compute(Candidate &candidate) {
  // What is written in place begins with what the caller gave.
  uint64_t bytes = 0;
  auto copies = copyArguments(device, arguments, bytes);
  if (!copies)
    return copies.takeError();
  auto run = candidate.executable->run(*copies);
  if (!run)
    return run.takeError();
  std::vector<HostTensor> results;
  for (const Tensor &result : (*run)->getResults()) {
    auto host = copyToHost(device, result);
    if (!host)
      return host.takeError();
    auto dense = host->toRowMajor();
    if (!dense)
      return dense.takeError();
    results.push_back(std::move(*dense));
  }
  return results;
}

/// The first element whose bits differ; every NaN counts as the same.
static std::optional<int64_t> findDifference(const HostTensor &a,
                                             const HostTensor &b) {
  unsigned width = getByteWidth(a.getType());
  size_t bytes = size_t(a.getNumElements()) * width;
  if (std::memcmp(a.getData(), b.getData(), bytes) == 0)
    return std::nullopt;
  ElementType part = getPartType(a.getType());
  unsigned partWidth = getByteWidth(part);
  for (size_t at = 0; at < bytes; at += partWidth) {
    uint64_t x = loadElement(a.getData() + at, part),
             y = loadElement(b.getData() + at, part);
    if (x != y && !(isNaN(x, part) && isNaN(y, part)))
      return at / width;
  }
  return std::nullopt;
}

Expected<std::string> KernelBench::findMistake(unsigned candidate,
                                               unsigned reference) {
  auto expected = compute(*candidates[reference]);
  if (!expected)
    return expected.takeError();
  auto actual = compute(*candidates[candidate]);
  if (!actual)
    return actual.takeError();
  for (auto [index, pair] :
       llvm::enumerate(llvm::zip_equal(*actual, *expected))) {
    auto &[mine, its] = pair;
    if (auto at = findDifference(mine, its))
      return "element " + std::to_string(*at) + " of output " +
             std::to_string(index) + " is " +
             formatElementAt(mine.getElement(*at), mine.getType()) + ", not " +
             formatElementAt(its.getElement(*at), its.getType());
  }
  if (judge)
    return judge(candidates[candidate]->choice);
  return std::string();
}
