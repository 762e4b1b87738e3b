//===- BuildPlan.cpp - From a host function to a plan ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Pipelines/BuildPlan.h"
#include "ew/Codegen/Kernel/Kernels.h"
#include "ew/Codegen/Kernel/Signature.h"
#include "ew/Dialect/Ew/IR/Ew.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <tuple>

using namespace mlir;
using namespace ew;

namespace rt = ew::runtime;

std::optional<rt::ElementType> ew::getRuntimeType(Type element) {
  std::string name;
  llvm::raw_string_ostream(name) << element;
  return rt::parseElementType(name);
}

std::string ew::describeLocation(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "unknown location";
  return llvm::formatv("{0}:{1}:{2}", file.getFilename().getValue(),
                       file.getLine(), file.getColumn());
}

namespace {

class PlanBuilder {
public:
  explicit PlanBuilder(func::FuncOp function) : function(function) {}

  FailureOr<rt::Plan> build();

private:
  LogicalResult addArgument(BlockArgument argument);
  LogicalResult addOp(Operation *op);
  LogicalResult addLaunch(LaunchOp op);
  LogicalResult addCheck(CheckShapesOp op);
  LogicalResult addDim(tensor::DimOp op);
  LogicalResult addArithmetic(Operation *op, rt::SizeExpr::Kind kind);
  LogicalResult addEmpty(tensor::EmptyOp op);
  LogicalResult addCast(tensor::CastOp op);
  LogicalResult addConstant(ConstantOp op);
  LogicalResult addResults(func::ReturnOp op);

  uint32_t addSize(rt::SizeExpr expr);
  uint32_t constant(int64_t value);
  /// The size of dimension `dim` of a tensor that stands in the plan.
  uint32_t dimOf(Value tensor, int64_t dim);
  FailureOr<uint32_t> sizeOf(Value index);
  FailureOr<uint32_t> valueOf(Value tensor, Operation *user);
  FailureOr<uint32_t> addValue(Value value, rt::Value::Kind kind,
                               ArrayRef<uint32_t> shape);
  void addVariants(LaunchOp op, rt::Launch &launch);
  /// Whether an output of a kernel is the buffer of an argument that asks for
  /// it.
  bool isInPlace(Value output);

  func::FuncOp function;
  rt::Plan plan;
  /// Equal expressions share an entry, so that a size is computed once.
  std::map<std::tuple<int, int64_t, uint32_t, uint32_t, uint32_t>, uint32_t>
      sizeIndex;
  llvm::DenseMap<Value, uint32_t> sizes;  // of values of type index
  llvm::DenseMap<Value, uint32_t> values; // of tensors and scalars
};

} // namespace

uint32_t PlanBuilder::addSize(rt::SizeExpr expr) {
  auto key = std::make_tuple(static_cast<int>(expr.kind), expr.value, expr.a,
                             expr.b, expr.c);
  auto [it, isNew] = sizeIndex.try_emplace(key, plan.sizes.size());
  if (isNew)
    plan.sizes.push_back(expr);
  return it->second;
}

uint32_t PlanBuilder::constant(int64_t value) {
  return addSize({rt::SizeExpr::Kind::Constant, value});
}

uint32_t PlanBuilder::dimOf(Value tensor, int64_t dim) {
  return plan.values[values.lookup(tensor)].shape[dim];
}

FailureOr<uint32_t> PlanBuilder::sizeOf(Value index) {
  auto it = sizes.find(index);
  if (it == sizes.end())
    return emitError(index.getLoc(), "a size that depends on data cannot be "
                                     "part of a plan");
  return it->second;
}

FailureOr<uint32_t> PlanBuilder::valueOf(Value tensor, Operation *user) {
  auto it = values.find(tensor);
  if (it == values.end())
    return user->emitError("an operand is not a buffer that the plan knows");
  return it->second;
}

FailureOr<uint32_t> PlanBuilder::addValue(Value value, rt::Value::Kind kind,
                                          ArrayRef<uint32_t> shape) {
  Type element = getElementType(value.getType());
  std::optional<rt::ElementType> type = getRuntimeType(element);
  if (!type)
    return emitError(value.getLoc(), "no buffer can hold elements of type ")
           << element;
  rt::Value entry;
  entry.kind = kind;
  entry.type = *type;
  entry.scalar = !isa<RankedTensorType>(value.getType());
  entry.shape.assign(shape.begin(), shape.end());
  uint32_t id = plan.values.size();
  plan.values.push_back(std::move(entry));
  values[value] = id;
  return id;
}

