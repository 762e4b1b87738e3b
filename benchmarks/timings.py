"""Runs ew-run on workloads of the suite, and makes tables of what it reports. Used by run.py, schedules.py
and suite.py."""
import json
import pathlib
import shutil
import statistics
import subprocess
import sys

import workloads

FOLDER = pathlib.Path(__file__).parent / "workloads"


def add_options(parser):
    parser.add_argument("--ew-run", default="ew-run")
    parser.add_argument("--scale", type=int, default=26)


def find(parser, args):
    if not shutil.which(args.ew_run):
        parser.error(f"no program '{args.ew_run}': put it on PATH or name it with --ew-run")


def run(args, name, *flags, scale=None):
    """Runs a workload; returns the report, or None after an error message."""
    command = [args.ew_run, str(FOLDER / f"{name}.mlir"), *flags, "--json",
               *workloads.to_flags(name, args.scale if scale is None else scale).split()]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"{name} {' '.join(flags)}: exit code {done.returncode}: {done.stderr.strip()[:600]}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def times(reports):
    return [report["time"]["median_us"] for report in reports]


def spread(values):
    return (max(values) - min(values)) / statistics.median(values)


def of_ceiling(reports):
    """The median fraction of the ceiling, as a cell."""
    fractions = [r["time"]["fraction_of_ceiling"] for r in reports if "fraction_of_ceiling" in r["time"]]
    return f"{statistics.median(fractions):.1%}" if fractions else "-"


def resources(report):
    """Kernels, registers and spilled bytes, as cells."""
    kernels = report["kernels"]
    return [str(len(kernels)), *(str(max((k.get(key, 0) for k in kernels), default=0))
                                 for key in ("registers", "spill_bytes"))]


def middle(reports):
    """The report whose time is nearest to the median."""
    median = statistics.median(times(reports))
    return min(reports, key=lambda report: abs(report["time"]["median_us"] - median))


def print_row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def print_header(*cells):
    print_row(*cells)
    print("|" + "---|" * len(cells), flush=True)
