#!/usr/bin/env python3
"""Counts the machine instructions of each f32 function beside libdevice's.

    utils/cost.py [--build build/dev] [--chip sm_90] [--mode default] [--beside fast] [FUNCTION ...]

Both are compiled by ew-run in kernels that differ in nothing else (--library-functions); ptxas assembles
them, nvdisasm lists them (CUDA's, or that of the Python package nvidia-cuda-nvdisasm, by PATH or
NVDISASM). Counted are instructions per element on the shortest way from the loads to the stores, less those of a
kernel that copies: blocks for rare operands lie beside it. What counts in the end is time: ew-accuracy --time.

Beside the counts stand the largest errors in units in the last place, as measured: that of the mode
(docs/Accuracy.md has the bounds, and the units of fast mode), the library's (cuda:libdevice in docs/accuracy/measured.tsv), or else that of
PyTorch's eager mode (~), which is composed of the library in the same way. `*`: some subnormal results came out as
zero. A composition that loses all digits somewhere has no equal of ours to be compared with. Where the
library leaves early for some operands, as pow does for a base of 1, the way passes what USUAL names.
"""

import argparse
import csv
import heapq
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


# What the usual way passes, once for each element, where the shortest one does not.
USUAL = {("pow", "libdevice"): r"\bF2I\.NTZ\b"}


def functions():
    text = (ROOT / "tools/ew-accuracy/Truth.cpp").read_text().split("kFunctions[]")[1]
    yield from ((n, f"{n} %x", 1) for n in re.findall(r"UNARY\((\w+)", text))
    yield from ((n, t, 1) for n, t in re.findall(r'\{"(\w+)", "([^"]+)"', text))
    yield from ((n, f"{n} %x, %y", 2) for n in re.findall(r"BINARY\((\w+)", text))


def count(args, text, arity, way, folder, usual=None):
    operands = ", ".join(f"%{n}: tensor<?xf32>" for n in "xy"[:arity])
    source = f"func.func @f({operands}) -> tensor<?xf32> {{\n  %r = ew.{text} : tensor<?xf32>\n" \
             "  return %r : tensor<?xf32>\n}\n"
    path = pathlib.Path(folder) / "f.mlir"
    path.write_text(source)
    ptx = subprocess.run([f"{args.build}/bin/ew-run", str(path), "--emit=ptx", f"--chip={args.chip}"] +
                         (["--library-functions"] if way == "libdevice" else [f"--mode={way}"]), capture_output=True, text=True)
    if ptx.returncode:
        sys.exit(ptx.stderr)
    # The wide version only.
    entry = re.search(r"\.visible \.entry \w+_wide\(.*?\n}\n", ptx.stdout, re.S).group(0)
    head = ptx.stdout[:ptx.stdout.index(".visible .entry")]
    (pathlib.Path(folder) / "f.ptx").write_text(re.sub(r"\n\s*\.loc\s.*", "", head + entry))
    cubin = f"{folder}/f.cubin"
    subprocess.run(["ptxas", f"-arch={args.chip}", f"{folder}/f.ptx", "-o", cubin], check=True)
    listing = subprocess.run([os.environ.get("NVDISASM", "nvdisasm"), "-c", cubin], capture_output=True,
                             text=True, check=True).stdout
    return shortest(listing, usual)


def shortest(listing, usual=None):
    """The instructions between the first 16-byte load and the first 16-byte store, those of called functions
    included, past all that match `usual`."""
    ops, labels = [], {}
    for line in listing.splitlines():
        if label := re.match(r"([.$][\w.$]+):", line):
            labels[label.group(1)] = len(ops)
        elif op := re.match(r"\s+/\*[0-9a-f]+\*/\s+(.*?);", line):
            ops.append(op.group(1).strip())
    wide = [i for i, op in enumerate(ops) if re.search(r"\bLDG\.E\S*\.128", op)]
    way, at = [], wide[0]
    for stop in (i for i, op in enumerate(ops) if usual and re.search(usual, op)):
        way += (walk(ops, labels, at, stop) or sys.exit("no way past what is usual:\n" + listing))[:-1]
        at = stop
    last = walk(ops, labels, at, r"\bSTG\.E\S*\.128")
    return way + last if last else sys.exit("no way from a load to a store:\n" + listing)


