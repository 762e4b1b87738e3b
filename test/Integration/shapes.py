#!/usr/bin/env python3
"""Runs kernels over sizes, shapes and views through ew-run and judges them by the oracle.

  shapes.py --device=cpu [--jobs=2] [--only=TEXT]
  shapes.py --device=cuda --large        # rows of more than 2^31 elements: 30 GB of memory on either side

Sizes around the width of a vector and a block, rows of odd length, operands that start off an
alignment, stepped, reversed, transposed and stretched views, sizes of 0 and rank 0. Every result is
judged whole. Ends with a summary; the exit code is 1 if anything was wrong.
"""
import argparse
import itertools
import os
import shutil
import sys
import tempfile

import ewrun


def function(arguments, body, result, in_place=False):
    """The text of @f; arguments are types of %x0, %x1, ..., the value returned is %r. In place: of %x0."""
    names = ", ".join(f"%x{i}: {t}{' {ew.inplace = 0}' if in_place and i == 0 else ''}" for i, t in enumerate(arguments))
    return f"func.func @f({names}) -> {result} {{\n{body}\n  return %r : {result}\n}}\n"


def stretch(name, operand, operand_type, like, like_type):
    return (f"  {name} = ew.broadcast {operand} like({like} : {like_type}) : {operand_type} to {like_type}")


def dense(element, op="add", in_place=False):
    t = f"tensor<?x{element}>"
    return function([t, t], f"  %r = ew.{op} %x0, %x1 : {t}", t, in_place)


def mixed():
    f, b, q = "tensor<?xf32>", "tensor<?xbf16>", "tensor<?xi8>"
    return function([f, b, q], f"  %0 = ew.cast %x1 : {b} to {f}\n  %1 = ew.cast %x2 : {q} to {f}\n"
                    f"  %2 = ew.fma %x0, %0, %1 : {f}\n  %r = ew.cast %2 : {f} to tensor<?xf64>", "tensor<?xf64>")


def boolean():
    t, b = "tensor<?xf32>", "tensor<?xi1>"
    return function([t, t, b], f"  %0 = ew.cmp olt, %x0, %x1 : {t}\n  %r = ew.xor %0, %x2 : {b}", b)


def broadcast(shape, element="f32", in_place=False):
    full, part = f"tensor<?x?x{element}>", f"tensor<{shape}x{element}>"
    return function([full, part], stretch("%0", "%x1", part, "%x0", full) + f"\n  %r = ew.mul %x0, %0 : {full}", full,
                    in_place)


def middle():
    full, part = "tensor<?x?x?xf32>", "tensor<?x1xf32>"
    return function([full, part], stretch("%0", "%x1", part, "%x0", full) + f"\n  %r = ew.sub %x0, %0 : {full}", full)


def both_ways():
    t = "tensor<?x?xf32>"
    body = (stretch("%0", "%x0", t, "%x1", t) + "\n" + stretch("%1", "%x1", t, "%x0", t) +
            f"\n  %r = ew.add %0, %1 : {t}")
    return function([t, t], body, t)


def transpose(permutation, element="f32", in_place=False):
    t = "tensor<" + "?x" * len(permutation) + f"{element}>"
    return function([t, t], f"  %0 = ew.transpose %x1 {list(permutation)} : {t} to {t}\n"
                    f"  %r = ew.add %x0, %0 : {t}", t, in_place)


def elementwise(rank, element="f32"):
    t = "tensor<" + "?x" * rank + f"{element}>"
    return function([t, t], f"  %r = ew.sub %x0, %x1 : {t}", t)


def iota():
    t = "tensor<?x?xi32>"
    return function([t], f"  %0 = ew.iota dimension(0) like(%x0 : {t}) : {t}\n"
                    f"  %1 = ew.iota dimension(1) like(%x0 : {t}) : {t}\n  %2 = ew.mul %0, %1 : {t}\n"
                    f"  %r = ew.add %2, %x0 : {t}", t)


def places():
    """What every element's coordinates are, where a thread takes several rows."""
    t, part = "tensor<?x?x?xi16>", "tensor<?xi16>"
    lines = [f"  %i{d} = ew.iota dimension({d}) like(%x0 : {t}) : {t}" for d in range(3)]
    lines += [stretch("%row", "%x1", part, "%x0", t), f"  %0 = ew.mul %x0, %row : {t}", f"  %1 = ew.mul %0, %i1 : {t}",
              f"  %2 = ew.xor %1, %i0 : {t}", f"  %r = ew.add %2, %i2 : {t}"]
    return function([t, part], "\n".join(lines), t)


