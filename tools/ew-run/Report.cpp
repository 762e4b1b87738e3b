//===- Report.cpp - What was chosen, and how long it takes -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace ew;
using namespace ew::run;

namespace rt = ew::runtime;

int Session::explain() {
  llvm::json::Array rows;
  llvm::raw_ostream &os = llvm::outs();
  for (const rt::LaunchInfo &info : invocation->getLaunches()) {
    const rt::Launch &launch = *info.launch;
    const rt::Variant &variant = info.getVariant();
    llvm::json::Object row{{"kernel", variant.kernel},
                           {"location", launch.location},
                           {"grid", int64_t(info.grid)},
                           {"block", int64_t(info.block)},
                           {"bytes_read", int64_t(info.bytesRead)},
                           {"bytes_written", int64_t(info.bytesWritten)}};
    if (!options.json) {
      os << "kernel " << variant.kernel << "\n  computes " << llvm::join(launch.ops, ", ")
         << " (" << launch.location << ")\n  loops ";
      llvm::interleave(info.loops, os, "x");
      os << ", collapsed to ";
      llvm::interleave(info.collapsed, os, "x");
      os << "; " << info.grid << " blocks of " << info.block << " threads, "
         << variant.elementsPerBlock << " elements each\n";
      for (const std::string &why : info.passedOver)
        os << "  passed over " << why << "\n";
      for (const auto &[index, operand] : llvm::enumerate(launch.operands)) {
        const rt::Value &value = program.plan.values[operand.value];
        os << "  " << (index < launch.numInputs ? "reads " : "writes ") << getName(value.type)
           << ", " << operand.access << (operand.wide ? ", wide" : "") << "\n";
      }
      os << "  moves " << rt::describeBytes(info.bytesRead) << " in, "
         << rt::describeBytes(info.bytesWritten) << " out\n";
    }
    if (info.kernel)
      if (std::optional<rt::KernelResources> resources = device->getResources(*info.kernel)) {
        if (!options.json)
          os << "  " << resources->registers << " registers, " << resources->spillBytes
             << " bytes spilled, " << resources->sharedBytes << " bytes shared, "
             << resources->blocksPerUnit << " blocks per multiprocessor\n";
        row["registers"] = int64_t(resources->registers);
        row["spill_bytes"] = int64_t(resources->spillBytes);
        row["shared_bytes"] = int64_t(resources->sharedBytes);
        row["blocks_per_multiprocessor"] = int64_t(resources->blocksPerUnit);
      }
    rows.push_back(std::move(row));
  }
  report["kernels"] = std::move(rows);
  return kSuccess;
}

int Session::timeFunction() { return kSuccess; }
