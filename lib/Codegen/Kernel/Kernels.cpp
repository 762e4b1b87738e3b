//===- Kernels.cpp - From scheduled kernels to launches -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Kernels.h"

#include "ew/Codegen/Kernel/Emitter.h"
#include "ew/Codegen/Kernel/Signature.h"
#include "ew/Codegen/Schedule/Policy.h"
#include "ew/Support/Plural.h"
#include "ew/Target/NVIDIA/Limits.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ew;

/// Longer names help nobody; the number before them tells kernels apart.
static constexpr size_t maxOpsInName = 64;

/// As PTX and object files can spell it.
static std::string sanitize(StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) || c == '_' ? c : '_';
  return result;
}

SmallVector<Type> ew::getKernelArgTypes(linalg::GenericOp op,
                                        ScheduleAttr schedule,
                                        VariantAttr variant) {
  SmallVector<Type> types;
  for (const runtime::KernelArg &arg :
       getKernelArgs(schedule, variant, op.getIndexingMapsArray(),
                     op->getOperandTypes())) {
    if (arg.kind != runtime::KernelArg::Kind::Pointer &&
        arg.kind != runtime::KernelArg::Kind::Scalar) {
      types.push_back(IntegerType::get(op.getContext(), arg.width));
      continue;
    }
    Type operand = op->getOperand(arg.operand).getType();
    Type memory = getMemoryType(getElementType(operand));
    types.push_back(arg.kind == runtime::KernelArg::Kind::Scalar
                        ? memory
                        : MemRefType::get({1}, memory));
  }
  return types;
}

/// Whether an operand is read and written: by this kernel, at one address.
static bool isReadAndWritten(linalg::GenericOp op, unsigned index) {
  auto bufferOf = [](Value value) {
    while (auto cast = value.getDefiningOp<tensor::CastOp>())
      value = cast.getSource();
    return value;
  };
  Value buffer = bufferOf(op->getOperand(index));
  bool input = index < static_cast<unsigned>(op.getNumDpsInputs());
  return llvm::any_of(input ? OperandRange(op.getOutputs())
                            : OperandRange(op.getInputs()),
                      [&](Value other) { return bufferOf(other) == buffer; });
}

DictionaryAttr ew::getKernelArgAttrs(linalg::GenericOp op,
                                     ScheduleAttr schedule, VariantAttr variant,
                                     unsigned index) {
  Builder b(op.getContext());
  SmallVector<NamedAttribute> attrs;
  if (index < op->getNumOperands() &&
      isa<ShapedType>(op->getOperand(index).getType())) {
    // What is written in place has two pointers to it.
    if (!isReadAndWritten(op, index)) {
      attrs.push_back(b.getNamedAttr(LLVM::LLVMDialect::getNoAliasAttrName(),
                                     b.getUnitAttr()));
      bool input = index < static_cast<unsigned>(op.getNumDpsInputs());
      attrs.push_back(
          b.getNamedAttr(input ? LLVM::LLVMDialect::getReadonlyAttrName()
                               : LLVM::LLVMDialect::getWriteOnlyAttrName(),
                         b.getUnitAttr()));
    }
    LoopNest nest = getWalkedNest(*getLoopNest(op), schedule, variant);
    if (variant.getAlignment() > 1 &&
        (isWideOperand(nest, index) ||
         (variant.getContiguous() &&
          llvm::is_contained(getTiledOperands(nest, schedule), index))))
      attrs.push_back(
          b.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                         b.getI64IntegerAttr(variant.getAlignment())));
  }
  return b.getDictionaryAttr(attrs);
}