LogicalResult PlanBuilder::addArgument(BlockArgument argument) {
  uint32_t id = plan.values.size();
  SmallVector<uint32_t> shape;
  if (auto tensor = dyn_cast<RankedTensorType>(argument.getType())) {
    for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
      shape.push_back(ShapedType::isDynamic(size)
                          ? addSize({rt::SizeExpr::Kind::Dim,
                                     static_cast<int64_t>(dim), id})
                          : constant(size));
  } else if (!argument.getType().isIntOrFloat()) {
    return function.emitError("argument ")
           << argument.getArgNumber() << " of '" << function.getName()
           << "' is a " << argument.getType()
           << "; a plan takes ranked tensors and numbers"
           << (isComplex(argument.getType())
                   ? " that are not complex: pass a tensor of rank 0"
                   : "");
  }
  return addValue(argument, rt::Value::Kind::Argument, shape);
}

//===----------------------------------------------------------------------===//
// Host ops
//===----------------------------------------------------------------------===//

LogicalResult PlanBuilder::addCheck(CheckShapesOp op) {
  if (failed(valueOf(op.getLhs(), op)) || failed(valueOf(op.getRhs(), op)))
    return failure();
  for (auto [lhsDim, rhsDim] : op.getDims()) {
    rt::Check check;
    check.lhs = dimOf(op.getLhs(), lhsDim);
    check.rhs = dimOf(op.getRhs(), rhsDim);
    if (check.lhs == check.rhs)
      continue;
    check.allowOne = op.getBroadcast();
    check.message =
        llvm::formatv(op.getBroadcast() ? "{0} do not broadcast: dimension {1} "
                                          "of one meets dimension {2} of "
                                          "the other"
                                        : "{0} differ in dimension {1}",
                      op.describe(), lhsDim, rhsDim)
            .str();
    check.location = describeLocation(op.getLoc());
    plan.checks.push_back(std::move(check));
  }
  return success();
}

/// What an op on the sizes of a host computes; nothing for other ops.
static std::optional<rt::SizeExpr::Kind> getHostArithmetic(Operation *op) {
  using Kind = rt::SizeExpr::Kind;
  if (auto cmp = dyn_cast<arith::CmpIOp>(op);
      cmp && cmp.getPredicate() == arith::CmpIPredicate::eq &&
      cmp.getLhs().getType().isIndex())
    return Kind::Equal;
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIndex())
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case<arith::AddIOp>([](auto) { return Kind::Add; })
      .Case<arith::SubIOp>([](auto) { return Kind::Sub; })
      .Case<arith::MulIOp>([](auto) { return Kind::Mul; })
      .Case<arith::DivUIOp, arith::FloorDivSIOp>(
          [](auto) { return Kind::FloorDiv; })
      .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
          [](auto) { return Kind::CeilDiv; })
      .Case<arith::MinUIOp, arith::MinSIOp>([](auto) { return Kind::Min; })
      .Case<arith::MaxUIOp, arith::MaxSIOp>([](auto) { return Kind::Max; })
      .Case<arith::SelectOp>([](auto) { return Kind::Select; })
      .Default([](auto) { return std::nullopt; });
}

/// Appends a constant's elements as they lie in memory.
static LogicalResult appendElements(ConstantOp op, unsigned width,
                                    std::string &data) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue())) {
    const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    size_t bytes =
        width * (isComplex(op.getType()) ? 2 : 1) * resource.getNumElements();
    if (!blob || blob->getData().size() != bytes)
      return op.emitError("resource '")
             << resource.getRawHandle().getKey() << "' does not hold the "
             << bytes << " bytes of " << resource.getType();
    data.append(blob->getData().begin(), blob->getData().end());
    if (resource.getElementType().isInteger(1))
      for (char &c : data)
        c = c != 0;
    return success();
  }
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return op.emitError("the elements of this constant cannot be read");
  // Element by element: the raw data of a splat, or of booleans, is packed.
  auto append = [&](APInt bits) {
    bits = bits.zextOrTrunc(64);
    for (unsigned i = 0; i < width; ++i)
      data.push_back(static_cast<char>(bits.getZExtValue() >> (8 * i)));
  };
  if (isa<ComplexType>(elements.getElementType()))
    for (std::complex<APFloat> value :
         elements.getValues<std::complex<APFloat>>()) {
      append(value.real().bitcastToAPInt());
      append(value.imag().bitcastToAPInt());
    }
  else if (isa<FloatType>(elements.getElementType()))
    for (APFloat value : elements.getValues<APFloat>())
      append(value.bitcastToAPInt());
  else
    for (APInt value : elements.getValues<APInt>())
      append(value);
  return success();
}

LogicalResult PlanBuilder::addDim(tensor::DimOp op) {
  std::optional<int64_t> index = op.getConstantIndex();
  if (!index || failed(valueOf(op.getSource(), op)))
    return op.emitError("a plan asks for constant dimensions only");
  auto type = cast<RankedTensorType>(op.getSource().getType());
  if (*index < 0 || *index >= type.getRank())
    return op.emitError("dimension ")
           << *index << " is out of range for " << type;
  sizes[op] = dimOf(op.getSource(), *index);
  return success();
}

