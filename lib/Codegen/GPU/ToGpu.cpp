//===- ToGpu.cpp - Turn scheduled kernels into GPU kernels ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Emitter.h"
#include "ew/Codegen/Kernel/Kernels.h"
#include "ew/Codegen/Kernel/Signature.h"
#include "ew/Codegen/Passes.h"
#include "ew/Codegen/Schedule/Verify.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace ew {
#define GEN_PASS_DEF_EWTOGPU
#include "ew/Codegen/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

/// Lanes with an address each, that is registers: sixteen of them took 207
/// registers, four run as fast as eight.
static constexpr unsigned maxScatteredLanes = 4;
/// 32 in software conversions to f8E4M3FN spilled 16 bytes.
static constexpr unsigned maxShiftedLanes = 16;

namespace {
struct SharedBuffer {
  Type memory; // of one value
  int64_t values;
};
} // namespace

/// One workgroup buffer for each operand that goes through the tile.
static SmallVector<SharedBuffer> getSharedBuffers(linalg::GenericOp op,
                                                  ScheduleAttr schedule,
                                                  VariantAttr variant) {
  SmallVector<SharedBuffer> buffers;
  if (!variant.getContiguous())
    return buffers;
  LoopNest nest = applyCollapse(*getLoopNest(op), schedule.getCollapse());
  for (unsigned operand : getTiledOperands(nest, schedule)) {
    Type element = getElementType(op->getOperand(operand).getType());
    Type memory = getMemoryType(element);
    buffers.push_back({memory, getTileElements(schedule, variant, memory) *
                                   (isComplex(element) ? 2 : 1)});
  }
  return buffers;
}

static SmallVector<Type> getSharedTypes(linalg::GenericOp op,
                                        ScheduleAttr schedule,
                                        VariantAttr variant) {
  SmallVector<Type> types;
  // As a number: the conversion of vectors knows no other.
  auto space = Builder(op.getContext())
                   .getI64IntegerAttr(int64_t(NVVM::NVVMMemorySpace::Shared));
  for (auto [memory, values] : getSharedBuffers(op, schedule, variant))
    types.push_back(
        MemRefType::get({values}, memory, MemRefLayoutAttrInterface(), space));
  return types;
}

static LogicalResult emitBody(OpBuilder &b, gpu::GPUFuncOp kernel,
                              linalg::GenericOp op, ScheduleAttr schedule,
                              VariantAttr variant, unsigned numArgs) {
  Location loc = op.getLoc();
  bool tiled = !schedule.getTile().empty() && variant.getContiguous();
  bool shifted = isShifted(schedule, variant, op->getOperandTypes());
  bool consecutive = takesVectors(schedule, variant, op->getOperandTypes());
  unsigned lanes =
      tiled ? schedule.getElements()
            : getVectorLanes(schedule, variant, op->getOperandTypes());
  if (!tiled && !consecutive && lanes % maxScatteredLanes == 0)
    lanes = maxScatteredLanes;
  // Accesses of whole vectors are all on their way before the first is computed
  // on, and constants are loaded once for all.
  unsigned chunks = consecutive && !tiled ? schedule.getUnroll() : 1;
  if (shifted)
    chunks *= schedule.getElements() / lanes;
  // The granules of shifted accesses take registers on top.
  while (shifted && chunks % 2 == 0 && chunks * lanes > maxShiftedLanes)
    chunks /= 2;
  KernelEmitter emitter(b, op, schedule, variant,
                        kernel.getArguments().take_front(numArgs), lanes,
                        chunks);
  const IndexBuilder &ix = emitter.index();
  Value thread =
      ix.fromIndex(gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x));
  Value block = ix.fromIndex(gpu::BlockIdOp::create(b, loc, gpu::Dimension::x));
  if (tiled)
    return isWideTile(schedule, variant)
               ? emitter.emitWideTile(thread, block,
                                      kernel.getWorkgroupAttributions())
               : emitter.emitTile(thread, block,
                                  kernel.getWorkgroupAttributions());

  int64_t perChunk = int64_t(schedule.getBlock()) * lanes;
  if (variant.getRows() > 1)
    return emitter.emitRows(ix.add(ix.mul(block, ix.constant(perChunk)),
                                   ix.mul(thread, ix.constant(lanes))));
  int64_t perStep = perChunk * chunks;
  int64_t steps = int64_t(schedule.getUnroll()) * schedule.getElements() /
                  (int64_t(lanes) * chunks);
  Value first =
      ix.add(ix.mul(block, ix.constant(perStep * steps)),
             consecutive ? ix.mul(thread, ix.constant(lanes)) : thread);
  if (shifted)
    first = emitter.beginShifted(first);
  for (int64_t step = 0; step < steps; ++step)
    if (failed(emitter.emitElements(ix.add(first, ix.constant(step * perStep)),
                                    consecutive ? 1 : schedule.getBlock(),
                                    perChunk)))
      return failure();
  return success();
}