/// How much a block computes, of the schedule or of one version. `byLines`: its
/// threads stand in lines as long as the tile's sides.
static LogicalResult verifyExtent(linalg::GenericOp op, ScheduleAttr schedule,
                                  bool contiguous, bool byLines) {
  // As ScheduleChoice has it.
  bool onGPU = schedule.getBlock() > 1;
  ArrayRef<int64_t> tile = schedule.getTile();
  if (schedule.getBlock() > 1024 ||
      schedule.getUnroll() > (onGPU ? 16u : 65536u) ||
      (tile.empty() && schedule.getElements() > 64) ||
      schedule.getElements() > 1024)
    return op.emitOpError(
        "has a schedule of more threads or elements than are compiled");
  if (!llvm::isPowerOf2_32(schedule.getElements()))
    return op.emitOpError("has a schedule whose elements are no power of two");
  if (tile.empty() || !contiguous)
    return success();
  int64_t dims = schedule.getCollapse().size();
  int64_t perBlock = int64_t(schedule.getBlock()) * schedule.getElements() *
                     schedule.getUnroll();
  int64_t ofTile = 0;
  if (tile.size() != 3 || llvm::MulOverflow(tile[0], tile[1], ofTile) ||
      tile[0] < 1 || tile[1] < 1 || tile[2] < 0 || tile[2] >= dims - 1 ||
      (onGPU && byLines &&
       (schedule.getBlock() % tile[0] || schedule.getBlock() % tile[1])) ||
      perBlock != ofTile || (onGPU && schedule.getUnroll() != 1))
    return op.emitOpError(
               "has a schedule with a tile that its block cannot fill")
           << (onGPU ? ""
                     : ": on a CPU elements * unroll are those of the tile, "
                       "whose rows walk a dimension before the last one");
  return success();
}

/// What a block of some version declares of shared memory, or has on the stack
/// of a CPU.
static LogicalResult verifyTileMemory(linalg::GenericOp op,
                                      ScheduleAttr schedule) {
  LoopNest nest = applyCollapse(*getLoopNest(op), schedule.getCollapse());
  for (VariantAttr variant : schedule.getVariants())
    if (ScheduleAttr own = getVersionSchedule(schedule, variant);
        own.getBlock() == 1) {
      int64_t bytes = getHostTileBytes(nest, own, op->getOperandTypes());
      if (variant.getContiguous() && bytes > maxHostTileBytes)
        return op.emitOpError("has a schedule whose version '")
               << variant.getName() << "' has buffers of " << bytes
               << " bytes, and a task of the CPU has at most "
               << maxHostTileBytes;
    } else if (int64_t bytes = getSharedBytes({op, schedule, ""}, variant);
               bytes > nvidia::maxSharedBytes) {
      ArrayRef<int64_t> tile =
          variant.getTile().empty() ? schedule.getTile() : variant.getTile();
      return op.emitOpError("has a schedule whose version '")
             << variant.getName() << "' goes through a tile of " << tile[0]
             << " by " << tile[1] << ": it takes " << bytes
             << " bytes of shared memory, and a block has at most "
             << nvidia::maxSharedBytes;
    }
  return success();
}

/// Whatever buffers a call has, the host must find a version.
static LogicalResult verifyLastVersion(linalg::GenericOp op,
                                       const LoopNest &nest,
                                       ScheduleAttr schedule) {
  VariantAttr last = schedule.getVariants().back();
  std::string asks;
  auto add = [&](bool does, const Twine &what) {
    if (does)
      asks += ((asks.empty() ? "" : ", ") + what).str();
  };
  add(last.getContiguous(), "dense buffers (contiguous = true)");
  add(last.getDims() > 0, "evenly spaced elements (dims)");
  add(last.getAlignment() > 1, "an alignment");
  add(last.getMultiple() > 1, "rows of a multiple");
  add(last.getRows() > 1, "a multiple of rows");
  add(last.getBelow() > 0, "few elements (below)");
  if (last.getIndexWidth() == 32) {
    ScheduleAttr own = getVersionSchedule(schedule, last);
    int64_t perBlock =
        int64_t(own.getBlock()) * own.getElements() * own.getUnroll();
    std::optional<int64_t> count = getStaticCount(nest);
    add(!count || *count > maxIndex32 - perBlock,
        "fewer than 2^31 elements (index_width = 32)");
  }
  if (asks.empty())
    return success();
  return op.emitOpError("has a schedule whose last version '")
         << last.getName() << "' must hold for every buffer, and asks for "
         << asks;
}

