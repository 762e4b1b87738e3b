"""Writes texts that a parser had better not see: hard-to-read.py FOLDER."""
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
DEEP = 50000
NESTED = {
    "types": "func.func private @f(" + "tuple<" * DEEP + "f32" + ">" * DEEP + ")",
    "attributes": "module attributes {func.a = " + "[" * DEEP + "]" * DEEP + "} {}",
    "modules": "module {\n" * DEEP + "}" * DEEP,
    "maps": "#m = affine_map<(d0) -> (" + "(" * DEEP + "d0" + ")" * DEEP + ")>",
    "regions": '"a.b"() ({ ' * DEEP + "}) : () -> ()" * DEEP,
}
for name, text in NESTED.items():
    (folder / f"{name}.mlir").write_text(text)
# No bracket of a program: comparisons, arrows, strings, comments.
sets = "".join(f"#s{i} = affine_set<(d0) : (d0 - {i} >= 0, {i} - d0 >= 0)>\n" for i in range(3000))
(folder / "fine.mlir").write_text(
    sets + "// " + "(" * DEEP + "\n" + 'module attributes {func.a = "\\"' + "[" * DEEP + '"} {\n' +
    "func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = ew.neg %x : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n}\n")
(folder / "name.mlir").write_text("a" * 10_000_000)
(folder / "line.mlir").write_text(
    "func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {" +
    " ".join(f"%{i} = ew.neg %{i - 1 if i else 'x'} : tensor<?xf32>" for i in range(20000)) + " oops }")
(folder / "zeros.mlir").write_bytes(b"\0" * 1000)

# Bytes that are no text. In strings and comments they are nobody's business, but nothing for a terminal either.
(folder / "binary.mlir").write_bytes(bytes(range(128, 256)) + b"\n" + bytes(range(1, 128)))
(folder / "blank.mlir").write_bytes(b"// one\nmodule {\xa0}\n")
(folder / "escape.mlir").write_bytes(b"module {\x1b[2J}\n")
NEG = b"(%x: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = ew.neg %x : tensor<?xf32> // caf\xe9\n  return %0 : tensor<?xf32>\n}\n"
(folder / "latin.mlir").write_bytes(b'func.func @"\xe9\x1b[2J"' + NEG)
(folder / "latin-wrong.mlir").write_bytes(b"func.func @f" + NEG.replace(b"ew.neg", b"ew.negg"))
(folder / "crlf.mlir").write_bytes(b"func.func @f() {\r\n  ew.negg\r\n}\r\n")
(folder / "utf8.mlir").write_bytes("// caf\u00e9\nfunc.func @f() { \u00e9 }\n".encode())
