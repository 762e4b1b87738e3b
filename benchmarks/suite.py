#!/usr/bin/env python3
"""Times EW and what a user would take in its place, on every workload of the suite, and writes JSON.

  suite.py [-o results.json] [--device=auto] [--sizes=26,24,20] [--workloads=NAME,...] [--peers=eager,compile,...]
           [--rounds=3] [--sets=N] [--budget=SECONDS] [--resume] [--progress]
  report.py results.json -o report.html

The device is a GPU where there is one, else the CPU. A size is the logarithm of the number of elements of 4 bytes (twice as many of two or one). Everything is judged
before it is timed: EW by its oracle, peers against float64. In each round EW and every peer are timed once, in turn;
a figure is the median over the rounds of what each gave as median, with its 20th and 80th percentile. How each peer
is timed is in peers/__init__.py; EW's time is `ew-run --time`: CUDA graphs over rotating buffers, beside a copy of
the same traffic. With `--sets` EW and its peers rotate among so many sets of buffers (3 of 2^20 elements stay in
the last cache); without, among as many as defeat it. `--budget` ends the run in time, between two workloads;
`--resume` goes on with what the file lacks.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import timings
import peers
import workloads

SCHEMA = 1


class Suite:
    def __init__(self, args):
        self.args, self.deadline = args, time.monotonic() + (args.budget or float("inf"))
        self.path = pathlib.Path(args.output)
        self.results = {"schema": SCHEMA, "rows": [], "skipped": [], "launch": [], "commands": [], "versions": {}}
        if args.resume and self.path.exists():
            self.results = json.loads(self.path.read_text())
            if self.results.get("sets") != args.sets:
                begun = self.results.get("sets") or "as many as defeat the cache"
                sys.exit(f"suite.py: {self.path} was begun with other --sets: {begun}")
        self.results["sets"] = args.sets
        self.results["commands"].append(" ".join(["suite.py", *sys.argv[1:]]))
        self.results["date"] = datetime.date.today().isoformat()
        self.peers, self.progress = {}, None

    def save(self):
        unfinished = self.path.with_suffix(".tmp")
        unfinished.write_text(json.dumps(self.results, indent=1))
        unfinished.rename(self.path)

    def skip(self, peer, why, workload=None, size=None):
        entry = {"peer": peer, "workload": workload, "size": size, "why": str(why)[:300]}
        if entry not in self.results["skipped"]:
            self.results["skipped"].append(entry)
        if self.progress:
            self.progress.clear()
        print(f"  {peer}: left out: {entry['why']}", file=sys.stderr)

    def open_peers(self):
        for name in self.args.peers:
            try:
                self.peers[name] = peers.make(name, self.args.device)
                self.results["versions"][name] = self.peers[name].version
                if hasattr(self.peers[name], "begin"):
                    self.peers[name].begin(self.args.workloads)
            except peers.Unavailable as why:
                self.skip(name, why)

    def has(self, workload, size, peer):
        return any((row["workload"], row["size"], row["peer"]) == (workload, size, peer)
                   for row in self.results["rows"])

    def wants(self, workload, size, peer):
        """Whether it is still to be timed. A peer may leave out workloads on which it is another one."""
        covers = getattr(self.peers.get(peer), "covers", lambda workload: True)
        return covers(workload) and not self.has(workload, size, peer)

    def out_of_time(self):
        return time.monotonic() > self.deadline

    # ---- one workload at one size

    def run(self, workload, size):
        print(f"{workload}, 2^{size}", flush=True)
        timers, facts = {}, {}
        wanted = [name for name in self.peers if self.wants(workload, size, name)]
        # Each round of EW and of every peer is a part; so is making the peers ready.
        self.progress = timings.Progress(self.args.rounds * (1 + len(wanted)) + len(wanted), self.args.progress)
        sets = self.prepare_peers(workload, size, wanted, timers, facts) if wanted else []
        reports, samples = [], {name: [] for name in timers}
        for number in range(self.args.rounds):
            self.progress.show(f"EW, round {number + 1}")
            if not self.has(workload, size, "EW"):
                check = ["--check"] if number == 0 else []
                if self.args.sets:
                    check.append(f"--time-sets={self.args.sets}")
                report = timings.run(self.args, workload, f"--device={self.args.device}", f"--mode={self.args.mode}",
                                     "--time", "--explain", *check, scale=size)
                if report is None:
                    self.skip("EW", "failed: see standard error", workload, size)
                    break
                reports.append(report)
            for name, timer in list(timers.items()):
                self.progress.show(f"{name}, round {number + 1}")
                try:
                    samples[name].append(timer.sample())
                except Exception as error:  # a peer may fail in any way; the others go on
                    self.skip(name, error, workload, size)
                    del timers[name]
        self.progress.clear()
        if len(reports) == self.args.rounds:
            self.add_ew(workload, size, reports)
        for name in timers:
            self.add_peer(workload, size, name, samples[name], facts[name])
        del timers, sets
        if wanted:
            self.free()
        self.save()

    def prepare_peers(self, workload, size, names, timers, facts):
        from peers import data
        moved = self.bytes_of(workload, size)
        sets = [data.make_inputs(workload, size, self.args.device, seed)
                for seed in range(self.args.sets or data.count_sets(moved, self.args.device))]
        for name in names:
            self.progress.show(f"{name} is compiled and judged")
            try:
                peer = self.peers[name]
                run = peer.prepare(workload, sets)
                error = data.judge(workload, sets[0], run(sets[0]))
                facts[name] = {"max_relative_error": error, "sets": len(sets),
                               "compile_ms": peer.compile_seconds and peer.compile_seconds * 1e3}
                if self.args.device != "cpu" and size <= self.args.host_size:
                    facts[name]["host_us"] = data.host_seconds(run, sets[0]) * 1e6
                timers[name] = peer.timer(run, sets)
            except Exception as error:
                self.skip(name, error, workload, size)
        return sets

    def bytes_of(self, workload, size):
        """Each operand once, from the types in the program; outputs are as large as the largest input."""
        widths = {"f32": 4, "f16": 2, "bf16": 2, "i8": 1, "ui8": 1, "f8E4M3FN": 1}
        sizes, total, largest = workloads.get_sizes(size), 0, 1
        for text in workloads.WORKLOADS[workload][1]:
            dtype, letters, _, _ = workloads.INPUT.fullmatch(text).groups()
            count = 1
            for letter in letters.split(","):
                count *= sizes[letter]
            total += count * widths[dtype]
            largest = max(largest, count)
        types = workloads.to_mlir(workload).partition("->")[2].partition("{")[0]
        return total + sum(largest * widths[dtype.rstrip(">),").rpartition("x")[2]]
                           for dtype in types.strip(" ()\n").split(", "))

    def free(self):
        import gc
        import torch
        gc.collect()
        if self.args.device != "cpu":
            torch.cuda.empty_cache()

    # ---- rows

    def add_ew(self, workload, size, reports):
        timed = [report["time"] for report in reports]
        row = {key: statistics.median(t[key] for t in timed) for key in ("median_us", "p20_us", "p80_us")}
        row.update(workload=workload, size=size, peer="EW", bytes=timed[0]["bytes"], sets=timed[0]["buffer_sets"],
                   rounds_us=[t["median_us"] for t in timed], checked=reports[0]["check"])
        row["tb_per_s"] = row["bytes"] / row["median_us"] * 1e-6
        ceilings = [t["ceiling"]["tb_per_s"] for t in timed if "ceiling" in t]
        if ceilings:
            row["ceiling_tb_per_s"] = statistics.median(ceilings)
            row["of_ceiling"] = statistics.median(t["fraction_of_ceiling"] for t in timed if "ceiling" in t)
        kernels = reports[0]["kernels"]
        row["kernels"] = len(kernels)
        row["registers"] = max((k.get("registers", 0) for k in kernels), default=0)
        row["spill_bytes"] = max((k.get("spill_bytes", 0) for k in kernels), default=0)
        instructions = [k["instructions_per_element"]["total"] * k["elements"] for k in kernels
                        if "instructions_per_element" in k]
        if len(instructions) == len(kernels) and kernels:
            row["instructions"] = sum(instructions)
        self.results["rows"].append(row)
        machine = reports[0]
        self.results["machine"] = {"device": machine["description"], "chip": machine["chip"],
                                   "host": f"{platform.machine()}, {os.cpu_count()} cores", **machine["machine"]}

    def add_peer(self, workload, size, name, rounds, facts):
        from peers import data
        medians = [data.summarize(samples) for samples in rounds]
        row = {key: statistics.median(m[key] for m in medians) for key in ("median_us", "p20_us", "p80_us")}
        row.update(workload=workload, size=size, peer=name, bytes=self.bytes_of(workload, size),
                   rounds_us=[m["median_us"] for m in medians], **facts)
        row["tb_per_s"] = row["bytes"] / row["median_us"] * 1e-6
        self.results["rows"].append(row)

    # ---- what is timed apart

    def time_compiling(self, workload):
        """The whole process, from text to a result of a few elements, without and with the cache."""
        if any(entry["workload"] == workload and "process_ms" in entry for entry in self.results["launch"]):
            return
        flags = [f"--device={self.args.device}", *workloads.to_flags(workload, 12).split()]
        with tempfile.TemporaryDirectory() as folder:
            taken = []
            for _ in range(2):
                start = time.perf_counter()
                done = subprocess.run([self.args.ew_run, str(timings.FOLDER / f"{workload}.mlir"), *flags, "--output=@"
                                       + os.path.join(folder, "y.bin")], capture_output=True, text=True,
                                      env={**os.environ, "EW_CACHE_DIR": os.path.join(folder, "cache")})
                taken.append((time.perf_counter() - start) * 1e3)
                if done.returncode:
                    return self.skip("EW", done.stderr, workload, 12)
        self.results["launch"].append({"workload": workload, "process_ms": taken[0], "cached_process_ms": taken[1]})

    def run_native(self):
        """Compiling within a process and launching through the C++ API, by ew-benchmark."""
        # Where it is built, and where the package has it.
        program = (shutil.which(self.args.ew_benchmark) if self.args.ew_benchmark else
                   timings.find_beside(self.args, "ew-benchmark", "ew-benchmark", "../benchmarks/ew-benchmark"))
        if not program:
            return self.skip("ew-benchmark", "not found: host cost and compile time within a process are missing")
        done = subprocess.run([program, "--benchmark_format=json",
                               "--benchmark_filter=^launch/|^compile/ptx/(" + "|".join(self.args.workloads) + ")/"],
                              capture_output=True, text=True)
        if done.returncode:
            return self.skip("ew-benchmark", done.stderr)
        self.results["native"] = [{key: run[key] for key in ("name", "real_time", "cpu_time", "time_unit", "label")
                                   if key in run} for run in json.loads(done.stdout)["benchmarks"]]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    def comma(text): return [part for part in text.split(",") if part]
    parser.add_argument("-o", "--output", default="results.json",
                        help="where the results go (default: %(default)s)")
    parser.add_argument("--ew-run", default="ew-run", help="the ew-run to use (default: that on PATH)")
    parser.add_argument("--ew-benchmark", help="native/'s program, for host cost (default: ew-benchmark on PATH, or "
                        "where the build of ew-run has it)")
    parser.add_argument("--device", default="auto", choices=("auto", "cuda", "cpu"),
                        help="what is measured (default: a GPU where there is one, else the CPU)")
    parser.add_argument("--mode", default="default", choices=timings.MODES, help="what arithmetic may do (default: %(default)s)")
    parser.add_argument("--sizes", type=lambda text: [int(part) for part in comma(text)], default=[26, 24, 20],
                        help="logarithms of numbers of elements (default: 26,24,20)")
    parser.add_argument("--workloads", type=comma, default=list(workloads.WORKLOADS),
                        help="names between commas (default: all; workloads.py has them)")
    parser.add_argument("--peers", type=comma, default=list(peers.NAMES),
                        help="of " + ",".join(peers.NAMES) + "; default: all; --peers= for none")
    parser.add_argument("--rounds", type=timings.number(1), default=3,
                        help="how often each of them is timed (default: %(default)s)")
    parser.add_argument("--sets", type=timings.number(1), help="sets of buffers to rotate among")
    parser.add_argument("--budget", type=float, help="seconds after which no further workload begins")
    parser.add_argument("--host-size", type=int, default=16, help="sizes up to which the host's cost is measured")
    parser.add_argument("--no-compile-time", action="store_true",
                        help="leave out what compiling and a call take of the host")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the file of an earlier run: what it has is not measured again")
    timings.add_progress(parser)
    args = parser.parse_args()
    args.scale = max(args.sizes)
    timings.find(parser, args)
    for given, known in ((args.workloads, workloads.WORKLOADS), (args.peers, peers.NAMES)):
        if unknown := [name for name in given if name not in known]:
            parser.error(f"no {', '.join(unknown)}; there are {', '.join(known)}")
    return args


def main():
    args = parse()
    timings.choose_device(args)
    timings.require_device(args)
    suite = Suite(args)
    suite.open_peers()
    if not args.no_compile_time:
        suite.run_native()
    pending = [(workload, size) for size in args.sizes for workload in args.workloads
               if any(suite.wants(workload, size, peer) for peer in ["EW", *suite.peers])]
    for number, (workload, size) in enumerate(pending):
        if suite.out_of_time():
            print(f"out of time: {len(pending) - number} of {len(pending)} are left; --resume goes on")
            break
        suite.run(workload, size)
        if not args.no_compile_time:
            suite.time_compiling(workload)
    suite.save()
    failed = [entry for entry in suite.results["skipped"] if entry["peer"] == "EW"]
    print(f"{timings.plural(len(suite.results['rows']), 'row')} in {suite.path}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