LogicalResult PlanBuilder::addArithmetic(Operation *op,
                                         rt::SizeExpr::Kind kind) {
  uint32_t operands[3] = {};
  for (auto [known, operand] : llvm::zip(operands, op->getOperands())) {
    FailureOr<uint32_t> size = sizeOf(operand);
    if (failed(size))
      return failure();
    known = *size;
  }
  auto [a, b, c] = operands;
  sizes[op->getResult(0)] = addSize({kind, 0, a, b, c});
  return success();
}

LogicalResult PlanBuilder::addEmpty(tensor::EmptyOp op) {
  SmallVector<uint32_t> shape;
  auto dynamic = op.getDynamicSizes().begin();
  for (int64_t size : op.getType().getShape()) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(constant(size));
      continue;
    }
    FailureOr<uint32_t> index = sizeOf(*dynamic++);
    if (failed(index))
      return failure();
    shape.push_back(*index);
  }
  return addValue(op, rt::Value::Kind::Temporary, shape);
}

/// Only the type changes; what was claimed statically is checked.
LogicalResult PlanBuilder::addCast(tensor::CastOp op) {
  FailureOr<uint32_t> source = valueOf(op.getSource(), op);
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (failed(source) || !type)
    return op.emitError("a plan casts ranked tensors only");
  values[op] = *source;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    uint32_t actual = plan.values[*source].shape[dim];
    if (ShapedType::isDynamic(size) || actual == constant(size))
      continue;
    plan.checks.push_back({actual, constant(size), false,
                           llvm::formatv("dimension {0} is not the {1} that "
                                         "'tensor.cast' claims",
                                         dim, size)
                               .str(),
                           describeLocation(op.getLoc())});
  }
  return success();
}

LogicalResult PlanBuilder::addConstant(ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return success(); // numbers live in kernels
  SmallVector<uint32_t> shape;
  for (int64_t size : type.getShape())
    shape.push_back(constant(size));
  FailureOr<uint32_t> id = addValue(op, rt::Value::Kind::Constant, shape);
  if (failed(id))
    return failure();
  rt::Value &value = plan.values[*id];
  return appendElements(op, rt::getByteWidth(rt::getPartType(value.type)),
                        value.data);
}

LogicalResult PlanBuilder::addResults(func::ReturnOp op) {
  for (auto [index, operand] : llvm::enumerate(op.getOperands())) {
    auto known = values.find(operand);
    if (known == values.end())
      return op.emitError("result ")
             << index << ", of type " << operand.getType()
             << ", is no tensor that a kernel writes";
    plan.results.push_back(known->second);
  }
  return success();
}

LogicalResult PlanBuilder::addOp(Operation *op) {
  if (auto number = dyn_cast<arith::ConstantOp>(op))
    if (auto integer = dyn_cast<IntegerAttr>(number.getValue())) {
      sizes[number] = constant(integer.getType().isInteger(1)
                                   ? integer.getValue().getZExtValue()
                                   : integer.getInt());
      return success();
    }
  if (std::optional<rt::SizeExpr::Kind> kind = getHostArithmetic(op))
    return addArithmetic(op, *kind);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LaunchOp op) { return addLaunch(op); })
      .Case([&](CheckShapesOp op) { return addCheck(op); })
      .Case([&](tensor::DimOp op) { return addDim(op); })
      .Case([&](tensor::EmptyOp op) { return addEmpty(op); })
      .Case([&](tensor::CastOp op) { return addCast(op); })
      .Case([&](ConstantOp op) { return addConstant(op); })
      .Case([&](func::ReturnOp op) { return addResults(op); })
      .Default([](Operation *op) -> LogicalResult {
        if (auto generic = dyn_cast<linalg::GenericOp>(op);
            generic && failed(verifyKernel(generic, /*diagnose=*/true)))
          return failure();
        return op->emitError("op '")
               << op->getName()
               << "' cannot be part of a plan: only functions of ew ops on "
               << "tensors run by themselves (embed the kernels to call them "
               << "from other host code)";
      });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

bool PlanBuilder::isInPlace(Value output) {
  while (auto cast = output.getDefiningOp<tensor::CastOp>())
    output = cast.getSource();
  auto argument = dyn_cast<BlockArgument>(output);
  return argument &&
         function.getArgAttr(argument.getArgNumber(), inPlaceAttrName);
}

