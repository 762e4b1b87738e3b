# licenses.py FOLDER: prints the names of C++ and TableGen files that name no license.
import pathlib
import sys

root = pathlib.Path(sys.argv[1]).resolve()
for folder in ["benchmarks", "examples", "include", "lib", "test", "tools", "utils"]:
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in (".cpp", ".h", ".td") and "SPDX-License-Identifier" not in path.read_text():
            print(path.relative_to(root))
