#!/usr/bin/env python3
"""Makes lib/Math/Coefficients.h: polynomials for the functions in f32.

    python3 utils/coefficients.py > lib/Math/Coefficients.h      # needs mpmath and numpy

Each polynomial is fitted over Chebyshev nodes in the weighted least-squares sense,
the weights driven by Lawson's rule toward the smallest largest error; then the coefficients
are rounded to f32 one by one from the lowest, the others fitted again to what
remains. The comment beside each polynomial is the largest weighted error of the
rounded coefficients in exact arithmetic, as a power of two.
"""

import sys

# Asked before what it needs is looked for.
if len(sys.argv) > 1:
    sys.exit(print(__doc__) if sys.argv[1] in ("-h", "--help") else f"unknown argument {sys.argv[1]}\n{__doc__}")

import mpmath as mp
import numpy as np

from minimax import constants, polynomial

def tuned(name, values):
    """Made by utils/logarithms.sollya or, but for a few bits, as the others here; all but kLog10 then tuned to
    the last bits by utils/tune.cpp."""
    print(f"inline constexpr double {name}[] = {{{', '.join(repr(float(np.float32(v))) for v in values)}}};")
    print()


print("""//===- Coefficients.h - Polynomials of the functions in f32 -*- C++ -*-===//
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
""")

ln2 = mp.log(2)
constants("kLn2", ln2, 3)
constants("kLog10Of2", mp.log10(2), 2)
constants("kHalfPi", mp.pi / 2, 4)
constants("kPi", mp.pi, 3)
constants("kLog2E", 1 / ln2, 2)
constants("kLog10E", 1 / mp.log(10), 2)
# sqrt(2 / pi) (x + 0.044715 x^3), doubled
constants("kGeluTanhLinear", mp.sqrt(8 / mp.pi), 2)
constants("kGeluTanhCubic", mp.sqrt(8 / mp.pi) * mp.mpf("0.044715"), 2)
constants("kSeluScale", mp.mpf("1.0507009873554804934193349852946"), 2)
constants("kSeluNegative", mp.mpf("1.0507009873554804934193349852946") *
          mp.mpf("1.6732632423543772848170429916717"), 2)

h = ln2 / 2 * mp.mpf("1.01")
# exp(r) = 1 + r + r^2 p(r)
polynomial("kExp", lambda r: (mp.exp(r) - 1 - r) / r**2, (-h, h), range(5), lambda r: r**2)
# expm1(r) = r + r^2 p(r), with the error relative to the result
polynomial("kExpm1", lambda r: (mp.exp(r) - 1 - r) / r**2, (-h, h), range(6),
           lambda r: r**2 / abs(mp.expm1(r)))
# 2^r = 1 + r p(r)
polynomial("kExp2", lambda r: (mp.mpf(2)**r - 1) / r, (-0.5, 0.5), range(6), lambda r: abs(r))

# log(1 + f) = f + f^2 p(f), in other bases likewise; f in [-1/3, 1/3], [-1/4, 1/2] (log(1 + x), where f has
# all digits of x), and [sqrt(1/2) - 1, sqrt(2) - 1]
tuned("kLog", [-0.50000005960464478, 0.3333321213722229, -0.24999691545963287, 0.20010802149772644,
               -0.1667986661195755, 0.14002408087253571, -0.12196404486894608, 0.13986638188362122,
               -0.12897433340549469])
tuned("kLog1pNear", [-0.49999994039535522, 0.33333355188369751, -0.25000476837158203, 0.20000080764293671,
                     -0.16650168597698212, 0.142595574259758, -0.12748384475708008, 0.11849077790975571,
                     -0.093188025057315826, 0.038496531546115875])
tuned("kLog2", [-0.72134751081466675, 0.48089796304702759, -0.36067467927932739, 0.28857290744781494,
                -0.24044446647167206, 0.20509311556816101, -0.17923781275749207, 0.17196963727474213,
                -0.16738876700401306, 0.095377601683139801])
