"""Imports utils/cost.py, whose path is the argument, and counts listings as nvdisasm writes them."""

import importlib.util
import sys

spec = importlib.util.spec_from_file_location("cost", sys.argv[1])
cost = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cost)


def listing(*lines):
    return "\n".join(line if line.endswith(":") else f"        /*{i * 16:04x}*/                   {line} ;"
                     for i, line in enumerate(lines)) + "\n"


LOAD, STORE = "LDG.E.128 R4, desc[UR4][R2.64]", "STG.E.128 desc[UR4][R2.64], R4"

# A branch that is not taken, for what is rare, and what stands behind the store.
rare = listing("S2R R0, SR_TID.X", LOAD, "FSETP.GEU.AND P1, PT, |R4|, 87, PT", "FADD R4, R4, 1", "@P1 BRA `(.L_x_1)",
               ".L_x_2:", STORE, "EXIT", ".L_x_1:", "FMUL R4, R4, R4", "FMUL R4, R4, R5", "BRA `(.L_x_2)")
print("rare", len(cost.shortest(rare)))

# A jump over what is rare, and one that is always taken.
over = listing(LOAD, "@!P1 BRA `(.L_x_1)", "FMUL R4, R4, R4", "FMUL R4, R4, R5", ".L_x_1:", "BRA `(.L_x_3)", "FADD R4, R4, 2",
               ".L_x_3:", "FADD R4, R4, 1", STORE)
print("over", cost.shortest(over))

# What a function does counts where it is called; its own branch is the shorter one.
called = listing(LOAD, "MOV R9, 0x40", "CALL.REL.NOINC `($f)", "FADD R4, R4, 1", STORE, "EXIT", "$f:", "FMUL R4, R4, R4",
                 "@P1 BRA `(.L_x_1)", "FADD R4, R4, 3", ".L_x_1:", "FADD R4, R4, 2", "RET.REL.NODEC R8 `(f)")
print("called", len(cost.shortest(called)))

# The usual way goes past what is named, the shortest one does not.
early = listing(LOAD, "@P1 BRA `(.L_x_1)", "F2I.NTZ R5, R4", "FMUL R4, R4, R5", ".L_x_1:", STORE)
print("early", len(cost.shortest(early)), len(cost.shortest(early, r"\bF2I\.NTZ\b")))

names = [name for name, _, _ in cost.functions()]
print("functions", len(names), len(set(names)))
