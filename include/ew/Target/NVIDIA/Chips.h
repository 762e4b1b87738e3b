//===- Chips.h - What EW knows of NVIDIA's chips ----------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TARGET_NVIDIA_CHIPS_H
#define EW_TARGET_NVIDIA_CHIPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace ew::nvidia {

/// One chip. Sources: LLVM's NVPTX processor table for the PTX versions, the
/// table of compute capabilities in the CUDA C++ Programming Guide for the
/// rest.
struct Chip {
  llvm::StringLiteral name;
  /// The lowest PTX version, as LLVM's feature (80: +ptx80), that has the chip
  /// and everything that EW emits for it. A lower one ends the process in LLVM.
  unsigned ptxVersion;
  /// Conversions between fp8 and f16 or f32 in hardware.
  bool hasFp8;
  unsigned maxThreadsPerSM;
  unsigned maxBlocksPerSM;
  unsigned sharedKBPerSM;
};

/// Every chip, oldest first.
llvm::ArrayRef<Chip> getChips();

/// The chip of that name, or an error that lists the names there are. A suffix
/// for features of one architecture or family (sm_90a, sm_100f) is accepted.
llvm::Expected<const Chip *> findChip(llvm::StringRef name);

/// Whether a kernel may begin while the one before it in its stream ends
/// (griddepcontrol, CUDA's programmatic dependent launch): from sm_90.
bool hasDependentLaunch(const Chip &chip);

/// LLVM's target features for the chip: "+ptx80".
std::string getFeatures(const Chip &chip);

} // namespace ew::nvidia

#endif // EW_TARGET_NVIDIA_CHIPS_H
