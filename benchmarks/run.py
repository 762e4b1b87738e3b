#!/usr/bin/env python3
"""Times the workloads of the suite with ew-run and prints a table.

  run.py [--ew-run=ew-run] [--device=auto] [--scale=26] [--rounds=3] [--check]
         [--progress] [--out=rows.json] [NAME ...]
  run.py --check-only [--scale=13] [--jobs=2]    judges the results, times nothing

Each round times every workload once, in turn, in a process of its own; a row has the median
over the rounds and their spread. `of ceiling` compares with a copy kernel that moves the same
bytes in as many streams, timed in turn with the workload in the same process (- where the copy is
shorter than two launches). suite.py has the peers beside it.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

import timings
import workloads

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "test" / "Integration"))
import ewrun


def check_all(args, names):
    def judge(name):
        return name, pool.run([timings.FOLDER / f"{name}.mlir", f"--device={args.device}", f"--mode={args.mode}",
                               "--check", *workloads.to_flags(name, args.scale).split()])

    wrong = 0
    progress = timings.Progress(len(names), args.progress)
    with ewrun.Pool(args.ew_run, args.jobs) as pool:
        for name, done in pool.map(judge, names):
            progress.show(f"{name} was judged")
            wrong += done.returncode != 0
            if done.returncode:
                progress.clear()
                print(f"{name} wrong: {(done.stdout + done.stderr).strip()[:600]}")
    progress.clear()
    print(f"workloads on {args.device}: {len(names) - wrong} right, {wrong} wrong")
    return 1 if wrong or not names else 0


def print_workload(name, rows):
    row, taken = timings.middle(rows), timings.times(rows)
    ceilings = [r["time"]["ceiling"]["tb_per_s"] for r in rows if "ceiling" in r["time"]]
    timings.print_row(name, f"{statistics.median(taken):.1f}", f"{timings.spread(taken):.1%}",
                      f"{row['time']['tb_per_s']:.3f}",
                      f"{statistics.median(ceilings):.3f}" if ceilings else "-", timings.of_ceiling(rows),
                      *timings.resources(row))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="workloads (default: all; workloads.py has them)")
    timings.add_options(parser)
    parser.add_argument("--device", default="auto", help="as ew-run has it: auto, cuda, cuda:1, cpu (default: %(default)s)")
    parser.add_argument("--mode", default="default", choices=timings.MODES, help="what arithmetic may do (default: %(default)s)")
    parser.add_argument("--rounds", type=timings.number(1), default=3,
                        help="how often every workload is timed (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="judge the results by the oracle in the first round")
    parser.add_argument("--check-only", action="store_true", help="judge the results, time nothing")
    parser.add_argument("--jobs", type=timings.number(1), default=ewrun.default_jobs(), help="processes that judge at once (default: %(default)s)")
    parser.add_argument("--out", help="write every round's report to this file")
    timings.add_progress(parser)
    args = parser.parse_args()
    timings.find(parser, args)
    names = args.names or list(workloads.WORKLOADS)
    unknown = [name for name in names if name not in workloads.WORKLOADS]
    if unknown:
        parser.error(f"no workload {', '.join(unknown)}; there are {', '.join(workloads.WORKLOADS)}")
    timings.require_device(args)
    if args.check_only:
        return check_all(args, names)

    reports, failed = {name: [] for name in names}, False
    progress = timings.Progress(args.rounds * len(names), args.progress)
    for number in range(args.rounds):
        progress.begin_round(number + 1, args.rounds)
        if number == args.rounds - 1:
            progress.clear()
            timings.print_header(f"workload (2^{args.scale} elements of 4 bytes)", "us", "spread", "TB/s",
                                 "ceiling TB/s", "of ceiling", "kernels", "registers", "spilled")
        for name in names:
            progress.show(f"{name}, round {number + 1}")
            check = ["--check"] if args.check and number == 0 else []
            report = timings.run(args, name, f"--device={args.device}", f"--mode={args.mode}", "--time", "--explain",
                                 *check)
            failed |= report is None
            if report:
                reports[name].append(report)
            # As soon as all of its rounds are there.
            if number == args.rounds - 1 and reports[name]:
                progress.clear()
                print_workload(name, reports[name])
    progress.clear()
    if args.out:
        pathlib.Path(args.out).write_text(json.dumps(reports, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
