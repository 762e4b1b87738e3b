//===- PTXInstructions.cpp - What instructions of PTX cost ----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/PTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include <numeric>

using namespace ew::analysis;
using llvm::StringRef;

StringRef ew::analysis::getName(Unit unit) {
  static constexpr llvm::StringLiteral names[numUnits] = {
      "load",    "store",   "shared",  "local", "f32",    "f64",  "f16x2",
      "special", "integer", "convert", "pack",  "branch", "other"};
  return names[unsigned(unit)];
}

double InstructionMix::total() const {
  return std::accumulate(begin(), end(), 0.0);
}

InstructionMix &InstructionMix::operator+=(const InstructionMix &other) {
  for (unsigned i = 0; i < numUnits; ++i)
    data()[i] += other.data()[i];
  return *this;
}

namespace {
/// The parts of an opcode: "ld", "global", "nc", "v4", "b32".
struct Opcode {
  explicit Opcode(StringRef text) { text.split(parts, '.'); }
  StringRef base() const { return parts.front(); }
  /// The last part that is a type.
  StringRef type() const {
    for (StringRef part : llvm::reverse(parts))
      if (widthOf(part))
        return part;
    return "";
  }
  bool has(StringRef part) const { return llvm::is_contained(parts, part); }
  /// Bits of a type: "b32", "f16x2", "e4m3x2".
  static unsigned widthOf(StringRef type) {
    return llvm::StringSwitch<unsigned>(type)
        .Case("pred", 1)
        .Cases({"b8", "u8", "s8", "e4m3", "e5m2"}, 8)
        .Cases({"b16", "u16", "s16", "f16", "bf16", "e4m3x2", "e5m2x2"}, 16)
        .Cases({"b32", "u32", "s32", "f32", "f16x2", "bf16x2", "tf32"}, 32)
        .Cases({"b64", "u64", "s64", "f64", "f32x2"}, 64)
        .Case("b128", 128)
        .Default(0);
  }
  llvm::SmallVector<StringRef, 8> parts;
};
} // namespace

static bool isHalf(StringRef type) {
  return type == "f16" || type == "bf16" || type == "f16x2" || type == "bf16x2";
}
static bool isFloat(StringRef type) {
  return type == "f32" || type == "f64" || type == "f32x2" || isHalf(type);
}

unsigned ew::analysis::getAccessBytes(StringRef text) {
  Opcode opcode(text);
  if (opcode.base() != "ld" && opcode.base() != "st" && opcode.base() != "ldu")
    return 0;
  unsigned lanes = 1;
  for (StringRef part : opcode.parts)
    if (part.size() == 2 && part[0] == 'v')
      lanes = part[1] - '0';
  return lanes * Opcode::widthOf(opcode.type()) / 8;
}

static Unit unitOfFloat(StringRef type) {
  return type == "f64" ? Unit::F64 : isHalf(type) ? Unit::F16x2 : Unit::F32;
}

static InstructionMix
make(std::initializer_list<std::pair<Unit, double>> counts) {
  InstructionMix mix;
  for (auto [unit, count] : counts)
    mix[unit] += count;
  return mix;
}

/// Of functions. In f32 without .ftz the hardware's approximations are wrapped
/// in a comparison and two multiplications for subnormal numbers; IEEE
/// division, root and reciprocal take a Newton step or two and a branch to a
/// slow path (ptxas 13.0 for sm_90; its f64 counterparts are calls of some
/// twenty instructions).
static InstructionMix getFunction(const Opcode &opcode) {
  StringRef base = opcode.base(), type = opcode.type();
  bool approx = opcode.has("approx") || opcode.has("full");
  if (type == "f64")
    return make({{Unit::Special, 1},
                 {Unit::F64, 8},
                 {Unit::Integer, 8},
                 {Unit::Branch, 1}});
  if (isHalf(type))
    return make({{Unit::Special, 1}, {Unit::F16x2, 1}});
  bool ftz = opcode.has("ftz");
  if (base == "tanh")
    return make({{Unit::Special, 1}});
  if (base == "sin" || base == "cos")
    return make({{Unit::Special, 1}, {Unit::F32, 1}});
  if (base == "div") // the guide's x * (1 / y), with scaling
    return approx ? make({{Unit::Special, 1}, {Unit::F32, ftz ? 1. : 4.}})
                  : make({{Unit::Special, 1},
                          {Unit::F32, 6},
                          {Unit::Integer, 1},
                          {Unit::Branch, 2}});
  if (!approx)
    return make({{Unit::Special, 1},
                 {Unit::F32, base == "rcp" ? 3. : 5.},
                 {Unit::Integer, 2},
                 {Unit::Branch, 2}});
  return ftz ? make({{Unit::Special, 1}})
             : make({{Unit::Special, 1}, {Unit::F32, 2}, {Unit::Integer, 1}});
}

