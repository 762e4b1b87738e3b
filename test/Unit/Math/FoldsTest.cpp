//===- FoldsTest.cpp - Folding and simplification keep every bit ----------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op on every type: what its folder makes of constants, and what folding
// and canonicalization make of an op one of whose operands is a constant or
// another op, against the oracle in strict mode.
//
//===----------------------------------------------------------------------===//

#include "../TestContext.h"
#include "SpecialValues.h"
#include "ew/Pipelines/BuildPlan.h"
#include "ew/Runtime/Element.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace ew;
using namespace ew::test;
namespace rt = ew::runtime;
namespace ref = ew::reference;

namespace {

Attribute toAttribute(Type type, uint64_t bits) {
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(floating, APFloat(floating.getFloatSemantics(),
                                            APInt(floating.getWidth(), bits)));
  return IntegerAttr::get(type, APInt(type.getIntOrFloatBitWidth(), bits));
}

class Folds : public ::testing::TestWithParam<int> {
protected:
  Folds() {
    context.loadAllAvailableDialects();
    element = getElementTypes(&context)[GetParam()];
  }

  /// The oracle's results, in bits.
  std::vector<uint64_t> evaluate(func::FuncOp function,
                                 const Columns &columns) {
    std::vector<ref::Tensor> inputs;
    std::vector<ref::TensorView> views;
    for (auto [type, column] : llvm::zip(function.getArgumentTypes(), columns))
      inputs.push_back(
          makeTensor(*getRuntimeType(getElementType(type)), column));
    for (ref::Tensor &input : inputs)
      views.push_back(input.view());
    ref::Options options;
    options.mode = ref::Mode::Strict;
    options.threads = 1;
    auto results = ref::evaluate(function, views, options);
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return {};
    }
    const ref::Tensor &result = results->front();
    std::vector<uint64_t> bits;
    for (size_t i = 0; i < result.data.size();
         i += rt::getByteWidth(result.type))
      bits.push_back(rt::loadElement(result.data.data() + i, result.type));
    return bits;
  }

  /// The same function twice: as it is, and in a module that is simplified.
  struct Twins {
    const OpSpec *spec;
    func::FuncOp before, after;
  };

  /// Adds the program of an op, after `change`, which is told its argument at
  /// `position` and where its body begins.
  Twins addTwins(const OpSpec &spec, size_t position,
                 llvm::function_ref<void(BlockArgument, OpBuilder &)> change) {
    Twins twins{&spec, {}, {}};
    std::string name = "f" + std::to_string(numTwins++);
    for (ModuleOp module : {*plain, *simplified}) {
      OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
      auto function = buildProgram(builder, spec, name);
      OpBuilder body = OpBuilder::atBlockBegin(&function.front());
      change(function.getArgument(position), body);
      (module == *plain ? twins.before : twins.after) = function;
    }
    return twins;
  }

  LogicalResult simplify() {
    PassManager pm(&context);
    pm.addPass(createCanonicalizerPass());
    return pm.run(*simplified);
  }

  /// What the simplified one computes has the other one's bits.
  void expectSameBits(const Twins &twins, const Columns &columns,
                      const std::string &with) {
    std::vector<uint64_t> expected = evaluate(twins.before, columns);
    std::vector<uint64_t> actual = evaluate(twins.after, columns);
    ASSERT_EQ(expected.size(), actual.size());
    for (size_t at = 0; at < expected.size(); ++at)
      if (!isSame(twins.spec->result, expected[at], actual[at])) {
        ADD_FAILURE() << show(*twins.spec, columns, at) << ", " << with
                      << ": simplified to 0x" << llvm::utohexstr(actual[at])
                      << ", the oracle says 0x"
                      << llvm::utohexstr(expected[at]);
        return;
      }
  }

  std::string show(const OpSpec &spec, const Columns &columns, size_t at) {
    std::string text = spec.label + " of";
    for (auto [type, column] : llvm::zip(spec.operands, columns))
      text += " " + rt::formatElement(column[at], *getRuntimeType(type));
    return text;
  }

  test::TestContext context;
  Type element;
  OwningOpRef<ModuleOp> plain = ModuleOp::create(UnknownLoc::get(&context)),
                        simplified =
                            ModuleOp::create(UnknownLoc::get(&context));
  size_t numTwins = 0;
};

/// The bits of a folded number, or nothing.
std::optional<uint64_t> getBits(OpFoldResult folded) {
  auto attribute = dyn_cast_or_null<Attribute>(folded);
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return number.getValue().bitcastToAPInt().getZExtValue();
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return number.getValue().getZExtValue();
  return std::nullopt;
}

