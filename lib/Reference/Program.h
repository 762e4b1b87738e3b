//===- Program.h - A function as the oracle interprets it -------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_PROGRAM_H
#define EW_LIB_REFERENCE_PROGRAM_H

#include "Functions.h"
#include "ew/Reference/Reference.h"

#include <memory>

namespace ew::reference {

struct Node;
using Compute = Scalar (*)(const Node &, llvm::ArrayRef<const Scalar *>);

/// One value of the function, at the shapes of one call.
struct Node {
  enum class Kind : uint8_t {
    Input,
    Constant,
    Iota,
    Position, // row-major, in a kernel's iteration
    Philox,
    Dropout,
    Broadcast,
    Transpose,
    Map,     // of the loops of a kernel, to an operand that lies in memory
    Compute, // element by element
    Size,    // an index: what a dimension is
  };
  Kind kind = Kind::Compute;
  /// Of a complex value there are two nodes, the real and the imaginary part.
  unsigned part = 0;
  mlir::Operation *op = nullptr;
  runtime::ElementType type = runtime::ElementType::F32;
  std::vector<int64_t> shape;
  int64_t size = 1; // elements
  llvm::SmallVector<unsigned, 3> operands;
  /// For each operand its node, so that a Compute sees its type.
  llvm::SmallVector<const Node *, 3> operandNodes;

  //===--- Floating point ------------------------------------------------===//

  /// That of the type, the one that the op is computed in, and the one that its
  /// value is kept in.
  const Format *format = nullptr, *computed = nullptr, *kept = nullptr;
  double bound = 0;
  /// In fast mode: it is one of the relative error, and an error that is
  /// allowed in any case.
  bool isBoundRelative = false;
  double absoluteBound = 0;
  Parameters parameters;
  const Function *function = nullptr;
  /// Where the bound is one of a complex number's modulus: the function of the
  /// other part.
  const Function *otherPart = nullptr;
  /// A result that underflows is a zero of either sign.
  bool losesZeroSign = false;
  bool strict = false;
  /// For an addition: one of the operands is a product that may be contracted,
  /// and certainly is where the product has no other use.
  int contractible = -1;
  bool contracts = false;

  Compute compute = nullptr;
  /// Operands are rounded to their type first.
  bool looksAtFormat = false;

  //===--- Others --------------------------------------------------------===//

  TensorView view;               // Input; strides filled in
  bool isContiguous = true;      // of Input
  std::vector<Scalar> constants; // one for a splat
  int64_t dimension = 0;         // Iota
  std::vector<int64_t> permutation;
  std::vector<int64_t> loopStrides; // Map: elements of the operand, per loop
  int64_t index = 0;                // Size
};

struct Program {
  /// Operands stand before their users.
  std::vector<std::unique_ptr<Node>> nodes;
  /// Of each result its node, or those of its parts.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> results;
};

llvm::Expected<Program> buildProgram(mlir::func::FuncOp func,
                                     llvm::ArrayRef<TensorView> inputs,
                                     const Options &options);

/// How the elements of an op's result come from those of its operands, or null.
/// `element` is the type of the result.
Compute getCompute(mlir::Operation *op, mlir::Type element);

/// The same for one part of a complex result, and for what complex operands
/// give: the compute function, and of which parts of its operands.
struct ComplexCompute {
  Compute compute = nullptr; // null: there is none
  const Function *function = nullptr;
  /// Whether it takes a part of an operand.
  bool (*takes)(unsigned operand, unsigned operandPart,
                unsigned part) = nullptr;
};
ComplexCompute getComplexCompute(mlir::Operation *op, unsigned part);

/// Applies an op's function of floating point, rounded as `node` says.
Scalar applyFunction(const Function &function,
                     llvm::ArrayRef<const Scalar *> operands, const Node &node);

/// The bits of an element in memory.
uint64_t loadBits(const void *data, int64_t index, runtime::ElementType type);
void storeBits(void *data, int64_t index, runtime::ElementType type,
               uint64_t bits);
Scalar toScalar(uint64_t bits, runtime::ElementType type);

/// The real or the imaginary parts of complex elements; other elements as they
/// are.
TensorView getPartView(const TensorView &view, unsigned part);

std::vector<int64_t> getRowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// An error with a location before it: "f.mlir:3:8: message".
llvm::Error makeError(mlir::Location loc, const llvm::Twine &message);

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_PROGRAM_H
