"""Runs a command whose standard output is a terminal, and prints what it wrote there and on standard error, as Python spells
it. Ends with the command's exit code."""
import os
import pty
import subprocess
import sys

ours, its = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stdout=its, stderr=its)
os.close(its)
text = b""
while True:
    try:
        part = os.read(ours, 4096)
    except OSError:  # nobody has it open any more
        break
    if not part:
        break
    text += part
print(ascii(text.decode(errors="replace")))
sys.exit(process.wait())
