//===- Check.cpp - Judges results, and makes expected ones ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "ew/Support/Plural.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <random>
#include <set>
#include <thread>

using namespace mlir;
using namespace ew;
using namespace ew::reference;
using ew::runtime::ElementType;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string integerToString(uint64_t bits, ElementType type) {
  if (type == ElementType::I1)
    return bits ? "true" : "false";
  unsigned width = 8 * getByteWidth(type);
  return runtime::isSigned(type)
             ? std::to_string(llvm::SignExtend64(bits, width))
             : std::to_string(bits);
}

static std::string rangeToString(const Range &range, const Format &format) {
  std::string text;
  if (range.hasNumber) {
    text = toString(range.low, format.precision);
    if (compareTotal(range.low, range.high) != 0)
      text = "[" + text + ", " + toString(range.high, format.precision) + "]";
  }
  if (range.hasNaN)
    text += text.empty() ? "NaN" : " or NaN";
  return text;
}

static std::vector<int64_t> toIndex(int64_t linear, ArrayRef<int64_t> shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0; linear /= shape[d])
    index[d] = linear % shape[d];
  return index;
}

std::string ew::reference::describe(const ResultReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (report.wrong ? std::to_string(report.wrong) + " wrong of " : "")
     << report.checked << " of " << plural(report.total, "element")
     << (report.sampled ? " (edges and a random sample)" : "")
     << (report.wrong ? "" : " right");
  // Where no distance is wrong, the largest one of what is right would mislead.
  if (!report.wrong || report.unmeasured < report.wrong)
    os << ", largest error " << llvm::format("%.3f", report.maxUlp) << " ulp";
  if (report.unmeasured && report.unmeasured < report.wrong)
    os << ", " << report.unmeasured << " wrong in what ulps do not measure";
  if (report.undecided)
    os << ", " << report.undecided << " undecided";
  if (!report.wrong)
    return text;
  const Element &first = report.firstWrong;
  os << "\n  first at ["
     << llvm::join(
            llvm::map_range(first.index,
                            [](int64_t at) { return std::to_string(at); }),
            ", ")
     << "]: got " << first.actual << ", expected " << first.expected;
  if (!first.fault.empty() && first.fault != "another integer")
    os << ": " << first.fault;
  return text;
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

namespace {
/// What became of one part of an element, or of the whole of one that is not
/// complex.
struct Judgement {
  bool inside = true, undecided = false;
  double ulp = 0;
  llvm::StringRef fault;        // where it is outside, and ulp does not say so
  std::string actual, expected; // if asked for
};
} // namespace

/// What is wrong with a number that no distance tells of.
static llvm::StringRef findFault(const Real &actual, const Range &expected) {
  if (actual.isNaN())
    return "a NaN in place of a number";
  if (!expected.hasNumber)
    return "a number in place of a NaN";
  if (actual.isZero() && expected.contains(negate(actual)))
    return "the wrong sign of zero";
  return "";
}

/// `largest` is the largest part, in whose units the distance is where the
/// bound is, too.
static Judgement judgePart(const Node &node, const Scalar &expected,
                           uint64_t bits, const Real &largest, bool describe) {
  Judgement result;
  result.undecided = expected.undecided;
  Real actual;
  if (node.format) {
    actual = decode(bits, *node.format);
    result.inside = expected.range.contains(actual);
    if (!result.inside)
      result.fault = findFault(actual, expected.range);
    result.undecided |=
        result.inside && expected.range.hasNaN && expected.range.hasNumber;
    if (!result.undecided && !actual.isNaN() && !expected.truth.isNaN()) {
      result.ulp = getDistance(actual, expected.truth, *node.format);
      if (node.otherPart)
        result.ulp *= getUlp(expected.truth, *node.format).toDouble() /
                      getUlp(largest, *node.format).toDouble();
    }
  } else {
    result.inside = result.undecided || bits == expected.bits;
    if (!result.inside)
      result.fault = "another integer";
  }
  if (!describe)
    return result;
  if (node.format) {
    result.actual = toString(actual, node.format->precision);
    result.expected = rangeToString(expected.range, *node.format);
  } else {
    result.actual = integerToString(bits, node.type);
    result.expected = result.undecided
                          ? "anything"
                          : integerToString(expected.bits, node.type);
  }
  return result;
}

static void judge(ResultReport &report, ArrayRef<const Node *> nodes,
                  ArrayRef<Scalar> expected, const TensorView &output,
                  int64_t linear) {
  std::vector<int64_t> index = toIndex(linear, nodes[0]->shape);
  int64_t offset = 0;
  for (auto [i, stride] : llvm::zip(index, output.strides))
    offset += i * stride;
  ++report.checked;

  Real largest;
  for (const Scalar &part : expected)
    if (part.truth.isFinite() &&
        mpfr_cmpabs(part.truth.get(), largest.get()) > 0)
      largest = part.truth;
  auto judgeAll = [&](bool describe) {
    SmallVector<Judgement, 2> result;
    for (auto [i, node] : llvm::enumerate(nodes)) {
      uint64_t bits =
          loadBits(output.data, offset * nodes.size() + i, node->type);
      result.push_back(judgePart(*node, expected[i], bits, largest, describe));
    }
    return result;
  };
  bool inside = true, undecided = false;
  double ulp = 0;
  llvm::StringRef fault;
  for (const Judgement &part : judgeAll(false)) {
    inside &= part.inside;
    if (fault.empty())
      fault = part.fault;
    undecided |= part.undecided;
    ulp = std::max(ulp, part.ulp);
  }
  auto describe = [&](Element &element) {
    SmallVector<Judgement, 2> parts = judgeAll(true);
    element.index = index;
    element.ulp = ulp;
    element.fault = fault.str();
    element.actual = parts[0].actual;
    element.expected = parts[0].expected;
    if (parts.size() == 2) {
      element.actual = "(" + element.actual + "," + parts[1].actual + ")";
      element.expected = "(" + element.expected + "," + parts[1].expected + ")";
    }
  };
  if (!inside) {
    report.unmeasured += !fault.empty();
    if (report.wrong++ == 0)
      describe(report.firstWrong);
  } else if (undecided) {
    ++report.undecided;
  }
  if (ulp > report.maxUlp) {
    report.maxUlp = ulp;
    describe(report.worst);
  }
}

namespace {
/// The elements to look at, in order: all, or both ends and random ones.
class Sample {
public:
  Sample(int64_t size, const Options &options);
  int64_t size() const { return count; }
  int64_t operator[](int64_t i) const { return chosen.empty() ? i : chosen[i]; }

private:
  int64_t count;
  std::vector<int64_t> chosen; // empty for all
};
} // namespace

Sample::Sample(int64_t size, const Options &options) : count(size) {
  int64_t limit = std::max<int64_t>(options.limit, 1);
  if (size <= limit)
    return;
  std::set<int64_t> elements;
  for (int64_t i = 0; i < std::max<int64_t>(limit / 8, 1); ++i) {
    elements.insert(i);
    elements.insert(size - 1 - i);
  }
  std::mt19937_64 random(options.seed);
  std::uniform_int_distribution<int64_t> any(0, size - 1);
  while (static_cast<int64_t>(elements.size()) < limit)
    elements.insert(any(random));
  chosen.assign(elements.begin(), elements.end());
  count = chosen.size();
}

/// Elements that are worth a thread.
static constexpr int64_t kElementsPerThread = 512;

static int64_t getNumThreads(const Options &options) {
  if (!mpfr_buildopt_tls_p())
    return 1;
  int64_t threads =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  return std::max<int64_t>(threads, 1);
}

/// Calls `visit(thread, result number, nodes, values, index)` for the sampled
/// elements of every result, on several threads; a thread takes consecutive
/// ones. Results of one shape are evaluated side by side, so that what they
/// share is computed once.
template <typename Visit>
static void forEachElement(const Program &program, const Options &options,
                           Visit visit) {
  std::map<std::vector<int64_t>, SmallVector<unsigned>> byShape;
  for (auto [i, nodes] : llvm::enumerate(program.results))
    byShape[program.nodes[nodes[0]]->shape].push_back(i);
  for (auto &[shape, results] : byShape) {
    SmallVector<unsigned> targets;
    for (unsigned result : results)
      llvm::append_range(targets, program.results[result]);
    Sample sample(program.nodes[targets[0]]->size, options);
    int64_t count = std::min(getNumThreads(options),
                             1 + sample.size() / kElementsPerThread);
    auto run = [&, &results = results](int64_t thread) {
      Interpreter interpreter(program, targets);
      int64_t share = sample.size() / count, rest = sample.size() % count;
      int64_t begin = thread * share + std::min(thread, rest);
      for (int64_t i = begin, end = begin + share + (thread < rest); i < end;
           ++i) {
        int64_t index = sample[i];
        interpreter.evaluate(index);
        for (unsigned result : results) {
          SmallVector<const Node *, 2> nodes;
          SmallVector<Scalar, 2> values;
          for (unsigned target : program.results[result]) {
            nodes.push_back(program.nodes[target].get());
            values.push_back(interpreter.getResult(target));
          }
          visit(thread, result, ArrayRef<const Node *>(nodes),
                ArrayRef<Scalar>(values), index);
        }
      }
    };
    std::vector<std::thread> threads;
    for (int64_t i = 1; i < count; ++i)
      threads.emplace_back([&, i] {
        run(i);
        mpfr_free_cache();
      });
    run(0);
    for (std::thread &thread : threads)
      thread.join();
  }
}

/// Adds the report of the elements after those of `report`.
static void append(ResultReport &report, const ResultReport &next) {
  report.checked += next.checked;
  report.undecided += next.undecided;
  if (report.wrong == 0)
    report.firstWrong = next.firstWrong;
  report.wrong += next.wrong;
  report.unmeasured += next.unmeasured;
  if (next.maxUlp > report.maxUlp) {
    report.maxUlp = next.maxUlp;
    report.worst = next.worst;
  }
}

/// Of a result by its nodes: two are the parts of a complex number.
static ElementType getResultType(const Program &program,
                                 ArrayRef<unsigned> ids) {
  ElementType part = program.nodes[ids[0]]->type;
  if (ids.size() == 1)
    return part;
  return part == ElementType::F32 ? ElementType::ComplexF32
                                  : ElementType::ComplexF64;
}

Expected<std::vector<ResultReport>>
ew::reference::check(func::FuncOp func, ArrayRef<TensorView> inputs,
                     ArrayRef<TensorView> outputs, const Options &options) {
  Expected<Program> program = buildProgram(func, inputs, options);
  if (!program)
    return program.takeError();
  if (program->results.size() != outputs.size())
    return makeError(func.getLoc(), "'" + func.getName() + "' has " +
                                        Twine(program->results.size()) +
                                        " results, and " +
                                        Twine(outputs.size()) + " were given");
  std::vector<TensorView> views(outputs.begin(), outputs.end());
  std::vector<ResultReport> reports(views.size());
  for (auto [i, ids] : llvm::enumerate(program->results)) {
    const Node &node = *program->nodes[ids[0]];
    if (views[i].type != getResultType(*program, ids) ||
        views[i].shape != node.shape)
      return makeError(func.getLoc(), "result " + Twine(i) +
                                          " has another type or shape than "
                                          "the inputs lead to");
    if (views[i].strides.empty())
      views[i].strides = getRowMajorStrides(node.shape);
    reports[i].total = node.size;
    reports[i].sampled = node.size > std::max<int64_t>(options.limit, 1);
  }
  std::vector<std::vector<ResultReport>> byThread(
      getNumThreads(options), std::vector<ResultReport>(views.size()));
  forEachElement(
      *program, options,
      [&](int64_t thread, unsigned result, ArrayRef<const Node *> nodes,
          ArrayRef<Scalar> values, int64_t index) {
        judge(byThread[thread][result], nodes, values, views[result], index);
      });
  for (const std::vector<ResultReport> &part : byThread)
    for (auto [report, next] : llvm::zip(reports, part))
      append(report, next);
  return reports;
}

//===----------------------------------------------------------------------===//
// Expected results
//===----------------------------------------------------------------------===//

Expected<std::vector<Tensor>>
ew::reference::inferResults(func::FuncOp func, ArrayRef<TensorView> inputs) {
  Expected<Program> program = buildProgram(func, inputs, {});
  if (!program)
    return program.takeError();
  std::vector<Tensor> results;
  for (ArrayRef<unsigned> ids : program->results)
    results.push_back(
        {getResultType(*program, ids), program->nodes[ids[0]]->shape, {}});
  return results;
}

Expected<std::vector<Tensor>>
ew::reference::evaluate(func::FuncOp func, ArrayRef<TensorView> inputs,
                        const Options &options) {
  Expected<Program> program = buildProgram(func, inputs, options);
  if (!program)
    return program.takeError();
  std::vector<Tensor> results;
  for (ArrayRef<unsigned> ids : program->results) {
    const Node &node = *program->nodes[ids[0]];
    ElementType type = getResultType(*program, ids);
    results.push_back(
        {type, node.shape, std::string(node.size * getByteWidth(type), '\0')});
  }
  Options all = options;
  all.limit = INT64_MAX;
  forEachElement(
      *program, all,
      [&](int64_t, unsigned result, ArrayRef<const Node *> nodes,
          ArrayRef<Scalar> values, int64_t index) {
        for (auto [i, node, value] : llvm::enumerate(nodes, values)) {
          uint64_t bits =
              node->format ? encode(value.nominal, *node->format) : value.bits;
          storeBits(results[result].data.data(), index * nodes.size() + i,
                    node->type, bits);
        }
      });
  return results;
}
