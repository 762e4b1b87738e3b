//===- InitAll.h - Registers what pipelines need ----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_INITALL_H
#define EW_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ew {

/// The ew dialect and every upstream dialect that EW's pipelines read or
/// create, with the interfaces and translations that lower them.
void registerAllDialects(mlir::DialectRegistry &registry);

/// EW's passes and pipelines, by name.
void registerAllPasses();

} // namespace ew

#endif // EW_INITALL_H