static InstructionMix getConversion(const Opcode &opcode) {
  // The last two types: to, from.
  llvm::SmallVector<StringRef> types;
  for (StringRef part : opcode.parts)
    if (Opcode::widthOf(part))
      types.push_back(part);
  if (types.size() < 2)
    return make({{Unit::Convert, 1}});
  StringRef to = types[0], from = types[1];
  auto isNarrow = [](StringRef t) {
    return isHalf(t) || t.starts_with("e4m3") || t.starts_with("e5m2");
  };
  bool toFloat = isFloat(to) || isNarrow(to);
  bool fromFloat = isFloat(from) || isNarrow(from);
  if (!toFloat && !fromFloat) // sign or zero extension, truncation
    return make({{Unit::Integer, 0.5}});
  if (to == "f64" || from == "f64" || toFloat != fromFloat || to == from)
    return make({{Unit::Convert, 1}});
  return make({{Unit::Pack, 1}});
}

static InstructionMix getMemory(const Opcode &opcode) {
  if (opcode.has("param") || opcode.has("const"))
    return {}; // operands of instructions that use them
  if (opcode.has("shared"))
    return make({{Unit::Shared, 1}});
  if (opcode.has("local"))
    return make({{Unit::Local, 1}});
  return make({{opcode.base() == "st" ? Unit::Store : Unit::Load, 1}});
}

InstructionMix ew::analysis::getMachineInstructions(StringRef text) {
  Opcode opcode(text);
  StringRef base = opcode.base(), type = opcode.type();
  // 64-bit integers take two registers.
  double words = Opcode::widthOf(type) == 64 && !isFloat(type) ? 2 : 1;
  if (llvm::is_contained({"ld", "st", "ldu"}, base))
    return getMemory(opcode);
  // Registers are renamed, and pairs and halves of them are named for free.
  if (llvm::is_contained({"mov", "cvta", "pragma"}, base))
    return {};
  if (llvm::is_contained({"bra", "brx", "ret", "exit", "call", "bar", "barrier",
                          "trap", "griddepcontrol"},
                         base))
    return make({{Unit::Branch, 1}});
  if (base == "cvt")
    return getConversion(opcode);
  if (llvm::is_contained(
          {"ex2", "lg2", "rcp", "rsqrt", "sqrt", "sin", "cos", "tanh"}, base) ||
      (base == "div" && isFloat(type)))
    return getFunction(opcode);
  if (base == "div" || base == "rem")
    // A reciprocal in floating point, put right; a call for 64 bits.
    return words == 1 ? make({{Unit::Special, 1},
                              {Unit::Convert, 2},
                              {Unit::Integer, 12}})
                      : make({{Unit::Special, 1},
                              {Unit::Convert, 2},
                              {Unit::Integer, 60},
                              {Unit::Branch, 2}});
  if (isFloat(type)) {
    // Comparison, minimum, maximum and selection are the integers' unit's.
    if (llvm::is_contained({"setp", "set", "selp", "slct", "min", "max"}, base))
      return make({{type == "f64" ? Unit::F64 : Unit::Integer, 1}});
    // Sign and magnitude are operands' modifiers.
    if (base == "neg" || base == "abs")
      return make({{unitOfFloat(type), 0.5}});
    if (type == "f32x2")
      return make({{Unit::F32, 1}});
    return make({{unitOfFloat(type), 1}});
  }
  if (base == "mul" || base == "mad") // mul.wide: one instruction
    return make({{Unit::Integer, words == 2 ? 4. : 1.}});
  if (llvm::is_contained({"and", "or", "xor", "not"}, base) && type == "pred")
    return make({{Unit::Integer, 0.5}});
  return make({{Unit::Integer, words}});
}
