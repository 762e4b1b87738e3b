#!/usr/bin/env python3
"""Runs ew-benchmark and adds a row of its figures to History.md beside this script.

  record.py BUILD/benchmarks/ew-benchmark [--print]

Where the machine has other work, the times by the clock are too long; those of the
processor, of all threads together, are less so.
"""
import argparse
import datetime
import json
import pathlib
import re
import statistics
import subprocess
import sys

HISTORY = pathlib.Path(__file__).parent / "History.md"


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def row(report, revision):
    """One row of the table, from the benchmark's JSON."""
    by_name = {re.sub("/(process_time|real_time|manual_time|iterations:\\d+)", "", run["name"]): run for run in report["benchmarks"]}
    suite = re.compile(r"compile/(ptx|cpu)/(?!chain_|sines_)")

    def both(runs):
        wall, cpu = (statistics.median(run[key] for run in runs) for key in ("real_time", "cpu_time"))
        return f"{wall:.1f} / {cpu:.1f}"

    def median(kind):
        return both([run for name, run in by_name.items() if suite.match(name) and name.split("/")[1] == kind])

    def one(name):
        return both([by_name[name]])

    hits = [run["real_time"] for name, run in by_name.items() if name.startswith("cache_hit/")]
    choices = [run["real_time"] for name, run in by_name.items() if name.startswith("choose_version/")]
    if failed := {run["error_message"] for run in by_name.values() if run.get("error_occurred")}:
        sys.exit("record.py: ew-benchmark: " + "; ".join(sorted(failed)))
    api, bare = by_name["launch/api"], by_name["launch/bare"]
    cores = report["context"]["num_cpus"]
    return [datetime.date.today().isoformat(), revision, f"{processor()}, {cores} cores",
            f"{report['context']['load_avg'][0]:.1f}" if report["context"].get("load_avg") else "?",
            median("ptx"), median("cpu"), *(one(f"compile/ptx/{name}") for name in
                                            ("chain_1000", "sines_1000", "chain_10000", "sines_10000")),
            f"{max(hits):.0f}", f"{max(choices):.0f}", f"{api['real_time']:.0f} / {bare['real_time']:.0f}, "
            + api.get("label", "").split(" (")[0]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", help="the program, as built")
    parser.add_argument("--print", action="store_true", help="print the row, change nothing")
    args = parser.parse_args()
    listed = subprocess.run([args.benchmark, "--benchmark_list_tests"], check=True, stdout=subprocess.PIPE, text=True)
    wanted = "|".join(name for name in listed.stdout.split() if not re.match(r"compile/cpu/(chain|sines)_\d", name))
    done = subprocess.run([args.benchmark, f"--benchmark_filter={wanted}", "--benchmark_min_time=0.05",
                           "--benchmark_format=json"], check=True, stdout=subprocess.PIPE, text=True)
    revision = subprocess.run(["git", "-C", str(HISTORY.parent), "describe", "--always", "--dirty"],
                              check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    line = "| " + " | ".join(row(json.loads(done.stdout), revision)) + " |\n"
    if args.print:
        print(line, end="")
    else:
        with HISTORY.open("a") as history:
            history.write(line)


if __name__ == "__main__":
    main()
