//===- Ranges.h - Functions of ranges of operands ---------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_REFERENCE_RANGES_H
#define EW_LIB_REFERENCE_RANGES_H

#include "Functions.h"

namespace ew::reference {

/// The values at the ends of the ranges and at the function's turns between
/// them: all there is, for a function that is monotone from one to the next.
Range applyToCorners(const Function &function,
                     llvm::ArrayRef<const Range *> operands,
                     const Parameters &parameters);

// The range functions of ops that are not. See RangeFunction.
Range sinRange(llvm::ArrayRef<const Range *>, const Parameters &, bool &);
Range cosRange(llvm::ArrayRef<const Range *>, const Parameters &, bool &);
Range tanRange(llvm::ArrayRef<const Range *>, const Parameters &, bool &);
Range remRange(llvm::ArrayRef<const Range *>, const Parameters &, bool &);
Range modRange(llvm::ArrayRef<const Range *>, const Parameters &, bool &);
Range powRange(llvm::ArrayRef<const Range *>, const Parameters &, bool &);
Range atan2Range(llvm::ArrayRef<const Range *>, const Parameters &, bool &);
Range copysignRange(llvm::ArrayRef<const Range *>, const Parameters &, bool &);
Range nextAfterRange(llvm::ArrayRef<const Range *>, const Parameters &, bool &);

} // namespace ew::reference

#endif // EW_LIB_REFERENCE_RANGES_H
