//===- Implementations.h - The table of implementations ---------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every op, the ways to compute it: on which element types and targets, how
// far the result may be from the true one, and what it costs. Selection takes
// the cheapest one that keeps the bound.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_IMPLEMENTATIONS_H
#define EW_LIB_MATH_IMPLEMENTATIONS_H

#include "Emitter.h"
#include "Interval.h"

namespace ew::math {

/// Kinds of element types, as a set.
enum Kinds : unsigned {
  F32 = 1,
  F64 = 2,
  Narrow = 4, // f16, bf16 and the 8-bit floats
  Int = 8,
  Bool = 16,
  Float = F32 | F64,
  AnyFloat = Float | Narrow,
  Any = AnyFloat | Int | Bool,
};

enum Targets : unsigned {
  OnCPU = 1,
  OnNVPTX = 2,
  Everywhere = OnCPU | OnNVPTX
};

/// One op to lower: its operands, already of the types that arithmetic takes,
/// and the element types they had.
struct Call {
  mlir::Operation *op;
  llvm::SmallVector<V, 3> args;
  /// Of the first operand (a select's: of the result) and of the result.
  mlir::Type from, to;
  /// Of the operands.
  llvm::SmallVector<Interval, 3> ranges;

  bool isSigned() const { return ew::isSignedInteger(from); }
};

/// An 8-bit float is its bits, an i8, in operands and result; f16 and bf16 are
/// themselves.
using Emit = V (*)(Emitter &, const Call &);

struct Implementation {
  unsigned kinds;
  unsigned targets;
  /// In units in the last place of the true result; 0.5 is correct rounding, 0
  /// says that nothing is rounded.
  double bound;
  /// In instructions of an element, roughly; a library's functions count what
  /// is in them.
  unsigned cost;
  Emit emit;
  /// Only for results that are rounded to f16 or bf16 at once; the bound is in
  /// units in the last place of that type and of the rounded result.
  bool rounded = false;
  /// Made of the target's approximations: not where results must be the same on
  /// every target.
  bool approximate = false;
  /// libdevice's, taken where it is asked for and then whatever its bound.
  bool library = false;
  /// The bound is one of the relative error, in units of 2^-23.
  bool relative = false;
  /// Keeps its bound but for this absolute error.
  double absolute = 0;
  /// How it computes, in a few words, for people. Where it is not set, that of
  /// its group.
  llvm::StringRef name = {};
};

inline constexpr llvm::StringLiteral kNormalPhilox = "ew.philox_at normal";

class Implementations {
public:
  static const Implementations &get();

  /// The name under which an op stands in the table: its own, but for normal
  /// numbers, which alone of an op's have a bound.
  static llvm::StringRef getName(mlir::Operation *op);

  /// The cheapest one within the bound, or null. `rounded`: the result is
  /// rounded to 16 bits at once, and may be off by 1 in the last place of
  /// those. `library`: a library's function in f32 where there is one.
  /// `approximate`: the target's approximations may be used.
  struct Allowed {
    bool rounded = false, approximate = false, library = false;
    bool relative = false; // the bound is: as many ulps are within it, too
    double absolute = 0;   // an error that is allowed in any case
  };
  const Implementation *select(llvm::StringRef op, Kinds kind, Target target,
                               double bound, const Allowed &allowed) const;

  /// The least bound, in units in the last place, that the op can be asked to
  /// keep; nothing where it has no implementation on the type and the target.
  std::optional<double> getLeastBound(llvm::StringRef op, Kinds kind,
                                      Target target, bool approximate) const;

  template <typename Op>
  void add(Implementation implementation) {
    add(Op::getOperationName(), implementation);
  }
  void add(llvm::StringRef op, Implementation implementation) {
    table[op].push_back(implementation);
  }

  /// Names those that have no name yet.
  void nameRest(llvm::StringRef name);

private:
  llvm::StringMap<llvm::SmallVector<Implementation, 2>> table;
};

Kinds getKind(mlir::Type element);

/// Exact and correctly rounded ops, and those on bits.
void addArithmetic(Implementations &table);
void addIntegers(Implementations &table);
void addCasts(Implementations &table);
/// Our own functions in f32.
void addActivations(Implementations &table);
void addErrorFunctions(Implementations &table);
void addExponentials(Implementations &table);
/// f32 functions by a GPU's approximations; those for fast mode.
void addHardware(Implementations &table);
void addDefault(Implementations &table);
void addFast(Implementations &table);
void addHyperbolic(Implementations &table);
void addNarrow(Implementations &table);
void addPhilox(Implementations &table);
void addPower(Implementations &table);
void addTrigonometry(Implementations &table);
/// Functions of libm and libdevice, and what is composed of them.
void addComposites(Implementations &table);
void addLibrary(Implementations &table);
void addLibraryF32(Implementations &table);

//===----------------------------------------------------------------------===//
// Pieces that implementations share
//===----------------------------------------------------------------------===//

/// Implementations that are a function of the operands, or of one and the
/// interval that it lies in.
template <V (*function)(V)>
V emit(Emitter &, const Call &c) {
  return function(c.args[0]);
}
template <V (*function)(V, V)>
V emitBinary(Emitter &, const Call &c) {
  return function(c.args[0], c.args[1]);
}
template <V (*function)(V, const Interval &)>
V emitInRange(Emitter &, const Call &c) {
  return function(c.args[0], c.ranges[0]);
}

/// The value of a narrow float (an 8-bit one as its bits) in f32, exact. f32
/// and f64 are themselves.
V widen(V value, mlir::Type element);
/// f32 or f64 rounded once to any floating-point type; the inverse of `widen`.
V roundTo(V value, mlir::Type element,
          RoundingMode mode = RoundingMode::nearest_even, bool saturate = false,
          Interval range = {});

/// Whether the bits are those of a NaN of the type.
V isNanBits(V bits, mlir::Type element);
/// IEEE 754's maximum and minimum on f32 and f64.
V floatMax(V a, V b);
V floatMin(V a, V b);

} // namespace ew::math

#endif // EW_LIB_MATH_IMPLEMENTATIONS_H
