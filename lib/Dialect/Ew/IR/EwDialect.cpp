//===- EwDialect.cpp - Registration, types, attributes --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Support/Suggest.h"

#include "StrictOp.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ew;

#include "ew/Dialect/Ew/IR/EwDialect.cpp.inc"
#include "ew/Dialect/Ew/IR/EwEnums.cpp.inc"

/// "[2, 1]", and "[]", which a list of parameters cannot be.
static ParseResult parseSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(sizes.emplace_back());
  });
}
static void printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  printer << "[";
  llvm::interleaveComma(sizes, printer.getStream());
  printer << "]";
}

#define GET_ATTRDEF_CLASSES
#include "ew/Dialect/Ew/IR/EwAttrs.cpp.inc"

namespace {
/// Every op is a function of its operands or acts on the host alone.
struct EwInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

template <typename... Ops>
void EwDialect::addStrictOperations() {
  addOperations<StrictOp<Ops>...>();
}

void EwDialect::initialize() {
  addInterfaces<EwInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ew/Dialect/Ew/IR/EwAttrs.cpp.inc"
      >();
  addStrictOperations<
#define GET_OP_LIST
#include "ew/Dialect/Ew/IR/EwOps.cpp.inc"
      >();
}

Operation *EwDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || typed.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, typed);
}

static ParseResult parseUnknownOp(OpAsmParser &parser, OperationState &state) {
  SmallVector<StringRef> known;
  for (RegisteredOperationName name :
       parser.getContext()->getRegisteredOperationsByDialect(
           EwDialect::getDialectNamespace()))
    known.push_back(name.stripDialect());
  InFlightDiagnostic error = parser.emitError(parser.getNameLoc())
                             << "is unknown";
  StringRef meant = findClosest(state.name.stripDialect(), known);
  if (!meant.empty())
    error << "; did you mean '" << EwDialect::getDialectNamespace() << "."
          << meant << "'?";
  return error;
}

std::optional<Dialect::ParseOpHook>
EwDialect::getParseOperationHook(StringRef name) const {
  auto hook = Dialect::getParseOperationHook(name);
  return hook ? hook : std::optional<ParseOpHook>(parseUnknownOp);
}

static LogicalResult verifyMode(Operation *op, Attribute stated) {
  auto name = dyn_cast<StringAttr>(stated);
  if (name && parseMode(name.getValue()))
    return success();
  return op->emitOpError("has an '")
         << kModeAttr
         << "' that is none of \"strict\", \"default\" and \"fast\": "
         << stated;
}

/// One that nothing reads would be taken for kept.
static LogicalResult verifyErrorBound(Operation *op, Attribute stated) {
  auto bound = dyn_cast<FloatAttr>(stated);
  if (!bound || !(bound.getValueAsDouble() >= 0))
    return op->emitOpError("has an '")
           << kErrorBoundAttr << "' that is no floating-point number of 0 or "
           << "more: " << stated;
  bool computes = isa<EwDialect>(op->getDialect()) &&
                  llvm::any_of(op->getResultTypes(), [](Type type) {
                    return isa<FloatType, ComplexType>(getElementType(type));
                  });
  if (computes)
    return success();
  return op->emitOpError("has an '")
         << kErrorBoundAttr
         << "', which is for ew ops with a result of floating point";
}

namespace {
/// An attribute of ew's on an op of another dialect, or of some of ew's.
struct Placed {
  StringRef name;
  bool (*mayStandOn)(Operation *op);
  StringRef place;
};
} // namespace

/// By name, so that this library needs none of linalg.
static bool isLinalg(Operation *op) {
  return op->getName().getDialectNamespace() == "linalg";
}
static bool isKernel(Operation *op) { return isa<FunctionOpInterface>(op); }

/// Where passes look for attributes: elsewhere they would be taken for heeded.
/// What linalg's named ops have is of no use either, but becomes a
/// linalg.generic's.
static constexpr Placed kPlaced[] = {
    // Checks say by it what they are of.
    {inPlaceAttrName, [](Operation *op) { return isa<CheckShapesOp>(op); },
     "arguments of functions"},
    {"ew.op", [](Operation *op) { return isa<CheckShapesOp>(op); },
     "ew.check_shapes"},
    {kWrittenTypeAttr,
     [](Operation *op) { return isa<EwDialect>(op->getDialect()); }, "ew ops"},
    {"ew.kernel", isKernel, "functions"},
    {"ew.shared_bytes", isKernel, "functions"},
    {"ew.ops", [](Operation *op) { return isLinalg(op) || isa<LaunchOp>(op); },
     "kernels, each a linalg.generic or an ew.launch"},
    // ew-raise warns of it elsewhere.
    {"ew.schedule", [](Operation *) { return true; }, ""},
    {"ew.schedule_choice", isLinalg, "a linalg.generic"},
    {"ew.schedule_origin", isLinalg, "a linalg.generic"},
    {"ew.schedule_source", isLinalg, "a linalg.generic"},
    {"ew.split", isLinalg, "a linalg.generic"}};

