#!/usr/bin/env python3
"""Kinds of faults that other compilers of elementwise programs have had, each as a named test.

  cases.py --device=cpu [--only=TEXT] [--jobs=2] [--list]

A case is a program with its operands and its right results, to the bit (a NaN is a NaN). Those of one
mode run in one function, unless that fails: then each runs for itself. Which fault a case
stands for, and which faults other tests stand for, is in KnownFaults.md. Ends with a summary; the exit code
is 1 if anything was wrong.
"""
import argparse
import os
import re
import struct
import sys
import tempfile

import ewrun
from numerics import BITS, is_nan, pack

CODES = {"f64": ("<d", "<Q"), "f32": ("<f", "<I"), "f16": ("<e", "<H")}
NAN, INF = float("nan"), float("inf")
CHUNK = 12  # cases of one function
CASES = []


class Case:
    """`arguments` and `results`: (sizes and element, e.g. "2x3xf32", values[, view of an input]).
    `body` computes %r0, %r1, ... of %x0, %x1, ...; with `dynamic`, sizes are not known to it."""

    def __init__(self, name, arguments, body, results, mode="default", dynamic=False):
        self.name, self.arguments, self.body, self.results = name, arguments, body, results
        self.mode, self.dynamic = mode, dynamic
        CASES.append(self)

    def type_of(self, spec):
        *sizes, element = spec.split("x")
        if self.dynamic:
            sizes = ["?"] * len(sizes)
        return "tensor<" + "x".join([*sizes, element]) + ">"


def element_of(spec):
    return spec.split("x")[-1]


def count_of(spec):
    count = 1
    for size in spec.split("x")[:-1]:
        count *= int(size)
    return count


def encode(value, element):
    """The bits of a number, or bits as they are, written in hexadecimal."""
    if isinstance(value, str):
        return int(value, 16)
    if element in CODES:
        number, bits = CODES[element]
        encoded = struct.unpack(bits, struct.pack(number, value))[0]
    elif element == "bf16":
        encoded = struct.unpack("<I", struct.pack("<f", value))[0]
        if value == value and encoded & 0xFFFF:
            raise ValueError(f"{value} is no bf16")
        encoded >>= 16
    else:
        encoded = int(value) % (1 << BITS[element])
    return encoded


def encode_all(spec, values):
    element = element_of(spec)
    bits = [encode(v, element) for v in values]
    return bits * count_of(spec) if len(bits) == 1 else bits


def unary(op, element, count):
    return f"  %r0 = ew.{op} %x0 : tensor<{count}x{element}>\n"


def binary(ops, element, count):
    t = f"tensor<{count}x{element}>"
    return "".join(f"  %r{i} = ew.{op} %x0, %x1 : {t}\n" for i, op in enumerate(ops.split()))


# ---- NaN, zeros, algebra ----

for t in ("f16", "bf16", "f32", "f64"):
    x, y = [-3, NAN, -1, 0, 1, NAN], [0, 0, NAN, 0, NAN, NAN]
    Case(f"max and min give a NaN for a NaN on either side, {t}", [(f"6x{t}", x), (f"6x{t}", y)], binary("max min", t, 6),
         [(f"6x{t}", [0, NAN, NAN, 0, NAN, NAN]), (f"6x{t}", [-3, NAN, NAN, 0, NAN, NAN])])
    Case(f"maxnum and minnum pass a NaN over, {t}", [(f"6x{t}", x), (f"6x{t}", y)], binary("maxnum minnum", t, 6),
         [(f"6x{t}", [0, 0, -1, 0, 1, NAN]), (f"6x{t}", [-3, 0, -1, 0, 1, NAN])])
    # Of one element, where one operand is known to be a number.
    Case(f"maxnum and minnum of a number and a NaN, {t}", [("1xi8", [-3]), (f"1x{t}", [NAN])],
         f"  %n = ew.cast %x0 : tensor<1xi8> to tensor<1x{t}>\n"
         + "".join(f"  %r{i} = ew.{op} : tensor<1x{t}>\n"
                   for i, op in enumerate(("maxnum %n, %x1", "maxnum %x1, %n", "minnum %n, %x1", "minnum %x1, %n"))),
         [(f"1x{t}", [-3])] * 4)
    zeros = [(f"4x{t}", [-0.0, 0.0, -0.0, 0.0]), (f"4x{t}", [0.0, -0.0, -0.0, 0.0])]
    Case(f"zeros are ordered by their signs, {t}", zeros, binary("max maxnum min minnum", t, 4),
         [(f"4x{t}", [0.0, 0.0, -0.0, 0.0])] * 2 + [(f"4x{t}", [-0.0, -0.0, -0.0, 0.0])] * 2)

