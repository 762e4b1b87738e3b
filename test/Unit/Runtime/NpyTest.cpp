//===- NpyTest.cpp - NumPy's .npy files -----------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Npy.h"
#include "TestSupport.h"
#include "ew/Runtime/AtomicFile.h"
#include "ew/Runtime/Element.h"
#include "ew/Runtime/InputSpec.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace ew::runtime;
using namespace ew::runtime::test;
using llvm::StringRef;

namespace {

/// A file with this header text, in the given version, and data.
std::string npy(std::string dict, const std::string &data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    file += static_cast<char>(dict.size() >> (8 * i));
  return file + dict + data;
}

std::string dict(const std::string &descr, const std::string &shape,
                 const char *order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }\n";
}

std::string error(const std::string &bytes,
                  std::optional<ElementType> expected = std::nullopt) {
  return messageOf(parseNpy(bytes, "x.npy", expected));
}

TEST(Npy, ReadsWhatNumPyWrites) {
  // np.save(f, np.array([[1, 2, 3]], dtype=np.float16)), byte for byte.
  std::string header =
      "\x93NUMPY\x01" + std::string(1, '\0') + "v" + std::string(1, '\0') +
      "{'descr': '<f2', 'fortran_order': False, 'shape': (1, 3), }";
  header += std::string(127 - header.size(), ' ') + "\n";
  std::string data("\x00\x3C\x00\x40\x00\x42", 6);
  HostTensor tensor = take(parseNpy(header + data, "x.npy"));
  EXPECT_EQ(tensor.getTypeName(), "1x3xf16");
  EXPECT_EQ(tensor.getBits(2), 0x4200u);
  EXPECT_EQ(formatNpyHeader(ElementType::F16, {1, 3}), header);
}

TEST(Npy, VersionsOrdersAndQuoting) {
  for (int version : {1, 2, 3})
    EXPECT_EQ(take(parseNpy(npy(dict("<i2", "(2,)"), "\1\2\3\4", version), "x"))
                  .getBits(1),
              0x0403u);
  EXPECT_EQ(
      take(parseNpy(npy(dict(">i2", "(2,)"), "\1\2\3\4"), "x")).getBits(1),
      0x0304u);
  // The machine's own order.
  EXPECT_EQ(
      take(parseNpy(npy(dict("=i2", "(2,)"), "\1\2\3\4"), "x")).getBits(1),
      0x0403u);
  EXPECT_EQ(take(parseNpy(npy("{\"shape\":(2L,),\"descr\":\"|u1\","
                              "'fortran_order':False}",
                              "\1\2"),
                          "x"))
                .getTypeName(),
            "2xui8");
  HostTensor fortran =
      take(parseNpy(npy(dict("|u1", "(2, 3)", "True"), "\1\2\3\4\5\6"), "x"));
  EXPECT_EQ(fortran.getStrides(), llvm::ArrayRef<int64_t>({1, 2}));
  EXPECT_EQ(fortran.getBits(1), 3u);
  HostTensor scalar = take(parseNpy(npy(dict("|b1", "()"), "\7"), "x"));
  EXPECT_EQ(scalar.getTypeName(), "i1");
  EXPECT_EQ(scalar.getBits(0), 1u);
  EXPECT_EQ(take(parseNpy(npy(dict("<f8", "(0, 99)"), ""), "x")).getTypeName(),
            "0x99xf64");
}

TEST(Npy, ComplexNumbers) {
  // 1 + 2i; the bytes of each part are swapped, the parts are not.
  std::string one("\x3F\x80\0\0", 4), two("\x40\0\0\0", 4);
  HostTensor big = take(parseNpy(npy(dict(">c8", "(1,)"), one + two), "x"));
  EXPECT_EQ(big.getTypeName(), "1xcomplex<f32>");
  EXPECT_EQ(formatElementAt(big.getElement(0), big.getType()), "(1,2)");
  EXPECT_EQ(take(parseNpy(npy(dict("<c16", "(0,)"), ""), "x")).getTypeName(),
            "0xcomplex<f64>");
  EXPECT_TRUE(StringRef(formatNpyHeader(ElementType::ComplexF64, {2}))
                  .contains("'descr': '<c16'"));
}

