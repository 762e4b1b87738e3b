//===- Generate.cpp - Makes random programs -------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generate.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace ew;
using namespace ew::fuzz;

namespace {

class Generator {
public:
  Generator(const OpTable &table, uint64_t seed, uint64_t number,
            const GenerateOptions &options)
      : table(table), rng(seed, number), options(options) {}

  Program run();

private:
  using Kind = Node::Kind;

  void chooseDims();
  void choosePlane();
  void choosePalette();
  void choosePaletteOfPlane();
  void addElementwise();
  void addTranspose();
  void addTransposedInput(ElementType type, const Shape &shape);
  void addDropout();
  void chooseResults();
  void chooseInPlace();

  unsigned add(Node node);
  unsigned addInput(ElementType type, const Shape &shape, bool scalar = false);
  unsigned addConstant(ElementType type, const Shape &shape);
  unsigned addSmallInput(ElementType type, const Shape &shape);
  unsigned addNumber(ElementType type);
  unsigned addSeed();
  unsigned addIota(ElementType type, const Shape &shape);
  std::optional<unsigned> addRandom(ElementType type, const Shape &shape);
  unsigned addBroadcast(unsigned from, const Shape &shape);
  unsigned addCast(unsigned from, ElementType type);
  unsigned findOther(unsigned than);
  unsigned addConversion(unsigned from, const std::vector<unsigned> &ways);
  Layout chooseLayout(const Node &node);

  ElementType pickType() { return rng.pick(table.getTypes()); }
  Shape pickShape();
  int findLike(const Shape &shape);
  /// A value of this type and shape: one that is there, or a new one. Seldom
  /// one that the op already has: x - x says little about a subtraction.
  unsigned operand(ElementType type, const Shape &shape,
                   ArrayRef<unsigned> taken = {});
  std::optional<unsigned> findView(ElementType type, const Shape &shape);
  bool canBroadcast(const Node &node, const Shape &shape) const;

  const OpTable &table;
  Rng rng;
  const GenerateOptions &options;
  Program program;
  std::vector<ElementType> palette; // the types that most ops have
  std::vector<bool> used;           // by node
  unsigned ops = 0, inputs = 0;
  bool wild = false;
};

} // namespace

unsigned Generator::add(Node node) {
  for (unsigned operand : node.operands)
    used[operand] = true;
  (node.kind == Kind::Input ? inputs : ops) += 1;
  used.push_back(false);
  program.nodes.push_back(std::move(node));
  return program.nodes.size() - 1;
}

//===----------------------------------------------------------------------===//
// Types and shapes
//===----------------------------------------------------------------------===//

void Generator::chooseDims() {
  static constexpr int64_t kSizes[] = {
      1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 31, 32, 33, 64, 65, 127, 130, 257};
  static constexpr unsigned kRanks[] = {0, 1, 1, 1, 1, 1, 1, 2, 2, 2,
                                        2, 2, 2, 2, 3, 3, 3, 3, 4, 4};
  // Most programs are small: it is their number that finds something.
  unsigned kind = rng.below(100);
  int64_t room = kind < 40 ? 24 : kind < 75 ? 120 : kind < 97 ? 500 : 4000;
  unsigned rank = rng.pick(kRanks);
  for (unsigned i = 0; i < rank; ++i) {
    Dim dim;
    dim.dynamic = rng.chance(60);
    do
      dim.size = rng.pick(kSizes);
    while (dim.size > room || (dim.size == 1 && rng.chance(70)));
    if (rng.chance(2))
      dim.size = 0;
    room /= std::max<int64_t>(dim.size, 1);
    program.dims.push_back(dim);
    if (room < 2) {
      if (i + 1 < rank && rng.chance(40))
        program.dims.push_back({1, rng.chance(50)});
      break;
    }
  }
}

/// Two dimensions that fill tiles of several elements an access, short ones and
/// long ones, and some that do not quite. Of the shapes above hardly any does.
void Generator::choosePlane() {
  static constexpr int64_t kLong[] = {64,  67,  68,  100, 128,
                                      128, 131, 132, 256, 512};
  static constexpr int64_t kShort[] = {3, 4, 8, 9, 16, 16, 20, 27, 32};
  program.dims = {{rng.pick(kLong), rng.chance(60)},
                  {rng.pick(kShort), rng.chance(60)}};
  if (rng.chance(40))
    std::swap(program.dims[0], program.dims[1]);
}

void Generator::choosePalette() {
  unsigned count = 1 + rng.below(3);
  for (unsigned i = 0; i < count; ++i)
    palette.push_back(pickType());
}