def spec(shape, element, strides=None, offset=None, seed=0):
    text = "".join(f"{n}x" for n in shape) + element
    if strides is not None:
        text += ",strides=" + ":".join(map(str, strides))
    if offset is not None:
        text += f",offset={offset}"
    limits = {"i1": "", "i8": ":-128:127", "i16": ":-1000:1000", "i32": ":-1000:1000"}.get(element, ":-3:3")
    return f"{text}=random{limits}" + (f":{seed}" if limits else "")


def strides_of(shape, order):
    """Strides of a dense tensor whose dimensions lie in memory in this order."""
    strides, step = [0] * len(shape), 1
    for dim in reversed(order):
        strides[dim], step = step, step * max(shape[dim], 1)
    return strides


def make_cases():
    """(name, program, inputs)"""
    sizes = [0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 15, 16, 17, 19, 31, 33, 35, 255, 1023, 1024, 1025, 2048, 2049, 4099, 16397]
    for n in sizes:
        for element in ("f32", "bf16", "f64"):
            yield f"dense {element} {n}", dense(element), [spec([n], element), spec([n], element, seed=1)]
        yield f"dense i8 {n}", dense("i8"), [spec([n], "i8"), spec([n], "i8", seed=1)]
        yield f"mixed {n}", mixed(), [spec([n], "f32"), spec([n], "bf16"), spec([n], "i8")]
        yield f"boolean {n}", boolean(), [spec([n], "f32"), spec([n], "f32", seed=1), spec([n], "i1")]
    for element, offset in itertools.product(("f32", "bf16", "i8"), (1, 2, 3, 5, 8, 15)):
        for n in (1, 5, 1025):
            yield (f"offset {element} {offset} {n}", dense(element),
                   [spec([n], element, [1], offset), spec([n], element, seed=1)])
            yield (f"offset second {element} {offset} {n}", dense(element),
                   [spec([n], element), spec([n], element, [1], offset, seed=1)])
    for rows, cols in itertools.product((0, 1, 2, 3, 36, 37), (0, 1, 2, 4, 7, 8, 31, 32, 1184, 1185)):
        for element in ("f32", "bf16"):
            for part, shape in (("?", [cols]), ("1x?", [1, cols]), ("?x1", [rows, 1]), ("1x1", [1, 1])):
                yield (f"broadcast {part} {element} {rows}x{cols}", broadcast(part, element),
                       [spec([rows, cols], element), spec(shape, element, seed=1)])
    for shape in ([2, 3, 5], [4, 8, 16], [1, 7, 33], [3, 1, 8]):
        yield f"middle {shape}", middle(), [spec(shape, "f32"), spec([shape[1], 1], "f32", seed=1)]
    for a, b in (([1, 5], [4, 1]), ([4, 1], [4, 5]), ([1, 1], [3, 8]), ([3, 8], [3, 8]), ([1, 1], [1, 1]), ([1, 4], [0, 4])):
        yield f"both ways {a} {b}", both_ways(), [spec(a, "f32"), spec(b, "f32", seed=1)]
    for rows, cols in ((1, 1), (2, 3), (32, 32), (33, 65), (64, 64), (127, 129), (0, 4), (1, 300), (300, 1), (31, 1025)):
        for element in ("f32", "bf16", "i8", "f64"):
            yield (f"transpose {element} {rows}x{cols}", transpose((1, 0), element),
                   [spec([rows, cols], element), spec([cols, rows], element, seed=1)])
            yield (f"column-major {element} {rows}x{cols}", elementwise(2, element),
                   [spec([rows, cols], element), spec([rows, cols], element, strides_of([rows, cols], (1, 0)), seed=1)])
    for permutation in itertools.permutations(range(3)):
        shape = [5, 33, 40]
        yield (f"permuted {permutation}", transpose(permutation),
               [spec([shape[p] for p in permutation], "f32"), spec(shape, "f32", seed=1)])
        yield (f"stored {permutation}", elementwise(3),
               [spec(shape, "f32"), spec(shape, "f32", strides_of(shape, permutation), seed=1)])
    shape = [2, 3, 2, 3, 2, 3, 2, 2, 3]
    for permutation in ((8, 7, 6, 5, 4, 3, 2, 1, 0), (0, 2, 1, 4, 3, 6, 5, 8, 7), (1, 0, 2, 3, 4, 5, 6, 7, 8)):
        yield (f"rank 9 {permutation}", transpose(permutation),
               [spec([shape[p] for p in permutation], "f32"), spec(shape, "f32", seed=1)])
    for rows, cols in ((1, 5), (7, 64), (33, 127)):
        for name, strides in (("every other", [2 * cols, 2]), ("padded rows", [cols + 3, 1]), ("reversed", [cols, -1]),
                              ("upside down", [-cols, 1]), ("one row", [0, 1]), ("one column", [1, 0]), ("one element", [0, 0]),
                              ("every third row", [3 * cols, 1])):
            yield (f"{name} {rows}x{cols}", elementwise(2),
                   [spec([rows, cols], "f32"), spec([rows, cols], "f32", strides, seed=1)])
    for shape in ([3, 4, 16], [1, 6, 1032], [5, 2, 8], [4, 3, 16], [2, 2, 20], [0, 2, 8]):
        yield f"places {shape}", places(), [spec(shape, "i16"), spec(shape[2:], "i16", seed=1)]
    for n, m in ((0, 3), (1, 1), (5, 7), (64, 65)):
        yield f"iota {n}x{m}", iota(), [spec([n, m], "i32")]
    for element in ("f32", "bf16", "i8"):
        for n, offset in itertools.product((0, 1, 7, 1025, 4099), (0, 1)):
            yield (f"in place {element} {offset} {n}", dense(element, in_place=True),
                   [spec([n], element, [1], offset), spec([n], element, seed=1)])
        yield (f"in place, stepped {element}", dense(element, in_place=True),
               [spec([1025], element, [3]), spec([1025], element, [-2], seed=1)])
        for shape in ([33, 64], [33, 65]):
            yield (f"in place, row {element} {shape}", broadcast("?", element, in_place=True),
                   [spec(shape, element), spec(shape[1:], element, seed=1)])
            yield (f"in place, transpose {element} {shape}", transpose((1, 0), element, in_place=True),
                   [spec(shape, element), spec(shape[::-1], element, seed=1)])
            yield (f"in place, column-major {element} {shape}", transpose((1, 0), element, in_place=True),
                   [spec(shape, element, strides_of(shape, (1, 0))), spec(shape[::-1], element, seed=1)])
    t = "tensor<f32>"
    yield "rank 0, in place", function([t, t], f"  %r = ew.add %x0, %x1 : {t}", t, True), [spec([], "f32"), spec([], "f32", seed=1)]
    yield "rank 0", function([t, t], f"  %r = ew.add %x0, %x1 : {t}", t), [spec([], "f32"), spec([], "f32", seed=1)]
    t = "tensor<?xf32>"
    yield ("number", function([t, "f32"], f"  %0 = ew.broadcast %x1 like(%x0 : {t}) : f32 to {t}\n"
                              f"  %r = ew.mul %x0, %0 : {t}", t), [spec([77], "f32"), "f32=1.5"])


