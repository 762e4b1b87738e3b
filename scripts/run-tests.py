#!/usr/bin/env python3
"""Runs EW's lit tests from the package, where there is no lit and no LLVM.

usage: run-tests [-j N] [-v] [--require-gpu] [--timeout SECONDS] [PATH...]

PATHs are test files or folders, relative to the folder of tests; without any,
the GPU tests run. Each test is reported as soon as it is done, and fails when
it has run for SECONDS (default 600). -j: tests at once (default 4). Reads from a test what EW's tests use of lit: RUN lines (with
continuations), DEFINE, REQUIRES, UNSUPPORTED, %s %S %t %T %examples %golden %ops %python. --require-gpu makes a test
that this machine cannot run a failure, unless it needs only what EW_GOLDEN_DIR and
EW_LARGE_TESTS ask for.
"""

import argparse
import concurrent.futures
import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SHARE = pathlib.Path(__file__).resolve().parent
ROOT = SHARE.parent.parent
TESTS = SHARE / "test"
OPTIONAL = {"golden", "large"}  # features that are asked for, not the machine's


def has_gpu():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


def find_environment(scratch):
    """The tests' environment, and the features that they may require."""
    environment = dict(os.environ)
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    cuda = next((home for home in homes if home and os.path.isdir(home)), None)
    path = [str(ROOT / "bin"), str(SHARE / "test-tools"), environment.get("PATH", "")]
    if cuda:
        environment["CUDA_HOME"] = cuda
        path.append(os.path.join(cuda, "bin"))
    environment["PATH"] = os.pathsep.join(path)
    environment["EW_CACHE_DIR"] = os.path.join(scratch, "ew-cache")
    environment["EW_TUNE_DB"] = ""
    features = set()
    if has_gpu():
        features.add("nvidia-gpu")
    if shutil.which("ptxas", path=environment["PATH"]):
        features.add("ptxas")
    if cuda and os.path.exists(os.path.join(cuda, "nvvm/libdevice/libdevice.10.bc")):
        features.add("libdevice")
    golden = environment.get("EW_GOLDEN_DIR")
    if golden and os.path.exists(os.path.join(golden, "numpy_umath.tsv")):
        features.add("golden")
    if environment.get("EW_LARGE_TESTS"):
        features.add("large")
    return environment, features


def expand(command, defines):
    """A command with what DEFINE lines say of it, which may refer to each other."""
    for _ in range(10):
        command = re.sub(
            r"%\{[\w:-]+\}", lambda m: defines.get(m.group(0), m.group(0)), command
        )
    return command


def parse(path):
    """A test's commands, and the features it requires and cannot bear."""
    commands, requires, unsupported, defines = [], [], [], {}
    keyword, text = None, ""
    for line in path.read_text(errors="replace").splitlines():
        match = re.search(r"\b(RUN|DEFINE|REDEFINE|REQUIRES|UNSUPPORTED):(.*)", line)
        if not match:
            continue
        if not text:
            keyword = match.group(1)
        text += match.group(2).strip()
        if text.endswith("\\"):
            text = text[:-1]
            continue
        if keyword == "RUN":
            commands.append(expand(text, defines))
        elif keyword in ("DEFINE", "REDEFINE"):
            name, _, value = text.partition("=")
            defines[name.strip()] = value.strip()
        else:
            items = [item.strip() for item in text.split(",")]
            (requires if keyword == "REQUIRES" else unsupported).extend(items)
        text = ""
    return commands, requires, unsupported


def substitute(command, path, scratch):
    temporary = os.path.join(scratch, str(path.relative_to(TESTS)))
    os.makedirs(os.path.dirname(temporary), exist_ok=True)
    values = {
        "%%": "%",
        "%examples": str(ROOT / "examples"),
        "%ops": str(SHARE / "ops.json"),
        "%python": sys.executable,
        "%golden": os.path.abspath(os.environ.get("EW_GOLDEN_DIR", "")),
        "%s": str(path),
        "%S": str(path.parent),
        "%t": temporary + ".tmp",
        "%T": os.path.dirname(temporary),
    }
    return re.sub("%%|%examples|%golden|%ops|%python|%[sStT]", lambda m: values[m.group(0)], command)