/// One type that such tiles take. Words have as many tiles as all others.
void Generator::choosePaletteOfPlane() {
  unsigned widest = rng.chance(50) ? 4 : 2;
  auto fits = [&](ElementType type) {
    unsigned width = runtime::getByteWidth(type);
    return width <= widest && (width == 4) == (widest == 4);
  };
  do
    palette = {pickType()};
  while (!fits(palette.front()));
}

/// The shape of a value that is there, recent ones first.
Shape Generator::pickShape() {
  for (int attempt = 0; attempt < 4; ++attempt) {
    size_t count = program.nodes.size();
    size_t back = rng.chance(70) ? rng.below(std::min<size_t>(count, 3))
                                 : rng.below(count);
    const Node &node = program.nodes[count - 1 - back];
    bool whole = llvm::none_of(node.shape, [](int dim) { return dim < 0; });
    if (!node.scalar && (whole || rng.chance(15)))
      return node.shape;
  }
  return program.nodes.front().shape;
}

/// A node with the sizes of this shape, or -1 if none is needed. The node must
/// not be a view of what is being made, which a search backwards makes sure of.
int Generator::findLike(const Shape &shape) {
  Node probe;
  probe.shape = shape;
  if (!program.isDynamic(probe) && rng.chance(70))
    return -1;
  std::vector<unsigned> candidates;
  for (auto [i, node] : llvm::enumerate(program.nodes))
    if (!node.scalar && node.shape == shape)
      candidates.push_back(i);
  return candidates.empty() ? -1 : int(rng.pick(candidates));
}

bool Generator::canBroadcast(const Node &node, const Shape &shape) const {
  if (node.scalar)
    return true;
  if (node.shape.size() > shape.size())
    return false;
  size_t lead = shape.size() - node.shape.size();
  for (auto [i, dim] : llvm::enumerate(node.shape))
    if (dim >= 0 && dim != shape[lead + i])
      return false;
  return true;
}

Layout Generator::chooseLayout(const Node &node) {
  Layout layout;
  size_t rank = node.shape.size();
  if (rank > 1 && rng.chance(20)) {
    layout.order.resize(rank);
    std::iota(layout.order.begin(), layout.order.end(), 0);
    for (size_t i = rank; i-- > 1;)
      std::swap(layout.order[i], layout.order[rng.below(i + 1)]);
    if (llvm::is_sorted(layout.order))
      layout.order.clear();
  }
  layout.offset = rng.chance(50) ? rng.below(5) : 0;
  // Slices of rows, which may begin at whole vectors, and views of any steps.
  if (rank > 1 && rng.chance(40)) {
    static constexpr int64_t kPaddings[] = {1, 2, 4, 8, 16, 32, 64};
    for (size_t i = 0; i < rank; ++i)
      layout.padding.push_back(
          i + 1 == rank || rng.chance(20) ? rng.pick(kPaddings) : 0);
    layout.offset = rng.chance(50) ? layout.padding.back() : layout.offset;
    // The outermost dimension backwards.
    if (rng.chance(20)) {
      layout.steps.assign(rank, 1);
      layout.steps[layout.order.empty() ? 0 : layout.order.front()] = -1;
    }
  } else if (rng.chance(60))
    for (size_t i = 0; i < rank; ++i) {
      static constexpr int64_t kSteps[] = {1, 1, 1, 2, 3, -1, -2};
      layout.steps.push_back(rng.pick(kSteps));
    }
  return layout;
}

//===----------------------------------------------------------------------===//
// Values from nothing, and views
//===----------------------------------------------------------------------===//

unsigned Generator::addInput(ElementType type, const Shape &shape,
                             bool scalar) {
  Node node;
  node.kind = Kind::Input;
  node.type = type;
  node.shape = shape;
  node.scalar = scalar;
  node.data = generateData(type, program.countElements(node), wild, rng);
  if (!scalar)
    node.layout = chooseLayout(node);
  return add(std::move(node));
}

/// A number, which an op may compute from another one.
unsigned Generator::addNumber(ElementType type) {
  unsigned number = addInput(type, {}, /*scalar=*/true);
  const OpEntry &op = rng.pick(table.getOps());
  auto found = op.byType.find(type);
  if (found == op.byType.end() || rng.chance(60))
    return number;
  Node node;
  node.type = type;
  node.scalar = true;
  node.signature = rng.pick(found->second);
  const Signature &signature = table[node.signature];
  bool ofOneType = signature.result == type &&
                   llvm::all_of(signature.operands, [&](ElementType operand) {
                     return operand == type;
                   });
  if (!ofOneType)
    return number;
  node.operands = {number};
  while (node.operands.size() < signature.operands.size())
    node.operands.push_back(
        rng.chance(10) ? number : addInput(type, {}, /*scalar=*/true));
  return add(std::move(node));
}

