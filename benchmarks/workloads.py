#!/usr/bin/env python3
"""The workloads of the benchmark suite as programs in the ew dialect.

Each workload is a Python function over `Value`s, whose operators and methods
append ops to a program. A number beside a value is a constant of its type; a
size of 1 is stretched.

Without arguments, the programs are written to workloads/NAME.mlir next to this
file; with `-o DIR`, elsewhere; with names, to standard output. With `--inputs`,
what is printed are `ew-run`'s flags for the inputs of the suite.
"""
import argparse
import pathlib
import re


class Program:
    """Text of a function, written as its values are computed."""

    def __init__(self):
        self.lines = []
        self.constants = {}
        self.count = 0

    def emit(self, text):
        name = f"%{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text}")
        return name


class Value:
    """A tensor of `shape`, in which None is a size known only at run time."""

    def __init__(self, program, name, dtype, shape):
        self.program, self.name, self.dtype, self.shape = program, name, dtype, shape

    @property
    def type(self):
        sizes = "".join("?x" if size is None else f"{size}x" for size in self.shape)
        return f"tensor<{sizes}{self.dtype}>"

    def new(self, text, dtype=None, shape=None):
        return Value(self.program, self.program.emit(text), dtype or self.dtype,
                     self.shape if shape is None else shape)

    def stretch(self, like):
        """This value at the shape of `like`."""
        if self.shape == like.shape:
            return self
        full = Value(self.program, "", self.dtype, like.shape).type
        return self.new(f"ew.broadcast {self.name} like({like.name} : {like.type}) : "
                        f"{self.type} to {full}", shape=like.shape)

    def constant(self, number):
        """A number as a tensor of this value's type."""
        key = (float(number), self.type)
        constants = self.program.constants
        if key not in constants:
            text = repr(float(number)) if "f" in self.dtype else str(number)
            if "e" in text and "." not in text:  # MLIR wants a point
                text = text.replace("e", ".0e")
            scalar = self.program.emit(f"ew.constant {text} : {self.dtype}")
            constants[key] = self.new(f"ew.broadcast {scalar} like({self.name} : {self.type}) : "
                                      f"{self.dtype} to {self.type}")
        return constants[key]

    def unary(self, op, attributes=""):
        return self.new(f"ew.{op} {self.name}{attributes} : {self.type}")

    def apply(self, op, *others):
        """An op on operands of one type: numbers and smaller shapes are brought there."""
        values = [self, *(v if isinstance(v, Value) else self.constant(v) for v in others)]
        # The one that is stretched least has the shape of the result.
        full = min(values, key=lambda v: sum(size == 1 for size in v.shape))
        values = [v.stretch(full) for v in values]
        names = ", ".join(v.name for v in values)
        return values[0].new(f"ew.{op} {names} : {values[0].type}")

    def __add__(self, other): return self.apply("add", other)
    def __sub__(self, other): return self.apply("sub", other)
    def __mul__(self, other): return self.apply("mul", other)
    def __truediv__(self, other): return self.apply("div", other)
    def __radd__(self, number): return self.constant(number).apply("add", self)
    def __rsub__(self, number): return self.constant(number).apply("sub", self)
    def __rmul__(self, number): return self.constant(number).apply("mul", self)
    def __neg__(self): return self.unary("neg")

    def __getattr__(self, op):
        """x.exp() and the like: ew.exp on this value."""
        if op.startswith("_"):
            raise AttributeError(op)
        return lambda *others: self.apply(op, *others)

    def gelu_tanh(self): return self.unary("gelu", " approximate(tanh)")

    def cast(self, dtype):
        to = Value(self.program, "", dtype, self.shape)
        return self.new(f"ew.cast {self.name} : {self.type} to {to.type}", dtype=dtype)

    def transpose(self):
        return self.new(f"ew.transpose {self.name} [1, 0] : {self.type} to {self.type}")


WORKLOADS = {}

# An input is its type, as in `bf16[r,1]`, whether every other element of its
# rows is taken (`:2`), and the range of its values where it isn't -3 to 3.
INPUT = re.compile(r"(\w+)\[([\w,]+)\](:2)?(?:=(.*))?")


