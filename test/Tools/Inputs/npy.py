"""npy.py PATH DESCR SHAPE BYTES: writes a .npy file with that many bytes of zeros."""

import struct
import sys

path, descr, shape, size = sys.argv[1:]
header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
    file.write(header.encode() + bytes(int(size)))