TEST(Npy, TypesThatNumPyLacks) {
  std::string v2 = npy(dict("<V2", "(1,)"), "\x80\x3F");
  EXPECT_EQ(take(parseNpy(v2, "x")).getType(), ElementType::BF16);
  std::string v1 = npy(dict("|V1", "(1,)"), "\x38");
  for (auto type : {ElementType::F8E4M3FN, ElementType::F8E5M2})
    EXPECT_EQ(take(parseNpy(v1, "x", type)).getType(), type);
  EXPECT_EQ(error(v1), "cannot read 'x.npy': its elements are V1, which may be "
                       "f8E4M3FN or f8E5M2: give the type, as in "
                       "4xf8E5M2=@x.npy");
  EXPECT_EQ(take(parseNpy(npy(dict("<f1", "(1,)"), "\x38"), "x")).getType(),
            ElementType::F8E5M2);
  EXPECT_EQ(error(v2, ElementType::F32),
            "cannot read 'x.npy': its elements are of NumPy's type 'V2', which "
            "is not supported as f32");
}

TEST(Npy, MalformedFiles) {
  auto expect = [](const std::string &bytes, const char *message) {
    EXPECT_EQ(error(bytes), std::string("cannot read 'x.npy': ") + message);
  };
  expect("", "it is no .npy file");
  expect("PK\3\4 a zip archive", "it is no .npy file");
  expect(npy("", "", 4), "its version 4 is unknown; 1, 2 and 3 are supported");
  expect(npy("", "", 0), "its version 0 is unknown; 1, 2 and 3 are supported");
  expect("\x93NUMPY\1", "it is no .npy file");
  // Within the length of the header, and one byte before its end.
  expect(npy("", "").substr(0, 9), "it ends within its header");
  std::string whole = npy(dict("<f4", "(1,)"), "");
  expect(whole.substr(0, whole.size() - 1), "it ends within its header");
  expect(npy(dict("<f4", "(1,)"), "").substr(0, 30),
         "it ends within its header");
  expect(npy("", "", 2).substr(0, 8) + "\xFF\xFF\xFF\x7F",
         "its header claims 2147483647 bytes");
  expect(npy("", "", 2).substr(0, 8) + std::string("\1\0\x10\0", 4),
         "its header claims 1048577 bytes");
  expect(npy("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x", ""),
         "its header is malformed: unexpected characters after '}' before "
         "'x'");
  expect(npy(dict("<f4", "(2, 3)"), "1234"),
         "it is truncated: 2x3xf32 takes 24 bytes, and it holds 4");
  expect(npy(dict("<f4", "(1,)"), "12345"),
         "it holds 5 bytes of data, but 1xf32 takes 4");
  expect(npy(dict("<f4", "(4611686018427387904,)"), ""),
         "its shape 4611686018427387904xf32 is larger than any file");
  expect(npy(dict("<f4", "(4294967296, 4294967296)"), ""),
         "its shape 4294967296x4294967296xf32 is larger than any file");
  expect(npy(dict("<f4", "(9223372036854775808,)"), ""),
         "its header is malformed: expected a size below 2^63 before "
         "',), }?'");
  expect(npy(dict("<f4", "(-1,)"), ""),
         "its header is malformed: a negative size before '-1,), }?'");
  expect(npy("{'descr': '<f4', 'shape': (1,)}", ""),
         "its header has no 'fortran_order'");
  expect(npy("{'descr': '<f4', 'descr': '<f4'}", ""),
         "its header is malformed: a key occurs twice before ' '<f4'}'");
  expect(
      npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", ""),
      "it holds a structured array, which is no tensor");
  expect(npy(dict("<M8", "(1,)"), "12345678"),
         "its elements are of NumPy's type 'M8', which is not supported");
  expect(npy(dict("|O", "(1,)"), "12345678"),
         "its elements are of NumPy's type 'O', which is not supported");
}

TEST(Npy, TypeMustAgree) {
  EXPECT_EQ(error(npy(dict("<f8", "(1,)"), "12345678"), ElementType::F32),
            "cannot read 'x.npy': expected elements of type f32, got f64");
}

