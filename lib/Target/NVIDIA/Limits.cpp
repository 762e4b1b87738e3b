//===- Limits.cpp - How fast NVIDIA's chips and products are --------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Target/NVIDIA/Limits.h"
#include "ew/Target/NVIDIA/Chips.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ew::nvidia;
using llvm::StringRef;

/// CUDA C++ Programming Guide, table "Throughput of Native Arithmetic
/// Instructions". Conversions between f32 and narrower formats are packing
/// instructions and count with integers, as machine code shows; those of the
/// table's "all other" row go where special functions go.
static constexpr Throughput throughputs[] = {
    // chip, f32, f64, f16x2, integer, special, convert, pack
    {"sm_80", 64, 32, 128, 64, 16, 16, 64},
    {"sm_86", 128, 2, 64, 64, 16, 16, 64},
    {"sm_87", 128, 2, 64, 64, 16, 16, 64},
    {"sm_89", 128, 2, 64, 64, 16, 16, 64},
    {"sm_90", 128, 64, 128, 64, 16, 16, 64},
    {"sm_100", 128, 64, 128, 64, 16, 16, 64},
    {"sm_101", 128, 2, 128, 64, 16, 16, 64},
    {"sm_103", 128, 2, 128, 64, 16, 16, 64},
    {"sm_110", 128, 2, 128, 64, 16, 16, 64},
    {"sm_120", 128, 2, 64, 64, 16, 16, 64},
    {"sm_121", 128, 2, 64, 64, 16, 16, 64},
};

/// Latencies were measured by Luo et al., "Benchmarking and Dissecting the
/// Nvidia Hopper GPU Architecture via Microbenchmarking" (2024): 466.3 clocks
/// on an A100, 478.8 on an H100, 541.5 on an RTX 4090; products of the same
/// chip take over theirs. None is known to us for Blackwell.
static constexpr Product products[] = {
    // name, chip, CUDA's name, multiprocessors, MHz, GB/s, L2 in MiB, latency
    {"H100", "sm_90", "H100 80GB HBM3", 132, 1980, 3350, 50, 479,
     "NVIDIA H100 data sheet (SXM), Hopper whitepaper"},
    {"H100 PCIe", "sm_90", "H100 PCIe", 114, 1755, 2000, 50, 479,
     "NVIDIA H100 data sheet (PCIe), Hopper whitepaper"},
    {"H200", "sm_90", "H200", 132, 1980, 4800, 50, 479,
     "NVIDIA H200 data sheet, Hopper whitepaper"},
    {"A100", "sm_80", "A100-SXM4-80GB", 108, 1410, 2039, 40, 466,
     "NVIDIA A100 data sheet (SXM, 80 GB), Ampere whitepaper"},
    {"A100 PCIe", "sm_80", "A100 80GB PCIe", 108, 1410, 1935, 40, 466,
     "NVIDIA A100 data sheet (PCIe, 80 GB), Ampere whitepaper"},
    {"A100 40GB", "sm_80", "A100-SXM4-40GB", 108, 1410, 1555, 40, 466,
     "NVIDIA A100 data sheet (SXM, 40 GB), Ampere whitepaper"},
    {"RTX 4090", "sm_89", "RTX 4090", 128, 2520, 1008, 72, 542,
     "NVIDIA Ada GPU architecture whitepaper"},
    {"L40S", "sm_89", "L40S", 142, 2520, 864, 96, 542,
     "NVIDIA L40S data sheet, Ada GPU architecture whitepaper"},
    {"B200", "sm_100", "B200", 148, 1965, 8000, 126, 0,
     "NVIDIA Blackwell data sheet; multiprocessors, clock and L2 as the driver "
     "says"},
    {"RTX 5090", "sm_120", "RTX 5090", 170, 2407, 1792, 96, 0,
     "NVIDIA RTX Blackwell GPU architecture whitepaper"},
};

const Throughput &ew::nvidia::getThroughput(const Chip &chip) {
  for (const Throughput &row : throughputs)
    if (row.chip == chip.name)
      return row;
  llvm_unreachable("every chip has a row; ChipsTest looks");
}

llvm::ArrayRef<Product> ew::nvidia::getProducts() { return products; }

/// Whether `words` stand in `text` as words: a GH200 is no H200.
static bool containsWords(StringRef text, StringRef words) {
  size_t at = text.find(words);
  size_t end = at + words.size();
  return at != StringRef::npos && (at == 0 || text[at - 1] == ' ') &&
         (end == text.size() || text[end] == ' ');
}

const Product *ew::nvidia::findProductOfDevice(StringRef device) {
  for (const Product &product : products)
    if (containsWords(device, product.device))
      return &product;
  return nullptr;
}

const Product *ew::nvidia::findProductOfChip(StringRef chip) {
  chip = chip.rtrim("af");
  for (const Product &product : products)
    if (product.chip == chip)
      return &product;
  return nullptr;
}

const Product *ew::nvidia::findProduct(StringRef name) {
  for (const Product &product : products)
    if (name.equals_insensitive(product.name))
      return &product;
  return nullptr;
}
