"""Runs a command whose standard error is a terminal, and prints what it wrote there, as Python spells it; standard output goes
nowhere, or with `--both` as the first argument to the terminal, too. Ends with the command's exit code."""
import os
import pty
import subprocess
import sys

both = sys.argv[1] == "--both"
ours, its = pty.openpty()
process = subprocess.Popen(sys.argv[1 + both:], stdout=its if both else subprocess.DEVNULL, stderr=its)
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
