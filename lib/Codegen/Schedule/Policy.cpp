//===- Policy.cpp - Every number of a schedule and its source -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Schedule/Policy.h"

#include "Tiles.h"
#include "WideTiles.h"
#include "ew/Codegen/Kernel/Signature.h"
#include "ew/Dialect/Ew/IR/Weight.h"
#include "ew/Runtime/Device.h"
#include "ew/Runtime/Geometry.h"
#include "ew/Target/NVIDIA/Limits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ew;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// One access of accessBytes per thread and stream (WideTiles.h).
static constexpr unsigned gpuUnroll = 1;
/// What rows of narrow elements are read in where they do not begin at whole
/// accesses, and how many of such pieces a thread takes at most. More pieces
/// than four take registers that cost more threads, but for bytes, which are
/// computed four at once: H200, rows of bf16 that begin anywhere, in four
/// pieces 107.8 us, in eight 115.9; of i8 160.8 and 140.4.
static constexpr unsigned wordBytes = 4, maxPieces = 4, maxByteElements = 8;

/// The more a kernel computes, the more small blocks help to keep memory busy:
/// H200, 2^27 elements, in us for 128, 256 and 512 threads: GELU of bf16 129,
/// 132, 139, of f16 126.8, 127.5, 130.2; a bias of one row and GELU 128.5,
/// 130.8, 129.9; the affine part of a norm 130.4, 131.8, 130.1. Plain streams
/// are within 0.5% of each other.
static constexpr unsigned blockThreads = 128;
/// Blocks from this size on let the next kernel begin before they end
/// (DependentLaunch.cpp), which shows where kernels are short: H200, adds of
/// f32 in one graph, each of which reads what the last one wrote, in us for 128
/// and 256 threads: 2^12 elements 0.80, 0.74; 2^16 0.86, 0.80; 2^18 1.10, 1.00.
/// So plain streams of wide elements get it: add of 2^26 185.0, 185.1,
/// exp(sin(x * y)) 184.2, 183.0, AdamW 439 with both.
static constexpr unsigned plainThreads = 256;
static constexpr unsigned minPlainBytes = 4;
static constexpr unsigned maxPlainWeight = 2; // per byte

/// Two streams with a narrow one have few bytes in flight, so that a thread
/// reads several vectors before it computes: H200, 2^27 elements, in us for 1,
/// 2 and 4: bf16 to f8E4M3FN 100.2, 95.7, 93.6; f16 to i8 99.9, 93.7, 93.3.
/// Four wide streams lose 2 to 4% by it. With a tail of its own, in the same
/// order: f16 scaled, rounded, shifted and clamped to i8, 97.7, 93.2, 94.5, so
/// that more arithmetic takes two.
static constexpr unsigned narrowUnroll = 4, busyNarrowUnroll = 2;
static constexpr unsigned maxNarrowBytes = 3, maxNarrowWeight = 4;

/// Where arithmetic is the limit, constants and the work of a block's start are
/// shared by more elements: H200, 2^26 elements of f32, in us for 1, 2, 4 and
/// 8: six functions 226 for 2, 219 for 4 (in an earlier form, of more
/// registers, 281, 259, 274, 404); 64 fma 150.6 for 8 (while its tail shared
/// the body 238, 190, 176, 157, and 197 for 16). Functions keep many registers
/// busy. The limit is of weight (getWeight) per byte; at 3.2 (Black and
/// Scholes) 320, 317, 364.
static constexpr unsigned minArithmeticWeight = 5;
static constexpr unsigned functionUnroll = 4, plainUnroll = 8;
/// And on the code's length.
static constexpr unsigned maxUnrolledWeight = 640;

/// A body that is longer takes fewer elements at once: memory does not limit
/// it, enough threads hide its latencies, and LLVM's time grows with the code.
/// 1,000 ops, 250 of them sines, to PTX, in seconds of the processor: 2.5 for
/// two elements of f32, 1.9 for one.
static constexpr unsigned maxVectorWeight = 512;

