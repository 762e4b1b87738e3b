//===- Implementations.cpp - The table of implementations -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Implementations.h"

using namespace mlir;
using namespace ew;
using namespace ew::math;

Kinds ew::math::getKind(Type element) {
  if (element.isF32())
    return F32;
  if (element.isF64())
    return F64;
  if (isa<FloatType>(element))
    return Narrow;
  return element.isInteger(1) ? Bool : Int;
}

const Implementations &Implementations::get() {
  static const Implementations table = [] {
    Implementations result;
    auto add = [&](void (*group)(Implementations &), StringRef name) {
      group(result);
      result.nameRest(name);
    };
    add(addArithmetic, "IEEE 754 operations");
    add(addIntegers, "integer operations");
    add(addCasts, "a conversion");
    add(addActivations, "IEEE 754 operations");
    add(addErrorFunctions, "IEEE 754 operations");
    add(addExponentials, "IEEE 754 operations");
    add(addHardware, "approximations of the hardware");
    add(addDefault, "approximations of the hardware");
    add(addFast, "approximations of the hardware");
    add(addHyperbolic, "IEEE 754 operations");
    add(addNarrow, "as many steps as 16 bits take");
    add(addPhilox, "integer operations");
    add(addPower, "operations of f64");
    add(addTrigonometry, "IEEE 754 operations");
    add(addComposites, "functions of f64 of a library");
    add(addLibrary, "a function of f64 of a library");
    add(addLibraryF32, "libdevice");
    return result;
  }();
  return table;
}

void Implementations::nameRest(StringRef name) {
  for (auto &entry : table)
    for (Implementation &implementation : entry.second)
      if (implementation.name.empty())
        implementation.name = name;
}

StringRef Implementations::getName(Operation *op) {
  auto philox = dyn_cast<PhiloxAtOp>(op);
  if (philox && philox.getDistribution() == Distribution::normal)
    return kNormalPhilox;
  return op->getName().getStringRef();
}

const Implementation *Implementations::select(StringRef op, Kinds kind,
                                              Target target, double bound,
                                              const Allowed &allowed) const {
  auto found = table.find(op);
  if (found == table.end())
    return nullptr;
  const Implementation *best = nullptr;
  for (const Implementation &candidate : found->second) {
    if (!(candidate.kinds & kind) ||
        !(candidate.targets & (target == Target::CPU ? OnCPU : OnNVPTX)))
      continue;
    if (candidate.library && allowed.library)
      return &candidate;
    if (candidate.library || (candidate.rounded && !allowed.rounded) ||
        (candidate.approximate && !allowed.approximate) ||
        (candidate.relative && !allowed.relative) ||
        candidate.absolute > allowed.absolute ||
        candidate.bound > (candidate.rounded ? 1.0 : bound))
      continue;
    if (!best || candidate.cost < best->cost)
      best = &candidate;
  }
  return best;
}

std::optional<double> Implementations::getLeastBound(StringRef op, Kinds kind,
                                                     Target target,
                                                     bool approximate) const {
  std::optional<double> least;
  auto found = table.find(op);
  if (found == table.end())
    return least;
  for (const Implementation &candidate : found->second)
    if ((candidate.kinds & kind) &&
        (candidate.targets & (target == Target::CPU ? OnCPU : OnNVPTX)) &&
        (approximate || !candidate.approximate) && !candidate.library &&
        !candidate.rounded && !candidate.relative && !candidate.absolute &&
        (!least || candidate.bound < *least))
      least = candidate.bound;
  return least;
}
