"""Asks scripts for --help, and says where that lacks what it should have: help.py SCRIPT...

A script says what it does in a paragraph at least, and of each of its arguments what it is.
"""
import os
import re
import subprocess
import sys

ENTRY = re.compile(r"  (\S.*?)(?:  +(\S.*))?")


def find_faults(text):
    heading, entry = "", None
    for line in text.splitlines():
        if re.fullmatch(r"(options|positional arguments):", line):
            heading, entry = line, None
        elif heading and line.startswith("    ") and entry:
            entry = None  # it goes on below
        elif heading and (found := ENTRY.fullmatch(line)):
            if entry:
                yield f"{entry} is not explained"
            entry = None if found[2] else found[1]
    if entry:
        yield f"{entry} is not explained"
    if len(text) < 100:
        yield "says hardly anything"


def main():
    faults = 0
    for script in sys.argv[1:]:
        command = [script, "--help"] if script.endswith(".sh") else [sys.executable, script, "--help"]
        # Wide enough that no argument's text is broken in two.
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}, timeout=60)
        found = list(find_faults(done.stdout))
        if done.returncode:
            found = [f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"]
        for fault in found:
            print(f"{script}: {fault}")
        faults += len(found)
    print(f"{len(sys.argv) - 1} scripts, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
