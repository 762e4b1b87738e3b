//===- Interpreter.cpp - Evaluates elements of a program ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "Philox.h"

#include "ComplexFunctions.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace ew;
using namespace ew::reference;

//===----------------------------------------------------------------------===//
// Functions of floating point
//===----------------------------------------------------------------------===//

/// The true results, before the op's own rounding.
static Scalar applyExactly(const Function &function,
                           ArrayRef<const Scalar *> operands,
                           const Node &node) {
  SmallVector<const Real *, 3> nominals;
  SmallVector<const Range *, 3> ranges;
  Scalar result;
  bool points = true;
  for (const Scalar *operand : operands) {
    nominals.push_back(&operand->nominal);
    ranges.push_back(&operand->range);
    result.undecided |= operand->undecided;
    points &= operand->range.isPoint();
  }
  result.range =
      applyToRanges(function, ranges, node.parameters, result.undecided);
  if (!points)
    result.truth = function.point(nominals, node.parameters);
  else
    result.truth = result.range.hasNaN ? Real::nan() : result.range.low;
  return result;
}

/// Puts an op's own rounding on its true results.
static Scalar addError(Scalar exact, const Function &function,
                       ArrayRef<const Scalar *> operands, const Node &node) {
  Scalar result = std::move(exact);
  // Correct rounding to a narrow type, where it is asked for after every op, is
  // one step; a bound holds in the type that the op is computed in.
  bool rounds = node.bound > 0;
  const Format &format =
      node.strict && node.bound <= 0.5 ? *node.format : *node.computed;
  result.nominal = convert(result.truth, format);
  if (rounds) {
    result.bound = node.bound;
    result.trueRange = std::move(result.range);
    if (node.otherPart)
      result.range =
          widenByModulus(*result.trueRange,
                         applyExactly(*node.otherPart, operands, node).range,
                         node.bound, isa<PowOp>(node.op), operands, format);
    else
      result.range =
          widen(*result.trueRange,
                {node.bound, node.isBoundRelative, node.absoluteBound},
                // Fast mode's log2 misses powers of two.
                function.exactHits && node.absoluteBound == 0, format);
    if (node.losesZeroSign) {
      // A zero that is none.
      const Range &truth = *result.trueRange;
      if (result.range.low.isZero() && !truth.low.isZero())
        result.range.low = Real::zero(true);
      if (result.range.high.isZero() && !truth.high.isZero())
        result.range.high = Real::zero(false);
    }
  }
  return node.strict ? roundTo(result, *node.format) : result;
}

Scalar ew::reference::applyFunction(const Function &function,
                                    ArrayRef<const Scalar *> operands,
                                    const Node &node) {
  return addError(applyExactly(function, operands, node), function, operands,
                  node);
}

