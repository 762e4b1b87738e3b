#!/usr/bin/env python3
"""Measures the largest error of ew-lower-math's f32 functions on this CPU.

    utils/sweep/sweep.py --build build/dev [--step N] [FUNCTION...]

Without --step all 2^32 inputs are taken, one to two minutes each. It needs clang,
mlir-translate and a CPU with AVX2 and FMA; the code that is swept is what the pass emits,
compiled by clang for vectors of 8.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LLVM = "/usr/lib/llvm-22/bin/"
ATTRIBUTES = {"gelu_tanh": ("gelu", "approximate(tanh)")}


def names():
    text = (HERE / "sweep.cpp").read_text()
    return re.findall(r'BASIC\((\w+)\)(?=[,}])', text.split("functions = {")[1]) + \
        re.findall(r'SLOW\("(\w+)"', text)


def build(function, opt, out):
    op, attribute = ATTRIBUTES.get(function, (function, ""))
    module = f"""
func.func @f(%in: !llvm.ptr, %out: !llvm.ptr) {{
  %x = llvm.load %in {{alignment = 4 : i64}} : !llvm.ptr -> vector<8xf32>
  %y = ew.{op} %x {attribute} : vector<8xf32>
  llvm.store %y, %out {{alignment = 4 : i64}} : vector<8xf32>, !llvm.ptr
  return
}}
"""
    lowered = subprocess.run(
        [opt, "--ew-lower-math=target=cpu", "--convert-scf-to-cf", "--convert-vector-to-llvm",
         "--convert-to-llvm", "--reconcile-unrealized-casts"],
        input=module, capture_output=True, text=True)
    if lowered.returncode:
        sys.exit(lowered.stderr)
    ir = subprocess.run([LLVM + "mlir-translate", "--mlir-to-llvmir"], input=lowered.stdout,
                        capture_output=True, text=True, check=True).stdout
    subprocess.run([LLVM + "clang", "-x", "ir", "-", "-O2", "-march=x86-64-v3", "-shared", "-fPIC",
                    "-Wno-override-module", "-lm", "-o", out], input=ir, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", default="build/dev")
    parser.add_argument("--step", default="1")
    parser.add_argument("--first", default="0")
    parser.add_argument("--last", default="0xffffffff")
    parser.add_argument("functions", nargs="*")
    args = parser.parse_args()
    opt = str(pathlib.Path(args.build) / "bin" / "ew-opt")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        sweep = folder + "/sweep"
        subprocess.run([LLVM + "clang++", "-O2", "-march=x86-64-v3", "-std=c++17",
                        str(HERE / "sweep.cpp"), "-lmvec", "-lm", "-ldl", "-o", sweep], check=True)
        for function in args.functions or names():
            library = f"{folder}/{function}.so"
            build(function, opt, library)
            failed += subprocess.run([sweep, function, library, args.step, args.first, args.last]).returncode != 0
            sys.stdout.flush()
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