void ew::loadKernelDialects(MLIRContext &context) {
  context.loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                      LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect,
                      vector::VectorDialect>();
}

FailureOr<gpu::GPUModuleOp> ew::buildGPUKernel(const ScheduledKernel &scheduled,
                                               VariantAttr variant) {
  linalg::GenericOp op = scheduled.op;
  ScheduleAttr schedule = getVersionSchedule(scheduled.schedule, variant);
  // A thread of the CPU's reads vectors at any address.
  if (scheduled.schedule.getBlock() == 1)
    return op.emitOpError("is not scheduled for a GPU");
  OpBuilder b(op.getContext());
  Location loc = op.getLoc();
  std::string name = scheduled.nameOf(variant);
  OwningOpRef<gpu::GPUModuleOp> module = gpu::GPUModuleOp::create(b, loc, name);
  b.setInsertionPointToStart(module->getBody());
  SmallVector<Type> types = getKernelArgTypes(op, schedule, variant);
  auto kernel =
      gpu::GPUFuncOp::create(b, loc, name, b.getFunctionType(types, {}),
                             getSharedTypes(op, schedule, variant));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  // What reads element by element keeps an address for each, on top; and few
  // elements gain nothing by room for more threads.
  unsigned registers = schedule.getRegisters();
  if (registers && variant.getAlignment() > 1 && !variant.getUnroll())
    kernel->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                    b.getI32IntegerAttr(registers));
  // Its elements' own alignment is not that of wide accesses.
  if (isWideTile(schedule, variant))
    for (unsigned i = 0; i < kernel.getNumWorkgroupAttributions(); ++i)
      kernel.setWorkgroupAttributionAttr(i,
                                         LLVM::LLVMDialect::getAlignAttrName(),
                                         b.getI64IntegerAttr(sharedAlignment));
  if (int64_t sharedBytes = getSharedBytes(scheduled, variant))
    kernel->setAttr(sharedBytesAttrName, b.getI64IntegerAttr(sharedBytes));
  kernel.setKnownBlockSize(
      ArrayRef<int32_t>{static_cast<int32_t>(schedule.getBlock()), 1, 1});
  for (unsigned i = 0; i < types.size(); ++i)
    if (DictionaryAttr attrs = getKernelArgAttrs(op, schedule, variant, i);
        !attrs.empty())
      function_interface_impl::setArgAttrs(kernel, i, attrs);

  b.setInsertionPointToEnd(&kernel.getBody().front());
  if (failed(emitBody(b, kernel, op, schedule, variant, types.size())))
    return failure();
  gpu::ReturnOp::create(b, loc);
  return module.release();
}

int64_t ew::getSharedBytes(const ScheduledKernel &kernel, VariantAttr variant) {
  int64_t bytes = 0;
  ScheduleAttr schedule = getVersionSchedule(kernel.schedule, variant);
  for (auto [memory, values] : getSharedBuffers(kernel.op, schedule, variant))
    bytes = llvm::alignTo(bytes + values * (memory.getIntOrFloatBitWidth() / 8),
                          sharedAlignment);
  return bytes;
}

namespace {
struct ToGpu : ew::impl::EwToGpuBase<ToGpu> {
  using EwToGpuBase::EwToGpuBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    unsigned built = 0;
    auto build = [&](const ScheduledKernel &scheduled,
                     VariantAttr variant) -> FailureOr<SymbolRefAttr> {
      FailureOr<gpu::GPUModuleOp> kernel = buildGPUKernel(scheduled, variant);
      if (failed(kernel))
        return failure();
      ++built;
      // Another symbol of the module may have that name.
      symbols.insert(*kernel, module.getBody()->end());
      auto function = *kernel->getOps<gpu::GPUFuncOp>().begin();
      function.setName(kernel->getName());
      return SymbolRefAttr::get(
          kernel->getNameAttr(),
          {FlatSymbolRefAttr::get(function.getNameAttr())});
    };
    if (failed(verifySchedules(module)) ||
        failed(outlineKernels(module, build)))
      return signalPassFailure();
    numKernels += built;
    if (built)
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      UnitAttr::get(&getContext()));
  }
};
} // namespace