LogicalResult EwDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == kModeAttr)
    return verifyMode(op, attribute.getValue());
  if (name == kErrorBoundAttr)
    return verifyErrorBound(op, attribute.getValue());
  SmallVector<StringRef> known = {kModeAttr, kErrorBoundAttr};
  for (const Placed &placed : kPlaced) {
    known.push_back(placed.name);
    if (placed.name != name)
      continue;
    if (placed.mayStandOn(op))
      return success();
    return op->emitOpError("has an '")
           << name << "', which is for " << placed.place;
  }
  return op->emitOpError("has an attribute '")
         << name << "' that ew does not know" << suggest(name, known);
}

static LogicalResult verifyLayout(Operation *op, unsigned argument,
                                  Attribute attribute) {
  auto layout = dyn_cast<DenseI64ArrayAttr>(attribute);
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto type = function
                  ? dyn_cast<ShapedType>(function.getArgumentTypes()[argument])
                  : ShapedType();
  if (layout && type && type.hasRank() && layout.size() == type.getRank() &&
      isPermutationVector(layout))
    return success();
  return op->emitOpError("argument ")
         << argument << ": '" << layoutAttrName
         << "' must be the order of the dimensions of a tensor, as array<i64: "
            "1, 0>";
}

LogicalResult EwDialect::verifyRegionArgAttribute(Operation *op,
                                                  unsigned region,
                                                  unsigned argument,
                                                  NamedAttribute attribute) {
  if (attribute.getName() == layoutAttrName)
    return verifyLayout(op, argument, attribute.getValue());
  if (attribute.getName() != inPlaceAttrName)
    return op->emitOpError("argument ")
           << argument << " has an attribute '"
           << attribute.getName().getValue()
           << "' that ew does not know; there are '" << inPlaceAttrName
           << "' and '" << layoutAttrName << "'";
  auto error = [&]() {
    return op->emitOpError("argument ")
           << argument << ": '" << inPlaceAttrName << "' ";
  };
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || region != 0)
    return error() << "is for arguments of functions";
  ArrayRef<Type> results = function.getResultTypes();
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!number || number.getValue().isNegative() ||
      number.getValue().uge(results.size()))
    return error() << "must be the number of a result; there are "
                   << results.size();
  uint64_t result = number.getValue().getZExtValue();
  Type from = results[result], to = function.getArgumentTypes()[argument];
  // Of buffers once the function has been bufferized.
  bool areTensors = isa<RankedTensorType>(from) && isa<RankedTensorType>(to);
  bool areBuffers = isa<MemRefType>(from) && isa<MemRefType>(to);
  if (!(areTensors || areBuffers) ||
      getElementType(from) != getElementType(to) ||
      failed(verifyCompatibleShape(from, to)))
    return error() << "names result " << result << " of type " << from
                   << ", which cannot be written to a buffer of type " << to;
  // A kernel writes in the order of its loops.
  if (function.getArgAttr(argument, layoutAttrName))
    return error() << "does not go with '" << layoutAttrName << "'";
  for (unsigned other = 0; other < argument; ++other)
    if (auto asked =
            function.getArgAttrOfType<IntegerAttr>(other, inPlaceAttrName);
        asked && asked.getValue().getActiveBits() <= 64 &&
        asked.getValue().getZExtValue() == result)
      return error() << "names result " << result << ", and so does argument "
                     << other;
  return success();
}

LogicalResult EwDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                     unsigned result,
                                                     NamedAttribute attribute) {
  return op->emitOpError("result ")
         << result << " has an attribute '" << attribute.getName().getValue()
         << "': ew's are for arguments";
}

Type ew::getElementType(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.getElementType();
  return type;
}

Type ew::getTypeLike(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

Type ew::getBoolTypeLike(Type type) {
  return getTypeLike(type, IntegerType::get(type.getContext(), 1));
}

Type ew::getPartType(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return complex.getElementType();
  return element;
}

Type ew::getPartTypeLike(Type type) {
  return getTypeLike(type, getPartType(getElementType(type)));
}

bool ew::isComplex(Type type) { return isa<ComplexType>(getElementType(type)); }

bool ew::isSignedInteger(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer && integer.getWidth() > 1 && !integer.isUnsigned();
}