def evaluate(expression, features):
    """A feature, or !feature, or several joined by && and ||."""
    tokens = re.sub(
        r"[\w.+-]+", lambda m: str(m.group(0) in features), expression
    )
    tokens = tokens.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    return bool(eval(tokens, {"__builtins__": {}}))  # only names made above


def run_script(script, environment, scratch, seconds):
    """The exit code, or None after so many seconds, and the output. All that the script started ends with it."""
    process = subprocess.Popen(
        ["bash", "-c", script], env=environment, cwd=scratch, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=max(seconds, 0))
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def run_test(path, environment, features, scratch, timeout):
    """Returns PASS, FAIL, UNSUPPORTED or OPTIONAL, and the output to show."""
    commands, requires, unsupported = parse(path)
    if not commands:
        return "FAIL", "no RUN line"
    missing = [item for item in requires if not evaluate(item, features)]
    if missing:
        return "OPTIONAL" if OPTIONAL.issuperset(missing) else "UNSUPPORTED", "needs " + ", ".join(missing)
    excluded = [item for item in unsupported if evaluate(item, features)]
    if excluded:
        return "UNSUPPORTED", "not with " + ", ".join(excluded)
    end = time.monotonic() + timeout
    for command in commands:
        script = "set -o pipefail; " + substitute(command, path, scratch)
        code, output = run_script(script, environment, scratch, end - time.monotonic())
        if code is None:
            return "FAIL", f"$ {command}\n{output}\nran past {timeout} s"
        if code != 0:
            return "FAIL", f"$ {command}\n{output}\nexit code {code}"
    return "PASS", ""


def find_tests(names):
    tests = []
    for name in names or ["Integration/GPU"]:
        path = (TESTS / name).resolve()
        if path.is_file():
            tests.append(path)
        elif path.is_dir():
            tests += sorted(
                file for file in path.rglob("*")
                if file.suffix in (".mlir", ".test") and "Inputs" not in file.parts
            )
        else:
            sys.exit(f"run-tests: error: no such test or folder: {name}")
    return tests


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][len("usage: "):])
    parser.add_argument("-j", type=int, default=4, help="tests at once (default: %(default)s)")
    parser.add_argument("-v", action="store_true", help="say what every failed command printed")
    parser.add_argument("--require-gpu", action="store_true",
                        help="count what is unsupported as failed")
    parser.add_argument("--timeout", type=int, default=600,
                        help="seconds after which a test is ended (default: %(default)s)")
    parser.add_argument("paths", nargs="*", help="tests or folders of them")
    arguments = parser.parse_args()
    if arguments.j < 1 or arguments.timeout < 1:
        parser.error("-j and --timeout are at least 1")
    tests = find_tests(arguments.paths)
    counts = {"PASS": 0, "FAIL": 0, "UNSUPPORTED": 0}
    failed, begin = [], time.monotonic()
    with tempfile.TemporaryDirectory(prefix="ew-tests-") as scratch:
        environment, features = find_environment(scratch)
        # A test's own processes: two for each processor, so that there is work
        # while the last tests run alone.
        share = -(-2 * len(os.sched_getaffinity(0)) // arguments.j)
        environment.setdefault("EW_TEST_JOBS", str(share))
        print("features:", " ".join(sorted(features)) or "none", flush=True)

        def run(test):
            start = time.monotonic()
            status, output = run_test(test, environment, features, scratch, arguments.timeout)
            return test, status, output, time.monotonic() - start

        with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
            running = [pool.submit(run, test) for test in tests]
            for future in concurrent.futures.as_completed(running):
                test, status, output, seconds = future.result()
                if arguments.require_gpu and status == "UNSUPPORTED":
                    status = "FAIL"
                if status == "OPTIONAL":
                    status = "UNSUPPORTED"
                counts[status] += 1
                name = str(test.relative_to(TESTS))
                print(f"{status}: {name} ({sum(counts.values())} of {len(tests)}, {seconds:.1f} s)", flush=True)
                if status == "FAIL":
                    failed.append(name)
                if output and (arguments.v or status == "FAIL"):
                    print("  " + output.replace("\n", "\n  "), flush=True)
    if failed:
        print("failed:\n  " + "\n  ".join(sorted(failed)))
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed, {counts['UNSUPPORTED']} skipped in "
          f"{time.monotonic() - begin:.0f} s")
    return 1 if counts["FAIL"] or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