def walk(ops, labels, start, end):
    """The shortest list of instructions from one to the first that `end` matches, or to that of this number."""
    front, done = [(1, start, None)], {}
    while front:
        length, i, before = heapq.heappop(front)
        if i in done:
            continue
        done[i] = before
        if i == end if isinstance(end, int) else re.search(end, ops[i]):
            path = []
            while i is not None:
                called = target(ops[i], labels) if "CALL" in ops[i] else None
                path += (walk(ops, labels, called, r"\bRET\b") or []) if called is not None else []
                path.append(ops[i])
                i = done[i]
            return path[::-1]
        always = not ops[i].startswith("@")
        jump = target(ops[i], labels)
        following, more = [], 0
        if jump is not None and "BRA" in ops[i]:
            following = [jump]
        elif jump is not None and "CALL" in ops[i]:
            more = len(walk(ops, labels, jump, r"\bRET\b") or [])
        if not (always and re.search(r"\b(BRA|EXIT|RET)\b", ops[i])):
            following.append(i + 1)
        for j in following:
            if j < len(ops):
                heapq.heappush(front, (length + more + 1, j, i))
    return None


def target(op, labels):
    label = re.search(r"\b(?:BRA|CALL)\b.*?`\(([^)]+)\)", op)
    return labels.get(label.group(1)) if label else None


def errors(way):
    """The largest error of each function, in a mode or the library's, as text."""
    def rows(name):
        with open(ROOT / "docs/accuracy" / name, newline="") as file:
            return list(csv.DictReader(file, delimiter="\t"))
    found = {}
    if way == "libdevice":
        found = {row["function"]: "~" + row["eager_f32"] for row in rows("peers.tsv") if row["eager_f32"]}
    for row in rows("measured.tsv"):
        if row["type"] == "f32" and row["on"] == f"cuda:{way}":
            found[row["function"]] = f"{float(row['max_ulp']):.2f}" + ("*" if int(row["flushed"]) else "")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", default="build/dev", help="the build whose ew-run compiles (default: %(default)s)")
    parser.add_argument("--chip", default="sm_90", help="the GPU to compile for (default: %(default)s)")
    parser.add_argument("--mode", default="default", help="strict, default or fast")
    parser.add_argument("--beside", default="libdevice", help="libdevice, or another mode")
    parser.add_argument("--list", action="store_true", help="print the instructions")
    parser.add_argument("functions", nargs="*", help="names of ew ops (default: all)")
    args = parser.parse_args()
    disassembler = os.environ.get("NVDISASM", "nvdisasm")
    for program in (f"{args.build}/bin/ew-run", "ptxas", disassembler):
        if not shutil.which(program):
            sys.exit(f"no program '{program}': build EW, and put CUDA's ptxas and nvdisasm on PATH (or name the latter in NVDISASM)")
    with tempfile.TemporaryDirectory() as folder:
        base = {n: len(count(args, t, n, args.mode, folder)) for n, t in ((1, "abs %x"), (2, "add %x, %y"))}
        first, second = errors(args.mode), errors(args.beside)
        print(f"function\t{args.mode}\t{args.beside}\tratio\terror {args.mode}\terror {args.beside}")
        for name, text, arity in functions():
            if args.functions and name not in args.functions:
                continue
            counts = []
            for way in (args.mode, args.beside):
                ops = count(args, text, arity, way, folder, USUAL.get((name, way)))
                if args.list:
                    print("\n".join(ops))
                counts.append((len(ops) - base[arity]) / 4)
            print(f"{name}\t{counts[0]:.1f}\t{counts[1]:.1f}\t{counts[0] / max(counts[1], 0.1):.2f}\t"
                  f"{first.get(name, '-')}\t{second.get(name, '-')}", flush=True)


if __name__ == "__main__":
    main()
