"""Runs ew-run on workloads of the suite, and makes tables of what it reports. Used by run.py, schedules.py
and suite.py."""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import workloads

MODES = ("default", "strict", "fast")
FOLDER = pathlib.Path(__file__).parent / "workloads"


def number(least, most=None):
    """A type of options: a whole number in that range."""
    def parse(text):
        value = int(text)  # argparse says what is wrong with it
        if value < least or (most is not None and value > most):
            raise argparse.ArgumentTypeError(f"{text} is not {least} or more" if most is None else
                                             f"{text} is not from {least} to {most}")
        return value
    parse.__name__ = "number"
    return parse


def add_options(parser):
    parser.add_argument("--ew-run", default="ew-run", help="the ew-run to use (default: that on PATH)")
    parser.add_argument("--scale", type=number(0, 40), default=26,
                        help="logarithm of the number of elements of 4 bytes, twice as many of two or one "
                        "(default: %(default)s)")


def add_progress(parser):
    parser.add_argument("--progress", action=argparse.BooleanOptionalAction, default=sys.stderr.isatty(),
                        help="say on standard error what is being timed, and how long it may take yet (default: "
                        "where that is a terminal)")


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
    if done.returncode in (2, 4):
        hint = "\n  --device=cpu measures the CPU" if args.device.startswith("cuda") else ""
        print(f"{pathlib.Path(sys.argv[0]).name}: {done.stderr.strip()}{hint}", file=sys.stderr)
        sys.exit(done.returncode)


def plural(count, noun):
    return f"{count} {noun}{'' if count == 1 else 's'}"


def describe_seconds(seconds):
    """About: 40 s, 3 min, 1.5 h."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class Progress:
    """What is being timed, on standard error: one line that changes on a terminal, lines of their own anywhere else,
    or, where it is not wanted, a line for each round."""

    def __init__(self, total, shown, clock=time.monotonic):
        self.done, self.total, self.shown, self.clock = 0, total, shown, clock
        self.terminal, self.there, self.began = sys.stderr.isatty(), False, clock()

    def begin_round(self, number, rounds):
        if not self.shown and rounds > 1:
            print(f"round {number} of {rounds}", file=sys.stderr, flush=True)

    def show(self, what):
        """Begins with a part, which is one of `total`."""
        if self.shown:
            text = f"{self.done + 1} of {self.total}: {what}{self.left()}"
            print(f"\r\x1b[K{text}" if self.terminal else text, end="" if self.terminal else "\n", file=sys.stderr,
                  flush=True)
            self.there = self.terminal
        self.done += 1

    def left(self):
        """What the parts that are left take if they take as long as those before; the first says nothing of others."""
        if self.done < 2:
            return ""
        each = (self.clock() - self.began) / self.done
        return f", about {describe_seconds(each * (self.total - self.done))} left"

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
