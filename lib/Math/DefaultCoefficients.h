//===- DefaultCoefficients.h - Polynomials on GPUs --------------*- C++ -*-===//
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
inline constexpr double kHalfPiParts[] = {
    1.570796251296997, 7.549789415861596e-08, 5.390302529957765e-15};

inline constexpr double kExp[] = {0.5000000596046448, 0.16666503250598907,
                                  0.041664328426122665, 0.008370657451450825,
                                  0.001408881857059896};
inline constexpr double kErfcOffset = 2.375, kErfcCenter = 0.1455078125;
inline constexpr double kErfcOuter[] = {62.745758056640625, 629.7840576171875};
inline constexpr double kErfcInner[] = {
    1863.977783203125, 4341.1201171875,  7119.39697265625,
    5240.15283203125,  -8590.5830078125, -25467.47265625,
    3381.7939453125,   115616.9609375,   -128813.1171875};
inline constexpr double kErfcSlope[] = {0.835915744304657, 4.41992712020874};
inline constexpr double kGeluOffset = 2.875, kGeluCenter = 0.1064453125;
inline constexpr double kGeluOuter[] = {0.05984380841255188,
                                        0.7758476138114929};
inline constexpr double kGeluInner[] = {
    2.5728046894073486,  6.2043304443359375,  8.173821449279785,
    -6.0044355392456055, -44.994503021240234, -26.918216705322266,
    421.71844482421875,  -737.2572021484375,  399.0863037109375};
inline constexpr double kGeluSlope[] = {0.973969578742981, 3.9434964656829834};

} // namespace ew::math::gpu

#endif // EW_LIB_MATH_DEFAULTCOEFFICIENTS_H
