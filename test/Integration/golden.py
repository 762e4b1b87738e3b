#!/usr/bin/env python3
"""Runs values of known results through ew-run: NumPy's validation sets of functions, and the
special cases of the Python array API standard.

  golden.py --golden=FOLDER --device=cpu [--mode=default] [--only=exp,pow] [--jobs=2] [--tails=once|all]

FOLDER has numpy_umath.tsv and array_api_special_cases.tsv. Every function is compiled once for
each type, with a dynamic size, and gets all its values in one vector. The first run is whole, judged by the
oracle too. Then come short runs of every length of tail, each over other values: each length once, or with --tails=all
until every value has stood in one of the longest (EWMathTailsTests puts every value into every tail, in one process).
A value must give one result wherever it stands, bit for bit. Ends with a summary; the exit code is 1 if
anything was wrong.
"""
import argparse
import itertools
import json
import math
import os
import shutil
import struct
import sys
import tempfile

import ewrun
import special_cases

TYPES = {"f32": ("I", "f", 2.0**-23, 2.0**-149), "f64": ("Q", "d", 2.0**-52, 2.0**-1074)}
WIDEST = 16  # elements of the widest vector
CHUNK = 32  # results of one function

# How far a result may be from the correctly rounded one, in representable values: what the rows allow,
# but never more than EW's own bounds (docs/Accuracy.md), rounded results of which lie this near. On a GPU
# f64's functions are libdevice's, which the rows know nothing of: there the bounds alone count.
MOST = {("asinh", "f64"): 3, ("acosh", "f64"): 3}

# Functions of the standard in ew: its op, or lines that compute %R from %A, %B and %C.
OPS = {"divide": "div", "floor_divide": "floor_div", "remainder": "mod", "multiply": "mul", "nextafter": "next_after",
       "isfinite": "is_finite", "isinf": "is_inf", "isnan": "is_nan", "clip": "clamp"}
LOGADDEXP = """  %R_m = ew.max %A, %B : T
  %R_d = ew.sub %A, %B : T
  %R_a = ew.abs %R_d : T
  %R_n = ew.neg %R_a : T
  %R_e = ew.exp %R_n : T
  %R_l = ew.log1p %R_e : T
  %R_s = ew.add %R_m, %R_l : T
  %R_q = ew.cmp oeq, %A, %B : T
  %R_2 = ew.constant 0.69314718055994530942 : E
  %R_t = ew.broadcast %R_2 like(%A : T) : E to T
  %R_u = ew.add %A, %R_t : T
  %R = ew.select %R_q, %R_u, %R_s : T"""
TESTS = ("isfinite", "isinf", "isnan", "signbit", "equal", "not_equal")
OPERANDS = {"clip": 3, **{f: 2 for f in ("add", "atan2", "copysign", "divide", "equal", "floor_divide", "hypot", "logaddexp",
                                        "multiply", "nextafter", "not_equal", "pow", "remainder")}}


def to_bits(x, element):
    return struct.unpack(TYPES[element][0], struct.pack(TYPES[element][1], x))[0]


def to_number(bits, element):
    return struct.unpack(TYPES[element][1], struct.pack(TYPES[element][0], bits))[0]


def ordered(bits, element):
    """Numbers in the order of the values, -0 before +0."""
    top = 1 << (31 if element == "f32" else 63)
    return -(bits ^ top) - 1 if bits & top else bits


class Case:
    """A function on one type, with its values; a subclass knows the results."""

    def __init__(self, name, element, operands, is_test=False):
        self.name, self.element, self.operands = name, element, operands
        self.count = len(operands[0])
        self.result = "i1" if is_test else element
        self.seen = [None] * self.count  # the bits of the first result

    def text(self, number):
        t = f"tensor<?x{self.element}>"
        args = [f"%a{number}_{i}" for i in range(len(self.operands))]
        result = f"%r{number}"
        if self.name == "logaddexp":
            body = LOGADDEXP.replace("%R", result).replace("%A", args[0]).replace("%B", args[1])
            return body.replace("T", t).replace(" E", " " + self.element)
        if self.name in ("equal", "not_equal"):
            predicate = "oeq" if self.name == "equal" else "une"
            return f"  {result} = ew.cmp {predicate}, {', '.join(args)} : {t}"
        return f"  {result} = ew.{OPS.get(self.name, self.name)} {', '.join(args)} : {t}"

    def judge(self, index, bits):
        """What is wrong with the result of the values at `index`, or nothing."""
        if self.seen[index] is None:
            self.seen[index] = bits
            return self.find_error(index, bits)
        if self.seen[index] != bits and not (self.is_nan(self.seen[index]) and self.is_nan(bits)):
            return f"0x{self.seen[index]:x} in one place, 0x{bits:x} in another"
        return ""

    def is_nan(self, bits):
        return self.result != "i1" and math.isnan(to_number(bits, self.element))

    def show(self, index):
        return ", ".join(f"{to_number(o[index], self.element)!r} (0x{o[index]:x})" for o in self.operands)


