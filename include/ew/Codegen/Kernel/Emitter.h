//===- Emitter.h - The code of one variant of a kernel ----------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_KERNEL_EMITTER_H
#define EW_CODEGEN_KERNEL_EMITTER_H

#include "ew/Codegen/Kernel/IndexBuilder.h"
#include "ew/Codegen/Schedule/Access.h"
#include "mlir/IR/IRMapping.h"
#include <functional>

namespace ew {

/// Builds a value for one lane, where the builder stands. What only the guarded
/// accesses of a tail need must not be computed for whole vectors: four
/// comparisons of 64 bits cost more than a simple body.
using LaneValue = std::function<mlir::Value(unsigned lane)>;

/// Elements that are read and written together, one per lane of a vector: all
/// that are computed at a time, or one of several chunks of them.
struct Lanes {
  /// The position of a lane in the iteration space, row-major.
  LaneValue linear;
  /// Coordinates of every lane, outermost first; empty where nothing needs
  /// them, those of the first lane alone with oneRow.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> coords;
  /// Whether all lanes lie inside the space, and whether one does. Null where
  /// that is known, or guarded by the caller.
  mlir::Value full;
  LaneValue active;
  /// `active` as stores ask for it, in other words: LLVM computes what loads
  /// and stores have in common, though only tails need it, ahead of all
  /// branches. Empty: in the same words.
  LaneValue stored;
  /// The lanes follow each other in the space.
  bool consecutive = false;
  /// And the innermost coordinate does not wrap among them.
  bool oneRow = false;
  /// And the first one's position is a multiple of their number.
  bool aligned = false;
};

/// Emits what GPU and CPU kernels have in common: from a position in the
/// iteration space to loads, the body on vectors, and stores. The body is
/// computed once, for a whole vector and for a tail alike, or, of several
/// chunks, once more for a chunk of the tail; there is nothing in it that a
/// later stage might compute otherwise, so no element's result depends on where
/// it stands.
class KernelEmitter {
public:
  /// `args` are the kernel's arguments as getKernelArgs lists them. Emits what
  /// every use shares at the builder's insertion point.
  /// `lanes` is how many elements are accessed together, `chunks` how many
  /// times as many are computed at a time.
  KernelEmitter(mlir::OpBuilder &b, mlir::linalg::GenericOp op,
                ScheduleAttr schedule, VariantAttr variant,
                mlir::ValueRange args, unsigned lanes, unsigned chunks = 1);

  const IndexBuilder &index() const { return ix; }
  mlir::Value count() const { return total; }
  mlir::Value size(int64_t dim) const { return sizes[dim]; }
  const LoopNest &getNest() const { return nest; }
  /// Elements that are accessed together: those of one access, or fewer where
  /// each has an address of its own and they would take too many registers.
  unsigned lanes() const { return numLanes; }

  /// Computes the elements first, first + step, ... as far as there are any,
  /// and in the same body those of the other chunks, each `chunkStep` further.
  /// With a step of 1, `first` and `chunkStep` are multiples of lanes().
  mlir::LogicalResult emitElements(mlir::Value first, int64_t step,
                                   int64_t chunkStep = 0);

  /// For a variant of several rows: computes the chunks that stand one below
  /// the other, from `first` on, the position of a vector among those of which
  /// each group of rows has one row's.
  mlir::LogicalResult emitRows(mlir::Value first);

  /// Computes consecutive elements of one row, from `first` as far as `end`;
  /// `coords` are those of the first. `aligned`: that is a multiple of lanes().
  mlir::LogicalResult emitRow(mlir::Value first, mlir::Value end,
                              llvm::ArrayRef<mlir::Value> coords, bool aligned);

  /// For a variant that isShifted: where a thread begins that would begin at
  /// `first`, so that the first output's wide accesses are aligned. Before
  /// emitElements.
  mlir::Value beginShifted(mlir::Value first);

  /// The coordinates of a position, outermost first, over the first `rank`
  /// dimensions.
  llvm::SmallVector<mlir::Value> delinearize(mlir::Value linear, int64_t rank);

  /// Computes one tile of the schedule's; `thread` and `block` are the thread's
  /// and block's numbers, `shared` one buffer for each operand that goes
  /// through it (getTiledOperands), of getTileElements elements.
  mlir::LogicalResult emitTile(mlir::Value thread, mlir::Value block,
                               mlir::ValueRange shared);

  /// Computes one tile of a CPU kernel's; `buffers` has one for each operand
  /// that is turned in it (getBufferedOperands), of as many elements as the
  /// tile.
  mlir::LogicalResult emitHostTile(mlir::Value block, mlir::ValueRange buffers);

  /// The same for a version that isWideTile.
  mlir::LogicalResult emitWideTile(mlir::Value thread, mlir::Value block,
                                   mlir::ValueRange shared);

private:
  /// How one operand's lanes are accessed.
  struct Access {
    enum class Kind {
      Uniform, // one element for all lanes of the whole kernel
      Splat,   // one for these lanes
      Wide,    // consecutive elements
      Shifted, // the same, of a dense buffer off the alignment
      Lanes,   // an address for each
    };
    Kind kind;
    LaneValue address;
    /// The lanes' own, but for what goes through a tile.
    LaneValue active;
    /// As Lanes has it.
    bool aligned = false;
  };

