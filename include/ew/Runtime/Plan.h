//===- Plan.h - What a compiled function does at run time -------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_PLAN_H
#define EW_RUNTIME_PLAN_H

#include "ew/Runtime/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ew::runtime {

/// A size that is known once the arguments are. Sizes stand in one table and
/// refer to earlier entries by index.
struct SizeExpr {
  enum class Kind : uint8_t {
    Constant, // value
    Dim,      // dimension `value` of the tensor argument a (a value's index)
    Add,
    Sub,
    Mul,
    FloorDiv,
    CeilDiv,
    Min,
    Max,    // of a and b
    Equal,  // 1 if a == b else 0
    Select, // b if a != 0 else c
  };
  Kind kind = Kind::Constant;
  int64_t value = 0;
  uint32_t a = 0, b = 0, c = 0;
};

/// A tensor (or, with rank 0 and `scalar`, a number passed by value).
struct Value {
  enum class Kind : uint8_t { Argument, Temporary, Constant };
  Kind kind = Kind::Argument;
  ElementType type = ElementType::F32;
  bool scalar = false;
  /// An argument whose buffer a kernel writes a result to: its old elements are
  /// gone then. Nothing else that the function is called with may overlap it.
  bool inPlace = false;
  /// Indices into Plan::sizes; for an argument, what its shape must be: an
  /// entry of kind Dim of itself where the type says `?`.
  std::vector<uint32_t> shape;
  /// For constants: the elements, row-major, little-endian.
  std::string data;
};

/// Two sizes that must be equal, or the program ends with an error.
struct Check {
  uint32_t lhs = 0, rhs = 0; // indices into Plan::sizes
  bool allowOne = false;     // a size of 1 agrees with any (broadcasting)
  std::string message;       // "operands of 'ew.add' differ in dimension 0"
  std::string location;      // "f.mlir:3:8"
};

/// One argument of a kernel. A dimension is a collapsed one if the variant is
/// contiguous, one of the merged ones if it has a number of them, else a loop.
struct KernelArg {
  enum class Kind : uint8_t {
    Pointer, // of operand `operand`
    Scalar,  // operand `operand` by value, in its own width
    Size,    // of dimension `dim`
    Count,   // the number of elements of the iteration space
    Stride,  // in elements, of operand `operand` along dimension `dim`: 0 where
             // the operand has a size of 1 there and the dimension has not
    Divisor, // what divides by the size of dimension `dim` (getDivisor)
  };
  Kind kind = Kind::Pointer;
  uint32_t operand = 0, dim = 0;
  uint8_t width = 64; // bits, of Size, Count and Stride
};

/// One version of a kernel: its code, what it takes, when it may be launched.
/// See #ew.variant for the conditions.
struct Variant {
  std::string kernel; // symbol
  /// Index into Program::modules; nothing where its code is not there (yet).
  std::optional<uint32_t> module;
  bool contiguous = false;
  /// Above 0: it walks so many dimensions of merged loops (Geometry::merged).
  int64_t dims = 0;
  int64_t alignment = 1;
  int64_t multiple = 1;
  /// The size of the dimension before the innermost collapsed one, or of that
  /// of a tile's rows, is a multiple of this. Without a tile: above 1, a
  /// thread's accesses stand in so many rows, and a block's in a part of each.
  int64_t rows = 1;
  /// There are fewer elements than this; 0 for any number.
  int64_t below = 0;
  unsigned indexWidth = 64;
  unsigned block = 256; // threads
  /// Elements that one block computes: consecutive ones of the whole iteration
  /// space (of each of `rows` rows) if `tile` is empty, else a tile: tile[0]
  /// along the collapsed dimension tile[2] by tile[1] along the last one. The
  /// number of blocks is then ceil(size[tile[2]] / tile[0]) * ceil(size[last] /
  /// tile[1]) * the other sizes. The grid has one axis, x.
  int64_t elementsPerBlock = 1024;
  /// Elements that a thread takes side by side; 1 where neighbouring threads
  /// have neighbouring elements. For --explain.
  unsigned lanes = 1;
  std::vector<int64_t> tile;
  unsigned sharedBytes = 0; // static shared memory, for --explain
  std::vector<KernelArg> args;
  /// Whether the code waits for the kernels before it by itself, so that it may
  /// be launched while they end (CUDA's programmatic dependent launch).
  bool dependentLaunch = false;
};

struct Operand {
  uint32_t value = 0; // index into Plan::values
  /// For every loop the dimension of the tensor that it walks, or -1.
  std::vector<int32_t> dimOfLoop;
  /// The order of the tensor's dimensions in memory, outermost first, in which
  /// "contiguous" is judged; empty: row-major.
  std::vector<int32_t> layout;
  /// As in the schedule: "dense", "row", ...
  std::string access;
  /// Whether it is read or written in accesses of several elements, so that the
  /// variant's alignment concerns it.
  bool wide = false;
};

struct Launch {
  std::string name;              // of the kernel, without a variant's suffix
  std::string location;          // for messages
  std::vector<uint32_t> loops;   // sizes of the loops, outermost first
  std::vector<int64_t> collapse; // loops per collapsed dimension
  std::vector<Operand> operands; // inputs, then outputs
  uint32_t numInputs = 0;
  std::vector<Variant> variants; // tried in this order
  std::vector<std::string> ops;  // what the kernel computes, for --explain
  /// The numbers of its schedule, "block=128,elements=4,unroll=1", and where
  /// they come from: "model", "--schedule", "tuned (database)".
  std::string schedule, scheduleSource;
  /// The same for kernels that compute the same on operands of the same types
  /// in the same mode, whatever text they come from: what tuned schedules are
  /// found by.
  std::string fingerprint;
  /// How each op with a floating-point result is computed, in their order, for
  /// --explain: "exp: ex2.approx of the fraction, 2 ulp".
  std::vector<std::string> arithmetic;
};