class Numpy(Case):
    f64_from_libdevice = False

    def __init__(self, name, element, rows):
        super().__init__(name, element, [[x for x, _, _ in rows]])
        self.rows = rows

    def find_error(self, index, bits):
        _, expected, ulps = self.rows[index]
        a, b = to_number(bits, self.element), to_number(expected, self.element)
        if math.isnan(a) and math.isnan(b):
            return ""
        most = MOST.get((self.name, self.element), 2)
        if not (self.f64_from_libdevice and self.element == "f64"):
            most = min(ulps, most)
        away = abs(ordered(bits, self.element) - ordered(expected, self.element))
        if math.isnan(a) != math.isnan(b) or away > most:
            return f"{a!r}, expected {b!r}: {away} representable values away, {most} allowed"
        return ""


class SpecialCases(Case):
    def __init__(self, name, element, rules):
        least = TYPES[element][3]
        numbers = [0.0, least, 0.5, 1.0, 1.5, 2.0, 3.0, 2.0**100, math.inf, math.nan]
        count = OPERANDS.get(name, 1)
        if count == 3:
            numbers = [0.0, 1.0, 2.5, math.inf, math.nan]
        values = [math.copysign(x, s) for x in numbers for s in (1, -1)]
        self.tuples = list(itertools.product(values, repeat=count))
        self.rules = rules
        super().__init__(name, element, [[to_bits(t[i], element) for t in self.tuples] for i in range(count)],
                         name in TESTS)
        self.used = set()

    def find_error(self, index, bits):
        values = self.tuples[index]
        names = ("x1_i", "x2_i") if len(values) == 2 else ("x_i", "min_i", "max_i")
        named = dict(zip(names, values))
        result = float(bits) if self.result == "i1" else to_number(bits, self.element)
        errors = []
        for rule in self.rules:
            if rule.applies(named):
                self.used.add(rule.text)
                if not rule.allows(result, named, TYPES[self.element][2]):
                    errors.append(f"{result!r}: {rule.text}")
        return "; ".join(errors)


def read_cases(folder, only):
    groups = {}
    with open(os.path.join(folder, "numpy_umath.tsv"), encoding="utf-8") as file:
        for line in file:
            function, element, x, _, y, ulps, _ = line.rstrip("\n").split("\t")
            groups.setdefault((function, element), []).append((int(x, 16), int(y, 16), int(ulps)))
    cases = [Numpy(f, t, rows) for (f, t), rows in sorted(groups.items())]
    rules = special_cases.read_rules(os.path.join(folder, "array_api_special_cases.tsv"))
    cases += [SpecialCases(f, t, r) for t in TYPES for f, r in sorted(rules.items())]
    return [case for case in cases if not only or case.name in only]


def make_program(cases):
    arguments = ", ".join(f"%a{n}_{i}: tensor<?x{c.element}>" for n, c in enumerate(cases) for i in range(len(c.operands)))
    results = ", ".join(f"tensor<?x{c.result}>" for c in cases)
    names = ", ".join(f"%r{n}" for n in range(len(cases)))
    body = "\n".join(c.text(n) for n, c in enumerate(cases))
    return f"func.func @f({arguments}) -> ({results}) {{\n{body}\n  return {names} : {results}\n}}\n"


