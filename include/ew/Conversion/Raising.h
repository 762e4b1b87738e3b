//===- Raising.h - What ops of other dialects become in ew ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CONVERSION_RAISING_H
#define EW_CONVERSION_RAISING_H

#include "ew/Dialect/Ew/IR/Ew.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace ew {

/// The element type that values of an element type have once raised: itself,
/// i64 for `index`, and null where ew has no equal.
mlir::Type getRaisedElementType(mlir::Type element);

/// Whether ew takes the type as it is: an element, or a ranked tensor without
/// an encoding.
bool isRaised(mlir::Type type);

/// How a diagnostic shows a type.
std::string toString(mlir::Type type);

/// Builds the ew ops for one op. The operands may be scalars or tensors; they
/// have one shape, and the ops are built at that shape.
class Raiser {
public:
  /// `takesFlags`: fast-math flags say what mode an op has, where nothing else
  /// does.
  Raiser(mlir::OpBuilder &builder, mlir::Location loc, bool takesFlags = false)
      : builder(builder), loc(loc), takesFlags(takesFlags) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  void setLoc(mlir::Location newLoc) { loc = newLoc; }

  /// Records why an op is left alone.
  mlir::LogicalResult refuse(const llvm::Twine &why) {
    reason = why.str();
    return mlir::failure();
  }
  const std::string &getReason() const { return reason; }

  /// Gives the ops between `before` (null: the block's beginning) and `end`,
  /// which were built for `source`, the mode of that, where they have none.
  void handOnMode(mlir::Operation *source, mlir::Operation *before,
                  mlir::Operation *end) const;

  /// An op whose result has the type of its first operand.
  template <typename Op>
  mlir::Value create(mlir::ValueRange operands) {
    return Op::create(builder, loc, mlir::TypeRange(operands[0].getType()),
                      operands)
        ->getResult(0);
  }
  /// A test of floating-point values.
  template <typename Op>
  mlir::Value createTest(mlir::Value operand) {
    return Op::create(builder, loc, getBoolTypeLike(operand.getType()),
                      operand);
  }
  mlir::Value cmp(CmpPredicate predicate, mlir::Value lhs, mlir::Value rhs);
  mlir::Value select(mlir::Value condition, mlir::Value ifTrue,
                     mlir::Value ifFalse);
  mlir::Value cast(mlir::Value value, mlir::Type element);
  mlir::Value bitcast(mlir::Value value, mlir::Type element);

  /// An integer seen as unsigned, and back. A boolean stays as it is.
  mlir::Value toUnsigned(mlir::Value value);
  mlir::Value toSignless(mlir::Value value);

  /// An integer or boolean at another width, as MLIR has it: extended by its
  /// sign (that of true is -1) or by zeros, or cut.
  mlir::Value resize(mlir::Value value, mlir::Type element, bool isSigned);

  /// A constant of the type of `like`, given as a number of its element type.
  mlir::Value constant(mlir::Value like, mlir::TypedAttr number);
  mlir::Value constant(mlir::Value like, int64_t number);
  mlir::Value constant(mlir::Value like, const llvm::APFloat &number);

  /// A complex number, given by the attributes of its parts.
  mlir::Value complexConstant(mlir::ComplexType type, mlir::ArrayAttr parts);

  /// A scalar at a tensor type, whose dynamic sizes are those of `like`.
  mlir::Value broadcast(mlir::Value scalar, mlir::RankedTensorType type,
                        mlir::Value like);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool takesFlags;
  std::string reason;
};

/// Builds the ew ops for `op`, which has `operands` in place of its own, and
/// appends its results. Every type of `op` has an equal.
using RaiseFn = mlir::LogicalResult (*)(
    Raiser &raiser, mlir::Operation *op, mlir::ValueRange operands,
    llvm::SmallVectorImpl<mlir::Value> &results);

/// What each op becomes: one table for ops on tensors and for ops in the body
/// of a linalg op.
class RaisingTable {
public:
  RaisingTable();

  RaiseFn lookup(mlir::Operation *op) const {
    return entries.lookup(op->getName().getTypeID());
  }
  template <typename Op>
  void add(RaiseFn function) {
    entries[mlir::TypeID::get<Op>()] = function;
  }

private:
  llvm::DenseMap<mlir::TypeID, RaiseFn> entries;
};

void populateArithToEw(RaisingTable &table);
void populateComplexToEw(RaisingTable &table);
void populateMathToEw(RaisingTable &table);
void populateTosaToEw(RaisingTable &table);

/// The ops built for an op with tensors as operands, appended to `results`.
mlir::LogicalResult raiseTensorOp(mlir::Operation *op,
                                  const RaisingTable &table, Raiser &raiser,
                                  llvm::SmallVectorImpl<mlir::Value> &results);

/// The same for a linalg op.
mlir::LogicalResult raiseLinalgOp(mlir::linalg::LinalgOp op,
                                  const RaisingTable &table, Raiser &raiser,
                                  llvm::SmallVectorImpl<mlir::Value> &results);

/// The same for a TOSA op.
mlir::LogicalResult raiseTosaOp(mlir::Operation *op, const RaisingTable &table,
                                Raiser &raiser,
                                llvm::SmallVectorImpl<mlir::Value> &results);

} // namespace ew

#endif // EW_CONVERSION_RAISING_H
