//===- Signature.cpp - What a kernel takes --------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Kernel/Signature.h"

using namespace mlir;
using namespace ew;

SmallVector<int32_t> ew::getDimOfLoop(AffineMap map) {
  SmallVector<int32_t> dims(map.getNumDims(), -1);
  for (auto [index, expr] : llvm::enumerate(map.getResults()))
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      dims[loop.getPosition()] = index;
  return dims;
}

Type ew::getMemoryType(Type element) {
  auto *context = element.getContext();
  element = getPartType(element);
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(context, std::max(8u, integer.getWidth()));
  if (element.getIntOrFloatBitWidth() == 8)
    return IntegerType::get(context, 8);
  return element;
}

ScheduleAttr ew::getVersionSchedule(ScheduleAttr schedule,
                                    VariantAttr variant) {
  auto own = [](unsigned ofVersion, unsigned ofKernel) {
    return ofVersion ? ofVersion : ofKernel;
  };
  SmallVector<int64_t> tile(schedule.getTile());
  if (variant.getTile().size() == 3)
    tile.assign(variant.getTile().begin(), variant.getTile().end());
  else if (tile.size() == 3 && variant.getTile().size() == 2)
    llvm::copy(variant.getTile(), tile.begin());
  return ScheduleAttr::get(schedule.getContext(),
                           own(variant.getBlock(), schedule.getBlock()),
                           own(variant.getElements(), schedule.getElements()),
                           own(variant.getUnroll(), schedule.getUnroll()),
                           schedule.getCollapse(), schedule.getAccess(), tile,
                           schedule.getRegisters(), schedule.getVariants());
}

LoopNest ew::getWalkedNest(const LoopNest &loops, ScheduleAttr schedule,
                           VariantAttr variant) {
  if (variant.getContiguous())
    return applyCollapse(loops, schedule.getCollapse());
  int64_t dims = variant.getDims();
  if (!dims)
    return loops;
  LoopNest nest;
  nest.sizes.assign(dims, ShapedType::kDynamic);
  nest.indexed.assign(dims, false);
  for (ArrayRef<int64_t> walk : loops.walks) {
    // Which of the outer ones an operand walks, its strides say: 0 in others.
    SmallVector<int64_t> &merged = nest.walks.emplace_back();
    if (walk.empty())
      continue;
    llvm::append_range(merged, llvm::seq<int64_t>(0, dims - 1));
    if (dims == 1 || walk.back() == loops.rank() - 1)
      merged.push_back(dims - 1);
  }
  return nest;
}

bool ew::isPitched(VariantAttr variant) { return variant.getDims() > 1; }

bool ew::hasWholeRows(VariantAttr variant, unsigned lanes) {
  bool rowByRow =
      variant.getContiguous() ? variant.getMultiple() > 1 : isPitched(variant);
  return rowByRow && variant.getMultiple() % lanes == 0;
}

bool ew::isWideOperand(const LoopNest &collapsed, unsigned operand) {
  return collapsed.isDense(operand) || collapsed.isInnermostUnit(operand);
}

bool ew::takesVectors(ScheduleAttr schedule, VariantAttr variant,
                      TypeRange operands) {
  return variant.getAlignment() > 1 || isPitched(variant) ||
         schedule.getBlock() == 1 || isShifted(schedule, variant, operands);
}

SmallVector<runtime::KernelArg> ew::getKernelArgs(ScheduleAttr schedule,
                                                  VariantAttr variant,
                                                  ArrayRef<AffineMap> maps,
                                                  TypeRange operands) {
  using Kind = runtime::KernelArg::Kind;
  SmallVector<runtime::KernelArg> args;
  auto width = static_cast<uint8_t>(variant.getIndexWidth());
  auto add = [&](Kind kind, uint32_t operand, uint32_t dim) {
    args.push_back({kind, operand, dim, width});
  };
  auto addSizes = [&](uint32_t dims) {
    for (uint32_t dim = 0; dim < dims; ++dim)
      add(Kind::Size, 0, dim);
    // Coordinates come of divisions by all sizes but the outermost. Where whole
    // rows of vectors are read, loads that need none may come first and hide
    // it. H200, a row and GELU in bf16: 129.0 us in a run with divisions, 132.8
    // in later ones with products, which other changes set apart, too; the two
    // were not timed side by side.
    bool wholeRows = variant.getContiguous() && variant.getMultiple() > 1;
    // Tiles are counted by other numbers.
    bool tiled = variant.getContiguous() && !schedule.getTile().empty();
    if (variant.getIndexWidth() == 32 && !wholeRows && !tiled)
      for (uint32_t dim = 1; dim < dims; ++dim)
        args.push_back({Kind::Divisor, 0, dim, 64});
  };
  for (auto [index, type] : llvm::enumerate(operands))
    add(isa<ShapedType>(type) ? Kind::Pointer : Kind::Scalar, index, 0);

  if (uint32_t dims = variant.getDims()) {
    if (dims == 1)
      add(Kind::Count, 0, 0);
    else
      addSizes(dims);
    for (auto [index, type] : llvm::enumerate(operands))
      if (isa<ShapedType>(type) && maps[index].getNumResults())
        for (uint32_t dim = 0; dim < std::max(dims - 1, 1u); ++dim)
          add(Kind::Stride, index, dim);
    return args;
  }

  if (variant.getContiguous()) {
    uint32_t dims = schedule.getCollapse().size();
    if (dims <= 1) {
      add(Kind::Count, 0, 0);
      return args;
    }
    addSizes(dims);
    return args;
  }

  uint32_t loops = maps.front().getNumDims();
  addSizes(loops);
  // A loop that an operand's map does not name has a stride of 0 on any host.
  // No operand spans more elements than an index holds: strides have its width.
  for (uint32_t index = 0; index < operands.size(); ++index) {
    if (!isa<ShapedType>(operands[index]))
      continue;
    SmallVector<int32_t> dims = getDimOfLoop(maps[index]);
    for (uint32_t loop = 0; loop < loops; ++loop)
      if (dims[loop] >= 0)
        add(Kind::Stride, index, loop);
  }
  return args;
}
