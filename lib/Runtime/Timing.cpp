//===- Timing.cpp - How long programs take, and must ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Timing.h"
#include "ew/Runtime/CopyCeiling.h"
#include "ew/Runtime/CudaDevice.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>

using namespace llvm;

namespace ew::runtime {

Statistics summarize(std::vector<double> samples) {
  Statistics result;
  result.count = samples.size();
  if (samples.empty())
    return result;
  llvm::sort(samples);
  auto at = [&](double rank) {
    return samples[std::lround(rank * (samples.size() - 1))];
  };
  result.median = at(0.5);
  result.p20 = at(0.2);
  result.p80 = at(0.8);
  return result;
}

namespace {
/// The calls of one sample, ready to be repeated.
class CallSampler : public Sampler {
public:
  CallSampler(Device &device, Subject subject)
      : device(device), subject(std::move(subject)) {}

  /// Chooses how many calls a sample has.
  Error prepare(double minSeconds) {
    // The first call may load code and touch memory.
    if (Error error = subject.enqueue(0))
      return error;
    if (Error error = device.synchronize())
      return error;
    return device.getTarget() == Target::CUDA ? prepareRecording(minSeconds)
                                              : prepareCalls(minSeconds);
  }

  Expected<double> sample() override {
    auto seconds = device.time([&]() -> Error {
      return recording ? recording->replay() : enqueue(calls);
    });
    if (!seconds)
      return seconds.takeError();
    return *seconds / calls;
  }

  unsigned numCalls() const override { return calls; }

private:
  static constexpr unsigned kMaxCalls = 4096;

  /// Whole rotations.
  Error prepareRecording(double minSeconds) {
    if (Error error = record(1))
      return error;
    auto once = sample();
    if (!once)
      return once.takeError();
    double wanted = minSeconds / std::max(*once * calls, 1e-9);
    unsigned limit = std::max(kMaxCalls / subject.sets, 1u);
    unsigned rotations = std::min<double>(std::ceil(wanted), limit);
    return rotations > 1 ? record(rotations) : Error::success();
  }

  Error record(unsigned rotations) {
    calls = rotations * subject.sets;
    next = 0;
    auto made = static_cast<CudaDevice &>(device).record(
        [&] { return enqueue(calls); });
    if (!made)
      return made.takeError();
    recording = std::move(*made);
    return Error::success();
  }

  /// As many as it takes.
  Error prepareCalls(double minSeconds) {
    // Every buffer is touched for the first time.
    if (Error error = enqueue(subject.sets))
      return error;
    if (Error error = device.synchronize())
      return error;
    for (calls = 1;; calls *= 2) {
      auto each = sample();
      if (!each)
        return each.takeError();
      if (*each * calls >= minSeconds || calls * 2 > kMaxCalls)
        return Error::success();
    }
  }

  /// Goes on with the rotation where the calls before stopped.
  Error enqueue(unsigned count) {
    for (; count > 0; --count) {
      if (Error error = subject.enqueue(next))
        return error;
      next = (next + 1) % subject.sets;
    }
    return Error::success();
  }

  Device &device;
  const Subject subject;
  std::unique_ptr<CudaDevice::Recording> recording;
  unsigned calls = 0, next = 0;
};
} // namespace

Expected<std::unique_ptr<Sampler>>
createSampler(Device &device, Subject subject, double minSeconds) {
  auto sampler = std::make_unique<CallSampler>(device, std::move(subject));
  if (Error error = sampler->prepare(minSeconds))
    return std::move(error);
  return std::move(sampler);
}

Expected<std::vector<Statistics>> timeInTurn(Device &device,
                                             ArrayRef<Subject> subjects,
                                             const TimingOptions &options) {
  std::vector<std::unique_ptr<Sampler>> samplers;
  for (const Subject &subject : subjects) {
    auto sampler = createSampler(device, subject, options.minSampleSeconds);
    if (!sampler)
      return sampler.takeError();
    samplers.push_back(std::move(*sampler));
  }
  std::vector<std::vector<double>> samples(subjects.size());
  double spent = 0;
  // One sample of each; the device's seconds that they take.
  auto takeOne = [&](bool keep) -> Error {
    for (auto [sampler, into] : zip_equal(samplers, samples)) {
      auto seconds = sampler->sample();
      if (!seconds)
        return seconds.takeError();
      // At least a moment, so that the warm-up ends on any clock.
      spent += std::max(*seconds * sampler->numCalls(), 1e-4);
      if (keep)
        into.push_back(*seconds);
    }
    return Error::success();
  };
  while (!samplers.empty() && spent < options.warmUpSeconds)
    if (Error error = takeOne(/*keep=*/false))
      return std::move(error);
  spent = 0;
  unsigned wanted = samplers.empty() ? 0 : options.samples;
  for (unsigned taken = 0; taken < wanted; ++taken) {
    if (taken >= TimingOptions::kMinSamples && spent > options.maxSeconds)
      break;
    if (Error error = takeOne(/*keep=*/true))
      return std::move(error);
  }
  std::vector<Statistics> results;
  for (auto [of, sampler] : zip_equal(samples, samplers)) {
    results.push_back(summarize(std::move(of)));
    results.back().calls = sampler->numCalls();
  }
  return results;
}

unsigned countSets(uint64_t touched, uint64_t held, uint64_t cacheBytes,
                   uint64_t budget, unsigned maxSets) {
  // At least two, so that a call doesn't overwrite what the one before it
  // reads.
  uint64_t wanted = std::max<uint64_t>(
      3 * cacheBytes / std::max<uint64_t>(touched, 1) + 1, 2);
  uint64_t possible =
      std::max<uint64_t>(budget / std::max<uint64_t>(held, 1), 1);
  return std::min<uint64_t>({wanted, possible, maxSets});
}

uint64_t getCacheBytes(Device &device) {
  if (device.getTarget() == Target::CUDA)
    return static_cast<CudaDevice &>(device).getL2Bytes();
  long l2 = ::sysconf(_SC_LEVEL2_CACHE_SIZE),
       l3 = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  return std::max({l2, l3, 0l});
}

Expected<std::vector<Argument>>
copyArguments(Device &device, ArrayRef<Argument> arguments, uint64_t &bytes) {
  std::vector<Argument> copies;
  for (const Argument &argument : arguments) {
    copies.push_back(argument);
    if (argument.scalar || argument.tensor.byteRange().empty())
      continue;
    Tensor &tensor = copies.back().tensor;
    // With what lies before it, so that the copy is aligned as it was.
    uint64_t size = tensor.buffer->bytes();
    auto buffer = Buffer::allocate(device, size);
    if (!buffer)
      return buffer.takeError();
    if (Error error = device.copyOnDevice((*buffer)->address(),
                                          tensor.buffer->address(), size))
      return std::move(error);
    tensor.buffer = std::move(*buffer);
    bytes += size;
  }
  return copies;
}

namespace {
/// Copies of a program's arguments and what its calls on them need.
class Rotation {
public:
  Rotation(Executable &executable, ArrayRef<Argument> arguments)
      : executable(executable), arguments(arguments) {}

