//===- TosaTest.cpp - Raised TOSA ops mean what they did ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TOSA reaches ew directly and through upstream's lowering to linalg: both ways
// must compute the same.
//
//===----------------------------------------------------------------------===//

#include "RaisingTest.h"

#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"

using namespace mlir;
using namespace ew::test;

namespace {

class TosaTest : public RaisingTest {
protected:
  /// `op` computes %r from %x and %y of `type`, which take every pair of
  /// `values`.
  void compare(const std::string &op, const std::string &element,
               const std::string &result,
               const std::pair<Values, Values> &values) {
    std::string n = std::to_string(values.first.size()),
                type = "tensor<" + n + "x" + element + ">",
                resultType = "tensor<" + n + "x" + result + ">";
    bool isBinary = op.find("%y") != std::string::npos;
    std::string text =
        "func.func @f() -> " + resultType + " {\n%x = arith.constant " +
        dense(values.first, element) + "\n%y = arith.constant " +
        dense(values.second, element) +
        "\n%s = \"tosa.const\"() {values = dense<0> : tensor<1xi8>} : () -> "
        "tensor<1xi8>\n%r = tosa." +
        op + " : (" + type + (isBinary ? ", " + type : "") +
        (op.find("%s") != std::string::npos ? ", tensor<1xi8>" : "") + ") -> " +
        resultType + "\nreturn %r : " + resultType + "\n}\n";
    auto direct = raise(text);
    auto lowered = raise(text, {}, tosa::createTosaToLinalg());
    ASSERT_EQ(direct.size(), 1u);
    ASSERT_EQ(lowered.size(), 1u);
    Type elementType =
        cast<ShapedType>(getFunction(*parse(text)).getResultTypes()[0])
            .getElementType();
    EXPECT_EQ(toBytes(direct[0], elementType), toBytes(lowered[0], elementType))
        << text;
  }
};

TEST_F(TosaTest, FloatingPoint) {
  for (std::string op :
       {"add %x, %y", "sub %x, %y", "mul %x, %y, %s", "pow %x, %y",
        "maximum %x, %y", "minimum %x, %y", "abs %x", "ceil %x", "floor %x",
        "reciprocal %x", "rsqrt %x", "exp %x", "log %x", "sin %x", "cos %x",
        "tanh %x", "erf %x",
        "clamp %x {min_val = -2.0 : f32, max_val = 3.0 : f32}",
        "clamp %x {min_val = -2.0 : f32, max_val = 3.0 : f32, nan_mode = "
        "IGNORE}"})
    compare(op, "f32", "f32", pairs(floats("f32")));
  for (std::string op : {"equal", "greater", "greater_equal"})
    compare(op + " %x, %y", "f32", "i1", pairs(floats("f32")));
}

TEST_F(TosaTest, IgnoredNans) {
  // Upstream leaves open which of two zeros it is.
  auto values = pairs(floats("f32"), [](StringRef a, StringRef b) {
    return a != "0x80000000" && b != "0x80000000";
  });
  for (std::string op : {"maximum", "minimum"})
    compare(op + " %x, %y {nan_mode = IGNORE}", "f32", "f32", values);
}

TEST_F(TosaTest, Integers) {
  for (std::string op :
       {"add %x, %y", "sub %x, %y", "mul %x, %y, %s", "maximum %x, %y",
        "minimum %x, %y", "bitwise_and %x, %y", "bitwise_or %x, %y",
        "bitwise_xor %x, %y", "bitwise_not %x", "clz %x", "abs %x",
        "clamp %x {min_val = -3 : i32, max_val = 9 : i32}"})
    compare(op, "i32", "i32", pairs(integers("i32")));
  for (std::string op : {"equal", "greater", "greater_equal"})
    compare(op + " %x, %y", "i32", "i1", pairs(integers("i32")));
  compare("mul %x, %y, %s", "i8", "i32", pairs(integers("i8")));
  auto divisible = pairs(integers("i32"), [](StringRef a, StringRef b) {
    return b != "0" && !(a == "-2147483648" && b == "-1");
  });
  compare("intdiv %x, %y", "i32", "i32", divisible);
  auto shifts = pairs(integers("i32"), [](StringRef, StringRef b) {
    return b == "0" || b == "1" || b == "3";
  });
  for (std::string op :
       {"logical_left_shift %x, %y", "logical_right_shift %x, %y",
        "arithmetic_right_shift %x, %y {round = false}"})
    compare(op, "i32", "i32", shifts);
}

TEST_F(TosaTest, Booleans) {
  for (std::string op : {"logical_and %x, %y", "logical_or %x, %y",
                         "logical_xor %x, %y", "logical_not %x"})
    compare(op, "i1", "i1", pairs(integers("i1")));
}

TEST_F(TosaTest, Casts) {
  auto numbers = pairs(floats("f32"), [](StringRef a, StringRef b) {
    return b == "0x00000000" && a != "0x7FC00000";
  });
  for (std::string to : {"i8", "i16", "i32", "i1", "f16", "bf16"})
    compare("cast %x", "f32", to, numbers);
  for (std::string from : {"i1", "i8", "i16", "i32"})
    for (std::string to : {"i1", "i8", "i16", "i32", "f16", "f32"})
      if (from != to)
        compare("cast %x", from, to, pairs(integers(from)));
}

} // namespace
