//===- FakeCuda.cpp - A driver of the tests' own --------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CUDA driver without a GPU, loaded in place of libcuda.so.1 by the tests.
//
// Memory is the host's. "PTX" is any text; `.entry NAME` in it declares a
// kernel that the fake knows by name:
//   add_one(int *in, int *out, int count)   one element per thread
//   add_one_quick, add_two_quick            with the same arguments
//   fault...()                              an illegal address, shown later
// and text with "syntax error" in it does not assemble. A launch takes two
// milliseconds of the fake's own clock, a quick one a single one.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "ew/Runtime/CudaDriver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using namespace ew::runtime::cuda;

#define API extern "C" __attribute__((visibility("default"))) int

namespace {
struct FakeModule {
  std::map<std::string, std::string> kernels; // by name
};
using Work = std::function<void()>;

FakeCudaState state;
std::map<unsigned long long, size_t> allocations;
std::vector<Work> *recording = nullptr;
float clockMs = 0;
std::mutex busy; // with a launch: tests launch from several threads

int ready() {
  if (!state.contextDepth)
    ++state.callsWithoutContext;
  return state.contextDepth ? state.stickyError : 201;
}

bool isAllocated(unsigned long long address, size_t bytes) {
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return false;
  --it;
  return address + bytes <= it->first + it->second;
}

int enqueue(Work work) {
  if (recording) {
    recording->push_back(std::move(work));
    return 0;
  }
  std::lock_guard<std::mutex> lock(busy);
  work();
  return 0;
}
} // namespace

extern "C" __attribute__((visibility("default"))) FakeCudaState *
ewFakeCudaState() {
  return &state;
}

API cuInit(unsigned) { return state.initResult; }
API cuDriverGetVersion(int *version) { return *version = state.version, 0; }
API cuGetErrorName(int error, const char **name) {
  *name = error == 700   ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == 218 ? "CUDA_ERROR_INVALID_PTX"
          : error == 999 ? "CUDA_ERROR_UNKNOWN"
                         : nullptr;
  return *name ? 0 : 1;
}
API cuGetErrorString(int error, const char **text) {
  *text = error == 700   ? "an illegal memory access was encountered"
          : error == 218 ? "a PTX JIT compilation failed"
                         : "unknown error";
  return 0;
}
API cuDeviceGetCount(int *count) { return *count = state.devices, 0; }
API cuDeviceGet(int *device, int ordinal) {
  return *device = 40 + ordinal, ordinal < state.devices ? 0 : 101;
}
API cuDeviceGetName(char *name, int size, int) {
  return std::snprintf(name, size, "Fake GPU"), 0;
}
API cuDeviceGetAttribute(int *value, int attribute, int) {
  switch (attribute) {
  case 5:
    return *value = 2147483647, 0;
  case 13: // kHz
    return *value = 1500000, 0;
  case 16:
    return *value = 4, 0;
  case 36: // kHz
    return *value = 1000000, 0;
  case 37: // bits
    return *value = 512, 0;
  case 38:
    return *value = 1 << 20, 0;
  case 75:
    return *value = 9, 0;
  case 76:
    return *value = 0, 0;
  }
  return 1;
}
API cuDeviceTotalMem_v2(size_t *bytes, int) {
  return *bytes = state.totalBytes, 0;
}
API cuDevicePrimaryCtxRetain(Context *context, int device) {
  ++state.contexts;
  return *context = reinterpret_cast<Context>(size_t(device)), 0;
}
API cuDevicePrimaryCtxRelease_v2(int) { return --state.contexts, 0; }
API cuCtxPushCurrent_v2(Context) {
  if (state.pushResult)
    return state.pushResult;
  return __atomic_add_fetch(&state.contextDepth, 1, __ATOMIC_RELAXED), 0;
}
API cuCtxPopCurrent_v2(Context *) {
  return __atomic_sub_fetch(&state.contextDepth, 1, __ATOMIC_RELAXED), 0;
}

API cuStreamCreate(Stream *stream, unsigned) {
  ++state.streams;
  return *stream = reinterpret_cast<Stream>(&state), ready();
}
API cuStreamDestroy_v2(Stream) { return --state.streams, ready(); }
API cuStreamSynchronize(Stream) { return ready(); }
API cuStreamBeginCapture_v2(Stream, int) {
  recording = new std::vector<Work>;
  ++state.graphs;
  return ready();
}
API cuStreamEndCapture(Stream, Graph *graph) {
  *graph = reinterpret_cast<Graph>(recording);
  recording = nullptr;
  return ready();
}
API cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph,
                                unsigned long long) {
  ++state.graphs;
  *exec = reinterpret_cast<GraphExec>(
      new std::vector<Work>(*reinterpret_cast<std::vector<Work> *>(graph)));
  return ready();
}
API cuGraphDestroy(Graph graph) {
  delete reinterpret_cast<std::vector<Work> *>(graph);
  return --state.graphs, ready();
}
API cuGraphExecDestroy(GraphExec exec) {
  delete reinterpret_cast<std::vector<Work> *>(exec);
  return --state.graphs, ready();
}
API cuGraphLaunch(GraphExec exec, Stream) {
  if (int error = ready())
    return error;
  for (Work &work : *reinterpret_cast<std::vector<Work> *>(exec))
    work();
  return 0;
}

