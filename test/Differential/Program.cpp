//===- Program.cpp - A random program and its operands --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "ew/Codegen/Schedule/Access.h"
#include "ew/Runtime/Element.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ew;
using namespace ew::fuzz;

namespace rt = ew::runtime;

std::vector<int64_t> Program::getSizes(const Node &node) const {
  std::vector<int64_t> sizes;
  for (int dim : node.shape)
    sizes.push_back(getSize(dim));
  return sizes;
}

int64_t Program::countElements(const Node &node) const {
  int64_t count = 1;
  for (int dim : node.shape)
    count *= getSize(dim);
  return count;
}

bool Program::isDynamic(const Node &node) const {
  return llvm::any_of(node.shape, [&](int dim) {
    return dim == kDynamicOne || (dim >= 0 && dims[dim].dynamic);
  });
}

unsigned Program::countOps() const {
  return llvm::count_if(
      nodes, [](const Node &node) { return node.kind != Node::Kind::Input; });
}

std::vector<unsigned> Program::getInputs() const {
  std::vector<unsigned> inputs;
  for (auto [i, node] : llvm::enumerate(nodes))
    if (node.kind == Node::Kind::Input)
      inputs.push_back(i);
  return inputs;
}

void Program::removeUnused() {
  std::vector<bool> used(nodes.size());
  for (unsigned result : results)
    used[result] = true;
  for (size_t i = nodes.size(); i-- > 0;) {
    if (!used[i])
      continue;
    for (unsigned operand : nodes[i].operands)
      used[operand] = true;
    if (nodes[i].like >= 0)
      used[nodes[i].like] = true;
  }
  std::vector<unsigned> renamed(nodes.size());
  std::vector<Node> kept;
  for (auto [i, node] : llvm::enumerate(nodes)) {
    if (!used[i])
      continue;
    renamed[i] = kept.size();
    for (unsigned &operand : node.operands)
      operand = renamed[operand];
    if (node.like >= 0)
      node.like = renamed[node.like];
    kept.push_back(std::move(node));
  }
  // The result comes after the argument that it is written to.
  for (Node &node : kept)
    if (node.inPlace >= 0)
      node.inPlace = used[node.inPlace] ? int(renamed[node.inPlace]) : -1;
  nodes = std::move(kept);
  for (unsigned &result : results)
    result = renamed[result];
}

std::vector<bool> Program::findLibraryResults(const OpTable &table) const {
  std::vector<bool> found(nodes.size());
  for (auto [i, node] : llvm::enumerate(nodes)) {
    found[i] = node.kind == Node::Kind::Op && table[node.signature].fromLibrary;
    for (unsigned operand : node.operands)
      found[i] = found[i] || found[operand];
  }
  return found;
}

//===----------------------------------------------------------------------===//
// As IR
//===----------------------------------------------------------------------===//

namespace {
class ModuleBuilder {
public:
  ModuleBuilder(const fuzz::Program &program, const OpTable &table,
                MLIRContext *context)
      : program(program), table(table), builder(context) {}
  OwningOpRef<ModuleOp> run();

private:
  Type getType(const Node &node) const;
  TypedAttr getConstant(const Node &node) const;
  Value buildNode(const Node &node);
  Value getLike(const Node &node) const {
    return node.like < 0 ? Value() : values[node.like];
  }

  const fuzz::Program &program;
  const OpTable &table;
  OpBuilder builder;
  std::vector<Value> values;
};
} // namespace

Type ModuleBuilder::getType(const Node &node) const {
  Type element = table.getIRType(node.type);
  if (node.scalar)
    return element;
  SmallVector<int64_t> shape;
  for (int dim : node.shape)
    shape.push_back(dim == kDynamicOne ||
                            (dim >= 0 && program.dims[dim].dynamic)
                        ? ShapedType::kDynamic
                        : program.getSize(dim));
  return RankedTensorType::get(shape, element);
}

TypedAttr ModuleBuilder::getConstant(const Node &node) const {
  Type type = getType(node), element = table.getIRType(node.type);
  if (auto complex = dyn_cast<ComplexType>(element)) {
    auto part = cast<FloatType>(complex.getElementType());
    SmallVector<std::complex<APFloat>> numbers;
    auto read = [&](uint64_t bits) {
      return APFloat(part.getFloatSemantics(), APInt(part.getWidth(), bits));
    };
    for (size_t i = 0; i < node.data.size(); i += 2)
      numbers.emplace_back(read(node.data[i]), read(node.data[i + 1]));
    return DenseElementsAttr::get(cast<ShapedType>(type), numbers);
  }
  unsigned width = element.getIntOrFloatBitWidth();
  if (auto number = dyn_cast<FloatType>(element)) {
    SmallVector<APFloat> numbers;
    for (uint64_t bits : node.data)
      numbers.emplace_back(number.getFloatSemantics(), APInt(width, bits));
    if (node.scalar)
      return FloatAttr::get(type, numbers.front());
    return DenseElementsAttr::get(cast<ShapedType>(type), numbers);
  }
  SmallVector<APInt> numbers;
  for (uint64_t bits : node.data)
    numbers.emplace_back(width, bits);
  if (node.scalar)
    return IntegerAttr::get(type, numbers.front());
  return DenseElementsAttr::get(cast<ShapedType>(type), numbers);
}

