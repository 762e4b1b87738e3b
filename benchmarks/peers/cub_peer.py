"""CUB: cub::DeviceTransform over each workload with dense operands and one result, compiled by nvcc."""
import concurrent.futures
import ctypes
import os
import shutil
import subprocess
import tempfile
import time

import torch

from peers import Unavailable, data, values
from peers.triton_peer import output_types
import workloads

OPS = values.TextOps({
    "exp": "expf({0})", "sin": "sinf({0})", "cos": "cosf({0})", "log": "logf({0})", "sqrt": "sqrtf({0})",
    "abs": "fabsf({0})", "erf": "erff({0})", "tanh": "tanhf({0})", "log1p": "log1pf({0})",
    "round_even": "rintf({0})", "max": "fmaxf({0}, {1})", "clamp": "fminf(fmaxf({0}, {1}), {2})",
    "gelu": "0.5f * {0} * (1.f + erff({0} * 0.7071067811865476f))",
    "gelu_tanh": "0.5f * {0} * (1.f + tanhf(0.7978845608028654f * ({0} + 0.044715f * {0} * {0} * {0})))",
    "silu": "{0} / (1.f + expf(-{0}))"})
CPP = {torch.float32: "float", torch.float16: "__half", torch.bfloat16: "__nv_bfloat16", torch.int8: "signed char",
       torch.uint8: "unsigned char", torch.float8_e4m3fn: "__nv_fp8_e4m3"}


def source(workload, inputs, outputs):
    """None where DeviceTransform has no such form: views, stretched operands, several results."""
    descriptions = [workloads.INPUT.fullmatch(text).groups() for text in workloads.WORKLOADS[workload][1]]
    if len(outputs) != 1 or any(every_other or "1" in dims.split(",") for _, dims, every_other, _ in descriptions):
        return None
    lines = []
    try:
        (result,) = values.apply(workload, OPS, [values.Text(lines, f"x{k}", "f") for k in range(len(inputs))])
    except KeyError:
        return None
    types = [CPP[dtype] for dtype in inputs]
    body = "\n".join(f"    float {name} = float({text});" for name, text in lines)
    widened = "\n".join(f"    float x{k} = float(a{k});" for k in range(len(types)))
    parameters = ", ".join(f"{dtype} a{k}" for k, dtype in enumerate(types))
    pointers = ", ".join(f"static_cast<const {dtype} *>(in[{k}])" for k, dtype in enumerate(types))
    to = CPP[outputs[0]]
    return f"""#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
struct Function {{
  __device__ {to} operator()({parameters}) const {{
{widened}
{body}
    return static_cast<{to}>({result.name});
  }}
}};
extern "C" int run(void **in, void *out, long long n, cudaStream_t stream) {{
  return cub::DeviceTransform::Transform(cuda::std::make_tuple({pointers}), static_cast<{to} *>(out), n,
                                         Function{{}}, stream);
}}
"""


class CubPeer:
    def __init__(self, device):
        self.device = device
        self.nvcc = shutil.which("nvcc") or shutil.which(
            os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc"))
        if device == "cpu" or not self.nvcc:
            raise Unavailable("no nvcc" if device != "cpu" else "CUB has no CPU")
        said = subprocess.run([self.nvcc, "--version"], capture_output=True, text=True).stdout
        self.version = "CUB of CUDA" + said.rpartition("release")[2].partition(",")[0]
        major, minor = torch.cuda.get_device_capability()
        self.arch = f"sm_{major}{minor}"
        self.folder = tempfile.mkdtemp(prefix="ew-cub")
        self.libraries = {}

    def begin(self, names):
        """Compiles side by side, since nvcc takes many seconds for each, and waits: it would disturb what is timed."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.libraries.update((name, pool.submit(self.compile, name)) for name in names)

    def compile(self, workload):
        """The library's path, the types of its results, and the seconds that nvcc took; None as source() gives it."""
        inputs = data.make_inputs(workload, 4, "cpu", 0)
        types = output_types(workload, inputs)
        text = source(workload, [tensor.dtype for tensor in inputs], types)
        if text is None:
            return None
        path = os.path.join(self.folder, workload)
        with open(path + ".cu", "w") as file:
            file.write(text)
        start = time.perf_counter()
        done = subprocess.run([self.nvcc, "-O3", "-std=c++17", f"-arch={self.arch}", "-shared", "-Xcompiler", "-fPIC",
                               "-o", path + ".so", path + ".cu"], capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"nvcc: {done.stderr.strip()[:300]}")
        return path + ".so", types, time.perf_counter() - start

    def prepare(self, workload, sets):
        if workload not in self.libraries:
            self.begin([workload])
        compiled = self.libraries[workload].result()
        if compiled is None:
            raise Unavailable("no form of DeviceTransform: views, stretched operands or several results")
        path, types, self.compile_seconds = compiled
        library = ctypes.CDLL(path)
        shape = data.result_shape(sets[0])

        def run(inputs):
            output = torch.empty(shape, device=self.device, dtype=types[0])
            pointers = (ctypes.c_void_p * len(inputs))(*(tensor.data_ptr() for tensor in inputs))
            code = library.run(pointers, ctypes.c_void_p(output.data_ptr()), ctypes.c_longlong(shape.numel()),
                               ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
            if code:
                raise RuntimeError(f"CUDA error {code}")
            return [output]
        return run

    def timer(self, run, sets):
        return data.GraphTimer(run, sets)


def make(name, device):
    data.require_device(device)
    return CubPeer(device)
