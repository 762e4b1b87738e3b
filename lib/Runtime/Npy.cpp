//===- Npy.cpp - NumPy's .npy files ---------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Npy.h"
#include "ew/Runtime/AtomicFile.h"
#include "ew/Support/Plural.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ew::runtime {

static constexpr StringLiteral kMagic("\x93NUMPY");
/// A header of a million bytes describes no tensor.
static constexpr uint64_t kMaxHeader = 1 << 20;

namespace {
/// A parser for the header: the Python literal of a dict whose keys are
/// 'descr', 'fortran_order' and 'shape'.
class HeaderParser {
public:
  HeaderParser(StringRef text) : text(text) {}

  Expected<NpyHeader> parse() {
    if (!take('{'))
      return error("expected '{'");
    while (!take('}')) {
      if (Error err = parseEntry())
        return std::move(err);
      if (!take(',') && !peek('}'))
        return error("expected ',' or '}'");
    }
    skipSpace();
    if (!text.empty())
      return error("unexpected characters after '}'");
    for (auto [seen, key] :
         {std::pair(seenDescr, "descr"), std::pair(seenOrder, "fortran_order"),
          std::pair(seenShape, "shape")})
      if (!seen)
        return createStringError("its header has no '" + Twine(key) + "'");
    return std::move(header);
  }

private:
  Error error(const char *what) {
    std::string rest;
    for (char c : text.take_front(16))
      rest += isPrint(c) ? c : '?';
    return createStringError("its header is malformed: " + Twine(what) +
                             " before '" + StringRef(rest).rtrim() + "'");
  }

  void skipSpace() { text = text.ltrim(" \t\n\r\f\v"); }
  bool peek(char c) {
    skipSpace();
    return text.starts_with(StringRef(&c, 1));
  }
  bool take(char c) {
    skipSpace();
    return text.consume_front(StringRef(&c, 1));
  }

  Expected<StringRef> parseString() {
    skipSpace();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return error("expected a string");
    size_t end = text.find(text[0], 1);
    if (end == StringRef::npos)
      return error("expected the end of a string");
    StringRef value = text.slice(1, end);
    text = text.drop_front(end + 1);
    return value;
  }

  Error parseEntry() {
    auto key = parseString();
    if (!key)
      return key.takeError();
    if (!take(':'))
      return error("expected ':'");
    bool *seen = *key == "descr"           ? &seenDescr
                 : *key == "fortran_order" ? &seenOrder
                 : *key == "shape"         ? &seenShape
                                           : nullptr;
    if (!seen || *seen)
      return error(seen ? "a key occurs twice" : "unknown key");
    *seen = true;
    if (seen == &seenShape)
      return parseShape();
    if (seen == &seenOrder)
      return parseOrder();
    if (peek('['))
      return createStringError(
          "it holds a structured array, which is no tensor");
    auto descr = parseString();
    if (!descr)
      return descr.takeError();
    header.descr = descr->str();
    return Error::success();
  }

  Error parseOrder() {
    skipSpace();
    if (text.consume_front("True"))
      header.fortranOrder = true;
    else if (!text.consume_front("False"))
      return error("expected True or False");
    return Error::success();
  }

  Error parseShape() {
    if (!take('('))
      return error("expected '('");
    while (!take(')')) {
      skipSpace();
      int64_t size;
      if (text.starts_with("-"))
        return error("a negative size");
      if (text.consumeInteger(10, size) || size < 0)
        return error("expected a size below 2^63");
      text.consume_front("L"); // Python 2
      header.shape.push_back(size);
      if (!take(',') && !peek(')'))
        return error("expected ',' or ')'");
    }
    return Error::success();
  }

  StringRef text;
  NpyHeader header;
  bool seenDescr = false, seenOrder = false, seenShape = false;
};
} // namespace

Expected<NpyHeader> parseNpyHeader(StringRef bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 8)
    return createStringError("it is no .npy file");
  unsigned major = static_cast<uint8_t>(bytes[6]);
  if (major < 1 || major > 3)
    return createStringError("its version " + Twine(major) +
                             " is unknown; 1, 2 and 3 are supported");
  uint64_t lengthBytes = major == 1 ? 2 : 4;
  uint64_t start = kMagic.size() + 2 + lengthBytes;
  if (bytes.size() < start)
    return createStringError("it ends within its header");
  const char *at = bytes.data() + kMagic.size() + 2;
  uint64_t length = major == 1 ? support::endian::read16le(at)
                               : support::endian::read32le(at);
  if (length > kMaxHeader)
    return createStringError("its header claims " + plural(length, "byte"));
  if (bytes.size() - start < length)
    return createStringError("it ends within its header");
  auto header = HeaderParser(bytes.substr(start, length)).parse();
  if (header)
    header->dataOffset = start + length;
  return header;
}

