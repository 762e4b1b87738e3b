//===- CopyCeiling.cpp - Copy kernels of a given mix ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Runtime/CopyCeiling.h"
#include "ew/Runtime/CudaDevice.h"
#include "ew/Runtime/HostTensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <omp.h>

using namespace llvm;

namespace ew::runtime {

static constexpr uint64_t kAccess = 16;     // bytes
static constexpr uint64_t kMaxBlock = 1024; // threads are rounded up to it

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

uint64_t CopyShape::bytes() const {
  uint64_t accesses = std::accumulate(reads.begin(), reads.end(), 0u) +
                      std::accumulate(writes.begin(), writes.end(), 0u);
  return accesses * threads * kAccess;
}

std::string CopyShape::describe() const {
  bool plain = all_equal(concat<const unsigned>(reads, writes));
  std::string text;
  raw_string_ostream os(text);
  for (auto [letter, streams] :
       {std::pair('R', &reads), std::pair('W', &writes)}) {
    os << letter;
    if (plain)
      os << streams->size();
    else
      interleave(*streams, os, ",");
  }
  return text;
}

CopyShape getCopyShape(const CopyMix &mix) {
  CopyShape shape;
  uint64_t largest = 0;
  for (const auto *streams : {&mix.reads, &mix.writes})
    for (uint64_t bytes : *streams)
      largest = std::max(largest, bytes);
  if (largest == 0)
    return shape;
  uint64_t smallest = largest, total = 0;
  auto matters = [&](uint64_t bytes) { return bytes && bytes >= largest / 64; };
  for (const auto *streams : {&mix.reads, &mix.writes})
    for (uint64_t bytes : *streams)
      if (matters(bytes)) {
        smallest = std::min(smallest, bytes);
        total += bytes;
      }
  // The narrowest stream takes one access per thread; all of a thread's loads
  // are in registers at once.
  unsigned accesses = 0;
  for (double unit = smallest;; unit *= 2) {
    shape.reads.clear();
    shape.writes.clear();
    accesses = 0;
    unsigned loads = 0;
    for (auto [from, to] : {std::pair(&mix.reads, &shape.reads),
                            std::pair(&mix.writes, &shape.writes)})
      for (uint64_t bytes : *from)
        if (matters(bytes)) {
          to->push_back(std::max(1l, std::lround(bytes / unit)));
          accesses += to->back();
          loads += to == &shape.reads ? to->back() : 0;
        }
    if (loads <= 40 || unit >= largest)
      break;
  }
  shape.threads = divideCeil(total, accesses * kAccess);
  return shape;
}

static uint64_t roundedThreads(const CopyShape &shape) {
  return alignTo(shape.threads, kMaxBlock);
}

/// Bytes of the buffers of one copy, all streams one after another.
static uint64_t bufferBytes(const CopyShape &shape) {
  CopyShape rounded = shape;
  rounded.threads = roundedThreads(shape);
  return rounded.bytes();
}

uint64_t getCopySetBytes(ArrayRef<CopyMix> mixes) {
  uint64_t bytes = 0;
  for (const CopyMix &mix : mixes)
    bytes = std::max(bytes, bufferBytes(getCopyShape(mix)));
  return bytes;
}

//===----------------------------------------------------------------------===//
// CUDA
//===----------------------------------------------------------------------===//

std::string makeCopyPTX(const CopyShape &shape, unsigned block, bool streaming,
                        bool dependent) {
  std::string text;
  raw_string_ostream os(text);
  std::vector<unsigned> streams(shape.reads);
  streams.insert(streams.end(), shape.writes.begin(), shape.writes.end());
  unsigned loads = std::accumulate(shape.reads.begin(), shape.reads.end(), 0u);
  os << (dependent ? ".version 7.8\n.target sm_90\n"
                   : ".version 6.3\n.target sm_75\n")
     << ".address_size 64\n\n"
     << ".visible .entry ew_copy(";
  for (size_t i = 0; i < streams.size(); ++i)
    os << (i ? ", " : "") << ".param .u64 p" << i;
  os << ")\n.maxntid " << block << ", 1, 1\n{\n"
     << "  .reg .b32 %t, %c, %v<" << 4 * std::max(loads, 1u) << ">;\n"
     << "  .reg .b64 %o, %a<" << streams.size() << ">;\n"
     << "  mov.u32 %t, %tid.x;\n  mov.u32 %c, %ctaid.x;\n";
  if (dependent)
    os << "  griddepcontrol.wait;\n";
  // A block walks a contiguous piece of every stream; its threads' accesses are
  // next to each other.
  for (size_t i = 0; i < streams.size(); ++i)
    os << "  ld.param.u64 %a" << i << ", [p" << i << "];\n"
       << "  cvta.to.global.u64 %a" << i << ", %a" << i << ";\n"
       << "  mul.wide.u32 %o, %c, " << block * streams[i] * kAccess << ";\n"
       << "  mad.wide.u32 %o, %t, " << kAccess << ", %o;\n"
       << "  add.s64 %a" << i << ", %a" << i << ", %o;\n";
  auto quad = [](unsigned first) {
    std::string regs = "{";
    for (unsigned i = 0; i < 4; ++i)
      regs += (i ? ", %v" : "%v") + std::to_string(4 * first + i);
    return regs + "}";
  };
  unsigned load = 0;
  for (size_t i = 0; i < shape.reads.size(); ++i)
    for (unsigned j = 0; j < shape.reads[i]; ++j)
      os << "  ld.global."
         << (streaming   ? "cs"
             : dependent ? "ca"
                         : "nc")
         << ".v4.u32 " << quad(load++) << ", [%a" << i << "+"
         << j * block * kAccess << "];\n";
  // Small blocks that tell cost more than they gain (DependentLaunch.cpp).
  if (dependent && block >= 256)
    os << "  griddepcontrol.launch_dependents;\n";
  for (unsigned i = 4; i < 4 * loads; ++i)
    os << "  xor.b32 %v" << i % 4 << ", %v" << i % 4 << ", %v" << i << ";\n";
  if (loads == 0)
    for (unsigned i = 0; i < 4; ++i)
      os << "  mov.u32 %v" << i << ", %t;\n";
  for (size_t i = 0; i < shape.writes.size(); ++i)
    for (unsigned j = 0; j < shape.writes[i]; ++j)
      os << "  st.global" << (streaming ? ".cs" : "") << ".v4.u32 [%a"
         << shape.reads.size() + i << "+" << j * block * kAccess << "], "
         << quad(0) << ";\n";
  os << "  ret;\n}\n";
  return text;
}

namespace {
class CudaCopyCeiling : public CopyCeiling {
public:
  CudaCopyCeiling(CudaDevice &device) : device(device) {}