/// The more vectors a thread takes, the more of them there have to be, and the
/// larger ones of a kernel's blocks are as good as twice as many small ones.
/// H200, in us, by vectors of a thread and threads of a block; data in the L2
/// cache, and among buffers that defeat it:
///
///   64 fma of f32          1x256       2x256       4x128       8x128
///   2^18 elements          1.61, 2.00  1.54, 1.94  1.53, 2.27  -, 3.50
///   2^20                   4.00, 4.58  3.53, 4.28  3.60, 4.80  -, 5.20
///   2^21                   8.25, 8.42  6.72, 6.89  7.28, 7.88  -, 8.34
///   2^22                   15.7, 15.7  14.0, 14.0  12.4, 12.5  -, 13.6
///   2^23                   -, 29.9     -, 25.2     -, 25.5     -, 24.2
///
///   six functions of f32   1x256       2x128       4x128
///   2^20                   4.60, 5.19  4.76, 5.70  4.91, -
///   2^21                   9.16, 9.35  8.91, 9.07  -
///   2^22                   17.3, -     16.1, -     16.4, -
///
///   bf16 to f8E4M3FN       1x256       2x256       4x256
///   2^19 elements          1.00, 1.52  0.90, 1.52  1.10, 1.63
///   2^21                   1.99, 2.73  1.78, 2.68  -, 2.82
///   2^23                   7.47, 7.47  7.04, 7.12  7.30, 7.33
///
///   f16 scaled to i8       1x256       2x256
///   2^19                   1.11, 1.59  1.05, 1.63
///   2^21                   2.09, 2.81  1.96, 2.85
///   2^23                   7.45, 7.45  7.24, 7.25
///
/// So one vector is the choice of functions alone. In blocks of 128 threads:
static constexpr int64_t minBlocks = 2048;
/// And of the most vectors of functions, and of narrow streams, whose loads
/// alone gain by them.
static constexpr int64_t minBlocksOfMost = 4096, minBlocksOfNarrow = 8192;

/// With fewer blocks than two for each multiprocessor of an H200, the time is
/// that of one thread: it takes one element, or two, or four, in blocks of 256.
/// H200, buffers that defeat the cache, in us for those and what more elements
/// have: 2^12 elements of f32, Black and Scholes 1.3, 1.4 and 1.8,
/// AdamW 1.2, 1.3 and 1.4, every other one times y 1.1, 1.2 and 1.3; 2^16,
/// Black and Scholes 1.6, 1.7 and 2.2; 2^13 of bf16, GELU 1.1, 1.1 and 1.3;
/// 2^17, an add 1.5, 1.4, 1.3 (four) and 1.6, a bias and GELU 1.6, 1.4, 1.4
/// and 1.7. More blocks lose: 2^18 of f32, an add 2.2, 1.9 and 1.9. Plain
/// streams gain less by it: 2^12 of f32, for one and two, an add 1.12 and 1.05,
/// a copy 1.10 and 1.02; for four, in another run, 1.08 and 1.02. 2^16, an
/// add 1.43 and 1.32; 2^17, for two and four, 1.6 and 1.5. Where those have
/// four bytes, two vectors of two do best; in another run, for two, two of two
/// and four: 2^12 of f32, an add 1.03, 0.97 and 1.05; 2^14, 1.15, 1.10
/// and 1.16, a copy 1.08 by all; 2^16, 1.31, 1.28 and 1.34, and 1.22, 1.19
/// and 1.23.
static constexpr int64_t fewBlocks = 264;
static constexpr unsigned fewThreads = 256;
static constexpr unsigned maxLightStreams = 4;
static constexpr unsigned fewLightUnroll = 2;

/// With fewer blocks of 128 threads than this, blocks of 256, which let the
/// next kernel begin early, and one row for each thread: H200, buffers that
/// defeat the cache, in us for both: 2^19 elements of bf16, GELU 1.80 and 1.65,
/// a bias and GELU 1.96 (two rows) and 1.75, to f8E4M3FN 1.68 and 1.51; 2^21
/// elements, 3.48 and 3.26, 3.70 and 3.24, 2.88 and 2.71; 2^20 of f32, Black
/// and Scholes 7.01 and 6.81; 2^22 of bf16, 5.44 and 5.38, 5.30 and 5.64, 4.35
/// and 4.16; from 2^23 on within 1% but for the last, and so are twelve other
/// kernels. Where arithmetic is the limit, only while a thread takes one
/// vector: 2^20 of f32, 64 fma 4.72 (two vectors, 128 threads) and 4.59, six
/// functions 5.71 and 5.17; 2^22, each in as many vectors as it has, 12.3
/// and 13.3, 16.1 and 17.0.
static constexpr int64_t maxMediumBlocks = 4096;

