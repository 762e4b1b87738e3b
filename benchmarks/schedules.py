#!/usr/bin/env python3
"""Times workloads under several schedules, in turn, and prints a table.

  schedules.py [--ew-run=ew-run] [--scale=26] [--rounds=2] --schedules="block=128 unroll=2,block=256" NAME ...

A schedule is what ew-run's --schedule takes; the policy's own is always among them. Every number is the
median over the rounds, with the least and the largest beside it.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

import workloads


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME", choices=list(workloads.WORKLOADS))
    parser.add_argument("--ew-run", default="ew-run")
    parser.add_argument("--scale", type=int, default=26)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--schedules", required=True, help="separated by blanks")
    args = parser.parse_args()
    folder = pathlib.Path(__file__).parent / "workloads"
    schedules = [""] + args.schedules.split()
    failed = False
    print("| workload | schedule | us | least | largest | of ceiling | registers | spilled |")
    print("|---|---|---|---|---|---|---|---|")
    for name in args.names:
        reports = {schedule: [] for schedule in schedules}
        for _ in range(args.rounds):
            for schedule in schedules:
                done = subprocess.run(
                    [args.ew_run, str(folder / f"{name}.mlir"), "--device=cuda", "--time", "--explain", "--json",
                     f"--schedule={schedule}", *workloads.to_flags(name, args.scale).split()],
                    capture_output=True, text=True)
                if done.returncode:
                    failed = True
                    print(f"{name} {schedule}: exit code {done.returncode}: {done.stderr.strip()[:600]}", file=sys.stderr)
                    continue
                reports[schedule].append(json.loads(done.stdout))
        for schedule, rows in reports.items():
            if not rows:
                continue
            times = [row["time"]["median_us"] for row in rows]
            fractions = [row["time"]["fraction_of_ceiling"] for row in rows if "fraction_of_ceiling" in row["time"]]
            print(f"| {name} | {schedule or 'policy'} | {statistics.median(times):.1f} | {min(times):.1f} | {max(times):.1f} | "
                  + (f"{statistics.median(fractions):.1%}" if fractions else "-")
                  + f" | {max(k.get('registers', 0) for k in rows[0]['kernels'])} | "
                  f"{max(k.get('spill_bytes', 0) for k in rows[0]['kernels'])} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
