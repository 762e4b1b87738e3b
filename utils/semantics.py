#!/usr/bin/env python3
"""Writes the tables of docs/Semantics.md, or checks that they are up to date.

  semantics.py --ops=build/dev/ops.json docs/Semantics.md          writes them
  semantics.py --ops=build/dev/ops.json --check docs/Semantics.md  exit code 1 if they are not what it would write

What an op means is taken from its definition, its results at special values from running
it on the CPU (ew-run must be on PATH), where the oracle judges them. A table stands between
`<!-- table: NAME -->` and `<!-- end -->`.
"""
import argparse
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

CODES = {"f32": "f", "i8": "b", "ui8": "B", "i32": "i", "ui32": "I", "i64": "q", "i1": "B"}
LEAST = 2.0**-149

FLOAT_VALUES = [math.nan, -math.inf, -1.0, -0.0, 0.0, LEAST, 1.0, math.inf]
FLOAT_PAIRS = [(math.nan, 1.0), (1.0, math.nan), (math.nan, 0.0), (0.0, -0.0), (-0.0, 0.0), (0.0, 0.0), (1.0, -0.0),
               (1.0, math.inf), (1.0, -math.inf), (math.inf, -1.0), (math.inf, math.inf), (math.inf, -math.inf), (-5.5, 2.0)]
SIGNED_VALUES = [-128, -1, 0, 1, 12, 127]
UNSIGNED_VALUES = [0, 1, 12, 255]
SIGNED_PAIRS = [(7, 2), (-7, 2), (7, -2), (-7, -2), (7, 0), (-7, 0), (0, 0), (-128, -1), (127, 127), (1, 8), (-1, 8), (-1, -1),
                (0, -1)]
UNSIGNED_PAIRS = [(7, 2), (7, 0), (0, 0), (200, 100), (100, 200), (1, 8), (255, 7), (255, 255)]
CAST_VALUES = [math.nan, -math.inf, -1e10, -300.7, -1.5, -0.0, 0.9, 2.5, 215.25, 464.0, 465.0, 3e9, math.inf]
CASTS = [("i8", ""), ("i8", " wrap"), ("i8", " round(nearest_even)"), ("ui8", ""), ("ui8", " wrap"), ("i32", ""),
         ("i32", " wrap"), ("ui32", ""), ("i64", ""), ("i1", ""), ("f16", ""), ("f16", " saturate"), ("bf16", ""),
         ("f8E4M3FN", ""), ("f8E4M3FN", " saturate"), ("f8E5M2", ""), ("f8E5M2", " saturate")]


def show(x):
    """A number as short as it can be told from others here."""
    if isinstance(x, int):
        return str(x)
    if math.isnan(x):
        return "NaN"
    if abs(x) == LEAST:
        return "2^-149" if x > 0 else "-2^-149"
    text = f"{x:.5g}"
    return re.sub(r"e([+-])0*(\d)", lambda m: "e" + m.group(1).replace("+", "") + m.group(2), text)


def run(operands, element, lines, before=""):
    """The results of `lines`, expressions on %x0, %x1 with their result types, after the ops `before`."""
    n = len(operands[0])
    with tempfile.TemporaryDirectory(prefix="ew-semantics-") as folder:
        path = lambda name: os.path.join(folder, name)
        arguments = ", ".join(f"%x{i}: tensor<{n}x{element}>" for i in range(len(operands)))
        results = ", ".join(f"tensor<{n}x{t}>" for _, t in lines)
        body = before + "".join(f"  %r{i} = {text}\n" for i, (text, _) in enumerate(lines))
        names = ", ".join(f"%r{i}" for i in range(len(lines)))
        with open(path("f.mlir"), "w") as file:
            file.write(f"func.func @f({arguments}) -> ({results}) {{\n{body}  return {names} : {results}\n}}\n")
        command = ["ew-run", path("f.mlir"), "--device=cpu", "--mode=strict", "--check"]
        for i, values in enumerate(operands):
            with open(path(f"x{i}.bin"), "wb") as file:
                file.write(struct.pack(f"<{n}{CODES[element]}", *values))
            command.append(f"--input={n}x{element}=@{path(f'x{i}.bin')}")
        command += [f"--output=@{path(f'r{i}.bin')}" for i in range(len(lines))]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"semantics.py: {' '.join(command[:2])}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        columns = []
        for i, (_, t) in enumerate(lines):
            with open(path(f"r{i}.bin"), "rb") as file:
                columns.append(struct.unpack(f"<{n}{CODES[t]}", file.read()))
        return columns


