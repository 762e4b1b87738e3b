//===- Selection.cpp - Which implementation an op gets --------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Selection.h"

#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Math/Arithmetic.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace ew;
using namespace ew::math;

static bool isRoundedAtOnce(Operation *op) {
  auto is16Bit = [](Type type) {
    Type element = ew::getElementType(type);
    return element.isF16() || element.isBF16();
  };
  // A bound of its own holds before the rounding.
  if (op->hasAttr(kErrorBoundAttr) || op->use_empty())
    return false;
  return is16Bit(op->getResult(0).getType()) ||
         llvm::all_of(op->getUsers(), [&](Operation *user) {
           // A negation errs by nothing.
           if (isa<NegOp>(user))
             return isRoundedAtOnce(user);
           auto cast = dyn_cast<CastOp>(user);
           return cast && is16Bit(cast.getType()) && !cast.getSaturate() &&
                  cast.getRound().value_or(RoundingMode::nearest_even) ==
                      RoundingMode::nearest_even;
         });
}

Type ew::math::getSelectionType(Operation *op) {
  return ew::getElementType(isa<SelectOp>(op) ? op->getResult(0).getType()
                                              : op->getOperand(0).getType());
}

Choice Selector::choose(Operation *op) const {
  Mode here = getMode(op, mode);
  Choice choice;
  // Every implementation of an exact op is one, whatever it states; what is
  // rounded keeps no less than 0.5.
  choice.bound = getErrorBound(op, here);
  if (getDefaultErrorBound(op) == 0 || !op->hasAttr(kErrorBoundAttr))
    choice.bound = std::max(choice.bound, 0.5);
  choice.approximate = here != Mode::Strict;
  Implementations::Allowed allowed;
  allowed.approximate = choice.approximate;
  allowed.library = library;
  allowed.relative = isBoundRelative(op, here);
  allowed.absolute = getAbsoluteErrorBound(op, here);
  allowed.rounded = choice.approximate && !library && isRoundedAtOnce(op);
  const Implementations &table = Implementations::get();
  StringRef name = Implementations::getName(op);
  Kinds kind = getKind(getSelectionType(op));
  choice.implementation =
      table.select(name, kind, target, choice.bound, allowed);
  // Arithmetic on a narrow float is done in f32 and rounded.
  if (!choice.implementation && kind == Narrow) {
    choice.implementation =
        table.select(name, F32, target, choice.bound, allowed);
    choice.throughF32 = true;
  }
  return choice;
}

std::string ew::math::describeMissing(Operation *op, const Selector &selector,
                                      Type from, StringRef where) {
  Mode here = getMode(op, selector.mode);
  double wanted = getErrorBound(op, here);
  StringRef name = Implementations::getName(op);
  auto least = [&](Kinds kind, bool approximate) {
    const Implementations &table = Implementations::get();
    auto bound = table.getLeastBound(name, kind, selector.target, approximate);
    // Arithmetic on a narrow float is done in f32.
    return bound || kind != Narrow
               ? bound
               : table.getLeastBound(name, F32, selector.target, approximate);
  };
  Kinds kind = getKind(from);
  std::optional<double> best = least(kind, here != Mode::Strict);
  if (!best)
    return (" " + where).str();
  std::string text = " within " + describeUlps(wanted) + " " + where.str();
  llvm::raw_string_ostream os(text);
  os << llvm::format(": the best is within %g", *best);
  if (std::optional<double> other = least(kind, true); *other < *best)
    os << llvm::format(", and in the modes default and fast within %g", *other);
  for (auto [type, typeName] : {std::pair(F32, "f32"), {F64, "f64"}}) {
    std::optional<double> there = least(type, here != Mode::Strict);
    if (type != kind && there && *there <= wanted)
      os << llvm::format("; on %s there is one within %g", typeName, *there);
  }
  return text;
}

std::string ew::math::describe(Operation *op, const Choice &choice) {
  std::string text = op->getName().stripDialect().str();
  if (!choice.implementation)
    return text + ": none";
  const Implementation &row = *choice.implementation;
  llvm::raw_string_ostream os(text);
  os << ": " << row.name << ", ";
  if (row.library)
    os << "no bound";
  else if (row.bound == 0)
    os << "exact";
  else if (row.bound == 0.5)
    os << "correctly rounded";
  else if (row.relative)
    os << "a relative error of 2^" << std::ilogb(row.bound) - 23;
  else
    os << llvm::format("%g ulp", row.bound)
       << (row.rounded ? " once rounded to 16 bits" : "");
  if (row.absolute > 0)
    os << ", or an absolute one of 2^" << std::ilogb(row.absolute);
  return text;
}

std::vector<std::string>
ew::describeArithmetic(Block &body, const ArithmeticTarget &target) {
  Selector selector;
  selector.target = target.isGPU ? Target::NVPTX : Target::CPU;
  selector.mode = target.mode;
  selector.library = target.library;
  std::vector<std::string> lines;
  for (Operation &op : body) {
    if (!isa_and_nonnull<EwDialect>(op.getDialect()) ||
        op.getNumResults() != 1 || op.getNumOperands() == 0 ||
        !isa<FloatType>(ew::getElementType(op.getResult(0).getType())))
      continue;
    Choice choice = selector.choose(&op);
    if (choice.implementation)
      lines.push_back(describe(&op, choice));
  }
  return lines;
}
