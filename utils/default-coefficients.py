#!/usr/bin/env python3
"""Makes lib/Math/DefaultCoefficients.h: functions in the default mode on GPUs.

    python3 utils/default-coefficients.py > lib/Math/DefaultCoefficients.h      # needs mpmath and numpy; ten seconds

Coefficients are rounded to f32 one by one, the others fitted again to what remains.
"""

import sys

# Asked before what it needs is looked for.
if len(sys.argv) > 1:
    sys.exit(print(__doc__) if sys.argv[1] in ("-h", "--help") else f"unknown argument {sys.argv[1]}\n{__doc__}")

import mpmath as mp
import numpy as np

mp.mp.prec = 100
chebyshev = np.polynomial.chebyshev


def single(value):
    return float(np.float32(float(value)))


def nodes(low, high, count):
    k = np.arange(count)
    return (low + high) / 2 + (high - low) / 2 * np.cos(np.pi * (2 * k + 1) / (2 * count))


def lawson(basis, ys, ws, rounds=120):
    """The least largest error, nearly."""
    law, best, least = np.ones(len(ys)), None, np.inf
    for _ in range(rounds):
        w = ws * np.sqrt(law)
        scale = np.max(np.abs(basis * w[:, None]), axis=0)
        c, *_ = np.linalg.lstsq(basis * w[:, None] / scale, ys * w, rcond=None)
        c = c / scale
        error = np.abs((basis @ c - ys) * ws)
        if error.max() < least:
            best, least = c, error.max()
        law = law * (error / error.max() + 1e-3)
        law /= law.mean()
    return best


def one_by_one(xs, ys, ws, count, at):
    """Coefficients of a polynomial, rounded from the lowest on. `at`: xs = 0 on the scale of [-1, 1] for `z`."""
    z, zero, reach = at
    rest, rounded = ys.copy(), []
    for power in range(count):
        c = lawson((xs[:, None] / reach)**power * chebyshev.chebvander(z, count - power - 1), rest, ws)
        rounded.append(single(chebyshev.chebval(zero, c) / reach**power))
        rest = rest - rounded[-1] * xs**power
    return rounded


def print_constants(name, **values):
    print(f"inline constexpr double {', '.join(f'k{name}{key} = {value!r}' for key, value in values.items())};")


def print_array(name, values):
    print(f"inline constexpr double k{name}[] = {{{', '.join(map(repr, values))}}};")


def plain(name, function, low, high, terms, weight, shift=0.0):
    """`function` as a polynomial in x - shift."""
    xs = nodes(low, high, 400)
    ys = np.array([float(function(mp.mpf(x))) for x in xs])
    ws = np.array([float(weight(mp.mpf(x))) for x in xs])
    at = ((2 * xs - low - high) / (high - low), (2 * shift - low - high) / (high - low), (high - low) / 2)
    print_array(name, one_by_one(xs - shift, ys, ws, terms, at))


print("""//===- DefaultCoefficients.h - Polynomials on GPUs -*- C++ -*-===//
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
""")

# erf(x) = x + x p(x^2 - shift) below the end, then 1 - 2^-(a p(a))
end, shift = 1.2, 0.75
root = mp.sqrt
print_constants("Erf", End=end, Shift=shift)
plain("Erf", lambda s: mp.erf(root(s)) / root(s) - 1, 0, (end + 0.001)**2, 8, lambda s: root(s) / mp.erf(root(s)), shift)
plain("ErfTail", lambda a: -mp.log(mp.erfc(a), 2) / a, end - 0.001, 4.0, 7, lambda a: a * mp.erfc(a) / mp.erf(a))
print()

# pi / 2 to 45 bits as a product; the first is about the derivative of atan where a reciprocal's error counts most.
pairs = (single(0.52 + i * 2.0**-24) for i in range(300000))
factor = min(pairs, key=lambda a: abs(a * single(mp.pi / 2 / a) - float(mp.pi / 2)))
print_array("HalfPiFactors", [factor, single(mp.pi / 2 / factor)])

print("""
} // namespace ew::math::gpu

#endif // EW_LIB_MATH_DEFAULTCOEFFICIENTS_H""")
