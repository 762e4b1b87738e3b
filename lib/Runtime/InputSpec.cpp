//===- InputSpec.cpp - --input and --output on the command line -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/InputSpec.h"
#include "ew/Runtime/Element.h"
#include "ew/Runtime/Npy.h"
#include "ew/Support/Plural.h"
#include "ew/Support/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <numeric>

using namespace llvm;

namespace ew::runtime {

char SpecError::ID = 0;

/// `message`, then the text around `at` with a caret under it.
static std::string describeAt(StringRef text, size_t at, const Twine &message) {
  constexpr size_t kBefore = 40, kWidth = 76;
  size_t begin = at > kBefore && text.size() > kWidth ? at - kBefore : 0;
  std::string line = begin ? "..." : "";
  size_t caret = line.size() + (at - begin);
  for (char c : text.substr(begin, kWidth))
    line += isPrint(c) ? c : '?';
  if (begin + kWidth < text.size())
    line += "...";
  return (message + "\n  " + line + "\n  " + std::string(caret, ' ') + "^")
      .str();
}

/// What is wrong with the text as it stands.
static Error errorAt(StringRef text, size_t at, const Twine &message) {
  return make_error<SpecError>(describeAt(text, at, message),
                               inconvertibleErrorCode());
}

/// What is right, but does not go with what it meets.
static Error mismatchAt(StringRef text, size_t at, const Twine &message,
                        std::error_code code = inconvertibleErrorCode()) {
  return createStringError(code, describeAt(text, at, message));
}

/// What others call an element type, or what was nearly written; empty where
/// that is not known.
static std::string suggestType(StringRef name) {
  static constexpr std::pair<StringRef, StringRef> kOthers[] = {
      {"bool", "i1"},
      {"byte", "i8"},
      {"int", "i32"},
      {"long", "i64"},
      {"half", "f16"},
      {"float", "f32"},
      {"double", "f64"},
      {"float16", "f16"},
      {"float32", "f32"},
      {"float64", "f64"},
      {"bfloat16", "bf16"},
      {"float8_e4m3fn", "f8E4M3FN"},
      {"float8_e5m2", "f8E5M2"},
      {"complex64", "complex<f32>"},
      {"complex128", "complex<f64>"}};
  for (auto [other, ours] : kOthers)
    if (name.equals_insensitive(other))
      return "; did you mean '" + ours.str() + "'?";
  static constexpr StringRef kTypes[] = {
      "i1",   "i8",   "i16", "i32", "i64", "ui8",    "ui16",    "ui32",
      "ui64", "bf16", "f16", "f32", "f64", "f8E5M2", "f8E4M3FN"};
  return suggest(name, kTypes);
}

/// What may have been meant by what is no number.
static std::string suggestData(StringRef text) {
  // A number that is only misspelt has no letters to go by.
  if (text.contains('/') || text.ends_with_insensitive(".npy") ||
      text.ends_with_insensitive(".bin"))
    return "; a file is written '@" + text.str() + "'";
  if (text.empty() || !isAlpha(text.front()))
    return {};
  return suggest(text, {"zeros", "ones", "iota", "random"});
}

namespace {
class SpecParser {
public:
  SpecParser(StringRef text) : text(text) { spec.text = text.str(); }

  Expected<InputSpec> parse() {
    bool typed = false;
    if (Error error = parseType(typed))
      return std::move(error);
    if (typed)
      while (at < text.size() && text[at] == ',')
        if (Error error = parseViewOption())
          return std::move(error);
    if (at == text.size()) {
      if (!typed)
        return fail("expected a type or data, as in 4xf32=1,2,3,4");
      return std::move(spec);
    }
    if (text[at] == '=')
      ++at;
    else if (typed)
      return fail("expected '=' and data after the type");
    if (Error error = parseData())
      return std::move(error);
    return std::move(spec);
  }

private:
  Error fail(const Twine &message) { return errorAt(text, at, message); }
  StringRef rest() { return text.substr(at); }