/// 64 bits of a seed or an offset: a number, or a tensor of rank 0.
unsigned Generator::addSeed() {
  return addInput(rng.chance(50) ? ElementType::I64 : ElementType::UI64, {},
                  /*scalar=*/rng.chance(70));
}

/// A row, a column, a number: something smaller, stretched to the shape.
unsigned Generator::addSmallInput(ElementType type, const Shape &shape) {
  // Complex numbers are arguments as tensors only.
  if (!runtime::isComplex(type) && rng.chance(20))
    return addBroadcast(addNumber(type), shape);
  Shape small(shape.begin() + rng.below(shape.size() + 1), shape.end());
  for (int &dim : small)
    if (rng.chance(40))
      dim = dim >= 0 && program.dims[dim].dynamic && rng.chance(60)
                ? int(kDynamicOne)
                : int(kOne);
  return addBroadcast(addInput(type, small), shape);
}

unsigned Generator::addConstant(ElementType type, const Shape &shape) {
  Node node;
  node.kind = Kind::Constant;
  node.type = type;
  node.shape = shape;
  bool dense = !program.isDynamic(node) && program.countElements(node) <= 64 &&
               rng.chance(30);
  if (!dense) {
    node.shape.clear();
    node.scalar = !runtime::isComplex(type) && rng.chance(70);
  }
  node.data = generateData(type, program.countElements(node), wild, rng);
  // The same number everywhere is another kind of constant.
  if (dense && rng.chance(30))
    for (size_t i = runtime::getNumParts(type); i < node.data.size(); ++i)
      node.data[i] = node.data[i - runtime::getNumParts(type)];
  bool scalar = node.scalar, fits = node.shape == shape;
  unsigned constant = add(std::move(node));
  return fits && !scalar ? constant : addBroadcast(constant, shape);
}

unsigned Generator::addIota(ElementType type, const Shape &shape) {
  Node node;
  node.kind = Kind::Iota;
  node.type = type;
  node.shape = shape;
  node.dimension = rng.below(shape.size());
  node.like = findLike(shape);
  return add(std::move(node));
}

/// Random numbers, where the type has some.
std::optional<unsigned> Generator::addRandom(ElementType type,
                                             const Shape &shape) {
  Node node;
  node.kind = Kind::Random;
  node.type = type;
  node.shape = shape;
  switch (type) {
  case ElementType::I32:
  case ElementType::UI32:
    node.distribution = Distribution::bits;
    break;
  case ElementType::F64:
    node.distribution = Distribution::uniform;
    break;
  case ElementType::F32:
  case ElementType::F16:
  case ElementType::BF16:
    node.distribution =
        rng.chance(50) ? Distribution::uniform : Distribution::normal;
    break;
  default:
    return std::nullopt;
  }
  node.dimension = rng.chance(50) ? 0 : rng.below(5);
  unsigned seed = addSeed();
  node.operands = {seed, rng.chance(20) ? seed : addSeed()};
  node.like = findLike(shape);
  return add(std::move(node));
}

unsigned Generator::addBroadcast(unsigned from, const Shape &shape) {
  Node node;
  node.kind = Kind::Broadcast;
  node.type = program.nodes[from].type;
  node.shape = shape;
  node.operands = {from};
  node.like = findLike(shape);
  return add(std::move(node));
}

unsigned Generator::addConversion(unsigned from,
                                  const std::vector<unsigned> &ways) {
  Node node;
  node.kind = Kind::Op;
  node.shape = program.nodes[from].shape;
  node.operands = {from};
  node.signature = rng.chance(60) ? ways.front() : rng.pick(ways);
  const Signature &signature = table[node.signature];
  node.type = signature.result;
  while (node.operands.size() < signature.operands.size())
    node.operands.push_back(findOther(from));
  return add(std::move(node));
}

/// Another value of the same type and shape, if there is one.
unsigned Generator::findOther(unsigned than) {
  std::vector<unsigned> candidates;
  const Node &like = program.nodes[than];
  for (auto [i, node] : llvm::enumerate(program.nodes))
    if (i != than && node.type == like.type && node.shape == like.shape &&
        node.scalar == like.scalar)
      candidates.push_back(i);
  return candidates.empty() ? than : rng.pick(candidates);
}