/// Kernels of many streams have 33 to 40 registers, by which 1536 threads of a
/// multiprocessor find room, and with two vectors a thread at most 64, by which
/// 1024 do, but with more elements. Where only the latter find room all at
/// once, they are faster. H200, AdamW of f32 and of mixed types, in us for one
/// and two: 786,432 elements 6.57, 6.71 and 5.80, 5.90; 851,968 7.47, 7.07
/// and 6.62, 6.21; 2^20 8.67, 8.31 and 7.83, 7.24; 1,179,648 9.49, 10.1
/// and 8.53, 8.05; 1,441,792 11.2, 11.5 and 9.97, 10.5.
static constexpr unsigned minManyStreams = 6;
static constexpr int64_t maxPairThreads = 132 * 1024;
/// Of a thread, in registers of four bytes: more would not find room in 64.
static constexpr unsigned maxPairValues = 64;

/// In a mix of types the widest gets the 16-byte accesses: H200, 2^27 elements,
/// in us for 4, 8 and 16 elements: i8 and bf16 135, 102, 139; bf16 and ui8 214,
/// 216, 220; f32 and bf16 386, 393, 525. Four elements at the least keep
/// a warp's accesses of one-byte types at 128 bytes.
static constexpr unsigned minMixedElements = 4;

/// With few streams of 16 bits, twice as many elements share the division for
/// their coordinates, from two rows where something is stretched over rows, and
/// so is read once for both: H200, 2^27 elements, in us for 8 of one row, 16 of
/// one, 8 of each of two and of four: a norm's affine part 133.2, 131.2, 128.8,
/// 129.2; a bias and GELU 133.2, 128.3, 128.1, 129.0; two streams in and two
/// out 253.9, 265.4, 255.7; i8 and bf16 with a row of f32 98.3, 130, 99.1,
/// 99.3. A column alone gains nothing: 2^26 elements of bf16 72.1 for 16 of one
/// row, 65.1 for 8. With 2^21 elements, in the L2 cache, the first
/// two 2.37, 2.51, 2.08 and 2.55, 2.73, 2.50.
static constexpr unsigned maxDoubledStreams = 2;
static constexpr unsigned sharedRows = 2;

/// A task of the CPU: 4096 elements stay in the L1 cache with two or three
/// streams of f32, and are some microseconds of work.
static constexpr int64_t cpuBlockElements = 4096;

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

unsigned ew::getMemoryBytes(Type element) {
  if (isa<ComplexType>(element))
    return 2 * getMemoryBytes(getPartType(element));
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

namespace {
struct Widths {
  unsigned narrowest = 0, widest = 0;
  unsigned streams = 0;   // how many there are
  unsigned bytes = 0;     // of all of them, an element
  unsigned widestRow = 0; // of what else a thread reads several elements of
};
} // namespace

/// Over the operands that have an element for every iteration; rows and columns
/// come from the caches.
static Widths getWidths(const LoopNest &nest, TypeRange operands) {
  Widths widths;
  size_t dims =
      llvm::count_if(nest.sizes, [](int64_t size) { return size != 1; });
  for (auto [index, type] : llvm::enumerate(operands)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    unsigned bytes = getMemoryBytes(tensor.getElementType());
    if (nest.walks[index].size() != dims) {
      if (nest.walksInnermost(index))
        widths.widestRow = std::max(widths.widestRow, bytes);
      continue;
    }
    ++widths.streams;
    widths.bytes += bytes;
    widths.narrowest =
        widths.narrowest ? std::min(widths.narrowest, bytes) : bytes;
    widths.widest = std::max(widths.widest, bytes);
  }
  return widths;
}

/// Whether a thread can take its accesses from so many rows, and reads
/// something once for all of them.
static bool readsRows(const LoopNest &nest, int64_t rows) {
  int64_t outer = nest.sizes[nest.rank() - 2];
  if (!ShapedType::isDynamic(outer) && outer % rows != 0)
    return false;
  return llvm::any_of(
      llvm::seq<unsigned>(0, nest.walks.size()), [&](unsigned i) {
        return nest.walksInnermost(i) &&
               !llvm::is_contained(nest.walks[i], nest.rank() - 2);
      });
}

std::optional<int64_t> ew::getStaticCount(const LoopNest &nest) {
  int64_t count = 1;
  for (int64_t size : nest.sizes)
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(count, size, count))
      return std::nullopt;
  return count;
}

