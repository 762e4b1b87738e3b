"""JAX: jax.jit. Its arrays are dense, so views and transposes that it would have to copy first are left out."""
import os
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import jax
import jax.numpy as jnp
import torch

from peers import Unavailable, data, values
import workloads

TYPES = {"f32": jnp.float32, "f16": jnp.float16, "bf16": jnp.bfloat16, "f8E4M3FN": jnp.float8_e4m3fn,
         "i8": jnp.int8, "ui8": jnp.uint8}


class JaxOps:
    exp, sin, cos, log, log1p, tanh, sqrt, abs = (jnp.exp, jnp.sin, jnp.cos, jnp.log, jnp.log1p, jnp.tanh, jnp.sqrt,
                                                  jnp.abs)
    erf, max, clamp, round_even, transpose = jax.lax.erf, jnp.maximum, jnp.clip, jnp.round, jnp.transpose
    silu = staticmethod(jax.nn.silu)

    @staticmethod
    def gelu(x): return jax.nn.gelu(x, approximate=False)

    @staticmethod
    def gelu_tanh(x): return jax.nn.gelu(x, approximate=True)

    @staticmethod
    def cast(x, dtype): return x.astype(TYPES[dtype])


def to_torch(array):
    if array.dtype == jnp.float8_e4m3fn:  # not known to DLPack
        return torch.from_dlpack(array.view(jnp.uint8)).view(torch.float8_e4m3fn)
    return torch.from_dlpack(array)


class JaxPeer:
    def __init__(self, device):
        self.device, self.version = device, f"JAX {jax.__version__}"
        if (jax.default_backend() == "cpu") != (device == "cpu"):
            raise Unavailable(f"JAX runs on {jax.default_backend()} here")

    def prepare(self, workload, sets):
        if any(":2" in text for text in workloads.WORKLOADS[workload][1]):
            raise Unavailable("a jax.Array is always dense")
        function = jax.jit(lambda *inputs: values.apply(workload, JaxOps, inputs))
        self.arrays = {id(inputs): [jax.dlpack.from_dlpack(tensor) for tensor in inputs] for inputs in sets}
        start = time.perf_counter()
        jax.block_until_ready(function(*self.arrays[id(sets[0])]))
        self.compile_seconds = time.perf_counter() - start
        self.function = function
        return lambda inputs: [to_torch(result) for result in function(*self.arrays[id(inputs)])]

    def timer(self, run, sets):
        """Without the way to torch; the device works off what is dispatched."""
        return data.ClockTimer(lambda inputs: self.function(*self.arrays[id(inputs)]), sets,
                               wait=lambda result: jax.block_until_ready(result))


def make(name, device):
    data.require_device(device)
    return JaxPeer(device)