Case("a NaN's bits are the canonical ones", [("2xf32", ["7fab2ac8", "ffc00001"]), ("2xf32", [1.0, 1.0])],
     """  %m = ew.min %x0, %x1 : tensor<2xf32>
  %r0 = ew.bitcast %m : tensor<2xf32> to tensor<2xi32>
  %r1 = ew.signbit %x0 : tensor<2xf32>
  %r2 = ew.copysign %x1, %x0 : tensor<2xf32>
""", [("2xi32", [0x7FC00000] * 2), ("2xi1", [0, 0]), ("2xf32", [1.0, 1.0])])

Case("clamp keeps a whole row of NaNs", [("16x10xf32", [NAN]), ("f32", [-10.0]), ("f32", [10.0])],
     """  %l = ew.broadcast %x1 : tensor<f32> to tensor<16x10xf32>
  %h = ew.broadcast %x2 : tensor<f32> to tensor<16x10xf32>
  %r0 = ew.clamp %x0, %l, %h : tensor<16x10xf32>
""", [("16x10xf32", [NAN])])

Case("a NaN beside an operand of one element", [("3x1xf32", [NAN, 1.0, 20.0]), ("1xf32", [10.0])],
     """  %b = ew.broadcast %x1 like(%x0 : tensor<?x?xf32>) : tensor<?xf32> to tensor<?x?xf32>
  %r0 = ew.min %x0, %b : tensor<?x?xf32>
  %r1 = ew.max %b, %x0 : tensor<?x?xf32>
""", [("3x1xf32", [NAN, 1.0, 10.0]), ("3x1xf32", [NAN, 10.0, 20.0])], dynamic=True)

Case("clamp with its bounds crossed gives the upper one", [("5xf32", [-INF, 0.0, 1.5, 3.0, NAN]), ("5xf32", [2.0]), ("5xf32", [1.0])],
     "  %r0 = ew.clamp %x0, %x1, %x2 : tensor<5xf32>\n", [("5xf32", [1.0, 1.0, 1.0, 1.0, NAN])])

Case("what is no identity for a NaN, an infinity or -0 stays", [("5xf32", [NAN, INF, -INF, -0.0, 2.0])],
     """  %zero = ew.constant dense<0.0> : tensor<5xf32>
  %0 = ew.mul %zero, %x0 : tensor<5xf32>
  %r0 = ew.add %x0, %0 : tensor<5xf32>
  %r1 = ew.sub %x0, %x0 : tensor<5xf32>
  %r2 = ew.add %x0, %zero : tensor<5xf32>
  %r3 = ew.div %x0, %x0 : tensor<5xf32>
  %r4 = ew.cmp oeq, %x0, %x0 : tensor<5xf32>
""", [("5xf32", [NAN, NAN, NAN, -0.0, 2.0]), ("5xf32", [NAN, NAN, NAN, 0.0, 0.0]), ("5xf32", [NAN, INF, -INF, 0.0, 2.0]),
      ("5xf32", [NAN, NAN, NAN, NAN, 1.0]), ("5xi1", [0, 1, 1, 1, 1])])

