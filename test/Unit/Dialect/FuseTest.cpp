//===- FuseTest.cpp - Fusion of large and of random programs --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <ctime>
#include <random>

using namespace mlir;

namespace {

struct Fused {
  bool valid = false;
  double seconds = 0; // of this process's time, not of the clock on the wall
  unsigned kernels = 0;
  bool opsLeft = false;
};

class FuseTest : public testing::Test {
protected:
  FuseTest() {
    context.loadDialect<ew::EwDialect, func::FuncDialect, linalg::LinalgDialect,
                        tensor::TensorDialect, arith::ArithDialect>();
    context.disableMultithreading();
  }

  Fused fuse(const std::string &text) {
    Fused result;
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return result;
    PassManager pm(&context);
    pm.enableVerifier(false);
    pm.addNestedPass<func::FuncOp>(ew::createEwFuse());
    std::clock_t begin = std::clock();
    bool ran = succeeded(pm.run(*module));
    result.seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    result.valid = ran && succeeded(verify(*module));
    module->walk([&](Operation *op) {
      result.kernels += isa<linalg::GenericOp>(op);
      if (isa<ew::EwDialect>(op->getDialect()) && !isa<ew::CheckShapesOp>(op) &&
          !op->getParentOfType<linalg::GenericOp>())
        result.opsLeft = true;
    });
    return result;
  }

