//===- AccuracyDocTest.cpp - docs/Accuracy.md tells the truth -------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EwOps.h"
#include "Functions.h"
#include "ew/Dialect/Ew/IR/ErrorBound.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace ew::reference;

namespace {

/// The bound of an op of this name with a result of f32.
double getBound(mlir::MLIRContext &context, llvm::StringRef name,
                mlir::NamedAttrList attributes = {},
                ew::Mode mode = ew::Mode::Default) {
  mlir::Builder builder(&context);
  mlir::OperationState state(builder.getUnknownLoc(), name);
  state.addTypes(builder.getF32Type());
  state.addAttributes(attributes);
  mlir::Operation *op = mlir::Operation::create(state);
  double bound = ew::getErrorBound(op, mode);
  op->destroy();
  return bound;
}

/// Rows by bound, of the ops for which `isListed`.
template <typename IsListed>
void expectTable(std::string table, ew::Mode mode, IsListed isListed) {
  mlir::MLIRContext context;
  context.loadDialect<ew::EwDialect>();
  std::map<double, std::set<std::string>> rows;
  for (mlir::RegisteredOperationName name : ew::test::getEwOps(context)) {
    llvm::StringRef op = name.getStringRef();
    if ((getFunction(op) || op == "ew.lerp" || op == "ew.cast" ||
         op == "ew.select") &&
        isListed(context, op))
      rows[getBound(context, op, {}, mode)].insert(op.drop_front(3).str());
  }
  for (const auto &[bound, ops] : rows) {
    llvm::raw_string_ostream os(table);
    os << llvm::format("| %g |", bound);
    for (const std::string &op : ops)
      os << " `" << op << "`";
    os << " |\n";
  }

  auto doc = llvm::MemoryBuffer::getFile(EW_DOCS "/Accuracy.md");
  ASSERT_TRUE(bool(doc));
  EXPECT_NE((*doc)->getBuffer().find(table), llvm::StringRef::npos)
      << "the table must be\n"
      << table;
}

TEST(Accuracy, TheTableOfBoundsIsUpToDate) {
  expectTable("| ulps | ops |\n|---|---|\n", ew::Mode::Default,
              [](mlir::MLIRContext &, llvm::StringRef) { return true; });
}

TEST(Accuracy, TheTableOfFastBoundsIsUpToDate) {
  expectTable("| times 2^-23 | ops |\n|---|---|\n", ew::Mode::Fast,
              [](mlir::MLIRContext &context, llvm::StringRef op) {
                return getBound(context, op, {}, ew::Mode::Fast) !=
                       getBound(context, op);
              });
}

TEST(Accuracy, BoundsOfSingleOps) {
  mlir::MLIRContext context;
  context.loadDialect<ew::EwDialect>();
  EXPECT_EQ(getBound(context, "ew.add"), 0.5);
  EXPECT_EQ(getBound(context, "ew.max"), 0);
  EXPECT_EQ(getBound(context, "ew.sin"), 2);
  EXPECT_EQ(getBound(context, "ew.sin", {}, ew::Mode::Fast), 8);
  EXPECT_EQ(getBound(context, "ew.add", {}, ew::Mode::Fast), 0.5);
  mlir::Builder builder(&context);
  mlir::NamedAttrList attributes;
  attributes.set(ew::kErrorBoundAttr, builder.getF64FloatAttr(4));
  EXPECT_EQ(getBound(context, "ew.sin", attributes), 4);
  EXPECT_EQ(getBound(context, "ew.sin", attributes, ew::Mode::Fast), 4);
}

} // namespace
