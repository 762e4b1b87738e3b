//===- Values.cpp - Values for tests of raising ---------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaisingTest.h"

using namespace mlir;
using namespace ew::test;

Values ew::test::integers(const std::string &element) {
  if (element == "i1")
    return {"false", "true"};
  if (element == "i8")
    return {"-128", "-127", "-37", "-1", "0", "1", "2", "7", "100", "127"};
  if (element == "i16")
    return {"-32768", "-1", "0", "1", "300", "32767"};
  if (element == "i32")
    return {"-2147483648", "-65537", "-7",       "-1",        "0",
            "1",           "3",      "16777217", "2147483647"};
  return {"-9223372036854775808", "-4294967297",        "-1", "0", "1", "5",
          "9007199254740993",     "9223372036854775807"};
}

Values ew::test::floats(const std::string &element) {
  std::vector<double> numbers = {
      0.0,      -0.0,      0.5,   -0.5,   1.0,   -1.5, 2.5,   3.7,
      -2.5,     1e-3,      1e-41, -1e-41, 240.0, 6e4,  -3e38, 1.0 + 1.0 / 512,
      INFINITY, -INFINITY, NAN};
  Values values;
  for (double number : numbers) {
    MLIRContext context;
    FloatType type = element == "f64"   ? FloatType(Float64Type::get(&context))
                     : element == "f32" ? FloatType(Float32Type::get(&context))
                     : element == "f16"
                         ? FloatType(Float16Type::get(&context))
                         : FloatType(BFloat16Type::get(&context));
    APFloat value(number);
    bool losesInfo;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    values.push_back("0x" +
                     llvm::utohexstr(value.bitcastToAPInt().getZExtValue(),
                                     false, type.getWidth() / 4));
  }
  return values;
}

std::pair<Values, Values>
ew::test::pairs(const Values &values,
                llvm::function_ref<bool(StringRef, StringRef)> accept) {
  std::pair<Values, Values> result;
  for (const std::string &a : values)
    for (const std::string &b : values)
      if (accept(a, b)) {
        result.first.push_back(a);
        result.second.push_back(b);
      }
  return result;
}

std::string ew::test::toBytes(DenseElementsAttr elements) {
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

std::string ew::test::toBytes(const ew::reference::Tensor &tensor,
                              Type element) {
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
