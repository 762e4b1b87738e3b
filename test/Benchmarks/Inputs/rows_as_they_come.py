"""Runs a command whose output is a pipe, and prints its lines as they come, with "alive" after the first row of its table if it
is still at work then."""
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
rows = 0
for line in process.stdout:
    print(line, end="")
    rows += line.startswith("| ")
    if line.startswith("| ") and rows == 2 and process.poll() is None:
        print("alive")
sys.exit(process.wait())
