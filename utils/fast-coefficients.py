#!/usr/bin/env python3
"""Makes lib/Math/FastCoefficients.h: polynomials of the functions in fast mode.

    python3 utils/fast-coefficients.py > lib/Math/FastCoefficients.h      # needs mpmath and numpy

As utils/coefficients.py, with as few terms as an error of 8 units in the last place takes.
"""

import sys

# Asked before what it needs is looked for.
if len(sys.argv) > 1:
    sys.exit(print(__doc__) if sys.argv[1] in ("-h", "--help") else f"unknown argument {sys.argv[1]}\n{__doc__}")

import mpmath as mp
import numpy as np

from minimax import constants, polynomial

print("""//===- FastCoefficients.h - Polynomials in fast mode -*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made by utils/fast-coefficients.py; not to be edited.
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_MATH_FASTCOEFFICIENTS_H
#define EW_LIB_MATH_FASTCOEFFICIENTS_H

namespace ew::math::fast {
""")


def odd(name, function, limit, terms, free=False):
    """function(x) = x p(x^2) for |x| <= limit, where p(0) = 1 but for `free`."""
    root = lambda s: mp.sqrt(mp.mpf(s))
    polynomial(name, lambda s: function(root(s)) / root(s), (mp.mpf(1) / 10**8, mp.mpf(limit)**2), range(terms),
               lambda s: root(s) / function(root(s)), leading=None if free else 1.0)


def parts_below(name, value, parts):
    """`value` as a sum of f32 numbers, all positive: n = 0 times the negative of one is -0 then."""
    out, rest = [], mp.mpf(value)
    for _ in range(parts):
        step = mp.mpf(2)**(mp.floor(mp.log(rest, 2)) - 23)
        out.append(float(mp.floor(rest / step) * step))
        rest -= mp.mpf(out[-1])
    print(f"inline constexpr double {name}[] = {{{', '.join(map(repr, out))}}};\n")


parts_below("kPi", mp.pi, 3)
parts_below("kHalfPi", mp.pi / 2, 3)
odd("kSin", mp.sin, mp.pi / 2 * mp.mpf("1.0001"), 5)
odd("kTan", mp.tan, mp.pi / 4 * mp.mpf("1.0001"), 6)
odd("kTanh", mp.tanh, mp.mpf("0.45"), 4)
odd("kSinh", mp.sinh, 1, 4)
odd("kErf", mp.erf, mp.mpf("0.5"), 4, free=True)
odd("kAsin", mp.asin, mp.mpf("0.5"), 5)
odd("kAtan", mp.atan, 1, 8)
odd("kAsinh", mp.asinh, mp.mpf("0.6"), 6)

# log2 of erfc(a): what matters is the error of erfc beside erf.
polynomial("kErfTail", lambda a: mp.log(mp.erfc(a), 2), (mp.mpf("0.49"), mp.mpf("3.9")), range(6),
           lambda a: mp.erfc(a) / mp.erf(a))
# log(1 + u) = u p(u) on [0, 1]
polynomial("kSoftplus", lambda u: mp.log1p(u) / u, (mp.mpf(1) / 10**8, 1), range(8),
           lambda u: u / mp.log1p(u), leading=1.0)
# log(1 + x) = x p(x) about 0
polynomial("kLog1p", lambda x: mp.log1p(x) / x, (mp.mpf("-0.2501"), mp.mpf("0.3801")), range(8),
           lambda x: x / mp.log1p(x), leading=1.0)
# expm1(r) = r + r^2 p(r) for |r| <= log(2) / 2
h = mp.log(2) / 2 * mp.mpf("1.001")
polynomial("kExpm1", lambda r: (mp.expm1(r) - r) / r**2, (-h, h), range(4),
           lambda r: r**2 / abs(mp.expm1(r)))


def scaled_tail(a):
    """exp(a^2) erfc(a)."""
    return mp.exp(a * a) * mp.erfc(a)


# Of t = 1 / (1 + k a): exp(a^2) erfc(a), and half of exp(a^2 / 2) erfc(a / sqrt(2)).
for name, scale, value, last, terms in (
        ("kErfc", "0.4", scaled_tail, "9.3", 9),
        ("kPhi", "0.4", lambda a: scaled_tail(a / mp.sqrt(2)) / 2, "13.3", 9)):
    k = mp.mpf(scale)
    print(f"inline constexpr double {name}Scale = {float(k)!r};")
    polynomial(name, lambda t: value((1 / t - 1) / k), (1 / (1 + k * mp.mpf(last)), 1), range(terms),
               lambda t: 1 / value((1 / t - 1) / k))

# log2((1 + s) / (1 - s)) = s (c + z p(z)), z = s^2 <= 0.0295, with c as two numbers
constants("kPowLead", 2 / mp.log(2), 2)
last = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1))**2
polynomial("kPow", lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / mp.log(2) / z,
           (mp.mpf(1) / 10**6, last * mp.mpf("1.001")), range(4), lambda z: z)
# sqrt(8 / pi) as a number of 21 bits and the rest.
linear = mp.sqrt(8 / mp.pi)
head = mp.floor(linear * 2**20) / 2**20
print(f"inline constexpr double kGeluLinear[] = {{{float(head)!r}, {float(np.float32(float(linear - head)))!r}}};\n")

print("""} // namespace ew::math::fast

#endif // EW_LIB_MATH_FASTCOEFFICIENTS_H""")
