//===- Signature.h - What a kernel takes ------------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_KERNEL_SIGNATURE_H
#define EW_CODEGEN_KERNEL_SIGNATURE_H

#include "ew/Codegen/Schedule/Access.h"
#include "ew/Runtime/Plan.h"

namespace ew {

/// The arguments of one variant of a kernel, in order. The kernel's function
/// and the host's plan are both built from this list.
llvm::SmallVector<runtime::KernelArg>
getKernelArgs(ScheduleAttr schedule, VariantAttr variant,
              llvm::ArrayRef<mlir::AffineMap> maps, mlir::TypeRange operands);

/// For every loop the dimension of the operand that it walks, or -1.
llvm::SmallVector<int32_t> getDimOfLoop(mlir::AffineMap map);

/// How an element is stored: booleans and fp8 as i8, uiN as iN.
mlir::Type getMemoryType(mlir::Type element);

/// The schedule of one version: the kernel's, with what the version has of its
/// own in its place.
ScheduleAttr getVersionSchedule(ScheduleAttr schedule, VariantAttr variant);

/// Whether some variant reads or writes the operand in accesses of several
/// elements, so that a condition on alignment concerns it.
bool isWideOperand(const LoopNest &collapsed, unsigned operand);

/// The nest that a variant walks: of the loops, of the schedule's collapsed
/// dimensions, or of those that the host merges.
LoopNest getWalkedNest(const LoopNest &loops, ScheduleAttr schedule,
                       VariantAttr variant);

/// Whether a variant is for views whose rows are a pitch apart, and whose
/// elements lie side by side in a row.
bool isPitched(VariantAttr variant);

/// Whether vectors of so many lanes lie in one row each, since rows are a
/// multiple of them.
bool hasWholeRows(VariantAttr variant, unsigned lanes);

/// Whether a variant is for rows of any length in aligned buffers, which its
/// vectors cross (AcrossRows.cpp).
bool crossesRows(ScheduleAttr schedule, VariantAttr variant);

/// Whether a variant for dense buffers reads and writes them in wide accesses
/// wherever those begin: off an alignment, from a few elements before the space
/// on (Shifted.cpp), or anywhere in a row.
bool isShifted(ScheduleAttr schedule, VariantAttr variant,
               mlir::TypeRange operands);

/// Whether a version's tile is read and written in accesses of several elements
/// (WideTile.cpp): of as many rows and columns at a time or, where it has no
/// condition on rows, of a tile that has all of them. And how many columns a
/// thread of it has side by side.
bool isWideTile(ScheduleAttr schedule, VariantAttr variant);
bool hasAllRows(ScheduleAttr schedule, VariantAttr variant);
int64_t getTileUnit(ScheduleAttr schedule, VariantAttr variant);

/// Whether a block of so many threads fills a wide tile, in accesses that share
/// it evenly, where the space's columns are a multiple of `multiple`. And the
/// elements that an operand takes in shared memory, of so many bytes each.
bool fitsWideTile(int64_t rows, int64_t columns, int64_t unit, int64_t multiple,
                  int64_t threads, bool allRows);
int64_t getWideTileElements(int64_t rows, int64_t columns, int64_t unit,
                            bool allRows, int64_t bytes);

/// Whether a thread's elements lie side by side, as vectors need it. Else those
/// of neighbouring threads do.
bool takesVectors(ScheduleAttr schedule, VariantAttr variant,
                  mlir::TypeRange operands);

/// How many elements a thread of a version that takes vectors has side by side:
/// the schedule's. A shifted one has no more than fill an access of every dense
/// operand, since its ends go lane by lane, and accesses a block's width apart
/// in their place.
unsigned getVectorLanes(ScheduleAttr schedule, VariantAttr variant,
                        mlir::TypeRange operands);

} // namespace ew

#endif // EW_CODEGEN_KERNEL_SIGNATURE_H