  /// Where a tile begins, and how much of the space is left from there.
  struct TilePlace {
    llvm::SmallVector<mlir::Value> outer; // all coordinates but two
    mlir::Value row0, column0, rowsLeft, columnsLeft;
  };
  TilePlace locateTile(mlir::Value block);
  llvm::SmallVector<mlir::Value>
  getCoordinates(const TilePlace &tile, mlir::Value row, mlir::Value column);

  /// The tile of an operand, row by row, as far as it lies inside.
  void fillBuffer(unsigned operand, mlir::Value buffer, const TilePlace &tile,
                  mlir::Value rows, mlir::Value columns);

  /// What emitWideTile does.
  class WideTile;

  /// A position divided by the size of a dimension.
  mlir::Value divide(mlir::Value position, int64_t dim);
  mlir::Value address(unsigned operand, llvm::ArrayRef<mlir::Value> coords);
  /// Whether an element's position in the space is its address, too.
  bool isLinear(unsigned operand) const;
  llvm::SmallVector<mlir::Value> advance(llvm::ArrayRef<mlir::Value> coords,
                                         llvm::ArrayRef<mlir::Value> step);
  bool needsCoords() const;
  /// Those whose first one is `offset` further than the thread's, which has
  /// elements as far as `span`.
  Lanes getLanes(mlir::Value thread, int64_t step, int64_t offset,
                 int64_t span);
  /// How many elements there are from `first` on, `most` or fewer, in 32 bits.
  mlir::Value getRest(mlir::Value first, int64_t most);
  /// Which lanes, the first of which is `offset` further, are among them:
  /// computed where it is asked for.
  LaneValue isWithin(mlir::Value first, int64_t most, int64_t offset = 0);
  /// A small number in 32 bits.
  mlir::Value toNarrow(mlir::Value value);
  /// All chunks at a time where all lanes lie inside, else one after the other.
  mlir::LogicalResult emitChunks(llvm::MutableArrayRef<Lanes> chunks,
                                 mlir::Value first, int64_t step,
                                 int64_t chunkStep);
  mlir::LogicalResult emitLanes(llvm::ArrayRef<Lanes> chunks);
  Access getAccess(unsigned operand, const Lanes &lanes);
  /// Whether it is one element for the whole kernel, and whether it is for
  /// these lanes.
  bool isUniform(unsigned operand) const;
  bool isSameForAll(unsigned operand, llvm::ArrayRef<Lanes> chunks) const;
  /// One lane of a vector as a vector, and back to all lanes of a body.
  mlir::Value narrow(mlir::Value vector);
  mlir::Value widen(mlir::Value one);

  /// Elements of an operand that one aligned access takes.
  int64_t granule(unsigned operand) const;
  /// Of the lanes from `first` on, which lie inside, and whether all do, and
  /// all granules of them.
  void getShiftedLanes(mlir::Value first, Lanes &result);
  /// Whether the lanes of a shifted variant may begin before the space.
  bool beginsBefore() const { return variant.getAlignment() == 1; }
  /// An address in elements of the operand's type.
  mlir::Value elementsTo(unsigned operand);
  /// Some elements within the operand's granules.
  mlir::Value withinGranule(unsigned operand, mlir::Value elements);
  /// The coordinates of all lanes, from those of the first that is not before
  /// the space on; `begins`: it may be another than the first lane.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>>
  walkLanes(const Lanes &lanes, bool begins);
  /// All inputs of all chunks; also those that are stretched, over rows that
  /// begin anywhere in a vector.
  llvm::SmallVector<mlir::Value> loadShiftedLanes(llvm::ArrayRef<Lanes> chunks);
  void loadDense(llvm::ArrayRef<Lanes> chunks,
                 llvm::ArrayRef<unsigned> operands,
                 llvm::SmallVectorImpl<mlir::Value> &values);
  /// Whether an operand that is stretched is read element by element, which
  /// needs no shift.
  bool isReadInWords(unsigned operand) const;
  /// What has one element for each row, of a vector that may end in the next
  /// row, and not later.
  mlir::Value loadTwoRows(unsigned operand, const Lanes &lanes);
  /// The same of what has an element for each column, side by side.
  mlir::Value loadFromTwoRows(unsigned operand, const Lanes &lanes);
  void loadStretched(llvm::ArrayRef<Lanes> chunks,
                     llvm::ArrayRef<unsigned> operands,
                     llvm::SmallVectorImpl<mlir::Value> &values);
  /// A vector from `first` on, in aligned granules where that is known to be at
  /// one.
  mlir::Value loadGranules(unsigned operand, mlir::Value first);
  /// The same from `shift` elements past a granule on.
  mlir::Value loadShifted(unsigned operand, mlir::Value first,
                          mlir::Value shift);
  void storeShifted(unsigned operand, const Access &access, mlir::Value vector);

