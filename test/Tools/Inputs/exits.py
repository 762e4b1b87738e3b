"""exits.py CODE COMMAND...: runs it, and fails unless it ends with that code.

A code is a number, or the name of a signal that ends the process.
"""

import signal
import subprocess
import sys

wanted = sys.argv[1]
wanted = -getattr(signal, wanted) if wanted.startswith("SIG") else int(wanted)
code = subprocess.call(sys.argv[2:])
if code != wanted:
    sys.exit(f"exits.py: exit code {code}, not {wanted}")
