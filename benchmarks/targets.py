#!/usr/bin/env python3
"""Holds what was measured against what EW is meant to reach on an H200, as a table.

  targets.py results.json... [--fast=fast.json] [--tune=rows.json] [--views=rows.json] [--native=google-benchmark.json]
             [--arithmetic=arithmetic.json]

The first are suite.py's, of one run or several (of sizes, say); --fast is suite.py's with --mode=fast, --tune and --views
are written by tune.py and views.py with --out, --arithmetic by arithmetic.py, --native by `ew-benchmark --benchmark_format=json`. What a file does not have has no row.
"""
import argparse
import json
import math
import pathlib
import re
import statistics

TYPICAL = ("mul_sin_exp_f32", "add_f32", "bias_gelu_tanh_bf16", "gelu_erf_bf16", "swiglu_bf16",
           "scale_mask_dropout_residual_bf16", "norm_affine_bf16", "bce_with_logits_f32", "adamw_f32", "feature_cross_f32")
# What arithmetic limits, and what moves more sectors than it asks for.
NOT_MEMORY = ("chain128_f32", "transcendental_f32", "black_scholes_f32", "strided_mul_f32")
FMA_PER_CLOCK = 132 * 128  # of an H200
CLOCK = 1.98e9


class Table:
    def __init__(self):
        self.rows = []

    def add(self, what, target, measured, good):
        """`good` says whether the target is met; None where it is for the reader to say."""
        self.rows.append((what, target, measured, "" if good is None else "yes" if good else "**no**"))

    def print(self):
        print("| what | target | measured | met |")
        print("|---|---|---|---|")
        for row in self.rows:
            print("| " + " | ".join(row) + " |")


class Results:
    """Rows of suite.py by workload, size and peer."""

    def __init__(self, paths):
        self.rows, self.launch, self.native = {}, [], []
        for path in paths:
            results = json.loads(pathlib.Path(path).read_text())
            for row in results["rows"]:
                self.rows.setdefault((row["workload"], row["size"]), {})[row["peer"]] = row
            self.launch += results["launch"]
            self.native += results.get("native", [])
        self.sizes = sorted({size for _, size in self.rows}, reverse=True)

    def at(self, size):
        return {name: found for (name, of), found in self.rows.items() if of == size and "EW" in found}

    def ratio(self, name, size, peers=None):
        """The best peer's time over EW's, or nothing."""
        found = self.rows.get((name, size), {})
        others = [row["median_us"] for peer, row in found.items() if peer != "EW" and (not peers or peer in peers)]
        return min(others) / found["EW"]["median_us"] if others and "EW" in found else None


def mean(ratios):
    return statistics.geometric_mean(ratios)


def percent(value):
    return f"{value:.1%}"


def add_speed(table, results, size):
    ratios = {name: results.ratio(name, size) for name in results.at(size)}
    ratios = {name: ratio for name, ratio in ratios.items() if ratio}
    if not ratios:
        return
    behind = sorted((ratio, name) for name, ratio in ratios.items() if ratio < 1 / 1.01)
    table.add(f"each of {len(ratios)} workloads, 2^{size}", "at most 1% behind the best peer",
              ", ".join(f"`{name}` {percent(1 / ratio - 1)} behind" for ratio, name in behind) or "none is", not behind)
    target = {26: 1.045, 24: 1.045, 20: 1.12}.get(size)
    table.add(f"best peer / EW, geometric mean, 2^{size}", f"{target}" if target else "-", f"{mean(ratios.values()):.3f}",
              mean(ratios.values()) >= target if target else None)


def add_workloads(table, results, arithmetic):
    large = results.at(26)
    memory = {name: found["EW"]["of_ceiling"] for name, found in large.items() if name not in NOT_MEMORY and "of_ceiling" in found["EW"]}
    if memory:
        below = sorted((part, name) for name, part in memory.items() if part < 0.98)
        table.add("those that memory limits, 2^26", "98% of the ceiling",
                  ", ".join(f"`{name}` {percent(part)}" for part, name in below) or f"at least {percent(min(memory.values()))}", not below)
    for name, least in (("bias_gelu_tanh_bf16", 1.27), ("gelu_tanh_f16", 1.13), ("gelu_erf_bf16", 1.27), ("transcendental_f32", 1.25),
                        ("black_scholes_f32", 1.25)):
        ratio = results.ratio(name, 26)
        if ratio:
            table.add(f"`{name}`, best peer / EW", f"{least}", f"{ratio:.2f}", ratio >= least)
    if "chain128_f32" in large:
        row = large["chain128_f32"]["EW"]
        memory_us = row["bytes"] / row["ceiling_tb_per_s"] * 1e-6
        arithmetic_us, how = 64 * (1 << 26) / FMA_PER_CLOCK / CLOCK * 1e6, "by the data sheet's clock"
        if arithmetic:
            arithmetic_us, how = min(arithmetic["us"].values()) * 2.0 ** (26 - arithmetic["scale"]), "measured alone"
        part = max(memory_us, arithmetic_us) / row["median_us"]
        table.add("`chain128_f32`, the larger of the copy's time and that of its 64 fma", "95%",
                  f"{percent(part)} (copy {memory_us:.0f} us, fma {arithmetic_us:.0f} us {how})", part >= 0.95)
    eager = [results.ratio(name, 26, ["eager"]) for name in TYPICAL]
    ops = [results.ratio(name, 26, ["eager-ops"]) or whole for name, whole in zip(TYPICAL, eager)]
    if all(eager):
        table.add("ten typical workloads, eager / EW, geometric mean", "4.35",
                  f"{mean(ops):.2f} ({mean(eager):.2f} where PyTorch's own activations are called)", mean(ops) >= 4.35)