  /// Adds a set; returns what it allocated.
  Expected<uint64_t> add() {
    uint64_t bytes = 0;
    auto copies = copyArguments(executable.getDevice(), arguments, bytes);
    if (!copies)
      return copies.takeError();
    auto invocation = executable.prepare(*copies);
    if (!invocation)
      return invocation.takeError();
    bytes += (*invocation)->getAllocatedBytes();
    held.push_back(std::move(*copies));
    invocations.push_back(std::move(*invocation));
    return bytes;
  }

  Invocation &operator[](unsigned set) { return *invocations[set]; }

private:
  Executable &executable;
  ArrayRef<Argument> arguments;
  std::vector<std::vector<Argument>> held;
  std::vector<std::unique_ptr<Invocation>> invocations;
};
} // namespace

/// What each launch of a call reads and writes.
static std::vector<CopyMix> getMixes(const Invocation &invocation) {
  std::vector<CopyMix> mixes;
  for (const LaunchInfo &info : invocation.getLaunches()) {
    CopyMix mix;
    for (auto [i, bytes] : enumerate(info.operandBytes))
      (i < info.launch->numInputs ? mix.reads : mix.writes).push_back(bytes);
    mix.blocks = info.grid;
    mixes.push_back(std::move(mix));
  }
  return mixes;
}

Expected<ProgramTiming> timeProgram(Executable &executable,
                                    ArrayRef<Argument> arguments,
                                    const TimingOptions &options) {
  Device &device = executable.getDevice();
  auto memory = device.getMemoryInfo();
  if (!memory)
    return memory.takeError();
  Rotation rotation(executable, arguments);
  auto first = rotation.add();
  if (!first)
    return first.takeError();
  std::vector<CopyMix> mixes = getMixes(rotation[0]);
  uint64_t copyBytes = options.ceiling ? getCopySetBytes(mixes) : 0;

  ProgramTiming timing;
  uint64_t cache = getCacheBytes(device);
  timing.bytes = rotation[0].getBytesRead() + rotation[0].getBytesWritten();
  timing.sets =
      countSets(timing.bytes, *first + copyBytes, cache,
                static_cast<uint64_t>(memory->free * options.memoryShare),
                options.maxSets);
  timing.defeatsCache =
      timing.sets > 1 && timing.sets * timing.bytes > 3 * cache;
  for (unsigned set = 1; set < timing.sets; ++set)
    if (auto bytes = rotation.add(); !bytes)
      return bytes.takeError();

  std::vector<Subject> subjects;
  subjects.push_back(
      {[&](unsigned set) { return rotation[set].launch(); }, timing.sets});
  std::unique_ptr<CopyCeiling> ceiling;
  if (!options.ceiling) {
    timing.ceilingNote = "not asked for";
  } else if (auto made = createCopyCeiling(device, mixes, timing.sets)) {
    ceiling = std::move(*made);
    timing.ceilingBytes = ceiling->getBytes();
    timing.ceilingNote = ceiling->getNote().str();
    subjects.push_back(
        {[&](unsigned set) { return ceiling->enqueue(set); }, timing.sets});
  } else {
    timing.ceilingNote = "none: " + toString(made.takeError());
  }
  auto times = timeInTurn(device, subjects, options);
  if (!times)
    return times.takeError();
  timing.program = (*times)[0];
  if (ceiling)
    timing.ceiling = (*times)[1];
  return timing;
}

} // namespace ew::runtime
