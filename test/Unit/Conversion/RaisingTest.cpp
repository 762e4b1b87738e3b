//===- RaisingTest.cpp - Raised programs mean what they did -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of arith and math ops is taken from MLIR's own folding, that of
// linalg's indexing maps from loops in this file; what was raised is evaluated
// by the oracle.
//
//===----------------------------------------------------------------------===//

#include "ew/Conversion/Passes.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Reference/Reference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace mlir;

namespace {

class RaisingTest : public ::testing::Test {
protected:
  RaisingTest() {
    context.loadDialect<ew::EwDialect, func::FuncDialect, arith::ArithDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect, tosa::TosaDialect>();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text,
                              std::unique_ptr<Pass> pass) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    PassManager manager(&context);
    manager.addPass(std::move(pass));
    EXPECT_TRUE(module && succeeded(manager.run(*module))) << text;
    return module;
  }

  static func::FuncOp getFunction(ModuleOp module) {
    return module.lookupSymbol<func::FuncOp>("f");
  }

  /// The bytes of what the raised program computes.
  std::vector<ew::reference::Tensor>
  raise(const std::string &text,
        const std::vector<ew::reference::Tensor> &inputs = {}) {
    auto module = parse(text, ew::createEwRaise());
    std::vector<ew::reference::TensorView> views;
    for (const ew::reference::Tensor &input : inputs)
      views.push_back(input.view());
    auto results = ew::reference::evaluate(getFunction(*module), views);
    if (!results) {
      ADD_FAILURE() << text << llvm::toString(results.takeError());
      return {};
    }
    return *results;
  }

  MLIRContext context;
};

/// The elements of a constant as they are in memory; every NaN is the same.
std::string toBytes(DenseElementsAttr elements) {
  std::string bytes;
  auto append = [&](const APInt &bits) {
    uint64_t word = bits.getZExtValue();
    bytes.append(reinterpret_cast<const char *>(&word),
                 (bits.getBitWidth() + 7) / 8);
  };
  if (isa<IntegerType>(elements.getElementType()))
    for (APInt value : elements.getValues<APInt>())
      append(value);
  else
    for (APFloat value : elements.getValues<APFloat>())
      append((value.isNaN() ? APFloat::getNaN(value.getSemantics()) : value)
                 .bitcastToAPInt());
  return bytes;
}