  /// Takes "2x3xf32" if the text begins with something like a type.
  Error parseType(bool &typed) {
    Sizes shape;
    while (at < text.size() && isDigit(text[at])) {
      StringRef digits = rest().take_while([](char c) { return isDigit(c); });
      if (!text.substr(at + digits.size()).starts_with("x"))
        break;
      int64_t size;
      if (digits.getAsInteger(10, size))
        return fail("a size must be below 2^63");
      shape.push_back(size);
      at += digits.size() + 1;
    }
    if (rest().starts_with("tensor<"))
      return fail("a type is written without tensor<...>, as in 4xf32=...");
    if (size_t digits = rest().find_first_not_of("0123456789", 1);
        digits != StringRef::npos && text[at + digits] == 'x' &&
        (text[at] == '?' || text[at] == '-'))
      return fail("a size is a number of 0 or more, as in 4xf32=...");
    StringRef name =
        rest().take_while([](char c) { return isAlnum(c) || c == '_'; });
    if (name == "complex")
      name = rest().take_until([](char c) { return c == '>' || c == '='; });
    if (rest().substr(name.size()).starts_with(">"))
      name = rest().take_front(name.size() + 1);
    std::string spelling = name.str();
    if (name.starts_with("si"))
      spelling.erase(0, 1); // signless integers are signed
    std::optional<ElementType> element = parseElementType(spelling);
    if (element) {
      at += name.size();
      typed = true;
      spec.type = TensorType{*element, shape};
      return Error::success();
    }
    // What has sizes or a '=' was meant to have a type; the rest may be data.
    bool hasSizes = !shape.empty() && !text.starts_with_insensitive("0x");
    if (hasSizes || (text.contains('=') && text[0] != '=' && text[0] != '@'))
      return fail("expected an element type: i1, i8 to i64, ui8 to ui64, "
                  "f8E4M3FN, f8E5M2, f16, bf16, f32, f64, complex<f32> or "
                  "complex<f64>" +
                  suggestType(name));
    at = 0;
    return Error::success();
  }

  Error parseInteger(int64_t &value) {
    StringRef digits = rest();
    if (digits.consumeInteger(10, value))
      return fail("expected an integer");
    at = text.size() - digits.size();
    return Error::success();
  }

  bool take(StringRef word) {
    if (!rest().starts_with(word))
      return false;
    at += word.size();
    return true;
  }

  Error parseViewOption() {
    size_t start = ++at;
    int64_t value;
    if (take("offset=")) {
      if (spec.offset)
        return errorAt(text, start, "the offset is given twice");
      if (Error error = parseInteger(value))
        return error;
      spec.offset = value;
      return Error::success();
    }
    if (!take("strides="))
      return fail("expected strides= or offset=");
    if (spec.strides)
      return errorAt(text, start, "the strides are given twice");
    spec.strides.emplace();
    do {
      if (Error error = parseInteger(value))
        return error;
      spec.strides->push_back(value);
    } while (take(":"));
    if (spec.strides->size() != spec.type->shape.size())
      return errorAt(text, start,
                     "expected " + Twine(spec.type->shape.size()) +
                         " strides, one per dimension, got " +
                         Twine(spec.strides->size()));
    return Error::success();
  }

  Error parseData() {
    spec.dataBegin = at;
    if (take("@")) {
      spec.path = rest().str();
      if (spec.path.empty())
        return fail("expected the name of a file");
      if (rest().ends_with_insensitive(".npz"))
        return fail("an .npz file is an archive of .npy files: unpack it, and "
                    "give one of them");
      spec.data = rest().ends_with_insensitive(".npy") ? InputSpec::Data::Npy
                                                       : InputSpec::Data::Raw;
      return Error::success();
    }
    StringRef word = rest().trim();
    if (word == "zeros" || word == "ones" || word == "iota") {
      spec.data = word == "zeros"  ? InputSpec::Data::Zeros
                  : word == "ones" ? InputSpec::Data::Ones
                                   : InputSpec::Data::Iota;
      return Error::success();
    }
    if (word == "random" || word.starts_with("random:"))
      return parseRandom();
    return parseValues();
  }

  Error parseRandom() {
    spec.data = InputSpec::Data::Random;
    SmallVector<StringRef, 4> parts;
    rest().trim().split(parts, ':');
    if (parts.size() == 1)
      return Error::success();
    if (parts.size() == 2 || parts.size() > 4)
      return fail("expected random, random:low:high or random:low:high:seed");
    spec.low = parts[1].str();
    spec.high = parts[2].str();
    uint64_t seed;
    if (parts.size() == 4) {
      if (parts[3].getAsInteger(0, seed)) {
        at = parts[3].data() - text.data();
        return fail("expected a seed below 2^64");
      }
      spec.seed = seed;
    }
    return Error::success();
  }

