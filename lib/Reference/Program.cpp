//===- Program.cpp - A function as the oracle interprets it ---------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ew;
using namespace ew::reference;
using ew::runtime::ElementType;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Types, shapes, messages
//===----------------------------------------------------------------------===//

Error ew::reference::makeError(Location loc, const Twine &message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn() << ": ";
  os << message;
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                 text.c_str());
}

std::vector<int64_t>
ew::reference::getRowMajorStrides(ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

std::string ew::reference::toString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return shape.empty() ? "a scalar" : text;
}

static std::optional<ElementType> toElementType(Type type) {
  if (type.isIndex())
    return ElementType::I64;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << getElementType(type);
  return runtime::parseElementType(text);
}

static ArrayRef<int64_t> getStaticShape(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.getShape();
  return {};
}

static bool fits(ArrayRef<int64_t> shape, Type type) {
  // The body of a linalg.generic computes numbers for every element.
  if (!isa<ShapedType>(type))
    return true;
  ArrayRef<int64_t> declared = getStaticShape(type);
  if (declared.size() != shape.size())
    return false;
  for (auto [size, wanted] : llvm::zip(shape, declared))
    if (size < 0 || (!ShapedType::isDynamic(wanted) && size != wanted))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// ProgramBuilder
//===----------------------------------------------------------------------===//

Expected<ProgramBuilder::Nodes>
ProgramBuilder::add(Value value, Node::Kind kind, ArrayRef<int64_t> shape) {
  Type type = value.getType();
  Nodes nodes;
  auto result = std::make_unique<Node>();
  result->kind = kind;
  result->op = value.getDefiningOp();
  if (kind != Node::Kind::Size) {
    std::optional<ElementType> element = toElementType(type);
    if (!element)
      return makeError(value.getLoc(),
                       "the reference has no elements of type " +
                           Twine(llvm::formatv("{0}", getElementType(type))));
    if (!fits(shape, type))
      return makeError(value.getLoc(), "value has shape " + toString(shape) +
                                           " here, not " +
                                           llvm::formatv("{0}", type).str());
    result->type = getPartType(*element);
    if (isFloat(result->type))
      result->format = result->computed = result->kept =
          &getFormat(result->type);
  }
  result->shape.assign(shape.begin(), shape.end());
  for (int64_t size : shape)
    if (llvm::MulOverflow(result->size, size, result->size))
      return makeError(value.getLoc(),
                       "shape " + toString(shape) + " has too many elements");
  Ids &id = ids[value];
  id.clear();
  if (isComplex(type)) {
    auto imaginary = std::make_unique<Node>(*result);
    imaginary->part = 1;
    id.push_back(program.nodes.size());
    nodes.push_back(result.get());
    program.nodes.push_back(std::move(result));
    result = std::move(imaginary);
  }
  id.push_back(program.nodes.size());
  nodes.push_back(result.get());
  program.nodes.push_back(std::move(result));
  return nodes;
}

void ProgramBuilder::addOperand(Node &user, Value operand, unsigned part) {
  unsigned id = ids.find(operand)->second[part];
  user.operands.push_back(id);
  user.operandNodes.push_back(program.nodes[id].get());
}

Error ProgramBuilder::addInput(BlockArgument arg, const TensorView &view) {
  Type type = arg.getType();
  std::string name = "input " + std::to_string(arg.getArgNumber());
  std::optional<ElementType> element = toElementType(type);
  if (!element || *element != view.type)
    return makeError(arg.getLoc(),
                     name + " has elements of type " + getName(view.type) +
                         ", not " +
                         llvm::formatv("{0}", getElementType(type)).str());
  if (!fits(view.shape, type) ||
      (!isa<ShapedType>(type) && !view.shape.empty()))
    return makeError(arg.getLoc(), name + " has shape " + toString(view.shape) +
                                       ", which isn't one of " +
                                       llvm::formatv("{0}", type).str());
  Expected<Nodes> input = add(arg, Node::Kind::Input, view.shape);
  if (!input)
    return input.takeError();
  std::vector<int64_t> strides = getRowMajorStrides(view.shape);
  for (Node *part : *input) {
    part->view = getPartView(view, part->part);
    part->isContiguous = !isComplex(view.type) &&
                         (view.strides.empty() || view.strides == strides);
  }
  return Error::success();
}

Error ProgramBuilder::addSize(Value value, int64_t size) {
  Expected<Nodes> added = add(value, Node::Kind::Size, {});
  if (!added)
    return added.takeError();
  added->front()->index = size;
  return Error::success();
}

/// What the host computes of sizes is integers of 64 bits, and no part of what
/// is judged: MLIR folds it.
Error ProgramBuilder::addSizeArithmetic(Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        IntegerAttr::get(operand.getType(), node(operand).index));
  SmallVector<OpFoldResult> folded;
  if (succeeded(op->fold(operands, folded)) && folded.size() == 1) {
    if (auto value = dyn_cast<Value>(folded.front()); value && ids.count(value))
      return addSize(op->getResult(0), node(value).index);
    if (auto number =
            dyn_cast_or_null<IntegerAttr>(dyn_cast<Attribute>(folded.front())))
      return addSize(op->getResult(0), number.getValue().getSExtValue());
  }
  return makeError(op->getLoc(), "the reference cannot interpret '" +
                                     op->getName().getStringRef() + "'");
}