/// A version whose tile is read in units.
static LogicalResult verifyWideTile(linalg::GenericOp op, ScheduleAttr schedule,
                                    VariantAttr variant) {
  int64_t unit = getTileUnit(schedule, variant);
  bool allRows = hasAllRows(schedule, variant);
  LoopNest nest = applyCollapse(*getLoopNest(op), schedule.getCollapse());
  bool fits =
      fitsWideTile(schedule.getTile()[0], schedule.getTile()[1], unit,
                   variant.getMultiple(), schedule.getBlock(), allRows) &&
      (allRows ? takeRuns(nest, schedule) && variant.getAlignment() >= 16
               : variant.getRows() == unit);
  SmallVector<unsigned> tiled = getTiledOperands(nest, schedule);
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes())) {
    Type element = getElementType(type);
    if (!isa<ShapedType>(type))
      continue;
    int64_t bytes = getMemoryType(element).getIntOrFloatBitWidth() / 8;
    bool aligned =
        isWideOperand(nest, index) || llvm::is_contained(tiled, index);
    // What a block reads at once, where it reads runs, has 16 bytes.
    fits &= !isa<ComplexType>(element) &&
            (!allRows || variant.getMultiple() * bytes >= 16) &&
            (!aligned ||
             variant.getAlignment() >= std::min<int64_t>(16, unit * bytes));
  }
  if (!fits)
    return op.emitOpError("has a schedule whose version '")
           << variant.getName()
           << "' reads a tile in accesses that do not fit it";
  return success();
}

/// An attribute that a pass wrote, or that was written by hand.
static LogicalResult verifySchedule(linalg::GenericOp op,
                                    ScheduleAttr schedule) {
  FailureOr<LoopNest> nest = getLoopNest(op);
  if (failed(nest))
    return failure();
  int64_t loops = 0;
  llvm::SmallDenseSet<int64_t> begins;
  for (int64_t count : schedule.getCollapse()) {
    if (count < 1)
      return op.emitOpError("has a schedule with an empty collapsed dimension");
    if (count > nest->rank() - loops)
      return op.emitOpError("has a schedule for other loops or operands");
    begins.insert(loops);
    loops += count;
  }
  // Where the loops may be taken as one, every operand walks them as one.
  int64_t begin = 0;
  for (int64_t count : collapseLoops(*nest)) {
    if (loops == nest->rank() && !begins.contains(begin))
      return op.emitOpError("has a schedule that collapses loops that some "
                            "operand does not walk one after the other");
    begin += count;
  }
  if (loops != nest->rank() ||
      schedule.getAccess().size() != op->getNumOperands())
    return op.emitOpError("has a schedule for other loops or operands");
  if (schedule.getVariants().empty() || schedule.getElements() == 0 ||
      schedule.getBlock() == 0 || schedule.getUnroll() == 0)
    return op.emitOpError("has a schedule that computes nothing");
  for (VariantAttr variant : schedule.getVariants())
    if (!llvm::isPowerOf2_64(std::max<int64_t>(variant.getAlignment(), 0)) ||
        variant.getMultiple() < 1 || variant.getRows() < 1 ||
        variant.getBelow() < 0 || variant.getName().empty())
      return op.emitOpError(
          "has a schedule with a version without a name, or with a "
          "condition that makes no sense");
  for (VariantAttr variant : schedule.getVariants())
    if (variant.getDims() && !canMergeAtLaunch(*nest, variant.getDims()))
      return op.emitOpError("has a schedule whose version '")
             << variant.getName() << "' asks for "
             << plural(variant.getDims(), "dimension")
             << " of merged loops, which it cannot walk";
  int64_t dims = schedule.getCollapse().size();
  if (failed(verifyExtent(op, schedule, /*contiguous=*/true,
                          /*byLines=*/true)))
    return failure();
  for (VariantAttr variant : schedule.getVariants()) {
    size_t sides = schedule.getBlock() > 1 ? 2 : 3;
    if (!variant.getTile().empty() &&
        (variant.getTile().size() != sides ||
         schedule.getTile().empty() != (sides == 3) ||
         !variant.getContiguous()))
      return op.emitOpError(
          "has a schedule with a version whose tile is not of "
          "rows and columns, or goes through none");
    if (sides == 3 && !variant.getTile().empty() &&
        (variant.getAlignment() > 1 || variant.getMultiple() > 1 ||
         variant.getRows() > 1))
      return op.emitOpError("has a schedule whose version '")
             << variant.getName()
             << "' goes through a tile of the CPU, and asks for an alignment, "
                "a multiple or rows: such a tile takes any";
    if ((variant.getBlock() > 1) != (schedule.getBlock() > 1) &&
        variant.getBlock())
      return op.emitOpError("has a schedule with a version for another device");
    if (failed(verifyExtent(op, getVersionSchedule(schedule, variant),
                            variant.getContiguous(),
                            !isWideTile(schedule, variant))))
      return failure();
  }
  for (VariantAttr variant : schedule.getVariants())
    if (variant.getIndexWidth() != 32 && variant.getIndexWidth() != 64)
      return op.emitOpError(
          "has a schedule whose indices are neither 32 nor 64 "
          "bits wide");
  for (VariantAttr variant : schedule.getVariants())
    if (variant.getUnroll() && variant.getRows() != 1)
      return op.emitOpError("has a schedule whose version '")
             << variant.getName()
             << "' has both rows and an unroll of its own, which are the same";
  for (VariantAttr variant : schedule.getVariants())
    if (isWideTile(schedule, variant) &&
        failed(
            verifyWideTile(op, getVersionSchedule(schedule, variant), variant)))
      return failure();
  for (VariantAttr variant : schedule.getVariants())
    if (variant.getRows() != 1 && !isWideTile(schedule, variant) &&
        (variant.getRows() != schedule.getUnroll() || dims < 2 ||
         !variant.getContiguous() || variant.getAlignment() <= 1 ||
         variant.getMultiple() %
             getVersionSchedule(schedule, variant).getElements()))
      return op.emitOpError("has a schedule with rows that its accesses do not "
                            "fill");
  if (failed(verifyTileMemory(op, schedule)))
    return failure();
  return verifyLastVersion(op, *nest, schedule);
}

