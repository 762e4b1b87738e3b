//===- FoldTest.cpp - Raised arith and math ops mean what they did --------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Their meaning is taken from MLIR's own folding; what was raised is evaluated
// by the oracle.
//
//===----------------------------------------------------------------------===//

#include "RaisingTest.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ew::test;

namespace {

class FoldTest : public RaisingTest {
protected:
  /// A function of constants: `body` computes %r from %x and %y.
  void compare(const std::string &x, const std::string &y,
               const std::string &body, const std::string &type) {
    std::string text = "func.func @f() -> " + type +
                       " {\n  %x = arith.constant " + x + "\n" +
                       (y.empty() ? "" : "  %y = arith.constant " + y + "\n") +
                       "  " + body + "\n  return %r : " + type + "\n}\n";
    auto folded = parse(text, createCanonicalizerPass());
    Value result = getFunction(*folded).front().getTerminator()->getOperand(0);
    DenseElementsAttr expected;
    ASSERT_TRUE(matchPattern(result, m_Constant(&expected)))
        << "not folded: " << body;
    auto actual = raise(text);
    ASSERT_EQ(actual.size(), 1u);
    EXPECT_EQ(toBytes(expected), toBytes(actual[0], expected.getElementType()))
        << text;
  }

  void compareBinary(const std::string &op, const std::string &element,
                     const std::pair<Values, Values> &values,
                     const std::string &result) {
    std::string n = std::to_string(values.first.size());
    compare(dense(values.first, element), dense(values.second, element),
            "%r = " + op + " %x, %y : tensor<" + n + "x" + element + ">",
            "tensor<" + n + "x" + result + ">");
  }

