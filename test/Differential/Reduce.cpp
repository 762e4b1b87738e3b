//===- Reduce.cpp - Makes a failing program small -------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "ew/Reference/HostTensors.h"
#include "ew/Runtime/Element.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace ew;
using namespace ew::fuzz;

namespace rt = ew::runtime;

namespace {

class Reducer {
public:
  Reducer(fuzz::Program program, const OpTable &table, MLIRContext *context,
          unsigned candidates, Fails fails)
      : best(std::move(program)), table(table), context(context),
        left(candidates), fails(fails) {}

  fuzz::Program run();

private:
  /// Takes the candidate if it fails.
  bool attempt(fuzz::Program candidate);
  bool reduceResults();
  bool bypassNodes();
  bool cutNodes();
  bool shrinkDims();
  bool simplifyTypes();
  bool simplifyData();
  bool simplifyElement(unsigned node, size_t element);
  std::optional<std::vector<uint64_t>> evaluate(unsigned node);

  fuzz::Program best;
  const OpTable &table;
  MLIRContext *context;
  unsigned left;
  Fails fails;
};

} // namespace

bool Reducer::attempt(fuzz::Program candidate) {
  if (left == 0)
    return false;
  candidate.removeUnused();
  --left;
  if (!fails(candidate))
    return false;
  best = std::move(candidate);
  return true;
}

/// One result is enough, most of the time.
bool Reducer::reduceResults() {
  for (size_t i = 0; best.results.size() > 1 && i < best.results.size(); ++i) {
    fuzz::Program candidate = best;
    candidate.results = {best.results[i]};
    if (attempt(std::move(candidate)))
      return true;
  }
  bool changed = false;
  for (size_t i = best.results.size(); best.results.size() > 1 && i-- > 0;) {
    fuzz::Program candidate = best;
    candidate.results.erase(candidate.results.begin() + i);
    changed |= attempt(std::move(candidate));
  }
  return changed;
}

/// An operand in place of an op.
bool Reducer::bypassNodes() {
  bool changed = false;
  for (size_t i = best.nodes.size(); i-- > 0;) {
    if (i >= best.nodes.size())
      continue;
    for (size_t k = 0;
         i < best.nodes.size() && k < best.nodes[i].operands.size(); ++k) {
      const Node &node = best.nodes[i];
      unsigned operand = node.operands[k];
      const Node &other = best.nodes[operand];
      if (other.type != node.type || other.shape != node.shape ||
          other.scalar != node.scalar)
        continue;
      fuzz::Program candidate = best;
      for (Node &user : candidate.nodes) {
        llvm::replace(user.operands, unsigned(i), operand);
        if (user.like == int(i))
          user.like = operand;
      }
      llvm::replace(candidate.results, unsigned(i), operand);
      if (attempt(std::move(candidate))) {
        changed = true;
        break;
      }
    }
  }
  return changed;
}

/// The elements that the oracle has for a value.
std::optional<std::vector<uint64_t>> Reducer::evaluate(unsigned node) {
  fuzz::Program part = best;
  part.results = {node};
  OwningOpRef<ModuleOp> module = build(part, table, context);
  auto inputs = makeInputs(part, /*asViews=*/false);
  if (!inputs) {
    llvm::consumeError(inputs.takeError());
    return std::nullopt;
  }
  std::vector<reference::TensorView> views = reference::makeViews(*inputs);
  reference::Options options;
  options.mode = reference::getMode(best.mode);
  options.threads = 1;
  auto results = reference::evaluate(*module->getOps<func::FuncOp>().begin(),
                                     views, options);
  if (!results) {
    llvm::consumeError(results.takeError());
    return std::nullopt;
  }
  std::vector<uint64_t> bits;
  const reference::Tensor &tensor = results->front();
  rt::ElementType element = rt::getPartType(tensor.type);
  unsigned width = rt::getByteWidth(element);
  for (size_t i = 0; i * width < tensor.data.size(); ++i)
    bits.push_back(rt::loadElement(tensor.data.data() + i * width, element));
  return bits;
}

/// An input that holds a value in place of everything that computes it.
bool Reducer::cutNodes() {
  bool changed = false;
  for (size_t i = best.nodes.size(); i-- > 0;) {
    if (i >= best.nodes.size() || best.nodes[i].kind == Node::Kind::Input)
      continue;
    std::optional<std::vector<uint64_t>> data = evaluate(i);
    if (!data)
      continue;
    fuzz::Program candidate = best;
    Node input;
    input.kind = Node::Kind::Input;
    input.type = best.nodes[i].type;
    input.shape = best.nodes[i].shape;
    input.scalar = best.nodes[i].scalar;
    input.data = std::move(*data);
    candidate.nodes[i] = std::move(input);
    changed |= attempt(std::move(candidate));
  }
  return changed;
}

