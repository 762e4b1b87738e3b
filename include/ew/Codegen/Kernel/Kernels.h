//===- Kernels.h - From scheduled kernels to launches -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_KERNEL_KERNELS_H
#define EW_CODEGEN_KERNEL_KERNELS_H

#include "ew/Codegen/Schedule/Access.h"
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

/// The types of a variant's arguments, as its kernel's function takes them.
llvm::SmallVector<mlir::Type> getKernelArgTypes(mlir::linalg::GenericOp op,
                                                ScheduleAttr schedule,
                                                VariantAttr variant);

/// What may be assumed of the index-th argument, as attributes of LLVM's.
mlir::DictionaryAttr getKernelArgAttrs(mlir::linalg::GenericOp op,
                                       ScheduleAttr schedule,
                                       VariantAttr variant, unsigned index);

/// Builds one kernel of the given name (to be made unique) and returns its
/// symbol.
using KernelBuilderFn = llvm::function_ref<mlir::FailureOr<mlir::SymbolRefAttr>(
    mlir::linalg::GenericOp, ScheduleAttr, VariantAttr, llvm::StringRef name)>;

/// For every scheduled linalg.generic of the module's functions, in order: has
/// a kernel built for each variant, and puts an ew.launch in its place.
mlir::LogicalResult outlineKernels(mlir::ModuleOp module,
                                   KernelBuilderFn build);

} // namespace ew

#endif // EW_CODEGEN_KERNEL_KERNELS_H