  MLIRContext context;
};

/// A function of `count` ops, each on two of the last `window` values.
std::string makeChain(unsigned count, unsigned window) {
  std::mt19937 random(count);
  std::string text = "func.func @f(%v0: tensor<?xf32>, %v1: tensor<?xf32>) -> "
                     "tensor<?xf32> {\n";
  for (unsigned i = 2; i < count + 2; ++i) {
    auto pick = [&] {
      return std::to_string(i - 1 - random() % std::min(i, window));
    };
    text += "%v" + std::to_string(i) + " = ew.add %v" + pick() + ", %v" +
            pick() + " : tensor<?xf32>\n";
  }
  return text + "return %v" + std::to_string(count + 1) +
         " : tensor<?xf32>\n}\n";
}

TEST_F(FuseTest, TimeIsLinearInOps) {
  for (unsigned window : {2u, 64u, 1u << 20}) {
    Fused hundred = fuse(makeChain(100, window)),
          thousand = fuse(makeChain(1000, window)),
          tenThousand = fuse(makeChain(10000, window));
    EXPECT_TRUE(hundred.valid && thousand.valid && tenThousand.valid);
    RecordProperty("seconds_10000", std::to_string(tenThousand.seconds));
    // Ten times the ops: a quadratic pass would take a hundred times as long.
    EXPECT_LT(tenThousand.seconds, 30 * thousand.seconds + 0.05)
        << "window " << window;
    EXPECT_LT(thousand.seconds, 30 * hundred.seconds + 0.05)
        << "window " << window;
  }
}

TEST_F(FuseTest, DeepChainIsSplitNotRefused) {
  Fused fused = fuse(makeChain(10000, 1));
  EXPECT_TRUE(fused.valid);
  EXPECT_GT(fused.kernels, 1u);
  EXPECT_LT(fused.kernels, 100u);
}

TEST_F(FuseTest, DoublingTreesAreNotRecomputed) {
  std::string text = "func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
                     "%v0 = ew.neg %x : tensor<8x8xf32>\n";
  // As trees, these 300 ops are 2^300.
  for (int i = 1; i < 300; ++i) {
    std::string last = "%v" + std::to_string(i - 1), next = std::to_string(i);
    text += "%t" + next + " = ew.transpose " + last +
            " [1, 0] : tensor<8x8xf32> to tensor<8x8xf32>\n" + "%v" + next +
            " = ew.add %t" + next + ", %t" + next + " : tensor<8x8xf32>\n";
  }
  EXPECT_TRUE(fuse(text + "return %v299 : tensor<8x8xf32>\n}\n").valid);
}

/// Ops, views, sources and calls at random, of static and dynamic shapes.
std::string makeRandom(unsigned seed) {
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return unsigned(random() % n); };
  struct Typed {
    std::string name, type;
  };
  const std::vector<std::string> types = {"tensor<4x8xf32>", "tensor<8x4xf32>",
                                          "tensor<8xf32>",   "tensor<1x8xf32>",
                                          "tensor<?x8xf32>", "tensor<8x?xf32>",
                                          "tensor<?x?xf32>", "tensor<?xf32>"};
  std::vector<Typed> values;
  std::string body, signature, declarations;
  for (const std::string &type : types)
    for (int i = 0; i < 2; ++i) {
      values.push_back({"%a" + std::to_string(values.size()), type});
      signature +=
          (signature.empty() ? "" : ", ") + values.back().name + ": " + type;
    }
  for (size_t i = 0; i < types.size(); ++i)
    declarations += "func.func private @host" + std::to_string(i) + "(" +
                    types[i] + ") -> " + types[i] + "\n";
  signature += ", %s: f32, %n: i64";
  auto pick = [&](const std::string &type) {
    std::vector<std::string> fitting;
    for (const Typed &value : values)
      if (value.type == type)
        fitting.push_back(value.name);
    return fitting[below(fitting.size())];
  };
  for (unsigned i = 0; i < 40; ++i) {
    std::string name = "%v" + std::to_string(i),
                type = types[below(types.size())];
    bool dynamic = type.find('?') != std::string::npos;
    std::string like =
        dynamic ? " like(" + pick(type) + " : " + type + ")" : "";
    std::string line;
    switch (below(10)) {
    case 0:
    case 1:
    case 2:
      line = "ew.add " + pick(type) + ", " + pick(type) + " : " + type;
      break;
    case 3:
    case 4:
      line = "ew.exp " + pick(type) + " : " + type;
      break;
    case 5:
      line = "ew.broadcast %s" + like + " : f32 to " + type;
      break;
    case 6:
      line = below(2) ? "ew.iota dimension(0)" + like + " : " + type
                      : "ew.philox %n, %n distribution(uniform)" + like +
                            " : i64, i64 to " + type;
      break;
    case 7:
      type = "tensor<?x8xf32>";
      line = "ew.transpose " + pick("tensor<8x?xf32>") +
             " [1, 0] : tensor<8x?xf32> to " + type;
      break;
    case 8:
      if (below(2)) {
        type = "tensor<?xf32>";
        line = "ew.broadcast " + pick(type) + " like(" + pick(type) + " : " +
               type + ") : " + type + " to " + type;
        break;
      }
      type = "tensor<?x?xf32>";
      line = "ew.broadcast " + pick("tensor<?xf32>") + " like(" + pick(type) +
             " : " + type + ") : tensor<?xf32> to " + type;
      break;
    case 9: {
      size_t index =
          std::find(types.begin(), types.end(), type) - types.begin();
      line = "func.call @host" + std::to_string(index) + "(" + pick(type) +
             ") : (" + type + ") -> " + type;
      break;
    }
    }
    body += name + " = " + line + "\n";
    values.push_back({name, type});
  }
  std::string names, results;
  for (int i = 0; i < 6; ++i) {
    const Typed &value = values[values.size() - 1 - below(30)];
    names += (i ? ", " : "") + value.name;
    results += (i ? ", " : "") + value.type;
  }
  return declarations + "func.func @f(" + signature + ") -> (" + results +
         ") {\n" + body + "return " + names + " : " + results + "\n}\n";
}

TEST_F(FuseTest, RandomProgramsStayValid) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::string program = makeRandom(seed);
    Fused fused = fuse(program);
    ASSERT_TRUE(fused.valid) << "seed " << seed << "\n" << program;
    ASSERT_FALSE(fused.opsLeft) << "seed " << seed << "\n" << program;
  }
}

} // namespace