Error ProgramBuilder::addConstant(Operation *op, Attribute value) {
  Value result = op->getResult(0);
  if (isa<IndexType>(result.getType()))
    return addSize(result, cast<IntegerAttr>(value).getInt());
  Expected<Nodes> added =
      add(result, Node::Kind::Constant, getStaticShape(result.getType()));
  if (!added)
    return added.takeError();
  for (Node *part : *added)
    if (Error error = setConstants(*part, op, value, added->size()))
      return error;
  return Error::success();
}

Error ProgramBuilder::setConstants(Node &constant, Operation *op,
                                   Attribute value, unsigned numParts) {
  auto append = [&](const APInt &bits) {
    constant.constants.push_back(toScalar(bits.getZExtValue(), constant.type));
  };
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    append(number.getValue());
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    append(number.getValue().bitcastToAPInt());
  } else if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    auto appendAll = [&](auto first, auto last) {
      for (; first != last; ++first) {
        using Element = std::decay_t<decltype(*first)>;
        if constexpr (std::is_same_v<Element, APFloat>)
          append((*first).bitcastToAPInt());
        else if constexpr (std::is_same_v<Element, std::complex<APFloat>>)
          append((constant.part ? (*first).imag() : (*first).real())
                     .bitcastToAPInt());
        else
          append(*first);
        if (dense.isSplat())
          break;
      }
    };
    if (numParts == 2)
      appendAll(dense.value_begin<std::complex<APFloat>>(),
                dense.value_end<std::complex<APFloat>>());
    else if (constant.format)
      appendAll(dense.value_begin<APFloat>(), dense.value_end<APFloat>());
    else
      appendAll(dense.value_begin<APInt>(), dense.value_end<APInt>());
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob ||
        int64_t(blob->getData().size()) !=
            constant.size * numParts * runtime::getByteWidth(constant.type))
      return makeError(op->getLoc(), "the resource of this constant does not "
                                     "hold its elements");
    for (int64_t i = 0; i < constant.size; ++i)
      constant.constants.push_back(
          toScalar(loadBits(blob->getData().data(),
                            i * numParts + constant.part, constant.type),
                   constant.type));
  } else {
    return makeError(op->getLoc(), "the reference cannot read this constant");
  }
  return Error::success();
}

/// A shape for `like`; its elements may be anything.
Error ProgramBuilder::addEmpty(tensor::EmptyOp op) {
  SmallVector<int64_t> shape;
  auto dynamic = op.getDynamicSizes().begin();
  for (int64_t size : op.getType().getShape())
    shape.push_back(ShapedType::isDynamic(size) ? node(*dynamic++).index
                                                : size);
  Expected<Nodes> empty = add(op.getResult(), Node::Kind::Constant, shape);
  if (!empty)
    return empty.takeError();
  Scalar anything = Scalar::number(Real::nan());
  anything.undecided = true;
  anything.range.include(Real::infinity(false));
  anything.range.include(Real::infinity(true));
  for (Node *part : *empty)
    part->constants.push_back(anything);
  return Error::success();
}

