//===- ProgramBuilder.h - From ops to nodes ---------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_PROGRAMBUILDER_H
#define EW_LIB_REFERENCE_PROGRAMBUILDER_H

#include "Program.h"

#include "ew/Dialect/Ew/IR/Ew.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ew::reference {

/// The nodes of a function, op by op.
class ProgramBuilder {
public:
  ProgramBuilder(const Options &options) : options(options) {}

  llvm::Error addInput(mlir::BlockArgument arg, const TensorView &view);
  llvm::Error addOp(mlir::Operation *op);

  /// Of a value its node, or those of its parts.
  using Ids = llvm::SmallVector<unsigned, 2>;
  llvm::DenseMap<mlir::Value, Ids> ids;
  Program program;

private:
  using Nodes = llvm::SmallVector<Node *, 2>;

  /// The first node of a value; its shape is that of all.
  Node &node(mlir::Value value) {
    return *program.nodes[ids.find(value)->second.front()];
  }
  /// Adds the nodes of a value; `shape` is what the value's type says of it.
  llvm::Expected<Nodes> add(mlir::Value value, Node::Kind kind,
                            llvm::ArrayRef<int64_t> shape);
  llvm::Error addConstant(mlir::Operation *op, mlir::Attribute value);
  /// What one of the parts of a constant holds.
  llvm::Error setConstants(Node &constant, mlir::Operation *op,
                           mlir::Attribute value, unsigned numParts);
  llvm::Error addSize(mlir::Value value, int64_t size);
  llvm::Error addSizeArithmetic(mlir::Operation *op);
  llvm::Error addEmpty(mlir::tensor::EmptyOp op);
  llvm::Error addIota(IotaOp op);
  llvm::Error addPhilox(PhiloxOp op);
  llvm::Error addDropout(DropoutOp op);
  llvm::Error addBroadcast(BroadcastOp op);
  llvm::Error addTranspose(TransposeOp op);
  llvm::Error addCompute(mlir::Operation *op);
  llvm::Error addCast(mlir::tensor::CastOp op);
  llvm::Error checkShapes(CheckShapesOp op);
  void setArithmetic(Node &node, mlir::Operation *op);
  /// Part `part` of an operand, of which there is one unless it is complex.
  void addOperand(Node &user, mlir::Value operand, unsigned part = 0);
  llvm::Error checkShapes(mlir::Operation *op);

  // In ComplexProgram.cpp.
  llvm::Error addComplex(mlir::Operation *op);

  // In Generic.cpp. The values of a body have one element for each iteration.
  llvm::Error addGeneric(mlir::linalg::GenericOp op);
  llvm::Error addElements(mlir::linalg::GenericOp op, mlir::OpOperand &input,
                          llvm::ArrayRef<int64_t> loops);
  llvm::Error addIndex(mlir::Value value, int64_t loop,
                       llvm::ArrayRef<int64_t> loops);
  llvm::Error addBodyOp(mlir::Operation *op, llvm::ArrayRef<int64_t> loops);
  llvm::Error spread(mlir::Value number, llvm::ArrayRef<int64_t> loops);
  llvm::Error spreadCaptured(mlir::Operation *op, llvm::ArrayRef<int64_t> loops,
                             llvm::DenseMap<mlir::Value, Ids> &outside);

  const Options &options;
};

std::string toString(llvm::ArrayRef<int64_t> shape);

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_PROGRAMBUILDER_H
