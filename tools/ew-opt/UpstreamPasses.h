//===- UpstreamPasses.h - Passes of MLIR's that ew-opt offers ---*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_EW_OPT_UPSTREAMPASSES_H
#define EW_TOOLS_EW_OPT_UPSTREAMPASSES_H

namespace ew {

/// Passes over the dialects that EW's pipelines go through. Two halves, for
/// the time that their headers take to compile.
void registerUpstreamTransforms();
void registerUpstreamConversions();

} // namespace ew

#endif // EW_TOOLS_EW_OPT_UPSTREAMPASSES_H
