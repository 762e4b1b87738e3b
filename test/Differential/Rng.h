//===- Rng.h - Random numbers that are the same everywhere ------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_DIFFERENTIAL_RNG_H
#define EW_TEST_DIFFERENTIAL_RNG_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <iterator>

namespace ew::fuzz {

/// SplitMix64. The standard library's distributions differ between platforms,
/// and a program is known by its seed and number alone.
class Rng {
public:
  Rng(uint64_t seed, uint64_t stream) : state(mix(mix(seed) + stream)) {}

  uint64_t next() { return mix(state += 0x9E3779B97F4A7C15); }
  /// From 0 to `count` - 1.
  uint64_t below(uint64_t count) { return next() % count; }
  bool chance(unsigned percent) { return below(100) < percent; }
  double between(double low, double high) {
    return low + (high - low) * (double(next() >> 11) / (1ull << 53));
  }
  template <typename Range>
  const auto &pick(const Range &range) {
    return range[below(std::size(range))];
  }

private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  uint64_t state;
};

} // namespace ew::fuzz

#endif // EW_TEST_DIFFERENTIAL_RNG_H
