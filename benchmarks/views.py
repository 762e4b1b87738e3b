#!/usr/bin/env python3
"""Times what does not fit vectors: odd sizes, views off an alignment, rows of odd length, other orders of dimensions,
beside the same kernel where everything fits, in turn.

  views.py [--ew-run=ew-run] [--device=cuda] [--bytes=28] [--rounds=3] [--cases=PART,...] [--out=rows.json]

`--bytes` is the logarithm of the bytes of one operand. A cost is the time per byte over that of the case that fits;
`of ceiling` is against a copy kernel of the same traffic in the same run. Every case is checked by the oracle once.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import timings

TARGET = 1.03  # the cost, at the most
WIDTHS = {"f32": 4, "bf16": 2, "i8": 1}
LIMITS = {"f32": "-3:3", "bf16": "-3:3", "i8": "-100:100"}

ADD = """func.func @add(%x: tensor<{n}x{t}>, %y: tensor<{n}x{t}>) -> tensor<{n}x{t}> {{
  %0 = ew.add %x, %y : tensor<{n}x{t}>
  return %0 : tensor<{n}x{t}>
}}
"""
BIAS_GELU = """func.func @bias_gelu(%x: tensor<?x?x{t}>, %row: tensor<1x?x{t}>) -> tensor<?x?x{t}> {{
  %0 = ew.broadcast %row like(%x : tensor<?x?x{t}>) : tensor<1x?x{t}> to tensor<?x?x{t}>
  %1 = ew.add %x, %0 : tensor<?x?x{t}>
  %2 = ew.gelu %1 approximate(tanh) : tensor<?x?x{t}>
  return %2 : tensor<?x?x{t}>
}}
"""
SCALE_COLUMN = """func.func @scale_column(%x: tensor<?x?x{t}>, %column: tensor<?x1x{t}>) -> tensor<?x?x{t}> {{
  %0 = ew.broadcast %column like(%x : tensor<?x?x{t}>) : tensor<?x1x{t}> to tensor<?x?x{t}>
  %1 = ew.mul %x, %0 : tensor<?x?x{t}>
  return %1 : tensor<?x?x{t}>
}}
"""
GATE = """func.func @gate(%gate: tensor<?x?x{t}>, %up: tensor<?x?x{t}>) -> tensor<?x?x{t}> {{
  %0 = ew.relu %gate : tensor<?x?x{t}>
  %1 = ew.mul %0, %up : tensor<?x?x{t}>
  return %1 : tensor<?x?x{t}>
}}
"""
TO_CHANNELS_FIRST = """func.func @to_channels_first(%x: tensor<?x?x?x?x{t}>) -> tensor<?x?x?x?x{t}> {{
  %0 = ew.transpose %x [0, 3, 1, 2] : tensor<?x?x?x?x{t}> to tensor<?x?x?x?x{t}>
  %1 = ew.relu %0 : tensor<?x?x?x?x{t}>
  return %1 : tensor<?x?x?x?x{t}>
}}
"""


class Case:
    """A program, its inputs (a shape and what of a view, each), and the case that fits, which is the first of its group."""

    def __init__(self, group, name, text, dtype, *inputs):
        self.group, self.name, self.text, self.dtype = group, name, text, dtype
        self.flags = []
        for shape, view in inputs:
            sizes = "".join(f"{size}x" for size in shape)
            self.flags.append(f"--input={sizes}{dtype}{view}=random:{LIMITS[dtype]}")


def offset(elements):
    return f",offset={elements}"


def make_cases(log_bytes):
    for dtype, width in WIDTHS.items():
        n = (1 << log_bytes) // width
        group = f"add, {dtype}"

        def add(name, count, first="", second="", static=False, dtype=dtype, group=group):
            return Case(group, name, ADD.format(n=count if static else "?", t=dtype), dtype, ((count,), first), ((count,), second))
        yield add("static size", n, static=True)
        yield add("size known when it runs", n)
        yield add("one element more", n + 1)
        yield add("one element less", n - 1)
        yield add("one less, static", n - 1, static=True)
        yield add("first operand off by one", n, offset(1))
        yield add("both off by one", n, offset(1), offset(1))
        yield add("off by one and by three", n, offset(1), offset(3))
    if log_bytes >= 28:
        for count in (1 << 30, (1 << 31) + 16):
            yield Case("add, i8, 64-bit indices", f"{count} elements", ADD.format(n="?", t="i8"), "i8", ((count,), ""), ((count,), ""))
    for dtype in ("bf16", "f32"):
        n = (1 << log_bytes) // WIDTHS[dtype]
        for name, text in (("row stretched, GELU", BIAS_GELU), ("column stretched", SCALE_COLUMN)):
            for columns in (4096, 4095, 4097, 1000, 129):
                rows = max(n // columns, 1)
                other = (1, columns) if "row" in name else (rows, 1)
                yield Case(f"{name}, {dtype}", f"rows of {columns}", text.format(t=dtype), dtype, ((rows, columns), ""), (other, ""))
    for dtype, width in WIDTHS.items():
        columns = 4096
        rows = max((1 << log_bytes) // width // columns, 1)
        for name, pitch in (("two tensors", columns), ("halves of rows", 2 * columns), ("rows at words", 2 * columns + 4 // width),
                            ("rows off a word", 2 * columns + 1)):
            first, second = ("", "") if pitch == columns else (f",strides={pitch}:1", f",strides={pitch}:1,offset={columns}")
            yield Case(f"slices of rows, {dtype}", name, GATE.format(t=dtype), dtype, ((rows, columns), first), ((rows, columns), second))
    for dtype, width in WIDTHS.items():
        n = (1 << log_bytes) // width
        for channels in (64, 3, 100):
            side = 224
            images = max(n // (channels * side * side), 1)
            yield Case(f"channels last to first, {dtype}", f"{channels} channels", TO_CHANNELS_FIRST.format(t=dtype), dtype,
                       ((images, side, side, channels), ""))


def time_case(args, folder, case, check):
    path = folder / "case.mlir"
    path.write_text(case.text)
    command = [args.ew_run, str(path), f"--device={args.device}", "--time", "--explain", "--json", *case.flags]
    done = subprocess.run(command + (["--check", "--check-limit=4096"] if check else []), capture_output=True, text=True)
    if done.returncode:
        print(f"{case.group}, {case.name}: exit code {done.returncode}: {done.stderr.strip()[:600]}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ew-run", default="ew-run", help="the ew-run to use (default: that on PATH)")
    parser.add_argument("--device", default="cuda", help="as ew-run has it: auto, cuda, cuda:1, cpu (default: %(default)s)")
    parser.add_argument("--bytes", type=timings.number(2, 40), default=28,
                        help="logarithm of the bytes of one operand (default: %(default)s)")
    parser.add_argument("--rounds", type=timings.number(1), default=3,
                        help="how often every case is timed (default: %(default)s)")
    parser.add_argument("--cases", default="", help="only groups whose names hold one of these, between commas")
    parser.add_argument("--out", help="write every figure to this file")
    timings.add_progress(parser)
    args = parser.parse_args()
    timings.find(parser, args)
    timings.require_device(args)
    wanted = [part for part in args.cases.split(",") if part]
    groups = {}
    for case in make_cases(args.bytes):
        if not wanted or any(part in case.group for part in wanted):
            groups.setdefault(case.group, []).append(case)
    if not groups:
        parser.error(f"no group of cases has {' or '.join(wanted)} in its name")
    rows, failed = [], False
    progress = timings.Progress(args.rounds * sum(map(len, groups.values())), args.progress)
    timings.print_header("case", "us", "least", "largest", "TB/s", "cost", "of ceiling", "version")
    with tempfile.TemporaryDirectory() as scratch:
        for group, cases in groups.items():
            reports = [[] for _ in cases]
            for number in range(args.rounds):
                for case, found in zip(cases, reports):
                    progress.show(f"{group}: {case.name}, round {number + 1}")
                    report = time_case(args, pathlib.Path(scratch), case, number == 0)
                    failed |= report is None
                    if report:
                        found.append(report)
            progress.clear()
            fitting = None
            for case, found in zip(cases, reports):
                if not found:
                    continue
                taken, moved = timings.times(found), found[0]["time"]["bytes"]
                per_byte = statistics.median(taken) / moved
                if fitting is None and case is cases[0]:
                    fitting = per_byte
                cost = per_byte / fitting if fitting else None
                rows.append({"group": group, "case": case.name, "us": taken, "bytes": moved, "cost": cost,
                             "of_ceiling": [r["time"].get("fraction_of_ceiling") for r in found],
                             "versions": [kernel["version"] for kernel in found[0]["kernels"]]})
                timings.print_row(f"{group}: {case.name}", f"{statistics.median(taken):.1f}", f"{min(taken):.1f}", f"{max(taken):.1f}",
                                  f"{1e-6 / per_byte:.2f}", f"{cost:.3f}" if cost else "-", timings.of_ceiling(found),
                                  ", ".join(rows[-1]["versions"]))
    if args.out:
        pathlib.Path(args.out).write_text(json.dumps(rows, indent=1))
    beyond = [row for row in rows if row["cost"] and row["cost"] > TARGET]
    print(f"\n{len(beyond)} of {len(rows)} cost more than {TARGET:.2f} times the case that fits")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