  void compareCast(const std::string &op, const Values &values,
                   const std::string &from, const std::string &to) {
    std::string n = std::to_string(values.size());
    compare(dense(values, from), "",
            "%r = " + op + " %x : tensor<" + n + "x" + from + "> to tensor<" +
                n + "x" + to + ">",
            "tensor<" + n + "x" + to + ">");
  }
};

TEST_F(FoldTest, IntegerArithmetic) {
  for (std::string type : {"i1", "i8", "i32", "i64"})
    for (std::string op : {"addi", "subi", "muli", "andi", "ori", "xori",
                           "maxsi", "minsi", "maxui", "minui"})
      compareBinary("arith." + op, type, pairs(integers(type)), type);
}

TEST_F(FoldTest, IntegerDivision) {
  for (std::string type : {"i8", "i32", "i64"}) {
    std::string least = integers(type)[0];
    auto values = pairs(integers(type), [&](StringRef a, StringRef b) {
      return b != "0" && !(a == least && b == "-1");
    });
    for (std::string op :
         {"divsi", "divui", "remsi", "remui", "floordivsi", "ceildivui"})
      compareBinary("arith." + op, type, values, type);
    // MLIR folds the least integer's quotients only where its detours allow.
    auto smaller = pairs(integers(type), [&](StringRef a, StringRef b) {
      return b != "0" && a != least && b != least;
    });
    compareBinary("arith.ceildivsi", type, smaller, type);
  }
}

TEST_F(FoldTest, Shifts) {
  for (std::string type : {"i8", "i32", "i64"}) {
    auto values = pairs(integers(type), [](StringRef, StringRef b) {
      return b == "0" || b == "1" || b == "2" || b == "7" || b == "5" ||
             b == "3";
    });
    for (std::string op : {"shli", "shrsi", "shrui"})
      compareBinary("arith." + op, type, values, type);
  }
}

TEST_F(FoldTest, IntegerComparison) {
  for (std::string type : {"i1", "i8", "i64"})
    for (std::string predicate :
         {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"})
      compareBinary("arith.cmpi " + predicate + ",", type,
                    pairs(integers(type)), "i1");
}

TEST_F(FoldTest, FloatingPoint) {
  for (std::string type : {"f32", "f64", "bf16"}) {
    auto values = pairs(floats(type));
    for (std::string op :
         {"addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf"})
      compareBinary("arith." + op, type, values, type);
    // Zeros of different signs are left open there.
    auto ordered = pairs(floats(type), [&](StringRef a, StringRef b) {
      return a == b || !StringRef("08").contains(a[2]) ||
             a.drop_front(3).find_first_not_of('0') != StringRef::npos;
    });
    for (std::string op : {"maxnumf", "minnumf"})
      compareBinary("arith." + op, type, ordered, type);
  }
}

TEST_F(FoldTest, IntegerConversions) {
  std::vector<std::string> types = {"i1", "i8", "i16", "i32", "i64"};
  for (size_t from = 0; from < types.size(); ++from)
    for (size_t to = from + 1; to < types.size(); ++to) {
      compareCast("arith.extsi", integers(types[from]), types[from], types[to]);
      compareCast("arith.extui", integers(types[from]), types[from], types[to]);
      compareCast("arith.trunci", integers(types[to]), types[to], types[from]);
    }
}

TEST_F(FoldTest, ConversionsToFloatingPoint) {
  for (std::string from : {"i1", "i8", "i16", "i32", "i64"})
    for (std::string to : {"bf16", "f32", "f64"}) {
      compareCast("arith.sitofp", integers(from), from, to);
      compareCast("arith.uitofp", integers(from), from, to);
    }
  for (std::string from : {"f16", "bf16"})
    compareCast("arith.extf", floats(from), from, "f32");
}

TEST_F(FoldTest, ConversionsToIntegers) {
  // Out of range, MLIR says nothing, and ew saturates.
  Values inRange = {"0.0",  "-0.0", "0.99", "-0.99", "1.5",
                    "-1.5", "2.5",  "99.9", "-99.9"};
  for (std::string to : {"i8", "i32", "i64"})
    compareCast("arith.fptosi", inRange, "f32", to);
  for (std::string to : {"i8", "i32", "i64"})
    compareCast("arith.fptoui", {"0.0", "0.99", "1.5", "2.5", "200.7"}, "f32",
                to);
  compareCast("arith.fptosi", {"0.0", "0.99", "-0.99", "-1.0"}, "f32", "i1");
  compareCast("arith.fptoui", {"0.0", "0.99", "-0.99", "1.0"}, "f32", "i1");
}

TEST_F(FoldTest, Bitcast) {
  Values numbers = floats("f32");
  numbers.pop_back(); // a NaN's bits are the canonical ones in ew
  compareCast("arith.bitcast", numbers, "f32", "i32");
  compareCast("arith.bitcast", integers("i32"), "i32", "f32");
}

TEST_F(FoldTest, Math) {
  auto unary = [&](const std::string &op, const Values &values,
                   const std::string &type) {
    std::string tensor =
        "tensor<" + std::to_string(values.size()) + "x" + type + ">";
    compare(dense(values, type), "", "%r = math." + op + " %x : " + tensor,
            tensor);
  };
  for (std::string op :
       {"absf", "ceil", "floor", "trunc", "round", "roundeven"})
    unary(op, floats("f32"), "f32");
  for (std::string op : {"absi", "ctlz", "cttz", "ctpop"})
    for (std::string type : {"i8", "i32", "i64"})
      unary(op, integers(type), type);
  compareBinary("math.copysign", "f32",
                pairs(floats("f32"),
                      [](StringRef, StringRef b) { return b != "0x7FC00000"; }),
                "f32");
}

//===----------------------------------------------------------------------===//
// What MLIR does not fold
//===----------------------------------------------------------------------===//

std::vector<APFloat> toFloats(const Values &bits, FloatType type) {
  std::vector<APFloat> result;
  for (const std::string &word : bits)
    result.emplace_back(
        type.getFloatSemantics(),
        APInt(type.getWidth(), StringRef(word).drop_front(2), 16));
  return result;
}

TEST_F(RaisingTest, FloatingPointComparison) {
  auto [x, y] = pairs(floats("f32"));
  auto type = Float32Type::get(&context);
  std::vector<APFloat> a = toFloats(x, type), b = toFloats(y, type);
  for (uint64_t i = 0; i <= arith::getMaxEnumValForCmpFPredicate(); ++i) {
    auto predicate = static_cast<arith::CmpFPredicate>(i);
    std::string n = std::to_string(x.size());
    auto results = raise(
        "func.func @f() -> tensor<" + n + "xi1> {\n%x = arith.constant " +
        dense(x, "f32") + "\n%y = arith.constant " + dense(y, "f32") +
        "\n%r = arith.cmpf " + arith::stringifyCmpFPredicate(predicate).str() +
        ", %x, %y : tensor<" + n + "xf32>\nreturn %r : tensor<" + n +
        "xi1>\n}");
    ASSERT_EQ(results.size(), 1u);
    for (size_t k = 0; k < a.size(); ++k)
      EXPECT_EQ(results[0].data[k],
                arith::applyCmpPredicate(predicate, a[k], b[k]))
          << arith::stringifyCmpFPredicate(predicate).str() << " " << x[k]
          << " " << y[k];
  }
}

TEST_F(RaisingTest, RoundedConversions) {
  struct Mode {
    std::string name;
    APFloat::roundingMode rounding;
  };
  auto f32 = Float32Type::get(&context);
  for (FloatType to : {FloatType(Float16Type::get(&context)),
                       FloatType(BFloat16Type::get(&context)),
                       FloatType(Float8E5M2Type::get(&context)),
                       FloatType(Float8E4M3FNType::get(&context))})
    for (const Mode &mode :
         {Mode{"", APFloat::rmNearestTiesToEven},
          Mode{" downward", APFloat::rmTowardNegative},
          Mode{" upward", APFloat::rmTowardPositive},
          Mode{" toward_zero", APFloat::rmTowardZero},
          Mode{" to_nearest_away", APFloat::rmNearestTiesToAway}}) {
      Values values = floats("f32");
      std::string n = std::to_string(values.size()), type;
      llvm::raw_string_ostream(type) << to;
      auto results = raise("func.func @f() -> tensor<" + n + "x" + type +
                           "> {\n%x = arith.constant " + dense(values, "f32") +
                           "\n%r = arith.truncf %x" + mode.name + " : tensor<" +
                           n + "xf32> to tensor<" + n + "x" + type +
                           ">\nreturn %r : tensor<" + n + "x" + type + ">\n}");
      ASSERT_EQ(results.size(), 1u);
      SmallVector<APFloat> expected;
      for (APFloat value : toFloats(values, f32)) {
        bool losesInfo;
        value.convert(to.getFloatSemantics(), mode.rounding, &losesInfo);
        expected.push_back(value);
      }
      auto tensor = RankedTensorType::get(expected.size(), to);
      EXPECT_EQ(toBytes(DenseElementsAttr::get(tensor, expected)),
                toBytes(results[0], to))
          << type << mode.name;
    }
}

TEST_F(RaisingTest, CeilingOfTheLeastIntegers) {
  auto results = raise(R"(
    func.func @f() -> (tensor<4xi64>, tensor<3xi8>) {
      %x = arith.constant dense<[-9223372036854775808, -9223372036854775808, 1, -1]> : tensor<4xi64>
      %y = arith.constant dense<[1189465982, 1, -9223372036854775808, -9223372036854775808]> : tensor<4xi64>
      %0 = arith.ceildivsi %x, %y : tensor<4xi64>
      %a = arith.constant dense<[-128, 127, -128]> : tensor<3xi8>
      %b = arith.constant dense<[7, 7, -128]> : tensor<3xi8>
      %1 = arith.ceildivsi %a, %b : tensor<3xi8>
      return %0, %1 : tensor<4xi64>, tensor<3xi8>
    })");
  ASSERT_EQ(results.size(), 2u);
  const int64_t wide[] = {-7754212542, INT64_MIN, 0, 1};
  EXPECT_EQ(results[0].data,
            std::string(reinterpret_cast<const char *>(wide), sizeof(wide)));
  EXPECT_EQ(results[1].data, std::string("\xEE\x13\x01")); // -18, 19, 1
}

TEST_F(RaisingTest, TwoResults) {
  auto results = raise(R"(
    func.func @f() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi1>) {
      %x = arith.constant dense<[-128, 100, -1]> : tensor<3xi8>
      %y = arith.constant dense<[2, 100, -1]> : tensor<3xi8>
      %0, %1 = arith.mulsi_extended %x, %y : tensor<3xi8>
      %2, %3 = arith.mului_extended %x, %y : tensor<3xi8>
      %4, %5 = arith.addui_extended %x, %y : tensor<3xi8>, tensor<3xi1>
      return %0, %1, %2, %3, %4, %5 : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi1>
    })");
  ASSERT_EQ(results.size(), 6u);
  auto expect = [&](int i, std::initializer_list<int> values) {
    std::string bytes;
    for (int value : values)
      bytes.push_back(static_cast<char>(value));
    EXPECT_EQ(results[i].data, bytes) << "result " << i;
  };
  expect(0, {0, 16, 1}); // -256, 10000, 1
  expect(1, {-1, 39, 0});
  expect(2, {0, 16, 1}); // 256, 10000, 65025
  expect(3, {1, 39, -2});
  expect(4, {-126, -56, -2});
  expect(5, {0, 0, 1});
}

TEST_F(RaisingTest, ProductsOfBooleansHaveOneBit) {
  auto results = raise(R"(
    func.func @f() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
      %x = arith.constant dense<[true, true, false, false]> : tensor<4xi1>
      %y = arith.constant dense<[true, false, true, false]> : tensor<4xi1>
      %0, %1 = arith.mulsi_extended %x, %y : tensor<4xi1>
      %2, %3 = arith.mului_extended %x, %y : tensor<4xi1>
      return %0, %1, %2, %3 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
    })");
  ASSERT_EQ(results.size(), 4u);
  for (int i : {0, 2}) {
    EXPECT_EQ(results[i].data, std::string("\1\0\0\0", 4));
    EXPECT_EQ(results[i + 1].data, std::string(4, '\0'));
  }
}

TEST_F(RaisingTest, IntegerPower) {
  auto results = raise(R"(
    func.func @f() -> (tensor<5xf32>, tensor<3xi32>) {
      %x = arith.constant dense<[-1.0, -1.0, 2.0, -2.0, 0.0]> : tensor<5xf32>
      %n = arith.constant dense<[16777217, 2147483646, -3, 3, 0]> : tensor<5xi32>
      %0 = math.fpowi %x, %n : tensor<5xf32>, tensor<5xi32>
      %y = arith.constant dense<[-3, 2, -1]> : tensor<3xi32>
      %m = arith.constant dense<[3, 10, -5]> : tensor<3xi32>
      %1 = math.ipowi %y, %m : tensor<3xi32>
      return %0, %1 : tensor<5xf32>, tensor<3xi32>
    })");
  ASSERT_EQ(results.size(), 2u);
  const float powers[] = {-1, 1, 0.125, -8, 1};
  EXPECT_EQ(results[0].data, std::string(reinterpret_cast<const char *>(powers),
                                         sizeof(powers)));
  const int32_t integers[] = {-27, 1024, -1};
  EXPECT_EQ(
      results[1].data,
      std::string(reinterpret_cast<const char *>(integers), sizeof(integers)));
}

} // namespace