# What overflows or underflows is a product of finite parts, or a part that is scaled by the other's size. Signs of zeros
# that are exact, or that Annex G's directions give, are part of the result.
for element, big, small in (("f64", 2.0 ** 1023, 2.0 ** -700), ("f32", 2.0 ** 127, 2.0 ** -100)):
    for name, operands, what, rows in (
            ("mul", "%z, %w", "a complex product of an infinity beside parts whose product overflows", [
                ((-INF, big), (-big, -2.0), (INF, INF)),
                ((INF, big), (big, -big), (INF, -INF)),
                ((big, -INF), (1.0, big), (INF, -INF)),
                ((big, big), (-INF, small), (-INF, -INF)),
                ((INF, big), (big, 0.0), (INF, NAN)),
                ((INF, NAN), (big, small), (INF, INF)),
                ((NAN, big), (big, big), (NAN, NAN)),
                ((big, big), (big, big), (0.0, INF))]),
            ("square", "%z", "the complex square of an infinity beside a part whose square overflows", [
                ((INF, big), (0.0, 0.0), (INF, INF)),
                ((-big, INF), (0.0, 0.0), (-INF, -INF)),
                ((-INF, -big), (0.0, 0.0), (INF, INF))]),
            ("div", "%z, %w", "a complex quotient of or by an infinity beside parts of very different sizes", [
                ((0.0, INF), (big, small), (INF, INF)),
                ((INF, 1.0), (big, small), (INF, -INF)),
                ((big, -INF), (small, -big), (INF, -INF)),
                ((INF, NAN), (big, -small), (INF, INF)),
                ((-INF, INF), (big, big), (NAN, INF)),
                ((-big, -small), (INF, 0.0), (-0.0, -0.0)),
                ((big, big), (INF, INF), (0.0, 0.0)),
                ((-small, big), (INF, -INF), (-0.0, 0.0)),
                ((INF, 1.0), (INF, big), (NAN, NAN))]),
            # exp(inf - big pi + inf i)
            ("pow", "%z, %w", "a complex power whose exponent is an infinity beside a product that overflows", [
                ((-INF, 1.0), (1.0, big), (INF, NAN))])):
        columns = [[row[operand][part] for row in rows] for operand in range(3) for part in range(2)]
        spec = f"{len(rows)}x{element}"
        number = f"tensor<{len(rows)}xcomplex<{element}>>"
        body = f"""  %z = ew.complex %x0, %x1 : {number}
  %w = ew.complex %x2, %x3 : {number}
  %c = ew.{name} {operands} : {number}
  %r0 = ew.real %c : {number}
  %r1 = ew.imag %c : {number}
"""
        Case(f"{what}, {element}", [(spec, column) for column in columns[:4]], body,
             [(spec, column) for column in columns[4:]])
    Case(f"complex products that underflow and cancel leave a zero, {element}",
         [(f"2x{element}", [-small, small]), (f"2x{element}", [-small, small])],
         f"""  %z = ew.complex %x0, %x1 : tensor<2xcomplex<{element}>>
  %w = ew.conj %z : tensor<2xcomplex<{element}>>
  %0 = ew.square %z : tensor<2xcomplex<{element}>>
  %1 = ew.mul %z, %w : tensor<2xcomplex<{element}>>
  %c = ew.constant dense<({small!r}, {small!r})> : tensor<2xcomplex<{element}>>
  %2 = ew.mul %z, %c : tensor<2xcomplex<{element}>>
  %r0 = ew.real %0 : tensor<2xcomplex<{element}>>
  %r1 = ew.imag %1 : tensor<2xcomplex<{element}>>
  %r2 = ew.real %2 : tensor<2xcomplex<{element}>>
""",
         [(f"2x{element}", [0.0, 0.0])] * 3)

Case("a NaN that comes of constants", [("2x2xf32", [1.0])],
     """  %0 = ew.atan2 %x0, %x0 : tensor<2x2xf32>
  %1 = ew.log2 %0 : tensor<2x2xf32>
  %r0 = ew.acosh %1 : tensor<2x2xf32>
  %c = ew.constant dense<-1.0> : tensor<2x2xf32>
  %2 = ew.sqrt %c : tensor<2x2xf32>
  %r1 = ew.add %2, %x0 : tensor<2x2xf32>
""", [("2x2xf32", [NAN]), ("2x2xf32", [NAN])])

f01, f09 = 0.10000000149011612, 0.8999999761581421
Case("strict: products that cancel are rounded both", [("2xf32", [f01, 2396747.0]), ("2xf32", [f09, 7.0])],
     """  %0 = ew.mul %x0, %x1 : tensor<2xf32>
  %1 = ew.mul %x1, %x0 : tensor<2xf32>
  %r0 = ew.sub %0, %1 : tensor<2xf32>
  %r1 = ew.div %r0, %r0 : tensor<2xf32>
""", [("2xf32", [0.0, 0.0]), ("2xf32", [NAN, NAN])], mode="strict")
Case("strict: nothing negative under a root for want of rounding", [("3xf32", [0.75, 0.375, 3.0])],
     """  %m = ew.constant dense<-0.25> : tensor<3xf32>
  %p = ew.constant dense<0.25> : tensor<3xf32>
  %0 = ew.div %m, %x0 : tensor<3xf32>
  %1 = ew.mul %0, %x0 : tensor<3xf32>
  %2 = ew.add %1, %p : tensor<3xf32>
  %r0 = ew.sqrt %2 : tensor<3xf32>
""", [("3xf32", [0.0, 0.0, 0.0])], mode="strict")
Case("lerp is an fma of a rounded difference", [("2xf32", [1.0, 16777216.0]), ("2xf32", [f01, 3.0]), ("2xf32", [0.3330000042915344, 1.0])],
     """  %0 = ew.sub %x1, %x0 : tensor<2xf32>
  %1 = ew.fma %x2, %0, %x0 : tensor<2xf32>
  %2 = ew.lerp %x0, %x1, %x2 : tensor<2xf32>
  %3 = ew.bitcast %1 : tensor<2xf32> to tensor<2xi32>
  %4 = ew.bitcast %2 : tensor<2xf32> to tensor<2xi32>
  %r0 = ew.cmp eq, %3, %4 : tensor<2xi32>
""", [("2xi1", [1, 1])], mode="strict")
Case("a square of integers may be negative", [("3xi8", [-128, 12, 7])],
     """  %zero = ew.constant dense<0> : tensor<3xi8>
  %r0 = ew.abs %x0 : tensor<3xi8>
  %r1 = ew.square %x0 : tensor<3xi8>
  %r2 = ew.pow %x0, %x0 : tensor<3xi8>
  %0 = ew.cmp ge, %r1, %zero : tensor<3xi8>
  %1 = ew.cmp ge, %r2, %zero : tensor<3xi8>
  %r3 = ew.select %0, %x0, %zero : tensor<3xi8>
  %r4 = ew.select %1, %x0, %zero : tensor<3xi8>
""", [("3xi8", [-128, 12, 7]), ("3xi8", [0, -112, 49]), ("3xi8", [0, 0, -9]), ("3xi8", [-128, 0, 7]), ("3xi8", [-128, 12, 0])])