/// What the letter and width of a descr without its byte order mean. The types
/// that NumPy doesn't know need to be told apart by `expected`.
static Expected<ElementType> typeOf(StringRef name,
                                    std::optional<ElementType> expected) {
  if (name == "V2") {
    if (!expected || *expected == ElementType::BF16)
      return ElementType::BF16;
  } else if (name == "V1") {
    if (expected == ElementType::F8E4M3FN || expected == ElementType::F8E5M2)
      return *expected;
    if (!expected)
      return createStringError("its elements are V1, which may be f8E4M3FN or "
                               "f8E5M2: give the type, as in 4xf8E5M2=@x.npy");
  } else if (name == "f1") {
    return ElementType::F8E5M2;
  }
  auto type = StringSwitch<std::optional<ElementType>>(name)
                  .Case("b1", ElementType::I1)
                  .Case("i1", ElementType::I8)
                  .Case("i2", ElementType::I16)
                  .Case("i4", ElementType::I32)
                  .Case("i8", ElementType::I64)
                  .Case("u1", ElementType::UI8)
                  .Case("u2", ElementType::UI16)
                  .Case("u4", ElementType::UI32)
                  .Case("u8", ElementType::UI64)
                  .Case("f2", ElementType::F16)
                  .Case("f4", ElementType::F32)
                  .Case("f8", ElementType::F64)
                  .Case("c8", ElementType::ComplexF32)
                  .Case("c16", ElementType::ComplexF64)
                  .Default(std::nullopt);
  if (!type) {
    std::string shown;
    for (char c : name.take_front(16))
      shown += isPrint(c) ? c : '?';
    return createStringError(
        "its elements are of NumPy's type '" + shown +
        "', which is not supported" +
        (expected ? Twine(" as ") + getName(*expected) : Twine("")));
  }
  return *type;
}

/// Reverses the bytes of every element, or of each of its parts.
static void swapBytes(HostTensor &tensor) {
  ElementType type = tensor.getType();
  unsigned width = getByteWidth(getPartType(type));
  char *data = tensor.getData();
  for (int64_t i = 0, n = tensor.getNumElements() * getNumParts(type); i < n;
       ++i)
    std::reverse(data + i * width, data + (i + 1) * width);
}

/// Makes every byte of a boolean tensor 0 or 1, as kernels expect it.
static void normalizeBooleans(char *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    data[i] = data[i] != 0;
}

static Expected<HostTensor> parseContents(StringRef bytes,
                                          std::optional<ElementType> expected) {
  auto header = parseNpyHeader(bytes);
  if (!header)
    return header.takeError();
  StringRef name = header->descr;
  char order = name.empty() ? '|' : name[0];
  if (order == '<' || order == '>' || order == '|' || order == '=')
    name = name.drop_front();
  auto type = typeOf(name, expected);
  if (!type)
    return type.takeError();
  if (expected && *type != *expected)
    return createStringError("expected elements of type " + getName(*expected) +
                             ", got " + getName(*type));
  // The size is checked before anything is allocated for it.
  std::optional<int64_t> count = countElements(header->shape);
  int64_t size;
  if (!count || MulOverflow<int64_t>(*count, getByteWidth(*type), size))
    return createStringError("its shape " + formatType(*type, header->shape) +
                             " is larger than any file");
  uint64_t have = bytes.size() - header->dataOffset;
  if (have < static_cast<uint64_t>(size))
    return createStringError(
        "it is truncated: " + formatType(*type, header->shape) + " takes " +
        plural(size, "byte") + ", and it holds " + Twine(have));
  if (have > static_cast<uint64_t>(size))
    return createStringError(
        "it holds " + plural(have, "byte") + " of data, but " +
        formatType(*type, header->shape) + " takes " + Twine(size));
  auto tensor = header->fortranOrder
                    ? HostTensor::createView(*type, header->shape,
                                             columnMajorStrides(header->shape))
                    : HostTensor::create(*type, header->shape);
  if (!tensor)
    return tensor.takeError();
  std::memcpy(tensor->getStorage(), bytes.data() + header->dataOffset, size);
  if (order == '>')
    swapBytes(*tensor);
  if (*type == ElementType::I1)
    normalizeBooleans(tensor->getData(), size);
  return tensor;
}

