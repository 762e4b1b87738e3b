#!/usr/bin/env python3
"""Times workloads under several schedules, in turn, and prints a table.

  schedules.py [--ew-run=ew-run] [--scale=26] [--rounds=2] [--sets=N] --schedules="block=128 unroll=2,block=256" NAME ...

A schedule is what ew-run's --schedule takes; the policy's own is always among them. Every number is the
median over the rounds, with the least and the largest beside it.
"""
import argparse
import statistics
import sys

import timings
import workloads


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME", choices=list(workloads.WORKLOADS),
                        help="workloads (workloads.py has them)")
    timings.add_options(parser)
    parser.add_argument("--device", default="cuda", help="as ew-run has it: auto, cuda, cuda:1, cpu (default: %(default)s)")
    parser.add_argument("--rounds", type=timings.number(1), default=2,
                        help="how often every schedule is timed (default: %(default)s)")
    parser.add_argument("--sets", type=timings.number(1), help="sets of buffers to rotate among (default: as many as defeat the cache)")
    parser.add_argument("--schedules", required=True, help="separated by blanks")
    timings.add_progress(parser)
    args = parser.parse_args()
    timings.find(parser, args)
    timings.require_device(args)
    schedules = [""] + args.schedules.split()
    failed = False
    progress = timings.Progress(len(args.names) * len(schedules) * args.rounds, args.progress)
    timings.print_header("workload", "schedule", "us", "least", "largest", "of ceiling", "kernels", "registers",
                       "spilled")
    for name in args.names:
        reports = {schedule: [] for schedule in schedules}
        for number in range(args.rounds):
            for schedule in schedules:
                sets = [f"--time-sets={args.sets}"] if args.sets else []
                progress.show(f"{name}, {schedule or 'policy'}, round {number + 1}")
                report = timings.run(args, name, f"--device={args.device}", "--time", "--explain",
                                   f"--schedule={schedule}", *sets)
                failed |= report is None
                if report:
                    reports[schedule].append(report)
        progress.clear()
        for schedule, rows in reports.items():
            if rows:
                taken = timings.times(rows)
                figures = (f"{us:.1f}" if us >= 100 else f"{us:.2f}"
                           for us in (statistics.median(taken), min(taken), max(taken)))
                timings.print_row(name, schedule or "policy", *figures, timings.of_ceiling(rows),
                                  *timings.resources(rows[0]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