Error ProgramBuilder::addIota(IotaOp op) {
  ArrayRef<int64_t> shape = getStaticShape(op.getType());
  if (op.getLike())
    shape = node(op.getLike()).shape;
  Expected<Nodes> iota = add(op.getResult(), Node::Kind::Iota, shape);
  if (!iota)
    return iota.takeError();
  iota->front()->dimension = op.getDimension();
  return Error::success();
}

Error ProgramBuilder::addBroadcast(BroadcastOp op) {
  ArrayRef<int64_t> declared = getStaticShape(op.getType());
  SmallVector<int64_t> shape(declared);
  // A size that the type leaves open comes from the operand or from `like`,
  // whichever isn't stretched.
  for (int64_t &size : shape)
    size = ShapedType::isDynamic(size) ? 1 : size;
  for (Value from : {Value(op.getOperand()), Value(op.getLike())}) {
    if (!from)
      continue;
    ArrayRef<int64_t> sizes = node(from).shape;
    int64_t lead = shape.size() - sizes.size();
    for (auto [i, size] : llvm::enumerate(sizes)) {
      int64_t &result = shape[lead + i];
      if (size == result || size == 1)
        continue;
      if (result != 1 || !ShapedType::isDynamic(declared[lead + i]))
        return makeError(op.getLoc(), "'ew.broadcast' cannot stretch " +
                                          toString(sizes) + " to " +
                                          toString(shape));
      result = size;
    }
  }
  Expected<Nodes> broadcast = add(op.getResult(), Node::Kind::Broadcast, shape);
  if (!broadcast)
    return broadcast.takeError();
  for (Node *part : *broadcast) {
    addOperand(*part, op.getOperand(), part->part);
    part->kept = part->operandNodes[0]->kept;
  }
  return Error::success();
}

Error ProgramBuilder::addTranspose(TransposeOp op) {
  const std::vector<int64_t> &from = node(op.getOperand()).shape;
  SmallVector<int64_t> shape;
  for (int64_t dim : op.getPermutation())
    shape.push_back(from[dim]);
  Expected<Nodes> transpose = add(op.getResult(), Node::Kind::Transpose, shape);
  if (!transpose)
    return transpose.takeError();
  for (Node *part : *transpose) {
    addOperand(*part, op.getOperand(), part->part);
    part->permutation = op.getPermutation().vec();
    part->kept = part->operandNodes[0]->kept;
  }
  return Error::success();
}

/// The same value; what the type claims is checked.
Error ProgramBuilder::addCast(tensor::CastOp op) {
  ArrayRef<int64_t> shape = node(op.getSource()).shape;
  if (!fits(shape, op.getType()))
    return makeError(op.getLoc(), "value has shape " + toString(shape) +
                                      " here, not " +
                                      llvm::formatv("{0}", op.getType()).str());
  Ids source = ids.find(op.getSource())->second;
  ids[op.getResult()] = source;
  return Error::success();
}

Error ProgramBuilder::checkShapes(CheckShapesOp op) {
  ArrayRef<int64_t> a = node(op.getLhs()).shape, b = node(op.getRhs()).shape;
  bool agree = op.getBroadcast() || a.size() == b.size();
  for (size_t i = 1; agree && i <= std::min(a.size(), b.size()); ++i) {
    int64_t x = a[a.size() - i], y = b[b.size() - i];
    agree = x == y || (op.getBroadcast() && (x == 1 || y == 1));
  }
  if (agree)
    return Error::success();
  return makeError(op.getLoc(), "shapes " + toString(a) + " and " +
                                    toString(b) + " do not agree");
}

/// Whether one op alone reads the elements of a value; those that want its
/// shape do not count.
static bool isReadOnce(Value value) {
  return llvm::count_if(value.getUses(), [](OpOperand &use) {
           if (auto broadcast = dyn_cast<BroadcastOp>(use.getOwner()))
             return use.get() == broadcast.getOperand();
           if (auto philox = dyn_cast<PhiloxOp>(use.getOwner()))
             return use.get() != philox.getLike();
           return !isa<IotaOp, tensor::DimOp>(use.getOwner());
         }) == 1;
}

static ew::Mode toDialectMode(reference::Mode mode) {
  return mode == reference::Mode::Strict ? ew::Mode::Strict
         : mode == reference::Mode::Fast ? ew::Mode::Fast
                                         : ew::Mode::Default;
}

