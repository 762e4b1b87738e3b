//===- Philox.h - Random numbers of the oracle ------------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_PHILOX_H
#define EW_LIB_REFERENCE_PHILOX_H

#include "Program.h"
#include <array>

namespace ew::reference {

/// Philox4x32: the block of a counter and a key, low words first.
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key,
                                   unsigned rounds = 10);

/// Element `index` of an ew.philox.
Scalar computePhilox(const Node &node, const Scalar &seed, const Scalar &offset,
                     int64_t index);

/// An ew.philox_at of these seed, offset and index.
Scalar computePhiloxAt(const Node &node,
                       llvm::ArrayRef<const Scalar *> operands);

/// Element `index` of an ew.dropout whose operand has `x` there.
Scalar computeDropout(const Node &node, const Scalar &x, const Scalar &seed,
                      const Scalar &offset, int64_t index);

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_PHILOX_H
