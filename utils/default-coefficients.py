#!/usr/bin/env python3
"""Makes lib/Math/DefaultCoefficients.h: functions in the default mode on GPUs.

    python3 utils/default-coefficients.py > lib/Math/DefaultCoefficients.h      # needs mpmath and numpy; half a minute

gelu and erfc are powers of two of a polynomial in w = a - center,

    log2 f(a) = log2(power[0]) + w (slope - curvature w) + w (more + w p(w)),

of which the part with the large coefficients is split off, since it is computed without an error. The center is one
where f and its logarithm's derivative lie next to numbers that have few bits. Coefficients are rounded to f32 one by one, the
others fitted again to what remains; then random steps of their last places lower the largest error in exact arithmetic.
"""

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


def one_by_one(xs, ys, ws, powers, at, grid=single, first_grid=None, constant=False):
    """Coefficients of xs^power, rounded from the lowest on. `at`: xs = 0 on the scale of [-1, 1] for `z`."""
    z, zero, reach = at
    rest, rounded = ys.copy(), []
    for power in powers:
        count = powers[-1] - power + 1
        basis = (xs[:, None] / reach)**power * chebyshev.chebvander(z, count - 1)
        if constant:
            basis = np.concatenate([np.ones((len(xs), 1)), basis], axis=1)
        c = lawson(basis, rest, ws)
        value = chebyshev.chebval(zero, c[1:] if constant else c) / reach**power
        rounded.append((first_grid if first_grid and power == powers[0] else grid)(value))
        rest = rest - rounded[-1] * xs**power
    return rounded, (rest.max() + rest.min()) / 2


def refine(random, basis, target, ws, coefficients, steps, rounds=25000):
    coefficients = np.array(coefficients)
    rest = basis @ coefficients - target
    least = np.max(np.abs(rest * ws))
    for _ in range(rounds):
        change = np.zeros(len(coefficients))
        for i in random.integers(0, len(coefficients), random.integers(1, 4)):
            change[i] += random.choice([-1, 1]) * steps[i] * 2.0**random.integers(0, 4)
        changed = rest + basis @ change
        error = np.max(np.abs(changed * ws))
        if error < least:
            least, coefficients, rest = error, coefficients + change, changed
    return [float(c) for c in coefficients], least


def last_place(value):
    return float(np.spacing(np.float32(abs(value))))


def print_constants(name, **values):
    print(f"inline constexpr double {', '.join(f'k{name}{key} = {value!r}' for key, value in values.items())};")


def print_array(name, values):
    print(f"inline constexpr double k{name}[] = {{{', '.join(map(repr, values))}}};")


