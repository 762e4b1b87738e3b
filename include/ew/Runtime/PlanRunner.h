//===- PlanRunner.h - Runs compiled functions -------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_PLANRUNNER_H
#define EW_RUNTIME_PLANRUNNER_H

#include "ew/Runtime/Device.h"
#include "ew/Runtime/Geometry.h"
#include "ew/Runtime/Plan.h"
#include "ew/Runtime/Tensor.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ew::runtime {

/// What a function is called with: a tensor on the device, or a number. A
/// tensor is a view, whose buffer the invocation keeps alive.
struct Argument {
  Argument(Tensor tensor) : type(tensor.type), tensor(std::move(tensor)) {}
  /// `bits` has the number in its first bytes.
  Argument(ElementType type, uint64_t bits)
      : type(type), scalar(true), bits(bits) {}

  ElementType type;
  bool scalar = false;
  Tensor tensor;
  uint64_t bits = 0;
};

/// What one launch does, for those who want to know. It points into the
/// executable, and at nothing else that the call was made of.
struct LaunchInfo {
  const Launch *launch = nullptr;
  uint32_t variant = 0;
  /// Sizes, and where the operands' elements lie.
  Geometry geometry;
  uint64_t maxGrid = 0; // of the device
  uint64_t grid = 0;    // blocks; 0: nothing to do, not launched
  unsigned block = 0;   // threads
  /// Each input read once and each output written once, by their own elements:
  /// a row that is broadcast counts as a row.
  uint64_t bytesRead = 0, bytesWritten = 0;
  /// The same for every operand; 0 for an input that an earlier one names too.
  std::vector<uint64_t> operandBytes;
  Kernel *kernel = nullptr; // null where nothing is launched

  const Variant &getVariant() const { return launch->variants[variant]; }
  /// Of the variants before it those that something kept from running; not
  /// those that are for fewer elements, and are otherwise the same.
  llvm::SmallVector<uint32_t> getPassedOver() const;
  /// Why a variant may not be launched in its place, or nothing where it may.
  /// Found when it is asked for: there may be some twenty of them, and most
  /// calls explain none. `plan`, which has the launch, names its operands.
  std::optional<std::string> whyNot(uint32_t variant, const Plan &plan) const;
  Obstacle findObstacle(uint32_t variant) const;
};

class Executable;

/// A call with everything decided: sizes, buffers, variants, arguments.
/// Launching it allocates nothing and waits for nothing, and it may be launched
/// again (an argument that is written in place then begins with what was
/// written before).
class Invocation {
public:
  /// Puts the work into the device's queue. What goes wrong there later is an
  /// error of Device::synchronize.
  llvm::Error launch();
  /// The function's results, valid once the queue has been worked off. They
  /// keep their memory alive.
  llvm::ArrayRef<Tensor> getResults() const { return results; }
  llvm::ArrayRef<LaunchInfo> getLaunches() const { return infos; }
  /// Bytes that preparing this allocated.
  uint64_t getAllocatedBytes() const { return allocatedBytes; }
  /// Bytes moved by all launches.
  uint64_t getBytesRead() const;
  uint64_t getBytesWritten() const;

private:
  friend class Preparation;
  struct Step {
    Kernel *kernel;
    uint64_t grid;
    unsigned block, sharedBytes;
    bool dependent;
    std::vector<uint64_t> slots; // values of the arguments
    std::vector<void *> args;    // one pointer into `slots` each
    std::vector<uint64_t> operands;
  };
  struct Copy {
    uint64_t to, from, bytes;
  };

  Device *device = nullptr;
  std::vector<Step> steps;
  std::vector<Copy> copies; // after all steps
  std::vector<BufferRef> buffers;
  std::vector<Tensor> results;
  std::vector<LaunchInfo> infos;
  uint64_t allocatedBytes = 0;
};

/// A program on a device. The code of a variant is compiled and loaded when a
/// call first needs it. Where it takes too many registers, the program's source
/// may change the plan then: invocations from before go on with the one that
/// they know. Outlives its invocations; the device outlives both. One thread at
/// a time may use it.
class Executable {
public:
  /// An error where the program contradicts itself (verify) or was compiled for
  /// another kind of device.
  static llvm::Expected<std::unique_ptr<Executable>> create(Program program,
                                                            Device &device);

  /// Decides and allocates everything for a call, and compiles and loads what
  /// it needs. There is one argument for each of the function's, of its element
  /// type and rank, and of the sizes that its type states.
  ///
  /// Where `outputs`, which may be shorter than the results, has a tensor, the
  /// result is written there. It has the result's type and shape and may
  /// overlap no argument and no other output, but for the argument in whose
  /// place it is written, if it is the same view. Other results get dense
  /// buffers of their own. An argument that is written in place may overlap no
  /// other argument.
  ///
  /// Sizes that do not agree are a LocatedError. Where memory does not suffice
  /// for the results and temporaries, that is an error of the code
  /// std::errc::not_enough_memory, before anything is allocated.
  llvm::Expected<std::unique_ptr<Invocation>>
  prepare(llvm::ArrayRef<Argument> arguments,
          llvm::ArrayRef<std::optional<Tensor>> outputs = {});

  /// Prepares, launches and waits.
  llvm::Expected<std::unique_ptr<Invocation>>
  run(llvm::ArrayRef<Argument> arguments,
      llvm::ArrayRef<std::optional<Tensor>> outputs = {});

  const Program &getProgram() const { return program; }
  const Plan &getPlan() const { return program.plan; }
  Device &getDevice() const { return device; }

private:
  friend class Preparation;
  Executable(Program program, Device &device);
  /// Gets the code of those versions that have none yet from the program's
  /// source.
  llvm::Error obtain(llvm::ArrayRef<VersionId> versions);
  llvm::Expected<Kernel *> getKernel(const Variant &variant);
  /// Shows the source what became of the versions that it made, for calls of so
  /// many elements each. True: the plan is another one now.
  llvm::Expected<bool> reconsider(llvm::ArrayRef<VersionId> versions,
                                  llvm::ArrayRef<int64_t> counts);
  void adopt(Plan plan);
  llvm::Expected<BufferRef> getConstant(uint32_t value);

  Program program;
  Device &device;
  std::vector<std::unique_ptr<LoadedModule>> modules;
  /// Of each module, whether the source has seen what became of it: 1 by a call
  /// of few elements, 2 by one of many.
  std::vector<uint8_t> judged;
  std::vector<Plan> retired; // which invocations may still point into
  std::map<uint32_t, BufferRef> constants;
};

/// Whether a version took so much of the device that its source may want
/// another schedule: it spills, or its registers leave room for one block only;
/// or, for a call of so many elements, for three quarters of the threads where
/// a few less would make room for all.
bool takesTooMuch(const Variant &variant, const KernelResources &resources,
                  int64_t elements);

/// "1.5 GiB (1610612736 bytes)".
std::string describeBytes(uint64_t bytes);

} // namespace ew::runtime

#endif // EW_RUNTIME_PLANRUNNER_H
