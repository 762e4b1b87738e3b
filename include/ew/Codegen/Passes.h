//===- Passes.h - Passes from kernels to code -------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_PASSES_H
#define EW_CODEGEN_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace ew {

#define GEN_PASS_DECL
#include "ew/Codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ew/Codegen/Passes.h.inc"

} // namespace ew

#endif // EW_CODEGEN_PASSES_H
