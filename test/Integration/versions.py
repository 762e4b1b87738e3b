#!/usr/bin/env python3
"""Runs workloads at the sizes where one version of a kernel takes over from another, and judges them by the oracle.

  versions.py --device=emulated --workloads=FOLDER

For each it says which version ran: at the last size of the one, and at the first of the next. Ends with a summary; the
exit code is 1 if anything was wrong.
"""
import argparse
import json
import pathlib
import sys

import ewrun

# Of each workload the types of its inputs, their shapes with the size in question as {n}, and sizes with the version.
CASES = [
    ("gelu_erf_bf16", ["{n}xbf16"], [(270335, "few4"), (270336, "medium"), (4194303, "medium"), (4194304, "wide")]),
    ("cast_f8e4m3", ["{n}xbf16"], [(135167, "few4"), (135168, "wide2"), (4194304, "wide2")]),
    ("chain128_f32", ["{n}xf32"], [(67583, "few1"), (67584, "few2"), (135167, "few2"), (135168, "wide2"), (4194303, "wide2"),
                                   (4194304, "wide4")]),
    ("adamw_f32", ["{n}xf32"] * 3 + ["{n}xf32=random:0.01:3"],
     [(67583, "few1"), (67584, "few2"), (135167, "few2"), (135168, "wide1"), (811007, "wide1"), (811008, "wide2"),
      (1081343, "wide2"), (1081344, "wide")]),
    ("adamw_mixed", ["{n}xf32", "{n}xbf16", "{n}xbf16", "{n}xf32=random:0.01:3"],
     [(811007, "wide1"), (811008, "wide2"), (1081343, "wide2"), (1081344, "medium"), (2097151, "medium"),
      (2097152, "wide")]),
    ("transcendental_f32", ["{n}xf32"], [(67583, "few1"), (67584, "few2"), (2097151, "wide1"), (2097152, "wide2")]),
    # 1024 elements to a row.
    ("bias_gelu_tanh_bf16", ["{n}x1024xbf16", "1x1024xbf16"],
     [(65, "few1"), (66, "few4"), (263, "few4"), (264, "medium"), (4095, "medium"), (4096, "rows"), (4097, "wide")]),
    ("bias_gelu_tanh_bf16", ["{n}x1024xbf16,strides=2048:1,offset=1024", "1x1024xbf16"],
     [(65, "general1"), (66, "pitched_medium"), (4095, "pitched_medium"), (4096, "pitched")]),
    ("transpose_add_f32", ["{n}x256xf32", "256x{n}xf32"], [(1055, "tile32"), (1056, "packed64x64")]),
    ("strided_mul_f32", ["{n}x1024xf32,strides=2048:2", "{n}x1024xf32"], [(65, "general1"), (66, "strided")]),
    ("strided_mul_f32", ["{n}x1024xf32,strides=2049:2", "{n}x1024xf32"], [(66, "general")]),
    ("strided_mul_f32", ["{n}x1024xf32,strides=2048:1,offset=1024", "{n}x1024xf32"], [(65, "general1"), (66, "pitched")]),
    ("strided_mul_f32", ["{n}x1024xf32,strides=-1028:1", "{n}x1024xf32,strides=0:1"], [(1025, "pitched")]),
    ("strided_mul_f32", ["{n}x1021xf32,strides=1024:1,offset=3", "{n}x1021xf32"], [(67, "pitched_elements")]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ew-run", default="ew-run", help="the launcher (default: the one on PATH)")
    parser.add_argument("--device", default="emulated", help="a GPU, or one that is emulated (default)")
    parser.add_argument("--workloads", type=pathlib.Path, required=True, help="the folder of the benchmarks' programs")
    parser.add_argument("--jobs", type=int, help="processes")
    args = parser.parse_args()

    def run(case):
        name, shapes, size, version = case
        inputs = [shape.format(n=size) for shape in shapes]
        inputs = [shape if "=random" in shape else f"{shape}=random:-3:3" for shape in inputs]
        # What it converts in hardware decides, too.
        device = ["--device=emulated", "--chip=sm_90"] if args.device == "emulated" else [f"--device={args.device}"]
        done = pool.run([args.workloads / f"{name}.mlir", *device, "--check", "--check-limit=20000",
                         "--explain", "--json", *(f"--input={shape}" for shape in inputs)])
        if done.returncode:
            return f"exit code {done.returncode}: {(done.stdout + done.stderr).strip()[:600]}"
        ran = json.loads(done.stdout)["kernels"][0]["version"]
        return "" if ran == version else f"version '{ran}' ran, not '{version}'"

    cases = [(name, shapes, size, version) for name, shapes, sizes in CASES for size, version in sizes]
    failed = 0
    with ewrun.Pool(args.ew_run, args.jobs) as pool:
        for (name, _, size, _), wrong in zip(cases, pool.map(run, cases)):
            if wrong:
                failed += 1
                print(f"FAIL {name} of {size}: {wrong}", flush=True)
    print(f"versions on {args.device}: {len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
