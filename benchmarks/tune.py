#!/usr/bin/env python3
"""Searches the best schedule of every workload with ew-tune, and reports how far the policy's is from it.

  tune.py [--ew-tune=ew-tune] [--device=auto] [--sizes=12,16,20,24,26,28] [--budget=3] [--total=SECONDS]
          [--database=FILE] [--out=rows.json] [NAME ...]

A size is the logarithm of the number of elements of 4 bytes (twice as many of two or one). `--budget` is for each
search; `--total` ends the run between two of them. What was found is in the database: the same command goes on
with what it lacks. Without --database, it is a file of this run's own, so that the user's is neither asked nor changed.
"""
import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import timings
import workloads

TARGET = 1.03  # the policy's time over the best, at the most


def search(args, folder, name, size, database):
    """The report of one search, or None where it failed."""
    command = [args.ew_tune, str(folder / f"{name}.mlir"), f"--device={args.device}", f"--mode={args.mode}",
               f"--budget={args.budget}", f"--database={database}", "--json",
               *workloads.to_flags(name, size).split()]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"{name}, 2^{size}: exit code {done.returncode}: {done.stderr.strip()[:600]}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def count_tried(kernel):
    return len(kernel["tried"]) + kernel["known_before"]


def print_row(name, size, kernel):
    if "skipped" in kernel:
        print(f"| {name} | 2^{size} | - | - | - | - | {kernel['model']} | not tuned: {kernel['skipped']} |", flush=True)
        return
    how = "database" if kernel["from_database"] else f"{count_tried(kernel)} tried" + ("" if kernel["complete"] else ", not all")
    print(f"| {name} | 2^{size} | {kernel['us'] * kernel['speedup']:.2f} | {kernel['us']:.2f} | "
          f"{kernel['speedup']:.3f} | {kernel['spread']:.1%} | {kernel['model']} | "
          f"{kernel['schedule'] if kernel['tuned'] else 'the same'} ({how}) |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="workloads (default: all; workloads.py has them)")
    parser.add_argument("--ew-tune", default="ew-tune", help="the ew-tune to use (default: that on PATH)")
    parser.add_argument("--device", default="auto", help="as ew-run has it: auto, cuda, cuda:1, cpu (default: %(default)s)")
    parser.add_argument("--mode", default="default", choices=timings.MODES, help="what arithmetic may do (default: %(default)s)")
    parser.add_argument("--sizes", default="12,16,20,24,26,28",
                        help="logarithms of numbers of elements (default: %(default)s)")
    parser.add_argument("--budget", type=float, default=3, help="seconds of each search")
    parser.add_argument("--total", type=float, default=math.inf, help="seconds of all")
    parser.add_argument("--database", help="where ew-tune keeps what it finds")
    parser.add_argument("--out", help="write every report to this file")
    timings.add_progress(parser)
    args = parser.parse_args()
    if not shutil.which(args.ew_tune):
        parser.error(f"no program '{args.ew_tune}': put it on PATH or name it with --ew-tune")
    names = args.names or list(workloads.WORKLOADS)
    unknown = [name for name in names if name not in workloads.WORKLOADS]
    if unknown:
        parser.error(f"no workload {', '.join(unknown)}; there are {', '.join(workloads.WORKLOADS)}")
    try:
        sizes = [int(size) for size in args.sizes.split(",")]
    except ValueError:
        parser.error(f"--sizes are numbers between commas, not '{args.sizes}'")

    folder = pathlib.Path(__file__).parent / "workloads"
    end = time.monotonic() + args.total
    rows, failed, left = [], 0, 0
    progress = timings.Progress(len(sizes) * len(names), args.progress)
    print("| workload | elements | policy, us | best, us | policy / best | spread | policy's schedule | best schedule |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        database = args.database or os.path.join(scratch, "tuned.sqlite")
        for size in sizes:
            for name in names:
                if time.monotonic() >= end:
                    left += 1
                    continue
                progress.show(f"{name}, 2^{size}")
                report = search(args, folder, name, size, database)
                if report is None:
                    failed += 1
                    continue
                progress.clear()
                rows.append({"workload": name, "size": size, **report})
                for kernel in report["kernels"]:
                    print_row(name, size, kernel)
    progress.clear()
    if args.out:
        pathlib.Path(args.out).write_text(json.dumps(rows, indent=1))

    kernels = [(kernel, row) for row in rows for kernel in row["kernels"] if "skipped" not in kernel]
    ratios = [(kernel["speedup"], row["workload"], row["size"]) for kernel, row in kernels
              if kernel["from_database"] or count_tried(kernel)]
    print()
    for size in sizes:
        found = [ratio for ratio, _, at in ratios if at == size]
        if found:
            mean = math.exp(sum(math.log(ratio) for ratio in found) / len(found))
            print(f"2^{size}: {timings.plural(len(found), 'kernel')}, policy / best {mean:.3f} (geometric mean), {max(found):.3f} at the most")
    beyond = sorted((row for row in ratios if row[0] > TARGET), reverse=True)
    print(f"{len(beyond)} of {len(ratios)} beyond {TARGET:.2f}"
          + "".join(f"\n  {name}, 2^{size}: {ratio:.3f}" for ratio, name, size in beyond))
    if untried := len(kernels) - len(ratios):
        print(f"{timings.plural(untried, 'kernel')} left out: nothing but the policy's was tried in that budget")
    if left:
        print(f"{left} searches left out: the time was spent")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
