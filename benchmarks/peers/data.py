"""Inputs as torch tensors, the judge, and clocks. The inputs are what `ew-run` gets: the same types, shapes, views
and ranges."""
import math
import statistics
import time

import torch

from peers import Unavailable, values
import workloads

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i8": torch.int8, "ui8": torch.uint8,
         "f8E4M3FN": torch.float8_e4m3fn, "f64": torch.float64}
# Largest relative error (2-norm) of a right result, by the type that it is rounded to; chains of 16-bit ops round
# more than once.
TOLERANCE = {torch.float32: 1e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.int8: 2e-2,
             torch.float8_e4m3fn: 5e-2}


class TorchOps:
    """Methods of workloads.Value in PyTorch: the functions that a user of it would call."""
    exp, sin, cos, log, log1p, tanh, erf, sqrt, abs = (torch.exp, torch.sin, torch.cos, torch.log, torch.log1p,
                                                       torch.tanh, torch.erf, torch.sqrt, torch.abs)
    round_even = torch.round
    gelu = staticmethod(torch.nn.functional.gelu)
    silu = staticmethod(torch.nn.functional.silu)
    clamp = torch.clamp

    def __init__(self, wide=False):
        self.wide = wide  # float64 in place of every other floating-point type

    @staticmethod
    def gelu_tanh(x):
        return torch.nn.functional.gelu(x, approximate="tanh")

    @staticmethod
    def max(x, other):
        return torch.clamp_min(x, other) if isinstance(other, float) else torch.maximum(x, other)

    @staticmethod
    def transpose(x):
        return x.t()

    def cast(self, x, dtype):
        if self.wide and dtype not in ("i8", "ui8"):
            return x.to(torch.float64)
        return x.to(TYPES[dtype])


class SpelledOps(TorchOps):
    """Activations as a formula is written down, not the kernels that PyTorch has for them."""

    @staticmethod
    def gelu(x):
        return 0.5 * x * (1.0 + torch.erf(x * 0.5 ** 0.5))

    @staticmethod
    def gelu_tanh(x):
        return 0.5 * x * (1.0 + torch.tanh((2 / math.pi) ** 0.5 * (x + 0.044715 * x * x * x)))

    @staticmethod
    def silu(x):
        return x * torch.sigmoid(x)


def describe(name, scale):
    """Type, shape, whether every other element is taken, and range, of each input."""
    sizes = workloads.get_sizes(scale)
    for text in workloads.WORKLOADS[name][1]:
        dtype, letters, every_other, limits = workloads.INPUT.fullmatch(text).groups()
        low, high = map(float, (limits or "-3:3").split(":"))
        yield dtype, letters.split(","), [sizes[letter] for letter in letters.split(",")], bool(every_other), low, high


def make_inputs(name, scale, device, seed):
    generator = torch.Generator(device=device).manual_seed(seed)
    tensors = []
    for dtype, _, shape, every_other, low, high in describe(name, scale):
        stored = [*shape[:-1], shape[-1] * (2 if every_other else 1)]
        if dtype in ("i8", "ui8"):
            tensor = torch.randint(int(low), int(high) + 1, stored, generator=generator, device=device,
                                   dtype=TYPES[dtype])
        else:
            tensor = torch.empty(stored, device=device).uniform_(low, high, generator=generator).to(TYPES[dtype])
        tensors.append(tensor[..., ::2] if every_other else tensor)
    return tensors


def result_shape(inputs):
    return torch.broadcast_shapes(*(tensor.shape for tensor in inputs))