def add_tuning(table, path):
    rows = json.loads(pathlib.Path(path).read_text())
    for size in sorted({row["size"] for row in rows}):
        found = [(kernel["speedup"], row["workload"]) for row in rows if row["size"] == size
                 for kernel in row["kernels"] if "skipped" not in kernel]
        beyond = sorted((one for one in found if one[0] > 1.03), reverse=True)
        table.add(f"policy / best that ew-tune finds, 2^{size}, {len(found)} kernel{'' if len(found) == 1 else 's'}", "1.03",
                  f"mean {mean([ratio for ratio, _ in found]):.3f}" + "".join(f", `{name}` {ratio:.3f}" for ratio, name in beyond), not beyond)


def add_views(table, path):
    groups = {}
    for row in json.loads(pathlib.Path(path).read_text()):
        groups.setdefault(row["group"], []).append(row)
    for group, rows in groups.items():
        worst = max(rows, key=lambda row: row["cost"] or math.inf)
        table.add(group, "within 3% of what fits", f"{worst['case']}: {worst['cost']:.3f}", worst["cost"] <= 1.03)


def add_native(table, runs):
    by_name = {re.sub("/(process_time|real_time|manual_time|iterations:\\d+)", "", run["name"]): run for run in runs}

    def scaled(run):
        return run["real_time"] * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[run["time_unit"]]
    loads = [scaled(run) / 1e3 for name, run in by_name.items() if name.startswith("load/") and "error_occurred" not in run]
    if loads:
        table.add("text to loaded kernels, second program of a process, median", "45 ms",
                  f"{statistics.median(loads):.0f} ms ({min(loads):.0f} to {max(loads):.0f})", statistics.median(loads) <= 45)
    hits = [scaled(run) / 1e3 for name, run in by_name.items() if name.startswith("cache_hit/")]
    if hits:
        table.add("the same from the cache on disk", "1 ms", f"{max(hits):.2f} ms", max(hits) <= 1)
    for name, what in (("chain_1000", "1,000 ops to PTX"), ("sines_1000", "1,000 ops, 250 of them sines, to PTX")):
        if f"compile/ptx/{name}" in by_name:
            taken = scaled(by_name[f"compile/ptx/{name}"]) / 1e6
            table.add(what, "1 s", f"{taken:.2f} s", taken <= 1)
    if "launch/api" in by_name and "launch/bare" in by_name:
        api, bare = scaled(by_name["launch/api"]), scaled(by_name["launch/bare"])
        table.add("launch by the C++ API / cuLaunchKernel", "1.15", f"{api / bare:.2f} ({api:.2f} us)", api / bare <= 1.15)
    choices = [run["real_time"] for name, run in by_name.items() if name.startswith("choose_version/")]
    if choices:
        table.add("choice of a version", "100 ns", f"{max(choices):.0f} ns", max(choices) <= 100)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", help="what suite.py wrote, of one run or of several")
    parser.add_argument("--fast", help="what suite.py wrote with --mode=fast")
    parser.add_argument("--tune", help="what tune.py wrote with --out")
    parser.add_argument("--views", help="what views.py wrote with --out")
    parser.add_argument("--native", help="what ew-benchmark wrote with --benchmark_format=json")
    parser.add_argument("--arithmetic", type=pathlib.Path,
                        help="what arithmetic.py wrote with --out (without it, fma are counted by the data sheet's clock)")
    args = parser.parse_args()
    if not any(vars(args).values()):
        parser.error("nothing was measured: name at least one file")
    table, results = Table(), Results(args.results)
    for size in results.sizes:
        add_speed(table, results, size)
    add_workloads(table, results, args.arithmetic and json.loads(args.arithmetic.read_text()))
    if args.fast:
        fast = Results([args.fast])
        ratio = fast.ratio("transcendental_f32", 26)
        if ratio:
            table.add("`transcendental_f32` in fast mode, best peer / EW", "1.8", f"{ratio:.2f}", ratio >= 1.8)
        for size in fast.sizes:
            ratios = [ratio for name in fast.at(size) if (ratio := fast.ratio(name, size))]
            if len(ratios) > 1:
                table.add(f"best peer / EW in fast mode, geometric mean of {len(ratios)}, 2^{size}", "1.06", f"{mean(ratios):.3f}", mean(ratios) >= 1.06)
    if args.tune:
        add_tuning(table, args.tune)
    if args.views:
        add_views(table, args.views)
    native = results.native + (json.loads(pathlib.Path(args.native).read_text())["benchmarks"] if args.native else [])
    if native:
        add_native(table, native)
    table.print()


if __name__ == "__main__":
    main()
