"""What a user would take in place of EW, on the workloads of the suite.

A peer computes the same definition (workloads.py) with its own operations, is judged against float64 and then
timed. `make(name)` gives a peer, or raises Unavailable with the reason.

| peer | is | timed by |
|---|---|---|
| eager | PyTorch, an op after the other | CUDA graphs over rotating buffers |
| eager-ops | the same with activations spelled out in add, mul, exp, erf and tanh | the same |
| compile | torch.compile | the same |
| max-autotune | torch.compile with its search | the same |
| triton | one kernel, written from the definition, the best of nine block sizes and warps | the same |
| cub | cub::DeviceTransform, compiled by nvcc | the same |
| jax | jax.jit | the clock around many calls that are not waited for: launches are in it |

On a CPU all of them are timed by the clock.
"""
import importlib

NAMES = ("eager", "eager-ops", "compile", "max-autotune", "triton", "cub", "jax")
MODULES = {"eager": "torch_peer", "eager-ops": "torch_peer", "compile": "torch_peer", "max-autotune": "torch_peer",
           "triton": "triton_peer", "cub": "cub_peer", "jax": "jax_peer"}


class Unavailable(Exception):
    """A peer that is not installed, or that cannot do a workload."""


def make(name, device):
    try:
        module = importlib.import_module(f"peers.{MODULES[name]}")
    except ImportError as error:
        raise Unavailable(f"cannot be imported: {error}") from None
    return module.make(name, device)
