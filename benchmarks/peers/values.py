"""The workloads' definitions on other systems' values."""
import workloads

# Workloads are functions of values with operators and methods; a system says what those do.


class Value:
    """A value of a system. `ops` has a function for each method, `cast` and `transpose` among them."""

    def __init__(self, ops, value):
        self.ops, self.value = ops, value

    def new(self, value):
        return type(self)(self.ops, value)

    def raw(self, other):
        return other.value if isinstance(other, Value) else other

    def __add__(self, other): return self.new(self.value + self.raw(other))
    def __sub__(self, other): return self.new(self.value - self.raw(other))
    def __mul__(self, other): return self.new(self.value * self.raw(other))
    def __truediv__(self, other): return self.new(self.value / self.raw(other))
    def __radd__(self, other): return self.new(other + self.value)
    def __rsub__(self, other): return self.new(other - self.value)
    def __rmul__(self, other): return self.new(other * self.value)
    def __neg__(self): return self.new(-self.value)

    def __getattr__(self, op):
        if op.startswith("_") or op in ("ops", "value"):
            raise AttributeError(op)
        function = getattr(self.ops, op)
        return lambda *others: self.new(function(self.value, *(self.raw(other) for other in others)))


def apply(name, ops, arguments):
    """The results of a workload on a system's values."""
    results = workloads.WORKLOADS[name][2](*(Value(ops, argument) for argument in arguments))
    results = results if isinstance(results, tuple) else (results,)
    return tuple(result.value for result in results)


class Text:
    """An expression of C++ or Python, an assignment for each operation."""

    def __init__(self, lines, name, suffix=""):
        self.lines, self.name, self.suffix = lines, name, suffix  # of numbers: "f" in C++

    def emit(self, text):
        name = f"t{len(self.lines)}"
        self.lines.append((name, text))
        return Text(self.lines, name, self.suffix)

    def spell(self, other):
        return other.name if isinstance(other, Text) else repr(float(other)) + self.suffix

    def __add__(self, other): return self.emit(f"{self.name} + {self.spell(other)}")
    def __radd__(self, other): return self.emit(f"{self.spell(other)} + {self.name}")
    def __sub__(self, other): return self.emit(f"{self.name} - {self.spell(other)}")
    def __rsub__(self, other): return self.emit(f"{self.spell(other)} - {self.name}")
    def __mul__(self, other): return self.emit(f"{self.name} * {self.spell(other)}")
    def __rmul__(self, other): return self.emit(f"{self.spell(other)} * {self.name}")
    def __truediv__(self, other): return self.emit(f"{self.name} / {self.spell(other)}")
    def __neg__(self): return self.emit(f"-{self.name}")


class TextOps:
    """Operations as formats with the operands' names: all computed in f32, as Triton's and CUB's kernels do."""

    def __init__(self, formats):
        self.formats = {"gelu": "0.5 * {0} * (1.0 + erf({0} * 0.7071067811865476))",
                        "gelu_tanh": "0.5 * {0} * (1.0 + tanh(0.7978845608028654 * ({0} + 0.044715 * {0} * {0} * {0})))",
                        "silu": "{0} / (1.0 + exp(-{0}))", **formats}

    def cast(self, value, dtype):
        return value

    def __getattr__(self, op):
        if op == "formats":
            raise AttributeError(op)
        text = self.formats[op]
        return lambda value, *others: value.emit(text.format(value.name, *map(value.spell, others)))


def index_of(letters, shapes):
    """How a kernel that runs over one index `i` reads an operand: every element, a column's, a row's."""
    full, cols = shapes
    if len(letters) == 1 or "1" not in letters:
        return "i"
    return f"i / {cols}" if letters[1] == "1" else f"i % {cols}"
