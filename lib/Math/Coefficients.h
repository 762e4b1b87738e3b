//===- Coefficients.h - Polynomials of the functions in f32 -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made by utils/coefficients.py; not to be edited.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_COEFFICIENTS_H
#define EW_LIB_MATH_COEFFICIENTS_H

namespace ew::math::coefficients {

inline constexpr double kLn2[] = {0.6931471824645996, -1.9046542121259336e-09, -8.78318373858934e-17};

inline constexpr double kLog10Of2[] = {0.3010300099849701, -1.432098883924482e-08};

inline constexpr double kHalfPi[] = {1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15, 1.056299898220315e-23};

inline constexpr double kPi[] = {3.1415927410125732, -8.742277657347586e-08, -3.4302490200117637e-15};

inline constexpr double kLog2E[] = {1.4426950216293335, 1.925963033500011e-08};

inline constexpr double kLog10E[] = {0.4342944920063019, -1.0103049952192578e-08};

inline constexpr double kSqrtHalf[] = {0.7071067690849304, 1.2101617485882343e-08};

/// Error 2^-28.1.
inline constexpr double kExp[] = {0.5, 0.16666515171527863, 0.04166637733578682, 0.008369393646717072, 0.0013942922232672572};

/// Error 2^-31.0.
inline constexpr double kExpm1[] = {0.5, 0.1666666567325592, 0.041666485369205475, 0.008333541452884674, 0.0013933228328824043, 0.00019766994228120893};

/// Error 2^-28.3.
inline constexpr double kExp2[] = {0.6931471824645996, 0.24022650718688965, 0.05550359562039375, 0.009618062525987625, 0.0013390984386205673, 0.00015462879673577845};

/// Error 2^-27.8.
inline constexpr double kLog[] = {-0.49999988079071045, 0.33333325386047363, -0.2500160038471222, 0.20001959800720215, -0.16608718037605286, 0.1418234258890152, -0.13246417045593262, 0.12900835275650024, -0.07608295977115631};

/// Error 2^-27.9.
inline constexpr double kSin[] = {-0.16666655242443085, 0.008332187309861183, -0.00019517909095156938};

/// Error 2^-33.0.
inline constexpr double kCos[] = {-0.5, 0.04166664555668831, -0.0013887309469282627, 2.4432336431345902e-05};

} // namespace ew::math::coefficients

#endif // EW_LIB_MATH_COEFFICIENTS_H
