#!/usr/bin/env python3
"""Runs every op of the dialect on every type through ew-run and judges it by the oracle.

  numerics.py --ops=OPS.json --device=cpu [--against=emulated,cuda] [--mode=default] [--only=exp,cast]
              [--types=f32] [--operands=few|some|full] [--jobs=2] [--keep=FOLDER]
              [--errors]

The operands are special values, edges of every binade and random bit patterns; with
--operands=full, ops of one operand see every value of a type of 16 bits or fewer. Several ops of a type go
into one function, so that kernels have several results. With --against, the results of those devices must be the first one's, bit for
bit (a NaN is a NaN). Ends with a summary; the exit
code is 1 if anything was wrong.
"""
import argparse
import itertools
import json
import math
import os
import random
import shutil
import struct
import sys
import tempfile
import threading

import ewrun

# name: (bits, exponent bits, fraction bits); fractions of integers are None.
FLOATS = {"f64": (64, 11, 52), "f32": (32, 8, 23), "f16": (16, 5, 10), "bf16": (16, 8, 7),
          "f8E4M3FN": (8, 4, 3), "f8E5M2": (8, 5, 2)}
SIGNED = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
UNSIGNED = {"ui8": 8, "ui16": 16, "ui32": 32, "ui64": 64}
INTS = {**SIGNED, **UNSIGNED}
COMPLEX = {"complex<f32>": "f32", "complex<f64>": "f64"}  # and the types of their parts
BITS = {**{t: b for t, (b, _, _) in FLOATS.items()}, **INTS, "i1": 8, "complex<f32>": 64, "complex<f64>": 128}
REAL = [t for t in BITS if t not in COMPLEX]
KINDS = {"float": list(FLOATS), "int": list(INTS), "int_or_bool": list(INTS) + ["i1"],
         "number": list(FLOATS) + list(INTS), "bool": ["i1"], "element": list(BITS), "real_element": REAL,
         "float_or_complex": list(FLOATS) + list(COMPLEX),
         "number_or_complex": list(FLOATS) + list(INTS) + list(COMPLEX),
         "complex": list(COMPLEX), "part": list(COMPLEX.values())}
CHUNK = 8  # results of one function

# Functions that in f64 come from a library, which is another one on a GPU: not the same there bit for bit.
F64_FROM_LIBRARY = set("""acos acosh asin asinh atan atan2 atanh cbrt celu cos cosh elu erf erfc exp exp2 expm1 gelu hypot log
log10 log1p log2 log_sigmoid mish pow rsqrt selu sigmoid silu sin sinh softplus tan tanh""".split())


def special_pairs(part):
    """All pairs of the values that Annex G's tables are about, and of some whose products overflow and underflow."""
    bits, exponent, fraction = FLOATS[part]
    infinity = ((1 << exponent) - 1) << fraction
    # The exponents of the largest numbers, and of others that a scale of theirs brings to 0.
    large, small = (e << fraction for e in ((1 << exponent) - 3, 1 << exponent - 3))
    positive = [0, encode(part, 1), infinity, large, small, infinity | 1 << (fraction - 1), 3]
    values = positive[:5] + [v | 1 << (bits - 1) for v in positive[:5]] + positive[5:]
    return [re | im << bits for re in values for im in values]


def random_pair(part, rng):
    """Parts of every size, of ordinary ones, and on the unit circle and the axes."""
    bits, exponent, fraction = FLOATS[part]
    code = "<f" if part == "f32" else "<d"
    kind = rng.randrange(5)
    if kind == 0:
        return rng.getrandbits(2 * bits)
    angle = rng.uniform(-3.2, 3.2)
    radius = {1: 2.0 ** rng.uniform(-6, 6), 2: 1 + rng.uniform(-1, 1) * 2.0 ** -rng.randrange(40),
              3: 2.0 ** rng.uniform(-60, 60), 4: rng.uniform(0, 800 if part == "f64" else 100)}[kind]
    parts = [radius * math.cos(angle), radius * math.sin(angle)]
    if rng.randrange(8) == 0:
        parts[rng.randrange(2)] *= 2.0 ** -rng.randrange(60)
    re, im = (int.from_bytes(struct.pack(code, x), "little") for x in parts)
    return re | im << bits