  Error create(ArrayRef<CopyMix> mixes, unsigned sets) {
    setBytes = getCopySetBytes(mixes);
    if (!setBytes)
      return createStringError("nothing is moved");
    auto allocated = Buffer::allocate(device, setBytes * sets);
    if (!allocated)
      return allocated.takeError();
    buffer = std::move(*allocated);
    if (Error error = fillRandomly())
      return error;
    for (const CopyMix &mix : mixes) {
      CopyShape shape = getCopyShape(mix);
      if (!shape.threads)
        continue;
      if (Error error = addCopy(shape, sets))
        return error;
      bytes += shape.bytes();
    }
    return Error::success();
  }

  Error enqueue(unsigned set) override {
    for (unsigned copy : order)
      if (Error error = launch(copies[copy], set))
        return error;
    return Error::success();
  }

private:
  struct Copy {
    CopyShape shape;
    std::unique_ptr<LoadedModule> module;
    Kernel *kernel = nullptr;
    unsigned block = 0;
  };

  /// So that no regular pattern flatters the memory.
  Error fillRandomly() {
    uint64_t total = buffer->bytes();
    std::vector<uint64_t> words(
        divideCeil(std::min<uint64_t>(total, 8 << 20), sizeof(uint64_t)));
    uint64_t state = 1;
    for (uint64_t &word : words)
      word = state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t filled =
        std::min<uint64_t>(total, words.size() * sizeof(uint64_t));
    if (Error error =
            device.copyToDevice(buffer->address(), words.data(), filled))
      return error;
    for (; filled < total; filled *= 2)
      if (Error error =
              device.copyOnDevice(buffer->address() + filled, buffer->address(),
                                  std::min(filled, total - filled)))
        return error;
    return Error::success();
  }

  Error launch(Copy &copy, unsigned set) {
    uint64_t address = buffer->address() + set * setBytes;
    uint64_t threads = roundedThreads(copy.shape);
    std::vector<uint64_t> pointers;
    for (const auto *streams : {&copy.shape.reads, &copy.shape.writes})
      for (unsigned accesses : *streams) {
        pointers.push_back(address);
        address += threads * accesses * kAccess;
      }
    std::vector<void *> args;
    for (uint64_t &pointer : pointers)
      args.push_back(&pointer);
    LaunchConfig config;
    config.grid = divideCeil(copy.shape.threads, copy.block);
    config.block = copy.block;
    config.args = args;
    config.dependent = device.canOverlapKernels();
    return device.launch(*copy.kernel, config);
  }