  Error parseValues() {
    spec.data = InputSpec::Data::Values;
    int depth = 0;
    bool needValue = false;         // after a comma
    std::optional<size_t> rowBegin; // within innermost brackets
    for (; at < text.size(); ++at) {
      char c = text[at];
      if (isSpace(c))
        continue;
      if (c == ',') {
        if (needValue || spec.values.empty())
          return fail("expected a value before ','");
        needValue = true;
      } else if (c == '[') {
        ++depth;
        rowBegin = spec.values.size();
      } else if (c == ']') {
        if (--depth < 0)
          return fail("unbalanced ']'");
        if (!rowBegin)
          continue;
        size_t length = spec.values.size() - *std::exchange(rowBegin, {});
        if (length != spec.rowLength.value_or(length))
          return fail("this row has " + plural(length, "value") +
                      ", and the one before it " +
                      std::to_string(*spec.rowLength));
        spec.rowLength = length;
      } else {
        size_t from = at;
        if (c == '(') // a complex number has a comma of its own
          from = std::min(text.find(')', at), text.size());
        size_t end =
            std::min(text.find_first_of(", \t\n\r\f\v[]", from), text.size());
        spec.values.emplace_back(at, end);
        at = end - 1;
        needValue = false;
      }
    }
    if (needValue)
      return fail("expected a value after ','");
    if (depth)
      return fail("expected ']'");
    return Error::success();
  }

  StringRef text;
  size_t at = 0;
  InputSpec spec;
};

/// Turns a parsed spec into a tensor, step by step.
class InputMaker {
public:
  InputMaker(const InputSpec &spec, const TensorType *expected, unsigned number,
             std::optional<unsigned> result = std::nullopt)
      : spec(spec), expected(expected), number(number), result(result) {}

  Expected<HostTensor> make() {
    if (spec.data == InputSpec::Data::Npy)
      return makeFromNpy();
    auto type = resolveType();
    if (!type)
      return type.takeError();
    auto tensor = allocate(*type);
    if (!tensor)
      return tensor;
    if (Error error = fill(*tensor))
      return std::move(error);
    return tensor;
  }

private:
  Error fail(const Twine &message) {
    return errorAt(spec.text, spec.dataBegin, message);
  }

  Error checkExpected(ElementType element, ArrayRef<int64_t> shape) {
    if (!expected)
      return Error::success();
    bool same =
        expected->element == element && expected->shape.size() == shape.size();
    for (size_t i = 0; same && i < shape.size(); ++i)
      same = expected->shape[i] < 0 || expected->shape[i] == shape[i];
    if (same)
      return Error::success();
    if (result)
      return mismatchAt(spec.text, 0,
                        "result " + std::to_string(*result) + " is " +
                            formatType(expected->element, expected->shape) +
                            ", and " + formatType(element, shape) +
                            " was expected");
    return mismatchAt(
        spec.text, 0,
        "expected " + formatType(expected->element, expected->shape) +
            ", which the function declares, got " + formatType(element, shape));
  }

  Expected<TensorType> resolveType() {
    if (spec.type) {
      if (Error error = checkExpected(spec.type->element, spec.type->shape))
        return std::move(error);
      return *spec.type;
    }
    if (!expected)
      return fail("expected a type, as in 4xf32=...");
    TensorType type = *expected;
    auto isFree = [](int64_t size) { return size < 0; };
    if (none_of(type.shape, isFree))
      return type;
    // The number of values gives one free size.
    auto *free = find_if(type.shape, isFree);
    Sizes others(type.shape);
    others.erase(others.begin() + (free - type.shape.begin()));
    std::optional<int64_t> rest = countElements(others);
    int64_t have = spec.values.size();
    if (spec.data != InputSpec::Data::Values || !rest || *rest == 0 ||
        have % *rest)
      return fail(
          "the function declares " +
          formatType(expected->element, expected->shape) +
          ": give the type with its sizes, as in 4xf32=" +
          (spec.data == InputSpec::Data::Raw ? "@" + spec.path : "..."));
    *free = have / *rest;
    return type;
  }

  Expected<HostTensor> allocate(const TensorType &type) {
    auto tensor =
        spec.strides || spec.offset
            ? HostTensor::createView(type.element, type.shape,
                                     spec.strides ? *spec.strides
                                                  : rowMajorStrides(type.shape),
                                     spec.offset)
            : HostTensor::create(type.element, type.shape);
    if (tensor)
      return tensor;
    // What the code says, not enough memory for one, outlasts the new text.
    std::error_code code;
    std::string text;
    handleAllErrors(tensor.takeError(), [&](const ErrorInfoBase &info) {
      code = info.convertToErrorCode();
      text = info.message();
    });
    return code == inconvertibleErrorCode()
               ? errorAt(spec.text, 0, text)
               : mismatchAt(spec.text, 0, text, code);
  }

