//===- Body.cpp - A kernel's body on vectors ------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Emitter.h"

#include "ew/Codegen/Kernel/Kernels.h"
#include "ew/Codegen/Kernel/Signature.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ew;

Value KernelEmitter::toBody(Value memory, Type element) {
  auto type = cast<VectorType>(memory.getType());
  if (type.getElementType() == element)
    return memory;
  if (element.isInteger(1)) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, memory,
                                 zero);
  }
  return UnrealizedConversionCastOp::create(b, loc, type.clone(element), memory)
      .getResult(0);
}

Value KernelEmitter::toMemory(Value body) {
  Type element = cast<VectorType>(body.getType()).getElementType();
  Type memory = getMemoryType(element);
  if (memory == element)
    return body;
  auto type = cast<VectorType>(body.getType()).clone(memory);
  if (element.isInteger(1))
    return arith::ExtUIOp::create(b, loc, type, body);
  return UnrealizedConversionCastOp::create(b, loc, type, body).getResult(0);
}

Value KernelEmitter::extractPart(Value memory, unsigned part) {
  SmallVector<int64_t> mask;
  for (int64_t i = part,
               e = cast<VectorType>(memory.getType()).getNumElements();
       i < e; i += 2)
    mask.push_back(i);
  return vector::ShuffleOp::create(b, loc, memory, memory, mask);
}

Value KernelEmitter::interleave(Value real, Value imaginary) {
  SmallVector<int64_t> mask;
  int64_t count = cast<VectorType>(real.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    mask.append({i, count + i});
  return vector::ShuffleOp::create(b, loc, real, imaginary, mask);
}

FailureOr<Value> KernelEmitter::splat(Operation *constant, VectorType type) {
  Attribute value;
  if (!matchPattern(constant, m_Constant(&value)))
    return failure();
  auto dense = DenseElementsAttr::get(type, value);
  if (isa<ew::ConstantOp>(constant))
    return ew::ConstantOp::create(b, constant->getLoc(), type, dense)
        .getResult();
  return arith::ConstantOp::create(b, constant->getLoc(), dense).getResult();
}

Value KernelEmitter::positions(ArrayRef<Lanes> chunks) {
  Type i64 = b.getI64Type();
  VectorType type = bodyVectorOf(i64);
  auto at = [&](const Lanes &chunk, unsigned lane) -> Value {
    Value position = chunk.linear(lane);
    return position.getType() == i64
               ? position
               : b.createOrFold<arith::ExtUIOp>(loc, i64, position);
  };
  if (chunks.size() > 1 || !chunks.front().consecutive) {
    SmallVector<Value> scalars;
    for (const Lanes &chunk : chunks)
      for (unsigned lane = 0; lane < lanes(); ++lane)
        scalars.push_back(at(chunk, lane));
    return vector::FromElementsOp::create(b, loc, type, scalars);
  }
  auto steps = llvm::to_vector(llvm::seq<int64_t>(0, lanes()));
  Value offsets = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, ArrayRef<int64_t>(steps)));
  Value first =
      vector::BroadcastOp::create(b, loc, type, at(chunks.front(), 0));
  return arith::AddIOp::create(b, loc, first, offsets);
}

/// What was left as it is where the program was raised to ew, or is another's.
static bool isForeign(Operation &op) {
  return !op.hasTrait<OpTrait::ConstantLike>() &&
         !isa<linalg::IndexOp, LinearIndexOp>(op) &&
         (!OpTrait::hasElementwiseMappableTraits(&op) || op.getNumRegions());
}

/// One of them may be why the others were left, and nobody knows which: all are
/// named.
static LogicalResult reportForeign(Block &body) {
  llvm::SmallSetVector<OperationName, 4> names;
  Operation *first = nullptr;
  for (Operation &op : body.without_terminator())
    if (isForeign(op)) {
      first = first ? first : &op;
      names.insert(op.getName());
    }
  InFlightDiagnostic error = first->emitError("'") << first->getName() << "'";
  if (names.size() == 1)
    return error
           << " is not an elementwise function: a kernel cannot compute it "
              "on vectors";
  for (OperationName name : llvm::drop_begin(names))
    error << ", '" << name << "'";
  return error
         << " are not elementwise functions of ew: a kernel cannot compute "
            "them on vectors";
}

LogicalResult ew::verifyKernel(linalg::GenericOp op, bool diagnose) {
  if (failed(getLoopNest(op, diagnose)))
    return failure();
  Block &body = *op.getBody();
  if (llvm::none_of(body.without_terminator(), isForeign))
    return success();
  return diagnose ? reportForeign(body) : failure();
}

Value KernelEmitter::narrow(Value vector) {
  Value lane = vector::ExtractOp::create(b, loc, vector, 0);
  return vector::FromElementsOp::create(
      b, loc, VectorType::get({1}, lane.getType()), lane);
}

Value KernelEmitter::widen(Value one) {
  Value memory = toMemory(one);
  Value lane = vector::ExtractOp::create(b, loc, memory, 0);
  Value all =
      vector::BroadcastOp::create(b, loc, bodyVectorOf(lane.getType()), lane);
  return toBody(all, cast<VectorType>(one.getType()).getElementType());
}

bool KernelEmitter::isSameForAll(unsigned operand,
                                 ArrayRef<Lanes> chunks) const {
  if (isUniform(operand))
    return true;
  const Lanes &lanes = chunks.front();
  bool dense = isLinear(operand);
  return !dense && chunks.size() == 1 && lanes.consecutive && lanes.oneRow &&
         nest.rank() > 0 && !strides[operand].back();
}

