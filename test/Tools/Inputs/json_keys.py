"""json_keys.py DOC COMMAND...: every key of the JSON that a command prints stands in DOC, in backticks."""
import json
import pathlib
import re
import subprocess
import sys


def keys(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


doc = pathlib.Path(sys.argv[1]).read_text()
named = set(re.findall(r"`([a-z0-9_/]+)`", doc))
done = subprocess.run(sys.argv[2:], capture_output=True, text=True)
if not done.stdout:
    sys.exit(f"no JSON: {done.stderr}")
found = set(keys(json.loads(done.stdout)))
if missing := sorted(found - named):
    sys.exit(f"{sys.argv[1]} lacks {', '.join(missing)}")
print(f"{len(found)} keys are there: {' '.join(sorted(found))}")