TEST(Npy, RoundTripsThroughFiles) {
  TemporaryDirectory directory;
  std::string path = directory.file("x.npy"), raw = directory.file("x.bin");
  for (int i = 0; i <= static_cast<int>(ElementType::ComplexF64); ++i) {
    auto type = static_cast<ElementType>(i);
    std::string text = "3x5x" + getName(type).str();
    HostTensor tensor = take(makeInput(take(parseInputSpec(text + "=random"))));
    EXPECT_EQ(messageOf(writeNpy(path, tensor)), "");
    EXPECT_TRUE(take(compare(take(readNpy(path, type)), tensor))) << text;
    EXPECT_EQ(messageOf(writeRaw(raw, tensor)), "");
    HostTensor back = take(HostTensor::create(type, {3, 5}));
    EXPECT_EQ(messageOf(readRaw(raw, back)), "");
    EXPECT_TRUE(take(compare(back, tensor))) << text;
  }
  HostTensor view =
      take(makeInput(take(parseInputSpec("3x2xi32,strides=1:3=iota"))));
  EXPECT_EQ(messageOf(writeNpy(path, view)), "");
  EXPECT_TRUE(take(compare(take(readNpy(path)), view)));
}

/// What version 1 has no room for.
TEST(Npy, LongHeaders) {
  for (size_t rank : {21600, 21840, 22000}) {
    Sizes shape(rank, 1);
    NpyHeader header =
        take(parseNpyHeader(formatNpyHeader(ElementType::F32, shape)));
    EXPECT_EQ(header.shape, shape);
  }
}

TEST(Npy, MissingFilesAndDirectories) {
  TemporaryDirectory directory;
  EXPECT_EQ(messageOf(readNpy("/nonexistent/x.npy")),
            "cannot read '/nonexistent/x.npy': No such file or directory");
  std::string path = directory.path.str().str();
  EXPECT_EQ(messageOf(readNpy(path)),
            "cannot read '" + path + "': Is a directory");
  std::string raw = directory.file("x.bin");
  EXPECT_EQ(messageOf(writeFile(raw, "123")), "");
  HostTensor tensor = take(HostTensor::create(ElementType::F32, {1}));
  EXPECT_EQ(messageOf(readRaw(raw, tensor)),
            "cannot read '" + raw + "': 1xf32 takes 4 bytes, and it holds 3");
  EXPECT_EQ(messageOf(writeFile(raw, "12345")), "");
  EXPECT_EQ(messageOf(readRaw(raw, tensor)),
            "cannot read '" + raw + "': 1xf32 takes 4 bytes, and it holds 5");
  // Any bit makes a boolean true.
  EXPECT_EQ(messageOf(writeFile(raw, StringRef("\2\0", 2))), "");
  HostTensor booleans = take(HostTensor::create(ElementType::I1, {2}));
  EXPECT_EQ(messageOf(readRaw(raw, booleans)), "");
  EXPECT_EQ(booleans.getBits(0), 1u);
  EXPECT_EQ(booleans.getBits(1), 0u);
}

TEST(Npy, MutatedFilesNeverCrash) {
  std::mt19937 random(1);
  std::string seeds[] = {
      npy(dict("<f4", "(2, 3)"), std::string(24, 'x')),
      npy(dict(">f8", "(1, 2)", "True"), std::string(16, 'x'), 2),
      npy(dict("<V2", "()"), "xy", 3),
  };
  int accepted = 0;
  for (int i = 0; i < 60000; ++i) {
    std::string bytes = mutate(seeds[i % 3], random);
    // Exactly the file's bytes, so that a sanitizer sees a read beyond them.
    std::vector<char> exact(bytes.begin(), bytes.end());
    auto tensor =
        parseNpy(StringRef(exact.data(), exact.size()), "x",
                 i % 2 ? std::optional(ElementType::BF16) : std::nullopt);
    if (tensor)
      ++accepted;
    else
      llvm::consumeError(tensor.takeError());
  }
  EXPECT_GT(accepted, 100);
}

} // namespace
