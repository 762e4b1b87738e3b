#!/usr/bin/env python3
"""Assembles the PTX of the benchmark suite's kernels for a chip.

  ptxas.py CHIP FOLDER

Fails where ptxas does, where a kernel spills registers and does not back off from that, or calls what is
not there, and where a `wide` one has no 16-byte access. Prints the number of kernels.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Integration"))
import ewrun

WIDE = re.compile(r"ld\.global(?:\.nc)?\.(?:v4\.b32|v2\.b64)")


def check(pool, chip, path, folder):
    made = pool.run([path, "--emit=ptx", f"--chip={chip}"])
    if made.returncode:
        print(f"{path}: {chip}: {made.stderr}")
        return 0, False
    ptx = made.stdout
    file = os.path.join(folder, "kernels.ptx")
    with open(file, "w") as out:
        out.write(ptx)
    assembled = subprocess.run(["ptxas", "-v", f"-arch={chip}", file, "-o", os.devnull],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    faults = []
    if assembled.returncode:
        faults.append(assembled.stdout)
    spills = re.findall(r"[1-9]\d* bytes spill (?:stores|loads)", assembled.stdout)
    if spills:
        # PTX says what was asked for; who assembles it with EW gets what does not spill.
        done = subprocess.run(["ew-run", path, "--emit=cubin", f"--chip={chip}", "-o", os.devnull],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode or not re.search(r"spills nothing \(\d+ registers\); \S+ it is", done.stdout):
            faults += [*spills, done.stdout]
    faults += re.findall(r"\.extern \.func.*", ptx)
    kernels = ptx.split(".visible .entry ")[1:]
    for kernel in kernels:
        name = kernel[:kernel.index("(")]
        if name.endswith("_wide") and not WIDE.search(kernel):
            faults.append(f"{name} has no 16-byte access")
    if not kernels:
        faults.append("no kernels")
    for fault in faults:
        print(f"{path}: {chip}: {fault}")
    return len(kernels), not faults


def main():
    chip, workloads = sys.argv[1:]
    files = sorted(glob.glob(os.path.join(workloads, "*.mlir")))
    with tempfile.TemporaryDirectory() as folder, ewrun.Pool(jobs=1) as pool:
        results = [check(pool, chip, file, folder) for file in files]
    print(f"{sum(count for count, _ in results)} kernels of {len(files)} programs")
    sys.exit(not files or not all(good for _, good in results))


if __name__ == "__main__":
    main()