# ---- subnormal numbers ----

Case("powers of two down to the least number", [("5xf32", [-126.0, -127.0, -149.0, -150.0, 1.0]), ("5xf32", [2.0])],
     """  %r0 = ew.exp2 %x0 : tensor<5xf32>
  %r1 = ew.pow %x1, %x0 : tensor<5xf32>
""", [("5xf32", [2.0**-126, 2.0**-127, 2.0**-149, 0.0, 2.0])] * 2)
tiny = [2.0**-130, -(2.0**-130), -0.0, 2.0**-133]
for op in ("expm1", "elu", "celu", "sin", "tanh", "asinh", "log1p"):
    Case(f"{op} keeps subnormal numbers", [("4xbf16", tiny)], unary(op, "bf16", 4), [("4xbf16", tiny)])
Case("arithmetic keeps subnormal numbers", [("3xf32", ["000116c2", "00000001", "007fffff"]), ("3xf32", [1.0, 0.5, 2.0])],
     binary("mul add", "f32", 3), [("3xf32", ["000116c2", 0.0, "00fffffe"]), ("3xf32", [1.0, 0.5, 2.0])])

# ---- rounding and casts ----

Case("integers are rounded to 16 bits once", [("3xi32", [16842753, -16842753, 2147483647]), ("2xi64", [2**62 + 2**54 + 1, -1])],
     """  %r0 = ew.cast %x0 : tensor<3xi32> to tensor<3xbf16>
  %r1 = ew.cast %x1 : tensor<2xi64> to tensor<2xbf16>
""", [("3xbf16", ["4b81", "cb81", "4f00"]), ("2xbf16", ["5e81", "bf80"])])
Case("f64 is rounded to 16 bits once", [("2xf64", [1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-8 + 2.0**-40])],
     """  %r0 = ew.cast %x0 : tensor<2xf64> to tensor<2xf16>
  %r1 = ew.cast %x0 : tensor<2xf64> to tensor<2xbf16>
""", [("2xf16", ["3c01", "3c04"]), ("2xbf16", ["3f80", "3f81"])])
Case("a cast to fewer bits and back rounds", [("4xf32", [1 + 2.0**-9, 1 / 7, 65504.0, 70000.0])],
     """  %0 = ew.cast %x0 : tensor<4xf32> to tensor<4xbf16>
  %r0 = ew.cast %0 : tensor<4xbf16> to tensor<4xf32>
  %1 = ew.cast %x0 : tensor<4xf32> to tensor<4xf16>
  %r1 = ew.cast %1 : tensor<4xf16> to tensor<4xf32>
""", [("4xf32", [1.0, 0.142578125, 65536.0, 70144.0]), ("4xf32", [1 + 2.0**-9, 0.142822265625, 65504.0, INF])])
Case("a 16-bit quotient is rounded before it is compared", [("3xbf16", [1.0, 2.0, 5.0]), ("3xbf16", [3.0, 3.0, 7.0]),
                                                           ("3xbf16", ["3eab", "3f2b", "3f37"])],
     """  %0 = ew.div %x0, %x1 : tensor<3xbf16>
  %r0 = ew.cmp oeq, %0, %x2 : tensor<3xbf16>
  %r1 = ew.select %r0, %0, %x1 : tensor<3xbf16>
""", [("3xi1", [1, 1, 1]), ("3xbf16", ["3eab", "3f2b", "3f37"])])
for mode, rest in (("default", 2.0**-11), ("strict", 0.0)):
    Case(f"{mode}: where 16-bit values are rounded", [("1xf16", [1.0]), ("1xf16", [2.0**-11])],
         """  %0 = ew.add %x0, %x1 : tensor<1xf16>
  %r0 = ew.sub %0, %x0 : tensor<1xf16>
  %1 = ew.cast %0 : tensor<1xf16> to tensor<1xf32>
  %2 = ew.cast %1 : tensor<1xf32> to tensor<1xf16>
  %r1 = ew.sub %2, %x0 : tensor<1xf16>
""", [("1xf16", [rest]), ("1xf16", [0.0])], mode=mode)
# The product is 2145 / 1024, halfway between two numbers of f16; in f32 the sum is, too.
Case("a 16-bit fma is rounded once", [("1xf16", [1.03125]), ("1xf16", [2.03125]), ("1xf16", [2.0**-24])],
     "  %r0 = ew.fma %x0, %x1, %x2 : tensor<1xf16>\n", [("1xf16", ["4031"])], mode="strict")
