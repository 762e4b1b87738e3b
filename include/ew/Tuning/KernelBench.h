//===- KernelBench.h - Schedules of one kernel on a device ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TUNING_KERNELBENCH_H
#define EW_TUNING_KERNELBENCH_H

#include "ew/Runtime/PlanRunner.h"
#include "ew/Runtime/Timing.h"
#include "ew/Tuning/Search.h"
#include <map>

namespace ew::tuning {

/// One launch of a program as a program of its own, for arguments of the sizes
/// that `sizes` was evaluated for: what it reads are arguments, what it writes
/// results.
runtime::Program extractLaunch(const runtime::Program &program, uint32_t launch,
                               llvm::ArrayRef<std::optional<int64_t>> sizes);

/// The arguments that extractLaunch's program takes, on the device: `program`
/// is run on `arguments`, which it may write to.
llvm::Expected<std::vector<runtime::Argument>>
makeLaunchArguments(const runtime::Program &program, uint32_t launch,
                    runtime::Device &device,
                    llvm::ArrayRef<runtime::Argument> arguments);

/// Times one kernel under several schedules. All of them work on the same sets
/// of buffers, which rotate so that no call finds its data in a cache.
class KernelBench : public Bench {
public:
  /// A program of the one launch under a schedule; an error where there is
  /// none.
  using Compile =
      std::function<llvm::Expected<runtime::Program>(const ScheduleChoice &)>;
  /// Judges a schedule whose kernel gives the same bits as the policy's: what
  /// is wrong with it all the same, or nothing.
  using Judge =
      std::function<llvm::Expected<std::string>(const ScheduleChoice &)>;

  /// `arguments` are copied and not written to. All of a sample's calls take
  /// `minSampleSeconds` at the least.
  static llvm::Expected<std::unique_ptr<KernelBench>>
  create(runtime::Device &device, Compile compile,
         llvm::ArrayRef<runtime::Argument> arguments,
         const ScheduleChoice &model, Judge judge = {},
         double minSampleSeconds = 1e-3);
  ~KernelBench() override;

  llvm::Expected<unsigned> add(const ScheduleChoice &choice) override;
  void remove(unsigned candidate) override;
  llvm::Expected<double> sample(unsigned candidate) override;
  llvm::Expected<std::string> findMistake(unsigned candidate,
                                          unsigned reference) override;

  unsigned getSets() const { return sets.size(); }
  bool defeatsCache() const { return defeats; }

private:
  struct Set {
    std::vector<runtime::Argument> arguments;
    /// One for each result; none for what is written in place of an argument.
    std::vector<std::optional<runtime::Tensor>> outputs;
  };
  struct Candidate;

  KernelBench(runtime::Device &device, Compile compile,
              llvm::ArrayRef<runtime::Argument> arguments);
  llvm::Expected<uint64_t> addSet(runtime::Executable &executable);
  llvm::Error makeSets(const ScheduleChoice &model);
  llvm::Expected<std::unique_ptr<Candidate>> load(const ScheduleChoice &choice);
  /// What a kernel gives, each result dense.
  llvm::Expected<std::vector<runtime::HostTensor>>
  compute(Candidate &candidate);

  runtime::Device &device;
  Compile compile;
  Judge judge;
  double minSampleSeconds = 1e-3;
  std::vector<runtime::Argument> arguments;
  std::vector<Set> sets;
  bool defeats = false;
  unsigned modelSpills = 0;
  unsigned next = 0;
  std::map<unsigned, std::unique_ptr<Candidate>> candidates;
};

} // namespace ew::tuning

#endif // EW_TUNING_KERNELBENCH_H
