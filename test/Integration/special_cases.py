"""The special cases of the Python array API standard, read from its own sentences.

`read_rules` turns lines "function TAB sentence" into rules that a tuple of operands meets
or not, and that then say what the result may be. A sentence that isn't understood is
an error, so that none is passed over.
"""
import math
import re

# Sentences that say nothing of a result here, by how they begin: why.
NOT_RULES = {
    ("clip", "If both min and max are None"): "there are always bounds",
    ("clip", "If a broadcasted element in min is greater"): "left open by the standard; ours is in Semantics.md",
    ("clip", "If x has an integral data type"): "operands have one type",
    ("clip", "If either min or max is an array having a different"): "operands have one type",
    # A NaN whose bits are looked at is the canonical one, whose sign is clear.
    ("copysign", "If x2_i is NaN and the sign bit of x2_i is 1"): "a NaN's sign counts as clear",
    ("signbit", "If x_i is NaN and the sign bit of x_i is 1"): "a NaN's sign counts as clear",
}


def is_odd(x):
    return is_whole(x) and x % 2 == 1


def is_whole(x):
    return math.isfinite(x) and x == math.floor(x)


def sign(x):
    return math.copysign(1.0, x)


def same(a, b):
    """One value: zeros by their sign, a NaN like any other."""
    return math.isnan(a) and math.isnan(b) or a == b and sign(a) == sign(b)


NUMBERS = {"NaN": math.nan, "+infinity": math.inf, "-infinity": -math.inf, "+0": 0.0, "-0": -0.0, "1": 1.0}

# What "x is ..." may go on with: whether x is that, given all operands.
PROPERTIES = [
    (r"(?:either )?(\S+) or (\S+)", lambda x, v, a, b: same(x, NUMBERS[a]) or same(x, NUMBERS[b])),
    (r"(NaN|[+-]infinity|[+-]0|1)", lambda x, v, a: same(x, NUMBERS[a])),
    (r"greater than (\d)", lambda x, v, a: x > float(a)),
    (r"less than (\d)", lambda x, v, a: x < float(a)),
    (r"a finite number", lambda x, v: math.isfinite(x)),
    (r"a finite number or NaN", lambda x, v: not math.isinf(x)),
    (r"a nonzero finite number", lambda x, v: math.isfinite(x) and x != 0),
    (r"a positive (?:\(.*\) )?finite number", lambda x, v: math.isfinite(x) and x > 0),
    (r"a negative (?:\(.*\) )?finite number", lambda x, v: math.isfinite(x) and x < 0),
    (r"already integer-valued", lambda x, v: is_whole(x)),
    (r"not equal to (\d)", lambda x, v, a: x != float(a)),
    (r"not NaN", lambda x, v: not math.isnan(x)),
    (r"an odd integer value", lambda x, v: is_odd(x)),
    (r"not an odd integer value", lambda x, v: not is_odd(x)),
    (r"not an integer value", lambda x, v: not is_whole(x)),
    (r"any value, including NaN", lambda x, v: True),
    (r"-(\w+)", lambda x, v, a: same(x, -v[a])),
]


