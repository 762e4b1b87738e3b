"""Triton: one kernel for each workload, written from its definition, with the best of nine launch shapes."""
import importlib.util
import os
import sys
import tempfile
import time

import torch
import triton

from peers import Unavailable, data, values
import workloads

OPS = values.TextOps({
    "exp": "tl.exp({0})", "sin": "tl.sin({0})", "cos": "tl.cos({0})", "log": "tl.log({0})", "sqrt": "tl.sqrt({0})",
    "abs": "tl.abs({0})", "erf": "libdevice.erf({0})", "tanh": "libdevice.tanh({0})",
    "log1p": "libdevice.log1p({0})", "round_even": "libdevice.rint({0})", "max": "tl.maximum({0}, {1})",
    "clamp": "tl.minimum(tl.maximum({0}, {1}), {2})", "silu": "{0} * tl.sigmoid({0})",
    "gelu": "0.5 * {0} * (1.0 + libdevice.erf({0} * 0.7071067811865476))",
    "gelu_tanh": "0.5 * {0} * (1.0 + libdevice.tanh(0.7978845608028654 * ({0} + 0.044715 * {0} * {0} * {0})))"})
STORED = {torch.float32: "tl.float32", torch.float16: "tl.float16", torch.bfloat16: "tl.bfloat16",
          torch.int8: "tl.int8", torch.float8_e4m3fn: "tl.float8e4nv"}
SHAPES = ((256, 2), (256, 4), (512, 2), (512, 4), (1024, 4), (1024, 8), (2048, 4), (2048, 8), (4096, 8))


def output_types(workload, inputs):
    """From a call on a few elements of the inputs."""
    small = [tensor[tuple(slice(0, 1) for _ in tensor.shape)].cpu() for tensor in inputs]
    return [result.dtype for result in values.apply(workload, data.TorchOps(), small)]


def source(workload, outputs):
    """The kernel's text, over one index; None for a workload with a view, which it would have to copy."""
    letters, lines, loads = [], [], []
    for number, text in enumerate(workloads.WORKLOADS[workload][1]):
        _, dims, every_other, _ = workloads.INPUT.fullmatch(text).groups()
        letters.append(dims.split(","))
        index = values.index_of(letters[-1], ("n", "cols"))
        loads.append(f"    x{number} = tl.load(in{number} + ({index.replace('/', '//')}), mask=mask).to(tl.float32)")
        if every_other:
            return None
    try:
        results = values.apply(workload, OPS, [values.Text(lines, f"x{number}") for number in range(len(letters))])
    except KeyError:
        return None  # a transpose
    names = [f"in{k}" for k in range(len(letters))] + [f"out{k}" for k in range(len(outputs))]
    stores = [f"    tl.store(out{k} + i, {result.name}.to({STORED[dtype]}), mask=mask)"
              for k, (result, dtype) in enumerate(zip(results, outputs))]
    return "\n".join(["import triton", "import triton.language as tl",
                      "from triton.language.extra.cuda import libdevice", "", "", "@triton.jit",
                      f"def kernel({', '.join(names)}, n, cols, BLOCK: tl.constexpr):",
                      "    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)", "    mask = i < n",
                      *loads, *(f"    {name} = {text}" for name, text in lines), *stores, ""])


def load(workload, text, folder):
    path = os.path.join(folder, f"{workload}.py")
    with open(path, "w") as file:
        file.write(text)
    spec = importlib.util.spec_from_file_location(f"triton_{workload}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.kernel


class TritonPeer:
    def __init__(self, device):
        if device == "cpu":
            raise Unavailable("Triton has no CPU")
        self.device, self.version = device, f"Triton {triton.__version__}"
        self.folder = tempfile.mkdtemp(prefix="ew-triton")

    def prepare(self, workload, sets):
        types = output_types(workload, sets[0])
        text = source(workload, types)
        if text is None:
            raise Unavailable("the kernel is over one index, without views")
        kernel = load(workload, text, self.folder)
        shape = data.result_shape(sets[0])
        n = shape.numel()

        def runner(block, warps):
            def run(inputs):
                outputs = [torch.empty(shape, device=self.device, dtype=dtype) for dtype in types]
                kernel[(triton.cdiv(n, block),)](*inputs, *outputs, n, shape[-1], BLOCK=block, num_warps=warps)
                return outputs
            return run
        start = time.perf_counter()
        runner(*SHAPES[0])(sets[0])
        torch.cuda.synchronize()
        self.compile_seconds = time.perf_counter() - start
        best = min(SHAPES, key=lambda shape: min(self.timer(runner(*shape), sets).sample(3)))
        return runner(*best)

    def timer(self, run, sets):
        return data.GraphTimer(run, sets)


def make(name, device):
    data.require_device(device)
    return TritonPeer(device)