/// Whether arithmetic limits a kernel, and not memory.
static bool isArithmetic(Widths widths, BodyWeight body) {
  return body.total >= minArithmeticWeight * widths.bytes;
}

/// How many vectors of each operand a thread of a GPU takes.
static unsigned decideUnroll(Widths widths, BodyWeight body, bool severalDims,
                             unsigned rows) {
  // Each would need coordinates of its own, but for rows.
  if (severalDims)
    return rows;
  if (isArithmetic(widths, body)) {
    unsigned unroll = body.hasFunctions ? functionUnroll : plainUnroll;
    while (unroll > 1 && body.total * unroll > maxUnrolledWeight)
      unroll /= 2;
    return unroll;
  }
  if (widths.streams == 2 && widths.bytes <= maxNarrowBytes &&
      widths.widest > widths.narrowest)
    return body.total <= maxNarrowWeight ? narrowUnroll : busyNarrowUnroll;
  return gpuUnroll;
}

int64_t ew::getFewestForFull(ScheduleAttr schedule) {
  return runtime::minFullThreads * schedule.getElements() *
         schedule.getUnroll();
}

namespace {
/// A version for few elements: how many a thread takes, in how many vectors,
/// and for how many of them in all.
struct Few {
  unsigned elements, unroll;
  int64_t below;
};
} // namespace

/// The number of elements from which on threads that take so many find no room
/// at once.
static int64_t getManyFor(unsigned elements) {
  return fewBlocks * fewThreads * elements;
}

/// The number of elements from which on blocks of 128 threads do as well.
static int64_t getManyForMedium(unsigned elements) {
  return maxMediumBlocks * blockThreads * elements;
}

/// Fewest elements first, where else a thread takes so many.
static SmallVector<Few, 2> getFew(unsigned elements, Widths widths,
                                  BodyWeight body, bool severalDims) {
  bool light = body.total <= maxPlainWeight * widths.bytes &&
               widths.streams <= maxLightStreams;
  SmallVector<Few, 2> few;
  auto add = [&](unsigned each) {
    bool twice = light && !severalDims && each == 2 &&
                 widths.narrowest == minPlainBytes &&
                 widths.widest == minPlainBytes;
    if (each < elements)
      few.push_back({each, twice ? fewLightUnroll : 1,
                     getManyFor(each) / (light ? 2 : 1)});
  };
  if (!light || elements == 2)
    add(1);
  if (elements > 2)
    add(light ? elements / 2 : std::min(elements / 2, 4u));
  return few;
}

/// What takes a dozen of integer instructions an element, and registers for
/// them.
static bool convertsFp8InSoftware(TypeRange operands,
                                  const nvidia::Chip &chip) {
  return !chip.hasFp8 && llvm::any_of(operands, [](Type type) {
    Type element = getElementType(type);
    return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
  });
}

BodyWeight ew::getBodyWeight(linalg::GenericOp op) {
  BodyWeight weight;
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    unsigned one = getWeight(&inner);
    weight.total += one;
    weight.hasFunctions |= one >= functionWeight;
  }
  return weight;
}

namespace {
/// How many vectors a thread takes, in blocks of how many threads, below so
/// many elements in all.
struct Step {
  unsigned vectors, threads;
  int64_t below;
};

/// What a version has of its own.
struct Own {
  unsigned block = 0, elements = 0, unroll = 0;
  int64_t below = 0;
  ArrayRef<int64_t> tile = {};
  int64_t dims = 0;
};

/// A kernel's schedule while it is decided: first the numbers of its widest
/// version, then the versions.
class Decision {
public:
  Decision(MLIRContext *context, const LoopNest &whole, TypeRange operands,
           BodyWeight body, const ScheduleTarget &target)
      : context(context), operands(operands), body(body), target(target),
        choice(target.choice), gpu(target.chip), loops(whole),
        collapse(collapseLoops(whole)), nest(applyCollapse(whole, collapse)),
        widths(getWidths(nest, operands)), count(getStaticCount(whole)),
        severalDims(nest.rank() > 1),
        // With a limit of registers the numbers are those of a kernel that was
        // compiled before.
        byHand(choice.many ||
               (!choice.registers && (choice.block || choice.elements ||
                                      choice.unroll || choice.tile))) {}

