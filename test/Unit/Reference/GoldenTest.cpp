//===- GoldenTest.cpp - Against values from elsewhere -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <map>

using namespace ew::reference;
using namespace ew::reference::test;

namespace {

std::vector<std::vector<std::string>> readTable(const std::string &name) {
  auto buffer = llvm::MemoryBuffer::getFile(EW_TEST_INPUTS "/" + name);
  EXPECT_TRUE(bool(buffer)) << name;
  std::vector<std::vector<std::string>> rows;
  if (!buffer)
    return rows;
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    llvm::SmallVector<llvm::StringRef> fields;
    line.split(fields, '\t');
    rows.emplace_back(fields.begin(), fields.end());
  }
  return rows;
}

/// Bits of finite numbers in the order of their values.
template <typename Bits>
Bits ordered(Bits bits) {
  Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  return bits & sign ? ~bits : bits | sign;
}

template <typename Bits>
void expectGolden(const std::string &op, ElementType type,
                  const std::vector<Bits> &operands,
                  const std::vector<Bits> &results, unsigned &misses) {
  Programs programs(plainOp(op, getName(type).str()));
  std::vector<Tensor> inputs = {makeTensor(type, operands)};
  Tensor golden = makeTensor(type, results);
  EXPECT_EQ(programs.check(inputs, {golden})[0].wrong, 0) << op;
  auto nominal = elementsOf<Bits>(programs.evaluate(inputs)[0]);
  auto isNaN = [](Bits bits) {
    Bits infinity =
        sizeof(Bits) == 4 ? Bits(0x7f800000) : Bits(0x7ff0000000000000);
    return (bits & ~(Bits(1) << (8 * sizeof(Bits) - 1))) > infinity;
  };
  for (size_t i = 0; i < results.size(); ++i) {
    if (nominal[i] == results[i] || (isNaN(nominal[i]) && isNaN(results[i])))
      continue;
    Bits a = ordered(nominal[i]), b = ordered(results[i]);
    EXPECT_LE(std::max(a, b) - std::min(a, b), 1u)
        << op << " of 0x" << llvm::utohexstr(operands[i]);
    ++misses;
  }
}

TEST(Golden, NumpyUmath) {
  struct Group {
    std::vector<uint64_t> operands, results;
  };
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const auto &row : readTable("numpy_umath.tsv")) {
    Group &group = groups[{row[0], row[1]}];
    group.operands.push_back(std::stoull(row[2], nullptr, 16));
    group.results.push_back(std::stoull(row[4], nullptr, 16));
  }
  EXPECT_EQ(groups.size(), 40u);
  unsigned misses = 0;
  for (const auto &[key, group] : groups) {
    if (key.second == "f64") {
      expectGolden(key.first, ElementType::F64, group.operands, group.results,
                   misses);
      continue;
    }
    std::vector<uint32_t> operands(group.operands.begin(),
                                   group.operands.end());
    std::vector<uint32_t> results(group.results.begin(), group.results.end());
    expectGolden(key.first, ElementType::F32, operands, results, misses);
  }
  // A few of the table's results are known to be off by one.
  EXPECT_LE(misses, 5u);
}

TEST(Golden, SpecialCases) {
  struct Group {
    std::vector<double> x, y, results;
  };
  std::map<std::string, Group> groups;
  for (const auto &row : readTable("array_api_special_cases.tsv")) {
    Group &group = groups[row[0]];
    group.x.push_back(std::strtod(row[1].c_str(), nullptr));
    if (row[2] != "-")
      group.y.push_back(std::strtod(row[2].c_str(), nullptr));
    group.results.push_back(std::strtod(row[3].c_str(), nullptr));
  }
  EXPECT_GE(groups.size(), 15u);
  for (const auto &[op, group] : groups) {
    bool isBinary = !group.y.empty();
    Programs programs(plainOp(op, "f64", isBinary ? 2 : 1));
    std::vector<Tensor> inputs = {f64(group.x)};
    if (isBinary)
      inputs.push_back(f64(group.y));
    auto nominal = elementsOf<double>(programs.evaluate(inputs)[0]);
    for (size_t i = 0; i < nominal.size(); ++i) {
      std::string what = op + " " + std::to_string(group.x[i]) + " " +
                         (isBinary ? std::to_string(group.y[i]) : "");
      double expected = group.results[i];
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(nominal[i])) << what;
        continue;
      }
      EXPECT_DOUBLE_EQ(nominal[i], expected) << what;
      EXPECT_EQ(std::signbit(nominal[i]), std::signbit(expected)) << what;
    }
  }
}

} // namespace