/// The data of a tensor with only the indices [begin, begin + size) of `dim`.
static void slice(Node &node, const fuzz::Program &program, int dim,
                  int64_t begin, int64_t size) {
  if (node.data.empty() || !llvm::is_contained(node.shape, dim))
    return;
  std::vector<int64_t> sizes = program.getSizes(node);
  std::vector<uint64_t> kept;
  for (auto [linear, bits] : llvm::enumerate(node.data)) {
    bool inside = true;
    int64_t rest = linear / rt::getNumParts(node.type);
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d]) {
      int64_t index = rest % sizes[d];
      if (node.shape[d] == dim)
        inside &= index >= begin && index < begin + size;
    }
    if (inside)
      kept.push_back(bits);
  }
  node.data = std::move(kept);
}

bool Reducer::shrinkDims() {
  bool changed = false;
  for (int dim = 0; dim < int(best.dims.size()); ++dim) {
    auto keep = [&](int64_t begin, int64_t size) {
      fuzz::Program candidate = best;
      for (Node &node : candidate.nodes)
        slice(node, best, dim, begin, size);
      candidate.dims[dim].size = size;
      return attempt(std::move(candidate));
    };
    bool again = true;
    while (again && best.dims[dim].size > 1) {
      int64_t size = best.dims[dim].size;
      again = keep(0, 1) || keep(size - 1, 1) || keep(0, size / 2) ||
              keep(size / 2, size - size / 2) || keep(0, size - 1) ||
              keep(1, size - 1);
      changed |= again;
    }
    if (best.dims[dim].dynamic) {
      fuzz::Program candidate = best;
      candidate.dims[dim].dynamic = false;
      changed |= attempt(std::move(candidate));
    }
  }
  return changed;
}

/// Row-major inputs, ops without options, tensors in place of numbers.
bool Reducer::simplifyTypes() {
  bool changed = false;
  for (size_t i = 0; i < best.nodes.size(); ++i) {
    const Layout &layout = best.nodes[i].layout;
    if (!layout.order.empty() || !layout.steps.empty() || layout.offset ||
        !layout.padding.empty()) {
      fuzz::Program candidate = best;
      candidate.nodes[i].layout = {};
      changed |= attempt(std::move(candidate));
    }
    if (i < best.nodes.size() && best.nodes[i].inPlace >= 0) {
      fuzz::Program candidate = best;
      candidate.nodes[i].inPlace = -1;
      changed |= attempt(std::move(candidate));
    }
    if (i >= best.nodes.size())
      break;
    unsigned signature = best.nodes[i].signature;
    if (best.nodes[i].kind == Node::Kind::Op &&
        table.getPlain(signature) != signature) {
      fuzz::Program candidate = best;
      candidate.nodes[i].signature = table.getPlain(signature);
      changed |= attempt(std::move(candidate));
    }
  }
  return changed;
}

bool Reducer::simplifyElement(unsigned number, size_t element) {
  ElementType type = rt::getPartType(best.nodes[number].type);
  uint64_t bits = best.nodes[number].data[element];
  std::vector<uint64_t> simpler = {0};
  if (rt::isFloat(type)) {
    simpler.push_back(rt::roundToElement(1, type));
    simpler.push_back(rt::roundToElement(2, type));
    // Fewer digits.
    for (unsigned kept = 8; kept < 64; kept += 8)
      if (kept < 8 * rt::getByteWidth(type))
        simpler.push_back(bits &
                          ~((1ull << (8 * rt::getByteWidth(type) - kept)) - 1));
  } else if (type != ElementType::I1) {
    simpler.insert(simpler.end(), {1, 2, bits >> 1 << 1});
  }
  for (uint64_t candidateBits : simpler) {
    if (candidateBits == bits)
      return false; // as simple as that
    fuzz::Program candidate = best;
    candidate.nodes[number].data[element] = candidateBits;
    if (attempt(std::move(candidate)))
      return true;
  }
  return false;
}

bool Reducer::simplifyData() {
  bool changed = false;
  for (size_t i = 0; i < best.nodes.size(); ++i) {
    std::vector<uint64_t> &data = best.nodes[i].data;
    if (data.size() > 1 &&
        llvm::any_of(data, [&](uint64_t bits) { return bits != 0; })) {
      fuzz::Program candidate = best;
      candidate.nodes[i].data.assign(data.size(), 0);
      if (attempt(std::move(candidate))) {
        changed = true;
        continue;
      }
    }
    if (best.nodes[i].data.size() > 16)
      continue;
    for (size_t element = 0; element < best.nodes[i].data.size(); ++element)
      changed |= simplifyElement(i, element);
  }
  return changed;
}

fuzz::Program Reducer::run() {
  fuzz::Program usual = best;
  usual.optLevel = 3;
  attempt(usual);
  usual = best;
  usual.many = false;
  attempt(usual);
  usual = best;
  usual.viewsOn = 0;
  attempt(usual);
  usual = best;
  usual.thorough = false;
  attempt(usual);
  bool changed = true;
  while (changed && left > 0) {
    changed = reduceResults();
    changed |= cutNodes();
    changed |= bypassNodes();
    changed |= shrinkDims();
    changed |= simplifyTypes();
  }
  while (left > 0 && simplifyData())
    ;
  return std::move(best);
}

fuzz::Program ew::fuzz::reduce(fuzz::Program program, const OpTable &table,
                               MLIRContext *context, unsigned candidates,
                               Fails fails) {
  return Reducer(std::move(program), table, context, candidates, fails).run();
}