FailureOr<SmallVector<Value>> KernelEmitter::compute(ValueRange inputs,
                                                     ArrayRef<Lanes> chunks) {
  Block *body = op.getBody();
  IRMapping mapping;
  // Complex numbers stand as they lie in memory; ew-split-complex has left only
  // ops that take them apart or put them together.
  for (auto [argument, input] :
       llvm::zip(body->getArguments().take_front(inputs.size()), inputs))
    mapping.map(argument, isComplex(argument.getType())
                              ? input
                              : toBody(input, argument.getType()));

  // What is the same for all lanes of a thread is computed once, and not lane
  // by lane: there may be many, and NVIDIA's driver (580.159) crashed on
  // functions of 16 equal ones.
  IRMapping once;
  bool severalLanes = schedule.getBlock() > 1 && lanes() * numChunks > 1;
  if (severalLanes)
    for (auto [index, argument] :
         llvm::enumerate(body->getArguments().take_front(inputs.size())))
      if (!isComplex(argument.getType()) && isSameForAll(index, chunks))
        once.map(argument, toBody(narrow(inputs[index]), argument.getType()));
  auto isOnce = [&](Operation &inner) {
    auto isSame = [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      return once.contains(operand) ||
             (def && matchPattern(def, m_Constant()) &&
              !isComplex(operand.getType()));
    };
    return severalLanes && inner.getNumOperands() > 0 &&
           llvm::all_of(inner.getOperands(), isSame) &&
           llvm::none_of(inner.getResultTypes(), isComplex);
  };

  // A constant may stand in the body or outside.
  auto lookup = [&](Value value, Operation *user) -> LogicalResult {
    if (mapping.contains(value))
      return success();
    if (once.contains(value)) {
      mapping.map(value, widen(once.lookup(value)));
      return success();
    }
    if (Operation *def = value.getDefiningOp())
      if (FailureOr<Value> constant = splat(def, bodyVectorOf(value.getType()));
          succeeded(constant)) {
        mapping.map(value, *constant);
        return success();
      }
    return user->emitError(
        "a kernel's body may use only its arguments and constants");
  };

  for (Operation &inner : body->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      int64_t dim = dimOfLoop[index.getDim()];
      bool one = getLoopNest(op)->sizes[index.getDim()] == 1;
      SmallVector<Value> scalars;
      for (const Lanes &lanes : chunks)
        for (unsigned lane = 0; lane < this->lanes(); ++lane) {
          Value coord;
          if (one)
            coord = ix.constant(0);
          else if (!lanes.oneRow)
            coord = lanes.coords[lane][dim];
          else if (dim == nest.rank() - 1)
            coord = ix.add(lanes.coords[0][dim], ix.constant(lane));
          else
            coord = lanes.coords[0][dim];
          scalars.push_back(ix.toIndex(coord));
        }
      mapping.map(index.getResult(),
                  vector::FromElementsOp::create(b, index.getLoc(),
                                                 bodyVectorOf(b.getIndexType()),
                                                 scalars)
                      .getResult());
      continue;
    }
    if (isa<LinearIndexOp>(inner)) {
      mapping.map(inner.getResult(0), positions(chunks));
      continue;
    }
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      if (failed(lookup(inner.getResult(0), &inner)))
        return failure();
      continue;
    }
    if (isForeign(inner))
      return reportForeign(*body);
    if (isOnce(inner)) {
      for (Value operand : inner.getOperands())
        if (!once.contains(operand))
          once.map(operand, *splat(operand.getDefiningOp(),
                                   VectorType::get({1}, operand.getType())));
      Operation *clone = b.clone(inner, once);
      for (Value result : clone->getResults())
        result.setType(VectorType::get({1}, result.getType()));
      continue;
    }
    for (Value operand : inner.getOperands())
      if (failed(lookup(operand, &inner)))
        return failure();
    if (isa<RealOp, ImagOp>(inner)) {
      mapping.map(
          inner.getResult(0),
          extractPart(mapping.lookup(inner.getOperand(0)), isa<ImagOp>(inner)));
      continue;
    }
    if (auto complex = dyn_cast<ComplexOp>(inner)) {
      mapping.map(complex.getResult(),
                  interleave(mapping.lookup(complex.getReal()),
                             mapping.lookup(complex.getImaginary())));
      continue;
    }
    if (llvm::any_of(inner.getOperandTypes(), isComplex) ||
        llvm::any_of(inner.getResultTypes(), isComplex))
      return inner.emitError("'")
             << inner.getName()
             << "' of complex numbers is in a kernel that ew-split-complex "
                "has not been run on";
    Operation *clone = b.clone(inner, mapping);
    for (Value result : clone->getResults())
      result.setType(bodyVectorOf(result.getType()));
    // Places follow each other as the elements of a chunk do.
    if (auto philox = dyn_cast<PhiloxAtOp>(clone);
        philox && chunks.front().aligned &&
        cast<PhiloxAtOp>(inner).getIndex().getDefiningOp<LinearIndexOp>())
      philox.setRuns(lanes() & -lanes()); // the power of two in it
  }

  SmallVector<Value> results;
  for (Value result : body->getTerminator()->getOperands()) {
    if (failed(lookup(result, body->getTerminator())))
      return failure();
    Value value = mapping.lookup(result);
    results.push_back(isComplex(result.getType()) ? value : toMemory(value));
  }
  return results;
}