std::string ScheduledKernel::nameOf(VariantAttr variant) const {
  return name + "_" + sanitize(variant.getName());
}

void ScheduledKernel::replaceByLaunch(ArrayRef<Attribute> kernels) {
  OpBuilder b(op);
  auto launch = LaunchOp::create(
      b, op.getLoc(), op->getResultTypes(), b.getArrayAttr(kernels), schedule,
      op.getIndexingMaps(), op.getInputs(), op.getOutputs());
  if (Attribute ops = op->getAttr(opsAttrName))
    launch->setAttr(opsAttrName, ops);
  op->replaceAllUsesWith(launch.getResults());
  op->erase();
  op = nullptr;
}

FailureOr<SmallVector<ScheduledKernel>>
ew::collectKernels(FunctionOpInterface function) {
  SmallVector<ScheduledKernel> kernels;
  WalkResult result = function.walk([&](linalg::GenericOp op) {
    Attribute attr = op->getAttr(scheduleAttrName);
    if (!attr)
      return WalkResult::advance();
    auto schedule = dyn_cast<ScheduleAttr>(attr);
    if (!schedule) {
      op.emitOpError("has an ew.schedule that is none");
      return WalkResult::interrupt();
    }
    if (failed(verifySchedule(op, schedule)))
      return WalkResult::interrupt();
    std::string name =
        sanitize(function.getName()) + "_" + std::to_string(kernels.size());
    if (auto ops = op->getAttrOfType<StringAttr>(opsAttrName))
      name += "_" + sanitize(ops.getValue().take_front(maxOpsInName));
    kernels.push_back({op, schedule, std::move(name)});
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return kernels;
}

LogicalResult ew::outlineKernels(ModuleOp module, KernelBuilderFn build) {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    FailureOr<SmallVector<ScheduledKernel>> kernels = collectKernels(function);
    if (failed(kernels))
      return failure();
    for (ScheduledKernel &kernel : *kernels) {
      SmallVector<Attribute> symbols;
      for (VariantAttr variant : kernel.schedule.getVariants()) {
        FailureOr<SymbolRefAttr> symbol = build(kernel, variant);
        if (failed(symbol))
          return failure();
        symbols.push_back(*symbol);
      }
      kernel.replaceByLaunch(symbols);
    }
  }
  return success();
}
