//===- CudaDevice.cpp - NVIDIA GPUs ---------------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/CudaDevice.h"
#include "ew/Runtime/PlanRunner.h"
#include "ew/Support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace llvm;

namespace ew::runtime {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Errors that a kernel ran into. The context is lost with them.
static bool isKernelError(cuda::Result result) {
  return result == cuda::kEccUncorrectable || result == cuda::kIllegalAddress ||
         result == cuda::kLaunchTimeout || result == cuda::kAssert ||
         (result >= cuda::kHardwareStackError && result <= cuda::kLaunchFailed);
}

void CudaDevice::Kernels::add(StringRef name) {
  constexpr size_t kNamed = 8;
  if (is_contained(names, name))
    return;
  if (names.size() < kNamed)
    names.push_back(name.str());
  else
    tooMany = true;
}

CudaDevice::Kernels CudaDevice::takeRecent() {
  std::lock_guard<std::mutex> lock(mutex);
  ++round;
  return std::exchange(recent, {});
}

Error CudaDevice::check(cuda::Result result, const Twine &what) {
  if (result == cuda::kSuccess)
    return Error::success();
  std::lock_guard<std::mutex> lock(mutex);
  if (!isKernelError(result) || recent.names.empty())
    return createStringError(what + " on " + getName() + ": " +
                             driver->describe(result));
  std::string names = "kernel '" + join(recent.names, "' or '") + "'";
  if (recent.tooMany)
    names += " or one after it";
  std::string hint = recent.names.size() > 1
                         ? " (run with CUDA_LAUNCH_BLOCKING=1 to know which)"
                         : "";
  return createStringError(names + " failed on " + getName() + ": " +
                           driver->describe(result) + hint);
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

/// Makes the device's context current, for the time of one call. One that is
/// there no more (somebody has reset it) cannot be: the call itself says so.
class CudaDevice::Scope {
public:
  explicit Scope(const CudaDevice &device)
      : driver(*device.driver),
        pushed(driver.ctxPushCurrent(device.context) == cuda::kSuccess) {}
  ~Scope() {
    cuda::Context popped;
    if (pushed)
      driver.ctxPopCurrent(&popped);
  }

private:
  const cuda::Driver &driver;
  const bool pushed; // else it is not ours that would be popped
};

CudaDevice::CudaDevice(std::shared_ptr<const cuda::Driver> driver,
                       unsigned ordinal)
    : driver(std::move(driver)), ordinal(ordinal) {}

Expected<std::unique_ptr<CudaDevice>>
CudaDevice::create(std::shared_ptr<const cuda::Driver> driver,
                   unsigned ordinal) {
  auto count = driver->countDevices();
  if (!count)
    return count.takeError();
  if (*count == 0)
    return createStringError(std::make_error_code(std::errc::no_such_device),
                             "no CUDA device: the NVIDIA driver is installed, "
                             "but it sees no GPU");
  if (ordinal >= *count)
    return createStringError(std::make_error_code(std::errc::no_such_device),
                             "no device cuda:" + Twine(ordinal) +
                                 ": there are " + Twine(*count) +
                                 ", and the first is cuda:0");
  std::unique_ptr<CudaDevice> device(
      new CudaDevice(std::move(driver), ordinal));
  if (Error error = device->open())
    return std::move(error);
  return device;
}

Expected<int> CudaDevice::getAttribute(cuda::DeviceAttribute attribute) {
  int value = 0;
  if (Error error = check(driver->deviceGetAttribute(&value, attribute, id),
                          "cannot query the device"))
    return std::move(error);
  return value;
}

Error CudaDevice::open() {
  if (Error error = check(driver->deviceGet(&id, ordinal), "no device"))
    return error;
  char name[256] = {};
  size_t bytes = 0;
  if (Error error = check(driver->deviceGetName(name, sizeof(name) - 1, id),
                          "cannot query the device"))
    return error;
  if (Error error =
          check(driver->deviceTotalMem(&bytes, id), "cannot query the device"))
    return error;
  model = name;
  totalBytes = bytes;
  int major = 0, minor = 0, grid = 0, l2 = 0, units = 0;
  for (auto [value, attribute] :
       {std::pair(&major, cuda::kCapabilityMajor),
        std::pair(&minor, cuda::kCapabilityMinor),
        std::pair(&grid, cuda::kMaxGridX), std::pair(&l2, cuda::kL2Bytes),
        std::pair(&units, cuda::kMultiprocessors)}) {
    auto got = getAttribute(attribute);
    if (!got)
      return got.takeError();
    *value = *got;
  }
  chip = "sm_" + std::to_string(major) + std::to_string(minor);
  maxGridX = grid;
  l2Bytes = l2;
  multiprocessors = units;
  // Newer drivers need not know these.
  auto getOrZero = [&](cuda::DeviceAttribute attribute) {
    int value = 0;
    return driver->deviceGetAttribute(&value, attribute, id) ? 0 : value;
  };
  clockHz = getOrZero(cuda::kClockKHz) * 1e3;
  // Data is moved at both edges of the clock.
  memoryBytesPerSecond = 2.0 * getOrZero(cuda::kMemoryClockKHz) * 1e3 *
                         getOrZero(cuda::kMemoryBusBits) / 8;
  // Before CUDA 12.3 a graph could not record it.
  int version = 0;
  overlapsKernels = major >= 9 &&
                    driver->driverGetVersion(&version) == cuda::kSuccess &&
                    version >= 12030;

  if (Error error = check(driver->primaryCtxRetain(&context, id),
                          "cannot create a context"))
    return error;
  Scope scope(*this);
  if (Error error =
          check(driver->streamCreate(&stream, cuda::kStreamNonBlocking),
                "cannot create a stream"))
    return error;
  for (cuda::Event *event : {&begin, &end})
    if (Error error =
            check(driver->eventCreate(event, 0), "cannot create an event"))
      return error;
  return Error::success();
}

CudaDevice::~CudaDevice() {
  if (!context)
    return;
  {
    Scope scope(*this);
    for (cuda::Event event : {begin, end})
      if (event)
        driver->eventDestroy(event);
    if (stream)
      driver->streamDestroy(stream);
  }
  driver->primaryCtxRelease(id);
}

std::string CudaDevice::getName() const {
  return "cuda:" + std::to_string(ordinal);
}

std::string CudaDevice::getDescription() const {
  return model + " (" + chip + ", " +
         plural(multiprocessors, "multiprocessor") + ", " +
         std::to_string((totalBytes + (1 << 20) - 1) >> 20) + " MiB" +
         ", CUDA " + driver->getVersion() + ")";
}

std::string CudaDevice::getChip() const { return chip; }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Expected<MemoryInfo> CudaDevice::getMemoryInfo() {
  Scope scope(*this);
  size_t free = 0, total = 0;
  if (Error error =
          check(driver->memGetInfo(&free, &total), "cannot query the memory"))
    return std::move(error);
  MemoryInfo info;
  info.free = free;
  info.total = total;
  return info;
}

Expected<uint64_t> CudaDevice::allocate(uint64_t bytes) {
  Scope scope(*this);
  cuda::DevicePtr address = 0;
  cuda::Result result = driver->memAlloc(&address, bytes);
  if (result == cuda::kOutOfMemory) {
    size_t free = 0, total = 0;
    driver->memGetInfo(&free, &total);
    return createStringError(
        std::make_error_code(std::errc::not_enough_memory),
        "no memory on " + getName() + ": " + describeBytes(bytes) +
            " were asked for, and " + describeBytes(free) + " are free");
  }
  if (Error error = check(result, "cannot allocate " + describeBytes(bytes)))
    return std::move(error);
  return address;
}

void CudaDevice::free(uint64_t address, uint64_t) {
  Scope scope(*this);
  driver->memFree(address); // an error is that of an earlier kernel
}

Error CudaDevice::copyToDevice(uint64_t to, const void *from, uint64_t bytes) {
  Scope scope(*this);
  if (Error error = check(driver->memcpyHtoD(to, from, bytes, stream),
                          "cannot copy to the device"))
    return error;
  return synchronize();
}

Error CudaDevice::copyToHost(void *to, uint64_t from, uint64_t bytes) {
  Scope scope(*this);
  if (Error error = check(driver->memcpyDtoH(to, from, bytes, stream),
                          "cannot copy from the device"))
    return error;
  return synchronize();
}

Error CudaDevice::copyOnDevice(uint64_t to, uint64_t from, uint64_t bytes) {
  Scope scope(*this);
  return check(driver->memcpyDtoD(to, from, bytes, stream), "cannot copy");
}

Error CudaDevice::fill(uint64_t to, uint8_t byte, uint64_t bytes) {
  Scope scope(*this);
  return check(driver->memset8(to, byte, bytes, stream), "cannot fill memory");
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {
class CudaKernel : public Kernel {
public:
  CudaKernel(StringRef name, cuda::Function function)
      : Kernel(name.str()), function(function) {}
  cuda::Function function;
  unsigned lastBlock = 256;
  uint64_t round = 0; // the device's in which it was launched last
};
} // namespace

class CudaModule : public LoadedModule {
public:
  CudaModule(CudaDevice &device, std::string name, cuda::Module module)
      : device(device), name(std::move(name)), module(module) {}

  ~CudaModule() override {
    CudaDevice::Scope scope(device);
    device.driver->moduleUnload(module);
  }

  Expected<Kernel *> getKernel(StringRef kernelName) override {
    std::unique_ptr<CudaKernel> &kernel = kernels[kernelName.str()];
    if (kernel)
      return kernel.get();
    CudaDevice::Scope scope(device);
    cuda::Function function = nullptr;
    cuda::Result result = device.driver->moduleGetFunction(
        &function, module, kernelName.str().c_str());
    if (result == cuda::kNotFound)
      return createStringError("module '" + name + "' has no kernel '" +
                               kernelName + "'");
    if (Error error = device.check(result, "cannot load kernel '" + kernelName +
                                               "' of module '" + name + "'"))
      return std::move(error);
    kernel = std::make_unique<CudaKernel>(kernelName, function);
    return kernel.get();
  }

private:
  CudaDevice &device;
  std::string name;
  cuda::Module module;
  std::map<std::string, std::unique_ptr<CudaKernel>> kernels;
};

Expected<std::unique_ptr<LoadedModule>>
CudaDevice::load(const CodeModule &code) {
  if (code.kind == CodeKind::Object)
    return createStringError("module '" + code.name +
                             "' is for the CPU, not for " + getName());
  Scope scope(*this);
  char log[8192] = {};
  int options[] = {cuda::kErrorLog, cuda::kErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  cuda::Module module = nullptr;
  // PTX must end in a null, which a std::string has.
  cuda::Result result =
      driver->moduleLoadData(&module, code.code.c_str(), 2, options, values);
  std::string what = "cannot load module '" + code.name + "' (" +
                     (code.kind == CodeKind::PTX ? "PTX" : "cubin") + ") for " +
                     chip;
  if (result == cuda::kUnsupportedPtxVersion)
    what += ": its PTX is newer than the driver, which supports CUDA " +
            driver->getVersion();
  else if (result == cuda::kNoBinaryForGpu)
    what += ": it was made for another chip";
  if (Error error = check(result, what)) {
    StringRef text = StringRef(log).rtrim();
    if (text.empty())
      return std::move(error);
    return createStringError(toString(std::move(error)) + "\n" + text);
  }
  return std::make_unique<CudaModule>(*this, code.name, module);
}

Error CudaDevice::launch(Kernel &kernel, const LaunchConfig &config) {
  auto &cudaKernel = static_cast<CudaKernel &>(kernel);
  Scope scope(*this);
  if (cudaKernel.round != round.load(std::memory_order_relaxed)) {
    std::lock_guard<std::mutex> lock(mutex);
    cudaKernel.round = round;
    recent.add(kernel.getName());
  }
  cudaKernel.lastBlock = config.block;
  void **args = const_cast<void **>(config.args.data());
  cuda::Result result;
  if (config.dependent && overlapsKernels) {
    cuda::LaunchAttribute attribute = {};
    attribute.id = cuda::kProgrammaticStreamSerialization;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    cuda::LaunchConfig launch = {};
    launch.gridX = config.grid;
    launch.blockX = config.block;
    launch.gridY = launch.gridZ = launch.blockY = launch.blockZ = 1;
    launch.stream = stream;
    launch.attributes = &attribute;
    launch.numAttributes = 1;
    result =
        driver->launchKernelEx(&launch, cudaKernel.function, args, nullptr);
  } else {
    result = driver->launchKernel(cudaKernel.function, config.grid, 1, 1,
                                  config.block, 1, 1, /*sharedBytes=*/0, stream,
                                  args, nullptr);
  }
  if (result == cuda::kSuccess)
    return Error::success();
  return check(result, "cannot launch kernel '" + kernel.getName() + "' with " +
                           plural(config.grid, "block") + " of " +
                           plural(config.block, "thread"));
}

Error CudaDevice::synchronize() {
  Scope scope(*this);
  if (Error error =
          check(driver->streamSynchronize(stream), "cannot synchronize"))
    return error; // the context is lost; later calls name the same kernels
  takeRecent();
  return Error::success();
}

std::optional<KernelResources> CudaDevice::getResources(Kernel &kernel) {
  auto &cudaKernel = static_cast<CudaKernel &>(kernel);
  Scope scope(*this);
  int registers, local, shared, threads, blocks;
  if (driver->functionGetAttribute(&registers, cuda::kRegisters,
                                   cudaKernel.function) ||
      driver->functionGetAttribute(&local, cuda::kLocalBytes,
                                   cudaKernel.function) ||
      driver->functionGetAttribute(&shared, cuda::kSharedBytes,
                                   cudaKernel.function) ||
      driver->functionGetAttribute(&threads, cuda::kMaxThreads,
                                   cudaKernel.function) ||
      driver->maxActiveBlocks(&blocks, cudaKernel.function,
                              cudaKernel.lastBlock, /*dynamic shared=*/0))
    return std::nullopt;
  KernelResources resources;
  resources.registers = registers;
  resources.spillBytes = local;
  resources.sharedBytes = shared;
  resources.maxThreads = threads;
  resources.blocksPerUnit = blocks;
  return resources;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

Expected<double> CudaDevice::time(function_ref<Error()> work) {
  Scope scope(*this);
  if (Error error = check(driver->eventRecord(begin, stream), "cannot time"))
    return std::move(error);
  if (Error error = work())
    return std::move(error);
  if (Error error = check(driver->eventRecord(end, stream), "cannot time"))
    return std::move(error);
  if (Error error = synchronize())
    return std::move(error);
  float milliseconds = 0;
  if (Error error = check(driver->eventElapsedTime(&milliseconds, begin, end),
                          "cannot time"))
    return std::move(error);
  return milliseconds * 1e-3;
}

class CudaRecording : public CudaDevice::Recording {
public:
  CudaRecording(CudaDevice &device, cuda::GraphExec graph,
                CudaDevice::Kernels kernels)
      : device(device), graph(graph), kernels(std::move(kernels)) {}

  ~CudaRecording() override {
    CudaDevice::Scope scope(device);
    device.driver->graphExecDestroy(graph);
  }

  Error replay() override {
    CudaDevice::Scope scope(device);
    {
      std::lock_guard<std::mutex> lock(device.mutex);
      for (const std::string &name : kernels.names)
        device.recent.add(name);
      device.recent.tooMany |= kernels.tooMany;
    }
    return device.check(device.driver->graphLaunch(graph, device.stream),
                        "cannot launch a graph");
  }

private:
  CudaDevice &device;
  cuda::GraphExec graph;
  CudaDevice::Kernels kernels;
};

Expected<std::unique_ptr<CudaDevice::Recording>>
CudaDevice::record(function_ref<Error()> work) {
  if (Error error = synchronize())
    return std::move(error);
  Scope scope(*this);
  if (Error error =
          check(driver->streamBeginCapture(stream, cuda::kCaptureThreadLocal),
                "cannot record a graph"))
    return std::move(error);
  Error workError = work();
  cuda::Graph graph = nullptr;
  cuda::Result result = driver->streamEndCapture(stream, &graph);
  scope_exit destroy([&] {
    if (graph)
      driver->graphDestroy(graph);
  });
  // Nothing has been launched yet.
  Kernels recorded = takeRecent();
  if (workError)
    return std::move(workError);
  if (Error error = check(result, "cannot record a graph"))
    return std::move(error);
  cuda::GraphExec executable = nullptr;
  if (Error error = check(driver->graphInstantiate(&executable, graph, 0),
                          "cannot instantiate a graph"))
    return std::move(error);
  return std::make_unique<CudaRecording>(*this, executable,
                                         std::move(recorded));
}

Expected<std::unique_ptr<CudaDevice>> createCudaDevice(unsigned ordinal) {
  auto driver = cuda::Driver::load();
  if (!driver)
    return driver.takeError();
  return CudaDevice::create(std::move(*driver), ordinal);
}

} // namespace ew::runtime