def parse_clause(text):
    """A function of {name: value}."""
    match = re.fullmatch(r"either (\w+) or (\w+) is NaN|(\w+) is NaN or (\w+) is NaN", text)
    if match:
        a, b = [g for g in match.groups() if g]
        return lambda v: math.isnan(v[a]) or math.isnan(v[b])
    match = re.fullmatch(r"(\w+) and (\w+) have (the same|different) mathematical signs?"
                         r"( and are both nonzero finite numbers)?", text)
    if match:
        a, b, how, numbers = match.groups()

        def signs(v):
            if math.isnan(v[a]) or math.isnan(v[b]):
                return False
            if numbers and not all(math.isfinite(v[n]) and v[n] != 0 for n in (a, b)):
                return False
            return (sign(v[a]) == sign(v[b])) == (how == "the same")
        return signs
    match = re.fullmatch(r"(\w+) (equals|does not equal) (\w+)", text)
    if match:
        a, how, b = match.groups()
        return lambda v: (v[a] == v[b]) == (how == "equals")
    match = re.fullmatch(r"the sign bit of (\w+) is ([01])", text)
    if match:
        a, bit = match.groups()
        return lambda v: (sign(v[a]) < 0) == (bit == "1")
    match = re.fullmatch(r"(abs\()?(\w+)\)? is (.*)", text)
    if match:
        absolute, a, rest = match.groups()
        for pattern, test in PROPERTIES:
            found = re.fullmatch(pattern, rest)
            if found:
                return lambda v: test(abs(v[a]) if absolute else v[a], v, *found.groups())
    raise ValueError(f"condition not understood: {text}")


def parse_condition(text):
    parts = re.split(r",? and (?=(?:x\d?_i|abs\(\w+\)) (?:is|equals|does)|the sign bit)|, (?=x\d?_i is)", text)
    clauses = [parse_clause(part) for part in parts]
    return lambda v: all(clause(v) for clause in clauses)


def parse_result(text):
    """A function of (result, {name: value}, precision)."""
    note = re.search(r" \(\*\*note\*\*: libraries may return (\S+) to match", text)
    text = re.sub(r"\.? \(\*\*note.*| If the result is NaN, the \"sign\".*", "", text).rstrip(".")
    if note:
        plain, other = parse_result(text), {"NaN": math.nan, "-1.0": -1.0}[note.group(1)]
        return lambda r, v, p: plain(r, v, p) or same(r, other)
    text = re.sub(r"^is ", "", text)
    match = re.fullmatch(r"NaN(?: with a sign bit of [01])?", text)
    if match:  # which NaN is not specified
        return lambda r, v, p: math.isnan(r)
    if text in ("0", "True", "False", "+1", "-1", "1", "1, even if x1_i is NaN"):
        number = {"True": 1, "False": 0}.get(text, text.split(",")[0])
        return lambda r, v, p: r == float(number)
    if text in NUMBERS:
        return lambda r, v, p: same(r, NUMBERS[text])
    match = re.fullmatch(r"(?:equivalent to )?(-?)(\||abs\()?(x\d?_i)[|)]?", text)
    if match:
        minus, absolute, a = match.groups()

        def operand(r, v, p):
            x = abs(v[a]) if absolute else v[a]
            return same(r, -x if minus else x)
        return operand
    match = re.fullmatch(r"an implementation-dependent approximation to ([+-])(3?)π(?:/(\d))?", text)
    if match:
        s, times, over = match.groups()
        value = float(s + "1") * int(times or 1) * math.pi / int(over or 1)
        return lambda r, v, p: abs(r - value) <= 2 * p * abs(value)
    match = re.fullmatch(r"has a (positive|negative) mathematical sign(?:, unless the result is NaN)?", text)
    if match:
        wanted = 1.0 if match.group(1) == "positive" else -1.0
        return lambda r, v, p: math.isnan(r) or sign(r) == wanted
    if text.startswith("a signed infinity"):
        return lambda r, v, p: math.isinf(r)
    raise ValueError(f"result not understood: {text}")


class Rule:
    def __init__(self, function, text):
        self.function, self.text = function, text
        match = re.fullmatch(r"If (.*?),? the result (?=is |has )(.*)", text)
        if not match:
            raise ValueError(f"no rule: {text}")
        self.applies = parse_condition(match.group(1).rstrip(","))
        self.allows = parse_result(match.group(2))


def read_rules(path):
    """The rules of every function."""
    rules = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            function, text = line.rstrip("\n").replace("``", "").split("\t")
            if not any(function == f and text.startswith(begin) for f, begin in NOT_RULES):
                rules.setdefault(function, []).append(Rule(function, text))
    return rules