/// The oracle's result in the same form.
std::string toBytes(const ew::reference::Tensor &tensor, Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return tensor.data;
  std::string bytes;
  unsigned width = type.getWidth() / 8;
  for (size_t i = 0; i < tensor.data.size(); i += width) {
    uint64_t word = 0;
    memcpy(&word, tensor.data.data() + i, width);
    APFloat value(type.getFloatSemantics(), APInt(type.getWidth(), word));
    word = (value.isNaN() ? APFloat::getNaN(value.getSemantics()) : value)
               .bitcastToAPInt()
               .getZExtValue();
    bytes.append(reinterpret_cast<const char *>(&word), width);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// arith and math
//===----------------------------------------------------------------------===//

using Values = std::vector<std::string>;

/// A constant tensor's text.
std::string dense(const Values &values, const std::string &element) {
  return "dense<[" + llvm::join(values, ", ") + "]> : tensor<" +
         std::to_string(values.size()) + "x" + element + ">";
}

Values integers(const std::string &element) {
  if (element == "i1")
    return {"false", "true"};
  if (element == "i8")
    return {"-128", "-127", "-37", "-1", "0", "1", "2", "7", "100", "127"};
  if (element == "i16")
    return {"-32768", "-1", "0", "1", "300", "32767"};
  if (element == "i32")
    return {"-2147483648", "-65537", "-7", "-1",        "0",
            "1",           "3",      "16777217", "2147483647"};
  return {"-9223372036854775808", "-4294967297", "-1", "0", "1", "5",
          "9007199254740993",     "9223372036854775807"};
}

/// Zeros, subnormals, halves, large numbers, infinities and a NaN.
Values floats(const std::string &element) {
  std::vector<double> numbers = {0.0,  -0.0,   0.5,  -0.5, 1.0,    -1.5, 2.5,
                                 3.7,  -2.5,   1e-3, 1e-41, -1e-41, 240.0,
                                 6e4,  -3e38,  1.0 + 1.0 / 512, INFINITY,
                                 -INFINITY, NAN};
  Values values;
  for (double number : numbers) {
    MLIRContext context;
    FloatType type = element == "f64"    ? FloatType(Float64Type::get(&context))
                     : element == "f32"  ? FloatType(Float32Type::get(&context))
                     : element == "f16"  ? FloatType(Float16Type::get(&context))
                                         : FloatType(BFloat16Type::get(&context));
    APFloat value(number);
    bool losesInfo;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    values.push_back("0x" + llvm::utohexstr(value.bitcastToAPInt().getZExtValue(),
                                            false, type.getWidth() / 4));
  }
  return values;
}

/// Every pair of values for which `accept` holds.
std::pair<Values, Values>
pairs(const Values &values, llvm::function_ref<bool(StringRef, StringRef)>
                                accept = [](StringRef, StringRef) { return true; }) {
  std::pair<Values, Values> result;
  for (const std::string &a : values)
    for (const std::string &b : values)
      if (accept(a, b)) {
        result.first.push_back(a);
        result.second.push_back(b);
      }
  return result;
}

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
    Value result =
        getFunction(*folded).front().getTerminator()->getOperand(0);
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
      return b == "0" || b == "1" || b == "2" || b == "7" || b == "5" || b == "3";
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
    for (std::string op : {"addf", "subf", "mulf", "divf", "remf", "maximumf",
                           "minimumf"})
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
  Values inRange = {"0.0", "-0.0", "0.99", "-0.99", "1.5", "-1.5", "2.5", "99.9", "-99.9"};
  for (std::string to : {"i8", "i32", "i64"})
    compareCast("arith.fptosi", inRange, "f32", to);
  for (std::string to : {"i8", "i32", "i64"})
    compareCast("arith.fptoui", {"0.0", "0.99", "1.5", "2.5", "200.7"}, "f32", to);
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
  for (std::string op : {"absf", "ceil", "floor", "trunc", "round", "roundeven"})
    unary(op, floats("f32"), "f32");
  for (std::string op : {"absi", "ctlz", "cttz", "ctpop"})
    for (std::string type : {"i8", "i32", "i64"})
      unary(op, integers(type), type);
  compareBinary("math.copysign", "f32",
                pairs(floats("f32"), [](StringRef, StringRef b) { return b != "0x7FC00000"; }),
                "f32");
}

//===----------------------------------------------------------------------===//
// What MLIR does not fold
//===----------------------------------------------------------------------===//

std::vector<APFloat> toFloats(const Values &bits, FloatType type) {
  std::vector<APFloat> result;
  for (const std::string &word : bits)
    result.emplace_back(type.getFloatSemantics(),
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
    auto results = raise("func.func @f() -> tensor<" + n + "xi1> {\n%x = arith.constant " +
                         dense(x, "f32") + "\n%y = arith.constant " + dense(y, "f32") +
                         "\n%r = arith.cmpf " + arith::stringifyCmpFPredicate(predicate).str() +
                         ", %x, %y : tensor<" + n + "xf32>\nreturn %r : tensor<" + n + "xi1>\n}");
    ASSERT_EQ(results.size(), 1u);
    for (size_t k = 0; k < a.size(); ++k)
      EXPECT_EQ(results[0].data[k], arith::applyCmpPredicate(predicate, a[k], b[k]))
          << arith::stringifyCmpFPredicate(predicate).str() << " " << x[k] << " " << y[k];
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
    for (const Mode &mode : {Mode{"", APFloat::rmNearestTiesToEven},
                             Mode{" downward", APFloat::rmTowardNegative},
                             Mode{" upward", APFloat::rmTowardPositive},
                             Mode{" toward_zero", APFloat::rmTowardZero},
                             Mode{" to_nearest_away", APFloat::rmNearestTiesToAway}}) {
      Values values = floats("f32");
      std::string n = std::to_string(values.size()), type;
      llvm::raw_string_ostream(type) << to;
      auto results = raise("func.func @f() -> tensor<" + n + "x" + type +
                           "> {\n%x = arith.constant " + dense(values, "f32") +
                           "\n%r = arith.truncf %x" + mode.name + " : tensor<" + n +
                           "xf32> to tensor<" + n + "x" + type + ">\nreturn %r : tensor<" +
                           n + "x" + type + ">\n}");
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
  expect(0, {0, 16, 1});   // -256, 10000, 1
  expect(1, {-1, 39, 0});
  expect(2, {0, 16, 1});   // 256, 10000, 65025
  expect(3, {1, 39, -2});
  expect(4, {-126, -56, -2});
  expect(5, {0, 0, 1});
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
  EXPECT_EQ(results[0].data,
            std::string(reinterpret_cast<const char *>(powers), sizeof(powers)));
  const int32_t integers[] = {-27, 1024, -1};
  EXPECT_EQ(results[1].data, std::string(reinterpret_cast<const char *>(integers),
                                         sizeof(integers)));
}

//===----------------------------------------------------------------------===//
// Indexing maps
//===----------------------------------------------------------------------===//

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
    std::string start =
        loops.empty() ? "%s0 = arith.constant 0 : i32\n"
                      : "%i = linalg.index 0 : index\n"
                        "%s0 = arith.index_cast %i : index to i32\n";
    std::string type = getType(output.shape);
    return "func.func @f(" + arguments + "%o: " + type + ") -> " + type +
           " {\n%r = linalg.generic {indexing_maps = [" + maps +
           "affine_map<" + output.map + ">], iterator_types = [" + iterators +
           "]} ins(" + names + " : " + types + ") outs(%o : " + type +
           ") {\n^bb0(" + blockArguments + "%out: i32):\n" + start + body +
           "linalg.yield %s" + std::to_string(inputs.size()) +
           " : i32\n} -> " + type + "\nreturn %r : " + type + "\n}\n";
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
    for (const Operand &output : std::vector<Operand>{
             {"(a, b, c) -> (a, b, c)", {2, 3, 4}},
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
