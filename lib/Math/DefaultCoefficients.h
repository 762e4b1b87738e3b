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

/// Errors 2^-25.0 of the logarithm, 2^-26.3 of the power.
inline constexpr double kGeluEnd = 4.25, kGeluCenter = 0.744384765625, kGeluCurvature = 0.6229243278503418, kGeluSlope = -1.90234375, kGeluWholeSlope = -1.9107942581176758;
inline constexpr double kGelu[] = {0.06872096657752991, -0.03336867317557335, 0.005513070151209831, -0.000583617715165019, -2.183171636715997e-05, 2.7198222596780397e-05, -6.452465186157497e-06, 7.849092185097106e-07, -4.103269901634121e-08};
inline constexpr int kGeluExponent = -2;
inline constexpr double kGeluPower[] = {-0.0867125391960144, 0.6330426335334778, 0.21939562261104584, 0.05069051682949066, 0.008785930462181568, 0.0012242597294971347, 0.00013772258535027504};

/// Errors 2^-28.1 of the logarithm, 2^-28.0 of the power.
inline constexpr double kErfcEnd = 3.75, kErfcCenter = 0.87738037109375, kErfcCurvature = 1.2794597148895264, kErfcSlope = -3.55078125, kErfcWholeSlope = -3.5117440223693848;
inline constexpr double kErfc[] = {0.08652951568365097, -0.06750147044658661, 0.016299515962600708, -0.003088502213358879, 0.00029024630202911794, 8.418443758273497e-05, -5.513158248504624e-05, 1.6675638107699342e-05, -3.1439269605471054e-06, 3.493927067665936e-07, -1.743218192018503e-08};
inline constexpr double kErfcPower[] = {0.21467845141887665, 0.14880377054214478, 0.051571447402238846, 0.011915365234017372, 0.002064840169623494, 0.00028722689603455365, 3.312060653115623e-05, 1.667284095674404e-06};

inline constexpr double kGeluTanhScale = -0.10294324159622192, kGeluTanhPeriod = 9.71405029296875, kGeluTanhPeriodLow = 4.193398581264773e-06, kGeluTanhRatio = 22.363862991333008, kGeluTanhRatioLow = -2.989096628880361e-06;
inline constexpr double kGeluTanhPower[] = {-0.07135511934757233, 0.002545776544138789, -6.0549988120328635e-05, 1.0801131793414243e-06, -1.5510689621578422e-08, 1.8557896885873504e-10};
inline constexpr double kErfEnd = 1.2, kErfShift = 0.75;
inline constexpr double kErf[] = {-0.100108802318573, -0.24458841979503632, 0.06691890209913254, -0.015131098218262196, 0.0028470056131482124, -0.00045555399265140295, 6.395682430593297e-05, -7.794674274919089e-06};
inline constexpr double kErfTail[] = {1.6285125017166138, 0.915515124797821, 0.15452060103416443, -0.03529155254364014, 0.00570444343611598, -0.0005703053320758045, 2.614086952235084e-05};

inline constexpr double kHalfPiFactors[] = {0.5304576754570007, 2.961209535598755};

} // namespace ew::math::gpu

#endif // EW_LIB_MATH_DEFAULTCOEFFICIENTS_H
