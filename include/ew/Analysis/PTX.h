//===- PTX.h - What a kernel's PTX does -------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_ANALYSIS_PTX_H
#define EW_ANALYSIS_PTX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace ew::analysis {

/// What a machine instruction keeps busy.
enum class Unit : uint8_t {
  Load, // of global memory
  Store,
  Shared, // loads and stores of shared memory
  Local,  // loads and stores of local memory: spilled registers, arrays
  F32,
  F64,
  F16x2,   // packed and single 16-bit floating point
  Special, // ex2, lg2, rcp, rsqrt, sqrt, sin, cos, tanh: MUFU
  Integer, // arithmetic of addresses and of data, logic, comparison, selection
  Convert, // between integers and floating point; rounding to integers
  Pack,    // between f32 and narrower floating point
  Branch,  // branches, barriers, returns
  Other,
};
inline constexpr unsigned numUnits = unsigned(Unit::Other) + 1;
/// "load", "f32", "special"; as the JSON report spells it.
llvm::StringRef getName(Unit unit);

/// Machine instructions of each kind, as estimated from PTX: one of its
/// instructions may be several (a division) or none (a move between registers).
struct InstructionMix : std::array<double, numUnits> {
  InstructionMix() : std::array<double, numUnits>{} {}
  double &operator[](Unit unit) { return data()[unsigned(unit)]; }
  double operator[](Unit unit) const { return data()[unsigned(unit)]; }
  double total() const;
  InstructionMix &operator+=(const InstructionMix &other);
};

/// The machine instructions that a PTX instruction ("fma.rn.f32") becomes.
InstructionMix getMachineInstructions(llvm::StringRef opcode);
/// The bytes that a thread's access moves: 16 for "ld.global.v4.b32"; 0 for
/// what is no access.
unsigned getAccessBytes(llvm::StringRef opcode);

/// Accesses of one thread to what a pointer argument points at.
struct ParameterAccess {
  unsigned parameter = 0; // of the kernel
  bool store = false;
  unsigned bytes = 0; // of each access
  unsigned count = 0;
};

/// The way through a kernel that a thread takes whose elements are all there,
/// and that needs no rare case (a large angle): the shortest of those that move
/// the most bytes. A loop counts once.
struct KernelCode {
  InstructionMix mix;
  /// Widest first, by parameter.
  std::vector<ParameterAccess> accesses;
  /// Bytes of loads that are on their way at once, at the most, in the order of
  /// the PTX.
  unsigned loadBytesInFlight = 0;
  /// Conditional branches on the way, and in the whole kernel.
  unsigned conditionalBranches = 0, allConditionalBranches = 0;
  bool hasBarrier = false;
};

/// Reads the kernel of that name.
llvm::Expected<KernelCode> analyzePTX(llvm::StringRef ptx,
                                      llvm::StringRef kernel);

} // namespace ew::analysis

#endif // EW_ANALYSIS_PTX_H