  ScheduleAttr decide() {
    decideElements();
    if (gpu) {
      decideTile();
      decideBlock();
      fitCount();
    } else {
      unroll = choice.unroll ? choice.unroll : cpuBlockElements / elements;
    }
    addVersions();
    SmallVector<AccessClass> access;
    for (unsigned i = 0; i < operands.size(); ++i)
      access.push_back(nest.classify(i));
    return ScheduleAttr::get(context, block, elements, unroll, collapse, access,
                             tile, gpu ? choice.registers : 0, variants);
  }

private:
  void decideElements();
  void decideTile();
  void decideBlock();
  /// Of sizes that are known, what a version for so few elements would have.
  void fitCount();

  void addVersions();
  void addTiles();
  void addWideTiles();
  void addHostTile();
  void addFew();
  void addRowByRow();
  void addInARow();
  void addFewer(Step step);
  void addPitched();
  void addPitched(const Twine &name, int64_t dims);
  void addStrided();
  void add(const Twine &name, bool contiguous, int64_t alignment,
           int64_t multiple, unsigned width, int64_t rows = 1, Own own = {}) {
    variants.push_back(VariantAttr::get(
        context, name.str(), contiguous, own.dims, alignment, multiple, rows,
        own.block, own.elements, own.unroll, own.tile, own.below, width));
  }

  int64_t getInner() const { return nest.rank() ? nest.sizes.back() : 1; }
  bool fitsRows(unsigned each) const {
    return !severalDims || ShapedType::isDynamic(getInner()) ||
           getInner() % each == 0;
  }
  int64_t getMultiple(unsigned each) const { return severalDims ? each : 1; }
  /// Whether there is a version for aligned buffers of rows of any length:
  /// where functions leave no time for what shifts the buffers of others. H200,
  /// a row of f32 added to rows of 4095 and of 129 and GELU, in time of rows
  /// of 4096: 1.005 and 1.015, by the version for all buffers 1.04 and 1.08; of
  /// bf16 1.00 by both.
  bool crossesRows() const {
    bool mayCross =
        ShapedType::isDynamic(getInner()) || getInner() % elements != 0;
    return mayCross && body.hasFunctions && widths.narrowest >= minPlainBytes &&
           llvm::none_of(operands, isComplex);
  }
  int64_t getAlignment(unsigned each) const {
    return std::min<int64_t>(accessBytes, int64_t(each) * widths.widest);
  }
  /// For sizes that are known when it runs.
  bool bySize() const { return gpu && !count && !byHand; }
  bool fits32() const {
    return count && *count <= maxIndex32 - int64_t(block) * elements * unroll;
  }

  /// Whether functions are the limit, of whose registers more vectors or larger
  /// blocks take many.
  bool isOfFunctions() const {
    return isArithmetic(widths, body) && body.hasFunctions;
  }
  /// The fewest elements for which a thread takes so many vectors.
  int64_t getFewest(unsigned vectors) const {
    bool isMost = vectors == most;
    int64_t blocks = !isMost                      ? minBlocks
                     : isOfFunctions()            ? minBlocksOfMost
                     : isArithmetic(widths, body) ? minBlocks
                                                  : minBlocksOfNarrow;
    return blocks * blockThreads * elements * vectors;
  }

