"""Prints figures of ew-run's JSON report, one a line: the arguments are paths such as kernels.0.limits.memory_us; a path that
ends in / is of a mapping whose keys are printed. Numbers are rounded to four digits."""
import json
import sys

report = json.load(sys.stdin)
for path in sys.argv[1:]:
    value = report
    for step in path.rstrip("/").split("."):
        value = value[int(step)] if isinstance(value, list) else value.get(step, "missing")
    if path.endswith("/"):
        value = " ".join(value)
    print(f"{path} {value:.4g}" if isinstance(value, float) else f"{path} {value}")
