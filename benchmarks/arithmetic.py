#!/usr/bin/env python3
"""Times the 64 fma of chain128_f32 alone, in registers, by nvcc: what its arithmetic takes if memory takes nothing.

  arithmetic.py [--scale=26] [--out=arithmetic.json]

A GPU that is busy with fma does not keep the clock of its data sheet, and constants have to be loaded between them; so
that the time of 64 fma an element is measured, for 16, 32 and 64 elements a thread. The result of the last is used only
if it is what it never is. `targets.py --arithmetic` reads the file.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = """
#include <algorithm>
#include <cstdio>
#include <vector>
template <int elements> __global__ void __launch_bounds__(128) chain(float *never) {
  float v[elements];
  for (int i = 0; i < elements; ++i)
    v[i] = (blockIdx.x * 128 + threadIdx.x) * elements + i;
#pragma unroll
  for (int k = 0; k < 64; ++k)
#pragma unroll
    for (int i = 0; i < elements; ++i)
      v[i] = fmaf(v[i], 1.0f - 0.001f * k, 0.01f * k);
  float most = 0;
  for (int i = 0; i < elements; ++i)
    most = fmaxf(most, v[i]);
  if (most == -1)
    *never = most;
}
template <int elements> float time(long count) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> taken;
  for (int sample = 0; sample < 21; ++sample) {
    cudaEventRecord(begin);
    for (int call = 0; call < 20; ++call)
      chain<elements><<<count / elements / 128, 128>>>(nullptr);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    taken.push_back(ms * 1e3f / 20);
  }
  std::nth_element(taken.begin(), taken.begin() + 10, taken.end());
  return taken[10];
}
int main() {
  float us[] = {time<16>(COUNT), time<32>(COUNT), time<64>(COUNT)};
  std::printf("%f %f %f\\n", us[0], us[1], us[2]);
  return cudaGetLastError() != cudaSuccess;
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=26, help="logarithm of the number of elements (default: 26)")
    parser.add_argument("--nvcc", default="nvcc", help="CUDA's compiler (default: the one on PATH, else /usr/local/cuda's)")
    parser.add_argument("--out", type=pathlib.Path, help="write the times to this file, as JSON")
    args = parser.parse_args()
    if not 13 <= args.scale <= 40:
        parser.error("--scale is from 13, a block of the longest, to 40")
    nvcc = shutil.which(args.nvcc) or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        sys.exit("arithmetic.py: no nvcc: put CUDA's compiler on PATH")
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "chain.cu"), pathlib.Path(folder, "chain")
        source.write_text(SOURCE.replace("COUNT", f"(1l << {args.scale})"))
        compiled = subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=native", source, "-o", program],
                                  capture_output=True, text=True)
        if compiled.returncode:
            sys.exit(f"arithmetic.py: nvcc: {compiled.stderr.strip()}")
        ran = subprocess.run([program], capture_output=True, text=True)
        if ran.returncode:
            sys.exit("arithmetic.py: the kernels did not run: is there a GPU?")
    us = dict(zip(("16", "32", "64"), map(float, ran.stdout.split())))
    print("| elements a thread | us |\n|---|---|")
    for elements, taken in us.items():
        print(f"| {elements} | {taken:.1f} |")
    if args.out:
        args.out.write_text(json.dumps({"scale": args.scale, "us": us}, indent=1))


if __name__ == "__main__":
    main()