  /// Loads a copy of this shape in several forms and keeps the fastest.
  Error addCopy(const CopyShape &shape, unsigned sets) {
    for (auto [i, copy] : enumerate(copies))
      if (copy.shape.reads == shape.reads &&
          copy.shape.writes == shape.writes &&
          copy.shape.threads == shape.threads) {
        order.push_back(i);
        return Error::success();
      }
    std::vector<Copy> forms;
    std::vector<std::string> names;
    std::vector<Subject> subjects;
    unsigned loads =
        std::accumulate(shape.reads.begin(), shape.reads.end(), 0u);
    for (unsigned block : {128, 256, 512, 1024})
      for (bool streaming : {false, true}) {
        if (block * (4 * loads + 24) > 65536)
          continue; // more registers than a multiprocessor has
        CodeModule code;
        code.name = "ew_copy";
        code.code =
            makeCopyPTX(shape, block, streaming, device.canOverlapKernels());
        Copy form;
        form.shape = shape;
        form.block = block;
        auto module = device.load(code);
        if (!module)
          return module.takeError();
        form.module = std::move(*module);
        auto kernel = form.module->getKernel("ew_copy");
        if (!kernel)
          return kernel.takeError();
        form.kernel = *kernel;
        forms.push_back(std::move(form));
        names.push_back(shape.describe() + ": " + std::to_string(block) +
                        " threads" + (streaming ? ", streaming" : ""));
      }
    for (Copy &form : forms)
      subjects.push_back(
          {[this, &form](unsigned set) { return launch(form, set); }, sets});
    TimingOptions options;
    options.samples = 5;
    options.minSampleSeconds = 3e-4;
    options.warmUpSeconds = 0.01;
    auto times = timeInTurn(device, subjects, options);
    if (!times)
      return times.takeError();
    size_t best =
        std::min_element(times->begin(), times->end(),
                         [](const Statistics &a, const Statistics &b) {
                           return a.median < b.median;
                         }) -
        times->begin();
    order.push_back(copies.size());
    copies.push_back(std::move(forms[best]));
    note += (note.empty() ? "" : "; ") + names[best];
    return Error::success();
  }

  CudaDevice &device;
  BufferRef buffer;
  uint64_t setBytes = 0;
  std::vector<Copy> copies;
  std::vector<unsigned> order; // one per mix
};

//===----------------------------------------------------------------------===//
// CPU
//===----------------------------------------------------------------------===//

/// The same on the host's threads: pieces that stay in a core's cache are
/// combined there, then copied to every output.
class HostCopyCeiling : public CopyCeiling {
public:
  explicit HostCopyCeiling(Device &device) : device(device) {}

  Error create(ArrayRef<CopyMix> mixes, unsigned sets) {
    uint64_t setBytes = getCopySetBytes(mixes);
    if (!setBytes)
      return createStringError("nothing is moved");
    // Memory of the same kind as the kernels': large pages count for half.
    auto allocated = Buffer::allocate(device, setBytes * sets);
    if (!allocated)
      return allocated.takeError();
    storage = std::move(*allocated);
    this->setBytes = setBytes;
    // Where the buffers stay in a cache, a store past it would be no ceiling.
    streaming = setBytes * sets > getCacheBytes(device);
    for (const CopyMix &mix : mixes) {
      HostCopy copy{getCopyShape(mix)};
      if (!copy.shape.threads)
        continue;
      // As CPUDevice::launch has it: a kernel of few blocks runs on few
      // threads.
      int64_t most = getHostThreads(), pieces = countPieces(copy.shape);
      copy.workers = std::min(most, pieces);
      if (mix.blocks)
        copy.workers = std::min<int64_t>(copy.workers, mix.blocks);
      bytes += copy.shape.bytes();
      note += (note.empty() ? "" : "; ") + copy.shape.describe();
      if (copy.workers < most)
        note += " on " + std::to_string(copy.workers) + " of " +
                std::to_string(most) + " threads";
      copies.push_back(std::move(copy));
    }
    // First touched by the threads that will use it.
    for (unsigned set = 0; set < sets; ++set)
      touch(setAt(set));
    return Error::success();
  }