  Expected<HostTensor> makeFromNpy() {
    std::optional<ElementType> element;
    if (spec.type)
      element = spec.type->element;
    else if (expected)
      element = expected->element;
    auto file = readNpy(spec.path, element);
    if (!file)
      return file;
    if (spec.type && ArrayRef(spec.type->shape) != file->getShape())
      return mismatchAt(spec.text, spec.dataBegin,
                        "expected " +
                            formatType(spec.type->element, spec.type->shape) +
                            ", and the file holds " + file->getTypeName());
    if (Error error = checkExpected(file->getType(), file->getShape()))
      return std::move(error);
    if (!spec.strides && !spec.offset)
      return file;
    auto dense = file->toRowMajor();
    if (!dense)
      return dense;
    auto view = allocate(*spec.type);
    if (view)
      view->copyFrom(dense->getData());
    return view;
  }

  Error fill(HostTensor &tensor) {
    if (spec.data == InputSpec::Data::Raw)
      return readRaw(spec.path, tensor);
    if (tensor.isRowMajor())
      return fillDense(tensor);
    auto dense = HostTensor::create(tensor.getType(), tensor.getShape());
    if (!dense)
      return dense.takeError();
    if (Error error = fillDense(*dense))
      return error;
    tensor.copyFrom(dense->getData());
    return Error::success();
  }

  Error fillDense(HostTensor &tensor) {
    ElementType type = tensor.getType();
    int64_t count = tensor.getNumElements();
    switch (spec.data) {
    case InputSpec::Data::Zeros:
      std::memset(tensor.getData(), 0, count * getByteWidth(type));
      return Error::success();
    case InputSpec::Data::Ones:
      generate(tensor, [](int64_t) { return 1; });
      return Error::success();
    case InputSpec::Data::Iota:
      generate(tensor, [](int64_t i) { return i; });
      return Error::success();
    case InputSpec::Data::Random: {
      Error error =
          fillRandom(tensor, spec.low, spec.high, spec.seed.value_or(number));
      return error ? fail(toString(std::move(error))) : Error::success();
    }
    default:
      return fillValues(tensor);
    }
  }

  Error fillValues(HostTensor &tensor) {
    int64_t count = tensor.getNumElements();
    int64_t have = spec.values.size();
    bool isSplat = have == 1 && count != 0;
    if (have != count && !isSplat) {
      // At the first value too many, or where the next one should stand.
      size_t at = have > count ? spec.values[count].first : spec.text.size();
      return errorAt(spec.text, at,
                     "expected " + Twine(count) +
                         (count == 1 ? " value" : " values") + " for " +
                         tensor.getTypeName() + ", got " + Twine(have));
    }
    ArrayRef<int64_t> shape = tensor.getShape();
    if (spec.rowLength && *spec.rowLength != size_t(have) &&
        (shape.empty() || int64_t(*spec.rowLength) != shape.back()))
      return errorAt(spec.text, spec.dataBegin,
                     "rows of " + plural(*spec.rowLength, "value") +
                         " in brackets, and those of " + tensor.getTypeName() +
                         " have " +
                         std::to_string(shape.empty() ? 1 : shape.back()));
    for (auto [i, range] : enumerate(spec.values)) {
      StringRef text = StringRef(spec.text).slice(range.first, range.second);
      unsigned width = getByteWidth(tensor.getType());
      char *to = tensor.getData() + i * width;
      if (Error error = parseElementTo(text, tensor.getType(), to))
        return errorAt(spec.text, range.first,
                       toString(std::move(error)) + suggestData(text));
      if (isSplat)
        splatFirst(tensor);
    }
    return Error::success();
  }

  template <typename T, typename Bits>
  static void generateAs(HostTensor &tensor, Bits bits) {
    T *data = reinterpret_cast<T *>(tensor.getData());
    for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i)
      data[i] = static_cast<T>(bits(i));
  }
  /// Sets every element to number(its index).
  template <typename Number>
  static void generate(HostTensor &tensor, Number number) {
    ElementType type = tensor.getType(), part = getPartType(type);
    auto bits = [=](int64_t i) { return convertToElement(number(i), part); };
    if (isComplex(type)) {
      unsigned width = getByteWidth(type);
      std::memset(tensor.getData(), 0, tensor.getNumElements() * width);
      for (int64_t i = 0, n = tensor.getNumElements(); i < n; ++i)
        storeElement(tensor.getData() + i * width, part, bits(i));
      return;
    }
    switch (getByteWidth(type)) {
    case 1:
      return generateAs<uint8_t>(tensor, bits);
    case 2:
      return generateAs<uint16_t>(tensor, bits);
    case 4:
      return generateAs<uint32_t>(tensor, bits);
    default:
      return generateAs<uint64_t>(tensor, bits);
    }
  }