def judge(name, inputs, outputs):
    """The largest relative error against float64, over a corner of the results; raises if it is too large."""
    shape = result_shape(inputs)
    corner = [slice(0, min(size, 65536 if len(shape) == 1 else 64)) for size in shape]

    def cut(tensor):
        return tensor[tuple(part if size > 1 else slice(None) for part, size in zip(corner, tensor.shape))]
    truth = values.apply(name, TorchOps(wide=True), [cut(tensor).to(torch.float64) for tensor in inputs])
    worst = 0.0
    for got, right in zip(outputs, truth, strict=True):
        if got.shape != shape:
            raise AssertionError(f"a result of shape {list(got.shape)} instead of {list(shape)}")
        limit = TOLERANCE[got.dtype]
        got, right = cut(got).to(torch.float64), right.to(torch.float64)
        error = ((got - right).norm() / (right.norm() + 1e-30)).item()
        if not error <= limit:
            raise AssertionError(f"wrong: relative error {error:.2g}, at most {limit:.2g}")
        worst = max(worst, error)
    return worst


def summarize(samples):
    ordered = sorted(samples)

    def at(rank):
        return ordered[round(rank * (len(ordered) - 1))]
    return {"median_us": at(0.5) * 1e6, "p20_us": at(0.2) * 1e6, "p80_us": at(0.8) * 1e6}


def count_sets(moved, device):
    """As EW rotates its buffers: three times the last cache, but no more than 512 sets."""
    if device == "cpu":
        return 2
    cache = torch.cuda.get_device_properties(0).L2_cache_size
    return max(2, min(512, 3 * cache // max(moved, 1) + 1))


class GraphTimer:
    """Device time of `run(set)`: a CUDA graph of a rotation, replayed. Results stay alive in it, so that each call
    writes to memory of its own."""

    def __init__(self, run, sets, min_seconds=1e-3):
        self.stream = torch.cuda.Stream()
        self.launches = len(sets)
        with torch.cuda.stream(self.stream):
            run(sets[0])
            torch.cuda.synchronize()
            start = time.perf_counter()
            run(sets[0])
            torch.cuda.synchronize()
            once = time.perf_counter() - start
            self.launches *= max(1, min(32, math.ceil(min_seconds / max(once * len(sets), 1e-6))))
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph, stream=self.stream):
                self.kept = [run(sets[k % len(sets)]) for k in range(len(sets))]
                for k in range(len(sets), self.launches):
                    run(sets[k % len(sets)])
            self.graph.replay()
            torch.cuda.synchronize()

    def sample(self, count=5):
        samples = []
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        with torch.cuda.stream(self.stream):
            for _ in range(count):
                begin.record(self.stream)
                self.graph.replay()
                end.record(self.stream)
                end.synchronize()
                samples.append(begin.elapsed_time(end) * 1e-3 / self.launches)
        return samples


class ClockTimer:
    """Seconds of `run(set)` by the clock, over many calls; `wait` is called at the end of each sample."""

    def __init__(self, run, sets, wait=lambda: None, min_seconds=2e-3):
        self.run, self.sets, self.wait = run, sets, wait
        self.launches = len(sets)
        once = self.sample(1)[0]
        self.launches = max(self.launches, min(1000, math.ceil(min_seconds / max(once, 1e-6))))

    def sample(self, count=5):
        samples = []
        for _ in range(count):
            start = time.perf_counter()
            for k in range(self.launches):
                result = self.run(self.sets[k % len(self.sets)])
            self.wait(result) if self.wait.__code__.co_argcount else self.wait()
            samples.append((time.perf_counter() - start) / self.launches)
        return samples


def host_seconds(run, one, count=200):
    """Of one call that is not waited for."""
    for _ in range(20):
        run(one)
    torch.cuda.synchronize()
    taken = []
    for _ in range(count):
        start = time.perf_counter()
        run(one)
        taken.append(time.perf_counter() - start)
    torch.cuda.synchronize()
    return statistics.median(taken)


def make_timer(run, sets, device):
    return ClockTimer(run, sets) if device == "cpu" else GraphTimer(run, sets)


def require_device(device):
    if device != "cpu" and not torch.cuda.is_available():
        raise Unavailable("torch sees no CUDA device")