  /// Whether fewer elements have larger blocks, and for how many in all.
  bool growsBlocks() const {
    return tile.empty() && !byHand && ofMany == blockThreads;
  }
  int64_t getMedium() const {
    return isOfFunctions() ? getFewest(2) : getManyForMedium(elements);
  }
  /// What there is below the most vectors a thread, fewest elements first.
  SmallVector<Step> getSteps() const {
    SmallVector<Step> steps;
    unsigned fewest = isOfFunctions() || byHand ? 1 : 2;
    for (unsigned vectors = fewest; vectors < most; vectors *= 2) {
      bool grows =
          growsBlocks() && (vectors == fewest || !isArithmetic(widths, body));
      steps.push_back(
          {vectors, grows ? plainThreads : ofMany, getFewest(2 * vectors)});
    }
    return steps;
  }
  /// Whether there is a version of larger blocks, of as many vectors a thread.
  bool hasMedium() const {
    return growsBlocks() && (most == 1 || (most == 2 && !isOfFunctions()));
  }

  /// Whether in two vectors a thread elements find room at once that do not in
  /// one, and how many those are.
  bool hasPairs() const {
    return tile.empty() && !severalDims && !byHand && most == 1 &&
           widths.streams >= minManyStreams &&
           2 * elements * widths.bytes <= 4 * maxPairValues &&
           !choice.registers;
  }
  int64_t getManyForOne() const { return runtime::minFullThreads * elements; }
  int64_t getManyForPairs() const { return 2 * maxPairThreads * elements; }

  MLIRContext *context;
  TypeRange operands;
  BodyWeight body;
  const ScheduleTarget &target;
  const ScheduleChoice &choice;
  bool gpu;
  const LoopNest &loops;
  SmallVector<int64_t> collapse;
  LoopNest nest; // collapsed
  Widths widths;
  std::optional<int64_t> count;
  bool severalDims, byHand;

  unsigned block = 1, elements = 1, unroll = 1;
  /// Threads of a block and vectors of a thread, for any number of elements.
  unsigned ofMany = 1, most = 1;
  unsigned rows = gpuUnroll;
  SmallVector<int64_t> tile;
  SmallVector<VariantAttr> variants;
};
} // namespace

void Decision::decideElements() {
  elements =
      gpu ? std::max(accessBytes / widths.widest,
                     std::min(minMixedElements, accessBytes / widths.narrowest))
          : std::max(1u, target.vectorBytes / 4);
  if (gpu && severalDims && widths.streams <= maxDoubledStreams &&
      widths.widest <= 2 && widths.widestRow <= 2) {
    if (readsRows(nest, sharedRows))
      rows = sharedRows;
    else if (widths.widestRow)
      elements *= 2;
  }
  while (gpu && elements > 1 &&
         uint64_t(body.total) * elements > maxVectorWeight)
    elements /= 2;
  if (choice.elements)
    elements = choice.elements;
  // No more than there are.
  if (count && *count > 0)
    while (elements > 1 && elements > *count)
      elements /= 2;
}

void Decision::decideTile() {
  bool few = !byHand && count && *count < getManyFor(smallTileElements);
  Tile decided = ew::decideTile(nest, operands, widths.narrowest, widths.widest,
                                few, choice);
  if (decided.shape.empty())
    return;
  tile = decided.shape;
  block = decided.threads;
  elements = tile[0] * tile[1] / block;
}

void Decision::decideBlock() {
  if (!tile.empty())
    return;
  bool plain = widths.narrowest >= minPlainBytes &&
               body.total <= maxPlainWeight * widths.bytes;
  block = choice.block ? choice.block : plain ? plainThreads : blockThreads;
  if (!convertsFp8InSoftware(operands, *target.chip))
    unroll = decideUnroll(widths, body, severalDims, rows);
  ofMany = block;
  most = unroll;
}

void Decision::fitCount() {
  if (!tile.empty())
    return;
  if (count && !severalDims)
    for (Step step : getSteps())
      if (*count < step.below) {
        unroll = step.vectors;
        block = step.threads;
        break;
      }
  if (choice.unroll)
    unroll = choice.unroll;
  if (!count || byHand)
    return;
  for (Few few : getFew(elements, widths, body, severalDims))
    if (*count < few.below && fitsRows(few.elements)) {
      elements = few.elements;
      block = fewThreads;
      unroll = few.unroll;
      return;
    }
  if (hasPairs() && *count >= getManyForOne() && *count < getManyForPairs()) {
    block = blockThreads;
    unroll = 2;
  } else if ((severalDims ? growsBlocks() : hasMedium()) &&
             *count < getMedium()) {
    block = plainThreads;
    if (severalDims)
      unroll = 1;
  }
}