/// How an op's floating point is rounded, and by how much it may be off.
void ProgramBuilder::setArithmetic(Node &node, Operation *op) {
  ew::Mode mode = getMode(op, toDialectMode(options.mode));
  node.bound = getErrorBound(op, mode);
  node.isBoundRelative = isBoundRelative(op, mode);
  node.absoluteBound = getAbsoluteErrorBound(op, mode);
  bool strict = mode == ew::Mode::Strict;
  // What a strict op is given was rounded.
  node.looksAtFormat |= strict;
  if (!node.format)
    return;
  const Format &f32 = getFormat(ElementType::F32);
  const Format &wide = node.format->width < 32 ? f32 : *node.format;
  node.strict = strict;
  node.computed = &wide;
  node.kept = strict ? node.format : &wide;
  node.parameters.format = node.format;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](LeakyReluOp op) {
        node.parameters.alpha =
            roundTo(Real(op.getAlpha().convertToDouble()), *node.format);
      })
      .Case<EluOp, CeluOp>([&](auto op) {
        node.parameters.alpha =
            roundTo(Real(op.getAlpha().convertToDouble()), wide);
      })
      .Case([&](GeluOp op) {
        node.parameters.approximation = op.getApproximate();
      });
  if (options.contracted && !strict && isa<AddOp, SubOp>(op) &&
      !isComplex(op->getResult(0).getType())) {
    // The first product is the one that contraction takes.
    for (int i : {1, 0}) {
      auto product = op->getOperand(i).getDefiningOp<MulOp>();
      if (!product || product->getBlock() != op->getBlock() ||
          getMode(product, toDialectMode(options.mode)) == ew::Mode::Strict ||
          (node.contractible >= 0 && !isReadOnce(op->getOperand(i))))
        continue;
      node.contractible = i;
      node.contracts = isReadOnce(op->getOperand(i));
    }
  }
}

Error ProgramBuilder::addPhilox(PhiloxOp op) {
  ArrayRef<int64_t> shape = getStaticShape(op.getType());
  if (op.getLike())
    shape = node(op.getLike()).shape;
  Expected<Nodes> philox = add(op.getResult(), Node::Kind::Philox, shape);
  if (!philox)
    return philox.takeError();
  Node &result = *philox->front();
  addOperand(result, op.getSeed());
  addOperand(result, op.getOffset());
  setArithmetic(result, op);
  result.kept = result.format;
  return Error::success();
}

Error ProgramBuilder::addDropout(DropoutOp op) {
  Expected<Nodes> dropout =
      add(op.getResult(), Node::Kind::Dropout, node(op.getOperand()).shape);
  if (!dropout)
    return dropout.takeError();
  for (Value operand : op->getOperands())
    addOperand(*dropout->front(), operand);
  Node &result = *dropout->front();
  result.function = getFunction(MulOp::getOperationName());
  setArithmetic(result, op);
  // It rounds its product itself.
  result.strict = false;
  return Error::success();
}

Error ProgramBuilder::checkShapes(Operation *op) {
  ArrayRef<int64_t> shape = node(op->getOperand(0)).shape;
  for (Value operand : op->getOperands()) {
    ArrayRef<int64_t> other = node(operand).shape;
    if (shape != other)
      return makeError(op->getLoc(), "operands of '" +
                                         op->getName().getStringRef() +
                                         "' have shapes " + toString(shape) +
                                         " and " + toString(other));
  }
  return Error::success();
}

