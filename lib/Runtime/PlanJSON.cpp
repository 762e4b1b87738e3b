//===- PlanJSON.cpp - Programs as JSON ------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every struct has one list of its fields, which writing and reading share.
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"

#include <limits>

using namespace ew::runtime;
using llvm::StringRef;
namespace json = llvm::json;

/// Grows whenever a program of an older EW can no longer be read.
static constexpr int64_t kFormat = 7;

//===----------------------------------------------------------------------===//
// The fields
//===----------------------------------------------------------------------===//

namespace {
/// A string of bytes, as opposed to text.
struct Bytes {
  std::string &data;
};
} // namespace

template <typename IO>
static bool fields(IO &&io, SizeExpr &size) {
  return io("kind", size.kind) && io("value", size.value) && io("a", size.a) &&
         io("b", size.b) && io("c", size.c);
}

template <typename IO>
static bool fields(IO &&io, Value &value) {
  return io("kind", value.kind) && io("type", value.type) &&
         io("scalar", value.scalar) && io("in_place", value.inPlace) &&
         io("shape", value.shape) && io("data", Bytes{value.data});
}

template <typename IO>
static bool fields(IO &&io, Check &check) {
  return io("lhs", check.lhs) && io("rhs", check.rhs) &&
         io("allow_one", check.allowOne) && io("message", check.message) &&
         io("location", check.location);
}

template <typename IO>
static bool fields(IO &&io, KernelArg &arg) {
  return io("kind", arg.kind) && io("operand", arg.operand) &&
         io("dim", arg.dim) && io("width", arg.width);
}

template <typename IO>
static bool fields(IO &&io, Variant &variant) {
  return io("kernel", variant.kernel) && io("module", variant.module) &&
         io("contiguous", variant.contiguous) && io("dims", variant.dims) &&
         io("alignment", variant.alignment) &&
         io("multiple", variant.multiple) && io("rows", variant.rows) &&
         io("below", variant.below) && io("index_width", variant.indexWidth) &&
         io("block", variant.block) &&
         io("elements_per_block", variant.elementsPerBlock) &&
         io("lanes", variant.lanes) && io("tile", variant.tile) &&
         io("shared_bytes", variant.sharedBytes) && io("args", variant.args) &&
         io("dependent_launch", variant.dependentLaunch);
}

template <typename IO>
static bool fields(IO &&io, Operand &operand) {
  return io("value", operand.value) && io("dim_of_loop", operand.dimOfLoop) &&
         io("layout", operand.layout) && io("access", operand.access) &&
         io("wide", operand.wide);
}

template <typename IO>
static bool fields(IO &&io, Launch &launch) {
  return io("name", launch.name) && io("location", launch.location) &&
         io("loops", launch.loops) && io("collapse", launch.collapse) &&
         io("operands", launch.operands) &&
         io("num_inputs", launch.numInputs) &&
         io("variants", launch.variants) && io("ops", launch.ops) &&
         io("schedule", launch.schedule) &&
         io("schedule_source", launch.scheduleSource) &&
         io("fingerprint", launch.fingerprint) &&
         io("arithmetic", launch.arithmetic);
}

template <typename IO>
static bool fields(IO &&io, ScheduleAttempt &attempt) {
  return io("schedule", attempt.schedule) &&
         io("registers", attempt.registers) &&
         io("spill_bytes", attempt.spillBytes) &&
         io("one_block", attempt.oneBlock);
}

template <typename IO>
static bool fields(IO &&io, BackOff &backOff) {
  return io("fingerprint", backOff.fingerprint) && io("name", backOff.name) &&
         io("location", backOff.location) && io("source", backOff.source) &&
         io("attempts", backOff.attempts) && io("done", backOff.done) &&
         io("kept", backOff.kept);
}

template <typename IO>
static bool fields(IO &&io, Plan &plan) {
  return io("function", plan.function) && io("sizes", plan.sizes) &&
         io("values", plan.values) && io("num_arguments", plan.numArguments) &&
         io("results", plan.results) && io("checks", plan.checks) &&
         io("launches", plan.launches) && io("back_offs", plan.backOffs);
}

template <typename IO>
static bool fields(IO &&io, CodeModule &module) {
  return io("kind", module.kind) && io("name", module.name) &&
         io("code", Bytes{module.code});
}

template <typename IO>
static bool fields(IO &&io, Program &program) {
  return io("target", program.target) && io("chip", program.chip) &&
         io("plan", program.plan) && io("modules", program.modules);
}

