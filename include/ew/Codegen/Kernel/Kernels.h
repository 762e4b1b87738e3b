//===- Kernels.h - From scheduled kernels to launches -----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_KERNEL_KERNELS_H
#define EW_CODEGEN_KERNEL_KERNELS_H

#include "ew/Dialect/Ew/IR/Ew.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ew {

/// The attribute that ew-schedule leaves on a kernel.
inline constexpr llvm::StringLiteral scheduleAttrName = "ew.schedule";
/// The attribute that marks a function as a kernel, and the one of a
/// linalg.generic that says what it computes.
inline constexpr llvm::StringLiteral kernelAttrName = "ew.kernel";
inline constexpr llvm::StringLiteral opsAttrName = "ew.ops";
/// The bytes of shared memory that a kernel on a GPU, or its emulation, takes.
inline constexpr llvm::StringLiteral sharedBytesAttrName = "ew.shared_bytes";

/// Whether a kernel can be made of `op`; where it is to be diagnosed, what
/// keeps it from that is an error.
mlir::LogicalResult verifyKernel(mlir::linalg::GenericOp op, bool diagnose);

/// The types of a variant's arguments, as its kernel's function takes them.
llvm::SmallVector<mlir::Type> getKernelArgTypes(mlir::linalg::GenericOp op,
                                                ScheduleAttr schedule,
                                                VariantAttr variant);

/// What may be assumed of the index-th argument, as attributes of LLVM's.
mlir::DictionaryAttr getKernelArgAttrs(mlir::linalg::GenericOp op,
                                       ScheduleAttr schedule,
                                       VariantAttr variant, unsigned index);

/// A scheduled linalg.generic, which becomes a launch and, for each variant
/// that is asked for, a kernel.
struct ScheduledKernel {
  mlir::linalg::GenericOp op;
  ScheduleAttr schedule;
  std::string name; // unique in its function

  /// The name of the kernel of a variant.
  std::string nameOf(VariantAttr variant) const;
  /// Puts an ew.launch in the place of the op. `kernels` has a symbol for each
  /// variant.
  void replaceByLaunch(llvm::ArrayRef<mlir::Attribute> kernels);
};

/// The scheduled kernels of a function, in order. A schedule that makes no
/// sense is an error.
mlir::FailureOr<llvm::SmallVector<ScheduledKernel>>
collectKernels(mlir::FunctionOpInterface function);

/// The kernel of one variant for a GPU or for the CPU, in no module yet. The op
/// stays as it is. Outside of a pass, the dialects that kernels consist of must
/// be loaded first.
void loadKernelDialects(mlir::MLIRContext &context);
mlir::FailureOr<mlir::gpu::GPUModuleOp>
buildGPUKernel(const ScheduledKernel &kernel, VariantAttr variant);
mlir::FailureOr<mlir::func::FuncOp>
buildCPUKernel(const ScheduledKernel &kernel, VariantAttr variant);

/// The bytes of shared memory that a GPU kernel takes: its buffers, each at a
/// multiple of sharedAlignment.
inline constexpr int64_t sharedAlignment = 16;
int64_t getSharedBytes(const ScheduledKernel &kernel, VariantAttr variant);

/// Builds one kernel, in a module, and returns its symbol.
using KernelBuilderFn = llvm::function_ref<mlir::FailureOr<mlir::SymbolRefAttr>(
    const ScheduledKernel &, VariantAttr)>;

/// For every scheduled linalg.generic of the module's functions, in order: has
/// a kernel built for each variant, and puts an ew.launch in its place.
mlir::LogicalResult outlineKernels(mlir::ModuleOp module,
                                   KernelBuilderFn build);

} // namespace ew

#endif // EW_CODEGEN_KERNEL_KERNELS_H