/// A schedule of a kernel, and what its code took of a thread and of a
/// multiprocessor once it was assembled.
struct ScheduleAttempt {
  std::string schedule; // as in Launch
  unsigned registers = 0, spillBytes = 0;
  /// Registers leave room for one such block on a multiprocessor.
  bool oneBlock = false;
};

/// What came of a kernel whose code took too many registers. It stands in the
/// plan so that nobody looks for it a second time, and for --explain.
struct BackOff {
  std::string fingerprint; // of the kernel, as in Launch
  std::string name, location;
  std::string source; // of the first attempt, as Launch::scheduleSource
  /// In the order in which they were made; the first is what was wanted.
  std::vector<ScheduleAttempt> attempts;
  /// Whether there will be no more of them.
  bool done = false;
  /// The attempt that stays; nothing: two kernels are in its place.
  std::optional<uint32_t> kept;

  bool isSplit() const { return done && !kept; }
  /// Whether the kernel is another one than was wanted.
  bool hasChanged() const {
    return isSplit() ||
           (kept && attempts[*kept].schedule != attempts.front().schedule);
  }
  /// Whether a user is to hear of it: not where nothing changed and nothing is
  /// wrong with it, either.
  bool isNews() const {
    return hasChanged() || attempts.front().spillBytes != 0;
  }
};
/// "kernel 'f_0_exp' spills 64 bytes a thread with block=...: ..."
std::string describe(const BackOff &backOff);

/// What one function does: checks, then launches, in order. Buffers of
/// temporaries live from their first to their last use.
struct Plan {
  std::string function;
  std::vector<SizeExpr> sizes;
  std::vector<Value> values; // arguments first, in order
  uint32_t numArguments = 0;
  std::vector<uint32_t> results; // indices into values; repeats are allowed
  std::vector<Check> checks;
  std::vector<Launch> launches;
  std::vector<BackOff> backOffs; // of kernels that it has or had, one for each

  /// What a user calls a value: "argument 0", "result 1", "constant", or
  /// "temporary".
  std::string nameOf(uint32_t value) const;
  /// What came of the kernel of that fingerprint, or null.
  const BackOff *findBackOff(llvm::StringRef fingerprint) const;
};

enum class CodeKind : uint8_t { PTX, Cubin, Object };
enum class Target : uint8_t { CUDA, CPU, Emulated };

/// Code for one or several kernels. For Target::CPU, every kernel symbol is
///   void kernel(<args>, int64_t blockBegin, int64_t blockEnd)
/// called through `void _ew_packed_<kernel>(void **args)`, where args[i] points
/// at the i-th argument; for Target::Emulated, see ew/Runtime/Emulator.h.
struct CodeModule {
  CodeKind kind = CodeKind::PTX;
  std::string name;
  std::string code;
};

/// A version of a kernel: plan.launches[launch].variants[variant].
struct VersionId {
  uint32_t launch = 0, variant = 0;
};

class VersionSource;
struct KernelResources;

/// A compiled function: everything the launcher needs, without MLIR.
struct Program {
  Target target = Target::CPU;
  std::string chip; // "sm_90", or the CPU's name
  Plan plan;
  std::vector<CodeModule> modules;
  /// Where the versions come from that have no module; null where that is none.
  /// It goes with one executable: a copy of the program that another one has
  /// may find that its kernels have other schedules by now. Not part of what is
  /// written to JSON.
  std::shared_ptr<VersionSource> source;

  Variant &operator[](VersionId id) {
    return plan.launches[id.launch].variants[id.variant];
  }
  const Variant &operator[](VersionId id) const {
    return plan.launches[id.launch].variants[id.variant];
  }
  /// Adds the code of a version.
  void add(VersionId id, CodeModule code) {
    (*this)[id].module = modules.size();
    modules.push_back(std::move(code));
  }
};

/// Makes the versions of a program's kernels when they are first needed: the
/// compiler, the disk cache.
class VersionSource {
public:
  virtual ~VersionSource() = default;
  /// One module for each of these versions of `program`, in the same order. All
  /// that a call needs are asked for at once.
  virtual llvm::Expected<std::vector<CodeModule>>
  compile(const Program &program, llvm::ArrayRef<VersionId> versions) = 0;
  /// Told what a version took of the device where that is too much (it spills,
  /// or registers leave room for one block only) and where a kernel in backOffs
  /// is not done. Gives the plan to go on with, whose backOffs have the kernel;
  /// in it the kernel may have another schedule, or be split. Nothing where
  /// nobody decides that.
  virtual llvm::Expected<std::optional<Plan>>
  reconsider(const Program &program, VersionId version,
             const KernelResources &resources);
};

/// Makes sure that every index is in range and every number makes sense, so
/// that what runs the program need not look again.
llvm::Error verify(const Program &program);

/// As JSON, the code in base64; what the disk cache stores and --dump-dir
/// shows.
llvm::json::Value toJSON(const Program &program);
/// What is read back is verified.
llvm::Expected<Program> fromJSON(const llvm::json::Value &value);

/// The size table of a plan for arguments of the given shapes (empty for
/// scalars), whose ranks are right. An entry that does not fit in 64 bits, or
/// that divides by zero, is missing: an error only for what uses it.
std::vector<std::optional<int64_t>>
evaluateSizes(const Plan &plan, llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

} // namespace ew::runtime

#endif // EW_RUNTIME_PLAN_H
