//===- Timing.h - How long programs take, and must --------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device time over buffers that rotate, so that no call finds its data in a
// cache, and launched back to back, so that no launch's cost on the host is in
// it. Beside it, in turn with it in the same run, a copy kernel that moves as
// many bytes in as many streams: what the memory gives for this mix of reads
// and writes.
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_TIMING_H
#define EW_RUNTIME_TIMING_H

#include "ew/Runtime/PlanRunner.h"
#include <functional>

namespace ew::runtime {

/// Of samples, in seconds. Percentiles are those of the sample at that rank.
struct Statistics {
  double median = 0, p20 = 0, p80 = 0;
  unsigned count = 0;
  unsigned calls = 1; // of what was timed, in each sample
};
Statistics summarize(std::vector<double> samples);

struct TimingOptions {
  unsigned samples = 31;
  /// Every sample covers at least this much work.
  double minSampleSeconds = 1e-3;
  double warmUpSeconds = 0.05;
  /// Fewer samples are taken, but kMinSamples, where all would take longer.
  /// What comes before them (buffers, one call on each) is not counted.
  double maxSeconds = 2;
  static constexpr unsigned kMinSamples = 5;
  /// Sets of buffers that one rotation may have, and the share of the free
  /// memory that they may take.
  unsigned maxSets = 4096;
  double memoryShare = 0.8;
  bool ceiling = true;
};

/// Something to time: puts one call's work, on the buffers of this set, into
/// the device's queue.
struct Subject {
  std::function<llvm::Error(unsigned set)> enqueue;
  unsigned sets = 1;
};

/// Takes samples of a subject, one at a time. On CUDA the calls of one are a
/// graph of whole rotations; elsewhere a sample goes on with the buffers where
/// the one before it stopped.
class Sampler {
public:
  virtual ~Sampler() = default;
  /// Seconds per call.
  virtual llvm::Expected<double> sample() = 0;
  /// Of each sample.
  virtual unsigned numCalls() const = 0;
};
/// Calls the subject on every set once or more, and decides how many calls take
/// `minSeconds`.
llvm::Expected<std::unique_ptr<Sampler>>
createSampler(Device &device, Subject subject, double minSeconds);

/// Times the subjects in turn (A B A B ...); seconds per call of each.
llvm::Expected<std::vector<Statistics>>
timeInTurn(Device &device, llvm::ArrayRef<Subject> subjects,
           const TimingOptions &options = {});

/// The memory side of one kernel: the bytes of each stream.
struct CopyMix {
  std::vector<uint64_t> reads, writes;
  /// Blocks of the kernel, which a CPU runs on no more threads; 0: not known.
  uint64_t blocks = 0;
};

/// How many sets of buffers rotate: enough that the bytes that their calls
/// touch push each other out of a cache of `cacheBytes` (three times its size),
/// as far as a budget goes for the bytes that a set holds.
unsigned countSets(uint64_t touched, uint64_t held, uint64_t cacheBytes,
                   uint64_t budget, unsigned maxSets);

/// Copies of tensors in memory of their own, each as aligned as it was; numbers
/// stay. Adds what was allocated to `bytes`.
llvm::Expected<std::vector<Argument>>
copyArguments(Device &device, llvm::ArrayRef<Argument> arguments,
              uint64_t &bytes);

/// Size of the last cache before the memory; 0 where it isn't known.
uint64_t getCacheBytes(Device &device);

struct ProgramTiming {
  Statistics program;
  uint64_t bytes = 0; // moved by one call, each operand once
  unsigned sets = 0;
  bool defeatsCache = false;
  /// Of the copy kernels; no count where there are none, for the reason stated.
  Statistics ceiling;
  uint64_t ceilingBytes = 0;
  std::string ceilingNote; // "R2W1: 256 threads, streaming"

  /// 0 where nothing was moved or timed.
  double bytesPerSecond() const { return ratio(bytes, program.median); }
  double ceilingBytesPerSecond() const {
    return ratio(ceilingBytes, ceiling.median);
  }
  double fractionOfCeiling() const {
    return ratio(bytesPerSecond(), ceilingBytesPerSecond());
  }

private:
  static double ratio(double a, double b) { return b > 0 ? a / b : 0; }
};

/// Times a program on copies of these arguments. What is written in place
/// changes from call to call, as it does in use.
llvm::Expected<ProgramTiming> timeProgram(Executable &executable,
                                          llvm::ArrayRef<Argument> arguments,
                                          const TimingOptions &options = {});

} // namespace ew::runtime

#endif // EW_RUNTIME_TIMING_H
