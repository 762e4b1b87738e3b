//===- Shifted.cpp - Wide accesses of buffers off an alignment ------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer that is off the alignment of wide accesses is read in aligned
// granules all the same: one more than the vector fills, shifted by what the
// buffer is off, which is one number for the whole kernel. The lanes begin
// where the first output has a granule, a few elements before the space; the
// first vectors and the last ones are read element by element, so that no
// granule reaches past a buffer's end. One may begin before it, within 16 bytes
// that the buffer shares. Where all buffers are off by the same, or by nothing,
// there is nothing to shift.
//
// With rows of any length (AcrossRows.cpp), so are operands that are stretched
// over them: by what the thread's place in the row says. A version for aligned
// buffers of such rows has only that to shift.
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Emitter.h"

#include "ew/Codegen/Kernel/Signature.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ew;

/// What the widest access takes at once.
static constexpr int64_t granuleBytes = 16;
static constexpr int64_t wordBytes = 4;
/// What buffers of one-byte elements are read in, whose kernels have
/// instructions enough: from words nothing has to be chosen. H200, adds of i8
/// off an alignment, in time of one that is not: 1.03, in granules of 8 bytes
/// 1.04, of 16 1.05.
static constexpr int64_t narrowGranuleBytes = wordBytes;

static int64_t bytesOf(Type memory) {
  return memory.getIntOrFloatBitWidth() / 8;
}

bool ew::crossesRows(ScheduleAttr schedule, VariantAttr variant) {
  return variant.getContiguous() && variant.getAlignment() >= granuleBytes &&
         variant.getMultiple() == 1 && variant.getRows() == 1 &&
         schedule.getTile().empty() && schedule.getCollapse().size() > 1;
}

bool ew::isShifted(ScheduleAttr schedule, VariantAttr variant,
                   TypeRange operands) {
  int64_t elements = schedule.getElements();
  return variant.getContiguous() &&
         (variant.getAlignment() == 1 || crossesRows(schedule, variant)) &&
         schedule.getTile().empty() && schedule.getBlock() > 1 &&
         !schedule.getCollapse().empty() && elements > 1 &&
         llvm::isPowerOf2_64(elements) &&
         llvm::all_of(operands, [&](Type type) {
           Type element = getElementType(type);
           return !isa<ComplexType>(element) &&
                  elements * bytesOf(getMemoryType(element)) >= wordBytes;
         });
}

unsigned ew::getVectorLanes(ScheduleAttr schedule, VariantAttr variant,
                            TypeRange operands) {
  unsigned lanes = schedule.getElements();
  if (isWideTile(schedule, variant))
    return getTileUnit(schedule, variant);
  if (!isShifted(schedule, variant, operands))
    return lanes;
  int64_t narrowest = granuleBytes, ofAll = granuleBytes;
  for (auto [type, access] : llvm::zip_equal(operands, schedule.getAccess())) {
    int64_t bytes = bytesOf(getMemoryType(getElementType(type)));
    ofAll = std::min(ofAll, bytes);
    if (access == AccessClass::dense)
      narrowest = std::min(narrowest, bytes);
  }
  // What is not dense is shifted in words, too.
  while (lanes * narrowest > granuleBytes && lanes / 2 * ofAll >= wordBytes)
    lanes /= 2;
  return lanes;
}

int64_t KernelEmitter::granule(unsigned operand) const {
  return std::min<int64_t>(lanes(),
                           granuleBytes / bytesOf(memoryType(operand)));
}

Value KernelEmitter::elementsTo(unsigned operand) {
  Value address = ix.fromIndex(
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, bases[operand]));
  return ix.div(address, ix.constant(bytesOf(memoryType(operand))));
}

Value KernelEmitter::withinGranule(unsigned operand, Value elements) {
  return b.createOrFold<arith::AndIOp>(loc, elements,
                                       ix.constant(granule(operand) - 1));
}

Value KernelEmitter::beginShifted(Value first) {
  unsigned leading = op.getNumDpsInputs();
  shifts.assign(op->getNumOperands(), Value());
  if (!beginsBefore())
    return first;
  Value lead = withinGranule(leading, elementsTo(leading));
  for (unsigned operand = 0; operand < shifts.size(); ++operand)
    if (operand != leading && isa<MemRefType>(bases[operand].getType()) &&
        nest.isDense(operand))
      shifts[operand] =
          withinGranule(operand, ix.sub(elementsTo(operand), lead));
  return ix.sub(first, lead);
}