/// x + y where one of them is a product that may have been contracted into it:
/// `factors` are the product's operands.
static Scalar computeContracted(const Node &node,
                                ArrayRef<const Scalar *> operands,
                                ArrayRef<const Scalar *> factors) {
  const Function &fma = *getFunction(FmaOp::getOperationName());
  Scalar separate = applyExactly(*node.function, operands, node);
  Scalar addend = *operands[1 - node.contractible];
  Scalar a = *factors[0];
  auto flip = [](Scalar &value) {
    value.nominal = negate(value.nominal);
    Real low = negate(value.range.high);
    value.range.high = negate(value.range.low);
    value.range.low = low;
  };
  if (isa<SubOp>(node.op))
    flip(node.contractible == 0 ? addend : a);
  Scalar once = applyExactly(fma, {&a, factors[1], &addend}, node);
  once.undecided |= separate.undecided;
  // Either outcome is allowed; which is nominal depends on the program.
  Scalar result = node.contracts ? once : separate;
  result.range.include(node.contracts ? separate.range : once.range);
  return addError(std::move(result), *node.function, operands, node);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint64_t ew::reference::loadBits(const void *data, int64_t index,
                                 runtime::ElementType type) {
  unsigned bytes = getByteWidth(type);
  uint64_t bits = 0;
  memcpy(&bits, static_cast<const char *>(data) + index * bytes, bytes);
  return type == runtime::ElementType::I1 ? bits != 0 : bits;
}

void ew::reference::storeBits(void *data, int64_t index,
                              runtime::ElementType type, uint64_t bits) {
  unsigned bytes = getByteWidth(type);
  memcpy(static_cast<char *>(data) + index * bytes, &bits, bytes);
}

Scalar ew::reference::toScalar(uint64_t bits, runtime::ElementType type) {
  if (!isFloat(type))
    return Scalar::integer(bits);
  return Scalar::number(decode(bits, getFormat(type)));
}

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

/// Calls `visit(dimension, index)` for every dimension, the last one first.
template <typename Visit>
static void delinearize(int64_t linear, ArrayRef<int64_t> shape, Visit visit) {
  for (int64_t d = shape.size() - 1; d >= 0; --d) {
    visit(d, linear % shape[d]);
    linear /= shape[d];
  }
}

/// The element of its operand that an element of a view shows.
static int64_t mapThroughView(const Node &node, int64_t index) {
  const Node &operand = *node.operandNodes[0];
  std::vector<int64_t> strides = getRowMajorStrides(operand.shape);
  int64_t result = 0;
  int64_t lead = node.shape.size() - operand.shape.size();
  delinearize(index, node.shape, [&](int64_t d, int64_t i) {
    if (node.kind == Node::Kind::Map)
      result += i * node.loopStrides[d];
    else if (node.kind == Node::Kind::Transpose)
      result += i * strides[node.permutation[d]];
    else if (d >= lead && operand.shape[d - lead] != 1)
      result += i * strides[d - lead];
  });
  return result;
}

/// The element of operand `position` that an element comes from.
static int64_t mapToOperand(const Node &node, unsigned position,
                            int64_t index) {
  switch (node.kind) {
  case Node::Kind::Broadcast:
  case Node::Kind::Map:
  case Node::Kind::Transpose:
    return mapThroughView(node, index);
  case Node::Kind::Philox:
    return 0;
  case Node::Kind::Dropout:
    return position == 0 ? index : 0;
  default:
    return index;
  }
}

static Scalar loadInput(const Node &node, int64_t index) {
  int64_t offset = index;
  if (!node.isContiguous) {
    offset = 0;
    delinearize(index, node.shape, [&](int64_t d, int64_t i) {
      offset += i * node.view.strides[d];
    });
  }
  return toScalar(loadBits(node.view.data, offset, node.type), node.type);
}

static Scalar computeIota(const Node &node, int64_t index) {
  int64_t position = 0;
  delinearize(index, node.shape, [&](int64_t d, int64_t i) {
    if (d == node.dimension)
      position = i;
  });
  if (node.format)
    return roundTo(Scalar::number(Real::fromSigned(position)), *node.format);
  unsigned width = 8 * getByteWidth(node.type);
  return Scalar::integer(uint64_t(position) &
                         llvm::maskTrailingOnes<uint64_t>(width));
}

//===----------------------------------------------------------------------===//
// Interpreter
//===----------------------------------------------------------------------===//

Interpreter::Interpreter(const Program &program, ArrayRef<unsigned> targets)
    : program(program), targets(targets.begin(), targets.end()),
      needed(program.nodes.size()) {
  std::vector<bool> reached(program.nodes.size(), false);
  for (unsigned target : targets)
    reached[target] = true;
  for (unsigned i = program.nodes.size(); i-- > 0;) {
    if (!reached[i])
      continue;
    order.push_back(i);
    for (unsigned operand : program.nodes[i]->operands)
      reached[operand] = true;
  }
}

const Scalar &Interpreter::lookUp(unsigned node, int64_t index) const {
  for (const Element &element : needed[node].elements)
    if (element.index == index)
      return element.value;
  llvm_unreachable("an element that nobody asked for");
}

void Interpreter::need(unsigned node, int64_t index) {
  Needed &entry = needed[node];
  if (entry.isKept)
    return;
  for (const Element &element : entry.elements)
    if (element.index == index)
      return;
  entry.elements.push_back({index, Scalar()});
}

void Interpreter::evaluate(int64_t index) {
  current = index;
  for (unsigned node : order)
    if (!needed[node].isKept)
      needed[node].elements.clear();
  for (unsigned target : targets)
    need(target, index);
  // What is needed, from the results back; then values, from the inputs on.
  for (unsigned i : order) {
    const Node &node = *program.nodes[i];
    if (!needed[i].isKept)
      for (size_t e = 0; e < needed[i].elements.size(); ++e)
        for (auto [position, operand] : llvm::enumerate(node.operands))
          need(operand,
               mapToOperand(node, position, needed[i].elements[e].index));
  }
  for (unsigned i : llvm::reverse(order)) {
    Needed &entry = needed[i];
    if (entry.isKept)
      continue;
    for (Element &element : entry.elements)
      element.value = compute(*program.nodes[i], element.index);
    entry.isKept = program.nodes[i]->size == 1 && !entry.elements.empty();
  }
}

/// `value` of `node`, rounded to the type of the node if it is kept wider.
static Scalar roundToType(const Node &node, const Scalar &value) {
  if (!node.format || node.kept == node.format)
    return value;
  return roundTo(value, *node.format);
}

Scalar Interpreter::compute(const Node &node, int64_t index) const {
  switch (node.kind) {
  case Node::Kind::Input:
    return loadInput(node, index);
  case Node::Kind::Constant:
    return node.constants[node.constants.size() == 1 ? 0 : index];
  case Node::Kind::Iota:
    return computeIota(node, index);
  case Node::Kind::Position:
    return Scalar::integer(index);
  case Node::Kind::Philox:
    return computePhilox(node, lookUp(node.operands[0], 0),
                         lookUp(node.operands[1], 0), index);
  case Node::Kind::Dropout:
    return computeDropout(node, lookUp(node.operands[0], index),
                          lookUp(node.operands[1], 0),
                          lookUp(node.operands[2], 0), index);
  case Node::Kind::Size:
    llvm_unreachable("a size has no elements");
  case Node::Kind::Broadcast:
  case Node::Kind::Transpose:
    return lookUp(node.operands[0], mapThroughView(node, index));
  case Node::Kind::Map:
    return roundToType(*node.operandNodes[0],
                       lookUp(node.operands[0], mapThroughView(node, index)));
  case Node::Kind::Compute:
    break;
  }
  SmallVector<const Scalar *, 3> operands;
  SmallVector<Scalar, 0> rounded;
  rounded.reserve(node.operands.size());
  for (auto [i, operand] : llvm::zip(node.operands, node.operandNodes)) {
    const Scalar &value = lookUp(i, index);
    if (!node.looksAtFormat) {
      operands.push_back(&value);
      continue;
    }
    rounded.push_back(roundToType(*operand, value));
    operands.push_back(&rounded.back());
  }
  if (node.contractible < 0)
    return node.compute(node, operands);
  SmallVector<const Scalar *, 2> factors;
  for (unsigned factor : node.operandNodes[node.contractible]->operands)
    factors.push_back(&lookUp(factor, index));
  return computeContracted(node, operands, factors);
}

Scalar Interpreter::getResult(unsigned target) const {
  const Node &node = *program.nodes[target];
  return roundToType(node, lookUp(target, node.size == 1 ? 0 : current));
}
