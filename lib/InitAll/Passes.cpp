//===- Passes.cpp - Registers EW's passes ---------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Passes.h"
#include "ew/Conversion/Passes.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"
#include "ew/InitAll.h"
#include "ew/Math/Passes.h"
#include "ew/Pipelines/Pipelines.h"

void ew::registerAllPasses() {
  registerEwPasses();
  registerEwMathPasses();
  registerEwConversionPasses();
  registerEwCodegenPasses();
  registerPipelines();
}
