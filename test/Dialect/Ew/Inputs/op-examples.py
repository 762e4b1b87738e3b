"""Prints the example of every op's description as a module that ew-opt parses.

usage: op-examples.py INCLUDE_DIR [tensor|vector|scalar]

One function per line of an example. Its arguments are the values that the line
uses; their types are those that the line's own types say. `vector` and `scalar`
print the elementwise ops alone, at those shapes, for every element type that the
op takes.
"""

import json
import re
import subprocess
import sys

include, form = sys.argv[1], (sys.argv[2:] or ["tensor"])[0]
llvm_include = subprocess.check_output(["llvm-config", "--includedir"], text=True).strip()
records = json.loads(
    subprocess.check_output(
        ["llvm-tblgen", "-dump-json", f"-I{include}", f"-I{llvm_include}",
         f"{include}/ew/Dialect/Ew/IR/EwOps.td"]
    )
)

ELEMENT = r"(\w+|complex<\w+>)"
SPELLING = {"UI": "ui", "BF": "bf", "F8": "f8", "I": "i", "F": "f"}


def spell(record_name):
    """F8E4M3FN -> f8E4M3FN"""
    prefix = next(p for p in SPELLING if record_name.startswith(p))
    return SPELLING[prefix] + record_name[len(prefix):]


def element_types(constraint):
    """The element types of a `Ew_Like` or an element constraint."""
    record = records[constraint]
    if "Complex" in record["!superclasses"]:
        return [f"complex<{spell(record['elementType']['def'])}>"]
    if "Ew_Like" in record["!superclasses"]:
        return element_types(record["allowedTypes"][0]["def"])
    if "allowedTypes" in record:
        return [t for part in record["allowedTypes"] for t in element_types(part["def"])]
    if "baseType" in record:
        return element_types(record["baseType"]["def"])
    return [spell(constraint)]


def argument_types(line):
    """The type of each value that a line uses, as its own types say."""
    values = re.findall(r"%\w+", line.split("=", 1)[1] if "=" in line.split("ew.")[0] else line)
    known = dict(re.findall(r"(%\w+) : ([^)]+)\)", line))
    types = line.rsplit(" : ", 1)[1].split(" to ")[0].split(", ")
    for index, value in enumerate(values):
        if value not in known:
            known[value] = types[index] if len(types) == len(values) else types[0]
    if "ew.select" in line:
        shaped = types[0].startswith(("tensor", "vector"))
        known[values[0]] = re.sub(f"x{ELEMENT}>$", "xi1>", types[0]) if shaped else "i1"
    if "ew.complex" in line:
        known = {value: re.sub(r"complex<(\w+)>", r"\1", type) for value, type in known.items()}
    return known


functions = 0


def print_function(line):
    global functions
    arguments = ", ".join(f"{v}: {t}" for v, t in argument_types(line).items())
    print(f"func.func @example_{functions}({arguments}) {{\n  {line}\n  return\n}}")
    functions += 1


def instances(op, line):
    """The line at other shapes and for every element type."""
    shape = {"vector": "vector<4x{}>", "scalar": "{}"}[form]
    if " to " in line:
        # A conversion's two types depend on each other.
        yield re.sub(rf"tensor<\?x{ELEMENT}>", lambda m: shape.format(m[1]), line)
        return
    operands = [c[0]["def"] for c in op["arguments"]["args"]]
    constraint = next(c for c in reversed(operands) if c.startswith("Ew_") and c.endswith("Like"))
    for element in element_types(constraint):
        if "ew.complex" in line:
            element = f"complex<{element}>"
        if "complex" in element and form == "vector":
            continue  # there are none
        text = re.sub(rf"tensor<\?x{ELEMENT}>", shape.format(element), line)
        if "ew.cmp" in text and not re.match("b?f", element):
            text = text.replace("olt", "oeq" if "complex" in element else "ne")
        yield text


for name in sorted(records["!instanceof"]["Op"]):
    op = records[name]
    blocks = re.findall(r"```mlir\n(.*?)```", op["description"], re.DOTALL)
    elementwise = any(t["def"] == "Elementwise" for t in op["traits"])
    if not blocks and op["opName"] not in ("launch", "linear_index"):
        sys.exit(f"ew.{op['opName']} has no example")
    for line in "".join(blocks).splitlines():
        if f"ew.{op['opName']} " not in line:
            sys.exit(f"an example of ew.{op['opName']} shows another op: {line}")
        if form == "tensor":
            print_function(line)
        elif elementwise:
            for text in instances(op, line):
                print_function(text)
