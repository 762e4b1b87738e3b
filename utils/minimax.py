"""Polynomials for functions in f32, by weighted least squares: see coefficients.py."""

import mpmath as mp
import numpy as np

mp.mp.prec = 120


def chebyshev(a, b, n):
    k = np.arange(n)
    return (a + b) / 2 + (b - a) / 2 * np.cos(np.pi * (2 * k + 1) / (2 * n))


def fit(xs, ys, ws, powers, rounds=60):
    """Coefficients of sum c[i] x^powers[i] ~ ys with relative weights ws."""
    basis = np.stack([xs**p for p in powers], axis=1)
    lawson = np.ones(len(xs))
    best, best_error = None, np.inf
    for _ in range(rounds):
        w = ws * np.sqrt(lawson)
        scale = np.max(np.abs(basis * w[:, None]), axis=0)
        c, *_ = np.linalg.lstsq(basis * w[:, None] / scale, ys * w, rcond=None)
        c = c / scale
        error = np.abs((basis @ c - ys) * ws)
        if error.max() < best_error:
            best, best_error = c, error.max()
        lawson = lawson * (error / error.max() + 1e-3)
        lawson /= lawson.mean()
    return best


def polynomial(name, function, interval, powers, weight, fixed=(), keep_f64=(), nodes=400, leading=None):
    """`function` - sum of `fixed` (power: coefficient) over `interval`; `weight`
    is what an absolute error is multiplied by. Powers in `keep_f64` are not
    rounded to f32. The first coefficient is `leading` where that is given."""
    xs = chebyshev(float(interval[0]), float(interval[1]), nodes)
    target = np.array([float(function(mp.mpf(x))) for x in xs])
    ws = np.array([float(weight(mp.mpf(x))) for x in xs])
    rounded = {}
    rest = list(powers)
    if leading is not None:
        rounded[rest.pop(0)] = leading
    while rest:
        ys = target - sum((c * xs**p for p, c in rounded.items()), np.zeros_like(xs))
        c = fit(xs, ys, ws, rest)
        power = rest.pop(0)
        rounded[power] = float(c[0]) if power in keep_f64 else float(np.float32(c[0]))
    value = sum(c * xs**p for p, c in rounded.items())
    error = np.max(np.abs((value - target) * ws))
    print(f"/// Error 2^{np.log2(error):.1f}.")
    values = ", ".join(repr(rounded[p]) for p in powers)
    print(f"inline constexpr double {name}[] = {{{values}}};")
    print()


def constants(name, value, parts, bits=24):
    """`value` as a sum of f32 numbers."""
    out, rest = [], mp.mpf(value)
    for _ in range(parts):
        head = float(np.float32(float(rest)))
        out.append(head)
        rest -= mp.mpf(head)
    print(f"inline constexpr double {name}[] = {{{', '.join(repr(c) for c in out)}}};")
    print()