Expected<HostTensor> parseNpy(StringRef bytes, StringRef name,
                              std::optional<ElementType> expected) {
  auto tensor = parseContents(bytes, expected);
  if (!tensor)
    return createStringError("cannot read '" + name +
                             "': " + toString(tensor.takeError()));
  return tensor;
}

static Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef path) {
  std::error_code code;
  sys::fs::file_status status;
  if (sys::fs::is_directory(path))
    code = std::make_error_code(std::errc::is_a_directory);
  else if (!sys::fs::status(path, status) &&
           status.type() == sys::fs::file_type::character_file)
    return createStringError("cannot read '" + path +
                             "': it is a device, which may never end");
  ErrorOr<std::unique_ptr<MemoryBuffer>> file(code);
  if (!code)
    file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                 /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError(file.getError(), "cannot read '" + path + "': " +
                                                  file.getError().message());
  return std::move(*file);
}

Expected<HostTensor> readNpy(StringRef path,
                             std::optional<ElementType> expected) {
  auto file = readFile(path);
  if (!file)
    return file.takeError();
  return parseNpy((*file)->getBuffer(), path, expected);
}

static StringRef descrOf(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "|b1";
  case ElementType::I8:
    return "|i1";
  case ElementType::I16:
    return "<i2";
  case ElementType::I32:
    return "<i4";
  case ElementType::I64:
    return "<i8";
  case ElementType::UI8:
    return "|u1";
  case ElementType::UI16:
    return "<u2";
  case ElementType::UI32:
    return "<u4";
  case ElementType::UI64:
    return "<u8";
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return "|V1";
  case ElementType::F16:
    return "<f2";
  case ElementType::BF16:
    return "<V2";
  case ElementType::F32:
    return "<f4";
  case ElementType::F64:
    return "<f8";
  case ElementType::ComplexF32:
    return "<c8";
  case ElementType::ComplexF64:
    return "<c16";
  }
  llvm_unreachable("not an element type");
}

std::string formatNpyHeader(ElementType type, ArrayRef<int64_t> shape) {
  std::string dict = "{'descr': '" + descrOf(type).str() +
                     "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < shape.size(); ++i)
    dict += (i ? ", " : "") + std::to_string(shape[i]);
  dict += shape.size() == 1 ? ",), }" : "), }";
  // Padded so that the data is aligned. Version 2 where the length needs it.
  bool isLong = dict.size() > 65000;
  size_t prefix = kMagic.size() + 2 + (isLong ? 4 : 2);
  size_t total = alignTo(prefix + dict.size() + 1, 64);
  dict.append(total - prefix - dict.size() - 1, ' ');
  dict += '\n';
  std::string header = kMagic.str();
  header += isLong ? '\2' : '\1';
  header += '\0';
  for (unsigned i = 0; i < (isLong ? 4u : 2u); ++i)
    header += static_cast<char>(dict.size() >> (8 * i));
  return header + dict;
}

static Error writeElements(StringRef path, StringRef header,
                           const HostTensor &tensor) {
  HostTensor dense;
  const HostTensor *from = &tensor;
  if (!tensor.isRowMajor()) {
    auto copy = tensor.toRowMajor();
    if (!copy)
      return copy.takeError();
    dense = std::move(*copy);
    from = &dense;
  }
  auto file = AtomicFile::create(path);
  if (!file)
    return file.takeError();
  file->os() << header
             << StringRef(from->getData(), from->getNumElements() *
                                               getByteWidth(from->getType()));
  return file->commit();
}

Error writeNpy(StringRef path, const HostTensor &tensor) {
  return writeElements(
      path, formatNpyHeader(tensor.getType(), tensor.getShape()), tensor);
}

Error writeRaw(StringRef path, const HostTensor &tensor) {
  return writeElements(path, "", tensor);
}

Error readRaw(StringRef path, HostTensor &tensor) {
  auto file = readFile(path);
  if (!file)
    return file.takeError();
  StringRef bytes = (*file)->getBuffer();
  uint64_t size = static_cast<uint64_t>(tensor.getNumElements()) *
                  getByteWidth(tensor.getType());
  if (bytes.size() != size)
    return createStringError(
        "cannot read '" + path + "': " + tensor.getTypeName() + " takes " +
        plural(size, "byte") + ", and it holds " + Twine(bytes.size()));
  if (tensor.getType() != ElementType::I1) {
    tensor.copyFrom(bytes.data());
    return Error::success();
  }
  std::string booleans = bytes.str();
  normalizeBooleans(booleans.data(), booleans.size());
  tensor.copyFrom(booleans.data());
  return Error::success();
}

} // namespace ew::runtime
