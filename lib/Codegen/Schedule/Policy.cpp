//===- Policy.cpp - Every number of a schedule and its source -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Schedule/Policy.h"

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

/// H200: a one-shot grid, one 16-byte access per thread and stream, gave the
/// most for every mix of reads and writes (R1W1 4.17 TB/s, R2W1 4.34,
/// R3W1 4.41); more unrolling and persistent grids lost.
static constexpr unsigned accessBytes = 16;
static constexpr unsigned gpuUnroll = 1;

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

/// What a schedule that is given by hand may ask of a thread. It has 255
/// registers: four times as many values of its operands at once are no use to
/// anybody, and LLVM's time grows with their square. PTX of all versions, in
/// seconds: 1,024 values of two operands 4.6, 2,048 17, of 22 operands 3,000 in
/// 18; six functions on 256 elements (12,288 of weight) 8.7.
static constexpr uint64_t maxThreadValues = 1024;
static constexpr uint64_t maxThreadWeight = 16384;

/// Of a schedule by hand that may back off, this much is tried. ptxas 13.0 for
/// sm_90 on what a thread has of six functions, in seconds: 12,288 of weight
/// 22, 6,144 4, 3,072 1.5. Nothing that long keeps its values in registers:
/// what is skipped spilled 6,112 bytes and more.
static constexpr uint64_t maxTriedWeight = 8192;

/// A grid that leaves a multiprocessor without blocks gains nothing from longer
/// ones: so many accesses a thread only where there are that many blocks. H200,
/// data in the L2 cache, in us for 1, 2, 4 and 8 of 128 threads: 64 fma, 2^12
/// elements of f32 0.95, 1.01, 1.31, 2.58; 2^18 1.58, 1.52, 1.51, 2.92;
/// 2^20 4.02, 3.71, 3.60, 4.29; 2^22 15.1, 13.5, 12.2, 13.6. Six functions,
/// 2^12 1.09, 1.39, 2.08; 2^20 4.76, 4.85, 4.91; 2^22 17.3, 16.1, 16.4. f16 to
/// i8, 2^13 0.80, 0.86, 1.05; 2^21 2.12, 2.24, 2.30; 2^23 7.40, 7.27, 8.16;
/// bf16 to f8E4M3FN 0.74, 0.74, 0.82; 2.07, 1.65, 1.71; 7.46, 7.15, 7.25. The
/// most of them pays late.
static constexpr int64_t minBlocks = 1024, minBlocksOfMost = 4096;

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
/// add 1.43 and 1.32; 2^17, for two and four, 1.6 and 1.5.
static constexpr int64_t fewBlocks = 264;
static constexpr unsigned fewThreads = 256;
static constexpr unsigned maxLightStreams = 4;

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

/// Shared-memory tiles, square. A warp reads and writes runs of the tile's
/// side: 32 elements of 4 bytes fill a line of 128. Larger ones leave more of
/// each row of memory in one block, and more elements per thread to share the
/// index arithmetic: H200, 8192 x 8192, in us for 64 and 32: bf16 133, 149; i8
/// 65, 96. x plus the transpose of y in f32, in a CUDA twin: 192.0 for 32 and
/// 256 threads, 189.5 for 64 and 256, 189.0 for 64 and 512; tiles that are not
/// square, and accesses of 16 bytes, 189.7 to 262.
static constexpr int64_t tileSide = 64, smallTileSide = 32;
static constexpr unsigned tileThreads = 512, narrowTileThreads = 256;
static constexpr unsigned smallTileThreads = 256;
static constexpr unsigned smallTileElements =
    smallTileSide * smallTileSide / smallTileThreads;
static constexpr unsigned maxTileSideBytes =
    4; // of an element, else the small one
