//===- GoldenTest.cpp - Against values from elsewhere ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <map>

using namespace ew::reference;
using namespace ew::reference::test;

namespace {

std::vector<std::vector<std::string>> readTable(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path;
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
  const char *folder = std::getenv("EW_GOLDEN_DIR");
  if (!folder || !*folder)
    GTEST_SKIP() << "EW_GOLDEN_DIR does not say where NumPy's values are";
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (const auto &row : readTable(std::string(folder) + "/numpy_umath.tsv")) {
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

} // namespace
