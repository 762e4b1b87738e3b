//===- Emulate.cpp - GPU kernels to functions for the CPU -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Kernels.h"
#include "ew/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

namespace ew {
#define GEN_PASS_DEF_EWEMULATE
#include "ew/Codegen/Passes.h.inc"
} // namespace ew

using namespace mlir;
using namespace ew;

/// What the runtime provides.
static constexpr llvm::StringLiteral barrierName = "_ew_emulator_barrier";

namespace {
/// The arguments that follow a kernel's own.
struct Geometry {
  Value blockIdx, gridDim, threadIdx, blockDim, shared;
};
} // namespace

/// What keeps an op of a `gpu.module` from being emulated; empty: nothing.
static StringRef findObstacle(Operation &op) {
  auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
  if (!kernel || !kernel.isKernel() || !kernel.getBody().hasOneBlock())
    return "it is no kernel of one block";
  if (kernel.getNumPrivateAttributions())
    return "it has private memory";
  for (BlockArgument buffer : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
      return "it has shared memory that is no number of integers or floating "
             "point";
  }
  return "";
}

/// Workgroup buffers as slices of `shared`; returns the bytes that they take.
static int64_t mapShared(OpBuilder &b, gpu::GPUFuncOp kernel, Value shared,
                         IRMapping &mapping) {
  Location loc = kernel.getLoc();
  int64_t bytes = 0;
  SmallVector<int64_t> offsets;
  for (BlockArgument buffer : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    offsets.push_back(bytes);
    int64_t width = type.getElementTypeBitWidth() / 8;
    bytes =
        llvm::alignTo(bytes + type.getNumElements() * width, sharedAlignment);
  }
  if (!bytes)
    return 0;
  auto whole = MemRefType::get({bytes}, b.getI8Type());
  Value all = memref::ReinterpretCastOp::create(
      b, loc, whole, shared, /*offset=*/0, ArrayRef<int64_t>{bytes},
      ArrayRef<int64_t>{1});
  for (auto [buffer, offset] :
       llvm::zip_equal(kernel.getWorkgroupAttributions(), offsets)) {
    auto type = cast<MemRefType>(buffer.getType());
    Value at = arith::ConstantIndexOp::create(b, loc, offset);
    mapping.map(buffer,
                memref::ViewOp::create(
                    b, loc,
                    MemRefType::get(type.getShape(), type.getElementType()),
                    all, at, ValueRange{})
                    .getResult());
  }
  return bytes;
}

/// Replaces an op of the GPU dialect. Everything is along x.
static LogicalResult replaceGpuOp(Operation *op, const Geometry &geometry) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  auto along = [&](gpu::Dimension dimension, Value x, int64_t other) {
    Value value =
        dimension == gpu::Dimension::x
            ? arith::IndexCastOp::create(b, loc, b.getIndexType(), x)
                  .getResult()
            : arith::ConstantIndexOp::create(b, loc, other).getResult();
    op->replaceAllUsesWith(ValueRange{value});
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    along(id.getDimension(), geometry.threadIdx, 0);
  else if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    along(id.getDimension(), geometry.blockIdx, 0);
  else if (auto dim = dyn_cast<gpu::BlockDimOp>(op))
    along(dim.getDimension(), geometry.blockDim, 1);
  else if (auto dim = dyn_cast<gpu::GridDimOp>(op))
    along(dim.getDimension(), geometry.gridDim, 1);
  else if (isa<gpu::BarrierOp>(op))
    func::CallOp::create(b, loc, barrierName, TypeRange());
  else if (isa<gpu::ReturnOp>(op))
    func::ReturnOp::create(b, loc);
  else
    return op->emitOpError("cannot be emulated on the CPU");
  op->erase();
  return success();
}

