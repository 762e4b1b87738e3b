"""Many runs of ew-run in few processes: `ew-run --batch=-`, several of them at once.

  with ewrun.Pool(jobs=4) as pool:
      done = pool.run(["f.mlir", "--input=4xf32=1", "--check"])   # as subprocess.run: returncode, stdout, stderr
      for result in pool.map(function, items): ...                # functions that call pool.run, in threads

A process is started when there is work for it, so that a device is opened as often as it is needed. A
command that ends its process (a crash, or an error that takes the device with it) is the only one to fail:
the next one gets a new process.
"""
import concurrent.futures
import json
import os
import queue
import shlex
import subprocess
import tempfile

# What is said of a command: its exit code, or the signal that ended it as a negative number; what it wrote.
from collections import namedtuple

Done = namedtuple("Done", "returncode stdout stderr")


def default_jobs():
    """Processes of a script, unless it is told: EW_TEST_JOBS, or one for each processor."""
    return int(os.environ.get("EW_TEST_JOBS") or len(os.sched_getaffinity(0)))


def for_many(device):
    """Flags by which few elements go through vectors and their tails, as many do. Without them a GPU's threads would
    take one or four each."""
    return [] if device == "cpu" else ["--schedule=many=1"]


class Worker:
    """A process that runs one command after another."""

    def __init__(self, program, environment):
        self.command = [program, "--batch=-"]
        self.environment = environment
        self.process = None

    def start(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, env=self.environment)

    def run(self, arguments):
        line = shlex.join(arguments)
        if "\n" in line:
            raise ValueError(f"a command of a batch is one line: {line}")
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, and says why
        answer = self.process.stdout.readline()
        if not answer.endswith(b"\n"):
            return self.end()
        answer = json.loads(answer)
        if "device_lost" in answer:
            self.end()
        return Done(answer["exit_code"], answer["stdout"], answer["stderr"])

    def end(self):
        """Waits for the process to end, and says how it did."""
        process, self.process = self.process, None
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        output = process.stdout.read().decode(errors="replace")
        code = process.wait()
        process.stdout.close()
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace")
        self.errors.close()
        # A command without an answer failed, whatever its process says.
        return Done(code or 1, output, said or f"ew-run ended with exit code {code} and said nothing")


class Pool:
    def __init__(self, program="ew-run", jobs=None, environment=None):
        self.jobs = jobs or default_jobs()
        self.threads = concurrent.futures.ThreadPoolExecutor(self.jobs)
        self.workers = [Worker(program, {**os.environ, **(environment or {})}) for _ in range(self.jobs)]
        self.free = queue.LifoQueue()
        for worker in self.workers:
            self.free.put(worker)

    def run(self, arguments):
        worker = self.free.get()
        try:
            return worker.run(list(map(str, arguments)))
        finally:
            self.free.put(worker)

    def map(self, function, items):
        """The results in the order of the items, each as soon as it is there."""
        return self.threads.map(function, items)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.threads.shutdown(cancel_futures=True)
        for worker in self.workers:
            if worker.process:
                worker.end()
