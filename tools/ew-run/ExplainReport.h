//===- ExplainReport.h - A kernel's checklist as text and JSON --*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TOOLS_EW_RUN_EXPLAINREPORT_H
#define EW_TOOLS_EW_RUN_EXPLAINREPORT_H

#include "ew/Analysis/Checklist.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ew::run {

void printMachine(const analysis::Machine &machine, llvm::raw_ostream &os);
void printReport(const analysis::KernelFacts &facts,
                 const analysis::KernelReport &report, llvm::raw_ostream &os);

/// The keys are listed in docs/Explain.md.
llvm::json::Object toJSON(const analysis::Machine &machine);
llvm::json::Object toJSON(const analysis::KernelFacts &facts,
                          const analysis::KernelReport &report);

} // namespace ew::run

#endif // EW_TOOLS_EW_RUN_EXPLAINREPORT_H
