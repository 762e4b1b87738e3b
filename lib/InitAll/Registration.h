//===- Registration.h - The parts of registerAllDialects --------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_INITALL_REGISTRATION_H
#define EW_LIB_INITALL_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

// Separate functions because each of them includes the headers of many
// dialects: in one file they take four times as long to compile.
namespace ew::detail {

/// How operations become LLVM dialect, LLVM IR and GPU binaries.
void registerLowerings(mlir::DialectRegistry &registry);

/// How tensors become buffers, and what is known about sizes.
void registerInterfaces(mlir::DialectRegistry &registry);

} // namespace ew::detail

#endif // EW_LIB_INITALL_REGISTRATION_H
