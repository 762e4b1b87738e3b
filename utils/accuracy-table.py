#!/usr/bin/env python3
"""Writes the measured errors into docs/Accuracy.md, and says what breaks a promise.

    ew-accuracy --on=cpu:strict,cpu:fast,cuda:strict,cuda:default,cuda:fast --output=docs/accuracy/measured.tsv
    utils/accuracy-table.py [MORE.tsv ...]

Rows of the files that are named are added to docs/accuracy/measured.tsv, in place of rows of the same
function, type and place. Exit code 1: an error above its bound, a wrong special value, a number that was
flushed to zero, or in strict mode results that differ between devices or errors above those of PyTorch's eager mode.
"""

import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOC = ROOT / "docs/Accuracy.md"
MEASURED = ROOT / "docs/accuracy/measured.tsv"
BEGIN, END = "<!-- measured: utils/accuracy-table.py -->\n", "<!-- end -->\n"
OPS = {"gelu_tanh": "gelu"}
PLACES = ["cpu:strict", "cpu:fast", "cuda:strict", "cuda:default", "cuda:fast"]
TITLES = {"cpu:strict": "CPU", "cpu:fast": "CPU fast", "cuda:strict": "GPU strict", "cuda:default": "GPU default",
          "cuda:fast": "GPU fast"}
TWO_ARGUMENTS = ["pow", "atan2", "hypot"]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def merge(paths):
    rows = read(MEASURED) if MEASURED.exists() else []
    key = lambda row: (row["function"], row["type"], row["on"])
    merged = {key(row): row for row in rows}
    for path in paths:
        new = read(path)
        rows += new
        merged.update({key(row): row for row in new})
    if paths:
        with open(MEASURED, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys(), delimiter="\t", lineterminator="\n")
            writer.writeheader()
            writer.writerows(merged.values())
    return merged


def read_bounds(which="bounds"):
    text = DOC.read_text().split(f"<!-- {which}:")[1].split("<!-- end -->")[0]
    return {op: float(line.split("|")[1]) for line in text.splitlines() if line.startswith("| ")
            and line.split("|")[1].strip()[0].isdigit() for op in re.findall("`(\\w+)`", line)}


def number(row):
    return f"{float(row['max_ulp']):.2f}" if row and row["max_ulp"] else "-"


def find_faults(rows, bounds, fast_bounds, peers):
    for (function, element, on), row in rows.items():
        op = OPS.get(function, function)
        where = f"{function} {element} {on}"
        bound = 1.0 if element != "f32" else bounds[op]
        if on.endswith(":fast") and element == "f32":
            bound = fast_bounds.get(op, bound)
        if row["max_ulp"] and float(row["max_ulp"]) > bound:
            yield f"{where}: {row['max_ulp']} at {row['at']}, the bound is {bound}"
        # Our own arithmetic is to be no worse than PyTorch's, whose column has two digits.
        eager = re.match(r"[0-9.]+", peers.get(function, {}).get("eager_f32") or "")
        if element == "f32" and on.endswith(":strict") and eager and row["max_ulp"]:
            target = min(float(eager.group()) + 0.005, 2.0)
            if float(row["max_ulp"]) > target:
                yield f"{where}: {row['max_ulp']} at {row['at']}, eager has {eager.group()}"
        for field, what in (("wrong", "special values"), ("flushed", "numbers flushed to zero")):
            if row[field] not in ("", "0"):
                yield f"{where}: {row[field]} {what}, first {row['first_wrong'] or 'not kept'}"
        cpu = rows.get((function, element, "cpu:strict"))
        if on == "cuda:strict" and cpu and cpu["inputs"] == row["inputs"] and cpu["hash"] != row["hash"]:
            yield f"{where}: hash {row['hash']}, on the CPU {cpu['hash']}"


def write_f32(rows, bounds, fast_bounds, peers):
    functions = list(dict.fromkeys(f for f, t, _ in rows if t == "f32"))
    places = [p for p in PLACES if any((f, "f32", p) in rows for f in functions)]
    yield "| function | bound | in fast mode | " + " | ".join(TITLES[p] for p in places) + " | eager | compile | JAX | CUDA | hash, strict |"
    yield "|---" * (8 + len(places)) + "|"
    for function in functions:
        found = {p: rows.get((function, "f32", p)) for p in places}
        peer = peers.get(function, {})
        strict = [found[p]["hash"] for p in places if p.endswith(":strict") and found[p]]
        hashes = "`" + " ".join(dict.fromkeys(strict)) + "`" if strict else "-"
        op = OPS.get(function, function)
        cells = [function, f"{bounds[op]:g}", f"{fast_bounds.get(op, bounds[op]):g}"] + [number(found[p]) for p in places]
        cells += [peer.get(f"{name}_f32") or "-" for name in ("eager", "compile", "jax", "cuda")]
        yield "| " + " | ".join(cells + [hashes]) + " |"


def write_narrow(rows, peers):
    functions = list(dict.fromkeys(f for f, t, _ in rows if t != "f32"))
    columns = [(t, p) for t in ("bf16", "f16") for p in PLACES if any((f, t, p) in rows for f in functions)]
    yield "| function | " + " | ".join(f"{t} {TITLES[p]}" for t, p in columns) + " | bf16 eager | f16 eager |"
    yield "|---" * (3 + len(columns)) + "|"
    for function in functions:
        peer = peers.get(function, {})
        cells = [function] + [number(rows.get((function, t, p))) for t, p in columns]
        yield "| " + " | ".join(cells + [peer.get("eager_bf16") or "-", peer.get("eager_f16") or "-"]) + " |"


def main():
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        return 0
    if any(arg.startswith("-") for arg in sys.argv[1:]):
        sys.exit(__doc__)
    rows = merge(sys.argv[1:])
    if not rows:
        sys.exit("no rows: make docs/accuracy/measured.tsv first\n" + __doc__)
    bounds, fast_bounds = read_bounds(), read_bounds("fast bounds")
    peers = {row["function"]: row for row in read(ROOT / "docs/accuracy/peers.tsv")}
    devices = sorted({row["device"] for row in rows.values() if row["device"]})
    lines = ["Measured on: " + "; ".join(devices) + ".", ""]
    lines += list(write_f32(rows, bounds, fast_bounds, peers)) + [""]
    if any(t != "f32" for _, t, _ in rows):
        lines += list(write_narrow(rows, peers)) + [""]
    text = DOC.read_text()
    begin = text.index(BEGIN) + len(BEGIN)
    DOC.write_text(text[:begin] + "\n".join(lines) + text[text.index(END, begin):])
    faults = list(find_faults(rows, bounds, fast_bounds, peers))
    for fault in faults:
        print(f"FAIL {fault}")
    print(f"{len(rows)} rows, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
