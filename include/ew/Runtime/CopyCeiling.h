//===- CopyCeiling.h - Copy kernels of a given mix --------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_RUNTIME_COPYCEILING_H
#define EW_RUNTIME_COPYCEILING_H

#include "ew/Runtime/Timing.h"

namespace ew::runtime {

/// A mix in 16-byte accesses: how many each thread makes in each stream, and
/// how many threads there are. Streams under a 64th of the largest, such as the
/// row of a row broadcast, are left out.
struct CopyShape {
  std::vector<unsigned> reads, writes;
  uint64_t threads = 0;

  uint64_t bytes() const;
  std::string
  describe() const; // "R2W1", with widths where they differ "R2,1W1"
};
CopyShape getCopyShape(const CopyMix &mix);

/// PTX of a kernel `ew_copy` that reads every stream in 16-byte accesses,
/// combines them all and writes every output; one pointer per stream, reads
/// first. Its grid must cover the threads exactly.
std::string makeCopyPTX(const CopyShape &shape, unsigned block, bool streaming,
                        bool dependent = false);

/// One copy kernel for every mix, each in its fastest form, on buffers of its
/// own.
class CopyCeiling {
public:
  virtual ~CopyCeiling() = default;
  /// Puts the copies for one call into the queue.
  virtual llvm::Error enqueue(unsigned set) = 0;

  uint64_t getBytes() const { return bytes; }
  llvm::StringRef getNote() const { return note; }

protected:
  uint64_t bytes = 0;
  std::string note;
};

/// Bytes of one set of buffers.
uint64_t getCopySetBytes(llvm::ArrayRef<CopyMix> mixes);

/// On CUDA and the CPU; an error elsewhere.
llvm::Expected<std::unique_ptr<CopyCeiling>>
createCopyCeiling(Device &device, llvm::ArrayRef<CopyMix> mixes, unsigned sets);

} // namespace ew::runtime

#endif // EW_RUNTIME_COPYCEILING_H
