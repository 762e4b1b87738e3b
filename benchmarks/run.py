#!/usr/bin/env python3
"""Times the workloads of the suite with ew-run and prints a table.

  run.py [--ew-run=ew-run] [--device=auto] [--scale=26] [--rounds=3] [--check]
         [--out=rows.json] [NAME ...]
  run.py --check-only [--scale=13] [--jobs=2]    judges the results, times nothing

Each round times every workload once, in turn, in a process of its own; a row has the median
over the rounds and their spread. `of ceiling` compares with a copy kernel that moves the same
bytes in as many streams, timed in turn with the workload in the same process.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys

import workloads

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "test" / "Integration"))
import ewrun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--ew-run", default="ew-run")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--mode", default="default")
    parser.add_argument("--scale", type=int, default=26)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", action="store_true", help="judge the results by the oracle in the first round")
    parser.add_argument("--check-only", action="store_true", help="judge the results, time nothing")
    parser.add_argument("--jobs", type=int, default=ewrun.default_jobs(), help="processes that judge at once")
    parser.add_argument("--out", help="write every round's report to this file")
    args = parser.parse_args()
    if not shutil.which(args.ew_run):
        parser.error(f"no program '{args.ew_run}': put it on PATH or name it with --ew-run")
    folder = pathlib.Path(__file__).parent / "workloads"
    suite = {name: workloads.to_flags(name, args.scale).split() for name in workloads.WORKLOADS}
    names = args.names or list(suite)
    unknown = [name for name in names if name not in suite]
    if unknown:
        parser.error(f"no workload {', '.join(unknown)}; there are {', '.join(suite)}")

    if args.check_only:
        def judge(name):
            return name, pool.run([folder / f"{name}.mlir", f"--device={args.device}", f"--mode={args.mode}", "--check",
                                   *suite[name]])

        wrong = 0
        with ewrun.Pool(args.ew_run, args.jobs) as pool:
            for name, done in pool.map(judge, names):
                wrong += done.returncode != 0
                if done.returncode:
                    print(f"{name} wrong: {(done.stdout + done.stderr).strip()[:600]}")
        print(f"workloads on {args.device}: {len(names) - wrong} right, {wrong} wrong")
        return 1 if wrong or not names else 0

    reports, failed = {name: [] for name in names}, []
    for number in range(args.rounds):
        for name in names:
            command = [args.ew_run, str(folder / f"{name}.mlir"), f"--device={args.device}", f"--mode={args.mode}",
                       "--time", "--explain", "--json", *suite[name]]
            if args.check and number == 0:
                command.append("--check")
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                failed.append(name)
                print(f"{name}: exit code {done.returncode}: {done.stderr.strip()[:600]}", file=sys.stderr)
                continue
            reports[name].append(json.loads(done.stdout))
    if args.out:
        pathlib.Path(args.out).write_text(json.dumps(reports, indent=1))

    print(f"| workload (2^{args.scale} elements of 4 bytes) | us | spread | TB/s | ceiling TB/s | of ceiling | kernels |"
          " registers | spilled |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, rows in reports.items():
        if not rows:
            continue
        times = [row["time"]["median_us"] for row in rows]
        middle = statistics.median(times)
        row = min(rows, key=lambda row: abs(row["time"]["median_us"] - middle))
        kernels = row["kernels"]
        ceilings = [r["time"]["ceiling"]["tb_per_s"] for r in rows if "ceiling" in r["time"]]
        fractions = [r["time"]["fraction_of_ceiling"] for r in rows if "ceiling" in r["time"]]
        print(f"| {name} | {middle:.1f} | {(max(times) - min(times)) / middle:.1%} | {row['time']['tb_per_s']:.3f} | "
              + (f"{statistics.median(ceilings):.3f} | {statistics.median(fractions):.1%}" if ceilings else "- | -")
              + f" | {len(kernels)} | {max((k.get('registers', 0) for k in kernels), default=0)} | "
              f"{max((k.get('spill_bytes', 0) for k in kernels), default=0)} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
