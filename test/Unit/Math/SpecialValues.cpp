//===- SpecialValues.cpp - Values that tell implementations apart ---------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpecialValues.h"
#include "ew/Pipelines/BuildPlan.h"
#include "ew/Runtime/Element.h"

using namespace mlir;
using namespace ew;
namespace rt = ew::runtime;

std::vector<uint64_t> ew::test::getValues(rt::ElementType type, size_t random,
                                          std::mt19937_64 &rng) {
  unsigned width = rt::getByteWidth(type) * 8;
  uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
  std::vector<uint64_t> values;
  if (type == rt::ElementType::I1)
    return {0, 1};
  if (width == 8) {
    for (uint64_t bits = 0; bits < 256; ++bits)
      values.push_back(bits);
    return values;
  }
  if (!rt::isFloat(type)) {
    uint64_t top = 1ull << (width - 1);
    for (uint64_t base : {uint64_t(0), top, mask, uint64_t(width), top >> 1})
      for (int64_t offset : {-2, -1, 0, 1, 2})
        values.push_back((base + offset) & mask);
    for (uint64_t value : {3, 7, 10, 31, 33, 63, 64, 65, 100})
      values.push_back(value & mask);
    for (unsigned bit : {8u, 15u, 16u, 24u, 31u, 32u, 52u, 53u, 63u})
      if (bit < width)
        for (int64_t offset : {-1, 0, 1})
          values.push_back(((1ull << bit) + offset) & mask);
    // int to bf16 and f16 must round once.
    values.push_back(16842753 & mask);
  } else {
    const llvm::fltSemantics &semantics = rt::getSemantics(type);
    for (double value : {0.0,
                         1.0,
                         0.5,
                         1.5,
                         2.0,
                         2.5,
                         3.0,
                         0.1,
                         0.3,
                         0.49999997,
                         0.7071067811865476,
                         3.141592653589793,
                         1.5707963267948966,
                         4.0,
                         5.5,
                         8.0,
                         10.0,
                         16.0,
                         20.0,
                         31.0,
                         88.0,
                         88.72283,
                         89.5,
                         100.0,
                         104.0,
                         126.0,
                         127.0,
                         128.0,
                         255.5,
                         448.0,
                         464.0,
                         700.0,
                         710.0,
                         745.0,
                         1e-7,
                         1e-5,
                         0.01,
                         1e3,
                         32768.0,
                         57344.0,
                         61440.0,
                         65520.0,
                         1e5,
                         8388607.5,
                         16777216.0,
                         2147483648.0,
                         1e10,
                         9.2e18,
                         1.8446744073709552e19,
                         6.7e8})
      for (double sign : {1.0, -1.0})
        values.push_back(rt::roundToElement(sign * value, type));
    auto addBits = [&](const llvm::APFloat &value) {
      uint64_t bits = value.bitcastToAPInt().getZExtValue();
      for (uint64_t near : {bits, bits + 1, bits - 1})
        for (uint64_t sign : {uint64_t(0), uint64_t(1) << (width - 1)})
          values.push_back((near ^ sign) & mask);
    };
    addBits(llvm::APFloat::getZero(semantics));
    addBits(llvm::APFloat::getSmallest(semantics));
    addBits(llvm::APFloat::getSmallestNormalized(semantics));
    addBits(llvm::APFloat::getLargest(semantics));
    addBits(llvm::APFloat::getInf(semantics));
    addBits(llvm::APFloat::getNaN(semantics));
    addBits(llvm::APFloat::getOne(semantics));
  }
  for (size_t i = 0; i < random; ++i) {
    uint64_t bits = rng() & mask;
    // Half of the numbers of moderate size, where functions are not at their
    // limits.
    if (rt::isFloat(type) && i % 2)
      bits = rt::roundToElement(
          std::ldexp(double(int64_t(rng())), -63 + int(rng() % 9)), type);
    values.push_back(bits);
  }
  return values;
}

reference::Tensor ew::test::makeTensor(rt::ElementType type,
                                       ArrayRef<uint64_t> bits) {
  reference::Tensor tensor{type, {static_cast<int64_t>(bits.size())}, {}};
  unsigned bytes = rt::getByteWidth(type);
  tensor.data.resize(bits.size() * bytes);
  for (auto [i, value] : llvm::enumerate(bits))
    rt::storeElement(tensor.data.data() + i * bytes, type, value);
  return tensor;
}

static bool isNaN(Type type, uint64_t bits) {
  auto floating = dyn_cast<FloatType>(type);
  return floating &&
         APFloat(floating.getFloatSemantics(), APInt(floating.getWidth(), bits))
             .isNaN();
}

bool ew::test::isSame(Type type, uint64_t a, uint64_t b) {
  return a == b || (isNaN(type, a) && isNaN(type, b));
}

ew::test::Columns ew::test::makeColumns(ArrayRef<Type> types, size_t most) {
  std::mt19937_64 rng(1);
  Columns values, columns(types.size());
  size_t count = 1;
  for (Type type : types) {
    values.push_back(getValues(*getRuntimeType(type), 8, rng));
    count = std::min(count * values.back().size(), size_t(1) << 30);
  }
  for (size_t i = 0; i < std::min(count, most); ++i) {
    size_t at = count <= most ? i : rng() % count;
    for (auto [column, known] : llvm::zip(columns, values)) {
      column.push_back(known[at % known.size()]);
      at /= known.size();
    }
  }
  return columns;
}

func::FuncOp ew::test::buildProgram(OpBuilder &builder, const OpSpec &spec,
                                    std::string name) {
  auto toTensor = [](Type type) {
    return RankedTensorType::get({ShapedType::kDynamic}, type);
  };
  SmallVector<Type> inputs;
  for (Type operand : spec.operands)
    inputs.push_back(toTensor(operand));
  Location loc = builder.getUnknownLoc();
  auto function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(inputs, {toTensor(spec.result)}));
  OpBuilder body = OpBuilder::atBlockBegin(function.addEntryBlock());
  Value result = spec.build(body, function.getArguments());
  func::ReturnOp::create(body, loc, result);
  return function;
}