TEST_P(Folds, OfConstantsAreTheOraclesResults) {
  std::vector<OpSpec> specs = getOpSpecs(element);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  size_t folded = 0;
  for (auto [i, spec] : llvm::enumerate(specs)) {
    func::FuncOp function =
        buildProgram(builder, spec, "f" + std::to_string(i));
    Columns columns = makeColumns(spec.operands, 500);
    std::vector<uint64_t> expected = evaluate(function, columns);
    // On numbers, not on constants: no identity of the folder's comes in
    // between.
    Block block;
    for (Type operand : spec.operands)
      block.addArgument(operand, builder.getUnknownLoc());
    OpBuilder inBlock(&context);
    inBlock.setInsertionPointToEnd(&block);
    Operation *op = spec.build(inBlock, block.getArguments()).getDefiningOp();
    size_t before = folded;
    for (size_t at = 0; at < expected.size(); ++at) {
      SmallVector<Attribute> operands;
      for (auto [type, column] : llvm::zip(spec.operands, columns))
        operands.push_back(toAttribute(type, column[at]));
      SmallVector<OpFoldResult> results;
      if (failed(op->fold(operands, results)) || results.empty())
        continue;
      std::optional<uint64_t> bits = getBits(results.front());
      if (!bits)
        continue;
      ++folded;
      EXPECT_TRUE(isSame(spec.result, *bits, expected[at]))
          << show(spec, columns, at) << ": folded to 0x"
          << llvm::utohexstr(*bits) << ", the oracle says 0x"
          << llvm::utohexstr(expected[at]);
    }
    // Inexact results of narrow types are left to be computed, all others are
    // not.
    bool isNarrow =
        isa<FloatType>(spec.result) && spec.result.getIntOrFloatBitWidth() < 32;
    if (folded != before && !isNarrow)
      EXPECT_EQ(folded - before, expected.size())
          << spec.label << " is folded for some values only";
  }
  RecordProperty("folded", std::to_string(folded));
  EXPECT_GT(folded, element.isInteger(1) ? 40u : 5000u);
}

TEST_P(Folds, OfOneConstantKeepEveryBit) {
  std::vector<OpSpec> specs = getOpSpecs(element);
  Location loc = UnknownLoc::get(&context);
  struct Case {
    Twins twins;
    size_t position;
    uint64_t constant;
  };
  std::vector<Case> cases;
  for (const OpSpec &spec : specs) {
    if (spec.operands.size() == 1)
      continue;
    for (size_t position = 0; position < spec.operands.size(); ++position) {
      Type type = spec.operands[position];
      std::mt19937_64 rng(1);
      std::vector<uint64_t> constants =
          getValues(*getRuntimeType(type), 0, rng);
      // Of 8 bits there are all; the others have dozens.
      for (size_t i = 0; i < constants.size();
           i += constants.size() > 200 ? 5 : 1) {
        auto fix = [&](BlockArgument argument, OpBuilder &body) {
          Value constant = ConstantOp::create(
              body, loc, type,
              cast<TypedAttr>(toAttribute(type, constants[i])));
          // The other operand gives the shape.
          Value like = argument.getOwner()->getArgument(position == 0 ? 1 : 0);
          argument.replaceAllUsesWith(BroadcastOp::create(
              body, loc, argument.getType(), constant, like));
        };
        cases.push_back(
            {addTwins(spec, position, fix), position, constants[i]});
      }
    }
  }
  ASSERT_TRUE(succeeded(simplify()));
  size_t changed = 0;
  for (const Case &c : cases) {
    // What was not simplified says nothing new.
    func::FuncOp after = c.twins.after;
    const OpSpec &spec = *c.twins.spec;
    Operation *result =
        after.front().getTerminator()->getOperand(0).getDefiningOp();
    if (result && result->getName().getStringRef() == spec.op &&
        result->getNumOperands() == spec.operands.size())
      continue;
    ++changed;
    Columns columns = makeColumns(spec.operands, 150);
    std::fill(columns[c.position].begin(), columns[c.position].end(),
              c.constant);
    expectSameBits(c.twins, columns,
                   "with operand " + std::to_string(c.position) + " known");
  }
  RecordProperty("changed", std::to_string(changed));
  EXPECT_GT(changed, 0u);
}

TEST_P(Folds, OfTwoOpsKeepEveryBit) {
  std::vector<OpSpec> specs = getOpSpecs(element);
  struct Case {
    Twins twins;
    const OpSpec *inner;
  };
  std::vector<Case> cases;
  for (const OpSpec &inner : specs) {
    if (inner.operands.size() != 1 || inner.result != element ||
        inner.op == CastOp::getOperationName())
      continue;
    // What folds of several operands look for.
    bool isSign = inner.op == NegOp::getOperationName() ||
                  inner.op == AbsOp::getOperationName() ||
                  inner.op == NotOp::getOperationName();
    for (const OpSpec &outer : specs) {
      if (outer.operands.size() > 1 && !isSign)
        continue;
      for (size_t position = 0; position < outer.operands.size(); ++position) {
        if (outer.operands[position] != element)
          continue;
        auto nest = [&](BlockArgument argument, OpBuilder &body) {
          Value value = inner.build(body, argument);
          argument.replaceAllUsesExcept(value, value.getDefiningOp());
        };
        cases.push_back({addTwins(outer, position, nest), &inner});
      }
    }
  }
  ASSERT_TRUE(succeeded(simplify()));
  size_t changed = 0;
  for (const Case &c : cases) {
    // What was not simplified says nothing new.
    auto names = [](func::FuncOp function) {
      std::vector<llvm::StringRef> names;
      for (Operation &op : function.front())
        names.push_back(op.getName().getStringRef());
      return names;
    };
    if (names(c.twins.before) == names(c.twins.after))
      continue;
    ++changed;
    expectSameBits(c.twins, makeColumns(c.twins.spec->operands, 150),
                   "one of them through " + c.inner->label);
  }
  RecordProperty("changed", std::to_string(changed));
  EXPECT_GT(changed, 0u);
}

INSTANTIATE_TEST_SUITE_P(Types, Folds, ::testing::Range(0, 15),
                         [](const auto &info) {
                           MLIRContext context;
                           std::string text;
                           llvm::raw_string_ostream(text)
                               << getElementTypes(&context)[info.param];
                           return text;
                         });

} // namespace