void Decision::addVersions() {
  if (!tile.empty()) {
    addTiles();
  } else if (gpu) {
    addFew();
    if (severalDims)
      addRowByRow();
    else
      addInARow();
  } else {
    addHostTile();
    // Row by row, so that vectors need not divide the rows.
    add("dense", true, 1, 1, 64);
  }
  if (bySize() && elements > 1)
    add("general1", false, 1, 1, 32, 1, {fewThreads, 1, 1, getManyFor(1)});
  addPitched();
  addStrided();
  // With 64-bit coordinates a strided product took 261 us instead of 246.
  if (gpu)
    add("general", false, 1, 1, 32);
  if (!gpu || !fits32())
    add(gpu ? "general64" : "general", false, 1, 1, 64);
}

void Decision::addTiles() {
  if (bySize() && tile[0] > smallTileSide && tile[0] == tile[1]) {
    int64_t small[] = {smallTileSide, smallTileSide};
    add("tile" + Twine(smallTileSide), true, 1, 1, 32, 1,
        {smallTileThreads, smallTileElements, 0, getManyFor(smallTileElements),
         small});
  }
  addWideTiles();
  // Which tile a block has takes divisions.
  add("tile", true, 1, 1, 32);
  if (!fits32())
    add("tile64", true, 1, 1, 64);
  // For sides that are known when it runs, and may be short.
  if (!ShapedType::isDynamic(nest.sizes[tile[2]]) &&
      !ShapedType::isDynamic(getInner()))
    return;
  for (const Tile &longTile : fitLongTiles(nest, operands)) {
    ArrayRef<int64_t> sides = ArrayRef(longTile.shape).take_front(2);
    if (sides != ArrayRef(tile).take_front(2))
      add("tile" + Twine(sides[0]) + "x" + Twine(sides[1]), true, 1, 1, 32, 1,
          {longTile.threads, unsigned(sides[0] * sides[1] / longTile.threads),
           0, 0, sides});
  }
}

void Decision::addWideTiles() {
  // What ew-tune compares with gives the policy's own numbers.
  WideTile given{tile[0], tile[1], block};
  Tile policys = ew::decideTile(nest, operands, widths.narrowest, widths.widest,
                                false, {});
  bool byOthers =
      choice.tile && (policys.shape != tile || policys.threads != block);
  for (const WideVersion &version : decideWideVersions(
           nest, operands, tile[2], body, byOthers ? &given : nullptr)) {
    int64_t sides[] = {version.tile.rows, version.tile.columns};
    add(version.name(), true, version.alignment, version.multiple, 32,
        version.allRows ? 1 : version.unit,
        {version.tile.threads, version.elements(), 0, 0, sides});
  }
}

/// A task of another size goes row by row, as whoever asks for one has it.
void Decision::addHostTile() {
  SmallVector<int64_t> shape = fitHostTile(nest, operands);
  if (!shape.empty() && shape[0] * shape[1] == int64_t(elements) * unroll)
    add("tile", true, 1, 1, 64, 1, {0, 0, 0, 0, shape});
}

void Decision::addFew() {
  if (!bySize())
    return;
  for (Few few : getFew(elements, widths, body, severalDims))
    if (fitsRows(few.elements))
      add("few" + Twine(few.elements), true,
          few.elements > 1 ? getAlignment(few.elements) : 1,
          getMultiple(few.elements), severalDims ? 32 : 64, 1,
          {fewThreads, few.elements, few.unroll, few.below});
}

/// Coordinates of a row cost 1.5% more with 64 bits.
void Decision::addRowByRow() {
  int64_t alignment = getAlignment(elements), multiple = getMultiple(elements);
  if (fitsRows(elements)) {
    if (bySize() && growsBlocks())
      add("medium", true, alignment, multiple, 32, 1,
          {plainThreads, 0, 1, getMedium()});
    if (unroll > 1 && alignment > 1 && readsRows(nest, unroll))
      add("rows", true, alignment, multiple, 32, unroll);
    add("wide", true, alignment, multiple, 32);
  }
  if (alignment == accessBytes && crossesRows())
    add("across", true, alignment, 1, 32);
  // Buffers that are not aligned, rows that do not begin at vectors.
  add("dense", true, 1, 1, 32);
}