API cuEventCreate(Event *event, unsigned) {
  ++state.events;
  return *event = reinterpret_cast<Event>(new float(0)), ready();
}
API cuEventDestroy_v2(Event event) {
  delete reinterpret_cast<float *>(event);
  return --state.events, ready();
}
API cuEventRecord(Event event, Stream) {
  *reinterpret_cast<float *>(event) = clockMs;
  return ready();
}
API cuEventSynchronize(Event) { return ready(); }
API cuEventElapsedTime(float *ms, Event begin, Event end) {
  *ms = *reinterpret_cast<float *>(end) - *reinterpret_cast<float *>(begin);
  return ready();
}

API cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = state.totalBytes - state.usedBytes;
  *total = state.totalBytes;
  return ready();
}
API cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  if (int error = ready())
    return error;
  if (bytes > state.totalBytes - state.usedBytes)
    return 2;
  state.usedBytes += bytes;
  *address = reinterpret_cast<unsigned long long>(std::malloc(bytes));
  allocations[*address] = bytes;
  return 0;
}
API cuMemFree_v2(unsigned long long address) {
  auto it = allocations.find(address);
  if (it == allocations.end())
    return 1;
  state.usedBytes -= it->second;
  allocations.erase(it);
  std::free(reinterpret_cast<void *>(address));
  return ready();
}
API cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes,
                         Stream) {
  if (!isAllocated(to, bytes))
    return 1;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return ready();
}
API cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes,
                         Stream) {
  if (!isAllocated(from, bytes))
    return 1;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return ready();
}
API cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from,
                         size_t bytes, Stream) {
  if (!isAllocated(from, bytes) || !isAllocated(to, bytes))
    return 1;
  return enqueue([=] {
    std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
                 bytes);
  });
}
API cuMemsetD8Async(unsigned long long to, unsigned char byte, size_t bytes,
                    Stream) {
  if (!isAllocated(to, bytes))
    return 1;
  return enqueue(
      [=] { std::memset(reinterpret_cast<void *>(to), byte, bytes); });
}

API cuModuleLoadDataEx(Module *module, const void *image, unsigned count,
                       int *options, void **values) {
  if (int error = ready())
    return error;
  std::string text = static_cast<const char *>(image);
  ++state.moduleLoads;
  if (text.find("syntax error") != std::string::npos) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        std::strcpy(static_cast<char *>(values[i]),
                    "ptxas fatal: line 2: Parsing error\n");
    return 218;
  }
  if (text.find("for another chip") != std::string::npos)
    return 209;
  auto *made = new FakeModule;
  for (size_t at = 0; (at = text.find(".entry ", at)) != std::string::npos;) {
    at += 7;
    std::string name = text.substr(at, text.find_first_of("( \n", at) - at);
    made->kernels[name] = name;
  }
  ++state.modules;
  return *module = reinterpret_cast<Module>(made), 0;
}
API cuModuleUnload(Module module) {
  delete reinterpret_cast<FakeModule *>(module);
  return --state.modules, ready();
}
API cuModuleGetFunction(Function *function, Module module, const char *name) {
  auto &kernels = reinterpret_cast<FakeModule *>(module)->kernels;
  auto it = kernels.find(name);
  if (it == kernels.end())
    return 500;
  return *function = reinterpret_cast<Function>(&it->second), ready();
}
API cuFuncGetAttribute(int *value, int attribute, Function) {
  *value = attribute == 3   ? state.localBytes
           : attribute == 4 ? 64 // registers
                            : 1000 + attribute;
  return ready();
}
API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function,
                                                int block, size_t) {
  return *blocks = 2048 / block, ready();
}
API cuLaunchKernel(Function function, unsigned grid, unsigned, unsigned,
                   unsigned block, unsigned, unsigned, unsigned, Stream,
                   void **args, void **) {
  if (int error = ready())
    return error;
  if (block > 1024)
    return 1;
  const std::string &name = *reinterpret_cast<std::string *>(function);
  if (name.rfind("fault", 0) == 0)
    return enqueue([] { state.stickyError = 700; });
  Work work = [] {};
  bool quick = name == "add_one_quick" || name == "add_two_quick";
  if (name == "add_one" || quick) {
    auto *in = *static_cast<int **>(args[0]),
         *out = *static_cast<int **>(args[1]);
    int count = *static_cast<int *>(args[2]);
    int more = name == "add_two_quick" ? 2 : 1;
    work = [=] {
      for (int i = 0; i < count && i < int(grid * block); ++i)
        out[i] = in[i] + more;
    };
  }
  return enqueue([work, quick] {
    work();
    ++state.launches;
    clockMs += quick ? 1 : 2;
  });
}
API cuLaunchKernelEx(const LaunchConfig *config, Function function, void **args,
                     void **extra) {
  for (unsigned i = 0; i < config->numAttributes; ++i)
    if (config->attributes[i].id == kProgrammaticStreamSerialization)
      state.dependentLaunches +=
          config->attributes[i].value.programmaticStreamSerializationAllowed;
  return cuLaunchKernel(function, config->gridX, config->gridY, config->gridZ,
                        config->blockX, config->blockY, config->blockZ,
                        config->sharedBytes, config->stream, args, extra);
}