def special_bits(element, rng, count):
    """Bit patterns of interest, `count` of them at most unless the type has fewer."""
    bits = BITS[element]
    if element in COMPLEX:
        values = special_pairs(COMPLEX[element])
        return values + [random_pair(COMPLEX[element], rng) for _ in range(count - len(values))]
    if element == "i1":
        return [0, 1]
    if bits == 8:
        return list(range(256))
    values = set()
    if element in FLOATS:
        _, exponent, fraction = FLOATS[element]
        bias = (1 << (exponent - 1)) - 1
        step = max(1, (1 << exponent) // 96)
        exponents = set(range(0, 1 << exponent, step)) | {0, 1, (1 << exponent) - 1, (1 << exponent) - 2}
        exponents |= set(range(bias - 12, bias + 12))
        top = 1 << (bits - 1)
        for e in exponents:
            for f in (0, 1, (1 << fraction) - 1, 1 << (fraction - 1), rng.getrandbits(fraction)):
                values |= {e << fraction | f, top | e << fraction | f}
        # Integers and halves, where roundings and powers turn.
        for n in range(-20, 21):
            for half in (0, 1):
                values.add(encode(element, n + half / 2))
    else:
        for k in range(bits):
            for d in (-1, 0, 1):
                values |= {((1 << k) + d) % (1 << bits), (-(1 << k) + d) % (1 << bits)}
        values |= set(n % (1 << bits) for n in range(-20, 21))
    values = sorted(values)
    if len(values) > count:
        values = rng.sample(values, count)
    while len(values) < count:
        values.append(rng.getrandbits(bits))
    return values


def encode(element, value):
    """Bits of a small number that the type holds exactly, by scaling."""
    bits, exponent, fraction = FLOATS[element]
    sign = 1 << (bits - 1) if value < 0 else 0
    value = abs(value)
    if value == 0:
        return sign
    e = 0
    while value >= 2:
        value, e = value / 2, e + 1
    while value < 1:
        value, e = value * 2, e - 1
    bias = (1 << (exponent - 1)) - 1
    return sign | (e + bias) << fraction | int((value - 1) * (1 << fraction))


def pack(values, element):
    width = max(1, BITS[element] // 8)
    return b"".join(v.to_bytes(width, "little") for v in values)


def is_from_library(name, signature):
    if "f64" in signature:
        return name in F64_FROM_LIBRARY
    # By their parts; the power of f32 is computed in f64.
    complex_name = "hypot" if name == "abs" else name
    return "complex<f64>" in signature and complex_name in F64_FROM_LIBRARY or \
        "complex<f32>" in signature and name == "pow"


def is_nan(bits, element):
    if element not in FLOATS:
        return False
    _, exponent, fraction = FLOATS[element]
    if element == "f8E4M3FN":
        return bits & 0x7f == 0x7f
    return bits >> fraction & ((1 << exponent) - 1) == (1 << exponent) - 1 and bits & ((1 << fraction) - 1) != 0


def difference(path, other, element):
    """Where two files of results differ first, or None."""
    with open(path, "rb") as a, open(other, "rb") as b:
        a, b = a.read(), b.read()
    if a == b:
        return None
    element = COMPLEX.get(element, element)
    width = max(1, BITS[element] // 8)
    for i in range(0, max(len(a), len(b)), width):
        x, y = (int.from_bytes(data[i:i + width], "little") for data in (a, b))
        if x != y and not (is_nan(x, element) and is_nan(y, element)):
            return i // width, x, y
    return None


def operands(types, rng, amount):
    """One list of bit patterns per operand, all of one length."""
    if len(types) == 1:
        if amount == "full" and BITS[types[0]] <= 16 and types[0] != "i1":
            return [list(range(1 << BITS[types[0]]))]
        return [special_bits(types[0], rng, {"few": 1501, "some": 6001, "full": 60001}[amount])]
    if types[-1] in COMPLEX:
        special = special_pairs(COMPLEX[types[-1]])
        columns = [[0, 1] if t == "i1" else special for t in types]
        rows = list(itertools.product(*columns))
        for _ in range({"few": 2000, "some": 20000, "full": 200000}[amount]):
            pick = lambda t: random_pair(COMPLEX[t], rng) if t in COMPLEX else rng.randrange(2)
            rows.append(tuple(pick(t) for t in types))
        return [list(column) for column in zip(*rows)]
    side = {"few": (47, 11), "some": (131, 23), "full": (401, 41)}[amount][len(types) - 2]
    columns = [special_bits(t, rng, side) for t in types]
    if len(types) == 3 and types[0] == "i1":
        columns[0] = [0, 1]
    rows = list(itertools.product(*columns))
    if len(rows) > 170001:
        rows = rng.sample(rows, 170001)
    if len(types) > 1:  # values beside themselves and their neighbours
        last = columns[-1]
        for v in last[:200]:
            for d in (0, 1, -1):
                row = [min(max(v + d, 0), (1 << BITS[t]) - 1) if t == types[-1] else columns[i][0]
                       for i, t in enumerate(types)]
                row[-1] = v
                rows.append(tuple(row))
    return [list(column) for column in zip(*rows)]


class Operands:
    """Files of the operands that all functions of a signature are given."""

    def __init__(self, signature, folder, args):
        self.signature, self.folder, self.args = signature, folder, args
        self.lock, self.flags = threading.Lock(), None

    def get_flags(self):
        with self.lock:
            if self.flags is None:
                os.mkdir(self.folder)
                rng = random.Random(f"{self.args.seed} {self.signature}")
                self.flags = []
                for i, (element, values) in enumerate(zip(self.signature, operands(self.signature, rng, self.args.operands))):
                    name = os.path.join(self.folder, f"x{i}.bin")
                    with open(name, "wb") as file:
                        file.write(pack(values, element))
                    self.flags.append(f"--input={len(values)}x{element}=@{name}")
        return self.flags


def expressions(op, element, enums):
    """Ways to write the op on operands %x0, %x1, ... : (text, result type)."""
    name, t = op["name"], f"tensor<?x{element}>"
    args = ", ".join(f"%x{i}" for i in range(len(op["operands"])))
    if name == "cast":
        for to in COMPLEX if element in COMPLEX else REAL:
            plain = f"ew.cast %x0{{}} : {t} to tensor<?x{to}>"
            yield plain.format(""), to
            rounds = to != "i1" and element != "i1" and (element not in INTS or to not in INTS)
            if rounds:
                for mode in enums["RoundingMode"][1:]:
                    yield plain.format(f" round({mode})"), to
            if to != "i1" and element != "i1":
                yield plain.format(" saturate"), to
            if to in INTS and element in FLOATS:
                yield plain.format(" wrap"), to
                yield plain.format(" round(nearest_even) wrap"), to
        return
    if name == "bitcast":
        for to in REAL:
            if (1 if to == "i1" else BITS[to]) == (1 if element == "i1" else BITS[element]):
                yield f"ew.bitcast %x0 : {t} to tensor<?x{to}>", to
        return
    if name == "cmp":
        for predicate in enums["CmpPredicate"]:
            if element in COMPLEX:
                if predicate in ("oeq", "une"):
                    yield f"ew.cmp {predicate}, {args} : {t}", "i1"
                continue
            ordered = len(predicate) > 2
            if ordered == (element in FLOATS) and (element != "i1" or predicate in ("eq", "ne")):
                yield f"ew.cmp {predicate}, {args} : {t}", "i1"
        return
    if op["result"] == "complex" and element not in COMPLEX:
        element = f"complex<{element}>"
        yield f"ew.{name} {args} : tensor<?x{element}>", element
        return
    result = "i1" if op["result"] == "bool" else element
    if op["result"] in ("part", "number"):
        result = COMPLEX.get(element, element)
    if "alpha" in op["attributes"]:
        for alpha in ("0.01", "1.0", "1.7"):
            yield f"ew.{name} {args} {{alpha = {alpha} : f64}} : {t}", result
        return
    if "approximate" in op["attributes"]:
        for way in enums["GeluApproximation"]:
            yield f"ew.{name} {args} approximate({way}) : {t}", result
        return
    yield f"ew.{name} {args} : {t}", result


def make_cases(ops, enums, only, types):
    """Functions of up to CHUNK results: (operand types, [(expression, result type)])."""
    groups = {}
    for op in ops:
        if only and op["name"] not in only:
            continue
        mixed = op["operands"][0] == "bool" and len(op["operands"]) > 1
        for element in KINDS[op["operands"][-1]]:
            if types and element not in types:
                continue
            signature = tuple("i1" if mixed and i == 0 else element for i in range(len(op["operands"])))
            groups.setdefault(signature, []).extend(expressions(op, element, enums))
    for signature, lines in sorted(groups.items()):
        for begin in range(0, len(lines), CHUNK):
            yield signature, lines[begin:begin + CHUNK]


def module(signature, lines):
    arguments = ", ".join(f"%x{i}: tensor<?x{t}>" for i, t in enumerate(signature))
    results = ", ".join(f"tensor<?x{t}>" for _, t in lines)
    body = "".join(f"  %r{i} = {text}\n" for i, (text, _) in enumerate(lines))
    names = ", ".join(f"%r{i}" for i in range(len(lines)))
    return f"func.func @f({arguments}) -> ({results}) {{\n{body}  return {names} : {results}\n}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", required=True, help="ops.json of the build: what list-ops.py wrote")
    parser.add_argument("--ew-run", default="ew-run", help="the ew-run to use (default: that on PATH)")
    parser.add_argument("--device", default="cpu", help="cpu, emulated, cuda, ... (default: %(default)s)")
    parser.add_argument("--against", default="", help="devices whose results must be the same")
    parser.add_argument("--mode", default="default", help="default, strict or fast (default: %(default)s)")
    parser.add_argument("--chip", default="", help="the GPU to compile for (default: the device's)")
    parser.add_argument("--only", default="", help="ops, between commas (default: all)")
    parser.add_argument("--types", default="", help="types, between commas (default: all)")
    parser.add_argument("--operands", choices=["few", "some", "full"], default="some",
                        help="how many operands each op sees (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=ewrun.default_jobs(),
                        help="processes at once (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of random operands (default: %(default)s)")
    parser.add_argument("--errors", action="store_true", help="print the largest error of everything")
    parser.add_argument("--keep", default="", help="folder for the programs and operands of what failed")
    args = parser.parse_args()
    table = json.load(open(args.ops))
    split = lambda text: set(filter(None, text.split(",")))
    against = list(filter(None, args.against.split(",")))
    cases = list(make_cases(table["ops"], table["enums"], split(args.only), split(args.types)))

    scratch = tempfile.mkdtemp(prefix="ew-numerics-")
    given = {signature: Operands(signature, os.path.join(scratch, f"operands-{n}"), args)
             for n, signature in enumerate(dict.fromkeys(signature for signature, _ in cases))}

    def run(number_and_case):
        number, (signature, lines) = number_and_case
        folder = os.path.join(scratch, f"case-{number}")
        os.mkdir(folder)
        path = lambda name: os.path.join(folder, name)
        with open(path("f.mlir"), "w") as file:
            file.write(module(signature, lines))
        command = [path("f.mlir"), f"--mode={args.mode}", *given[signature].get_flags()]
        if args.chip:
            command.append(f"--chip={args.chip}")

        def run_on(device, *options):
            outputs = [f"--output=@{path(f'{device}{i}.bin')}" for i in range(len(lines))] if against else []
            return pool.run([*command, f"--device={device}", *ewrun.for_many(device), *options, *outputs])

        done = run_on(args.device, "--check", "--check-limit=100000000", "--json")
        try:
            checks = json.loads(done.stdout)["check"]
        except (ValueError, KeyError):
            checks = None
        rows = []
        for i, (text, _) in enumerate(lines):
            check = checks[i] if checks and i < len(checks) else None
            rows.append((text, check, bool(check) and check["wrong"] == 0 and check["checked"] == check["total"]))
        different = []
        for device in against if checks else []:
            other = run_on(device)
            for i, (text, result) in enumerate(lines):
                name = text.split()[0][len("ew."):]
                if is_from_library(name, signature) and "cuda" in (device, args.device):
                    continue
                where = other.stderr.strip()[:300] if other.returncode else difference(
                    path(f"{args.device}{i}.bin"), path(f"{device}{i}.bin"), result)
                if where is not None:
                    different.append((text, device, where))
        failed = not all(ok for _, _, ok in rows) or done.returncode or different
        if failed and args.keep:
            for part in (folder, given[signature].folder):
                shutil.copytree(part, os.path.join(args.keep, f"case-{number}"), dirs_exist_ok=True)
        shutil.rmtree(folder)
        return rows, different, done if failed else None

    passed, wrong, elements, undecided = 0, [], 0, 0
    # Each function is another one, so none would be found in a cache.
    with ewrun.Pool(args.ew_run, args.jobs, {"EW_CACHE_DIR": ""}) as pool:
        for rows, different, done in pool.map(run, enumerate(cases)):
            for text, device, where in different:
                wrong.append(text)
                said = where if isinstance(where, str) else f"element {where[0]}: 0x{where[1]:x} and 0x{where[2]:x}"
                print(f"FAIL {args.device} and {device} differ, {args.mode}: {text}: {said}", flush=True)
            for text, check, ok in rows:
                if check:
                    elements += check["checked"]
                    if args.errors:
                        print(f"{check['max_ulp']:.3f} ulp: {text}")
                    undecided += check["undecided"]
                if ok:
                    passed += 1
                else:
                    wrong.append(text)
                    said = f"{check['wrong']} wrong, {check['max_ulp']:.3g} ulp" if check else "did not run"
                    print(f"FAIL {args.device} {args.mode}: {text}: {said}", flush=True)
            if done:
                print("  " + "\n  ".join(done.stderr.strip().splitlines()[:12]), flush=True)
    shutil.rmtree(scratch)
    print(f"numerics on {','.join([args.device, *against])}, {args.mode}: {passed} passed, {len(wrong)} failed; "
          f"{elements} elements judged, {undecided} undecided")
    return 1 if wrong or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
