//===- Sweep.cpp - A function over all its inputs -------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweep.h"
#include "Pairs.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/Process.h"

#include <cmath>
#include <future>

using namespace ew;
using namespace ew::accuracy;

/// Inputs of a launch, and of one task of judging.
static constexpr int64_t kChunk = 1 << 22;
static constexpr int64_t kTask = 1 << 14;
static constexpr uint64_t kSamples = 4096;

namespace {
/// A line of a terminal that says how far a sweep is; gone when it ends.
class Progress {
public:
  explicit Progress(llvm::StringRef what)
      : what(what), shown(llvm::sys::Process::StandardErrIsDisplayed()) {}
  ~Progress() {
    if (shown)
      llvm::errs() << kClear;
  }
  void show(uint64_t done, uint64_t count) {
    if (shown)
      llvm::errs() << kClear << what << ": " << done * 100 / count << "% of "
                   << count;
  }

private:
  static constexpr const char *kClear = "\r\x1b[K";
  llvm::StringRef what;
  bool shown;
};

class Sweep {
public:
  Sweep(const Function &function, const Request &request)
      : function(function), request(request) {
    count = countInputs(function, request);
    capacity = std::min<uint64_t>(count, kChunk);
    for (auto &slot : operands)
      for (unsigned i = 0; i < function.arity; ++i)
        slot[i].resize(capacity * bytesOf(request.type));
  }

  llvm::Error run(mlir::MLIRContext &context, llvm::ArrayRef<Place> places);
  std::vector<Outcome> outcomes;

private:
  std::vector<Measure> measures; // at each place
  /// Inputs from `base` on, in one of the slots, and their results at each
  /// place.
  struct Chunk {
    uint64_t base;
    int64_t size;
    unsigned slot;
    std::vector<const void *> results;
  };
  void makeOperands(const Chunk &chunk);
  llvm::Error compute(Chunk &chunk, llvm::MutableArrayRef<Operands> onDevices,
                      llvm::ArrayRef<std::unique_ptr<Runner>> runners);
  void judgeChunk(const Chunk &chunk);
  void judgeTask(const Chunk &chunk, int64_t begin, int64_t end,
                 llvm::MutableArrayRef<Tally> tallies);
  /// Numbers of inputs, by their indices.
  void getNumbers(llvm::ArrayRef<uint64_t> indices, std::vector<double> &x,
                  std::vector<double> &y);
  llvm::Error refine(mlir::MLIRContext &context);
  std::string describe(uint64_t index);
  uint32_t patternOf(uint64_t index) const {
    return static_cast<uint32_t>(index * request.step);
  }

  const Function &function;
  const Request &request;
  uint64_t count;
  int64_t capacity;
  std::vector<char> operands[kSlots][2];
};
} // namespace

uint64_t ew::accuracy::countInputs(const Function &function,
                                   const Request &request) {
  uint64_t patterns =
      request.type == Element::F32 ? uint64_t(1) << 32 : 1 << 16;
  return function.arity > 1 ? request.pairs
                            : (patterns + request.step - 1) / request.step;
}

void Sweep::makeOperands(const Chunk &chunk) {
  auto &[first, second] = operands[chunk.slot];
  int64_t tasks = (capacity + kTask - 1) / kTask;
  llvm::parallelFor(
      0, tasks, [&, x = first.data(), y = second.data()](size_t task) {
        int64_t end = std::min<int64_t>(capacity, (task + 1) * kTask);
        for (int64_t i = task * kTask; i < end; ++i) {
          if (function.arity > 1)
            std::tie(reinterpret_cast<float *>(x)[i],
                     reinterpret_cast<float *>(y)[i]) =
                getPair(function.pairs, chunk.base + i);
          else if (request.type == Element::F32)
            reinterpret_cast<uint32_t *>(x)[i] = patternOf(chunk.base + i);
          else
            reinterpret_cast<uint16_t *>(x)[i] = patternOf(chunk.base + i);
        }
      });
}

llvm::Error Sweep::compute(Chunk &chunk,
                           llvm::MutableArrayRef<Operands> onDevices,
                           llvm::ArrayRef<std::unique_ptr<Runner>> runners) {
  makeOperands(chunk);
  llvm::SmallVector<const void *, 2> inputs;
  for (unsigned i = 0; i < function.arity; ++i)
    inputs.push_back(operands[chunk.slot][i].data());
  for (Operands &onDevice : onDevices)
    if (llvm::Error error = onDevice.copy(chunk.slot, inputs))
      return error;
  for (auto &runner : runners)
    if (llvm::Error error = runner->launch(chunk.slot))
      return error;
  for (auto &runner : runners) {
    auto result = runner->wait(chunk.slot);
    if (!result)
      return result.takeError();
    chunk.results.push_back(*result);
  }
  return llvm::Error::success();
}

void Sweep::judgeTask(const Chunk &chunk, int64_t begin, int64_t end,
                      llvm::MutableArrayRef<Tally> tallies) {
  unsigned bytes = bytesOf(request.type);
  double x[kBlock] = {}, y[kBlock] = {}, truth[kBlock];
  for (int64_t i = begin; i < end; i += kBlock) {
    int64_t size = std::min(kBlock, end - i);
    if (!request.hashOnly) {
      toDouble(request.type, operands[chunk.slot][0].data() + i * bytes, x,
               size);
      if (function.arity > 1)
        toDouble(request.type, operands[chunk.slot][1].data() + i * bytes, y,
                 size);
      function.truth(x, y, truth, kBlock);
    }
    for (auto [result, tally, measure] :
         llvm::zip_equal(chunk.results, tallies, measures)) {
      const char *got = static_cast<const char *>(result) + i * bytes;
      addHash(request.type, got, chunk.base + i, size, tally);
      if (!request.hashOnly)
        judge(request.type, got, truth, chunk.base + i, size, measure, tally);
    }
  }
}

