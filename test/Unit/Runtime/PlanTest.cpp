//===- PlanTest.cpp - Programs as JSON, and faulty ones -------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

#include <random>

using namespace ew::runtime;
using namespace ew::runtime::test;
namespace json = llvm::json;

namespace {

std::string print(const json::Value &value) {
  return llvm::formatv("{0:2}", value).str();
}

/// A program with something of everything.
Program fullProgram() {
  Program program = addProgram({-1, 7});
  program.chip = "sm_90";
  Plan &plan = program.plan;
  for (int kind = 2; kind <= int(SizeExpr::Kind::Select); ++kind) {
    SizeExpr size;
    size.kind = SizeExpr::Kind(kind);
    size.a = 0, size.b = 2, size.c = 1;
    plan.sizes.push_back(size);
  }
  plan.sizes.push_back(constant(-5));
  Value row;
  row.kind = Value::Kind::Constant;
  row.type = ElementType::BF16;
  row.shape = {2};
  row.data = std::string("\0\xff\x80 12345678901", 14);
  plan.values.push_back(row);
  plan.values[1].inPlace = true;
  plan.results.push_back(3);
  Launch &launch = plan.launches[0];
  launch.operands[0].layout = {1, 0};
  launch.ops = {"add", "mul"};
  launch.arithmetic = {"add: IEEE 754 operations, correctly rounded"};
  launch.collapse = {1, 1};
  launch.variants[0].tile = {32, 16, 0};
  launch.variants[0].sharedBytes = 4096;
  launch.variants[0].lanes = 8;
  launch.variants[0].indexWidth = 32;
  launch.variants[0].args.push_back({KernelArg::Kind::Divisor, 0, 1, 64});
  launch.fingerprint = "abc";
  plan.backOffs.push_back({"abc",
                           "add",
                           "f.mlir:3:8",
                           "model",
                           {{"block=128,elements=4,unroll=2", 255, 64, true},
                            {"block=128,elements=4,unroll=1", 120, 0}},
                           true,
                           1});
  plan.backOffs.push_back({"def",
                           "mul",
                           "f.mlir:4:8",
                           "--schedule",
                           {{"block=128,elements=4,unroll=2", 255, 64}},
                           false,
                           std::nullopt});
  return program;
}

TEST(PlanJSON, RoundTrip) {
  Program program = fullProgram();
  std::string text = print(toJSON(program));
  json::Value parsed = llvm::cantFail(json::parse(text));
  Program again = llvm::cantFail(fromJSON(parsed));
  EXPECT_EQ(print(toJSON(again)), text);
  EXPECT_EQ(again.modules[0].code, program.modules[0].code);
  EXPECT_EQ(again.plan.values[3].data, program.plan.values[3].data);
  EXPECT_EQ(again.plan.sizes.back().value, -5);
  EXPECT_FALSE(again.plan.values[0].inPlace);
  EXPECT_TRUE(again.plan.values[1].inPlace);
  EXPECT_EQ(again.plan.launches[0].variants[0].tile,
            (std::vector<int64_t>{32, 16, 0}));
  EXPECT_EQ(again.plan.launches[0].location, "f.mlir:3:8");
  EXPECT_EQ(again.plan.launches[0].arithmetic,
            program.plan.launches[0].arithmetic);
}

/// Every name that an enumeration's value is written by.
TEST(PlanJSON, EveryKindOfArgument) {
  using Kind = KernelArg::Kind;
  for (Kind kind : {Kind::Pointer, Kind::Scalar, Kind::Size, Kind::Count,
                    Kind::Stride, Kind::Divisor}) {
    Program program = fullProgram();
    program.plan.values[program.plan.launches[0].operands[0].value].scalar =
        kind == Kind::Scalar;
    program.plan.launches[0].variants[0].args = {{kind, 0, 1, 64}};
    llvm::Expected<Program> again = fromJSON(toJSON(program));
    // Whether it is valid is another matter.
    if (!again) {
      EXPECT_EQ(llvm::toString(again.takeError()).find("expected one of"),
                std::string::npos)
          << int(kind);
      continue;
    }
    EXPECT_EQ(again->plan.launches[0].variants[0].args[0].kind, kind);
  }
}

TEST(Plan, BackOffs) {
  Program program = fullProgram();
  const Plan &plan = program.plan;
  EXPECT_EQ(plan.findBackOff("abc"), &plan.backOffs[0]);
  EXPECT_EQ(plan.findBackOff("nothing"), nullptr);
  BackOff backOff = plan.backOffs[0];
  EXPECT_FALSE(backOff.isSplit());
  EXPECT_EQ(
      describe(backOff),
      "kernel 'add': block=128,elements=4,unroll=2 spills 64 bytes a thread "
      "(255 registers, one block on a multiprocessor) (model), "
      "block=128,elements=4,unroll=1 spills nothing "
      "(120 registers); block=128,elements=4,unroll=1 it is");
  EXPECT_TRUE(backOff.hasChanged());
  EXPECT_TRUE(backOff.isNews());
  // What was tried and is no better changes nothing.
  BackOff stays = backOff;
  stays.kept = 0;
  EXPECT_FALSE(stays.hasChanged());
  EXPECT_TRUE(stays.isNews());
  stays.attempts[0].spillBytes = 0;
  EXPECT_FALSE(stays.isNews());
  backOff.kept = std::nullopt;
  EXPECT_TRUE(backOff.isSplit());
  EXPECT_TRUE(backOff.hasChanged());
  EXPECT_TRUE(llvm::StringRef(describe(backOff))
                  .ends_with("; it was split into two kernels"));
  backOff.attempts.resize(1);
  backOff.kept = 0;
  EXPECT_TRUE(llvm::StringRef(describe(backOff))
                  .ends_with("on a multiprocessor) (model); it stays"));
  EXPECT_TRUE(backOff.isNews());
  backOff.attempts[0].spillBytes = 0;
  EXPECT_FALSE(backOff.isNews());

  program.plan.backOffs[0].kept = 2;
  EXPECT_EQ(messageOf(verify(program)),
            "invalid program: back-off 0: no such attempt");
  program.plan.backOffs[0].attempts.clear();
  EXPECT_EQ(messageOf(verify(program)),
            "invalid program: back-off 0: no attempt");
}

TEST(PlanJSON, VersionsWithoutCode) {
  Program program = fullProgram();
  program.plan.launches[0].variants[1].module = std::nullopt;
  Program again = llvm::cantFail(fromJSON(toJSON(program)));
  EXPECT_EQ(again.plan.launches[0].variants[0].module, 0u);
  EXPECT_EQ(again.plan.launches[0].variants[1].module, std::nullopt);
  json::Value value = toJSON(program);
  json::Object &launch =
      *(*value.getAsObject()->getObject("plan")->getArray("launches"))[0]
           .getAsObject();
  (*(*launch.getArray("variants"))[0].getAsObject())["module"] = "none";
  EXPECT_EQ(messageOf(fromJSON(value)),
            "expected an integer in range at "
            "program.plan.launches[0].variants[0].module");
}

TEST(PlanJSON, TextThatIsNotUTF8) {
  Program program = fullProgram();
  program.plan.launches[0].location = "\xff\xfe.mlir:1:1";
  std::string text = print(toJSON(program));
  EXPECT_TRUE(json::isUTF8(text));
  EXPECT_EQ(messageOf(fromJSON(llvm::cantFail(json::parse(text)))), "");
}

/// Messages that say where the fault is.
TEST(PlanJSON, Faults) {
  auto message = [](llvm::function_ref<void(json::Object &)> change) {
    json::Value value = toJSON(fullProgram());
    change(*value.getAsObject());
    return messageOf(fromJSON(value));
  };
  auto plan = [](json::Object &program) -> json::Object & {
    return *program.getObject("plan");
  };
  EXPECT_EQ(message([](json::Object &p) { p["format"] = 99; }),
            "not a program of this version of EW");
  EXPECT_EQ(messageOf(fromJSON(json::Value(3))),
            "not a program of this version of EW");
  EXPECT_EQ(message([](json::Object &p) { p.erase("chip"); }),
            "missing value at program.chip");
  EXPECT_EQ(message([](json::Object &p) { p["target"] = "tpu"; }),
            "expected one of the values that it may have at program.target");
  EXPECT_EQ(message([&](json::Object &p) { plan(p)["num_arguments"] = -1; }),
            "expected an integer in range at program.plan.num_arguments");
  EXPECT_EQ(message([&](json::Object &p) {
              plan(p)["num_arguments"] = int64_t(1) << 32;
            }),
            "expected an integer in range at program.plan.num_arguments");
  EXPECT_EQ(message([](json::Object &p) {
              (*(*p.getArray("modules"))[0].getAsObject())["code"] = "!";
            }),
            "expected base64 at program.modules[0].code");
  // What can be read need not be valid.
  EXPECT_EQ(message([&](json::Object &p) { plan(p)["num_arguments"] = 9; }),
            "invalid program: arguments: fewer values than arguments");
}

/// Indices and numbers that would be read without another look.
TEST(PlanVerify, Faults) {
  auto message =
      [](llvm::function_ref<void(Program &, Plan &, Launch &)> change) {
        Program program = fullProgram();
        change(program, program.plan, program.plan.launches[0]);
        return messageOf(verify(program));
      };
#define FAULT(text, change)                                                    \
  EXPECT_EQ(                                                                   \
      message([](Program &program, Plan &plan, Launch &launch) { change; }),   \
      "invalid program: " text)
  FAULT("arguments: fewer values than arguments", plan.numArguments = 9);
  FAULT("size 0: a dimension of something that is no argument",
        plan.sizes[0].a = 2);
  FAULT("size 0: the argument has no such dimension", plan.sizes[0].value = 2);
  FAULT("size 0: the argument has no such dimension", plan.sizes[0].value = -1);
  FAULT("size 4: refers to an entry that does not come before it",
        plan.sizes[4].b = 4);
  FAULT("size 12: refers to an entry that does not come before it",
        plan.sizes[12].c = 99);
  FAULT("value 2: arguments come first",
        plan.values[2].kind = Value::Kind::Argument);
  FAULT("value 1: arguments come first",
        plan.values[1].kind = Value::Kind::Temporary);
  FAULT("value 2: no such size", plan.values[2].shape[0] = plan.sizes.size());
  FAULT("value 2: only an argument without dimensions may be a number",
        plan.values[2].scalar = true);
  FAULT("value 2: only an argument without dimensions may be a number",
        plan.values[2].scalar = true;
        plan.values[2].shape.clear());
  FAULT("value 2: only constants have data", plan.values[2].data = "x");
  FAULT("value 2: only a tensor that is an argument may be written in place",
        plan.values[2].inPlace = true);
  FAULT("value 1: only a tensor that is an argument may be written in place",
        plan.sizes[1] = constant(3);
        plan.values[1].scalar = true; plan.values[1].shape.clear());
  FAULT("value 3: a constant whose shape is not", plan.values[3].shape = {0});
  FAULT("value 3: data of the wrong length", plan.values[3].data.pop_back());
  FAULT("value 3: data of the wrong length", plan.values[3].data += "x");
  FAULT("results: no such value", plan.results[0] = 4);
  FAULT("checks: no such size", plan.checks[0].rhs = 99);
  FAULT("launch 0: no such size", launch.loops[0] = 99);
  FAULT("launch 0: a collapsed dimension of 0 loops", launch.collapse[0] = 0);
  FAULT("launch 0: collapsed dimensions that do not cover the loops",
        launch.collapse.pop_back());
  FAULT("launch 0: no output", launch.numInputs = 3);
  FAULT("launch 0: no variant", launch.variants.clear());
  FAULT("launch 0, variant 0: dimensions that there are not",
        launch.variants[0].dims = 1);
  FAULT("launch 0, variant 1: dimensions that there are not",
        launch.variants[1].contiguous = false;
        launch.variants[1].dims = 3);
  FAULT("launch 0, variant 1: dimensions that there are not",
        launch.variants[1].dims = -1);
  FAULT("launch 0, operand 1: no such value", launch.operands[1].value = 4);
  FAULT("launch 0, operand 1: another number of loops than the launch",
        launch.operands[1].dimOfLoop.pop_back());
  FAULT("launch 0, operand 1: a loop walks no dimension, or one that another "
        "loop walks",
        launch.operands[1].dimOfLoop[0] = 1);
  FAULT("launch 0, operand 1: a loop walks no dimension, or one that another "
        "loop walks",
        launch.operands[1].dimOfLoop[0] = -2);
  FAULT("launch 0, operand 0: a layout of another rank",
        launch.operands[0].layout.pop_back());
  FAULT("launch 0, operand 0: a layout that is no permutation",
        launch.operands[0].layout[0] = 0);
  FAULT("launch 0, operand 2: an output that cannot be written to",
        launch.operands[2].value = 0);
  FAULT("launch 0, operand 2: an output whose dimensions are not the loops",
        launch.operands[2].dimOfLoop[0] = -1);
  FAULT("launch 0, operand 2: an output whose dimensions are not the loops",
        plan.values[2].shape.push_back(0));
  FAULT("launch 0, operand 2: an output whose dimensions are not the loops",
        plan.values[2].shape.pop_back();
        launch.operands[2].dimOfLoop[1] = -1);
  FAULT("launch 0, variant 1: no such module", launch.variants[1].module = 1);
  FAULT("launch 0, variant 1: no name", launch.variants[1].kernel.clear());
  FAULT("launch 0, variant 1: an alignment that is no power of two",
        launch.variants[1].alignment = 12);
  FAULT("launch 0, variant 1: a number below 1",
        launch.variants[1].elementsPerBlock = 0);
  FAULT("launch 0, variant 1: a number below 1",
        launch.variants[1].multiple = 0);
  FAULT("launch 0, variant 1: a number below 1", launch.variants[1].lanes = 0);
  FAULT("launch 0, variant 1: a number below 1", launch.variants[1].rows = 0);
  FAULT("launch 0, variant 1: a limit below 0", launch.variants[1].below = -1);
  FAULT("launch 0, variant 1: rows that there are not",
        (launch.variants[1].rows = 2, launch.variants[1].contiguous = false));
  FAULT("launch 0, variant 1: an index that has neither 32 nor 64 bits",
        launch.variants[1].indexWidth = 16);
  FAULT("launch 0, variant 1: a block of 1025 threads",
        launch.variants[1].block = 1025);
  FAULT("launch 0, variant 0: a tile that does not fit the dimensions",
        launch.variants[0].tile[2] = 1);
  FAULT("launch 0, variant 0: a tile that does not fit the dimensions",
        launch.variants[0].tile.pop_back());
  FAULT("launch 0, variant 0: no such operand",
        launch.variants[0].args[0].operand = 3);
  FAULT("launch 0, variant 2: no such dimension",
        launch.variants[2].args[3].dim = 2);
  FAULT("launch 0, variant 1: a width that does not hold the index",
        launch.variants[1].args[3].width = 32);
  FAULT(
      "launch 0, variant 1: a divisor of 64 bits goes with an index of 32",
      launch.variants[1].args.push_back({KernelArg::Kind::Divisor, 0, 1, 64}));
  FAULT("launch 0, variant 0: numbers go by value, tensors by pointer",
        launch.variants[0].args[0].kind = KernelArg::Kind::Scalar);
  FAULT("launch 1: writes a value that was written before",
        plan.launches.push_back(launch));
  FAULT("launch 0: reads a value that it writes", launch.operands[0].value = 2);
  FAULT("launch 0: reads a value in another order than it writes it",
        plan.values[0].inPlace = true;
        launch.operands[2].value = 0; std::swap(
            launch.operands[0].dimOfLoop[0], launch.operands[0].dimOfLoop[1]));
#undef FAULT
  EXPECT_EQ(message([](Program &, Plan &, Launch &) {}), "");
  EXPECT_EQ(message([](Program &, Plan &plan, Launch &launch) {
              plan.sizes[0] = plan.sizes[1] = constant(3);
              launch.loops.clear();
              launch.collapse.clear();
              for (Operand &operand : launch.operands) {
                operand.dimOfLoop.clear();
                operand.layout.clear();
                plan.values[operand.value].shape.clear();
              }
              launch.variants = {launch.variants[1]};
              launch.variants[0].multiple = 2;
            }),
            "invalid program: launch 0, variant 0: a multiple of a dimension "
            "that there is not");
  EXPECT_EQ(message([](Program &, Plan &plan, Launch &launch) {
              plan.values[0].inPlace = true;
              launch.operands[2].value = 0;
            }),
            "");
}

/// Whatever happens to the text, reading it is an error or gives a program that
/// runs or is refused, never anything else.
TEST(PlanJSON, MutationsAreHarmless) {
  Program program = addProgram({-1, 7});
  std::string code = program.modules[0].code;
  program.modules[0].code = "code";
  std::string text = print(toJSON(program));
  std::unique_ptr<Device> device = createCPUDevice();
  Tensor tensor =
      upload(*device, ElementType::F32, {2, 7}, std::vector<float>(14, 1));
  std::mt19937 random(7);
  unsigned numRead = 0, numPrepared = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string changed = text;
    int edits = 1 + random() % 3;
    for (int i = 0; i < edits; ++i) {
      size_t at = random() % changed.size();
      switch (random() % 4) {
      case 0:
        changed.erase(at, 1 + random() % 20);
        break;
      case 1:
        changed[at] = "0123456789-{}[],:\"truefalsnE"[random() % 28];
        break;
      case 2:
        changed.insert(at, changed.substr(random() % changed.size(), 10));
        break;
      case 3: { // another number
        size_t digit = changed.find_first_of("0123456789", at);
        if (digit != std::string::npos)
          changed.replace(digit, 1,
                          std::to_string(int64_t(random()) - (1 << 30)));
        break;
      }
      }
    }
    llvm::Expected<json::Value> value = json::parse(changed);
    if (!value) {
      llvm::consumeError(value.takeError());
      continue;
    }
    llvm::Expected<Program> read = fromJSON(*value);
    if (!read) {
      llvm::consumeError(read.takeError());
      continue;
    }
    ++numRead;
    read->modules[0].code = code;
    auto executable = Executable::create(std::move(*read), *device);
    if (!executable) {
      llvm::consumeError(executable.takeError());
      continue;
    }
    auto invocation = (*executable)->prepare({tensor, tensor});
    numPrepared += bool(invocation);
    if (!invocation)
      llvm::consumeError(invocation.takeError());
  }
  EXPECT_GT(numRead, 100u);
  EXPECT_GT(numPrepared, 50u);
  EXPECT_LT(numPrepared, numRead);
}

