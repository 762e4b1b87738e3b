"""batch-crash.py FOLDER: a command that ends the process of ew-run --batch, by a signal from outside."""

import json
import os
import signal
import subprocess
import sys

folder = sys.argv[1]
for number in (signal.SIGSEGV, signal.SIGKILL):
    process = subprocess.Popen(
        ["ew-run", "--batch=-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "EW_CACHE_SIZE": "small"})  # which every command warns of
    run = f"{folder}/f.mlir --function=exp --device=cpu"
    process.stdin.write(f"{run} --input=5xf32=1\n")
    process.stdin.flush()
    first = json.loads(process.stdout.readline())
    # This one takes long.
    process.stdin.write(f"{run} --input=50000000xf32=random:-1:1 --check --check-limit=1000000000\n")
    process.stdin.flush()
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        pass
    process.send_signal(number)
    rest, said = process.communicate(timeout=60)
    if first["exit_code"] != 0 or process.returncode != -number or rest:
        sys.exit(f"signal {number}: {first}, exit code {process.returncode}, {rest!r}, {said!r}")
    if number == signal.SIGSEGV and "EW_CACHE_SIZE" not in said:
        sys.exit(f"what the command had said is lost: {said!r}")