def make_large_cases(n):
    """(name, program, inputs); judged by a sample."""
    yield "large row", broadcast("?", "i8"), [spec([2, n], "i8"), spec([n], "i8", seed=1)]
    yield "large column", broadcast("?x1", "i8"), [spec([2, n], "i8"), spec([2, 1], "i8", seed=1)]
    yield "large transpose", transpose((1, 0), "i8"), [spec([2, n], "i8"), spec([n, 2], "i8", seed=1)]
    yield "large, in place", dense("i8", in_place=True), [spec([2 * n + 1], "i8"), spec([2 * n + 1], "i8", seed=1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ew-run", default="ew-run", help="the ew-run to use (default: that on PATH)")
    parser.add_argument("--device", default="cpu", help="cpu, emulated, cuda, ... (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=ewrun.default_jobs(),
                        help="processes at once (default: %(default)s)")
    parser.add_argument("--only", default="", help="cases whose name has this text")
    parser.add_argument("--large", nargs="?", type=int, const=2**31 + 5, help="only kernels over rows of so many elements")
    args = parser.parse_args()
    if args.large:
        args.jobs = 1
    folder = tempfile.mkdtemp(prefix="ew-shapes-")
    programs = {}
    cases = []
    for name, text, inputs in make_large_cases(args.large) if args.large else make_cases():
        if args.only in name:
            path = programs.setdefault(text, os.path.join(folder, f"{len(programs)}.mlir"))
            cases.append((name, path, inputs))
    for text, path in programs.items():
        with open(path, "w") as file:
            file.write(text)

    def run(case):
        name, path, inputs = case
        # Few elements have versions of their own, which are tried as well.
        for flags in {(), tuple(ewrun.for_many(args.device))}:
            done = pool.run([path, f"--device={args.device}", *flags, "--check", "--check-limit=1000000",
                             *(f"--input={i}" for i in inputs)])
            if done.returncode:
                break
        return name, inputs, done

    failed = 0
    with ewrun.Pool(args.ew_run, args.jobs) as pool:
        for name, inputs, done in pool.map(run, cases):
            if done.returncode:
                failed += 1
                print(f"FAIL {name} on {args.device}: exit code {done.returncode}: {' '.join(inputs)}\n  "
                      + "\n  ".join((done.stdout + done.stderr).strip().splitlines()[:6]), flush=True)
    shutil.rmtree(folder)
    print(f"shapes on {args.device}: {len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
