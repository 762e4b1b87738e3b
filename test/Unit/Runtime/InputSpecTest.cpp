//===- InputSpecTest.cpp - Inputs and outputs as text ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/InputSpec.h"
#include "TestSupport.h"
#include "ew/Runtime/Element.h"
#include "ew/Runtime/Npy.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace ew::runtime;
using namespace ew::runtime::test;
using llvm::StringRef;

namespace {

std::string made(StringRef text, const TensorType *expected = nullptr) {
  auto spec = parseInputSpec(text);
  if (!spec)
    return llvm::toString(spec.takeError());
  auto tensor = makeInput(*spec, expected);
  if (!tensor)
    return llvm::toString(tensor.takeError());
  std::string printed;
  llvm::raw_string_ostream os(printed);
  print(os, *tensor, 64);
  return printed;
}

TEST(InputSpec, Values) {
  EXPECT_EQ(made("2x3xf32=1,2,3,4,5,6"), "2x3xf32=[1 2 3][4 5 6]");
  EXPECT_EQ(made("2x3xf32=[1 2 3][4 5 6]"), "2x3xf32=[1 2 3][4 5 6]");
  EXPECT_EQ(made("2x2xsi32=[[1, 2], [3, 4]]"), "2x2xi32=[1 2][3 4]");
  EXPECT_EQ(made("4xi32=7"), "4xi32=7 7 7 7");
  EXPECT_EQ(made("f32=1.5"), "f32=1.5");
  EXPECT_EQ(made("3xf32=nan,-inf,0x7f800000"), "3xf32=nan -inf inf");
  EXPECT_EQ(made("2xi1=true 0"), "2xi1=true false");
  EXPECT_EQ(made("3xf16"), "3xf16=0 0 0");
  EXPECT_EQ(made("3xf16=ones"), "3xf16=1 1 1");
  EXPECT_EQ(made("3xui8=iota"), "3xui8=0 1 2");
  EXPECT_EQ(made("0xf32="), "0xf32=");
  EXPECT_EQ(made("0xf32"), "0xf32=");
}

TEST(InputSpec, Complex) {
  EXPECT_EQ(made("2xcomplex<f32>=(1,-2.5), 3"),
            "2xcomplex<f32>=(1,-2.5) (3,0)");
  EXPECT_EQ(made("2xcomplex<f64>=(nan, -inf)"),
            "2xcomplex<f64>=(nan,-inf) (nan,-inf)");
  EXPECT_EQ(made("2x1xcomplex<f64>=[(1,2)][(3,4)]"),
            "2x1xcomplex<f64>=[(1,2)][(3,4)]");
  EXPECT_EQ(made("3xcomplex<f32>=iota"), "3xcomplex<f32>=(0,0) (1,0) (2,0)");
  EXPECT_EQ(made("1xcomplex<f64>=ones"), "1xcomplex<f64>=(1,0)");
  EXPECT_EQ(made("1xcomplex<f32>"), "1xcomplex<f32>=(0,0)");
  EXPECT_EQ(made("2x2xcomplex<f64>,strides=1:2=[(1,2) 3][4 5]"),
            "2x2xcomplex<f64>=[(1,2) (3,0)][(4,0) (5,0)]");
  TensorType any{ElementType::ComplexF32, {-1}};
  EXPECT_EQ(made("(1,2),(3,4)", &any), "2xcomplex<f32>=(1,2) (3,4)");
  std::string random = made("1xcomplex<f32>=random:2:3");
  EXPECT_TRUE(StringRef(random).starts_with("1xcomplex<f32>=(2.")) << random;
  EXPECT_TRUE(StringRef(random).contains(",2.")) << random;
  EXPECT_EQ(made("1xcomplex<f32>=(1,2"),
            "not a complex number: '(1,2'; one is written (1,-2.5)\n"
            "  1xcomplex<f32>=(1,2\n                 ^");
  EXPECT_EQ(made("1xcomplex<f32>=(1,2,3)"),
            "not a complex number: '(1,2,3)'; one is written (1,-2.5)\n"
            "  1xcomplex<f32>=(1,2,3)\n                 ^");
  EXPECT_EQ(made("1xcomplex<f32>=(x,2)"),
            "not a number: 'x'\n  1xcomplex<f32>=(x,2)\n                 ^");
  EXPECT_TRUE(StringRef(made("1xcomplex<f16>=1"))
                  .starts_with("expected an element type"));
  EXPECT_TRUE(StringRef(made("1xcomplex<f32=1"))
                  .starts_with("expected an element type"));
}

TEST(InputSpec, TypesFromTheFunction) {
  TensorType any{ElementType::F32, {-1}}, fixed{ElementType::I8, {2, 2}};
  TensorType scalar{ElementType::F64, {}}, two{ElementType::F32, {-1, 3}};
  EXPECT_EQ(made("1,2,3", &any), "3xf32=1 2 3");
  EXPECT_EQ(made("=1,2,3", &any), "3xf32=1 2 3");
  EXPECT_EQ(made("[1 2 3 4]", &fixed), "2x2xi8=[1 2][3 4]");
  EXPECT_EQ(made("7", &fixed), "2x2xi8=[7 7][7 7]");
  EXPECT_EQ(made("1.5", &scalar), "f64=1.5");
  EXPECT_EQ(made("1 2 3 4 5 6", &two), "2x3xf32=[1 2 3][4 5 6]");
  EXPECT_EQ(made("iota", &fixed), "2x2xi8=[0 1][2 3]");
  EXPECT_EQ(made("0x7fc00000", &any), "1xf32=nan");
  EXPECT_EQ(made("1 2 3 4", &two),
            "the function declares ?x3xf32: give the type with its sizes, as "
            "in 4xf32=...\n  1 2 3 4\n  ^");
  TensorType none{ElementType::F32, {-1, 0}};
  EXPECT_TRUE(StringRef(made("1", &none))
                  .starts_with("the function declares ?x0xf32: give the type"));
  EXPECT_EQ(made("2xf32=1", &two), "expected ?x3xf32, which the function "
                                   "declares, got 2xf32\n  2xf32=1\n  ^");
  EXPECT_EQ(made("random", &any),
            "the function declares ?xf32: give the type with its sizes, as in "
            "4xf32=...\n  random\n  ^");
  EXPECT_EQ(made("3xbf16=1", &any), "expected ?xf32, which the function "
                                    "declares, got 3xbf16\n  3xbf16=1\n  ^");
  EXPECT_EQ(made("1.5"), "expected a type, as in 4xf32=...\n  1.5\n  ^");
}

TEST(InputSpec, ErrorsPointAtTheirPlace) {
  EXPECT_EQ(made("2x3xf33=1"),
            "expected an element type: i1, i8 to i64, ui8 to ui64, f8E4M3FN, "
            "f8E5M2, f16, bf16, f32, f64, complex<f32> or complex<f64>; did "
            "you mean 'f32'?\n  "
            "2x3xf33=1\n      ^");
  EXPECT_EQ(made("3xf32=1,x,3"),
            "not a number: 'x'\n  3xf32=1,x,3\n          ^");
  EXPECT_EQ(made("3xi8=1,2,300"),
            "'300' is out of range of i8, which goes from "
            "-128 to 127\n  3xi8=1,2,300\n           ^");
  EXPECT_EQ(made("3xf32=1,2"),
            "expected 3 values for 3xf32, got 2\n  3xf32=1,2\n           ^");
  EXPECT_EQ(made("2xf32=1,2,3"),
            "expected 2 values for 2xf32, got 3\n  2xf32=1,2,3\n            ^");
  EXPECT_EQ(made("2xf32="),
            "expected 2 values for 2xf32, got 0\n  2xf32=\n        ^");
  EXPECT_EQ(made("0xf32=1"),
            "expected 0 values for 0xf32, got 1\n  0xf32=1\n        ^");
  EXPECT_EQ(made("f32=[]1"), "rows of 0 values in brackets, and those of f32 "
                             "have 1\n  f32=[]1\n      ^");
  EXPECT_EQ(made("2xf32=,1"),
            "expected a value before ','\n  2xf32=,1\n        ^");
  EXPECT_EQ(made("2xf32=1,,2"),
            "expected a value before ','\n  2xf32=1,,2\n          ^");
  EXPECT_EQ(made("2xf32=1,2,"),
            "expected a value after ','\n  2xf32=1,2,\n            ^");
  EXPECT_EQ(made("2xf32=[1,2"), "expected ']'\n  2xf32=[1,2\n            ^");
  EXPECT_EQ(made("2xf32=1]"), "unbalanced ']'\n  2xf32=1]\n         ^");
  EXPECT_EQ(made("99999999999999999999xf32=1"),
            "a size must be below 2^63\n  99999999999999999999xf32=1\n  ^");
  EXPECT_EQ(made("2xf32;1"),
            "expected '=' and data after the type\n  2xf32;1\n       ^");
  EXPECT_EQ(made("4x4"),
            "expected an element type: i1, i8 to i64, ui8 to ui64, "
            "f8E4M3FN, f8E5M2, f16, bf16, f32, f64, complex<f32> or "
            "complex<f64>\n  4x4\n    ^");
  EXPECT_EQ(made("").find("expected a type or data"), 0u);
  // Only the neighbourhood of a long text is shown.
  std::string text = "100xf32=" + std::string(150, ' ') + "y";
  std::string message = made(text);
  EXPECT_LT(message.size(), 200u) << message;
  // What cannot be printed isn't.
  EXPECT_EQ(made("1xf32=\x1b[2J\n").find('\x1b'), std::string::npos);
}

TEST(InputSpec, Views) {
  EXPECT_EQ(made("2x2xi8,strides=1:2,offset=1=1,2,3,4"), "2x2xi8=[1 2][3 4]");
  EXPECT_EQ(made("2xi8,offset=3=iota"), "2xi8=0 1");
  EXPECT_EQ(made("2x2xi8,strides=1=1"),
            "expected 2 strides, one per dimension, got 1\n  "
            "2x2xi8,strides=1=1\n         ^");
  EXPECT_EQ(made("2xi8,strides=-2,offset=1=1"),
            "offset 1 is too small for these strides, which reach back by 2 "
            "elements\n  2xi8,strides=-2,offset=1=1\n  ^");
  EXPECT_EQ(made("2xi8,offset=1,offset=2=1"),
            "the offset is given twice\n  2xi8,offset=1,offset=2=1\n"
            "                ^");
  EXPECT_EQ(made("2xi8,strides=1,strides=2=1"),
            "the strides are given twice\n  2xi8,strides=1,strides=2=1\n"
            "                 ^");
  EXPECT_EQ(made("2xi8,pitch=3=1"),
            "expected strides= or offset=\n  2xi8,pitch=3=1\n       ^");
  EXPECT_EQ(made("2xi8,offset=-1=1")
                .find("the strides or the offset of this "
                      "2xi8 lead outside"),
            0u);
}

/// Of what lies densely in another order than row-major.
TEST(InputSpec, Layouts) {
  using Layout = std::optional<std::vector<int64_t>>;
  auto layout = [](const char *text) {
    return getLayout(take(parseInputSpec(text)));
  };
  EXPECT_EQ(layout("2x3xi8,strides=1:2=1"), Layout({1, 0}));
  EXPECT_EQ(layout("2x1x3xi8,strides=1:7:2=1"), Layout({2, 0, 1}));
  EXPECT_EQ(layout("2x3xi8,strides=3:1=1"), std::nullopt);
  EXPECT_EQ(layout("2x3xi8,strides=1:3=1"), std::nullopt);
  EXPECT_EQ(layout("3x0xi8,strides=1:3="), std::nullopt);
  EXPECT_EQ(layout("2x3xi8=1"), std::nullopt);
}

TEST(InputSpec, Files) {
  TemporaryDirectory directory;
  std::string npy = directory.file("x.npy"), raw = directory.file("x.bin");
  HostTensor tensor = take(makeInput(take(parseInputSpec("2x2xf32=iota"))));
  ASSERT_EQ(messageOf(writeNpy(npy, tensor)), "");
  ASSERT_EQ(messageOf(writeRaw(raw, tensor)), "");
  EXPECT_EQ(made("@" + npy), "2x2xf32=[0 1][2 3]");
  EXPECT_EQ(made("=@" + npy), "2x2xf32=[0 1][2 3]");
  EXPECT_EQ(made("2x2xf32=@" + npy), "2x2xf32=[0 1][2 3]");
  EXPECT_EQ(made("2x2xf32,strides=1:2=@" + npy), "2x2xf32=[0 1][2 3]");
  EXPECT_EQ(made("2x2xf32,strides=1:3=@" + raw), "2x2xf32=[0 1][2 3]");
  EXPECT_EQ(made("4xf32=@" + npy)
                .find("expected 4xf32, and the file holds "
                      "2x2xf32"),
            0u);
  EXPECT_EQ(made("4xi32=@" + npy), "cannot read '" + npy +
                                       "': expected elements of type i32, got "
                                       "f32");
  TensorType expected{ElementType::F32, {-1, 2}},
      other{ElementType::F32, {3, 2}};
  EXPECT_EQ(made("@" + npy, &expected), "2x2xf32=[0 1][2 3]");
  EXPECT_EQ(made("@" + npy, &other)
                .find("expected 3x2xf32, which the function "
                      "declares, got 2x2xf32"),
            0u);
}

TEST(InputSpec, RandomIsReproducible) {
  // These values are part of the interface: a bug report names a seed.
  EXPECT_EQ(made("4xf32=random:-3:3:42"), made("4xf32=random:-3:3:42"));
  EXPECT_EQ(made("4xi32=random:-10:10:1"), "4xi32=10 5 7 7");
  EXPECT_NE(made("4xf32=random:-3:3:42"), made("4xf32=random:-3:3:43"));
  InputSpec spec = take(parseInputSpec("16xf32=random"));
  EXPECT_FALSE(take(compare(take(makeInput(spec, nullptr, 0)),
                            take(makeInput(spec, nullptr, 1)))));
  // A shorter tensor is the beginning of a longer one, and a view has the same
  // elements as a dense tensor.
  HostTensor some = take(makeInput(take(parseInputSpec("3xf64=random"))));
  HostTensor more = take(makeInput(take(parseInputSpec("9xf64=random"))));
  EXPECT_EQ(some.getBits(2), more.getBits(2));
  HostTensor view =
      take(makeInput(take(parseInputSpec("3x3xf64,strides=1:3=random"))));
  EXPECT_EQ(view.getBits(7), more.getBits(7));
}

TEST(InputSpec, RandomStaysInRange) {
  for (const char *text :
       {"10000xf32=random:-3:3", "10000xf16=random:-65504:65504",
        "10000xbf16=random:0:1", "10000xf8E4M3FN=random:-448:448",
        "10000xf8E5M2=random:-1:1", "10000xf64=random:-1.7e308:1.7e308",
        "10000xi8=random:-128:127", "10000xui64=random:5:9",
        "10000xi64=random:-9223372036854775808:9223372036854775807"}) {
    InputSpec spec = take(parseInputSpec(text));
    HostTensor tensor = take(makeInput(spec));
    ElementType type = tensor.getType();
    double low = toDouble(*parseElement(spec.low, type), type);
    double high = toDouble(*parseElement(spec.high, type), type);
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < 10000; ++i) {
      double value = toDouble(tensor.getBits(i), type);
      ASSERT_TRUE(value >= low && value <= high) << text << " " << value;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    // It uses the range.
    EXPECT_LT(least, low + 0.01 * (high / 2 - low / 2) + 1e-3) << text;
    EXPECT_GT(most, high - 0.05 * (high / 2 - low / 2) - 1e-3) << text;
  }
  EXPECT_EQ(made("4xf32=random:1:inf"),
            "the bounds of random values must be finite\n  4xf32=random:1:inf\n"
            "        ^");
  EXPECT_EQ(made("4xi8=random:2:1")
                .find("the low bound of random values is "
                      "above the high"),
            0u);
  for (const char *text : {"4xi8=random:2", "4xi8=random:1:2:3:4"})
    EXPECT_EQ(made(text).find("expected random, random:low:high or"), 0u);
}

TEST(InputSpec, RandomRoundsAsAPFloatDoes) {
  // Through the 16-bit types' own rounding: every value must be the nearest
  // element to the f64 value of the same seed and index.
  for (auto type : {ElementType::F16, ElementType::BF16, ElementType::F8E4M3FN,
                    ElementType::F8E5M2})
    for (const char *range :
         {"-0.0001:0.0001", "-2:2", "0:400", "-1e-6:1e-6"}) {
      auto bound = [&](StringRef text) {
        double value = toDouble(*parseElement(text, type), type);
        return formatElement(roundToElement(value, ElementType::F64),
                             ElementType::F64);
      };
      auto [low, high] = StringRef(range).split(':');
      std::string same = "=random:" + bound(low) + ":" + bound(high);
      HostTensor exact =
          take(makeInput(take(parseInputSpec("5000xf64" + same))));
      HostTensor rounded = take(makeInput(
          take(parseInputSpec("5000x" + getName(type).str() + same))));
      for (int i = 0; i < 5000; ++i) {
        double value = toDouble(exact.getBits(i), ElementType::F64);
        // -0 and the like: compare the values.
        ASSERT_EQ(
            ulpDistance(rounded.getBits(i), roundToElement(value, type), type),
            0u)
            << value << " " << getName(type).str();
      }
    }
}

TEST(InputSpec, LargeTensors) {
  // Large enough for several threads: still a matter of the index alone.
  HostTensor more =
      take(makeInput(take(parseInputSpec("1500000xbf16=random"))));
  HostTensor some = take(makeInput(take(parseInputSpec("900000xbf16=random"))));
  for (int64_t i : {0, 1, 12345, 899999})
    EXPECT_EQ(more.getBits(i), some.getBits(i)) << i;
  HostTensor iota = take(makeInput(take(parseInputSpec("1500000xi64=iota"))));
  EXPECT_EQ(iota.getBits(1499999), 1499999u);
}

TEST(InputSpec, Outputs) {
  EXPECT_EQ(take(parseOutputSpec("-")).kind, OutputSpec::Kind::Print);
  EXPECT_EQ(take(parseOutputSpec("@y.npy")).kind, OutputSpec::Kind::Npy);
  EXPECT_EQ(take(parseOutputSpec("@y.bin")).kind, OutputSpec::Kind::Raw);
  EXPECT_EQ(messageOf(parseOutputSpec("y.npy")),
            "expected @FILE.npy, @FILE (raw elements) or - (printed)\n  y.npy\n"
            "  ^");
  EXPECT_TRUE(StringRef(messageOf(parseOutputSpec("@")))
                  .starts_with("expected @FILE.npy"));
  std::string text;
  llvm::raw_string_ostream os(text);
  HostTensor tensor = take(makeInput(take(parseInputSpec("2xf32=iota"))));
  EXPECT_EQ(messageOf(writeOutput(OutputSpec(), tensor, os)), "");
  EXPECT_EQ(text, "2xf32=0 1\n");
}

TEST(InputSpec, MutatedTextNeverCrashes) {
  std::mt19937 random(2);
  const std::string seeds[] = {"2x3xf32=1,2,3,4,5,6",
                               "2x3xf16=[1 2 3][4 5 6]",
                               "16xi8=random:-3:3:42",
                               "4xbf16=0x1.8p3,nan,-inf,0x7fc0",
                               "2x2xf64,strides=1:2,offset=3=iota",
                               "3xf8E4M3FN=-1.5e-3,448,2",
                               "@x.npy",
                               "1,2,3"};
  int accepted = 0;
  TensorType expected{ElementType::F32, {-1}};
  for (int i = 0; i < 100000; ++i) {
    auto spec = parseInputSpec(mutate(seeds[i % std::size(seeds)], random));
    if (!spec) {
      llvm::consumeError(spec.takeError());
      continue;
    }
    if (spec->type && countElements(spec->type->shape).value_or(0) > 100000)
      continue;
    auto tensor = makeInput(*spec, i % 3 ? nullptr : &expected);
    if (tensor)
      ++accepted;
    else
      llvm::consumeError(tensor.takeError());
  }
  EXPECT_GT(accepted, 1000);
}

} // namespace