/// 64 bits cost nothing where no coordinates are needed (H200, add of f32:
/// 185.9 us, 187.3 with 32). With 32 ptxas fetches addresses by another way
/// than sizes, one after the other: an add of 2^16 elements 1.41 us, 1.34 with
/// 64.
void Decision::addInARow() {
  int64_t alignment = getAlignment(elements);
  if (!count && !choice.many && alignment > 1) {
    if (!choice.unroll || choice.registers)
      for (Step step : getSteps())
        addFewer(step);
    // A limit of registers makes room for more threads than few elements have.
    int64_t fewest = unroll > 1 ? getFewest(unroll) : 0;
    int64_t full = runtime::minFullThreads * elements * unroll;
    unsigned medium = hasMedium() ? plainThreads : block;
    if (choice.registers && fewest < full)
      addFewer({unroll, medium, full});
    if (bySize() && hasPairs()) {
      addFewer({1, medium, getManyForOne()});
      addFewer({2, blockThreads, getManyForPairs()});
    }
    if (bySize() && medium != block)
      add("medium", true, alignment, 1, 64, 1, {medium, 0, 0, getMedium()});
  }
  add("wide", true, alignment, 1, 64);
  add("dense", true, 1, 1, 64);
}

void Decision::addFewer(Step step) {
  add("wide" + Twine(step.vectors), true, getAlignment(elements), 1, 64, 1,
      {step.threads == block ? 0 : step.threads, 0, step.vectors, step.below});
}

/// Slices of rows, such as the halves that a gate and its values are. Elements
/// are read one by one otherwise: H200, SwiGLU of halves of rows of 8192 in
/// bf16, 169.6 us, of two dense tensors 92.3.
void Decision::addPitched() {
  if (tile.empty()) {
    addPitched("pitched", 2);
    if (loops.rank() > 2)
      addPitched("pitched" + Twine(loops.rank()), loops.rank());
  }
}

void Decision::addPitched(const Twine &name, int64_t dims) {
  if (!canMergeAtLaunch(loops, dims))
    return;
  Own own;
  own.dims = dims;
  if (!gpu) {
    add(name, false, 1, 1, 64, 1, own);
    return;
  }
  // As many elements a thread in smaller accesses, where rows do not begin or
  // end with whole ones. With an unroll of its own a version has no limit of
  // registers.
  auto addOf = [&](const Twine &name, unsigned each, int64_t alignment) {
    own.elements = each == elements ? 0 : each;
    bool ofBytes = each == 1 && widths.narrowest == 1;
    own.unroll =
        std::min(unroll * elements / each,
                 std::max(unroll, ofBytes ? maxByteElements : maxPieces));
    add(name, false, alignment, each, 32, 1, own);
  };
  // H200, SwiGLU of halves of 2^17 to 2^22 elements of bf16: blocks of 256 take
  // 0.86 to 0.98 of the time of 128.
  if (bySize() && growsBlocks()) {
    unsigned fewest = severalDims || isOfFunctions() ? 1 : 2;
    add(name + "_medium", false, getAlignment(elements), elements, 32, 1,
        {plainThreads, 0, std::min(unroll, fewest), getMedium(), {}, dims});
  }
  unsigned ofWord = wordBytes / widths.narrowest;
  addOf(name, elements, getAlignment(elements));
  if (ofWord > 1 && ofWord < elements)
    addOf(name + "_words", ofWord, wordBytes);
  if (elements > 1)
    addOf(name + "_elements", 1, 1);
}

/// Views that one stride each describes, such as every other element: they take
/// no coordinates. H200, 2^20 f32 in the cache times every other one of 2^21:
/// 4.49 us, 4.78 by coordinates.
void Decision::addStrided() {
  Own own;
  own.dims = 1;
  if (gpu && tile.empty() && loops.rank() > 1 && canMergeAtLaunch(loops, 1))
    add("strided", false, 1, 1, 32, 1, own);
}

ScheduleAttr ew::decideSchedule(MLIRContext *context, const LoopNest &nest,
                                TypeRange operands, BodyWeight body,
                                const ScheduleTarget &target) {
  return Decision(context, nest, operands, body, target).decide();
}
