//===- Parallel.h - Machine code on several cores ---------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_PIPELINES_PARALLEL_H
#define EW_LIB_PIPELINES_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"

namespace ew {

/// Runs work(0) ... work(count - 1) on at most that many threads (0: one for
/// each core), which end with it.
inline void runInParallel(size_t count, unsigned threads,
                          llvm::function_ref<void(size_t)> work) {
  llvm::ThreadPoolStrategy strategy = llvm::hardware_concurrency(threads);
  strategy.Limit = true;
  if (count <= 1 || strategy.compute_thread_count() == 1) {
    for (size_t index = 0; index < count; ++index)
      work(index);
    return;
  }
  llvm::DefaultThreadPool pool(strategy);
  for (size_t index = 0; index < count; ++index)
    pool.async([=] { work(index); });
  pool.wait();
}

} // namespace ew

#endif // EW_LIB_PIPELINES_PARALLEL_H