  Error enqueue(unsigned set) override {
    for (const HostCopy &copy : copies)
      streaming ? run<true>(copy, setAt(set)) : run<false>(copy, setAt(set));
    return Error::success();
  }

private:
  struct HostCopy {
    CopyShape shape;
    int64_t workers = 1;
  };
  static constexpr int64_t kPiece = 256; // threads' accesses: 4 KiB per stream
  static constexpr int64_t kLineAccesses = 4;

  /// Accesses of a stream that has one a thread: whole lines.
  static int64_t countAccesses(const CopyShape &shape) {
    return alignTo(shape.threads, kLineAccesses);
  }
  static int64_t countPieces(const CopyShape &shape) {
    return divideCeil(countAccesses(shape), kPiece);
  }

  char *setAt(unsigned set) {
    return static_cast<char *>(storage->pointer()) + set * setBytes;
  }

  void touch(char *base) {
    int64_t bytes = setBytes;
#pragma omp parallel for schedule(static)
    for (int64_t at = 0; at < bytes; at += 4096)
      std::memset(base + at, 1, std::min<int64_t>(4096, bytes - at));
  }

  template <bool Streaming>
  static void run(const HostCopy &copy, char *base) {
    int64_t pieces = countPieces(copy.shape);
    if (copy.workers == 1) {
      for (int64_t piece = 0; piece < pieces; ++piece)
        runPiece<Streaming>(copy.shape, base, piece);
      return;
    }
#pragma omp parallel for schedule(static) num_threads(copy.workers)
    for (int64_t piece = 0; piece < pieces; ++piece)
      runPiece<Streaming>(copy.shape, base, piece);
  }

  template <bool Streaming>
  static void runPiece(const CopyShape &shape, char *base, int64_t piece) {
    alignas(64) Piece sum = {};
    int64_t threads = countAccesses(shape), first = piece * kPiece;
    int64_t count = std::min(kPiece, threads - first);
    char *stream = base;
    for (unsigned accesses : shape.reads) {
      for (unsigned j = 0; j < accesses; ++j)
        combine(sum, stream + (first * accesses + j * count) * kAccess, count);
      stream += threads * accesses * kAccess;
    }
    for (unsigned accesses : shape.writes) {
      for (unsigned j = 0; j < accesses; ++j)
        store<Streaming>(stream + (first * accesses + j * count) * kAccess, sum,
                         count);
      stream += threads * accesses * kAccess;
    }
  }

  using Piece = uint64_t[kPiece * kAccess / sizeof(uint64_t)];

  /// Several lines at a time: enough in flight for the memory.
  using Line = uint64_t __attribute__((vector_size(64)));
  static_assert(sizeof(Line) == kLineAccesses * kAccess);

  static void combine(Piece &sum, const char *from, int64_t count) {
    auto *lines = reinterpret_cast<const Line *>(from);
    auto *to = reinterpret_cast<Line *>(sum);
    for (int64_t i = 0; i < count / kLineAccesses; ++i)
      to[i] ^= lines[i];
  }
  /// Past the caches: an ordinary store would first read the line.
  template <bool Streaming>
  static void store(char *to, const Piece &sum, int64_t count) {
    auto *lines = reinterpret_cast<Line *>(to);
    auto *from = reinterpret_cast<const Line *>(sum);
    for (int64_t i = 0; i < count / kLineAccesses; ++i)
      if constexpr (Streaming)
        __builtin_nontemporal_store(from[i], lines + i);
      else
        lines[i] = from[i];
  }

  Device &device;
  BufferRef storage;
  uint64_t setBytes = 0;
  bool streaming = true;
  std::vector<HostCopy> copies;
};
} // namespace

template <typename Ceiling, typename... Args>
static Expected<std::unique_ptr<CopyCeiling>>
create(ArrayRef<CopyMix> mixes, unsigned sets, Args &...args) {
  auto ceiling = std::make_unique<Ceiling>(args...);
  if (Error error = ceiling->create(mixes, sets))
    return std::move(error);
  return std::move(ceiling);
}

Expected<std::unique_ptr<CopyCeiling>>
createCopyCeiling(Device &device, ArrayRef<CopyMix> mixes, unsigned sets) {
  switch (device.getTarget()) {
  case Target::CUDA:
    return create<CudaCopyCeiling>(mixes, sets,
                                   static_cast<CudaDevice &>(device));
  case Target::CPU:
    return create<HostCopyCeiling>(mixes, sets, device);
  case Target::Emulated:
    return createStringError("the emulator's time means nothing");
  }
  llvm_unreachable("unknown target");
}

} // namespace ew::runtime