  mlir::Type memoryType(unsigned operand) const;
  /// How many values of the memory type an element of the operand is: two of a
  /// complex number, one after the other.
  int64_t parts(unsigned operand) const;
  /// One element of an operand, and a vector of them, as they lie in memory.
  mlir::Type scalarOf(unsigned operand) const;
  mlir::VectorType vectorOf(unsigned operand) const;
  /// Where an element stands, in values of the memory type.
  mlir::Value position(unsigned operand, mlir::Value address);
  mlir::Value loadScalar(unsigned operand, mlir::Value base,
                         mlir::Value position);
  void storeScalar(mlir::Value scalar, mlir::Value base, mlir::Value position);
  /// A vector of elements, from them or from one for all, and its elements.
  mlir::Value fromScalars(unsigned operand,
                          llvm::ArrayRef<mlir::Value> scalars);
  mlir::Value splatScalar(unsigned operand, mlir::Value scalar);
  mlir::Value extractScalar(unsigned operand, mlir::Value vector,
                            unsigned lane);
  /// Of one chunk, and of all.
  mlir::VectorType vectorOf(mlir::Type element) const;
  mlir::VectorType bodyVectorOf(mlir::Type element) const;
  mlir::IntegerAttr wideAlignment(unsigned operand, const Access &access);
  mlir::Value loadFull(unsigned operand, const Access &access);
  mlir::Value loadGuarded(unsigned operand, const Access &access);
  void storeFull(unsigned operand, const Access &access, mlir::Value vector);
  void storeGuarded(unsigned operand, const Access &access, mlir::Value vector);
  /// All inputs of all chunks, as vectors of their memory types; accesses by
  /// chunk, then operand. `full` is whether all lanes of all chunks lie inside.
  llvm::SmallVector<mlir::Value>
  load(llvm::ArrayRef<llvm::SmallVector<Access>> accesses, mlir::Value full);
  void store(llvm::ArrayRef<Lanes> chunks, mlir::ValueRange vectors);
  mlir::Value concatenate(mlir::ValueRange chunks);

  mlir::Value toBody(mlir::Value memory, mlir::Type element);
  mlir::Value toMemory(mlir::Value body);
  /// The real or the imaginary parts of complex numbers, and back.
  mlir::Value extractPart(mlir::Value memory, unsigned part);
  mlir::Value interleave(mlir::Value real, mlir::Value imaginary);
  /// Of as many lanes as `type`.
  mlir::FailureOr<mlir::Value> splat(mlir::Operation *constant,
                                     mlir::VectorType type);
  /// What ew.linear_index is for every lane.
  mlir::Value positions(llvm::ArrayRef<Lanes> chunks);
  /// The body on vectors; from and to memory types.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  compute(mlir::ValueRange inputs, llvm::ArrayRef<Lanes> chunks);

  mlir::OpBuilder &b;
  mlir::Location loc;
  IndexBuilder ix;
  mlir::linalg::GenericOp op;
  ScheduleAttr schedule;
  VariantAttr variant;
  unsigned numLanes, numChunks;
  LoopNest nest; // of the variant: collapsed or not
  /// Which of the nest's dimensions a loop belongs to.
  llvm::SmallVector<int64_t> dimOfLoop;
  llvm::SmallVector<mlir::Value> sizes;
  /// What divides by them (runtime::getDivisor); null where a division does.
  llvm::SmallVector<mlir::Value> divisors;
  mlir::Value total;
  /// Per operand: a memref<?xT> from its first element, or the scalar.
  llvm::SmallVector<mlir::Value> bases;
  /// Per operand and dimension; null for 0.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> strides;
  /// Per operand, of one that is in a buffer of its tile's elements by now, the
  /// address that its first one would have; else null.
  llvm::SmallVector<mlir::Value> origins;
  /// Of a shifted variant, per operand, how many elements the lanes' first one
  /// lies past an aligned address; null where it is at one, or the operand is
  /// not accessed so.
  llvm::SmallVector<mlir::Value> shifts;
  bool shifted;
};

/// The operands that go through the schedule's tile, and the elements that each
/// takes there in a version.
llvm::SmallVector<unsigned> getTiledOperands(const LoopNest &collapsed,
                                             ScheduleAttr schedule);
int64_t getTileElements(ScheduleAttr schedule, VariantAttr variant,
                        mlir::Type memoryType);

/// Those that a task of the CPU turns in buffers, and the bytes that these have
/// on its stack.
llvm::SmallVector<unsigned> getBufferedOperands(const LoopNest &collapsed,
                                                ScheduleAttr schedule,
                                                mlir::TypeRange operands);
int64_t getHostTileBytes(const LoopNest &collapsed, ScheduleAttr schedule,
                         mlir::TypeRange operands);
/// Half of what a thread of OpenMP should have at the least.
inline constexpr int64_t maxHostTileBytes = 128 * 1024;

/// Whether all of them lie in memory column by column, so that all rows of some
/// columns that follow each other are one run.
bool takeRuns(const LoopNest &collapsed, ScheduleAttr schedule);

} // namespace ew

#endif // EW_CODEGEN_KERNEL_EMITTER_H