  /// Copies the first element of a dense tensor to all others, doubling what is
  /// there.
  static void splatFirst(HostTensor &tensor) {
    char *data = tensor.getData();
    int64_t done = getByteWidth(tensor.getType());
    int64_t all = tensor.getNumElements() * done;
    for (; done < all; done *= 2)
      std::memcpy(data + done, data, std::min(done, all - done));
  }

  const InputSpec &spec;
  const TensorType *expected;
  unsigned number;
  std::optional<unsigned> result; // that is to be this
};
} // namespace

Expected<InputSpec> parseInputSpec(StringRef text) {
  return SpecParser(text).parse();
}

Expected<HostTensor> makeInput(const InputSpec &spec,
                               const TensorType *expected, unsigned number) {
  return InputMaker(spec, expected, number).make();
}

Expected<HostTensor> makeExpected(const InputSpec &spec,
                                  const TensorType &actual, unsigned result) {
  return InputMaker(spec, &actual, /*number=*/0, result).make();
}

/// The dimensions from the largest stride to the smallest, if that makes them a
/// dense tensor in another order than row-major. Strides of dimensions of size
/// 1 mean nothing.
static std::optional<std::vector<int64_t>>
getPermutedLayout(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  if (is_contained(shape, 0))
    return std::nullopt;
  std::vector<int64_t> order, all(shape.size());
  std::iota(all.begin(), all.end(), 0);
  copy_if(all, std::back_inserter(order),
          [&](int64_t dim) { return shape[dim] != 1; });
  sort(order, [&](int64_t a, int64_t b) { return strides[a] > strides[b]; });
  int64_t expected = 1;
  for (int64_t dim : reverse(order)) {
    if (strides[dim] != expected)
      return std::nullopt;
    expected *= shape[dim];
  }
  if (is_sorted(order))
    return std::nullopt;
  copy_if(all, std::back_inserter(order),
          [&](int64_t dim) { return shape[dim] == 1; });
  return order;
}

std::optional<std::vector<int64_t>> getLayout(const InputSpec &spec) {
  if (spec.strides && spec.type)
    return getPermutedLayout(spec.type->shape, *spec.strides);
  if (spec.data != InputSpec::Data::Npy)
    return std::nullopt;
  // What is mapped behind the end of a file cannot be read. What is wrong with
  // it is reported where the data is read.
  uint64_t size = 0;
  if (sys::fs::file_size(spec.path, size) || size == 0)
    return std::nullopt;
  auto file = MemoryBuffer::getFileSlice(spec.path,
                                         std::min<uint64_t>(size, 1 << 16), 0);
  if (!file)
    return std::nullopt;
  auto header = parseNpyHeader((*file)->getBuffer());
  if (!header) {
    consumeError(header.takeError());
    return std::nullopt;
  }
  if (!header->fortranOrder)
    return std::nullopt;
  return getPermutedLayout(header->shape, columnMajorStrides(header->shape));
}

Expected<OutputSpec> parseOutputSpec(StringRef text) {
  OutputSpec spec;
  StringRef path = text;
  if (text == "-")
    return spec;
  if (!path.consume_front("@") || path.empty())
    return errorAt(text, 0,
                   "expected @FILE.npy, @FILE (raw elements) or - (printed)");
  spec.kind = path.ends_with_insensitive(".npy") ? OutputSpec::Kind::Npy
                                                 : OutputSpec::Kind::Raw;
  spec.path = path.str();
  return spec;
}

Error writeOutput(const OutputSpec &spec, const HostTensor &tensor,
                  raw_ostream &os) {
  switch (spec.kind) {
  case OutputSpec::Kind::Npy:
    return writeNpy(spec.path, tensor);
  case OutputSpec::Kind::Raw:
    return writeRaw(spec.path, tensor);
  case OutputSpec::Kind::Print:
    if (int64_t left = print(os, tensor))
      os << " (" << left << " of " << plural(tensor.getNumElements(), "element")
         << (left == 1 ? " is" : " are")
         << " left out; --output=@FILE.npy keeps all)";
    os << "\n";
    return Error::success();
  }
  llvm_unreachable("unknown kind of output");
}

} // namespace ew::runtime