eight = [448.0, 464.0, 465.0, 1000.0, -1000.0, INF, NAN]
Case("8-bit floats overflow as stated", [("7xf32", eight)],
     """  %r0 = ew.cast %x0 : tensor<7xf32> to tensor<7xf8E4M3FN>
  %r1 = ew.cast %x0 saturate : tensor<7xf32> to tensor<7xf8E4M3FN>
  %r2 = ew.cast %x0 : tensor<7xf32> to tensor<7xf8E5M2>
""", [("7xf8E4M3FN", ["7e", "7e", "7f", "7f", "7f", "7f", "7f"]), ("7xf8E4M3FN", ["7e", "7e", "7e", "7e", "fe", "7e", "7f"]),
      ("7xf8E5M2", ["5f", "5f", "5f", "64", "e4", "7c", "7e"])])
floats = [-1.5, -1.0, 0.9, 215.2612, 3e9, NAN, INF, -INF]
Case("floats become integers by one rule", [("8xf32", floats)],
     """  %r0 = ew.cast %x0 : tensor<8xf32> to tensor<8xui32>
  %r1 = ew.cast %x0 : tensor<8xf32> to tensor<8xi8>
  %r2 = ew.cast %x0 wrap : tensor<8xf32> to tensor<8xui32>
  %r3 = ew.cast %x0 wrap : tensor<8xf32> to tensor<8xi8>
""", [("8xui32", [0, 0, 0, 215, 3000000000, 0, 2**32 - 1, 0]), ("8xi8", [-1, -1, 0, 127, 127, 0, 127, -128]),
      ("8xui32", [-1, -1, 0, 215, 3000000000, 0, 0, 0]), ("8xi8", [-1, -1, 0, -41, 0, 0, 0, 0])])

# ---- integers ----