/// `kernel` as a function, not yet in any module.
static FailureOr<func::FuncOp> emulate(gpu::GPUFuncOp kernel) {
  Location loc = kernel.getLoc();
  OpBuilder b(kernel.getContext());
  unsigned described = kernel.getNumArguments();
  SmallVector<Type> types(kernel.getArgumentTypes());
  types.append(4, b.getI64Type());
  types.push_back(MemRefType::get({1}, b.getI8Type()));
  auto function =
      func::FuncOp::create(loc, kernel.getName(), b.getFunctionType(types, {}));
  function->setAttr(kernelAttrName, b.getUnitAttr());
  for (unsigned i = 0; i < described; ++i)
    if (DictionaryAttr attrs = kernel.getArgAttrDict(i))
      function.setArgAttrs(i, attrs);

  Block *entry = function.addEntryBlock();
  ValueRange extra = function.getArguments().drop_front(described);
  Geometry geometry{extra[0], extra[1], extra[2], extra[3], extra[4]};
  IRMapping mapping;
  for (unsigned i = 0; i < described; ++i)
    mapping.map(kernel.getArgument(i), entry->getArgument(i));
  b.setInsertionPointToEnd(entry);
  function->setAttr(
      sharedBytesAttrName,
      b.getI64IntegerAttr(mapShared(b, kernel, geometry.shared, mapping)));
  for (Operation &op : kernel.getBody().front())
    b.clone(op, mapping);

  // There is one memory.
  AttrTypeReplacer spaces;
  spaces.addReplacement([](MemRefType type) -> Type {
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  spaces.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                      /*replaceLocs=*/false,
                                      /*replaceTypes=*/true);

  SmallVector<Operation *> gpuOps;
  function.walk([&](Operation *op) {
    if (isa_and_present<gpu::GPUDialect>(op->getDialect()))
      gpuOps.push_back(op);
  });
  for (Operation *op : gpuOps)
    if (failed(replaceGpuOp(op, geometry))) {
      function.erase();
      return failure();
    }
  return function;
}

namespace {
struct Emulate : ew::impl::EwEmulateBase<Emulate> {
  using EwEmulateBase::EwEmulateBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<gpu::GPUModuleOp> gpuModules(module.getOps<gpu::GPUModuleOp>());
    WalkResult launches = module.walk([&](gpu::LaunchFuncOp launch) {
      launch.emitOpError("cannot be emulated on the CPU: kernels are launched "
                         "by ew.launch there");
      return WalkResult::interrupt();
    });
    if (launches.wasInterrupted())
      return signalPassFailure();
    bool barriers = false;
    for (gpu::GPUModuleOp gpuModule : gpuModules) {
      SmallVector<func::FuncOp> functions;
      for (Operation &op : *gpuModule.getBody()) {
        if (StringRef why = findObstacle(op); !why.empty()) {
          op.emitOpError("cannot be emulated on the CPU: ") << why;
          return signalPassFailure();
        }
        FailureOr<func::FuncOp> function = emulate(cast<gpu::GPUFuncOp>(op));
        if (failed(function))
          return signalPassFailure();
        functions.push_back(*function);
      }
      OpBuilder b(gpuModule);
      for (func::FuncOp function : functions) {
        b.insert(function);
        function.walk([&](func::CallOp call) {
          barriers |= call.getCallee() == barrierName;
        });
        ++numEmulated;
      }
      gpuModule.erase();
      for (func::FuncOp function : functions)
        if (SymbolTable::lookupSymbolIn(module, function.getName()) !=
            function) {
          function.emitOpError(
              "has a kernel of the same name in another module");
          return signalPassFailure();
        }
    }

    module.walk([&](LaunchOp launch) {
      SmallVector<Attribute> kernels;
      for (Attribute kernel : launch.getKernels())
        kernels.push_back(FlatSymbolRefAttr::get(
            cast<SymbolRefAttr>(kernel).getLeafReference()));
      launch.setKernelsAttr(ArrayAttr::get(&getContext(), kernels));
    });
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());

    if (barriers && !module.lookupSymbol(barrierName)) {
      OpBuilder b(module.getBodyRegion());
      auto barrier = func::FuncOp::create(b, module.getLoc(), barrierName,
                                          b.getFunctionType({}, {}));
      barrier.setPrivate();
    }
  }
};
} // namespace
