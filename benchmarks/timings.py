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


def find_beside(args, name, *places):
    """A program that is on PATH, or in one of those places seen from where ew-run is; else None."""
    if found := shutil.which(name):
        return found
    folder = pathlib.Path(shutil.which(args.ew_run)).resolve().parent
    return next((found for place in places if (found := shutil.which(folder / place))), None)


def choose_device(args):
    """What auto means here, cuda or cpu, so that every run is on the same device, and peers, too."""
    if args.device != "auto":
        return
    command = [args.ew_run, str(FOLDER / "copy_f32.mlir"), "--input=4xf32=1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"{pathlib.Path(sys.argv[0]).name}: {done.stderr.strip()}", file=sys.stderr)
        sys.exit(done.returncode)
    args.device = "cuda" if json.loads(done.stdout)["device"].startswith("cuda") else "cpu"
    if args.device == "cpu":
        print(f"{pathlib.Path(sys.argv[0]).name}: there is no GPU: it is the CPU that is measured", file=sys.stderr)


def run(args, name, *flags, scale=None):
    """Runs a workload; returns the report, or None after an error message."""
    command = [args.ew_run, str(FOLDER / f"{name}.mlir"), *flags, "--json",
               *workloads.to_flags(name, args.scale if scale is None else scale).split()]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"{name} {' '.join(flags)}: exit code {done.returncode}: {done.stderr.strip()[:600]}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def require_device(args):
    """Ends the program, once, where there is no such device: every workload would say so."""
    command = [args.ew_run, str(FOLDER / "copy_f32.mlir"), f"--device={args.device}", "--input=4xf32=1"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 4:
        print(f"{pathlib.Path(sys.argv[0]).name}: {done.stderr.strip()}", file=sys.stderr)
        sys.exit(4)


class Progress:
    """A line on a terminal's standard error that says what is being timed; anywhere else, one for each round."""

    def __init__(self, total):
        self.done, self.total, self.shown = 0, total, sys.stderr.isatty()
        self.there = False

    def begin_round(self, number, rounds):
        if not self.shown and rounds > 1:
            print(f"round {number} of {rounds}", file=sys.stderr, flush=True)

    def show(self, what):
        self.done += 1
        if self.shown:
            print(f"\r\x1b[K{self.done} of {self.total}: {what}", end="", file=sys.stderr, flush=True)
            self.there = True

    def clear(self):
        if self.there:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self.there = False


def times(reports):
    return [report["time"]["median_us"] for report in reports]


def spread(values):
    return (max(values) - min(values)) / statistics.median(values)


# A copy that takes no longer than two launches is no ceiling of bandwidth.
SHORT_US = 5


def of_ceiling(reports):
    """The median fraction of the ceiling, as a cell; - where the copy is too short to be one."""
    timed = [r["time"] for r in reports if "fraction_of_ceiling" in r["time"]]
    if not timed or statistics.median(t["ceiling"]["median_us"] for t in timed) < SHORT_US:
        return "-"
    return f"{statistics.median(t['fraction_of_ceiling'] for t in timed):.1%}"


def resources(report):
    """Kernels, registers and spilled bytes, as cells; - where nobody knows, as on a CPU."""
    kernels = report["kernels"]
    known = {key: [k[key] for k in kernels if key in k] for key in ("registers", "spill_bytes")}
    return [str(len(kernels)), *(str(max(numbers)) if numbers else "-" for numbers in known.values())]


def middle(reports):
    """The report whose time is nearest to the median."""
    median = statistics.median(times(reports))
    return min(reports, key=lambda report: abs(report["time"]["median_us"] - median))


def print_row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def print_header(*cells):
    print_row(*cells)
    print("|" + "---|" * len(cells), flush=True)
