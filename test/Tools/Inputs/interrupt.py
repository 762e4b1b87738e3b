"""interrupt.py SIGNAL FOLDER COMMAND...: sends the signal as soon as the command
writes a file into the folder, and fails unless it ends by it and leaves no file.

With "ignored" after the signal, the command starts with the signal ignored, as
from nohup, and has to finish.
"""

import os
import signal
import subprocess
import sys

name, folder, *command = sys.argv[1:]
number = getattr(signal, name)
ignored = command[0] == "ignored"
if ignored:
    command = command[1:]
# What starts tests may ignore signals, too.
signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)
for attempt in range(10):  # the command may be done before the signal
    process = subprocess.Popen(command)
    while process.poll() is None and not os.listdir(folder):
        pass
    process.send_signal(number)
    code = process.wait()
    left = os.listdir(folder)
    if ignored and code == 0 and len(left) == 1:
        sys.exit(0)
    if code != 0 or ignored:
        sys.exit(0 if code == -number and not left else f"exit code {code}, files {left}")
    for file in left:
        os.remove(os.path.join(folder, file))
sys.exit("always done before the signal")
