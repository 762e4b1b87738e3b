"""ewrun-pool.py INTEGRATION FOLDER: what ewrun.Pool makes of processes that end, with a program in place of ew-run."""

import os
import sys

sys.path.append(sys.argv[1])
import ewrun

program = os.path.join(sys.argv[2], "program")
with open(program, "w") as file:
    file.write(f"""#!{sys.executable}
import json, os, signal, sys
for line in sys.stdin:
    what = line.split()[0]
    answer = {{"exit_code": 0, "stdout": f"{{os.getpid()}} {{line}}", "stderr": ""}}
    if what == "crash":
        print("something is wrong", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "end":
        sys.exit(0)
    if what == "lost":
        answer.update(exit_code=1, stderr="a fault", device_lost="cuda:0")
    if what == "fail":
        answer.update(exit_code=3, stderr="wrong")
    print(json.dumps(answer), flush=True)
    if what == "lost":
        sys.exit(4)
""")
os.chmod(program, 0o755)

COMMANDS = ["ok", "crash", "ok", "fail", "ok", "end", "ok", "lost", "ok", "crash", "crash", "lost", "lost", "ok"] * 3
EXPECTED = {"ok": (0, ""), "crash": (-11, "something is wrong\n"), "fail": (3, "wrong"), "lost": (1, "a fault"),
            "end": (1, "ew-run ended with exit code 0 and said nothing")}


def expect(what, condition):
    if not condition:
        sys.exit(f"ewrun-pool.py: {what}")


for jobs in (1, 4):
    with ewrun.Pool(program, jobs) as pool:
        for command, done in zip(COMMANDS, pool.map(lambda command: pool.run([command, "two words"]), COMMANDS)):
            expect(f"{command} gave {done}", (done.returncode, done.stderr) == EXPECTED[command])
            if command == "ok":
                expect(f"the command became {done.stdout}", done.stdout.split(" ", 1)[1] == "ok 'two words'\n")
    with ewrun.Pool(program, jobs) as pool:
        processes = {done.stdout.split()[0] for done in pool.map(lambda n: pool.run(["ok"]), range(100))}
        expect(f"{len(processes)} processes for {jobs} jobs", len(processes) <= jobs)
try:
    ewrun.Worker(program, dict(os.environ)).run(["two\nlines"])
except ValueError:
    pass
else:
    sys.exit("ewrun-pool.py: a command of two lines was taken")
