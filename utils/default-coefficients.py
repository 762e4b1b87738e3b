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

# pi / 2 to 45 bits as a product, and in parts that are all positive
pairs = (single(0.52 + i * 2.0**-24) for i in range(300000))
factor = min(pairs, key=lambda a: abs(a * single(mp.pi / 2 / a) - float(mp.pi / 2)))
print_array("HalfPiFactors", [factor, single(mp.pi / 2 / factor)])


def cut(value):
    """The largest f32 number that is not above."""
    return single(value) if single(value) <= value else float(np.nextafter(np.float32(single(value)), np.float32(0)))


parts, left = [], mp.pi / 2
for _ in range(3):
    parts.append(cut(left))
    left -= parts[-1]
print_array("HalfPiParts", parts)
print()

# exp(r) = 1 + r + r^2 p(r); the last coefficient is log2(e) / 1024
last = single(1 / mp.log(2)) / 1024
reach = float(mp.log(2) / 2) * 1.001
xs = nodes(-reach, reach, 400)
ys = np.array([float((mp.exp(mp.mpf(x)) - 1 - mp.mpf(x)) / mp.mpf(x)**2) for x in xs])
print_array("Exp", one_by_one(xs, ys - last * xs**4, xs**2, 4, (xs / reach, 0.0, reach)) + [last])

# Functions that fall like an exponential: exp(-square) p(s - center), s = 1 / (a + offset), in units of the result's
# last place for small a; centers where the first coefficient is nearly an f32 number and errors are small
lost = (mp.log(2) - single(mp.log(2))) / mp.log(2)


def falling(name, function, square, result, offset, center, end, scale=1):
    """`function` is `result` but for a factor; both fall as exp(-square)."""
    def f(s):
        a = 1 / s - mp.mpf(offset)
        return mp.exp(square(a) * (1 + lost)) * function(a)

    def significand(a):
        return 2 * float(mp.frexp(result(a))[0]) if a < 1.7 else 2.0

    low, high = 1 / (offset + end), 1 / offset
    xs = nodes(low, high, 300)
    ys = np.array([float(f(mp.mpf(x))) for x in xs])
    ws = np.array([significand(1 / mp.mpf(x) - offset) for x in xs]) / ys
    at = ((2 * xs - low - high) / (high - low), (2 * center - low - high) / (high - low), (high - low) / 2)
    p = [c * scale for c in one_by_one(xs - center, ys, ws, 11, at)]
    few = nodes(low, high, 100)
    slope = np.polyfit(few, [float(mp.mpf(x) * mp.diff(f, mp.mpf(x)) / f(mp.mpf(x))) for x in few], 1)
    print_constants(name, Offset=offset, Center=center)
    print_array(f"{name}Outer", p[:2])
    print_array(f"{name}Inner", p[2:])
    print_array(f"{name}Slope", [single(slope[1]), single(slope[0])])


falling("Erfc", mp.erfc, lambda a: a * a, mp.erfc, 2.375, 298 / 2048, 9.2, scale=512)


def phi(a):
    return mp.erfc(a / mp.sqrt(2)) / 2


falling("Gelu", phi, lambda a: a * a / 2, lambda a: a * phi(a), 2.875, 218 / 2048, 13.3)
print("""
} // namespace ew::math::gpu

#endif // EW_LIB_MATH_DEFAULTCOEFFICIENTS_H""")
