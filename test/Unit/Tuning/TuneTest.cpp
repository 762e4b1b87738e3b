//===- TuneTest.cpp - From a function to entries and back -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Tuning/Tune.h"

#include "../TestContext.h"
#include "TestSupport.h"
#include "ew/Runtime/Timing.h"
#include "ew/Tuning/Lookup.h"
#include "mlir/Parser/Parser.h"

using namespace ew;
using namespace ew::tuning;
using namespace ew::runtime::test;

namespace rt = ew::runtime;

namespace {

constexpr const char *kChain = R"(
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.mul %x, %y : tensor<?xf32>
  %1 = ew.tanh %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
})";
/// The same kernel, told otherwise.
constexpr const char *kOther = R"(
func.func private @part(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %p = ew.mul %a, %b : tensor<?xf32>
  return %p : tensor<?xf32>
}
func.func @another_name(%p: tensor<?xf32>, %q: tensor<?xf32>) -> tensor<?xf32> {
  %0 = func.call @part(%p, %q) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = ew.tanh %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
})";
constexpr const char *kInPlace = R"(
func.func @step(%p: tensor<?xf32> {ew.inplace = 0}, %g: tensor<?xf32>) -> tensor<?xf32> {
  %0 = ew.sub %p, %g : tensor<?xf32>
  return %0 : tensor<?xf32>
})";
/// Their results differ in shape, so that they are no one kernel.
constexpr const char *kTwoKernels = R"(
func.func @two(%x: tensor<32x64xf32>, %y: tensor<64x32xf32>) -> (tensor<32x64xf32>, tensor<64x32xf32>) {
  %0 = ew.exp %x : tensor<32x64xf32>
  %1 = ew.neg %y : tensor<64x32xf32>
  return %0, %1 : tensor<32x64xf32>, tensor<64x32xf32>
})";

struct TuneTest : testing::Test {
  TuneTest() {
    options.compile.target = rt::Target::CPU;
    options.compile.chip = device->getChip();
    options.minSampleSeconds = 2e-5;
    options.search.maxRounds = 8;
    options.search.confirmRounds = 8;
  }
  void parse(const char *text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
  }

  rt::Argument makeArgument(std::vector<int64_t> shape, float value) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    std::vector<float> data(count, value);
    rt::BufferRef buffer =
        llvm::cantFail(rt::Buffer::allocate(*device, count * 4));
    llvm::cantFail(
        device->copyToDevice(buffer->address(), data.data(), count * 4));
    return rt::makeTensor(rt::ElementType::F32, shape, buffer);
  }

  std::vector<KernelReport> tune(llvm::ArrayRef<rt::Argument> arguments,
                                 TuneListener *other = nullptr) {
    Database database =
        llvm::cantFail(Database::openToWrite(directory.file("db")));
    TuneListener listener;
    return take(tuneFunction(*module, "", options, *device, arguments, database,
                             other ? *other : listener));
  }

  rt::Plan getPlan(const CompileOptions &compileOptions) {
    auto program = ew::compile(*module, "", compileOptions);
    EXPECT_TRUE(mlir::succeeded(program));
    return mlir::succeeded(program) ? program->plan : rt::Plan();
  }

  std::unique_ptr<rt::Device> device = rt::createCPUDevice();
  test::TestContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  TemporaryDirectory directory;
  TuneOptions options;
};

TEST_F(TuneTest, SearchesOnceAndKnowsThen) {
  parse(kChain);
  std::vector<rt::Argument> arguments = {makeArgument({1000}, 0.5f),
                                         makeArgument({1000}, 2.0f)};
  std::vector<KernelReport> reports = tune(arguments);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_FALSE(reports[0].known);
  EXPECT_TRUE(reports[0].result.entry.complete);
  EXPECT_GT(reports[0].result.tried.size(), 5u);
  EXPECT_EQ(reports[0].key.sizes, "2^9 dense");
  for (const Tried &tried : reports[0].result.tried)
    EXPECT_NE(tried.state, Tried::State::Failed) << tried.note;
  KernelReport first = reports[0];

  // The kernel is known from whatever text it comes, and for sizes nearby.
  parse(kOther);
  arguments = {makeArgument({600}, 0.5f), makeArgument({600}, 2.0f)};
  reports = tune(arguments);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_TRUE(reports[0].known);
  EXPECT_EQ(reports[0].key.kernel, first.key.kernel);

  // Not in another mode, and not far away.
  options.search.budgetSeconds = 0;
  arguments = {makeArgument({5000}, 0.5f), makeArgument({5000}, 2.0f)};
  EXPECT_FALSE(tune(arguments)[0].known);
  arguments = {makeArgument({600}, 0.5f), makeArgument({600}, 2.0f)};
  options.compile.mode = Mode::Strict;
  reports = tune(arguments);
  EXPECT_FALSE(reports[0].known);
  EXPECT_NE(reports[0].key.kernel, first.key.kernel);
}

TEST_F(TuneTest, ArgumentsStayAsTheyAre) {
  parse(kInPlace);
  std::vector<rt::Argument> arguments = {makeArgument({512}, 8.0f),
                                         makeArgument({512}, 1.0f)};
  unsigned judged = 0;
  options.judge =
      [&](llvm::ArrayRef<rt::Tensor> results) -> llvm::Expected<std::string> {
    // One step from what the caller gave.
    ++judged;
    EXPECT_EQ(*static_cast<float *>(results[0].buffer->pointer()), 7.0f);
    return std::string();
  };
  tune(arguments);
  for (unsigned i = 0; i < 512; ++i) {
    ASSERT_EQ(static_cast<float *>(arguments[0].tensor.buffer->pointer())[i],
              8.0f);
    ASSERT_EQ(static_cast<float *>(arguments[1].tensor.buffer->pointer())[i],
              1.0f);
  }
}