LogicalResult PlanBuilder::addLaunch(LaunchOp op) {
  rt::Launch launch;
  ScheduleAttr schedule = op.getSchedule();
  // A kernel is named as its first variant, without the variant.
  StringRef name = cast<SymbolRefAttr>(op.getKernels()[0]).getLeafReference();
  if (name.consume_back(schedule.getVariants()[0].getName()))
    name.consume_back("_");
  launch.name = name.str();
  launch.location = describeLocation(op.getLoc());
  launch.numInputs = op.getInputs().size();
  launch.collapse.assign(schedule.getCollapse().begin(),
                         schedule.getCollapse().end());

  SmallVector<Value> operands(op.getInputs());
  llvm::append_range(operands, op.getOutputs());
  auto maps = op.getIndexingMaps().getAsValueRange<AffineMapAttr>();
  for (auto [position, operand, map] : llvm::enumerate(operands, maps)) {
    FailureOr<uint32_t> id = valueOf(operand, op);
    if (failed(id))
      return failure();
    rt::Operand entry;
    entry.value = *id;
    // A tensor.empty is a shape, not memory: several kernels may name the same
    // one, and each result is a buffer of its own.
    if (position >= launch.numInputs && isInPlace(operand)) {
      plan.values[*id].inPlace = true;
      values[op.getResult(position - launch.numInputs)] = *id;
    } else if (position >= launch.numInputs) {
      rt::Value buffer = plan.values[*id];
      buffer.kind = rt::Value::Kind::Temporary;
      buffer.inPlace = false;
      buffer.data.clear();
      entry.value = plan.values.size();
      plan.values.push_back(std::move(buffer));
      values[op.getResult(position - launch.numInputs)] = entry.value;
    }
    llvm::append_range(entry.dimOfLoop, getDimOfLoop(map));
    if (auto argument = dyn_cast<BlockArgument>(operand))
      if (auto layout = function.getArgAttrOfType<DenseI64ArrayAttr>(
              argument.getArgNumber(), layoutAttrName))
        llvm::append_range(entry.layout, layout.asArrayRef());
    // The classes in which the innermost loop may step through consecutive
    // elements of the operand.
    AccessClass access = schedule.getAccess()[position];
    entry.access = stringifyAccessClass(access).str();
    entry.wide =
        access == AccessClass::dense || access == AccessClass::row ||
        access == AccessClass::general ||
        (access == AccessClass::transposed && !schedule.getTile().empty());
    launch.operands.push_back(std::move(entry));
  }
  // Output maps are identities: the loops are an output's dimensions.
  launch.loops = plan.values[launch.operands.back().value].shape;

  addVariants(op, launch);
  if (auto ops = op->getAttrOfType<StringAttr>("ew.ops"))
    launch.ops.push_back(ops.str());
  plan.launches.push_back(std::move(launch));
  return success();
}

void PlanBuilder::addVariants(LaunchOp op, rt::Launch &launch) {
  SmallVector<AffineMap> maps =
      llvm::to_vector(op.getIndexingMaps().getAsValueRange<AffineMapAttr>());
  for (auto [index, attr] : llvm::enumerate(op.getSchedule().getVariants())) {
    ScheduleAttr schedule = getVersionSchedule(op.getSchedule(), attr);
    rt::Variant variant;
    auto kernel = cast<SymbolRefAttr>(op.getKernels()[index]);
    variant.kernel = kernel.getLeafReference().str();
    variant.contiguous = attr.getContiguous();
    variant.dims = attr.getDims();
    variant.alignment = attr.getAlignment();
    variant.multiple = attr.getMultiple();
    variant.rows = attr.getRows();
    variant.below = attr.getBelow();
    variant.indexWidth = attr.getIndexWidth();
    variant.block = schedule.getBlock();
    variant.elementsPerBlock = static_cast<int64_t>(schedule.getBlock()) *
                               schedule.getElements() * schedule.getUnroll();
    if (takesVectors(schedule, attr, op.getOperandTypes()))
      variant.lanes = getVectorLanes(schedule, attr, op.getOperandTypes());
    // Its lanes may begin a few elements before the space: by that a block
    // computes fewer, and there is one more block where it takes one.
    if (attr.getAlignment() == 1 &&
        isShifted(schedule, attr, op.getOperandTypes()))
      variant.elementsPerBlock -= schedule.getElements();
    if (attr.getContiguous())
      variant.tile.assign(schedule.getTile().begin(), schedule.getTile().end());
    auto args = getKernelArgs(schedule, attr, maps, op.getOperandTypes());
    variant.args.assign(args.begin(), args.end());
    launch.variants.push_back(std::move(variant));
  }
}

FailureOr<rt::Plan> PlanBuilder::build() {
  plan.function = function.getName().str();
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("a plan covers functions of one block");
  for (BlockArgument argument : function.getArguments())
    if (failed(addArgument(argument)))
      return failure();
  plan.numArguments = plan.values.size();
  for (Operation &op : function.getBody().front())
    if (failed(addOp(&op)))
      return failure();
  return std::move(plan);
}

FailureOr<rt::Plan> ew::buildPlan(func::FuncOp function) {
  return PlanBuilder(function).build();
}