TEST(PlanSizes, Arithmetic) {
  Plan plan;
  plan.numArguments = 1;
  plan.values.resize(1);
  plan.values[0].shape = {0, 0};
  using Kind = SizeExpr::Kind;
  auto evaluate = [&](Kind kind, int64_t a, int64_t b,
                      int64_t c = 0) -> std::optional<int64_t> {
    plan.sizes = {constant(a), constant(b), constant(c)};
    SizeExpr size;
    size.kind = kind;
    size.a = 0, size.b = 1, size.c = 2;
    plan.sizes.push_back(size);
    return evaluateSizes(plan, {{3, 4}}).back();
  };
  EXPECT_EQ(evaluate(Kind::Add, 2, 3), 5);
  EXPECT_EQ(evaluate(Kind::Add, INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(evaluate(Kind::Sub, 2, 3), -1);
  EXPECT_EQ(evaluate(Kind::Sub, INT64_MIN, 1), std::nullopt);
  EXPECT_EQ(evaluate(Kind::Mul, 2, 3), 6);
  EXPECT_EQ(evaluate(Kind::Mul, int64_t(1) << 32, int64_t(1) << 31),
            std::nullopt);
  EXPECT_EQ(evaluate(Kind::FloorDiv, 7, 2), 3);
  EXPECT_EQ(evaluate(Kind::FloorDiv, -7, 2), -4);
  EXPECT_EQ(evaluate(Kind::FloorDiv, -8, 2), -4);
  EXPECT_EQ(evaluate(Kind::FloorDiv, 7, 0), std::nullopt);
  EXPECT_EQ(evaluate(Kind::FloorDiv, INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(evaluate(Kind::CeilDiv, 7, 2), 4);
  EXPECT_EQ(evaluate(Kind::CeilDiv, -7, 2), -3);
  EXPECT_EQ(evaluate(Kind::CeilDiv, -7, -2), 4);
  EXPECT_EQ(evaluate(Kind::Min, 2, 3), 2);
  EXPECT_EQ(evaluate(Kind::Max, 2, 3), 3);
  EXPECT_EQ(evaluate(Kind::Equal, 2, 3), 0);
  EXPECT_EQ(evaluate(Kind::Equal, 3, 3), 1);
  EXPECT_EQ(evaluate(Kind::Select, 1, 10, 20), 10);
  EXPECT_EQ(evaluate(Kind::Select, 0, 10, 20), 20);

  // What is missing matters only to those who use it.
  plan.sizes = {constant(0), dimOf(0, 1)};
  SizeExpr quotient;
  quotient.kind = Kind::FloorDiv;
  quotient.a = 1, quotient.b = 0;
  SizeExpr select;
  select.kind = Kind::Select;
  select.a = 0, select.b = 2, select.c = 1;
  plan.sizes.push_back(quotient);
  plan.sizes.push_back(select);
  EXPECT_EQ(evaluateSizes(plan, {{3, 4}}),
            (std::vector<std::optional<int64_t>>{0, 4, std::nullopt, 4}));
}

} // namespace