def table(corner, columns, rows):
    lines = ["| " + " | ".join([corner, *columns]) + " |", "|" + "---|" * (len(columns) + 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def pair(values):
    return ", ".join(map(show, values))


def takes(op, kinds, count):
    return len(op["operands"]) == count and all(k in kinds for k in op["operands"]) and op["name"] not in ("cast", "bitcast", "cmp", "select")


def special_values(ops, element, kinds, tuples):
    """A row for each op of these kinds of operands: its results."""
    ops = [op for op in ops if takes(op, kinds, len(tuples[0]))]
    operands = ", ".join(f"%x{i}" for i in range(len(tuples[0])))
    lines = [(f"ew.{op['name']} {operands} : tensor<{len(tuples)}x{element}>", "i1" if op["result"] == "bool" else element) for op in ops]
    columns = run(list(zip(*tuples)), element, lines)
    return table("", [f"`{pair(t)}`" for t in tuples],
                 [[f"`{op['name']}`", *map(show, results)] for op, results in zip(ops, columns)])


def cast_table():
    shape = f"{len(CAST_VALUES)}x"
    lines = []
    for to, how in CASTS:
        text = f"ew.cast %x0{how} : tensor<{shape}f32> to tensor<{shape}{to}>"
        if to not in CODES:  # Python has no such format: widened again, which is exact
            narrow = f"%n{len(lines)}"
            text = f"ew.cast {narrow} : tensor<{shape}{to}> to tensor<{shape}f32>", f"  {narrow} = {text}\n"
        lines.append(text)
    columns = run([CAST_VALUES], "f32", [(t if isinstance(t, str) else t[0], to if to in CODES else "f32")
                                         for t, (to, _) in zip(lines, CASTS)],
                  before="".join(t[1] for t in lines if not isinstance(t, str)))
    return table("f32 to", [f"`{show(x)}`" for x in CAST_VALUES],
                 [[f"`{to}{how}`", *map(show, results)] for (to, how), results in zip(CASTS, columns)])


KINDS = {"float": "floating point", "int": "integers", "int_or_bool": "integers, booleans", "number": "floating point, integers",
         "bool": "booleans", "element": "all", "real_element": "all but complex", "complex": "complex",
         "part": "f32, f64", "float_or_complex": "floating point, complex",
         "number_or_complex": "floating point, integers, complex"}


def op_table(ops):
    rows = []
    for op in ops:
        kinds = list(dict.fromkeys(op["operands"]))
        on = "; ".join(KINDS[k] for k in kinds)
        if op["result"] == "bool" and kinds != ["bool"]:
            on += "; gives a boolean"
        rows.append([f"`{op['name']}`", on, op["meaning"].replace("|x|", "abs(x)").replace("|", "\\|")])
    return table("op", ["on", "is"], rows)


def make_tables(ops):
    number = ("float", "number", "float_or_complex", "number_or_complex")
    integer = ("int", "number", "int_or_bool", "number_or_complex")
    one = lambda values: [(x,) for x in values]
    return {
        "ops": op_table(ops),
        "special values of one operand": special_values(ops, "f32", number, one(FLOAT_VALUES)),
        "special values of two operands": special_values(ops, "f32", number, FLOAT_PAIRS),
        "signed integers": special_values(ops, "i8", integer, one(SIGNED_VALUES)),
        "unsigned integers": special_values(ops, "ui8", integer, one(UNSIGNED_VALUES)),
        "pairs of signed integers": special_values(ops, "i8", integer, SIGNED_PAIRS),
        "pairs of unsigned integers": special_values(ops, "ui8", integer, UNSIGNED_PAIRS),
        "casts": cast_table(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", required=True, help="ops.json of the build: what list-ops.py wrote")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything would change")
    parser.add_argument("document", help="docs/Semantics.md")
    args = parser.parse_args()
    with open(args.ops) as file:
        tables = make_tables(json.load(file)["ops"])
    with open(args.document, encoding="utf-8") as file:
        text = file.read()
    new = text
    for name, content in tables.items():
        begin = f"<!-- table: {name} -->\n"
        if new.count(begin) != 1:
            sys.exit(f"semantics.py: {args.document} has no place for the table '{name}'")
        start = new.index(begin) + len(begin)
        new = new[:start] + content + "\n" + new[new.index("<!-- end -->", start):]
    if args.check:
        old, now = text.splitlines(), new.splitlines()
        for line in [f"- {l}" for l in old if l not in now] + [f"+ {l}" for l in now if l not in old]:
            print(line)
        print("semantics:", "up to date" if new == text else "not up to date; utils/semantics.py writes the tables")
        return 0 if new == text else 1
    with open(args.document, "w", encoding="utf-8") as file:
        file.write(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