/// The names of an enumeration's values, in order.
static llvm::ArrayRef<StringRef> namesOf(SizeExpr::Kind) {
  static constexpr StringRef names[] = {
      "constant", "dim", "add", "sub",   "mul",   "floor_div",
      "ceil_div", "min", "max", "equal", "select"};
  return names;
}
static llvm::ArrayRef<StringRef> namesOf(Value::Kind) {
  static constexpr StringRef names[] = {"argument", "temporary", "constant"};
  return names;
}
static llvm::ArrayRef<StringRef> namesOf(KernelArg::Kind) {
  static constexpr StringRef names[] = {"pointer", "scalar", "size",
                                        "count",   "stride", "divisor"};
  return names;
}
static llvm::ArrayRef<StringRef> namesOf(CodeKind) {
  static constexpr StringRef names[] = {"ptx", "cubin", "object"};
  return names;
}
static llvm::ArrayRef<StringRef> namesOf(Target) {
  static constexpr StringRef names[] = {"cuda", "cpu", "emulated"};
  return names;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
struct Writer {
  json::Object &object;

  template <typename T>
  bool operator()(StringRef key, const T &value) {
    object[key] = write(value);
    return true;
  }

  template <typename T>
  static json::Value write(const T &value) {
    if constexpr (std::is_same_v<T, ElementType>) {
      return getName(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      return value;
    } else if constexpr (std::is_enum_v<T>) {
      return namesOf(value)[static_cast<unsigned>(value)];
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<int64_t>(value);
    } else if constexpr (std::is_same_v<T, std::optional<uint32_t>>) {
      return value ? json::Value(int64_t(*value)) : json::Value(nullptr);
    } else if constexpr (std::is_same_v<T, Bytes>) {
      return llvm::encodeBase64(value.data);
    } else {
      json::Object inner;
      // Writing changes nothing.
      fields(Writer{inner}, const_cast<T &>(value));
      return inner;
    }
  }
  static json::Value write(const std::string &text) {
    return json::isUTF8(text) ? text : json::fixUTF8(text);
  }
  template <typename T>
  static json::Value write(const std::vector<T> &list) {
    json::Array array;
    for (const T &element : list)
      array.push_back(write(element));
    return array;
  }
};
} // namespace

json::Value ew::runtime::toJSON(const Program &program) {
  json::Value value = Writer::write(program);
  (*value.getAsObject())["format"] = kFormat;
  return value;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
struct Reader {
  const json::Object *object;
  json::Path path;

  template <typename T>
  bool operator()(StringRef key, T &&value) {
    const json::Value *element = object->get(key);
    if (!element) {
      path.field(key).report("missing value");
      return false;
    }
    return read(*element, value, path.field(key));
  }

  template <typename T>
  static bool read(const json::Value &from, T &to, json::Path path) {
    if constexpr (std::is_same_v<T, bool>) {
      return json::fromJSON(from, to, path);
    } else if constexpr (std::is_same_v<T, ElementType>) {
      std::optional<ElementType> type;
      if (std::optional<StringRef> name = from.getAsString())
        type = parseElementType(*name);
      if (!type) {
        path.report("expected an element type");
        return false;
      }
      to = *type;
      return true;
    } else if constexpr (std::is_enum_v<T>) {
      std::optional<StringRef> name = from.getAsString();
      llvm::ArrayRef<StringRef> names = namesOf(T());
      const StringRef *found = name ? llvm::find(names, *name) : names.end();
      if (found == names.end()) {
        path.report("expected one of the values that it may have");
        return false;
      }
      to = static_cast<T>(found - names.begin());
      return true;
    } else if constexpr (std::is_integral_v<T>) {
      std::optional<int64_t> number = from.getAsInteger();
      if (!number || *number < std::numeric_limits<T>::min() ||
          (sizeof(T) < 8 && *number > int64_t(std::numeric_limits<T>::max()))) {
        path.report("expected an integer in range");
        return false;
      }
      to = static_cast<T>(*number);
      return true;
    } else if constexpr (std::is_same_v<T, std::optional<uint32_t>>) {
      return from.getAsNull() || read(from, to.emplace(), path);
    } else if constexpr (std::is_same_v<T, Bytes>) {
      std::optional<StringRef> text = from.getAsString();
      std::vector<char> data;
      // An empty input is no error for us.
      llvm::Error error = text && !text->empty()
                              ? llvm::decodeBase64(*text, data)
                              : llvm::Error::success();
      bool failed = bool(error);
      llvm::consumeError(std::move(error));
      if (!text || failed) {
        path.report("expected base64");
        return false;
      }
      to.data.assign(data.begin(), data.end());
      return true;
    } else {
      const json::Object *inner = from.getAsObject();
      if (!inner) {
        path.report("expected object");
        return false;
      }
      return fields(Reader{inner, path}, to);
    }
  }
  static bool read(const json::Value &from, std::string &to, json::Path path) {
    return json::fromJSON(from, to, path);
  }
  template <typename T>
  static bool read(const json::Value &from, std::vector<T> &to,
                   json::Path path) {
    const json::Array *array = from.getAsArray();
    if (!array) {
      path.report("expected array");
      return false;
    }
    to.clear();
    to.resize(array->size());
    for (size_t i = 0; i < to.size(); ++i)
      if (!read((*array)[i], to[i], path.index(i)))
        return false;
    return true;
  }
};
} // namespace

llvm::Expected<Program> ew::runtime::fromJSON(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object || object->getInteger("format") != kFormat)
    return llvm::createStringError("not a program of this version of EW");
  Program program;
  json::Path::Root root("program");
  if (!Reader::read(value, program, root))
    return root.getError();
  if (llvm::Error error = verify(program))
    return std::move(error);
  return program;
}