def falling(name, function, center, end, degree, terms, factor, fraction_bits):
    """`factor`: the power of two is kept less 1, to be multiplied by something."""
    logarithm = lambda a: mp.log(function(mp.mpf(a)), 2)
    xs = nodes(0, end, 400)
    at_center = logarithm(center)
    values = [logarithm(x) - at_center for x in xs]
    w = xs - center
    q = lawson(np.stack([w, w * w], 1), np.array([float(v) for v in values]), np.ones(len(xs)))
    # The sum of few bits and of the f32 number less it is exact.
    slope = round(q[0] * 2**fraction_bits) / 2**fraction_bits
    curvature = single(-q[1])

    def rest_at(points, offset):
        return np.array([float(logarithm(x) - offset - (slope * mp.mpf(x - center) - mp.mpf(curvature) *
                                                        mp.mpf(x - center)**2)) for x in points])

    at = ((2 * xs - end) / end, (2 * center - end) / end, end)
    p, offset = one_by_one(w, rest_at(xs, at_center), np.ones(len(xs)), list(range(1, degree + 1)), at,
                           first_grid=lambda v: round(v * 2**21) / 2**21, constant=True)
    whole = round(float(at_center) + offset)

    # 2^(fraction + r), r as far as the sum was not rounded
    def power_of_two(low, high):
        ends = (-0.501 + min(low, 0), 0.501 + max(high, 0))
        rs = nodes(*ends, 300)
        ys = np.array([float(mp.mpf(2)**(mp.mpf(r) + at_center + offset - whole)) for r in rs])
        return rs, ys, ((2 * rs - sum(ends)) / (ends[1] - ends[0]), -sum(ends) / (ends[1] - ends[0]),
                        (ends[1] - ends[0]) / 2)

    rest = rest_at(xs, at_center)
    rs, ys, at = power_of_two(rest.min(), rest.max())
    power, _ = one_by_one(rs, ys, 1 / ys, list(range(terms)), at)

    xs = nodes(0, end, 170)
    w = xs - center
    rest = rest_at(xs, mp.log(mp.mpf(power[0]), 2) + whole)
    random = np.random.default_rng(1)
    p, error = refine(random, np.stack([w**k for k in range(1, degree + 1)], 1), rest, np.ones(len(xs)), p,
                      [2.0**-21] + [last_place(c) for c in p[1:]])
    rs = nodes(-0.501 + min(rest.min(), 0), 0.501 + max(rest.max(), 0), 170)
    ys = np.array([float(mp.mpf(2)**(mp.mpf(r)) * mp.mpf(power[0])) for r in rs])
    more, power_error = refine(random, np.stack([rs**k for k in range(1, terms)], 1), ys - power[0], 1 / ys, power[1:],
                               [last_place(c) for c in power[1:]])
    power = [power[0]] + more
    print(f"/// Errors 2^{np.log2(error):.1f} of the logarithm, 2^{np.log2(power_error):.1f} of the power.")
    print_constants(name, End=end, Center=center, Curvature=curvature, Slope=slope, WholeSlope=slope + p[0])
    print_array(name, p[1:])
    if factor:
        print(f"inline constexpr int k{name}Exponent = {whole};")
        print_array(f"{name}Power", [power[0] - 1] + power[1:])
    else:
        print_array(f"{name}Power", [c * 2.0**whole for c in power])
    print()


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

falling("Gelu", lambda a: mp.erfc(a / mp.sqrt(2)) / 2, 0.744384765625, 4.25, 10, 7, True, 8)
falling("Erfc", mp.erfc, 0.87738037109375, 3.75, 12, 8, False, 10)

# sigmoid's argument in log2: -(x^2 + ratio) x / period. Both constants are numbers of few bits and corrections; the
# correction of the period is one of the ratio and of x^2, and of the polynomial's operand.
period = mp.log(2) / (mp.sqrt(8 / mp.pi) * mp.mpf("0.044715"))
ratio = 1 / mp.mpf("0.044715")
period_high, ratio_high = float.fromhex("0x1.36d98p+3"), float.fromhex("0x1.65d262p+4")
correction = (period - period_high) / period
print_constants("GeluTanh", Scale=single(-1 / period), Period=period_high, PeriodLow=single(correction), Ratio=ratio_high,
                RatioLow=single(ratio - ratio_high))
# (2^(-r / period) - 1) / r, tuned to the last bits over all operands
print_array("GeluTanhPower", [float.fromhex(c) for c in (
    "-0x1.244544p-4", "0x1.4dae16p-9", "-0x1.fbee1cp-15", "0x1.21f0dp-20", "-0x1.0a78bcp-26", "0x1.9817acp-33")])


def plain(name, function, low, high, terms, weight, shift=0.0):
    """`function` as a polynomial in x - shift."""
    xs = nodes(low, high, 400)
    ys = np.array([float(function(mp.mpf(x))) for x in xs])
    ws = np.array([float(weight(mp.mpf(x))) for x in xs])
    at = ((2 * xs - low - high) / (high - low), (2 * shift - low - high) / (high - low), (high - low) / 2)
    print_array(name, one_by_one(xs - shift, ys, ws, list(range(terms)), at)[0])


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