def plan_runs(most, tails):
    """(first index, length), the last elements of which stand in a tail."""
    yield 0, -(-most // WIDEST) * WIDEST
    done = 0
    for turn in itertools.count():
        for tail in range(1, WIDEST):
            # The tails that hold most come last; once is enough for the others.
            if turn and tail < WIDEST - 1:
                continue
            yield done + tail - (WIDEST + tail), WIDEST + tail
            done += tail
            if turn and done >= most:
                return
        if tails == "once":
            return


class Program:
    """Several functions, compiled once and run often."""

    def __init__(self, cases, folder, args, pool):
        self.cases, self.folder, self.args, self.pool = cases, folder, args, pool
        os.makedirs(folder)
        with open(os.path.join(folder, "f.mlir"), "w") as file:
            file.write(make_program(cases))
        self.elements, self.undecided, self.errors = 0, 0, []
        self.failed = set()

    def run_all(self):
        most = max(c.count for c in self.cases)
        for number, (first, length) in enumerate(plan_runs(most, self.args.tails)):
            if not self.run(number, first, length):
                break
        return self

    def run(self, number, first, length):
        at = lambda name: os.path.join(self.folder, name)
        command = [at("f.mlir"), f"--device={self.args.device}", f"--mode={self.args.mode}", "--json",
                   *ewrun.for_many(self.args.device)]
        if number == 0:
            command += ["--check", "--check-limit=10000000"]
        for n, case in enumerate(self.cases):
            code = TYPES[case.element][0]
            for i, values in enumerate(case.operands):
                with open(at(f"a{n}_{i}.bin"), "wb") as file:
                    file.write(struct.pack(f"<{length}{code}", *(values[(first + k) % case.count] for k in range(length))))
                command.append(f"--input={length}x{case.element}=@{at(f'a{n}_{i}.bin')}")
        command += [f"--output=@{at(f'r{n}.bin')}" for n in range(len(self.cases))]
        done = self.pool.run(command)
        if done.returncode not in (0, 3):
            self.failed |= set(self.cases)
            self.errors.append(" ".join(done.stderr.strip().splitlines()[:6]) or f"exit code {done.returncode}")
            return False
        checks = json.loads(done.stdout).get("check") or []
        for case, check in zip(self.cases, checks):
            self.undecided += check["undecided"]
            if check["wrong"]:
                self.failed.add(case)
                self.errors.append(f"{case.name} on {case.element}: the oracle disagrees: {json.dumps(check)}")
        for n, case in enumerate(self.cases):
            with open(at(f"r{n}.bin"), "rb") as file:
                code = "B" if case.result == "i1" else TYPES[case.element][0]
                results = struct.unpack(f"<{length}{code}", file.read())
            for k, bits in enumerate(results):
                index = (first + k) % case.count
                error = case.judge(index, bits)
                self.elements += 1
                if error:
                    self.failed.add(case)
                    self.errors.append(f"{case.name} on {case.element}: of {case.show(index)}, element {k} of {length}: {error}")
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--golden", required=True, help="the folder of values")
    parser.add_argument("--ew-run", default="ew-run", help="the ew-run to use (default: that on PATH)")
    parser.add_argument("--device", default="cpu", help="cpu, emulated, cuda, ... (default: %(default)s)")
    parser.add_argument("--mode", default="default", help="default, strict or fast (default: %(default)s)")
    parser.add_argument("--only", default="", help="functions, between commas (default: all)")
    parser.add_argument("--tails", choices=["all", "once"], default="once",
                        help="which values stand in tails (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=ewrun.default_jobs(),
                        help="processes at once (default: %(default)s)")
    args = parser.parse_args()
    Numpy.f64_from_libdevice = args.device.startswith("cuda")
    cases = read_cases(args.golden, set(filter(None, args.only.split(","))))
    folder = tempfile.mkdtemp(prefix="ew-golden-")
    # Those of one length together.
    cases.sort(key=lambda c: c.count)
    with ewrun.Pool(args.ew_run, args.jobs, {"EW_CACHE_DIR": os.path.join(folder, "cache")}) as pool:
        programs = [Program(cases[i:i + CHUNK], os.path.join(folder, str(i)), args, pool) for i in range(0, len(cases), CHUNK)]
        done = list(pool.map(Program.run_all, programs))
    shutil.rmtree(folder)
    for program in done:
        for error in program.errors[:20]:
            print(f"FAIL {args.device} {args.mode}: {error}", flush=True)
    failed = set().union(*(p.failed for p in done))
    for case in cases:
        unused = {r.text for r in case.rules} - case.used if isinstance(case, SpecialCases) and case not in failed else ()
        for text in unused:
            failed.add(case)
            print(f"FAIL {case.name} on {case.element}: no value meets: {text}")
    numpy = sum(c.count for c in cases if isinstance(c, Numpy))
    rules = sum(len(c.rules) for c in cases if isinstance(c, SpecialCases))
    print(f"golden on {args.device}, {args.mode}: {len(cases) - len(failed)} functions passed, {len(failed)} failed; "
          f"{numpy} values of NumPy's, {rules} special cases, {sum(p.elements for p in done)} elements, "
          f"{sum(p.undecided for p in done)} undecided")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