numbers = list(range(-8, 8))
Case("floor_div rounds down", [("16xi64", numbers), ("16xi64", [-2]), ("16xi64", [3])],
     """  %r0 = ew.floor_div %x0, %x1 : tensor<16xi64>
  %r1 = ew.floor_div %x0, %x2 : tensor<16xi64>
  %r2 = ew.mod %x0, %x2 : tensor<16xi64>
""", [("16xi64", [n // -2 for n in numbers]), ("16xi64", [n // 3 for n in numbers]), ("16xi64", [n % 3 for n in numbers])])
zero_body = """  %zero = ew.constant dense<0> : tensor<3xT>
  %r0 = ew.floor_div %x0, %x1 : tensor<3xT>
  %r1 = ew.mod %x0, %x1 : tensor<3xT>
  %r2 = ew.div %x0, %zero : tensor<3xT>
  %r3 = ew.rem %x0, %zero : tensor<3xT>
"""
for t in ("i32", "i64", "ui8"):
    x = [2, -2, 0]
    Case(f"division and remainder by zero, together and of constants, {t}", [(f"3x{t}", x), (f"3x{t}", [0])], zero_body.replace("T", t),
         [(f"3x{t}", [-1]), (f"3x{t}", x), (f"3x{t}", [-1]), (f"3x{t}", x)])
least, divisor = -(2**63), 1189465982
quotient, rest = -(2**63 // divisor), -(2**63 % divisor)
Case("the least integer as dividend and divisor", [("5xi64", [least, least, least + 1, 1, least]), ("5xi64", [-1, least, -1, least, divisor])],
     binary("div floor_div rem mod", "i64", 5),
     [("5xi64", [least, 1, 2**63 - 1, 0, quotient]), ("5xi64", [least, 1, 2**63 - 1, -1, quotient - 1]),
      ("5xi64", [0, 0, 0, 1, rest]), ("5xi64", [0, 0, 0, least + 1, rest + divisor])])
Case("the least i32 over a power of two", [("3xi32", [1, -(2**31), -(2**31)]), ("3xi32", [-(2**31), 2097152, -1])], binary("div rem", "i32", 3),
     [("3xi32", [0, -1024, -(2**31)]), ("3xi32", [1, 0, 0])])
for t, bits in (("i8", 8), ("i32", 32), ("i64", 64)):
    x, y = [1, 1, 1, -2, -2, 1, 1], [-1, bits, bits - 1, 1, bits, bits + 1, 0]
    Case(f"shifts by the width, by more and by less than nothing, {t}", [(f"7x{t}", x), (f"7x{t}", y)], binary("shl shr", t, 7),
         [(f"7x{t}", [0, 0, -(1 << (bits - 1)), -4, 0, 0, 1]), (f"7x{t}", [0, 0, 0, -1, -1, 0, 1])])
Case("shifts by the width in body and tail, dense and stepped",
     [("7xi32", [1]), ("7xi32", [32]), ("7xi32", [1], ",strides=2")],
     "".join(f"  %r{i} = ew.shl %x{x}, %x1 : tensor<?xi32>\n" for i, x in enumerate((0, 2))), [("7xi32", [0])] * 2, dynamic=True)
Case("integer powers wrap", [("3xi64", [-47, 3, -1]), ("3xi64", [66, -1, -3]), ("20xi8", [2]), ("20xi8", [64])],
     """  %r0 = ew.pow %x0, %x1 : tensor<3xi64>
  %r1 = ew.pow %x2, %x3 : tensor<20xi8>
""", [("3xi64", [-3898719529840714591, 0, -1]), ("20xi8", [0])])
Case("unsigned bytes stay unsigned bytes", [("2xui8", [200, 128]), ("2xui8", [100, 127]), ("2xi32", [200, 255]), ("2xi8", [-1, 5])],
     """  %0 = ew.add %x0, %x1 : tensor<2xui8>
  %1 = ew.neg %0 : tensor<2xui8>
  %r0 = ew.cast %1 : tensor<2xui8> to tensor<2xi32>
  %r1 = ew.cast %x0 : tensor<2xui8> to tensor<2xi64>
  %2 = ew.cast %x2 : tensor<2xi32> to tensor<2xi8>
  %r2 = ew.cast %2 : tensor<2xi8> to tensor<2xui8>
  %3 = ew.cast %x3 : tensor<2xi8> to tensor<2xui64>
  %r3 = ew.cast %x3 saturate : tensor<2xi8> to tensor<2xui64>
  %r4 = ew.cmp lt, %x0, %x1 : tensor<2xui8>
""", [("2xi32", [212, 1]), ("2xi64", [200, 128]), ("2xui8", [200, 255]), ("2xui64", [0, 5]), ("2xi1", [0, 0])])
Case("an unsigned number is not below a negative one", [("4xui64", [0, 1, 2**63, 2**64 - 1]), ("4xi64", [-1])],
     """  %0 = ew.cast %x1 saturate : tensor<4xi64> to tensor<4xui64>
  %r0 = ew.cmp lt, %x0, %0 : tensor<4xui64>
""", [("4xi1", [0])])
Case("division in the type that was asked for", [("2xi8", [1, 100]), ("2xf64", [500.0, 39.0])],
     """  %0 = ew.cast %x0 : tensor<2xi8> to tensor<2xf64>
  %r0 = ew.div %0, %x1 : tensor<2xf64>
""", [("2xf64", [1 / 500, 100 / 39])])
Case("the floor of a quotient of floats", [("3xf32", [-4.4, 5.66500, 105.880005]), ("3xf32", [0.1])], binary("floor_div", "f32", 3),
     [("3xf32", [-45.0, 56.0, 1058.0])])
Case("f16 compares what f16 holds", [("2xi32", [2049, 2050])],
     """  %0 = ew.cast %x0 : tensor<2xi32> to tensor<2xf16>
  %c = ew.constant dense<2048.0> : tensor<2xf16>
  %r0 = ew.cmp oeq, %0, %c : tensor<2xf16>
""", [("2xi1", [1, 0])])

# ---- shapes, strides ----

Case("an empty tensor beside one that is not", [("0x0xf32", []), ("3xf32", [1.0, 2.0, 3.0])],
     """  %r0 = ew.neg %x0 : tensor<?x?xf32>
  %r1 = ew.neg %x1 : tensor<?xf32>
""", [("0x0xf32", []), ("3xf32", [-1.0, -2.0, -3.0])], dynamic=True)
Case("a dynamic size that turns out to be 1 is stretched", [("1x4xf32", [1.0, 2.0, 3.0, 4.0]), ("2x4xf32", [10.0])],
     """  %0 = ew.broadcast %x0 like(%x1 : tensor<?x?xf32>) : tensor<?x?xf32> to tensor<?x?xf32>
  %r0 = ew.mul %0, %x1 : tensor<?x?xf32>
""", [("2x4xf32", [10.0, 20.0, 30.0, 40.0] * 2)], dynamic=True)
ones = "x1" * 16
dims = "2" + "x2" * 8
half = list(range(512))
order = list(range(9))[::-1]
flipped = [int(f"{n:09b}"[::-1], 2) for n in half]
Case("twenty-five dimensions, permuted", [(f"{dims}{ones}xi32", half)],
     f"  %r0 = ew.transpose %x0 {order + list(range(9, 25))} : tensor<{dims}{ones}xi32> to tensor<{dims}{ones}xi32>\n",
     [(f"{dims}{ones}xi32", flipped)])
twelve = [float(n) for n in range(12)]
Case("reversed and transposed views", [("12xf32", twelve, ",strides=-1"), ("4x3xf32", twelve, ",strides=-1:4"), ("3x4xf32", twelve, ",strides=-4:-1")],
     """  %r0 = ew.neg %x0 : tensor<?xf32>
  %r1 = ew.neg %x1 : tensor<?x?xf32>
  %r2 = ew.neg %x2 : tensor<?x?xf32>
""", [("12xf32", [-x for x in twelve]), ("4x3xf32", [-x for x in twelve]), ("3x4xf32", [-x for x in twelve])], dynamic=True)
Case("steps larger than the tensor", [("3xi16", [1, 2, 3], ",strides=-42"), ("3xi16", [1, 2, 3], ",strides=1000")],
     "  %r0 = ew.add %x0, %x1 : tensor<?xi16>\n", [("3xi16", [2, 4, 6])], dynamic=True)
wide = [n % 251 for n in range(3 * 129)]
Case("rows of a wider tensor, cut off by one", [("3x128xbf16", [float(n % 251) for n in range(384)], ",strides=129:1"),
                                              ("3x128xbf16", [float(n % 251) for n in range(384)], ",strides=129:1,offset=1")],
     "  %r0 = ew.sub %x0, %x1 : tensor<?x?xbf16>\n", [("3x128xbf16", [0.0])], dynamic=True)
n, c, h, w = 2, 5, 4, 3
values = [float(i % 97) for i in range(n * c * h * w)]
last = f",strides={c * h * w}:1:{w * c}:{c}"
Case("channels last beside channels first, of two widths", [(f"{n}x{c}x{h}x{w}xf16", values, last), (f"{n}x{c}x{h}x{w}xf32", values)],
     """  %0 = ew.cast %x0 : tensor<?x?x?x?xf16> to tensor<?x?x?x?xf32>
  %r0 = ew.sub %0, %x1 : tensor<?x?x?x?xf32>
""", [(f"{n}x{c}x{h}x{w}xf32", [0.0])], dynamic=True)
sixty = [float(i) for i in range(60)]
for offset in range(16):
    Case(f"operands {offset} elements off", [("60xf32", sixty, f",offset={offset}"), ("60xf16", sixty, f",offset={offset}"), ("60xui8", sixty, f",offset={offset}")],
         """  %0 = ew.cast %x1 : tensor<?xf16> to tensor<?xf32>
  %1 = ew.cast %x2 : tensor<?xui8> to tensor<?xf32>
  %2 = ew.add %x0, %0 : tensor<?xf32>
  %r0 = ew.add %2, %1 : tensor<?xf32>
""", [("60xf32", [3 * x for x in sixty])], dynamic=True)
Case("a value before and after it is added to", [("3x4xf32", twelve)],
     """  %one = ew.constant 1.0 : f32
  %1 = ew.broadcast %one like(%x0 : tensor<?x?xf32>) : f32 to tensor<?x?xf32>
  %r0 = ew.add %x0, %1 : tensor<?x?xf32>
  %r1 = ew.broadcast %x0 like(%x0 : tensor<?x?xf32>) : tensor<?x?xf32> to tensor<?x?xf32>
  %r2 = ew.add %r0, %1 : tensor<?x?xf32>
""", [("3x4xf32", [x + 1 for x in twelve]), ("3x4xf32", twelve), ("3x4xf32", [x + 2 for x in twelve])], dynamic=True)
ten = [1.0] * 10
Case("one element of a tensor added to all of it", [("10xf32", ten), ("1xf32", [1.0])],
     """  %0 = ew.broadcast %x1 like(%x0 : tensor<?xf32>) : tensor<?xf32> to tensor<?xf32>
  %r0 = ew.add %x0, %0 : tensor<?xf32>
""", [("10xf32", [2.0])], dynamic=True)
thousand = [float(i % 5) for i in range(1023)]
Case("nothing leaks from what lies past the end", [("1023xf32", thousand)],
     """  %zero = ew.constant 0.0 : f32
  %z = ew.broadcast %zero like(%x0 : tensor<?xf32>) : f32 to tensor<?xf32>
  %0 = ew.reciprocal %x0 : tensor<?xf32>
  %1 = ew.cmp ogt, %x0, %z : tensor<?xf32>
  %r0 = ew.select %1, %0, %z : tensor<?xf32>
""", [("1023xf32", [struct.unpack("<f", struct.pack("<f", 1 / x))[0] if x else 0.0 for x in thousand])], dynamic=True)

# ---- functions ----

Case("powers of small integers are exact", [("5xf32", [2.0, 2.0, 2.0, 2.0, 3.0]), ("5xf32", [16.0, 17.0, 18.0, 19.0, 4.0])],
     binary("pow", "f32", 5), [("5xf32", [65536.0, 131072.0, 262144.0, 524288.0, 81.0])])
Case("gelu of large negative numbers is -0", [("3xf32", [-40.0, -1e10, -INF])],
     """  %r0 = ew.gelu %x0 : tensor<3xf32>
  %r1 = ew.gelu %x0 approximate(tanh) : tensor<3xf32>
""", [("3xf32", [-0.0])] * 2)


# ---- running ----

def make_function(cases):
    arguments, results, names, body = [], [], [], ""
    for k, case in enumerate(cases):
        own = lambda text: re.sub(r"%(\w+)", rf"%c{k}_\1", text)
        arguments += [f"%c{k}_x{i}: {case.type_of(a[0])}" for i, a in enumerate(case.arguments)]
        results += [case.type_of(spec) for spec, _ in case.results]
        names += [f"%c{k}_r{i}" for i in range(len(case.results))]
        body += own(case.body)
    return (f"func.func @f({', '.join(arguments)}) -> ({', '.join(results)}) {{\n{body}"
            f"  return {', '.join(names)} : {', '.join(results)}\n}}\n")


def run(cases, args, pool):
    """What is wrong, by case."""
    with tempfile.TemporaryDirectory(prefix="ew-cases-") as folder:
        path = lambda name: os.path.join(folder, name)
        with open(path("f.mlir"), "w") as file:
            file.write(make_function(cases))
        command = [path("f.mlir"), f"--device={args.device}", f"--mode={cases[0].mode}", *ewrun.for_many(args.device)]
        outputs = []
        for k, case in enumerate(cases):
            for i, (spec, values, *view) in enumerate(case.arguments):
                with open(path(f"x{k}_{i}.bin"), "wb") as file:
                    file.write(pack(encode_all(spec, values), element_of(spec)))
                command.append(f"--input={spec}{''.join(view)}=@{path(f'x{k}_{i}.bin')}")
            outputs.append([path(f"r{k}_{i}.bin") for i in range(len(case.results))])
            command += [f"--output=@{name}" for name in outputs[-1]]
        done = pool.run(command)
        if done.returncode:
            if len(cases) > 1:
                return {name: what for case in cases for name, what in run([case], args, pool).items()}
            return {cases[0].name: f"exit code {done.returncode}: {done.stderr.strip()[:500]}"}
        return {case.name: compare(case, files) for case, files in zip(cases, outputs)}


def compare(case, files):
    for i, ((spec, values), name) in enumerate(zip(case.results, files)):
        element, width = element_of(spec), max(1, BITS[element_of(spec)] // 8)
        with open(name, "rb") as file:
            data = file.read()
        actual = [int.from_bytes(data[k:k + width], "little") for k in range(0, len(data), width)]
        expected = encode_all(spec, values)
        if len(actual) != len(expected):
            return f"result {i} has {len(actual)} elements, not {len(expected)}"
        for k, (a, e) in enumerate(zip(actual, expected)):
            if a != e and not (is_nan(a, element) and is_nan(e, element)):
                return f"result {i}, element {k} is 0x{a:x}, not 0x{e:x}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ew-run", default="ew-run", help="the ew-run to use (default: that on PATH)")
    parser.add_argument("--device", default="cpu", help="cpu, emulated, cuda, ... (default: %(default)s)")
    parser.add_argument("--only", default="", help="cases whose name has this text")
    parser.add_argument("--jobs", type=int, default=ewrun.default_jobs(),
                        help="processes at once (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    args = parser.parse_args()
    cases = [case for case in CASES if args.only in case.name]
    if args.list:
        print("\n".join(case.name for case in cases))
        return 0
    groups = []
    for mode in ("default", "strict"):
        of_mode = [case for case in cases if case.mode == mode]
        groups += [of_mode[i:i + CHUNK] for i in range(0, len(of_mode), CHUNK)]
    failed = 0
    with ewrun.Pool(args.ew_run, args.jobs, {"EW_CACHE_DIR": ""}) as pool:
        for results in pool.map(lambda group: run(group, args, pool), groups):
            for name, what in results.items():
                failed += bool(what)
                print(f"FAIL {args.device}: {name}: {what}" if what else f"PASS {args.device}: {name}", flush=True)
    print(f"cases on {args.device}: {len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
