"""Prints a function of COUNT results of f64, each a sine of sums of those before it: all of them are alive until they are stored."""
import sys

count, tensor = int(sys.argv[1]), "tensor<?xf64>"
results = ", ".join(f"%r{i}" for i in range(count)), ", ".join([tensor] * count)
print(f"func.func @sines(%x: {tensor}, %y: {tensor}) -> ({results[1]}) {{\n  %a0 = ew.mul %x, %y : {tensor}")
for i in range(count):
    print(f"  %r{i} = ew.sin %a{i} : {tensor}\n  %a{i + 1} = ew.add %a{i}, %r{i} : {tensor}")
print(f"  return {results[0]} : {results[1]}\n}}")