void Sweep::judgeChunk(const Chunk &chunk) {
  int64_t tasks = (chunk.size + kTask - 1) / kTask;
  std::vector<std::vector<Tally>> tallies(tasks,
                                          std::vector<Tally>(outcomes.size()));
  for (std::vector<Tally> &ofTask : tallies)
    for (auto [tally, outcome] : llvm::zip_equal(ofTask, outcomes))
      tally.maxUlp = outcome.tally.maxUlp;
  llvm::parallelFor(0, tasks, [&](size_t task) {
    judgeTask(chunk, task * kTask,
              std::min<int64_t>(chunk.size, (task + 1) * kTask), tallies[task]);
  });
  // In order: of equal errors the first counts, however many threads there are.
  for (const std::vector<Tally> &ofTask : tallies)
    for (auto [tally, outcome] : llvm::zip_equal(ofTask, outcomes))
      outcome.tally.add(tally);
}

void Sweep::getNumbers(llvm::ArrayRef<uint64_t> indices, std::vector<double> &x,
                       std::vector<double> &y) {
  for (uint64_t index : indices) {
    double number = 0, second = 0;
    if (function.arity > 1) {
      std::tie(number, second) = getPair(function.pairs, index);
    } else {
      uint32_t pattern = patternOf(index);
      toDouble(request.type, &pattern, &number, 1);
    }
    x.push_back(number);
    y.push_back(second);
  }
}

std::string Sweep::describe(uint64_t index) {
  std::vector<double> x, y;
  getNumbers({index}, x, y);
  if (function.arity > 1)
    return llvm::formatv("{0:x8},{1:x8}", llvm::bit_cast<uint32_t>(float(x[0])),
                         llvm::bit_cast<uint32_t>(float(y[0])));
  if (request.type == Element::F32)
    return llvm::formatv("{0:x8}", patternOf(index));
  return llvm::formatv("{0:x4}", patternOf(index));
}

/// The worst results again, by the oracle; and how far f64's functions are from
/// it.
llvm::Error Sweep::refine(mlir::MLIRContext &context) {
  std::vector<uint64_t> indices;
  for (const Outcome &outcome : outcomes)
    indices.push_back(outcome.tally.worst);
  for (uint64_t i = 1; i <= kSamples; ++i)
    indices.push_back(i * 0x9e3779b97f4a7c15 % count);
  std::vector<double> x, y;
  getNumbers(indices, x, y);
  auto exact = evaluateExactly(context, function, x, y);
  if (!exact)
    return exact.takeError();
  double truthError = 0;
  for (size_t i = outcomes.size(); i < x.size(); ++i) {
    double xs[4] = {x[i]}, ys[4] = {y[i]}, truth[4];
    function.truth(xs, ys, truth, 4);
    // Past the end of the type they need not agree.
    if (std::fabs(truth[0]) > 0x1p128 && std::fabs((*exact)[i]) > 0x1p128)
      continue;
    bool wrong;
    double error = distance(request.type, truth[0], (*exact)[i], wrong);
    truthError = std::fmax(truthError, wrong ? INFINITY : error);
  }
  for (auto [i, outcome] : llvm::enumerate(outcomes)) {
    Tally &tally = outcome.tally;
    bool wrong;
    tally.worstTruth = (*exact)[i];
    tally.maxUlp = distance(request.type, tally.worstGot, tally.worstTruth,
                            wrong, measures[i]);
    if (wrong && !tally.wrong++)
      tally.firstWrong = tally.worst;
    outcome.worstAt = describe(tally.worst);
    if (tally.wrong)
      outcome.firstWrongAt = describe(tally.firstWrong);
    outcome.truthError = truthError;
  }
  return llvm::Error::success();
}

llvm::Error Sweep::run(mlir::MLIRContext &context,
                       llvm::ArrayRef<Place> places) {
  outcomes.resize(places.size());
  std::vector<Operands> onDevices;
  std::vector<std::unique_ptr<Runner>> runners;
  for (const Place &place : places) {
    measures.push_back(getMeasure(context, function, request.type, place));
    auto found = llvm::find_if(
        onDevices, [&](auto &o) { return o.device == place.device; });
    if (found == onDevices.end()) {
      auto made = Operands::create(*place.device, request.type, function.arity,
                                   capacity);
      if (!made)
        return made.takeError();
      found = onDevices.insert(onDevices.end(), std::move(*made));
    }
    auto runner =
        Runner::create(context, function, request.type, *found, place);
    if (!runner)
      return runner.takeError();
    runners.push_back(std::move(*runner));
  }
  Progress progress(function.name);
  // A chunk is judged while the next one is computed.
  std::future<void> judging;
  for (uint64_t base = 0, n = 0; base < count; base += capacity, ++n) {
    progress.show(base, count);
    Chunk chunk = {base,
                   int64_t(std::min<uint64_t>(capacity, count - base)),
                   unsigned(n % kSlots),
                   {}};
    llvm::Error error = compute(chunk, onDevices, runners);
    if (judging.valid())
      judging.get();
    if (error)
      return error;
    judging =
        std::async(std::launch::async, [this, chunk] { judgeChunk(chunk); });
  }
  judging.get();
  for (Outcome &outcome : outcomes)
    outcome.inputs = count;
  return request.hashOnly ? llvm::Error::success() : refine(context);
}

llvm::Expected<std::vector<Outcome>>
ew::accuracy::sweep(mlir::MLIRContext &context, const Function &function,
                    const Request &request, llvm::ArrayRef<Place> places) {
  Sweep sweep(function, request);
  if (llvm::Error error = sweep.run(context, places))
    return error;
  return std::move(sweep.outcomes);
}