/// The value as another type. Complex numbers are made of two parts, and what
/// is made of one has the type of its parts.
unsigned Generator::addCast(unsigned from, ElementType type) {
  ElementType given = program.nodes[from].type;
  if (runtime::isComplex(given) == runtime::isComplex(type))
    return addConversion(from, table.getConversions(given, type));
  if (runtime::isComplex(type)) {
    ElementType part = runtime::getPartType(type);
    if (given != part)
      from = addCast(from, part);
    return addConversion(from, table.getConversions(part, type));
  }
  ElementType part = runtime::getPartType(given);
  from = addConversion(from, table.getConversions(given, part));
  return part == type ? from : addCast(from, type);
}

void Generator::addTranspose() {
  Node node;
  node.kind = Kind::Transpose;
  std::vector<unsigned> candidates;
  for (auto [i, other] : llvm::enumerate(program.nodes))
    if (other.shape.size() > 1)
      candidates.push_back(i);
  if (candidates.empty())
    return;
  unsigned from = candidates[candidates.size() - 1 -
                             rng.below(std::min<size_t>(candidates.size(), 4))];
  const Shape &shape = program.nodes[from].shape;
  node.type = program.nodes[from].type;
  node.operands = {from};
  node.permutation.resize(shape.size());
  std::iota(node.permutation.begin(), node.permutation.end(), 0);
  for (size_t i = shape.size(); i-- > 1;)
    std::swap(node.permutation[i], node.permutation[rng.below(i + 1)]);
  for (int64_t dim : node.permutation)
    node.shape.push_back(shape[dim]);
  add(std::move(node));
}

/// An input of these two dimensions that lies along the other one.
void Generator::addTransposedInput(ElementType type, const Shape &shape) {
  Node node;
  node.kind = Kind::Transpose;
  node.operands = {addInput(type, Shape(shape.rbegin(), shape.rend()))};
  node.type = type;
  node.shape = shape;
  node.permutation = {1, 0};
  add(std::move(node));
}

/// Dropout of a floating-point value, if the one at hand is.
void Generator::addDropout() {
  Node node;
  node.kind = Kind::Dropout;
  std::vector<unsigned> candidates;
  for (auto [i, other] : llvm::enumerate(program.nodes))
    if (!other.scalar && runtime::isFloat(other.type))
      candidates.push_back(i);
  if (candidates.empty())
    return addElementwise();
  unsigned from = rng.pick(candidates);
  node.type = program.nodes[from].type;
  node.shape = program.nodes[from].shape;
  static constexpr double kRates[] = {0.5, 0.1, 0.999, 0, 1};
  node.rate = rng.chance(50) ? rng.pick(kRates) : rng.between(0, 1);
  node.dimension = rng.chance(50) ? 0 : rng.below(5);
  unsigned seed = addSeed();
  node.operands = {from, seed, rng.chance(20) ? seed : addSeed()};
  add(std::move(node));
}