Error ProgramBuilder::addCompute(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (llvm::any_of(op->getOperandTypes(), ew::isComplex) ||
      llvm::any_of(op->getResultTypes(), ew::isComplex))
    return addComplex(op);
  Type type = op->getResult(0).getType();
  Compute compute = op->getDialect() && isa<EwDialect>(op->getDialect())
                        ? getCompute(op, getElementType(type))
                        : nullptr;
  if (!compute || op->getNumResults() != 1)
    return makeError(op->getLoc(),
                     "the reference cannot interpret '" + name + "'");
  if (Error error = checkShapes(op))
    return error;
  Expected<Nodes> added =
      add(op->getResult(0), Node::Kind::Compute, node(op->getOperand(0)).shape);
  if (!added)
    return added.takeError();
  Node &result = *added->front();
  for (Value operand : op->getOperands())
    addOperand(result, operand);
  result.compute = compute;
  result.function = getFunction(name);
  // Ops between types, and tests, look at the format of what they are given;
  // what a select chooses between is as it was.
  bool ofOneType = llvm::all_of(result.operandNodes, [&](const Node *operand) {
    return operand->type == result.type;
  });
  result.looksAtFormat = isa<CastOp, BitcastOp>(op) ||
                         (!ofOneType && !isa<SelectOp>(op)) ||
                         (result.function && result.function->looksAtFormat);
  setArithmetic(result, op);
  if (isa<CastOp, BitcastOp, PhiloxAtOp>(op))
    result.kept = result.format;
  return Error::success();
}

Error ProgramBuilder::addOp(Operation *op) {
  Attribute constant;
  if (op->getNumResults() == 1 && matchPattern(op, m_Constant(&constant)))
    return addConstant(op, constant);
  if (isa_and_nonnull<EwDialect>(op->getDialect()) &&
      llvm::any_of(op->getOperands(), [&](Value operand) {
        return node(operand).kind == Node::Kind::Size;
      }))
    return makeError(op->getLoc(),
                     "the reference does not take sizes for data");
  return llvm::TypeSwitch<Operation *, Error>(op)
      .Case([&](IotaOp op) { return addIota(op); })
      .Case([&](PhiloxOp op) { return addPhilox(op); })
      .Case([&](DropoutOp op) { return addDropout(op); })
      .Case([&](BroadcastOp op) { return addBroadcast(op); })
      .Case([&](TransposeOp op) { return addTranspose(op); })
      .Case([&](CheckShapesOp op) { return checkShapes(op); })
      .Case([&](tensor::CastOp op) { return addCast(op); })
      .Case([&](linalg::GenericOp op) { return addGeneric(op); })
      .Case([&](tensor::EmptyOp op) { return addEmpty(op); })
      .Case([&](tensor::DimOp op) -> Error {
        std::optional<int64_t> dim = op.getConstantIndex();
        const Node &source = node(op.getSource());
        if (!dim || *dim < 0 || *dim >= int64_t(source.shape.size()))
          return makeError(op.getLoc(), "the reference needs a constant "
                                        "dimension of the tensor here");
        return addSize(op.getResult(), source.shape[*dim]);
      })
      .Default([&](Operation *op) -> Error {
        if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
            op->getNumResults() == 1 && op->getNumOperands() > 0 &&
            (op->getResult(0).getType().isIndex() ||
             op->getResult(0).getType().isInteger(1)) &&
            llvm::all_of(op->getOperands(), [&](Value operand) {
              return node(operand).kind == Node::Kind::Size;
            }))
          return addSizeArithmetic(op);
        if (op->getNumResults() == 0 || op->getNumOperands() == 0)
          return makeError(op->getLoc(), "the reference cannot interpret '" +
                                             op->getName().getStringRef() +
                                             "'");
        return addCompute(op);
      });
}

Expected<Program> ew::reference::buildProgram(func::FuncOp func,
                                              ArrayRef<TensorView> inputs,
                                              const Options &options) {
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return makeError(func.getLoc(),
                     "the reference interprets functions of one block");
  if (func.getNumArguments() != inputs.size())
    return makeError(func.getLoc(), "'" + func.getName() + "' takes " +
                                        Twine(func.getNumArguments()) +
                                        " inputs, and " + Twine(inputs.size()) +
                                        " were given");
  ProgramBuilder builder(options);
  for (auto [arg, view] : llvm::zip(func.getArguments(), inputs))
    if (Error error = builder.addInput(arg, view))
      return std::move(error);
  for (Operation &op : func.front()) {
    if (auto ret = dyn_cast<func::ReturnOp>(op)) {
      for (mlir::Value result : ret.getOperands()) {
        if (isa<IndexType>(result.getType()))
          return makeError(op.getLoc(),
                           "the reference has no results of type index");
        builder.program.results.push_back(builder.ids.find(result)->second);
      }
    } else if (Error error = builder.addOp(&op)) {
      return std::move(error);
    }
  }
  return std::move(builder.program);
}