/// Where one side of the space is short, as channels are, long tiles: rows and
/// columns are these two. H200, images of three channels to the front, 2^25
/// elements of f32, in us: 969 with square tiles, 73 with these.
static constexpr int64_t shortSides[] = {16, 4};
static constexpr int64_t longSide = 256;
static constexpr unsigned longTileThreads = 256;
/// A task of the CPU: 4096 elements stay in the L1 cache with two or three
/// streams of f32, and are some microseconds of work.
static constexpr int64_t cpuBlockElements = 4096;

/// 32-bit indices hold while the elements, rounded up to blocks, are below
/// 2^31.
static constexpr int64_t maxIndex32 = (int64_t(1) << 31) - 1;

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

namespace {
struct Tile {
  SmallVector<int64_t> shape; // as in a schedule
  unsigned threads = 0;
  double fill =
      0; // the part that lies inside of the space, as far as that is known
};
} // namespace

namespace {
/// What a tile of so many rows and columns would be like.
struct TileFit {
  std::optional<int64_t> rows; // the dimension that they walk
  int64_t bytes = 0;           // of shared memory
  double fill = 0;
};
} // namespace

/// For a GPU kernel some of whose operands are contiguous along another
/// dimension than the outputs; no rows if there is none.
static TileFit measureTile(const LoopNest &nest, TypeRange operands,
                           int64_t numRows, int64_t numColumns) {
  TileFit fit;
  for (auto [index, walk] : llvm::enumerate(nest.walks)) {
    if (nest.classify(index) != AccessClass::transposed)
      continue;
    // Those that are contiguous along a third dimension are gathered.
    if (!fit.rows)
      fit.rows = walk.back();
    if (walk.back() != *fit.rows)
      continue;
    unsigned width = getMemoryBytes(getElementType(operands[index]));
    fit.bytes += numColumns * (numRows + std::max(1u, 4 / width)) * width;
  }
  if (!fit.rows)
    return fit;
  auto fill = [&](int64_t dim, int64_t side) {
    int64_t size = nest.sizes[dim];
    return ShapedType::isDynamic(size) || size == 0
               ? 1.0
               : double(size) / llvm::alignTo(size, side);
  };
  fit.fill = fill(*fit.rows, numRows) * fill(nest.rank() - 1, numColumns);
  return fit;
}

/// Nothing if there is no tile, it would not fit into shared memory, or hardly
/// lie in the space.
static std::optional<Tile> fitTile(const LoopNest &nest, TypeRange operands,
                                   int64_t numRows, int64_t numColumns,
                                   unsigned threads) {
  TileFit fit = measureTile(nest, operands, numRows, numColumns);
  if (!fit.rows || fit.bytes > nvidia::maxSharedBytes ||
      fit.fill < runtime::kMinTileFill)
    return std::nullopt;
  return Tile{{numRows, numColumns, *fit.rows}, threads, fit.fill};
}

/// Tiles for spaces with a short side, the less short ones first.
static SmallVector<Tile> fitLongTiles(const LoopNest &nest,
                                      TypeRange operands) {
  SmallVector<Tile> tiles;
  for (int64_t side : shortSides)
    for (bool rows : {true, false})
      if (auto tile = fitTile(nest, operands, rows ? side : longSide,
                              rows ? longSide : side, longTileThreads))
        tiles.push_back(std::move(*tile));
  return tiles;
}

