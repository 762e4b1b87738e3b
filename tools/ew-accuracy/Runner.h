//===- Runner.h - A function on a device in a mode --------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_ACCURACY_RUNNER_H
#define EW_TOOLS_ACCURACY_RUNNER_H

#include "Judge.h"
#include "Truth.h"
#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Runtime/PlanRunner.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ew::accuracy {

/// `func.func @f(%x, ...)` of one op on tensors of this element type.
std::string writeModule(const Function &function, llvm::StringRef element);

/// A device by its name on the command line, and what arithmetic may do there.
struct Place {
  std::string name; // "cuda:strict"
  runtime::Device *device = nullptr;
  Mode mode = Mode::Default;
  /// f32 functions are libdevice's: "cuda:libdevice".
  bool library = false;
};

llvm::Expected<std::unique_ptr<runtime::Executable>>
compileFor(mlir::MLIRContext &context, llvm::StringRef source,
           const Place &place);

/// How errors are measured at a place: as its bound is.
Measure getMeasure(mlir::MLIRContext &context, const Function &function,
                   Element type, const Place &place);

llvm::Expected<runtime::Tensor> allocate(runtime::Device &device, Element type,
                                         int64_t count);

/// Two of everything: one is looked at while the other is made.
inline constexpr unsigned kSlots = 2;

/// Operands in the memory of a device, for all functions of one type that run
/// there.
struct Operands {
  runtime::Device *device = nullptr;
  llvm::SmallVector<runtime::Tensor, 2> slots[kSlots];

  static llvm::Expected<Operands> create(runtime::Device &device, Element type,
                                         unsigned arity, int64_t capacity);
  llvm::Error copy(unsigned slot, llvm::ArrayRef<const void *> from);
};

/// One op, compiled for a device and a mode.
class Runner {
public:
  static llvm::Expected<std::unique_ptr<Runner>>
  create(mlir::MLIRContext &context, const Function &function, Element type,
         const Operands &operands, const Place &place);

  /// Puts the work into the device's queue.
  llvm::Error launch(unsigned slot) { return slots[slot].call->launch(); }
  /// Waits, and has the results until the slot is launched again.
  llvm::Expected<const void *> wait(unsigned slot);

private:
  struct Slot {
    std::optional<runtime::Tensor> result;
    std::unique_ptr<runtime::Invocation> call;
    std::vector<char> host;
  };
  runtime::Device *device = nullptr;
  std::unique_ptr<runtime::Executable> executable;
  Slot slots[kSlots];
};

/// The true values, rounded to f64, by the oracle: a hundred thousand a second.
llvm::Expected<std::vector<double>> evaluateExactly(mlir::MLIRContext &context,
                                                    const Function &function,
                                                    llvm::ArrayRef<double> x,
                                                    llvm::ArrayRef<double> y);

} // namespace ew::accuracy

#endif // EW_TOOLS_ACCURACY_RUNNER_H