def get_sizes(scale):
    """What the sizes' letters stand for: 2**scale elements of 4 bytes in a full
    tensor, or twice as many (n2; r2 rows) of 2 bytes."""
    n = 1 << scale
    rows = max(n // 4096, 1)
    return {"n": n, "n2": 2 * n, "r": rows, "r2": 2 * rows, "c": min(n, 4096),
            "s": 1 << scale // 2, "1": 1}


def workload(note, *inputs):
    """Registers a function with what its inputs are."""
    def register(function):
        WORKLOADS[function.__name__] = (note, inputs, function)
        return function
    return register


F32, BF16, F16 = "f32[n]", "bf16[n2]", "f16[n2]"

# ---- Ten typical combinations


@workload("exp(sin(x * y))", F32, F32)
def mul_sin_exp_f32(x, y): return (x * y).sin().exp()


@workload("x + y", F32, F32)
def add_f32(x, y): return x + y


@workload("GELU (its tanh form) after a bias of one row", "bf16[r2,c]", "bf16[1,c]")
def bias_gelu_tanh_bf16(x, bias): return (x + bias).gelu_tanh()


@workload("GELU, exact", BF16)
def gelu_erf_bf16(x): return x.gelu()


@workload("SwiGLU: silu(a) * b", BF16, BF16)
def swiglu_bf16(a, b): return a.silu() * b


@workload("Scale, mask, dropout and residual", BF16, "ui8[n2]=0:1", BF16)
def scale_mask_dropout_residual_bf16(x, keep, residual):
    scaled = x.cast("f32") * keep.cast("f32") * 1.1111
    return (scaled + residual.cast("f32")).cast("bf16")


@workload("What follows the statistics of a layer norm: columns of means and of\n"
          "// reciprocal deviations, rows of gains and biases",
          "bf16[r2,c]", "f32[r2,1]", "f32[r2,1]=0.5:3", "bf16[1,c]", "bf16[1,c]")
def norm_affine_bf16(x, mean, rstd, gain, bias):
    normal = (x.cast("f32") - mean) * rstd
    return (normal * gain.cast("f32") + bias.cast("f32")).cast("bf16")


@workload("Binary cross entropy of logits, in its stable form", F32, F32 + "=0:1")
def bce_with_logits_f32(x, y):
    return x.max(0.0) - x * y + (-x.abs()).exp().log1p()


def adamw(p, g, m, v):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p * 0.9999 - 0.001 * m / (v.sqrt() + 1e-8), m, v


@workload("One step of AdamW: parameters, gradients, both moments", F32, F32, F32, F32 + "=0.01:3")
def adamw_f32(p, g, m, v): return adamw(p, g, m, v)


@workload("A feature cross: a column times a full tensor, a row, a residual",
          "f32[r,c]", "f32[r,1]", "f32[1,c]", "f32[r,c]")
def feature_cross_f32(x0, xw, bias, x): return x0 * xw + bias + x


# ---- Formats, layouts, several outputs, depth


@workload("Little but reading and writing", F32)
def copy_f32(x): return x * 1.0001


@workload("GELU (its tanh form)", F16)
def gelu_tanh_f16(x): return x.gelu_tanh()


@workload("x + y", BF16, BF16)
def add_bf16(x, y): return x + y


@workload("AdamW with gradients and the first moment in bf16, and a bf16 copy of the parameters",
          F32, "bf16[n]", "bf16[n]", F32 + "=0.01:3")
def adamw_mixed(p, g, m, v):
    p, m, v = adamw(p, g.cast("f32"), m.cast("f32"), v)
    return p, m.cast("bf16"), v, p.cast("bf16")


@workload("Quantization to i8 with a scale and a zero point", F16)
def quantize_i8(x):
    scaled = (x.cast("f32") * 31.7).round_even() + 3.0
    return scaled.clamp(-128.0, 127.0).cast("i8")


@workload("Dequantization with a scale for each column", "i8[r2,c]=-128:127", "f32[1,c]")
def dequantize_i8_col(q, scale): return ((q.cast("f32") - 3.0) * scale).cast("bf16")


@workload("To f8E4M3FN, scaled and clamped", BF16)
def cast_f8e4m3(x): return (x.cast("f32") * 16.0).clamp(-448.0, 448.0).cast("f8E4M3FN")


@workload("Rotary embedding: a rotation by angles given as rows of cosines and sines",
          "bf16[r2,c]", "bf16[r2,c]", "bf16[1,c]", "bf16[1,c]")
def rope_bf16(a, b, cos, sin): return a * cos - b * sin, b * cos + a * sin


@workload("x plus the transpose of y", "f32[s,s]", "f32[s,s]")
def transpose_add_f32(x, y): return x + y.transpose()


@workload("x * y, where x is a view that takes every other element of its rows",
          "f32[s,s]:2", "f32[s,s]")
def strided_mul_f32(x, y): return x * y


def chain(x, length):
    for i in range(length // 2):
        x = x * (1.0 - 0.001 * i) + 0.01 * i
    return x


@workload("32 ops on one value", F32)
def chain32_f32(x): return chain(x, 32)


@workload("128 ops on one value", F32)
def chain128_f32(x): return chain(x, 128)


@workload("More arithmetic than memory traffic", F32)
def transcendental_f32(x): return (x.abs() + 1.0).log().sin().exp().tanh() * x.cos().erf()


@workload("Black and Scholes' prices of a call and a put",
          F32 + "=5:30", F32 + "=1:100", F32 + "=0.25:10")
def black_scholes_f32(spot, strike, time):
    rate, volatility = 0.02, 0.3

    def normal(d): return 0.5 * (1.0 + (d * 0.5 ** 0.5).erf())
    deviation = volatility * time.sqrt()
    d1 = ((spot / strike).log() + (rate + 0.5 * volatility * volatility) * time) / deviation
    d2 = d1 - deviation
    discounted = strike * (-rate * time).exp()
    return (spot * normal(d1) - discounted * normal(d2),
            discounted * normal(-d2) - spot * normal(-d1))


def to_mlir(name):
    note, inputs, function = WORKLOADS[name]
    program = Program()
    arguments = []
    parameters = function.__code__.co_varnames[:function.__code__.co_argcount]
    for parameter, text in zip(parameters, inputs):
        dtype, letters, _, _ = INPUT.fullmatch(text).groups()
        shape = tuple(1 if letter == "1" else None for letter in letters.split(","))
        arguments.append(Value(program, f"%{parameter}", dtype, shape))
    results = function(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    types = ", ".join(value.type for value in results)
    names = ", ".join(value.name for value in results)
    header = ", ".join(f"{a.name}: {a.type}" for a in arguments)
    return "\n".join([
        f"// {note}.",
        f"func.func @{name}({header})",
        f"    -> {types if len(results) == 1 else f'({types})'} {{",
        *program.lines,
        f"  return {names} : {types}",
        "}", ""])


def to_flags(name, scale):
    """The inputs of a workload as `ew-run` takes them."""
    flags = []
    for text in WORKLOADS[name][1]:
        dtype, letters, every_other, limits = INPUT.fullmatch(text).groups()
        shape = [get_sizes(scale)[letter] for letter in letters.split(",")]
        view = f",strides={2 * shape[1]}:2" if every_other else ""
        flags.append(f"--input={'x'.join(map(str, shape))}x{dtype}{view}=random:{limits or '-3:3'}")
    return " ".join(flags)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="print these instead of writing files")
    parser.add_argument("-o", "--output", type=pathlib.Path,
                        default=pathlib.Path(__file__).parent / "workloads", help="where to write NAME.mlir")
    parser.add_argument("--inputs", action="store_true", help="print the inputs' flags instead of the programs")
    parser.add_argument("--scale", type=int, default=26, help="logarithm of the number of elements (default: 26)")
    options = parser.parse_args()
    for name in options.names:
        if name not in WORKLOADS:
            parser.error(f"no workload {name}; there are: {', '.join(WORKLOADS)}")
    if options.inputs:
        for name in options.names or WORKLOADS:
            print(f"{name} {to_flags(name, options.scale)}")
        return
    if options.names:
        print("\n// -----\n\n".join(map(to_mlir, options.names)), end="")
        return
    options.output.mkdir(parents=True, exist_ok=True)
    for name in WORKLOADS:
        (options.output / f"{name}.mlir").write_text(to_mlir(name))


if __name__ == "__main__":
    main()