/// The tile of the schedule, of no shape if there is none: of those that are as
/// full as any, the first.
static Tile decideTile(const LoopNest &nest, TypeRange operands, Widths widths,
                       bool few, const ScheduleChoice &choice) {
  unsigned largeThreads =
      widths.narrowest < 4 ? narrowTileThreads : tileThreads;
  SmallVector<Tile> tiles;
  auto add = [&](int64_t side, unsigned threads) {
    if (auto tile = fitTile(nest, operands, side, side, threads))
      tiles.push_back(std::move(*tile));
  };
  if (choice.tile) {
    add(choice.tile, choice.block             ? choice.block
                     : choice.tile < tileSide ? smallTileThreads
                                              : largeThreads);
    return tiles.empty() ? Tile() : tiles.front();
  }
  if (widths.widest <= maxTileSideBytes && !few)
    add(tileSide, largeThreads);
  if (tiles.empty())
    add(smallTileSide, smallTileThreads);
  llvm::append_range(tiles, fitLongTiles(nest, operands));
  double most = 0;
  for (const Tile &tile : tiles)
    most = std::max(most, tile.fill);
  for (Tile &tile : tiles)
    if (runtime::kMuchFuller * tile.fill >= most)
      return std::move(tile);
  return Tile();
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

/// The fewest elements for which a thread takes so many vectors, where it takes
/// `most` of any number of them.
static int64_t getFewest(int64_t perVectors, unsigned unroll, unsigned most) {
  return (unroll == most ? minBlocksOfMost : minBlocks) * perVectors * unroll;
}

int64_t ew::getFewestForFull(ScheduleAttr schedule) {
  return runtime::minFullThreads * schedule.getElements() *
         schedule.getUnroll();
}

namespace {
/// A version for few elements: how many a thread takes, and for how many of
/// them in all.
struct Few {
  unsigned elements;
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
                                  BodyWeight body) {
  bool light = body.total <= maxPlainWeight * widths.bytes &&
               widths.streams <= maxLightStreams;
  SmallVector<Few, 2> few;
  auto add = [&](unsigned each) {
    if (each < elements)
      few.push_back({each, getManyFor(each) / (light ? 2 : 1)});
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

ScheduleAttr ew::decideSchedule(MLIRContext *context, const LoopNest &nest,
                                TypeRange operands, BodyWeight body,
                                const ScheduleTarget &target) {
  SmallVector<int64_t> collapse = collapseLoops(nest);
  LoopNest collapsed = applyCollapse(nest, collapse);
  SmallVector<AccessClass> access;
  for (unsigned i = 0; i < operands.size(); ++i)
    access.push_back(collapsed.classify(i));

  bool gpu = target.chip;
  Widths widths = getWidths(collapsed, operands);
  std::optional<int64_t> count = getStaticCount(nest);
  int64_t inner = collapsed.rank() ? collapsed.sizes.back() : 1;

  unsigned elements =
      gpu ? std::max(accessBytes / widths.widest,
                     std::min(minMixedElements, accessBytes / widths.narrowest))
          : std::max(1u, target.vectorBytes / 4);
  bool severalDims = collapsed.rank() > 1;
  unsigned rows = gpuUnroll;
  if (gpu && severalDims && widths.streams <= maxDoubledStreams &&
      widths.widest <= 2 && widths.widestRow <= 2) {
    if (readsRows(collapsed, sharedRows))
      rows = sharedRows;
    else if (widths.widestRow)
      elements *= 2;
  }
  while (gpu && elements > 1 &&
         uint64_t(body.total) * elements > maxVectorWeight)
    elements /= 2;
  if (target.choice.elements)
    elements = target.choice.elements;
  // No more than there are.
  if (count && *count > 0)
    while (elements > 1 && elements > *count)
      elements /= 2;
  const ScheduleChoice &choice = target.choice;
  // With a limit of registers the numbers are those of a kernel that was
  // compiled before.
  bool byHand =
      choice.many || (!choice.registers && (choice.block || choice.elements ||
                                            choice.unroll || choice.tile));
  auto fitsRows = [&](unsigned elements) {
    return !severalDims || ShapedType::isDynamic(inner) ||
           inner % elements == 0;
  };
  bool smallTile =
      gpu && !byHand && count && *count < getManyFor(smallTileElements);
  SmallVector<int64_t> tile;
  unsigned tileBlock = 0;
  if (gpu) {
    Tile decided = decideTile(collapsed, operands, widths, smallTile, choice);
    tile = decided.shape;
    tileBlock = decided.threads;
  }
  if (!tile.empty())
    elements = tile[0] * tile[1] / tileBlock;

  unsigned block = 1, unroll = cpuBlockElements / elements, most = 1;
  if (!gpu && target.choice.unroll)
    unroll = target.choice.unroll;
  if (gpu) {
    bool plain = widths.narrowest >= minPlainBytes &&
                 body.total <= maxPlainWeight * widths.bytes;
    block = !tile.empty() ? tileBlock : plain ? plainThreads : blockThreads;
    unroll = tile.empty() && !convertsFp8InSoftware(operands, *target.chip)
                 ? decideUnroll(widths, body, severalDims, rows)
                 : 1;
    if (tile.empty() && target.choice.block)
      block = target.choice.block;
    most = unroll;
    while (unroll > 1 && count &&
           *count < getFewest(int64_t(block) * elements, unroll, most))
      unroll /= 2;
    if (tile.empty() && target.choice.unroll)
      unroll = target.choice.unroll;
    if (tile.empty() && !byHand && count)
      for (Few few : getFew(elements, widths, body))
        if (*count < few.below && fitsRows(few.elements)) {
          elements = few.elements;
          unroll = 1;
          block = fewThreads;
          break;
        }
  }
  // Fewer elements have larger blocks.
  bool grows = gpu && tile.empty() && block == blockThreads && !byHand;
  bool growsAlone = isArithmetic(widths, body); // as one vector a thread
  int64_t medium = growsAlone
                       ? getFewest(int64_t(plainThreads) * elements, 2, most)
                       : getManyForMedium(elements);
  if (grows && count && *count < medium) {
    block = plainThreads;
    if (severalDims || growsAlone)
      unroll = 1;
  }
  // In two vectors a thread all find room at once, and not in one.
  bool pairs = gpu && tile.empty() && !severalDims && !byHand && most == 1 &&
               widths.streams >= minManyStreams &&
               2 * elements * widths.bytes <= 4 * maxPairValues &&
               !choice.registers;
  int64_t manyForOne = runtime::minFullThreads * elements;
  int64_t manyForPairs = 2 * maxPairThreads * elements;
  if (pairs && count && *count >= manyForOne && *count < manyForPairs) {
    block = blockThreads;
    unroll = 2;
  }
  int64_t perBlock = int64_t(block) * elements * unroll;
  bool fits32 = count && *count <= maxIndex32 - perBlock;

  SmallVector<VariantAttr> variants;
  // What a version has of its own.
  struct Own {
    unsigned block = 0, elements = 0, unroll = 0;
    int64_t below = 0;
    ArrayRef<int64_t> tile = {};
  };
  auto add = [&](const Twine &name, bool contiguous, int64_t alignment,
                 int64_t multiple, unsigned width, int64_t rows = 1,
                 Own own = {}) {
    variants.push_back(VariantAttr::get(
        context, name.str(), contiguous, alignment, multiple, rows, own.block,
        own.elements, own.unroll, own.tile, own.below, width));
  };
  auto getMultiple = [&](unsigned elements) {
    return int64_t(severalDims ? elements : 1);
  };
  auto getAlignment = [&](unsigned elements) {
    return std::min<int64_t>(accessBytes, int64_t(elements) * widths.widest);
  };
  int64_t multiple = getMultiple(elements), alignment = getAlignment(elements);
  // For sizes that are known when it runs.
  bool bySize = gpu && !count && !byHand;
  auto addWideTiles = [&] {
    // What ew-tune compares with gives the policy's own numbers.
    WideTile given{tile[0], tile[1], tileBlock};
    Tile policys = decideTile(collapsed, operands, widths, false, {});
    bool byOthers =
        choice.tile && (policys.shape != tile || policys.threads != tileBlock);
    for (const WideVersion &version : decideWideVersions(
             collapsed, operands, tile[2], body, byOthers ? &given : nullptr)) {
      int64_t sides[] = {version.tile.rows, version.tile.columns};
      add(version.name(), true, version.alignment, version.multiple, 32,
          version.allRows ? 1 : version.unit,
          {version.tile.threads, version.elements(), 0, 0, sides});
    }
  };
  if (!tile.empty()) {
    if (bySize && tile[0] > smallTileSide && tile[0] == tile[1]) {
      int64_t small[] = {smallTileSide, smallTileSide};
      add("tile" + Twine(smallTileSide), true, 1, 1, 32, 1,
          {smallTileThreads, smallTileElements, 0,
           getManyFor(smallTileElements), small});
    }
    addWideTiles();
    // Which tile a block has takes divisions.
    add("tile", true, 1, 1, 32);
    if (!fits32)
      add("tile64", true, 1, 1, 64);
    // For sides that are known when it runs, and may be short.
    if (ShapedType::isDynamic(collapsed.sizes[tile[2]]) ||
        ShapedType::isDynamic(inner))
      for (const Tile &longTile : fitLongTiles(collapsed, operands)) {
        ArrayRef<int64_t> sides = ArrayRef(longTile.shape).take_front(2);
        if (sides != ArrayRef(tile).take_front(2))
          add("tile" + Twine(sides[0]) + "x" + Twine(sides[1]), true, 1, 1, 32,
              1,
              {longTileThreads, unsigned(sides[0] * sides[1] / longTileThreads),
               0, 0, sides});
      }
  } else if (gpu) {
    if (bySize)
      for (Few few : getFew(elements, widths, body))
        if (fitsRows(few.elements))
          add("few" + Twine(few.elements), true,
              few.elements > 1 ? getAlignment(few.elements) : 1,
              getMultiple(few.elements), severalDims ? 32 : 64, 1,
              {fewThreads, few.elements, 1, few.below});
    // 64 bits cost nothing where no coordinates are needed (H200, add of f32:
    // 185.9 us, 187.3 with 32), and 1.5% for those of a row. With 32 ptxas
    // fetches addresses by another way than sizes, one after the other: an add
    // of 2^16 elements 1.41 us, 1.34 with 64.
    if (bySize && grows && severalDims && fitsRows(elements))
      add("medium", true, alignment, multiple, 32, 1,
          {plainThreads, 0, 1, medium});
    if (severalDims && fitsRows(elements) && unroll > 1 && alignment > 1 &&
        readsRows(collapsed, unroll))
      add("rows", true, alignment, multiple, 32, unroll);
    // As many accesses as there are multiprocessors for; and a limit of
    // registers makes room for more threads than few elements have.
    if (!severalDims && !count && !choice.many && alignment > 1) {
      auto addFewer = [&](unsigned fewer, int64_t below) {
        unsigned own = grows && (fewer == 1 || !growsAlone) ? plainThreads : 0;
        if (!below)
          below =
              getFewest(int64_t(own ? own : block) * elements, 2 * fewer, most);
        add("wide" + Twine(fewer), true, alignment, multiple, 64, 1,
            {own, 0, fewer, below});
      };
      if (!choice.unroll || choice.registers)
        for (unsigned fewer = 1; fewer < unroll; fewer *= 2)
          addFewer(fewer, 0);
      int64_t fewest =
          unroll > 1 ? getFewest(int64_t(block) * elements, unroll, most) : 0;
      int64_t full = runtime::minFullThreads * elements * unroll;
      if (choice.registers && fewest < full)
        addFewer(unroll, full);
      if (bySize && pairs) {
        addFewer(1, manyForOne);
        add("wide2", true, alignment, multiple, 64, 1,
            {blockThreads, 0, 2, manyForPairs});
      }
      if (bySize && grows && unroll == 1)
        add("medium", true, alignment, multiple, 64, 1,
            {plainThreads, 0, 0, medium});
    }
    if (fitsRows(elements))
      add("wide", true, alignment, multiple, severalDims ? 32 : 64);
    // Buffers that are not aligned, rows that do not begin at vectors.
    add("dense", true, 1, 1, severalDims ? 32 : 64);
  } else {
    // Row by row, so that vectors need not divide the rows.
    add("dense", true, 1, 1, 64);
  }
  if (bySize && elements > 1)
    add("general1", false, 1, 1, 32, 1, {fewThreads, 1, 1, getManyFor(1)});
  // With 64-bit coordinates a strided product took 261 us instead of 246.
  if (gpu)
    add("general", false, 1, 1, 32);
  if (!gpu || !fits32)
    add(gpu ? "general64" : "general", false, 1, 1, 64);
  return ScheduleAttr::get(context, block, elements, unroll, collapse, access,
                           tile, gpu ? target.choice.registers : 0, variants);
}

std::string ew::whyNoTile(const LoopNest &nest, TypeRange operands,
                          BodyWeight body, ScheduleTarget target) {
  int64_t side = target.choice.tile;
  target.choice = {};
  MLIRContext *context =
      operands.empty() ? nullptr : operands.front().getContext();
  // Where the policy has none either, nothing would go through it.
  if (!context ||
      decideSchedule(context, nest, operands, body, target).getTile().empty())
    return {};
  LoopNest collapsed = applyCollapse(nest, collapseLoops(nest));
  TileFit fit = measureTile(collapsed, operands, side, side);
  std::string tile =
      "a tile of " + std::to_string(side) + " by " + std::to_string(side);
  if (fit.bytes > nvidia::maxSharedBytes)
    return tile + " takes " + std::to_string(fit.bytes) +
           " bytes of shared memory, and a block has at most " +
           std::to_string(nvidia::maxSharedBytes);
  auto size = [&](int64_t dim) {
    int64_t is = collapsed.sizes[dim];
    return ShapedType::isDynamic(is) ? "?" : std::to_string(is);
  };
  return tile + " would lie for the most part outside of the kernel's " +
         size(*fit.rows) + " by " + size(collapsed.rank() - 1) + " elements";
}

bool ew::isTooLongToTry(BodyWeight body, const ScheduleChoice &choice) {
  uint64_t elements = uint64_t(choice.elements) * choice.unroll;
  return elements > 1 && body.total * elements > maxTriedWeight;
}

std::string ew::findExcess(TypeRange operands, BodyWeight body,
                           ScheduleAttr schedule) {
  // Tiles have one size, and go element by element.
  if (!schedule.getTile().empty())
    return {};
  uint64_t values = 0;
  for (Type type : operands)
    if (isa<RankedTensorType>(type))
      values += llvm::divideCeil(getMemoryBytes(getElementType(type)), 4);
  // Of the version that takes the most at once.
  uint64_t elements = uint64_t(schedule.getElements()) * schedule.getUnroll();
  for (VariantAttr variant : schedule.getVariants()) {
    ScheduleAttr own = getVersionSchedule(schedule, variant);
    elements =
        std::max(elements, uint64_t(own.getElements()) * own.getUnroll());
  }
  // Element by element there is nothing to take less of.
  if (elements <= 1)
    return {};
  std::string thread = "a thread would take " + std::to_string(elements) +
                       " elements at once (elements times unroll), ";
  auto advise = [](uint64_t most) {
    return "; here elements times unroll may be at most " +
           std::to_string(std::max<uint64_t>(most, 1));
  };
  if (values * elements > maxThreadValues)
    return thread + "for which its operands alone need " +
           std::to_string(values * elements) +
           " registers: a thread has 255, and code for more than " +
           std::to_string(maxThreadValues) + " is not compiled" +
           advise(maxThreadValues / values);
  if (body.total * elements > maxThreadWeight)
    return thread + "which makes some " +
           std::to_string(body.total * elements) + " instructions: more than " +
           std::to_string(maxThreadWeight) + " are not compiled" +
           advise(maxThreadWeight / body.total);
  return {};
}
