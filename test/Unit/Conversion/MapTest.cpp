//===- MapTest.cpp - Raised linalg ops read what they did -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the indexing maps say is computed by loops in this file.
//
//===----------------------------------------------------------------------===//

#include "RaisingTest.h"

using namespace mlir;
using namespace ew::test;

namespace {

struct Operand {
  std::string map;
  std::vector<int64_t> shape;
};

/// The position of an element of a row-major tensor.
int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    position = position * size + i;
  return position;
}

/// The sum of inputs, each times a number of its own, plus the first loop's
/// index: raised and evaluated, and by loops over the maps.
class MapTest : public RaisingTest {
protected:
  void compare(std::vector<int64_t> loops, std::vector<Operand> inputs,
               Operand output, bool isDynamic) {
    std::string text = getText(loops, inputs, output, isDynamic);
    std::vector<ew::reference::Tensor> tensors;
    inputs.push_back(output);
    for (const Operand &operand : inputs)
      tensors.push_back(makeInput(operand.shape, tensors.size()));
    auto actual = raise(text, tensors);
    ASSERT_EQ(actual.size(), 1u);

    auto source = parseSourceString<ModuleOp>(text, &context);
    linalg::GenericOp generic;
    source->walk([&](linalg::GenericOp op) { generic = op; });
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    std::vector<int32_t> expected(actual[0].data.size() / 4, -1);
    int64_t count = 1;
    for (int64_t size : loops)
      count *= size;
    for (int64_t i = 0; i < count; ++i) {
      SmallVector<int64_t> index(loops.size());
      int64_t rest = i;
      for (int64_t d = loops.size() - 1; d >= 0; --d) {
        index[d] = rest % loops[d];
        rest /= loops[d];
      }
      int32_t sum = index.empty() ? 0 : index[0];
      for (size_t k = 0; k + 1 < inputs.size(); ++k) {
        int32_t value;
        memcpy(&value,
               tensors[k].data.data() +
                   4 * linearize(maps[k].compose(index), inputs[k].shape),
               4);
        sum += static_cast<int32_t>(k + 1) * value;
      }
      expected[linearize(maps.back().compose(index), output.shape)] = sum;
    }
    EXPECT_EQ(actual[0].data,
              std::string(reinterpret_cast<const char *>(expected.data()),
                          4 * expected.size()))
        << text;
  }

private:
  static ew::reference::Tensor makeInput(const std::vector<int64_t> &shape,
                                         int32_t seed) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    std::vector<int32_t> values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(1000 * seed + static_cast<int32_t>(i));
    return {ew::runtime::ElementType::I32, shape,
            std::string(reinterpret_cast<const char *>(values.data()),
                        4 * values.size())};
  }

  static std::string getText(const std::vector<int64_t> &loops,
                             const std::vector<Operand> &inputs,
                             const Operand &output, bool isDynamic) {
    auto getType = [&](const std::vector<int64_t> &shape) {
      std::string type = "tensor<";
      for (int64_t size : shape)
        type += (isDynamic && size != 1 ? "?" : std::to_string(size)) + "x";
      return type + "i32>";
    };
    std::string maps, arguments, names, types, blockArguments, body, iterators;
    for (size_t k = 0; k < inputs.size(); ++k) {
      std::string n = std::to_string(k), type = getType(inputs[k].shape);
      maps += "affine_map<" + inputs[k].map + ">, ";
      arguments += "%x" + n + ": " + type + ", ";
      names += (k ? ", %x" : "%x") + n;
      types += (k ? ", " : "") + type;
      blockArguments += "%a" + n + ": i32, ";
      body += "%k" + n + " = arith.constant " + std::to_string(k + 1) +
              " : i32\n%p" + n + " = arith.muli %a" + n + ", %k" + n +
              " : i32\n%s" + std::to_string(k + 1) + " = arith.addi %s" + n +
              ", %p" + n + " : i32\n";
    }
    for (size_t d = 0; d < loops.size(); ++d)
      iterators += d ? ", \"parallel\"" : "\"parallel\"";
    std::string start = loops.empty()
                            ? "%s0 = arith.constant 0 : i32\n"
                            : "%i = linalg.index 0 : index\n"
                              "%s0 = arith.index_cast %i : index to i32\n";
    std::string type = getType(output.shape);
    return "func.func @f(" + arguments + "%o: " + type + ") -> " + type +
           " {\n%r = linalg.generic {indexing_maps = [" + maps + "affine_map<" +
           output.map + ">], iterator_types = [" + iterators + "]} ins(" +
           names + " : " + types + ") outs(%o : " + type + ") {\n^bb0(" +
           blockArguments + "%out: i32):\n" + start + body + "linalg.yield %s" +
           std::to_string(inputs.size()) + " : i32\n} -> " + type +
           "\nreturn %r : " + type + "\n}\n";
  }
};

TEST_F(MapTest, Maps) {
  for (bool isDynamic : {false, true}) {
    compare({}, {{"() -> ()", {}}}, {"() -> ()", {}}, isDynamic);
    compare({5}, {{"(a) -> (a)", {5}}, {"(a) -> ()", {}}, {"(a) -> (0)", {1}}},
            {"(a) -> (a)", {5}}, isDynamic);
    compare({2, 3},
            {{"(a, b) -> (a, b)", {2, 3}},
             {"(a, b) -> (b, a)", {3, 2}},
             {"(a, b) -> (a)", {2}},
             {"(a, b) -> (b)", {3}},
             {"(a, b) -> (a, 0)", {2, 1}},
             {"(a, b) -> (0, b)", {1, 3}},
             {"(a, b) -> (0, a)", {1, 2}},
             {"(a, b) -> (b, 0)", {3, 1}},
             {"(a, b) -> (0)", {1}}},
            {"(a, b) -> (a, b)", {2, 3}}, isDynamic);
    // A transposed output.
    compare({2, 3}, {{"(a, b) -> (a, b)", {2, 3}}, {"(a, b) -> (a)", {2}}},
            {"(a, b) -> (b, a)", {3, 2}}, isDynamic);
    // Every order of three loops for the output, and all kinds of inputs.
    for (const Operand &output :
         std::vector<Operand>{{"(a, b, c) -> (a, b, c)", {2, 3, 4}},
                              {"(a, b, c) -> (a, c, b)", {2, 4, 3}},
                              {"(a, b, c) -> (b, a, c)", {3, 2, 4}},
                              {"(a, b, c) -> (b, c, a)", {3, 4, 2}},
                              {"(a, b, c) -> (c, a, b)", {4, 2, 3}},
                              {"(a, b, c) -> (c, b, a)", {4, 3, 2}}})
      compare({2, 3, 4},
              {{"(a, b, c) -> (c, a, b)", {4, 2, 3}},
               {"(a, b, c) -> (b, c, a)", {3, 4, 2}},
               {"(a, b, c) -> (c, a)", {4, 2}},
               {"(a, b, c) -> (b)", {3}},
               {"(a, b, c) -> (0, c, a)", {1, 4, 2}},
               {"(a, b, c) -> (c, 0, 0)", {4, 1, 1}},
               {"(a, b, c) -> (a, 0)", {2, 1}},
               {"(a, b, c) -> ()", {}}},
              output, isDynamic);
    // Nothing to do, and a loop of one step.
    compare({0, 3}, {{"(a, b) -> (b)", {3}}}, {"(a, b) -> (a, b)", {0, 3}},
            isDynamic);
    compare({1, 3}, {{"(a, b) -> (b)", {3}}, {"(a, b) -> (a)", {1}}},
            {"(a, b) -> (a, b)", {1, 3}}, isDynamic);
  }
}

} // namespace