void KernelEmitter::getShiftedLanes(Value first, Lanes &result) {
  // With the granule after the vector.
  int64_t furthest = 0;
  for (auto [operand, shift] : llvm::enumerate(shifts))
    if (shift)
      furthest = std::max(furthest, granule(operand));
  Value rest = ix.sub(total, first);
  result.full = ix.less(ix.constant(lanes() + furthest - 1), rest);
  result.active = result.stored = isWithin(first, lanes());
  if (beginsBefore()) {
    result.full = ix.logicalAnd(ix.less(ix.constant(-1), first), result.full);
    IndexBuilder narrow{b, loc, b.getI32Type()};
    Value begin = toNarrow(arith::MaxSIOp::create(
        b, loc, ix.sub(ix.constant(0), first), ix.constant(0)));
    LaneValue isBeforeEnd = isWithin(first, lanes());
    result.active = [=](unsigned lane) {
      return narrow.logicalAnd(narrow.less(begin, narrow.constant(lane + 1)),
                               isBeforeEnd(lane));
    };
    result.stored = [=](unsigned lane) {
      Value position = ix.add(first, ix.constant(lane));
      return ix.logicalAnd(ix.less(ix.constant(-1), position),
                           ix.less(position, total));
    };
  }
  if (!needsCoords())
    return;
  if (result.oneRow) {
    result.coords.push_back({first});
    return;
  }
  Value inside = first;
  if (beginsBefore())
    inside = arith::MaxSIOp::create(b, loc, first, ix.constant(0));
  result.coords.push_back(delinearize(inside, nest.rank()));
  // The body asks for those of each lane, and not only the loads across rows.
  if (llvm::is_contained(nest.indexed, true))
    result.coords = walkLanes(result, /*begins=*/true);
}

Value KernelEmitter::loadGranules(unsigned operand, Value first) {
  auto load = vector::LoadOp::create(b, loc, vectorOf(operand), bases[operand],
                                     ValueRange{ix.toIndex(first)});
  load.setAlignmentAttr(
      b.getI64IntegerAttr(granule(operand) * bytesOf(memoryType(operand))));
  return load;
}

/// Of what is stretched over rows. What a shift takes costs more than loads
/// that come from the L1 cache: H200, a row of f32 added to rows of 4095 and
/// GELU, in time of rows of 4096: 1.04 element by element, 1.05 in granules of
/// 8 bytes or 16.
bool KernelEmitter::isReadInWords(unsigned operand) const {
  return !nest.isDense(operand) && bytesOf(memoryType(operand)) >= wordBytes;
}

Value KernelEmitter::loadShifted(unsigned operand, Value first, Value shift) {
  Type element = memoryType(operand);
  Type i32 = b.getI32Type();
  int64_t count = granule(operand);
  if (isReadInWords(operand)) {
    count = 1;
    shift = ix.constant(0);
  } else if (bytesOf(element) == 1 && count > narrowGranuleBytes) {
    count = narrowGranuleBytes;
    shift = b.createOrFold<arith::AndIOp>(loc, shift, ix.constant(count - 1));
  }
  int64_t bytes = count * bytesOf(element), words = bytes / wordBytes;
  auto granuleType = VectorType::get({count}, element);
  Value start = ix.sub(first, shift);
  SmallVector<Value> loaded;
  for (int64_t at = 0; at <= lanes(); at += count) {
    auto load = vector::LoadOp::create(
        b, loc, granuleType, bases[operand],
        ValueRange{ix.toIndex(ix.add(start, ix.constant(at)))});
    load.setAlignmentAttr(b.getI64IntegerAttr(bytes));
    Value inWords =
        vector::BitCastOp::create(b, loc, VectorType::get({words}, i32), load);
    for (int64_t word = 0; word < words; ++word)
      loaded.push_back(vector::ExtractOp::create(b, loc, inWords, word));
  }
  // Whole words first, half a granule, a quarter, ...: each step takes as many
  // off the end.
  Value offBytes = b.createOrFold<arith::TruncIOp>(
      loc, i32, ix.mul(shift, ix.constant(bytesOf(element))));
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, i32, value);
  };
  for (int64_t step = words / 2; step > 0; step /= 2) {
    Value bit =
        arith::AndIOp::create(b, loc, offBytes, constant(step * wordBytes));
    Value far = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit,
                                      constant(0));
    for (size_t i = 0; i + step < loaded.size(); ++i)
      loaded[i] =
          arith::SelectOp::create(b, loc, far, loaded[i + step], loaded[i]);
    loaded.truncate(loaded.size() - step);
  }
  int64_t results = lanes() * bytesOf(element) / wordBytes;
  if (bytesOf(element) < wordBytes) {
    Value rest =
        arith::AndIOp::create(b, loc, offBytes, constant(wordBytes - 1));
    Value bits = arith::MulIOp::create(b, loc, rest, constant(8));
    for (int64_t i = 0; i < results; ++i)
      loaded[i] =
          LLVM::FshrOp::create(b, loc, i32, loaded[i + 1], loaded[i], bits);
  }
  loaded.truncate(results);
  Value joined = vector::FromElementsOp::create(
      b, loc, VectorType::get({results}, i32), loaded);
  return vector::BitCastOp::create(b, loc, vectorOf(operand), joined);
}

void KernelEmitter::storeShifted(unsigned operand, const Access &access,
                                 Value vector) {
  auto wide = [&] {
    auto store =
        vector::StoreOp::create(b, loc, vector, bases[operand],
                                ValueRange{ix.toIndex(access.address(0))});
    store.setAlignmentAttr(
        b.getI64IntegerAttr(granule(operand) * bytesOf(memoryType(operand))));
  };
  if (!shifts[operand])
    return wide();
  Value aligned = b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, shifts[operand], ix.constant(0));
  auto branch = scf::IfOp::create(b, loc, aligned, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard inside(b);
  b.setInsertionPointToStart(branch.thenBlock());
  wide();
  b.setInsertionPointToStart(branch.elseBlock());
  for (unsigned lane = 0; lane < lanes(); ++lane)
    storeScalar(extractScalar(operand, vector, lane), bases[operand],
                position(operand, access.address(lane)));
}
