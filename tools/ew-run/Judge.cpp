//===- Judge.cpp - What a run gave: outputs, comparisons, the oracle ------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "ew/Pipelines/Pipelines.h"
#include "ew/Reference/HostTensors.h"
#include "ew/Support/Plural.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/Support/WithColor.h"
#include <cmath>

using namespace mlir;
using namespace ew;
using namespace ew::run;

namespace rt = ew::runtime;

/// Before the function runs, which may take long.
llvm::Error Session::checkOutputs() {
  size_t count = program.plan.results.size();
  for (auto [flag, given] :
       {std::pair("--output", options.outputs.size()),
        std::pair("--expected_output", options.expected.size())})
    if (given > count)
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          llvm::formatv("'{0}' has {1} result{2}, but {3} were given with {4}",
                        program.plan.function, count, count == 1 ? "" : "s",
                        given, flag));
  return llvm::Error::success();
}

int Session::writeOutputs() {
  // Without any --output the results are printed, unless a report is what the
  // run is for.
  bool print = options.outputs.empty() && options.expected.empty() &&
               !options.check && !options.time && !options.explain &&
               !options.json;
  for (auto [index, result] : llvm::enumerate(results)) {
    if (index >= options.outputs.size()) {
      if (print)
        if (llvm::Error error = rt::writeOutput({}, result, llvm::outs()))
          return fail(std::move(error));
      continue;
    }
    auto spec = rt::parseOutputSpec(options.outputs[index]);
    if (!spec)
      return fail(spec.takeError());
    if (llvm::Error error = rt::writeOutput(*spec, result, llvm::outs()))
      return fail(std::move(error));
  }
  return kSuccess;
}

int Session::compareWithExpected() {
  int code = kSuccess;
  llvm::json::Array rows;
  for (auto [index, text] : llvm::enumerate(options.expected)) {
    const rt::HostTensor &actual = results[index];
    auto spec = rt::parseInputSpec(text);
    if (!spec)
      return fail(spec.takeError());
    rt::TensorType type{actual.getType(), rt::Sizes(actual.getShape())};
    auto expected = rt::makeExpected(*spec, type, index);
    if (!expected)
      return fail(expected.takeError());
    auto comparison = rt::compare(actual, *expected, options.tolerance);
    if (!comparison)
      return fail(comparison.takeError());
    if (!*comparison) {
      llvm::WithColor::error(llvm::errs(), "ew-run")
          << "result " << index << ": "
          << rt::describe(*comparison, actual, *expected) << "\n";
      code = kWrong;
    } else if (!options.json) {
      llvm::outs() << "result " << index << ": "
                   << plural(comparison->count, "element") << " as expected\n";
    }
    rows.push_back(llvm::json::Object{{"elements", comparison->count},
                                      {"mismatches", comparison->mismatches}});
  }
  report["expected"] = std::move(rows);
  return code;
}

//===----------------------------------------------------------------------===//
// The oracle
//===----------------------------------------------------------------------===//

int Session::checkWithOracle() {
  if (int code = file.parse(options.mode))
    return code;
  OwningOpRef<ModuleOp> inlined = file.getModule().clone();
  auto whole = inlined->lookupSymbol<func::FuncOp>(program.plan.function);
  whole.setPublic();
  PassManager pm(file.getContext());
  buildOraclePipeline(pm, options.mode);
  if (failed(pm.run(*inlined)))
    return kFailure;

  reference::Options oracle;
  oracle.mode = reference::getMode(options.mode);
  oracle.limit = options.checkLimit;
  oracle.seed = options.seed;
  auto reports = reference::check(whole, reference::makeViews(inputs),
                                  reference::makeViews(results), oracle);
  if (!reports)
    return fail(reports.takeError());

  int code = kSuccess;
  llvm::json::Array rows;
  for (auto [index, row] : llvm::enumerate(*reports)) {
    if (row.wrong)
      code = kWrong;
    if (row.wrong || !options.json)
      (row.wrong ? llvm::errs() : llvm::outs())
          << "check: result " << index << ": " << reference::describe(row)
          << "\n";
    rows.push_back(llvm::json::Object{
        {"total", row.total},
        {"checked", row.checked},
        {"wrong", row.wrong},
        {"unmeasured", row.unmeasured},
        {"undecided", row.undecided},
        {"sampled", row.sampled},
        {"max_ulp", std::isfinite(row.maxUlp) ? llvm::json::Value(row.maxUlp)
                                              : llvm::json::Value(nullptr)}});
  }
  report["check"] = std::move(rows);
  return code;
}