TEST_F(TuneTest, AnEntryIsUsed) {
  parse(kTwoKernels);
  std::vector<rt::Argument> arguments = {makeArgument({32, 64}, 0.5f),
                                         makeArgument({64, 32}, 2.0f)};
  options.search.budgetSeconds = 0;
  std::vector<KernelReport> reports = tune(arguments);
  ASSERT_EQ(reports.size(), 2u);
  {
    Database database =
        llvm::cantFail(Database::openToWrite(directory.file("db")));
    Entry entry;
    entry.schedule = {0, 4, 128};
    EXPECT_FALSE(bool(database.store(reports[1].key, entry)));
  }
  std::vector<rt::Tensor> places = {
      makePlaceholder(rt::ElementType::F32, {32, 64}),
      makePlaceholder(rt::ElementType::F32, {64, 32})};
  ::setenv("EW_TUNE_DB", directory.file("db").c_str(), 1);
  CompileOptions compileOptions = options.compile;
  rt::Plan model = getPlan(compileOptions);
  EXPECT_EQ(model.launches[1].scheduleSource, "model");
  compileOptions.findSchedules =
      makeLookup(*device, compileOptions.chip, places);
  rt::Plan plan = getPlan(compileOptions);
  ASSERT_EQ(plan.launches.size(), 2u);
  EXPECT_EQ(plan.launches[0].schedule, model.launches[0].schedule);
  EXPECT_EQ(plan.launches[0].scheduleSource, "model");
  EXPECT_EQ(plan.launches[1].schedule, "elements=4,unroll=128");
  EXPECT_EQ(plan.launches[1].scheduleSource, "tuned (database)");
  EXPECT_EQ(plan.launches[1].variants[0].elementsPerBlock, 512);
  EXPECT_EQ(plan.launches[1].fingerprint, model.launches[1].fingerprint);
  // What is asked for by hand stands before it.
  compileOptions.schedule.elements = 2;
  plan = getPlan(compileOptions);
  EXPECT_EQ(plan.launches[1].scheduleSource, "--schedule");
  compileOptions.schedule = {};

  // A database that is broken is told of, and the model's schedules are used.
  std::error_code code;
  llvm::raw_fd_ostream(directory.file("db"), code) << "no database at all\n";
  std::string warning;
  compileOptions.findSchedules =
      makeLookup(*device, compileOptions.chip, places,
                 [&](llvm::StringRef why) { warning = why.str(); });
  plan = getPlan(compileOptions);
  EXPECT_EQ(plan.launches[1].scheduleSource, "model");
  EXPECT_EQ(warning, "working without tuned schedules: database '" +
                         directory.file("db") + "': file is not a database");
  ::setenv("EW_TUNE_DB", "", 1);
}

TEST_F(TuneTest, SizesTellKernelsApart) {
  parse(R"(
func.func @f(%x: tensor<?x?xf32>, %r: tensor<1x?xf32>) -> tensor<?x?xf32> {
  %0 = ew.broadcast %r like(%x : tensor<?x?xf32>) : tensor<1x?xf32> to tensor<?x?xf32>
  %1 = ew.add %x, %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
})");
  CompileOptions compileOptions;
  compileOptions.target = rt::Target::Emulated;
  compileOptions.schedule.many = 1;
  compileOptions.versions = Versions::OnNeed;
  rt::Plan plan = getPlan(compileOptions);
  auto sizesOf = [&](int64_t rows, int64_t columns, int64_t offset = 0) {
    std::vector<rt::Tensor> places = {
        makePlaceholder(rt::ElementType::F32, {rows, columns}),
        makePlaceholder(rt::ElementType::F32, {1, columns})};
    places[0].offset = offset;
    return take(getLaunchSizes(plan, places, 1u << 31))[0];
  };
  EXPECT_EQ(sizesOf(1000, 64).sizes, "2^15 wide, rows of 2^6, of 64s");
  EXPECT_EQ(sizesOf(1000, 68).sizes, "2^16 wide, rows of 2^6, of 4s");
  EXPECT_EQ(sizesOf(1000, 65).sizes, "2^15 dense, rows of 2^6, of 1s");
  EXPECT_EQ(sizesOf(1000, 64, 1).sizes, "2^15 dense, rows of 2^6, of 64s");
  EXPECT_EQ(sizesOf(0, 64).elements, 0);

  // Slices have rows of their own, where the kernel has one dimension else.
  parse(R"(
func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = ew.add %x, %y : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
})");
  plan = getPlan(compileOptions);
  auto sliceOf = [&](int64_t rows, int64_t columns, int64_t pitch,
                     int64_t step = 1) {
    std::vector<rt::Tensor> places(
        2, makePlaceholder(rt::ElementType::F32, {rows, columns}));
    places[0].strides = {pitch, step};
    return take(getLaunchSizes(plan, places, 1u << 31))[0].sizes;
  };
  EXPECT_EQ(sliceOf(1000, 64, 64), "2^15 wide");
  EXPECT_EQ(sliceOf(1000, 64, 128), "2^15 pitched, rows of 2^6, of 64s");
  EXPECT_EQ(sliceOf(8000, 8, 128), "2^15 pitched, rows of 2^3, of 8s");
  EXPECT_EQ(sliceOf(1000, 65, 128),
            "2^15 pitched_elements, rows of 2^6, of 1s");
  EXPECT_EQ(sliceOf(1000, 64, 128, 2), "2^15 strided");
}

} // namespace