Value ModuleBuilder::buildNode(const Node &node) {
  Location loc = builder.getUnknownLoc();
  Type type = getType(node);
  switch (node.kind) {
  case Node::Kind::Input:
    break; // an argument
  case Node::Kind::Constant:
    return ConstantOp::create(builder, loc, type, getConstant(node));
  case Node::Kind::Iota:
    return IotaOp::create(builder, loc, type, node.dimension, getLike(node));
  case Node::Kind::Random:
    return PhiloxOp::create(builder, loc, type, values[node.operands[0]],
                            values[node.operands[1]], node.distribution,
                            node.dimension, getLike(node));
  case Node::Kind::Dropout:
    return DropoutOp::create(builder, loc, type, values[node.operands[0]],
                             values[node.operands[1]], values[node.operands[2]],
                             builder.getF64FloatAttr(node.rate),
                             builder.getI64IntegerAttr(node.dimension));
  case Node::Kind::Broadcast:
    return BroadcastOp::create(builder, loc, type, values[node.operands[0]],
                               getLike(node));
  case Node::Kind::Transpose:
    return TransposeOp::create(builder, loc, type, values[node.operands[0]],
                               node.permutation);
  case Node::Kind::Op: {
    const Signature &signature = table[node.signature];
    SmallVector<Value> operands;
    for (unsigned operand : node.operands)
      operands.push_back(values[operand]);
    OperationState state(loc, signature.name, operands, {type},
                         signature.attributes.getAttrs());
    Operation *op = builder.create(state);
    if (node.mode)
      op->setAttr(kModeAttr, builder.getStringAttr(getName(*node.mode)));
    return op->getResult(0);
  }
  }
  llvm_unreachable("no such kind");
}

OwningOpRef<ModuleOp> ModuleBuilder::run() {
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> arguments, results;
  std::vector<unsigned> inputs = program.getInputs();
  for (unsigned input : inputs)
    arguments.push_back(getType(program.nodes[input]));
  for (unsigned result : program.results)
    results.push_back(getType(program.nodes[result]));
  auto function = func::FuncOp::create(
      builder, loc, "f", builder.getFunctionType(arguments, results));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);

  values.resize(program.nodes.size());
  for (auto [i, input] : llvm::enumerate(inputs)) {
    values[input] = body->getArgument(i);
    const Layout &layout = program.nodes[input].layout;
    if (!layout.order.empty())
      function.setArgAttr(i, layoutAttrName,
                          builder.getDenseI64ArrayAttr(layout.order));
    int inPlace = program.nodes[input].inPlace;
    if (auto result = llvm::find(program.results, unsigned(inPlace));
        inPlace >= 0 && result != program.results.end())
      function.setArgAttr(
          i, inPlaceAttrName,
          builder.getI64IntegerAttr(result - program.results.begin()));
  }
  for (auto [i, node] : llvm::enumerate(program.nodes))
    if (!values[i])
      values[i] = buildNode(node);
  SmallVector<Value> returned;
  for (unsigned result : program.results)
    returned.push_back(values[result]);
  func::ReturnOp::create(builder, loc, returned);
  return module;
}

OwningOpRef<ModuleOp> ew::fuzz::build(const fuzz::Program &program,
                                      const OpTable &table,
                                      MLIRContext *context) {
  return ModuleBuilder(program, table, context).run();
}

//===----------------------------------------------------------------------===//
// In memory
//===----------------------------------------------------------------------===//

/// Strides of a dense tensor whose dimensions lie in this order, times `steps`,
/// and with so much behind them.
static rt::Sizes getStrides(ArrayRef<int64_t> shape, ArrayRef<int64_t> order,
                            ArrayRef<int64_t> steps,
                            ArrayRef<int64_t> padding) {
  rt::Sizes strides(shape.size());
  int64_t next = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    int64_t dim = order.empty() ? i : order[i];
    int64_t step = steps.empty() ? 1 : steps[dim];
    strides[dim] = next * step;
    next *= std::max<int64_t>(shape[dim], 1) * std::abs(step);
    next += padding.empty() ? 0 : padding[i];
  }
  return strides;
}

llvm::Expected<std::vector<rt::HostTensor>>
ew::fuzz::makeInputs(const fuzz::Program &program, bool asViews) {
  std::vector<rt::HostTensor> tensors;
  for (unsigned input : program.getInputs()) {
    const Node &node = program.nodes[input];
    std::vector<int64_t> shape = program.getSizes(node);
    const Layout &layout = node.layout;
    rt::Sizes strides =
        getStrides(shape, layout.order,
                   asViews ? ArrayRef(layout.steps) : ArrayRef<int64_t>(),
                   asViews ? ArrayRef(layout.padding) : ArrayRef<int64_t>());
    // The offset counts from the smallest one that holds every element.
    int64_t offset = 0;
    if (auto range = rt::touchedRange(shape, strides);
        range && range->second >= 0)
      offset = -range->first;
    if (asViews)
      offset += layout.offset;
    auto tensor = rt::HostTensor::createView(node.type, shape, strides, offset);
    if (!tensor)
      return tensor.takeError();
    rt::ElementType part = rt::getPartType(node.type);
    unsigned parts = rt::getNumParts(node.type);
    for (auto [i, bits] : llvm::enumerate(node.data))
      rt::storeElement(tensor->getElement(i / parts) +
                           i % parts * rt::getByteWidth(part),
                       part, bits);
    tensors.push_back(std::move(*tensor));
  }
  return std::move(tensors);
}
