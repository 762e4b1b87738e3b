"""PyTorch: eager, eager with activations spelled out, torch.compile, and torch.compile with max-autotune."""
import time

import torch

import workloads
from peers import data, values

MODES = {"compile": None, "max-autotune": "max-autotune-no-cudagraphs"}


class TorchPeer:
    def __init__(self, name, device):
        self.name, self.device = name, device
        self.version = f"PyTorch {torch.__version__}"

    def covers(self, workload):
        """Without an activation, spelling them out changes nothing."""
        ops = workloads.WORKLOADS[workload][2].__code__.co_names
        return self.name != "eager-ops" or bool({"gelu", "gelu_tanh", "silu"} & set(ops))

    def prepare(self, workload, sets):
        """What to call on a set of inputs; fills `compile_seconds`."""
        ops = data.SpelledOps() if self.name == "eager-ops" else data.TorchOps()

        def plain(*inputs):
            return values.apply(workload, ops, inputs)
        function = plain
        self.compile_seconds = None
        if self.name in MODES:
            torch._dynamo.reset()
            function = torch.compile(plain, mode=MODES[self.name], dynamic=False)
            start = time.perf_counter()
            function(*sets[0])
            if self.device != "cpu":
                torch.cuda.synchronize()
            self.compile_seconds = time.perf_counter() - start
        return lambda inputs: function(*inputs)

    def timer(self, run, sets):
        return data.make_timer(run, sets, self.device)


def make(name, device):
    data.require_device(device)
    return TorchPeer(name, device)
