//===- DefaultCoefficients.h - Polynomials on GPUs -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made by utils/default-coefficients.py; not to be edited.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_DEFAULTCOEFFICIENTS_H
#define EW_LIB_MATH_DEFAULTCOEFFICIENTS_H

namespace ew::math::gpu {

inline constexpr double kErfEnd = 1.2, kErfShift = 0.75;
inline constexpr double kErf[] = {
    -0.100108802318573,    -0.24458841979503632,  0.06691890209913254,
    -0.015131098218262196, 0.0028470056131482124, -0.00045555399265140295,
    6.395682430593297e-05, -7.794674274919089e-06};
inline constexpr double kErfTail[] = {
    1.6285125017166138,   0.915515124797821,   0.15452060103416443,
    -0.03529155254364014, 0.00570444343611598, -0.0005703053320758045,
    2.614086952235084e-05};

inline constexpr double kHalfPiFactors[] = {0.5304576754570007,
                                            2.961209535598755};

} // namespace ew::math::gpu

#endif // EW_LIB_MATH_DEFAULTCOEFFICIENTS_H