/// A view of this shape of some other value of the type.
std::optional<unsigned> Generator::findView(ElementType type,
                                            const Shape &shape) {
  std::vector<unsigned> candidates;
  for (auto [i, node] : llvm::enumerate(program.nodes)) {
    if (node.type != type)
      continue;
    Shape a = node.shape, b = shape;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (canBroadcast(node, shape) || (!node.scalar && a == b && a.size() > 1))
      candidates.push_back(i);
  }
  if (candidates.empty())
    return std::nullopt;
  unsigned from = rng.pick(candidates);
  if (canBroadcast(program.nodes[from], shape))
    return addBroadcast(from, shape);
  Node node;
  node.kind = Kind::Transpose;
  node.type = type;
  node.shape = shape;
  node.operands = {from};
  Shape rest = program.nodes[from].shape;
  for (int dim : shape) {
    auto found = llvm::find(rest, dim);
    node.permutation.push_back(found - rest.begin());
    *found = INT32_MIN; // taken
  }
  return add(std::move(node));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

unsigned Generator::operand(ElementType type, const Shape &shape,
                            ArrayRef<unsigned> taken) {
  std::vector<unsigned> same, unused, others;
  bool apart = !rng.chance(10);
  for (auto [i, node] : llvm::enumerate(program.nodes)) {
    if (node.scalar || node.shape != shape ||
        (apart && llvm::is_contained(taken, i)))
      continue;
    if (node.type != type) {
      others.push_back(i);
      continue;
    }
    same.push_back(i);
    if (!used[i])
      unused.push_back(i);
  }
  if (!same.empty() && rng.chance(80))
    return !unused.empty() && rng.chance(60) ? rng.pick(unused)
                                             : rng.pick(same);
  unsigned kind = rng.below(100);
  if (kind < 12)
    if (std::optional<unsigned> view = findView(type, shape))
      return *view;
  if (kind < 22)
    return addConstant(type, shape);
  if (kind < 27 && type != ElementType::I1 && !runtime::isComplex(type) &&
      !shape.empty())
    return addIota(type, shape);
  if (kind < 31)
    if (std::optional<unsigned> random = addRandom(type, shape))
      return *random;
  if (kind < 55 && inputs < 6)
    return rng.chance(50) ? addInput(type, shape) : addSmallInput(type, shape);
  if (!others.empty())
    return addCast(rng.pick(others), type);
  return same.empty() ? addConstant(type, shape) : rng.pick(same);
}

void Generator::addElementwise() {
  const OpEntry &op = rng.pick(table.getOps());
  std::vector<ElementType> types, favoured;
  for (auto &[type, signatures] : op.byType) {
    types.push_back(type);
    if (llvm::is_contained(palette, type))
      favoured.push_back(type);
  }
  ElementType type = !favoured.empty() && rng.chance(75) ? rng.pick(favoured)
                                                         : rng.pick(types);
  Node node;
  node.kind = Kind::Op;
  node.signature = rng.pick(op.byType.at(type));
  const Signature &signature = table[node.signature];
  node.type = signature.result;
  node.shape = pickShape();
  for (ElementType operandType : signature.operands)
    node.operands.push_back(operand(operandType, node.shape, node.operands));
  add(std::move(node));
}

/// What nobody uses is a result, and now and then something else is, too.
void Generator::chooseResults() {
  std::vector<unsigned> inner;
  for (auto [i, node] : llvm::enumerate(program.nodes)) {
    if (node.kind == Kind::Input || node.scalar)
      continue;
    if (!used[i])
      program.results.push_back(i);
    else if (node.kind == Kind::Op)
      inner.push_back(i);
  }
  while (!inner.empty() && rng.chance(40))
    program.results.push_back(rng.pick(inner));
}

/// Now and then a result goes to the memory of an argument like it. Most of
/// such arguments are read element by element, as they have to be.
void Generator::chooseInPlace() {
  if (!rng.chance(25))
    return;
  std::vector<bool> viewed(program.nodes.size());
  for (const Node &node : program.nodes) {
    if (node.kind == Kind::Broadcast || node.kind == Kind::Transpose)
      viewed[node.operands.front()] = true;
  }
  std::vector<unsigned> left = program.results;
  for (auto [i, node] : llvm::enumerate(program.nodes)) {
    if (node.kind != Kind::Input || node.scalar ||
        (viewed[i] && !rng.chance(10)))
      continue;
    std::vector<unsigned> candidates;
    for (unsigned result : left)
      if (program.nodes[result].type == node.type &&
          program.nodes[result].shape == node.shape)
        candidates.push_back(result);
    if (candidates.empty())
      continue;
    node.inPlace = rng.pick(candidates);
    node.layout.order.clear(); // kernels write row by row
    llvm::erase(left, unsigned(node.inPlace));
  }
}

Program Generator::run() {
  program.mode = rng.pick(options.modes);
  program.chip = rng.pick(options.chips);
  program.optLevel = rng.pick(options.optLevels);
  // Each kind of placement needs code of its own, and making that is what takes
  // the time.
  program.viewsOn = rng.next() & rng.next() & 0xff;
  program.thorough = rng.chance(10);
  wild = rng.chance(50);
  bool plane = rng.chance(4);
  if (plane) {
    choosePlane();
    choosePaletteOfPlane();
  } else {
    chooseDims();
    choosePalette();
  }
  Shape base(program.dims.size());
  std::iota(base.begin(), base.end(), 0);
  // An op brings at most a constant and a view of it for each operand.
  unsigned most = std::max(options.maxOps, 7u) - 6;
  unsigned wanted = 1 + rng.below(rng.chance(30) ? most : std::min(most, 10u));
  addInput(rng.pick(palette), base);
  if (plane)
    addTransposedInput(palette.front(), base);
  else if (rng.chance(50))
    addInput(rng.pick(palette), base);
  while (ops < wanted) {
    if (rng.chance(5))
      addTranspose();
    else if (rng.chance(3))
      addDropout();
    else
      addElementwise();
  }
  chooseResults();
  chooseInPlace();
  program.removeUnused();
  // In a strict program every device gives the same bits.
  if (program.mode != Mode::Strict && options.modes.size() > 1 &&
      rng.chance(15))
    for (Node &node : program.nodes)
      if (node.kind == Kind::Op && rng.chance(25))
        node.mode = rng.pick(options.modes);
  program.many = plane || rng.chance(50);
  return std::move(program);
}

Program ew::fuzz::generate(const OpTable &table, uint64_t seed, uint64_t number,
                           const GenerateOptions &options) {
  return Generator(table, seed, number, options).run();
}
