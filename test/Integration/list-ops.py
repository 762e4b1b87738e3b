#!/usr/bin/env python3
"""Writes what the numeric tests need to know of the ops, from TableGen's own records.

usage: list-ops.py RECORDS.json OPS.json

RECORDS.json is `llvm-tblgen --dump-json` of EwOps.td. For every elementwise op, OPS.json
has its name, what it means, the kinds of its operands and result (float, int, number, ...), and its
attributes. No list of ops is kept by hand.
"""
import json
import sys

KINDS = {"Ew_FloatLike": "float", "Ew_IntLike": "int", "Ew_IntOrBoolLike": "int_or_bool",
         "Ew_NumberLike": "number", "Ew_BoolLike": "bool", "Ew_ElementLike": "element",
         "Ew_RealElementLike": "real_element", "Ew_FloatOrComplexLike": "float_or_complex",
         "Ew_NumberOrComplexLike": "number_or_complex", "Ew_ComplexLike": "complex", "Ew_PartLike": "part"}


def main():
    if len(sys.argv) != 3 or {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        return sys.exit("-h" not in sys.argv and "--help" not in sys.argv)
    records = json.load(open(sys.argv[1]))
    ops = []
    for name in records["!instanceof"]["Op"]:
        record = records[name]
        if "Ew_ElementwiseOp" not in record["!superclasses"]:
            continue
        args = [(a[0]["def"], a[1]) for a in record["arguments"]["args"]]
        meaning = record["description"].split("\n\nExample:")[0]
        ops.append({"name": record["opName"],
                    "meaning": " ".join(meaning.split()),
                    "operands": [KINDS[t] for t, _ in args if t in KINDS],
                    "attributes": [n for t, n in args if t not in KINDS],
                    "result": KINDS[record["results"]["args"][0][0]["def"]]})
    enums = {}
    for name in records["!instanceof"]["EnumInfo"] if "EnumInfo" in records["!instanceof"] else []:
        record = records[name]
        if record.get("cppNamespace") == "::ew":
            enums[record["className"]] = [records[c["def"]]["str"] for c in record["enumerants"]]
    json.dump({"ops": sorted(ops, key=lambda op: op["name"]), "enums": enums},
              open(sys.argv[2], "w"), indent=1)


if __name__ == "__main__":
    main()
