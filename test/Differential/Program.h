//===- Program.h - A random program and its operands ------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_DIFFERENTIAL_PROGRAM_H
#define EW_TEST_DIFFERENTIAL_PROGRAM_H

#include "OpTable.h"
#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Runtime/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ew::fuzz {

/// A size that several values have in common.
struct Dim {
  int64_t size = 1;
  bool dynamic = false; // `?` in the types
};

/// Indices into Program::dims, or one of these.
enum : int { kOne = -1 /* size 1 */, kDynamicOne = -2 /* `?`, and is 1 */ };
using Shape = std::vector<int>;

/// How an input lies in memory.
struct Layout {
  /// The order of dimensions, outermost first; empty for row-major. Declared to
  /// the compiler with `ew.layout`.
  std::vector<int64_t> order;
  /// Where inputs are views: steps of dimensions in units of what a dense
  /// tensor has (negative: backwards), and elements before the first one.
  std::vector<int64_t> steps;
  /// And elements left out behind dimensions, which are slices of longer ones:
  /// in the order in which they lie.
  std::vector<int64_t> padding;
  int64_t offset = 0;
};

struct Node {
  enum class Kind : uint8_t {
    Input,
    Constant,
    Iota,
    Random, // ew.philox
    Dropout,
    Broadcast,
    Transpose,
    Op
  };
  static constexpr unsigned kNumKinds = unsigned(Kind::Op) + 1;
  Kind kind = Kind::Op;
  ElementType type = ElementType::F32;
  bool scalar = false; // a number, not a tensor
  Shape shape;
  std::vector<unsigned> operands;
  unsigned signature = 0;   // Op
  std::optional<Mode> mode; // Op: its own, where it is not the program's
  int like = -1;            // Broadcast, Iota, Random: the node with the sizes
  int64_t dimension = 0;    // Iota; Random, Dropout: the stream
  double rate = 0;          // Dropout
  Distribution distribution = Distribution::bits; // Random
  std::vector<int64_t> permutation;               // Transpose
  /// Input, Constant: bits, row-major; of a complex type those of each part.
  std::vector<uint64_t> data;
  Layout layout; // Input
  /// Input: the node that is written to its memory, if that is a result.
  int inPlace = -1;
};

struct Program {
  Mode mode = Mode::Default;
  std::string chip = "sm_80"; // of the emulated GPU
  int optLevel = 3;           // of LLVM
  /// Few elements, too, go through the vectors and tails of a GPU's kernels,
  /// and not through the versions that those have for few.
  bool many = false;
  /// Bit i: inputs are views on device i.
  unsigned viewsOn = 0;
  /// Runs a second time on every device, with views where there were none; and
  /// what each stage of compiling prints is parsed.
  bool thorough = false;
  std::vector<Dim> dims;
  std::vector<Node> nodes; // operands before their users
  std::vector<unsigned> results;

  int64_t getSize(int dim) const { return dim < 0 ? 1 : dims[dim].size; }
  std::vector<int64_t> getSizes(const Node &node) const;
  int64_t countElements(const Node &node) const;
  bool isDynamic(const Node &node) const;
  /// How many ops it has; inputs are none.
  unsigned countOps() const;
  /// The nodes that are inputs, in the order of the function's arguments.
  std::vector<unsigned> getInputs() const;
  bool hasInPlace() const {
    return llvm::any_of(nodes,
                        [](const Node &node) { return node.inPlace >= 0; });
  }
  /// Drops what no result needs.
  void removeUnused();
  /// Whether each value depends on what a library computes.
  std::vector<bool> findLibraryResults(const OpTable &table) const;
};

/// The function @f of a module, as ew ops.
mlir::OwningOpRef<mlir::ModuleOp>
build(const Program &program, const OpTable &table, mlir::MLIRContext *context);

/// The inputs in host memory: as declared, or as views of larger buffers.
llvm::Expected<std::vector<runtime::HostTensor>>
makeInputs(const Program &program, bool asViews);

} // namespace ew::fuzz

#endif // EW_TEST_DIFFERENTIAL_PROGRAM_H