tuned("kLog10", [-0.21714718639850616455078125, 0.14476479589939117431640625, -0.108580745756626129150390625,
                 8.68675410747528076171875e-2, -7.212759554386138916015625e-2, 6.15869276225566864013671875e-2,
                 -5.754302442073822021484375e-2, 5.6077420711517333984375e-2, -3.3078484237194061279296875e-2])

q = mp.pi / 4 * mp.mpf("1.001")
# sin(r) = r + r^3 p(r^2), cos(r) = 1 + r^2 p(r^2), over s = r^2
tuned("kSin", [-0.1666666567325592, 0.0083328597247600555, -0.00019597873324528337])
polynomial("kCos", lambda s: (mp.cos(mp.sqrt(s)) - 1) / s, (1e-9, q**2), range(4),
           lambda s: s / mp.cos(mp.sqrt(s)))

# tanh(x) = x + x^3 p(x^2) below 0.65
polynomial("kTanh", lambda s: (mp.tanh(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, (1e-9, 0.65**2), range(6),
           lambda s: s / (mp.tanh(mp.sqrt(s)) / mp.sqrt(s)))

# log(1 + e) = e p(e - 1/2) for e in [0, 1]
polynomial("kLog1p", lambda t: mp.log1p(t + 0.5) / (t + 0.5), (-0.5 + 1e-12, 0.5), range(11),
           lambda t: (t + 0.5) / mp.log1p(t + 0.5))

def scaled_erfc(z):
    """exp(z^2) erfc(z)"""
    return mp.exp(z * z) * mp.erfc(z)


# x / 2 * erfc(x / sqrt(2)) = exp(-x^2 / 2) p(s - c) with s = 1 / (1 + x / 2), for x in
# [0.5, 15]. Around a c inside, coefficients stay small, and so do their roundings; this
# c, of multiples of 1/64, makes the first one nearly an f32 number.
def gelu_tail(s):
    x = 2 * (1 / s - 1)
    return x / 2 * scaled_erfc(x / mp.sqrt(2))


c = 28 / 64
print(f"inline constexpr double kGeluCenter = {c};")
polynomial("kGeluTail", lambda t: gelu_tail(t + c), (1 / (1 + 7.5) - c, 1 / 1.25 - c), range(11),
           lambda t: 1 / gelu_tail(t + c))
# d log p / d log s, coarsely
polynomial("kGeluSlope", lambda s: s * mp.diff(gelu_tail, s) / gelu_tail(s), (1 / (1 + 7.5), 1 / 1.25),
           range(4), lambda s: 1)


# erfc(x) = exp(-x^2) p(s - c) with s = 1 / (1 + x / 2), for x in [0.92, 10.1]
def erfc_tail(s):
    return scaled_erfc(2 * (1 / s - 1))


c = 18 / 64
print(f"inline constexpr double kErfcCenter = {c};")
polynomial("kErfcTail", lambda t: erfc_tail(t + c), (1 / (1 + 5.1) - c, 1 / 1.45 - c), range(10),
           lambda t: 1 / erfc_tail(t + c))
polynomial("kErfcSlope", lambda s: s * mp.diff(erfc_tail, s) / erfc_tail(s), (1 / (1 + 5.1), 1 / 1.45),
           range(4), lambda s: 1)


# exp(-x^2 / 2) p(s - c) = Phi(-x) and exp(-x^2) p(s - c) = erfc(x) with s = 1 / (x + offset), for x in
# [0, 13.5] and [0, 9.5]; centers are where the coefficients' rounding costs least
def falling(name, offset, c, end, function):
    def f(s):
        return function(1 / s - mp.mpf(offset))

    low, high = 1 / (offset + end), 1 / offset
    print(f"inline constexpr double k{name}Offset = {offset}, k{name}Center = {c};")
    polynomial(f"k{name}", lambda t: f(t + c), (low - c, high - c), range(11), lambda t: 1 / f(t + c), nodes=200)
    polynomial(f"k{name}Slope", lambda s: s * mp.diff(f, s) / f(s), (low, high), range(2), lambda s: 1)


falling("GeluQuick", 3.25, 214 / 2048, 13.5, lambda x: scaled_erfc(x / mp.sqrt(2)) / 2)
falling("ErfcQuick", 2.25, 261 / 2048, 9.5, scaled_erfc)

# 2^-16 Phi(-x) exp(x^2 / 2) = t p(t) with t = 1 / (1 + scale x), for x in [0, 14], and
# tanh(x) = x + x^3 p(x^2) below 0.35: enough for results rounded to 16 bits
scale = 0.38
print(f"inline constexpr double kGeluNarrowScale = {scale};")


def gelu_narrow(t):
    return mp.mpf(2)**-17 * scaled_erfc((1 / t - 1) / mp.mpf(scale) / mp.sqrt(2)) / t


polynomial("kGeluNarrow", gelu_narrow, (1 / (1 + scale * 14), 1), range(5), lambda t: 1 / gelu_narrow(t))
# The same on GPUs, below 0.6
polynomial("kTanhQuick", lambda s: (mp.tanh(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, (1e-9, 0.6**2), range(5),
           lambda s: s / (mp.tanh(mp.sqrt(s)) / mp.sqrt(s)))
polynomial("kTanhNarrow", lambda s: (mp.tanh(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, (1e-9, 0.351**2), range(2),
           lambda s: s / (mp.tanh(mp.sqrt(s)) / mp.sqrt(s)))

# erf(x) = x + x p(x^2) for |x| <= 0.92
polynomial("kErf", lambda s: mp.erf(mp.sqrt(s)) / mp.sqrt(s) - 1, (1e-9, 0.92**2), range(7),
           lambda s: 1 / (mp.erf(mp.sqrt(s)) / mp.sqrt(s)))
# erf(x) = 1 - exp(p(x)) for x in [0.92, 4]
polynomial("kErfTail", lambda x: mp.log(mp.erfc(x)), (0.91, 4.05), range(8),
           lambda x: mp.erfc(x) / mp.erf(x))

# tan(r) = r + r^3 p(r^2)
polynomial("kTan", lambda s: (mp.tan(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, (1e-9, q**2), range(7),
           lambda s: s / (mp.tan(mp.sqrt(s)) / mp.sqrt(s)))
# asin(x) = x + x^3 p(x^2) for |x| <= 1/2
polynomial("kAsin", lambda s: (mp.asin(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, (1e-9, 0.2502), range(5),
           lambda s: s / (mp.asin(mp.sqrt(s)) / mp.sqrt(s)))
# atan(x) = x + x^3 p(x^2) for |x| <= 1
polynomial("kAtan", lambda s: (mp.atan(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, (1e-9, 1.0001), range(9),
           lambda s: s / (mp.atan(mp.sqrt(s)) / mp.sqrt(s)))
# sinh(x) = x + x^3 p(x^2) for |x| <= 1
polynomial("kSinh", lambda s: (mp.sinh(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, (1e-9, 1.0001), range(4),
           lambda s: s / (mp.sinh(mp.sqrt(s)) / mp.sqrt(s)))
# The same on GPUs, with as few terms as its other half is right to
polynomial("kSinhQuick", lambda s: (mp.sinh(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, (1e-9, 1.0001), range(3),
           lambda s: s / (mp.sinh(mp.sqrt(s)) / mp.sqrt(s)))
# asinh(x) = x + x^3 p(x^2) for |x| <= 1/2
polynomial("kAsinh", lambda s: (mp.asinh(mp.sqrt(s)) / mp.sqrt(s) - 1) / s, (1e-9, 0.2502), range(6),
           lambda s: s / (mp.asinh(mp.sqrt(s)) / mp.sqrt(s)))

# For pow, in f64. log2((1 + s) / (1 - s)) = s p(s^2), 2^r = p(r)
z = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1))**2
polynomial("kPowLog2", lambda w: mp.log((1 + mp.sqrt(w)) / (1 - mp.sqrt(w)), 2) / mp.sqrt(w), (1e-12, z * 1.001),
           range(7), lambda w: 0.35, keep_f64=range(7))
polynomial("kPowExp2", lambda r: mp.mpf(2)**r, (-0.5, 0.5), range(9), lambda r: mp.mpf(2)**-r, keep_f64=range(9))

print("} // namespace ew::math::coefficients")
print()
print("#endif // EW_LIB_MATH_COEFFICIENTS_H")
